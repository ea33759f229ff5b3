"""Nannon's board: a row of spots, and the trays of HOME and SAFETY in the corners.

Left, right, near and far are as on the real board, from the millimetres of its description. The
trays are drawn above and below the row, because few screens are as wide and low as the board.
"""

from __future__ import annotations

from pi_app.rules.naming import WHITE_AND_BLACK, name_spot
from pi_app.rules.nannon import HOME
from pi_app.rules.terms import Move, Side, Spot
from pi_app.screen.actions import Screen
from pi_app.screen.boards.marks import FELT_LIGHT, Drawn, Marks, draw_felt, draw_tray, mark_of
from pi_app.screen.boards.single import SpotDrawing
from pi_app.screen.canvas import Align, Curve, Disc, Pen, Point, Rect, Size, arc, around, cross
from pi_app.screen.pieces import SIGN, checker, ghost
from pi_app.screen.theme import FELT_TEXT, PIT, SPOT_EDGE, VERMILION, WOOD_TEXT
from pi_app.sensing.description import Board, Place

FRAME, MARGIN = 10, 8
DIE, CUBE = 60, 52
NUMBER = 34
"""Units: the height of a spot's number below its checker."""
LEAST_STACK = 12
"""Units: the least height for the checkers of a tray below its two words."""


def draw_nannon(canvas: Screen, rect: Rect, board: Board, marks: Marks, *, turned: bool) -> Drawn:
    felt = draw_felt(canvas, rect, FRAME, (14, 8))
    drawing = _NannonBoard(canvas, felt, board, marks, turned)
    drawing.draw_trays()
    drawing.spots()
    drawing.trace()
    drawing.arrows()
    return Drawn(drawing.places, drawing.dice(), drawing.band(), drawing.cube())


class _NannonBoard(SpotDrawing):
    def __init__(
        self, canvas: Screen, felt: Rect, board: Board, marks: Marks, turned: bool
    ) -> None:
        self.felt = felt
        row = [place for place in board.places if place.reeds]
        xs = sorted((place.at[0] for place in row), reverse=turned)
        inner = felt.inset(canvas.px(4), 0)
        columns = dict(zip(xs, inner.grid(len(xs), 1, 0), strict=True))
        reach = min(cell.w for cell in columns.values()) // 2
        margin = canvas.px(MARGIN)
        self._tray_size = felt.w * 24 // 100, felt.h * 25 // 100
        radius = min(reach * 94 // 100, felt.h * 15 // 100)
        middle = self._row_at(canvas, felt, radius)
        cells = {
            place.spot: around((columns[place.at[0]].centre[0], middle), reach) for place in row
        }
        trays = {
            place.spot: self._tray(place, board, margin, turned)
            for place in board.places
            if not place.reeds
        }
        super().__init__(canvas, board, marks, cells, trays, radius)

    def _row_at(self, canvas: Screen, felt: Rect, radius: int) -> int:
        """The row's height: in the middle, or lower so that a band for words fits above it; on a
        low board higher, so that no tray covers the numbers."""
        trays = self._tray_size[1] + canvas.px(MARGIN)
        below = felt.bottom - trays - canvas.px(NUMBER) - radius
        band = canvas.high(Size.FIGURE) + canvas.px(14)
        wanted = max(felt.centre[1], felt.y + trays + band + radius)
        return max(felt.y + trays + radius, min(wanted, below))

    def _tray(self, place: Place, board: Board, margin: int, turned: bool) -> Rect:
        width, height = self._tray_size
        left = (place.at[0] < board.size[0] / 2) is not turned
        low = (place.at[1] < board.size[1] / 2) is not turned
        x = self.felt.x + margin if left else self.felt.right - margin - width
        y = self.felt.bottom - margin - height if low else self.felt.y + margin
        return Rect(x, y, width, height)

    def dice(self) -> Rect:
        """The place of one die, between the upper trays; three fit beside each other."""
        px, (width, height) = self.canvas.px, self._tray_size
        between = self.felt.w - 2 * (width + 2 * px(MARGIN))
        side = min(px(DIE), (between - 2 * px(SIGN)) // 3)
        x, y = self.felt.centre[0], self.felt.y + px(MARGIN) + (height - side) // 2
        return Rect(x - side // 2, y, side, side)

    def cube(self) -> Rect:
        """Between the lower trays, nearer to the owner's home."""
        px, lying = self.canvas.px, self.marks.cube
        side, (width, height) = px(CUBE), self._tray_size
        x, y = self.felt.centre[0], self.felt.bottom - px(MARGIN) - height // 2
        if lying and lying.owner:
            reach = self.felt.w // 2 - width - 2 * px(MARGIN) - side // 2
            right = self.trays[HOME[lying.owner]].centre[0] > x
            x += reach if right else -reach
        return Rect(x - side // 2, y - side // 2, side, side)

    def band(self) -> Rect:
        top = self.felt.y + self.canvas.px(MARGIN + 4) + self._tray_size[1]
        row = next(iter(self.cells.values())).centre[1]
        bottom = row - self.radius - self.canvas.px(5)
        return Rect(self.felt.x, top, self.felt.w, bottom - top)

    def spots(self) -> None:
        px = self.canvas.px
        for spot in self.cells:
            at = self.centre(spot)
            self.canvas.add(Disc(at, self.radius + px(2), PIT, SPOT_EDGE, px(1.5), -FELT_LIGHT))
            self.spot(spot)
            self._number(at, str(spot))

    def draw_trays(self) -> None:
        canvas, marks = self.canvas, self.marks
        for spot, rect in self.trays.items():
            draw_tray(canvas, rect, mark_of(marks, spot))
            high = rect.centre[1] < self.felt.centre[1]
            room = rect.inset(canvas.px(2), canvas.px(5))
            owner = spot.side
            names = marks.players or WHITE_AND_BLACK
            words: tuple[str, ...] = names[owner is Side.BLACK] if owner else "", name_spot(spot)
            if room.h < canvas.high(Size.SMALL, Size.SMALL) + canvas.px(LEAST_STACK):
                words = words[1:]  # its checkers tell whose it is
            words_high = max(room.h * 2 // 5, canvas.high(*(Size.SMALL for _ in words)))
            rest = room.h - words_high
            parts = room.rows((words_high, rest) if high else (rest, words_high), 0)
            label, stack = parts if high else parts[::-1]
            pen = Pen(Size.SMALL, WOOD_TEXT, bold=True, align=Align.CENTRE)
            rows = label.inset(canvas.px(2), 0).grid(1, len(words), 0)
            for line, word in zip(rows, words, strict=True):
                if marks.players or canvas.width(word, pen) <= line.w:
                    canvas.line(line, word, pen)
            self._stack(stack, marks.standing.get(spot, ()))
            if spot in marks.lifted:
                canvas.add(*ghost(stack.centre, self._small(stack), owner))
            if spot in marks.clear:
                canvas.add(*cross(stack.centre, self._small(stack) // 2, VERMILION, canvas.px(5)))

    def path(self, move: Move, done: float) -> Curve:
        start, end = self._tip(move.origin), self._tip(move.target)
        rise = self.canvas.px(18) + min(abs(end[0] - start[0]) // 14, self.felt.h // 12)
        return arc(start, end, rise, done)

    def _tip(self, spot: Spot) -> Point:
        x, y = self.centre(spot)
        return (x, y - self.radius - self.canvas.px(4)) if spot in self.cells else (x, y)

    def _stack(self, room: Rect, stack: tuple[Side, ...]) -> None:
        r = self._small(room)
        x, y = room.centre
        for index, side in enumerate(stack):
            shift = (2 * index - len(stack) + 1) * r // 2
            self.canvas.add(*checker((x + shift, y), r, side))

    def _small(self, room: Rect) -> int:
        return min(room.h // 2, room.w // 4, self.radius)

    def _number(self, at: Point, text: str) -> None:
        top = at[1] + self.radius + self.canvas.px(3)
        height = min(self.felt.bottom - top - self.canvas.px(2), self.canvas.px(NUMBER))
        room = Rect(at[0] - self.radius, top, 2 * self.radius, height)
        self.canvas.text(room, text, Pen(Size.TEXT, FELT_TEXT, bold=True, align=Align.CENTRE))
