"""Input pins for gpiozero whose edges wait in the kernel's own queue.

Without edges nothing wakes up, whereas lgpio polls the kernel two thousand times a second. libgpiod
2 could wait as well, but Debian 12 has libgpiod 1, and pip's must fit the Python version. So the
kernel is asked directly, with the constants and structures of linux/gpio.h, version 2.

Importing this imports lgpio, which leaves a pipe in the working directory: see `open_factory`.
"""

from __future__ import annotations

import fcntl
import os
import select
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Any, TypeAlias

import lgpio
from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin

OnEdge: TypeAlias = Callable[[int, int], None]
"""Takes the kernel's monotonic time of an edge, in nanoseconds, and the level after it."""

GET_LINE, GET_VALUES = 0xC250B407, 0xC010B40E
REQUEST = struct.Struct("=I252x32sQ264xI24xi")
"""The line's number, the user's name, flags, the number of lines, and the answer: a file
descriptor."""
VALUES = struct.Struct("=QQ")
"""Levels, and a mask of the lines asked for."""
EVENT = struct.Struct("=QI36x")
"""Time and kind of an edge."""
INPUT, BOTH_EDGES, RISING = 1 << 2, 3 << 4, 1
PULLS = {"up": 1 << 8, "down": 1 << 9, "floating": 1 << 10}
MOST_EVENTS = 64
"""The most edges read at a time."""


class EdgeReader:
    """The thread that waits for edges of a chip's lines and calls back, earliest edge first."""

    def __init__(self, chip: Path) -> None:
        self._chip = chip
        self._lock = Lock()
        self._heeded: dict[int, OnEdge] = {}
        self._poll = select.epoll()
        self._ended, self._end = os.pipe()
        self._poll.register(self._ended)
        self._thread = Thread(target=self._run, name="edges", daemon=True)
        self._thread.start()

    def open(self, number: int, pull: str, on_edge: OnEdge) -> int:
        """Return the file descriptor of an input line, whose edges are read from now on. Raises
        OSError."""
        request = bytearray(
            REQUEST.pack(number, b"spotter", INPUT | BOTH_EDGES | PULLS[pull], 1, -1)
        )
        with self._chip.open("rb") as chip:
            fcntl.ioctl(chip, GET_LINE, request)
        line: int = REQUEST.unpack(request)[-1]
        os.set_blocking(line, False)
        with self._lock:
            self._heeded[line] = on_edge
            self._poll.register(line, select.EPOLLIN)
        return line

    def leave(self, line: int) -> None:
        with self._lock:
            del self._heeded[line]
            self._poll.unregister(line)
            os.close(line)

    def close(self) -> None:
        """End the thread; the lines have been left."""
        os.close(self._end)
        self._thread.join()
        self._poll.close()
        os.close(self._ended)

    def _run(self) -> None:
        while True:
            ready = [line for line, _ in self._poll.poll()]
            if self._ended in ready:
                return
            with self._lock:
                edges = [edge for line in ready for edge in self._read(line)]
            for ns, level, on_edge in sorted(edges, key=lambda edge: edge[0]):
                on_edge(ns, level)

    def _read(self, line: int) -> Iterator[tuple[int, int, OnEdge]]:
        on_edge = self._heeded.get(line)
        if on_edge is None:  # left since
            return
        with suppress(BlockingIOError):  # another line has the same number by now
            for ns, kind in EVENT.iter_unpack(os.read(line, EVENT.size * MOST_EVENTS)):
                yield ns, int(kind == RISING), on_edge


def level_of(line: int) -> bool:
    """Whether a line is high. Raises OSError."""
    values = bytearray(VALUES.pack(0, 1))
    fcntl.ioctl(line, GET_VALUES, values)
    return bool(VALUES.unpack(values)[0])


class QueuedPin(LGPIOPin):  # type: ignore[misc]  # gpiozero has no types
    """lgpio's pin. While its edges are wanted the line belongs to the kernel's queue instead."""

    def __init__(self, factory: Any, info: Any) -> None:
        super().__init__(factory, info)
        self._line: int | None = None

    def close(self) -> None:
        self.when_changed = None
        super().close()

    def _get_state(self) -> Any:
        return super()._get_state() if self._line is None else level_of(self._line)

    def _enable_event_detect(self) -> None:
        pull = self.pull
        lgpio.gpio_free(self.factory._handle, self._number)
        self._line = self.factory.edges.open(self._number, pull, self._on_edge)

    def _disable_event_detect(self) -> None:
        if self._line is not None:
            self.factory.edges.leave(self._line)
            self._line = None
            lgpio.gpio_claim_input(self.factory._handle, self._number)

    def _on_edge(self, ns: int, level: int) -> None:
        self._call_when_changed(self.factory.chip, self._number, level, ns)


class QueuedFactory(LGPIOFactory):  # type: ignore[misc]  # gpiozero has no types
    """gpiozero's factory for lgpio, with these pins."""

    def __init__(self) -> None:
        super().__init__()
        self.pin_class = QueuedPin
        self.edges = EdgeReader(Path(f"/dev/gpiochip{self.chip}"))

    def close(self) -> None:
        is_open = self._handle is not None
        super().close()
        if is_open:
            self.edges.close()
