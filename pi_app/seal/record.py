"""A sealed record: the file of a whole match, and what its seal signs.

The file is UTF-8; every line ends with one line feed. A line is JSON:

| line | what it is |
|---|---|
| 1 | `{"record": 1, "match": 3, "began": "…"}`: the form, the match's number in the journal, when |
| 2 | the start: game, players, match length and agreed terms, exactly as in the journal |
| 3 … | the decisions in order, exactly as in the journal, each with the match after it |
| last but one | `{"hashes": ["…", …]}`: the SHA-256 of every line above, without its line feed |
| last | `{"seal": 1, "lines": 57, "key": "…", "signature": "…"}` |

A seal covers all `lines` above it except the hashes. `signature` is an Ed25519 signature with
`key`, both in hexadecimal. It signs `spotter seal 1` and a line feed, then the hash of each line
and a line feed. So the hashes are signed too. They are written out so that a checker can say which
line was changed, not only that one was.

If a match continues after its end, because its last play was undone, it is sealed again at its next
end. The earlier seal stays in its place, as a line between the decisions, and the later seal covers
it: nobody can remove the first end, and nobody needs to trust that it was undone honestly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Annotated, Literal, TypeAlias, TypeVar

from msgspec import Meta

from pi_app.base.identifiers import HASH_DIGITS, HIGHEST_NUMBER, parts_of, read_match_key
from pi_app.base.typed_json import JsonError, read, write
from pi_app.base.values import dataclass

FORM: Literal[1] = 1
DOMAIN = b"spotter seal 1\n"
"""The prefix of every signed text, so that no other signature with this key passes for a seal."""
KEY_DIGITS, SIGNATURE_DIGITS = 64, 128

Sealer: TypeAlias = Callable[[Sequence[str]], str]
"""Makes the line of a seal over the lines of a record."""


T = TypeVar("T")
_Hash: TypeAlias = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{HASH_DIGITS}}}\Z")]


@dataclass(frozen=True, slots=True)
class Seal:
    """A seal: the number of lines it covers, the public key, and the signature."""

    lines: Annotated[int, Meta(ge=0, le=HIGHEST_NUMBER)]
    key: Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{KEY_DIGITS}}}\Z")]
    signature: Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{SIGNATURE_DIGITS}}}\Z")]
    seal: Literal[1] = FORM


@dataclass(frozen=True, slots=True)
class _Header:
    record: Literal[1]
    match: int
    began: str


@dataclass(frozen=True, slots=True)
class _Hashes:
    hashes: tuple[_Hash, ...]


def header(number: int, began: str) -> str:
    return write({"record": FORM, "match": number, "began": began})


def read_header(line: str) -> tuple[int, str] | None:
    """The match's number and when it began; None for another line."""
    found = _read(line, _Header)
    try:
        return parts_of(read_match_key(f"{found.match}@{found.began}")) if found else None
    except ValueError:  # no name of a match, or a number that nobody writes out
        return None


def digest(line: str | bytes) -> str:
    return sha256(line.encode("utf-8") if isinstance(line, str) else line).hexdigest()


def message(digests: Iterable[str]) -> bytes:
    return DOMAIN + b"".join(f"{each}\n".encode("ascii") for each in digests)


def write_seal(seal: Seal) -> str:
    fields = {"lines": seal.lines, "key": seal.key, "signature": seal.signature}
    return write({"seal": FORM, **fields})


def read_seal(line: str) -> Seal | None:
    """The seal of a line; None unless the line is exactly as a seal is written."""
    seal = _read(line, Seal)
    return seal if seal and write_seal(seal) == line else None


def write_hashes(digests: Sequence[str]) -> str:
    return write({"hashes": list(digests)})


def read_hashes(line: str) -> tuple[str, ...] | None:
    """The hashes of a line; None unless the line is exactly as hashes are written."""
    found = _read(line, _Hashes)
    return found.hashes if found and write_hashes(found.hashes) == line else None


def write_record(lines: Sequence[str]) -> str:
    """The text of the file, from a record of the journal that ends with its seal."""
    *lines_before, seal = lines
    return "".join(
        f"{line}\n" for line in (*lines_before, write_hashes([*map(digest, lines_before)]), seal)
    )


def _read(line: str, kind: type[T]) -> T | None:
    try:
        return read(line, kind)
    except JsonError:
        return None
