"""`spotter matches`, `export` and `verify`: list, write and check stored matches.

Verifying needs neither a journal nor a board.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from pi_app.base.errors import FailedError
from pi_app.base.files import is_there, read_bytes, replace_text, why
from pi_app.cli.arguments import Parser, UsageError, whole
from pi_app.cli.ending import Status, say
from pi_app.export.retold import Kept
from pi_app.export.sheet import score_sheet
from pi_app.export.statistics import (
    Faces,
    Fairness,
    by_name,
    chance_of,
    figures_of,
    judge_dice,
    names_counted,
)
from pi_app.games.equipment import Compendium
from pi_app.journal.archive import Archive, MatchSummary, Tally
from pi_app.journal.opening import FILE, data_folder, open_to_store
from pi_app.journal.store import TOUCHES_A_MATCH
from pi_app.match.acts import Act
from pi_app.match.turns import SHOWN, Phase
from pi_app.referee.events import EventError
from pi_app.referee.lines import write_decision, write_event
from pi_app.rules.contract import Games
from pi_app.seal.keys import read_key, read_public
from pi_app.seal.record import read_seal, write_record
from pi_app.seal.verifying import SealedRecord, SealedRecordError, impossible, read_record
from pi_app.words.texts import columns, quoted
from pi_app.words.wall_time import local_time

_PLAYER_HEADS = (
    *("player", "matches", "finished", "won", "points", "plays", "minutes", "undone", "warned"),
    *("rolled", "p", "typed", "p"),
)
MOST_NUMBER = 999_999_999
_HEADS = ("number", "date", "game", "White", "Black", "to", "score", "state")


def list_matches(argv: list[str], games: Compendium) -> int:
    parser = Parser("matches", "List the stored matches.")
    parser.flag("--players", "list the players instead: matches, points, dice")
    parser.takes("--delete", "NUMBER", "delete an imported match", whole(1, MOST_NUMBER))
    args = parser.parse_args(argv)
    rows = _players if args.players else _matches
    path = data_folder() / FILE
    if args.delete is not None:
        with closing(open_to_store(data_folder())) as opened:
            opened.journal.delete(args.delete)
        print(f"Match {args.delete} is deleted.")
        return Status.DONE
    table: list[tuple[str, ...]] = []
    if is_there(path) or Tally(path).read():
        with closing(Archive(path)) as archive:
            table = list(rows(archive, games.rules))
    if len(table) > 1:
        print(columns(table))
    else:
        print("No matches yet: the first one begins with `spotter`.")
    return Status.DONE


def _matches(archive: Archive, _: Games) -> Iterator[tuple[str, ...]]:
    yield _HEADS
    yield from map(_row, archive.matches())


def _players(archive: Archive, games: Games) -> Iterator[tuple[str, ...]]:
    """Yield the totals of each named player; `p` is the probability that fair dice fall this
    unevenly."""
    yield _PLAYER_HEADS
    played = (
        (names_counted(kept.start, kept.series.side_names), figures_of(kept))
        for match in archive.matches()
        if match.start.game in games.matches
        for kept in (Kept(match.start, archive.decisions(match.number), games),)
    )
    for name, totals in by_name(played).items():
        yield (
            name,
            str(totals.matches),
            str(totals.over),
            str(totals.won),
            f"{totals.points}–{totals.against}",
            f"{totals.mean_plays:.0f}",
            f"{totals.mean_minutes:.0f}",
            str(totals.taken_back),
            f"{totals.warned}/{totals.watched}" if totals.watched else "–",
            *_dice(totals.rolled),
            *_dice(totals.typed),
        )


def _dice(faces: Faces) -> tuple[str, str]:
    """The number of dice, and the probability that fair dice fall this unevenly, if there are
    enough."""
    enough = judge_dice(faces) is not Fairness.TOO_FEW
    return str(sum(faces)), f"{chance_of(faces):.3f}" if enough else "–"


def _row(match: MatchSummary) -> tuple[str, ...]:
    start, score = match.start, match.score
    state = "finished" if match.is_over else SHOWN[match.phase]
    if start.imported:
        state = "imported"
    return (
        str(match.number),
        local_time(match.date),
        start.game,
        *start.players,
        str(start.match_to or "–"),
        f"{score.white}–{score.black}",
        state,
    )


def number_of(match: str) -> int:
    """Read a match's number. Raises UsageError."""
    if len(match) > len(str(MOST_NUMBER)) or not int(match):
        raise UsageError(f"{quoted(match)} is no number of a match")
    return int(match)


GIVEN_UP = (
    f"some touches of this match are missing: Spotter stores the newest {TOUCHES_A_MATCH} "
    "of a match, and drops those of old matches when the disk fills; the decisions are complete"
)


SHEET, EVENTS, DECISIONS, SEALED = "sheet", "events", "decisions", "sealed"


class UnsealedError(FailedError):
    """The match has no seal at this point. The message says why and what to do."""


def export(argv: list[str], games: Compendium) -> int:
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
    parser = Parser("export", "Write a stored match, by default as a score sheet.")
    number = "as `spotter matches` shows it"
    parser.takes("number", "NUMBER", number, whole(1, MOST_NUMBER), nargs="?")
    parser.takes("-o", "FILE", "write to a file, whole or not at all", Path, dest="output")
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
    key = "print the public key by which this board seals"
    forms.add_argument("--key", action="store_true", help=key)
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
    """Raises EventError if the match's game does not offer this format."""
    forms = {one.name: one for one in games.forms(match.start.game)}
    if form not in forms:
        what = f"match {match.number}: {kept.series.title} has no {form}"
        raise EventError(f"{what}; export it without --{form} for a score sheet, which tells it")
    try:
        yield from forms[form].lines(kept, match.date)
    except EventError as error:
        raise EventError(f"match {match.number}: {error}") from None


MOST_BYTES = 64 * 1024 * 1024
"""Enough for more than a hundred thousand decisions."""
MOST_TOLD = 20


def verify(argv: list[str], games: Compendium) -> int:
    parser = Parser("verify", "Check a sealed record: by its signature, and by the rules.")
    parser.takes("file", "FILE", "as `spotter export N --sealed` writes it", Path)
    says = "the public key that it is to be sealed by, as `spotter export --key` prints it on"
    parser.takes("--key", "KEY", f"{says} that board, or a file that has it")
    arguments = parser.parse_args(argv)
    key = read_public(arguments.key) if arguments.key else None
    record = read_file(arguments.file, key)
    wrong = faults_of(record, games)
    for line in wrong[:MOST_TOLD]:
        print(f"{arguments.file}: {line}")
    if len(wrong) > MOST_TOLD:
        print(f"and {len(wrong) - MOST_TOLD} more")
    if not wrong:
        print("\n".join(_lines(arguments.file, record, key)))
    return Status.FAILED if wrong else Status.DONE


def read_file(file: Path, key: str | None = None) -> SealedRecord:
    """Raises SealedRecordError, which names the file, or SealError."""
    try:
        return read_record(read_bytes(file, MOST_BYTES), key)
    except SealedRecordError as error:
        raise SealedRecordError(f"{file}: {error}") from None
    except (OSError, ValueError) as error:
        wanted = "give a file of spotter export --sealed"
        raise SealedRecordError(f"{file}: {why(error)}; {wanted}") from None


def faults_of(record: SealedRecord, games: Compendium) -> list[str]:
    """What is wrong with it, by its seal and by the rules."""
    start = record.start
    return [*record.faults, *(impossible(start, record.decisions, games.rules) if start else ())]


def _lines(file: Path, record: SealedRecord, key: str | None) -> Iterator[str]:
    start, last = record.start, record.decisions[-1][1] if record.decisions else None
    yield f"{file}: as it was sealed, {len(record.decisions)} decisions"
    if start is not None and last is not None:
        white, black = start.players
        score = last.state.standing.score
        over = "" if last.state.phase is Phase.MATCH_OVER else ", not over"
        to = f"to {start.match_to}" if start.match_to else "unlimited"
        yield f"match {record.match} of {local_time(record.began)}: {start.game}, {to}{over}"
        yield f"{white} {score.white} – {score.black} {black}"
    yield "Every decision follows from the one before it by the rules."
    decisions = record.decisions
    if corrected := [str(number) for number, each in decisions if each.what is Act.CORRECT]:
        yield f"Corrected by the players: decision {', '.join(corrected)}."
    for earlier in record.sealed_by[1:]:
        yield f"An earlier end of it was sealed by another key, {earlier}."
    yield f"Sealed by the key {record.sealed_by[0]}"
    yield "If the match continued after this end, only a later seal of that board shows it."
    if key is None:
        yield "`spotter export --key` prints that board's key; --key KEY compares it."
