"""The stored matches: their list, and the page of one."""

from __future__ import annotations

from pi_app.commands import Fetch, Wanted
from pi_app.match.turns import OVER as OVER_PHASES
from pi_app.referee.speech import UNLIMITED
from pi_app.screen.actions import Action, Close, Do
from pi_app.screen.browsing import (
    GoOn,
    OpenKept,
    ShowCode,
    ShowLeaf,
    ShowMatches,
    ShowPlayer,
    ShowSheet,
)
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.header import FIRST_TO
from pi_app.screen.layout import sheet_bands
from pi_app.screen.learning import OpenAnalysis
from pi_app.screen.pages.buttons import (
    ANALYSIS,
    BACK,
    BACK_TO_MATCH,
    MATCHES,
    Choice,
    draw_choice,
    paged_buttons,
)
from pi_app.screen.pages.sheets import head
from pi_app.screen.shapes import Align, Rect
from pi_app.screen.shelf import KeptMatch, OpenMatch, Shelf
from pi_app.screen.theme import DIM, IVORY
from pi_app.screen.ui import Shown, Ui, standing
from pi_app.words.sentences import DOTTED, Sentence, joined

STATISTICS = Sentence("Statistics")
READING = Sentence("Reading the matches")
NONE_KEPT = Sentence("No matches yet")
SO_MANY = Sentence("1 match", "{n} matches")
OVER = Sentence("finished")
UNFINISHED = Sentence("unfinished")
UNDER_WAY = Sentence("in progress")
LOOK_THROUGH = Sentence("Replay")
SCORE_SHEET = Sentence("Score sheet")
TO_STICK = Sentence("Save to USB")
AS_CODE = Sentence("QR codes")
GO_ON_PLAYING = Sentence("Resume")
NEEDS_BOARD = Sentence("Needs the board {board}")

ROWS_WIDE, ROWS_UPRIGHT = 5, 6


def draw_matches(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    """The list, the newest match first."""
    bands, gap = sheet_bands(canvas.size), canvas.px(8)
    shelf, first = shown.shelf, ui.browsing.first
    matches = shelf.matches or ()
    head(canvas, bands.title, MATCHES(), _note(shelf))
    rows = ROWS_UPRIGHT if canvas.upright else ROWS_WIDE
    if matches:
        places = bands.body.grid(1, rows, gap)
        for place, match in zip(places, matches[first : first + rows], strict=False):
            _line(canvas, place, match, shown)
    else:
        told = READING() if shelf.matches is None else shelf.told or NONE_KEPT()
        canvas.text(bands.body, told, Pen(24, DIM, align=Align.CENTRE, lines=2))
    back = Choice(BACK_TO_MATCH() if shown.view else BACK(), Close())
    figures = Choice(STATISTICS(), ShowPlayer(anew=True) if matches else None)
    earlier = ShowMatches(max(0, first - rows), anew=False) if first else None
    beyond = first + rows < len(matches)
    later = ShowMatches(first + rows, anew=False) if beyond else None
    paged_buttons(canvas, bands.buttons, (back, figures), (earlier, later))


def _note(shelf: Shelf) -> str:
    """The number of matches, or why they could not be read."""
    return (shelf.told or SO_MANY(n=len(shelf.matches))) if shelf.matches else ""


def _line(canvas: Canvas[Action], rect: Rect, match: KeptMatch, shown: Shown) -> None:
    """A match's players, game, score and date; on an upright screen in three lines."""
    canvas.frame(rect, Look.PLAIN)
    room = rect.inset(canvas.px(12), canvas.px(4))
    if canvas.upright:
        upper, lower, last = room.rows((5, 4, 4), 0)
        began, state = last.columns((1, 1), canvas.px(10))
    else:
        left, right = room.columns((7, 3), canvas.px(10))
        upper, lower = left.rows((5, 4), 0)
        began, state = right.rows((5, 4), 0)
    canvas.text(upper, standing(match.players, match.score), Pen(20, IVORY, bold=True))
    canvas.text(lower, _what(match), Pen(16, DIM))
    align = Align.LEFT if canvas.upright else Align.RIGHT
    canvas.text(began, match.began, Pen(16, DIM, align=align))
    colour = DIM if match.over else IVORY
    canvas.text(state, _state(match, shown), Pen(16, colour, align=Align.RIGHT))
    canvas.touch(rect, OpenKept(match.number))


def _what(match: KeptMatch) -> str:
    target = UNLIMITED() if match.match_to is None else FIRST_TO(n=match.match_to)
    return joined((match.title, target, match.board), DOTTED)


def _state(match: KeptMatch, shown: Shown) -> str:
    if match.over:
        return OVER()
    return UNDER_WAY() if match.number == shown.playing else UNFINISHED()


def draw_match(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    bands, gap = sheet_bands(canvas.size), canvas.px(12)
    opened = open_match(shown.shelf, ui)
    if opened is None:
        waiting(canvas, bands.title, bands.body, shown.shelf)
    else:
        match = opened.match
        title, began = bands.title.columns((7, 3), canvas.px(10))
        pen = Pen(25, IVORY, bold=True, lines=2)
        canvas.text(title, standing(match.players, match.score), pen)
        canvas.text(began, match.began, Pen(16, DIM, align=Align.RIGHT, lines=2))
        facts, doing, told = bands.body.rows((2, 6, 2), gap)
        words = joined((_what(match), _state(match, shown)), DOTTED)
        canvas.text(facts, words, Pen(19, DIM, lines=2))
        _doings(canvas, doing, opened, shown)
        needs = "" if match.over or match.here else NEEDS_BOARD(board=match.board)
        canvas.text(told, shown.shelf.told or needs, Pen(19, IVORY, lines=3))
    back = Choice(BACK(), ShowMatches(ui.browsing.first))
    paged_buttons(canvas, bands.buttons, (back,), ())


def _doings(canvas: Canvas[Action], rect: Rect, opened: OpenMatch, shown: Shown) -> None:
    """Resume or analyse; below them the actions of every match."""
    match, last, gap = opened.match, len(opened.leaves) - 1, canvas.px(10)
    onward = match.here or match.number == shown.playing
    going_on = GoOn(match.number) if onward and not match.over else None
    choices = (
        Choice(LOOK_THROUGH(), ShowLeaf(0 if match.over else last)),
        Choice(SCORE_SHEET(), ShowSheet(0)),
        Choice(TO_STICK(), Do(Fetch(Wanted.STICK, match.number))),
        Choice(AS_CODE(), ShowCode(0)),
    )
    judged = OpenAnalysis(match.number) if _may_judge(match, shown) else None
    columns = 1 if canvas.upright else 2
    rows = 1 + len(choices) // columns
    height = min(rect.h, rows * canvas.px(72) + (rows - 1) * gap)
    upper, lower = Rect(rect.x, rect.y, rect.w, height).rows((1, rows - 1), gap)
    playing, judging = upper.columns((1, 1), gap)
    draw_choice(canvas, playing, Choice(GO_ON_PLAYING(), going_on, Look.MAIN))
    draw_choice(canvas, judging, Choice(ANALYSIS(), judged))
    for place, choice in zip(lower.grid(columns, rows - 1, gap), choices, strict=True):
        draw_choice(canvas, place, choice)


def _may_judge(match: KeptMatch, shown: Shown) -> bool:
    """Whether the coach may judge: with locked hints only after the game, so that no open double
    can be looked up."""
    view = shown.view
    locked = view and match.number == shown.playing and view.phase not in OVER_PHASES
    return shown.lesson is not None and (shown.hints or not locked)


def open_match(shelf: Shelf, ui: Ui) -> OpenMatch | None:
    """The opened match, once it is read."""
    opened = shelf.opened
    return opened if opened and opened.match.number == ui.browsing.match else None


def waiting(canvas: Canvas[Action], title: Rect, body: Rect, shelf: Shelf) -> None:
    """The waiting text, or why there is nothing to show."""
    head(canvas, title, MATCHES())
    words = shelf.told or READING()
    canvas.text(body, words, Pen(22, DIM, align=Align.CENTRE, lines=4))
