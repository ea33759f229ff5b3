"""An open match: its score sheet row by row, and its leaves one by one on the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pi_app.coach.study import Lesson
from pi_app.export.leaves import Leaf
from pi_app.export.retold import dice
from pi_app.microseconds import ENDLESS
from pi_app.rules.terms import RulesError, Side
from pi_app.screen.actions import Action, Open
from pi_app.screen.boards.marks import Marks
from pi_app.screen.browsing import ShowLeaf, ShowSheet
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.header import GAME_NUMBER
from pi_app.screen.layout import SEAM, SMALL, play_places, sheet_bands
from pi_app.screen.pages.buttons import BACK, Choice, arrow_button, paged_buttons
from pi_app.screen.pages.losses import judged_at, told_of
from pi_app.screen.pages.matches import SCORE_SHEET, open_match, waiting
from pi_app.screen.pages.play_board import Thrown, draw_dice
from pi_app.screen.pages.sheets import head
from pi_app.screen.pieces import checker
from pi_app.screen.shapes import Align, Box, Disc, Rect
from pi_app.screen.shelf import OpenMatch
from pi_app.screen.theme import AMBER, BAND, DIM, IVORY
from pi_app.screen.ui import Page, Shown, Ui, standing
from pi_app.words.sentences import DOTTED, Sentence, joined, paragraph

LEAF_OF = Sentence("{number} of {count}")
PLAY_NUMBER = Sentence("play {number}")
CUBE_HELD = Sentence("cube {value}, owned by {player}")
CUBE_IN_THE_MIDDLE = Sentence("cube {value}, centred")
NO_POSITION = Sentence("The board at this time was not stored")

ROWS_WIDE, ROWS_UPRIGHT = 6, 11
SCORE, CUBE, WHICH = 52, 24, 36
"""Units: the heights of the words above and below what was said, beside a board."""


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
class LeafPlaces:
    """The board where it is when it is played on; beside or around it the words and the buttons."""

    score: Rect
    cube: Rect
    board: Rect
    said: Rect
    which: Rect
    buttons: Rect


def leaf_places(canvas: Canvas[Action]) -> LeafPlaces:
    """On a wide screen all stands beside the board, on an upright one above and below it."""
    places, seam = play_places(canvas.size, troubled=False), canvas.px(SEAM)
    board, words, main = places.board, places.words, places.main
    if canvas.upright:
        top = Rect(board.x, places.players[0].y, board.w, board.y - seam - places.players[0].y)
        score, cube = top.rows((3, 2), 0)
        said, which = words.rows((2, 1), seam)
        buttons = Rect(board.x, main.y, board.w, main.h)
        return LeafPlaces(score, cube, board, said, which, buttons)
    column = Rect(words.x, board.y, words.w, board.h)
    fixed = canvas.px(SCORE), canvas.px(CUBE), canvas.px(WHICH), 3 * canvas.px(SMALL) + 2 * seam
    rest = column.h - sum(fixed) - len(fixed) * seam
    score, cube, said, which, buttons = column.rows((*fixed[:2], rest, *fixed[2:]), seam)
    return LeafPlaces(score, cube, board, said, which, buttons)


def draw_leaf(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    """A decision and the board at that time."""
    opened = open_match(shown.shelf, ui)
    if opened is None:
        bands = sheet_bands(canvas.size)
        waiting(canvas, bands.title, bands.body, shown.shelf)
        paged_buttons(canvas, bands.buttons, (Choice(BACK(), Open(Page.MATCH)),), ())
        return
    number = min(ui.browsing.leaf, len(opened.leaves) - 1)
    places = leaf_places(canvas)
    _words(canvas, places, opened, number, shown.lesson)
    _board(canvas, places.board, opened, opened.leaves[number], shown)
    _buttons(canvas, places.buttons, opened.leaves, number, analysed=ui.analysed)


def _words(
    canvas: Canvas[Action],
    places: LeafPlaces,
    opened: OpenMatch,
    number: int,
    lesson: Lesson | None,
) -> None:
    leaf, players = opened.leaves[number], opened.match.players
    match = leaf.state.standing
    pen = Pen(20, IVORY, bold=True, lines=2)
    canvas.text(places.score, standing(players, match.score), pen)
    holds = match.cube.owner
    if holds:
        words: str = CUBE_HELD(value=match.cube.value, player=players[holds is Side.BLACK])
    else:
        words = CUBE_IN_THE_MIDDLE(value=match.cube.value) if match.cube.value > 1 else ""
    canvas.text(places.cube, words, Pen(16, DIM))
    canvas.add(Box(places.said, BAND, canvas.px(8)))
    room = places.said.inset(canvas.px(12), canvas.px(6))
    if leaf.mover:
        r = canvas.px(13)
        at = (room.x + r, room.centre[1])
        canvas.add(Disc(at, r, AMBER), *checker(at, r * 8 // 10, leaf.mover))
        room = Rect(room.x + 3 * r, room.y, room.w - 3 * r, room.h)
    judged = judged_at(opened, number, lesson)
    if canvas.upright:
        judged = judged[:1]
    if judged:
        upper, lower = room.rows((2, 1 + len(judged)), canvas.px(4))
        canvas.text(upper, leaf.said, Pen(20, IVORY, bold=True, lines=4))
        words = paragraph(*(told_of(opened, one) for one in judged))
        canvas.text(lower, words, Pen(17, IVORY, lines=6))
    else:
        canvas.text(room, leaf.said, Pen(22, IVORY, bold=True, lines=7))
    played = PLAY_NUMBER(number=leaf.number) if leaf.number else ""
    game = GAME_NUMBER(number=match.game_number)
    where = LEAF_OF(number=number + 1, count=len(opened.leaves))
    canvas.text(places.which, joined((game, played, where), DOTTED), Pen(16, DIM, lines=2))


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
    if leaf.mover:
        thrown = tuple(Thrown(int(face), leaf.mover) for face in dice(leaf.roll))
        draw_dice(canvas, drawn.dice, thrown, ENDLESS)


def _buttons(
    canvas: Canvas[Action], rect: Rect, leaves: tuple[Leaf, ...], number: int, *, analysed: bool
) -> None:
    """Forward and back by a leaf and by a game, and out."""
    gap = canvas.px(SEAM)
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
    canvas.button(out, BACK(), Open(Page.ANALYSIS if analysed else Page.MATCH))
