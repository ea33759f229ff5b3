"""The local time at which a match began.

A Raspberry Pi's clock stops without power, and starts at a time long past until it reaches a
network. A time before Spotter's release therefore counts as unknown.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pi_app.words.numbers import minute
from pi_app.words.sentences import Sentence
from pi_app.words.texts import one_line

RELEASED = datetime(2026, 1, 1, tzinfo=UTC)
"""The date of Spotter's release; no match is older."""
NEAR = timedelta(minutes=1)
"""Smaller differences are ordinary drift."""
UNKNOWN = Sentence("date unknown")


def is_date(when: datetime) -> bool:
    """Whether the clock was set when it gave this time."""
    return when.astimezone(UTC) >= RELEASED


def _is_known(when: datetime) -> bool:
    """Whether a stored time is right. One without a zone was not read from a clock: it is the day
    that a file of another program names, which may be long before Spotter."""
    return when.tzinfo is None or is_date(when)


def date_of(began: str) -> datetime | None:
    """The stored time; None if the text is no time or the clock was not set."""
    try:
        when = datetime.fromisoformat(began)
        return when if _is_known(when) else None
    except (ValueError, OverflowError, OSError):
        return None


def is_near(began: str, right: datetime) -> bool:
    """Whether a stored time needs no correction."""
    when = date_of(began)
    return when is not None and abs(when.astimezone(UTC) - right.astimezone(UTC)) <= NEAR


def written(when: datetime) -> str:
    """The text that is stored for a time."""
    return when.astimezone().isoformat("T", "seconds")


def local_time(began: str) -> str:
    """A stored time in this computer's zone; the text itself if it is no time."""
    try:
        when = datetime.fromisoformat(began)
        return minute(when.astimezone()) if _is_known(when) else UNKNOWN()
    except (ValueError, OverflowError, OSError):
        return one_line(began, 16)


def local_day(began: str) -> str:
    """The day, for a file name; empty if unknown."""
    return local_time(began)[:10] if date_of(began) else ""
