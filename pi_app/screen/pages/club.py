"""The club: joined and left, and the other boards that can be invited to a match."""

from __future__ import annotations

from pi_app.agreement import Form, player_names, points_to_win
from pi_app.commands import ClubWish
from pi_app.match.turns import Phase
from pi_app.referee.speech import UNLIMITED
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side
from pi_app.screen.actions import (
    Action,
    invite_board,
    open_page,
    play_other_side,
    send,
    show_boards,
    write,
)
from pi_app.screen.canvas import Align, Canvas, Look, Pen
from pi_app.screen.header import FIRST_TO, VERSUS
from pi_app.screen.pages.parts import (
    ANOTHER_BOARD,
    BACK,
    CLUB,
    Choice,
    block_of_buttons,
    draw_choices,
    draw_confirmation,
    draw_head,
    draw_told,
    paged_buttons,
    row_of_buttons,
    turns,
)
from pi_app.screen.pages.settings import labelled
from pi_app.screen.theme import DIM, IVORY
from pi_app.screen.ui import Clubhouse, Page, Shown, TextField, Ui, chosen_game
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
    bands, gap = draw_head(canvas, CLUB()), canvas.px(12)
    facts, doing, told = bands.body.rows((5, 3, 4), gap)
    pen = Pen(21, IVORY, lines=6)
    if club.own:
        at = CLUB_AT(brokers=shown.settings.club.brokers[:200])
        upper, lower = facts.rows((1, 1), gap)
        canvas.text(upper, IN_CLUB(board=club.own), pen)
        canvas.text(lower, club.trouble or at, Pen(18, DIM, lines=4))
        way = Choice(LEAVE(), open_page(Page.LEAVE_CLUB))
    else:
        canvas.text(facts, IN_NO_CLUB(), pen)
        way = Choice(JOIN(), send(ClubWish.JOIN), Look.MAIN)
    block_of_buttons(canvas, doing, (way,))
    canvas.text(told, club.told, Pen(20, IVORY, bold=True, lines=6))
    row_of_buttons(canvas, bands.buttons, (Choice(BACK(), open_page(Page.SETTINGS)),))


def draw_leave_club(canvas: Canvas[Action], shown: Shown, _: Ui) -> None:
    club = shown.club or NO_CLUB
    yes = Choice(YES_LEAVE(), open_page(Page.CLUB, ClubWish.LEAVE))
    stay = Choice(NO_STAY(), open_page(Page.CLUB), Look.MAIN)
    draw_confirmation(canvas, LEAVE(), LEAVE_REALLY(board=club.own), (yes,), stay)


def draw_boards(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    """The other connected boards, or the invited one."""
    club = shown.club or NO_CLUB
    if club.invited:
        _draw_waiting(canvas, club, club.invited[0])
    else:
        _draw_list(canvas, shown, club, ui)


def _draw_waiting(canvas: Canvas[Action], club: Clubhouse, board: str) -> None:
    """Draw the pending answer."""
    bands = draw_head(canvas, ANOTHER_BOARD())
    upper, lower = bands.body.rows((1, 1), canvas.px(12))
    pen = Pen(26, IVORY, bold=True, align=Align.CENTRE, lines=3)
    canvas.text(upper, NOT_ANSWERED(board=board), pen)
    absent = NOT_THERE() if board not in club.boards else BEGINS_BY_ITSELF(board=board)
    canvas.text(lower, club.trouble or absent, Pen(20, DIM, align=Align.CENTRE, lines=5))
    withdraw = Choice(WITHDRAW(), send(ClubWish.WITHDRAW))
    row_of_buttons(canvas, bands.buttons, (Choice(BACK(), open_page(Page.NEW_MATCH)), withdraw))


def _draw_list(canvas: Canvas[Action], shown: Shown, club: Clubhouse, ui: Ui) -> None:
    game, gap = chosen_game(ui.form, shown), canvas.px(10)
    bands = draw_head(canvas, ANOTHER_BOARD(), _what(ui.form, game))
    upper, room = bands.body.rows((2, ROWS_UPRIGHT + 1) if canvas.upright else (1, 4), gap)
    side, words = upper.rows((1, 1), gap) if canvas.upright else upper.columns((2, 3), gap)
    name = game.side_names[ui.form.here is Side.BLACK]
    labelled(canvas, side, (HERE_PLAYS(), name), on=ui.form.here is Side.BLACK)
    canvas.touch(side, play_other_side(), "side")
    busy = shown.view is not None and shown.view.phase is not Phase.MATCH_OVER
    said = END_FIRST() if busy else club.answer or club.trouble
    told = said or (TAP_A_BOARD() if club.boards else "")
    canvas.text(words, told, Pen(18, IVORY if said else DIM, lines=4))
    columns, rows = (1, ROWS_UPRIGHT) if canvas.upright else (2, ROWS_WIDE)
    first = ui.first_board if ui.first_board < len(club.boards) else 0
    some = club.boards[first : first + columns * rows]
    invited = (Choice(board, None if busy else invite_board(board)) for board in some)
    draw_choices(canvas, room.grid(columns, rows, gap), invited)
    if not some:
        draw_told(canvas, room, NOBODY_THERE())
    typed = Choice(TYPE_ITS_NAME(), None if busy else write(TextField.BOARD))
    pages = turns(show_boards, first, columns * rows, len(club.boards))
    buttons = (Choice(BACK(), open_page(Page.NEW_MATCH)), typed)
    paged_buttons(canvas, bands.buttons, buttons, pages if any(pages) else ())


def _what(form: Form, game: AnyGame) -> str:
    """The match of the invitation."""
    white, black = player_names(form, game)
    points = points_to_win(form, game)
    target = UNLIMITED() if points is None else FIRST_TO(n=points)
    return joined((game.title, target, VERSUS(white=white, black=black)), DOTTED)
