"""The pages around a match: start, menu, resigning, sensors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from pi_app.commands import Quit, Resume
from pi_app.match.turns import ANSWERS, Phase
from pi_app.referee.events import Intent
from pi_app.referee.view import BackTo, View
from pi_app.rules.terms import Side
from pi_app.screen.actions import (
    Action,
    answer_board,
    close,
    intend,
    look_at_question,
    open_hint,
    open_page,
    open_sensors,
    resign,
    send,
    set_to,
    show_matches,
    turn_to,
)
from pi_app.screen.canvas import Align, Box, Canvas, Disc, Look, Pen, Rect, sheet_bands
from pi_app.screen.header import VERSUS
from pi_app.screen.pages.parts import (
    BACK_TO_MATCH,
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
    column_of_buttons,
    draw_choices,
    draw_confirmation,
    draw_head,
    row_of_buttons,
)
from pi_app.screen.pages.play import TROUBLE
from pi_app.screen.pieces import checker
from pi_app.screen.theme import AMBER, BAND, DIM, IVORY, TEAL, WARNING_TEXT
from pi_app.screen.ui import Page, Shown, Ui
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
ANOTHER_BOARD = Sentence("Question from another board")
BOARD_ASKS = Sentence("{board} asks")
SHOW_QUESTION = Sentence("Show")
AGREE, DECLINE, LATER = Sentence("Yes"), Sentence("No"), Sentence("Later")
YES_TAKE_BACK = Sentence("Yes, undo")
NO_LEAVE_IT = Sentence("Keep it")


def draw_start(canvas: Canvas[Action], shown: Shown) -> None:
    bands = sheet_bands(canvas.size)
    gap = canvas.px(10)
    foot = bands.buttons
    rows = Rect(foot.x, foot.y - foot.h - gap, foot.w, 2 * foot.h + gap)
    room = Rect(bands.body.x, 0, bands.body.w, rows.y - canvas.px(14))
    name, line, notes, buttons = room.inset(0, canvas.px(14)).rows((30, 13, 9, 46), canvas.px(4))
    r = canvas.px(26)
    pen = Pen(60, IVORY, bold=True, align=Align.CENTRE)
    word = canvas.text(name, "Spotter", pen)
    for side, x in ((Side.WHITE, word.x - 2 * r), (Side.BLACK, word.right + 2 * r)):
        canvas.add(
            Disc((x, name.centre[1]), r + canvas.px(4), AMBER if side is Side.WHITE else BAND)
        )
        canvas.add(*checker((x, name.centre[1]), r, side))
    words = joined((shown.board.title, SLOGAN()), DOTTED)
    canvas.text(line, words, Pen(18, DIM, align=Align.CENTRE, lines=2))
    if shown.notes:
        text = TROUBLE(notes=joined(shown.notes, DOTTED))
        canvas.text(notes, text, Pen(15, WARNING_TEXT, align=Align.CENTRE, lines=2))
    _first_choice(canvas, buttons, shown)
    others = (
        Choice(MATCHES(), show_matches()),
        Choice(RULES(), turn_to(Page.RULES)),
        Choice(TOUR(), turn_to(Page.TOUR)),
        Choice(SENSORS(), open_sensors()),
        Choice(SETTINGS_PAGE(), open_page(Page.SETTINGS)),
        Choice(QUIT(), send(Quit())),
    )
    columns = math.ceil(len(others) / 2)
    draw_choices(canvas, rows.grid(columns, 2, gap), others, 19)


def _first_choice(canvas: Canvas[Action], rect: Rect, shown: Shown) -> None:
    begin = Choice(NEW_MATCH(), open_page(Page.NEW_MATCH), Look.MAIN)
    if shown.resumable:
        resume = Choice(GO_ON(match=shown.resumable), send(Resume()), Look.MAIN)
        places = rect.rows((1, 1), canvas.px(12))
        draw_choices(canvas, places, (resume, replace(begin, look=Look.PLAIN)))
    else:
        draw_choices(canvas, (rect.upper(canvas.px(90)),), (begin,))


def draw_menu(canvas: Canvas[Action], shown: Shown, view: View) -> None:
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
    yield Choice(RULES(), turn_to(Page.RULES))
    yield Choice(SENSORS(), open_sensors())
    yield Choice(TOUR(), turn_to(Page.TOUR))
    yield Choice(SETTINGS_PAGE(), open_page(Page.SETTINGS))
    yield Choice(MATCHES(), show_matches())
    yield Choice(NEW_MATCH(), open_page(Page.NEW_MATCH))
    if shown.settings.club.wall:
        yield Choice(WALL(), open_page(Page.WALL))
    yield Choice(QUIT(), send(Quit()))


def draw_resign(canvas: Canvas[Action], ui: Ui, view: View) -> None:
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


def draw_banner(canvas: Canvas[Action], asker: str) -> None:
    """A banner instead of the title: another board's question, with a button to it."""
    title = sheet_bands(canvas.size).title
    rect = Rect(title.x, title.y - canvas.px(4), title.w, canvas.px(48))
    canvas.cover(rect)
    words, show = rect.columns((3, 1), canvas.px(8))
    canvas.add(Box(words, BAND, canvas.px(10), TEAL, canvas.px(2)))
    pen = Pen(20, IVORY, bold=True, lines=2)
    canvas.text(words.inset(canvas.px(12), canvas.px(2)), BOARD_ASKS(board=asker), pen)
    canvas.button(show, SHOW_QUESTION(), look_at_question(), Look.MAIN)


def draw_question(canvas: Canvas[Action], question: str, *, later: bool) -> None:
    """Another board's question with yes and no; `later` returns to the open page."""
    bands = draw_head(canvas, ANOTHER_BOARD())
    pen = Pen(22, IVORY, bold=True, align=Align.CENTRE, lines=8)
    canvas.text(bands.body, question, pen)
    yes = Choice(AGREE(), answer_board(yes=True), Look.MAIN)
    choices = (yes, Choice(DECLINE(), answer_board(yes=False)))
    back = (Choice(LATER(), look_at_question(opens=False)),) if later else ()
    row_of_buttons(canvas, bands.buttons, (*back, *choices))


def draw_take_back(canvas: Canvas[Action], to: BackTo) -> None:
    """The question before an undo."""
    yes = Choice(YES_TAKE_BACK(), intend(Intent.TAKE_BACK, back_to=to))
    stay = Choice(NO_LEAVE_IT(), close(), Look.MAIN)
    draw_confirmation(canvas, TAKE_BACK(), BACK_BEFORE(n=to.plays, turn=to.turn), (yes,), stay)
