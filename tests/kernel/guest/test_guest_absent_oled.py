"""A match that begins without an OLED and without its bus; both come later."""

from __future__ import annotations

import time

import pi
from program import Program, calm
from table import GuestTable

from pi_app.panel.picture import Panel

RETRIED_S = 35


def test_an_absent_oled_is_told_and_lived_without_until_it_comes() -> None:
    program = Program("--seed", "2", "--match", "nannon", "--to", "1", env=calm())
    table = GuestTable(program, seed=2)
    program.until(lambda view: view["phase"] == "set up", 30)
    table.play(until="moving")
    table.turn()
    assert program.seen().away == ("OLED",)
    pi.plug_oled_in()
    time.sleep(RETRIED_S)
    shown = program.seen()
    assert shown.away == ()
    assert pi.oled("on") == 1
    assert pi.glass().tobytes() == Panel().picture(shown.view, shown.away).tobytes()
    table.play()
    assert program.view["phase"] == "match over"
    assert (program.stop(), program.errors(), pi.claimed()) == (0, "", [])
