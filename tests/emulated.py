"""The real firmware on the emulated board in virtual time, and two hosts for it.

`Host` is the least of a host and stamps every message to the microsecond; `SessionHost` is the
program's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from lab.stepped import CYCLES_A_US, SteppedEmulator
from scanner_wire import FromHost, pack

from pi_app.base.microseconds import Us
from pi_app.link.messages import (
    Acknowledge,
    Configure,
    Decoder,
    FromScanner,
    Geometry,
    Hello,
    Report,
    encode,
    unpack_from_scanner,
)
from pi_app.link.session import HostSession, LinkEvent
from pi_app.link.strips import RowColumn
from pi_app.rules.terms import Side
from pi_app.sensing.description import Cell
from pi_app.simulator.emulator import (
    PACKAGES,
    EmulatedBoard,
    Programs,
    build_programs,
    missing_tools,
)

TOKEN = 0x1234
STEP_US = 1000
"""Polling period of the host, which delays acknowledgements."""
DEBOUNCE_MS = 5
START_US = 10_000
"""Time until the firmware has started and sent its hello."""

Garble = Callable[[bytes], bytes]
"""The wire's effect on the bytes put on it."""


def silent(data: bytes) -> bytes:
    return data


class ShortCircuits(NamedTuple):
    """Faults that sound firmware never makes: rows driven together, high joined to low."""

    together: int
    shorted: int


class SerialLine(NamedTuple):
    """The baud that the chip's registers say, and the bytes that the firmware has missed."""

    baud: int
    overruns: int


class Memory(NamedTuple):
    """Bytes of RAM: the deepest stack since power on, and what is laid out for good."""

    stack: int
    static: int


def numbers(board: EmulatedBoard, command: str) -> tuple[int, ...]:
    """Counters of the emulated chip: cycles, drives of each row, faults, line, stack."""
    return tuple(int(word) for word in board.ask(command)[-1].split()[1:])


def cycle_of(board: EmulatedBoard) -> int:
    """The cycles of 16 MHz since the start."""
    return numbers(board, "cycles")[0]


def short_circuits(board: EmulatedBoard) -> ShortCircuits:
    return ShortCircuits(*numbers(board, "faults"))


@dataclass(frozen=True, slots=True)
class HeardAt:
    """A message and when its last byte had come, in µs since the start."""

    us: float
    message: FromScanner


@dataclass(frozen=True, slots=True)
class Change:
    """One reed's change, when its report had come, and the scanner's own time of it."""

    us: float
    cell: Cell
    closed: bool
    scanner_ms: int


class Host:
    """A minimal host: configures, reads reports in order, acknowledges them on request."""

    def __init__(self, board: SteppedEmulator) -> None:
        self.board = board
        self.now_us = 0
        self.heard: list[HeardAt] = []
        self.changes: list[Change] = []
        self.doubtful = 0
        self.picture: frozenset[Cell] | None = None
        self.lost = 0
        self.resets = 0
        self.acknowledges = True
        self.to_board: Garble = silent
        self.from_board: Garble = silent
        self.decoder = Decoder()
        self._geometry = Geometry(0, 0, 0)
        self._last = -1

    def say(self, message: FromHost) -> None:
        self.board.send(self.to_board(encode(pack(message))))

    def configure(self, rows: int, columns: int) -> None:
        """Begin afresh and wait for the picture."""
        self.begin(Geometry(rows, columns, DEBOUNCE_MS))

    def begin(self, geometry: Geometry) -> None:
        self._geometry = geometry
        self.picture, self._last, self.lost = None, -1, 0
        self.say(Configure(TOKEN, self._geometry))
        self.run(20_000)

    def run(self, us: int) -> list[HeardAt]:
        """Let time pass; what was heard meanwhile."""
        before = len(self.heard)
        end = self.now_us + us
        while self.now_us < end:
            self._step(min(STEP_US, end - self.now_us))
        return self.heard[before:]

    def run_until(self, us: int) -> list[HeardAt]:
        return self.run(us - self.now_us)

    def _step(self, us: int) -> None:
        lapse = self.board.run(us)
        self.now_us += us
        self.resets += len(lapse.resets)
        reports = False
        for sent in lapse.sent:
            for payload in self.decoder.feed(self.from_board(bytes([sent.byte]))):
                heard = HeardAt(sent.cycle / CYCLES_A_US, unpack_from_scanner(payload))
                self.heard.append(heard)
                if isinstance(heard.message, Report):
                    reports = True
                    self._take(heard.us, heard.message)
        if reports and self.acknowledges and self._last >= 0:
            self.say(Acknowledge(TOKEN, self._last))

    def _take(self, us: float, report: Report) -> None:
        if self.picture is None:
            if report.sequence != 0:
                return  # of a session before
        elif report.lost == self.lost and report.sequence != self._last + 1:
            return
        before, self.picture = self.picture, closed_in(report, self._geometry)
        self.lost, self._last = report.lost, report.sequence
        if before is None:
            return
        turned = sorted(before ^ self.picture, key=str)
        self.doubtful += len(turned) != 1
        self.changes += [Change(us, cell, cell in self.picture, report.ms) for cell in turned]


def closed_in(report: Report, geometry: Geometry) -> frozenset[Cell]:
    """The closed contacts of a report."""
    assert len(report.bitmap) == geometry.bitmap_bytes
    bits = int.from_bytes(report.bitmap, "little")
    numbers = (number for number in range(geometry.contacts) if bits >> number & 1)
    return frozenset(_contact(number, geometry) for number in numbers)


def _contact(number: int, geometry: Geometry) -> Cell:
    """Of a Hall sensor White's checkers raise the level."""
    cell, pole = divmod(number, geometry.poles)
    side = tuple(Side)[pole] if geometry.poles > 1 else None
    row, column = divmod(cell, geometry.columns)
    return Cell(row, column, side)


def cells(rows: int, columns: int) -> list[Cell]:
    return [Cell(row, column) for row in range(rows) for column in range(columns)]


def hellos(heard: list[HeardAt]) -> list[Hello]:
    return [one.message for one in heard if isinstance(one.message, Hello)]


def reports(heard: list[HeardAt]) -> list[Report]:
    return [one.message for one in heard if isinstance(one.message, Report)]


class SessionHost:
    """The program's own session over the emulated board."""

    def __init__(
        self,
        board: SteppedEmulator,
        rows: int,
        columns: int,
        geometry: Geometry | None = None,
        wired: frozenset[RowColumn] | None = None,
    ) -> None:
        self.board = board
        self.now_us = 0
        self.events: list[LinkEvent] = []
        self.to_board: Garble = silent
        self.from_board: Garble = silent
        tokens = count(TOKEN)
        geometry = geometry or Geometry(rows, columns, DEBOUNCE_MS)
        self.session = HostSession(geometry, lambda: next(tokens), wired)
        self.session.plugged(Us(0))

    @property
    def closed(self) -> frozenset[Cell] | None:
        """The closed reeds as the session knows them; None while it does not."""
        places = self.session.closed
        return None if places is None else frozenset(Cell(row, column) for row, column in places)

    def run(self, us: int) -> list[LinkEvent]:
        """Let time pass; returns the session's events."""
        before = len(self.events)
        end = self.now_us + us
        while self.now_us < end:
            lapse = self.board.run(min(STEP_US, end - self.now_us))
            self.now_us = min(self.now_us + STEP_US, end)
            data = self.from_board(bytes(sent.byte for sent in lapse.sent))
            self.events += self.session.receive(Us(self.now_us), data)
            self.events += self.session.advance(Us(self.now_us))
            self.board.send(self.to_board(self.session.take_outgoing()))
        return self.events[before:]


def built(build: Path | None = None, *variables: str) -> Programs:
    """The emulated board and the firmware, up to date; skips where the tools are not installed."""
    missing = missing_tools()
    if missing:
        pytest.skip(f"no {', '.join(missing)}: install {PACKAGES}")
    return build_programs(build, *variables)


@contextmanager
def open_host(programs: Programs, *options: str) -> Iterator[Host]:
    """A board just powered on, which has said its first hello."""
    with SteppedEmulator(programs, *options) as board:
        host = Host(board)
        host.run(START_US)
        yield host
