"""What two linked boards write each other: letters as values and as JSON objects.

`number` is a letter's place among all that its board has written in this link, from 1; `have` is up
to which it has the other's.  Number 0 has no news but that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from pi_app.club.records import RecordError, read_object, write_object
from pi_app.identifiers import HIGHEST_NUMBER, board_name, link_name, read_hash, remark, shortened
from pi_app.referee.decision import What
from pi_app.rules.terms import Side
from pi_app.strict import Reader

MOST_HASHES = 64
"""Commitments in one letter."""
MOST_OF_LINE = 16 * 1024
"""Characters of a start or a decision; the longest that Spotter writes has a few thousand."""


class LetterError(ValueError):
    """A message that is no letter of a linked board; says why."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A match is proposed: its start as it would be here, and the side that the writer has."""

    start: str
    side: str
    board: str


@dataclass(frozen=True, slots=True)
class Response:
    """The invitation is accepted or declined; `why` is for people."""

    yes: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Commitments:
    """Commitments of the throws from `first` on."""

    first: int
    hashes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Revelation:
    """The number of a throw that is to be line `place` of the common record."""

    throw: int
    place: int
    number: str


@dataclass(frozen=True, slots=True)
class CommonEntry:
    """Line `place`, from 0, of the common record, decided on the writer's board; the chain."""

    place: int
    line: str
    chain: str


@dataclass(frozen=True, slots=True)
class Request:
    """May this become line `place`? As the effect `Propose`."""

    place: int
    what: What
    undone: int = 0
    position: str = ""


@dataclass(frozen=True, slots=True)
class Consent:
    """Whether what was asked about line `place` may be."""

    place: int
    yes: bool


@dataclass(frozen=True, slots=True)
class Objection:
    """The boards do not agree, and nothing goes on; `why` is for people."""

    why: str


LetterBody: TypeAlias = (
    Invitation | Response | Commitments | Revelation | CommonEntry | Request | Consent | Objection
)


@dataclass(frozen=True, slots=True)
class LinkLetter:
    """One message; `body` is None where it only says what its board has."""

    link: str
    number: int
    have: int
    body: LetterBody | None = None


def write_letter(letter: LinkLetter) -> bytes:
    """The message that read_letter takes."""
    fields: dict[str, object] = {
        "link": letter.link,
        "number": letter.number,
        "have": letter.have,
    }
    if letter.body is not None:
        fields["body"] = body_fields(letter.body)
    return write_object(fields)


def read_letter(message: bytes) -> LinkLetter:
    """Raises LetterError, which names every key at fault."""
    try:
        fields = read_object(message)
    except RecordError as error:
        raise LetterError(str(error)) from None
    body = fields.pop("body", None)
    reader = Reader(fields)
    link = reader.named("link", link_name)
    number, have = (reader.whole(key, 0, HIGHEST_NUMBER) for key in ("number", "have"))
    _done(reader)
    if (number == 0) is not (body is None):
        raise LetterError("a letter with news has a number, and one without has none")
    return LinkLetter(link, number, have, None if body is None else read_body(body))


def body_fields(body: LetterBody) -> dict[str, object]:  # noqa: PLR0911, one case a body
    """The JSON object that read_body takes."""
    match body:
        case Invitation():
            return {"is": "invite", "start": body.start, "side": body.side, "board": body.board}
        case Response():
            return {"is": "reply", "yes": body.yes, "why": shortened(body.why)}
        case Commitments():
            return {"is": "commit", "first": body.first, "hashes": list(body.hashes)}
        case Revelation():
            told = {"throw": body.throw, "place": body.place, "number": body.number}
            return {"is": "reveal", **told}
        case CommonEntry():
            return {"is": "entry", "place": body.place, "line": body.line, "chain": body.chain}
        case Request():
            asked = {"what": body.what.value, "undone": body.undone, "position": body.position}
            return {"is": "ask", "place": body.place, **asked}
        case Consent():
            return {"is": "answer", "place": body.place, "yes": body.yes}
        case Objection():
            return {"is": "objection", "why": shortened(body.why)}


def read_body(fields: object) -> LetterBody:
    """Raises LetterError, which names every key at fault."""
    if not isinstance(fields, dict):
        raise LetterError("body is no JSON object")
    reader = Reader(dict(fields))
    body: LetterBody = _BODIES[reader.choice("is", list(_BODIES))](reader)
    _done(reader)
    return body


def _done(reader: Reader) -> None:
    reader.done()
    if reader.faults:
        raise LetterError("; ".join(reader.faults))


def _place(reader: Reader) -> int:
    return reader.whole("place", 0, HIGHEST_NUMBER)


def _line(reader: Reader, key: str) -> str:
    line = reader.take(key, str)
    if len(line) > MOST_OF_LINE:
        reader.fault(key, f"has {len(line)} characters; it can have {MOST_OF_LINE}")
    return line


def _hashes(reader: Reader) -> tuple[str, ...]:
    hashes = reader.words("hashes")
    if len(hashes) > MOST_HASHES:
        reader.fault("hashes", f"are {len(hashes)}; there can be {MOST_HASHES} in a letter")
        return ()
    return tuple(reader.as_name("hashes", each, read_hash) for each in hashes)


def _ask(reader: Reader) -> Request:
    what = What(reader.choice("what", [each.value for each in ASKED]))
    undone = reader.whole("undone", 0, HIGHEST_NUMBER)
    return Request(_place(reader), what, undone, _line(reader, "position"))


def _invitation(reader: Reader) -> Invitation:
    side = reader.choice("side", [side.value for side in Side])
    return Invitation(_line(reader, "start"), side, reader.named("board", board_name))


def _revelation(reader: Reader) -> Revelation:
    throw = reader.whole("throw", 0, HIGHEST_NUMBER)
    return Revelation(throw, _place(reader), reader.named("number", read_hash))


def _entry(reader: Reader) -> CommonEntry:
    return CommonEntry(_place(reader), _line(reader, "line"), reader.named("chain", read_hash))


ASKED = (What.TAKE_BACK, What.RESTORED, What.CORRECTION, What.NEXT_GAME)
"""What one board asks of the other."""
_BODIES: Mapping[str, Callable[[Reader], Any]] = MappingProxyType(
    {
        "invite": _invitation,
        "reply": lambda r: Response(r.take("yes", bool), r.named("why", remark)),
        "commit": lambda r: Commitments(r.whole("first", 0, HIGHEST_NUMBER), _hashes(r)),
        "reveal": _revelation,
        "entry": _entry,
        "ask": _ask,
        "answer": lambda r: Consent(_place(r), r.take("yes", bool)),
        "objection": lambda r: Objection(r.named("why", remark)),
    }
)
