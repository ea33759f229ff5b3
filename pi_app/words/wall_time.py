"""When a match was begun, as the people here read their clocks.

A Raspberry Pi has no clock of its own that goes on without power: until it has been on a network it
begins at a time long gone.  A time before there was any Spotter is therefore no date.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pi_app.words.sentences import Sentence
from pi_app.words.texts import one_line

RELEASED = datetime(2026, 1, 1, tzinfo=UTC)
"""No match is older; a release may set it to its own day."""
NEAR = timedelta(minutes=1)
"""By so much a clock drifts that nobody sets."""
UNKNOWN = Sentence("date unknown")


def is_date(when: datetime) -> bool:
    """Whether the clock that told this time had been set."""
    return when.astimezone(UTC) >= RELEASED


def date_of(began: str) -> datetime | None:
    """The kept wall time; None for a text that tells none, and where the clock was not set."""
    try:
        when = datetime.fromisoformat(began)
        return when if is_date(when) else None
    except (ValueError, OverflowError, OSError):
        return None


def is_near(began: str, right: datetime) -> bool:
    """Whether a kept wall time needs no correction."""
    when = date_of(began)
    return when is not None and abs(when.astimezone(UTC) - right.astimezone(UTC)) <= NEAR


def written(when: datetime) -> str:
    """A wall time as it is kept."""
    return when.astimezone().isoformat("T", "seconds")


def local_time(began: str) -> str:
    """The text of a kept wall time in this computer's zone; as it is where it tells no time."""
    try:
        when = datetime.fromisoformat(began).astimezone()
    except (ValueError, OverflowError, OSError):
        return one_line(began, 16)
    return when.strftime("%Y-%m-%d %H:%M") if is_date(when) else UNKNOWN()


def local_day(began: str) -> str:
    """The day alone, for the name of a file; empty where nobody knows it."""
    return local_time(began)[:10] if date_of(began) else ""
