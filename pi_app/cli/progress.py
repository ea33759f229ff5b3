"""How far a long command is, on stderr: a line that changes on a terminal, else now and then one.

It is less than a package more on the Raspberry Pi would be.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

QUIET_S = 10.0
"""Where nobody watches, a line so often."""
WIDTH = 78


class Progress:
    """Tells how many of `total` are done, and how long the rest may take.

    As a context it clears its line at the end.
    """

    def __init__(
        self,
        total: int,
        what: str,
        stream: TextIO | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total, self._what = total, what
        self._stream = stream or sys.stderr
        self._seconds = seconds
        self._watched = self._stream.isatty()
        self._began = self._told = seconds()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def tell(self, done: int, total: int | None = None) -> None:
        """So many are done now; more may have turned out to be to do."""
        self._total = self._total if total is None else total
        now = self._seconds()
        if not self._watched and now - self._told < QUIET_S:
            return
        self._told = now
        gone = now - self._began
        rest = f", {gone / done * (self._total - done):.0f} s to go" if done else ""
        text = f"{done} of {self._total} {self._what}, {gone:.0f} s{rest}"
        self._write(f"\r{text:<{WIDTH}.{WIDTH}}" if self._watched else f"{text}\n")

    def clear(self) -> None:
        """Make room for a line of something else."""
        if self._watched:
            self._write(f"\r{'':{WIDTH}}\r")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
