"""Six Men's Morris as positions: placing, mills that take a man, and how it ends.

5 a5────c5────e5
4 │  b4─c4─d4  │
3 a3─b3    d3─e3
2 │  b2─c2─d2  │
1 a1────c1────e1
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from pi_app.rules.terms import Move, Roll, Side, Spot
from six_mens_morris.rules import POINTS, MorrisPosition, SixMensMorris

GAME, NO_ROLL = SixMensMorris(), Roll(())
PROJECT = Path(__file__).parents[3]


def position(white: str, black: str, home: tuple[int, int] = (0, 0)) -> MorrisPosition:
    """Men on these points, White to play."""
    owners = dict.fromkeys(white.split(), "w") | dict.fromkeys(black.split(), "b")
    points = "".join(owners.get(str(point), ".") for point in POINTS)
    return GAME.read_position(f"{home[0]}{points}{home[1]} w")


def plays(at: MorrisPosition) -> set[str]:
    return {GAME.write_play(at, play) for play in GAME.plays(at, NO_ROLL)}


def attempt(words: str) -> tuple[Move, ...]:
    """`a1-c1 b2-off.black`: moves as the hands make them."""
    ways = (word.split("-") for word in words.split())
    return tuple(Move(Spot.read(origin), Spot.read(target)) for origin, target in ways)


PLACING = position("a1 c1", "d2 a3", (4, 4))
MOVING = position("a1 c1 d3 e3 b4", "c2 d2 a3 c5")
TWO_MILLS = position("a1 c1 e3", "b2 c2 d2 a5")


def those(start: str, found: Iterable[str]) -> set[str]:
    return {play for play in found if play.startswith(start)}


def test_a_man_is_placed_on_any_empty_point_while_there_are_men_at_home() -> None:
    ways = plays(PLACING)
    assert {play.partition("x")[0] for play in ways} == {
        f"@{point}" for point in POINTS if str(point) not in ("a1", "c1", "d2", "a3")
    }
    assert those("@e1", ways) == {"@e1xd2", "@e1xa3"}
    assert those("@c2", ways) == {"@c2"}


def test_then_a_man_moves_to_the_next_point_of_a_line() -> None:
    ways = plays(MOVING)
    assert those("a1", ways) == set()
    assert those("d3", ways) == {"d3-d4"}
    assert {play.partition("x")[0] for play in those("e3", ways)} == {"e3-e1", "e3-e5"}


def test_a_mill_takes_a_man_who_stands_in_none_unless_all_do() -> None:
    assert those("e3-e1", plays(TWO_MILLS)) == {"e3-e1xa5"}
    only_a_mill = position("a1 c1 e3", "b2 c2 d2")
    assert those("e3-e1", plays(only_a_mill)) == {"e3-e1xb2", "e3-e1xc2", "e3-e1xd2"}


def test_a_mill_that_stands_takes_nobody_again() -> None:
    assert all("x" not in play for play in plays(position("a1 c1 e1 b4", "c2 d2 a3")))


@pytest.mark.parametrize(
    ("at", "winner", "name"),
    [
        (position("a1 c1 e1", "b2 c2"), Side.WHITE, "two men left"),
        (position("a1 c1 e1", "b2 c2", (0, 1)), None, ""),
        (position("a1 c1 a3", "e1 c2 a5 b3"), Side.BLACK, "no move left"),
    ],
)
def test_two_men_left_lose_and_so_does_a_side_without_a_move(
    at: MorrisPosition, winner: Side | None, name: str
) -> None:
    outcome = GAME.outcome(at)
    assert (outcome and outcome.winner, outcome.name if outcome else "") == (winner, name)


@pytest.mark.parametrize(
    ("at", "moves", "rule"),
    [
        (PLACING, "", "must-act"),
        (PLACING, "home.white-c2 home.white-c4", "one-man"),
        (PLACING, "a5-c5", "no-man-there"),
        (PLACING, "home.black-c5", "not-your-man"),
        (PLACING, "d2-c2", "not-your-man"),
        (PLACING, "home.white-home.black", "not-your-man"),
        (PLACING, "home.white-a1", "occupied"),
        (PLACING, "c1-c2", "place-first"),
        (PLACING, "home.white-e1", "must-take"),
        (PLACING, "home.white-e1 d2-off.black a3-off.black", "one-taken"),
        (PLACING, "home.white-c2 d2-off.black", "no-mill"),
        (PLACING, "d2-off.black", "no-mill"),
        (MOVING, "d3-b3", "not-next"),
        (MOVING, "d3-off.white", "stays-on-board"),
        (TWO_MILLS, "e3-e1 b2-off.black", "in-mill"),
        (TWO_MILLS, "off.white-e1", "taken-is-final"),
        (position("a1 c1 e1", "b2 c2"), "a1-a3", "game-over"),
    ],
)
def test_each_rule_that_an_attempt_can_break(at: MorrisPosition, moves: str, rule: str) -> None:
    broken = GAME.explain(at, NO_ROLL, attempt(moves))
    assert broken
    assert broken.rule.identifier == rule


def test_the_man_may_be_taken_before_the_mill_is_closed() -> None:
    assert GAME.explain(TWO_MILLS, NO_ROLL, attempt("a5-off.black e3-e1")) is None


def test_every_single_move_that_explain_allows_is_legal() -> None:
    for at in (PLACING, MOVING, TWO_MILLS):
        legal = {play for play in GAME.plays(at, NO_ROLL) if len(play) == 1}
        every = {(Move(o, t),) for o in GAME.spots for t in GAME.spots if o != t}
        assert {one for one in every if GAME.explain(at, NO_ROLL, one) is None} == legal


def test_its_own_program_knows_it_beside_spotters_games() -> None:
    folders = os.pathsep.join((str(PROJECT), str(PROJECT / "tests" / "games")))
    told = subprocess.run(
        [sys.executable, "-m", "six_mens_morris", "perft", GAME.name, "6................6 w", "2"],
        env={**os.environ, "PYTHONPATH": folders},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "1 16\n2 240\n"
