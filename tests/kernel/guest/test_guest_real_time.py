"""A match in real time, where a thread can be late and a bus takes its time."""

from __future__ import annotations

import time

import pi
from program import Program
from table import GuestTable

from pi_app.panel.picture import Panel

KHZ = 400
DRAWN_S = 0.5


def test_a_match_in_real_time() -> None:
    pi.plug_oled_in()
    (pi.OLED / "khz").write_text(str(KHZ))
    program = Program("--seed", "4", "--match", "nannon", "--to", "1", "--players", "Ada", "Ben")
    table = GuestTable(program, seed=4)
    program.until(lambda view: view["phase"] == "set up", 60)
    table.play(errs=0.1)
    time.sleep(DRAWN_S)
    shown = program.seen()
    assert pi.glass().tobytes() == Panel().picture(shown.view, shown.away).tobytes()
    assert (program.stop(), program.errors(), pi.claimed()) == (0, "", [])
    assert pi.oled("on") == 0
    print(f"{table.plays} plays, {table.told} illegal moves, {len(program.views)} views")
