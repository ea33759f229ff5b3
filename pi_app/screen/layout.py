"""The bands of a screen, computed from its size; nothing overlaps because bands never do."""

from __future__ import annotations

from dataclasses import dataclass

from pi_app.screen.canvas import unit_of
from pi_app.screen.shapes import Rect

MARGIN = 16
GAP = 10
BUTTON = 54
"""The height of a button in units; 47 of them are 9 mm on the official displays."""


@dataclass(frozen=True, slots=True)
class Bands:
    """The play page; the band of troubles has no height when there are none."""

    header: Rect
    troubles: Rect
    board: Rect
    sentence: Rect
    buttons: Rect


@dataclass(frozen=True, slots=True)
class Sheet:
    """Any other page: its title, its body, and the buttons that lead away."""

    title: Rect
    body: Rect
    buttons: Rect


def play_bands(size: tuple[int, int], *, troubled: bool) -> Bands:
    """The bands of the play page; upright screens get higher texts and two rows of buttons."""
    unit, (width, height) = unit_of(size), size
    upright = height > width

    def px(units: float) -> int:
        return round(units * unit)

    across = width - 2 * px(MARGIN)
    header = Rect(0, 0, width, px(116 if upright else 66))
    warning = Rect(px(MARGIN), header.bottom + px(6), across, px(26) if troubled else 0)
    top = (warning.bottom if troubled else header.bottom) + px(14)
    buttons_height = px(2 * BUTTON + GAP if upright else BUTTON)
    buttons = Rect(px(MARGIN), height - px(12) - buttons_height, across, buttons_height)
    room = buttons.y - px(GAP) - top
    board_height = min(room - px(62 + GAP), round(across * 0.66))
    sentence_height = min(room - board_height - px(GAP), px(150))
    slack = room - board_height - sentence_height - px(GAP)
    board = Rect(px(MARGIN), top + slack // 2, across, board_height)
    sentence = Rect(px(MARGIN), buttons.y - px(GAP) - sentence_height, across, sentence_height)
    return Bands(header, warning, board, sentence, buttons)


def sheet_bands(size: tuple[int, int]) -> Sheet:
    """The bands of every other page."""
    unit, (width, height) = unit_of(size), size

    def px(units: float) -> int:
        return round(units * unit)

    across = width - 2 * px(MARGIN)
    title = Rect(px(MARGIN), px(8), across, px(44))
    buttons = Rect(px(MARGIN), height - px(12 + BUTTON), across, px(BUTTON))
    body = Rect(px(MARGIN), title.bottom + px(8), across, buttons.y - title.bottom - px(8 + 12))
    return Sheet(title, body, buttons)


def button_places(rect: Rect, count: int, gap: int, *, upright: bool) -> tuple[Rect, ...]:
    """Up to four buttons: in one row, or in two when upright, the first over the full width."""
    if not upright or count == 1:
        return rect.columns((1,) * max(count, 1), gap)[:count]
    first, second = rect.rows((1, 1), gap)
    if count == 2:
        return first, second
    top = (first,) if count == 3 else first.columns((1, 1), gap)
    return (*top, *second.columns((1, 1), gap))
