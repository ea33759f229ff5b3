"""A sealed record: the file that tells a whole match, and what its seal signs.

The file is UTF-8, a line each, every line ended by one line feed; a line is JSON:

| line | what it is |
|---|---|
| 1 | `{"record": 1, "match": 3, "began": "…"}`: the form, the match's number in the journal, when |
| 2 | the start: game, players, match length and the terms agreed on, just as the journal has it |
| 3 … | the decisions in their order, just as the journal has them, each with the match after it |
| last but one | `{"hashes": ["…", …]}`: the SHA-256 of every line above, without its line feed |
| last | `{"seal": 1, "lines": 57, "key": "…", "signature": "…"}` |

A seal covers all `lines` above it but that of the hashes.  `signature` is Ed25519 by `key`, both in
hexadecimals, over `spotter seal 1` and a line feed, then the hash of each of these lines and a line
feed.  The hashes beside it are signed too, therefore; they are written out so that a changed line
is found and not only missed.

A match that goes on after its end, because its last play was taken back, is sealed again at its
next end.  The earlier seal stays where it was made, as a line between the decisions, and is covered
by the later one: nobody can drop the first end, and nobody needs to trust that it was dropped
honestly.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeAlias

from pi_app.identifiers import HASH_DIGITS, HIGHEST_NUMBER, is_hex, parts_of, read_match_key

FORM = 1
DOMAIN = b"spotter seal 1\n"
"""Prefix of the signed text, so that no other signature by this key passes for a seal."""
KEY_DIGITS, SIGNATURE_DIGITS = 64, 128

Sealer: TypeAlias = Callable[[Sequence[str]], str]
"""Makes the line of a seal over the lines of a record."""


@dataclass(frozen=True, slots=True)
class Seal:
    """A seal: the number of lines it covers, the public key, and the signature."""

    lines: int
    key: str
    signature: str


def header(number: int, began: str) -> str:
    return json.dumps({"record": FORM, "match": number, "began": began}, ensure_ascii=False)


def read_header(line: str) -> tuple[int, str] | None:
    """The number of the match and when it began; None for what is no first line."""
    fields = _object(line, {"record": int, "match": int, "began": str})
    if fields is None or fields["record"] != FORM:
        return None
    try:
        return parts_of(read_match_key(f"{fields['match']}@{fields['began']}"))
    except ValueError:  # no name of a match, or a number that nobody writes out
        return None


def digest(line: str | bytes) -> str:
    return sha256(line.encode("utf-8") if isinstance(line, str) else line).hexdigest()


def message(digests: Iterable[str]) -> bytes:
    return DOMAIN + b"".join(f"{each}\n".encode("ascii") for each in digests)


def write_seal(seal: Seal) -> str:
    fields = {"seal": FORM, "lines": seal.lines, "key": seal.key, "signature": seal.signature}
    return json.dumps(fields)


def read_seal(line: str) -> Seal | None:
    """The seal of a line, if it is one to the byte; else None."""
    fields = _object(line, {"seal": int, "lines": int, "key": str, "signature": str})
    if fields is None or fields["seal"] != FORM:
        return None
    lines, key, signature = fields["lines"], str(fields["key"]), str(fields["signature"])
    if not isinstance(lines, int) or not 0 <= lines <= HIGHEST_NUMBER:
        return None
    seal = Seal(lines, key, signature)
    hexed = is_hex(seal.key, KEY_DIGITS) and is_hex(seal.signature, SIGNATURE_DIGITS)
    return seal if hexed and write_seal(seal) == line else None


def write_hashes(digests: Sequence[str]) -> str:
    return json.dumps({"hashes": list(digests)})


def read_hashes(line: str) -> tuple[str, ...] | None:
    """The hashes of a line that has them, to the byte; None for any other."""
    fields = _object(line, {"hashes": list})
    found = fields["hashes"] if fields else None
    if not isinstance(found, list) or not all(
        isinstance(each, str) and is_hex(each, HASH_DIGITS) for each in found
    ):
        return None
    return tuple(found) if write_hashes(found) == line else None


def write_record(lines: Sequence[str]) -> str:
    """The text of the file, of a record of the journal that ends with its seal."""
    *told, seal = lines
    return "".join(f"{line}\n" for line in (*told, write_hashes([*map(digest, told)]), seal))


def _object(line: str, keys: dict[str, type]) -> dict[str, object] | None:
    """The object of a line that has these keys and no other, of these types."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or fields.keys() != keys.keys():
        return None
    return fields if all(type(fields[key]) is kind for key, kind in keys.items()) else None
