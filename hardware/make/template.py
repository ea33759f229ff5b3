"""The two sheets of a board: the top with its engraving, and the carrier with the reeds' slots."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make.engraving import centre_marks, engraving
from hardware.make.parts import Measures
from hardware.make.places import Lie, lies, lights, screws, step
from hardware.make.shapes import (
    Anchor,
    Circle,
    DrawnShape,
    Layer,
    Lettering,
    PointMm,
    box,
    frame,
    line,
)
from pi_app.sensing.description import Board


def top(board: Board, measures: Measures) -> tuple[DrawnShape, ...]:
    """The sheet that the checkers stand on, in the board's own millimetres."""
    return (*engraving(board), *_holes(board, measures), _outline(board))


def carrier(board: Board, measures: Measures) -> tuple[DrawnShape, ...]:
    """The sheet below it: a slot a reed, a cross under each checker's middle."""
    slots = [shape for lie in lies(board, measures) for shape in _slot(lie, measures)]
    return (*slots, *_holes(board, measures), _outline(board))


def _outline(board: Board) -> DrawnShape:
    return frame(Layer.CUT, (0.0, 0.0), board.size)


def _holes(board: Board, measures: Measures) -> Iterator[DrawnShape]:
    for at in screws(board, measures):
        yield Circle(Layer.HOLE, at, measures.screw / 2)
    for _, at in lights(board, measures):
        yield Circle(Layer.HOLE, at, measures.light / 2)


def _slot(lie: Lie, measures: Measures) -> Iterator[DrawnShape]:
    yield box(Layer.HOLE, lie.middle, measures.slot, lie.along)
    yield from centre_marks(lie.reed.at)
    yield line(Layer.MARK, lie.reed.at, lie.middle)
    yield Lettering(Layer.MARK, _name_at(lie), lie.reed.name, 2.4, Anchor.MIDDLE)


def _name_at(lie: Lie) -> PointMm:
    """Beside the slot's near end, away from the reed."""
    gap = 5.5 if lie.along[1] >= 0 else 3.5
    return step(lie.near, lie.along, -gap)
