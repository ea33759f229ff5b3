"""Dice from two secrets, one per board: nobody can choose them, and everybody can check them.

For throw k (from 0, in a match) each board has a secret of 32 bytes: the HMAC-SHA256 of the link,
the side and k, with a key from the system's entropy that never leaves the board. Its commitment is
the SHA-256 of the link, the side, k and the secret; the side in it keeps anyone from returning the
other board's commitment as his own. A board reveals a secret only when it holds the other's
commitment.

The dice are read from the bytes of SHA-256(link, k, White's secret, Black's secret, block), block
0, 1, …: a byte b below 252 gives 1 + b mod 6, a larger one is skipped. As 252 is 42 times 6, all
faces are equally likely if one of the two secrets is random.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import count, islice

from pi_app.club.linked.letters import (
    Commitments,
    CommonEntry,
    LetterBody,
    Revelation,
    first_hash,
    next_hash,
)
from pi_app.referee.decision import What
from pi_app.rules.terms import Roll, Side

FACES = 6
_FAIR = 256 - 256 % FACES
_TAG = "spotter dice 1"


def secret(key: bytes, link: str, side: Side, throw: int) -> str:
    """A board's number of a throw, 64 hexadecimal digits."""
    return hmac.new(key, _bytes(link, side.value, throw), sha256).hexdigest()


def commitment(link: str, side: Side, throw: int, number: str) -> str:
    """The commitment to a number, 64 hexadecimal digits."""
    return sha256(_bytes("commit", link, side.value, throw, number)).hexdigest()


def dice_of(link: str, throw: int, white: str, black: str, dice: int) -> Roll:
    """The dice of a throw, from both secrets."""
    return Roll.of(*islice(_faces(link, throw, white, black), dice))


def _faces(link: str, throw: int, white: str, black: str) -> Iterator[int]:
    for block in count():
        for byte in sha256(_bytes("dice", link, throw, white, black, block)).digest():
            if byte < _FAIR:
                yield 1 + byte % FACES


def _bytes(*words: str | int) -> bytes:
    """No word has a line break, so no two lists of words are alike."""
    return "\n".join((_TAG, *map(str, words))).encode("ascii")


# Whether a linked match was fair, from its letters and its record: for anybody, at any time.

_THROWS = (What.OPENING_THROW.value, What.ROLL.value)


@dataclass(frozen=True, slots=True)
class FairThrow:
    """One throw as it was derived again: its line in the record, from 0, whose it is, its dice."""

    place: int
    by: Side
    dice: str


class UnfairError(ValueError):
    """The letters and the record of a linked match do not fit; says where."""


class _Promised:
    """One side's promises and revelations; a different second one is ignored."""

    def __init__(self, side: Side, bodies: Iterable[LetterBody]) -> None:
        self.side = side
        self.hashes: list[str] = []
        self.revealed: dict[int, Revelation] = {}
        self.entries: dict[int, CommonEntry] = {}
        for body in bodies:
            match body:
                case Commitments() if body.first == len(self.hashes):
                    self.hashes += body.hashes
                case Revelation():
                    self.revealed.setdefault(body.throw, body)
                case CommonEntry():
                    self.entries.setdefault(body.place, body)

    def number(self, link: str, throw: int, place: int) -> str:
        """Its number of a throw, as it was committed to and revealed for that place."""
        told, who = self.revealed.get(throw), self.side.value
        if told is None or told.place != place:
            raise UnfairError(f"decision {place + 1}: {who} has not revealed throw {throw + 1}")
        if self.hashes[throw : throw + 1] != [commitment(link, self.side, throw, told.number)]:
            raise UnfairError(f"throw {throw + 1}: {who} revealed what it had not committed to")
        return told.number


def check_fair(
    link: str, near: Side, letters: Iterable[tuple[bool, LetterBody]], record: tuple[str, ...]
) -> tuple[FairThrow, ...]:
    """Every throw of a record derived again; `letters` with True are of the board that has `near`.

    Raises UnfairError at the first throw, line or hash that does not fit.
    """
    all_letters = tuple(letters)
    told = {
        side: _Promised(side, [body for own, body in all_letters if own is (side is near)])
        for side in Side
    }
    _check_lines(link, [e for one in told.values() for e in one.entries.values()], record)
    throws: list[FairThrow] = []
    for place, line in enumerate(record):
        fields = json.loads(line)
        if fields["decided"] not in _THROWS or fields.get("again"):
            continue
        throw, dice = len(throws), fields["dice"]
        white, black = (told[side].number(link, throw, place) for side in Side)
        derived = str(dice_of(link, throw, white, black, len(dice)))
        if dice != derived:
            raise UnfairError(f"decision {place + 1}: the dice are {dice}, and not {derived}")
        throws.append(FairThrow(place, Side(fields["by"]), dice))
    return tuple(throws)


def _check_lines(link: str, entries: Iterable[CommonEntry], record: tuple[str, ...]) -> None:
    """The letters match the record, and their hashes its hashes."""
    chains = [first_hash(link)]
    for line in record:
        chains.append(next_hash(chains[-1], line))
    for entry in entries:
        place = entry.place
        if record[place : place + 1] != (entry.line,) or chains[place + 1] != entry.chain:
            raise UnfairError(f"decision {place + 1}: the letters and the record differ")
