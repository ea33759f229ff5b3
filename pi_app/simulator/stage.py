"""Where everything of the simulator's window is, and the simulated board as shapes: pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pi_app.board.description import Board, Place
from pi_app.rules.terms import Spot
from pi_app.screen.canvas import Measure
from pi_app.screen.pieces import checker
from pi_app.screen.shapes import Box, Disc, Point, Rect, Shape, Text, around
from pi_app.screen.theme import (
    AMBER,
    BAND,
    DIM,
    EDGE,
    FELT,
    FELT_TEXT,
    GROUND,
    INK,
    IVORY,
    KEY,
    PIT,
    SPOT_EDGE,
    TEAL,
    VERMILION,
    WOOD,
    WOOD_EDGE,
)
from pi_app.simulator.tabletop import SimulatedTable

SIZE = (1100, 720)
MARGIN = 14
SIDE = 292
SCREEN_SHAPE = 480 / 800
PANEL = (128, 64)
HELP = (
    "Drag the checkers.",
    "Die button: press and hold it,",
    "or the key B.",
    "Right button: nudge a checker.",
    "R: set the checkers out.",
)


@dataclass(frozen=True, slots=True)
class Stage:
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
        """The middle of a spot; the board's millimetres count upwards."""
        x, y = place.at
        return self.table.x + round(x * self.scale), self.table.bottom - round(y * self.scale)

    def spot_at(self, x: int, y: int) -> Spot | None:
        """The spot whose checker a point would touch."""
        for place in self.board.places:
            cx, cy = self.centre(place)
            if (x - cx) ** 2 + (y - cy) ** 2 <= self.radius**2:
                return place.spot
        return None


def set_stage(size: tuple[int, int], board: Board) -> Stage:
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
    radius = min(wide, table.h) * 2 // 5
    button = around((x + wide // 2, table.centre[1]), radius)
    help_top = panel.bottom + MARGIN
    notes = Rect(x, help_top, wide, max(0, button.y - help_top - MARGIN))
    return Stage(size, board, screen, table, panel, button, notes)


def draw_stage(
    stage: Stage, table: SimulatedTable, measure: Measure, pointer: Point
) -> tuple[Shape, ...]:
    """Everything but the product's own pictures, the held checker at the pointer last."""
    return (
        Box(Rect(0, 0, *stage.size), GROUND),
        *_board(stage, table, measure),
        *_button(stage, table, measure),
        *_help(stage, measure),
        *(checker(pointer, stage.radius, table.held) if table.held else ()),
    )


def _board(stage: Stage, table: SimulatedTable, measure: Measure) -> Iterator[Shape]:
    yield Box(stage.table, WOOD, 12, WOOD_EDGE, 2)
    yield Box(stage.table.inset(8), FELT, 8)
    standing, lit, lying = table.standing, table.lit, table.lying
    for place in stage.board.places:
        centre, radius = stage.centre(place), stage.radius
        stack = standing[place.spot]
        if place.reeds:
            yield Disc(centre, radius + 3, PIT, SPOT_EDGE, 2)
            yield from _light(stage, place, place.spot in lit)
            yield from _label(stage, place, str(place.spot), measure)
        else:
            yield from _tray(stage, place, measure)
        for index, side in enumerate(stack):
            shift = (2 * index - len(stack) + 1) * radius // 6 if not place.reeds else 0
            yield from checker((centre[0] + shift, centre[1]), radius, side)
        if place.spot in lying:
            yield Disc(centre, radius + 6, None, VERMILION, 3)


def _light(stage: Stage, place: Place, on: bool) -> Iterator[Shape]:
    if place.light is not None:
        x, y = stage.centre(place)
        yield Disc((x, y - stage.radius - 12), 6, TEAL if on else INK, SPOT_EDGE, 1)


def _tray(stage: Stage, place: Place, measure: Measure) -> Iterator[Shape]:
    (x, y), radius = stage.centre(place), stage.radius
    half = min(x - stage.table.x, stage.table.right - x) - 12
    yield Box(Rect(x - half, y - radius - 4, 2 * half, 2 * radius + 8), PIT, 8, SPOT_EDGE, 1)
    yield from _label(stage, place, str(place.spot).replace(".", " "), measure)


def _label(stage: Stage, place: Place, text: str, measure: Measure) -> Iterator[Shape]:
    """Below the spot, but above it in the upper half."""
    share = 0.5 if place.reeds else 0.4
    (x, y), size = stage.centre(place), max(8, round(stage.radius * share))
    width, height = measure(text, size, False)
    above = not place.reeds and place.at[1] > stage.board.size[1] / 2
    top = y - stage.radius - 6 - height if above else y + stage.radius + 6
    yield Text(Rect(x - width // 2, top, width, height), text, size, FELT_TEXT)


def _button(stage: Stage, table: SimulatedTable, measure: Measure) -> Iterator[Shape]:
    centre, radius = stage.button.centre, stage.button.w // 2
    down = table.button_down
    yield Disc(centre, radius, KEY, EDGE, 3)
    yield Disc(centre, radius * (76 if down else 84) // 100, AMBER if down else BAND, AMBER, 3)
    size = max(10, radius // 4)
    width, height = measure("DIE", size, True)
    room = Rect(centre[0] - width // 2, centre[1] - height // 2, width, height)
    yield Text(room, "DIE", size, INK if down else IVORY, bold=True)


def _help(stage: Stage, measure: Measure) -> Iterator[Shape]:
    size = max(10, min(17, stage.help.w // 17))
    y = stage.help.y
    for number, line in enumerate(HELP):
        width, height = measure(line, size, False)
        if y + height > stage.help.bottom:
            return
        colour = IVORY if number == 0 else DIM
        yield Text(Rect(stage.help.x, y, width, height), line, size, colour)
        y += height + 4
