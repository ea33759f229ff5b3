"""Cannon's board: a hundred crossing points, as names and as bits.

A set of points is a whole number.  Bit i stands for character i of the position text, rows 10 to 1
with a slash between them; the slash's column holds no piece, so a set shifted over the edge falls
into it instead of coming in again on the other side.  Sets of points are chosen over lists of
pieces because one shift and one mask move all soldiers at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NewType

from pi_app.rules.naming import listed
from pi_app.rules.terms import Side, Spot, SpotKind
from pi_app.sentences import Listing

Points = NewType("Points", int)
"""A set of points of the board, one bit each."""

Direction = NewType("Direction", int)
"""From a point to one next to it, as the distance of their bits."""

FILES = "abcdefghij"
ROWS = range(10, 0, -1)
WIDTH = len(FILES) + 1

NOWHERE = Points(0)
POINTS = tuple(Spot(SpotKind.CROSSING, row, file=file) for row in ROWS for file in FILES)
OFF = MappingProxyType({side: Spot(SpotKind.OFF, side=side) for side in Side})

POINT: Mapping[Spot, Points] = MappingProxyType(
    {spot: Points(1 << (i // 10 * WIDTH + i % 10)) for i, spot in enumerate(POINTS)}
)
SPOT: Mapping[int, Spot] = MappingProxyType({point: spot for spot, point in POINT.items()})
BOARD = Points(sum(POINT.values()))

LEFT, RIGHT, UP, DOWN = Direction(-1), Direction(1), Direction(-WIDTH), Direction(WIDTH)
SIDEWAYS = (LEFT, RIGHT)
FORWARD: Mapping[Side, tuple[Direction, ...]] = MappingProxyType(
    {
        Side.WHITE: tuple(Direction(DOWN + aside) for aside in (LEFT, 0, RIGHT)),
        Side.BLACK: tuple(Direction(UP + aside) for aside in (LEFT, 0, RIGHT)),
    }
)
BACK: Mapping[Side, tuple[Direction, ...]] = MappingProxyType(
    {side: FORWARD[side.other] for side in Side}
)
AROUND = (*FORWARD[Side.BLACK], *SIDEWAYS, *FORWARD[Side.WHITE])

TOWN_POINTS: Mapping[Side, Points] = MappingProxyType(
    {
        Side.WHITE: Points(
            sum(POINT[Spot(SpotKind.CROSSING, 10, file=file)] for file in FILES[1:-1])
        ),
        Side.BLACK: Points(
            sum(POINT[Spot(SpotKind.CROSSING, 1, file=file)] for file in FILES[1:-1])
        ),
    }
)
"""Where each side may place its town: its back row without the corners."""


def shift(points: int, step: int) -> int:
    """Every point of the set moved by a step; some may now lie off the board."""
    return points << step if step > 0 else points >> -step


def each(points: int) -> Iterator[Points]:
    """The points of a set one by one, from a10 to j1."""
    while points:
        point = points & -points
        yield Points(point)
        points ^= point


def beside(points: int) -> int:
    """Every point next to one of the set, and perhaps some off the board."""
    row = points | points << 1 | points >> 1
    return row << WIDTH | row >> WIDTH | points << 1 | points >> 1


def ray(point: Points, step: Direction) -> Iterator[Points]:
    """The points beyond `point` in one direction, the nearest first, to the board's edge."""
    beyond = shift(point, step) & BOARD
    while beyond:
        yield Points(beyond)
        beyond = shift(beyond, step) & BOARD


def course(origin: Points, target: Points) -> tuple[Direction, int] | None:
    """The step and how often it leads from one point to another; None when no line joins them."""
    row, column = divmod(origin.bit_length() - 1, WIDTH)
    far_row, far_column = divmod(target.bit_length() - 1, WIDTH)
    down, right = far_row - row, far_column - column
    distance = max(abs(down), abs(right))
    if distance == 0 or not {abs(down), abs(right)} <= {0, distance}:
        return None
    return Direction((down * DOWN + right * RIGHT) // distance), distance


def names(points: int) -> Listing:
    """The points of a set as people list them: "b4, b5 and b6"."""
    return listed(SPOT[point] for point in each(points))
