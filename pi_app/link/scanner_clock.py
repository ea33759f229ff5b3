"""The scanner's clock as the host's: when something happened, from when it was heard."""

from __future__ import annotations

from pi_app.microseconds import ENDLESS, US_A_MS, Us, ms

WINDOW = ms(2000)
"""Quick messages of the last one to two windows tell how far the clocks are apart."""

_WRAP = 1 << 32
_HALF = _WRAP // 2


class ScannerClock:
    """Maps the scanner's milliseconds to the host's time.

    Every message comes some time after it was stamped; the quickest one tells how far the clocks
    are apart.  Quick ones of long ago are forgotten: a resonator may run half a percent slow, and
    times would lag seconds behind within minutes.  What is mapped is never later than the arrival
    and never goes back.
    """

    def __init__(self) -> None:
        self._newest: int | None = None
        self._told = Us(0)
        self._window_began: Us | None = None
        self._best = self._best_before = ENDLESS

    def restart(self) -> None:
        """The scanner's clock may have begun anew."""
        self._newest = self._window_began = None
        self._best = self._best_before = ENDLESS

    def hear(self, arrived: Us, stamp: int) -> None:
        """A message with this stamp has arrived."""
        apart = arrived - self._unwrapped(stamp)
        if self._window_began is None or arrived - self._window_began >= WINDOW:
            self._window_began = arrived
            self._best, self._best_before = ENDLESS, self._best
        self._best = Us(min(self._best, apart))

    def told(self, arrived: Us, stamp: int) -> Us:
        """The host's time of what happened at this stamp and was heard at `arrived`."""
        happened = self._unwrapped(stamp) + min(self._best, self._best_before)
        self._told = Us(max(self._told, min(happened, arrived)))
        return self._told

    def _unwrapped(self, stamp: int) -> int:
        """The stamp in µs, without its wrap every 49 days: the one nearest to the newest heard."""
        if self._newest is None:
            self._newest = stamp
        ahead = (stamp - self._newest + _HALF) % _WRAP - _HALF
        self._newest = max(self._newest, self._newest + ahead)
        return (self._newest + min(ahead, 0)) * US_A_MS
