"""Text from outside made safe to show: short, on one line, without control characters; and text put
into pages."""

from __future__ import annotations

import re
import reprlib
import unicodedata
from collections.abc import Mapping, Sequence

MOST_OF_LINE = 300
"""The most characters of one line of an error."""
MOST_OF_NAME = 40
"""The most letters of a player's name."""
_MOST_BITS = 1000
"""Python refuses to print very long numbers; for longer ones the length is shown."""


class _Short(reprlib.Repr):
    """A `repr` of anything in about `most` characters."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = most
        self.maxlevel = 2

    def repr_int(self, x: int, level: int) -> str:
        if x.bit_length() > _MOST_BITS:
            return f"a number of about {x.bit_length() * 301 // 1000} digits"
        return super().repr_int(x, level)


def quoted(value: object, most: int = 60) -> str:
    """A value for an error message: its `repr`, shortened in the middle."""
    return _Short(most).repr(value)


def one_line(text: str, most: int = MOST_OF_LINE) -> str:
    """The text on one line of at most `most` characters; unprintable characters are escaped."""
    shown = "".join(c if c.isprintable() else _escaped(c) for c in text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def both_ends(text: str, most: int = MOST_OF_LINE) -> str:
    """The text on one line; a long one is cut in the middle.

    An error has the place at its start and the remedy at its end; a path ends with the file's name.
    """
    half = most // 2
    return one_line(text if len(text) <= most else f"{text[:half]}…{text[1 - half :]}", most)


def columns(rows: Sequence[Sequence[str]]) -> str:
    """A table with aligned columns, one line a row."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (zip(row, widths, strict=True) for row in rows)
    return "\n".join("  ".join(cell.ljust(w) for cell, w in line).rstrip() for line in lines)


def clean_name(text: str) -> str:
    """A player's name without control and formatting characters; may be empty."""
    spaced = (" " if c.isspace() else c for c in text)
    kept = (c for c in spaced if not unicodedata.category(c).startswith("C"))
    return " ".join("".join(kept).split())[:MOST_OF_NAME].rstrip()


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def filled(template: str, values: Mapping[str, str]) -> str:
    """Fill the places {{name}} of a page."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], template)
