"""The board of Backgammon, Portes and the Pin game: 24 points, bar, trays for what is off."""

from __future__ import annotations

from pi_app.rules.naming import Counting, name_spot
from pi_app.rules.terms import Side, Spot, SpotKind
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Drawn, Marks, mark_of
from pi_app.screen.boards.tables_arrows import Arrows
from pi_app.screen.boards.tables_layout import Layout, bar_of
from pi_app.screen.canvas import Canvas, Pen
from pi_app.screen.observability import mark_unseen
from pi_app.screen.pieces import checker, edgewise, ghost, wanted
from pi_app.screen.shapes import Align, Box, Disc, Line, Point, Poly, Rect, around, cross
from pi_app.screen.theme import (
    AMBER,
    BLACK_FACE,
    BLACK_INK,
    FELT,
    FELT_TEXT,
    INK,
    PIT,
    POINT_GREEN,
    POINT_WOOD,
    TEAL,
    VERMILION,
    WHITE_FACE,
    WOOD,
    WOOD_EDGE,
    Colour,
)
from pi_app.sensing.description import Board
from pi_app.sentences import Sentence

SO_MANY_OFF = Sentence("{count} off")
CHECKERS = 15


def draw_tables(
    canvas: Canvas[Action], rect: Rect, board: Board, marks: Marks, *, turned: bool
) -> Drawn:
    """The whole board; see `DrawBoard`."""
    layout = Layout(rect, board, canvas.px, turned=turned)
    drawing, arrows = _Tables(canvas, layout, board, marks), Arrows(canvas, layout, marks)
    drawing.ground()
    drawing.points()
    drawing.stacks()
    drawing.trays()
    drawing.unseen()
    arrows.trace()
    arrows.lines()
    drawing.rings()
    drawing.counts()
    rooms = {spot: layout.room(spot) for spot in marks.standing}
    return Drawn(rooms, layout.dice(), layout.band())


class _Tables:
    """One drawing under way."""

    def __init__(self, canvas: Canvas[Action], layout: Layout, board: Board, marks: Marks) -> None:
        self.canvas, self.layout, self.board, self.marks = canvas, layout, board, marks
        bars = tuple(bar_of(side) for side in Side)
        self.hits = bars[0] in marks.standing
        """Where checkers are hit none is pinned."""
        self.piles = (*layout.points, *(bar for bar in bars if bar in marks.standing))

    def ground(self) -> None:
        """Wood and felt."""
        px, layout = self.canvas.px, self.layout
        self.canvas.add(Box(layout.rect, WOOD, px(10), WOOD_EDGE, px(1.5)))
        self.canvas.add(*(Box(half, FELT) for half in layout.halves))
        left, right = layout.halves
        x, y = (left.right + right.x) // 2, layout.field.centre[1]
        self.canvas.add(Box(Rect(x - px(1), layout.field.y, px(2), layout.field.h), WOOD_EDGE))
        self.canvas.add(Box(Rect(left.right, y - px(1), right.x - left.right, px(2)), WOOD_EDGE))

    def points(self) -> None:
        """Triangles and numbers; a number says too what is marked on its point."""
        canvas, marks, layout = self.canvas, self.marks, self.layout
        counting = Counting(len(layout.points), Side.WHITE)
        for spot in layout.points:
            wood = POINT_GREEN if spot.number % 2 else POINT_WOOD
            canvas.add(Poly(layout.triangle(spot), wood))
            rail = layout.number(spot)
            colour = mark_of(marks, spot)
            if colour:
                room = rail.inset(canvas.px(3), canvas.px(1))
                canvas.add(Box(room, colour, canvas.px(4)))
            pen = Pen(14, INK if colour else FELT_TEXT, bold=True, align=Align.CENTRE)
            canvas.line(rail, name_spot(spot, counting), pen)

    def stacks(self) -> None:
        """Checkers on points and bar."""
        for spot in self.piles:
            self._stack(spot)
            self._pin(spot)

    def rings(self) -> None:
        """The marks on the places: what may be is amber, what is wrong has a cross."""
        for spot in self.piles:
            for index in self._landing(spot):
                self._ring(self.layout.top(spot, index), AMBER)
            for index in self._excess(spot):
                at = self.layout.place(spot, index, len(self._present(spot)))
                self._ring(at, VERMILION)
                reach = max(3, self.layout.radius * 5 // 10)
                self.canvas.add(*cross(at, reach, VERMILION, self.canvas.px(3)))

    def counts(self) -> None:
        """The height of every stack that is higher than fits, on its last checker."""
        for spot in self.piles:
            stack = self._present(spot)
            if len(stack) > self.layout.most(spot):
                self._count(spot, stack)

    def trays(self) -> None:
        """What has been borne off, seen from the edge, and counted."""
        for side in Side:
            self._tray(Spot(SpotKind.OFF, side=side), side)

    def unseen(self) -> None:
        """The places whose sensors are not believed."""
        radius, unseen = self.layout.radius, self.marks.unseen
        r = max(radius * 6 // 10, self.canvas.px(7))
        for place in self.board.places:
            for index, reed in enumerate(place.reeds):
                if reed.name in unseen and place.spot in self.piles:
                    at = self.layout.place(place.spot, index)
                    badge = (at[0] + radius + r // 3, at[1]), r
                    self.canvas.add(*mark_unseen(at, radius - 2, badge, unseen[reed.name]))

    def _stack(self, spot: Spot) -> None:
        """The checkers that stand there, those that should, and those in the hand."""
        layout, was = self.layout, self.marks.accepted.get(spot, ())
        stack = self._present(spot)
        height = max(len(stack), len(was))
        for index, side in enumerate(stack):
            self.canvas.add(*checker(layout.place(spot, index, height), layout.radius, side))
        for index in range(len(stack), len(was)):
            at = layout.place(spot, index, height)
            if spot in self.marks.fill:
                self.canvas.add(*wanted(at, layout.radius * 9 // 10, was[index]))
                self._ring(at, TEAL)
            elif spot in self.marks.lifted:
                self.canvas.add(Disc(at, layout.radius, PIT))
                self.canvas.add(*ghost(at, layout.radius, was[index]))

    def _present(self, spot: Spot) -> tuple[Side, ...]:
        """What stands there less what is missing: in the set-up all are believed to stand."""
        stack, missing = self.marks.standing[spot], self.marks.fill.count(spot)
        was = self.marks.accepted.get(spot, ())
        return stack[: max(len(was) - missing, 0)] if missing else stack

    def _count(self, spot: Spot, stack: tuple[Side, ...]) -> None:
        height = max(len(stack), len(self.marks.accepted.get(spot, ())))
        at, r = self.layout.place(spot, len(stack) - 1, height), self.layout.radius
        white = stack[-1] is Side.WHITE
        self.canvas.add(Disc(at, r * 8 // 10, WHITE_FACE if white else BLACK_FACE))
        pen = Pen(17, INK if white else BLACK_INK, bold=True, align=Align.CENTRE)
        self.canvas.text(around(at, r), str(len(stack)), pen)

    def _pin(self, spot: Spot) -> None:
        """A needle from the checker above into the one that is pinned beneath."""
        stack = self._present(spot)
        if self.hits or len(set(stack)) < 2:
            return
        layout, colour = self.layout, WHITE_FACE if stack[-1] is Side.WHITE else BLACK_FACE
        (x1, y1), (x2, y2) = (layout.place(spot, index, len(stack)) for index in (0, 1))
        width = max(2, layout.radius // 5)
        self.canvas.add(
            Line(((x1, y1), (x2, (y1 + y2) // 2)), colour, width),
            Disc((x1, y1), max(3, layout.radius * 4 // 10), colour),
        )

    def _landing(self, spot: Spot) -> tuple[int, ...]:
        """The place where a checker in the hand may be set down: a lone enemy's, if it is hit."""
        if spot not in self.marks.targets:
            return ()
        stack, mover = self.marks.standing[spot], self.marks.mover
        hits = len(stack) == 1 and stack[0] is not mover and self.hits
        return (0 if hits else len(stack),)

    def _excess(self, spot: Spot) -> tuple[int, ...]:
        """The places of the checkers that are too many here."""
        count = self.marks.clear.count(spot)
        if not count:
            return ()
        stack, was = self.marks.standing[spot], self.marks.accepted.get(spot, ())
        first = len(was) if stack[: len(was)] == was else max(len(stack) - 1, 0)
        return tuple(range(first, max(first + 1, min(first + count, len(stack)))))

    def _tray(self, spot: Spot, side: Side) -> None:
        canvas, marks, layout = self.canvas, self.marks, self.layout
        tray, count = layout.tray(spot), len(marks.standing.get(spot, ()))
        colour = mark_of(marks, spot)
        canvas.add(Box(tray, PIT, canvas.px(6), colour or WOOD_EDGE, canvas.px(4 if colour else 1)))
        room, words = tray.inset(canvas.px(4), canvas.px(6)), canvas.px(36)
        low = layout.is_low(spot)
        label = Rect(tray.x, room.y if low else room.bottom - words, tray.w, words)
        height = (room.h - words - canvas.px(4)) // CHECKERS
        for index in range(count):
            y = room.bottom - (index + 1) * height if low else room.y + index * height
            rod = Rect(room.x, y, room.w, height - (height > 4))
            canvas.add(*edgewise(rod, side))
        text = SO_MANY_OFF(count=count) if count else name_spot(spot)
        pen = Pen(15, FELT_TEXT, bold=True, align=Align.CENTRE, lines=2)
        canvas.text(label.inset(canvas.px(2), 0), text, pen)

    def _ring(self, at: Point, colour: Colour) -> None:
        self.canvas.add(Disc(at, self.layout.radius, None, colour, self.canvas.px(3)))
