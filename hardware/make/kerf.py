"""Kerf: outlines grow and holes shrink by half a beam's width, so that parts come out as drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from math import hypot

from hardware.make.shapes import Circle, DrawnShape, Layer, Path, PointMm

GROWN = {Layer.CUT: 1.0, Layer.HOLE: -1.0}
"""Which way the edge of each layer moves."""


def worked(shapes: Iterable[DrawnShape], kerf: float) -> Iterator[DrawnShape]:
    """Return the path of the middle of a beam, `kerf` mm wide, that cuts these shapes to size."""
    for shape in shapes:
        by = GROWN.get(shape.layer, 0.0) * kerf / 2
        match shape:
            case Circle() if by:
                yield replace(shape, radius=shape.radius + by)
            case Path(closed=True) if by:
                yield replace(shape, points=tuple(_grown(shape.points, by)))
            case _:
                yield shape


def _grown(points: tuple[PointMm, ...], by: float) -> Iterator[PointMm]:
    """A closed outline with every side moved outwards, its corners where the sides meet again."""
    ring = (*points, points[0])
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(ring))
    out = by if area > 0 else -by
    sides = [_moved_side(a, b, out) for a, b in pairwise(ring)]
    for before, after in pairwise((sides[-1], *sides)):
        yield _meeting(before, after)


def _moved_side(start: PointMm, end: PointMm, by: float) -> tuple[PointMm, PointMm]:
    """Return the start of a side after it was moved to its right, and its direction."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    way = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    return (start[0] + way[1] * by, start[1] - way[0] * by), way


def _meeting(one: tuple[PointMm, PointMm], other: tuple[PointMm, PointMm]) -> PointMm:
    (ax, ay), (ux, uy) = one
    (bx, by), (vx, vy) = other
    turn = ux * vy - uy * vx
    if abs(turn) < 1e-9:  # the sides run on in one line
        return bx, by
    share = ((bx - ax) * vy - (by - ay) * vx) / turn
    return ax + share * ux, ay + share * uy
