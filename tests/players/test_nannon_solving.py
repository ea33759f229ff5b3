"""Nannon's exact values: what an independent, slow reckoning from the rules gives, and no other."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from nannon_scores import faults, residual, write_unlimited
from nannon_slowly import (
    GAME,
    ROLLS,
    Equities,
    Policy,
    best_of,
    by_policy_evaluation,
    by_value_iteration,
    exact,
    graph,
    numbers,
    opened,
    points,
    positions,
    turns,
    unlimited,
    wins,
)

from pi_app.match.score import Agreement, Cube, Score, Standing, first_game
from pi_app.players.contract import UNLIMITED, Situation, Unit
from pi_app.players.nannon.exact import FOLDER, NANNON, Values, doubled, seen_by_mover
from pi_app.rules.nannon import NannonPosition
from pi_app.rules.terms import Roll, Side

TO_ONE = Agreement(1, cube=False, crawford=False, tie_turns_cube=False)
CUBE = Agreement(None, cube=True, crawford=False, tie_turns_cube=False)
JACOBY = Agreement(None, cube=True, crawford=False, tie_turns_cube=False, jacoby=True)


def reachable() -> set[NannonPosition]:
    """All positions that play leads to, from the mover's side, with finished ones."""
    found: set[NannonPosition] = set()
    ahead = [GAME.start(Side.WHITE)]
    while ahead:
        position = ahead.pop()
        if position not in found:
            found.add(position)
            ahead += [seen_by_mover(to) for roll in ROLLS for to in GAME.results(position, roll)]
    return found


def test_the_graph_has_every_position_that_is_not_over() -> None:
    positions = reachable()
    going_on = {position for position in positions if not GAME.outcome(position)}
    assert (len(positions), len(going_on)) == (2410, 2340)
    assert going_on <= set(graph().positions)
    assert 2 * len(graph()) == len(turns()) == 4774


def as_white_sees(values: Values) -> list[float]:
    """For every unfinished position, with either mover."""
    going_on = positions()[: len(turns())]
    signed = {Side.WHITE: 1.0, Side.BLACK: -1.0}
    return [signed[p.mover] * values[graph().number(p)] for p in going_on]


def farthest(ones: Equities, others: Equities) -> float:
    """The largest difference among the positions that are not over."""
    return max(abs(a - b) for a, b in zip(ones[: len(turns())], others, strict=True))


@pytest.mark.slow
def test_every_equity_is_that_of_value_iteration() -> None:
    assert farthest(by_value_iteration(wins), as_white_sees(unlimited().wins)) < 1e-10


def policy_of_exact(agreement: Agreement, sides: Collection[Side]) -> Policy:
    """The exact player's choices for these sides; the others play at random."""
    standing = first_game(agreement)

    def played(position: NannonPosition, roll: Roll) -> list[int]:
        opinion = exact().rate(Situation(position, agreement, standing), roll)
        return [numbers()[GAME.after(position, opinion.plays[0].play)]]

    return [
        [played(p, roll) for roll in ROLLS] if p.mover in sides else rolls
        for p, rolls in zip(positions(), turns(), strict=False)
    ]


@pytest.mark.slow
def test_every_play_of_the_exact_player_is_the_best_there_is() -> None:
    """Its plays are evaluated; no other play anywhere would be worth more by that."""
    policy = policy_of_exact(UNLIMITED, tuple(Side))
    worth = by_policy_evaluation(points, policy)
    assert farthest(worth, as_white_sees(unlimited().points)) < 1e-10
    for number, rolls in enumerate(turns()):
        for results, (chosen,) in zip(rolls, policy[number], strict=True):
            best = best_of(positions()[number], results, worth)
            assert abs(worth[chosen] - best) < 1e-10


def first(worths: list[float], difference: int) -> float:
    return max(worths)


def test_the_figures_of_best_play() -> None:
    chances = as_white_sees(unlimited().wins)
    by_difference = dict[int, float]()

    def noted(worths: list[float], difference: int) -> float:
        by_difference[difference] = (1 + max(worths)) / 2
        return max(worths)

    assert (1 + opened(chances, Side.WHITE, noted)) / 2 == pytest.approx(0.5157368710, abs=1e-9)
    assert by_difference == pytest.approx(
        {1: 0.38629288, 2: 0.53954788, 3: 0.64500112, 4: 0.54142820, 5: 0.62853735}, abs=1e-8
    )
    equities = as_white_sees(unlimited().points)
    assert opened(equities, Side.WHITE, first) == pytest.approx(0.0321706599, abs=1e-9)
    floor = doubled(unlimited().theirs)
    middle = as_white_sees(list(map(max, unlimited().middle, floor)))
    assert opened(middle, Side.WHITE, first) == pytest.approx(0.0559226, abs=5e-8)


def test_the_best_first_plays() -> None:
    start = Situation(GAME.start(Side.WHITE), TO_ONE, first_game(TO_ONE))
    best = {d: exact().rate(start, Roll.of(d)).best for d in range(1, 6)}
    position = start.position
    assert {
        d: [GAME.write_play(position, play) for play in plays] for d, plays in best.items()
    } == {
        1: ["2/3"],
        2: ["1/3"],
        3: ["HOME/3"],
        4: ["HOME/4"],
        5: ["2/SAFETY"],
    }


def test_against_chance_the_best_play_wins_as_often_as_it_must() -> None:
    """Exactly: White plays his best to win, Black draws lots."""
    worth = by_policy_evaluation(wins, policy_of_exact(TO_ONE, [Side.WHITE]))
    begins = opened(worth, Side.WHITE, first)
    follows = opened(worth, Side.BLACK, lambda worths, _: sum(worths) / len(worths))
    assert (1 + (begins + follows) / 2) / 2 == pytest.approx(0.694359, abs=5e-7)


@pytest.mark.parametrize("agreement", [CUBE, JACOBY])
@pytest.mark.parametrize("owner", [None, Side.WHITE, Side.BLACK])
def test_the_cube_agrees_with_itself_in_every_position(
    agreement: Agreement, owner: Side | None
) -> None:
    """Only best play and best doubling agree: the values before a roll follow from it."""
    value = 1 if owner is None else 2
    standing = Standing(Score(), Cube(value, owner), 1, False, False)

    def settled(position: NannonPosition) -> float:
        """A position's value for its mover, in points at a stake of one."""
        if outcome := GAME.outcome(position):
            points = 1 if agreement.jacoby and value == 1 else outcome.points
            return -float(points)
        cube = exact().weigh(Situation(position, agreement, standing))
        if cube is None:
            return rolled(position)
        assert cube.held == pytest.approx(rolled(position), abs=1e-10)
        return min(cube.taken, cube.passed) if cube.double else cube.held

    def rolled(position: NannonPosition) -> float:
        situation = Situation(position, agreement, standing)
        return sum(exact().rate(situation, roll).plays[0].worth for roll in ROLLS) / 6

    for number, position in enumerate(graph().positions[::7]):
        roll = ROLLS[number % 6]
        for rated in exact().rate(Situation(position, agreement, standing), roll).plays:
            result = GAME.after(position, rated.play)
            assert rated.worth == pytest.approx(-settled(result), abs=1e-10)


def test_a_taken_double_is_worth_twice_what_the_taker_then_leaves() -> None:
    owned = Standing(Score(), Cube(2, Side.BLACK), 1, False, False)
    for position in graph().positions[::50]:
        cube = exact().weigh(Situation(position, CUBE, first_game(CUBE)))
        assert cube is not None
        assert cube.unit is Unit.POINTS
        after = Situation(position, CUBE, owned)
        rolled = sum(exact().rate(after, roll).plays[0].worth for roll in ROLLS) / 6
        assert cube.taken == pytest.approx(2 * rolled, abs=1e-10)
        assert cube.passed == 1


def test_the_values_that_come_with_spotter_are_the_solution_to_the_bit() -> None:
    assert (FOLDER / "unlimited.json").read_text("utf-8") == write_unlimited(unlimited())


def test_a_value_that_is_not_of_best_play_is_noticed() -> None:
    right = unlimited()
    assert faults(graph(), right) < 1e-12
    wrong = list(right.points)
    wrong[1000] += 1e-9
    assert residual(graph().choices, NANNON, wrong) > 1e-10
