"""The match clock: microseconds that never run backwards and go on where a match stopped."""

from __future__ import annotations

import time
from collections.abc import Callable

from pi_app.microseconds import Us, ms

_NS_A_US = 1000
STALE = ms(60_000)
"""An edge that claims to be older was stamped by another clock."""


class MatchClock:
    """Calling it gives the time of the match.

    `last` is where it begins: 0, or the last event's time when a match is resumed.
    """

    def __init__(
        self, last: Us = Us(0), monotonic_ns: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._monotonic_ns = monotonic_ns
        self._last = last
        self._began_ns = monotonic_ns()

    def __call__(self) -> Us:
        """The time now."""
        return Us(self._last + (self._monotonic_ns() - self._began_ns) // _NS_A_US)

    def stamped(self, ticks: float) -> Us:
        """When something happened that the kernel stamped, in seconds of its monotonic clock.

        What comes from the future, or from very long ago, has just happened.
        """
        age = self._monotonic_ns() // _NS_A_US - round(ticks * 1_000_000)
        return Us(self() - age) if 0 <= age <= STALE else self()
