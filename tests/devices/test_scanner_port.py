"""The scanner behind real terminals and dying ports: pyserial, the thread, the way back."""

from __future__ import annotations

import os
import re
import termios
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NoReturn

import pytest
import serial
from gpiozero.pins.mock import MockFactory
from known import load_board
from pty_scanner import PtyScanner, until

from pi_app.base.microseconds import Us
from pi_app.devices import scanner_port
from pi_app.devices.clock import MatchClock
from pi_app.devices.scanner import ScannerBoard
from pi_app.devices.scanner_port import (
    CH340,
    MEGAS,
    PAUSES,
    SCANNERS,
    TUNE_S,
    PortCarrier,
    SerialPort,
    find_port,
)
from pi_app.devices.source import DeviceError
from pi_app.link.messages import Cause
from pi_app.referee.events import DeviceLost, Event, Found, Picture, SensorEdge
from pi_app.sensing.description import Sensor

BOARD = load_board(str(Path(__file__).parent.parent / "boards" / "nannon-scanner.toml"))
QUICK = (0.01, 0.02)
PATIENCE_S = 10.0
"""Longer than anything takes here, and shorter than what is not to be waited for."""
A, B, C = (BOARD.cells[Sensor(name)] for name in "146")


class PortProgram:
    """Take the events from the queue and store them, like the program."""

    def __init__(self, port: Path, pauses: tuple[float, ...] = QUICK) -> None:
        self.queue: SimpleQueue[Event] = SimpleQueue()
        self.events: list[Event] = []
        clock = MatchClock()
        self.board = ScannerBoard(
            BOARD,
            MockFactory(),
            clock,
            self.queue.put,
            lambda listener: PortCarrier(
                listener, lambda: SerialPort(find_port(str(port), lambda: ())), clock, pauses
            ),
        )

    def take(self) -> list[Event]:
        try:
            while True:
                self.events.append(self.queue.get_nowait())
        except Empty:
            return self.events

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.take() if isinstance(event, kind)]

    def closed(self) -> frozenset[Sensor] | None:
        try:
            return self.board.picture().closed
        except DeviceError:
            return None

    def shows(self, *names: str) -> Callable[[], bool]:
        return lambda: self.closed() == frozenset(map(Sensor, names))

    def followed(self) -> frozenset[Sensor]:
        """The picture of somebody who only has the events."""
        known: frozenset[Sensor] = frozenset()
        for event in self.take():
            if isinstance(event, Picture):
                known = event.closed
            elif isinstance(event, SensorEdge):
                known = known | {event.sensor} if event.closed else known - {event.sensor}
        return known


@pytest.fixture
def scanner(tmp_path: Path) -> Iterator[PtyScanner]:
    with PtyScanner(tmp_path) as scanner:
        yield scanner


@pytest.fixture
def program(scanner: PtyScanner) -> Iterator[PortProgram]:
    program = PortProgram(scanner.port)
    yield program
    program.board.close()


def test_it_comes_up_with_the_picture_and_tells_every_change(
    scanner: PtyScanner, program: PortProgram
) -> None:
    scanner.reed(A, True)
    until(program.shows("1"))
    scanner.reed(C, True)
    until(program.shows("1", "6"))
    scanner.reed(A, False)
    until(program.shows("6"))
    found, picture, *edges = program.take()
    assert isinstance(found, Found)
    assert isinstance(picture, Picture)
    told = [(edge.sensor, edge.closed) for edge in edges if isinstance(edge, SensorEdge)]
    assert told[-2:] == [("6", True), ("1", False)]
    assert [event.us for event in program.events] == sorted(event.us for event in program.events)
    assert program.board.status()[0] == "2 × 3 cells: the scanner answers"


def test_unplugged_in_a_burst_and_plugged_in_again(
    scanner: PtyScanner, program: PortProgram
) -> None:
    until(program.shows())
    for closed in (True, False, True):
        scanner.reed(A, closed)
        scanner.reed(B, closed)
    scanner.unplug(b"\x07\x82\x01")
    until(lambda: program.of(DeviceLost))
    with pytest.raises(DeviceError, match="out of reach: the scanner does not answer"):
        program.board.picture()
    scanner.reed(C, True)
    scanner.plug_in()
    until(program.shows("1", "4", "6"))
    kinds = [type(event) for event in program.take() if not isinstance(event, SensorEdge)]
    assert kinds == [Found, Picture, DeviceLost, Found, Picture]
    assert program.followed() == {"1", "4", "6"}
    assert "1 reconnect" in program.board.status()[1]


def test_plugged_in_late_and_often(scanner: PtyScanner, program: PortProgram) -> None:
    for _ in range(5):
        scanner.unplug()
        until(lambda: program.closed() is None)
        scanner.plug_in()
        until(program.shows())
    assert len(program.of(DeviceLost)) <= 5
    assert program.followed() == frozenset()


def test_garbage_and_half_frames_cost_nothing(scanner: PtyScanner, program: PortProgram) -> None:
    until(program.shows())
    scanner.write(bytes(range(1, 200)) + b"\0\x05half\0\0")
    scanner.reed(B, True)
    until(program.shows("4"))
    assert program.of(DeviceLost) == []
    assert "0 bad frames" not in program.board.status()[1]


def test_a_watchdog_reset_is_noticed_and_overcome(
    scanner: PtyScanner, program: PortProgram
) -> None:
    until(program.shows())
    scanner.reset(Cause.WATCHDOG)
    scanner.reed(A, True)
    until(program.shows("1"))
    assert "1 reset (last: watchdog)" in program.board.status()[1]
    assert program.followed() == {"1"}


def test_nobody_else_opens_the_port(scanner: PtyScanner, program: PortProgram) -> None:
    until(program.shows())
    with pytest.raises(DeviceError, match="end the other program that uses it"):
        SerialPort(str(scanner.port))


def test_another_program_that_changes_the_ports_speed_costs_two_seconds(
    scanner: PtyScanner, program: PortProgram
) -> None:
    """The lock is for who asks for it; the speed is the port's, not the opener's."""
    until(program.shows())
    serial.Serial(str(scanner.port), 9600, parity=serial.PARITY_EVEN).close()
    scanner.reed(A, True)
    until(program.shows("1"))
    assert not scanner.garbles
    assert TUNE_S < 2


def test_a_quiet_port_is_not_read_in_a_hurry() -> None:
    controller, terminal = os.openpty()
    reads = 0

    class Counted(SerialPort):
        def read(self) -> bytes:
            nonlocal reads
            reads += 1
            return super().read()

    listener = CountingListener()
    began = time.monotonic()
    carrier = PortCarrier(listener, lambda: Counted(os.ttyname(terminal)), MatchClock(), QUICK)
    until(lambda: reads >= 4)
    assert time.monotonic() - began >= 0.55
    carrier.close()
    os.close(controller)
    os.close(terminal)


# Ports that die


class DyingPort:
    """A silent port that dies on request."""

    def __init__(self, dies: Callable[[], bytes] = lambda: b"") -> None:
        self.closed = threading.Event()
        self._dies = dies

    def read(self) -> bytes:
        time.sleep(0.001)  # as long as a port would wait for a byte
        return self._dies()

    def write(self, data: bytes) -> None:
        self._dies()

    def close(self) -> None:
        self.closed.set()


class CountingListener:
    """A listener that counts."""

    def __init__(self) -> None:
        self.plugs = self.unplugs = 0

    def plugged(self, us: Us) -> None:
        self.plugs += 1

    def heard(self, us: Us, data: bytes) -> bytes:
        return b""

    def unplugged(self, us: Us) -> None:
        self.unplugs += 1


def dying(error: Exception) -> Callable[[], NoReturn]:
    def die() -> NoReturn:
        raise error

    return die


@pytest.mark.parametrize(
    "error",
    [
        OSError(5, "Input/output error"),
        termios.error(5, "Input/output error"),
        serial.SerialException("device reports readiness to read but returned no data"),
        serial.SerialTimeoutException("Write timeout"),
        TypeError("'NoneType' object cannot be interpreted as an integer"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_however_a_port_dies_it_is_closed_and_looked_for_again(error: Exception) -> None:
    listener, ports = (
        CountingListener(),
        [DyingPort(dying(error)), DyingPort(dying(error)), DyingPort()],
    )
    waiting = iter(ports)
    carrier = PortCarrier(listener, lambda: next(waiting), MatchClock(), QUICK)
    until(lambda: listener.plugs == 3)
    assert listener.unplugs == 2
    assert ports[0].closed.is_set()
    assert ports[1].closed.is_set()
    assert carrier.status() == (str(error),)
    carrier.close()
    assert ports[2].closed.is_set()


def test_a_listener_that_fails_does_not_end_the_thread() -> None:
    class BrokenPort(CountingListener):
        def heard(self, us: Us, data: bytes) -> bytes:
            raise ValueError("queue is broken")

    listener = BrokenPort()
    carrier = PortCarrier(listener, DyingPort, MatchClock(), QUICK)
    until(lambda: listener.plugs > 2)
    carrier.close()


def test_a_port_that_is_not_there_is_looked_for_at_growing_intervals() -> None:
    tries: list[float] = []

    def connect() -> NoReturn:
        tries.append(time.monotonic())
        raise DeviceError("no scanner is plugged in", "plug it in")

    carrier = PortCarrier(CountingListener(), connect, MatchClock(), (0.03, 0.06, 0.12))
    until(lambda: len(tries) >= 5)
    carrier.close()
    waits = [after - before for before, after in pairwise(tries)]
    for wait, least in zip(waits, (0.03, 0.06, 0.12, 0.12), strict=False):
        assert wait >= least
    assert carrier.status() == ("no scanner is plugged in; plug it in",)
    assert PAUSES == (0.25, 0.5, 1.0, 2.0, 4.0)


def test_bytes_that_come_make_the_next_interval_short_again() -> None:
    opened = 0

    def connect() -> DyingPort:
        nonlocal opened
        opened += 1
        words = iter([b"word"] if opened == 3 else [])
        return DyingPort(lambda: next(words))  # which then dies of StopIteration

    carrier = PortCarrier(CountingListener(), connect, MatchClock(), (0.0, 0.0, 0.05, 60.0))
    until(lambda: opened >= 6)  # with intervals that only grow there would be a minute's wait
    carrier.close()


def closes_quickly(carrier: PortCarrier) -> float:
    began = time.monotonic()
    carrier.close()
    carrier.close()
    return time.monotonic() - began


def test_closing_does_not_wait_for_the_next_try() -> None:
    listener = CountingListener()
    carrier = PortCarrier(listener, dying(OSError("no")), MatchClock(), (60.0,))
    until(carrier.status)
    assert closes_quickly(carrier) < PATIENCE_S


def test_closing_while_reading_closes_the_port_and_loses_nothing() -> None:
    listener, port = CountingListener(), DyingPort()
    carrier = PortCarrier(listener, lambda: port, MatchClock(), QUICK)
    until(lambda: listener.plugs)
    assert closes_quickly(carrier) < PATIENCE_S
    assert port.closed.is_set()
    assert listener.unplugs == 0


def test_a_port_that_hangs_is_left_behind_after_a_second() -> None:
    release = threading.Event()

    def hang() -> bytes:
        release.wait(20)
        return b""

    listener = CountingListener()
    carrier = PortCarrier(listener, lambda: DyingPort(hang), MatchClock(), QUICK)
    until(lambda: listener.plugs)
    began = time.monotonic()
    carrier.close()
    assert time.monotonic() - began < PATIENCE_S
    release.set()


def test_a_terminal_that_is_not_there_is_a_device_error(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="plug the scanner in"):
        SerialPort(str(tmp_path / "nothing"))


@pytest.mark.parametrize("path", ["/dev/null", "/proc/self/comm", "/tmp"])
def test_what_is_no_serial_port_is_said_to_be_none(path: str) -> None:
    with pytest.raises(DeviceError, match="it is no serial port: set port"):
        SerialPort(path)


def test_udev_names_the_scanners_that_the_program_finds() -> None:
    rules = Path(scanner_port.__file__).with_name("spotter-scanner.rules").read_text("utf-8")
    told = re.findall(
        r'idVendor}=="([0-9a-f]{4})", ATTRS\{idProduct}=="([0-9a-f]{4})"(.*), ENV{(.*)$',
        rules,
        re.M,
    )
    named = {(int(vendor, 16), int(product, 16)): name for vendor, product, name, _ in told}
    assert {ids for ids, name in named.items() if "SYMLINK" in name} == MEGAS
    assert {*named} == SCANNERS
    assert CH340 in named
    assert len(told) == len(SCANNERS)
    assert {mark for *_, mark in told} == {'ID_MM_DEVICE_IGNORE}="1"'}
