"""Where everything goes on a breadboard: holes, computed from the board and its circuit.

A breadboard joins the five holes of a column on each side of its middle, and all holes of a rail.
The reeds stand across the middle, below the sheet; resistors and plugs stand in rows g to j, beyond
the sheet's edge. Row a is on White's side, so that column 1 is at the left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from hardware.make.assembly import GROUND, LOGIC, PI
from hardware.make.circuit import Circuit, Component, Kind, Net, Node
from pi_app.sensing.description import Board

ROWS, COLUMNS = "abcdefghij", 63
HOLE_MM, GAP_MM = 2.54, 7.62
"""From hole to hole, and from row e to row f."""
REED_ROWS = ("f", "b")
"""A reed's leg beyond its spot, on the Pi's side, and the leg below it, on ground."""
RESISTOR_ROW, WIRE_ROW = "g", "j"
FIRST_COLUMN, RESISTOR_COLUMNS, BESIDE = 2, 4, 6
"""The first spot's column, a resistor's length, and from a reed to the next free column."""
GROUND_RAIL, SUPPLY_RAIL, NEAR_RAIL = "j-", "j+", "a-"
"""The rails beside row j, and the one beside row a, below the sheet."""
SUPPLY_ASIDE = 2
"""So many holes are between a wire on the rail + and the one on the rail - below it."""
RESISTORS = (Kind.SERIES, Kind.BUS)
OFF_GRID_MM = 0.3


class Hole(NamedTuple):
    """A column from 1, and a row or a rail."""

    column: int
    row: str

    @property
    def strip(self) -> tuple[int, str]:
        """What the breadboard joins it to: half a column, or a whole rail."""
        if self.row not in ROWS:
            return 0, self.row
        return self.column, "a-e" if self.row in "abcde" else "f-j"

    def __str__(self) -> str:
        """Its name on a page: "g12", or the rail with the row beside it."""
        if self.row in ROWS:
            return f"{self.row}{self.column}"
        return f"rail {self.row[1]} beside {self.row[0]}"


@dataclass(frozen=True, slots=True)
class Fitted:
    """A part that stands in the breadboard, a hole for each of its pins."""

    part: Component
    holes: Mapping[str, Hole]


@dataclass(frozen=True, slots=True)
class BreadboardPlan:
    """What stands in the breadboard, its flat bridges, and the wires that leave it, each with the
    pin at its other end."""

    fitted: tuple[Fitted, ...]
    bridges: tuple[tuple[Hole, Hole], ...]
    wires: tuple[tuple[Hole, Node], ...]


def row_mm(row: str) -> float:
    """Return how far a row is from row a, in mm; a rail has none."""
    place = ROWS.index(row)
    return place * HOLE_MM + (GAP_MM - HOLE_MM if place >= ROWS.index("f") else 0.0)


REED_MM = row_mm(REED_ROWS[0]) - row_mm(REED_ROWS[1])
"""A bent reed from leg to leg."""


def plan(board: Board, circuit: Circuit) -> BreadboardPlan:
    """Return where all goes; raises ValueError for a board that does not fit the holes."""
    columns = _columns(board)
    free = iter([column + BESIDE for column in columns[:-1]])
    reeds = dict(zip(circuit.of(Kind.REED), columns, strict=True))
    fitted = [
        Fitted(reed, dict(zip("12", (Hole(column, row) for row in REED_ROWS), strict=True)))
        for reed, column in reeds.items()
    ]
    bridges = [(Hole(column, "a"), Hole(column, NEAR_RAIL)) for column in columns]
    wires: list[tuple[Hole, Node]] = []
    for resistor in chain.from_iterable(map(circuit.of, RESISTORS)):
        own, beyond = (circuit.net_of(Node(resistor.ref, end)) for end in "12")
        reed = next((part for part in reeds if _has(beyond, part)), None)
        start, end = _ends(reeds[reed]) if reed else _beside(board, free)
        legs = {"1": Hole(end, RESISTOR_ROW), "2": Hole(start, RESISTOR_ROW)}
        fitted.append(Fitted(resistor, legs))
        wires += _wires(own, resistor, Hole(end, WIRE_ROW))
        if reed is None:
            wires += _wires(beyond, resistor, Hole(start, WIRE_ROW))
    link = next(free, None)
    if link is None:
        raise ValueError(f"{board.name}: no column of the breadboard is left")
    bridges += _link(link)
    wires += _on_rails(circuit, reeds)
    return BreadboardPlan(tuple(fitted), tuple(bridges), tuple(wires))


def _columns(board: Board) -> list[int]:
    """The column of each reed. Raises ValueError for a place that is not above one."""
    first = board.reeds[0].at
    found = []
    for reed in board.reeds:
        away = (reed.at[0] - first[0]) / HOLE_MM
        column = FIRST_COLUMN + round(away)
        off = abs(away - round(away)) * HOLE_MM
        across = reed.offset[0] or reed.at[1] != first[1]
        if off > OFF_GRID_MM or across or not 1 <= column <= COLUMNS:
            raise ValueError(
                f"{board.name}: the reed of {reed.name} stands over no column of a breadboard; "
                f"put spots in a row, a multiple of {HOLE_MM} mm apart, at most "
                f"{COLUMNS - FIRST_COLUMN} holes from the first"
            )
        found.append(column)
    return found


def _has(net: Net, part: Component) -> bool:
    return any(node.ref == part.ref for node in net.nodes)


def _ends(column: int) -> tuple[int, int]:
    """Return a reed's column, and its resistor's other one."""
    right = column + RESISTOR_COLUMNS
    return column, right if right <= COLUMNS else column - RESISTOR_COLUMNS


def _beside(board: Board, free: Iterator[int]) -> tuple[int, int]:
    start = next(free, None)
    if start is None:
        raise ValueError(f"{board.name}: no column of the breadboard is left for a resistor")
    return start + RESISTOR_COLUMNS, start


def _wires(net: Net, resistor: Component, hole: Hole) -> list[tuple[Hole, Node]]:
    return [(hole, node) for node in net.nodes if node.ref != resistor.ref]


def _link(column: int) -> list[tuple[Hole, Hole]]:
    """Join the rail below the sheet with the one beyond it, across the middle."""
    return [
        (Hole(column, NEAR_RAIL), Hole(column, "a")),
        (Hole(column, "e"), Hole(column, "f")),
        (Hole(column, "i"), Hole(column, GROUND_RAIL)),
    ]


def _on_rails(circuit: Circuit, reeds: Mapping[Component, int]) -> Iterator[tuple[Hole, Node]]:
    """Yield the wires on the rails: the Pi's first, at the left."""
    standing = {part.ref for part in reeds}
    rails = ((GROUND, GROUND_RAIL, 0), (LOGIC, SUPPLY_RAIL, SUPPLY_ASIDE))
    for name, rail, aside in rails:
        nets = (net for net in circuit.nets if net.name == name)
        nodes = (node for net in nets for node in net.nodes if node.ref not in standing)
        ordered = sorted(nodes, key=lambda node: (node.ref != PI, node.ref))
        for place, node in enumerate(ordered):
            yield Hole(FIRST_COLUMN + RESISTOR_COLUMNS * place * 3 + aside, rail), node
