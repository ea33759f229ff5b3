"""The board on mock pins: what the hands do is driven from this thread and from a second one."""

from __future__ import annotations

import builtins
import os
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory, MockPin
from known import load_board

from pi_app.base.microseconds import Us, ms
from pi_app.devices.gpio import GpioBoard, open_factory
from pi_app.devices.source import DeviceError, SensorSource, Timing
from pi_app.referee.effects import Cue
from pi_app.referee.events import Button, Event, Press, SensorEdge, Tick
from pi_app.rules.terms import Side, Spot
from pi_app.sensing.description import Board, ButtonPin, Pin, Sensor

NONE: frozenset[Spot] = frozenset()


class MockPins:
    """A board on mock pins with a clock that stands still until it is set."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.factory = open_factory("mock")
        self.now = 0.0
        self.events: list[Event] = []
        self.pins = {reed.name: reed.line for place in board.places for reed in place.reeds}

    def open(self) -> GpioBoard:
        return GpioBoard(self.board, self.factory, lambda: ms(self.now), self.events.append)

    def drive(self, pin: int, low: bool) -> None:
        mock = self.factory.pin(pin)
        (mock.drive_low if low else mock.drive_high)()

    def reed(self, name: str, closed: bool) -> None:
        pin = self.pins[Sensor(name)]
        assert isinstance(pin, int)
        self.drive(pin, low=closed)

    def dark(self, spot: str) -> bool:
        light = self.board.place(Spot.read(spot)).light
        assert light is not None
        return not self.factory.pin(light).state

    def lit(self) -> str:
        return "".join("." if self.dark(spot) else "*" for spot in "123456")

    def presses(self) -> list[tuple[float, Press]]:
        return [
            (event.us / 1000, event.press) for event in self.events if isinstance(event, Button)
        ]


class ClosedPin(MockPin):  # type: ignore[misc]
    """A pin whose switch is closed already when it becomes an input with its pull-up."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self._change_state(False)


@pytest.fixture
def bench() -> MockPins:
    return MockPins(load_board("nannon-6"))


@pytest.fixture
def gpio(bench: MockPins) -> Iterator[GpioBoard]:
    gpio = bench.open()
    yield gpio
    gpio.close()


def here(act: Callable[[], None]) -> None:
    act()


def elsewhere(act: Callable[[], None]) -> None:
    thread = threading.Thread(target=act)
    thread.start()
    thread.join()


BOTH_THREADS = pytest.mark.parametrize("run", [here, elsewhere], ids=["main", "second"])


@BOTH_THREADS
def test_every_reed_tells_its_edges_under_its_own_name(
    bench: MockPins, gpio: GpioBoard, run: Callable[[Callable[[], None]], None]
) -> None:
    for number, sensor in enumerate(bench.board.sensors):
        bench.now = 10.0 * number
        run(partial(bench.reed, sensor, True))
        bench.now += 5
        run(partial(bench.reed, sensor, False))
    expected = [
        SensorEdge(ms(10.0 * number + 5 * (not closed)), sensor, closed)
        for number, sensor in enumerate(bench.board.sensors)
        for closed in (True, False)
    ]
    assert bench.events == expected


@BOTH_THREADS
def test_the_picture_is_what_the_pins_show(
    bench: MockPins, gpio: GpioBoard, run: Callable[[Callable[[], None]], None]
) -> None:
    for name in "256":
        run(partial(bench.reed, name, True))
    run(lambda: bench.reed("5", False))
    bench.now = 77
    assert gpio.picture().closed == {Sensor("2"), Sensor("6")}
    assert gpio.picture().us == ms(77)


def test_an_edge_during_the_reading_is_later_than_the_picture(
    bench: MockPins, gpio: GpioBoard
) -> None:
    """Pin 17 is of spot 1, which is read first; a checker comes to spot 6 meanwhile."""
    bench.reed("1", True)
    pin = bench.factory.pin(17)
    read = pin._get_state

    def slowly() -> bool:
        state: bool = read()
        bench.now += 3
        bench.reed("6", True)
        return state

    pin._get_state = slowly
    picture = gpio.picture()
    assert picture.closed == {Sensor("1"), Sensor("6")}
    assert picture.us < bench.events[-1].us


def test_a_reed_closed_at_start_makes_no_edge_but_is_in_the_picture(bench: MockPins) -> None:
    bench.factory.pin(bench.pins[Sensor("3")], pin_class=ClosedPin)
    gpio = bench.open()
    assert bench.events == []
    assert gpio.picture().closed == {Sensor("3")}
    bench.reed("3", False)
    assert bench.events == [SensorEdge(ms(0), Sensor("3"), False)]
    gpio.close()


def test_bounce_is_passed_on_raw(bench: MockPins, gpio: GpioBoard) -> None:
    for closed in (True, False, True, False, True):
        bench.now += 0.4
        bench.reed("1", closed)
    assert [event.closed for event in bench.events if isinstance(event, SensorEdge)] == [
        True, False, True, False, True,
    ]  # fmt: skip


def test_an_exception_in_a_callback_silences_no_input(bench: MockPins) -> None:
    kept: list[Event] = []

    def put(event: Event) -> None:
        if len(kept) == 1:
            kept.append(event)
            raise ValueError("queue is broken")
        kept.append(event)

    gpio = GpioBoard(bench.board, bench.factory, lambda: ms(0), put)
    bench.reed("1", True)
    bench.reed("2", True)
    bench.reed("2", False)
    bench.reed("1", False)
    assert len(kept) == 4
    assert (gpio.faults, gpio.last_fault) == (1, "ValueError: queue is broken")
    gpio.close()


def test_a_late_callback_tells_when_the_edge_was(bench: MockPins) -> None:
    """The program stood still for three seconds; the kernel has stamped what happened meanwhile."""
    second = ms(1000)
    gpio = GpioBoard(
        bench.board,
        bench.factory,
        lambda: ms(bench.now),
        bench.events.append,
        Timing(stamp=lambda ticks: Us(round(ticks * second))),
    )
    bench.now = 3500
    reed, button = bench.factory.pin(22), bench.factory.pin(26)
    reed.when_changed(0.5123, 0)
    button.when_changed(1.0, 0)
    reed.when_changed(1.25, 1)
    button.when_changed(1.2, 1)
    assert [event for event in bench.events if isinstance(event, SensorEdge)] == [
        SensorEdge(ms(512.3), Sensor("3"), True),
        SensorEdge(ms(1250), Sensor("3"), False),
    ]
    gpio.advance(ms(bench.now))
    assert bench.presses() == [(1205, Press.SHORT)]
    gpio.close()


def test_a_short_press_wakes_the_loop_and_is_told_when_steady(
    bench: MockPins, gpio: GpioBoard
) -> None:
    bench.now = 100
    bench.drive(26, low=True)
    assert bench.events == [Tick(ms(100))]
    gpio.advance(ms(100))
    bench.now = 300
    bench.drive(26, low=False)
    gpio.advance(ms(300))
    assert gpio.due == ms(305)
    gpio.advance(ms(305))
    assert bench.presses() == [(305, Press.SHORT)]
    assert gpio.due is None


def test_a_long_press_is_told_while_held(bench: MockPins, gpio: GpioBoard) -> None:
    bench.drive(26, low=True)
    gpio.advance(ms(5))
    assert gpio.due == ms(1000)
    gpio.advance(ms(1000))
    bench.now = 1400
    bench.drive(26, low=False)
    gpio.advance(ms(1500))
    assert bench.presses() == [(1000, Press.LONG)]


def test_a_slow_loop_does_not_make_a_short_press_long(bench: MockPins, gpio: GpioBoard) -> None:
    bench.drive(26, low=True)
    bench.now = 200
    bench.drive(26, low=False)
    gpio.advance(ms(4000))
    assert bench.presses() == [(205, Press.SHORT)]


def test_a_lost_release_does_not_hold_the_button_down(bench: MockPins, gpio: GpioBoard) -> None:
    bench.drive(26, low=True)
    gpio.advance(ms(6))
    bench.factory.pin(26)._change_state(True)  # released, and no callback came
    gpio.advance(ms(400))
    gpio.advance(ms(2000))
    assert bench.presses() == [(405, Press.SHORT)]


def test_a_button_held_at_start_is_no_press(bench: MockPins) -> None:
    bench.factory.pin(26, pin_class=ClosedPin)
    gpio = bench.open()
    for time_ms in (0, 10, 1500):
        gpio.advance(ms(time_ms))
    bench.now = 1600
    bench.drive(26, low=False)
    gpio.advance(ms(1700))
    assert bench.presses() == []
    gpio.close()


def test_a_button_a_side_tells_whose_it_is(bench: MockPins) -> None:
    sides = (ButtonPin(Pin(26), Side.WHITE), ButtonPin(Pin(16), Side.BLACK))
    bench.board = replace(bench.board, buttons=sides)
    gpio = bench.open()
    for pin in (16, 26):
        bench.drive(pin, low=True)
        bench.now += 100
        bench.drive(pin, low=False)
        bench.now += 100
        gpio.advance(ms(bench.now))
    assert [event.side for event in bench.events if isinstance(event, Button)] == [
        Side.BLACK,
        Side.WHITE,
    ]
    gpio.close()


def test_lights_are_steady_or_blink_and_the_latest_wins(bench: MockPins, gpio: GpioBoard) -> None:
    gpio.lights(frozenset({Spot.read("2"), Spot.read("4")}), frozenset({Spot.read("6")}))
    assert bench.lit() == ".*.*.*"
    assert gpio.due == ms(250)
    gpio.advance(ms(250))
    assert bench.lit() == ".*.*.."
    gpio.advance(ms(500))
    assert bench.lit() == ".*.*.*"
    gpio.lights(NONE, frozenset({Spot.read("1")}))
    assert bench.lit() == "*....."
    gpio.lights(NONE, NONE)
    assert bench.lit() == "......"
    assert gpio.due is None


def test_lights_told_again_keep_their_beat(bench: MockPins, gpio: GpioBoard) -> None:
    gpio.lights(NONE, frozenset({Spot.read("6")}))
    bench.now = 200
    gpio.lights(NONE, frozenset({Spot.read("5"), Spot.read("6")}))
    assert bench.lit() == "....**"
    gpio.advance(ms(250))
    assert bench.lit() == "......"


def test_a_spot_told_both_ways_blinks_and_one_without_a_light_is_passed_over(
    bench: MockPins, gpio: GpioBoard
) -> None:
    both = frozenset({Spot.read("3"), Spot.read("home.white")})
    gpio.lights(both, both)
    gpio.advance(ms(250))
    assert bench.lit() == "......"
    gpio.lights(NONE, frozenset({Spot.read("home.white")}))
    assert gpio.due is None


def test_beeps_sound_without_blocking_and_the_latest_replaces(
    bench: MockPins, gpio: GpioBoard
) -> None:
    buzzer = bench.factory.pin(18)
    gpio.beep(Cue.WRONG)
    sounds = []
    while gpio.due is not None:
        sounds.append((bench.now, bool(buzzer.state)))
        bench.now = gpio.due / 1000
        gpio.advance(ms(bench.now))
    assert sounds == [(0, True), (250, False), (350, True)]
    assert not buzzer.state
    gpio.beep(Cue.WRONG)
    gpio.beep(Cue.ROLL)
    bench.now += 30
    gpio.advance(ms(bench.now))
    assert not buzzer.state


def test_a_board_without_lights_button_and_buzzer_takes_every_call(bench: MockPins) -> None:
    places = tuple(replace(place, light=None) for place in bench.board.places)
    bench.board = replace(bench.board, places=places, buttons=(), buzzer=None)
    gpio = bench.open()
    gpio.lights(frozenset({Spot.read("1")}), frozenset({Spot.read("2")}))
    gpio.beep(Cue.WON)
    gpio.advance(ms(10_000))
    assert gpio.due is None
    assert bench.events == []
    gpio.close()


def test_a_broken_light_is_counted_and_the_others_shine(bench: MockPins, gpio: GpioBoard) -> None:
    def broken(value: object) -> None:
        raise OSError("wire is off")

    bench.factory.pin(6)._set_state = broken
    gpio.lights(frozenset({Spot.read("2"), Spot.read("5")}), NONE)
    assert bench.lit() == "....*."
    assert gpio.last_fault == "OSError: wire is off"


def test_pins_that_cannot_be_read_are_a_device_error(bench: MockPins, gpio: GpioBoard) -> None:
    def broken() -> bool:
        raise OSError("chip is gone")

    bench.factory.pin(17)._get_state = broken
    with pytest.raises(DeviceError, match=r"sensors cannot be read: chip is gone; run: spotter"):
        gpio.picture()


def test_a_pin_in_use_is_named_and_what_was_claimed_is_let_go(bench: MockPins) -> None:
    other = LED(24, pin_factory=bench.factory)
    with pytest.raises(DeviceError, match=r"gpio 24 of sensor '5' cannot be used: .*in use"):
        bench.open()
    other.close()
    first = bench.open()
    first.close()
    first.close()
    again = bench.open()
    bench.reed("1", True)
    assert again.picture().closed == {Sensor("1")}
    again.close()


def test_closing_darkens_the_board_and_ends_the_edges(bench: MockPins, gpio: GpioBoard) -> None:
    gpio.lights(frozenset({Spot.read("1")}), NONE)
    gpio.close()
    bench.reed("1", True)
    assert bench.events == []


def test_it_is_a_sensor_source(gpio: GpioBoard) -> None:
    source: SensorSource = gpio
    assert source.due is None


def test_the_mock_factory_is_made_when_asked_for() -> None:
    assert isinstance(open_factory("mock"), MockFactory)


def test_without_lgpio_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = builtins.__import__

    def absent(name: str, *args: Any) -> Any:
        if name.startswith("gpiozero.pins.lgpio"):
            raise ImportError("No module named 'lgpio'")
        return real(name, *args)

    monkeypatch.setattr(builtins, "__import__", absent)
    monkeypatch.setenv("LG_WD", str(tmp_path))
    with pytest.raises(DeviceError, match=r"'lgpio'; on a Raspberry Pi run: .*pi.lock; elsewhere"):
        open_factory("lgpio", tmp_path)


def stand_in(monkeypatch: pytest.MonkeyPatch, make: Callable[[], object]) -> None:
    module = ModuleType("pi_app.devices.edges")
    module.QueuedFactory = make  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pi_app.devices.edges", module)


def test_a_chip_that_does_not_open_is_an_error_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse() -> object:
        raise RuntimeError("can not open gpiochip")

    monkeypatch.setenv("LG_WD", str(tmp_path))
    stand_in(monkeypatch, refuse)
    monkeypatch.setattr("pi_app.devices.gpio.DEVICES", tmp_path)
    (tmp_path / "gpiochip0").touch()
    with pytest.raises(DeviceError, match=r"can not open gpiochip; .*usermod -aG gpio"):
        open_factory("lgpio", tmp_path)
    (tmp_path / "gpiochip0").unlink()
    with pytest.raises(DeviceError, match=r"can not open gpiochip; .* no gpiochip in ") as told:
        open_factory("lgpio", tmp_path)
    assert "usermod" not in str(told.value)


def test_lgpio_works_in_its_own_folder_and_ours_stays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("LG_WD", raising=False)
    runtime = tmp_path / "run"

    def make() -> object:
        folder = os.environ["LG_WD"]
        os.chdir(folder)
        return folder

    stand_in(monkeypatch, make)
    before = Path.cwd()
    assert open_factory("lgpio", runtime) == str(runtime)
    assert Path.cwd() == before
    monkeypatch.delenv("LG_WD")


@pytest.mark.parametrize("made", ["nothing", "ours", "open to all", "a link", "a file"])
def test_the_folder_of_lgpio_is_nobody_elses(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, made: str
) -> None:
    """Without a runtime folder it is in /tmp, where anybody may have made it before."""
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    own = tmp_path / f"spotter-{os.getuid()}"
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    match made:
        case "ours":
            own.mkdir(mode=0o700)
        case "open to all":
            own.mkdir()
            own.chmod(0o777)
        case "a link":
            own.symlink_to(tmp_path / "elsewhere")
        case "a file":
            own.touch()
    stand_in(monkeypatch, lambda: os.environ["LG_WD"])
    folder = Path(open_factory("lgpio"))
    assert (folder == own) is (made in ("nothing", "ours"))
    assert folder.lstat().st_mode & 0o777 == 0o700
    assert folder.parent == tmp_path
    monkeypatch.delenv("LG_WD")


def test_two_switches_of_a_spot_tell_whose_checker_lies_there() -> None:
    """Each on its own pin, and from one side to the other with nothing between."""
    bench = MockPins(load_board("nannon-6-hall"))
    gpio = bench.open()
    bench.drive(23, low=True)
    assert gpio.picture().closed == {"4.white"}
    bench.now = 400
    bench.drive(23, low=False)
    bench.drive(8, low=True)
    assert gpio.picture().closed == {"4.black"}
    edges = [(e.us, e.sensor, e.closed) for e in bench.events if isinstance(e, SensorEdge)]
    assert edges == [
        (0, "4.white", True),
        (ms(400), "4.white", False),
        (ms(400), "4.black", True),
    ]
    gpio.lights(frozenset({Spot.read("4")}), NONE)
    assert bench.lit() == "...*.."
    gpio.close()
