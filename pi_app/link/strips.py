"""What is wrong with a chain of Hall strips, in words.

A token passes along the chain, and the strip that has it answers. So a broken wire, a dead strip or
one in the wrong place all show in how far the token comes and which cells are silent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from pi_app.link.messages import Geometry, StripState
from pi_app.words.sentences import Sentence

RowColumn: TypeAlias = tuple[int, ...]
"""A cell of the matrix: row and column. A Hall sensor's contact has a third number, its pole; pole
0 raises the level."""

NO_STRIPS = Sentence(
    "no strip of Hall sensors answers; check the ribbon to the scanner and its 3.3 V"
)
STRIPS_FROM = Sentence(
    "strip {first} and those behind it do not answer; check the token's wire to it"
)
NO_RETURN = Sentence(
    "the token does not come back from the last strip; check the wire from there to A5"
)
RETURN_HIGH = Sentence("the wire on which the token comes back always has a voltage; check A5")
OTHER_COUNT = Sentence(
    "the chain has {count} strips, this board has {rows}; check the token's wires"
)
SILENT_STRIP = Sentence("strip {number} does not answer; check its ribbon and its sensors")
SILENT_COLUMN = Sentence("column A{column} is silent on every strip; check its wire")
OTHER_ORDER = Sentence(
    "strip {number} has a sensor where this board has none; the strips are in another order"
)


def cells_of(geometry: Geometry) -> frozenset[RowColumn]:
    return frozenset(divmod(number, geometry.columns) for number in range(geometry.cells))


def silent_cells(strips: StripState, geometry: Geometry) -> frozenset[RowColumn]:
    bits = int.from_bytes(strips.silent, "little")
    numbers = (number for number in range(geometry.cells) if bits >> number & 1)
    return frozenset(divmod(number, geometry.columns) for number in numbers)


def chain_fault(strips: StripState, geometry: Geometry, wired: frozenset[RowColumn]) -> str | None:
    """What keeps a chain from being read; None for an intact one.

    `wired` are the cells that have a sensor. A single silent sensor is no fault of the chain.
    """
    return next(_faults(strips, geometry, wired), None)


def _faults(strips: StripState, geometry: Geometry, wired: frozenset[RowColumn]) -> Iterator[str]:
    speaking = cells_of(geometry) - silent_cells(strips, geometry)
    rows = {row for row, _ in speaking}
    if strips.chain == StripState.SHORTED:
        yield RETURN_HIGH()
    if not rows:
        yield NO_STRIPS()
    reached = max(rows, default=-1) + 1
    if strips.chain == StripState.BROKEN:
        yield NO_RETURN() if reached == geometry.rows else STRIPS_FROM(first=reached + 1)
    if strips.chain != geometry.rows:
        yield OTHER_COUNT(count=strips.chain, rows=geometry.rows)
    for row in sorted(set(range(geometry.rows)) - rows):
        yield SILENT_STRIP(number=row + 1)
    for column in sorted(set(range(geometry.columns)) - {column for _, column in speaking}):
        yield SILENT_COLUMN(column=column)
    for row, _ in sorted(speaking - wired):
        yield OTHER_ORDER(number=row + 1)
