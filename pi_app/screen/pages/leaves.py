"""An open match: its score sheet row by row, and its leaves one by one on the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pi_app.export.leaves import Leaf
from pi_app.export.retold import dice
from pi_app.rules.terms import RulesError, Side
from pi_app.screen.actions import Action, Open
from pi_app.screen.boards.marks import Marks
from pi_app.screen.browsing import ShowLeaf, ShowSheet
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.layout import BUTTON, GAP, MARGIN, sheet_bands
from pi_app.screen.pages.matches import (
    SCORE_SHEET,
    arrow_button,
    open_match,
    paged_buttons,
    waiting,
)
from pi_app.screen.pages.play import Choice
from pi_app.screen.pages.sheets import BACK, head
from pi_app.screen.pieces import checker, die
from pi_app.screen.shapes import Align, Box, Disc, Rect
from pi_app.screen.shelf import OpenMatch
from pi_app.screen.theme import AMBER, BAND, DIM, IVORY
from pi_app.screen.ui import Page, Shown, Ui, standing
from pi_app.sentences import DOTTED, Sentence, joined

LEAF_OF = Sentence("{number} of {count}")
PLAY_NUMBER = Sentence("play {number}")
GAME_OF = Sentence("game {number}")
CUBE_HELD = Sentence("cube {value}, {player} holds it")
CUBE_IN_THE_MIDDLE = Sentence("cube {value} in the middle")
NO_POSITION = Sentence("What lay on the board then was not kept")

ROWS_WIDE, ROWS_UPRIGHT = 6, 11
SQUARE = 0.9
"""A board at least so high for its width has no room to spare beside it."""
TALL_BOARD = 1.18
"""The width over the height that it is drawn with, its trays included."""


# The sheet ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SheetRow:
    """White's leaf on the left and Black's on the right, or one that is nobody's over both."""

    cells: tuple[int | None, ...]


def sheet_rows(leaves: Iterable[Leaf]) -> Iterator[SheetRow]:
    """The leaves of a match as the rows of its sheet; a cell is the leaf's number, from 0."""
    left: int | None = None
    for number, leaf in enumerate(leaves):
        if leaf.mover is Side.BLACK:
            yield SheetRow((left, number))
            left = None
            continue
        if left is not None:
            yield SheetRow((left, None))
            left = None
        if leaf.mover is Side.WHITE:
            left = number
        else:
            yield SheetRow((number,))
    if left is not None:
        yield SheetRow((left, None))


def draw_sheet(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    """The match as a score sheet; a tap on a play shows it on the board."""
    bands, opened = sheet_bands(canvas.size), open_match(shown.shelf, ui)
    back = Choice(BACK(), Open(Page.MATCH))
    if opened is None:
        waiting(canvas, bands.title, bands.body, shown.shelf)
        paged_buttons(canvas, bands.buttons, (back,), ())
        return
    head(canvas, bands.title, SCORE_SHEET(), standing(opened.match.players, opened.match.score))
    rows, first = tuple(sheet_rows(opened.leaves)), ui.browsing.row
    count = ROWS_UPRIGHT if canvas.upright else ROWS_WIDE
    gap = canvas.px(6)
    places = bands.body.grid(1, count, gap)
    for place, row in zip(places, rows[first : first + count], strict=False):
        cells = place.columns((1,) * len(row.cells), gap)
        for cell, number in zip(cells, row.cells, strict=True):
            if number is not None:
                _cell(canvas, cell, opened.leaves[number], number)
    earlier = ShowSheet(max(0, first - count)) if first else None
    later = ShowSheet(first + count) if first + count < len(rows) else None
    paged_buttons(canvas, bands.buttons, (back,), (earlier, later))


def _cell(canvas: Canvas[Action], rect: Rect, leaf: Leaf, number: int) -> None:
    canvas.frame(rect, Look.PLAIN if leaf.mover else Look.QUIET)
    pen = Pen(18, IVORY, bold=leaf.opens, lines=2)
    canvas.text(rect.inset(canvas.px(10), canvas.px(2)), leaf.said, pen)
    canvas.touch(rect, ShowLeaf(number))


# On the board -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LeafBands:
    """The board, and beside or around it the words and the buttons."""

    words: Rect
    board: Rect
    buttons: Rect


def leaf_bands(size: tuple[int, int], unit: float, *, tall: bool) -> LeafBands:
    """On a wide screen the board has the whole height; on an upright one the width."""
    width, height = size

    def px(units: float) -> int:
        return round(units * unit)

    margin, gap = px(MARGIN), px(GAP)
    across = width - 2 * margin
    if height > width:
        buttons = Rect(margin, height - margin - px(BUTTON), across, px(BUTTON))
        board_height = round(across * (1.1 if tall else 0.8))
        words = Rect(margin, px(8), across, buttons.y - 2 * gap - board_height - px(8))
        board = Rect(margin, buttons.y - gap - board_height, across, board_height)
        return LeafBands(words, board, buttons)
    room = Rect(margin, px(12), across, height - 2 * px(12))
    wide = round(room.h * TALL_BOARD) if tall else across * 7 // 10
    board = Rect(room.x, room.y, min(wide, across * 7 // 10), room.h)
    column = Rect(board.right + gap, room.y, room.right - board.right - gap, room.h)
    buttons_height = 3 * px(BUTTON) + 2 * gap
    buttons = Rect(column.x, column.bottom - buttons_height, column.w, buttons_height)
    words = Rect(column.x, column.y, column.w, buttons.y - gap - column.y)
    return LeafBands(words, board, buttons)


def draw_leaf(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    """What was decided, and the board as it lay then."""
    opened = open_match(shown.shelf, ui)
    if opened is None:
        bands = sheet_bands(canvas.size)
        waiting(canvas, bands.title, bands.body, shown.shelf)
        paged_buttons(canvas, bands.buttons, (Choice(BACK(), Open(Page.MATCH)),), ())
        return
    number = min(ui.browsing.leaf, len(opened.leaves) - 1)
    across, high = opened.board.size
    places = leaf_bands(canvas.size, canvas.unit, tall=high > SQUARE * across)
    _words(canvas, places.words, opened, number)
    _board(canvas, places.board, opened, opened.leaves[number], shown)
    _buttons(canvas, places.buttons, opened.leaves, number)


def _words(canvas: Canvas[Action], rect: Rect, opened: OpenMatch, number: int) -> None:
    leaf, players = opened.leaves[number], opened.match.players
    match = leaf.state.standing
    shares = (5, 4, 11, 4) if not canvas.upright else (4, 3, 7, 3)
    score, cube, said, place = rect.rows(shares, canvas.px(4))
    canvas.text(score, standing(players, match.score), Pen(20, IVORY, bold=True, lines=2))
    holds = match.cube.owner
    if holds:
        words: str = CUBE_HELD(value=match.cube.value, player=players[holds is Side.BLACK])
    else:
        words = CUBE_IN_THE_MIDDLE(value=match.cube.value) if match.cube.value > 1 else ""
    canvas.text(cube, words, Pen(16, DIM, lines=2))
    canvas.add(Box(said, BAND, canvas.px(8)))
    room = said.inset(canvas.px(12), canvas.px(6))
    if leaf.mover:
        r = canvas.px(13)
        at = (room.x + r, room.centre[1])
        canvas.add(Disc(at, r, AMBER), *checker(at, r * 8 // 10, leaf.mover))
        room = Rect(room.x + 3 * r, room.y, room.w - 3 * r, room.h)
    canvas.text(room, leaf.said, Pen(22, IVORY, bold=True, lines=7))
    played = PLAY_NUMBER(number=leaf.number) if leaf.number else ""
    game = GAME_OF(number=match.game_number)
    where = LEAF_OF(number=number + 1, count=len(opened.leaves))
    canvas.text(place, joined((game, played, where), DOTTED), Pen(16, DIM, lines=2))


def _board(canvas: Canvas[Action], rect: Rect, opened: OpenMatch, leaf: Leaf, shown: Shown) -> None:
    rules = opened.board.games[opened.game]
    try:
        stood, stands = (
            rules.checkers_at(rules.read_position(text))
            for text in (leaf.before, leaf.state.position)
        )
    except RulesError:
        canvas.text(rect, NO_POSITION(), Pen(22, DIM, align=Align.CENTRE, lines=3))
        return
    before = stood if leaf.moves else stands
    marks = Marks(stands, before, moves=leaf.moves, mover=leaf.mover)
    draw = shown.faces[opened.game].draw
    drawn = draw(canvas, rect, opened.board, marks, turned=shown.turned)
    faces, one, gap = dice(leaf.roll), drawn.dice, canvas.px(8)
    x = one.centre[0] - (len(faces) * (one.w + gap) - gap) // 2
    for index, face in enumerate(faces):
        at = Rect(x + index * (one.w + gap), one.y, one.w, one.h)
        canvas.add(*die(at, int(face), leaf.mover))


def _buttons(canvas: Canvas[Action], rect: Rect, leaves: tuple[Leaf, ...], number: int) -> None:
    """Forward and back by a leaf and by a game, and out."""
    gap = canvas.px(GAP)
    if canvas.upright:
        places = rect.columns((1, 1, 1.4, 1, 1), gap)
        first, back, out, forward, last = places
    else:
        upper, middle, out = rect.rows((1, 1, 1), gap)
        back, forward = upper.columns((1, 1), gap)
        first, last = middle.columns((1, 1), gap)
    games = [index for index, leaf in enumerate(leaves) if leaf.opens]
    before = max((index for index in games if index < number), default=None)
    after = min((index for index in games if index > number), default=len(leaves) - 1)
    on, off = number + 1 < len(leaves), number > 0
    arrow_button(canvas, back, ShowLeaf(number - 1) if off else None, forward=False)
    arrow_button(canvas, forward, ShowLeaf(number + 1) if on else None, forward=True)
    earlier = ShowLeaf(before) if before is not None else None
    arrow_button(canvas, first, earlier, forward=False, far=True)
    arrow_button(canvas, last, ShowLeaf(after) if on else None, forward=True, far=True)
    canvas.button(out, BACK(), Open(Page.MATCH))
