"""A player in a process of its own, which may die, hang or answer nonsense."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from enum import Enum
from functools import partial
from multiprocessing.connection import Connection, Pipe
from queue import Empty, SimpleQueue
from typing import TypeAlias

from pi_app.base.microseconds import Us, ms
from pi_app.base.values import dataclass
from pi_app.players.contract import (
    Answer,
    CubeOpinion,
    Opinion,
    Question,
    RollsOpinion,
    TrialsOpinion,
)
from pi_app.rules.contract import AnyGame
from pi_app.words.numbers import figure
from pi_app.words.sentences import Said, Sentence
from pi_app.words.texts import one_line, quoted

# Talking with a player that may die, hang or answer nonsense: what is done about it, purely.
#
# Answers, times and ends come in; steps come out, which somebody who has the process takes. A
# player that fails is ended and started again. A question is asked twice at most; then it stays
# without an answer, and the player is left alone until it is asked again. One that fails unasked
# is started again at once, unless it has answered nothing since its last start.

TRIES = 2
MOST_DROPPED = 8
"""The most outdated questions without an answer; with more the player is restarted."""
MOST_OF_REFUSAL = 160
"""The most characters that are shown of a player's reason."""

AGAIN = Sentence("Restarting {player}: {why}")
AWAY = Sentence("{player} gives no answer: {why}")
ENDED = Sentence("it exited with status {status}")
STOPPED = Sentence("it was killed by signal {signal}")
NOT_STARTED = Sentence("it cannot start: {why}")
SLOW_START = Sentence("it was not ready within {seconds} s")
LATE = Sentence("it did not answer within {seconds} s")
NONSENSE = Sentence("its answer is invalid: {what}")
REFUSED = Sentence("it reports: {what}")
UNASKED = Sentence("it sent an answer to no question")
OVERDUE = Sentence("too many answers are missing")


@dataclass(frozen=True, slots=True)
class FromPlayer:
    """What a player's process sends: the answer to the question of this number, or None when it is
    ready.

    `refused`: why it cannot answer, or is not available.
    """

    number: int | None
    opinion: Answer = None
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Launch:
    """Start the player's process."""


@dataclass(frozen=True, slots=True)
class Finish:
    """End the player's process, whatever its state."""


@dataclass(frozen=True, slots=True)
class Send:
    """Put a question to the player."""

    number: int
    question: Question


@dataclass(frozen=True, slots=True)
class Advice:
    """The answer to a question; None from a player that has no opinion about the cube."""

    number: int
    opinion: Answer


@dataclass(frozen=True, slots=True)
class Trouble:
    """A problem in one line, and the number of the question that stays unanswered, if any."""

    said: Said
    number: int | None = None


Reply: TypeAlias = Advice | Trouble

ProcessStep: TypeAlias = Launch | Finish | Send | Advice | Trouble


@dataclass(frozen=True, slots=True)
class Deadlines:
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
    def __init__(
        self,
        game: AnyGame,
        player: str,
        deadlines: Deadlines = Deadlines(),  # noqa: B008, a frozen value
    ) -> None:
        self._game, self._player, self._deadlines = game, player, deadlines
        self._stage = _Stage.ABSENT
        self._pending: _Pending | None = None
        self._dropped = set[int | None]()
        self._proven = False
        self.due: Us | None = None
        """When the player must have done something."""

    def begin(self, us: Us) -> Iterator[ProcessStep]:
        if self._stage is _Stage.ABSENT:
            yield from self._launch(us)

    def ask(self, us: Us, number: int, question: Question) -> Iterator[ProcessStep]:
        """Ask a question. An earlier one that still waits for its answer is outdated.

        `number` is greater than any before.
        """
        self.drop()
        self._pending = _Pending(number, question)
        if len(self._dropped) > MOST_DROPPED:
            yield from self.fail(us, OVERDUE())
        elif self._stage is _Stage.READY:
            yield from self._put(us)
        else:
            yield from self.begin(us)

    def drop(self) -> None:
        if self._pending and self._pending.sent:
            self._dropped.add(self._pending.number)
        self._pending = None
        if self._stage is _Stage.READY:
            self.due = None

    def hear(self, us: Us, message: FromPlayer) -> Iterator[ProcessStep]:
        pending = self._pending
        if message.refused:
            yield from self.fail(us, REFUSED(what=one_line(message.refused, MOST_OF_REFUSAL)))
        elif self._stage is _Stage.STARTING:
            self._stage, self.due = _Stage.READY, None
            yield from self._put(us)
        elif message.number in self._dropped:
            self._dropped.discard(message.number)
        elif pending is None or message.number != pending.number:
            yield from self.fail(us, UNASKED())
        elif not self._is_sound(pending.question, message.opinion):
            yield from self.fail(us, NONSENSE(what=quoted(message.opinion)))
        else:
            self._pending, self.due, self._proven = None, None, True
            yield Advice(pending.number, message.opinion)

    def advance(self, us: Us) -> Iterator[ProcessStep]:
        if self.due is None or us < self.due:
            return
        if self._stage is _Stage.STARTING:
            why = SLOW_START(seconds=figure(self._deadlines.start / 1e6))
        else:
            why = LATE(seconds=figure(self._deadlines.answer / 1e6))
        yield from self.fail(us, why)

    def _is_sound(self, question: Question, opinion: Answer) -> bool:
        """Whether the opinion has every legal play or wanted roll exactly once, and all worths are
        numbers."""
        if question.trials:
            return opinion is None or (
                isinstance(opinion, TrialsOpinion)
                and len(opinion.worths) == question.trials.games
                and all(map(math.isfinite, opinion.worths))
            )
        if question.rolls:
            return (
                isinstance(opinion, RollsOpinion)
                and opinion.worths.keys() == set(question.rolls)
                and all(map(math.isfinite, opinion.worths.values()))
            )
        if question.roll is None:
            return opinion is None or isinstance(opinion, CubeOpinion)
        if not isinstance(opinion, Opinion):
            return False
        worths = {rated.play: rated.worth for rated in opinion.plays}
        legal = self._game.plays(question.situation.position, question.roll)
        return (
            len(worths) == len(opinion.plays)
            and worths.keys() == set(legal)
            and all(map(math.isfinite, worths.values()))
        )

    def _launch(self, us: Us) -> Iterator[ProcessStep]:
        self._stage, self._proven = _Stage.STARTING, False
        self._dropped.clear()
        if self._pending:
            self._pending.sent = False
        self.due = Us(us + self._deadlines.start)
        yield Launch()

    def _put(self, us: Us) -> Iterator[ProcessStep]:
        if self._pending:
            self._pending.sent = True
            self.due = Us(us + self._deadlines.answer)
            yield Send(self._pending.number, self._pending.question)

    def fail(self, us: Us, why: Said) -> Iterator[ProcessStep]:
        """End the process, and restart it if that may help."""
        pending, self._stage, self.due = self._pending, _Stage.ABSENT, None
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


# A player in a process of its own, and the thread that talks with it: nobody else ever waits.
#
# `ask` and `drop` return at once. The thread calls back with a `Reply`; the program's callback puts
# it on the one queue. Only the thread starts the process, sends to it, and ends it with its whole
# session; another thread listens to it. Questions and answers are pickled, for both ends are this
# Spotter.

CLOSE_S = 5.0
LAST_S = 2.0
"""How long a process may take to end after its last message."""

Wish: TypeAlias = Callable[[Us], Iterable[ProcessStep] | None]


def command_of(game: AnyGame, player: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "pi_app.cli.think", game.name, player, *game.agreed)


def now() -> Us:
    return Us(time.monotonic_ns() // 1000)


def call_process(game: AnyGame, player: str, tell: Callable[[Reply], None]) -> PlayerProcess:
    return PlayerProcess(command_of(game, player), Conversation(game, player), tell)


# Why a process and not a thread: a thread that hangs cannot be ended, and an engine's crash in C
# would end Spotter. A process can be killed, and runs at low priority. Why a question is asked
# twice: the first failure may be chance; the second is the question's, and asking it again would
# only repeat it.


class PlayerProcess:
    """A player that is asked by numbers, each greater than the one before.

    `command` starts it; the number of a connection's file descriptor is appended. `tell` is called
    on a thread.
    """

    def __init__(
        self, command: Sequence[str], conversation: Conversation, tell: Callable[[Reply], None]
    ) -> None:
        self._command, self._conversation, self._tell = tuple(command), conversation, tell
        self._wishes: SimpleQueue[Wish | None] = SimpleQueue()
        self._child: subprocess.Popen[bytes] | None = None
        self._channel: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="player", daemon=True)
        self._wishes.put(conversation.begin)
        self._thread.start()

    @property
    def pid(self) -> int | None:
        child = self._child
        return child.pid if child else None

    def ask(self, number: int, question: Question) -> None:
        """Ask a question. The answer to an earlier one is no longer wanted."""
        self._wishes.put(lambda us: self._conversation.ask(us, number, question))

    def drop(self) -> None:
        self._wishes.put(lambda _: self._conversation.drop())

    def close(self) -> None:
        """End the process and the thread; `tell` is not called any more."""
        self._tell = lambda _: None
        self._wishes.put(None)
        self._thread.join(CLOSE_S)

    # All below runs on the thread, but for `_listen`.

    def _run(self) -> None:
        try:
            while wish := self._next():
                self._take(wish(now()) or ())
        finally:
            self._finish()

    def _next(self) -> Wish | None:
        """Return what to do next; None at the end."""
        due = self._conversation.due
        try:
            return self._wishes.get(timeout=None if due is None else max(0.0, (due - now()) / 1e6))
        except Empty:
            return self._conversation.advance

    def _take(self, steps: Iterable[ProcessStep]) -> None:
        for step in steps:
            match step:
                case Launch():
                    self._launch()
                case Finish():
                    self._finish()
                case Send(number, question) if self._channel:
                    with suppress(OSError):  # it is gone, which is heard next
                        self._channel.send((number, question))
                case Advice() | Trouble():
                    self._tell(step)

    def _launch(self) -> None:
        # One way each: that needs no sockets.
        asked, asks = Pipe(duplex=False)
        answers, answered = Pipe(duplex=False)
        try:
            with asked, answered:
                child = subprocess.Popen(
                    (*self._command, str(asked.fileno()), str(answered.fileno())),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=[asked.fileno(), answered.fileno()],
                    start_new_session=True,
                )
        except OSError as error:
            asks.close()
            answers.close()
            why = NOT_STARTED(why=error.strerror or str(error))
            self._take(self._conversation.fail(now(), why))
            return
        self._child, self._channel = child, asks
        threading.Thread(target=self._listen, args=(child, answers), daemon=True).start()

    def _listen(self, child: subprocess.Popen[bytes], channel: Connection) -> None:
        with channel, suppress(Exception):  # whatever it is, it was its last word
            while True:
                message: FromPlayer = channel.recv()
                self._wishes.put(partial(self._heard, child, message))
        self._wishes.put(partial(self._heard, child, None))

    def _heard(
        self, child: subprocess.Popen[bytes], message: FromPlayer | None, us: Us
    ) -> Iterable[ProcessStep]:
        """Handle a message of a process that has not been ended since; None means that it was its
        last."""
        if child is not self._child:
            return ()
        if message:
            return self._conversation.hear(us, message)
        # It has closed its connection: that ends it, whatever else it does.
        with suppress(subprocess.TimeoutExpired):
            child.wait(LAST_S)
        status = self._finish()
        why = STOPPED(signal=-status) if status < 0 else ENDED(status=status)
        return self._conversation.fail(us, why)

    def _finish(self) -> int:
        child, self._child = self._child, None
        if self._channel:
            self._channel.close()
            self._channel = None
        if child is None:
            return 0
        # A process that has ended keeps its status and needs no kill.
        with suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)
        return child.wait()
