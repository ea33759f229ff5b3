"""The pages around a match: start, menu, resigning, sensors."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pi_app.commands import Quit, Resume
from pi_app.match.turns import ANSWERS, Phase
from pi_app.referee.events import Intent
from pi_app.referee.view import BackTo, View
from pi_app.rules.terms import Side
from pi_app.screen.actions import (
    Action,
    Agree,
    Close,
    Do,
    Intend,
    LookAtQuestion,
    Open,
    OpenHint,
    OpenSensors,
    Resign,
    Set,
    ShowMatches,
    TurnTo,
)
from pi_app.screen.canvas import Align, Box, Canvas, Disc, Look, Pen, Rect, sheet_bands
from pi_app.screen.header import VERSUS
from pi_app.screen.pages.buttons import (
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
    block_of_buttons,
    column_of_buttons,
    draw_choice,
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


def head(canvas: Canvas[Action], rect: Rect, title: str, note: str = "") -> None:
    """A page's title and, to its right, a smaller note."""
    left, right = rect.columns((1, 1), canvas.px(10)) if note else (rect, rect)
    canvas.text(left, title, Pen(25, IVORY, bold=True))
    if note:
        canvas.text(right, note, Pen(15, DIM, align=Align.RIGHT, lines=2))


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
        Choice(MATCHES(), ShowMatches()),
        Choice(RULES(), TurnTo(Page.RULES)),
        Choice(TOUR(), TurnTo(Page.TOUR)),
        Choice(SENSORS(), OpenSensors()),
        Choice(SETTINGS_PAGE(), Open(Page.SETTINGS)),
        Choice(QUIT(), Do(Quit())),
    )
    columns = math.ceil(len(others) / 2)
    for place, button in zip(rows.grid(columns, 2, gap), others, strict=False):
        draw_choice(canvas, place, button, 19)


def _first_choice(canvas: Canvas[Action], rect: Rect, shown: Shown) -> None:
    begin = Choice(NEW_MATCH(), Open(Page.NEW_MATCH), Look.MAIN)
    if shown.resumable:
        resume = Choice(GO_ON(match=shown.resumable), Do(Resume()), Look.MAIN)
        begin = Choice(NEW_MATCH(), Open(Page.NEW_MATCH))
        upper, lower = rect.rows((1, 1), canvas.px(12))
        draw_choice(canvas, upper, resume)
        draw_choice(canvas, lower, begin)
    else:
        height = min(rect.h, canvas.px(90))
        draw_choice(canvas, Rect(rect.x, rect.y, rect.w, height), begin)


def draw_menu(canvas: Canvas[Action], shown: Shown, view: View) -> None:
    bands = sheet_bands(canvas.size)
    players = VERSUS(white=view.players[0], black=view.players[1])
    head(canvas, bands.title, MENU(), players)
    column_of_buttons(canvas, bands.body, tuple(_menu(shown, view)))
    row_of_buttons(canvas, bands.buttons, (Choice(BACK_TO_MATCH(), Close(), Look.MAIN),))


def _menu(shown: Shown, view: View) -> Iterator[Choice]:
    back = Open(Page.TAKE_BACK) if Intent.TAKE_BACK in view.offers else None
    resigning = Open(Page.RESIGN) if Intent.RESIGN in view.offers else None
    yield Choice(TAKE_BACK(), back)
    yield Choice(RESIGN(), resigning)
    asks = shown.lesson is not None and view.phase in (*ANSWERS, Phase.TO_ROLL, Phase.MOVING)
    yield Choice(HINT(), OpenHint() if asks else None)
    yield Choice(TURN_BOARD(), Set("screen.turned", not shown.settings.screen.turned, look=True))
    yield Choice(RULES(), TurnTo(Page.RULES))
    yield Choice(SENSORS(), OpenSensors())
    yield Choice(TOUR(), TurnTo(Page.TOUR))
    yield Choice(SETTINGS_PAGE(), Open(Page.SETTINGS))
    yield Choice(MATCHES(), ShowMatches())
    yield Choice(NEW_MATCH(), Open(Page.NEW_MATCH))
    if shown.settings.club.wall:
        yield Choice(WALL(), Open(Page.WALL))
    yield Choice(QUIT(), Do(Quit()))


def draw_resign(canvas: Canvas[Action], ui: Ui, view: View) -> None:
    """First for how much, then whether really; the opponent answers on the play page."""
    bands = sheet_bands(canvas.size)
    loser, winner = view.player(view.to_act), view.player(view.to_act.other)
    head(canvas, bands.title, RESIGN())
    upper, lower = bands.body.rows((1, 1), canvas.px(12))
    pen = Pen(24, IVORY, bold=True, align=Align.CENTRE, lines=3)
    ways, stake = view.resignations, view.cube.value
    points = ui.resigning or (next(iter(ways)) if len(ways) == 1 else None)
    if points is None:
        canvas.text(upper, FOR_HOW_MUCH(player=loser), pen)
        buttons = tuple(
            Choice(FOR_POINTS(n=way * stake, how=how), Resign(way)) for way, how in ways.items()
        )
    else:
        how = ways.get(points, "")
        question = REALLY(n=points * stake, how=how, winner=winner, loser=loser)
        canvas.text(upper, question, pen)
        buttons = (Choice(YES_RESIGN(), Intend(Intent.RESIGN, points=points)),)
    block_of_buttons(canvas, lower, buttons)
    row_of_buttons(canvas, bands.buttons, (Choice(NO_PLAY_ON(), Close(), Look.MAIN),))


def draw_banner(canvas: Canvas[Action], asker: str) -> None:
    """A banner instead of the title: another board's question, with a button to it."""
    title = sheet_bands(canvas.size).title
    height = canvas.px(48)
    rect = Rect(title.x, title.y - canvas.px(4), title.w, height)
    canvas.cover(rect)
    words, show = rect.columns((3, 1), canvas.px(8))
    canvas.add(Box(words, BAND, canvas.px(10), TEAL, canvas.px(2)))
    pen = Pen(20, IVORY, bold=True, lines=2)
    canvas.text(words.inset(canvas.px(12), canvas.px(2)), BOARD_ASKS(board=asker), pen)
    draw_choice(canvas, show, Choice(SHOW_QUESTION(), LookAtQuestion(), Look.MAIN))


def draw_question(canvas: Canvas[Action], question: str, *, later: bool) -> None:
    """Another board's question with yes and no; `later` returns to the open page."""
    bands = sheet_bands(canvas.size)
    head(canvas, bands.title, ANOTHER_BOARD())
    pen = Pen(22, IVORY, bold=True, align=Align.CENTRE, lines=8)
    canvas.text(bands.body, question, pen)
    choices = (Choice(AGREE(), Agree(yes=True), Look.MAIN), Choice(DECLINE(), Agree(yes=False)))
    back = (Choice(LATER(), LookAtQuestion(opens=False)),) if later else ()
    row_of_buttons(canvas, bands.buttons, (*back, *choices))


def draw_take_back(canvas: Canvas[Action], to: BackTo) -> None:
    """The question before an undo."""
    bands = sheet_bands(canvas.size)
    head(canvas, bands.title, TAKE_BACK())
    upper, lower = bands.body.rows((1, 1), canvas.px(12))
    pen = Pen(24, IVORY, bold=True, align=Align.CENTRE, lines=3)
    canvas.text(upper, BACK_BEFORE(n=to.plays, turn=to.turn), pen)
    yes = Choice(YES_TAKE_BACK(), Intend(Intent.TAKE_BACK, back_to=to))
    block_of_buttons(canvas, lower, (yes,))
    row_of_buttons(canvas, bands.buttons, (Choice(NO_LEAVE_IT(), Close(), Look.MAIN),))
