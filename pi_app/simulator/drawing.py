"""The simulated board, its button and its help as shapes: pure."""

from __future__ import annotations

from collections.abc import Iterator

from pi_app.rules.terms import Side, Spot, SpotKind
from pi_app.screen.canvas import Measure
from pi_app.screen.pieces import checker, die, town
from pi_app.screen.shapes import Box, Disc, Line, Point, Poly, Rect, Shape, Text, around
from pi_app.screen.theme import (
    AMBER,
    BAND,
    BLACK_INK,
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
    mix,
)
from pi_app.sensing.description import Place
from pi_app.simulator.checkers import Piece
from pi_app.simulator.tabletop import SimulatedTable
from pi_app.simulator.window_layout import WindowLayout

LEAST_TEXT, MOST_TEXT = 8, 16
FAINT = mix(FELT, SPOT_EDGE, 0.4)
BEZEL = 6


def draw_stage(stage: WindowLayout, table: SimulatedTable, measure: Measure) -> tuple[Shape, ...]:
    """The empty board, the button, and the cases of the product's screen and of the OLED."""
    return (
        Box(Rect(0, 0, *stage.size), GROUND),
        *(Box(case.inset(-BEZEL), INK, BEZEL, EDGE, 2) for case in (stage.screen, stage.panel)),
        *_board(stage, table, measure),
        *_button(stage, table),
    )


def draw_checkers(stage: WindowLayout, table: SimulatedTable, measure: Measure) -> Iterator[Shape]:
    """What lies on the board."""
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
    """The checker in the hand, at the pointer."""
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
            yield from _point(stage, place, POINT_GREEN if number % 2 else POINT_WOOD)
        yield from _pits(stage, place, grid)
        if place.reeds:
            yield from _light(stage, place, place.spot in table.lit)
            yield from _name(stage, place, measure, grid)
        else:
            yield from _tray(stage, place, measure)


def _bar(stage: WindowLayout) -> Iterator[Shape]:
    """The bar of the tables is of wood, from rail to rail."""
    for place in stage.board.places:
        if place.spot.kind is SpotKind.BAR:
            room = stage.tray(place)
            yield Box(Rect(room.x, stage.table.y + 2, room.w, stage.table.h - 4), WOOD)


def _is_grid(stage: WindowLayout) -> bool:
    """Whether spots of one place each stand in rows and files."""
    ways = {place.at[1] for place in stage.board.places if len(place.reeds) == 1}
    return len(ways) > 1


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


def _pits(stage: WindowLayout, place: Place, grid: bool) -> Iterator[Shape]:
    """Where checkers lie."""
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
    """What lies on top of the last place, counted; or in a tray."""
    if not place.reeds:
        for at, piece in zip(_pile(stage, place, len(pieces)), pieces, strict=True):
            yield from _piece(at, stage.radius, piece)
    elif pieces:
        at = stage.at(place.reeds[-1].at)
        yield from _piece(at, stage.radius, pieces[-1])
        ink = INK if pieces[-1].side is Side.WHITE else BLACK_INK
        yield from _text(at, f"+{len(pieces)}", max(9, stage.radius), measure, ink)


def _pile(stage: WindowLayout, place: Place, count: int) -> Iterator[Point]:
    """Where so many checkers lie in a tray: along it, over one another where they are many."""
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
    """A tray, its name and whose it is below what lies in it."""
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
    """Where a tray's checkers lie, and its name below."""
    tray = stage.tray(place)
    name = min(MOST_TEXT, max(LEAST_TEXT, stage.radius * 2 // 3)) * 5 // 4
    upper, lower = tray.rows((max(1, tray.h - name - 2), name), 2)
    return upper, lower


def _name(stage: WindowLayout, place: Place, measure: Measure, grid: bool) -> Iterator[Shape]:
    """Of a spot with reeds: in the frame, below it, or beside it."""
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
    """The file's letter below its lowest spot, the row's number beside its first."""
    reeds = [other.at for other in stage.board.places if other.reeds]
    (x, y), half = stage.centre(place), max(stage.rail // 2, size * 2 // 3)
    name = _word(place.spot)
    if place.at[1] == min(at[1] for at in reeds):
        yield from _text((x, stage.table.bottom - half), name[:1], size, measure, IVORY)
    if place.at[0] == min(at[0] for at in reeds):
        yield from _text((stage.table.x + half, y), name[1:], size, measure, IVORY)


def _word(spot: Spot) -> str:
    """A spot on the board itself, whosever it is."""
    return spot.kind.value if spot.side else str(spot)


def _text(
    centre: Point, text: str, size: int, measure: Measure, colour: Colour, bold: bool = False
) -> Iterator[Shape]:
    width, height = measure(text, size, bold)
    room = Rect(centre[0] - width // 2, centre[1] - height // 2, width, height)
    yield Text(room, text, size, colour, bold)


def _button(stage: WindowLayout, table: SimulatedTable) -> Iterator[Shape]:
    """The die button: a die on it, or a tick where no game of the board has any."""
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
