"""`spotter report`: all analysed matches of a player together, and what cost most in them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from pi_app.base.errors import FailedError
from pi_app.base.typed_json import plain
from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.coach.report import PlayerReport, ReportRow, costliest, reports
from pi_app.coach.study import FILE, Rating, grade_of, read_ratings
from pi_app.coach.training import FILE as TRAINING
from pi_app.coach.training import Exercise, TrainingFile
from pi_app.games.equipment import Compendium
from pi_app.journal.opening import data_folder
from pi_app.user.settings import load_settings
from pi_app.words.texts import columns, quoted

MOST_COSTLY, MOST_OPPONENTS = 10, 20


class NoReportError(FailedError):
    """No match of the player is analysed."""


def report(argv: list[str], games: Compendium) -> int:
    parser = Parser("report", "Show a player's analysed matches together, and what cost most.")
    parser.takes("--name", "NAME", "the player; by default you, or the most frequent one")
    parser.add_json()
    args = parser.parse_args(argv)
    ratings = read_ratings(data_folder() / FILE)
    name = args.name or load_settings().coach.me or _frequent(ratings)
    found = tuple(reports(ratings, name))
    if not found:
        there = ", ".join(dict.fromkeys(one.name for one in ratings))
        none = f"{quoted(name)}: no analysed match; there are some of: {there}"
        how = "spotter analyse analyses all that are stored"
        raise NoReportError(f"{none if there else 'no match is analysed yet'}; {how}")
    training = TrainingFile(data_folder() / TRAINING).training
    costly = {one.game: costliest(training, name, one.game, MOST_COSTLY) for one in found}
    if args.json:
        print(json.dumps([plain(one) | {"costly": plain(costly[one.game])} for one in found]))
    else:
        for one in found:
            print("\n".join(_lines(one, costly[one.game], games)))
    return Status.DONE


def _frequent(ratings: tuple[Rating, ...]) -> str:
    counts = Counter(one.name for one in ratings)
    return counts.most_common(1)[0][0] if counts else ""


def _lines(one: PlayerReport, costly: tuple[Exercise, ...], games: Compendium) -> Iterator[str]:
    graded = games.find(games.rules.match(one.game).first.name).rules.graded
    heads = ("", "matches", "decisions", "errors", "blunders", "rating")
    yield f"{one.player}, {one.game}"
    yield columns([heads, _cells(one.total, graded=graded)])
    parts = (("by month", one.months), ("by kind", one.kinds), ("by opponent", one.opponents))
    for title, rows in parts:
        yield ""
        shown = rows[:MOST_OPPONENTS] if rows is one.opponents else rows
        yield columns([(title, *heads[1:]), *(_cells(row, graded=False) for row in shown)])
    if costly:
        yield ""
        yield f"What cost most; spotter train --name {quoted(one.player)} trains it"
        yield columns([(f"{each.cost:.3f}", each.position) for each in costly])


def _cells(row: ReportRow, *, graded: bool) -> tuple[str, ...]:
    rating = "–" if row.rating is None else f"{row.rating:.2f}"
    if row.rating is not None and graded:
        rating = f"{rating} {grade_of(row.rating).value}"
    return (row.name, *map(str, (row.matches, row.decisions, row.errors, row.blunders)), rating)
