"""The files of all that is cut for a board: sheets, panel, coupon, checkers and frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hardware.make import frame, nest, panel, template, tiles
from hardware.make.files import MadeFile
from hardware.make.nest import CutSheet
from hardware.make.parts import Measures
from hardware.make.shapes import DrawnShape
from hardware.make.sheets import sheet, solids
from hardware.make.svg import to_svg
from pi_app.sensing.description import Board


def template_files(
    board: Board, measures: Measures, carrier: Sequence[DrawnShape], coupon: CutSheet, post: bool
) -> Iterator[tuple[str, MadeFile]]:
    """Return the template files by name, with a post below the middle or without; a large board has
    A3 tiles."""
    shelf = board.scanner is not None
    yield "frame-section.svg", to_svg(frame.section(measures, shelf))
    front = CutSheet(panel.panel_size(measures), panel.panel(board, measures))
    sides = frame.board_frame(board.size, measures, shelf, post)
    yield from solids("frame", f"{board.name}: frame", sides.shapes, measures.frame)
    yield from solids("panel", f"{board.name}: panel", front.shapes, measures.panel)
    large = {
        "top": ("top sheet", CutSheet(board.size, template.top(board, measures))),
        "carrier": ("carrier, from below", CutSheet(board.size, tuple(carrier))),
    }
    others = {
        "panel": ("front panel", front),
        "coupon": ("coupon", coupon),
        "checkers": ("checkers", nest.checker_sheet(board, measures)),
        "frame": ("frame", sides),
    }
    for name, (title, cut) in {**large, **others}.items():
        yield from sheet(name, f"{board.name}: {title}", cut.size, cut.shapes, measures)
    for name, (title, cut) in large.items():
        for tile, drawing in tiles.tiles(f"{board.name}: {title}", board.size, cut.shapes):
            yield f"tiles/{name}-{tile}.svg", to_svg(drawing)
