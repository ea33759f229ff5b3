"""Whole matches as people play them, kept: they err, take back, double, resign and press as they
like, against each other and against the machine.
"""

from __future__ import annotations

import pi
from program import Program, calm
from shares import one_in
from table import LIVELY, GuestTable, soon

WORDS = ("--match", "nannon", "--to", "unlimited", "--players", "Ada", "Ben")
TURNS, MOST_TURNS = 30 // one_in(3), 100
RETRIED_S = 35


def is_played_well(table: GuestTable, *happened: str) -> None:
    """Plays some turns, and more until all of this has happened: all must be read, shown and kept
    correctly."""
    wanted = {*happened, "early", "twice", "double", "touched"}
    table.play(LIVELY, turns=TURNS)
    while not wanted <= table.done.keys() and table.done["play"] < MOST_TURNS:
        table.play(LIVELY, turns=1)
    table.audit()
    print(dict(sorted(table.done.items())), f"{len(table.program.views)} views")
    assert wanted <= table.done.keys()
    assert (table.program.stop(), table.program.errors(), pi.held()) == (0, "", set())


def test_people_begin_without_an_oled_which_is_told_and_shows_the_match_once_it_comes() -> None:
    program = Program(*WORDS, dice="6", env=calm())
    table = GuestTable(program, seed=6)
    program.until(lambda view: view["phase"] == "set up")
    table.play(turns=1)
    assert program.seen().away == ("OLED",)
    pi.plug_oled_in()
    soon(lambda: program.seen().away == (), within_s=RETRIED_S)
    assert pi.oled("on") == 1
    is_played_well(table, "taken back", "told")


def test_a_machine_plays_and_its_hands_obey_or_do_not() -> None:
    program = Program(*WORDS, "--against", "exact", dice="1", env=calm())
    table = GuestTable(program, seed=1)  # everything has happened after ten turns
    program.until(lambda view: view["phase"] == "set up")
    is_played_well(table, "disobeyed")
