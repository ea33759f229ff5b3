"""The engraving of a board: points as triangles, crossings as a grid, spots as rings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot

from hardware.make.places import across, step, trays
from hardware.make.shapes import Circle, DrawnShape, Layer, Path, PointMm, box, line
from hardware.make.strokes import engraved, knows
from pi_app.rules.terms import SpotKind
from pi_app.sensing.description import Board, Place

DIGITS_MM = 5.0
CENTRE_RING_MM = 2.0
TRIANGLE_REACH = 0.44
"""How far a point's triangle reaches over the board, as a share of its height."""


def engraving(board: Board) -> Iterator[DrawnShape]:
    """Everything a board shows, in the board's own millimetres."""
    felt = [place for place in board.places if place.reeds]
    crossings = {place.at: place for place in felt if _crossing(place)}
    if crossings:
        yield from _grid(list(crossings.values()))
    for place in felt:
        if _crossing(place):
            continue
        if len(place.reeds) > 1 and place.spot.kind is SpotKind.POINT:
            yield from _point(board, place)
        else:
            yield from _rings(board, place)
    for place, size in trays(board):
        yield box(Layer.ENGRAVE, place.at, size)


def _crossing(place: Place) -> bool:
    return place.spot.kind is SpotKind.CROSSING


def _rings(board: Board, place: Place) -> Iterator[DrawnShape]:
    """A ring a checker; the number of a single spot stands above it."""
    for reed in place.reeds:
        yield Circle(Layer.ENGRAVE, reed.at, board.spot_diameter / 2)
    if knows(str(place.spot)):
        above = board.spot_diameter / 2 + 2 * DIGITS_MM / 1.5
        yield from engraved(str(place.spot), (place.at[0], place.at[1] + above), DIGITS_MM)


def _point(board: Board, place: Place) -> Iterator[DrawnShape]:
    """A triangle from the rail inwards, its number at the rail, a small ring under each checker."""
    first, last = place.reeds[0].at, place.reeds[-1].at
    length = hypot(last[0] - first[0], last[1] - first[1])
    inwards = ((last[0] - first[0]) / length, (last[1] - first[1]) / length)
    half = board.spot_diameter / 2
    base = step(first, inwards, -half - 1)
    tip = step(base, inwards, max(length + board.spot_diameter, TRIANGLE_REACH * board.size[1]))
    side = across(inwards)
    corners = (step(base, side, -half), step(base, side, half), tip)
    filled = place.spot.number % 2 == 0
    if filled:
        yield Path(Layer.FILL, corners, closed=True)
    yield Path(Layer.ENGRAVE, corners, closed=True)
    for reed in place.reeds:
        yield Circle(Layer.ENGRAVE, reed.at, CENTRE_RING_MM)
    number_at = step(base, inwards, -1.2 * DIGITS_MM)
    yield from engraved(str(place.spot), number_at, DIGITS_MM, turned=inwards[1] < 0)


def _grid(places: Sequence[Place]) -> Iterator[DrawnShape]:
    """Lines through all crossing points, a ring on each, letters and numbers at two edges."""
    xs = sorted({place.at[0] for place in places})
    ys = sorted({place.at[1] for place in places})
    for x in xs:
        yield line(Layer.ENGRAVE, (x, ys[0]), (x, ys[-1]))
    for y in ys:
        yield line(Layer.ENGRAVE, (xs[0], y), (xs[-1], y))
    for place in places:
        yield Circle(Layer.ENGRAVE, place.at, CENTRE_RING_MM)
    yield from _grid_words(places, xs[0], ys[0])


def _grid_words(places: Sequence[Place], left: float, bottom: float) -> Iterator[DrawnShape]:
    margin = 16.0
    for place in places:
        letter, number = place.spot.file, str(place.spot.number)
        if place.at[1] == bottom and knows(letter):
            yield from engraved(letter, (place.at[0], bottom - margin), DIGITS_MM)
        if place.at[0] == left:
            yield from engraved(number, (left - margin, place.at[1]), DIGITS_MM)


def centre_marks(at: PointMm, size: float = 2.0) -> Iterator[DrawnShape]:
    """A small cross for a drill's tip."""
    x, y = at
    yield line(Layer.MARK, (x - size, y), (x + size, y))
    yield line(Layer.MARK, (x, y - size), (x, y + size))
