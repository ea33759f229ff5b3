"""Guards against bad messages of other programs: none ends Spotter, and many do not
flood the log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pi_app.words.texts import one_line

MOST_LINES = 20
WINDOW_S = 60.0


@contextmanager
def guarded(tell: Callable[[str], object]) -> Iterator[None]:
    """Report any exception inside in one line and continue.

    A message's reader rejects known faults with a better reason; this is for unforeseen ones.
    """
    try:
        yield
    except Exception as error:
        tell(one_line(f"{type(error).__name__}: {error}"))


class Rationed:
    """Passes lines on to `say`: at most MOST_LINES a minute, each once, and one of each `who` if
    given.

    The first line after that minute is preceded by the number of lines that were left out. Not
    thread-safe.
    """

    def __init__(
        self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._say, self._clock = say, clock
        self._said = set[str]()
        self._since = clock()
        self._left_out = 0

    def __call__(self, line: str, who: str | None = None) -> None:
        now = self._clock()
        if now - self._since >= WINDOW_S:
            if self._left_out:
                self._say(f"{self._left_out} more lines were left out")
            self._since, self._left_out = now, 0
            self._said.clear()
        what = line if who is None else who
        if what in self._said:
            return
        if len(self._said) == MOST_LINES:
            self._left_out += 1
            return
        self._said.add(what)
        self._say(line)
