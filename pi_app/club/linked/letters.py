"""The letters of two linked boards: what each says, and how they are kept in order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any, TypeAlias

from pi_app.base.identifiers import BoardName, shortened
from pi_app.base.microseconds import Us, ms
from pi_app.base.typed_json import JsonError, one_of, plain, typed
from pi_app.base.values import dataclass
from pi_app.club.records import (
    BoardText,
    HashText,
    HashTexts,
    LineText,
    LinkText,
    Ordinal,
    RemarkText,
    read_fields,
    write_message,
)
from pi_app.match.acts import OF_BOTH_BOARDS, STORED, Act
from pi_app.match.turns import MatchState, Phase
from pi_app.referee.decision import Decision
from pi_app.referee.lines import write_decision
from pi_app.rules.terms import Side

# The record that two linked boards have in common: of every decision what both must agree on.
#
# A line is a decision's line of the journal (JSON, the same keys in the same order) without what
# is each board's own: times, confidence, questions, warnings, sensors set aside, typing. What a
# board has `chosen` but not yet seen made, and sensors, are left out whole. A chain of SHA-256
# goes over the lines, so that one hash tells whether all lines before it are alike too.

COMMON = STORED - {Act.CHOSEN, Act.SENSOR_OFF, Act.SENSOR_ON, Act.RESUMED}
"""Decisions that both records have; new kinds are common unless excluded here."""
OWN = frozenset({"ms", "typed", "confidence", "asked", "warned", "sensor", "off"})
"""Keys of a decision's line that may differ between the boards."""


def common_line(decision: Decision) -> str | None:
    """The line of a decision in the common record; None if it is not common."""
    if decision.what not in COMMON:
        return None
    fields = json.loads(write_decision(decision))
    return json.dumps({k: v for k, v in fields.items() if k not in OWN}, ensure_ascii=False)


def first_hash(link: str) -> str:
    return sha256(f"spotter common record 1\n{link}".encode("ascii")).hexdigest()


def next_hash(before: str, line: str) -> str:
    """The hash of the chain with one more line."""
    return sha256(f"{before}\n{line}".encode("utf-8", "surrogatepass")).hexdigest()


def author_of(state: MatchState[str] | None) -> Side | None:
    """The side that makes the next decision; None during the set-up, where both boards do.

    Between games it is the side that the state names.
    """
    return None if state is None or state.phase is Phase.SET_UP else state.to_act


# What two linked boards write each other: letters as values and as JSON objects.
#
# `number` is a letter's place among all that its board has written in this link, from 1; `have` is
# up to which it has the other's. Number 0 has no news but that.


@dataclass(frozen=True, slots=True)
class Invitation:
    """A proposed match: its start, and the writer's side."""

    start: LineText
    side: Side
    board: BoardText


@dataclass(frozen=True, slots=True)
class Response:
    """The invitation is accepted or declined; `why` is for people."""

    yes: bool
    why: RemarkText = ""


@dataclass(frozen=True, slots=True)
class Commitments:
    first: Ordinal
    hashes: HashTexts


@dataclass(frozen=True, slots=True)
class Revelation:
    """The secret number of one roll, for line `place` of the common record."""

    throw: Ordinal
    place: Ordinal
    number: HashText


@dataclass(frozen=True, slots=True)
class CommonEntry:
    """Line `place`, from 0, of the common record, decided on the writer's board, and the hash."""

    place: Ordinal
    line: LineText
    chain: HashText


@dataclass(frozen=True, slots=True)
class Request:
    """Ask whether this may become line `place`. The fields are as in the effect `Propose`."""

    place: Ordinal
    what: Act
    undone: Ordinal = 0
    position: LineText = ""


@dataclass(frozen=True, slots=True)
class Consent:
    place: Ordinal
    yes: bool


@dataclass(frozen=True, slots=True)
class Objection:
    why: RemarkText


LetterBody: TypeAlias = (
    Invitation | Response | Commitments | Revelation | CommonEntry | Request | Consent | Objection
)


_BODIES: Mapping[str, type[LetterBody]] = {
    "invite": Invitation,
    "reply": Response,
    "commit": Commitments,
    "reveal": Revelation,
    "entry": CommonEntry,
    "ask": Request,
    "answer": Consent,
    "objection": Objection,
}
_TAGS: Mapping[type[LetterBody], str] = {kind: tag for tag, kind in _BODIES.items()}


@dataclass(frozen=True, slots=True)
class LinkLetter:
    """One message; `body` is None if it only acknowledges."""

    link: LinkText
    number: Ordinal
    have: Ordinal
    body: Any = None


def write_letter(letter: LinkLetter) -> bytes:
    body = body_fields(letter.body) if letter.body else None
    return write_message(replace(letter, body=body))


def read_letter(message: bytes) -> LinkLetter:
    """Raises JsonError."""
    letter = typed(read_fields(message), LinkLetter)
    if (letter.number == 0) is not (letter.body is None):
        raise JsonError("a letter with news has a number, and one without has none")
    return letter if letter.body is None else replace(letter, body=read_body(letter.body))


def body_fields(body: LetterBody) -> dict[str, object]:
    if isinstance(body, Response | Objection):
        body = replace(body, why=shortened(body.why))
    return {"is": _TAGS[type(body)], **plain(body)}


def read_body(fields: object) -> LetterBody:
    """Raises JsonError."""
    body: LetterBody = one_of(fields, "is", _BODIES)
    if isinstance(body, Request) and body.what not in OF_BOTH_BOARDS:
        raise JsonError(f"$.what is {body.what.value!r}, which no board asks")
    return body


# Letters of one link, both ways: numbered, held until their turn, sent again until they are had.
#
# Nothing here sends or keeps: whoever holds a `Post` keeps a letter first, sends what `outgoing`
# gives, and accepts what has come only once that is kept too.

AGAIN = ms(1000)
"""How long unacknowledged letters wait until they are repeated; it doubles each time."""
RARELY = ms(30_000)
"""The longest wait between two repetitions."""
WINDOW = 32
"""The most letters under way, or held because an earlier one is missing."""
SILENCE = ms(5000)
"""Without an answer for this long, the silence is reported."""


class Post:
    def __init__(self, link: str) -> None:
        self.link = link
        self.got = 0
        self._written: list[LetterBody] = []
        self._had = self._sent = 0
        self._held: dict[int, LetterBody] = {}
        self._owes = False
        self._wait, self._again = AGAIN, Us(0)
        self._since: Us | None = None

    def write(self, body: LetterBody) -> None:
        self._written.append(body)

    def take(self, letter: LinkLetter) -> None:
        """Take a letter; it may be a repetition, and the order may be wrong."""
        if letter.have > self._had:
            self._had = min(letter.have, len(self._written))
            self._since = None
        self._wait, self._again = AGAIN, min(self._again, Us(self._again - self._wait + AGAIN))
        if letter.body is None:
            return
        self._owes = True
        if self.got < letter.number <= self.got + WINDOW:
            self._held.setdefault(letter.number, letter.body)

    def reconnected(self) -> None:
        """Letters go out again: repeat at once what was not acknowledged, and write in any case.

        The other board, whose letters may wait much longer, repeats them once it hears of this one.
        """
        self._wait, self._again, self._owes = AGAIN, Us(0), True

    @property
    def next(self) -> LetterBody | None:
        """The next letter that has arrived; None if it is missing. Store it, then call `accept`."""
        return self._held.get(self.got + 1)

    def accept(self) -> None:
        """The next letter is stored, and is acknowledged from now on."""
        self.got += 1
        self._held.pop(self.got, None)
        self._owes = True

    def skip(self) -> None:
        """Acknowledge a letter that is not wanted, so that it is not repeated."""
        while self.next is not None:
            self.accept()

    def outgoing(self, us: Us) -> tuple[LinkLetter, ...]:
        last = min(len(self._written), self._had + WINDOW)
        first = self._sent
        if self._had < self._sent and us >= self._again:
            first = self._had
            self._wait = min(Us(self._wait * 2), RARELY)
            self._again = Us(us + self._wait)
        numbers = range(max(first, self._had) + 1, last + 1)
        if last > self._sent:
            self._sent, self._again = last, Us(us + self._wait)
        if numbers and self._since is None:
            self._since = us
        letters = [LinkLetter(self.link, n, self.got, self._written[n - 1]) for n in numbers]
        if self._owes and not letters:
            letters.append(LinkLetter(self.link, 0, self.got))
        self._owes = False
        return tuple(letters)

    @property
    def due(self) -> Us | None:
        """When `outgoing` has something next; at 0 if an acknowledgement waits."""
        if self._owes:
            return Us(0)
        return self._again if self._had < self._sent else None

    def is_silent(self, us: Us) -> bool:
        return self._had < self._sent and self._since is not None and us >= self._since + SILENCE


# Invitations from other boards that wait for an answer.
#
# They are held in memory only: the inviting board repeats an invitation until it is answered. One
# that has not been repeated for a while was withdrawn, or its board is off. A refusal is repeated
# in reply to its invitation and is not stored either.

FADES = ms(75_000)
"""An invitation that is not repeated for this long expires; a `Post` repeats it every 30 s.

A board that was declined more than once is ignored for this long.
"""
MOST = 16
"""The most boards whose invitations wait; the others are ignored until there is space."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A match that another board wants, and when it last asked."""

    board: BoardName
    link: str
    invitation: Invitation
    came: Us


@dataclass(frozen=True, slots=True)
class _Refusal:
    link: str
    answer: Response
    until: Us


class Invitations:
    """The invitations to this board, at most one from each board, in order of arrival.

    `unfit` says why an invitation cannot be accepted here; None if it can.
    """

    def __init__(self, unfit: Callable[[Invitation], str | None]) -> None:
        self._unfit = unfit
        self._offers: dict[BoardName, Offer] = {}
        self._refusals: dict[BoardName, _Refusal] = {}
        self._refused = Counter[BoardName]()

    @property
    def first(self) -> Offer | None:
        return next(iter(self._offers.values()), None)

    def hear(
        self, board: BoardName, link: str, invitation: Invitation, us: Us
    ) -> LinkLetter | None:
        """Take an invitation, new or repeated. Return the answer if there is one already."""
        refusal = self._refusals.get(board)
        if refusal and refusal.link == link:
            return LinkLetter(link, 1, 1, refusal.answer)
        offer = self._offers.get(board)
        if offer and offer.link == link:
            self._offers[board] = replace(offer, came=us)
        if offer or len(self._offers) >= MOST or (refusal and us < refusal.until):
            return None
        why = self._unfit(invitation)
        if why is not None:
            return self._refuse(board, link, why, us)
        self._offers[board] = Offer(board, link, invitation, us)
        return None

    def refuse(self, offer: Offer, us: Us) -> LinkLetter:
        """Return the answer if the people here decline."""
        del self._offers[offer.board]
        before = self._refused[offer.board]
        self._refused[offer.board] += 1
        return self._refuse(offer.board, offer.link, "", Us(us + FADES) if before else us)

    def excuse(self, offer: Offer, why: str, us: Us) -> LinkLetter:
        """Return the answer while nobody here can be asked."""
        del self._offers[offer.board]
        return self._refuse(offer.board, offer.link, why, us)

    def take(self, offer: Offer) -> None:
        del self._offers[offer.board], self._refused[offer.board]

    def withdrawn(self, board: BoardName, link: str) -> bool:
        """Remove an invitation that its board has withdrawn. Return whether it was waiting."""
        offer = self._offers.get(board)
        if offer is None or offer.link != link:
            return False
        del self._offers[board]
        return True

    def forget(self, us: Us) -> None:
        for board, offer in tuple(self._offers.items()):
            if us >= offer.came + FADES:
                del self._offers[board]

    def _refuse(self, board: BoardName, link: str, why: str, until: Us) -> LinkLetter:
        answer = Response(yes=False, why=why)
        self._refusals[board] = _Refusal(link, answer, until)
        return LinkLetter(link, 1, 1, answer)
