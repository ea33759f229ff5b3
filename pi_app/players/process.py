"""A player in a process of its own, and the thread that talks with it: nobody else ever waits.

`ask` and `drop` return at once; what comes of it is told by a callback, on the thread, as a
`Reply`: the loop of the program gives one that puts it on its one queue.  The thread alone starts,
feeds, hears, ends and buries the process, whose whole session ends with it.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeAlias

from pi_app.microseconds import Us
from pi_app.players.conversation import (
    ENDED,
    NOT_STARTED,
    STOPPED,
    Advice,
    Conversation,
    Deed,
    Finish,
    Launch,
    Reply,
    Send,
    Trouble,
)
from pi_app.players.wire import Question
from pi_app.rules.contract import AnyGame

AT_ONCE = 65536
"""Bytes that are heard before anything else is looked at."""
CLOSE_S = 5.0

Wish: TypeAlias = Callable[[Us], Iterable[Deed]]


def command_of(game: AnyGame, player: str) -> tuple[str, ...]:
    """What starts a player of this Spotter."""
    return (sys.executable, "-m", "pi_app", "think", game.name, player)


def now() -> Us:
    """The monotonic time."""
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
        """The process there is, if any."""
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
        """Do what was wished for; whether to go on."""
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
        # Who has ended by himself keeps his status: he is past being killed.
        with suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)
        status = child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()
        return status
