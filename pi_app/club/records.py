"""The messages on the wire: records, summaries and letters, each a JSON object, and their topics.

Each carries `(board, match, sequence)`. A record is a line of a board's journal: sequence 0 is the
match's start, 1 and on are its decisions, and its seals begin at SEALED. The numbers show gaps and
duplicates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import Annotated, Any, TypeAlias, TypeVar

from msgspec import Meta

from pi_app.base.identifiers import (
    BOARD_FORM,
    FAR_FORM,
    HASH_DIGITS,
    HIGHEST_NUMBER,
    LINK_FORM,
    MATCH_FORM,
    MOST_OF_REMARK,
    TOKEN_FORM,
    BoardName,
    IdentifierError,
    MatchKey,
    board_name,
)
from pi_app.base.typed_json import JsonError, plain, read_object, there, typed, write
from pi_app.base.values import dataclass
from pi_app.words.texts import one_line, quoted

T = TypeVar("T")

# What keys may hold that come from other programs.

Ordinal: TypeAlias = Annotated[int, Meta(ge=0, le=HIGHEST_NUMBER)]
BoardText: TypeAlias = Annotated[BoardName, Meta(pattern=rf"\A{BOARD_FORM}\Z")]
FarBoardText: TypeAlias = Annotated[BoardName, Meta(pattern=rf"\A{FAR_FORM}\Z")]
MatchText: TypeAlias = Annotated[MatchKey, Meta(pattern=rf"\A{MATCH_FORM}\Z")]
Token: TypeAlias = Annotated[str, Meta(pattern=rf"\A{TOKEN_FORM}\Z")]
LinkText: TypeAlias = Annotated[str, Meta(pattern=rf"\A{LINK_FORM}\Z")]
HashText: TypeAlias = Annotated[str, Meta(pattern=rf"\A[0-9a-f]{{{HASH_DIGITS}}}\Z")]
HashTexts: TypeAlias = Annotated[tuple[HashText, ...], Meta(max_length=64)]
RemarkText: TypeAlias = Annotated[str, Meta(max_length=MOST_OF_REMARK)]
LineText: TypeAlias = Annotated[str, Meta(max_length=16 * 1024)]
"""A start or a decision; the longest that Spotter writes has a few thousand characters."""

HERE, AWAY = b"here", b"away"
"""The message on a presence topic."""

SEALED = 500_000_000
"""The sequence of a seal is this number plus the number of decisions before it."""
LARGEST = 64 * 1024
"""The longest message, in bytes."""
_ROOT = "spotter/1"


@dataclass(frozen=True, slots=True)
class RecordId:
    board: BoardText
    match: MatchText
    sequence: Ordinal

    @property
    def is_seal(self) -> bool:
        return self.sequence >= SEALED


@dataclass(frozen=True, slots=True)
class Record:
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
    decision: str | None = None
    warning: RemarkText | None = None


@dataclass(frozen=True, slots=True)
class Have:
    """For each match of a board, up to which sequence the archive has all records; -1 if the start
    is missing.

    Only the latest matches are listed; `seals` counts the seals of each. `archive` identifies the
    archive: another one has none of these records. A new `session` means that the archive was
    disconnected and may have missed messages.
    """

    archive: Token
    upto: Mapping[MatchText, Annotated[int, Meta(ge=-1, le=HIGHEST_NUMBER)]]
    seals: Mapping[MatchText, Annotated[int, Meta(ge=1, le=HIGHEST_NUMBER)]] = field(
        default_factory=dict
    )
    session: Token = ""


@dataclass(frozen=True, slots=True)
class Presence:
    board: BoardName
    is_here: bool


News: TypeAlias = Record | Summary | Presence
"""What a board tells the whole club."""


def board_of(news: News) -> BoardName:
    return news.board if isinstance(news, Presence) else news.id.board


class Topic(Enum):
    """The kinds of messages of a board, at QoS 1; all but records are retained."""

    RECORD = "record"
    SUMMARY = "summary"
    PRESENCE = "presence"
    """`here`, or `away` by the board's last will."""
    HAVE = "have"
    """Which records of the board the archive has."""

    def of(self, board: BoardName) -> str:
        return f"{_ROOT}/{board}/{self.value}"


NEWS_TOPICS = (Topic.RECORD, Topic.SUMMARY, Topic.PRESENCE)
"""The topics of news."""


def letter_topic(sender: BoardName, to: BoardName) -> str:
    return f"{_ROOT}/{sender}/letter/{to}"


EVERY_BOARD = BoardName("+")
"""The wildcard for a board's name in topics."""


def topic_of(topic: str) -> tuple[BoardName, str]:
    """Return the board of a topic, and the kind of message. Raises IdentifierError."""
    root, _, rest = topic.removeprefix(f"{_ROOT}/").partition("/")
    if not topic.startswith(f"{_ROOT}/"):
        raise IdentifierError(f"topic {quoted(topic)}; ours begin with {_ROOT}/")
    try:
        return board_name(root), rest
    except IdentifierError as error:
        raise IdentifierError(f"topic {quoted(topic)}: {error}") from None


def write_message(value: object) -> bytes:
    """Write a message; the keys of an `id` are beside the others, and None is left out."""
    fields = plain(value)
    return write(there({**fields.pop("id", {}), **fields})).encode("utf-8", "surrogatepass")


def read_message(message: bytes, kind: type[T]) -> T:
    """Read a Record, a Summary or a Have. Raises JsonError."""
    fields = read_fields(message)
    names = [name for name in ("board", "match", "sequence") if name in fields]
    if names:
        fields["id"] = {name: fields.pop(name) for name in names}
    try:
        return typed(fields, kind)
    except JsonError as error:
        raise JsonError(str(error).replace("$.id.", "$.")) from None


def read_fields(message: bytes) -> dict[str, Any]:
    """Read the keys of a JSON object; its texts must have no control characters. Raises
    JsonError."""
    if len(message) > LARGEST:
        raise JsonError(f"a message of {len(message)} bytes; the longest has {LARGEST}")
    fields = read_object(message)
    _check_printable(fields, "$")
    return fields


def _check_printable(value: object, place: str) -> None:
    if isinstance(value, str) and not value.isprintable():
        raise JsonError(f"{place} is {quoted(value)}; it has control characters")
    if isinstance(value, dict):
        for key, part in value.items():
            _check_printable(part, one_line(f"{place}.{key}"))
