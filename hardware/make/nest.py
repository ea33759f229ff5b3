"""Many pieces on one sheet that a machine can take: plain shelves, and checkers in rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, sqrt

from hardware.make.common import TOP_SHARE
from hardware.make.labels import Taken
from hardware.make.parts import Measures
from hardware.make.places import checkers
from hardware.make.shapes import (
    Anchor,
    Circle,
    DrawnShape,
    Layer,
    Lettering,
    PointMm,
    frame,
    line,
    moved,
)
from hardware.make.solid import ring
from pi_app.sensing.description import Board

GAP_MM, RIM_MM = 3.0, 5.0
"""Between pieces, and to the sheet's edge."""
ROW_MM = 400.0
"""Rows are not longer than this, or the longest piece: the sheet is printed on paper too."""
NAME_MM = 4.0


@dataclass(frozen=True, slots=True)
class CutPart:
    """A piece to be cut, its lower left corner at (0, 0), and its name."""

    name: str
    size: PointMm
    shapes: tuple[DrawnShape, ...]


@dataclass(frozen=True, slots=True)
class CutSheet:
    """A sheet of material with everything that is cut from it."""

    size: PointMm
    shapes: tuple[DrawnShape, ...]


def on_sheet(pieces: Sequence[CutPart], bed: PointMm) -> CutSheet:
    """The pieces in rows from below, the widest first.

    Raises ValueError if the bed is too small.
    """
    limit = min(bed[0], max(ROW_MM, 2 * RIM_MM + max(piece.size[0] for piece in pieces)))
    shapes: list[DrawnShape] = []
    x, y, row_high, widest = RIM_MM, RIM_MM, 0.0, 0.0
    for piece in sorted(pieces, key=lambda piece: -piece.size[0]):
        wide, high = piece.size
        if x > RIM_MM and x + wide + RIM_MM > limit:
            x, y, row_high = RIM_MM, y + row_high + GAP_MM, 0.0
        shapes += moved(piece.shapes, (x, y))
        shapes.append(_name(piece, (x, y)))
        x, row_high = x + wide + GAP_MM, max(row_high, high)
        widest = max(widest, x - GAP_MM + RIM_MM)
        if widest > bed[0] or y + row_high + RIM_MM > bed[1]:
            raise ValueError(
                f"{piece.name!r} goes beyond a bed of {bed[0]:g} × {bed[1]:g} mm; "
                "set bed in parts.toml"
            )
    return CutSheet((widest, y + row_high + RIM_MM), tuple(shapes))


def _name(piece: CutPart, corner: PointMm) -> DrawnShape:
    """Engrave a piece's name in its middle, or where it crosses no line of the piece."""
    wide, high = piece.size
    size = round(min(NAME_MM, high / 4.5, wide / len(piece.name)), 1)
    outlines = [
        line(shape.layer, *ring(shape, 1), ring(shape, 1)[0])
        if isinstance(shape, Circle)
        else shape
        for shape in piece.shapes
    ]
    names = [
        Lettering(Layer.MARK, (x * wide, y * high - size / 3), piece.name, size, Anchor.MIDDLE)
        for x, y in product((1 / 2, 1 / 4, 3 / 4), (1 / 2, 1 / 3, 2 / 3))
    ]
    return next(moved([Taken(outlines).first_free(names)], corner))


def checker_sheet(board: Board, measures: Measures) -> CutSheet:
    """All layers of all of a board's checkers; raises ValueError if the bed is too small."""
    radius = (board.spot_diameter - measures.checker_gap) / 2
    pitch = 2 * radius + GAP_MM - 1
    count = measures.checker_layers * checkers(board)
    columns = min(
        int((measures.bed[0] - 2 * RIM_MM) / pitch),
        ceil(sqrt(count * measures.bed[0] / measures.bed[1])),
    )
    rows = ceil(count / columns)
    size = (columns * pitch + 2 * RIM_MM, rows * pitch + 2 * RIM_MM)
    if size[1] > measures.bed[1]:
        raise ValueError(
            f"{count} discs of {2 * radius:g} mm need {size[1]:g} mm; set bed in parts.toml"
        )
    return CutSheet(
        size, tuple(_discs(count, columns, radius, pitch, measures, checkers(board), size))
    )


def _discs(
    count: int,
    columns: int,
    radius: float,
    pitch: float,
    measures: Measures,
    rings: int,
    size: PointMm,
) -> Iterator[DrawnShape]:
    pocket = (measures.magnet[0] + measures.magnet_play) / 2
    for number in range(count):
        row, column = divmod(number, columns)
        at = (RIM_MM + (column + 0.5) * pitch, RIM_MM + (row + 0.5) * pitch)
        yield Circle(Layer.CUT, at, radius)
        if number < rings:
            yield Circle(Layer.HOLE, at, pocket)
        elif number < 2 * rings:
            yield Circle(Layer.ENGRAVE, at, TOP_SHARE * radius)
    yield frame(Layer.MARK, (0.0, 0.0), size)
