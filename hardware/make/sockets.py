"""The holes and pins that a wire can be put into, as they lie: the Mega's sockets, the Pi's header.

The Mega's are those of revision 3, seen from above, its USB socket on the left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.make.header import PINS


@dataclass(frozen=True, slots=True)
class Block:
    """Holes in lines: each line from left to right, the first line uppermost.

    Sockets in a row along one edge are one block: the gaps between them are taken for nothing.
    """

    lines: tuple[tuple[str, ...], ...]

    def beside(self, hole: str) -> Iterator[str]:
        """What is printed at the holes around one, slanting ones too; none for a hole elsewhere."""
        for lines, places in ((y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y):
            if found := self.shifted(hole, lines, places):
                yield found

    def shifted(self, hole: str, lines: int, places: int) -> str | None:
        """What is printed so many lines down and places to the right; None beyond the edge."""
        for number, line in enumerate(self.lines):
            if hole in line:
                place = line.index(hole) + places
                there = number + lines
                if 0 <= there < len(self.lines) and 0 <= place < len(line):
                    return self.lines[there][place]
        return None

    def turned(self, hole: str) -> str | None:
        """Return what is printed at the hole under a hole of the plug when the plug is turned
        round."""
        for number, line in enumerate(self.lines):
            if hole in line:
                return self.lines[-1 - number][-1 - line.index(hole)]
        return None


UPPER = (
    *("SCL", "SDA", "AREF", "GND"),
    *(f"D{number}" for number in range(13, -1, -1)),
    *(f"D{number}" for number in range(14, 22)),
)
"""The edge with the USB socket on its left, from there to the right."""
DOUBLE = (
    ("5V", "5V"),
    *((f"D{even}", f"D{even + 1}") for even in range(22, 54, 2)),
    ("GND", "GND"),
)
"""The socket of two lines on the right, from above."""
POWER = ("NC", "IOREF", "RESET", "3V3", "5V", "GND", "GND", "VIN")
LOWER = (*POWER, *(f"A{number}" for number in range(16)))
"""The other long edge, from left to right."""

MEGA_BLOCKS = (Block((UPPER,)), Block(DOUBLE), Block((LOWER,)))
PI_BLOCKS = (Block(tuple((str(pin), str(pin + 1)) for pin in PINS[::2])),)
"""The Pi's header from above, pin 1 at its upper left."""


def beside(blocks: tuple[Block, ...], hole: str) -> tuple[str, ...]:
    """What is printed at the holes around one, in whichever block it is."""
    return tuple(name for block in blocks for name in block.beside(hole))
