"""What a drawing is made of: lines, circles, paths and words in millimetres, y upwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from math import hypot
from typing import TypeAlias

PointMm: TypeAlias = tuple[float, float]
_Mapping: TypeAlias = Callable[[PointMm], PointMm]


DIMENSION_MM = 1.8
"""The height of a dimension's figures."""


class Layer(Enum):
    """What a shape is for; the first four are what a machine works, in this order."""

    ENGRAVE = "engrave"
    FILL = "fill"
    HOLE = "hole"
    CUT = "cut"
    MARK = "mark"
    WIRE = "wire"
    ROW = "row"
    COLUMN = "column"
    GROUND = "ground"
    BODY = "body"
    GLASS = "glass"
    WORDS = "words"
    DANGER = "danger"
    FAINT = "faint"
    DIMENSION = "dimension"


class Anchor(Enum):
    """Which part of a word stands at its point."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle of a radius around a centre."""

    layer: Layer
    centre: PointMm
    radius: float


@dataclass(frozen=True, slots=True)
class Path:
    """Straight lines from point to point, and back to the first if closed."""

    layer: Layer
    points: tuple[PointMm, ...]
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Lettering:
    """A word or a line of them, `size` mm high; `upright` stands along the y axis."""

    layer: Layer
    at: PointMm
    words: str
    size: float
    anchor: Anchor = Anchor.START
    upright: bool = False
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Dimension:
    """The distance between two points along one axis, `words` before it; its line is level at the
    height `at`, or upright at that place.
    """

    start: PointMm
    end: PointMm
    at: float
    upright: bool = False
    words: str = ""
    layer: Layer = Layer.DIMENSION


DrawnShape: TypeAlias = Circle | Path | Lettering | Dimension


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper, its size in mm, and what is drawn on it; (0, 0) is its lower left."""

    title: str
    size: PointMm
    shapes: tuple[DrawnShape, ...]


def line(layer: Layer, *points: PointMm) -> Path:
    """An open path."""
    return Path(layer, points)


def box(layer: Layer, centre: PointMm, size: PointMm, along: PointMm = (1.0, 0.0)) -> Path:
    """A closed rectangle around a centre, its width lying along a direction."""
    length = hypot(*along)
    ux, uy = along[0] / length, along[1] / length
    half_w, half_h = size[0] / 2, size[1] / 2
    corners = ((-half_w, -half_h), (half_w, -half_h), (half_w, half_h), (-half_w, half_h))
    return Path(
        layer,
        tuple((centre[0] + ux * x - uy * y, centre[1] + uy * x + ux * y) for x, y in corners),
        closed=True,
    )


def frame(layer: Layer, corner: PointMm, size: PointMm) -> Path:
    """A closed upright rectangle from its lower left corner."""
    return box(layer, (corner[0] + size[0] / 2, corner[1] + size[1] / 2), size)


def moved(shapes: Iterable[DrawnShape], by: PointMm) -> Iterator[DrawnShape]:
    """The same shapes elsewhere."""
    return _mapped(shapes, lambda at: (at[0] + by[0], at[1] + by[1]))


def mirrored(shapes: Iterable[DrawnShape], width: float) -> Iterator[DrawnShape]:
    """The same shapes as seen from below a board of this width; words stay readable."""
    return _mapped(shapes, lambda at: (width - at[0], at[1]))


def _mapped(shapes: Iterable[DrawnShape], to: _Mapping) -> Iterator[DrawnShape]:
    for shape in shapes:
        match shape:
            case Circle():
                yield replace(shape, centre=to(shape.centre))
            case Path():
                yield replace(shape, points=tuple(map(to, shape.points)))
            case Lettering():
                yield replace(shape, at=to(shape.at))
            case Dimension(start=start, end=end, at=at):
                axis = 0 if shape.upright else 1
                line = (at, start[1]) if shape.upright else (start[0], at)
                yield replace(shape, start=to(start), end=to(end), at=to(line)[axis])
