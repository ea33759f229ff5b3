"""The program's loop with a scanner: nothing waits twice, and a loss is reported once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest
from gpiozero.pins.mock import MockFactory
from known import FACES, load_board
from scanner_twin import ScannerTwin, TwinCarrier
from test_app import FiveThenThree, FrontPlayers, Loud, OledGlass, SetClock

from pi_app.app.loop import App
from pi_app.app.services import Devices, Services
from pi_app.base.microseconds import ms
from pi_app.devices.scanner import ScannerBoard
from pi_app.journal.opening import open_journal
from pi_app.match.turns import Phase
from pi_app.referee.events import Button, DeviceLost, Event, Found, Press, Start
from pi_app.referee.view import View
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState
from pi_app.user.commands import ChangeSetting, NewMatch, Output
from pi_app.user.settings import Settings

FILE = str(Path(__file__).parent.parent / "boards" / "nannon-scanner.toml")
NEW = NewMatch("nannon", ("Ada", "Ben"), 5, {"cube": True})


class ScannerAppBench:
    """An app, its scanner, and a cable between them."""

    def __init__(self, folder: Path, board: str = FILE) -> None:
        self.board = load_board(board)
        self.clock, self.queue = SetClock(), SimpleQueue[Event]()
        self.twin = ScannerTwin()
        self.source = ScannerBoard(
            self.board,
            MockFactory(),
            self.clock,
            self.queue.put,
            lambda listener: TwinCarrier(self.twin, listener, self.clock),
        )
        self.front = FrontPlayers()
        self.opened = open_journal(folder)
        self.oled = OledGlass()
        devices = Devices(self.source, self.front, Loud(), self.oled, FiveThenThree())
        self.app = App(
            self.board,
            board,
            FACES,
            Settings(),
            self.clock,
            self.queue,
            devices,
            Services(self.opened),
        )

    @property
    def away(self) -> list[str]:
        assert self.front.shown is not None
        return [*self.front.shown.away]

    @property
    def view(self) -> View:
        assert self.front.shown is not None
        assert self.front.shown.view is not None
        return self.front.shown.view

    def after(self, time_ms: int) -> None:
        for _ in range(time_ms):
            self.clock.now += 1
            self.app.step()

    def touch(self, output: Output) -> None:
        self.front.wanted.append(output)
        self.after(2)

    def reed(self, name: str, closed: bool) -> None:
        self.twin.switch(ms(self.clock.now), self.board.cells[Sensor(name)], closed)

    def kept(self) -> list[Event]:
        """The stored events of the match."""
        assert self.app._session is not None
        self.app._session.close()
        number = self.opened.journal.unfinished()
        assert number is not None
        return list(self.opened.journal.touches(number))


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScannerAppBench]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    bench = ScannerAppBench(tmp_path)
    yield bench
    bench.source.close()
    bench.opened.close()


def test_a_warning_on_the_oled_has_the_numbers_of_the_board_on_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    bench = ScannerAppBench(tmp_path, "tables-24")
    bench.touch(NewMatch("backgammon", ("Ada", "Ben"), 5))
    bench.after(20)
    for sensor in bench.board.closed_by(bench.view.accepted):
        bench.reed(sensor, True)
    for _ in range(2):
        bench.after(600)
        bench.queue.put(Button(bench.clock(), Press.SHORT))
    bench.after(600)
    assert bench.view.roll == "53"
    bench.reed("24.2", False)
    bench.after(50)
    bench.reed("22.1", True)
    bench.after(2000)
    assert (bench.view.board, bench.view.hint) == (BoardState.WRONG, "Put it back on 24.")
    straight = bench.oled.pictures[-1].tobytes()
    bench.touch(ChangeSetting("screen.turned", True))
    assert bench.oled.pictures[-1].tobytes() == straight
    bench.touch(ChangeSetting("screen.numbers", "engraved"))
    assert bench.oled.pictures[-1].tobytes() == straight
    bench.source.close()
    bench.opened.close()


def test_the_scanner_debounces_and_nobody_waits_again(bench: ScannerAppBench) -> None:
    bench.after(20)
    bench.touch(NEW)
    start = bench.kept()[0]
    assert isinstance(start, Start)
    assert start.options["debounce_ms"] == 0
    bench.reed("1", True)
    bench.after(4)
    assert bench.view.closed == frozenset()
    bench.after(2)  # the scanner's five milliseconds, and one to look
    assert bench.view.closed == {"1"}


def test_a_match_is_set_up_and_opened_through_the_scanner(bench: ScannerAppBench) -> None:
    bench.after(20)
    bench.touch(NEW)
    for name in "1256":
        bench.reed(name, True)
    bench.after(400)
    assert bench.view.phase is Phase.OPENING_THROW


def test_a_cable_that_is_pulled_is_told_once_and_so_is_its_return(bench: ScannerAppBench) -> None:
    bench.after(20)
    bench.touch(NEW)
    bench.source.unplugged(bench.clock())
    bench.after(1)
    assert bench.away == ["sensors"]
    bench.source.plugged(bench.clock())
    bench.after(500)
    assert bench.away == []
    bench.after(5000)
    told = [event for event in bench.kept() if isinstance(event, DeviceLost | Found)]
    assert [type(event) for event in told] == [DeviceLost, Found]


def test_a_match_that_begins_without_the_scanner_says_so(bench: ScannerAppBench) -> None:
    bench.after(20)
    bench.source.unplugged(bench.clock())
    bench.touch(NEW)
    assert bench.away == ["sensors"]
    bench.source.plugged(bench.clock())
    bench.after(500)
    assert bench.away == []


def test_every_new_match_is_told_anew_that_the_scanner_is_away(bench: ScannerAppBench) -> None:
    bench.after(20)
    bench.touch(NEW)
    bench.source.unplugged(bench.clock())
    bench.after(10)
    bench.touch(NEW)
    assert bench.away == ["sensors"]


def test_how_the_scanner_is_is_shown(bench: ScannerAppBench) -> None:
    bench.after(20)
    assert bench.front.shown is not None
    assert bench.front.shown.status == (
        "2 × 3 cells: the scanner answers",
        "0 bad frames, 0 gaps, 0 repeats, 0 overflows, 0 silences, 0 reconnects, 0 resets",
    )


def test_heartbeats_change_nothing_that_is_shown(bench: ScannerAppBench) -> None:
    bench.after(20)
    before = bench.front.shown
    bench.after(3000)
    assert bench.front.shown == before
