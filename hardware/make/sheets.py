"""A template as two files: for paper, and for a machine."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make import paper
from hardware.make.dimensions import dimensions
from hardware.make.dxf import to_dxf
from hardware.make.files import MadeFile
from hardware.make.parts import Measures
from hardware.make.shapes import DrawnShape, PointMm
from hardware.make.svg import to_svg


def sheet(
    name: str, title: str, size: PointMm, shapes: tuple[DrawnShape, ...], measures: Measures
) -> Iterator[tuple[str, MadeFile]]:
    """Both with all dimensions, which are those of the finished pieces."""
    measured = tuple(dimensions(size, shapes))
    yield f"{name}.svg", to_svg(paper.on_paper(title, size, (*shapes, *measured)))
    yield f"{name}.dxf", to_dxf(paper.as_cut(title, size, (*shapes, *measured), measures.kerf))
