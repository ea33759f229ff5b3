"""The page of sensors: every reed live, its diagnosis, and the walk test."""

from __future__ import annotations

from collections.abc import Iterator

from pi_app.base.values import dataclass
from pi_app.match.acts import Act
from pi_app.referee.view import View
from pi_app.screen.actions import Screen, ask_for_walk, intend, leave_sensors, look_at, send
from pi_app.screen.boards.reeds import ReedMarks, Walked, draw_reed, draw_reeds
from pi_app.screen.canvas import MARGIN, SEAM, Look, Pen, Rect, Size
from pi_app.screen.observability import WHY, fault_words, faults_words, unseen
from pi_app.screen.pages.parts import (
    BACK,
    BACK_TO_MATCH,
    SENSORS,
    Choice,
    draw_choices,
    places_upwards,
)
from pi_app.screen.pages.places import SMALL, play_places
from pi_app.screen.theme import DIM, IVORY
from pi_app.screen.ui import Shown, Ui, WalkTest
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.walk import WalkStage, ask_words, finding_words, place_words, wire_words
from pi_app.user.commands import Inspect
from pi_app.words.numbers import per_cent
from pi_app.words.sentences import DOTTED, Sentence, joined

TAP_A_SENSOR = Sentence("Tap a sensor.")
CLOSED, OPEN = Sentence("closed"), Sentence("open")
PERHAPS = Sentence("maybe faulty")
RIGHT_SINCE = Sentence("works again")
BELIEVED = Sentence("in use")
SET_ASIDE = Sentence("Turn off")
USE_AGAIN = Sentence("Turn on")
WALK = Sentence("Walk test")
GO_ON_WITHOUT = Sentence("Skip this sensor")
WALK_AGAIN = Sentence("Test again")
WALK_LATER = Sentence(
    "The walk test needs an empty board: quit, restart, and open Sensors before you resume."
)
DONE_OF = Sentence("{tried} of {n} sensor tested", "{tried} of {n} sensors tested")
SURE = Sentence("Confidence {share}")

CARD_LINES = 7
"""The height of the card on an upright screen, in lines."""
MANY = 30
"""As many lines as fit."""
LEGEND_ROWS, AROUND = (30, 26, 22, 19), 4
"""Units: the heights that a row of the legend may have, and the margin of a sign for its ring and
badge."""


@dataclass(frozen=True, slots=True)
class SensorPlaces:
    board: Rect
    title: Rect
    card: Rect
    buttons: tuple[Rect, ...]


def sensor_places(size: tuple[int, int], canvas: Screen, labels: tuple[str, ...]) -> SensorPlaces:
    px, seam, head = canvas.px, canvas.px(SEAM), canvas.high(Size.HEAD) + canvas.px(4)
    if canvas.upright:
        room = Rect(0, 0, *size).inset(px(MARGIN))
        buttons = places_upwards(canvas, room, labels)
        card = canvas.high(*(Size.TEXT,) * CARD_LINES)
        room = room.upper(buttons[0].y - seam - room.y)
        title, board, card_rect = room.rows((head, room.h - head - card - 2 * seam, card), seam)
        return SensorPlaces(board, title, card_rect, buttons)
    beside = play_places(size, large=canvas.large)
    column = beside.column
    rest = column.h - head - 3 * px(SMALL) - 4 * seam
    title, card_rect, *places = column.rows((head, rest, *(px(SMALL),) * 3), seam)
    return SensorPlaces(beside.board, title, card_rect, tuple(places))


def draw_sensors(canvas: Screen, shown: Shown, ui: Ui) -> None:
    board = shown.board
    chosen = ui.sensor if ui.sensor in board.sensors else None
    choices = _choices(shown, chosen)
    labels = tuple(choice.label for choice in choices)
    places = sensor_places(canvas.size, canvas, labels)
    marks = marks_of_reeds(shown, chosen)
    turned = shown.turned
    for sensor, place in draw_reeds(canvas, places.board, board, marks, turned=turned).items():
        canvas.touch(place, look_at(sensor))
    canvas.text(places.title, SENSORS(), Pen(Size.HEAD, IVORY, bold=True))
    room = _draw_foot(canvas, canvas.card(places.card, 8), tuple(_at_the_foot(shown)))
    room = _draw_card(canvas, room, tuple(_told(shown, ui, chosen)))
    if not _walk(shown):
        _draw_legend(canvas, room)
    draw_choices(canvas, places.buttons, choices)


def marks_of_reeds(shown: Shown, chosen: Sensor | None) -> ReedMarks:
    view, walk = shown.view, _walk(shown)
    if view:
        suspects = frozenset(view.suspects)
        return ReedMarks(view.closed, unseen(view), suspects, chosen)
    closed = shown.inspected.closed if shown.inspected else frozenset()
    return ReedMarks(closed, chosen=chosen, walked=_walked(walk) if walk else {})


def _walk(shown: Shown) -> WalkTest | None:
    return shown.inspected.walk if shown.inspected and not shown.view else None


def _walked(walk: WalkTest) -> dict[Sensor, Walked]:
    marks = dict.fromkeys(walk.tried, Walked.WELL)
    marks |= {finding.sensor: Walked.FLAWED for finding in walk.findings}
    if walk.ask.sensor:
        put = walk.ask.stage is WalkStage.PUT
        marks[walk.ask.sensor] = Walked.PUT if put else Walked.TAKE
    return marks


# Buttons


def _choices(shown: Shown, chosen: Sensor | None) -> tuple[Choice, Choice, Choice]:
    back = BACK_TO_MATCH() if shown.view else BACK()
    return _belief(shown.view, chosen), _walking(shown), Choice(back, leave_sensors(), Look.MAIN)


def _belief(view: View | None, chosen: Sensor | None) -> Choice:
    if view is None or chosen is None:
        return Choice(SET_ASIDE(), None)
    if chosen in view.sensors_off:
        return Choice(USE_AGAIN(), intend(Act.SENSOR_ON, sensor=chosen, stay=True))
    return Choice(SET_ASIDE(), intend(Act.SENSOR_OFF, sensor=chosen, stay=True))


def _walking(shown: Shown) -> Choice:
    walk = _walk(shown)
    if shown.view:
        return Choice(WALK(), ask_for_walk())
    if walk is None:
        return Choice(WALK(), send(Inspect.WALK))
    if walk.ask.stage is WalkStage.OVER:
        return Choice(WALK_AGAIN(), send(Inspect.WALK))
    return Choice(GO_ON_WITHOUT(), send(Inspect.SKIP))


# Words


@dataclass(frozen=True, slots=True)
class Remark:
    """A line of the card; a quiet one is dimmer."""

    text: str
    size: Size
    bold: bool = False
    quiet: bool = False

    def pen(self, most: Size = Size.HEAD) -> Pen:
        """The line's pen, no larger than this."""
        size = min(self.size, most, key=lambda one: one.value)
        return Pen(size, DIM if self.quiet else IVORY, self.bold, lines=MANY, least=size)


def _told(shown: Shown, ui: Ui, chosen: Sensor | None) -> Iterator[Remark]:
    walk = _walk(shown)
    if chosen:
        yield from _of_one(shown, chosen)
    elif walk:
        yield from _of_walk(shown.board, walk)
    elif ui.walk_asked:
        yield Remark(WALK_LATER(), Size.TEXT)
    else:
        yield Remark(TAP_A_SENSOR(), Size.TEXT)


def _of_one(shown: Shown, sensor: Sensor) -> Iterator[Remark]:
    view, board, walk = shown.view, shown.board, _walk(shown)
    shut = sensor in marks_of_reeds(shown, sensor).closed
    yield Remark(sensor, Size.HEAD, bold=True)
    words = (CLOSED() if shut else OPEN(), *(believed(view, sensor) if view else ()))
    yield Remark(joined(words, DOTTED), Size.TEXT, bold=True)
    yield Remark(
        joined((place_words(board, sensor), wire_words(board, sensor)), DOTTED), Size.SMALL
    )
    for finding in walk.findings if walk else ():
        if finding.sensor == sensor:
            yield Remark(finding_words(board, finding), Size.SMALL)


def believed(view: View, sensor: Sensor) -> Iterator[str]:
    why = unseen(view).get(sensor)
    yield WHY[why]() if why else BELIEVED()
    yield from (fault_words(fault) for fault in view.faults if fault.sensor == sensor)
    if sensor in view.healed:
        yield RIGHT_SINCE()


def _of_walk(board: Board, walk: WalkTest) -> Iterator[Remark]:
    if walk.report:
        first, *others = walk.report
        yield Remark(first, Size.TEXT, bold=True)
        yield from (Remark(line, Size.SMALL) for line in others)
        return
    yield Remark(ask_words(board, walk.ask), Size.TEXT, bold=True)
    yield Remark(DONE_OF(tried=len(walk.tried), n=len(board.sensors)), Size.TEXT)
    for sensor in walk.tried[-1:]:
        for finding in walk.findings:
            if finding.sensor == sensor:
                yield Remark(finding_words(board, finding), Size.SMALL)


def _at_the_foot(shown: Shown) -> Iterator[Remark]:
    view = shown.view
    sure = _sure(view.confidence) if view and view.confidence else ""
    away = shown.notes[-1:] if shown.away else ()
    for text in (*away, *(faults_words(view) if view else ()), sure, *shown.status):
        if text:
            yield Remark(text, Size.SMALL, quiet=True)


def _sure(confidence: float) -> str:
    return SURE(share=percent(confidence))


def percent(confidence: float) -> str:
    """Write a probability up to its first digit other than nine: "99.9998 %"."""
    digits = f"{confidence:.9f}"[2:]
    nines = len(digits) - len(digits.lstrip("9"))
    places = min(max(1, nines - 1), 7)
    return per_cent(float(f"0.{digits[: places + 2]}"), places)


# The card


def _draw_foot(canvas: Screen, room: Rect, remarks: tuple[Remark, ...]) -> Rect:
    """Write remarks at the bottom of the card. Return the rectangle above."""
    heights = [canvas.height(one.text, room.w, one.pen()) for one in remarks]
    above = Rect(room.x, room.y, room.w, max(0, room.h - sum(heights)))
    y = above.bottom
    for remark, height in zip(remarks, heights, strict=True):
        canvas.text(Rect(room.x, y, room.w, height), remark.text, remark.pen())
        y += height
    return above


def _draw_card(canvas: Screen, room: Rect, remarks: tuple[Remark, ...]) -> Rect:
    """Write remarks from the top, in the largest size in which all fit. Return the
    rectangle below."""
    for most in Size.HEAD.smaller:
        heights = [canvas.height(one.text, room.w, one.pen(most)) + canvas.px(3) for one in remarks]
        if sum(heights) <= room.h:
            break
    left = room
    for remark, height in zip(remarks, heights, strict=True):
        if height > left.h:
            break  # of a long report the rest is told by a tap on each sensor
        canvas.text(Rect(left.x, left.y, left.w, height), remark.text, remark.pen(most))
        left = Rect(left.x, left.y + height, left.w, left.h - height)
    return left


LEGEND: tuple[tuple[Sentence, ReedMarks], ...] = (
    (OPEN, ReedMarks()),
    (CLOSED, ReedMarks(frozenset({Sensor("")}))),
    *((words, ReedMarks(unseen={Sensor(""): why})) for why, words in WHY.items()),
    (PERHAPS, ReedMarks(suspects=frozenset({Sensor("")}))),
)
"""What each drawing of a reed means."""


def _draw_legend(canvas: Screen, room: Rect) -> None:
    """Draw every sign with its word, if all fit."""
    px, usual = canvas.px, (1, 1) if canvas.large else (8, 7, 10)
    shares = usual if canvas.upright else (1,)
    rows = -(-len(LEGEND) // len(shares))
    heights = (px(units) for units in LEGEND_ROWS if px(units) >= canvas.high(Size.SMALL))
    row = next((high for high in heights if rows * high <= room.h), None)
    if row is None:
        return
    bottom = room.bottom - min(px(5), room.h - rows * row)
    place = Rect(room.x, bottom - rows * row, room.w, rows * row)
    radius = row // 2 - px(AROUND)
    cells = (cell for line in place.rows((1,) * rows, 0) for cell in line.columns(shares, 0))
    for cell, (words, marks) in zip(cells, LEGEND, strict=False):
        draw_reed(canvas, (cell.x + row // 2, cell.centre[1]), radius, Sensor(""), marks)
        x = cell.x + row + px(4)
        canvas.line(Rect(x, cell.y, cell.right - x, cell.h), words(), Pen(Size.SMALL, IVORY))
