"""Plays that only the sixth checker of a point tells apart: which one is asked about first?

Every question is asked all the same, and the play that was made is always among its answers.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from known import load_board
from lab.levels import MeasuredCheckers, scatter_of

from pi_app.base.microseconds import Us, ms
from pi_app.rules.terms import Checkers, Roll, Side, Spot, read_roll
from pi_app.sensing.levels import above
from pi_app.sensing.occupancy import Packing, SensedSpots
from pi_app.sensing.reading import BoardState, Patience
from pi_app.sensing.senses import Senses
from pi_app.simulator.reeds import Piece

BOARD = load_board("tables-24-hall")
GAME = BOARD.games["backgammon"]
SENSED = SensedSpots(BOARD)
PACKING = Packing(SENSED, GAME)
POSITIONS = 40


class NoReeds:
    """What checkers close is read from the position."""

    closed: frozenset[Any] = frozenset()

    def put(self, us: Us, sensor: Any, *, slid: bool = False) -> None:
        """Nothing bounces here."""

    def take(self, us: Us, sensor: Any, *, slid: bool = False) -> bool:
        return True


def alike(chance: random.Random) -> Iterator[tuple[Any, Roll, list[Any]]]:
    """Positions of bearing off with tall stacks, a roll, and plays that end in the same picture but
    for checkers on top."""
    while True:
        points = chance.sample(range(1, 7), 3)
        heights = Counter(points)
        while sum(heights.values()) < 15:
            heights[chance.choice(points)] += 1
        white = {Spot.read(str(point)): (Side.WHITE,) * high for point, high in heights.items()}
        checkers: Checkers = {**white, Spot.read("24"): (Side.BLACK,) * 15}
        position = GAME.position_of(checkers, Side.WHITE)
        roll = read_roll(f"{chance.randint(1, 6)}{chance.randint(1, 6)}", 2)
        shown: dict[int, list[Any]] = {}
        for play in GAME.plays(position, roll):
            shown.setdefault(PACKING.show(GAME.after(position, play)), []).append(play)
        for plays in shown.values():
            if len({tops(GAME.after(position, play)) for play in plays}) == len(plays) > 1:
                yield position, roll, plays


def tops(position: Any) -> tuple[int, ...]:
    checkers = GAME.checkers_at(position)
    return tuple(above(checkers.get(spot, ()), SENSED.places[spot]) for spot in SENSED.places)


@cache
def begun(nudge_mm: float, seed: int, most: int = POSITIONS) -> Counter[str]:
    """How questions begin: with the play that was made, or not, by itself and with levels."""
    chance = random.Random(seed)
    found: Counter[str] = Counter()
    drawn = alike(chance)
    while found["asked"] < most:
        position, roll, plays = next(drawn)
        made = chance.choice(plays)
        first = asked_first(position, roll, made, nudge_mm, chance.random())
        if first is not None:
            usual, told = first
            found["asked"] += 1
            found["first by the noise model"] += usual == made
            found["first"] += told == made
            found["moved to the front"] += told != usual
            found["wrongly moved"] += told not in (usual, made)
    return found


def asked_first(
    position: Any, roll: Roll, made: Any, nudge_mm: float, seed: float
) -> tuple[Any, Any] | None:
    """The play that the question begins with, without and with levels; None if nothing is asked.

    Whatever is asked, the play that was made is among the answers.
    """
    table = MeasuredCheckers(BOARD, GAME, NoReeds(), scatter_of(nudge_mm), str(seed))
    move_to(table, GAME.checkers_at(position))
    senses = Senses(BOARD, GAME, Patience(), position)
    senses.picture(Us(0), BOARD.closed_by(GAME.checkers_at(position)))
    senses.expect(position, roll)
    senses.judge(ms(5000))
    full = senses.full_spots
    senses.take_levels(table.measured(full), asked=False)
    after = GAME.after(position, made)
    move_to(table, GAME.checkers_at(after))
    senses.picture(ms(6000), BOARD.closed_by(GAME.checkers_at(after)))
    senses.advance(ms(9000))
    usual = senses.insist(ms(12_000))
    if usual.state is not BoardState.CHOOSE:
        return None
    senses.take_levels(table.measured(full), asked=True)
    told = senses.judge(ms(12_050))
    assert told.state is BoardState.CHOOSE
    assert set(told.plays) == set(usual.plays) >= {made}
    return usual.plays[0], told.plays[0]


def move_to(table: MeasuredCheckers, checkers: Checkers) -> None:
    """Take checkers away and put others, with as few changes as there are."""
    for spot in SENSED.places:
        there, wanted = table.pieces(spot), checkers.get(spot, ())
        for piece in there[len(wanted) :]:
            on_top = table.on_top(spot)
            place = None if on_top else table.places(spot, piece)[-1]
            table.lift(Us(0), spot, piece, place)
        for side in wanted[len(there) :]:
            free = table.free(spot)
            table.drop(Us(0), spot, Piece(side), free[0] if free else None)


@pytest.mark.slow
@pytest.mark.parametrize("nudge_mm", [0.1, 0.4])
def test_levels_bring_the_play_that_was_made_to_the_front_more_often(nudge_mm: float) -> None:
    found = begun(nudge_mm, 4242)
    assert found["asked"] == POSITIONS
    assert found["first"] > found["first by the noise model"]
    assert found["wrongly moved"] <= found["moved to the front"] / 4
