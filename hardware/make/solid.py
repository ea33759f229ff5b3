"""Sheets as solids, for a printer of plastic instead of a cutter of wood: binary STL."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, pi, sin
from typing import TypeAlias

from ezdxf.math import Vec2
from ezdxf.math.triangulation import mapbox_earcut_2d

from hardware.make.shapes import Circle, DrawnShape, Layer, Path, PointMm

SIDES = 24
"""Corners of a circle."""
DECIMALS, BEND_MM = 3, 1e-3
Corner: TypeAlias = tuple[float, float, float]
Facet: TypeAlias = tuple[Corner, Corner, Corner]


def to_stl(title: str, shapes: Sequence[DrawnShape], thick: float) -> bytes:
    """Every piece that is cut, with its holes, lying as on its sheet; millimetres."""
    facets = list(_facets(shapes, thick))
    body = b"".join(
        struct.pack("<12fH", 0.0, 0.0, 0.0, *(value for corner in facet for value in corner), 0)
        for facet in facets
    )
    return title.encode("ascii", "replace")[:80].ljust(80) + struct.pack("<I", len(facets)) + body


def pieces(shapes: Sequence[DrawnShape]) -> Iterator[tuple[DrawnShape, Sequence[DrawnShape]]]:
    """Every outline that is cut, and the holes in it."""
    cut, holes = (
        [shape for shape in shapes if shape.layer is layer and _closed(shape)]
        for layer in (Layer.CUT, Layer.HOLE)
    )
    for piece in cut:
        outline = ring(piece, 1)
        yield piece, [hole for hole in holes if _inside(ring(hole, 1)[0], outline)]


def _facets(shapes: Sequence[DrawnShape], thick: float) -> Iterator[Facet]:
    for piece, holes in pieces(shapes):
        rings = [ring(piece, 1), *(ring(hole, -1) for hole in holes)]
        for one in rings:
            yield from _walls(one, thick)
        corners = {_bent(at): at for one in rings for at in one}
        bent = [[Vec2(_bent(at)) for at in one] for one in rings]
        for triangle in mapbox_earcut_2d(bent[0], bent[1:]):
            points = [(at.x, at.y) for at in triangle]
            a, b, c = (corners[at] for at in points)
            if _area(points) < 0:
                b, c = c, b
            yield (*a, thick), (*b, thick), (*c, thick)
            yield (*a, 0.0), (*c, 0.0), (*b, 0.0)


def _bent(at: PointMm) -> PointMm:
    """Move a point by a tiny amount, so that no three corners lie in line; the triangulation would
    drop such corners."""
    return at[0] + BEND_MM * sin(at[1]), at[1] + BEND_MM * sin(at[0])


def _walls(corners: Sequence[PointMm], thick: float) -> Iterator[Facet]:
    for a, b in pairwise((*corners, corners[0])):
        yield (*a, 0.0), (*b, 0.0), (*b, thick)
        yield (*a, 0.0), (*b, thick), (*a, thick)


def _closed(shape: DrawnShape) -> bool:
    return isinstance(shape, Circle) or (isinstance(shape, Path) and shape.closed)


def ring(shape: DrawnShape, turn: int) -> tuple[PointMm, ...]:
    """The corners of a closed shape, anticlockwise (1) or clockwise (-1)."""
    if isinstance(shape, Circle):
        (x, y), radius = shape.centre, shape.radius
        turns = [2 * pi * side / SIDES for side in range(SIDES)]
        points = tuple((x + radius * cos(t), y + radius * sin(t)) for t in turns)
    else:
        assert isinstance(shape, Path)
        points = shape.points
    points = tuple((round(x, DECIMALS), round(y, DECIMALS)) for x, y in points)
    return points if _area(points) * turn > 0 else points[::-1]


def _area(corners: Sequence[PointMm]) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise((*corners, corners[0]))) / 2


def _inside(at: PointMm, corners: Sequence[PointMm]) -> bool:
    odd = False
    for a, b in pairwise((*corners, corners[0])):
        if (a[1] > at[1]) != (b[1] > at[1]):
            odd ^= at[0] < a[0] + (at[1] - a[1]) * (b[0] - a[0]) / (b[1] - a[1])
    return odd
