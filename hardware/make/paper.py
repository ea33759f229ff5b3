"""Sheets of paper: a template put on the smallest one that holds it, with a scale bar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hardware.make.kerf import worked
from hardware.make.shapes import (
    Anchor,
    DrawnShape,
    Layer,
    Lettering,
    Paper,
    PointMm,
    frame,
    line,
    moved,
)
from hardware.make.svg import number

SIZES = (("A4", (297.0, 210.0)), ("A3", (420.0, 297.0)), ("A2", (594.0, 420.0)))
LARGER = (("A1", (841.0, 594.0)), ("A0", (1189.0, 841.0)))
MARGIN_MM, STRIP_MM = 10.0, 18.0
"""Free on every side, and the strip below the drawing for its title and scale bar."""
SCALE_MM = 100.0


def paper_for(size: PointMm) -> tuple[str, PointMm]:
    """The smallest sheet, lying, that holds a template of this size; an own one if none does."""
    needed = (size[0] + 2 * MARGIN_MM, size[1] + 2 * MARGIN_MM + STRIP_MM)
    for name, paper in (*SIZES, *LARGER):
        if needed[0] <= paper[0] and needed[1] <= paper[1]:
            return name, paper
    return "own size", needed


def origin(size: PointMm) -> PointMm:
    """Where on its paper a template's own corner lies."""
    paper = paper_for(size)[1]
    return ((paper[0] - size[0]) / 2, (paper[1] + STRIP_MM - size[1]) / 2)


def on_paper(title: str, size: PointMm, shapes: Iterable[DrawnShape]) -> Paper:
    """A template of a size in mm at true scale in the middle of its paper."""
    name, paper = paper_for(size)
    return framed(title, name, paper, moved(shapes, origin(size)))


def framed(title: str, name: str, paper: PointMm, shapes: Iterable[DrawnShape]) -> Paper:
    """Shapes that already lie on their paper, with its title, its scale bar and its frame."""
    return Paper(title, paper, (*shapes, *_strip(title, name, paper)))


def as_cut(title: str, size: PointMm, shapes: Iterable[DrawnShape], kerf: float) -> Paper:
    """The same template for a machine: the board's own corner is (0, 0), the beam allowed for."""
    return Paper(title, size, tuple(worked(shapes, kerf)))


def _strip(title: str, name: str, paper: PointMm) -> Iterator[DrawnShape]:
    left, low = MARGIN_MM, 8.0
    yield line(Layer.MARK, (left, low), (left + SCALE_MM, low))
    for tick in range(11):
        x = left + tick * SCALE_MM / 10
        yield line(Layer.MARK, (x, low), (x, low + (3 if tick % 5 == 0 else 1.5)))
    for tick, word in ((0, "0"), (5, "50"), (10, "100 mm")):
        at = (left + tick * SCALE_MM / 10, low - 4)
        yield Lettering(Layer.MARK, at, word, 3, Anchor.MIDDLE if tick < 10 else Anchor.START)
    yield Lettering(Layer.MARK, (left + SCALE_MM + 24, low + 3), title, 4, bold=True)
    said = f"{name}, {number(paper[0])} × {number(paper[1])} mm. True scale: print at 100 %,"
    yield Lettering(
        Layer.MARK, (left + SCALE_MM + 24, low - 3), f"{said} then measure the scale bar.", 3
    )
    yield frame(Layer.MARK, (2, 2), (paper[0] - 4, paper[1] - 4))
