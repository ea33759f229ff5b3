"""What goes over the wire: records, summaries and letters, each a JSON object, and their topics.

Everything carries `(board, match, sequence)`.  A record is a line of a board's journal as it was
kept: 0 is the match's start, from 1 on are its decisions in their order.  Whoever collects them
knows by the numbers what is missing and what came twice.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import NewType

from pi_app.strict import Reader
from pi_app.texts import quoted

BoardName = NewType("BoardName", str)
"""What a board is called at its club, and its account: small letters, digits and hyphens."""
MatchKey = NewType("MatchKey", str)
"""A match of one board for ever: its number in the journal, `@`, and when it began.

The number alone would come again on a board whose journal was lost.
"""

LARGEST = 64 * 1024
"""In bytes; no message is longer."""
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
_MOST = 10**9
_ROOT = "spotter/1"


class RecordError(ValueError):
    """A message that is not one of ours; says why."""


@dataclass(frozen=True, slots=True)
class RecordId:
    """Which record: the board, its match, and the place in it."""

    board: BoardName
    match: MatchKey
    sequence: int


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a board's journal."""

    id: RecordId
    line: str


@dataclass(frozen=True, slots=True)
class Summary:
    """How a board stands: of its match the start and the newest decision, and what is told there.

    `id` is that of the decision, or of the start while nothing is decided; `decision` is then None.
    `warning` is the sentence on the board's screen, in English, or None.
    """

    id: RecordId
    start: str
    decision: str | None
    warning: str | None = None


def board_name(text: str) -> BoardName:
    """A board's name; raises RecordError for what a topic cannot hold."""
    if not _NAME.fullmatch(text):
        raise RecordError(
            f"board {quoted(text)}; its name can have small letters, digits and hyphens, 32 at most"
        )
    return BoardName(text)


def match_key(number: int, began: str) -> MatchKey:
    """The key of a match of the journal; `began` is its wall time as kept."""
    return MatchKey(f"{number}@{began}")


def record_topic(board: BoardName) -> str:
    """Where a board tells its records, at QoS 1."""
    return f"{_ROOT}/{board}/record"


def summary_topic(board: BoardName) -> str:
    """Where a board tells how it stands, retained."""
    return f"{_ROOT}/{board}/summary"


def presence_topic(board: BoardName) -> str:
    """Where `here`, or by the board's last will `away`, is retained."""
    return f"{_ROOT}/{board}/presence"


def have_topic(board: BoardName) -> str:
    """Where the archive tells a board what it has of it, retained."""
    return f"{_ROOT}/{board}/have"


def letter_topic(sender: BoardName, to: BoardName) -> str:
    """Where a board writes to the one that it is linked with."""
    return f"{_ROOT}/{sender}/letter/{to}"


def write_record(record: Record) -> bytes:
    """The message that read_record takes."""
    return _written({**_id_fields(record.id), "line": record.line})


def read_record(message: bytes) -> Record:
    """Raises RecordError, which names every key at fault."""
    reader = _reader(message)
    record = Record(_read_id(reader), reader.take("line", str))
    _done(reader)
    return record


def write_summary(summary: Summary) -> bytes:
    """The message that read_summary takes."""
    fields = {"start": summary.start, "decision": summary.decision, "warning": summary.warning}
    there = {key: value for key, value in fields.items() if value is not None}
    return _written({**_id_fields(summary.id), **there})


def read_summary(message: bytes) -> Summary:
    """Raises RecordError, which names every key at fault."""
    reader = _reader(message)
    summary = Summary(
        _read_id(reader),
        reader.take("start", str),
        reader.take("decision", str) if reader.has("decision") else None,
        reader.take("warning", str) if reader.has("warning") else None,
    )
    _done(reader)
    return summary


def _id_fields(record: RecordId) -> dict[str, object]:
    return {"board": record.board, "match": record.match, "sequence": record.sequence}


def _read_id(reader: Reader) -> RecordId:
    board, match = reader.take("board", str), MatchKey(reader.take("match", str))
    sequence = reader.whole("sequence", 0, _MOST)
    return RecordId(board_name(board), match, sequence)


def _written(fields: dict[str, object]) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _reader(message: bytes) -> Reader:
    if len(message) > LARGEST:
        raise RecordError(f"a message of {len(message)} bytes; the longest has {LARGEST}")
    try:
        fields = json.loads(message.decode("utf-8", "strict"))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise RecordError("no JSON object; a message is {…}")
    return Reader(fields)


def _done(reader: Reader) -> None:
    reader.done()
    if reader.faults:
        raise RecordError("; ".join(reader.faults))
