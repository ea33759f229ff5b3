"""Where things lie on a drawn tables board: points, places, bar, trays, dice.

Left, right, upper and lower half are those of the real board, from the millimetres of its
description.  Downwards the screen decides: the places of a point share half the felt's height.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from pi_app.rules.terms import Side, Spot, SpotKind
from pi_app.screen.shapes import Point, Rect, around
from pi_app.sensing.description import Board, Place

PLACES = 5
"""So many checkers of a point lie side by side; a number tells of more."""

RAIL = 13
DIE = 46

Pixels = Callable[[float], int]
"""Units as whole pixels."""


class Layout:
    """The geometry of one drawing; all in pixels."""

    def __init__(self, rect: Rect, board: Board, px: Pixels, *, turned: bool) -> None:
        self.rect, self.turned = rect, turned
        self._board, self._px = board, px
        self._scale = rect.w / board.size[0]
        self._places = {place.spot: place for place in board.places}
        self.points = tuple(
            place.spot for place in board.places if place.spot.kind is SpotKind.POINT
        )
        self.field = rect.inset(0, px(RAIL))
        self._upper, self._lower = self.field.rows((1, 1), 0)
        xs = sorted({self._x(self._places[spot]) for spot in self.points})
        self._half = min(right - left for left, right in pairwise(xs)) / 2
        self.pitch = min(int(1.88 * self._half), (self.field.h - px(4)) // (2 * PLACES))
        self.radius = self.pitch // 2
        self.halves = self._halves(xs)

    def is_low(self, spot: Spot) -> bool:
        """Whether a spot lies in the lower half of the picture."""
        below = self._places[spot].at[1] < self._board.size[1] / 2
        return below is not self.turned

    def inwards(self, spot: Spot) -> int:
        """The way from a spot's rail to the middle: -1 is up, 1 is down."""
        return -1 if self.is_low(spot) else 1

    def most(self, spot: Spot) -> int:
        """How many checkers are drawn one beside the other on a point or the bar."""
        return PLACES - 1 if spot.kind is SpotKind.BAR else PLACES

    def place(self, spot: Spot, index: int) -> Point:
        """The middle of a place of a point or the bar, 0 the first; the last stands for more.

        A point is filled from its rail, the bar from the middle of the board.
        """
        index = min(index, self.most(spot) - 1)
        x, field = round(self._x(self._places[spot])), self.field
        steps = index * self.pitch + self.pitch // 2 + self._px(1)
        if spot.kind is SpotKind.BAR:
            return x, field.centre[1] - self.inwards(spot) * steps
        rail = field.bottom if self.is_low(spot) else field.y
        return x, rail + self.inwards(spot) * steps

    def room(self, spot: Spot) -> Rect:
        """All of a point, of a side's half of the bar, or of a tray."""
        if spot.kind is SpotKind.OFF:
            return self.tray(spot)
        bar = spot.kind is SpotKind.BAR
        half = self._bar_half() if bar else self._half
        x, row = self._x(self._places[spot]), self._row(spot)
        left, right = round(x - half), round(x + half)
        return Rect(left, row.y, right - left, row.h)

    def number(self, spot: Spot) -> Rect:
        """Where a point's number stands, on the rail."""
        room, rail = self.room(spot), self._px(RAIL)
        y = self.rect.bottom - rail if self.is_low(spot) else self.rect.y
        return Rect(room.x, y, room.w, rail)

    def triangle(self, spot: Spot) -> tuple[tuple[float, float], ...]:
        """A point's corners, the tip last."""
        room = self.room(spot)
        rail = room.bottom if self.is_low(spot) else room.y
        tip = rail + self.inwards(spot) * room.h * 0.9
        return (room.x + 1, rail), (room.right - 1, rail), (room.x + room.w / 2, tip)

    def tray(self, spot: Spot) -> Rect:
        """Where a side's checkers lie that have been borne off."""
        x, row = self._x(self._places[spot]), self._row(spot).inset(0, self._px(2))
        felt = max(self.halves, key=lambda half: -abs(half.centre[0] - x))
        inner = abs(x - (felt.right if x > felt.centre[0] else felt.x))
        outer = min(x - self.rect.x, self.rect.right - x)
        half = round(min(inner, outer) - self._px(8))
        return Rect(round(x) - half, row.y, 2 * half, row.h)

    def dice(self, stacks: Mapping[Spot, int], tips: tuple[Point, ...]) -> Rect:
        """Room for two dice side by side, in the middle, over as little as can be.

        `stacks` says how high each point is filled, `tips` where arrows end.  As long as nothing
        is in the way, the dice lie in the right half.
        """
        side = self._px(DIE)
        wide = 2 * side + self._px(8)
        rooms = [
            Rect(
                half.x + share * (half.w - wide) // 8, self.field.centre[1] - side // 2, wide, side
            )
            for half in (felt.inset(self._px(6), 0) for felt in reversed(self.halves))
            for share in (4, 3, 5, 2, 6, 1, 7, 0, 8)
        ]
        reach = rooms[0].inset(-self.rect.w, 0)
        circles = [
            around(self.place(spot, index), self.radius)
            for spot, height in stacks.items()
            for index in range(min(height, PLACES))
        ]
        near = [circle for circle in circles if circle.overlaps(reach)]

        def covered(room: Rect) -> int:
            checkers = sum(circle.overlaps(room) for circle in near)
            return checkers + sum(room.contains(*tip) for tip in tips)

        return min(rooms, key=covered)

    def _row(self, spot: Spot) -> Rect:
        return self._lower if self.is_low(spot) else self._upper

    def _halves(self, xs: list[float]) -> tuple[Rect, Rect]:
        """The felt left and right of the bar: the bar is the widest gap between points."""
        gaps = [right - left for left, right in pairwise(xs)]
        cut = gaps.index(max(gaps)) + 1
        left, right = (
            Rect(
                round(part[0] - self._half),
                self.field.y,
                round(part[-1] + self._half) - round(part[0] - self._half),
                self.field.h,
            )
            for part in (xs[:cut], xs[cut:])
        )
        return left, right

    def _bar_half(self) -> float:
        left, right = self.halves
        return (right.x - left.right) / 2

    def _x(self, place: Place) -> float:
        x = self._board.size[0] - place.at[0] if self.turned else place.at[0]
        return self.rect.x + x * self._scale


def bar_of(side: Side) -> Spot:
    """The spot where a side's hit checkers wait."""
    return Spot(SpotKind.BAR, side=side)
