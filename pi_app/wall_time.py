"""When a match was begun, as the people here read their clocks."""

from __future__ import annotations

from datetime import datetime

from pi_app.texts import one_line


def local_time(began: str) -> str:
    """The text of a kept wall time in this computer's zone; as it is where it tells no time."""
    try:
        return datetime.fromisoformat(began).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return one_line(began, 16)
