"""The far player of a linked match: it takes a seat like the machine's and exchanges letters.

It never waits. Letters are queued until the session asks; `wake` makes it ask soon. No letter can
end the session: an invalid one ends the link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager

from pi_app.club.correspondence import Correspondence, LetterWay
from pi_app.club.guard import guarded
from pi_app.club.linked import wording as say
from pi_app.club.linked.letters import LetterBody, LinkLetter, Request
from pi_app.club.linked.talk import LinkTalk
from pi_app.microseconds import Us
from pi_app.referee.decision import Decision
from pi_app.referee.effects import AskRoll, Effect, Keep, Propose
from pi_app.referee.events import EventError, FarSeat, MachineActs, Rolled
from pi_app.referee.other_side import OtherSide
from pi_app.referee.referee import Referee
from pi_app.words.sentences import Said

MOST_AT_ONCE = 8
"""Letters read per round of the loop."""
SPARE_LETTERS, MOST_A_DECISION = 1000, 16
"""The most decisions of a match; a decision needs three or four letters."""


class FarPlayer(OtherSide):
    """The side of a match that another board plays; `dice` is how many a turn of its game throws.

    `decisions` is all that the match's journal has. Its letters stay when the match is left, and
    may still be sent.
    """

    writes = True

    def __init__(
        self,
        letters: Correspondence,
        seat: FarSeat,
        dice: int,
        decisions: Iterable[Decision],
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        self.talk = LinkTalk(seat, letters.key, dice)
        self.seat, self._letters, self._wake = seat, letters, wake
        self._now = Us(0)
        for decision in decisions:
            self.talk.decided(decision)
        for way, body in letters.letters:
            if way is LetterWay.WROTE:
                self.talk.wrote(body)
            else:
                self._read(body)

    def hear(self, letter: LinkLetter) -> None:
        self._letters.post.take(letter)
        self._wake()

    @property
    def due(self) -> Us | None:
        """When letters are sent again, or the next that have come are read."""
        waits = self._letters.post.next is not None and not self._letters.unkept
        return self._now if waits else self._letters.post.due

    @property
    def question(self) -> Request | None:
        return self.talk.question

    @property
    def trouble(self) -> str | None:
        talk, board = self.talk, self.seat.board
        if talk.objection:
            return talk.objection
        if self._letters.unkept:
            return say.NOT_KEPT(board=board, why=self._letters.unkept)
        if self._letters.post.is_silent(self._now):
            return say.WAITS_FOR(board=board)
        if talk.asking:
            return say.WAITS_FOR_ANSWER(board=board, what=worded_request(talk.asking))
        if talk.is_rolling:
            return say.WAITS_FOR_HANDS(board=board)
        return say.DECLINES(board=board) if talk.declined else None

    def learn(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Keep():
                    self.talk.decided(effect.decision)
                case AskRoll(rolled=None):
                    self.talk.want_roll()
                case Propose():
                    self.talk.ask(effect)

    def answer(self, *, yes: bool) -> None:
        self.talk.answer(yes=yes)

    def decide(self, referee: Referee, us: Us) -> MachineActs | Rolled | None:
        self._listen()
        with self._guarded():
            return self.talk.to_tell(referee.view, us) if self.talk.has_news else None
        return None

    def refuse(self, error: Exception) -> None:
        known = isinstance(error, EventError)
        self._object(str(error) if known else f"{type(error).__name__}: {error}")

    def _object(self, why: str) -> None:
        self.talk.object(say.IMPOSSIBLE(board=self.seat.board, why=why))

    def carry(self, us: Us, unkept: str | None) -> None:
        """Write and send letters, except those that the journal could not store."""
        self._now = us
        self._listen()
        while not unkept and (body := self.talk.to_write()):
            if not self._letters.write(body):
                break
            self.talk.wrote(body)
        self._letters.carry(us)

    def _listen(self) -> None:
        """Read some letters; each is written to disk while the loop waits."""
        for _ in range(MOST_AT_ONCE):
            if self.talk.objection:
                # The link is closed, so nothing of it is stored.
                self._letters.post.skip()
            elif body := self._letters.next():
                self._read(body)
                if self._letters.post.got > SPARE_LETTERS + MOST_A_DECISION * self.talk.place:
                    self.talk.object(say.TOO_MANY(board=self.seat.board))
            else:
                break

    def _read(self, body: LetterBody) -> None:
        with self._guarded():
            self.talk.read(body)

    def _guarded(self) -> AbstractContextManager[None]:
        return guarded(self._object)


def worded_request(asked: Request) -> Said:
    sentence = say.ASKED[asked.what]
    return sentence(n=asked.undone) if sentence.plural else sentence()
