"""A match with a clock that is cut off in the middle of a turn: its clock runs on afterwards."""

from __future__ import annotations

import time

import kept
import pi
import pytest
from program import Program, calm
from reference import FOE, state_of
from shares import some
from table import GuestTable, Manners

RESERVE_S = 20
LOOKS_S = 5.0
"""Somebody looks at the board, Spotter shows what is left, and the clock runs again by then."""


@pytest.mark.parametrize("touch", some([False, True], 2))
def test_the_clock_runs_and_the_flag_falls_after_a_kill_in_mid_turn(touch: bool) -> None:
    words = ("--match", "nannon", "--to", "7", "--clock", f"plain,{RESERVE_S}")
    program = Program(*words, dice="3", env=calm())
    table = GuestTable(program, seed=3)
    program.until(lambda view: view["phase"] == "set up")
    table.play(Manners(errs=0.2), turns=4)
    table.play(until="moving")
    time.sleep(2)
    before, left = program.view, kept.decisions()[-1]["clock"]
    side = before["to_act"]
    assert before["clock"]["runs"] == side
    program.kill()

    again = Program(dice="3", env=calm())
    table.program = again
    table.resume()
    assert state_of(again.view) == state_of(before)
    resumed = time.monotonic()
    if touch:
        table.touch_checker(min(table.standing))
    time.sleep(LOOKS_S)
    assert again.seen().view.clock.runs  # type: ignore[union-attr]
    flag = again.until(lambda view: view["phase"] == "match over")
    waited = time.monotonic() - resumed
    assert flag["clock"][side] == 0
    assert left[side]["left"] / 1000 <= waited < left[side]["left"] / 1000 + LOOKS_S
    last = kept.decisions()[-1]
    assert (last["decided"], last["by"]) == ("flag", side)
    assert last["result"]["winner"] == FOE[side]
    table.audit()
    assert (again.stop(), again.errors(), pi.held()) == (0, "", set())
