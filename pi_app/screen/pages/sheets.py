"""The pages around a match: start, menu, resigning, sensors."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pi_app.referee.events import Intent
from pi_app.referee.view import BackTo, View
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action, Close, Do, Intend, Open, Resign, Set, TurnTo
from pi_app.screen.browsing import ShowMatches
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.commands import Quit, Resume
from pi_app.screen.header import VERSUS
from pi_app.screen.inspecting import OpenSensors
from pi_app.screen.layout import sheet_bands
from pi_app.screen.pages.play import (
    CHANGE_DICE,
    MENU,
    NEW_MATCH,
    TAKE_BACK,
    TROUBLE,
    UNDO_TAKEBACK,
    Choice,
)
from pi_app.screen.pieces import checker
from pi_app.screen.shapes import Align, Disc, Rect
from pi_app.screen.theme import AMBER, BAND, DIM, IVORY, WARNING_TEXT
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sentences import DOTTED, Sentence, joined

MOST_BELOW = 10
"""Of more buttons a menu has a column more."""

SLOGAN = Sentence("it sees the moves, knows the rules and says why")
GO_ON = Sentence("Go on: {match}")
MATCHES = Sentence("Matches")
QUIT = Sentence("Quit")
BACK = Sentence("Back")
BACK_TO_MATCH = Sentence("Back to the match")
RESIGN = Sentence("Resign")
TURN_BOARD = Sentence("Turn the board round")
RULES = Sentence("Rules")
TOUR = Sentence("Tour")
SENSORS = Sentence("Sensors")
SETTINGS_PAGE = Sentence("Settings")
FOR_HOW_MUCH = Sentence("{player} gives up this game. For how much?")
REALLY = Sentence(
    "{loser} offers to resign: {how}, 1 point for {winner}. Really?",
    "{loser} offers to resign: {how}, {n} points for {winner}. Really?",
)
FOR_POINTS = Sentence("{how}: 1\u00a0point", "{how}: {n}\u00a0points")
YES_RESIGN = Sentence("Yes, offer it")
NO_PLAY_ON = Sentence("No, play on")
BACK_BEFORE = Sentence("Back to before {turn}?", "Back to before {turn}, {n} plays?")
YES_TAKE_BACK = Sentence("Yes, take back")
NO_LEAVE_IT = Sentence("No, leave it")


def head(canvas: Canvas[Action], rect: Rect, title: str, note: str = "") -> None:
    """A page's title and, to its right, a smaller note."""
    left, right = rect.columns((1, 1), canvas.px(10)) if note else (rect, rect)
    canvas.text(left, title, Pen(25, IVORY, bold=True))
    if note:
        canvas.text(right, note, Pen(15, DIM, align=Align.RIGHT, lines=2))


def row_of_buttons(canvas: Canvas[Action], rect: Rect, buttons: tuple[Choice, ...]) -> None:
    """Buttons side by side, equally wide."""
    for place, button in zip(rect.grid(len(buttons), 1, canvas.px(12)), buttons, strict=True):
        canvas.button(place, button.label, button.action, button.look)


def column_of_buttons(canvas: Canvas[Action], rect: Rect, buttons: tuple[Choice, ...]) -> None:
    """Buttons in as few columns as leave them high enough; no higher than is comfortable."""
    columns = (1 if canvas.upright else 2) + (len(buttons) > MOST_BELOW)
    rows = math.ceil(len(buttons) / columns)
    gap = canvas.px(12)
    height = min(rect.h, rows * canvas.px(84) + (rows - 1) * gap)
    room = Rect(rect.x, rect.y + (rect.h - height) // 2, rect.w, height)
    for place, button in zip(room.grid(columns, rows, gap), buttons, strict=False):
        canvas.button(place, button.label, button.action, button.look)


def draw_start(canvas: Canvas[Action], shown: Shown) -> None:
    """The first page: go on, or begin anew."""

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
        canvas.button(place, button.label, button.action, button.look, size=19, least=14)


def _first_choice(canvas: Canvas[Action], rect: Rect, shown: Shown) -> None:
    begin = Choice(NEW_MATCH(), Open(Page.NEW_MATCH), Look.MAIN)
    if shown.resumable:
        resume = Choice(GO_ON(match=shown.resumable), Do(Resume()), Look.MAIN)
        begin = Choice(NEW_MATCH(), Open(Page.NEW_MATCH))
        upper, lower = rect.rows((1, 1), canvas.px(12))
        canvas.button(upper, resume.label, resume.action, resume.look)
        canvas.button(lower, begin.label, begin.action, begin.look)
    else:
        height = min(rect.h, canvas.px(90))
        canvas.button(Rect(rect.x, rect.y, rect.w, height), begin.label, begin.action, begin.look)


def draw_menu(canvas: Canvas[Action], shown: Shown, view: View) -> None:
    """What can be done with the match besides playing it."""
    bands = sheet_bands(canvas.size)
    players = VERSUS(white=view.players[0], black=view.players[1])
    head(canvas, bands.title, MENU(), players)
    column_of_buttons(canvas, bands.body, tuple(_menu(shown, view)))
    row_of_buttons(canvas, bands.buttons, (Choice(BACK_TO_MATCH(), Close(), Look.MAIN),))


def _menu(shown: Shown, view: View) -> Iterator[Choice]:
    if Intent.TAKE_BACK in view.offers:
        yield Choice(TAKE_BACK(), Open(Page.TAKE_BACK))
    if Intent.RESTORE in view.offers:
        yield Choice(UNDO_TAKEBACK(), Intend(Intent.RESTORE))
    if Intent.CHANGE_DICE in view.offers:
        yield Choice(CHANGE_DICE(), Intend(Intent.CHANGE_DICE))
    if Intent.RESIGN in view.offers:
        yield Choice(RESIGN(), Open(Page.RESIGN))
    yield Choice(TURN_BOARD(), Set("screen.turned", not shown.settings.screen.turned, look=True))
    yield Choice(RULES(), TurnTo(Page.RULES))
    yield Choice(SENSORS(), OpenSensors())
    yield Choice(TOUR(), TurnTo(Page.TOUR))
    yield Choice(SETTINGS_PAGE(), Open(Page.SETTINGS))
    yield Choice(MATCHES(), ShowMatches())
    yield Choice(NEW_MATCH(), Open(Page.NEW_MATCH))
    yield Choice(QUIT(), Do(Quit()))


def draw_resign(canvas: Canvas[Action], ui: Ui, view: View) -> None:
    """First for how much, then whether really; the opponent answers on the play page."""
    bands = sheet_bands(canvas.size)
    loser, winner = view.players[view.to_act is Side.BLACK], view.players[view.to_act is Side.WHITE]
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
    height = min(lower.h, canvas.px(90))
    row_of_buttons(canvas, Rect(lower.x, lower.y, lower.w, height), buttons)
    row_of_buttons(canvas, bands.buttons, (Choice(NO_PLAY_ON(), Close(), Look.MAIN),))


def draw_take_back(canvas: Canvas[Action], to: BackTo) -> None:
    """How far back, and whether really."""
    bands = sheet_bands(canvas.size)
    head(canvas, bands.title, TAKE_BACK())
    upper, lower = bands.body.rows((1, 1), canvas.px(12))
    pen = Pen(24, IVORY, bold=True, align=Align.CENTRE, lines=3)
    canvas.text(upper, BACK_BEFORE(n=to.plays, turn=to.turn), pen)
    yes = Choice(YES_TAKE_BACK(), Intend(Intent.TAKE_BACK, back_to=to))
    row_of_buttons(canvas, Rect(lower.x, lower.y, lower.w, min(lower.h, canvas.px(90))), (yes,))
    row_of_buttons(canvas, bands.buttons, (Choice(NO_LEAVE_IT(), Close(), Look.MAIN),))
