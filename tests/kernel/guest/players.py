"""Two people who play on until the plug is pulled, and print each view as they see it.

With a match's words on the command line they begin it; without any, they go on with the match
that was left, after putting the checkers where the position $POSITION says.
"""

from __future__ import annotations

import os
import sys
import time

from program import Program
from table import GAME, GuestTable, occupied


def main() -> None:
    """Play for ever."""
    seed = int(os.environ["SEED"])
    program = Program(*sys.argv[1:], echo=True)
    table = GuestTable(program, seed)
    position = os.environ.get("POSITION")
    if position:
        table.set_up(occupied(GAME.read_position(position)))
    if len(sys.argv) == 1:
        while not program.views:
            table.press()
            time.sleep(0.5)
    program.until(bool)
    while True:
        table.play(errs=0.1, until="match over")


if __name__ == "__main__":
    main()
