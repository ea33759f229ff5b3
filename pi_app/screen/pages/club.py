"""The club: joined and left, and the other boards that can be invited to a match."""

from __future__ import annotations

from pi_app.agreement import Form, player_names, points_to_win
from pi_app.commands import ClubWish
from pi_app.match.turns import Phase
from pi_app.referee.speech import UNLIMITED
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action, Do, Open, Write
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.clubbing import InviteBoard, LeaveClub, OtherSideHere, ShowBoards
from pi_app.screen.clubhouse import Clubhouse
from pi_app.screen.header import FIRST_TO, VERSUS
from pi_app.screen.layout import sheet_bands
from pi_app.screen.pages.buttons import (
    ANOTHER_BOARD,
    BACK,
    CLUB,
    Choice,
    block_of_buttons,
    draw_choice,
    paged_buttons,
    row_of_buttons,
)
from pi_app.screen.pages.settings import labelled
from pi_app.screen.pages.sheets import head
from pi_app.screen.shapes import Align, Rect
from pi_app.screen.theme import DIM, IVORY
from pi_app.screen.ui import Page, Shown, TextField, Ui, chosen_game
from pi_app.words.sentences import DOTTED, Sentence, joined

IN_NO_CLUB = Sentence(
    "Not in a club. To join, insert a USB stick with this board's club card, such as table-3.toml."
)
IN_CLUB = Sentence("In a club as {board}.")
CLUB_AT = Sentence("Broker: {brokers}.")
JOIN = Sentence("Join from USB stick")
LEAVE = Sentence("Leave the club")
LEAVE_REALLY = Sentence(
    "Leave the club? It keeps the matches of {board}. To return you need the card."
)
YES_LEAVE, NO_STAY = Sentence("Yes, leave"), Sentence("No, stay")
TAP_A_BOARD = Sentence("Tap a board to invite")
HERE_PLAYS = Sentence("This board plays")
NOBODY_THERE = Sentence("No other board is online")
TYPE_ITS_NAME = Sentence("Enter its name")
NOT_ANSWERED = Sentence("Waiting for {board}")
NOT_THERE = Sentence("It is offline; the invitation waits")
BEGINS_BY_ITSELF = Sentence("The match starts when {board} accepts")
WITHDRAW = Sentence("Withdraw the invitation")
END_FIRST = Sentence("Finish the match on this board first")
NO_CLUB = Clubhouse()
ROWS_WIDE, ROWS_UPRIGHT = 4, 7


def draw_club(canvas: Canvas[Action], shown: Shown, _: Ui) -> None:
    """Which club this board is in, and the way in or out."""
    club = shown.club or NO_CLUB
    bands, gap = sheet_bands(canvas.size), canvas.px(12)
    head(canvas, bands.title, CLUB())
    facts, doing, told = bands.body.rows((5, 3, 4), gap)
    pen = Pen(21, IVORY, lines=6)
    if club.own:
        at = CLUB_AT(brokers=shown.settings.club.brokers[:200])
        upper, lower = facts.rows((1, 1), gap)
        canvas.text(upper, IN_CLUB(board=club.own), pen)
        canvas.text(lower, club.trouble or at, Pen(18, DIM, lines=4))
        way = Choice(LEAVE(), Open(Page.LEAVE_CLUB))
    else:
        canvas.text(facts, IN_NO_CLUB(), pen)
        way = Choice(JOIN(), Do(ClubWish.JOIN), Look.MAIN)
    block_of_buttons(canvas, doing, (way,))
    canvas.text(told, club.told, Pen(20, IVORY, bold=True, lines=6))
    row_of_buttons(canvas, bands.buttons, (Choice(BACK(), Open(Page.SETTINGS)),))


def draw_leave_club(canvas: Canvas[Action], shown: Shown, _: Ui) -> None:
    club = shown.club or NO_CLUB
    bands = sheet_bands(canvas.size)
    head(canvas, bands.title, LEAVE())
    upper, lower = bands.body.rows((1, 1), canvas.px(12))
    pen = Pen(24, IVORY, bold=True, align=Align.CENTRE, lines=6)
    canvas.text(upper, LEAVE_REALLY(board=club.own), pen)
    block_of_buttons(canvas, lower, (Choice(YES_LEAVE(), LeaveClub()),))
    row_of_buttons(canvas, bands.buttons, (Choice(NO_STAY(), Open(Page.CLUB), Look.MAIN),))


def draw_boards(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    """The other connected boards, or the invited one."""
    club = shown.club or NO_CLUB
    if club.invited:
        _draw_waiting(canvas, club, club.invited[0])
    else:
        _draw_list(canvas, shown, club, ui)


def _draw_waiting(canvas: Canvas[Action], club: Clubhouse, board: str) -> None:
    """Draw the pending answer."""
    bands = sheet_bands(canvas.size)
    head(canvas, bands.title, ANOTHER_BOARD())
    upper, lower = bands.body.rows((1, 1), canvas.px(12))
    pen = Pen(26, IVORY, bold=True, align=Align.CENTRE, lines=3)
    canvas.text(upper, NOT_ANSWERED(board=board), pen)
    absent = NOT_THERE() if board not in club.boards else BEGINS_BY_ITSELF(board=board)
    canvas.text(lower, club.trouble or absent, Pen(20, DIM, align=Align.CENTRE, lines=5))
    withdraw = Choice(WITHDRAW(), Do(ClubWish.WITHDRAW))
    row_of_buttons(canvas, bands.buttons, (Choice(BACK(), Open(Page.NEW_MATCH)), withdraw))


def _draw_list(canvas: Canvas[Action], shown: Shown, club: Clubhouse, ui: Ui) -> None:
    bands, gap = sheet_bands(canvas.size), canvas.px(10)
    game = chosen_game(ui.form, shown)
    head(canvas, bands.title, ANOTHER_BOARD(), _what(ui.form, game))
    upper, room = bands.body.rows((2, ROWS_UPRIGHT + 1) if canvas.upright else (1, 4), gap)
    side, words = upper.rows((1, 1), gap) if canvas.upright else upper.columns((2, 3), gap)
    name = game.side_names[ui.form.here is Side.BLACK]
    labelled(canvas, side, (HERE_PLAYS(), name), on=ui.form.here is Side.BLACK)
    canvas.touch(side, OtherSideHere(), "side")
    busy = shown.view is not None and shown.view.phase is not Phase.MATCH_OVER
    said = END_FIRST() if busy else club.answer or club.trouble
    told = said or (TAP_A_BOARD() if club.boards else "")
    canvas.text(words, told, Pen(18, IVORY if said else DIM, lines=4))
    columns, rows = (1, ROWS_UPRIGHT) if canvas.upright else (2, ROWS_WIDE)
    first = ui.first_board if ui.first_board < len(club.boards) else 0
    some = club.boards[first : first + columns * rows]
    for place, board in zip(room.grid(columns, rows, gap), some, strict=False):
        draw_choice(canvas, place, Choice(board, None if busy else InviteBoard(board)))
    if not some:
        canvas.text(room, NOBODY_THERE(), Pen(22, DIM, align=Align.CENTRE, lines=4))
    _list_buttons(canvas, bands.buttons, first, columns * rows, len(club.boards), busy=busy)


def _list_buttons(
    canvas: Canvas[Action], rect: Rect, first: int, most: int, count: int, *, busy: bool
) -> None:
    """Back, another board's name, and arrows for a longer list."""
    typed = Choice(TYPE_ITS_NAME(), None if busy else Write(TextField.BOARD))
    earlier = ShowBoards(max(0, first - most)) if first else None
    later = ShowBoards(first + most) if first + most < count else None
    pages = (earlier, later) if count > most else ()
    paged_buttons(canvas, rect, (Choice(BACK(), Open(Page.NEW_MATCH)), typed), pages)


def _what(form: Form, game: AnyGame) -> str:
    """The match of the invitation."""
    white, black = player_names(form, game)
    points = points_to_win(form, game)
    target = UNLIMITED() if points is None else FIRST_TO(n=points)
    return joined((game.title, target, VERSUS(white=white, black=black)), DOTTED)
