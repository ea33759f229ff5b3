"""The board of Backgammon, Portes and the Pin game: 24 points, bar, trays for what is off."""

from __future__ import annotations

from pi_app.rules.naming import Counting, name_spot
from pi_app.rules.terms import Side, Spot, SpotKind
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Drawn, Marks
from pi_app.screen.boards.tables_arrows import Arrows
from pi_app.screen.boards.tables_layout import Layout, bar_of
from pi_app.screen.canvas import Canvas, Pen
from pi_app.screen.observability import mark_unseen
from pi_app.screen.pieces import checker, edgewise, ghost, wanted
from pi_app.screen.shapes import Align, Box, Disc, Line, Point, Poly, Rect, around, cross
from pi_app.screen.theme import (
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
    drawing = _Tables(canvas, layout, board, marks)
    drawing.ground()
    drawing.points()
    drawing.stacks()
    labels = drawing.trays()
    drawing.unseen()
    arrows = Arrows(canvas, layout, marks)
    arrows.lines()
    dice = layout.dice(drawing.heights(), arrows.tips())
    letters = arrows.letters((dice, *labels, *drawing.counts()))
    rooms = {spot: layout.room(spot) for spot in marks.standing}
    one = Rect(dice.centre[0] - dice.h // 2, dice.y, dice.h, dice.h)
    return Drawn(rooms, one, letters)


class _Tables:
    """One drawing under way."""

    def __init__(self, canvas: Canvas[Action], layout: Layout, board: Board, marks: Marks) -> None:
        self.canvas, self.layout, self.board, self.marks = canvas, layout, board, marks
        bars = tuple(bar_of(side) for side in Side)
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
            colour = POINT_GREEN if spot.number % 2 else POINT_WOOD
            canvas.add(Poly(layout.triangle(spot), colour))
            rail = layout.number(spot)
            wrong, right = spot in marks.clear, spot in (*marks.fill, *marks.targets)
            if wrong or right:
                canvas.add(
                    Box(rail.inset(canvas.px(2), 0), VERMILION if wrong else TEAL, canvas.px(4))
                )
            ink = INK if wrong or right else FELT_TEXT
            pen = Pen(12, ink, bold=True, align=Align.CENTRE)
            canvas.text(rail, name_spot(spot, counting), pen)

    def stacks(self) -> None:
        """Checkers on points and bar, and the marks on their places."""
        for spot in self.piles:
            self._stack(spot)
            self._pin(spot)
            for index in self._landing(spot):
                self._ring(self.layout.place(spot, index), TEAL)
            for index in self._excess(spot):
                at = self.layout.place(spot, index)
                self._ring(at, VERMILION)
                reach = max(3, self.layout.radius * 5 // 10)
                self.canvas.add(*cross(at, reach, VERMILION, self.canvas.px(3)))

    def counts(self) -> tuple[Rect, ...]:
        """The height of every stack that is not drawn in full, on its last checker."""
        return tuple(
            self._count(spot, stack)
            for spot in self.piles
            if len(stack := self._present(spot)) > self.layout.most(spot)
        )

    def trays(self) -> tuple[Rect, ...]:
        """What has been borne off, seen from the edge, and counted; says where the words stand."""
        return tuple(self._tray(Spot(SpotKind.OFF, side=side), side) for side in Side)

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

    def heights(self) -> dict[Spot, int]:
        """How many places of each point have something to be seen."""
        marks = self.marks
        return {
            spot: max(
                len(marks.standing[spot]),
                len(marks.accepted.get(spot, ())),
                *(index + 1 for index in (*self._landing(spot), *self._excess(spot))),
            )
            for spot in self.layout.points
        }

    def _stack(self, spot: Spot) -> None:
        """The checkers that stand there, those that should, and those in the hand."""
        layout, was = self.layout, self.marks.accepted.get(spot, ())
        stack, most = self._present(spot), self.layout.most(spot)
        for index, side in enumerate(stack[:most]):
            top = stack[-1] if index == most - 1 else side
            self.canvas.add(*checker(layout.place(spot, index), layout.radius, top))
        for index in range(len(stack), min(len(was), most)):
            at = layout.place(spot, index)
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

    def _count(self, spot: Spot, stack: tuple[Side, ...]) -> Rect:
        at, r = self.layout.place(spot, len(stack)), self.layout.radius
        white = stack[-1] is Side.WHITE
        self.canvas.add(Disc(at, r * 8 // 10, WHITE_FACE if white else BLACK_FACE))
        size = min(16, r * 1.3 / self.canvas.unit)
        pen = Pen(size, INK if white else BLACK_INK, bold=True, align=Align.CENTRE)
        return self.canvas.text(around(at, r), str(len(stack)), pen)

    def _pin(self, spot: Spot) -> None:
        """A needle from the checker above into the one that is pinned beneath."""
        stack = self._present(spot)
        if len(set(stack)) < 2:
            return
        layout, colour = self.layout, WHITE_FACE if stack[-1] is Side.WHITE else BLACK_FACE
        (x1, y1), (x2, y2) = layout.place(spot, 0), layout.place(spot, 1)
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
        hits = len(stack) == 1 and stack[0] is not mover and bar_of(Side.WHITE) in self.piles
        return (0 if hits else len(stack),)

    def _excess(self, spot: Spot) -> tuple[int, ...]:
        """The places of the checkers that are too many here."""
        count = self.marks.clear.count(spot)
        if not count:
            return ()
        stack, was = self.marks.standing[spot], self.marks.accepted.get(spot, ())
        first = len(was) if stack[: len(was)] == was else max(len(stack) - 1, 0)
        last = self.layout.most(spot) - 1
        return tuple(sorted({min(index, last) for index in range(first, first + count)}))

    def _tray(self, spot: Spot, side: Side) -> Rect:
        canvas, marks, layout = self.canvas, self.marks, self.layout
        tray, count = layout.tray(spot), len(marks.standing.get(spot, ()))
        wrong, right = spot in marks.clear, spot in (*marks.fill, *marks.targets)
        edge = VERMILION if wrong else TEAL if right else WOOD_EDGE
        canvas.add(Box(tray, PIT, canvas.px(6), edge, canvas.px(4 if wrong or right else 1)))
        room = tray.inset(canvas.px(3), canvas.px(5))
        shares = (4, 13)
        label, pile = room.rows(shares if layout.is_low(spot) else shares[::-1], canvas.px(2))
        if not layout.is_low(spot):
            label, pile = pile, label
        height = pile.h // CHECKERS
        for index in range(count):
            y = (
                pile.bottom - (index + 1) * height
                if layout.is_low(spot)
                else pile.y + index * height
            )
            rod = Rect(pile.x, y, pile.w, height - (height > 4))
            canvas.add(*edgewise(rod.inset(canvas.px(4), 0), side))
        text = SO_MANY_OFF(count=count) if count else name_spot(spot)
        return canvas.text(label, text, Pen(13, FELT_TEXT, bold=True, align=Align.CENTRE, lines=2))

    def _ring(self, at: Point, colour: Colour) -> None:
        width = self.canvas.px(3)
        self.canvas.add(Disc(at, self.layout.radius + width // 2, None, colour, width))
