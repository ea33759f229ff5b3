"""Findings of attacks: tracebacks, hangs and unbounded growth."""

from __future__ import annotations

import gc
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pi_app.base.errors import GivenError


class TooLongError(BaseException):
    """An attempt takes too long; nothing in Spotter may catch it."""


@dataclass
class Findings:
    """How many attempts were made, the tracebacks there were, and what has grown by them."""

    done: int = 0
    tracebacks: list[str] = field(default_factory=list)
    growths: list[str] = field(default_factory=list)

    def attempt(self, act: Callable[[], object], what: str) -> None:
        """One attempt; anything but an error that users can fix is a finding."""
        self.done += 1
        try:
            with patience():
                act()
        except GivenError:
            pass
        except (Exception, TooLongError):
            self.tracebacks.append(f"{what[:2000]}\n{traceback.format_exc()}")

    @contextmanager
    def nothing_grows(self) -> Iterator[None]:
        """No file stays open, and no thread is left."""
        before = _held()
        yield
        if (after := _held()) > before:
            self.growths.append(f"files and threads: {before} before, {after} after")

    def is_at_most(self, what: str, there: int, most: int) -> None:
        """Something may grow, but no farther."""
        if there > most:
            self.growths.append(f"{what}: {there}, and {most} at most")


def _held() -> int:
    gc.collect()
    return sum(1 for _ in Path("/proc/self/fd").iterdir()) + threading.active_count()


@contextmanager
def patience(seconds: float = 60, processor_s: float = 0.0) -> Iterator[None]:
    """Raises TooLongError in what takes longer, or longer of the processor's time."""

    def ring(number: int, _: object) -> None:
        if number == signal.SIGPROF:
            raise TooLongError(f"not done after {processor_s} s of the processor's time")
        raise TooLongError(f"not done after {seconds} s")

    kinds = {
        signal.SIGALRM: (signal.ITIMER_REAL, seconds),
        signal.SIGPROF: (signal.ITIMER_PROF, processor_s),
    }
    before = {number: signal.signal(number, ring) for number in kinds}
    for timer, limit in kinds.values():
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for timer, _ in kinds.values():
            signal.setitimer(timer, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
