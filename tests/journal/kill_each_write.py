"""Plays a script of decisions into a journal and is killed at its n-th write, for every n.

Run by test_kill.py as a program of its own, with a folder as its argument.  Each round is a forked
child that counts the statements SQLite is given and the moments around each line it shows, and
kills itself at one of them as `kill -9` does.  For every round it prints one line of JSON: which
point, whether the child was killed, and the number of decisions that had been shown, or -1.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

from samples import DECISIONS, START, any_touches

from pi_app.journal.store import Journal

ADDED = (2, 1, 3, 1, 2)
"""How many decisions each commit writes, with as many touches."""


class Executioner:
    """Ends this process for good at the n-th point that is passed."""

    def __init__(self, at: int) -> None:
        self._left = at

    def passing(self, *_: object) -> None:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def play(path: Path, executioner: Executioner, shown: int) -> None:
    """Play it; after each commit the number of decisions is written to the pipe `shown`."""
    connect = sqlite3.connect

    def watched(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*args, **kwargs)
        db.set_trace_callback(executioner.passing)
        return db

    sqlite3.connect = watched  # type: ignore[assignment]
    journal = Journal(path)
    journal.begin(START, "now")
    decisions, touches = iter(DECISIONS), any_touches(len(DECISIONS))
    done = 0
    show(shown, done, executioner)
    for many in ADDED:
        for _ in range(many):
            journal.touch(next(touches))
            journal.decide(next(decisions))
        journal.commit()
        done += many
        show(shown, done, executioner)
    journal.close()


def show(pipe: int, done: int, executioner: Executioner) -> None:
    executioner.passing()
    os.write(pipe, bytes([done]))
    executioner.passing()


def round_of(path: Path, point: int) -> dict[str, object]:
    """One child, killed at `point`."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        play(path, Executioner(point), writing)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        shown = pipe.read()
    _, status = os.waitpid(child, 0)
    return {"point": point, "killed": os.WIFSIGNALED(status), "shown": max(shown, default=-1)}


def main() -> None:
    folder = Path(sys.argv[1])
    point, killed = 0, True
    while killed:
        point += 1
        result = round_of(folder / f"{point}.db", point)
        killed = bool(result["killed"])
        print(json.dumps(result))


if __name__ == "__main__":
    main()
