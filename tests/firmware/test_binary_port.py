"""The real binary against the clock, behind a port that pyserial opens as it does the real one."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeVar

import pytest
from core_desk import FIRMWARE, need
from emulated import built, cycle_of
from known import load_board
from lab.stepped import SteppedEmulator

from pi_app.base.microseconds import Us, ms
from pi_app.devices.gpio import open_factory
from pi_app.devices.scanner import ScannerBoard
from pi_app.devices.scanner_port import PortCarrier, SerialPort
from pi_app.devices.source import DeviceError
from pi_app.referee.events import DeviceLost, Event, Found, Picture, SensorEdge
from pi_app.sensing.description import Cell, Sensor
from pi_app.simulator.emulator import Emulator, Programs, build_programs

BOARD = load_board("tables-24")
PATIENCE_S = 15.0
"""For anything that takes a fraction of a second on a machine with nothing else to do."""
QUICKLY = (0.05, 0.1)

E = TypeVar("E", bound=Event)


class PortDesk:
    """The device over a port, and what it puts on the program's queue."""

    def __init__(self, port: Path) -> None:
        self.queue: SimpleQueue[Event] = SimpleQueue()
        self.source = ScannerBoard(
            BOARD,
            open_factory("mock"),
            now,
            self.queue.put,
            lambda listener: PortCarrier(listener, lambda: SerialPort(str(port)), now, QUICKLY),
        )

    def wait_for(self, kind: type[E], wanted: Callable[[E], bool] = lambda event: True) -> E:
        """The next event of a kind that is wanted; what comes before it is passed over."""
        end = time.monotonic() + PATIENCE_S
        while (left := end - time.monotonic()) > 0:
            try:
                event = self.queue.get(timeout=left)
            except Empty:
                break
            if isinstance(event, kind) and wanted(event):
                return event
        pytest.fail(f"no {kind.__name__} in {PATIENCE_S} s")

    def wait_for_edge(self, sensor: Sensor, closed: bool) -> SensorEdge:
        return self.wait_for(SensorEdge, lambda e: (e.sensor, e.closed) == (sensor, closed))


def now() -> Us:
    return ms(time.monotonic() * 1000)


@contextmanager
def desk_at(port: Path) -> Iterator[PortDesk]:
    desk = PortDesk(port)
    try:
        desk.wait_for(Picture)
        yield desk
    finally:
        desk.source.close()


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    with Emulator(built()) as emulator:
        yield emulator


def named(*names: str) -> list[tuple[Sensor, Cell]]:
    return [(Sensor(name), BOARD.cells[Sensor(name)]) for name in names]


def test_a_hand_is_seen_through_the_real_port(emulator: Emulator) -> None:
    with desk_at(emulator.port) as desk:
        late = []
        for sensor, cell in named("1.1", "24.5", "13.2", "6.3") * 2:
            for closed in (True, False):
                moved = now()
                emulator.set_reed(cell, closed)
                edge = desk.wait_for_edge(sensor, closed)
                late.append(now() - moved)
                # Two clocks that are never quite together tell when the reed came to rest.
                assert edge.us <= now()
        print(f"from the hand to the queue: {min(late):.1f} to {max(late):.1f} ms")
        assert desk.source.picture().closed == frozenset()


@pytest.mark.parametrize("power_stays", [False, True])
def test_unplugged_in_a_burst_and_plugged_in_again(emulator: Emulator, power_stays: bool) -> None:
    (first, first_cell), (second, second_cell), (third, third_cell) = named("1.1", "2.1", "3.1")
    with desk_at(emulator.port) as desk:
        emulator.set_reed(first_cell, True)
        desk.wait_for_edge(first, True)
        for cell, closed in ((second_cell, True), (first_cell, False)):
            emulator.set_reed(cell, closed)
        emulator.ask("drop" if power_stays else "unplug")
        desk.wait_for(DeviceLost)
        assert not emulator.port.exists()
        with pytest.raises(DeviceError):
            desk.source.picture()
        emulator.set_reed(third_cell, True)
        emulator.ask("plug")
        desk.wait_for(Found)
        assert desk.wait_for(Picture).closed == {second, third}
        emulator.set_reed(first_cell, True)
        desk.wait_for_edge(first, True)
        assert desk.source.picture().closed == {first, second, third}


def test_a_board_that_resets_when_its_port_is_opened_is_waited_for() -> None:
    (sensor, cell), *_ = named("12.1")
    with Emulator(built(), "--boot", "400") as emulator:
        emulator.set_reed(cell, True)
        began = time.monotonic()
        desk = PortDesk(emulator.port)
        try:
            assert desk.wait_for(Picture).closed == {sensor}
            assert time.monotonic() - began >= 0.4
        finally:
            desk.source.close()


def test_the_watchdog_strikes_under_the_real_device(emulator: Emulator) -> None:
    (sensor, cell), *_ = named("12.1")
    with desk_at(emulator.port) as desk:
        emulator.ask("hang")
        emulator.set_reed(cell, True)
        desk.wait_for(DeviceLost)
        desk.wait_for(Found)
        assert desk.wait_for(Picture).closed == {sensor}


def test_the_board_never_runs_ahead_of_the_clock(emulator: Emulator) -> None:
    first, first_cycle = time.monotonic(), cycle_of(emulator)
    time.sleep(0.2)
    cycles = cycle_of(emulator) - first_cycle
    most = (time.monotonic() - first) * 16e6
    assert 0 < cycles <= most + 0.005 * 16e6


def test_it_leaves_when_the_one_who_started_it_is_gone(tmp_path: Path) -> None:
    programs = built()
    port = tmp_path / "scanner"
    words = [str(programs.board), "--port", str(port), str(programs.firmware)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stdout.readline() == b"ok\n"
        assert port.exists()
        child.stdin.close()
        assert child.wait(PATIENCE_S) == 0
    assert not port.is_symlink()


def test_closing_twice_is_once_and_takes_the_port_away(emulator: Emulator) -> None:
    folder = emulator.port.parent
    emulator.close()
    emulator.close()
    assert not folder.exists()
    with pytest.raises(DeviceError, match="was closed"):
        emulator.ask("hang")


def test_what_is_no_program_is_refused_with_a_reason(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.elf"
    nothing.write_bytes(b"not an ELF file")
    programs = built()
    wrong = Programs(programs.board, nothing)
    with pytest.raises(DeviceError, match=r"nothing\.elf is no AVR program"):
        SteppedEmulator(wrong)


def test_a_reed_outside_of_any_matrix_is_refused() -> None:
    with (
        SteppedEmulator(built()) as board,
        pytest.raises(DeviceError, match=r"row 0\.\.31 and its column 0\.\.15"),
    ):
        board.set_reed(Cell(32, 0), True)


def test_the_emulator_is_built_in_a_folder_with_a_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As far as make reads its words: nothing is compiled."""
    need("make", "cc", "avr-gcc")
    project = tmp_path / "a board"
    shutil.copytree(FIRMWARE, project / "firmware", ignore=shutil.ignore_patterns("build"))
    monkeypatch.setattr("pi_app.__file__", str(project / "pi_app" / "__init__.py"))
    programs = build_programs(None, "--dry-run")
    assert programs.firmware == project / "firmware/build/avr/scanner.elf"


def test_missing_tools_are_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(DeviceError) as caught:
        build_programs()
    assert "avr-gcc" in caught.value.what
    assert "sudo apt install make gcc libc6-dev gcc-avr" in caught.value.remedy
