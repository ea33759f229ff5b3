"""A template as two files, for paper and for a machine; and its pieces as solids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hardware.make import paper
from hardware.make.dimensions import dimensions
from hardware.make.dxf import to_dxf
from hardware.make.files import MadeFile
from hardware.make.parts import Measures
from hardware.make.shapes import DrawnShape, PointMm
from hardware.make.solid import to_stl
from hardware.make.step import to_step
from hardware.make.svg import to_svg


def sheet(
    name: str, title: str, size: PointMm, shapes: tuple[DrawnShape, ...], measures: Measures
) -> Iterator[tuple[str, MadeFile]]:
    """Return a sheet as SVG and DXF, with the dimensions of the finished pieces."""
    measured = tuple(dimensions(size, shapes))
    yield f"{name}.svg", to_svg(paper.on_paper(title, size, (*shapes, *measured)))
    yield f"{name}.dxf", to_dxf(paper.as_cut(title, size, (*shapes, *measured), measures.kerf))


def solids(
    name: str, title: str, shapes: Sequence[DrawnShape], thick: float
) -> Iterator[tuple[str, MadeFile]]:
    """Return the pieces as solids, for a 3D printer (STL) and for a CAD program (STEP)."""
    yield f"{name}.stl", to_stl(title, shapes, thick)
    yield f"{name}.step", to_step(title, shapes, thick)
