"""A limited number of lines a minute for the person who looks after a program."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_LINES = 20
WINDOW_S = 60.0


class Rationed:
    """Gives lines on to `say`: each once a minute, and MOST_LINES of them; not safe for threads.

    How many others there were it says with the first line after that minute.
    """

    def __init__(
        self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._say, self._clock = say, clock
        self._said = set[str]()
        self._since = clock()
        self._left_out = 0

    def __call__(self, line: str) -> None:
        now = self._clock()
        if now - self._since >= WINDOW_S:
            self._begin(now)
        if line in self._said:
            return
        if len(self._said) == MOST_LINES:
            self._left_out += 1
            return
        self._said.add(line)
        self._say(line)

    def _begin(self, now: float) -> None:
        if self._left_out:
            self._say(f"{self._left_out} more lines were left out")
        self._since, self._left_out = now, 0
        self._said.clear()
