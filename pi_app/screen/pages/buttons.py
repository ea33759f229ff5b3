"""Buttons: what stands on those of several pages, and how they stand beside one another."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pi_app.screen.actions import Action
from pi_app.screen.canvas import Canvas, Line, Look, Poly, Rect
from pi_app.screen.theme import EDGE, IVORY
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


@dataclass(frozen=True, slots=True)
class Choice:
    """A button to be; without an action its time is not now, and it is dimmed."""

    label: str
    action: Action | None
    look: Look = Look.PLAIN


def draw_choice(canvas: Canvas[Action], rect: Rect, choice: Choice, size: float = 21) -> None:
    """A button; `height` limits its label."""
    canvas.button(rect, choice.label, choice.action, choice.look, size)


def row_of_buttons(canvas: Canvas[Action], rect: Rect, choices: tuple[Choice, ...]) -> None:
    """Buttons side by side, equally wide."""
    for place, choice in zip(rect.grid(len(choices), 1, canvas.px(12)), choices, strict=True):
        draw_choice(canvas, place, choice)


def block_of_buttons(canvas: Canvas[Action], rect: Rect, choices: tuple[Choice, ...]) -> None:
    """Large buttons side by side from the top, on an upright screen no more than two in a row."""
    columns, gap = min(len(choices), 2) if canvas.upright else len(choices), canvas.px(12)
    rows = math.ceil(len(choices) / columns)
    room = Rect(rect.x, rect.y, rect.w, min(rect.h, rows * canvas.px(90) + (rows - 1) * gap))
    for place, choice in zip(room.grid(columns, rows, gap), choices, strict=False):
        draw_choice(canvas, place, choice)


def column_of_buttons(canvas: Canvas[Action], rect: Rect, choices: tuple[Choice, ...]) -> None:
    """Buttons one below the other, on a wide screen in columns; no higher than is handy."""
    columns, gap = 1 if canvas.upright else math.ceil(len(choices) / MOST_ROWS), canvas.px(12)
    rows = math.ceil(len(choices) / columns)
    height = min(rect.h, rows * canvas.px(84) + (rows - 1) * gap)
    room = Rect(rect.x, rect.y + (rect.h - height) // 2, rect.w, height)
    for place, choice in zip(room.grid(columns, rows, gap), choices, strict=False):
        draw_choice(canvas, place, choice)


def paged_buttons(
    canvas: Canvas[Action],
    rect: Rect,
    choices: tuple[Choice, ...],
    pages: tuple[Action | None, ...],
) -> None:
    """Buttons, with arrows back and forward to their right; unavailable ones are dimmed."""
    places = rect.columns((2.0,) * len(choices) + (1.0,) * len(pages), canvas.px(12))
    for place, choice in zip(places, choices, strict=False):
        draw_choice(canvas, place, choice)
    for index, (place, action) in enumerate(zip(places[len(choices) :], pages, strict=True)):
        arrow_button(canvas, place, action, forward=bool(index))


def arrow_button(
    canvas: Canvas[Action], rect: Rect, action: Action | None, *, forward: bool, far: bool = False
) -> None:
    """A triangle that points on or back, before a bar if it leads far; dimmed without an action."""
    canvas.frame(rect, Look.PLAIN if action else Look.DIMMED)
    colour = IVORY if action else EDGE
    reach = min(canvas.px(14), rect.h // 4)
    (x, y), way = rect.centre, 1 if forward else -1
    tip, foot = x + way * reach, x - way * reach
    canvas.add(Poly(((tip, y), (foot, y - reach), (foot, y + reach)), colour))
    if far:
        bar = tip + way * canvas.px(4)
        canvas.add(Line(((bar, y - reach), (bar, y + reach)), colour, canvas.px(4)))
    if action:
        canvas.touch(rect, action)
