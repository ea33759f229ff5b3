"""`spotter verify FILE`: whether a sealed record is as it was sealed, and follows the rules.

It needs neither a journal nor a board: any machine will do.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.files import open_plain, why
from pi_app.games.equipment import Compendium
from pi_app.match.turns import Phase
from pi_app.referee.decision import What
from pi_app.seal.keys import read_public
from pi_app.seal.verifying import SealedRecord, SealedRecordError, impossible, read_record
from pi_app.words.wall_time import local_time

MOST_BYTES = 64 * 1024 * 1024
"""A hundred thousand decisions and more."""
MOST_TOLD = 20


def run(argv: list[str], games: Compendium) -> int:
    parser = Parser("verify", "Check a sealed record: by its signature, and by the rules.")
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="as `spotter export N --sealed` writes it"
    )
    parser.add_argument(
        "--key",
        metavar="KEY",
        help="the public key that it is to be sealed by, as `spotter export --key` prints it on "
        "that board, or a file that has it",
    )
    arguments = parser.parse_args(argv)
    key = read_public(arguments.key) if arguments.key else None
    record = read_file(arguments.file, key)
    wrong = [*record.faults, *_against_rules(record, games)]
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
        return read_record(_read(file), key)
    except SealedRecordError as error:
        raise SealedRecordError(f"{file}: {error}") from None
    except (OSError, ValueError) as error:
        raise SealedRecordError(
            f"{file}: {why(error)}; give a file of spotter export --sealed"
        ) from None


def _read(file: Path) -> bytes:
    """Raises OSError or ValueError."""
    with open_plain(file) as opened:
        data = opened.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"it is longer than {MOST_BYTES // 1024 // 1024} MiB")
    return data


def _against_rules(record: SealedRecord, games: Compendium) -> Iterator[str]:
    if record.start is not None:
        yield from impossible(record.start, record.decisions, games.rules)


def _lines(file: Path, record: SealedRecord, key: str | None) -> Iterator[str]:
    """The report on a record that passes."""
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
    if corrected := [str(number) for number, each in decisions if each.what is What.CORRECTION]:
        yield f"Taken as the players said: the board corrected: decision {', '.join(corrected)}."
    for earlier in record.sealed_by[1:]:
        yield f"An earlier end of it was sealed by another key, {earlier}."
    yield f"Sealed by the key {record.sealed_by[0]}"
    yield "Had the match gone on after this end, only a later seal of that board would say so."
    if key is None:
        yield "Whose key that is, `spotter export --key` says on that board; --key KEY compares it."
