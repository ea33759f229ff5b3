"""Boards on the scanner's real firmware: in real time through a port, and in virtual time."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest
from emulated import built
from known import load_board
from lab.figures import Count, Figures
from lab.match_by_hands import MatchByHands, Plan
from lab.stepped import QUIET, TOLD, open_stepped
from offspring import alive, children
from scanner_twin import open_twin

from pi_app.base.microseconds import Us, ms
from pi_app.devices.clock import MatchClock
from pi_app.devices.gpio import open_factory
from pi_app.devices.source import DeviceError
from pi_app.referee.events import Event, Picture, SensorEdge
from pi_app.rules.terms import Side
from pi_app.sensing.description import Board, Matrix, Sensor
from pi_app.simulator.emulator import open_emulated
from pi_app.simulator.reeds import read_faults
from pi_app.simulator.source import OpenSimulated

FILE = str(Path(__file__).parent.parent / "boards" / "nannon-scanner.toml")
SMALL, LARGE = load_board(FILE), load_board("tables-24")
HALL = load_board("tables-24-hall")
DEBOUNCE_MS = 5
PATIENCE_S = 20.0


@pytest.fixture(autouse=True)
def _tools() -> None:
    built()


class EmulatedRoom:
    """A large board in virtual time, and hands at its reeds or Hall sensors."""

    def __init__(self, open_board: OpenSimulated, board: Board = LARGE) -> None:
        self._board = board
        self.now = Us(0)
        self.events: list[Event] = []
        self._devices = open_board(
            board, open_factory("mock"), lambda: self.now, self.events.append
        )
        self.source = self._devices.source

    def run(self, time_ms: float) -> None:
        """Advances from due time to due time."""
        end = Us(self.now + ms(time_ms))
        while (due := self.source.due) is not None and due <= end:
            self.now = max(self.now, due)
            self.source.advance(self.now)
        self.now = end

    def reed(self, name: str, closed: bool) -> None:
        drive_cell = self._devices.drive_cell
        assert drive_cell is not None
        drive_cell(self._board.cells[Sensor(name)], closed)


@pytest.fixture(params=[open_twin, open_stepped])
def room(request: pytest.FixtureRequest) -> EmulatedRoom:
    return opened(request, request.param)


@pytest.fixture
def stepped(request: pytest.FixtureRequest) -> EmulatedRoom:
    return opened(request, open_stepped)


def opened(request: pytest.FixtureRequest, open_board: OpenSimulated) -> EmulatedRoom:
    room = EmulatedRoom(open_board)
    request.addfinalizer(room.source.close)
    room.run(200)
    return room


def edges(events: list[Event]) -> list[tuple[str, bool]]:
    return [(str(e.sensor), e.closed) for e in events if isinstance(e, SensorEdge)]


def test_the_first_picture_has_what_lay_there_before(request: pytest.FixtureRequest) -> None:
    for open_board in (open_twin, open_stepped):
        room = EmulatedRoom(open_board)
        request.addfinalizer(room.source.close)
        room.reed("24.5", True)
        room.run(200)
        pictures = [event.closed for event in room.events if isinstance(event, Picture)]
        assert set().union(*pictures) <= {"24.5"}
        assert room.source.picture().closed == {"24.5"}


def test_hands_are_told_one_by_one_as_they_moved(room: EmulatedRoom) -> None:
    for name, closed in (("1.1", True), ("24.5", True), ("1.1", False), ("13.3", True)):
        room.reed(name, closed)
        room.run(30)
    assert edges(room.events) == [("1.1", True), ("24.5", True), ("1.1", False), ("13.3", True)]
    assert room.source.picture().closed == {"24.5", "13.3"}


@pytest.mark.parametrize("north", Side)
def test_a_hall_board_tells_whose_checker_comes_and_goes(
    request: pytest.FixtureRequest, north: Side
) -> None:
    room = EmulatedRoom(open_stepped, replace(HALL, scanner=Matrix(25, 5, north)))
    request.addfinalizer(room.source.close)
    room.run(200)
    hit = (
        ("1.1.white", True),
        ("bar.black.2.black", True),
        ("1.1.white", False),
        ("1.1.black", True),
    )
    for name, closed in hit:
        room.reed(name, closed)
        room.run(30)
    assert edges(room.events) == list(hit)
    assert room.source.picture().closed == {"1.1.black", "bar.black.2.black"}


def test_a_bounce_is_one_change_and_a_touch_is_none(room: EmulatedRoom) -> None:
    for closed in (True, False, True, False, True):
        room.reed("6.1", closed)
        room.run(0.4)
    room.reed("7.1", True)
    room.run(2)
    room.reed("7.1", False)
    room.run(50)
    assert edges(room.events) == [("6.1", True)]


def test_a_change_is_told_in_time_however_quiet_it_was(stepped: EmulatedRoom) -> None:
    for wait in (3.0, 11.7, QUIET / 1000 - 0.1, QUIET / 1000 + 20.3):
        stepped.run(wait)
        moved = stepped.now
        before = len(stepped.events)
        stepped.reed("12.1", not edges(stepped.events) or not edges(stepped.events)[-1][1])
        stepped.run(DEBOUNCE_MS + TOLD / 1000)
        (edge,) = stepped.events[before:]
        assert isinstance(edge, SensorEdge)
        assert moved + ms(DEBOUNCE_MS - 1) <= edge.us <= stepped.now


def test_a_silent_spell_on_the_board_is_none_on_the_wire(stepped: EmulatedRoom) -> None:
    stepped.run(5_000)
    assert stepped.source.picture().closed == frozenset()
    assert "0 gaps, 0 repeats, 0 overflows, 0 silences" in stepped.source.status()[1]


def test_whole_matches_by_hand_are_played_through_the_real_firmware() -> None:
    first, again = played(), played()
    assert first.counts[Count.PLAYS] > 5
    assert not first.failed
    assert first.counts == again.counts


def played() -> Figures:
    figures = Figures()
    faults = read_faults("default", SMALL)
    table = MatchByHands(
        Plan(SMALL, FILE, "nannon", 1, faults, open_board=open_stepped), "e", figures
    )
    table.play()
    assert table.incidents == []
    return figures


@pytest.mark.parametrize(("board", "name"), [(LARGE, "8.2"), (HALL, "8.2.black")])
def test_in_real_time_the_sensors_close_behind_a_serial_port(board: Board, name: str) -> None:
    queue: SimpleQueue[Event] = SimpleQueue()
    before = children(os.getpid())
    devices = open_emulated(board, open_factory("mock"), MatchClock(), queue.put)
    assert devices.drive_cell is not None
    try:
        drive = partial(devices.drive_cell, board.cells[Sensor(name)])
        drive(True)
        assert wait_for(queue, lambda event: isinstance(event, Picture)) == Picture(
            ms(0), frozenset({Sensor(name)})
        )
        drive(False)
        edge = wait_for(queue, lambda event: isinstance(event, SensorEdge))
        assert isinstance(edge, SensorEdge)
        assert (edge.sensor, edge.closed) == (name, False)
        (child,) = children(os.getpid()) - before
        assert alive(child)
    finally:
        devices.source.close()
    assert not alive(child)
    devices.source.close()  # twice is once


def test_an_emulator_that_dies_is_said_at_the_next_hand() -> None:
    before = children(os.getpid())
    devices = open_emulated(LARGE, open_factory("mock"), MatchClock(), SimpleQueue[Event]().put)
    assert devices.drive_cell is not None
    try:
        (child,) = children(os.getpid()) - before
        os.kill(child, signal.SIGKILL)
        with pytest.raises(DeviceError, match="the emulator"):
            devices.drive_cell(LARGE.cells[Sensor("8.2")], True)
    finally:
        devices.source.close()


@pytest.mark.parametrize("open_board", [open_emulated, open_stepped])
def test_a_board_without_a_scanner_has_nothing_to_emulate(open_board: OpenSimulated) -> None:
    with pytest.raises(DeviceError, match="'nannon-6' has no scanner"):
        open_board(load_board("nannon-6"), open_factory("mock"), lambda: ms(0), print)


def wait_for(queue: SimpleQueue[Event], wanted: Callable[[Event], bool]) -> Event:
    """The next such event; a picture's time varies and reads as 0."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            event = queue.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            pytest.fail("it never came")
        if wanted(event):
            return Picture(ms(0), event.closed) if isinstance(event, Picture) else event
