"""The post below the middle of a large board, where no reed, wire, strip or ribbon is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product
from math import dist, hypot
from typing import TypeAlias

from hardware.make.engraving import centre_marks
from hardware.make.frame import POST_MM
from hardware.make.parts import Measures
from hardware.make.pcb.below import ribbons
from hardware.make.pcb.design import StripDesign
from hardware.make.places import lies, lights, screws
from hardware.make.routes import column_tap, routes, row_tap
from hardware.make.shapes import DrawnShape, Layer, PointMm, box
from pi_app.sensing.description import Board

FREE_MM = 1.0
"""So far from everything else."""
SEARCH_MM = 60
"""It stands at most so far from the middle of the board."""
RIBBON_MM = 1.27
SPAN_MM = 300.0
"""Sheets that lie free over more than this both ways sag under a hand."""
Obstacle: TypeAlias = tuple[PointMm, PointMm, float]
"""Something below the carrier as a line, and half its width."""


def support(
    board: Board, measures: Measures, designs: Sequence[StripDesign] = ()
) -> PointMm | None:
    """Where the post stands below a board with reeds; None if it needs none, or has no room."""
    return free_spot(board, _taken(board, measures, designs))


def sags(board: Board) -> bool:
    """Whether its sheets need a post below their middle."""
    return min(board.size) > SPAN_MM


def free_spot(board: Board, below: Iterable[Obstacle]) -> PointMm | None:
    """Where a post stands clear of everything below a board; None if it needs none, or has no
    room."""
    middle = (board.size[0] / 2, board.size[1] / 2)
    if not sags(board):
        return None
    reach = range(-SEARCH_MM, SEARCH_MM + 1)
    tried = sorted(product(reach, reach), key=lambda away: (hypot(*away), away))
    taken = [
        (start, end, half)
        for start, end, half in below
        if _away(middle, start, end) < 2 * SEARCH_MM
    ]
    for x, y in tried:
        at = (middle[0] + x, middle[1] + y)
        if all(_away(at, start, end) >= POST_MM / 2 + half + FREE_MM for start, end, half in taken):
            return at
    return None


def marked(at: PointMm | None) -> Iterator[DrawnShape]:
    """Draw where the post meets the carrier."""
    if at is not None:
        yield box(Layer.ENGRAVE, at, (POST_MM, POST_MM))
        yield from centre_marks(at)


def _taken(board: Board, measures: Measures, designs: Sequence[StripDesign]) -> Iterator[Obstacle]:
    runs = routes(board, measures)
    named = (*runs.rows.values(), *runs.columns.values())
    for run in (
        *(run for some in named for run in some),
        *(*runs.ground, *runs.singles, *runs.lights),
        *(*runs.row_exits.values(), *runs.column_exits.values()),
    ):
        yield from ((*ends, 1.0) for ends in pairwise(run))
    for lie in lies(board, measures):
        yield lie.near, lie.far, measures.slot[1] / 2
        yield lie.far, row_tap(lie), 2.0
        yield lie.near, column_tap(lie), 1.0
    holes = (*screws(board, measures), *(at for _, at in lights(board, measures)))
    yield from ((at, at, measures.screw) for at in holes)
    for design in designs:
        left, low, right, high = design.laid.outline
        for strip in design.strips:
            start, end = (strip.on_board((x, (low + high) / 2)) for x in (left, right))
            yield start, end, (high - low) / 2
    for ribbon in ribbons(designs):
        half = ribbon.design.laid.pins * RIBBON_MM / 2
        yield from ((*ends, half) for ends in pairwise(ribbon.headers))


def _away(at: PointMm, start: PointMm, end: PointMm) -> float:
    """From a point to a line between two others."""
    way = (end[0] - start[0], end[1] - start[1])
    length = way[0] ** 2 + way[1] ** 2
    along = (at[0] - start[0]) * way[0] + (at[1] - start[1]) * way[1]
    share = min(1.0, max(0.0, along / length)) if length else 0.0
    return dist(at, (start[0] + share * way[0], start[1] + share * way[1]))
