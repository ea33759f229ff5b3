"""The reed scanner's lines on an Arduino Mega, read from the tables of `firmware/README.md`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pi_app.base.strict import ConfigError
from pi_app.sensing.description import MOST_COLUMNS, MOST_ROWS


@dataclass(frozen=True, slots=True)
class MegaPin:
    """A row or a column: the chip's name of its pin, and the one printed on the board."""

    chip: str
    printed: str


@dataclass(frozen=True, slots=True)
class Mega:
    """Every row and every column that the firmware has, from 0."""

    rows: tuple[MegaPin, ...]
    columns: tuple[MegaPin, ...]


def read_mega(file: str, text: str) -> Mega:
    """The lines in the firmware's tables; raises ConfigError if a table has gaps."""
    mega = Mega(_lines(text, "row"), _lines(text, "column"))
    faults = [
        f"has {len(found)} {name}s in its table, the program {most}; fix the table"
        for name, found, most in (
            ("row", mega.rows, MOST_ROWS),
            ("column", mega.columns, MOST_COLUMNS),
        )
        if len(found) != most
    ]
    if faults:
        raise ConfigError(file, faults)
    return mega


def _lines(text: str, kind: str) -> tuple[MegaPin, ...]:
    found = re.findall(rf"^\| {kind} (\d+) \| (P[A-L]\d) \| ([AD]\d+) \|$", text, re.MULTILINE)
    in_order = [row for place, row in enumerate(found) if int(row[0]) == place]
    return tuple(MegaPin(chip, printed) for _, chip, printed in in_order)
