"""Checkers swept off a board, and a press: no board holds the loop up."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from any_table import AnyTable
from calls import calls
from known import FAMILIES
from shares import some

from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import Tick
from pi_app.rules.terms import Spot

MOST_CALLS = 20_000
"""Function calls for one event, some 3 ms on a PC; 14 700 today."""
MOST_TAKEN = 15


def to_roll(table: AnyTable) -> None:
    table.opens()
    while table.view.phase is not Phase.TO_ROLL:
        table.goes_on()


def moving(table: AnyTable) -> None:
    table.opens()
    while table.view.phase is not Phase.MOVING:
        table.goes_on()


def opening_throw(table: AnyTable) -> None:
    table.shows(table.position)


def doubled(table: AnyTable) -> None:
    to_roll(table)
    table.taps(Act.DOUBLE)


def resigned(table: AnyTable) -> None:
    moving(table)
    table.taps(Act.RESIGN, points=fewest(table))


def over(table: AnyTable) -> None:
    moving(table)
    table.resigns(fewest(table))


def fewest(table: AnyTable) -> int:
    """The points that a game can be given up for at least."""
    assert table.view.to_act
    return min(table.game.resignations(table.position, table.view.to_act))


PHASES: dict[str, Callable[[AnyTable], None]] = {
    "opening throw": opening_throw,
    "to roll": to_roll,
    "moving": moving,
    "double offered": doubled,
    "resignation offered": resigned,
    "game over": over,
}


def dearest(table: AnyTable, spots: tuple[tuple[Spot, int], ...]) -> int:
    """The calls of the dearest event while these checkers are off and someone presses."""
    checkers = table.game.checkers_at(table.position)
    swept = {**checkers, **{spot: checkers[spot][:left] for spot, left in spots}}
    acts: tuple[Callable[[], None], ...] = (
        lambda: table.shows_checkers(swept),
        lambda: table.does(Tick(table.later(3000))),
        table.presses,
        table.presses,
        lambda: table.shows(table.position),
    )
    return max(map(calls, acts))


def sweeps(table: AnyTable) -> Iterator[tuple[tuple[Spot, int], ...]]:
    """Every number of checkers off every stack, and all stacks of a side at once."""
    checkers = table.game.checkers_at(table.position)
    for spot, stack in checkers.items():
        for taken in range(1, min(len(stack), MOST_TAKEN) + 1):
            yield ((spot, len(stack) - taken),)
    for number in range(2, 1 + sum(map(bool, checkers.values()))):
        full = [spot for spot, stack in checkers.items() if stack]
        yield tuple((spot, 0) for spot in full[:number])


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("game", FAMILIES)
def test_a_swept_board_never_holds_the_loop_up(game: str, phase: str) -> None:
    table = AnyTable(game, 5)
    if not (table.game.dice or phase in ("moving", "game over")):
        pytest.skip("nobody throws or rolls")
    if phase == "double offered" and not table.game.has_cube:
        pytest.skip("no cube")
    PHASES[phase](table)
    for swept in some([*sweeps(table)], 3):
        work = dearest(table, swept)
        assert work < MOST_CALLS, (swept, work)
