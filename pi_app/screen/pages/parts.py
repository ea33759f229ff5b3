"""What several pages share: words on buttons, heads, questions, lists and their paging."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from pi_app.screen.actions import Action, Screen
from pi_app.screen.canvas import (
    Align,
    Icon,
    Line,
    Look,
    Pen,
    Poly,
    Rect,
    SheetBands,
    Size,
    sheet_bands,
)
from pi_app.screen.theme import DIM, EDGE, IVORY
from pi_app.words.sentences import Sentence

DONE = Sentence("Done")
MENU = Sentence("Menu")
TAKE_BACK = Sentence("Undo")
NEW_MATCH = Sentence("New match")
MATCHES = Sentence("Matches")
RULES = Sentence("Rules")
TOUR = Sentence("Tour")
WALL = Sentence("Club wall")
CLUB = Sentence("Club")
ANOTHER_BOARD = Sentence("Another board")
SENSORS = Sentence("Sensors")
SETTINGS_PAGE = Sentence("Settings")
TURN_BOARD = Sentence("Flip board")
SHOW_ME = Sentence("Guide me back")
BOARD_IS_RIGHT = Sentence("Accept the board")
HINT = Sentence("Hint")
ANALYSIS = Sentence("Analysis")
BACK = Sentence("Back")
BACK_TO_MATCH = Sentence("Back to the match")

MOST_ROWS = 5
"""More buttons below one another would be too small for a finger on a wide screen."""


def draw_head(canvas: Screen, title: str, note: str = "") -> SheetBands:
    """A page's title and, to its right, a smaller note; returns the page's bands."""
    bands = sheet_bands(canvas.size)
    left, right = bands.title.columns((1, 1), canvas.px(10)) if note else (bands.title, bands.title)
    canvas.text(left, title, Pen(Size.HEAD, IVORY, bold=True))
    if note:
        canvas.text(right, note, Pen(Size.SMALL, DIM, align=Align.RIGHT, lines=2))
    return bands


def draw_told(canvas: Screen, rect: Rect, text: str, lines: int = 4) -> None:
    canvas.text(rect, text, Pen(Size.TEXT, DIM, align=Align.CENTRE, lines=lines))


def draw_confirmation(
    canvas: Screen, title: str, question: str, answers: tuple[Choice, ...], stay: Choice
) -> None:
    """A page with a question: large answers that do something, and the way back."""
    bands = draw_head(canvas, title)
    upper, lower = bands.body.rows((1, 1), canvas.px(12))
    canvas.text(upper, question, Pen(Size.HEAD, IVORY, bold=True, align=Align.CENTRE, lines=6))
    block_of_buttons(canvas, lower, answers)
    row_of_buttons(canvas, bands.buttons, (stay,))


@dataclass(frozen=True, slots=True)
class Choice:
    """A button to be; without an action its time is not now, and it is dimmed."""

    label: str
    action: Action | None
    look: Look = Look.PLAIN
    icon: Icon | None = None


def draw_choices(
    canvas: Screen, places: Iterable[Rect], choices: Iterable[Choice], size: Size = Size.TEXT
) -> None:
    for place, choice in zip(places, choices, strict=False):
        canvas.button(place, choice.label, choice.action, choice.look, size, choice.icon)


def row_of_buttons(canvas: Screen, rect: Rect, choices: tuple[Choice, ...]) -> None:
    draw_choices(canvas, rect.grid(len(choices), 1, canvas.px(12)), choices)


def block_of_buttons(canvas: Screen, rect: Rect, choices: tuple[Choice, ...]) -> None:
    """Large buttons side by side from the top, on an upright screen no more than two in a row."""
    columns, gap = min(len(choices), 2) if canvas.upright else len(choices), canvas.px(12)
    rows = math.ceil(len(choices) / columns)
    room = rect.upper(rows * canvas.px(90) + (rows - 1) * gap)
    draw_choices(canvas, room.grid(columns, rows, gap), choices)


def column_of_buttons(canvas: Screen, rect: Rect, choices: tuple[Choice, ...]) -> None:
    """Buttons one below the other, on a wide screen in columns; no higher than is handy."""
    columns, gap = 1 if canvas.upright else math.ceil(len(choices) / MOST_ROWS), canvas.px(12)
    rows = math.ceil(len(choices) / columns)
    height = min(rect.h, rows * canvas.px(84) + (rows - 1) * gap)
    room = Rect(rect.x, rect.y + (rect.h - height) // 2, rect.w, height)
    draw_choices(canvas, room.grid(columns, rows, gap), choices)


PageTurns: TypeAlias = tuple[Action | None, ...]
"""What leads back and on; None where there is nothing more."""


def turns(show: Callable[[int], Action], first: int, count: int, total: int) -> PageTurns:
    """A page of a list back and on; `first` is the first item of this one, of `count` each."""
    before = show(max(0, first - count)) if first else None
    return before, show(first + count) if first + count < total else None


def paged_buttons(
    canvas: Screen, rect: Rect, choices: tuple[Choice, ...], pages: PageTurns = ()
) -> None:
    """Buttons, with arrows back and forward to their right; unavailable ones are dimmed."""
    places = rect.columns((2.0,) * len(choices) + (1.0,) * len(pages), canvas.px(12))
    draw_choices(canvas, places, choices)
    draw_arrows(canvas, places[len(choices) :], pages)


def draw_arrows(
    canvas: Screen, places: Iterable[Rect], turns: PageTurns, *, far: bool = False
) -> None:
    """Triangles that point back and on, before a bar if they lead far."""
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
