"""The board of the sensors page: every reed at its place, with its state and faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import Enum, auto

from pi_app.base.values import dataclass
from pi_app.rules.terms import Side
from pi_app.screen.actions import Screen
from pi_app.screen.boards.marks import draw_felt
from pi_app.screen.canvas import (
    ENDLESSLY,
    Align,
    Disc,
    Line,
    Pen,
    Pixels,
    Point,
    Rect,
    Shape,
    Size,
    around,
    cross,
)
from pi_app.screen.observability import Unseen, mark_unseen
from pi_app.screen.pieces import checker, wanted
from pi_app.screen.theme import AMBER, FELT_TEXT, INK, PIT, SPOT_EDGE, TEAL, VERMILION
from pi_app.sensing.description import Board, Reed, Sensor

FRAME, RAIL, LARGEST = 8, 16, 38
"""Units: the wood, and a reed's radius: the one first tried, and the largest."""
NAME_WIDTH, NAME_HEIGHT, NAME_GAP = 4, 18, 2
"""Units: the names of the spots beside the reeds at the rails."""


class Walked(Enum):
    PUT = auto()
    TAKE = auto()
    WELL = auto()
    FLAWED = auto()


@dataclass(frozen=True, slots=True)
class ReedMarks:
    """Which reeds are closed, ignored and why, suspected, chosen and tested."""

    closed: frozenset[Sensor] = frozenset()
    unseen: Mapping[Sensor, Unseen] = field(default_factory=dict)
    suspects: frozenset[Sensor] = frozenset()
    chosen: Sensor | None = None
    walked: Mapping[Sensor, Walked] = field(default_factory=dict)


def draw_reeds(
    canvas: Screen, rect: Rect, board: Board, marks: ReedMarks, *, turned: bool
) -> Mapping[Sensor, Rect]:
    felt = draw_felt(canvas, rect, FRAME, (12, 7))
    side = apart(places_of(_field(felt, canvas.px, canvas.px(RAIL)), board, turned=turned))
    radius = min(side * 40 // 100, canvas.px(LARGEST))
    at = places_of(_field(felt, canvas.px, radius), board, turned=turned)
    between, pen = apart(at), Pen(Size.SMALL, FELT_TEXT, bold=True, align=Align.CENTRE)
    names = tuple(_names(board, at, radius, between, canvas.px))
    crowded = {room.y for name, room in names if canvas.width(name, pen) >= room.w}
    for name, room in names:
        if room.y not in crowded:
            canvas.line(room, name, pen)
    reach = min(between, 3 * radius) // 2
    touched: dict[Sensor, Rect] = {}
    for reed in board.reeds:
        place, sensor = at[reed.name], _in_view(reed, marks)
        whose = reed.side_of(sensor)
        draw_reed(canvas, place, radius, sensor, marks, whose)
        if whose and sensor == marks.chosen:
            sensor = reed.closed_by(whose.other)  # a second tap looks at it
        touched[sensor] = around(place, reach)
    return touched


def _in_view(reed: Reed, marks: ReedMarks) -> Sensor:
    """Of a place's sensors the one to draw: the chosen one, or one with something to report."""
    walked = [sensor for sensor, how in marks.walked.items() if how is not Walked.WELL]
    noted = ((marks.chosen,), walked, marks.suspects, marks.unseen, marks.closed)
    found = (sensor for some in noted for sensor in reed.sensors if sensor in some)
    return next(found, reed.sensors[0])


def draw_reed(
    canvas: Screen,
    at: Point,
    radius: int,
    sensor: Sensor,
    marks: ReedMarks,
    side: Side | None = None,
) -> None:
    """Draw a sensor; `side` is the side whose checkers it feels, if it can tell."""
    canvas.add(*_reed(canvas.px, at, radius, sensor, marks, side))
    if sensor in marks.suspects:
        ink = INK if sensor in marks.closed else FELT_TEXT
        pen = Pen(Size.TEXT, ink, bold=True, align=Align.CENTRE)
        canvas.line(around(at, 2 * radius), "?", pen)


def places_of(field: Rect, board: Board, *, turned: bool) -> dict[Sensor, Point]:
    """Return the place of each reed, arranged as on the board and spread over a field."""
    reeds = {reed.name: reed.at for reed in board.reeds}
    left, right = (end(x for x, _ in reeds.values()) for end in (min, max))
    low, high = (end(y for _, y in reeds.values()) for end in (min, max))

    def at(x: float, y: float) -> Point:
        across = (x - left) / (right - left) if right > left else 0.5
        up = (y - low) / (high - low) if high > low else 0.5
        if turned:
            across, up = 1 - across, 1 - up
        return field.x + round(across * field.w), field.bottom - round(up * field.h)

    return {name: at(*place) for name, place in reeds.items()}


def apart(at: Mapping[Sensor, Point]) -> int:
    """The side in pixels of the largest squares around these points that do not overlap."""
    ordered, nearest = sorted(at.values()), ENDLESSLY
    for index, (x, y) in enumerate(ordered):
        for beyond, other in ordered[index + 1 :]:
            if beyond - x >= nearest:
                break
            nearest = min(nearest, max(beyond - x, abs(other - y)))
    return nearest


def _field(felt: Rect, px: Pixels, radius: int) -> Rect:
    """The rectangle of the reeds' centres, such that reeds and names fit on the felt."""
    return felt.inset(radius + px(NAME_WIDTH), radius + px(NAME_HEIGHT + NAME_GAP))


def _names(
    board: Board, at: Mapping[Sensor, Point], radius: int, width: int, px: Pixels
) -> Iterator[tuple[str, Rect]]:
    """Yield the spots whose first reed is at a rail, each with the place of its name."""
    low, high = (end(y for _, y in at.values()) for end in (max, min))
    height, off = px(NAME_HEIGHT), radius + px(NAME_GAP)
    for place in board.places:
        if not place.reeds:
            continue
        x, y = at[place.reeds[0].name]
        if y == low:
            yield str(place.spot), Rect(x - width // 2, y + off, width, height)
        elif y == high:
            yield str(place.spot), Rect(x - width // 2, y - off - height, width, height)


def _reed(
    px: Pixels, at: Point, radius: int, sensor: Sensor, marks: ReedMarks, side: Side | None
) -> Iterator[Shape]:
    walked, why = marks.walked.get(sensor), marks.unseen.get(sensor)
    yield from _body(px, at, radius, closed=sensor in marks.closed)
    closed = sensor in marks.closed
    if side and closed and sensor not in marks.suspects:
        yield from checker(at, radius * 8 // 10, side)
    elif sensor not in marks.suspects:
        yield from _contact(at, radius, closed=closed)
    if walked is Walked.PUT:
        yield from wanted(at, radius, side or Side.WHITE)
    elif walked is Walked.TAKE:
        yield from checker(at, radius, side or Side.WHITE)
    elif walked is Walked.WELL:
        yield from _tick(px, at, radius)
    elif walked is Walked.FLAWED:
        yield from cross(at, radius * 6 // 10, VERMILION, px(3))
    if why:
        badge = (at[0] + radius * 6 // 10, at[1] + radius * 6 // 10), max(radius // 2, px(6))
        yield from mark_unseen(at, radius * 8 // 10, badge, why)
    if sensor == marks.chosen or walked in (Walked.PUT, Walked.TAKE):
        yield Disc(at, radius + px(4), None, AMBER, px(3))


def _body(px: Pixels, at: Point, radius: int, *, closed: bool) -> Iterator[Shape]:
    yield Disc(at, radius, TEAL if closed else PIT, TEAL if closed else SPOT_EDGE, px(1.5))


def _contact(at: Point, radius: int, *, closed: bool) -> Iterator[Shape]:
    (x, y), reach, width = at, radius * 62 // 100, max(2, radius // 7)
    if closed:
        yield Line(((x - reach, y), (x + reach, y)), INK, width)
        return
    lever = (x - reach, y), (x - reach // 3, y), (x + reach // 2, y - reach * 6 // 10)
    yield Line(lever, FELT_TEXT, width)
    yield Line(((x + reach // 2, y), (x + reach, y)), FELT_TEXT, width)


def _tick(px: Pixels, at: Point, radius: int) -> Iterator[Shape]:
    (x, y), reach = at, radius * 6 // 10
    yield Disc(at, radius, PIT, TEAL, px(2))
    yield Line(
        ((x - reach, y), (x - reach // 4, y + reach * 3 // 4), (x + reach, y - reach * 3 // 4)),
        TEAL,
        px(3),
    )
