"""Threads that take what others put to them."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

T = TypeVar("T")
CLOSE_S = 10.0


class Worker(ABC, Generic[T]):
    """Carries out wishes on a thread of its own, one after the other, from `start` on."""

    def __init__(self, name: str) -> None:
        self._wishes: SimpleQueue[T | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def ask(self, wish: T) -> None:
        """Queue a wish. Never blocks."""
        self._wishes.put(wish)

    def close(self) -> None:
        """Finish the queued wishes within seconds and stop. May be called twice."""
        self._wishes.put(None)
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)

    @abstractmethod
    def take(self, wish: T) -> None:
        """Carry out a wish."""

    @property
    def patience_s(self) -> float | None:
        """Seconds without a wish until `rest` is called; None for never."""
        return None

    def rest(self) -> None:
        """Free what is not needed for now."""

    def _serve(self) -> None:
        while True:
            try:
                wish = self._wishes.get(timeout=self.patience_s)
            except Empty:
                self.rest()
                continue
            if wish is None:
                return
            self.take(wish)


class Handover:
    """Calls that worker threads leave to the loop, which alone may write the journal.

    An error goes to the thread that asked."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake, self._waiting = wake, SimpleQueue[tuple[Callable[[], Any], Future[Any]]]()
        self._closed = threading.Event()

    def call(self, does: Callable[[], T]) -> T:
        """Wait until the loop has made the call, and return its result or raise its error.

        Raises CancelledError if the loop ends before.
        """
        waiting: Future[T] = Future()
        self._waiting.put((does, waiting))
        if self._closed.is_set():
            waiting.cancel()
        self._wake()
        return waiting.result()

    def serve(self) -> None:
        """Make one of the calls that wait, because each may write to the disk."""
        with suppress(Empty):
            does, waiting = self._waiting.get_nowait()
            try:
                waiting.set_result(does())
            except Exception as error:
                waiting.set_exception(error)

    def close(self) -> None:
        """Cancel what waits, and everything later."""
        self._closed.set()
        for _, waiting in drained(self._waiting):
            waiting.cancel()


def drained(queue: SimpleQueue[T]) -> Iterator[T]:
    """Yield what is in a queue now, without waiting."""
    with suppress(Empty):
        while True:
            yield queue.get_nowait()
