"""The coupon: a first test with a board's reeds, wood and pitch before cutting hundreds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot

from hardware.make.engraving import centre_marks
from hardware.make.parts import Measures
from hardware.make.places import across, lies, step
from hardware.make.shapes import Circle, DrawnShape, Layer, PointMm, box, frame, moved
from hardware.make.strokes import NAMES, engraved
from hardware.make.svg import number
from pi_app.sensing.description import Board

STRIPS, STRIP, GAP_MM = 4, (190.0, 38.0), 2.0
"""The carrier with five slots, and three covers to lay over it; so far apart on the sheet."""
APART_MM, ROW_Y = 36.0, 16.0
STEPS_MM = (-2.0, -1.0, 0.0, 1.0, 2.0)
"""The offsets to test, relative to the board's."""
LEAST_OFFSET_MM = 1.0
RIM_MM = 4.0
ALONG = 0.9
"""A neighbour lies along a reed's axis if the cosine between them is at least this."""
REACH_MM = 60.0
"""Neighbours farther than this are not felt."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The next place that may close a reed: how far, and whether along the reed's axis."""

    apart: float
    along: bool


def offsets(board: Board, measures: Measures) -> tuple[float, ...]:
    """The offsets of the coupon's five slots, in mm; the middle one is the board's own."""
    own = hypot(*lies(board, measures)[0].reed.offset)
    return tuple(max(LEAST_OFFSET_MM, own + by) for by in STEPS_MM)


def neighbour(board: Board, measures: Measures) -> Neighbour:
    """The nearest place along some reed's axis, or the nearest of all if there is none. Raises
    ValueError for a board with one place."""
    found: list[Neighbour] = []
    all_lies = lies(board, measures)
    for lie in all_lies:
        for other in all_lies:
            way = (other.reed.at[0] - lie.reed.at[0], other.reed.at[1] - lie.reed.at[1])
            apart = hypot(*way)
            if apart:
                cosine = abs(way[0] * lie.along[0] + way[1] * lie.along[1]) / apart
                found.append(Neighbour(apart, cosine >= ALONG))
    if not found:
        raise ValueError(f"{board.name} has one place; a coupon needs a neighbour to try")
    near = [one for one in found if one.along and one.apart <= REACH_MM]
    return min(near or found, key=lambda one: one.apart)


def coupon_size(board: Board, measures: Measures) -> PointMm:
    """The sheet's width and height."""
    return (
        STRIP[0] + GAP_MM + _pair_size(board, measures)[0],
        STRIPS * (STRIP[1] + GAP_MM) - GAP_MM,
    )


def coupon(board: Board, measures: Measures) -> tuple[DrawnShape, ...]:
    """Draw the test piece: on the left five slots with different offsets and three covers, on the
    right two places with their cover."""
    shapes: list[DrawnShape] = []
    for strip in range(STRIPS):
        low = strip * (STRIP[1] + GAP_MM)
        shapes += moved(_strip(board, measures, cover=strip > 0), (0, low))
        shapes += _thickness(
            measures, cover=strip > 0, at=(STRIP[0] - RIM_MM, low + STRIP[1] - RIM_MM)
        )
    right = STRIP[0] + GAP_MM
    shapes += moved(_pair(board, measures, cover=False), (right, 0.0))
    high = _pair_size(board, measures)[1] + GAP_MM
    shapes += moved(_pair(board, measures, cover=True), (right, high))
    for cover in (False, True):
        low = high if cover else 0.0
        wide = _pair_size(board, measures)[0]
        at = (right + wide - RIM_MM, low + high - GAP_MM - RIM_MM)
        shapes += _thickness(measures, cover, at)
    return tuple(shapes)


def _thickness(measures: Measures, cover: bool, at: PointMm) -> Iterator[DrawnShape]:
    """Engrave a piece's thickness on it."""
    thick = measures.top if cover else measures.carrier
    yield from engraved(number(thick), at, 4, glyphs=NAMES)


def _strip(board: Board, measures: Measures, cover: bool) -> Iterator[DrawnShape]:
    yield frame(Layer.CUT, (0, 0), STRIP)
    for place, offset in enumerate(offsets(board, measures)):
        at = (board.spot_diameter / 2 + 9 + place * APART_MM, ROW_Y)
        if cover:
            yield from _target(at, board)
            continue
        yield box(Layer.HOLE, (at[0], at[1] + offset), measures.slot, (0, 1))
        yield from centre_marks(at)
        yield from engraved(number(offset), (at[0] + 11, at[1]), 5, glyphs=NAMES)


def _target(at: PointMm, board: Board) -> Iterator[DrawnShape]:
    """Draw where the checker stands on a cover."""
    yield Circle(Layer.ENGRAVE, at, board.spot_diameter / 2)
    yield Circle(Layer.ENGRAVE, at, 1)


def _pair_size(board: Board, measures: Measures) -> PointMm:
    """Return the size of a piece with two places and their slots."""
    radius, beyond = board.spot_diameter / 2, _reach(board, measures)
    apart = neighbour(board, measures)
    wide = apart.apart + radius + (beyond if apart.along else radius) + 2 * RIM_MM
    high = 2 * radius + 2 * RIM_MM if apart.along else radius + beyond + 2 * RIM_MM
    return (wide, high)


def _reach(board: Board, measures: Measures) -> float:
    """Return how far a slot or a checker extends from the middle of its place, in mm."""
    offset = offsets(board, measures)[len(STEPS_MM) // 2]
    return max(board.spot_diameter / 2, offset + measures.slot[0] / 2)


def _pair(board: Board, measures: Measures, cover: bool) -> Iterator[DrawnShape]:
    """Two places at the board's pitch, to test a checker on the neighbour."""
    apart = neighbour(board, measures)
    along = (1.0, 0.0) if apart.along else (0.0, 1.0)
    offset = offsets(board, measures)[len(STEPS_MM) // 2]
    first = (board.spot_diameter / 2 + RIM_MM, board.spot_diameter / 2 + RIM_MM)
    yield frame(Layer.CUT, (0, 0), _pair_size(board, measures))
    for which, at in enumerate((first, (first[0] + apart.apart, first[1])), start=1):
        if cover:
            yield from _target(at, board)
            continue
        yield box(Layer.HOLE, step(at, along, offset), measures.slot, along)
        yield from centre_marks(at)
        name_at = step(step(at, across(along), 9), along, -1)
        yield from engraved(str(which), name_at, 5)
