"""Label positions by GNU Backgammon: lines of own men and the other's in, five chances added.

    python3 label.py POSITIONS LABELS [PLIES [PROCESSES]]

Each process evaluates some hundred positions a second, whatever its depth: GNU Backgammon waits
between two of them.  So there are many at once, some 75 MB each; they use two cores or so.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

PLIES, PROCESSES = 0, 40
SHARE = "SPOTTER_SHARE"
"""Words for a process inside GNU Backgammon: the positions, the labels, plies, its number, of how
many."""


def main(words: Sequence[str]) -> None:
    """Divide the positions among the processes, and join what they say in the same order."""
    positions, labels = words[:2]
    plies, processes = (*map(int, words[2:]), *(PLIES, PROCESSES)[len(words) - 2 :])
    program = shutil.which("gnubg") or "/usr/games/gnubg"
    with tempfile.TemporaryDirectory() as folder:
        # If several processes make this folder at the same time, all but one of them end.
        (Path(folder) / ".gnubg").mkdir()
        parts = [Path(folder) / str(number) for number in range(processes)]
        running = [
            subprocess.Popen(
                [program, "--tty", "--quiet", "--no-rc", "--python", __file__],
                env={
                    **os.environ,
                    "HOME": folder,
                    SHARE: f"{positions} {part} {plies} {number} {processes}",
                },
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
            for number, part in enumerate(parts)
        ]
        failed = sum(process.wait() != 0 for process in running)
        if failed:
            sys.exit(f"{failed} of {processes} processes of {program} failed; see above")
        lines = [part.read_text(encoding="ascii").splitlines() for part in parts]
    count = sum(map(len, lines))
    with Path(labels).open("w", encoding="ascii") as file:
        file.writelines(
            f"{lines[number % processes][number // processes]}\n" for number in range(count)
        )


def label_share() -> None:
    """Inside GNU Backgammon."""
    gnubg = importlib.import_module("gnubg")  # only there is it one

    positions, labels, *numbers = os.environ[SHARE].split()
    plies, number, processes = map(int, numbers)
    how = gnubg.evalcontext(0, plies, 1, 1, 0.0)
    money = gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)
    with Path(positions).open(encoding="ascii") as source, Path(labels).open("w") as file:
        for at, line in enumerate(source):
            if at % processes == number:
                own, opp = line.split()
                chances = gnubg.evaluate((_men(opp), _men(own)), money, how)[:5]
                told = " ".join(f"{chance:.5f}" for chance in chances)
                file.write(f"{own} {opp} {told}\n")


def _men(text: str) -> tuple[int, ...]:
    """Of the points 1 to 24 and the bar."""
    return tuple(int(digit, 16) for digit in reversed(text[:-1]))


if SHARE in os.environ:
    label_share()
elif __name__ == "__main__":
    main(sys.argv[1:])
