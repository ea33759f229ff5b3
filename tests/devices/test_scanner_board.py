"""A board on the scanner in virtual time: a twin's bytes in, the program's events out."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from known import load_board
from scanner_twin import ScannerTwin, TwinCarrier
from scanner_wire import pack

from pi_app.base.microseconds import ms
from pi_app.devices.gpio import open_factory
from pi_app.devices.scanner import Feed, ScannerBoard, fresh_token, hitches, matrix_of
from pi_app.devices.source import DeviceError, SensorSource
from pi_app.link.messages import (
    ASK_LEVELS,
    Cause,
    CellKind,
    Decoder,
    Fault,
    Geometry,
    Hello,
    Report,
    Stranger,
    StripLevels,
    StripState,
    encode,
)
from pi_app.link.session import Counters
from pi_app.referee.effects import Cue
from pi_app.referee.events import (
    Button,
    DeviceLost,
    Event,
    Found,
    LevelsRead,
    Picture,
    Press,
    SensorEdge,
    Tick,
)
from pi_app.referee.lines import read_event, write_event
from pi_app.rules.terms import Side, Spot
from pi_app.sensing.description import Board, Pin, Sensor

BOARD = load_board(str(Path(__file__).parent.parent / "boards" / "nannon-scanner.toml"))


def mixed() -> Board:
    """The same, but spots 1 and 2 hang on pins, and spot 6 has a light."""
    places = [
        replace(place, reeds=(replace(place.reeds[0], line=pin),))
        for place, pin in zip(BOARD.places, (Pin(17), Pin(27)), strict=False)
    ]
    six = replace(BOARD.place(Spot.read("6")), light=Pin(5))
    return replace(
        BOARD, places=(*places, *BOARD.places[2:5], six, *BOARD.places[6:]), buzzer=Pin(18)
    )


class TwinBoard:
    """A board, its twin and its pins; time passes a tenth of a millisecond at a time at most."""

    def __init__(self, board: Board = BOARD) -> None:
        self.now = 0.0
        self.board = board
        self.events: list[Event] = []
        self.factory = open_factory("mock")
        self.twin = ScannerTwin()
        tokens = count(1)
        self.source = ScannerBoard(
            board,
            self.factory,
            lambda: ms(self.now),
            self.events.append,
            lambda listener: TwinCarrier(self.twin, listener, lambda: ms(self.now)),
            token=lambda: next(tokens),
        )

    def run(self, time_ms: float) -> list[Event]:
        """Let time pass from one due time to the next; the events but for ticks."""
        end = self.now + time_ms
        before = len(self.events)
        self.source.advance(ms(self.now))
        while self.now < end:
            due = self.source.due
            self.now = min(end, end if due is None else max(due / 1000, self.now + 0.1))
            self.source.advance(ms(self.now))
        return [event for event in self.events[before:] if not isinstance(event, Tick)]

    def reed(self, name: str, closed: bool) -> None:
        cell = self.board.cells.get(Sensor(name))
        if cell:
            self.twin.switch(ms(self.now), cell, closed)
        else:
            self.pin(self.board.pins[Sensor(name)], closed)

    def pin(self, pin: Pin, closed: bool) -> None:
        mock = self.factory.pin(pin)
        (mock.drive_low if closed else mock.drive_high)()


def told(events: list[Event]) -> list[tuple[str, bool]]:
    return [(e.sensor, e.closed) for e in events if isinstance(e, SensorEdge)]


def test_it_is_a_sensor_source() -> None:
    source: SensorSource = TwinBoard().source
    source.close()
    source.close()


def test_it_comes_up_with_its_picture() -> None:
    bench = TwinBoard()
    bench.reed("2", True)
    bench.reed("6", True)
    assert bench.run(50) == [
        Found(ms(1), "sensors"),
        Picture(ms(1), frozenset({Sensor("2"), Sensor("6")})),
    ]
    assert bench.source.picture() == bench.events[-1], "and not later than what is under way"


def test_before_the_first_word_there_is_no_picture() -> None:
    with pytest.raises(DeviceError, match="out of reach: the scanner is being configured"):
        TwinBoard().source.picture()


def test_a_change_is_told_once_it_is_steady_under_its_sensors_name() -> None:
    bench = TwinBoard()
    bench.run(50)
    for closed in (True, False, True):
        bench.reed("4", closed)
        bench.run(2)
    assert bench.run(10) == [SensorEdge(ms(59), Sensor("4"), True)]


def test_a_reset_loses_the_sensors_for_a_moment_and_no_change() -> None:
    bench = TwinBoard()
    bench.run(50)
    bench.twin.reset(ms(bench.now), Cause.BROWN_OUT)
    bench.reed("3", True)
    kinds = bench.run(20)
    assert [type(event) for event in kinds] == [DeviceLost, Found, Picture]
    assert bench.source.picture().closed == {Sensor("3")}
    assert "1 reset (last: brown-out)" in bench.source.status()[1]


def test_unplugged_it_is_lost_until_it_is_back() -> None:
    bench = TwinBoard()
    bench.run(50)
    bench.source.unplugged(ms(60))
    assert bench.events[-1] == DeviceLost(ms(60), "sensors")
    with pytest.raises(DeviceError, match="the scanner does not answer"):
        bench.source.picture()
    bench.source.plugged(ms(70))
    bench.now = 70
    kinds = [type(event) for event in bench.run(400)]
    assert kinds == [Found, Picture]


def test_a_scanner_of_another_version_is_told_in_the_status() -> None:
    bench = TwinBoard()
    bench.run(50)
    bench.source.heard(ms(60), encode(pack(Stranger(9))))
    assert "uses protocol 9" in bench.source.status()[0]
    assert bench.events[-1] == DeviceLost(ms(60), "sensors")


def test_cells_that_no_sensor_has_are_not_told() -> None:
    board = replace(BOARD, places=BOARD.places[1:])
    bench = TwinBoard(board)
    bench.twin.switch(ms(0), BOARD.cells[Sensor("1")], True)
    assert bench.run(50)[1] == Picture(ms(1), frozenset())
    bench.twin.switch(ms(bench.now), BOARD.cells[Sensor("1")], False)
    assert bench.run(50) == []


def test_the_button_stays_on_its_pin() -> None:
    bench = TwinBoard()
    bench.run(50)
    bench.pin(Pin(26), True)
    bench.run(100)
    bench.pin(Pin(26), False)
    assert bench.run(50) == [Button(ms(155), Press.SHORT)]


def test_lights_and_buzzer_stay_on_their_pins() -> None:
    bench = TwinBoard(mixed())
    bench.source.lights(frozenset({Spot.read("6")}), frozenset())
    assert bench.factory.pin(Pin(5)).state
    bench.source.beep(Cue.LEGAL)
    assert bench.factory.pin(Pin(18)).state
    bench.run(100)
    assert not bench.factory.pin(Pin(18)).state


# Some reeds on pins


def test_reeds_on_pins_are_debounced_too() -> None:
    bench = TwinBoard(mixed())
    bench.run(50)
    for closed in (True, False, True):
        bench.reed("1", closed)
        bench.run(2)
    bench.reed("5", True)
    events = bench.run(10)
    assert told(events) == [("1", True), ("5", True)]
    assert events[0].us == ms(54 + 5)
    assert bench.source.picture().closed == {Sensor("1"), Sensor("5")}


def test_a_spike_on_a_pin_is_nothing() -> None:
    bench = TwinBoard(mixed())
    bench.run(50)
    bench.reed("2", True)
    bench.run(3)
    bench.reed("2", False)
    assert bench.run(50) == []


def test_the_scanners_pictures_show_the_pins_as_well() -> None:
    bench = TwinBoard(mixed())
    bench.reed("1", True)
    bench.run(50)
    bench.twin.reset(ms(bench.now), Cause.WATCHDOG)
    picture = bench.run(20)[-1]
    assert picture == Picture(picture.us, frozenset({Sensor("1")}))


def test_a_pin_whose_edge_was_lost_is_in_the_next_picture() -> None:
    bench = TwinBoard(mixed())
    bench.run(50)
    mock = bench.factory.pin(bench.board.pins[Sensor("2")])
    edge, mock.when_changed = mock.when_changed, None
    mock.drive_low()
    mock.when_changed = edge
    assert bench.run(50) == []
    assert bench.source.picture().closed == {Sensor("2")}
    assert told(bench.run(1)) == []


# Small things


def test_a_board_without_a_scanner_has_no_feed() -> None:
    with pytest.raises(ValueError, match="'nannon-6' has no scanner"):
        Feed(load_board("nannon-6"), 5, fresh_token)


def test_the_scanner_is_configured_as_the_board_and_the_settings_say() -> None:
    assert matrix_of(BOARD, 7) == Geometry(2, 3, 7)


def test_tokens_are_never_zero_and_differ() -> None:
    tokens = {fresh_token() for _ in range(200)}
    assert 1 <= min(tokens) <= max(tokens) <= 0xFFFF
    assert len(tokens) > 150


def test_what_went_wrong_is_told_in_numbers() -> None:
    assert hitches(Counters()) == (
        "0 bad frames, 0 gaps, 0 repeats, 0 overflows, 0 silences, 0 reconnects, 0 resets"
    )
    counters = Counters(9, 1, 2, 1, 3, 1, Cause.BROWN_OUT, 1, 1)
    assert hitches(counters) == (
        "1 bad frame, 2 gaps, 1 repeat, 3 overflows, 1 silence, 1 reconnect, "
        "1 reset (last: brown-out)"
    )


HALL = load_board("tables-24-hall")
WHOLE = matrix_of(HALL, 5)


class Strips:
    """A feed whose scanner is configured for tables-24-hall; it notes the rows that are asked."""

    def __init__(self, board: Board = HALL) -> None:
        self.board = board
        self.feed = Feed(board, 5, lambda: 7)
        self.now = 0
        self.asked: list[int] = []
        self._decoder = Decoder()
        self.feed.plugged(ms(0))
        silent = bytes(-(-WHOLE.cells // 8))
        closed = bytes(-(-2 * WHOLE.cells // 8))
        cells = self.board.cells.values()
        wired = {(cell.row, cell.column) for cell in cells}
        bits = sum(
            1 << row * WHOLE.columns + column
            for row in range(WHOLE.rows)
            for column in range(WHOLE.columns)
            if (row, column) not in wired
        )
        silent = bits.to_bytes(len(silent), "little")
        self.say(Hello(0, Geometry(0, 0, 0, CellKind.NONE), Cause.POWER, Fault.NONE, 0, 0))
        self.say(Hello(7, WHOLE, Cause.POWER, Fault.NONE, 0, 0))
        self.say(StripState(WHOLE.rows, silent))
        self.say(Report(0, 1, 0, closed))
        assert self.feed.closed == frozenset(), self.feed.trouble

    def say(self, message: Hello | StripState | Report | StripLevels) -> tuple[Event, ...]:
        self.now += 1
        events = self.feed.heard(ms(self.now), encode(pack(message)))
        self.listen()
        return events

    def listen(self) -> None:
        for payload in self._decoder.feed(self.feed.take_outgoing()):
            if payload[0] == ASK_LEVELS:
                self.asked.append(payload[1])

    def read(self, *spots: str) -> None:
        self.feed.read_levels(frozenset(map(Spot.read, spots)))
        self.listen()


def row_of(place: str) -> int:
    return HALL.cells[Sensor(f"{place}.white")].row


def test_levels_are_asked_for_strip_by_strip_and_told_together() -> None:
    strips = Strips()
    strips.read("6", "8")
    first, second = sorted({row_of("6.1"), row_of("8.1")})
    assert strips.asked == [first], "the scanner answers one question at a time"
    assert strips.say(StripLevels(first, tuple((612, 512) for _ in range(5)))) == ()
    assert strips.asked == [first, second]
    (told,) = strips.say(StripLevels(second, tuple((402, 512) for _ in range(5))))
    assert isinstance(told, LevelsRead)
    assert len(told.levels) == 10
    by_row = {row_of(place): level for place, level in told.levels.items()}
    assert by_row == {first: 100, second: -110}
    assert strips.say(StripLevels(second, ((512, 512),) * 5)) == (), "nobody asked for that"


def test_levels_of_a_board_whose_black_checkers_raise_them_have_the_other_sign() -> None:
    assert HALL.scanner is not None
    turned = replace(HALL, scanner=replace(HALL.scanner, north=Side.BLACK))
    strips = Strips(turned)
    strips.read("6")
    (told,) = strips.say(StripLevels(row_of("6.1"), ((612, 512),) * 5))
    assert isinstance(told, LevelsRead)
    assert set(told.levels.values()) == {-100}


def test_a_place_whose_zero_is_unknown_is_left_out() -> None:
    strips = Strips()
    strips.read("6")
    levels = ((612, 0), *((612, 512),) * 4)
    (told,) = strips.say(StripLevels(row_of("6.1"), levels))
    assert isinstance(told, LevelsRead)
    assert len(told.levels) == 4


def test_a_level_that_no_converter_gives_is_left_out() -> None:
    """A faulty scanner may send any 16 bits; what is stored must be readable again."""
    strips = Strips()
    strips.read("6")
    levels = ((65535, 512), (1024, 1), (1023, 1), (0, 1023), (512, 65535))
    (told,) = strips.say(StripLevels(row_of("6.1"), levels))
    assert isinstance(told, LevelsRead)
    assert sorted(told.levels.values()) == [-1023, 1022]
    assert read_event(write_event(told)) == told


def test_a_new_request_replaces_one_that_is_not_answered() -> None:
    strips = Strips()
    strips.read("6")
    strips.read("8")
    assert strips.say(StripLevels(row_of("6.1"), ((612, 512),) * 5)) == ()
    (told,) = strips.say(StripLevels(row_of("8.1"), ((612, 512),) * 5))
    assert isinstance(told, LevelsRead)
    assert {row_of(place) for place in told.levels} == {row_of("8.1")}


def test_a_scanner_of_reeds_or_away_is_not_asked() -> None:
    reeds = TwinBoard()
    reeds.run(50)
    reeds.source.read_levels(frozenset({Spot.read("2")}))
    away = Strips()
    away.feed.unplugged(ms(99))
    away.read("6")
    assert away.asked == []
    assert all(not isinstance(event, LevelsRead) for event in reeds.run(500))
