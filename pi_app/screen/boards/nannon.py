"""Nannon's board: a row of spots, and in the corners the trays of HOME and SAFETY.

What lies left, right, near and far is that of the real board, from the millimetres of its
description; a screen is rarely as flat as the board, so the trays stand above and below the row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pi_app.rules.naming import name_spot
from pi_app.rules.terms import Move, Side, Spot
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Drawn, Marks, mark_of
from pi_app.screen.canvas import Canvas, Pen
from pi_app.screen.observability import mark_unseen
from pi_app.screen.pieces import SIGN, checker, ghost, wanted
from pi_app.screen.shapes import (
    Align,
    Box,
    Curve,
    Disc,
    Line,
    Point,
    Rect,
    Shape,
    arc,
    around,
    arrow,
    cross,
)
from pi_app.screen.theme import (
    FELT,
    FELT_TEXT,
    PIT,
    SPOT_EDGE,
    TEAL,
    TRACE,
    VERMILION,
    WOOD,
    WOOD_EDGE,
    Colour,
)
from pi_app.sensing.description import Board, Place
from pi_app.sentences import Sentence

OWNERS: Mapping[Side, Sentence] = MappingProxyType(
    {Side.WHITE: Sentence("WHITE"), Side.BLACK: Sentence("BLACK")}
)
FRAME, MARGIN = 10, 8
DIE = 48
LINE = 17
"""Units: the height of a line of a tray's words."""


def draw_nannon(
    canvas: Canvas[Action], rect: Rect, board: Board, marks: Marks, *, turned: bool
) -> Drawn:
    """The whole board; see `DrawBoard`."""
    felt = rect.inset(canvas.px(FRAME))
    canvas.add(
        Box(rect, WOOD, canvas.px(14), WOOD_EDGE, canvas.px(1.5)),
        Box(felt, FELT, canvas.px(8)),
    )
    drawing = _NannonBoard(canvas, felt, board, marks, turned)
    drawing.trays()
    drawing.spots()
    drawing.trace()
    drawing.arrows()
    return Drawn(drawing.places(), drawing.dice(), drawing.band())


class _NannonBoard:
    """One drawing under way."""

    def __init__(
        self, canvas: Canvas[Action], felt: Rect, board: Board, marks: Marks, turned: bool
    ) -> None:
        self.canvas, self.felt, self.board, self.marks = canvas, felt, board, marks
        self.turned = turned
        xs = sorted((place.at[0] for place in self._row()), reverse=turned)
        inner = felt.inset(canvas.px(6), 0)
        self._cells = dict(zip(xs, inner.grid(len(xs), 1, 0), strict=True))
        self.radius = min(inner.w // len(xs) * 44 // 100, felt.h * 15 // 100)

    def places(self) -> dict[Spot, Rect]:
        """Where to touch each spot."""
        reach = min(cell.w for cell in self._cells.values()) // 2
        row = {place.spot: around(self.centre(place), reach) for place in self._row()}
        return row | {place.spot: self.tray(place) for place in self._ends()}

    def centre(self, place: Place) -> Point:
        """The middle of a spot in the row, in pixels."""
        return self._cells[place.at[0]].centre[0], self.felt.centre[1]

    def tray(self, place: Place) -> Rect:
        """The tray of one side's HOME or SAFETY, in its corner of the board."""
        margin, (width, height) = self.canvas.px(MARGIN), self._tray_size
        left = (place.at[0] < self.board.size[0] / 2) is not self.turned
        low = (place.at[1] < self.board.size[1] / 2) is not self.turned
        x = self.felt.x + margin if left else self.felt.right - margin - width
        y = self.felt.bottom - margin - height if low else self.felt.y + margin
        return Rect(x, y, width, height)

    def dice(self) -> Rect:
        """The place of one die, between the upper trays, where three have room beside it."""
        px, (width, height) = self.canvas.px, self._tray_size
        between = self.felt.w - 2 * (width + 2 * px(MARGIN))
        side = min(px(DIE), (between - 2 * px(SIGN)) // 3)
        x, y = self.felt.centre[0], self.felt.y + px(MARGIN) + (height - side) // 2
        return Rect(x - side // 2, y, side, side)

    @property
    def _tray_size(self) -> tuple[int, int]:
        return self.felt.w * 28 // 100, self.felt.h * 25 // 100

    def band(self) -> Rect:
        """The felt between the upper trays and the row."""
        top = self.felt.y + self.canvas.px(12) + self._tray_size[1]
        bottom = self.felt.centre[1] - self.radius - self.canvas.px(5)
        return Rect(self.felt.x, top, self.felt.w, bottom - top)

    def spots(self) -> None:
        """The pits in a row with their numbers, checkers and rings."""
        marks, r = self.marks, self.radius
        for place in self._row():
            spot, at = place.spot, self.centre(place)
            self.canvas.add(Disc(at, r + self.canvas.px(3), PIT, SPOT_EDGE, self.canvas.px(1.5)))
            self.canvas.add(*self._content(spot, at))
            colour = mark_of(marks, spot)
            if colour:
                self._ring(at, colour)
            if spot in marks.clear:
                self.canvas.add(*cross(at, r * 4 // 10, VERMILION, self.canvas.px(5)))
            (reed,) = place.reeds
            if reed.name in marks.unseen:
                shift = r * 8 // 10
                badge = (at[0] + shift, at[1] + shift), self.canvas.px(11)
                self.canvas.add(*mark_unseen(at, r, badge, marks.unseen[reed.name]))
            self._number(at, str(spot))

    def trays(self) -> None:
        """HOME and SAFETY of both sides."""
        canvas, marks = self.canvas, self.marks
        for place in self._ends():
            rect, spot = self.tray(place), place.spot
            colour = mark_of(marks, spot)
            edge = canvas.px(4) if colour else 0
            canvas.add(Box(rect, PIT, canvas.px(8), colour, edge))
            high = rect.centre[1] < self.felt.centre[1]
            room = rect.inset(canvas.px(5))
            told = max(room.h * 2 // 5, canvas.px(2 * LINE))
            rest = room.h - told
            parts = room.rows((told, rest) if high else (rest, told), 0)
            label, stack = parts if high else parts[::-1]
            owner = spot.side
            words = (OWNERS[owner]() if owner else "", name_spot(spot))
            pen = Pen(14, FELT_TEXT, bold=True, align=Align.CENTRE)
            for line, word in zip(label.grid(1, 2, 0), words, strict=True):
                canvas.text(line, word, pen)
            self._stack(stack, marks.standing.get(spot, ()))
            if spot in marks.lifted:
                canvas.add(*ghost(stack.centre, self._small(stack), owner))
            if spot in marks.clear:
                canvas.add(*cross(stack.centre, self._small(stack) // 2, VERMILION, canvas.px(5)))

    def trace(self) -> None:
        """The play before: its way and where its checker came from, quietly."""
        last, width = self.marks.trace, self.canvas.px(3)
        for move in last.moves if last else ():
            self.canvas.add(Line(self._path(move, 1.0), TRACE, width))
            for spot in (move.origin, move.target):
                self._outline(spot, TRACE)

    def arrows(self) -> None:
        """The moves, as arcs over the spots, and a ring around the checker that moved."""
        marks, canvas = self.marks, self.canvas
        colour = VERMILION if marks.wrong else TEAL
        for move in marks.moves:
            canvas.add(*arrow(self._path(move, marks.done), colour, canvas.px(5)))
            if not marks.wrong:
                self._outline(move.target, TEAL)

    def _path(self, move: Move, done: float) -> Curve:
        start, end = self._tip(move.origin), self._tip(move.target)
        rise = self.canvas.px(18) + min(abs(end[0] - start[0]) // 14, self.felt.h // 12)
        return arc(start, end, rise, done)

    def _outline(self, spot: Spot, colour: Colour) -> None:
        """A ring around a spot of the row."""
        place = self.board.place(spot)
        if place.reeds:
            self._ring(self.centre(place), colour)

    def _tip(self, spot: Spot) -> Point:
        """Where an arrow meets a spot: above a pit, in the middle of a tray."""
        place = self.board.place(spot)
        if not place.reeds:
            return self.tray(place).centre
        x, y = self.centre(place)
        return x, y - self.radius - self.canvas.px(4)

    def _content(self, spot: Spot, at: Point) -> tuple[Shape, ...]:
        stack, was = self.marks.standing.get(spot, ()), self.marks.accepted.get(spot, ())
        if spot in self.marks.fill and was:
            return wanted(at, self.radius * 8 // 10, was[0])
        if stack:
            return checker(at, self.radius, stack[0])
        if spot in self.marks.lifted:
            return ghost(at, self.radius * 9 // 10, was[0] if was else None)
        return ()

    def _stack(self, room: Rect, stack: tuple[Side, ...]) -> None:
        """Up to three checkers in a tray, half over one another."""
        r = self._small(room)
        x, y = room.centre
        for index, side in enumerate(stack):
            shift = (2 * index - len(stack) + 1) * r // 2
            self.canvas.add(*checker((x + shift, y), r, side))

    def _small(self, room: Rect) -> int:
        return min(room.h // 2, room.w // 4, self.radius)

    def _ring(self, at: Point, colour: Colour) -> None:
        width = self.canvas.px(4)
        self.canvas.add(Disc(at, self.radius + width, None, colour, width))

    def _number(self, at: Point, text: str) -> None:
        top = at[1] + self.radius + self.canvas.px(7)
        height = min(self.felt.bottom - top - self.canvas.px(2), self.canvas.px(34))
        room = Rect(at[0] - self.radius, top, 2 * self.radius, height)
        self.canvas.text(room, text, Pen(19, FELT_TEXT, bold=True, align=Align.CENTRE))

    def _row(self) -> Iterator[Place]:
        return (place for place in self.board.places if place.reeds)

    def _ends(self) -> Iterator[Place]:
        return (place for place in self.board.places if not place.reeds)
