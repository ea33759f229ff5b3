"""The shapes of a picture: immutable, in pixels, painted in order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import TypeAlias

from pi_app.screen.theme import BAND, Colour

Point: TypeAlias = tuple[int, int]
"""x to the right and y down, in pixels."""

Curve: TypeAlias = tuple[tuple[float, float], ...]
"""Points that may lie between pixels."""


class Align(Enum):
    """Horizontal alignment of a text; vertically it is centred."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in pixels; right and bottom are just outside it."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The first column beyond."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The first row beyond."""
        return self.y + self.h

    @property
    def centre(self) -> Point:
        return self.x + self.w // 2, self.y + self.h // 2

    def inset(self, across: int, down: int | None = None) -> Rect:
        """The rectangle without a margin on every side."""
        dy = across if down is None else down
        return Rect(self.x + across, self.y + dy, self.w - 2 * across, self.h - 2 * dy)

    def contains(self, x: int, y: int) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def holds(self, other: Rect) -> bool:
        """Whether it contains the other."""
        inside = self.x <= other.x and self.y <= other.y
        return inside and other.right <= self.right and other.bottom <= self.bottom

    def overlaps(self, other: Rect) -> bool:
        across = self.x < other.right and other.x < self.right
        return across and self.y < other.bottom and other.y < self.bottom

    def columns(self, shares: tuple[float, ...], gap: int) -> tuple[Rect, ...]:
        """Side by side, as wide as their shares, `gap` apart."""
        return tuple(
            Rect(self.x + start, self.y, length, self.h)
            for start, length in _cut(self.w, shares, gap)
        )

    def rows(self, shares: tuple[float, ...], gap: int) -> tuple[Rect, ...]:
        """One below the other, as high as their shares, `gap` apart."""
        return tuple(
            Rect(self.x, self.y + start, self.w, length)
            for start, length in _cut(self.h, shares, gap)
        )

    def grid(self, columns: int, rows: int, gap: int) -> tuple[Rect, ...]:
        """Equal cells, row by row."""
        lines = self.rows((1,) * rows, gap)
        return tuple(cell for line in lines for cell in line.columns((1,) * columns, gap))


def square_in(rect: Rect) -> Rect:
    side = min(rect.w, rect.h)
    return Rect(rect.x + (rect.w - side) // 2, rect.y + (rect.h - side) // 2, side, side)


def around(centre: Point, radius: int) -> Rect:
    """The square around a circle."""
    return Rect(centre[0] - radius, centre[1] - radius, 2 * radius, 2 * radius)


def _cut(length: int, shares: tuple[float, ...], gap: int) -> list[tuple[int, int]]:
    room, total = length - gap * (len(shares) - 1), sum(shares)
    ends = [round(room * sum(shares[:count]) / total) for count in range(len(shares) + 1)]
    return [(start + index * gap, end - start) for index, (start, end) in enumerate(pairwise(ends))]


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle with round corners and an edge inside its bounds, `edge_width` wide."""

    rect: Rect
    fill: Colour
    radius: int = 0
    edge: Colour | None = None
    edge_width: int = 0


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle; without a fill it is a ring.  The edge lies inside the radius."""

    centre: Point
    radius: int
    fill: Colour | None
    edge: Colour | None = None
    edge_width: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points, with round ends."""

    points: Curve
    colour: Colour
    width: int


@dataclass(frozen=True, slots=True)
class Poly:
    """A filled polygon."""

    points: Curve
    colour: Colour


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `rect` is what it covers as measured, `size` the font's in pixels."""

    rect: Rect
    text: str
    size: int
    colour: Colour
    bold: bool = False


Shape: TypeAlias = Box | Disc | Line | Poly | Text


def cross(centre: Point, reach: int, colour: Colour, width: int) -> tuple[Shape, ...]:
    """The mark of what is wrong, edged so that it stands out on any checker."""
    x, y = centre
    strokes = (
        ((x - reach, y - reach), (x + reach, y + reach)),
        ((x - reach, y + reach), (x + reach, y - reach)),
    )
    edge = max(2, width * 2 // 3)
    return (
        *(Line(stroke, BAND, width + 2 * edge) for stroke in strokes),
        *(Line(stroke, colour, width) for stroke in strokes),
    )


def dashes(start: Point, end: Point, length: int, colour: Colour, width: int) -> tuple[Shape, ...]:
    """A broken line, dashes and gaps of about this length."""
    count = max(3, round(math.dist(start, end) / length) | 1)

    def at(share: float) -> tuple[float, float]:
        return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share

    return tuple(
        Line((at(index / count), at((index + 1) / count)), colour, width)
        for index in range(0, count, 2)
    )


def broken_ring(centre: Point, radius: int, colour: Colour, width: int) -> tuple[Shape, ...]:
    """A circle of ten dashes."""
    (x, y), turn = centre, math.tau / 40

    def at(fortieth: int) -> tuple[float, float]:
        return x + radius * math.cos(fortieth * turn), y + radius * math.sin(fortieth * turn)

    return tuple(
        Line((at(start), at(start + 1), at(start + 2)), colour, width) for start in range(0, 40, 4)
    )


def arc(start: Point, end: Point, rise: int, done: float = 1.0) -> Curve:
    """A curve bent upwards by `rise` pixels, `done` (0 to 1) of the way."""
    steps = 24
    shown = max(2, round(steps * done))
    return tuple(_bow(start, end, rise, step / steps) for step in range(shown + 1))


def arrow(path: Curve, colour: Colour, width: int) -> tuple[Shape, ...]:
    """A curve with a head at its end, which points the way of the last steps."""
    (x1, y1), (x2, y2) = path[-3], path[-1]
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    head = 3.4 * width
    neck = (x2 - dx * head, y2 - dy * head)
    wing = (-dy * head * 0.62, dx * head * 0.62)
    tip = ((x2, y2), (neck[0] + wing[0], neck[1] + wing[1]), (neck[0] - wing[0], neck[1] - wing[1]))
    body = [p for p in path if math.hypot(p[0] - x2, p[1] - y2) > head] or [path[0]]
    return Line((*body, neck), colour, width), Poly(tip, colour)


def _bow(start: Point, end: Point, rise: int, share: float) -> tuple[float, float]:
    lift = 4 * rise * share * (1 - share)
    return (
        start[0] + (end[0] - start[0]) * share,
        start[1] + (end[1] - start[1]) * share - lift,
    )
