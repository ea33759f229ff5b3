"""The pages around a match: start, menu, questions, settings, and the club."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from pi_app.agreement import Form, player_names, points_to_win
from pi_app.commands import ClubWish, Quit, Resume
from pi_app.match.turns import ANSWERS, Phase
from pi_app.referee.events import Intent
from pi_app.referee.speech import UNLIMITED
from pi_app.referee.view import BackTo, View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side
from pi_app.screen.actions import (
    Screen,
    answer_board,
    close,
    intend,
    invite_board,
    look_at_question,
    open_hint,
    open_page,
    open_sensors,
    play_other_side,
    resign,
    send,
    set_to,
    show_boards,
    show_matches,
    show_settings,
    turn_to,
    write,
)
from pi_app.screen.canvas import Align, Box, Disc, Look, Pen, Rect, Size, sheet_bands
from pi_app.screen.observability import PER_CENT
from pi_app.screen.pages.asking import ASK
from pi_app.screen.pages.parts import (
    ANOTHER_BOARD,
    BACK,
    BACK_TO_MATCH,
    CLUB,
    HINT,
    MATCHES,
    MENU,
    NEW_MATCH,
    RULES,
    SENSORS,
    SETTINGS_PAGE,
    TAKE_BACK,
    TOUR,
    TURN_BOARD,
    WALL,
    Choice,
    block_of_buttons,
    column_of_buttons,
    draw_choices,
    draw_confirmation,
    draw_head,
    draw_told,
    paged_buttons,
    row_of_buttons,
    turns,
)
from pi_app.screen.pages.play import FIRST_TO, TROUBLE, VERSUS
from pi_app.screen.pieces import checker
from pi_app.screen.theme import AMBER, BAND, DIM, EDGE, IVORY, TEAL, WARNING_TEXT
from pi_app.screen.ui import Clubhouse, Page, Shown, TextField, Ui, chosen_game
from pi_app.settings import SETTINGS, Bounds, Choices, Setting, Value
from pi_app.words.sentences import DOTTED, Sentence, joined

SLOGAN = Sentence("sees your moves, knows the rules, explains why")
GO_ON = Sentence("Resume {match}")
QUIT = Sentence("Quit")
RESIGN = Sentence("Resign")
FOR_HOW_MUCH = Sentence("{player} resigns. For how much?")
REALLY = Sentence(
    "{loser} resigns: {how}, 1 point for {winner}?",
    "{loser} resigns: {how}, {n} points for {winner}?",
)
FOR_POINTS = Sentence("1\u00a0point: {how}", "{n}\u00a0points: {how}")
YES_RESIGN = Sentence("Yes, resign")
NO_PLAY_ON = Sentence("No, play on")
BACK_BEFORE = Sentence("Undo {turn}?", "Undo {n} plays to {turn}?")
QUESTION_ASKED = Sentence("Question from another board")
BOARD_ASKS = Sentence("{board} asks")
SHOW_QUESTION = Sentence("Show")
AGREE, DECLINE, LATER = Sentence("Yes"), Sentence("No"), Sentence("Later")
YES_TAKE_BACK = Sentence("Yes, undo")
NO_LEAVE_IT = Sentence("Keep it")


def draw_start(canvas: Screen, shown: Shown) -> None:
    bands = sheet_bands(canvas.size)
    gap = canvas.px(10)
    foot = bands.buttons
    rows = Rect(foot.x, foot.y - foot.h - gap, foot.w, 2 * foot.h + gap)
    room = Rect(bands.body.x, 0, bands.body.w, rows.y - canvas.px(14))
    name, line, notes, buttons = room.inset(0, canvas.px(14)).rows((30, 13, 9, 46), canvas.px(4))
    r = canvas.px(26)
    pen = Pen(Size.FIGURE, IVORY, bold=True, align=Align.CENTRE)
    word = canvas.text(name, "Spotter", pen)
    for side, x in ((Side.WHITE, word.x - 2 * r), (Side.BLACK, word.right + 2 * r)):
        canvas.add(
            Disc((x, name.centre[1]), r + canvas.px(4), AMBER if side is Side.WHITE else BAND)
        )
        canvas.add(*checker((x, name.centre[1]), r, side))
    words = joined((shown.board.title, SLOGAN()), DOTTED)
    canvas.text(line, words, Pen(Size.TEXT, DIM, align=Align.CENTRE, lines=2))
    if shown.notes:
        text = TROUBLE(notes=joined(shown.notes, DOTTED))
        canvas.text(notes, text, Pen(Size.SMALL, WARNING_TEXT, align=Align.CENTRE, lines=2))
    _first_choice(canvas, buttons, shown)
    others = (
        Choice(MATCHES(), show_matches()),
        Choice(RULES(), turn_to(Page.RULES)),
        Choice(TOUR(), open_page(Page.TOUR)),
        Choice(SENSORS(), open_sensors()),
        Choice(SETTINGS_PAGE(), open_page(Page.SETTINGS)),
        Choice(QUIT(), send(Quit())),
    )
    columns = math.ceil(len(others) / 2)
    draw_choices(canvas, rows.grid(columns, 2, gap), others)


def _first_choice(canvas: Screen, rect: Rect, shown: Shown) -> None:
    begin = Choice(NEW_MATCH(), open_page(Page.NEW_MATCH), Look.MAIN)
    if shown.resumable:
        resume = Choice(GO_ON(match=shown.resumable), send(Resume()), Look.MAIN)
        places = rect.rows((1, 1), canvas.px(12))
        draw_choices(canvas, places, (resume, replace(begin, look=Look.PLAIN)))
    else:
        draw_choices(canvas, (rect.upper(canvas.px(90)),), (begin,))


def draw_menu(canvas: Screen, shown: Shown, view: View) -> None:
    bands = draw_head(canvas, MENU(), VERSUS(white=view.players[0], black=view.players[1]))
    column_of_buttons(canvas, bands.body, tuple(_menu(shown, view)))
    row_of_buttons(canvas, bands.buttons, (Choice(BACK_TO_MATCH(), close(), Look.MAIN),))


def _menu(shown: Shown, view: View) -> Iterator[Choice]:
    for label, page, intent in (
        (TAKE_BACK(), Page.TAKE_BACK, Intent.TAKE_BACK),
        (RESIGN(), Page.RESIGN, Intent.RESIGN),
    ):
        yield Choice(label, open_page(page) if intent in view.offers else None)
    asks = shown.lesson is not None and view.phase in (*ANSWERS, Phase.TO_ROLL, Phase.MOVING)
    yield Choice(HINT(), open_hint() if asks else None)
    yield Choice(TURN_BOARD(), set_to("screen.turned", not shown.settings.screen.turned, look=True))
    if shown.settings.speech.told != "off":
        yield Choice(ASK(), open_page(Page.ASK))
    yield Choice(RULES(), turn_to(Page.RULES))
    yield Choice(SENSORS(), open_sensors())
    # The tour needs the board.
    yield Choice(TOUR(), open_page(Page.TOUR) if view.phase is Phase.MATCH_OVER else None)
    yield Choice(SETTINGS_PAGE(), open_page(Page.SETTINGS))
    yield Choice(MATCHES(), show_matches())
    yield Choice(NEW_MATCH(), open_page(Page.NEW_MATCH))
    if shown.settings.club.wall:
        yield Choice(WALL(), open_page(Page.WALL))
    yield Choice(QUIT(), send(Quit()))


def draw_resign(canvas: Screen, ui: Ui, view: View) -> None:
    """First for how much, then whether really; the opponent answers on the play page."""
    loser, winner = view.player(view.to_act), view.player(view.to_act.other)
    ways, stake = view.resignations, view.cube.value
    points = ui.resigning or (next(iter(ways)) if len(ways) == 1 else None)
    if points is None:
        question: str = FOR_HOW_MUCH(player=loser)
        answers = tuple(
            Choice(FOR_POINTS(n=way * stake, how=how), resign(way)) for way, how in ways.items()
        )
    else:
        how = ways.get(points, "")
        question = REALLY(n=points * stake, how=how, winner=winner, loser=loser)
        answers = (Choice(YES_RESIGN(), intend(Intent.RESIGN, points=points)),)
    stay = Choice(NO_PLAY_ON(), close(), Look.MAIN)
    draw_confirmation(canvas, RESIGN(), question, answers, stay)


def draw_banner(canvas: Screen, asker: str) -> None:
    title = sheet_bands(canvas.size).title
    rect = Rect(title.x, title.y - canvas.px(4), title.w, canvas.px(48))
    canvas.cover(rect)
    words, show = rect.columns((3, 1), canvas.px(8))
    canvas.add(Box(words, BAND, canvas.px(10), TEAL, canvas.px(2)))
    pen = Pen(Size.TEXT, IVORY, bold=True, lines=2)
    canvas.text(words.inset(canvas.px(12), canvas.px(2)), BOARD_ASKS(board=asker), pen)
    canvas.button(show, SHOW_QUESTION(), look_at_question(), Look.MAIN)


def draw_question(canvas: Screen, question: str, *, later: bool) -> None:
    bands = draw_head(canvas, QUESTION_ASKED())
    pen = Pen(Size.TEXT, IVORY, bold=True, align=Align.CENTRE, lines=8)
    canvas.text(bands.body, question, pen)
    yes = Choice(AGREE(), answer_board(yes=True), Look.MAIN)
    choices = (yes, Choice(DECLINE(), answer_board(yes=False)))
    back = (Choice(LATER(), look_at_question(opens=False)),) if later else ()
    row_of_buttons(canvas, bands.buttons, (*back, *choices))


def draw_take_back(canvas: Screen, to: BackTo) -> None:
    yes = Choice(YES_TAKE_BACK(), intend(Intent.TAKE_BACK, back_to=to))
    stay = Choice(NO_LEAVE_IT(), close(), Look.MAIN)
    draw_confirmation(canvas, TAKE_BACK(), BACK_BEFORE(n=to.plays, turn=to.turn), (yes,), stay)


# The settings --------------------------------------------------------------------------------


MOST_SETTINGS = 8
"""Buttons at a time, so that each is large enough to tap."""
TABLES = ("screen", "sound", "speech", "play", "coach", "board")
"""The tables in the order of the page: most often used first."""
BRIGHTNESS = "screen.brightness"

OTHERS = Sentence("More settings")
WHEN_CHANGED = Sentence("Applies from the next match")


def draw_settings(canvas: Screen, shown: Shown, ui: Ui) -> None:
    there = tuple(_there(shown))
    first = ui.first_setting if ui.first_setting < len(there) else 0
    some = there[first : first + MOST_SETTINGS]
    later = any(setting.table == "play" for setting in some)
    bands = draw_head(canvas, SETTINGS_PAGE(), WHEN_CHANGED() if later else "")
    columns = 1 if canvas.upright else 2
    rows, gap = MOST_SETTINGS // columns, canvas.px(10)
    body = bands.body.upper(rows * canvas.px(96) + (rows - 1) * gap)
    for place, setting in zip(body.grid(columns, rows, gap), some, strict=False):
        draw_setting(canvas, place, setting, shown)
    following = first + MOST_SETTINGS
    others = Choice(OTHERS(), show_settings(following if following < len(there) else 0))
    club = (Choice(CLUB(), open_page(Page.CLUB, ClubWish.LOOK)),) if shown.club else ()
    row_of_buttons(canvas, bands.buttons, (others, *club, Choice(BACK(), close())))


def draw_setting(canvas: Screen, rect: Rect, setting: Setting, shown: Shown) -> None:
    value, label = _value(setting, shown), setting.label or ""
    if isinstance(setting.can_be, Bounds):
        _number(canvas, rect, setting, float(value))
        return
    choices = _choices(setting, shown)
    values = tuple(choices)
    following = values[(values.index(value) + 1) % len(values)]
    labelled(canvas, rect, (label, choices[value]), on=value != setting.out)
    canvas.touch(rect, set_to(setting.name, following))


def labelled(canvas: Screen, rect: Rect, words: tuple[str, str], *, on: bool) -> None:
    canvas.frame(rect, Look.PLAIN)
    room = rect.inset(canvas.px(12), canvas.px(4))
    r = canvas.px(8)
    lamp = (room.x + r, room.centre[1])
    canvas.add(Disc(lamp, r, TEAL if on else BAND, TEAL if on else EDGE, canvas.px(2.5)))
    _words(canvas, Rect(room.x + 3 * r, room.y, room.w - 3 * r, room.h), words, Align.LEFT)


def _there(shown: Shown) -> Iterator[Setting]:
    """The settings on the screen; brightness only for a display that can change it."""
    labels = (setting for setting in SETTINGS.values() if setting.label)
    for setting in sorted(labels, key=lambda setting: TABLES.index(setting.table)):
        if setting.name != BRIGHTNESS or shown.brightness is not None:
            yield setting


def _value(setting: Setting, shown: Shown) -> Value:
    """The set value; for brightness the display's, because others change it too."""
    if setting.name == BRIGHTNESS and shown.brightness is not None:
        return shown.brightness
    return setting.of(shown.settings)


def _choices(setting: Setting, shown: Shown) -> Choices:
    """The choices; boards by name, a user's own board by its path."""
    if setting.choices:
        return setting.choices
    names = (*shown.boards, str(setting.of(shown.settings)))
    return dict(zip(names, names, strict=True))


def _number(canvas: Screen, rect: Rect, setting: Setting, value: float) -> None:
    less, middle, more = rect.columns((5, 16, 5), canvas.px(6))
    percent = round(100 * value if isinstance(setting.default, float) else value)
    canvas.button(less, "−", set_to(setting.name, setting.beside(value, more=False)))
    words = (setting.label or "", PER_CENT(number=percent))
    _words(canvas, middle.inset(0, canvas.px(4)), words, Align.CENTRE)
    canvas.button(more, "+", set_to(setting.name, setting.beside(value, more=True)))


def _words(canvas: Screen, rect: Rect, words: tuple[str, str], align: Align) -> None:
    height = min(rect.h, canvas.px(60))
    upper, lower = Rect(rect.x, rect.centre[1] - height // 2, rect.w, height).rows((5, 4), 0)
    canvas.text(upper, words[0], Pen(Size.TEXT, IVORY, bold=True, align=align))
    canvas.text(lower, words[1], Pen(Size.SMALL, DIM, align=align))


# The club ------------------------------------------------------------------------------------


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


def draw_club(canvas: Screen, shown: Shown, _: Ui) -> None:
    club = shown.club or NO_CLUB
    bands, gap = draw_head(canvas, CLUB()), canvas.px(12)
    facts, doing, told = bands.body.rows((5, 3, 4), gap)
    pen = Pen(Size.TEXT, IVORY, lines=6)
    if club.own:
        at = CLUB_AT(brokers=shown.settings.club.brokers[:200])
        upper, lower = facts.rows((1, 1), gap)
        canvas.text(upper, IN_CLUB(board=club.own), pen)
        canvas.text(lower, club.trouble or at, Pen(Size.TEXT, DIM, lines=4))
        way = Choice(LEAVE(), open_page(Page.LEAVE_CLUB))
    else:
        canvas.text(facts, IN_NO_CLUB(), pen)
        way = Choice(JOIN(), send(ClubWish.JOIN), Look.MAIN)
    block_of_buttons(canvas, doing, (way,))
    canvas.text(told, club.told, Pen(Size.TEXT, IVORY, bold=True, lines=6))
    row_of_buttons(canvas, bands.buttons, (Choice(BACK(), open_page(Page.SETTINGS)),))


def draw_leave_club(canvas: Screen, shown: Shown, _: Ui) -> None:
    club = shown.club or NO_CLUB
    yes = Choice(YES_LEAVE(), open_page(Page.CLUB, ClubWish.LEAVE))
    stay = Choice(NO_STAY(), open_page(Page.CLUB), Look.MAIN)
    draw_confirmation(canvas, LEAVE(), LEAVE_REALLY(board=club.own), (yes,), stay)


def draw_boards(canvas: Screen, shown: Shown, ui: Ui) -> None:
    club = shown.club or NO_CLUB
    if club.invited:
        _draw_waiting(canvas, club, club.invited[0])
    else:
        _draw_list(canvas, shown, club, ui)


def _draw_waiting(canvas: Screen, club: Clubhouse, board: str) -> None:
    bands = draw_head(canvas, ANOTHER_BOARD())
    upper, lower = bands.body.rows((1, 1), canvas.px(12))
    pen = Pen(Size.HEAD, IVORY, bold=True, align=Align.CENTRE, lines=3)
    canvas.text(upper, NOT_ANSWERED(board=board), pen)
    absent = NOT_THERE() if board not in club.boards else BEGINS_BY_ITSELF(board=board)
    canvas.text(lower, club.trouble or absent, Pen(Size.TEXT, DIM, align=Align.CENTRE, lines=5))
    withdraw = Choice(WITHDRAW(), send(ClubWish.WITHDRAW))
    row_of_buttons(canvas, bands.buttons, (Choice(BACK(), open_page(Page.NEW_MATCH)), withdraw))


def _draw_list(canvas: Screen, shown: Shown, club: Clubhouse, ui: Ui) -> None:
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
    canvas.text(words, told, Pen(Size.TEXT, IVORY if said else DIM, lines=4))
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
    white, black = player_names(form, game)
    points = points_to_win(form, game)
    target = UNLIMITED() if points is None else FIRST_TO(n=points)
    return joined((game.title, target, VERSUS(white=white, black=black)), DOTTED)
