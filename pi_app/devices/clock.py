"""The match clock: microseconds that never run backwards and continue after a restart."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pi_app.base.microseconds import Us, ms
from pi_app.words.wall_time import NEAR, is_date

_NS_A_US = 1000
BOOT = Path("/proc/sys/kernel/random/boot_id")
STALE = ms(60_000)
"""An edge with an older time stamp was stamped by another clock."""


# Why the monotonic clock: a Raspberry Pi without a network does not know the time, and the wall
# clock jumps when somebody sets it. A chess clock, a debounce and the order of a journal must not
# jump. The wall time is stored only as a date of the match, with the moment since the boot beside
# it, so that the date can be corrected once the clock is set.


class MatchClock:
    """Calling it returns the time of the match.

    `last` is where it begins: 0, or the last event's time of a resumed match.
    """

    def __init__(
        self, last: Us = Us(0), monotonic_ns: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._monotonic_ns = monotonic_ns
        self._last = last
        self._began_ns = monotonic_ns()

    def __call__(self) -> Us:
        return Us(self._last + (self._monotonic_ns() - self._began_ns) // _NS_A_US)

    def stamped(self, ticks: float) -> Us:
        """Convert the kernel's time stamp, in seconds of its monotonic clock.

        A stamp from the future, or from long ago, counts as now.
        """
        age = self._monotonic_ns() // _NS_A_US - round(ticks * 1_000_000)
        return Us(self() - age) if 0 <= age <= STALE else self()


def boot_name(file: Path = BOOT) -> str:
    """The system's identifier of this boot; empty if it has none."""
    try:
        return file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _since_boot_ms() -> int:
    """Milliseconds since the boot; the clock runs during sleep and is never set."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(clock) // 1_000_000


class WallClock:
    """Date and time of day, and whether the clock was set since the last look.

    `boot` identifies this boot, `since_boot_ms` is the monotonic clock.
    """

    def __init__(
        self,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        since_boot_ms: Callable[[], int] = _since_boot_ms,
        boot: str | None = None,
    ) -> None:
        self.now, self.since_boot_ms = now, since_boot_ms
        self.boot = boot_name() if boot is None else boot
        self._booted: datetime | None = None

    def at(self, after_ms: int) -> datetime:
        """The wall time this long after the boot, by what the clock says now."""
        return self.now() - timedelta(milliseconds=self.since_boot_ms() - after_ms)

    def was_set(self) -> bool:
        """Whether the clock was set since the last call; True the first time. A time before
        Spotter's release means that it was not set."""
        if not is_date(self.now()):
            return False
        booted, before = self.at(0), self._booted
        if before and abs(booted - before) <= NEAR:
            return False
        self._booted = booted
        return True
