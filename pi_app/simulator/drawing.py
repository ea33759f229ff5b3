"""The simulated board, its button and its help as shapes: pure."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pi_app.rules.terms import Side, Spot, SpotKind
from pi_app.screen.canvas import Measure
from pi_app.screen.pieces import checker, town
from pi_app.screen.shapes import Box, Disc, Line, Point, Poly, Rect, Shape, Text
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
    POINT_GREEN,
    POINT_WOOD,
    SPOT_EDGE,
    TEAL,
    VERMILION,
    WOOD,
    WOOD_EDGE,
    Colour,
)
from pi_app.sensing.description import Place
from pi_app.simulator.checkers import Piece
from pi_app.simulator.tabletop import SimulatedTable
from pi_app.simulator.window_layout import WindowLayout

HELP = (
    "Drag the checkers.",
    "Die button: press and hold it,",
    "or the key B.",
    "Right button: nudge a checker.",
    "R: set the checkers out.",
)
NEXT_GAME = "R again: for the next game."
CROWDED = 1.4
"""Spots nearer than this many diameters have no room for names between them."""


def draw_stage(
    stage: WindowLayout, table: SimulatedTable, measure: Measure, pointer: Point
) -> tuple[Shape, ...]:
    """Everything but the product's own pictures, the held checker at the pointer last."""
    return (
        Box(Rect(0, 0, *stage.size), GROUND),
        *_board(stage, table, measure),
        *_button(stage, table, measure),
        *_help(stage, measure),
        *(_piece(pointer, stage.radius, table.in_hand) if table.in_hand else ()),
    )


def _board(stage: WindowLayout, table: SimulatedTable, measure: Measure) -> Iterator[Shape]:
    yield Box(stage.table, WOOD, 12, WOOD_EDGE, 2)
    yield Box(stage.table.inset(8), FELT, 8)
    crowded = _is_crowded(stage)
    if crowded:
        yield from _lines(stage)
    for number, place in enumerate(stage.board.places):
        if len(place.reeds) > 1:
            yield from _point(stage, place, POINT_GREEN if number % 2 else POINT_WOOD)
        yield from _pits(stage, place, crowded)
        if place.reeds:
            yield from _light(stage, place, place.spot in table.lit)
            yield from _name(stage, place, measure, crowded)
        else:
            yield from _tray(stage, place, measure, len(table.checkers.on_top(place.spot)))
    for place in stage.board.places:
        yield from _pieces(stage, table, place, measure)


def _is_crowded(stage: WindowLayout) -> bool:
    """Whether spots of one place each stand so close that their names find no room."""
    first = [place.at for place in stage.board.places if len(place.reeds) == 1][:2]
    return len(first) > 1 and math.dist(*first) < CROWDED * stage.board.spot_diameter


def _lines(stage: WindowLayout) -> Iterator[Shape]:
    """Lines through the spots that stand in rows and files."""
    spots = [place.at for place in stage.board.places if place.reeds]
    for axis in (0, 1):
        for value in sorted({at[axis] for at in spots}):
            row = [stage.at(at) for at in spots if at[axis] == value]
            yield Line((min(row), max(row)), SPOT_EDGE, 1)


def _point(stage: WindowLayout, place: Place, colour: Colour) -> Iterator[Shape]:
    """A point of the tables as a triangle, its foot at the rail; the bar has none."""
    if place.spot.kind is not SpotKind.POINT:
        return
    (x, foot), (_, tip) = stage.at(place.reeds[0].at), stage.at(place.reeds[-1].at)
    beyond = stage.radius if foot > tip else -stage.radius
    half = stage.radius + 1
    yield Poly(((x - half, foot + beyond), (x + half, foot + beyond), (x, tip - beyond)), colour)


def _pits(stage: WindowLayout, place: Place, crowded: bool) -> Iterator[Shape]:
    """Where checkers lie."""
    for reed in place.reeds:
        if len(place.reeds) > 1:
            yield Disc(stage.at(reed.at), stage.radius, None, SPOT_EDGE, 1)
        elif crowded:
            yield Disc(stage.at(reed.at), max(3, stage.radius // 4), PIT, SPOT_EDGE, 1)
        else:
            yield Disc(stage.at(reed.at), stage.radius + 3, PIT, SPOT_EDGE, 2)


def _pieces(
    stage: WindowLayout, table: SimulatedTable, place: Place, measure: Measure
) -> Iterator[Shape]:
    """What lies on a spot: each on its place, then what lies on top of the last."""
    lying_on, lying, radius = table.checkers.lying_on, table.lying, stage.radius
    for reed in place.reeds:
        if reed.name in lying_on:
            yield from _piece(stage.at(reed.at), radius, lying_on[reed.name])
        if reed.name in lying:
            yield Disc(stage.at(reed.at), radius + 6, None, VERMILION, 3)
    on_top = table.checkers.on_top(place.spot)
    if place.reeds and on_top:
        x, y = stage.at(place.reeds[-1].at)
        yield from _piece((x, y), radius, on_top[-1])
        ink = INK if on_top[-1].side is Side.WHITE else BLACK_INK
        yield from _text((x, y), f"+{len(on_top)}", max(9, radius), measure, ink)
    elif on_top:
        room = stage.tray(place).w // 2 - radius
        step = min(radius / 3, room / max(1, len(on_top) - 1) * 2)
        x, y = stage.centre(place)
        for index, piece in enumerate(on_top):
            shift = round((index - (len(on_top) - 1) / 2) * step)
            yield from _piece((x + shift, y), radius, piece)


def _piece(centre: Point, radius: int, piece: Piece) -> tuple[Shape, ...]:
    draw = town if piece.height > 1 else checker
    return draw(centre, radius, piece.side)


def _light(stage: WindowLayout, place: Place, on: bool) -> Iterator[Shape]:
    if place.light is not None:
        x, y = stage.centre(place)
        yield Disc((x, y - stage.radius - 12), 6, TEAL if on else PIT, SPOT_EDGE, 1)


def _tray(stage: WindowLayout, place: Place, measure: Measure, count: int) -> Iterator[Shape]:
    yield Box(stage.tray(place), PIT, 8, SPOT_EDGE, 1)
    named = _words(place.spot)
    text = f"{named}: {count}" if count > 1 else named
    yield from _beside(stage, place, text, 0.4, measure)


def _name(stage: WindowLayout, place: Place, measure: Measure, crowded: bool) -> Iterator[Shape]:
    if crowded:
        (x, y), aside = stage.centre(place), stage.radius * 2 // 3
        size = max(8, stage.radius // 2)
        yield from _text((x + aside, y + aside), str(place.spot), size, measure, FELT_TEXT)
    else:
        yield from _beside(stage, place, _words(place.spot), 0.5, measure)


def _beside(
    stage: WindowLayout, place: Place, text: str, share: float, measure: Measure
) -> Iterator[Shape]:
    """Below the spot; in the upper half above trays and points."""
    (x, y), size = stage.centre(place), max(8, round(stage.radius * share))
    width, height = measure(text, size, False)
    upper = place.at[1] > stage.board.size[1] / 2
    above = (
        upper is (len(place.reeds) < 2 or place.spot.kind is SpotKind.POINT)
        and len(place.reeds) != 1
    )
    top = y - stage.radius - 4 - height if above else y + stage.radius + 4
    yield Text(Rect(x - width // 2, top, width, height), text, size, FELT_TEXT)


def _words(spot: Spot) -> str:
    return str(spot).replace(".", " ")


def _text(
    centre: Point, text: str, size: int, measure: Measure, colour: Colour, bold: bool = False
) -> Iterator[Shape]:
    width, height = measure(text, size, bold)
    room = Rect(centre[0] - width // 2, centre[1] - height // 2, width, height)
    yield Text(room, text, size, colour, bold)


def _button(stage: WindowLayout, table: SimulatedTable, measure: Measure) -> Iterator[Shape]:
    centre, radius = stage.button.centre, stage.button.w // 2
    down = table.button_down
    yield Disc(centre, radius, KEY, EDGE, 3)
    yield Disc(centre, radius * (76 if down else 84) // 100, AMBER if down else BAND, AMBER, 3)
    ink = INK if down else IVORY
    yield from _text(centre, "DIE", max(10, radius // 4), measure, ink, bold=True)


def _help(stage: WindowLayout, measure: Measure) -> Iterator[Shape]:
    size = max(10, min(17, stage.help.w // 17))
    y = stage.help.y
    lines = (*HELP, NEXT_GAME) if len(stage.board.games) > 1 else HELP
    for number, line in enumerate(lines):
        width, height = measure(line, size, False)
        if y + height > stage.help.bottom:
            return
        colour = IVORY if number == 0 else DIM
        yield Text(Rect(stage.help.x, y, width, height), line, size, colour)
        y += height + 4
