"""`spotter export NUMBER`: a kept match as a score sheet, for others, or sealed.

`spotter export --key` prints the public half of the key by which this board seals.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from pi_app.cli.arguments import Parser, whole
from pi_app.cli.ending import Status, say
from pi_app.errors import FailedError
from pi_app.export.retold import ExportForm, Kept
from pi_app.export.sheet import score_sheet
from pi_app.files import replace_text
from pi_app.games.equipment import Compendium
from pi_app.journal.archive import Archive, MatchSummary
from pi_app.journal.opening import FILE, data_folder
from pi_app.journal.store import TOUCHES_A_MATCH
from pi_app.referee.decision import write_decision
from pi_app.referee.lines import EventError, write_event
from pi_app.seal.keys import read_key
from pi_app.seal.record import read_seal, write_record
from pi_app.words.wall_time import local_time

MOST_NUMBER = 999_999_999
GIVEN_UP = (
    f"not all touches of this match are there: Spotter keeps the newest {TOUCHES_A_MATCH} "
    "of a match, and none of the oldest matches once the disk fills; its decisions are whole"
)


SHEET, EVENTS, DECISIONS, SEALED = "sheet", "events", "decisions", "sealed"


class UnsealedError(FailedError):
    """The match has no seal at this point. The message says why and what to do."""


def run(argv: list[str], games: Compendium) -> int:
    parser = _parser(games)
    arguments = parser.parse_args(argv)
    if arguments.key:
        print(read_key(data_folder()).public)
        return Status.DONE
    if arguments.number is None:
        parser.error("the number of a match is missing")
    path = data_folder() / FILE
    lines = _exported(path, arguments.number, arguments.form, games)
    if arguments.output is None:
        for line in lines:
            print(line)
    else:
        replace_text(arguments.output, "".join(f"{line}\n" for line in lines))
    return Status.DONE


def _parser(games: Compendium) -> Parser:
    parser = Parser("export", "Write out a kept match, by default as a score sheet.")
    parser.add_argument(
        "number",
        nargs="?",
        type=whole(1, MOST_NUMBER),
        metavar="NUMBER",
        help="as `spotter matches` shows it",
    )
    parser.add_argument(
        "-o", dest="output", type=Path, metavar="FILE", help="write to a file, whole or not at all"
    )
    forms = parser.add_mutually_exclusive_group()
    forms.set_defaults(form=SHEET)
    offered = {form.name: form.says for game in games.games for form in game.forms}
    for name, says in {
        EVENTS: "write JSON lines, as `spotter replay` reads them",
        DECISIONS: "write JSON lines of what was decided, and how sure each play was",
        SEALED: "write the record that the board sealed when the match ended, for spotter verify",
        **offered,
    }.items():
        forms.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=says)
    forms.add_argument(
        "--key", action="store_true", help="print the public key by which this board seals"
    )
    return parser


def _exported(path: Path, number: int, form: str, games: Compendium) -> Iterator[str]:
    with closing(Archive(path)) as archive:
        match = archive.match(number)
        kept = Kept(match.start, archive.decisions(match.number), games.rules)
        if form == EVENTS:
            if not archive.has_all_touches(match.number):
                say([GIVEN_UP])
            yield from map(write_event, archive.touches(match.number))
        elif form == DECISIONS:
            yield from map(write_decision, kept.decisions)
        elif form == SEALED:
            yield from write_record(_sealed(archive, match)).splitlines()
        elif form == SHEET:
            yield f"Match {match.number}, {local_time(match.date)}"
            yield from score_sheet(kept)
        else:
            yield from _in_form(form, match, kept, games)


def _sealed(archive: Archive, match: MatchSummary) -> tuple[str, ...]:
    """Raises UnsealedError unless the record ends with its seal."""
    lines = archive.record(match.number)
    if read_seal(lines[-1]) is not None:
        return lines
    if not match.is_over:
        raise UnsealedError(f"match {match.number} is not over; it is sealed when it ends")
    raise UnsealedError(
        f"match {match.number} was not sealed when it ended, and cannot be any more; export it "
        "with --decisions"
    )


def _in_form(form: str, match: MatchSummary, kept: Kept, games: Compendium) -> Iterator[str]:
    """Write the match in a format that its game offers."""
    lines = _form(form, match, kept, games).lines
    try:
        yield from lines(kept, match.date)
    except EventError as error:
        raise EventError(f"match {match.number}: {error}") from None


def _form(form: str, match: MatchSummary, kept: Kept, games: Compendium) -> ExportForm:
    """Raises EventError if the match's game does not offer this format."""
    for one in games.find(match.start.game).forms:
        if one.name == form:
            return one
    what = f"match {match.number}: {kept.game.title} has no {form}"
    raise EventError(f"{what}; export it without --{form} for a score sheet, which tells it")
