"""The simulator's window as shapes: the board, its button and the help; pure."""

from __future__ import annotations

from collections.abc import Iterator

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
from pi_app.sensing.description import Place
from pi_app.simulator.reeds import Piece
from pi_app.simulator.tabletop import SimulatedTable
from pi_app.simulator.window_layout import WindowLayout
from pi_app.words.sentences import Language, Sentence

LEAST_MARK = 4
"""Smaller checkers beside the word of a tray do not show their side."""
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
    lying_on, stuck = checkers.lying_on, table.lying
    for place in stage.board.places:
        for reed in place.reeds:
            if reed.name in lying_on:
                yield from _piece(stage.at(reed.at), radius, lying_on[reed.name])
            if not stuck.isdisjoint(reed.sensors):
                yield Disc(stage.at(reed.at), radius + 6, None, VERMILION, 3)
        yield from _on_top(stage, place, checkers.on_top(place.spot), measure)


def draw_held(stage: WindowLayout, table: SimulatedTable, pointer: Point) -> tuple[Shape, ...]:
    return _piece(pointer, stage.radius, table.in_hand) if table.in_hand else ()


def _board(stage: WindowLayout, table: SimulatedTable, measure: Measure) -> Iterator[Shape]:
    yield Box(stage.table, WOOD, stage.rail // 2, WOOD_EDGE, 2)
    yield Box(stage.table.inset(stage.rail), FELT)
    yield from _bar(stage)
    grid = stage.drawn.is_grid
    if grid:
        yield from _lines(stage)
    for place in stage.board.places:
        if len(place.reeds) > 1:
            wood = POINT_LIGHT if place.spot.number % 2 else POINT_DARK
            yield from _point(stage, place, wood)
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


def _lines(stage: WindowLayout) -> Iterator[Shape]:
    spots = [place.at for place in stage.board.places if place.reeds]
    for axis in (0, 1):
        for value in sorted({at[axis] for at in spots}):
            row = [stage.at(at) for at in spots if at[axis] == value]
            yield Line((min(row), max(row)), SPOT_EDGE, 1)


def _point(stage: WindowLayout, place: Place, colour: Colour) -> Iterator[Shape]:
    """A triangle with its base at the rail; none for the bar."""
    if place.spot.kind is not SpotKind.POINT:
        return
    (x, foot), (_, tip) = stage.at(place.reeds[0].at), stage.at(place.reeds[-1].at)
    beyond = stage.radius if foot > tip else -stage.radius
    half = stage.radius + 1
    yield Poly(((x - half, foot + beyond), (x + half, foot + beyond), (x, tip - beyond)), colour)


def _pits(stage: WindowLayout, place: Place, grid: bool) -> Iterator[Shape]:
    for reed in place.reeds:
        if len(place.reeds) > 1:
            yield Disc(stage.at(reed.at), max(2, stage.radius // 8), FAINT)
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
        yield from _text(at, f"+{len(pieces)}", max(stage.label, stage.radius), measure, ink)


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
    word, (x, y) = _word(place.spot), row.centre
    width, _ = measure(word, stage.label, False)
    mark = min(row.h * 2 // 5, (row.w - width - 8) // 2) if place.spot.side else 0
    if mark >= LEAST_MARK and place.spot.side:
        yield from checker((x - width // 2 - 2, y), mark, place.spot.side)
        x += mark + 2
    if width <= row.w:
        yield from _text((x, y), word, stage.label, measure, FELT_TEXT)


def _tray_rows(stage: WindowLayout, place: Place) -> tuple[Rect, Rect]:
    tray, name = stage.tray(place), stage.label * 3 // 2
    upper, lower = tray.rows((max(1, tray.h - name - 2), name), 2)
    return upper, lower


def _name(stage: WindowLayout, place: Place, measure: Measure, grid: bool) -> Iterator[Shape]:
    (x, y), size, word = stage.centre(place), stage.label, _word(place.spot)
    if grid:
        yield from _coordinates(stage, place, measure)
    elif len(place.reeds) > 1:
        upper = place.at[1] > stage.board.size[1] / 2
        at = (x, stage.upper_rail if upper else stage.lower_rail)
        yield from _text(at, word, size, measure, IVORY)
    else:
        yield from _text((x, y + stage.radius + size), word, size, measure, FELT_TEXT)


def _coordinates(stage: WindowLayout, place: Place, measure: Measure) -> Iterator[Shape]:
    reeds = [other.at for other in stage.board.places if other.reeds]
    (x, y), name = stage.centre(place), _word(place.spot)
    if place.at[1] == min(at[1] for at in reeds):
        yield from _text((x, stage.lower_rail), name[:1], stage.label, measure, IVORY)
    if place.at[0] == min(at[0] for at in reeds):
        beside = (stage.table.x + stage.rail // 2, y)
        yield from _text(beside, name[1:], stage.label, measure, IVORY)


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
"""The help, the longest version first."""
TITLE = Sentence("Mouse and keys")
KEYS: tuple[tuple[str, str], ...] = (
    (Sentence("Left button")(), Sentence("drag a checker; press what is on the screen")()),
    (Sentence("Onto an enemy")(), Sentence("a hit: it goes to its bar, home or box by itself")()),
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
