"""Which reeds share a strip: those of one line of the matrix, be it a row or a column.

A strip has a frame of its own, in mm: x runs along its places from the first, y to the right of
that as seen from below the game board, where the strip's front is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from math import hypot

from hardware.make.parts import Measures
from hardware.make.places import across, lie, step
from hardware.make.shapes import PointMm
from pi_app.sensing.description import Board, Cell, Reed

STRAIGHT_MM = 1.0
"""Places farther than this from their line are no strip's."""


class Axis(Enum):
    """The lines of the matrix that have a strip each; the others run from strip to strip."""

    ROW = "row"
    COLUMN = "column"


@dataclass(frozen=True, slots=True)
class ReedBed:
    """Where a reed lies on its strip: the place it feels, its middle, the direction from its near
    lead to its far one, and the line of the matrix that it shares with other strips.
    """

    shared: int
    place: PointMm
    middle: PointMm
    along: PointMm


@dataclass(frozen=True, slots=True)
class Strip:
    """One strip below a board: its own line, its reeds in the order of their beds, where its
    frame begins on the game board and which way that runs there.
    """

    own: int
    reeds: tuple[Reed, ...]
    start: PointMm
    along: PointMm

    def on_board(self, at: PointMm) -> PointMm:
        """A point of the frame, in the game board's own millimetres."""
        return step(step(self.start, self.along, at[0]), across(self.along), at[1])


@dataclass(frozen=True, slots=True)
class Alike:
    """The strips of one design, and the reeds of each."""

    beds: tuple[ReedBed, ...]
    strips: tuple[Strip, ...]


def alike(board: Board, measures: Measures, axis: Axis) -> tuple[Alike, ...]:
    """All strips of a board, by design; none where its lines are not straight."""
    found: dict[tuple[ReedBed, ...], list[Strip]] = {}
    for own, reeds in _lines(board, axis).items():
        strip = _strip(own, reeds)
        if strip is None:
            return ()
        beds = tuple(_beds(strip, measures, axis))
        if any(abs(bed.place[1]) > STRAIGHT_MM for bed in beds):
            return ()
        found.setdefault(beds, []).append(strip)
    return tuple(Alike(beds, tuple(strips)) for beds, strips in found.items())


def rows_of(board: Board) -> tuple[Strip, ...]:
    """A strip for each row of a board's matrix, in their order."""
    found = (_strip(own, reeds) for own, reeds in _lines(board, Axis.ROW).items())
    return tuple(strip for strip in found if strip is not None)


def common_start(names: Sequence[str]) -> str:
    """The letters that all begin with."""
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in same)


def _lines(board: Board, axis: Axis) -> Mapping[int, list[Reed]]:
    lines: dict[int, list[Reed]] = {}
    for reed in _reeds(board):
        if isinstance(reed.line, Cell):
            own = reed.line.row if axis is Axis.ROW else reed.line.column
            lines.setdefault(own, []).append(reed)
    return dict(sorted(lines.items()))


def _reeds(board: Board) -> Iterator[Reed]:
    return (reed for place in board.places for reed in place.reeds)


def _strip(own: int, reeds: list[Reed]) -> Strip | None:
    """Return the strip of a line; its frame runs from the first described place to the last. None
    for a single reed."""
    first, last = reeds[0].at, reeds[-1].at
    length = hypot(last[0] - first[0], last[1] - first[1])
    if not length:
        return None
    along = ((last[0] - first[0]) / length, (last[1] - first[1]) / length)
    ordered = sorted(reeds, key=lambda reed: _dot(_from(first, reed.at), along))
    return Strip(own, tuple(ordered), ordered[0].at, along)


def _beds(strip: Strip, measures: Measures, axis: Axis) -> Iterator[ReedBed]:
    ways = (strip.along, across(strip.along))
    for reed in strip.reeds:
        lies = lie(reed, measures)
        assert isinstance(reed.line, Cell)
        yield ReedBed(
            reed.line.column if axis is Axis.ROW else reed.line.row,
            _seen(_from(strip.start, reed.at), ways),
            _seen(_from(strip.start, lies.middle), ways),
            _seen(lies.along, ways),
        )


def _seen(at: PointMm, ways: Iterable[PointMm]) -> PointMm:
    """Return a point's coordinates along two directions, to a thousandth, without minus zero."""
    x, y = (round(_dot(at, way), 3) + 0.0 for way in ways)
    return x, y


def _from(start: PointMm, end: PointMm) -> PointMm:
    return end[0] - start[0], end[1] - start[1]


def _dot(one: PointMm, other: PointMm) -> float:
    return one[0] * other[0] + one[1] * other[1]
