"""A match that begins without an OLED and without its bus; both come later."""

from __future__ import annotations

import pi
from program import Program, calm
from table import GuestTable, soon

RETRIED_S = 35


def test_an_absent_oled_is_told_and_lived_without_until_it_comes() -> None:
    program = Program("--match", "nannon", "--to", "1", dice="2", env=calm())
    table = GuestTable(program, seed=2)
    program.until(lambda view: view["phase"] == "set up")
    table.play(until="moving")
    table.turn()
    assert program.seen().away == ("OLED",)
    pi.plug_oled_in()
    soon(lambda: program.seen().away == (), within_s=RETRIED_S)
    assert pi.oled("on") == 1
    soon(table.glass_shows_the_view)
    table.play()
    assert program.view["phase"] == "match over"
    assert (program.stop(), program.errors(), pi.held()) == (0, "", set())
