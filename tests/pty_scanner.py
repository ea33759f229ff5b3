"""A scanner behind a pseudo-terminal, in real time, that can be unplugged and plugged in again."""

from __future__ import annotations

import os
import select
import termios
import threading
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from scanner_twin import ScannerTwin

from pi_app.base.microseconds import Us
from pi_app.devices.scanner_port import BAUD
from pi_app.link.messages import BUILD, VERSION, Cause
from pi_app.sensing.description import Cell

PATIENCE_S = 10.0
_UNSET = termios.B38400
"""The speed of a new terminal in Linux."""


def until(done: Callable[[], object], seconds: float = PATIENCE_S) -> None:
    """Wait for something that happens on another thread; fails if it does not."""
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.002)


class PtyScanner:
    """A twin with a cable; `port` stays the same path whatever terminal is behind it."""

    def __init__(self, folder: Path, version: int = VERSION, build: int = BUILD) -> None:
        self.port = folder / "scanner"
        self._twin = ScannerTwin(self._now(), version=version, build=build)
        self._lock = threading.Lock()
        self._ends: tuple[int, int] | None = None
        self._closing = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> PtyScanner:
        self.plug_in()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing = True
        self._thread.join(PATIENCE_S)
        self.unplug()

    def reed(self, cell: Cell, closed: bool) -> None:
        """A reed closes or opens now."""
        with self._lock:
            self._twin.switch(self._now(), cell, closed)

    def write(self, data: bytes) -> None:
        """Put bytes on the wire that no scanner ever says."""
        with self._lock:
            assert self._ends is not None
            os.write(self._ends[0], data)

    def reset(self, cause: Cause) -> None:
        """The scanner begins anew."""
        with self._lock:
            self._twin.reset(self._now(), cause)

    @property
    def garbles(self) -> bool:
        """Whether the terminal is set to another speed than the scanner's."""
        with self._lock:
            return self._ends is not None and not _is_tuned(self._ends[1])

    def unplug(self, words: bytes = b"") -> None:
        """The cable is pulled, perhaps in the middle of a word."""
        with self._lock:
            if self._ends is None:
                return
            self.port.unlink()
            if words:
                os.write(self._ends[0], words)
            for end in self._ends:
                os.close(end)
            self._ends = None

    def plug_in(self) -> None:
        """The cable is put in; the scanner gets its power and begins anew."""
        with self._lock:
            controller, terminal = os.openpty()
            tty.setraw(terminal)
            os.set_blocking(controller, False)
            self._ends = controller, terminal
            self._twin.reset(self._now(), Cause.POWER)
            self.port.symlink_to(os.ttyname(terminal))

    def _now(self) -> Us:
        return Us(time.monotonic_ns() // 1000)

    def _run(self) -> None:
        while not self._closing:
            ends = self._ends
            if ends is None:
                time.sleep(0.001)
                continue
            with suppress(OSError, ValueError):  # unplugged just now
                select.select([ends[0]], [], [], 0.001)
            self._serve()

    def _serve(self) -> None:
        with self._lock:
            if self._ends is None:
                return
            now = self._now()
            controller, terminal = self._ends
            tuned = _is_tuned(terminal)
            with suppress(BlockingIOError):
                self._twin.receive(now, _garbled(os.read(controller, 4096), tuned))
            self._twin.advance(now)
            with suppress(BlockingIOError):  # nobody reads
                os.write(controller, _garbled(self._twin.take_outgoing(), tuned))


def _is_tuned(terminal: int) -> bool:
    """Whether a terminal has the scanner's speed; one that nobody has opened yet has none."""
    speed = termios.tcgetattr(terminal)[4]
    return speed in (getattr(termios, f"B{BAUD}"), _UNSET)


def _garbled(data: bytes, tuned: bool) -> bytes:
    """What comes over a wire whose ends have different speeds: fewer and other bytes."""
    return data if tuned else bytes(byte ^ 0xA5 for byte in data[::7])
