"""The two sheets of a board: the top with its engraving, and the carrier with its slots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hardware.make.engraving import centre_marks, engraving
from hardware.make.labels import Taken
from hardware.make.parts import Measures
from hardware.make.places import Lie, across, lies, lights, screws, step
from hardware.make.shapes import (
    Circle,
    DrawnShape,
    Layer,
    box,
    frame,
    line,
    mirrored,
)
from hardware.make.strokes import ADVANCE, HEIGHT, NAMES, engraved
from pi_app.sensing.description import Board

NAME_MM = 3.0
"""How high a reed's name is engraved."""


def top(board: Board, measures: Measures) -> tuple[DrawnShape, ...]:
    """The sheet that the checkers stand on, in the board's own millimetres."""
    return (*engraving(board), *_holes(board, measures, measures.light), _outline(board))


def carrier(
    board: Board, measures: Measures, more: Iterable[DrawnShape] = ()
) -> tuple[DrawnShape, ...]:
    """Draw the carrier as it is worked, from below: a slot for each reed with its name. `more` are
    further holes, in the board's own millimetres."""
    all_lies = lies(board, measures)
    shapes = [
        *(box(Layer.HOLE, lie.middle, measures.slot, lie.along) for lie in all_lies),
        *_holes(board, measures, measures.light_flange),
        *more,
        _outline(board),
    ]
    marks = [mark for lie in all_lies for mark in _marks(lie)]
    turned = tuple(mirrored(shapes, board.size[0]))
    taken = Taken(turned)
    names = [path for lie in all_lies for path in _name(lie, board.size[0], measures, taken)]
    return (*turned, *mirrored(marks, board.size[0]), *names)


def _outline(board: Board) -> DrawnShape:
    return frame(Layer.CUT, (0.0, 0.0), board.size)


def _holes(board: Board, measures: Measures, light: float) -> Iterator[DrawnShape]:
    for at in screws(board, measures):
        yield Circle(Layer.HOLE, at, measures.screw / 2)
    for _, at in lights(board, measures):
        yield Circle(Layer.HOLE, at, light / 2)


def _marks(lie: Lie) -> Iterator[DrawnShape]:
    """Draw a cross under the checker's middle and a line from there to the reed's middle."""
    yield from centre_marks(lie.reed.at)
    yield line(Layer.MARK, lie.reed.at, lie.middle)


def _name(lie: Lie, width: float, measures: Measures, taken: Taken) -> Iterator[DrawnShape]:
    """A reed's name beside its slot, engraved, to be read from below; where no hole is."""
    words = lie.reed.name
    long = len(words) * ADVANCE / HEIGHT * NAME_MM
    away = measures.slot[0] / 2 + NAME_MM
    beside = measures.slot[1] / 2 + long / 2 + 2
    middle = (width - lie.middle[0], lie.middle[1])
    along = (-lie.along[0], lie.along[1])
    side = across(along)
    places = [
        *(step(middle, along, way * away) for way in (-1, 1)),
        *(step(middle, side, way * beside) for way in (-1, 1)),
        *(step(step(middle, side, way * beside), along, 6.0) for way in (-1, 1)),
    ]
    half = (long / 2, NAME_MM / 2)
    areas = [(x - half[0], y - half[1], x + half[0], y + half[1]) for x, y in places]
    at = places[taken.choose(areas)]
    if all(letter in NAMES for letter in words):
        yield from engraved(words, at, NAME_MM, glyphs=NAMES)
