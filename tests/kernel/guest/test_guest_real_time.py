"""A match in real time, where a thread can be late and a bus takes its time."""

from __future__ import annotations

import pi
from program import Program
from table import GuestTable, Manners

KHZ = 400


def test_a_match_in_real_time() -> None:
    pi.plug_oled_in()
    (pi.OLED / "khz").write_text(str(KHZ))
    program = Program("--match", "nannon", "--to", "1", "--players", "Ada", "Ben", dice="4")
    table = GuestTable(program, seed=4)
    program.until(lambda view: view["phase"] == "set up")
    table.play(Manners(errs=0.1))
    table.agrees()
    table.audit()
    assert (program.stop(), program.errors(), pi.held()) == (0, "", set())
    assert pi.oled("on") == 0
    print(table.done, f"{len(program.views)} views")
