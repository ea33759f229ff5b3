"""The board of the tables games: its layout, its arrows and its drawing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import groupby

from pi_app.base.values import dataclass
from pi_app.rules.naming import Counting, name_spot
from pi_app.rules.tables.position import USUAL, Variant
from pi_app.rules.terms import Move, Side, Spot, SpotKind
from pi_app.screen.actions import Screen
from pi_app.screen.boards.marks import FELT_LIGHT, WOOD_LIGHT, Drawn, Marks, draw_tray, mark_of
from pi_app.screen.canvas import (
    LARGE,
    Align,
    Box,
    Curve,
    Disc,
    Line,
    Pen,
    Pixels,
    Point,
    Poly,
    Rect,
    Size,
    arc,
    around,
    arrow,
    broken_ring,
    cross,
    edged_ring,
)
from pi_app.screen.observability import mark_unseen, why_unseen
from pi_app.screen.pieces import checker, edgewise, ghost, wanted
from pi_app.screen.theme import (
    AMBER,
    BLACK_FACE,
    BLACK_INK,
    DIE_FACE,
    FELT,
    INK,
    PIT,
    POINT_DARK,
    POINT_LIGHT,
    TEAL,
    TRACE,
    VERMILION,
    WHITE_FACE,
    WOOD,
    WOOD_EDGE,
    WOOD_TEXT,
    Colour,
    mix,
)
from pi_app.sensing.description import Board
from pi_app.words.sentences import Sentence

# Where things lie on a drawn tables board: points, places, bar, trays, dice.
#
# Which column stands left of which, and the upper and lower half, are those of the real board,
# from the millimetres of its description. How wide they are the screen decides: checkers are as
# wide as their points, and half the felt's height holds five of them and the dice.

PLACES = 5
"""Checkers drawn side by side on a point. Higher stacks overlap and have a number."""

RAIL, FRAME = 20, 7
BAR_WIDTH, TRAY_WIDTH = 1.1, 1.35
"""As multiples of a point's width."""
DIE, SMALLEST_DIE, CUBE = 46, 34, 30


class Layout:
    def __init__(
        self, rect: Rect, board: Board, px: Pixels, *, turned: bool, large: bool = False
    ) -> None:
        self.rect, self.turned, self._large = rect, turned, large
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
        below = self._at[spot][1] < self._board.size[1] / 2
        return below is not self.turned

    def inwards(self, spot: Spot) -> int:
        """The direction from a spot's rail to the middle of the board: -1 is up, 1 is down."""
        return -1 if self.is_low(spot) else 1

    def most(self, spot: Spot) -> int:
        """The most checkers drawn side by side on a point or the bar."""
        return PLACES - 1 if spot.kind is SpotKind.BAR else PLACES

    def place(self, spot: Spot, index: int, height: int = 0) -> Point:
        """The centre of checker `index` (0 is the first) on a point or the bar, in a stack of this
        height.

        Points are filled from the rail, the bar from the middle of the board. Stacks that are too
        high are compressed.
        """
        most = self.most(spot)
        reach = (most - 1) * self.pitch
        step = reach / (height - 1) if height > most else self.pitch
        steps = self.pitch // 2 + self._px(1) + min(round(index * step), reach)
        x, field = self.room(spot).centre[0], self.field
        if spot.kind is SpotKind.BAR:
            steps += self.cube(None).h // 2
            return x, field.centre[1] - self.inwards(spot) * steps
        rail = field.bottom if self.is_low(spot) else field.y
        return x, rail + self.inwards(spot) * steps

    def top(self, spot: Spot, index: int) -> Point:
        return self.place(spot, index, index + 1)

    def room(self, spot: Spot) -> Rect:
        return self._rooms[spot]

    def number(self, spot: Spot) -> Rect:
        room, rail = self.room(spot), self._px(RAIL)
        y = self.rect.bottom - rail if self.is_low(spot) else self.rect.y
        return Rect(room.x, y, room.w, rail)

    def triangle(self, spot: Spot) -> tuple[tuple[float, float], ...]:
        room = self.room(spot)
        rail = room.bottom if self.is_low(spot) else room.y
        tip = rail + self.inwards(spot) * room.h * 0.84
        return (room.x + 1, rail), (room.right - 1, rail), (room.x + room.w / 2, tip)

    def tray(self, spot: Spot) -> Rect:
        return self._rooms[spot]

    def dice(self) -> Rect:
        x, y = self.halves[1].centre
        return Rect(x - self.die // 2, y - self.die // 2, self.die, self.die)

    def cube(self, owner: Side | None) -> Rect:
        """On the middle of the bar, or at its end in front of the owner; White is below."""
        left, right = self.halves
        side = max(self.pitch, self._px(CUBE * (LARGE if self._large else 1)))
        x, y = (left.right + right.x) // 2, self.field.centre[1]
        if owner:
            below = (owner is Side.WHITE) is not self.turned
            reach = self.field.h // 2 - side // 2 - self._px(3)
            y += reach if below else -reach
        return Rect(x - side // 2, y - side // 2, side, side)

    def band(self) -> Rect:
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
        """Each column's start and width; the bar gets the remaining pixels."""
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
    return Spot(SpotKind.BAR, side=side)


# The plays on a tables board: a ring a checker, its way an arrow, a thin one to the bar.


@dataclass(frozen=True, slots=True)
class Leg:
    """One checker's way between two places, and its side; `thin`: a hit checker's, to the bar."""

    origin: Spot
    start: int
    target: Spot
    end: int
    thin: bool = False
    side: Side | None = None


def legs(accepted: Mapping[Spot, tuple[Side, ...]], moves: tuple[Move, ...]) -> Iterator[Leg]:
    """Yield the ways of all checkers in these moves, from the stacks before them."""
    # A hand finds spots, such as the bar in the Pin game, that the game does not know.
    stacks = defaultdict(list, {spot: list(stack) for spot, stack in accepted.items()})
    for move in moves:
        origin, target = stacks[move.origin], stacks[move.target]
        checker = origin.pop() if origin else None
        if move.hit and target:
            victim = target.pop()
            bar = stacks[bar_of(victim)]
            yield Leg(move.target, len(target), bar_of(victim), len(bar), True, victim)
            bar.append(victim)
        yield Leg(move.origin, len(origin), move.target, len(target), side=checker)
        if checker:
            target.append(checker)


# The board of Backgammon, Portes and the Pin game: 24 points, bar, trays for what is off.

SO_MANY_OFF = Sentence("{count} off")
CHECKERS = 15


def draw_tables(
    canvas: Screen,
    rect: Rect,
    board: Board,
    marks: Marks,
    *,
    turned: bool,
    variant: Variant = USUAL,
) -> Drawn:
    layout = Layout(rect, board, canvas.px, turned=turned, large=canvas.large)
    drawing = _Tables(canvas, layout, board, marks, variant)
    drawing.ground()
    drawing.points()
    drawing.stacks()
    drawing.trays()
    drawing.unseen()
    drawing.trace()
    drawing.arrows()
    drawing.rings()
    drawing.counts()
    rooms = {spot: layout.room(spot) for spot in marks.standing}
    cube = layout.cube(marks.cube.owner if marks.cube else None)
    return Drawn(rooms, layout.dice(), layout.band(), cube)


class _Tables:
    def __init__(
        self, canvas: Screen, layout: Layout, board: Board, marks: Marks, variant: Variant
    ) -> None:
        self.canvas, self.layout, self.board, self.marks = canvas, layout, board, marks
        self.counting = Counting(len(layout.points), Side.WHITE, variant.paths.facing)
        bars = tuple(bar_of(side) for side in Side)
        self.variant = variant
        self.piles = (*layout.points, *(bar for bar in bars if bar in marks.standing))

    def ground(self) -> None:
        px, layout = self.canvas.px, self.layout
        self.canvas.add(Box(layout.rect, WOOD, px(10), WOOD_EDGE, px(1.5), WOOD_LIGHT))
        self.canvas.add(*(Box(half, FELT, px(2), light=FELT_LIGHT) for half in layout.halves))
        left, right = layout.halves
        x, y = (left.right + right.x) // 2, layout.field.centre[1]
        self.canvas.add(Box(Rect(x - px(1), layout.field.y, px(2), layout.field.h), WOOD_EDGE))
        self.canvas.add(Box(Rect(left.right, y - px(1), right.x - left.right, px(2)), WOOD_EDGE))

    def points(self) -> None:
        """Draw triangles and numbers; a number has the colour of its point's mark."""
        canvas, marks, layout = self.canvas, self.marks, self.layout
        widest = canvas.width("24", Pen(Size.SMALL, bold=True))
        for spot in layout.points:
            wood = POINT_LIGHT if spot.number % 2 else POINT_DARK
            left, right, tip = layout.triangle(spot)
            seam = mix(wood, DIE_FACE, 0.25)
            canvas.add(Poly((left, right, tip), wood), Line((left, tip, right), seam, 1))
            rail = layout.number(spot)
            colour = mark_of(marks, spot)
            if colour:
                room = rail.inset(canvas.px(3), canvas.px(1))
                canvas.add(Box(room, colour, canvas.px(4)))
            pen = Pen(Size.SMALL, INK if colour else WOOD_TEXT, bold=True, align=Align.CENTRE)
            if widest <= rail.w:  # a small picture of a board has no numbers
                canvas.line(rail, name_spot(spot, self.counting), pen)

    def stacks(self) -> None:
        for spot in self.piles:
            self._stack(spot)
            self._pin(spot)

    def rings(self) -> None:
        """Mark places: a ring for legal targets, a cross for errors."""
        for spot in self.piles:
            for index in self._landing(spot):
                self._may(self.layout.top(spot, index))
            for index in self._excess(spot):
                at = self.layout.place(spot, index, len(self._present(spot)))
                self._ring(at, VERMILION)
                reach = max(3, self.layout.radius * 5 // 10)
                self.canvas.add(*cross(at, reach, VERMILION, self.canvas.px(3)))

    def counts(self) -> None:
        for spot in self.piles:
            stack = self._present(spot)
            if len(stack) > self.layout.most(spot):
                self._count(spot, stack)

    def trays(self) -> None:
        for side in Side:
            self._tray(Spot(SpotKind.OFF, side=side), side)

    def unseen(self) -> None:
        radius, unseen = self.layout.radius, self.marks.unseen
        r = max(radius * 6 // 10, self.canvas.px(7))
        for place in self.board.places:
            for index, reed in enumerate(place.reeds):
                why = why_unseen(unseen, reed)
                if why and place.spot in self.piles:
                    at = self.layout.place(place.spot, index)
                    badge = (at[0] + radius + r // 3, at[1]), r
                    self.canvas.add(*mark_unseen(at, radius - 2, badge, why))

    def _stack(self, spot: Spot) -> None:
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
        """The checkers there without the missing ones; in the set-up all are shown."""
        stack, missing = self.marks.standing[spot], self.marks.fill.count(spot)
        was = self.marks.accepted.get(spot, ())
        return stack[: max(len(was) - missing, 0)] if missing else stack

    def _count(self, spot: Spot, stack: tuple[Side, ...]) -> None:
        height = max(len(stack), len(self.marks.accepted.get(spot, ())))
        at, r = self.layout.place(spot, len(stack) - 1, height), self.layout.radius
        white = stack[-1] is Side.WHITE
        self.canvas.add(Disc(at, r * 8 // 10, WHITE_FACE if white else BLACK_FACE))
        pen = Pen(Size.TEXT, INK if white else BLACK_INK, bold=True, align=Align.CENTRE)
        around_it = around(at, r * 3 // 2)
        if self.canvas.width(str(len(stack)), pen) <= around_it.w:
            self.canvas.text(around_it, str(len(stack)), pen)

    def _pin(self, spot: Spot) -> None:
        stack = self._present(spot)
        if not self.variant.pins or len(set(stack)) < 2:
            return
        layout, colour = self.layout, WHITE_FACE if stack[-1] is Side.WHITE else BLACK_FACE
        (x1, y1), (x2, y2) = (layout.place(spot, index, len(stack)) for index in (0, 1))
        width = max(2, layout.radius // 5)
        self.canvas.add(
            Line(((x1, y1), (x2, (y1 + y2) // 2)), colour, width),
            Disc((x1, y1), max(3, layout.radius * 4 // 10), colour),
        )

    def _landing(self, spot: Spot) -> tuple[int, ...]:
        """The places of a spot where a lifted checker may land; a single enemy's, if
        that is hit."""
        if spot not in self.marks.targets:
            return ()
        stack, mover = self.marks.standing[spot], self.marks.mover
        hits = len(stack) == 1 and stack[0] is not mover and self.variant.bars
        return (0 if hits else len(stack),)

    def _excess(self, spot: Spot) -> tuple[int, ...]:
        count = self.marks.clear.count(spot)
        if not count:
            return ()
        stack, was = self.marks.standing[spot], self.marks.accepted.get(spot, ())
        first = len(was) if stack[: len(was)] == was else max(len(stack) - 1, 0)
        return tuple(range(first, max(first + 1, min(first + count, len(stack)))))

    def _tray(self, spot: Spot, side: Side) -> None:
        canvas, marks, layout = self.canvas, self.marks, self.layout
        tray, count = layout.tray(spot), len(marks.standing.get(spot, ()))
        draw_tray(canvas, tray, mark_of(marks, spot))
        room, words = tray.inset(canvas.px(4), canvas.px(6)), canvas.px(36)
        low = layout.is_low(spot)
        label = Rect(tray.x, room.y if low else room.bottom - words, tray.w, words)
        height = (room.h - words - canvas.px(4)) // CHECKERS
        for index in range(count):
            y = room.bottom - (index + 1) * height if low else room.y + index * height
            rod = Rect(room.x, y, room.w, height - (height > 4))
            canvas.add(*edgewise(rod, side))
        label = label.inset(canvas.px(2), 0)
        text = SO_MANY_OFF(count=count) if count else name_spot(spot)
        pen = Pen(Size.SMALL, WOOD_TEXT, bold=True, align=Align.CENTRE, lines=2)
        # The number alone where a language's word for "off" is wider than the tray.
        if canvas.least_width(text, pen) <= label.w:
            canvas.text(label, text, pen)
        elif count:
            canvas.text(label, str(count), pen)

    def _ring(self, at: Point, colour: Colour) -> None:
        self.canvas.add(*edged_ring(at, self.layout.radius, colour, self.canvas.px(3)))

    def _may(self, at: Point) -> None:
        """Draw a dashed ring where a checker may go."""
        radius = self.layout.radius - self.canvas.px(3)
        self.canvas.add(*broken_ring(at, radius, AMBER, self.canvas.px(2)))

    def trace(self) -> None:
        """Mark the previous play faintly: where checkers came from, where they are, and
        their ways."""
        last = self.marks.trace
        if last is None:
            return
        ways = tuple(legs(last.before, last.moves))
        width = self.canvas.px(2.5)
        for leg in ways:
            if not leg.thin:
                self.canvas.add(Line(self._path(leg), TRACE, width))
        self._ends(ways, TRACE, width)

    def arrows(self) -> None:
        """Draw the shown play as far as it has grown: an arrow for each move, a ring for each
        checker."""
        marks, canvas, layout = self.marks, self.canvas, self.layout
        colour = VERMILION if marks.wrong else TEAL
        ways = tuple(legs(marks.accepted, marks.moves))
        for number, leg in enumerate(ways):
            path, share = self._path(leg), marks.share(number, len(ways))
            if share:
                done = max(2, round((len(path) - 1) * share))
                canvas.add(*arrow(path[: done + 1], colour, canvas.px(2 if leg.thin else 4)))
            if marks.rides and 0 < share < 1 and leg.side:
                at = path[round((len(path) - 1) * share)]
                canvas.add(*checker((round(at[0]), round(at[1])), layout.radius, leg.side))
        if not marks.wrong and (marks.done == 1 or not marks.rides):
            self._ends(ways, colour, canvas.px(3))

    def _ends(self, ways: tuple[Leg, ...], colour: Colour, width: int) -> None:
        """A ring around each checker's final place, a fainter one around its origin."""
        own = tuple(leg for leg in ways if not leg.thin)
        left = dict.fromkeys((leg.origin, leg.start) for leg in own)
        lie = dict.fromkeys((leg.target, leg.end) for leg in own)
        for place in lie:
            if place not in left:
                self._ring_at(*place, colour, width)
        for place in left:
            if place not in lie:
                self._ring_at(*place, colour, max(1, width * 2 // 3))

    def _ring_at(self, spot: Spot, index: int, colour: Colour, width: int) -> None:
        if spot.kind is not SpotKind.OFF:
            at = self.layout.top(spot, index)
            self.canvas.add(*edged_ring(at, self.layout.radius, colour, width))

    def _path(self, leg: Leg) -> Curve:
        """The curve between two places: within one half of the board it bends towards the middle,
        across the halves upwards."""
        layout, px = self.layout, self.canvas.px
        start, end = self._start(leg), self._end(leg)
        inwards = layout.inwards(leg.target)
        same = inwards == layout.inwards(leg.origin)
        across = abs(end[0] - start[0])
        bend = min(px(10) + across // 12, layout.field.h // 3)
        return arc(start, end, -inwards * bend if same else min(across // 8, px(24)))

    def _start(self, leg: Leg) -> Point:
        if leg.origin.kind is SpotKind.OFF:
            return self.layout.tray(leg.origin).centre
        return self.layout.top(leg.origin, leg.start)

    def _end(self, leg: Leg) -> Point:
        """Where an arrow ends: at the rim of a place, or in the middle of a tray."""
        layout = self.layout
        if leg.target.kind is SpotKind.OFF:
            return layout.tray(leg.target).centre
        x, y = layout.top(leg.target, leg.end)
        if leg.target.kind is SpotKind.BAR:
            return x, y
        return x, y + layout.inwards(leg.target) * (layout.radius + self.canvas.px(1))
