"""Match equities and the cube's scheme, against what is known of both."""

from __future__ import annotations

import math

import pytest

from pi_app.match.score import Agreement, Cube, Score, Standing
from pi_app.players.contract import Unit
from pi_app.players.tables.player import (
    MOST_AWAY,
    Owner,
    Prospects,
    Ways,
    met_of,
    stakes_of,
    take_point,
    worth_of,
)
from pi_app.rules.terms import Side

WAYS = Ways((3.0, 2.0, 1.0, 1.0, 2.0, 3.0), (0.01, 0.12, 0.37, 0.37, 0.12, 0.01))
SINGLE = Ways((1.0, 1.0), (0.5, 0.5))
PIN = Ways((10.0, 2.0, 0.0, 2.0, 10.0), (0.3, 0.15, 0.1, 0.15, 0.3))


def match_to(points: int, cube: bool = True) -> Agreement:
    return Agreement(points, cube, crawford=cube, tie_turns_cube=False)


def after(white: int, black: int, crawford_played: bool = False) -> Standing:
    return Standing(Score(white, black), Cube(), 2, False, crawford_played)


def prospects(chance: float, gammons: float = 1.0) -> Prospects:
    """Unlimited play in which a win is worth more than one point."""
    return Prospects(
        chance,
        won=lambda cube: cube * gammons,
        lost=lambda cube: -cube * gammons,
        passed=float,
        passing=lambda cube: -float(cube),
        useful=lambda _: True,
        theirs=lambda _: True,
    )


@pytest.mark.parametrize(("ways", "cube"), [(WAYS, True), (WAYS, False), (PIN, False)])
def test_two_sides_share_every_match(ways: Ways, cube: bool) -> None:
    met = met_of(match_to(11, cube), after(0, 0), ways)
    for own in range(1, 12):
        assert met(own, own) == pytest.approx(0.5)
        for other in range(1, 12):
            assert met(own, other) + met(other, own) == pytest.approx(1)
            assert met(own, other) >= met(own + 1, other) if own < 11 else True


def test_without_a_cube_and_gammons_points_are_pascals() -> None:
    """Two away against one: both of two games, a quarter; three against two: 5 of 16."""
    met = met_of(match_to(5, cube=False), after(0, 0), SINGLE)
    assert met(2, 1) == pytest.approx(1 / 4)
    assert met(3, 2) == pytest.approx(5 / 16)
    assert met(0, 3) == 1
    assert met(3, 0) == 0


def test_the_crawford_game_and_after_it() -> None:
    """Two away against one: the Crawford game must be won, by a gammon or with one more after it;
    after it a doubled game is enough."""
    before = met_of(match_to(7), after(5, 4), WAYS)
    behind = met_of(match_to(7), after(5, 6, crawford_played=True), WAYS)
    gammons = (0.12 + 0.01) / 0.5
    assert before(2, 1) == pytest.approx(0.5 * (gammons + (1 - gammons) * 0.5))
    assert behind(2, 1) == pytest.approx(0.5)
    # With the tables of Woolsey and Heinrich, within two in a hundred.
    for own, other, known in ((2, 1, 0.30), (3, 1, 0.25), (3, 2, 0.40), (4, 2, 0.33), (5, 3, 0.34)):
        assert before(own, other) == pytest.approx(known, abs=0.025)


def test_far_from_the_target_points_count() -> None:
    stakes = stakes_of(match_to(MOST_AWAY + 1), after(0, 3), WAYS)
    assert stakes.unit is Unit.POINTS
    assert stakes.won[Side.WHITE](3) == 3


def test_by_jacoby_gammons_count_only_once_the_cube_is_turned() -> None:
    agreement = Agreement(None, True, False, False, jacoby=True)
    stakes = stakes_of(agreement, after(0, 0), WAYS)
    assert [stakes.won[Side.BLACK](points) for points in (-2, -1, 1, 3)] == [-1, -1, 1, 1]
    turned = stakes_of(agreement, after(0, 0), WAYS, cube=2)
    assert [turned.won[Side.BLACK](points) for points in (-2, -1, 1, 3)] == [-4, -2, 2, 6]


def test_a_win_in_a_match_is_worth_the_score_after_it() -> None:
    standing = Standing(Score(3, 5), Cube(2), 4, False, False)
    stakes = stakes_of(match_to(7), standing, WAYS)
    assert stakes.won[Side.WHITE](2) == 1
    assert stakes.won[Side.BLACK](1) == 1
    met = met_of(match_to(7), standing, WAYS)
    assert stakes.in_unit(stakes.won[Side.WHITE](1)) == pytest.approx(met(2, 2))
    assert stakes.in_unit(stakes.won[Side.BLACK](-1)) == pytest.approx(met(2, 2))


def test_take_points_of_money_games() -> None:
    """A fifth with a live cube, a quarter with a dead one; in truth between the two."""
    assert take_point(prospects(0.5), 1) == pytest.approx(0.2, abs=1e-3)
    for chance, right in ((0.78, True), (0.795, False)):
        taken = worth_of(prospects(chance), 2, Owner.THEIRS)
        assert (taken <= 1) is right


def test_the_window_in_which_to_double() -> None:
    """Without gammons from 70 % on from the middle, and only later by who owns the cube."""
    for owner, low, high in ((Owner.MIDDLE, 0.65, 0.75), (Owner.MINE, 0.70, 0.78)):
        doubles = [
            chance / 1000
            for chance in range(500, 1000)
            if min(worth_of(prospects(chance / 1000), 2, Owner.THEIRS), 1)
            > worth_of(prospects(chance / 1000), 1, owner)
        ]
        assert low < doubles[0] < high
        assert doubles[-1] > 0.99


def test_who_wins_gammons_may_be_too_good_to_double() -> None:
    too_good = prospects(0.97, gammons=2.0)
    assert worth_of(too_good, 1, Owner.MIDDLE) > 1
    assert worth_of(prospects(0.5, gammons=1.3), 1, Owner.MIDDLE) == pytest.approx(0)


def test_the_cube_is_worth_having() -> None:
    for chance in (0.3, 0.5, 0.7):
        mine, middle, theirs = (
            worth_of(prospects(chance), 1, owner)
            for owner in (Owner.MINE, Owner.MIDDLE, Owner.THEIRS)
        )
        assert mine >= middle >= theirs
        across = worth_of(prospects(chance).across, 1, Owner.MIDDLE)
        assert across == pytest.approx(-middle)


def test_a_chance_that_rounds_to_more_than_one_is_a_win() -> None:
    over = math.nextafter(1, 2)
    won = worth_of(prospects(1.0), 1, Owner.MIDDLE)
    assert worth_of(prospects(over), 1, Owner.MIDDLE) == pytest.approx(won)
