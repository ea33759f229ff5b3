"""Cannon's board: ten by ten points, and a box per side for captured pieces.

Left, right, near and far are as on the real board, from the millimetres of its description. The
lines are spread over the available space, so that every point can be touched.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

from pi_app.rules.cannon import (
    FILES,
    LIGHT_AND_DARK,
    OFF,
    POINT,
    SOLDIERS,
    SPOT,
    TOWN_HEIGHT,
    Cannon,
    each,
    gunners,
)
from pi_app.rules.terms import Move, Side, Spot, SpotKind
from pi_app.screen.actions import Screen
from pi_app.screen.boards.marks import Drawn, Marks, draw_felt, draw_tray, mark_of
from pi_app.screen.boards.single import SpotDrawing
from pi_app.screen.canvas import (
    Align,
    Curve,
    Line,
    Pen,
    Point,
    Rect,
    Shape,
    Size,
    around,
    cross,
    dashes,
)
from pi_app.screen.pieces import checker, town
from pi_app.screen.theme import FELT_TEXT, SPOT_EDGE, VERMILION, WOOD_TEXT, Colour
from pi_app.sensing.description import Board, Place

FRAME, TRAY, STRIP = 6, 74, 40
"""Units: the wooden frame, a box for captured pieces beside the board, and one below it."""


def draw_cannon(canvas: Screen, rect: Rect, board: Board, marks: Marks, *, turned: bool) -> Drawn:
    felt = draw_felt(canvas, rect, FRAME, (12, 7))
    drawing = _CannonBoard(canvas, felt, board, marks, turned)
    drawing.lines()
    drawing.draw_trays()
    for spot in drawing.cells:
        drawing.spot(spot)
    drawing.trace()
    drawing.arrows()
    dice = around(drawing.field.centre, canvas.px(27))
    return Drawn(drawing.places, dice, drawing.band())


class _CannonBoard(SpotDrawing):
    def __init__(
        self, canvas: Screen, felt: Rect, board: Board, marks: Marks, turned: bool
    ) -> None:
        points = tuple(place for place in board.places if place.reeds)
        boxes = tuple(place for place in board.places if not place.reeds)
        inner = felt.inset(canvas.px(4))
        self.field, trays = _parts(canvas, inner, board, boxes, turned)
        cells = _cells(self.field, points, turned)
        cell = next(iter(cells.values()))
        radius = min(cell.w, cell.h) * 46 // 100
        super().__init__(canvas, board, marks, cells, trays, radius)

    def lines(self) -> None:
        canvas = self.canvas
        pen = Pen(Size.SMALL, FELT_TEXT, bold=True, align=Align.CENTRE)
        width, label = canvas.px(1.2), _label(canvas)
        crowded = min(cell.h for cell in self.cells.values()) < canvas.high(Size.SMALL)
        for row in range(1, len(FILES) + 1):
            left, right = (self.centre(Spot(SpotKind.CROSSING, row, file=file)) for file in "aj")
            canvas.add(Line((left, right), SPOT_EDGE, width))
            cell = self.cells[Spot(SpotKind.CROSSING, row, file="a")]
            if row % 2 or not crowded:
                canvas.line(Rect(self.field.x - label, cell.y, label, cell.h), str(row), pen)
        for file in FILES:
            low, high = (self.centre(Spot(SpotKind.CROSSING, row, file=file)) for row in (1, 10))
            canvas.add(Line((low, high), SPOT_EDGE, width))
            cell = self.cells[Spot(SpotKind.CROSSING, 1, file=file)]
            canvas.text(Rect(cell.x, self.field.bottom, cell.w, label), file, pen)

    def draw_trays(self) -> None:
        canvas, marks = self.canvas, self.marks
        for side in Side:
            spot = OFF[side]
            rect = self.trays[spot]
            draw_tray(canvas, rect, mark_of(marks, spot))
            self._box(rect.inset(canvas.px(4)), side)

    def path(self, move: Move, done: float) -> Curve:
        return self.straight(move, done)

    def has_trace(self, move: Move) -> bool:
        return move.origin in self.cells and move.target in self.cells

    def arrow(self, move: Move, colour: Colour, share: float) -> None:
        """A move, or a shot: dashes from the cannon and a cross on the target."""
        shot = self._muzzle(move)
        if shot:
            self._aim(move, shot, colour)
        else:
            super().arrow(move, colour, share)

    def band(self) -> Rect:
        """The two neighbouring rows with the fewest pieces, near the middle; text is
        written there."""
        rows = sorted({cell.y for cell in self.cells.values()})
        stands = Counter(
            self.cells[spot].y
            for spot, stack in self.marks.standing.items()
            if stack and spot in self.cells
        )
        pairs = pairwise(rows)
        middle = (len(rows) - 2) / 2
        order = sorted(
            enumerate(pairs), key=lambda one: (sum(stands[y] for y in one[1]), abs(one[0] - middle))
        )
        top = order[0][1][0]
        cell = next(iter(self.cells.values()))
        return Rect(self.field.x, top, self.field.w, 2 * cell.h)

    def _aim(self, move: Move, cannon: tuple[Spot, ...], colour: Colour) -> None:
        rear, front = self.centre(cannon[0]), self.centre(cannon[-1])
        target = self.centre(move.origin)
        canvas, width = self.canvas, self.canvas.px(4)
        canvas.add(
            Line((rear, front), colour, width),
            *dashes(front, target, canvas.px(8), colour, width),
            *cross(target, self.radius * 7 // 10, VERMILION, width),
        )

    def _muzzle(self, move: Move) -> tuple[Spot, ...]:
        """The cannon that could have shot what left the board, its rear first; empty otherwise."""
        if move.target not in self.trays or move.origin not in self.cells:
            return ()
        shooter = Side.WHITE if move.target == OFF[Side.BLACK] else Side.BLACK
        cannons = gunners(Cannon().position_of(self.marks.accepted, shooter), POINT[move.origin])
        if not cannons:
            return ()
        spots = [SPOT[point] for point in each(cannons[0])]
        far = -math.dist(self.centre(spots[0]), self.centre(move.origin))
        near = -math.dist(self.centre(spots[-1]), self.centre(move.origin))
        return tuple(spots if far < near else reversed(spots))

    def content(self, spot: Spot, at: Point) -> tuple[Shape, ...]:
        stack, was = self.marks.standing.get(spot, ()), self.marks.accepted.get(spot, ())
        if spot in self.marks.fill and len(was) == TOWN_HEIGHT:
            return town(at, self.radius, was[0], faded=True)
        if len(stack) == TOWN_HEIGHT and spot not in self.marks.lifted:
            return town(at, self.radius, stack[0])
        return super().content(spot, at)

    def _box(self, room: Rect, side: Side) -> None:
        """Draw a side's box: its name, its town if off the board, a soldier and their number."""
        standing = self.marks.standing
        here = len(standing.get(OFF[side], ()))
        has_town = any(standing.get(spot, ()) == (side,) * TOWN_HEIGHT for spot in self.cells)
        soldiers = min(here if has_town else here - TOWN_HEIGHT, SOLDIERS)
        flat = room.w > room.h
        parts = room.columns((5, 3, 4), 0) if flat else room.rows((3, 4, 5), 0)
        pen = Pen(Size.SMALL, WOOD_TEXT, bold=True, align=Align.CENTRE)
        name = (self.marks.players or LIGHT_AND_DARK)[side is Side.BLACK]
        if name not in LIGHT_AND_DARK or self.canvas.width(name, pen) <= parts[0].w:
            self.canvas.line(parts[0], name, pen)
        if not has_town and here >= TOWN_HEIGHT:
            self.canvas.add(*town(parts[1].centre, self._fit(parts[1]), side))
        if soldiers > 0:
            picture, number = parts[2].columns((1, 1), 0)
            self.canvas.add(*checker(picture.centre, self._fit(picture), side))
            pen = Pen(Size.TEXT, WOOD_TEXT, bold=True, align=Align.CENTRE)
            self.canvas.text(number, str(soldiers), pen)

    def _fit(self, room: Rect) -> int:
        return min(self.radius, room.w * 45 // 100, room.h * 45 // 100)


def _label(canvas: Screen) -> int:
    """The space for a row's number or a file's letter, in pixels."""
    widest = canvas.width(str(len(FILES)), Pen(Size.SMALL, bold=True))
    return max(widest, canvas.high(Size.SMALL)) + canvas.px(2)


def _parts(
    canvas: Screen, inner: Rect, board: Board, boxes: tuple[Place, ...], turned: bool
) -> tuple[Rect, dict[Spot, Rect]]:
    label, gap = _label(canvas), canvas.px(4)
    tray = canvas.px(STRIP if canvas.upright else TRAY)
    low_first = sorted(boxes, key=lambda box: box.at[1], reverse=turned)
    if canvas.upright:
        field = Rect(inner.x + label, inner.y, inner.w - label, inner.h - tray - label)
        strip = Rect(inner.x, inner.bottom - tray + gap, inner.w, tray - gap)
        rooms = strip.columns((1, 1), canvas.px(8))
    else:
        left = (boxes[0].at[0] < board.size[0] / 2) is not turned
        x = inner.x + (tray if left else 0) + label
        field = Rect(x, inner.y, inner.w - tray - label, inner.h - label)
        edge = inner.x if left else inner.right - tray + gap
        column = Rect(edge, inner.y, tray - gap, inner.h)
        rooms = column.rows((1, 1), canvas.px(8))[::-1]
    return field, {box.spot: room for box, room in zip(low_first, rooms, strict=True)}


def _cells(field: Rect, points: tuple[Place, ...], turned: bool) -> dict[Spot, Rect]:
    """A cell for each point, ordered as on the board: columns by x, rows by y from below."""
    xs = sorted({point.at[0] for point in points}, reverse=turned)
    ys = sorted({point.at[1] for point in points}, reverse=not turned)
    grid = field.grid(len(xs), len(ys), 0)
    return {
        point.spot: grid[ys.index(point.at[1]) * len(xs) + xs.index(point.at[0])]
        for point in points
    }
