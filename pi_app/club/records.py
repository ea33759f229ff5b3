"""The messages on the wire: records, summaries and letters, each a JSON object, and their topics.

Each carries `(board, match, sequence)`. A record is a line of a board's journal: sequence 0 is the
match's start, 1 and on are its decisions, and its seals begin at SEALED. The numbers show gaps and
duplicates.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any

from pi_app.identifiers import (
    HIGHEST_NUMBER,
    BoardName,
    IdentifierError,
    MatchKey,
    board_name,
    read_match_key,
    remark,
    token,
)
from pi_app.strict import Reader
from pi_app.words.texts import quoted

HERE, AWAY = b"here", b"away"
"""The message on a presence topic."""

SEALED = 500_000_000
"""A seal's sequence is this plus the number of decisions before it."""
LARGEST = 64 * 1024
"""The longest message, in bytes."""
_ROOT = "spotter/1"


class RecordError(ValueError):
    """A message of another format. The message says why."""


@dataclass(frozen=True, slots=True)
class RecordId:
    """Which record: the board, its match, and the place in it."""

    board: BoardName
    match: MatchKey
    sequence: int

    @property
    def is_seal(self) -> bool:
        return self.sequence >= SEALED


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a board's journal."""

    id: RecordId
    line: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A board's state: the match's start, its newest decision, and the current warning.

    `id` is that of the decision, or of the start before the first decision; `decision` is then
    None. `warning` is the sentence on the board's screen, in English, or None.
    """

    id: RecordId
    start: str
    decision: str | None
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class Have:
    """How far the archive has each match of a board without a gap; -1 without its start.

    Only the latest matches are listed; `seals` counts the seals of each. `archive` identifies the
    archive: another one has none of these records. A new `session` means that the archive was
    disconnected and may have missed messages.
    """

    archive: str
    upto: Mapping[MatchKey, int]
    seals: Mapping[MatchKey, int] = field(default_factory=lambda: MappingProxyType({}))
    session: str = ""


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether a board is connected to the broker."""

    board: BoardName
    is_here: bool


class Topic(Enum):
    """What a board's messages tell, at QoS 1; all but records are retained."""

    RECORD = "record"
    SUMMARY = "summary"
    PRESENCE = "presence"
    """`here`, or `away` by the board's last will."""
    HAVE = "have"
    """Which records of the board the archive has."""

    def of(self, board: BoardName) -> str:
        return f"{_ROOT}/{board}/{self.value}"


TOLD = (Topic.RECORD, Topic.SUMMARY, Topic.PRESENCE)
"""What a board tells everybody."""


def letter_topic(sender: BoardName, to: BoardName) -> str:
    """The topic of letters to a linked board."""
    return f"{_ROOT}/{sender}/letter/{to}"


EVERY_BOARD = BoardName("+")
"""The wildcard for a board's name in topics."""


def topic_of(topic: str) -> tuple[BoardName, str]:
    """The board of a topic, and the kind of message. Raises RecordError."""
    root, _, rest = topic.removeprefix(f"{_ROOT}/").partition("/")
    if not topic.startswith(f"{_ROOT}/"):
        raise RecordError(f"topic {quoted(topic)}; ours begin with {_ROOT}/")
    try:
        return board_name(root), rest
    except IdentifierError as error:
        raise RecordError(f"topic {quoted(topic)}: {error}") from None


def write_record(record: Record) -> bytes:
    return write_object({**_id_fields(record.id), "line": record.line})


def read_record(message: bytes) -> Record:
    """Raises RecordError, which names every key at fault."""
    reader = Reader(read_object(message))
    record = Record(_read_id(reader), reader.take("line", str))
    _done(reader)
    return record


def write_summary(summary: Summary) -> bytes:
    fields = {"start": summary.start, "decision": summary.decision, "warning": summary.warning}
    there = {key: value for key, value in fields.items() if value is not None}
    return write_object({**_id_fields(summary.id), **there})


def read_summary(message: bytes) -> Summary:
    """Raises RecordError, which names every key at fault."""
    reader = Reader(read_object(message))
    summary = Summary(
        _read_id(reader),
        reader.take("start", str),
        reader.take("decision", str) if reader.has("decision") else None,
        reader.named("warning", remark) if reader.has("warning") else None,
    )
    _done(reader)
    return summary


def write_have(have: Have) -> bytes:
    numbers = {"upto": dict(have.upto), "seals": dict(have.seals)}
    return write_object({"archive": have.archive, "session": have.session, **numbers})


def read_have(message: bytes) -> Have:
    """Raises RecordError, which names every key at fault."""
    reader = Reader(read_object(message))
    archive, session = reader.named("archive", token), reader.named("session", token)
    upto, seals = _counts(reader, "upto", -1), _counts(reader, "seals", 1)
    _done(reader)
    return Have(archive, upto, seals, session)


def _counts(reader: Reader, key: str, low: int) -> Mapping[MatchKey, int]:
    """A number from `low` for each match."""
    matches = reader.take(key, dict)
    table = Reader(matches, key, reader.faults)
    return {
        table.as_name(match, match, read_match_key): table.whole(match, low, HIGHEST_NUMBER)
        for match in matches
    }


def _id_fields(record: RecordId) -> dict[str, object]:
    return {"board": record.board, "match": record.match, "sequence": record.sequence}


def _read_id(reader: Reader) -> RecordId:
    board, match = reader.named("board", board_name), reader.named("match", read_match_key)
    return RecordId(board, match, reader.whole("sequence", 0, HIGHEST_NUMBER))


def write_object(fields: dict[str, object]) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogatepass")


def read_object(message: bytes) -> dict[str, Any]:
    """The fields of a message; raises RecordError."""
    if len(message) > LARGEST:
        raise RecordError(f"a message of {len(message)} bytes; the longest has {LARGEST}")
    try:
        fields = json.loads(message.decode("utf-8", "strict"))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise RecordError("no JSON object; a message is {…}")
    return fields


def _done(reader: Reader) -> None:
    reader.done()
    if reader.faults:
        raise RecordError("; ".join(reader.faults))
