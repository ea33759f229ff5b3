"""Time as a whole number of microseconds, so that no comparison depends on rounding.

Inside the program every time and every span is `Us`. Texts and settings have milliseconds with at
most three decimals, which convert exactly. Floats of milliseconds were not chosen, because they
lost deadlines: 16778232.9 - 16776732.9 is less than 1500, so what was due after 1500 ms never was.
"""

from __future__ import annotations

from typing import NewType

Us = NewType("Us", int)
"""Microseconds: a time of a match's clock since it began, or a span."""

US_A_MS = 1000
ENDLESS = Us(1 << 62)
"""Longer than any span."""
LONGEST_MS = 10**11
"""More than a match of three years; a float of this size still resolves microseconds."""


def ms(milliseconds: float) -> Us:
    """Convert milliseconds; fractions of a microsecond are rounded."""
    return Us(round(milliseconds * US_A_MS))


def read_ms(value: object) -> Us:
    """Convert a number from a text.

    Raises ValueError for anything but an int or float of at least 0 with at most three decimals.
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
    """The milliseconds for JSON: a whole number, or one with up to three decimals."""
    return us / US_A_MS if us % US_A_MS else us // US_A_MS
