"""The bands of a screen, computed from its size; nothing overlaps because bands never do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from pi_app.screen.canvas import unit_of
from pi_app.screen.shapes import Rect

Pixels: TypeAlias = Callable[[float], int]
"""Units as whole pixels."""

MARGIN = 16
GAP = 10
BUTTON = 54
"""The height of a button in units; 47 of them are 9 mm on the official displays."""

EDGE, SEAM = 8, 6
"""Units: around the play page, and between its places."""
COLUMN = 240
"""The width of the column beside the board; tables checkers are then as wide as they must be."""
PLAYER, MATCH, MAIN, SMALL = 48, 47, 60, 47
"""The heights of the column's places; the words have what is left."""
WORDS_BELOW, TROUBLES = 142, 40


@dataclass(frozen=True, slots=True)
class PlayPlaces:
    """The play page: always the same things in the same places.

    `troubles` has no height when there are none; all of its room is the board's.
    """

    board: Rect
    troubles: Rect
    players: tuple[Rect, Rect]
    match: Rect
    words: Rect
    main: Rect
    small: tuple[Rect, Rect]


@dataclass(frozen=True, slots=True)
class SheetBands:
    """Any other page: its title, its body, and the buttons that lead away."""

    title: Rect
    body: Rect
    buttons: Rect


@dataclass(frozen=True, slots=True)
class Editor:
    """The page on which a board is described: on a wide screen all else stands beside it."""

    title: Rect
    board: Rect
    words: Rect
    controls: Rect
    buttons: Rect


def play_places(size: tuple[int, int], *, troubled: bool) -> PlayPlaces:
    """The places of the play page in a window of this size, in pixels."""
    unit, (width, height) = unit_of(size), size

    def px(units: float) -> int:
        return round(units * unit)

    edge, seam = px(EDGE), px(SEAM)
    room = Rect(edge, edge, width - 2 * edge, height - 2 * edge)
    places = (_upright if height > width else _beside)(room, px)
    if not troubled:
        return places
    board, strip = places.board.rows((places.board.h - seam - px(TROUBLES), px(TROUBLES)), seam)
    return replace(places, board=board, troubles=strip)


def _beside(room: Rect, px: Pixels) -> PlayPlaces:
    """On a wide screen the board has the whole height, all else one column."""
    column = Rect(room.right - px(COLUMN), room.y, px(COLUMN), room.h)
    board = Rect(room.x, room.y, column.x - px(EDGE) - room.x, room.h)
    fixed = tuple(map(px, (PLAYER, PLAYER, MATCH, MAIN, SMALL)))
    seam = px(SEAM)
    words = column.h - sum(fixed) - len(fixed) * seam
    heights = (*fixed[:3], words, *fixed[3:])
    white, black, match, words_at, main, small = column.rows(heights, seam)
    back, menu = small.columns((3, 2), seam)
    none = Rect(board.x, board.bottom, board.w, 0)
    return PlayPlaces(board, none, (white, black), match, words_at, main, (back, menu))


def _upright(room: Rect, px: Pixels) -> PlayPlaces:
    """On an upright screen the players stand above the board, the words and buttons below."""
    seam, fixed = px(SEAM), tuple(map(px, (PLAYER, MATCH, WORDS_BELOW, MAIN)))
    board_height = room.h - sum(fixed) - len(fixed) * seam
    heights = (*fixed[:2], board_height, *fixed[2:])
    players, match, board, words, buttons = room.rows(heights, seam)
    white, black = players.columns((1, 1), seam)
    main, back, menu = buttons.columns((12, 8, 5), seam)
    none = Rect(board.x, board.bottom, board.w, 0)
    return PlayPlaces(board, none, (white, black), match, words, main, (back, menu))


def sheet_bands(size: tuple[int, int]) -> SheetBands:
    unit, (width, height) = unit_of(size), size

    def px(units: float) -> int:
        return round(units * unit)

    across = width - 2 * px(MARGIN)
    title = Rect(px(MARGIN), px(8), across, px(44))
    buttons = Rect(px(MARGIN), height - px(12 + BUTTON), across, px(BUTTON))
    body = Rect(px(MARGIN), title.bottom + px(8), across, buttons.y - title.bottom - px(8 + 12))
    return SheetBands(title, body, buttons)


def editor_bands(size: tuple[int, int], *, rows: int) -> Editor:
    """The bands of the editor, with so many rows of controls."""
    unit, (width, height) = unit_of(size), size

    def px(units: float) -> int:
        return round(units * unit)

    gap, button = px(GAP), px(BUTTON)
    controls = rows * button + (rows - 1) * gap
    if height > width:
        room = Rect(0, 0, width, height).inset(px(MARGIN), gap)
        words = px(80)
        board = room.h - px(40) - words - controls - button - 4 * gap
        places = room.rows((px(40), board, words, controls, button), gap)
        return Editor(*places)
    beside = play_places(size, troubled=False)
    board_at = beside.board
    column = Rect(beside.words.x, board_at.y, beside.words.w, board_at.h)
    title = px(50)
    words = column.h - title - controls - button - 3 * gap
    head, text, middle, below = column.rows((title, words, controls, button), gap)
    return Editor(head, board_at, text, middle, below)
