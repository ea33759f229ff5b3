"""Cannon's board: ten by ten crossing points, and a box a side for what was taken.

Left, right, near and far are those of the real board, from the millimetres of its description;
the lines are spread over the room there is, for every point is to be touched.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

from pi_app.rules.cannon.actions import gunners
from pi_app.rules.cannon.position import (
    FILES,
    OFF,
    POINT,
    SOLDIERS,
    SPOT,
    TOWN_HEIGHT,
    each,
    name_side,
    place,
)
from pi_app.rules.terms import Move, Side, Spot, SpotKind
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Drawn, Marks, mark_of
from pi_app.screen.canvas import Canvas, Pen
from pi_app.screen.observability import mark_unseen
from pi_app.screen.pieces import checker, ghost, town, wanted
from pi_app.screen.shapes import (
    Align,
    Box,
    Curve,
    Disc,
    Line,
    Point,
    Rect,
    Shape,
    around,
    arrow,
    cross,
    dashes,
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

FRAME, LABEL, TRAY, STRIP = 6, 22, 74, 40
"""Units: the wooden frame, row and file names, a box of taken pieces, and one below the board."""


def draw_cannon(
    canvas: Canvas[Action], rect: Rect, board: Board, marks: Marks, *, turned: bool
) -> Drawn:
    """The whole board; see `DrawBoard`."""
    felt = rect.inset(canvas.px(FRAME))
    canvas.add(
        Box(rect, WOOD, canvas.px(12), WOOD_EDGE, canvas.px(1.5)),
        Box(felt, FELT, canvas.px(7)),
    )
    drawing = _CannonBoard(canvas, felt, board, marks, turned)
    drawing.lines()
    drawing.trays()
    drawing.points()
    drawing.trace()
    drawing.arrows()
    dice = around(drawing.field.centre, canvas.px(27))
    return Drawn(drawing.cells | drawing.boxes, dice, drawing.band())


class _CannonBoard:
    """One drawing under way; `cells` are the places of the points, `boxes` those off the board."""

    def __init__(
        self, canvas: Canvas[Action], felt: Rect, board: Board, marks: Marks, turned: bool
    ) -> None:
        self.canvas, self.marks = canvas, marks
        points = tuple(place for place in board.places if place.reeds)
        boxes = tuple(place for place in board.places if not place.reeds)
        inner = felt.inset(canvas.px(4))
        self.field, self.boxes = _parts(canvas, inner, board, boxes, turned)
        self.cells = _cells(self.field, points, turned)
        self._reeds = {place.spot: place.reeds[0].name for place in points}
        cell = next(iter(self.cells.values()))
        self.radius = min(cell.w, cell.h) * 42 // 100

    def lines(self) -> None:
        """Ten lines each way, the files' letters below and the rows' numbers on the left."""
        canvas = self.canvas
        pen = Pen(15, FELT_TEXT, bold=True, align=Align.CENTRE)
        width, label = canvas.px(1.2), canvas.px(LABEL)
        for row in range(1, len(FILES) + 1):
            left, right = (self.centre(Spot(SpotKind.CROSSING, row, file=file)) for file in "aj")
            canvas.add(Line((left, right), SPOT_EDGE, width))
            cell = self.cells[Spot(SpotKind.CROSSING, row, file="a")]
            canvas.text(Rect(self.field.x - label, cell.y, label, cell.h), str(row), pen)
        for file in FILES:
            low, high = (self.centre(Spot(SpotKind.CROSSING, row, file=file)) for row in (1, 10))
            canvas.add(Line((low, high), SPOT_EDGE, width))
            cell = self.cells[Spot(SpotKind.CROSSING, 1, file=file)]
            canvas.text(Rect(cell.x, self.field.bottom, cell.w, label), file, pen)

    def centre(self, spot: Spot) -> Point:
        """The crossing of a point's lines, or the middle of a box."""
        return (self.cells.get(spot) or self.boxes[spot]).centre

    def points(self) -> None:
        """Pieces, rings and crosses on every point."""
        marks, r = self.marks, self.radius
        for spot in self.cells:
            at = self.centre(spot)
            self.canvas.add(*self._content(spot, at))
            colour = mark_of(marks, spot)
            if colour:
                self._ring(at, colour)
            if spot in marks.clear:
                self.canvas.add(*cross(at, r * 6 // 10, VERMILION, self.canvas.px(3.5)))
            why = marks.unseen.get(self._reeds[spot])
            if why:
                shift = r * 8 // 10
                badge = (at[0] + shift, at[1] + shift), self.canvas.px(7)
                self.canvas.add(*mark_unseen(at, r * 9 // 10, badge, why))

    def trays(self) -> None:
        """What was taken of each side: how many soldiers, and the town until it is placed."""
        canvas, marks = self.canvas, self.marks
        for side in Side:
            spot = OFF[side]
            rect = self.boxes[spot]
            colour = mark_of(marks, spot)
            canvas.add(Box(rect, PIT, canvas.px(7), colour, canvas.px(3) if colour else 0))
            self._box(rect.inset(canvas.px(4)), side)

    def trace(self) -> None:
        """The play before: its way, and rings where it began and ended, quietly."""
        last, width = self.marks.trace, self.canvas.px(3)
        for move in last.moves if last else ():
            spots = [spot for spot in (move.origin, move.target) if spot in self.cells]
            if len(spots) == 2:
                path = _straight(self.centre(spots[0]), self.centre(spots[1]), self.radius, 1.0)
                self.canvas.add(Line(path, TRACE, width))
            for spot in spots:
                self._ring(self.centre(spot), TRACE)

    def arrows(self) -> None:
        """Moves as straight arrows, shots as dashes from the cannon and a cross on the target."""
        colour = VERMILION if self.marks.wrong else TEAL
        for move in self.marks.moves:
            shot = self._muzzle(move)
            if shot:
                self._aim(move, shot, colour)
            else:
                self._way(move, colour)

    def band(self) -> Rect:
        """Two rows of points next to each other with the fewest pieces, near the middle."""
        rows = sorted({cell.y for cell in self.cells.values()})
        stands = Counter(
            self.cells[spot].y
            for spot, stack in self.marks.standing.items()
            if stack and spot in self.cells
        )
        pairs = pairwise(rows)
        middle = (len(rows) - 2) / 2
        order = sorted(
            enumerate(pairs),
            key=lambda one: (sum(stands[y] for y in one[1]), abs(one[0] - middle)),
        )
        top = order[0][1][0]
        cell = next(iter(self.cells.values()))
        return Rect(self.field.x, top, self.field.w, 2 * cell.h)

    def _way(self, move: Move, colour: Colour) -> None:
        start, end = self.centre(move.origin), self.centre(move.target)
        path = _straight(start, end, self.radius, self.marks.done)
        self.canvas.add(*arrow(path, colour, self.canvas.px(4)))
        if not self.marks.wrong and move.target in self.cells:
            self._ring(end, colour)

    def _aim(self, move: Move, cannon: tuple[Spot, ...], colour: Colour) -> None:
        """The line through the cannon, dashes to its target, and a cross there."""
        rear, front = self.centre(cannon[0]), self.centre(cannon[-1])
        target = self.centre(move.origin)
        canvas, width = self.canvas, self.canvas.px(4)
        canvas.add(
            Line((rear, front), colour, width),
            *dashes(front, target, canvas.px(8), colour, width),
            *cross(target, self.radius * 7 // 10, VERMILION, width),
        )

    def _muzzle(self, move: Move) -> tuple[Spot, ...]:
        """The cannon that could have taken what left the board, its rear first; none otherwise."""
        if move.target not in self.boxes or move.origin not in self.cells:
            return ()
        shooter = Side.WHITE if move.target == OFF[Side.BLACK] else Side.BLACK
        cannons = gunners(place(self.marks.accepted, shooter), POINT[move.origin])
        if not cannons:
            return ()
        spots = [SPOT[point] for point in each(cannons[0])]
        far = -math.dist(self.centre(spots[0]), self.centre(move.origin))
        near = -math.dist(self.centre(spots[-1]), self.centre(move.origin))
        return tuple(spots if far < near else reversed(spots))

    def _content(self, spot: Spot, at: Point) -> tuple[Shape, ...]:
        stack, was = self.marks.standing.get(spot, ()), self.marks.accepted.get(spot, ())
        if spot in self.marks.fill and was:
            side, is_town = was[0], len(was) == TOWN_HEIGHT
            faded = town(at, self.radius, side, faded=True)
            return faded if is_town else wanted(at, self.radius * 9 // 10, side)
        if spot in self.marks.lifted:
            pit = Disc(at, self.radius, PIT)
            return pit, *ghost(at, self.radius * 9 // 10, was[0] if was else None)
        if len(stack) == TOWN_HEIGHT:
            return town(at, self.radius, stack[0])
        return checker(at, self.radius, stack[-1]) if stack else ()

    def _box(self, room: Rect, side: Side) -> None:
        """Whose box it is, the town that is not on the board, a soldier and how many of them."""
        standing = self.marks.standing
        here = len(standing.get(OFF[side], ()))
        has_town = any(standing.get(spot, ()) == (side,) * TOWN_HEIGHT for spot in self.cells)
        soldiers = min(here if has_town else here - TOWN_HEIGHT, SOLDIERS)
        flat = room.w > room.h
        parts = room.columns((4, 3, 5), 0) if flat else room.rows((3, 4, 5), 0)
        pen = Pen(14, FELT_TEXT, bold=True, align=Align.CENTRE)
        self.canvas.text(parts[0], name_side(side), pen)
        if not has_town and here >= TOWN_HEIGHT:
            self.canvas.add(*town(parts[1].centre, self._fit(parts[1]), side))
        if soldiers > 0:
            picture, number = parts[2].columns((1, 1), 0)
            self.canvas.add(*checker(picture.centre, self._fit(picture), side))
            pen = Pen(18, FELT_TEXT, bold=True, align=Align.CENTRE)
            self.canvas.text(number, str(soldiers), pen)

    def _fit(self, room: Rect) -> int:
        return min(self.radius, room.w * 45 // 100, room.h * 45 // 100)

    def _ring(self, at: Point, colour: Colour) -> None:
        width = self.canvas.px(3.5)
        self.canvas.add(Disc(at, self.radius + self.canvas.px(2), None, colour, width))


def _parts(
    canvas: Canvas[Action], inner: Rect, board: Board, boxes: tuple[Place, ...], turned: bool
) -> tuple[Rect, dict[Spot, Rect]]:
    """The field of the points, and the boxes: at its side, or below it when upright."""
    label, gap = canvas.px(LABEL), canvas.px(4)
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
    """A cell a point, in the order of the real board: columns by x, rows by y from below."""
    xs = sorted({point.at[0] for point in points}, reverse=turned)
    ys = sorted({point.at[1] for point in points}, reverse=not turned)
    grid = field.grid(len(xs), len(ys), 0)
    return {
        point.spot: grid[ys.index(point.at[1]) * len(xs) + xs.index(point.at[0])]
        for point in points
    }


def _straight(start: Point, end: Point, short: int, done: float) -> Curve:
    """Points on the way, `done` (0 to 1) of it; it ends `short` of the end."""
    share = max(0.2, (1 - short / max(math.dist(start, end), 2 * short, 1)) * done) / 8
    across, down = end[0] - start[0], end[1] - start[1]
    return tuple((start[0] + across * share * i, start[1] + down * share * i) for i in range(9))
