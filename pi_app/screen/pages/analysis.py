"""A match that the coach has judged, blunders first; and a player's figures match by match."""

from __future__ import annotations

from pi_app.coach.study import (
    RATING,
    Analysis,
    Errors,
    Judged,
    Lesson,
    Mark,
    Rating,
    blunders_first,
    errors_of,
    mark_of,
)
from pi_app.players.contract import Unit
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action, Close, Open
from pi_app.screen.browsing import ShowLeaf, ShowPlayer
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.layout import GAP, sheet_bands
from pi_app.screen.learning import ShowLosses, ShowRatings
from pi_app.screen.pages.buttons import ANALYSIS, BACK, Choice, paged_buttons
from pi_app.screen.pages.losses import (
    MARKS,
    NO_COACH,
    amount_of,
    best_of,
    leaf_of,
    made_of,
    short_of,
)
from pi_app.screen.pages.matches import NONE_KEPT, READING, open_match
from pi_app.screen.pages.sheets import head
from pi_app.screen.shapes import Align, Box, Rect
from pi_app.screen.shelf import OpenMatch
from pi_app.screen.theme import AMBER, BAND, DIM, EDGE, IVORY, VERMILION
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.words.sentences import DOTTED, Sentence, joined

ASKING = Sentence("{player} is analysing … {done} of {total}")
NO_ERROR = Sentence("No errors")
PROVEN = Sentence("{player}: exact")
ESTIMATED = Sentence("{player}: estimate")
COUNTS = Sentence("{blunders} blunders, {errors} errors in {decisions} decisions")
MEAN = Sentence("{amount} a decision")
RATED = Sentence("PR {rating}")
DICE_GAVE = Sentence("luck {amount}")
INSTEAD_OF = Sentence("{made} · best {best}")
IN_TURN = Sentence("game {game}, play {turn}")
NOT_JUDGED = Sentence("Nothing analysed for {player} yet: Matches, a match, Analysis")
BY_MATCHES = Sentence("Errors by match: {player}")
RATING_IS = Sentence("PR: mean equity loss × {times}; 0 is perfect")
AGAINST = Sentence("against {player}")
OF_DECISIONS = Sentence("{blunders} / {errors} / {decisions}")
HEADS = Sentence("Blunders / errors / decisions")

ROWS_WIDE, ROWS_UPRIGHT = 4, 5


def draw_analysis(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    """Both players' figures and the list of losses; a tap shows one on the board."""
    bands, lesson = sheet_bands(canvas.size), shown.lesson
    opened = open_match(shown.shelf, ui)
    out = Close() if shown.view and shown.playing == ui.browsing.match else Open(Page.MATCH)
    back = Choice(BACK(), out)
    mine = lesson if lesson and lesson.match == ui.browsing.match else None
    if opened is None or mine is None or mine.analysis is None:
        head(canvas, bands.title, ANALYSIS())
        words = _waiting(shown, mine)
        canvas.text(bands.body, words, Pen(22, DIM, align=Align.CENTRE, lines=5))
        if mine and mine.total and not mine.told:
            _bar(canvas, bands.body, mine)
        paged_buttons(canvas, bands.buttons, (back,), ())
        return
    analysis = mine.analysis
    sure = PROVEN(player=analysis.player)
    judge = sure if analysis.exact else ESTIMATED(player=analysis.player)
    head(canvas, bands.title, ANALYSIS())
    lost, first = blunders_first(analysis), ui.browsing.judged
    count = ROWS_UPRIGHT if canvas.upright else ROWS_WIDE
    gap = canvas.px(GAP)
    columns, rows = (1, 2) if canvas.upright else (2, 1)
    fixed = canvas.px(20), rows * canvas.px(84) + (rows - 1) * gap
    rest = max(1, bands.body.h - sum(fixed) - 2 * gap)
    note, upper, lower = bands.body.rows((*fixed, rest), gap)
    canvas.text(note, judge, Pen(15, DIM))
    for place, side in zip(upper.grid(columns, rows, gap), Side, strict=True):
        _figures(canvas, place, opened, analysis, side)
    if not lost:
        canvas.text(lower, NO_ERROR(), Pen(24, IVORY, align=Align.CENTRE))
    for place, judged in zip(lower.grid(1, count, canvas.px(6)), lost[first:], strict=False):
        _loss(canvas, place, opened, judged)
    earlier = ShowLosses(max(0, first - count)) if first else None
    later = ShowLosses(first + count) if first + count < len(lost) else None
    paged_buttons(canvas, bands.buttons, (back,), (earlier, later))


def _waiting(shown: Shown, mine: Lesson | None) -> str:
    if mine and mine.told:
        return mine.told
    if mine and mine.total:
        return ASKING(player="Spotter", done=mine.done, total=mine.total)
    lesson = shown.lesson
    if lesson is None:
        return NO_COACH()
    if shown.shelf.matches == ():
        return NONE_KEPT()
    return shown.shelf.told or lesson.told or READING()


def _bar(canvas: Canvas[Action], body: Rect, lesson: Lesson) -> None:
    high = canvas.px(14)
    room = Rect(body.x, body.bottom - 3 * high, body.w, high)
    canvas.add(Box(room, BAND, canvas.px(6)))
    wide = room.w * lesson.done // max(1, lesson.total)
    if wide:
        canvas.add(Box(Rect(room.x, room.y, wide, high), AMBER, canvas.px(6)))


def _figures(
    canvas: Canvas[Action], rect: Rect, opened: OpenMatch, analysis: Analysis, side: Side
) -> None:
    """A player's name, and his figures in the unit in which most was judged."""
    canvas.add(Box(rect, BAND, canvas.px(8)))
    room = rect.inset(canvas.px(12), canvas.px(4))
    name, counts, means = room.rows((4, 3, 3), 0)
    player = opened.match.players[side is Side.BLACK]
    canvas.text(name, player, Pen(20, IVORY, bold=True))
    each = errors_of(analysis)[side]
    errors = max(each, key=lambda one: one.decisions, default=None)
    if errors is None:
        return
    words = COUNTS(blunders=errors.blunders, errors=errors.errors, decisions=errors.decisions)
    canvas.text(counts, words, Pen(16, IVORY))
    canvas.text(means, joined(tuple(_means(errors)), DOTTED), Pen(16, DIM))


def _means(errors: Errors) -> tuple[str, ...]:
    parts: list[str] = [MEAN(amount=short_of(errors.unit, errors.mean))]
    if errors.rating is not None:
        parts.append(RATED(rating=f"{errors.rating:.1f}"))
    if errors.luck is not None:
        sign = "+" if errors.luck >= 0 else "−"
        parts.append(DICE_GAVE(amount=f"{sign}{short_of(errors.unit, abs(errors.luck))}"))
    return tuple(parts)


def _loss(canvas: Canvas[Action], rect: Rect, opened: OpenMatch, judged: Judged) -> None:
    """Whose, what it cost, what was done and what had been best."""
    canvas.frame(rect, Look.PLAIN)
    game, mark = opened.board.games[opened.game], mark_of(judged)
    colour = {Mark.BLUNDER: VERMILION, Mark.ERROR: AMBER}.get(mark, EDGE)
    canvas.add(Box(Rect(rect.x, rect.y, canvas.px(6), rect.h), colour, canvas.px(3)))
    room = rect.inset(canvas.px(14), canvas.px(3))
    left, right = room.columns((7, 3), canvas.px(8))
    upper, lower = left.rows((5, 2) if canvas.upright else (5, 4), 0)
    player = opened.match.players[judged.moment.side is Side.BLACK]
    where = IN_TURN(game=judged.moment.game, turn=judged.moment.turn)
    done = INSTEAD_OF(made=made_of(game, judged), best=best_of(game, judged))
    pen = Pen(19, IVORY, bold=True, lines=3 if canvas.upright else 1)
    canvas.text(upper, done, pen)
    canvas.text(lower, joined((player, where), DOTTED), Pen(15, DIM))
    cost, word = right.rows((5, 4), 0)
    loss = (short_of if canvas.upright else amount_of)(judged.unit, judged.loss)
    canvas.text(cost, loss, Pen(18, IVORY, bold=True, align=Align.RIGHT))
    if mark in MARKS:
        canvas.text(word, MARKS[mark](), Pen(15, IVORY, align=Align.RIGHT))
    canvas.touch(rect, ShowLeaf(leaf_of(opened, judged), analysed=True))


# Match by match -----------------------------------------------------------------------------


def draw_ratings(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    """A player's analysed matches, the newest first."""
    bands, players = sheet_bands(canvas.size), shown.shelf.players
    number = min(ui.browsing.player, max(0, len(players) - 1))
    name = players[number].name if players else ""
    head(canvas, bands.title, BY_MATCHES(player=name), HEADS())
    ratings = [one for one in _ratings(shown) if one.name == name][::-1]
    count, first = (ROWS_UPRIGHT if canvas.upright else ROWS_WIDE) + 1, ui.browsing.judged
    if not ratings:
        told = NOT_JUDGED(player=name)
        canvas.text(bands.body, told, Pen(22, DIM, align=Align.CENTRE, lines=4))
    else:
        foot = canvas.px(24)
        body, note = bands.body.rows((bands.body.h - foot, foot), 0)
        places = body.grid(1, count, canvas.px(6))
        for place, rating in zip(places, ratings[first:], strict=False):
            _rating(canvas, place, shown, rating)
        canvas.text(note, RATING_IS(times=RATING), Pen(15, DIM))
    back = Choice(BACK(), ShowPlayer(number))
    earlier = ShowRatings(max(0, first - count)) if first else None
    later = ShowRatings(first + count) if first + count < len(ratings) else None
    paged_buttons(canvas, bands.buttons, (back,), (earlier, later))


def _ratings(shown: Shown) -> tuple[Rating, ...]:
    return shown.lesson.ratings if shown.lesson else ()


def _rating(canvas: Canvas[Action], rect: Rect, shown: Shown, rating: Rating) -> None:
    """When and against whom, and what it came to."""
    canvas.add(Box(rect, BAND, canvas.px(8)))
    left, middle, right = rect.inset(canvas.px(12), canvas.px(3)).columns((5, 3, 4), canvas.px(8))
    upper, lower = left.rows((5, 4), 0)
    canvas.text(upper, AGAINST(player=rating.against), Pen(18, IVORY, bold=True))
    titles = (one.title for one in shown.shelf.matches or () if one.number == rating.match)
    title = next(titles, "")
    words: str = rating.began if canvas.upright else joined((title, rating.began), DOTTED)
    canvas.text(lower, words, Pen(15, DIM))
    counts = OF_DECISIONS(
        blunders=rating.blunders, errors=rating.errors, decisions=rating.decisions
    )
    canvas.text(middle, counts, Pen(18, IVORY, align=Align.CENTRE))
    mean = rating.loss / rating.decisions if rating.decisions else 0.0
    value, judge = right.rows((5, 4), 0)
    if rating.rating is not None:
        told: str = RATED(rating=f"{rating.rating:.1f}")
    else:
        told = MEAN(amount=short_of(Unit(rating.unit), mean))
    canvas.text(value, told, Pen(18, IVORY, bold=True, align=Align.RIGHT))
    by = PROVEN(player=rating.judge) if rating.exact else rating.judge
    canvas.text(judge, by, Pen(15, DIM, align=Align.RIGHT))
