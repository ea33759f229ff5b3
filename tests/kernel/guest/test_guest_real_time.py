"""A match in real time, where a thread can be late and a bus takes its time."""

from __future__ import annotations

from collections.abc import Iterator

import pi
import pytest
from program import Program
from table import GuestTable, Manners
from wakeups import per_second

KHZ = 400
IDLE_S = 3.0
WOKEN = 90.0
"""By all threads but lgpio's, which polls each millisecond: gpiozero's 50, and the 20 of Spotter's
loop.
"""


@pytest.fixture(scope="module")
def table() -> Iterator[GuestTable]:
    pi.plug_oled_in()
    (pi.OLED / "khz").write_text(str(KHZ))
    program = Program("--match", "nannon", "--to", "1", "--players", "Ada", "Ben", dice="4")
    table = GuestTable(program, seed=4)
    program.until(lambda view: view["phase"] == "set up")
    yield table
    assert (program.stop(), program.errors(), pi.held()) == (0, "", set())
    assert pi.oled("on") == 0


def test_a_match_in_real_time(table: GuestTable) -> None:
    table.play(Manners(errs=0.1))
    table.agrees()
    table.audit()
    print(table.done, f"{len(table.program.views)} views")


def test_an_idle_spotter_sleeps(table: GuestTable) -> None:
    lgpio, *others = per_second(table.program.pid, IDLE_S)
    print(f"wake-ups a second: {lgpio:.0f} by lgpio's thread,", [round(one) for one in others])
    assert sum(others) < WOKEN
