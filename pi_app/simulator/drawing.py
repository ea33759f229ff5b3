"""The simulator's window as shapes: where everything is, the board, its button, its help; pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from pi_app.rules.terms import Side, Spot, SpotKind
from pi_app.screen.canvas import Box, Disc, Line, Measure, Point, Poly, Rect, Shape, Text, around
from pi_app.screen.pieces import checker, die, town
from pi_app.screen.theme import (
    AMBER,
    BAND,
    BLACK_INK,
    DIM,
    EDGE,
    FELT,
    FELT_TEXT,
    GROUND,
    INK,
    IVORY,
    KEY,
    PIT,
    POINT_DARK,
    POINT_LIGHT,
    SPOT_EDGE,
    TEAL,
    VERMILION,
    WOOD,
    WOOD_EDGE,
    Colour,
    mix,
)
from pi_app.sensing.description import Board, Place, Sensor
from pi_app.simulator.reeds import Piece
from pi_app.simulator.tabletop import SimulatedTable
from pi_app.words.sentences import Language, Sentence

SIZE = (1600, 900)
"""The window on a large desktop; on a smaller one it is as large as fits."""
AROUND = (16, 88)
"""The desktop's share of width and height: panels, a window's frame."""
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
"""The height from which the OLED is drawn three times its size."""
LEAST_RADIUS = 8
"""Smaller checkers, in pixels, are hard to drag: then the product's screen gives way."""
AMPLE_RADIUS = 14
"""Larger ones are no easier to drag."""
STEP = 8


Aim: TypeAlias = tuple[Spot | None, Sensor | None]
"""The spot under the pointer, or none, and its place."""


@dataclass(frozen=True)
class WindowLayout:
    size: tuple[int, int]
    board: Board
    screen: Rect
    table: Rect
    panel: Rect
    button: Rect
    help: Rect

    @property
    def scale(self) -> float:
        return self.table.w / self.board.size[0]

    @property
    def radius(self) -> int:
        return max(4, round(self.board.spot_diameter / 2 * self.scale))

    @cached_property
    def rail(self) -> int:
        """The width of the frame around the playing area."""
        (width, height), radius = self.board.size, self.board.spot_diameter / 2
        return round(self.scale * (_least_way(self.board, width, height) - radius - 1))

    def centre(self, place: Place) -> Point:
        return self.at(place.at)

    def at(self, mm: tuple[float, float]) -> Point:
        """Convert board millimetres, which count upwards, to pixels."""
        x, y = mm
        return self.table.x + round(x * self.scale), self.table.bottom - round(y * self.scale)

    def tray(self, place: Place) -> Rect:
        """The area of a spot without reeds: all space up to its neighbours and the frame."""
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
        """How far a tray may extend to either side along an axis, in millimetres."""
        radius, here, frame = self.board.spot_diameter / 2, place.at[axis], self.rail / self.scale
        lows, highs = [frame], [self.board.size[axis] - frame]
        for at, ends in self._others(place, axis):
            if at - here >= radius:
                highs.append(at - radius if ends else (at + here) / 2)
            elif here - at >= radius:
                lows.append(at + radius if ends else (at + here) / 2)
        return max(lows), min(highs)

    def _others(self, place: Place, axis: int) -> Iterator[tuple[float, bool]]:
        """Positions along an axis of checkers in a tray's way, and whether they are on reeds.
        Upwards only checkers above or below matter; sideways the tray avoids everything."""
        for other in self.board.places:
            for at in [reed.at for reed in other.reeds] or [other.at]:
                if axis == 0 or abs(at[0] - place.at[0]) < self.board.spot_diameter:
                    yield at[axis], bool(other.reeds)


def is_tray(place: Place) -> bool:
    """Trays are the spots without sensors, and the bar."""
    return not place.reeds or place.spot.kind is SpotKind.BAR


def _least_way(board: Board, width: float, height: float) -> float:
    """The distance from the outermost checker's centre to the board's edge, in millimetres."""
    every = [reed.at for place in board.places for reed in place.reeds]
    every += [place.at for place in board.places if not place.reeds]
    return min(min(x, y, width - x, height - y) for x, y in every)


def fitted(desktop: tuple[int, int]) -> tuple[int, int]:
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
    return stage.table.w * stage.table.h >= stage.screen.w * stage.screen.h


def _stages(size: tuple[int, int], board: Board) -> Iterator[WindowLayout]:
    """For each width of the screen, widest first, the layout with the largest board."""
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


LEAST_TEXT, MOST_TEXT = 8, 16
FAINT = mix(FELT, SPOT_EDGE, 0.4)
BEZEL = 6


def draw_stage(stage: WindowLayout, table: SimulatedTable, measure: Measure) -> tuple[Shape, ...]:
    return (
        Box(Rect(0, 0, *stage.size), GROUND),
        *(Box(case.inset(-BEZEL), INK, BEZEL, EDGE, 2) for case in (stage.screen, stage.panel)),
        *_board(stage, table, measure),
        *_button(stage, table),
    )


def draw_checkers(stage: WindowLayout, table: SimulatedTable, measure: Measure) -> Iterator[Shape]:
    checkers, radius = table.checkers, stage.radius
    lying_on, deaf = checkers.lying_on, table.lying
    for place in stage.board.places:
        for reed in place.reeds:
            if reed.name in lying_on:
                yield from _piece(stage.at(reed.at), radius, lying_on[reed.name])
            if reed.name in deaf:
                yield Disc(stage.at(reed.at), radius + 6, None, VERMILION, 3)
        yield from _on_top(stage, place, checkers.on_top(place.spot), measure)


def draw_held(stage: WindowLayout, table: SimulatedTable, pointer: Point) -> tuple[Shape, ...]:
    return _piece(pointer, stage.radius, table.in_hand) if table.in_hand else ()


def _board(stage: WindowLayout, table: SimulatedTable, measure: Measure) -> Iterator[Shape]:
    yield Box(stage.table, WOOD, stage.rail // 2, WOOD_EDGE, 2)
    yield Box(stage.table.inset(stage.rail), FELT)
    yield from _bar(stage)
    grid = _is_grid(stage)
    if grid:
        yield from _lines(stage)
    for number, place in enumerate(stage.board.places):
        if len(place.reeds) > 1:
            yield from _point(stage, place, POINT_LIGHT if number % 2 else POINT_DARK)
        yield from _pits(stage, place, grid)
        if place.reeds:
            yield from _light(stage, place, place.spot in table.lit)
            yield from _name(stage, place, measure, grid)
        else:
            yield from _tray(stage, place, measure)


def _bar(stage: WindowLayout) -> Iterator[Shape]:
    for place in stage.board.places:
        if place.spot.kind is SpotKind.BAR:
            room = stage.tray(place)
            yield Box(Rect(room.x, stage.table.y + 2, room.w, stage.table.h - 4), WOOD)


def _is_grid(stage: WindowLayout) -> bool:
    ways = {place.at[1] for place in stage.board.places if len(place.reeds) == 1}
    return len(ways) > 1


def _lines(stage: WindowLayout) -> Iterator[Shape]:
    spots = [place.at for place in stage.board.places if place.reeds]
    for axis in (0, 1):
        for value in sorted({at[axis] for at in spots}):
            row = [stage.at(at) for at in spots if at[axis] == value]
            yield Line((min(row), max(row)), SPOT_EDGE, 1)


def _point(stage: WindowLayout, place: Place, colour: Colour) -> Iterator[Shape]:
    """A triangle with its base at the rail. The bar has none."""
    if place.spot.kind is not SpotKind.POINT:
        return
    (x, foot), (_, tip) = stage.at(place.reeds[0].at), stage.at(place.reeds[-1].at)
    beyond = stage.radius if foot > tip else -stage.radius
    half = stage.radius + 1
    yield Poly(((x - half, foot + beyond), (x + half, foot + beyond), (x, tip - beyond)), colour)


def _pits(stage: WindowLayout, place: Place, grid: bool) -> Iterator[Shape]:
    for reed in place.reeds:
        if len(place.reeds) > 1:
            yield Disc(stage.at(reed.at), stage.radius, None, FAINT, 1)
        elif grid:
            yield Disc(stage.at(reed.at), max(3, stage.radius // 4), PIT, SPOT_EDGE, 1)
        else:
            yield Disc(stage.at(reed.at), stage.radius + 3, PIT, SPOT_EDGE, 2)


def _on_top(
    stage: WindowLayout, place: Place, pieces: tuple[Piece, ...], measure: Measure
) -> Iterator[Shape]:
    if not place.reeds:
        for at, piece in zip(_pile(stage, place, len(pieces)), pieces, strict=True):
            yield from _piece(at, stage.radius, piece)
    elif pieces:
        at = stage.at(place.reeds[-1].at)
        yield from _piece(at, stage.radius, pieces[-1])
        ink = INK if pieces[-1].side is Side.WHITE else BLACK_INK
        yield from _text(at, f"+{len(pieces)}", max(9, stage.radius), measure, ink)


def _pile(stage: WindowLayout, place: Place, count: int) -> Iterator[Point]:
    """Spread `count` checkers along a tray, overlapping if there are many."""
    room, radius = _tray_rows(stage, place)[0], stage.radius
    across = room.w >= room.h
    step = min(2 * radius + 1, (max(room.w, room.h) - 2 * radius) / max(1, count - 1))
    for index in range(count):
        shift = round((index - (count - 1) / 2) * step)
        x, y = room.centre
        yield (x + shift, y) if across else (x, y + shift)


def _piece(centre: Point, radius: int, piece: Piece) -> tuple[Shape, ...]:
    draw = town if piece.height > 1 else checker
    return draw(centre, radius, piece.side)


def _light(stage: WindowLayout, place: Place, on: bool) -> Iterator[Shape]:
    if place.light is not None:
        x, y = stage.centre(place)
        yield Disc((x, y - stage.radius - 12), 6, TEAL if on else PIT, SPOT_EDGE, 1)


def _tray(stage: WindowLayout, place: Place, measure: Measure) -> Iterator[Shape]:
    tray, row = stage.tray(place), _tray_rows(stage, place)[1]
    yield Box(tray, PIT, min(8, stage.radius), SPOT_EDGE, 1)
    word, mark = _word(place.spot), row.h * 2 // 5
    room = row.w - 2 * mark - 8
    sizes = range(round(row.h * 0.8), LEAST_TEXT, -1)
    size = next((size for size in sizes if measure(word, size, False)[0] <= room), LEAST_TEXT)
    width, _ = measure(word, size, False)
    x, y = row.centre
    left = x - (width + 2 * mark + 4) // 2
    if place.spot.side:
        yield from checker((left + mark, y), mark, place.spot.side)
    middle = (left + 2 * mark + 4 + width // 2, y)
    yield from _text(middle, word, size, measure, FELT_TEXT)


def _tray_rows(stage: WindowLayout, place: Place) -> tuple[Rect, Rect]:
    tray = stage.tray(place)
    name = min(MOST_TEXT, max(LEAST_TEXT, stage.radius * 2 // 3)) * 5 // 4
    upper, lower = tray.rows((max(1, tray.h - name - 2), name), 2)
    return upper, lower


def _name(stage: WindowLayout, place: Place, measure: Measure, grid: bool) -> Iterator[Shape]:
    (x, y), radius = stage.centre(place), stage.radius
    size = min(MOST_TEXT, max(LEAST_TEXT, round(radius * 0.7)))
    in_rail = min(size, max(LEAST_TEXT, stage.rail * 3 // 4))
    half = max(stage.rail // 2, in_rail * 2 // 3)
    if grid:
        yield from _coordinates(stage, place, in_rail, measure)
    elif len(place.reeds) > 1:
        upper = place.at[1] > stage.board.size[1] / 2
        at = (x, stage.table.y + half if upper else stage.table.bottom - half)
        yield from _text(at, _word(place.spot), in_rail, measure, IVORY)
    else:
        yield from _text((x, y + radius + size), _word(place.spot), size, measure, FELT_TEXT)


def _coordinates(stage: WindowLayout, place: Place, size: int, measure: Measure) -> Iterator[Shape]:
    reeds = [other.at for other in stage.board.places if other.reeds]
    (x, y), half = stage.centre(place), max(stage.rail // 2, size * 2 // 3)
    name = _word(place.spot)
    if place.at[1] == min(at[1] for at in reeds):
        yield from _text((x, stage.table.bottom - half), name[:1], size, measure, IVORY)
    if place.at[0] == min(at[0] for at in reeds):
        yield from _text((stage.table.x + half, y), name[1:], size, measure, IVORY)


def _word(spot: Spot) -> str:
    return spot.kind.value if spot.side else str(spot)


def _text(
    centre: Point, text: str, size: int, measure: Measure, colour: Colour, bold: bool = False
) -> Iterator[Shape]:
    width, height = measure(text, size, bold)
    room = Rect(centre[0] - width // 2, centre[1] - height // 2, width, height)
    yield Text(room, text, size, colour, bold)


def _button(stage: WindowLayout, table: SimulatedTable) -> Iterator[Shape]:
    centre, radius = stage.button.centre, stage.button.w // 2
    down = table.button_down
    yield Disc(centre, radius, KEY, EDGE, 3)
    yield Disc(centre, radius * (76 if down else 84) // 100, AMBER if down else BAND, AMBER, 3)
    half = radius * 36 // 100
    if any(game.dice for game in stage.board.games.values()):
        yield from die(around(centre, half), 5, None)
    else:
        (x, y), third = centre, half // 3
        tick = ((x - half, y), (x - third, y + 2 * third), (x + half, y - 2 * third))
        yield Line(tick, INK if down else IVORY, max(3, half // 4))


LINES = (
    Sentence(
        "Drag the checkers with the mouse  ·  B or the round button: the die  ·  R: "
        "set up the checkers  ·  F1: all keys"
    ),
    Sentence("Drag the checkers  ·  B: the die  ·  R: set up  ·  F1: all keys"),
    Sentence("F1: all keys"),
)
"""The help, the longest first."""
TITLE = Sentence("Mouse and keys")
KEYS: tuple[tuple[str, str], ...] = (
    (Sentence("Left button")(), Sentence("drag a checker; press what is on the screen")()),
    (Sentence("Right button")(), Sentence("nudge a checker that its reed misses (red ring)")()),
    ("B", Sentence("the die button, held while you hold the key")()),
    ("R", Sentence("set up the checkers as in the match")()),
    (Sentence("Space, Enter")(), Sentence("a short press of the die button")()),
    (Sentence("D, held")(), Sentence("a long press: double, or pass")()),
    (Sentence("1 to 6")(), Sentence("enter your dice")()),
    ("Esc", Sentence("the menu, and back")()),
    ("F11", Sentence("full screen, on and off")()),
    ("F1", Sentence("this list; any key or touch closes it")()),
)
_LARGEST_HELP, _SMALLEST_HELP = 17, 9


def draw_line(room: Rect, measure: Measure, language: Language) -> Iterator[Shape]:
    for sentence in LINES:
        line = language.say(sentence())
        width, height = measure(line, _LARGEST_HELP - 1, False)
        if width <= room.w:
            at = Rect(room.x, room.centre[1] - height // 2, width, height)
            yield Text(at, line, _LARGEST_HELP - 1, DIM)
            return


def draw_keys(size: tuple[int, int], measure: Measure, language: Language) -> Iterator[Shape]:
    rows = tuple((language.say(key), language.say(does)) for key, does in KEYS)
    sizes = range(_LARGEST_HELP, _SMALLEST_HELP, -1)
    text = next((t for t in sizes if _fits(size, rows, t, measure)), _SMALLEST_HELP)
    names = max(measure(key, text, True)[0] for key, _ in rows)
    deeds = max(measure(does, text, False)[0] for _, does in rows)
    line, gap = text * 2, text
    width, height = names + deeds + 5 * gap, line * (len(rows) + 2)
    card = Rect((size[0] - width) // 2, (size[1] - height) // 2, width, height)
    yield Box(card, BAND, gap, EDGE, 2)
    y = card.y + gap // 2
    yield _line_of_text(
        card.x + 2 * gap, y, line, (language.say(TITLE()), text + 4, IVORY), measure
    )
    for number, (key, does) in enumerate(rows, start=1):
        y = card.y + gap + number * line
        cap = Rect(card.x + gap, y + 2, names + 2 * gap, line - 4)
        yield Box(cap, KEY, gap // 3, EDGE, 1)
        yield _line_of_text(card.x + 2 * gap, y, line, (key, text, AMBER), measure)
        yield _line_of_text(cap.right + gap, y, line, (does, text, IVORY), measure)


def _fits(
    size: tuple[int, int], rows: tuple[tuple[str, str], ...], text: int, measure: Measure
) -> bool:
    across = max(measure(key, text, True)[0] for key, _ in rows)
    across += max(measure(does, text, False)[0] for _, does in rows)
    return across + 6 * text <= size[0] and 2 * text * (len(rows) + 2) <= size[1]


def _line_of_text(
    x: int, y: int, line: int, words: tuple[str, int, Colour], measure: Measure
) -> Text:
    text, size, colour = words
    bold = colour is not IVORY or size > _LARGEST_HELP
    width, height = measure(text, size, bold)
    return Text(Rect(x, y + (line - height) // 2, width, height), text, size, colour, bold)
