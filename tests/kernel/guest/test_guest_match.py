"""Whole matches as people play them, kept: they err, take back, double, resign and press as they
like, against each other and against the machine.
"""

from __future__ import annotations

import os

import pi
import pytest
from program import Program, calm
from table import LIVELY, GuestTable

TURNS = int(os.environ.get("TURNS", "60"))


@pytest.fixture(scope="module", autouse=True)
def oled() -> None:
    pi.plug_oled_in()


@pytest.mark.parametrize("opponent", [(), ("--against", "exact")], ids=["people", "machine"])
def test_a_lively_match(opponent: tuple[str, ...]) -> None:
    words = ("--match", "nannon", "--to", "unlimited", "--players", "Ada", "Ben")
    program = Program(*words, *opponent, dice="6", env=calm())
    table = GuestTable(program, seed=6)
    program.until(lambda view: view["phase"] == "set up")
    table.play(LIVELY, turns=TURNS)
    table.audit()
    print(dict(sorted(table.done.items())), f"{len(program.views)} views")
    expected = {"told", "touched", "early", "twice", "double", "resigned", "taken back"}
    assert expected < table.done.keys()
    assert (program.stop(), program.errors(), pi.held()) == (0, "", set())
