"""Where everything of the simulator's window is: pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from pi_app.rules.terms import Spot, SpotKind
from pi_app.screen.shapes import Point, Rect, around
from pi_app.sensing.description import Board, Place, Sensor

SIZE = (1600, 900)
"""The window on a large desktop; on a smaller one it is as large as fits."""
AROUND = (16, 88)
"""What a desktop keeps of its width and height for itself: panels, a window's frame."""
LEAST = (480, 400)
"""A smaller window shows a part of what would stand in one of this size."""
TRUE_WIDTH, SCREEN_SHAPE = 800, 480 / 800
MARGIN = 16
HELP = 24
PANEL = (128, 64)
BUTTON = 168
"""The die button's diameter, in pixels, where there is room for it."""
LEAST_BUTTON = 64
AMPLE_TOOLS = 360
"""So high a room takes the OLED three times as large as it is."""
LEAST_RADIUS = 8
"""Smaller checkers, in pixels, are hard to drag: then the product's screen gives way."""
AMPLE_RADIUS = 14
"""Larger ones are no easier to drag."""
STEP = 8


Aim: TypeAlias = tuple[Spot | None, Sensor | None]
"""What the pointer is on: a spot or none, and which of its places."""


@dataclass(frozen=True)
class WindowLayout:
    """The places of a window in pixels: the product's screen, the board, the OLED, the button."""

    size: tuple[int, int]
    board: Board
    screen: Rect
    table: Rect
    panel: Rect
    button: Rect
    help: Rect

    @property
    def scale(self) -> float:
        """Pixels a millimetre."""
        return self.table.w / self.board.size[0]

    @property
    def radius(self) -> int:
        """Of a checker, in pixels."""
        return max(4, round(self.board.spot_diameter / 2 * self.scale))

    @cached_property
    def rail(self) -> int:
        """The width of the board's frame: no checker lies on it."""
        (width, height), radius = self.board.size, self.board.spot_diameter / 2
        return round(self.scale * (_least_way(self.board, width, height) - radius - 1))

    def centre(self, place: Place) -> Point:
        """The middle of a spot."""
        return self.at(place.at)

    def at(self, mm: tuple[float, float]) -> Point:
        """A place on the board in pixels; its millimetres count upwards."""
        x, y = mm
        return self.table.x + round(x * self.scale), self.table.bottom - round(y * self.scale)

    def tray(self, place: Place) -> Rect:
        """What a spot without reeds covers: all the room between its neighbours and the frame."""
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
        return Rect(x, y, end - x, foot - y).inset(max(2, round(2 * self.scale)))

    def aim(self, x: int, y: int) -> Aim:
        """The place whose checker a point would touch, or the tray it is on.

        Between the places of a spot for several, or just beyond the last, it is the nearest one.
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
        """How far a tray may reach to either side along an axis, in millimetres."""
        radius, here, frame = self.board.spot_diameter / 2, place.at[axis], self.rail / self.scale
        lows, highs = [frame], [self.board.size[axis] - frame]
        for at, ends in self._others(place, axis):
            if at - here >= radius:
                highs.append(at - radius if ends else (at + here) / 2)
            elif here - at >= radius:
                lows.append(at + radius if ends else (at + here) / 2)
        return max(lows), min(highs)

    def _others(self, place: Place, axis: int) -> Iterator[tuple[float, bool]]:
        """Where along an axis other checkers lie that stand in a tray's way; whether on reeds.

        Upwards only what is above or below it does; it gives way sideways to everything.
        """
        for other in self.board.places:
            for at in [reed.at for reed in other.reeds] or [other.at]:
                if axis == 0 or abs(at[0] - place.at[0]) < self.board.spot_diameter:
                    yield at[axis], bool(other.reeds)


def is_tray(place: Place) -> bool:
    """Whether a spot has a room of its own: where nothing is sensed, and the bar."""
    return not place.reeds or place.spot.kind is SpotKind.BAR


def _least_way(board: Board, width: float, height: float) -> float:
    """From the middle of the outermost checker to the board's edge, in millimetres."""
    every = [reed.at for place in board.places for reed in place.reeds]
    every += [place.at for place in board.places if not place.reeds]
    return min(min(x, y, width - x, height - y) for x, y in every)


def fitted(desktop: tuple[int, int]) -> tuple[int, int]:
    """The window's size on a desktop."""
    width, height = (most - kept for most, kept in zip(desktop, AROUND, strict=True))
    return max(LEAST[0], min(SIZE[0], width)), max(LEAST[1], min(SIZE[1], height))


def set_stage(size: tuple[int, int], board: Board) -> WindowLayout:
    """The product's screen at its true size, and the board as large as what is left.

    Where both can be larger both are; where checkers would be too small to be dragged the screen
    gives way.
    """
    stages = tuple(_stages((max(size[0], LEAST[0]), max(size[1], LEAST[1])), board))
    for stage in stages:
        if stage.screen.w > TRUE_WIDTH and _is_even(stage):
            return stage
        if stage.screen.w == TRUE_WIDTH and stage.radius >= LEAST_RADIUS:
            return stage
    small = (stage for stage in stages if stage.screen.w < TRUE_WIDTH)
    return max(small, key=lambda stage: stage.screen.w * min(stage.radius, AMPLE_RADIUS) ** 2)


def _is_even(stage: WindowLayout) -> bool:
    """Whether the board has as much room as the screen."""
    return stage.table.w * stage.table.h >= stage.screen.w * stage.screen.h


def _stages(size: tuple[int, int], board: Board) -> Iterator[WindowLayout]:
    """For each width of the product's screen, the widest first, the one with the largest board."""
    foot = size[1] - MARGIN - HELP - MARGIN // 2
    widest = min(size[0] - 2 * MARGIN, (foot - MARGIN) / SCREEN_SHAPE)
    for width in range(int(widest) // STEP * STEP, 0, -STEP):
        drafts = [
            _finished(size, board, screen, room, tools)
            for screen, room, tools in _drafts((size[0] - MARGIN, foot), width)
            if min(room.w, room.h) > 0 and _holds_tools(tools)
        ]
        if drafts:
            yield max(drafts, key=lambda stage: stage.scale)


def _drafts(end: tuple[int, int], across: int) -> Iterator[tuple[Rect, Rect, Rect]]:
    """The screen, the board's room, and the room of OLED and button, in several ways.

    `end` is how far they may reach, `across` the width of the screen.
    """
    screen = Rect(MARGIN, MARGIN, across, round(across * SCREEN_SHAPE))
    right, foot = end
    x, y = screen.right + MARGIN, screen.bottom + MARGIN
    beside = Rect(x, MARGIN, right - x, foot - MARGIN)
    below = Rect(MARGIN, y, right - MARGIN, foot - y)
    narrow, low = PANEL[0] + MARGIN, PANEL[1] + MARGIN
    left, lowest = right - narrow, foot - low
    yield screen, beside, Rect(MARGIN, y, across, foot - y)
    yield screen, Rect(x, MARGIN, beside.w, lowest - MARGIN), Rect(x, lowest, beside.w, low)
    yield screen, below, Rect(x, MARGIN, right - x, screen.h)
    yield screen, Rect(below.x, y, left - MARGIN - below.x, below.h), Rect(left, y, narrow, below.h)
    yield screen, Rect(below.x, y, below.w, lowest - y), Rect(below.x, lowest, below.w, low)


def _holds_tools(room: Rect) -> bool:
    """Whether the OLED and the button find room beside or below one another."""
    (width, height), more = PANEL, MARGIN + LEAST_BUTTON
    high = max(height, LEAST_BUTTON)
    return (room.w >= width + more and room.h >= high) or (
        room.w >= width and room.h >= height + more
    )


def _finished(
    size: tuple[int, int], board: Board, screen: Rect, room: Rect, tools: Rect
) -> WindowLayout:
    scale = min(room.w / board.size[0], room.h / board.size[1])
    width, height = (max(1, int(length * scale)) for length in board.size)
    left, top = room.x + (room.w - width) // 2, room.y + (room.h - height) // 2
    if room.y < screen.bottom and height <= screen.h:
        top = min(screen.centre[1] - height // 2, room.bottom - height)
    table = Rect(left, top, width, height)
    notes = Rect(MARGIN, size[1] - MARGIN - HELP, size[0] - 2 * MARGIN, HELP)
    if tools.y >= max(screen.bottom, table.bottom):
        tools = Rect(notes.x, tools.y, notes.w, tools.h)
    panel, button = _tools(tools)
    return WindowLayout(size, board, screen, table, panel, button, notes)


def _tools(room: Rect) -> tuple[Rect, Rect]:
    """The OLED, at a modest size, and the button: in a row, or one above the other."""
    (width, height), (x, y) = PANEL, room.centre
    for times in (3, 2, 1) if room.h >= AMPLE_TOOLS else (2, 1):
        w, h = times * width, times * height
        button = min(BUTTON, room.w - w - MARGIN, room.h)
        if h <= room.h and button >= min(BUTTON, LEAST_BUTTON * times):
            gap = min(3 * MARGIN, room.w - w - button)
            left = x - (w + gap + button) // 2
            middle = (left + w + gap + button // 2, y)
            return Rect(left, y - h // 2, w, h), around(middle, button // 2)
        button = min(BUTTON, room.w, room.h - h - MARGIN)
        if w <= room.w and button >= min(BUTTON, LEAST_BUTTON * times):
            gap = min(2 * MARGIN, room.h - h - button)
            top = y - (h + gap + button) // 2
            middle = (x, top + h + gap + button // 2)
            return Rect(x - w // 2, top, w, h), around(middle, button // 2)
    raise AssertionError("a room that holds the tools holds them once")
