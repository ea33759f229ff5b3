"""The places of the play page: the same things always stand at the same spots.

Other pages with a board beside a column take theirs from here.
"""

from __future__ import annotations

from dataclasses import replace

from pi_app.base.values import dataclass
from pi_app.screen.canvas import LARGE, MARGIN, SEAM, Pixels, Rect, Size, unit_of

COLUMN, LARGE_COLUMN = 240, 320
"""Units: the width of the column beside the board, with usual and with large text. With large text
the checkers of a tables board become a little smaller."""
MAIN_ROW, SMALL = 58, 50
"""Units: the heights of the buttons in the column; the words get the rest."""
WORDS_BELOW = 142
LINE_HEIGHT = 1.25
"""The height of a line, as a multiple of the font size."""


@dataclass(frozen=True, slots=True)
class PlayPlaces:
    """The places on the play page; the same thing is always in the same place.

    `troubles` has no height if there are none; then the board gets its space. With usual text
    `match` has none where the words need its space.
    """

    board: Rect
    troubles: Rect
    players: tuple[Rect, Rect]
    match: Rect
    words: Rect
    main: Rect
    small: tuple[Rect, Rect]

    @property
    def column(self) -> Rect:
        """Everything beside the board on a wide screen."""
        return Rect(self.words.x, self.board.y, self.words.w, self.board.h)


def _pixels(size: tuple[int, int]) -> Pixels:
    unit = unit_of(size)
    return lambda units: round(units * unit)


def play_places(
    size: tuple[int, int],
    *,
    troubles: int = 0,
    timed: bool = False,
    large: bool = False,
    tight: bool = False,
) -> PlayPlaces:
    """Return the places for a window of this size. `troubles` is the height of the line of troubles
    in pixels, `timed` adds clocks, `large` is large text. `tight`: the words get the space of one
    card with large text, else on a wide screen that of the match's facts."""
    px, (width, height) = _pixels(size), size
    seam, room = px(SEAM), Rect(0, 0, *size).inset(px(MARGIN))
    if height > width:
        places = _upright(room, px, timed, large, tight=tight)
    else:
        places = _beside(room, px, timed, large, tight=tight)
    if not troubles:
        return places
    board, below = places.board.rows((places.board.h - seam - troubles, troubles), seam)
    return replace(places, board=board, troubles=below)


def _beside(room: Rect, px: Pixels, timed: bool, large: bool, *, tight: bool) -> PlayPlaces:
    """For a wide screen: the board has the whole height, everything else one column."""
    wide, seam = px(LARGE_COLUMN if large else COLUMN), px(SEAM)
    column = Rect(room.right - wide, room.y, wide, room.h)
    board = Rect(room.x, room.y, column.x - px(MARGIN) - room.x, room.h)
    none = Rect(board.x, board.bottom, board.w, 0)
    card, line = _card_height(px, timed, large), _match_height(px, 1, large)
    if large:
        abreast = tight and not timed
        cards = card if abreast else 2 * card + seam
        words = column.h - cards - line - px(MAIN_ROW) - 3 * seam
        both, match, words_at, buttons = column.rows((cards, line, words, px(MAIN_ROW)), seam)
        white, black = both.grid(2, 1, seam) if abreast else both.grid(1, 2, seam)
        main, back, menu = buttons.columns((14, 4, 4), seam)
    else:
        # Without facts their seam goes as well.
        facts = -seam if tight else line if timed else _match_height(px, 2, large)
        fixed = (card, card, facts, px(MAIN_ROW), px(SMALL))
        words = column.h - sum(fixed) - len(fixed) * seam
        heights = (*fixed[:3], words, *fixed[3:])
        white, black, match, words_at, main, small = column.rows(heights, seam)
        match = Rect(match.x, match.y, match.w, max(match.h, 0))
        back, menu = small.columns((1, 1), seam)
    return PlayPlaces(board, none, (white, black), match, words_at, main, (back, menu))


def _upright(room: Rect, px: Pixels, timed: bool, large: bool, *, tight: bool) -> PlayPlaces:
    """For an upright screen: players above the board, words and buttons below."""
    seam, strip = px(SEAM), _match_height(px, 1, large)
    card = _card_height(px, timed and not large, large)
    stacked = large and (timed or not tight)
    words = px(WORDS_BELOW * (LARGE if large else 1)) + (
        card + seam if large and not stacked else 0
    )
    fixed = (2 * card + seam if stacked else card, strip, words, px(MAIN_ROW))
    board_height = room.h - sum(fixed) - len(fixed) * seam
    heights = (*fixed[:2], board_height, *fixed[2:])
    players, match, board, words_at, buttons = room.rows(heights, seam)
    white, black = players.grid(1, 2, seam) if stacked else players.grid(2, 1, seam)
    main, back, menu = buttons.columns((16, 5, 5) if large else (11, 8, 7), seam)
    none = Rect(board.x, board.bottom, board.w, 0)
    return PlayPlaces(board, none, (white, black), match, words_at, main, (back, menu))


def _card_height(px: Pixels, timed: bool, large: bool) -> int:
    """A player's card: name and pips beside the score; or name and pips above score and clock, on
    one line with large text."""
    lines: tuple[Size, ...] = (Size.FIGURE,)
    if timed:
        lines = (Size.TEXT, Size.FIGURE) if large else (Size.TEXT, Size.SMALL, Size.FIGURE)
    return px(sum(line.value for line in lines) * LINE_HEIGHT * (LARGE if large else 1) + 8)


def _match_height(px: Pixels, lines: int, large: bool) -> int:
    """The height of the match's facts."""
    return px(Size.SMALL.value * LINE_HEIGHT * lines * (LARGE if large else 1))
