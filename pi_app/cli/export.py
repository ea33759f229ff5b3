"""`spotter export NUMBER`: a kept match as a score sheet, for gnubg, or as its events."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from enum import Enum
from pathlib import Path

from pi_app.cli.arguments import Parser, whole
from pi_app.cli.ending import Status, say
from pi_app.cli.wall_time import local_time
from pi_app.export.mat import mat_lines
from pi_app.export.retold import Kept
from pi_app.export.sheet import score_sheet
from pi_app.journal.archive import Archive, MatchSummary
from pi_app.journal.opening import FILE, data_folder
from pi_app.journal.store import TOUCHES_A_MATCH
from pi_app.referee.lines import EventError, write_event
from pi_app.rejudging import judge_again

MOST_NUMBER = 999_999_999
GIVEN_UP = (
    f"not all touches of this match are there: Spotter keeps the newest {TOUCHES_A_MATCH} "
    "of a match, and none of the oldest matches once the disk fills; its decisions are whole"
)


class ExportFormat(Enum):
    """What a match is written as."""

    SHEET = "sheet"
    EVENTS = "events"
    MAT = "mat"


def run(argv: list[str]) -> int:
    """Write a match out in one of its forms."""
    parser = Parser("export", "Write out a kept match, by default as a score sheet.")
    parser.add_argument(
        "number",
        type=whole(1, MOST_NUMBER),
        metavar="NUMBER",
        help="as `spotter matches` shows it",
    )
    forms = parser.add_mutually_exclusive_group()
    forms.set_defaults(form=ExportFormat.SHEET)
    for form, says in (
        (ExportFormat.EVENTS, "write JSON lines, as `spotter replay` reads them"),
        (ExportFormat.MAT, "write a Backgammon match as GNU Backgammon and others read it"),
    ):
        forms.add_argument(
            f"--{form.value}", dest="form", action="store_const", const=form, help=says
        )
    arguments = parser.parse_args(argv)
    path = data_folder() / FILE
    for line in _exported(path, arguments.number, arguments.form):
        print(line)
    return Status.DONE


def _exported(path: Path, number: int, form: ExportFormat) -> Iterator[str]:
    with closing(Archive(path, judge_again)) as archive:
        match = archive.match(number)
        kept = Kept(match.start, archive.decisions(match.number))
        match form:
            case ExportFormat.EVENTS:
                if not archive.has_all_touches(match.number):
                    say([GIVEN_UP])
                yield from map(write_event, archive.touches(match.number))
            case ExportFormat.MAT:
                yield from _mat(match, kept)
            case ExportFormat.SHEET:
                yield f"Match {match.number}, {local_time(match.began)}"
                yield from score_sheet(kept)


def _mat(match: MatchSummary, kept: Kept) -> Iterator[str]:
    try:
        yield from mat_lines(kept, match.began)
    except EventError as error:
        raise EventError(f"match {match.number}: {error}") from None
