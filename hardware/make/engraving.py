"""The engraving of a board: a ring for every checker, points as triangles, crossings as a grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import asin, atan, cos, hypot, sin

from hardware.make.places import across, places_of, step, trays
from hardware.make.shapes import Circle, DrawnShape, Layer, Path, PointMm, box, line
from hardware.make.strokes import engraved, knows
from pi_app.rules.terms import SpotKind
from pi_app.sensing.description import Board, Place

DIGITS_MM, LETTERS_MM = 5.0, 3.5
ARC_STEPS = 12
"""Corners of the filled area's edge along each ring."""
TRIANGLE_REACH = 0.44
"""How far a point's triangle reaches over the board, as a share of its height."""


def engraving(board: Board) -> Iterator[DrawnShape]:
    """Everything a board shows, in the board's own millimetres."""
    felt = [place for place in board.places if place.reeds]
    crossings = {place.at: place for place in felt if _crossing(place)}
    if crossings:
        yield from _grid(list(crossings.values()), board.spot_diameter / 2)
    for place in felt:
        if _crossing(place):
            yield from _rings(board, place)
        elif len(place.reeds) > 1 and place.spot.kind is SpotKind.POINT:
            yield from _point(board, place)
        else:
            yield from _single(board, place)
    for place, size in trays(board):
        yield box(Layer.ENGRAVE, place.at, size)


def _crossing(place: Place) -> bool:
    return place.spot.kind is SpotKind.CROSSING


def _rings(board: Board, place: Place) -> Iterator[DrawnShape]:
    """Yield a ring for each checker of a spot."""
    for at in places_of(place):
        yield Circle(Layer.ENGRAVE, at, board.spot_diameter / 2)


def _single(board: Board, place: Place) -> Iterator[DrawnShape]:
    """Yield a single spot's ring, or the rings of a bar, with the number above."""
    yield from _rings(board, place)
    if knows(str(place.spot)):
        above = board.spot_diameter / 2 + 2 * DIGITS_MM / 1.5
        yield from engraved(str(place.spot), (place.at[0], place.at[1] + above), DIGITS_MM)


def _point(board: Board, place: Place) -> Iterator[DrawnShape]:
    """Draw a point: a triangle from the rail inwards, every second one filled, with its number at
    the rail.

    The triangle leaves out the insides of the rings, where checkers stand, so that the rings stay
    visible.
    """
    at = places_of(place)
    length = hypot(at[-1][0] - at[0][0], at[-1][1] - at[0][1])
    inwards = ((at[-1][0] - at[0][0]) / length, (at[-1][1] - at[0][1]) / length)
    half = board.spot_diameter / 2
    base = step(at[0], inwards, -half - 1)
    high = max(length + board.spot_diameter, TRIANGLE_REACH * board.size[1])
    side = across(inwards)
    layer = Layer.ENGRAVE if place.spot.number % 2 else Layer.FILL
    middles = [half + 1 + hypot(x - at[0][0], y - at[0][1]) for x, y in at]
    for outline in _around(middles, half, high):
        points = tuple(step(step(base, side, x), inwards, y) for x, y in outline)
        yield Path(layer, points, closed=True)
    yield from _rings(board, place)
    number_at = step(base, inwards, -1.2 * DIGITS_MM)
    yield from engraved(str(place.spot), number_at, DIGITS_MM, turned=inwards[1] < 0)


def _around(middles: Sequence[float], half: float, high: float) -> Iterator[list[PointMm]]:
    """Yield the outlines of a triangle's parts below, between and above its rings, as (aside,
    upwards) in mm."""
    edge = [(0.0, 0.0), (half, 0.0)]
    for middle in middles:
        yield _both([*edge, *reversed(_arc(middle, half, high, -1))])
        edge = _arc(middle, half, high, 1)
    if edge:
        yield _both([*edge, (0.0, high)])


def _both(right: Sequence[PointMm]) -> list[PointMm]:
    """Complete an outline from its right half."""
    return [*right, *((-x, y) for x, y in reversed(right) if x)]


def _arc(middle: float, half: float, high: float, way: int) -> list[PointMm]:
    """Return the part of a ring's upper (1) or lower (-1) edge between its middle line and the
    triangle's right side; empty if the ring contains the tip."""
    slope = half / high
    most = asin((1 - middle / high) / hypot(1, slope)) - way * atan(slope)
    if most <= 0:
        return []
    turns = [most * number / ARC_STEPS for number in range(ARC_STEPS + 1)]
    return [(half * sin(turn), middle + way * half * cos(turn)) for turn in turns]


def _grid(places: Sequence[Place], ring: float) -> Iterator[DrawnShape]:
    """Draw lines through all crossings, with letters and numbers at two edges."""
    xs = sorted({place.at[0] for place in places})
    ys = sorted({place.at[1] for place in places})
    for x in xs:
        yield line(Layer.ENGRAVE, (x, ys[0]), (x, ys[-1]))
    for y in ys:
        yield line(Layer.ENGRAVE, (xs[0], y), (xs[-1], y))
    for place in places:
        (x, y), letter = place.at, place.spot.file
        if y == ys[0] and knows(letter):
            yield from engraved(letter, (x, y - ring - LETTERS_MM / 2 - 0.7), LETTERS_MM)
        if x == xs[0]:
            yield from engraved(str(place.spot.number), (x - ring - DIGITS_MM, y), DIGITS_MM)


def centre_marks(at: PointMm, size: float = 2.0) -> Iterator[DrawnShape]:
    """A small cross for a drill's tip."""
    x, y = at
    yield line(Layer.MARK, (x - size, y), (x + size, y))
    yield line(Layer.MARK, (x, y - size), (x, y + size))
