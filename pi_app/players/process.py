"""A player in a process of its own, which may die, hang or answer nonsense."""

from __future__ import annotations

import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from queue import Empty, SimpleQueue
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
from pi_app.words.sentences import Said, Sentence

# Talking with a player that may die, hang or answer nonsense: what is done about it, purely.
#
# Bytes, times and ends come in; steps come out, which somebody who has the process takes
# (`process.py`). A player that fails is ended and started again. A question is asked twice at
# most; then it stays without an answer, and the player is left alone until it is asked again. One
# that fails unasked is started again at once, unless it has answered nothing since its last start.

TRIES = 2
MOST_DROPPED = 8
"""Questions that are out of date and not yet answered; with more the player is started afresh."""

AGAIN = Sentence("Restarting {player}: {why}")
AWAY = Sentence("{player} gives no answer: {why}")
ENDED = Sentence("it exited with status {status}")
STOPPED = Sentence("it was killed by signal {signal}")
NOT_STARTED = Sentence("it cannot start: {why}")
SLOW_START = Sentence("it was not ready within {seconds} s")
LATE = Sentence("it did not answer within {seconds} s")
NONSENSE = Sentence("its answer is invalid: {what}")
REFUSED = Sentence("it reports: {what}")
TOO_MUCH = Sentence("it sent more than {kib} KiB at once")
UNASKED = Sentence("it sent an answer to no question")
OVERDUE = Sentence("too many answers are missing")


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
    """A problem in one line, with the number of the question that stays unanswered, if any."""

    said: Said
    number: int | None = None


Reply: TypeAlias = Advice | Trouble
"""The answer's fields."""

Deed: TypeAlias = Launch | Finish | Send | Advice | Trouble


@dataclass(frozen=True, slots=True)
class Deadlines:
    """The time limits of a player for its start and its answers."""

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
        return [] if self._stage is _Stage.ABSENT else list(self._fail(us, why))

    def advance(self, us: Us) -> list[Deed]:
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


# A player in a process of its own, and the thread that talks with it: nobody else ever waits.
#
# `ask` and `drop` return at once. The thread calls back with a `Reply`; the program's callback puts
# it on the one queue. Only the thread starts the process, writes to it, reads from it, and ends it
# with its whole session.

AT_ONCE = 65536
"""Bytes that are heard before anything else is looked at."""
CLOSE_S = 5.0

Wish: TypeAlias = Callable[[Us], Iterable[Deed]]


def command_of(game: AnyGame, player: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "pi_app.cli.think", game.name, player)


def now() -> Us:
    return Us(time.monotonic_ns() // 1000)


def call_process(game: AnyGame, player: str, tell: Callable[[Reply], None]) -> PlayerProcess:
    """A player of this Spotter, in a process of its own."""
    return PlayerProcess(command_of(game, player), Conversation(game, player), tell)


class PlayerProcess:
    """A player that is asked by numbers, each greater than the one before.

    `command` starts it; `tell` is called on a thread.
    """

    def __init__(
        self,
        command: Sequence[str],
        conversation: Conversation,
        tell: Callable[[Reply], None],
        clock: Callable[[], Us] = now,
    ) -> None:
        self._command, self._conversation = tuple(command), conversation
        self._tell, self._clock = tell, clock
        self._wishes: SimpleQueue[Wish | None] = SimpleQueue()
        self._woken, self._waker = socket.socketpair()
        self._waker.setblocking(False)
        self._woken.setblocking(False)
        self._child: subprocess.Popen[bytes] | None = None
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, name="player", daemon=True)
        self._wish(conversation.begin)
        self._thread.start()

    @property
    def pid(self) -> int | None:
        child = self._child
        return child.pid if child else None

    def ask(self, number: int, question: Question) -> None:
        """Ask; an answer that is still to come to an earlier question is not wanted any more."""
        self._wish(lambda us: self._conversation.ask(us, number, question))

    def drop(self) -> None:
        """The answer is not wanted any more."""
        self._wish(lambda _: self._conversation.drop())

    def close(self) -> None:
        """End the process and the thread; nothing is told any more."""
        self._tell = lambda _: None
        self._wish(None)
        self._thread.join(CLOSE_S)
        self._waker.close()

    def _wish(self, wish: Wish | None) -> None:
        self._wishes.put(wish)
        with suppress(OSError):  # full of calls: it wakes anyway
            self._waker.send(b"!")

    # All below runs on the thread.

    def _run(self) -> None:
        try:
            while self._obey():
                for key, _ in self._selector.select(self._patience()):
                    if key.fileobj is self._woken:
                        with suppress(BlockingIOError):
                            self._woken.recv(AT_ONCE)
                    else:
                        self._listen()
                self._take(self._conversation.advance(self._clock()))
        finally:
            self._finish()
            self._selector.close()
            self._woken.close()

    def _patience(self) -> float | None:
        due = self._conversation.due
        return None if due is None else max(0.0, (due - self._clock()) / 1e6)

    def _obey(self) -> bool:
        """Carry out a wish. Returns whether to continue."""
        with suppress(Empty):
            while True:
                wish = self._wishes.get_nowait()
                if wish is None:
                    return False
                self._take(wish(self._clock()))
        return True

    def _listen(self) -> None:
        child = self._child
        if child is None or child.stdout is None:
            return
        if data := os.read(child.stdout.fileno(), AT_ONCE):
            self._take(self._conversation.hear(self._clock(), data))
            return
        # It has closed its output: that ends it, whatever else it does.
        status = self._finish()
        why = STOPPED(signal=-status) if status < 0 else ENDED(status=status)
        self._take(self._conversation.gone(self._clock(), why))

    def _take(self, steps: Iterable[Deed]) -> None:
        for step in steps:
            match step:
                case Launch():
                    self._launch()
                case Finish():
                    self._finish()
                case Send(line):
                    self._send(line)
                case Advice() | Trouble():
                    self._tell(step)

    def _launch(self) -> None:
        try:
            child = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            why = NOT_STARTED(why=error.strerror or str(error))
            self._take(self._conversation.gone(self._clock(), why))
            return
        assert child.stdin is not None
        assert child.stdout is not None
        os.set_blocking(child.stdin.fileno(), False)
        self._child = child
        self._selector.register(child.stdout, selectors.EVENT_READ)

    def _send(self, line: bytes) -> None:
        """A question is shorter than a pipe takes at once; who does not read it is late."""
        if self._child and self._child.stdin:
            with suppress(OSError):
                os.write(self._child.stdin.fileno(), line)

    def _finish(self) -> int:
        """End the process and all it has started; its status."""
        child, self._child = self._child, None
        if child is None:
            return 0
        if child.stdout:
            self._selector.unregister(child.stdout)
        # A process that has ended keeps its status and needs no kill.
        with suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)
        status = child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()
        return status
