"""Where everything of the simulator's window is: pure."""

from __future__ import annotations

from dataclasses import dataclass

from pi_app.rules.terms import Spot
from pi_app.screen.shapes import Point, Rect, around
from pi_app.sensing.description import Board, Place, Reed, Sensor

SIZE = (1100, 720)
MARGIN = 14
SIDE = 292
SCREEN_SHAPE = 480 / 800
PANEL = (128, 64)
BUTTON = 200
"""The die button's room, in pixels, however large the window is."""
TRAY_GAP = 12
"""Pixels between a tray and the board's edge."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """What the pointer is on: a spot, and which of its places if it has several."""

    spot: Spot
    place: Sensor | None


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

    def aim(self, x: int, y: int) -> Pointed | None:
        """The place whose checker a point would touch, or the tray it is on."""
        for place in self.board.places:
            for reed in place.reeds:
                if self._touches(self.at(reed.at), x, y):
                    return Pointed(place.spot, reed.name)
            if not place.reeds and self.tray(place).contains(x, y):
                return Pointed(place.spot, None)
        return self._on_point(x, y)

    def _touches(self, centre: Point, x: int, y: int) -> bool:
        return (x - centre[0]) ** 2 + (y - centre[1]) ** 2 <= self.radius**2

    def _on_point(self, x: int, y: int) -> Pointed | None:
        """Between the places of a point, or just beyond the last: the nearest place of it."""
        found: list[tuple[float, Place, Reed]] = []
        for place in self.board.places:
            for reed in place.reeds if len(place.reeds) > 1 else ():
                cx, cy = self.at(reed.at)
                if abs(x - cx) <= self.radius and abs(y - cy) <= 2 * self.radius:
                    found.append((abs(y - cy), place, reed))
        if not found:
            return None
        _, place, reed = min(found, key=lambda near: near[0])
        return Pointed(place.spot, reed.name)


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
