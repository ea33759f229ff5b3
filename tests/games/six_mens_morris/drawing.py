"""The board of Six Men's Morris: two squares joined by lines, between the trays of the sides."""

from __future__ import annotations

from pi_app.rules.naming import name_side, name_spot
from pi_app.rules.terms import Move, Side, Spot
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Drawn, Marks, mark_of
from pi_app.screen.boards.single import SpotDrawing
from pi_app.screen.canvas import (
    Align,
    Box,
    Canvas,
    Curve,
    Disc,
    Line,
    Pen,
    Rect,
    Size,
    around,
    square_in,
)
from pi_app.screen.pieces import checker
from pi_app.screen.theme import FELT, FELT_TEXT, PIT, SPOT_EDGE, WOOD
from pi_app.sensing.description import Board
from six_mens_morris.rules import HOME, LINES, MEN, POINTS, TAKEN

WORDS = Pen(Size.SMALL, FELT_TEXT, bold=True, align=Align.CENTRE)


def draw_morris(
    canvas: Canvas[Action], rect: Rect, board: Board, marks: Marks, *, turned: bool
) -> Drawn:
    """See `DrawBoard`: White's trays are on the left, those for men to place nearest to White."""
    felt = rect.inset(canvas.px(6))
    canvas.add(Box(rect, WOOD, canvas.px(12)), Box(felt, FELT, canvas.px(7)))
    shares = (2, 5, 2) if canvas.upright else (1, 4, 1)
    left, middle, right = felt.inset(canvas.px(8)).columns(shares, canvas.px(10))
    field = square_in(middle)
    cells = field.grid(5, 5, 0)
    columns, rows = ("edcba", "12345") if turned else ("abcde", "54321")
    spots = {
        point: cells[5 * rows.index(str(point.number)) + columns.index(point.file)]
        for point in POINTS
    }
    places: dict[Spot, Rect] = {}
    for side, tray in zip(Side, (right, left) if turned else (left, right), strict=True):
        near = (side is Side.WHITE) is not turned
        high, low = tray.rows((1, 1), canvas.px(8))
        places |= {HOME[side]: low if near else high, TAKEN[side]: high if near else low}
    drawing = _MorrisBoard(canvas, board, marks, spots, places, cells[0].h * 32 // 100)
    drawing.lines()
    for spot in spots:
        drawing.spot(spot)
    for spot in places:
        drawing.tray(spot)
    drawing.arrows()
    # Between the points of the middle row: the inner square is empty.
    band = Rect(field.x, cells[10].y, field.w, cells[10].h)
    return Drawn(drawing.places, around(field.centre, canvas.px(24)), band)


class _MorrisBoard(SpotDrawing):
    def path(self, move: Move, done: float) -> Curve:
        return self.straight(move, done)

    def lines(self) -> None:
        px = self.canvas.px
        for line in LINES:
            ends = self.centre(line[0]), self.centre(line[-1])
            self.canvas.add(Line(ends, SPOT_EDGE, px(3)))
        for point in POINTS:
            pit = Disc(self.centre(point), self.radius + px(2), PIT, SPOT_EDGE, px(1))
            self.canvas.add(pit)

    def tray(self, spot: Spot) -> None:
        """Whose tray it is, and its men in two columns."""
        canvas, rect, side = self.canvas, self.trays[spot], spot.side
        assert side
        edge = mark_of(self.marks, spot)
        canvas.add(Box(rect, PIT, canvas.px(8), edge, canvas.px(4) if edge else 0))
        label, room = rect.inset(canvas.px(4)).rows((1, 2), canvas.px(2))
        words = (name_side(side), name_spot(spot))
        for line, word in zip(label.grid(1, 2, 0), words, strict=True):
            canvas.text(line, word, WORDS)
        cells = room.grid(2, MEN // 2, canvas.px(2))
        for cell, owner in zip(cells, self.marks.standing.get(spot, ()), strict=False):
            canvas.add(*checker(cell.centre, min(cell.w, cell.h) // 2, owner))
