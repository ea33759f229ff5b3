"""A player's analysed matches together: by month, by kind of error, by opponent, and what cost
most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pi_app.coach.report import PlayerReport, ReportRow, costliest, reports
from pi_app.coach.study import ErrorKind, grade_of
from pi_app.coach.training import Exercise
from pi_app.match.origin import Problem, read_problem
from pi_app.match.turns import OVER
from pi_app.rules.naming import name_roll
from pi_app.rules.terms import RulesError
from pi_app.screen import icons
from pi_app.screen.actions import Action, Screen, begin_training, show_ratings, show_report
from pi_app.screen.canvas import Align, Look, Pen, Rect, Size, union
from pi_app.screen.pages.coach import COSTS, GRADES, rating_of
from pi_app.screen.pages.matches import AGAINST, NOT_JUDGED, OF_DECISIONS
from pi_app.screen.pages.parts import BACK, Choice, Listed, draw_list, draw_message, pair_in
from pi_app.screen.theme import AMBER, DIM, IVORY
from pi_app.screen.ui import Shown, Ui
from pi_app.words.numbers import decimal
from pi_app.words.sentences import DOTTED, Sentence, joined

REPORT_OF = Sentence("Report: {player}")
COUNTED = Sentence("Blunders / errors / decisions, PR")
IN_MATCHES = Sentence("1 match", "{n} matches")
OF_KIND: Mapping[str, Sentence] = {
    ErrorKind.PLAY.value: Sentence("Plays"),
    ErrorKind.DOUBLE.value: Sentence("Doubles"),
    ErrorKind.TAKE.value: Sentence("Takes"),
}
TO_PLAY = Sentence("{roll} to play")
TAKE_OR_PASS = Sentence("Take or pass")
DOUBLE_OR_ROLL = Sentence("Double or roll")
TRY_IT = Sentence("Costly: tap to try again")
MOST_ROWS, MOST_COSTLY = 6, 10


class ShownRow(NamedTuple):
    """A row; with an `action` it is an exercise. The last `notes` may be left out."""

    name: str
    notes: tuple[str, ...]
    right: str
    action: Action | None = None


def draw_report(canvas: Screen, shown: Shown, ui: Ui) -> None:
    players = shown.shelf.players
    number = min(ui.browsing.player, max(0, len(players) - 1))
    name = players[number].name if players else ""
    ratings = shown.lesson.ratings if shown.lesson else ()
    rows = tuple(row for one in reports(ratings, name) for row in _rows(shown, one))
    back = Choice(BACK(), show_ratings(), icon=icons.back)
    high = canvas.high(Size.TEXT, Size.SMALL) + canvas.px(8)
    listed = Listed(show_report, ui.browsing.row, len(rows), MOST_ROWS, high)
    _, places = draw_list(canvas, REPORT_OF(player=name), COUNTED(), (back,), listed)
    if not rows:
        draw_message(canvas, union(places), NOT_JUDGED(player=name))
    for place, row in zip(places, rows[listed.first :], strict=False):
        _row(canvas, place, row)


def _rows(shown: Shown, report: PlayerReport) -> Iterator[ShownRow]:
    """One game's figures: in all, by month, by kind and by opponent; then its exercises."""
    series = shown.games.matches.get(report.game)
    title = series.title if series else report.game
    grade = ""
    if series and series.first.graded and report.total.rating is not None:
        grade = GRADES[grade_of(report.total.rating)]()
    yield _figures(report.total, title, grade)
    for month in report.months:
        yield _figures(month, month.name, title)
    for kind in report.kinds:
        yield _figures(kind, OF_KIND[kind.name](), title, counted=False)
    for opponent in report.opponents:
        yield _figures(opponent, AGAINST(player=opponent.name), title)
    training, busy = shown.coached.training, shown.view and shown.view.phase not in OVER
    for one in costliest(training, report.player, report.game, MOST_COSTLY):
        try:
            problem = read_problem(one.position, shown.games)
        except RulesError:
            continue
        train = None if busy else begin_training(report.player, one.position)
        yield ShownRow(_asks(problem), (TRY_IT(),), _cost(one), train)


def _figures(row: ReportRow, name: str, note: str, *, counted: bool = True) -> ShownRow:
    matches = IN_MATCHES(n=row.matches) if counted else ""
    rating = "–" if row.rating is None else rating_of(row.rating)
    counts = OF_DECISIONS(blunders=row.blunders, errors=row.errors, decisions=row.decisions)
    return ShownRow(name, tuple(filter(None, (counts, matches, note))), rating)


def _asks(problem: Problem) -> str:
    """What is to be decided at a position."""
    if problem.roll:
        return TO_PLAY(roll=name_roll(problem.roll))
    return TAKE_OR_PASS() if problem.is_doubled else DOUBLE_OR_ROLL()


def _cost(exercise: Exercise) -> str:
    return COSTS(amount=decimal(exercise.cost or 0.0, 3))


def _row(canvas: Screen, rect: Rect, row: ShownRow) -> None:
    canvas.frame(rect, Look.PLAIN)
    room = rect.inset(canvas.px(14), 0)
    pen = Pen(Size.TEXT, IVORY, bold=True, align=Align.RIGHT)
    wide = canvas.width(row.right, pen)
    upper, lower = pair_in(canvas, Rect(room.x, room.y, room.w - wide - canvas.px(10), room.h))
    canvas.line(upper, row.name, Pen(Size.TEXT, IVORY, bold=True))
    small, count = Pen(Size.SMALL, DIM), len(row.notes)
    fewer = (joined(row.notes[: count - less], DOTTED) for less in range(count))
    canvas.line(lower, canvas.first_to_fit(lower.w, small, *fewer), small)
    canvas.text(Rect(room.right - wide, upper.y, wide, upper.h), row.right, pen)
    if row.action:
        canvas.stripe(rect, AMBER)
        canvas.touch(rect, row.action)
