"""How the wires run below a board, and how long they are; in mm from the board's corner.

A row's wire runs past the bands of its diodes, a column's past the near ends of its reeds; both
are found again in the drawing of the underside and in the lengths of the parts list.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import TypeAlias

from hardware.make.parts import Measures
from hardware.make.places import Lie, across, lies, lights, step
from hardware.make.shapes import PointMm
from pi_app.sensing.description import Board, Cell

DIODE_ALONG_MM, DIODE_ACROSS_MM = -4.0, 8.0
"""From the reed's far end to its row's wire: back along the glass, so that no row runs at the
board's edge, and to the side."""
COLUMN_ACROSS_MM = 5.0
LANE_MM = 2.2
"""Upright runs of different columns lie so far apart."""
SIDE_MM = 6.5
"""The first of them keeps so far from the reeds, clear of the rows' wires."""
LEGS_MM = 1.3
"""From a light's middle to each of its legs: the short one above, the long one below."""
EXIT_MM = 3.0
"""A wire leaves the board's underside so far inside the rails."""
SPARE = 1.2
LEAD_MM = 300.0
"""From there to the controller, for each wire."""
BARS_MM = 20.0
"""What lies so near the board's middle is led down where it ends."""


WireRun: TypeAlias = tuple[PointMm, ...]


@dataclass(frozen=True, slots=True)
class Routes:
    """The runs of each net's wire: rows, columns, the common ground, each reed's and light's own.

    A row's or a column's `exit` is its way to where it leaves the board's underside.
    """

    rows: Mapping[int, tuple[WireRun, ...]]
    columns: Mapping[int, tuple[WireRun, ...]]
    ground: tuple[WireRun, ...]
    singles: tuple[WireRun, ...]
    lights: tuple[WireRun, ...]
    row_exits: Mapping[int, WireRun]
    column_exits: Mapping[int, WireRun]

    @property
    def bare_m(self) -> float:
        """The metres of bare wire: all rows, and the common ground."""
        runs = [run for runs in self.rows.values() for run in runs]
        return SPARE * (_long(runs) + _long(self.ground)) / 1000

    @property
    def insulated_m(self) -> float:
        """The metres of insulated wire: all columns, single wires, and a lead for each net."""
        runs = [run for runs in self.columns.values() for run in runs]
        runs += [*self.row_exits.values(), *self.column_exits.values()]
        runs += [*self.singles, *self.lights]
        lines = (self.rows, self.columns, self.singles, self.lights)
        leads = sum(map(len, lines)) + bool(self.ground)
        return SPARE * (_long(runs) + leads * LEAD_MM) / 1000


def routes(board: Board, measures: Measures) -> Routes:
    """All runs of a board's wires."""
    rows: dict[int, list[PointMm]] = {}
    columns: dict[int, list[Lie]] = {}
    grounded: list[PointMm] = []
    singles: list[WireRun] = []
    edge = measures.rail + EXIT_MM
    for lie in lies(board, measures):
        if isinstance(lie.reed.line, Cell):
            rows.setdefault(lie.reed.line.row, []).append(row_tap(lie))
            columns.setdefault(lie.reed.line.column, []).append(lie)
        else:
            grounded.append(lie.far)
            tap = column_tap(lie)
            singles.append((lie.near, tap, (tap[0], edge)))
    lit = [at for _, at in lights(board, measures)]
    row_runs = {row: tuple(tree(taps)) for row, taps in sorted(rows.items())}
    column_runs = {
        column: tuple(_column(those, column)) for column, those in sorted(columns.items())
    }
    return Routes(
        row_runs,
        column_runs,
        (*tree(grounded), *_lights_ground(lit, grounded)),
        tuple(singles),
        tuple(((x, y - LEGS_MM), (x, edge)) for x, y in lit),
        {row: _row_exit(runs, board.size, edge) for row, runs in row_runs.items()},
        {column: _column_exit(runs, board.size, edge) for column, runs in column_runs.items()},
    )


def _lights_ground(lit: Sequence[PointMm], grounded: Sequence[PointMm]) -> Iterator[WireRun]:
    """Return the lights' short leads to the common ground, which joins the lights and the reeds'
    grounds."""
    legs = [(x, y + LEGS_MM) for x, y in lit]
    yield from tree(legs)
    if legs and grounded:
        leg, end = min(legs), min(grounded)
        x = min(leg[0], end[0]) - SIDE_MM
        yield leg, (x, leg[1]), (x, end[1]), end


def _row_exit(runs: Sequence[WireRun], size: PointMm, edge: float) -> WireRun:
    """Return a row's way to the edge: vertical rows leave at the nearer edge, horizontal ones on
    the right, the bars' where they end."""
    xs, ys = zip(*(point for run in runs for point in run), strict=True)
    if max(xs) - min(xs) > max(ys) - min(ys):
        bent = max(ys) - min(ys) > 1
        return () if bent else ((max(xs), ys[0]), (size[0] - edge, ys[0]))
    if abs((min(ys) + max(ys) - size[1]) / 2) < BARS_MM:
        return ()
    if min(ys) < size[1] - max(ys):
        return ((xs[0], min(ys)), (xs[0], edge))
    return ((xs[0], max(ys)), (xs[0], size[1] - edge))


def _column_exit(runs: Sequence[WireRun], size: PointMm, edge: float) -> WireRun:
    """Return a column's last wire to the edge: to the right if it runs horizontally, else down."""
    ends = [point for run in runs for point in run]
    low = min(y for _, y in ends)
    level = {x for x, y in ends if abs(y - low) < 0.1}
    if len(level) > 1:
        return ((max(level), low), (size[0] - edge, low))
    return ((min(level), low), (min(level), edge))


def row_tap(lie: Lie) -> PointMm:
    """Where a diode's band meets the row's wire: beside the reed's far end."""
    beyond = step(lie.far, lie.along, DIODE_ALONG_MM)
    return step(beyond, across(lie.along), DIODE_ACROSS_MM)


def column_tap(lie: Lie) -> PointMm:
    """Return where the column's wire passes the reed's near end, on the side without the diode."""
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


def _column(those: Sequence[Lie], lane: int) -> Iterator[WireRun]:
    """Return a column's wires: horizontal ones joined at the side, and separate ones in a vertical
    lane to the nearest. `lane` keeps the vertical wires of the columns side by side."""
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
