"""The match clock: milliseconds that never run backwards and go on where a match stopped."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from pi_app.referee.events import Ms

_TENTHS_A_MS = 10
_NS_A_TENTH = 100_000


class MatchClock:
    """Calling it gives the milliseconds of the match, in tenths; a whole number is an int.

    `last` is where it begins: 0, or the last event's time when a match is resumed.
    """

    def __init__(
        self, last: float = 0, monotonic_ns: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._monotonic_ns = monotonic_ns
        self._began_ns = monotonic_ns()
        self._last_tenths = math.ceil(last * _TENTHS_A_MS)

    def __call__(self) -> Ms:
        """The milliseconds now."""
        passed = (self._monotonic_ns() - self._began_ns) // _NS_A_TENTH
        whole, tenths = divmod(self._last_tenths + passed, _TENTHS_A_MS)
        return Ms(whole + tenths / _TENTHS_A_MS) if tenths else Ms(whole)
