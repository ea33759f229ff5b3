"""The measures that a template shows to whoever works with saw and drill: of every piece its
width and height and where its holes and rings are, and the diameter of each kind of circle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from hardware.make.shapes import Circle, Dimension, DrawnShape, Layer, Path, PointMm

ROW_MM, FIRST_MM = 2.8, 2.2
"""Rows of dimensions lie so far apart, the first so far from a sheet's edge."""
ROOM_MM = 5.0
"""A distance shorter than this goes into a row farther out."""
WIDE_MM = 25.0
"""Of a window wider than this both edges are measured, of others the middle."""
ROWS = 2
"""Beside the piece's own width or height."""
PLACED = frozenset({Layer.HOLE, Layer.ENGRAVE})


def dimensions(size: PointMm, shapes: Sequence[DrawnShape]) -> Iterator[Dimension]:
    """Yield dimension lines: outside a sheet of one piece, within each piece of a sheet of many."""
    pieces = [s for s in shapes if isinstance(s, Path) and s.layer is Layer.CUT]
    for piece in pieces:
        low, high = _corners(piece.points)
        whole = (low, high) == ((0.0, 0.0), size)
        inside = [spot for shape in shapes for spot in _spots(shape) if _within(spot, low, high)]
        for axis in (0, 1):
            rows = _rows(low[axis], high[axis], [spot[axis] for spot in inside])
            for number, row in enumerate(rows):
                away = FIRST_MM + number * ROW_MM
                edge, line = low[1 - axis], low[1 - axis] - away
                if not whole and (axis or row is rows[-1]):
                    # Upright ones at the right, the whole length above: clear of the piece's name.
                    edge = high[1 - axis]
                    line = edge - (away - 1 if axis else FIRST_MM)
                elif not whole:
                    line = edge + away - 1
                for ends in pairwise(row):
                    yield _dimension(axis, ends, edge, line)
    yield from _diameters(shapes)


def _diameters(shapes: Iterable[DrawnShape]) -> Iterator[Dimension]:
    """Yield the diameter of one circle of each size; for concentric circles of one place only;
    above a circle that is too small for the text."""
    kinds: dict[tuple[Layer, float], list[PointMm]] = {}
    for shape in shapes:
        if isinstance(shape, Circle) and shape.layer in (*PLACED, Layer.CUT):
            kinds.setdefault((shape.layer, shape.radius), []).append(shape.centre)
    used = set[PointMm]()
    for (_, radius), centres in kinds.items():
        free = [centre for centre in centres if centre not in used]
        for x, y in free[len(free) // 2 :][:1]:
            used.add((x, y))
            over = radius + 0.8 if 2 * radius < ROOM_MM else 0.0
            yield Dimension((x - radius, y), (x + radius, y), y + over, words="ø")


def _dimension(axis: int, ends: tuple[float, float], edge: float, line: float) -> Dimension:
    if axis:
        return Dimension((edge, ends[0]), (edge, ends[1]), line, upright=True)
    return Dimension((ends[0], edge), (ends[1], edge), line)


def _rows(low: float, high: float, at: Iterable[float]) -> list[list[float]]:
    """Yield the distances from hole to hole, in as many rows as needed; the last row has the whole
    length."""
    rows: list[list[float]] = [[low] for _ in range(ROWS)]
    for value in sorted({round(value, 2) for value in at}):
        for row in rows:
            if value - row[-1] >= ROOM_MM:
                row.append(value)
                break
    return [*(row for row in rows if len(row) > 1), [low, high]]


def _spots(shape: DrawnShape) -> Iterator[PointMm]:
    """The middle of a hole or ring, or the corners of a large window."""
    match shape:
        case Circle(layer=layer, centre=centre) if layer in PLACED:
            yield centre
        case Path(layer=Layer.HOLE, points=points):
            low, high = _corners(points)
            if max(high[0] - low[0], high[1] - low[1]) > WIDE_MM:
                yield from (low, high)
            else:
                yield (low[0] + high[0]) / 2, (low[1] + high[1]) / 2


def _corners(points: Sequence[PointMm]) -> tuple[PointMm, PointMm]:
    def of(best: Callable[[Iterable[float]], float]) -> PointMm:
        return best(x for x, _ in points), best(y for _, y in points)

    return of(min), of(max)


def _within(at: PointMm, low: PointMm, high: PointMm) -> bool:
    return low[0] < at[0] < high[0] and low[1] < at[1] < high[1]
