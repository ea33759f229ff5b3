"""Contour lines through a grid of values, by marching squares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from hardware.make.shapes import PointMm

Knot: TypeAlias = tuple[int, int]
_Edge: TypeAlias = tuple[Knot, Knot]
_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
DECIMALS = 1
"""Points are rounded to a tenth, coarser than the differences between two computers."""


def contours(values: Mapping[Knot, float], height: float) -> Iterator[tuple[PointMm, ...]]:
    """Yield the contour lines at this height of values on a grid of whole millimetres."""
    ways = _ways(values, height)
    while ways:
        ends = [edge for edge, others in ways.items() if len(others) == 1]
        edge = min(ends) if ends else min(ways)
        chain = [edge]
        while others := ways.get(edge):
            following = others.pop(0)
            ways[following].remove(edge)
            for used in (edge, following):
                if not ways[used]:
                    del ways[used]
            edge = following
            chain.append(edge)
        points = [_crossing(values, height, edge) for edge in chain]
        yield (*dict.fromkeys(points), *points[: points[0] == points[-1]])


def _ways(values: Mapping[Knot, float], height: float) -> dict[_Edge, list[_Edge]]:
    """Return for each edge of the grid that the contour crosses the edges where it continues."""
    ways: dict[_Edge, list[_Edge]] = {}
    for i, j in values:
        corners = [(i + x, j + y) for x, y in _CORNERS]
        if all(corner in values for corner in corners):
            for one, other in _within(values, height, corners):
                ways.setdefault(one, []).append(other)
                ways.setdefault(other, []).append(one)
    return ways


def _within(
    values: Mapping[Knot, float], height: float, corners: list[Knot]
) -> Iterator[tuple[_Edge, _Edge]]:
    """Yield the pieces of the contour in one square of the grid; a saddle has two."""
    crossed = [
        _edge(one, other)
        for one, other in zip(corners, [*corners[1:], corners[0]], strict=True)
        if (values[one] > height) != (values[other] > height)
    ]
    if len(crossed) == 2:
        yield crossed[0], crossed[1]
    elif crossed:
        middle = sum(values[corner] for corner in corners) / 4
        if (middle > height) == (values[corners[0]] > height):
            crossed = [*crossed[1:], crossed[0]]
        yield crossed[3], crossed[0]
        yield crossed[1], crossed[2]


def _edge(one: Knot, other: Knot) -> _Edge:
    return (one, other) if one < other else (other, one)


def _crossing(values: Mapping[Knot, float], height: float, edge: _Edge) -> PointMm:
    (x, y), (to_x, to_y) = edge
    share = (height - values[edge[0]]) / (values[edge[1]] - values[edge[0]])
    return round(x + share * (to_x - x), DECIMALS), round(y + share * (to_y - y), DECIMALS)
