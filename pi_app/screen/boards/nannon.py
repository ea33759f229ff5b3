"""Nannon's board: a row of spots between the trays of HOME and SAFETY.

Left and right are those of the real board, from the millimetres of its description; upright the
band decides, for a screen is rarely as flat as the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType

from pi_app.rules.naming import name_spot
from pi_app.rules.terms import Side, Spot
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Arrow, Drawn, Marks
from pi_app.screen.canvas import Canvas, Pen
from pi_app.screen.observability import mark_unseen
from pi_app.screen.pieces import checker, ghost, wanted
from pi_app.screen.shapes import (
    Align,
    Box,
    Curve,
    Disc,
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
    INK,
    PIT,
    SPOT_EDGE,
    TEAL,
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
FRAME = 10
DIE = 54


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
    drawing.spots()
    drawing.trays()
    drawing.arrows()
    side = canvas.px(DIE)
    dice = Rect(rect.centre[0] - side // 2, rect.y - canvas.px(10), side, side)
    return Drawn(drawing.places(), dice)


class _NannonBoard:
    """One drawing under way."""

    def __init__(
        self, canvas: Canvas[Action], felt: Rect, board: Board, marks: Marks, turned: bool
    ) -> None:
        self.canvas, self.felt, self.board, self.marks = canvas, felt, board, marks
        self.turned = turned
        self.scale = felt.w / board.size[0]
        wide = round(board.spot_diameter / 2 * self.scale)
        self.radius = min(wide, felt.h * 17 // 100)

    def places(self) -> dict[Spot, Rect]:
        """Where to touch each spot."""
        xs = sorted(self._x(place) for place in self._row())
        apart = min((right - left for left, right in pairwise(xs)), default=self.felt.w)
        reach = min(max(self.radius + self.canvas.px(5), self.canvas.px(26)), int(apart) // 2)
        row = {place.spot: around(self.centre(place), reach) for place in self._row()}
        return row | {place.spot: self.tray(place) for place in self._ends()}

    def centre(self, place: Place) -> Point:
        """The middle of a spot in the row, in pixels."""
        return round(self._x(place)), self.felt.y + self.felt.h * 53 // 100

    def tray(self, place: Place) -> Rect:
        """The tray of one side's HOME or SAFETY: a quarter of the board's end."""
        margin, height = self.canvas.px(8), self.felt.h
        x = self._x(place)
        share = 0.9 if self.canvas.upright else 0.8
        half = round(share * min(x - self.felt.x, self.felt.right - x))
        low = (place.at[1] < self.board.size[1] / 2) is not self.turned
        y = self.felt.y + (height // 2 + margin // 2 if low else margin)
        return Rect(round(x) - half, y, 2 * half, height // 2 - margin - margin // 2)

    def spots(self) -> None:
        """The pits in a row with their numbers, checkers and rings."""
        marks, r = self.marks, self.radius
        for place in self._row():
            spot, at = place.spot, self.centre(place)
            self.canvas.add(Disc(at, r + self.canvas.px(3), PIT, SPOT_EDGE, self.canvas.px(1.5)))
            self.canvas.add(*self._content(spot, at))
            if spot in marks.clear:
                self._ring(at, VERMILION)
                self.canvas.add(*cross(at, r * 4 // 10, VERMILION, self.canvas.px(5)))
            elif spot in marks.fill or spot in marks.targets:
                self._ring(at, TEAL)
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
            wrong, right = spot in marks.clear, spot in (*marks.fill, *marks.targets)
            edge = VERMILION if wrong else TEAL if right else None
            canvas.add(Box(rect, PIT, canvas.px(8), edge, canvas.px(4) if edge else 0))
            room = rect.inset(canvas.px(5))
            high = rect.centre[1] < self.felt.centre[1]
            shares = (2, 3) if high else (3, 2)
            parts = room.rows(shares, canvas.px(2))
            label, stack = parts if high else parts[::-1]
            size = 11.5 if canvas.upright else 13
            pen = Pen(size, FELT_TEXT, bold=True, align=Align.CENTRE)
            owner = spot.side
            words = (OWNERS[owner]() if owner else "", name_spot(spot))
            label = Rect(rect.x, label.y, rect.w, label.h)
            for line, word in zip(label.grid(1, 2, 0), words, strict=True):
                canvas.text(line, word, pen)
            self._stack(stack, marks.standing.get(spot, ()))
            if spot in marks.lifted:
                canvas.add(*ghost(stack.centre, self._small(stack), owner))
            if wrong:
                canvas.add(*cross(stack.centre, self._small(stack) // 2, VERMILION, canvas.px(5)))

    def arrows(self) -> None:
        """The moves, as arcs over the spots; several choices bend differently."""
        canvas = self.canvas
        colour = VERMILION if self.marks.wrong else TEAL
        for index, shown in enumerate(self.marks.arrows):
            for path in self._paths(shown, index):
                canvas.add(*arrow(path, colour, canvas.px(5)))
                if shown.letter:
                    self._badge(path[len(path) * 3 // 10], shown.letter)

    def _paths(self, shown: Arrow, index: int) -> Iterator[Curve]:
        for move in shown.moves:
            start, end = self._tip(move.origin), self._tip(move.target)
            rise = self.canvas.px(18) + min(abs(end[0] - start[0]) // 14, self.felt.h // 12)
            rise += abs(end[1] - start[1]) // 3
            yield arc(start, end, rise + index * self.canvas.px(4), shown.done)

    def _tip(self, spot: Spot) -> Point:
        """Where an arrow meets a spot: above a pit, in the middle of a tray."""
        place = self.board.place(spot)
        if not place.reeds:
            return self.tray(place).centre
        x, y = self.centre(place)
        return x, y - self.radius - self.canvas.px(4)

    def _badge(self, at: tuple[float, float], letter: str) -> None:
        r = self.canvas.px(13)
        centre = round(at[0]), round(at[1])
        self.canvas.add(Disc(centre, r, TEAL, INK, self.canvas.px(1.5)))
        self.canvas.text(around(centre, r), letter, Pen(16, INK, bold=True, align=Align.CENTRE))

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
        width = self.canvas.px(5)
        self.canvas.add(Disc(at, self.radius + width, None, colour, width))

    def _number(self, at: Point, text: str) -> None:
        top = at[1] + self.radius + self.canvas.px(7)
        height = min(self.felt.bottom - top - self.canvas.px(2), self.canvas.px(34))
        room = Rect(at[0] - self.radius, top, 2 * self.radius, height)
        self.canvas.text(room, text, Pen(17, FELT_TEXT, bold=True, align=Align.CENTRE))

    def _row(self) -> Iterator[Place]:
        return (place for place in self.board.places if place.reeds)

    def _ends(self) -> Iterator[Place]:
        return (place for place in self.board.places if not place.reeds)

    def _x(self, place: Place) -> float:
        x = self.board.size[0] - place.at[0] if self.turned else place.at[0]
        return self.felt.x + x * self.scale
