"""Parts shared by several pages: words on buttons, heads, questions, lists and their paging."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias

from pi_app.base.values import dataclass
from pi_app.export.codes import QUIET, Code
from pi_app.screen.actions import Action, Screen
from pi_app.screen.canvas import (
    BUTTON,
    MARGIN,
    Align,
    Box,
    Icon,
    Line,
    Look,
    Pen,
    Poly,
    Rect,
    Size,
)
from pi_app.screen.theme import DIM, EDGE, IVORY, Colour
from pi_app.screen.ui import Clubhouse
from pi_app.words.sentences import Said, Sentence

DONE = Sentence("Done")
MENU = Sentence("Menu")
TAKE_BACK = Sentence("Undo")
NEW_MATCH = Sentence("New match")
MATCHES = Sentence("Matches")
RULES = Sentence("Rules")
TOUR = Sentence("Tour")
WALL = Sentence("Club wall")
CLUB = Sentence("Club")
PHONES = Sentence("Phones")
ANOTHER_BOARD = Sentence("Another board")
PLAY_A_FRIEND = Sentence("Play a friend")
SENSORS = Sentence("Sensors")
SETTINGS_PAGE = Sentence("Settings")
TURN_BOARD = Sentence("Flip board")
SHOW_ME = Sentence("Guide me back")
BOARD_IS_RIGHT = Sentence("Accept the board")
HINT = Sentence("Hint")
ANALYSIS = Sentence("Analysis")
TRAINING = Sentence("Training")
BACK = Sentence("Back")
BACK_TO_MATCH = Sentence("Back to the match")

MOST_ROWS, MOST_UPRIGHT = 5, 10
"""The most buttons below one another, on a wide and on an upright screen; more would be too small
for a finger."""


def draw_head(canvas: Screen, title: str, note: str = "") -> Rect:
    """Draw a page's title with a smaller note to its right, or below it if both are long. Return
    the rectangle below them."""
    pen, small = Pen(Size.HEAD, IVORY, bold=True, lines=3), Pen(Size.SMALL, DIM, lines=3)
    gap, room = canvas.px(10), Rect(0, 0, *canvas.size).inset(canvas.px(MARGIN))
    wide = min(canvas.width(title, pen), room.w) if note else room.w
    rest = room.w - wide - gap
    least = max(canvas.px(44), canvas.high(Size.HEAD))
    if note and canvas.height(note, rest, small) <= max(least, canvas.high(Size.SMALL, Size.SMALL)):
        high = max(least, canvas.height(note, rest, small))
        canvas.text(Rect(room.x, room.y, wide, high), title, pen)
        right = replace(small, align=Align.RIGHT)
        canvas.text(Rect(room.right - rest, room.y, rest, high), note, right)
    else:
        high = max(least, min(canvas.height(title, room.w, pen), 3 * least))
        canvas.text(room.upper(high), title, pen)
        below = min(canvas.height(note, room.w, small), canvas.high(*(Size.SMALL,) * 3))
        canvas.text(Rect(room.x, room.y + high, room.w, below), note, small)
        high += below
    top = room.y + high + canvas.px(8)
    return Rect(room.x, top, room.w, room.bottom - top)


def draw_around(
    canvas: Screen, title: str, note: str, choices: tuple[Choice, ...], pages: PageTurns = ()
) -> Rect:
    """Draw a page's head, and the buttons at its foot. Return the rectangle between them."""
    body, places = _head_and_foot(canvas, title, note, choices, len(pages))
    _draw_foot(canvas, places, choices, pages)
    return body


def _head_and_foot(
    canvas: Screen, title: str, note: str, choices: tuple[Choice, ...], arrows: int
) -> tuple[Rect, tuple[Rect, ...]]:
    """Draw the head. Return the rectangle below it and the places of the buttons at the foot."""
    below = draw_head(canvas, title, note)
    places = foot_places(canvas, tuple(choice.label for choice in choices), arrows)
    return Rect(below.x, below.y, below.w, places[0].y - canvas.px(12) - below.y), places


def _draw_foot(
    canvas: Screen, places: tuple[Rect, ...], choices: tuple[Choice, ...], pages: PageTurns
) -> None:
    draw_choices(canvas, places, choices)
    draw_arrows(canvas, places[len(choices) :], pages)


@dataclass(frozen=True, slots=True)
class Listed:
    """A list that is shown in pages: the action that shows the page from an item on, the first item
    of this page, and how many items there are. A page has at most `most` rows, each at least `high`
    pixels; `above` are the pixels for what precedes the list on every page."""

    show: Callable[[int], Action]
    first: int
    total: int
    most: int
    high: int
    columns: int = 1
    above: int = 0


def draw_list(
    canvas: Screen, title: str, note: str, choices: tuple[Choice, ...], listed: Listed
) -> tuple[Rect, tuple[Rect, ...]]:
    """Draw head and foot of a page with a list. Return the rectangle above it, and the places of
    its rows."""
    gap, (body, places) = canvas.px(8), _head_and_foot(canvas, title, note, choices, 2)
    room = body.lower(body.h - listed.above - (gap if listed.above else 0))
    rows = min(listed.most, max(1, (room.h + gap) // (listed.high + gap)))
    pages = turns(listed.show, listed.first, rows * listed.columns, listed.total)
    _draw_foot(canvas, places, choices, pages)
    return body.upper(listed.above), room.grid(listed.columns, rows, gap)


LABEL = Pen(Size.TEXT, bold=True)
NARROWEST, ASIDE = 54, 8
"""Units: the least width of a button, and the gap between two."""


def foot_places(canvas: Screen, labels: tuple[str, ...], arrows: int = 0) -> tuple[Rect, ...]:
    """The places of the buttons at the foot of a page, the uppermost first."""
    room = Rect(0, 0, *canvas.size).inset(canvas.px(MARGIN), canvas.px(12))
    return places_upwards(canvas, room, (*labels, *("",) * arrows))


def places_upwards(
    canvas: Screen, room: Rect, labels: tuple[str, ...], high: int = BUTTON
) -> tuple[Rect, ...]:
    """The places of buttons at the lower end of a rectangle, at least `high` units each, in as few
    rows as let every label fit on one or two lines. Those without a label are half as wide."""
    gap, rows = canvas.px(10), _rows(canvas, room.w, labels)
    waiting = iter(labels)
    least = canvas.px(high)
    heights = [max(least, *(_label_height(canvas, next(waiting), w) for w in row)) for row in rows]
    y, places = room.bottom - sum(heights) - gap * (len(heights) - 1), list[Rect]()
    for row, tall in zip(rows, heights, strict=True):
        x = room.x
        for wide in row:
            places.append(Rect(x, y, wide, tall))
            x += wide + canvas.px(ASIDE)
        y += tall + gap
    return tuple(places)


def _label_height(canvas: Screen, label: str, width: int) -> int:
    high = canvas.height(label, width - 2 * canvas.px(7), LABEL) + 2 * canvas.px(2)
    return min(high, 2 * canvas.px(BUTTON))


def _rows(canvas: Screen, width: int, labels: tuple[str, ...]) -> list[tuple[int, ...]]:
    """The widths of the buttons, row by row."""
    for count in range(1, len(labels)):
        length = math.ceil(len(labels) / count)
        starts = range(0, len(labels), length)
        rows = [button_widths(canvas, width, labels[start : start + length]) for start in starts]
        if all(rows):
            return rows
    return [(width,) for _ in labels]


def button_widths(
    canvas: Screen, width: int, labels: tuple[str, ...], size: Size = Size.TEXT
) -> tuple[int, ...]:
    """The widths of buttons in one row, with labels on one line or else two; empty if they do not
    fit."""
    shares = tuple(2.0 if label else 1.0 for label in labels)
    for lines in (1, 2):
        pen = replace(LABEL, size=size, lines=lines)
        wide = [canvas.least_width(label, pen) + 2 * canvas.px(7) for label in labels]
        needs = tuple(max(canvas.px(NARROWEST), need) for need in wide)
        if found := _widths(canvas, width, needs, shares):
            return found
    return ()


def _widths(
    canvas: Screen, width: int, needs: tuple[int, ...], shares: tuple[float, ...]
) -> tuple[int, ...]:
    """By the shares if each gets enough; otherwise what each needs, and a part of the rest."""
    usual = tuple(rect.w for rect in Rect(0, 0, width, 1).columns(shares, canvas.px(ASIDE)))
    if all(need <= wide for need, wide in zip(needs, usual, strict=True)):
        return usual
    spare = width - canvas.px(ASIDE) * (len(needs) - 1) - sum(needs)
    return tuple(need + spare // len(needs) for need in needs) if spare >= 0 else ()


def pair_in(canvas: Screen, rect: Rect) -> tuple[Rect, Rect]:
    """The places of a text and a small line close below it, centred in a rectangle."""
    upper, lower = canvas.high(Size.TEXT), canvas.high(Size.SMALL)
    height = min(rect.h, upper + lower)
    room = Rect(rect.x, rect.centre[1] - height // 2, rect.w, height)
    return room.upper(upper), room.lower(height - min(upper, height))


def draw_message(canvas: Screen, rect: Rect, text: str, lines: int = 4) -> None:
    canvas.text(rect, text, Pen(Size.TEXT, DIM, align=Align.CENTRE, lines=lines))


@dataclass(frozen=True, slots=True)
class Choice:
    """A button; without an action it is dimmed, because it is not possible now."""

    label: str
    action: Action | None
    look: Look = Look.PLAIN
    icon: Icon | None = None


def draw_choices(
    canvas: Screen, places: Iterable[Rect], choices: Iterable[Choice], size: Size = Size.TEXT
) -> None:
    for place, choice in zip(places, choices, strict=False):
        canvas.button(place, choice.label, choice.action, choice.look, size, choice.icon)


def column_of_buttons(canvas: Screen, rect: Rect, choices: tuple[Choice, ...]) -> None:
    """Draw buttons one below the other, on a wide screen in columns."""
    gap = canvas.px(12)
    columns = math.ceil(len(choices) / (MOST_UPRIGHT if canvas.upright else MOST_ROWS))
    rows = math.ceil(len(choices) / columns)
    height = min(rect.h, rows * canvas.px(84) + (rows - 1) * gap)
    room = Rect(rect.x, rect.y + (rect.h - height) // 2, rect.w, height)
    draw_choices(canvas, room.grid(columns, rows, gap), choices)


PageTurns: TypeAlias = tuple[Action | None, ...]
"""The actions that lead to other pages of a list; None if there is no such page."""


def turns(show: Callable[[int], Action], first: int, count: int, total: int) -> PageTurns:
    """The actions back and on; `first` is the first item of this page, which has `count` of
    `total`."""
    before = show(max(0, first - count)) if first else None
    return before, show(first + count) if first + count < total else None


def draw_arrows(
    canvas: Screen, places: Iterable[Rect], turns: PageTurns, *, far: bool = False
) -> None:
    """Draw triangles that point back and on; with `far` each has a bar, for the first and last
    page."""
    for place, action, way in zip(places, turns, (-1, 1), strict=False):
        canvas.frame(place, Look.PLAIN if action else Look.DIMMED)
        colour = IVORY if action else EDGE
        reach, (x, y) = min(canvas.px(14), place.h // 4), place.centre
        tip, foot = x + way * reach, x - way * reach
        canvas.add(Poly(((tip, y), (foot, y - reach), (foot, y + reach)), colour))
        if far:
            bar = tip + way * canvas.px(4)
            canvas.add(Line(((bar, y - reach), (bar, y + reach)), colour, canvas.px(4)))
        if action:
            canvas.touch(place, action)


PAPER = Colour((255, 255, 255), (255, 255, 255), (255, 255, 255))
PRINT = Colour((0, 0, 0), (0, 0, 0), (0, 0, 0))
"""QR codes are black on white in every theme."""


def draw_qr(canvas: Screen, square: Rect, code: Code) -> None:
    """Draw a QR code; each module is a whole number of pixels, so that its edges stay sharp."""
    canvas.add(Box(square, PAPER))
    across = code.size + 2 * QUIET
    module = square.w // across
    left = square.x + (square.w - module * code.size) // 2
    top = square.y + (square.h - module * code.size) // 2
    for x, y, length in code.dark:
        run = Rect(left + x * module, top + y * module, length * module, module)
        canvas.add(Box(run, PRINT))


def name_of_others(club: Clubhouse) -> Said:
    """The title of the page from which players at other boards are invited."""
    return PLAY_A_FRIEND() if club.only_friends else ANOTHER_BOARD()
