"""What was changed in a line of which the signed hash is known: found by trying what it was.

A hash says that a line is another, never what it was.  But most that is changed is small: a byte
that flipped, was lost or came in, or one value put in another's place.  All of these are tried, and
the one that has the hash is what was signed; nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256

from pi_app.match.phases import Phase
from pi_app.referee.decision import What
from pi_app.rules.terms import Side
from pi_app.texts import quoted

MOST_BYTES = 8192
"""A longer line is not tried: that would take seconds."""
_BYTES = [bytes([value]) for value in range(256)]
_NUMBERS = range(257)
_ROLLS = [f"{first}{second}" for first in "123456" for second in "123456"]
_KEY = re.compile(rb'"(\w+)"')
_WORDS = (
    *_ROLLS,
    *"123456",
    *(side.value for side in Side),
    *(phase.value for phase in Phase),
    *(what.value for what in What),
)


def changed(line: bytes, signed: str) -> str | None:
    """What is different from the line that has the signed hash; None where that is not found."""
    if len(line) > MOST_BYTES:
        return None
    for was in _candidates(line):
        if sha256(was).hexdigest() == signed:
            return _told(was, line)
    return _one_byte(line, signed)


def _one_byte(line: bytes, signed: str) -> str | None:
    """The same for one byte that is another, is missing or is too many."""
    wanted = bytes.fromhex(signed)
    begun = sha256()
    for place in range(len(line) + 1):
        rest, beyond = line[place:], line[place + 1 :]
        for byte in _BYTES:
            for end in (beyond, rest):
                tried = begun.copy()
                tried.update(byte + end)
                if tried.digest() == wanted:
                    return _told(line[:place] + byte + end, line)
        begun.update(line[place : place + 1])
    return None


def _candidates(line: bytes) -> Iterator[bytes]:
    """The line without one of its bytes, and with another value in each place."""
    for place in range(len(line)):
        yield line[:place] + line[place + 1 :]
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return
    if not isinstance(fields, dict):
        return
    for holder, key in _leaves(fields):
        kept = holder[key]
        others: tuple[object, ...] = (True, False) if isinstance(kept, bool) else ()
        others = _WORDS if isinstance(kept, str) else others or tuple(_NUMBERS)
        for other in others:
            holder[key] = other
            yield json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace")
        holder[key] = kept


def _leaves(fields: dict[str, object]) -> Iterator[tuple[dict[str, object], str]]:
    for key, value in fields.items():
        if isinstance(value, dict):
            yield from _leaves(value)
        elif isinstance(value, str | int | float):
            yield fields, key


def _told(was: bytes, now: bytes) -> str:
    """By fields, where both lines have them; else by the byte."""
    try:
        old, new = flat(json.loads(was)), flat(json.loads(now))
    except (ValueError, RecursionError):
        old = new = {}
    told = [
        f"{key} was {quoted(old.get(key, 'not there'))} and is {quoted(new.get(key, 'not there'))}"
        for key in {**old, **new}
        if old.get(key) != new.get(key) or type(old.get(key)) is not type(new.get(key))
    ]
    if told:
        return "; ".join(told)
    place = next(
        (i for i, (a, b) in enumerate(zip(was, now, strict=False)) if a != b),
        min(len(was), len(now)),
    )
    keys = _KEY.findall(was[: place + 1])
    field = f", at {keys[-1].decode('ascii', 'replace')}," if keys else ""
    return f"byte {place + 1}{field} was {_shown(was, now, place)} and is {_shown(now, was, place)}"


def flat(value: object, path: str = "") -> Mapping[str, object]:
    """Every value of an object by the way to it: `score.white`."""
    if not isinstance(value, dict):
        return {path: value}
    found: dict[str, object] = {}
    for key, part in value.items():
        found.update(flat(part, f"{path}.{key}" if path else str(key)))
    return found


def _shown(data: bytes, other: bytes, place: int) -> str:
    """The byte that stands there; nothing where the lines differ by its being there."""
    shorter = len(data) < len(other)
    if shorter or place >= len(data):
        return "not there"
    byte = data[place]
    return repr(chr(byte)) if 0x20 <= byte < 0x7F else f"0x{byte:02x}"
