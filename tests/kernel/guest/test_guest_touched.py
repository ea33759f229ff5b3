"""The message after a checker was touched in the same turn and put back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from program import Program, calm
from reference import HOME, SAFETY
from shares import one_in
from table import PIN, TOLD_S, GuestTable

TIMES = 4 // one_in(2)


@pytest.fixture(scope="module")
def table() -> Iterator[GuestTable]:
    words = ("--match", "nannon", "--to", "unlimited", "--players", "Ada", "Ben")
    program = Program(*words, dice="9", env=calm())
    table = GuestTable(program, seed=9)
    program.until(lambda view: view["phase"] == "set up")
    yield table
    program.stop()


def test_an_illegal_move_after_a_touch_is_told_with_its_rule(table: GuestTable) -> None:
    while table.done.get("told", 0) < TIMES:
        table.play(until="moving")
        moves = [move for move in table.illegal() if move.origin in PIN]
        if moves:
            table.touch_checker(moves[0].origin)
            table.program.until(lambda view: view["board"] == "resting")
            table.err(moves[0])
        table.turn()


def test_a_bearing_off_after_a_touch_is_shown(table: GuestTable) -> None:
    for _ in range(TIMES):
        move = table.until_legal(lambda move: move.target == SAFETY)
        table.touch_checker(move.origin)
        table.program.until(lambda view: view["board"] == "resting")
        table.carry(move)
        table.program.until(lambda view: view["board"] == "played", TOLD_S)
        table.hand_over(move, table.legal()[move])


def test_an_entering_hit_after_a_touch_is_read(table: GuestTable) -> None:
    for _ in range(TIMES):
        move = table.until_legal(lambda move: move.hit and move.origin == HOME)
        table.touch_checker(move.target)
        table.program.until(lambda view: view["board"] == "resting")
        table.make(move)
