"""The protocol of two linked boards: who decides, who rolls, and whether their records agree.

Each line of the common record is decided on one board, that of the side to act (`author_of`). The
other board follows and compares line and hash, so that both have one order of events whatever the
wire does. A `LinkTalk` is given all letters written and read, in order, and every decision. What
remains to be written follows from these alone and is the same after a restart.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count, islice
from typing import Protocol

from pi_app.base.microseconds import Us
from pi_app.base.typed_json import JsonError, read_object, write
from pi_app.club.linked import wording as say
from pi_app.club.linked.letters import (
    Commitments,
    CommonEntry,
    Consent,
    LetterBody,
    Objection,
    Request,
    Revelation,
    author_of,
    common_line,
    first_hash,
    next_hash,
)
from pi_app.match.acts import OF_BOTH_BOARDS, OF_FAR_SIDE, Act
from pi_app.match.turns import MatchState, Phase
from pi_app.referee.decision import Decision, DecisionError
from pi_app.referee.effects import Propose
from pi_app.referee.events import FarSeat, MachineActs, Rolled, RollSource
from pi_app.referee.lines import read_decision
from pi_app.referee.view import View
from pi_app.rules.terms import Roll, Side
from pi_app.sensing.reading import BoardState

# Dice from two secrets, one per board: nobody can choose them, and everybody can check them.
#
# For throw k (from 0, in a match) each board has a secret of 32 bytes: the HMAC-SHA256 of the link,
# the side and k, with a key from the system's entropy that never leaves the board. Its commitment
# is the SHA-256 of the link, the side, k and the secret; the side in it keeps anyone from returning
# the other board's commitment as his own. A board reveals a secret only when it holds the other's
# commitment.
#
# The dice are read from the bytes of SHA-256(link, k, White's secret, Black's secret, block), block
# 0, 1, …: a byte b below 252 gives 1 + b mod 6, a larger one is skipped. As 252 is 42 times 6, all
# faces are equally likely if one of the two secrets is random.

FACES = 6
_FAIR = 256 - 256 % FACES
_TAG = "spotter dice 1"


def secret(key: bytes, link: str, side: Side, throw: int) -> str:
    return hmac.new(key, _bytes(link, side.value, throw), sha256).hexdigest()


def commitment(link: str, side: Side, throw: int, number: str) -> str:
    """The commitment to a secret number: 64 hexadecimal digits."""
    return sha256(_bytes("commit", link, side.value, throw, number)).hexdigest()


def dice_of(link: str, throw: int, white: str, black: str, dice: int) -> Roll:
    return Roll.of(*islice(_faces(link, throw, white, black), dice))


def _faces(link: str, throw: int, white: str, black: str) -> Iterator[int]:
    for block in count():
        for byte in sha256(_bytes("dice", link, throw, white, black, block)).digest():
            if byte < _FAIR:
                yield 1 + byte % FACES


def _bytes(*words: str | int) -> bytes:
    """Join words by line breaks. No word has one, so different words give different bytes."""
    return "\n".join((_TAG, *map(str, words))).encode("ascii")


class SecretNumbers(Protocol):
    """This side's secret numbers of a link; what is not known yet is None."""

    def commitments(self, throws: range) -> tuple[str, ...] | None: ...

    def number(self, throw: int) -> str | None: ...


@dataclass(frozen=True, slots=True)
class OwnNumbers:
    """The numbers of a board, from its key."""

    key: bytes = field(repr=False)
    link: str
    side: Side

    def commitments(self, throws: range) -> tuple[str, ...]:
        return tuple(commitment(self.link, self.side, k, self.number(k)) for k in throws)

    def number(self, throw: int) -> str:
        return secret(self.key, self.link, self.side, throw)


# The protocol.

AHEAD = 8
"""How many rolls are committed to in advance, so that a press costs one round trip."""
AT_ONCE = 16
FARTHEST = 64
"""How many decisions or rolls one board may be ahead of the other."""
ROLLS = (Phase.OPENING_THROW, Phase.TO_ROLL)
_THROWS = (Act.THROW, Act.ROLL)
_CALM = (*_THROWS, Act.DOUBLE, Act.PLAY)
"""Decisions that wait until this board stands as accepted."""


class LinkTalk:
    """One link, seen from the board of side `near`, and its secret numbers.

    Players read `shown` for the other board.
    """

    def __init__(self, seat: FarSeat, numbers: SecretNumbers, dice: int, shown: str) -> None:
        self.near, self.far, self.link = seat.side.other, seat.side, seat.link
        self.board = shown
        self.objection: str | None = None
        self._declined_at: int | None = None
        self._numbers, self._dice = numbers, dice
        self._lines: list[str] = []
        self._authors: list[Side | None] = []
        self._chains = [first_hash(seat.link)]
        self._state: MatchState[str] | None = None
        self._thrown: list[Roll] = []
        # The letters, both ways
        self._committed = 0
        self._far_hashes: list[str] = []
        self._revealed: dict[int, Revelation] = {}
        self._far_revealed: dict[int, Revelation] = {}
        self._reported: set[int] = set()
        self._next_unreported = 0
        self._entries: dict[int, CommonEntry] = {}
        self._asked: Request | None = None
        self._far_asks: Request | None = None
        self._consented: Request | None = None
        self._consent: Consent | None = None
        self._ask: Request | None = None
        self._wants_roll: int | None = None
        self._objected = False

    # What stands

    @property
    def place(self) -> int:
        return len(self._lines)

    @property
    def record(self) -> tuple[str, ...]:
        return tuple(self._lines)

    @property
    def author(self) -> Side | None:
        """The side that makes the next decision."""
        return author_of(self._state)

    @property
    def question(self) -> Request | None:
        asked = self._far_asks
        if asked is None or asked.place != self.place or self.objection:
            return None
        if asked.what is Act.NEXT_GAME or self._consented == asked:
            return None
        return None if self._consent and self._consent.place == asked.place else asked

    @property
    def asking(self) -> Request | None:
        asked = self._ask or self._asked
        return asked if asked and asked.place == self.place else None

    @property
    def declined(self) -> bool:
        return self._declined_at == self.place

    @property
    def is_rolling(self) -> bool:
        """Whether this side's number for the next roll is revealed, or about to be."""
        wants = self._wants_roll == self.place or self._is_revealed
        return wants and self.author is self.near

    @property
    def _is_revealed(self) -> bool:
        """Whether this side's number for the next roll is revealed, for the next decision."""
        revealed = self._revealed.get(self._throws)
        return revealed is not None and revealed.place == self.place

    @property
    def _throws(self) -> int:
        return len(self._thrown)

    @property
    def awaited(self) -> Side:
        """The side that the match waits for: of two who roll, the one that has not revealed."""
        return self.far if self.author is self.far or self.is_rolling else self.near

    @property
    def rolls(self) -> tuple[tuple[str, Roll], ...]:
        """All rolls so far: the other board's number, and the dice."""
        numbers = (self._far_revealed[k].number for k in range(self._throws))
        return tuple(zip(numbers, self._thrown, strict=True))

    @property
    def far_hashes(self) -> tuple[str, ...]:
        """The other board's commitments so far."""
        return tuple(self._far_hashes)

    # What happens here

    def decided(self, decision: Decision) -> None:
        line = common_line(decision)
        if line is None:
            return
        place = self.place
        self._authors.append(self.author)
        self._lines.append(line)
        self._chains.append(next_hash(self._chains[-1], line))
        self._state = decision.state
        if decision.what in _THROWS and not decision.again:
            self._thrown.append(decision.dice or Roll(()))
        self._ask = self._consent = None
        self._wants_roll = None
        if entry := self._entries.get(place):
            self._compare(entry)

    def want_roll(self) -> None:
        if self.author is self.near and self._state and self._state.phase in ROLLS:
            self._wants_roll = self.place

    def ask(self, proposed: Propose) -> None:
        if self.author is None or self.is_rolling or self.asking:
            return
        self._declined_at = None
        position = proposed.position or ""
        self._ask = Request(self.place, proposed.what, proposed.undone, position)

    def answer(self, *, yes: bool) -> None:
        asked = self.question
        if asked is None or (yes and self.is_rolling):
            return
        if yes:
            self._consented = asked
        if not yes or self.author is self.far:
            self._consent = Consent(asked.place, yes)

    def object(self, why: str) -> None:
        self.objection = self.objection or why

    # Letters

    def to_write(self) -> LetterBody | None:
        """The next letter to write, if any. Call `wrote` once it is stored."""
        if self.objection:
            return None if self._objected else Objection(self.objection)
        if self._committed < self._throws + AHEAD and self._dice:
            throws = range(self._committed, self._committed + AT_ONCE)
            if hashes := self._numbers.commitments(throws):
                return Commitments(throws[0], hashes)
        for place in range(self._next_unreported, self.place):
            if self._authors[place] is self.near and place not in self._reported:
                return CommonEntry(place, self._lines[place], self._chains[place + 1])
            self._next_unreported = place + 1
        if self._ask and self._ask != self._asked:
            return self._ask
        if self._consent:
            return self._consent
        return self._revelation()

    def wrote(self, body: LetterBody) -> None:
        match body:
            case Commitments():
                self._committed = body.first + len(body.hashes)
            case Revelation():
                self._revealed[body.throw] = body
            case CommonEntry():
                self._reported.add(body.place)
            case Request():
                self._asked, self._ask = body, None
            case Consent():
                self._wrote_consent(body)
            case Objection():
                self._objected, self.objection = True, self.objection or body.why

    def _wrote_consent(self, letter: Consent) -> None:
        self._consent, asked = None, self._far_asks
        if asked and asked.place == letter.place:
            self._consented, self._far_asks = (asked, asked) if letter.yes else (None, None)

    def read(self, body: LetterBody) -> None:
        """Read a stored letter of the other board, now or after a restart."""
        match body:
            case Commitments():
                self._read_commitments(body)
            case Revelation():
                self._read_revelation(body)
            case CommonEntry():
                self._read_entry(body)
            case Request():
                self._far_asks = body
            case Consent():
                asked = self._asked
                if asked and asked.place == body.place:
                    self._declined_at = None if body.yes else body.place
                    self._consented, self._asked = (asked, asked) if body.yes else (None, None)
            case Objection():
                self.objection = self.objection or body.why
                self._objected = True

    def _revelation(self) -> Revelation | None:
        """This board's number for the next roll, once the other board has committed to its own."""
        throw, place = self._throws, self.place
        if throw in self._revealed or throw >= len(self._far_hashes):
            return None
        if self._state is None or self._state.phase not in ROLLS:
            return None
        asked = self._far_revealed.get(throw)
        if self.author is self.near:
            wanted = self._wants_roll == place
        else:
            wanted = asked is not None and asked.place == place
        number = self._numbers.number(throw) if wanted else None
        return Revelation(throw, place, number) if number else None

    def _read_commitments(self, letter: Commitments) -> None:
        if letter.first != len(self._far_hashes):
            self.object(say.COMMITTED_ANEW(board=self.board, roll=letter.first + 1))
            return
        if len(self._far_hashes) > self._throws + FARTHEST:
            self.object(say.TOO_FAR(board=self.board))
            return
        self._far_hashes += letter.hashes

    def _read_revelation(self, letter: Revelation) -> None:
        known = self._far_hashes[letter.throw : letter.throw + 1]
        if known != [commitment(self.link, self.far, letter.throw, letter.number)]:
            self.object(say.ANOTHER_NUMBER(board=self.board, roll=letter.throw + 1))
            return
        if self._far_revealed.setdefault(letter.throw, letter) != letter:
            self.object(say.REVEALED_AGAIN(board=self.board, roll=letter.throw + 1))

    def _read_entry(self, entry: CommonEntry) -> None:
        if entry.place > self.place + FARTHEST:
            self.object(say.TOO_FAR(board=self.board))
            return
        known = self._entries.setdefault(entry.place, entry)
        if known != entry:
            self._differ(entry.place)
        elif entry.place < self.place:
            self._compare(entry)

    def _compare(self, entry: CommonEntry) -> None:
        place = entry.place
        ours = self._lines[place], self._chains[place + 1], self._authors[place]
        if ours != (entry.line, entry.chain, self.far):
            self._differ(place)

    def _differ(self, place: int) -> None:
        self.object(say.ANOTHER_LINE(board=self.board, place=place + 1))

    # What the referee here is to be told

    @property
    def has_news(self) -> bool:
        """Whether `to_tell` may return an event."""
        if self.author is self.far:
            return self.place in self._entries
        asked = (self._consented, self._far_asks)
        return self.is_rolling or any(one and one.place == self.place for one in asked)

    def to_tell(self, view: View, us: Us) -> MachineActs | Rolled | None:
        """The next event here, from the other board's letters or by agreement; None if there is
        none."""
        if self.objection or self.author is None:
            return None
        if self.author is self.near:
            return self._own(view, us)
        entry = self._entries.get(self.place)
        if entry is None:
            return None
        try:
            decision = read_decision(write({"ms": 0, **read_object(entry.line)}))
        except (DecisionError, JsonError) as error:
            self.object(say.NO_DECISION(board=self.board, place=entry.place + 1, why=str(error)))
            return None
        objection = self._objection(decision)
        if objection:
            self.object(objection)
        return None if objection else self._follow(decision, view, us)

    def _own(self, view: View, us: Us) -> MachineActs | Rolled | None:
        throw = self._throws
        if self._is_revealed:
            if throw in self._far_revealed:
                return Rolled(us, self._rolled(throw), self.near, RollSource.DEVICE)
            return None if view.awaiting_roll else MachineActs(us, self.near, Act.ROLL)
        if self.is_rolling:
            return None
        agreed, asked = self._consented, self._far_asks
        if agreed and agreed.place == self.place:
            return _agreed_act(agreed, self.near if agreed == self._asked else self.far, us)
        over = self._state is not None and self._state.phase is Phase.GAME_OVER
        if over and asked and asked.place == self.place and asked.what is Act.NEXT_GAME:
            return _agreed_act(asked, self.far, us)
        return None

    def _objection(self, decision: Decision) -> str | None:
        """Why the other board cannot have made this decision; None if it can."""
        what = decision.what
        known = what in _THROWS or what in OF_FAR_SIDE or what in OF_BOTH_BOARDS
        if not known or decision.by not in (self.far, None):
            return say.NOT_ITS_TURN(board=self.board, what=what.value)
        if what not in _THROWS and self._is_revealed:
            return say.KNEW_THE_DICE(board=self.board, what=what.value)
        if what in OF_BOTH_BOARDS and what is not Act.NEXT_GAME:
            agreed = self._wanted(decision) in (self._asked, self._consented)
            return None if agreed else say.NOT_AGREED(board=self.board, what=what.value)
        return None

    def _follow(self, decision: Decision, view: View, us: Us) -> MachineActs | Rolled | None:
        if decision.what in _CALM and (
            view.chosen is not None or view.board is not BoardState.RESTING
        ):
            return None  # hands see to the board first, or make what was chosen
        if decision.what in _THROWS:
            return self._follow_throw(decision, view, us)
        acts = MachineActs(us, self.far, decision.what)
        match decision.what:
            case Act.PLAY:
                return replace(acts, play=decision.play or "")
            case Act.RESIGN:
                return replace(acts, points=decision.state.resignation or 0)
            case Act.TAKE_BACK | Act.RESTORE | Act.CORRECT:
                wanted = self._wanted(decision)
                return _agreed_act(wanted, self.near if wanted == self._asked else self.far, us)
        return acts

    def _follow_throw(self, decision: Decision, view: View, us: Us) -> Rolled | None:
        throw, dice = self._throws, decision.dice or Roll(())
        # A roll that was shown before a takeback is used again.
        if view.phase is not Phase.TO_ROLL or view.dice != 0:
            revealed = self._far_revealed.get(throw)
            if throw not in self._revealed or not revealed or revealed.place != self.place:
                self.object(say.ROLLED_ALONE(board=self.board))
                return None
            if dice != self._rolled(throw):
                self.object(say.OTHER_DICE(board=self.board, dice=str(dice)))
                return None
        return Rolled(us, dice, self.far, RollSource.DEVICE)

    def _wanted(self, decision: Decision) -> Request:
        position = decision.state.position if decision.what is Act.CORRECT else ""
        return Request(self.place, decision.what, decision.undone, position)

    def _rolled(self, throw: int) -> Roll:
        own, far = self._revealed[throw].number, self._far_revealed[throw].number
        white, black = (own, far) if self.near is Side.WHITE else (far, own)
        opening = self._state is not None and self._state.phase is Phase.OPENING_THROW
        return dice_of(self.link, throw, white, black, 1 if opening else self._dice)


def _agreed_act(agreed: Request, by: Side, us: Us) -> MachineActs:
    acts = MachineActs(us, by, agreed.what)
    if agreed.what is Act.TAKE_BACK:
        return replace(acts, undone=agreed.undone)
    return replace(acts, position=agreed.position) if agreed.position else acts
