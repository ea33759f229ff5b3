"""Whether a linked match was fair, from its letters and its record: every throw derived again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from pi_app.club.linked.letters import (
    Commitments,
    CommonEntry,
    LetterBody,
    Revelation,
    common_line,
    first_hash,
    next_hash,
)
from pi_app.club.linked.talk import commitment, dice_of
from pi_app.match.acts import Act
from pi_app.referee.decision import Decision
from pi_app.rules.terms import Side


def common_record(decisions: Iterable[Decision]) -> tuple[str, ...]:
    return tuple(line for line in map(common_line, decisions) if line is not None)


_THROWS = (Act.THROW.value, Act.ROLL.value)


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
