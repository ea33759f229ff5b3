"""Where things lie on a drawn tables board: points, places, bar, trays, dice.

Which column stands left of which, and the upper and lower half, are those of the real board, from
the millimetres of its description.  How wide they are the screen decides: checkers are as wide as
their points, and half the felt's height holds five of them and the dice.
"""

from __future__ import annotations

from itertools import groupby

from pi_app.rules.terms import Side, Spot, SpotKind
from pi_app.screen.layout import Pixels
from pi_app.screen.shapes import Point, Rect
from pi_app.sensing.description import Board

PLACES = 5
"""So many checkers of a point lie side by side; more overlap, and a number tells of them."""

RAIL, FRAME = 20, 7
BAR_WIDTH, TRAY_WIDTH = 1.1, 1.35
"""In points."""
DIE, SMALLEST_DIE = 46, 34


class Layout:
    """The geometry of one drawing; all in pixels."""

    def __init__(self, rect: Rect, board: Board, px: Pixels, *, turned: bool) -> None:
        self.rect, self.turned = rect, turned
        self._board, self._px = board, px
        self._at = {place.spot: place.at for place in board.places}
        self.points = tuple(spot for spot in self._at if spot.kind is SpotKind.POINT)
        self.field = rect.inset(0, px(RAIL))
        self._upper, self._lower = self.field.rows((1, 1), 0)
        kinds = {at[0]: spot.kind for spot, at in self._at.items()}
        order = sorted(kinds, reverse=turned)
        width = self._point_width([kinds[x] for x in order])
        self._columns = self._placed([(x, kinds[x]) for x in order], width)
        slack = px(6)
        self.pitch = min(width, (self.field.h - px(SMALLEST_DIE) - slack) // (2 * PLACES))
        self.radius = self.pitch // 2
        self.die = min(px(DIE), self.field.h - 2 * PLACES * self.pitch - slack)
        self.halves = self._halves([(x, kinds[x]) for x in order])
        self._rooms = {spot: self._room(spot) for spot in self._at}

    def is_low(self, spot: Spot) -> bool:
        """Whether a spot lies in the lower half of the picture."""
        below = self._at[spot][1] < self._board.size[1] / 2
        return below is not self.turned

    def inwards(self, spot: Spot) -> int:
        """The way from a spot's rail to the middle: -1 is up, 1 is down."""
        return -1 if self.is_low(spot) else 1

    def most(self, spot: Spot) -> int:
        """How many checkers are drawn one beside the other on a point or the bar."""
        return PLACES - 1 if spot.kind is SpotKind.BAR else PLACES

    def place(self, spot: Spot, index: int, height: int = 0) -> Point:
        """The middle of a place of a point or the bar, 0 the first, in a stack of this height.

        A point is filled from its rail, the bar from the middle of the board; the places of a
        stack that is higher than fits lie closer together.
        """
        most = self.most(spot)
        reach = (most - 1) * self.pitch
        step = reach / (height - 1) if height > most else self.pitch
        steps = self.pitch // 2 + self._px(1) + min(round(index * step), reach)
        x, field = self.room(spot).centre[0], self.field
        if spot.kind is SpotKind.BAR:
            return x, field.centre[1] - self.inwards(spot) * steps
        rail = field.bottom if self.is_low(spot) else field.y
        return x, rail + self.inwards(spot) * steps

    def top(self, spot: Spot, index: int) -> Point:
        """The middle of a place while no checker lies above it."""
        return self.place(spot, index, index + 1)

    def room(self, spot: Spot) -> Rect:
        """All of a point, of a side's half of the bar, or of a tray."""
        return self._rooms[spot]

    def number(self, spot: Spot) -> Rect:
        """Where a point's number stands, on the rail."""
        room, rail = self.room(spot), self._px(RAIL)
        y = self.rect.bottom - rail if self.is_low(spot) else self.rect.y
        return Rect(room.x, y, room.w, rail)

    def triangle(self, spot: Spot) -> tuple[tuple[float, float], ...]:
        """A point's corners, the tip last."""
        room = self.room(spot)
        rail = room.bottom if self.is_low(spot) else room.y
        tip = rail + self.inwards(spot) * room.h * 0.84
        return (room.x + 1, rail), (room.right - 1, rail), (room.x + room.w / 2, tip)

    def tray(self, spot: Spot) -> Rect:
        """Where a side's checkers lie that have been borne off."""
        return self._rooms[spot]

    def dice(self) -> Rect:
        """The place of one die, in the middle of the right half, where no checker lies."""
        x, y = self.halves[1].centre
        return Rect(x - self.die // 2, y - self.die // 2, self.die, self.die)

    def band(self) -> Rect:
        """The felt between the checkers, from side to side."""
        left, right = self.halves
        height = self.field.h - 2 * PLACES * self.pitch - self._px(2)
        return Rect(left.x, self.field.centre[1] - height // 2, right.right - left.x, height)

    def _room(self, spot: Spot) -> Rect:
        x, width = self._columns[self._at[spot][0]]
        row = self._lower if self.is_low(spot) else self._upper
        row = row.inset(0, self._px(3)) if spot.kind is SpotKind.OFF else row
        return Rect(x, row.y, width, row.h)

    def _point_width(self, kinds: list[SpotKind]) -> int:
        points = kinds.count(SpotKind.POINT)
        shares = points + BAR_WIDTH + TRAY_WIDTH * kinds.count(SpotKind.OFF)
        frames = (2 + kinds.count(SpotKind.OFF)) * self._px(FRAME)
        return int((self.rect.w - frames) / shares)

    def _placed(
        self, columns: list[tuple[float, SpotKind]], width: int
    ) -> dict[float, tuple[int, int]]:
        """Where each column begins and how wide it is; the bar takes the pixels that are left."""
        frame = self._px(FRAME)
        widths = {SpotKind.POINT: width, SpotKind.OFF: round(TRAY_WIDTH * width)}
        frames = (2 + sum(kind is SpotKind.OFF for _, kind in columns)) * frame
        taken = sum(widths.get(kind, 0) for _, kind in columns)
        widths[SpotKind.BAR] = self.rect.w - frames - taken
        x, placed = self.rect.x + frame, dict[float, tuple[int, int]]()
        for number, (at, kind) in enumerate(columns):
            if number and SpotKind.OFF in (kind, columns[number - 1][1]):
                x += frame
            placed[at] = x, widths[kind]
            x += widths[kind]
        return placed

    def _halves(self, columns: list[tuple[float, SpotKind]]) -> tuple[Rect, Rect]:
        """The felt left and right of the bar."""
        runs = [
            [x for x, _ in run]
            for kind, run in groupby(columns, lambda one: one[1])
            if kind is SpotKind.POINT
        ]
        left, right = (self._felt(run) for run in runs)
        return left, right

    def _felt(self, xs: list[float]) -> Rect:
        (start, _), (end, width) = self._columns[xs[0]], self._columns[xs[-1]]
        return Rect(start, self.field.y, end + width - start, self.field.h)


def bar_of(side: Side) -> Spot:
    """The spot where a side's hit checkers wait."""
    return Spot(SpotKind.BAR, side=side)
