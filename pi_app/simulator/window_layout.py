"""Where everything of the simulator's window is: pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from pi_app.rules.terms import Spot
from pi_app.screen.shapes import Point, Rect, around
from pi_app.sensing.description import Board, Place, Sensor

SIZE = (1100, 720)
MARGIN = 14
SIDE = 292
SCREEN_SHAPE = 480 / 800
PANEL = (128, 64)
BUTTON = 200
"""The die button's room, in pixels, however large the window is."""
TRAY_GAP = 12
"""Pixels between a tray and the board's edge."""


Aim: TypeAlias = tuple[Spot | None, Sensor | None]
"""What the pointer is on: a spot or none, and which of its places."""


@dataclass(frozen=True, slots=True)
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

    def centre(self, place: Place) -> Point:
        """The middle of a spot."""
        return self.at(place.at)

    def at(self, mm: tuple[float, float]) -> Point:
        """A place on the board in pixels; its millimetres count upwards."""
        x, y = mm
        return self.table.x + round(x * self.scale), self.table.bottom - round(y * self.scale)

    def tray(self, place: Place) -> Rect:
        """What a spot without reeds covers: as wide as its way to the board's edge allows."""
        (x, y), radius = self.centre(place), self.radius
        half = max(radius, min(x - self.table.x, self.table.right - x) - TRAY_GAP)
        return Rect(x - half, y - radius - 4, 2 * half, 2 * radius + 8)

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


def set_stage(size: tuple[int, int], board: Board) -> WindowLayout:
    """Screen above the board on the left, OLED and button on the right, as large as they can be."""
    width, height = size
    shape = board.size[1] / board.size[0]
    right = min(SIDE, width // 3)
    room = width - right - 3 * MARGIN
    across = max(80, min(room, round((height - 3 * MARGIN) / (SCREEN_SHAPE + shape))))
    screen = Rect(MARGIN, MARGIN, across, round(across * SCREEN_SHAPE))
    table = Rect(MARGIN, screen.bottom + MARGIN, across, round(across * shape))
    x, wide = screen.right + MARGIN, max(40, width - screen.right - 2 * MARGIN)
    times = max(1, wide // PANEL[0])
    panel = Rect(x, MARGIN, PANEL[0] * times, PANEL[1] * times)
    radius = min(wide, table.h, BUTTON) * 2 // 5
    button = around((x + wide // 2, table.centre[1]), radius)
    help_top = panel.bottom + MARGIN
    notes = Rect(x, help_top, wide, max(0, button.y - help_top - MARGIN))
    return WindowLayout(size, board, screen, table, panel, button, notes)
