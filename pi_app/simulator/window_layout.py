"""Where everything in the simulator's window is, computed from the window's size; pure.

The product's screen has its true size, and the board gets the rest. If large checkers do not fit
beside the screen it is upright, as it may be mounted too. If that does not help, screen and
checkers both get smaller.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import combinations, product
from typing import TypeAlias

from pi_app.base.values import dataclass
from pi_app.rules.terms import Spot, SpotKind
from pi_app.screen.canvas import Point, Rect
from pi_app.sensing.description import Board, Place, Sensor

SIZE = (1760, 800)
"""The window on a large desktop; on a smaller one it is as large as fits."""
AROUND = (16, 88)
"""Pixels of the desktop's width and height for panels and the window's frame."""
LEAST = (480, 400)
"""A smaller window shows a part of the layout for this size."""
LONG, SHORT = 800, 480
"""The sides of the product's screen at its true size, in pixels."""
GRIP = 44
"""A checker this wide, in pixels, is easy to drag."""
AMPLE = 0.4
"""With this share of the window the board is large enough, and the screen may grow too."""
MARGIN, WIDE_GAP, HELP = 16, 48, 24
TOOLS = (2, 1)
"""The factors by which the OLED may be enlarged.

Twice is the true size of a 2.42 inch panel beside a 7 inch screen of 800 pixels.
"""
PANEL, BUTTON = (128, 64), 72
"""The OLED's size, and the diameter of the die button beside it; both grow together."""
SMALL_TOOLS = 0.9
"""The worth of a layout with the small OLED, relative to one with the large OLED."""
NUMBERED_FRAME, PLAIN_FRAME = 24, 12
"""The frame's width in pixels, with and without the numbers of points."""
LABEL, LARGEST_LABEL, TINY_LABEL = 14, 22, 8
STEP = 16
TOUCHING, WIDEST = 0.96, 1.2
"""The largest width of a drawn checker, as a share of the distance to the next place, and of its
spot."""

Dimensions: TypeAlias = tuple[int, int]
Grouping: TypeAlias = tuple[tuple[str, ...], ...]
"""Columns, or rows, of parts."""
Aim: TypeAlias = tuple[Spot | None, Sensor | None]
"""The spot under the pointer and its place; None if there is none."""

ARRANGEMENTS: tuple[tuple[bool, Grouping], ...] = (
    (False, (("screen", "tools"), ("board",))),
    (False, (("screen",), ("board", "tools"))),
    (True, (("screen", "tools"), ("board",))),
    (True, (("screen",), ("board", "tools"))),
    (True, (("screen",), ("board",), ("tools",))),
)
"""Whether the lines are rows or columns; and the parts in each line."""


@dataclass(frozen=True)
class DrawnBoard:
    """The part of a board that is drawn, in millimetres, and its frame in pixels.

    Checkers are as wide as their places allow, as on a real board. Nothing but the frame is outside
    the outermost of them.
    """

    board: Board

    @cached_property
    def checker(self) -> float:
        reeds = [reed.at for place in self.board.places for reed in place.reeds]
        apart = min((math.dist(*pair) for pair in combinations(reeds, 2)), default=math.inf)
        return min(TOUCHING * apart, WIDEST * self.board.spot_diameter)

    @cached_property
    def frame(self) -> int:
        return NUMBERED_FRAME if self.is_grid or self.has_points else PLAIN_FRAME

    @cached_property
    def is_grid(self) -> bool:
        ways = {place.at[1] for place in self.board.places if len(place.reeds) == 1}
        return len(ways) > 1

    @property
    def has_points(self) -> bool:
        return any(len(place.reeds) > 1 for place in self.board.places)

    @cached_property
    def extent(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Its range across, and its range upwards. A tray has room for its name too."""
        half, places = self.checker / 2, self.board.places
        reeds = [(reed.at, half, half) for place in places for reed in place.reeds]
        trays = [(place.at, 1.15 * half, 1.8 * half) for place in places if not place.reeds]
        every = (*reeds, *trays)
        across = [at[0] + way for at, wide, _ in every for way in (wide, -wide)]
        up = [at[1] + way for at, _, high in every for way in (high, -high)]
        return (min(across), max(across)), (min(up), max(up))

    @cached_property
    def shape(self) -> tuple[float, float]:
        (left, right), (low, high) = self.extent
        return right - left, high - low

    def scale_in(self, room: Dimensions) -> float:
        """Pixels per millimetre."""
        (width, height), (across, up) = room, self.shape
        return min((width - 2 * self.frame) / across, (height - 2 * self.frame) / up)

    def size_in(self, room: Dimensions) -> Dimensions:
        scale, (across, up) = self.scale_in(room), self.shape
        return int(across * scale) + 2 * self.frame, int(up * scale) + 2 * self.frame


@dataclass(frozen=True)
class WindowLayout:
    size: Dimensions
    board: Board
    screen: Rect
    table: Rect
    panel: Rect
    button: Rect
    help: Rect

    @cached_property
    def drawn(self) -> DrawnBoard:
        return DrawnBoard(self.board)

    @cached_property
    def scale(self) -> float:
        return self.drawn.scale_in((self.table.w, self.table.h))

    @cached_property
    def radius(self) -> int:
        return max(4, round(self.drawn.checker / 2 * self.scale))

    @property
    def rail(self) -> int:
        """The width of the frame around the playing area."""
        return self.drawn.frame

    @property
    def upper_rail(self) -> int:
        return self.table.y + self.rail // 2

    @property
    def lower_rail(self) -> int:
        return self.table.bottom - self.rail // 2

    @property
    def label(self) -> int:
        """The font size on the board; with small checkers it must be small too."""
        largest = self.rail * 2 // 3 if self.rail == NUMBERED_FRAME else LARGEST_LABEL
        return min(largest, max(LABEL, self.radius * 2 // 5), max(TINY_LABEL, self.radius))

    def centre(self, place: Place) -> Point:
        return self.at(place.at)

    def at(self, mm: tuple[float, float]) -> Point:
        """Convert board millimetres, which count upwards, to pixels."""
        (left, _), (low, _) = self.drawn.extent
        x, y = mm[0] - left, mm[1] - low
        across, up = round(x * self.scale), round(y * self.scale)
        return self.table.x + self.rail + across, self.table.bottom - self.rail - up

    def tray(self, place: Place) -> Rect:
        """The rectangle of a spot without reeds: all space up to its neighbours and the frame."""
        return self._trays[place.spot]

    @cached_property
    def _trays(self) -> Mapping[Spot, Rect]:
        trays = (place for place in self.board.places if is_tray(place))
        return {place.spot: self._tray(place) for place in trays}

    def _tray(self, place: Place) -> Rect:
        left, right = self._free(place, 0)
        low, high = self._free(place, 1)
        x, y = self.at((left, high))
        end, foot = self.at((right, low))
        return Rect(x, y, end - x, foot - y).inset(max(1, round(self.scale)))

    def aim(self, x: int, y: int) -> Aim:
        """The place whose checker a point would touch, or the tray that it is on.

        Between the places of one spot, or just beyond its last, it is the nearest place.
        """
        near: list[tuple[int, Spot, Sensor]] = []
        for place in self.board.places:
            if not place.reeds and self.tray(place).contains(x, y):
                return place.spot, None
            for reed in place.reeds:
                cx, cy = self.at(reed.at)
                if math.dist((x, y), (cx, cy)) <= self.radius:
                    return place.spot, reed.name
                beside = abs(x - cx) <= self.radius and abs(y - cy) <= 2 * self.radius
                if beside and len(place.reeds) > 1:
                    near.append((abs(y - cy), place.spot, reed.name))
        return min(near, key=lambda one: one[0])[1:] if near else (None, None)

    def _free(self, place: Place, axis: int) -> tuple[float, float]:
        """How far a tray may extend to either side along an axis, in millimetres."""
        radius, here = self.drawn.checker / 2, place.at[axis]
        low, high = self.drawn.extent[axis]
        lows, highs = [low], [high]
        for at, ends in self._others(place, axis):
            if at - here >= radius:
                highs.append(at - radius if ends else (at + here) / 2)
            elif here - at >= radius:
                lows.append(at + radius if ends else (at + here) / 2)
        return max(lows), min(highs)

    def _others(self, place: Place, axis: int) -> Iterator[tuple[float, bool]]:
        """Yield positions along an axis of checkers in a tray's way, and whether they are on reeds.
        Along the vertical axis only checkers above or below matter; along the horizontal one all
        do."""
        for other in self.board.places:
            for at in [reed.at for reed in other.reeds] or [other.at]:
                if axis == 0 or abs(at[0] - place.at[0]) < self.board.spot_diameter:
                    yield at[axis], bool(other.reeds)


def is_tray(place: Place) -> bool:
    """Trays are the spots without sensors, and the bar."""
    return not place.reeds or place.spot.kind is SpotKind.BAR


def fitted(desktop: Dimensions) -> Dimensions:
    width, height = (most - kept for most, kept in zip(desktop, AROUND, strict=True))
    return max(LEAST[0], min(SIZE[0], width)), max(LEAST[1], min(SIZE[1], height))


def set_stage(size: Dimensions, board: Board) -> WindowLayout:
    """The best layout among all sizes of the screen and all arrangements."""
    width, height = max(size[0], LEAST[0]), max(size[1], LEAST[1])
    foot = height - MARGIN // 2 - HELP
    room = Rect(MARGIN, MARGIN, width - 2 * MARGIN, foot - MARGIN // 2 - MARGIN)
    drawn, ample = DrawnBoard(board), AMPLE * width * height
    parts = _best(room, drawn, ample).placed(room)
    panel, button = _tools(parts["tools"])
    notes = Rect(MARGIN, foot, width - 2 * MARGIN, HELP)
    return WindowLayout(size, board, parts["screen"], parts["board"], panel, button, notes)


@dataclass(frozen=True, slots=True)
class Draft:
    """Parts of these sizes in lines that are rows or columns."""

    rows: bool
    lines: Grouping
    sizes: Mapping[str, Dimensions]

    @property
    def thick(self) -> list[int]:
        return [max(self.sizes[name][self.rows] for name in line) for line in self.lines]

    @property
    def lengths(self) -> list[list[int]]:
        return [[self.sizes[name][not self.rows] for name in line] for line in self.lines]

    @property
    def height(self) -> int:
        return _closely(self.thick) if self.rows else max(map(_closely, self.lengths))

    def left_for_board(self, room: Rect) -> Dimensions:
        """What the other parts leave for the board."""
        own = next(line for line in self.lines if "board" in line)
        others = [line for line in self.lines if line is not own]
        deep = [max(self.sizes[name][self.rows] for name in line) for line in others]
        beside = [self.sizes[name][not self.rows] for name in own if name != "board"]
        across, along = (room.w, room.h) if self.rows else (room.h, room.w)
        across -= sum(beside) + MARGIN * len(beside)
        along -= sum(deep) + MARGIN * len(deep)
        return (across, along) if self.rows else (along, across)

    def fits(self, room: Rect) -> bool:
        along, across = (room.h, room.w) if self.rows else (room.w, room.h)
        lines = all(_closely(line) <= across for line in self.lengths)
        return lines and _closely(self.thick) <= along

    def placed(self, room: Rect) -> Mapping[str, Rect]:
        """Centre rows; align the start and end of columns."""
        placed: dict[str, Rect] = {}
        thick, lengths = self.thick, self.lengths
        most = room.w if self.rows else min(room.h, max(map(_loosely, lengths)))
        starts = _spread(room.h if self.rows else room.w, thick)
        for line, start, depth, parts in zip(self.lines, starts, thick, lengths, strict=True):
            ats = _spread(most, parts) if self.rows else _justified(room.h, most, parts)
            for name, at in zip(line, ats, strict=True):
                beside = start + (depth - self.sizes[name][self.rows]) // 2
                x, y = (at, beside) if self.rows else (beside, at)
                placed[name] = Rect(room.x + x, room.y + y, *self.sizes[name])
        return placed


def _best(room: Rect, drawn: DrawnBoard, ample: float) -> Draft:
    """Try large screens first: a screen is enough for at most its share of the true size."""
    most: tuple[float, ...] = (0.0,)
    for screen in sorted(_screens(room), key=math.prod, reverse=True):
        if _share(screen) < most[0]:
            break
        for draft in _drafts(screen, room, drawn):
            worth = _worth(draft, drawn, ample)
            if worth > most:
                most, best = worth, draft
    return best


def _drafts(screen: Dimensions, room: Rect, drawn: DrawnBoard) -> Iterator[Draft]:
    for tools, (rows, lines) in product(_tool_sizes(), ARRANGEMENTS):
        sizes = {"screen": screen, "tools": tools}
        left = Draft(rows, lines, sizes).left_for_board(room)
        if min(left) > 2 * drawn.frame:
            draft = Draft(rows, lines, {**sizes, "board": drawn.size_in(left)})
            if draft.fits(room):
                yield draft


def _worth(draft: Draft, drawn: DrawnBoard, ample: float) -> tuple[float, ...]:
    """The sort key: first a large enough screen with large enough checkers; then a wide screen;
    then the larger of both; then no empty corner."""
    screen, board, tools = (draft.sizes[name] for name in ("screen", "board", "tools"))
    checker = drawn.checker * drawn.scale_in(board)
    enough = _share(screen) * min(1.0, checker / GRIP)
    enough *= SMALL_TOOLS if _times(tools) == 1 else 1.0
    lies = screen[0] > screen[1]
    return enough, lies, min(ample, math.prod(board)), math.prod(screen), -draft.height


def _share(screen: Dimensions) -> float:
    """How much of the true size a screen has, at most 1."""
    return min(1.0, math.prod(screen) / (LONG * SHORT))


def _screens(room: Rect) -> Iterator[Dimensions]:
    """Yield the sizes that the screen may have, wide and upright."""
    for width in range(STEP, min(room.w, room.h * LONG // SHORT) + 1, STEP):
        yield width, width * SHORT // LONG
    for height in range(STEP, min(room.h, LONG) + 1, STEP):
        yield height * SHORT // LONG, height


def _tool_sizes() -> Iterator[Dimensions]:
    """Yield OLED and button side by side, and one below the other."""
    for times in TOOLS:
        (width, height), button = (times * length for length in PANEL), times * BUTTON
        yield width + 2 * MARGIN + button, max(height, button)
        yield max(width, button), height + MARGIN + button


def _closely(parts: list[int]) -> int:
    return sum(parts) + MARGIN * (len(parts) - 1)


def _loosely(parts: list[int]) -> int:
    return sum(parts) + WIDE_GAP * (len(parts) - 1)


def _spread(room: int, parts: list[int]) -> Iterator[int]:
    """Yield where parts of these lengths begin, centred and close together."""
    spare = room - sum(parts)
    gap = max(MARGIN, min(WIDE_GAP, spare // (len(parts) + 1)))
    at = (spare - gap * (len(parts) - 1)) // 2
    for length in parts:
        yield at
        at += length + gap


def _justified(room: int, most: int, parts: list[int]) -> Iterator[int]:
    """Yield where parts begin that are spread evenly and centred."""
    gap = (most - sum(parts)) // max(1, len(parts) - 1)
    at = (room - most) // 2
    for length in parts:
        yield at
        at += length + gap


def _times(tools: Dimensions) -> int:
    return max(times for times in TOOLS if min(tools) >= times * BUTTON)


def _tools(room: Rect) -> tuple[Rect, Rect]:
    times = _times((room.w, room.h))
    (width, height), button = (times * length for length in PANEL), times * BUTTON
    if room.w > room.h:
        down = (room.h - height) // 2
        panel = Rect(room.x, room.y + down, width, height)
        return panel, Rect(room.right - button, room.y, button, button)
    panel = Rect(room.x, room.y, width, height)
    return panel, Rect(room.centre[0] - button // 2, room.bottom - button, button, button)
