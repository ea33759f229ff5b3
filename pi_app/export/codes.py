"""A text as QR codes that a phone reads from the screen, one after another.

Few apps can join codes by the standard's structured append. So each code is a text that can be read
by itself: whole lines under a heading that says which part it is. The largest code is version 20
(97 modules): with its margin a module is four pixels wide on a screen of 480 lines, three on one of
400.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from pi_app.base.values import dataclass

LARGEST = 20
"""The version of the largest code."""
MOST_BYTES = 858
"""The bytes that it holds at the lowest level of correction (ISO/IEC 18004, table 7)."""
QUIET = 4
"""The margin that the standard demands, in modules."""

HALVES: Mapping[tuple[bool, bool], str] = {
    (False, False): " ",
    (True, False): "▀",
    (False, True): "▄",
    (True, True): "█",
}
"""What a terminal shows for two modules, one above the other, by which of them are dark."""
BLACK_ON_WHITE, USUAL_COLOURS = "\x1b[30;47m", "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Code:
    """One QR code without its margin; `size` is its width in modules. `dark` are runs of dark
    modules: column, row, length."""

    size: int
    dark: tuple[tuple[int, int, int], ...]


def parts_of(heading: str, lines: Iterable[str]) -> tuple[str, ...]:
    """Divide a text into parts of one code each, under the heading.

    Only a line that is longer than a code is cut.
    """
    parts = list(_parts(_room(heading), lines))
    return tuple(
        _headed(heading, number, len(parts), part) for number, part in enumerate(parts, start=1)
    )


def code_of(text: str) -> Code:
    """Make one part's code. It takes 0.1 s on a PC and several times that on a Raspberry Pi."""
    import segno  # noqa: PLC0415, it imports urllib, and most starts show no code

    made = segno.make(text, error="l", mode="byte", encoding="utf-8", micro=False)
    rows = tuple(tuple(row) for row in made.matrix)
    dark = tuple(run for y, row in enumerate(rows) for run in _runs(y, row))
    return Code(len(rows), dark)


def in_blocks(code: Code) -> tuple[str, ...]:
    """The code with its margin for a terminal, two rows of modules a line, dark on light whatever
    its colours are."""
    dark = {(x + more, y) for x, y, length in code.dark for more in range(length)}
    span = range(-QUIET, code.size + QUIET)
    lines = (
        "".join(HALVES[(x, y) in dark, (x, y + 1) in dark] for x in span)
        for y in span
        if not (y + QUIET) % 2
    )
    return tuple(f"{BLACK_ON_WHITE}{line}{USUAL_COLOURS}" for line in lines)


def _headed(heading: str, number: int, count: int, part: str) -> str:
    return f"{heading} ({number}/{count})\n{part}"


def _room(heading: str) -> int:
    """The bytes for lines below the heading, whatever the number of codes."""
    return MOST_BYTES - len(_headed(heading, 999, 999, "").encode())


def _parts(room: int, lines: Iterable[str]) -> Iterator[str]:
    part = ""
    for line in _pieces(room, lines):
        longer = f"{part}\n{line}" if part else line
        if len(longer.encode()) > room:
            yield part
            longer = line
        part = longer
    if part:
        yield part


def _pieces(room: int, lines: Iterable[str]) -> Iterator[str]:
    """Strip each line and split those that are longer than `room`."""
    letters = room // 4
    for line in lines:
        text = line.strip()
        if text and len(text.encode()) <= room:
            yield text
        else:
            yield from (text[start : start + letters] for start in range(0, len(text), letters))


def _runs(y: int, row: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
    x = 0
    for module, run in groupby(row):
        length = len(list(run))
        if module:
            yield x, y, length
        x += length
