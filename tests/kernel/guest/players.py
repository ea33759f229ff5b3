"""People who play until the power cut and print each view.

With a match's words on the command line they begin it; without any, they resume the open match
after placing the checkers as its position says. First they judge the stored match by the rule sheet
and print its faults and its last decisions.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import kept
from program import Program
from reference import Position, faults
from table import LIVELY, GuestTable

SHOWN = 4
"""Decisions printed; two views never have that many between them."""
COPY = Path("/run/left")


def main() -> None:
    """Play for ever."""
    left = [] if len(sys.argv) > 1 else left_behind()
    program = Program(*sys.argv[1:], echo=True)
    table = GuestTable(program, int(os.environ["SEED"]))
    if left:
        if left[-1]["phase"] != "set up":  # else it would be begun before it is shown
            table.set_up(Position.read(left[-1]["position"]).standing)
        table.resume()
    program.until(bool)
    table.play(LIVELY)


def left_behind() -> list[dict[str, Any]]:
    """The stored match, read from a copy: Spotter must find the journal as the cut left it."""
    COPY.mkdir()
    for file in kept.journal().parent.glob("matches.db*"):
        shutil.copy(file, COPY)
    decisions = kept.decisions(COPY / "matches.db")
    print(json.dumps({"faults": faults(decisions), "kept": decisions[-SHOWN:]}), flush=True)
    return decisions


if __name__ == "__main__":
    main()
