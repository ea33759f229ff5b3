"""The bands of a screen, computed from its size; nothing overlaps because bands never do."""

from __future__ import annotations

from dataclasses import dataclass

from pi_app.screen.canvas import unit_of
from pi_app.screen.shapes import Rect

MARGIN = 16
GAP = 10
TALL_BOARD = 1.18
"""The width over the height of a board that stands beside the words, with its trays."""
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
class SheetBands:
    """Any other page: its title, its body, and the buttons that lead away."""

    title: Rect
    body: Rect
    buttons: Rect


@dataclass(frozen=True, slots=True)
class Editor:
    """The page on which a board is described; `beside`: all but the board stands beside it."""

    title: Rect
    board: Rect
    words: Rect
    controls: Rect
    buttons: Rect
    beside: bool


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


def beside_bands(size: tuple[int, int], *, troubled: bool) -> Bands:
    """The bands of the play page for a board as high as wide.

    On a wide screen words and buttons stand beside the board, so that it has the full height.
    """
    unit, (width, height) = unit_of(size), size
    if height > width:
        return _below_tall_board(play_bands(size, troubled=troubled), size)

    def px(units: float) -> int:
        return round(units * unit)

    bands = play_bands(size, troubled=troubled)
    top = (bands.troubles.bottom if troubled else bands.header.bottom) + px(8)
    room = Rect(px(MARGIN), top, width - 2 * px(MARGIN), height - px(12) - top)
    board = Rect(room.x, room.y, min(room.w * 3 // 5, round(room.h * TALL_BOARD)), room.h)
    x = board.right + px(12)
    column = Rect(x, room.y, room.right - x, room.h)
    buttons_height = px(2 * BUTTON + GAP)
    buttons = Rect(column.x, column.bottom - buttons_height, column.w, buttons_height)
    sentence = Rect(column.x, column.y, column.w, buttons.y - px(GAP) - column.y)
    return Bands(bands.header, bands.troubles, board, sentence, buttons)


def _below_tall_board(bands: Bands, size: tuple[int, int]) -> Bands:
    """The same on an upright screen: the sentence leaves the board all it can."""
    unit = unit_of(size)
    top = bands.header.bottom + round(14 * unit)
    if bands.troubles.h:
        top = bands.troubles.bottom + round(14 * unit)
    least = round(110 * unit)
    room = bands.buttons.y - 2 * round(GAP * unit) - top
    height = min(room - least, round(bands.board.w * 1.3))
    board = Rect(bands.board.x, top, bands.board.w, height)
    y = board.bottom + round(GAP * unit)
    sentence = Rect(bands.sentence.x, y, bands.sentence.w, room - height)
    return Bands(bands.header, bands.troubles, board, sentence, bands.buttons)


def sheet_bands(size: tuple[int, int]) -> SheetBands:
    """The bands of every other page."""
    unit, (width, height) = unit_of(size), size

    def px(units: float) -> int:
        return round(units * unit)

    across = width - 2 * px(MARGIN)
    title = Rect(px(MARGIN), px(8), across, px(44))
    buttons = Rect(px(MARGIN), height - px(12 + BUTTON), across, px(BUTTON))
    body = Rect(px(MARGIN), title.bottom + px(8), across, buttons.y - title.bottom - px(8 + 12))
    return SheetBands(title, body, buttons)


def editor_bands(size: tuple[int, int], *, tall: bool, controls: int) -> Editor:
    """The bands of the editor, with room for so many controls.

    A tall board has the full height of a wide screen.
    """
    unit, (width, height) = unit_of(size), size
    upright = height > width

    def px(units: float) -> int:
        return round(units * unit)

    gap = px(GAP)
    if tall and not upright:
        room = Rect(gap, gap, width - 2 * gap, height - 2 * gap)
        board = Rect(room.x, room.y, min(round(room.h * TALL_BOARD), room.w * 7 // 10), room.h)
        x = board.right + px(12)
        column = Rect(x, room.y, room.right - x, room.h)
        shares = (64, room.h / unit - 64 - 54 - 118 - 3 * GAP, 54, 118)
        title, words, middle, buttons = column.rows(shares, gap)
        return Editor(title, board, words, middle, buttons, beside=True)
    sheet = sheet_bands(size)
    rows = 2 if upright and controls > 1 else 1
    body, controls_height = sheet.body, px(BUTTON) * rows + gap * (rows - 1)
    below = Rect(body.x, body.bottom - controls_height, body.w, controls_height)
    words_height = px(54 if upright else 40)
    words = Rect(body.x, below.y - gap - words_height, body.w, words_height)
    room_height = words.y - gap - body.y
    board_height = min(room_height, round(body.w * (1.2 if tall else 0.66)))
    y = body.y + (room_height - board_height) // 2
    board = Rect(body.x, y, body.w, board_height)
    return Editor(sheet.title, board, words, below, sheet.buttons, beside=False)


def button_places(rect: Rect, count: int, gap: int, *, upright: bool) -> tuple[Rect, ...]:
    """Up to four buttons: in one row, or in two when upright, the first over the full width."""
    if not upright or count == 1:
        return rect.columns((1,) * max(count, 1), gap)[:count]
    first, second = rect.rows((1, 1), gap)
    if count == 2:
        return first, second
    top = (first,) if count == 3 else first.columns((1, 1), gap)
    return (*top, *second.columns((1, 1), gap))
