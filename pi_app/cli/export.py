"""`spotter export NUMBER`: a kept match as a score sheet, for gnubg, as events or as decisions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from pi_app.cli.arguments import Parser, whole
from pi_app.cli.ending import Status, say
from pi_app.export.retold import Kept
from pi_app.export.sheet import score_sheet
from pi_app.games.equipment import Compendium
from pi_app.journal.archive import Archive, MatchSummary
from pi_app.journal.opening import FILE, data_folder
from pi_app.journal.store import TOUCHES_A_MATCH
from pi_app.referee.decision import write_decision
from pi_app.referee.lines import EventError, write_event
from pi_app.rejudging import Rejudging
from pi_app.wall_time import local_time

MOST_NUMBER = 999_999_999
GIVEN_UP = (
    f"not all touches of this match are there: Spotter keeps the newest {TOUCHES_A_MATCH} "
    "of a match, and none of the oldest matches once the disk fills; its decisions are whole"
)


SHEET, EVENTS, DECISIONS = "sheet", "events", "decisions"


def run(argv: list[str], games: Compendium) -> int:
    """Write a match out in one of its forms."""
    arguments = _parser(games).parse_args(argv)
    for line in _exported(data_folder() / FILE, arguments.number, arguments.form, games):
        print(line)
    return Status.DONE


def _parser(games: Compendium) -> Parser:
    parser = Parser("export", "Write out a kept match, by default as a score sheet.")
    parser.add_argument(
        "number",
        type=whole(1, MOST_NUMBER),
        metavar="NUMBER",
        help="as `spotter matches` shows it",
    )
    forms = parser.add_mutually_exclusive_group()
    forms.set_defaults(form=SHEET)
    offered = {form.name: form.says for game in games.games for form in game.forms}
    for name, says in {
        EVENTS: "write JSON lines, as `spotter replay` reads them",
        DECISIONS: "write JSON lines of what was decided, and how sure each play was",
        **offered,
    }.items():
        forms.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=says)
    return parser


def _exported(path: Path, number: int, form: str, games: Compendium) -> Iterator[str]:
    with closing(Archive(path, Rejudging(games.rules))) as archive:
        match = archive.match(number)
        kept = Kept(match.start, archive.decisions(match.number), games.rules)
        if form == EVENTS:
            if not archive.has_all_touches(match.number):
                say([GIVEN_UP])
            yield from map(write_event, archive.touches(match.number))
        elif form == DECISIONS:
            yield from map(write_decision, kept.decisions)
        elif form == SHEET:
            yield f"Match {match.number}, {local_time(match.began)}"
            yield from score_sheet(kept)
        else:
            yield from _in_form(form, match, kept, games)


def _in_form(form: str, match: MatchSummary, kept: Kept, games: Compendium) -> Iterator[str]:
    """The match in a form that its game offers."""
    lines = {one.name: one.lines for one in games.find(match.start.game).forms}
    if form not in lines:
        what = f"match {match.number}: {kept.game.title} has no {form}"
        raise EventError(f"{what}; export it without --{form} for a score sheet, which tells it")
    try:
        yield from lines[form](kept, match.began)
    except EventError as error:
        raise EventError(f"match {match.number}: {error}") from None
