"""How the wires run below a board, and how long they are; in mm from the board's corner.

A row's wire runs past the bands of its diodes, a column's past the near ends of its reeds; both
are found again in the drawing of the underside and in the lengths of the parts list.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from hardware.make.parts import Measures
from hardware.make.places import Lie, across, lies, step
from hardware.make.shapes import PointMm
from pi_app.sensing.description import Board, Cell

DIODE_ALONG_MM, DIODE_ACROSS_MM = 3.0, 8.0
COLUMN_ACROSS_MM = 5.0
LANE_MM = 2.5
"""Upright runs of different columns lie so far apart."""
SIDE_MM = 6.5
"""The first of them keeps so far from the reeds, clear of the rows' wires."""
SPARE = 1.2
LEAD_MM = 300.0
"""From the board's edge to the controller, for each wire."""


@dataclass(frozen=True, slots=True)
class Routes:
    """The runs of each net's wire: rows, columns, the common ground, and each reed's own wire."""

    rows: Mapping[int, tuple[tuple[PointMm, ...], ...]]
    columns: Mapping[int, tuple[tuple[PointMm, ...], ...]]
    ground: tuple[tuple[PointMm, ...], ...]
    singles: tuple[tuple[PointMm, ...], ...]

    @property
    def bare_m(self) -> float:
        """The metres of bare wire: all rows, and the common ground."""
        runs = [run for runs in self.rows.values() for run in runs]
        return SPARE * (_long(runs) + _long(self.ground)) / 1000

    @property
    def insulated_m(self) -> float:
        """The metres of insulated wire: all columns, single wires, and a lead for each net."""
        runs = [run for runs in self.columns.values() for run in runs]
        leads = len(self.rows) + len(self.columns) + len(self.singles) + bool(self.ground)
        return SPARE * (_long(runs) + _long(self.singles) + leads * LEAD_MM) / 1000


def routes(board: Board, measures: Measures) -> Routes:
    """All runs of a board's wires."""
    rows: dict[int, list[PointMm]] = {}
    columns: dict[int, list[Lie]] = {}
    grounded: list[PointMm] = []
    singles: list[tuple[PointMm, ...]] = []
    for lie in lies(board, measures):
        if isinstance(lie.reed.line, Cell):
            rows.setdefault(lie.reed.line.row, []).append(row_tap(lie))
            columns.setdefault(lie.reed.line.column, []).append(lie)
        else:
            grounded.append(lie.far)
            tap = column_tap(lie)
            singles.append((lie.near, tap, (tap[0], 0.0)))
    return Routes(
        {row: tuple(tree(taps)) for row, taps in sorted(rows.items())},
        {column: tuple(_column(those, column)) for column, those in sorted(columns.items())},
        tuple(tree(grounded)),
        tuple(singles),
    )


def row_tap(lie: Lie) -> PointMm:
    """Where a diode's band meets the row's wire: beside the reed's far end."""
    beyond = step(lie.far, lie.along, DIODE_ALONG_MM)
    return step(beyond, across(lie.along), DIODE_ACROSS_MM)


def column_tap(lie: Lie) -> PointMm:
    """Where the column's wire passes the reed's near end, on the other side than the diode."""
    return step(lie.near, across(lie.along), -COLUMN_ACROSS_MM)


def tree(points: Sequence[PointMm]) -> Iterator[tuple[PointMm, PointMm]]:
    """The shortest set of straight wires that joins all points."""
    joined, open_points = list(points[:1]), list(points[1:])
    while open_points:
        start, end = min(
            ((one, other) for one in joined for other in open_points),
            key=lambda pair: (round(_apart(*pair), 3), pair),
        )
        joined.append(end)
        open_points.remove(end)
        yield start, end


def _column(those: Sequence[Lie], lane: int) -> Iterator[tuple[PointMm, ...]]:
    """A column's runs: level ones joined at the side, and what lies apart in a lane to the nearest.

    `lane` keeps the columns' upright runs beside each other.
    """
    taps = {column_tap(lie): lie for lie in those}
    levels = {y: sorted(at for at in taps if at[1] == y) for _, y in taps}
    levels = {y: ends for y, ends in levels.items() if len(ends) > 1}
    if not levels:
        yield from tree(list(taps))
        return
    for ends in levels.values():
        yield from itertools.pairwise(ends)
    heights = sorted(levels)
    for low, high in itertools.pairwise(heights):
        x = min(levels[low][0][0], levels[high][0][0]) - SIDE_MM - lane * LANE_MM
        yield levels[low][0], (x, low), (x, high), levels[high][0]
    for tap, lie in taps.items():
        if tap[1] not in levels:
            x = tap[0] + (tap[0] - lie.near[0]) + (lane - 1) * LANE_MM * _sign(tap[0] - lie.near[0])
            level = min(heights, key=lambda y: abs(y - tap[1]))
            yield tap, (x, tap[1]), (x, level)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _apart(one: PointMm, other: PointMm) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _long(runs: Iterable[Sequence[PointMm]]) -> float:
    return sum(_apart(*pair) for run in runs for pair in itertools.pairwise(run))
