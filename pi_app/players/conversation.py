"""Talking with a player that may die, hang or answer nonsense: what is done about it, purely.

Bytes, times and ends come in; steps come out, which somebody who has the process takes
(`process.py`).  A player that fails is ended and started again.  A question is asked twice at most;
then it stays without an answer, and the player is left alone until it is asked again.  One that
fails unasked is started again at once, unless it has answered nothing since its last start.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from pi_app.microseconds import Us, ms
from pi_app.players.contract import CubeOpinion, Opinion
from pi_app.players.wire import (
    MOST_OF_ANSWER,
    NonsenseError,
    Question,
    RefusedError,
    check_greeting,
    number_of,
    read_answer,
    write_question,
)
from pi_app.rules.contract import AnyGame
from pi_app.sentences import Said, Sentence

TRIES = 2
MOST_DROPPED = 8
"""Questions that are out of date and not yet answered; with more the player is started afresh."""

AGAIN = Sentence("The player {player} is started again: {why}")
AWAY = Sentence("The player {player} does not answer this time: {why}")
ENDED = Sentence("it ended with status {status}")
STOPPED = Sentence("it was ended by signal {signal}")
NOT_STARTED = Sentence("it cannot be started: {why}")
SLOW_START = Sentence("it was not ready within {seconds} s")
LATE = Sentence("it did not answer within {seconds} s")
NONSENSE = Sentence("it answered nonsense: {what}")
REFUSED = Sentence("it says: {what}")
TOO_MUCH = Sentence("it said more than {kib} KiB at once")
UNASKED = Sentence("it spoke unasked")
OVERDUE = Sentence("it owes too many answers")


@dataclass(frozen=True, slots=True)
class Launch:
    """Start the player's process."""


@dataclass(frozen=True, slots=True)
class Finish:
    """End the player's process, however it is."""


@dataclass(frozen=True, slots=True)
class Send:
    """Write this to the player."""

    line: bytes


@dataclass(frozen=True, slots=True)
class Advice:
    """The answer to a question; None of a player who has no word on the cube."""

    number: int
    opinion: Opinion | CubeOpinion | None


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong, in one line; with a number the question that stays without an answer."""

    said: Said
    number: int | None = None


Reply: TypeAlias = Advice | Trouble
"""What the asker is told."""

Deed: TypeAlias = Launch | Finish | Send | Advice | Trouble


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long a player may take to be there, and to answer."""

    start: Us = ms(30_000)
    answer: Us = ms(10_000)


class _Stage(Enum):
    ABSENT = "absent"
    STARTING = "starting"
    READY = "ready"


@dataclass(slots=True)
class _Pending:
    number: int
    question: Question
    sent: bool = False
    failures: int = 0


class Conversation:
    """A conversation with one player of a game."""

    def __init__(self, game: AnyGame, player: str, deadlines: Deadlines = Deadlines()) -> None:
        self._game, self._player, self._deadlines = game, player, deadlines
        self._stage = _Stage.ABSENT
        self._pending: _Pending | None = None
        self._dropped = set[int]()
        self._heard = b""
        self._proven = False
        self._due: Us | None = None

    @property
    def due(self) -> Us | None:
        """When the player must have done something."""
        return self._due

    def begin(self, us: Us) -> list[Deed]:
        """Have the player ready before it is asked."""
        return list(self._launch(us)) if self._stage is _Stage.ABSENT else []

    def ask(self, us: Us, number: int, question: Question) -> list[Deed]:
        """Ask; a question that waits for its answer is out of date from now on.

        `number` is greater than any before.
        """
        self.drop()
        self._pending = _Pending(number, question)
        if len(self._dropped) > MOST_DROPPED:
            return list(self._fail(us, OVERDUE()))
        if self._stage is _Stage.ABSENT:
            return list(self._launch(us))
        return list(self._put(us)) if self._stage is _Stage.READY else []

    def drop(self) -> list[Deed]:
        """The answer is not wanted any more."""
        if self._pending and self._pending.sent:
            self._dropped.add(self._pending.number)
        self._pending = None
        if self._stage is _Stage.READY:
            self._due = None
        return []

    def hear(self, us: Us, data: bytes) -> list[Deed]:
        """Bytes from the player, in any pieces."""
        if self._stage is _Stage.ABSENT:
            return []
        *lines, self._heard = (self._heard + data).split(b"\n")
        steps = list[Deed]()
        for line in lines:
            steps += self._take(us, line)
            if Finish() in steps:
                return steps  # what follows was said by a process that is gone
        if len(self._heard) > MOST_OF_ANSWER:
            steps += self._fail(us, TOO_MUCH(kib=MOST_OF_ANSWER // 1024))
        return steps

    def gone(self, us: Us, why: Said) -> list[Deed]:
        """The process has ended, or could not be started."""
        return [] if self._stage is _Stage.ABSENT else list(self._fail(us, why))

    def advance(self, us: Us) -> list[Deed]:
        """Time has come as far as this."""
        if self._due is None or us < self._due:
            return []
        if self._stage is _Stage.STARTING:
            return list(self._fail(us, SLOW_START(seconds=_seconds(self._deadlines.start))))
        return list(self._fail(us, LATE(seconds=_seconds(self._deadlines.answer))))

    def _launch(self, us: Us) -> Iterator[Deed]:
        self._stage, self._proven = _Stage.STARTING, False
        self._heard = b""
        self._dropped.clear()
        if self._pending:
            self._pending.sent = False
        self._due = Us(us + self._deadlines.start)
        yield Launch()

    def _put(self, us: Us) -> Iterator[Deed]:
        if self._pending:
            self._pending.sent = True
            self._due = Us(us + self._deadlines.answer)
            yield Send(write_question(self._game, self._pending.number, self._pending.question))

    def _take(self, us: Us, line: bytes) -> Iterator[Deed]:
        """One line of the player's."""
        try:
            if self._stage is _Stage.STARTING:
                check_greeting(line, self._game.name, self._player)
                self._stage, self._due = _Stage.READY, None
                yield from self._put(us)
            elif (number := number_of(line)) in self._dropped:
                self._dropped.discard(number)
            elif self._pending is None:
                yield from self._fail(us, UNASKED())
            else:
                number = self._pending.number
                opinion = read_answer(self._game, number, self._pending.question, line)
                self._pending, self._due, self._proven = None, None, True
                yield Advice(number, opinion)
        except RefusedError as error:
            yield from self._fail(us, REFUSED(what=str(error)))
        except NonsenseError as error:
            yield from self._fail(us, NONSENSE(what=str(error)))

    def _fail(self, us: Us, why: Said) -> Iterator[Deed]:
        """End it, and start it again where that may help."""
        pending, self._stage, self._due = self._pending, _Stage.ABSENT, None
        yield Finish()
        if pending:
            pending.failures += 1
        if pending and pending.failures >= TRIES:
            self._pending = None
            yield Trouble(AWAY(player=self._player, why=why), pending.number)
        elif pending or self._proven:
            yield Trouble(AGAIN(player=self._player, why=why))
            yield from self._launch(us)
        else:
            yield Trouble(AWAY(player=self._player, why=why))


def _seconds(span: Us) -> str:
    return f"{span / 1e6:g}"
