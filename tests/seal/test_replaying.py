"""Every match that the referee keeps follows the rules; one that was made up does not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import pytest
from any_table import AnyTable
from desk import Desk
from known import FAMILIES, GAMES
from shares import one_in

from pi_app.base.microseconds import Us
from pi_app.match.acts import Act
from pi_app.match.score import Score
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.effects import Keep
from pi_app.referee.events import Start, Tap
from pi_app.referee.referee import Referee
from pi_app.rules.terms import read_roll
from pi_app.seal.verifying import impossible

SEEDS = range(1, 7, one_in(6))


def against(start: Start, decisions: Iterable[Decision]) -> list[str]:
    return list(impossible(start, enumerate(decisions, start=1), GAMES))


@cache
def played(game: str, seed: int) -> AnyTable:
    """A match with undo, redo and resignations."""
    table = AnyTable(game, 1 if game == "cannon" else 3, seed)  # a game of Cannon is long
    for turn in range(3000):
        if table.view.phase is Phase.MATCH_OVER:
            return table
        table.goes_on()
        offers = table.view.offers
        if turn % 23 == 22 and Act.TAKE_BACK in offers:
            table.does(Tap(table.later(1000), Act.TAKE_BACK))
            if turn % 2 and Act.RESTORE in table.view.offers:
                table.does(Tap(table.later(1000), Act.RESTORE))
        elif turn % 150 == 149 and Act.RESIGN in offers:
            points = next(iter(table.view.resignations))
            table.does(Tap(table.later(1000), Act.RESIGN, points=points))
    raise AssertionError("the match never ended")


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", FAMILIES)
def test_what_the_referee_keeps_follows_the_rules(game: str, seed: int) -> None:
    table = played(game, seed)
    assert len(table.decided) > 20
    assert against(table.start, table.decided) == []


@pytest.fixture(scope="module")
def match() -> AnyTable:
    return played("backgammon", 1)


def place_of(match: AnyTable, what: Act, after: int = 0) -> int:
    return next(i for i, one in enumerate(match.decided) if i >= after and one.what is what)


def test_a_play_that_the_dice_do_not_allow_is_named(match: AnyTable) -> None:
    at = place_of(match, Act.PLAY, after=20)
    play = match.decided[at]
    other = read_roll("66" if str(play.dice) != "66" else "55", 2)
    told = against(match.start, [*match.decided[:at], replace(play, dice=other)])
    assert told == [
        f"decision {at + 1} (play) cannot be: dice are '{other}', and '{play.dice}' lay there"
    ]


def test_dice_changed_in_the_roll_and_in_the_play_do_not_help(match: AnyTable) -> None:
    at = place_of(match, Act.ROLL, after=20)
    roll, play = match.decided[at : at + 2]
    other = read_roll("66" if str(roll.dice) != "66" else "55", 2)
    rolled = replace(roll, dice=other, state=replace(roll.state, roll=other))
    told = against(match.start, [*match.decided[:at], rolled, replace(play, dice=other)])
    assert len(told) == 1
    assert told[0].startswith(f"decision {at + 2} (play) cannot be: play ")


def test_points_that_nobody_won_are_named(match: AnyTable) -> None:
    at = place_of(match, Act.PLAY, after=30)
    play = match.decided[at]
    standing = replace(play.state.standing, score=Score(0, 2))
    richer = replace(play, state=replace(play.state, standing=standing))
    (told,) = against(match.start, [*match.decided[:at], richer])
    assert told.startswith(f"decision {at + 1} (play) cannot be: standing is ")


def test_a_turn_left_out_is_noticed_at_the_next_decision(match: AnyTable) -> None:
    at = place_of(match, Act.PLAY, after=20)
    told = against(match.start, [*match.decided[:at], match.decided[at + 1]])
    assert told
    assert all(line.startswith(f"decision {at + 1} ") for line in told)


def test_time_does_not_go_back(match: AnyTable) -> None:
    late, early = match.decided[0], replace(match.decided[1], us=Us(0))
    (told,) = against(match.start, [late, early])
    assert "is of an earlier moment" in told


def test_a_takeback_of_what_was_not_played_is_named(match: AnyTable) -> None:
    at = place_of(match, Act.TAKE_BACK)
    wrong = replace(match.decided[at], undone=match.decided[at].undone + 100)
    (told,) = against(match.start, [*match.decided[:at], wrong])
    assert "plays were" not in told
    assert "plays, and" in told


def test_a_play_that_was_condoned_follows_where_that_was_agreed() -> None:
    at = Desk(5, "nannon", "nannon-6", policy="responsible moves")
    at.open("5", "3")
    at.lift("2")
    at.drop("3")
    at.wait(9_000)
    at.press()
    start, *events = at.events
    assert isinstance(start, Start)
    referee = Referee(at.board, start)
    effects = [effect for event in events for effect in referee.handle(event)]
    kept = [effect.decision for effect in effects if isinstance(effect, Keep)]
    assert kept[-1].condoned
    assert against(start, kept) == []
    (told,) = against(replace(start, options={}), kept)
    assert told == "decision 4 (play) cannot be: it is condoned, and legal moves were agreed on"
