"""Time: a whole number of microseconds, so that no comparison ever depends on rounding.

Inside the house every time and every span is `Us`; text and settings have milliseconds, with at
most three decimals, and convert exactly.
"""

from __future__ import annotations

from typing import NewType

Us = NewType("Us", int)
"""Microseconds: of a match's clock since it began, or of a span."""

US_A_MS = 1000
ENDLESS = Us(1 << 62)
"""Longer than any span."""
LONGEST_MS = 10**11
"""More than a match of three years; the nearest float still tells every microsecond of it."""


def ms(milliseconds: float) -> Us:
    """So many milliseconds; what is finer than a microsecond is rounded."""
    return Us(round(milliseconds * US_A_MS))


def read_ms(value: object) -> Us:
    """The time that a number of a text stands for.

    Raises ValueError for anything but an int or float from 0 up with three decimals at most.
    """
    wanted = f"it must be a number of milliseconds from 0 to {LONGEST_MS}"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(wanted)  # noqa: TRY004, a text's number is a value
    if not 0 <= value <= LONGEST_MS:
        raise ValueError(wanted)
    us = ms(value)
    if us / US_A_MS != value:
        raise ValueError("it must have three decimals at most")
    return us


def write_ms(us: Us) -> int | float:
    """The milliseconds as JSON writes them: a whole number, or with up to three decimals."""
    return us / US_A_MS if us % US_A_MS else us // US_A_MS
