"""Both scanners, the Python twin and the real firmware on the emulated board."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Protocol

import pytest
from emulated import built
from lab.stepped import CYCLES_A_US, SteppedEmulator
from scanner_twin import ScannerTwin
from scanner_wire import UNCONFIGURED, AskPicture, FromHost, pack

from pi_app.base.microseconds import ms
from pi_app.link.messages import (
    Acknowledge,
    Cause,
    CellKind,
    Configure,
    Decoder,
    Fault,
    FromScanner,
    Geometry,
    Hello,
    Report,
    Who,
    encode,
    unpack_from_scanner,
)
from pi_app.sensing.description import Cell
from pi_app.simulator.emulator import Programs

TOKEN = 0x1234
MATRIX = Geometry(3, 4, 5)
LATE_MS = 6
"""A scan, the wire, and the scanner's own turn."""


class Scanner(Protocol):
    """A scanner in virtual time."""

    def put(self, data: bytes) -> None: ...

    def reed(self, cell: Cell, closed: bool) -> None: ...

    def reset(self) -> None: ...

    def run(self, time_ms: int) -> list[tuple[float, int]]:
        """The bytes that came meanwhile, each with its ms."""
        ...


class TwinScanner:
    def __init__(self) -> None:
        self.now = 0
        self.twin = ScannerTwin()

    def put(self, data: bytes) -> None:
        self.twin.receive(ms(self.now), data)

    def reed(self, cell: Cell, closed: bool) -> None:
        self.twin.switch(ms(self.now), cell, closed)

    def reset(self) -> None:
        self.twin.reset(ms(self.now), Cause.EXTERNAL)

    def run(self, time_ms: int) -> list[tuple[float, int]]:
        heard = [(float(self.now), byte) for byte in self.twin.take_outgoing()]
        for _ in range(time_ms):
            self.now += 1
            self.twin.advance(ms(self.now))
            heard += [(float(self.now), byte) for byte in self.twin.take_outgoing()]
        return heard


class Binary:
    def __init__(self, board: SteppedEmulator) -> None:
        self.board = board
        self.put = board.send

    def reset(self) -> None:
        self.board.ask("reset")

    def reed(self, cell: Cell, closed: bool) -> None:
        self.board.set_reed(cell, closed)

    def run(self, time_ms: int) -> list[tuple[float, int]]:
        sent = self.board.run(time_ms * 1000).sent
        return [(one.cycle / CYCLES_A_US / 1000, one.byte) for one in sent]


class ScannerBench:
    """A scanner just switched on, and words for what is said and done to it."""

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner
        self._decoder = Decoder()
        self.first = self.run(20)

    def say(self, *messages: FromHost) -> None:
        self.scanner.put(b"".join(encode(pack(message)) for message in messages))

    def reed(self, row: int, column: int, closed: bool) -> None:
        self.scanner.reed(Cell(row, column), closed)

    def run(self, time_ms: int) -> list[tuple[float, FromScanner]]:
        heard = []
        for at, byte in self.scanner.run(time_ms):
            payloads = self._decoder.feed(bytes([byte]))
            heard += [(at, unpack_from_scanner(payload)) for payload in payloads]
        assert self._decoder.bad == 0
        return heard

    def hellos(self, time_ms: int) -> list[Hello]:
        return [message for _, message in self.run(time_ms) if isinstance(message, Hello)]

    def reports(self, time_ms: int) -> list[Report]:
        return [message for _, message in self.run(time_ms) if isinstance(message, Report)]

    def come_up(self) -> Report:
        """Configured, and its first report acknowledged."""
        self.say(Configure(TOKEN, MATRIX))
        (first,) = self.reports(20)
        self.say(Acknowledge(TOKEN, 0))
        self.run(5)
        return first


@contextmanager
def binary(programs: Programs) -> Iterator[Scanner]:
    with SteppedEmulator(programs) as board:
        yield Binary(board)


@pytest.fixture(params=["twin", "binary"])
def bench(request: pytest.FixtureRequest) -> Iterator[ScannerBench]:
    if request.param == "twin":
        yield ScannerBench(TwinScanner())
    else:
        with binary(built()) as scanner:
            yield ScannerBench(scanner)


def bits(report: Report) -> int:
    return int.from_bytes(report.bitmap, "little")


def test_it_says_hello_at_once_and_five_times_a_second(bench: ScannerBench) -> None:
    ((_, hello),) = bench.first
    assert isinstance(hello, Hello)
    assert replace(hello, build=0) == Hello(0, UNCONFIGURED, Cause.POWER, Fault.NONE, 0, 0)
    times = [at for at, _ in bench.run(2000)]
    assert len(times) in (9, 10)
    assert all(195 <= after - before <= 205 for before, after in pairwise(times))


def test_asked_who_it_is_it_answers_at_once(bench: ScannerBench) -> None:
    bench.say(Who())
    assert len(bench.hellos(5)) == 1


def test_configured_it_answers_and_sends_its_picture(bench: ScannerBench) -> None:
    for cell in ((0, 0), (1, 2), (2, 3)):
        bench.reed(*cell, True)
    bench.say(Configure(TOKEN, MATRIX))
    messages = [message for _, message in bench.run(20)]
    hello, report = messages
    assert isinstance(hello, Hello)
    assert (hello.token, hello.geometry, hello.fault) == (TOKEN, MATRIX, Fault.NONE)
    assert isinstance(report, Report)
    assert (report.sequence, report.lost, report.bitmap) == (0, 0, b"\x41\x08")


@pytest.mark.parametrize(
    ("geometry", "fault"),
    [
        (Geometry(32, 1, 5), Fault.ROWS),
        (Geometry(0, 1, 5), Fault.ROWS),
        (Geometry(1, 17, 5), Fault.COLUMNS),
        (Geometry(13, 10, 5), Fault.CELLS),
        (Geometry(3, 4, 0), Fault.DEBOUNCE),
        (Geometry(3, 4, 51), Fault.DEBOUNCE),
        (Geometry(3, 4, 5, CellKind.NONE), Fault.KIND),
    ],
)
def test_a_matrix_it_cannot_do_is_refused_with_the_reason(
    bench: ScannerBench, geometry: Geometry, fault: Fault
) -> None:
    bench.come_up()
    bench.say(Configure(TOKEN + 1, geometry))
    answers = bench.hellos(420)
    assert len(answers) == 3
    for hello in answers:
        assert (hello.token, hello.geometry, hello.fault) == (TOKEN + 1, UNCONFIGURED, fault)
    assert bench.reports(300) == []


def test_another_version_is_refused(bench: ScannerBench) -> None:
    bench.say(Configure(TOKEN, MATRIX, version=3))
    (hello,) = bench.hellos(5)
    assert hello.fault is Fault.VERSION


@pytest.mark.parametrize(
    "junk",
    [
        encode(b"\x02\x02\0\0\x03\x04\x05\x01\0\0"),  # token 0
        encode(b"\x02\x02\x34\x12\x03\x04\x05\x01\0"),  # short
        encode(b"\x01\x00"),
        encode(b"\x07"),
        encode(pack(Acknowledge(TOKEN, 0))),
        encode(pack(AskPicture())),
        encode(pack(Who()))[:-2] + b"\x55\0",
        b"\xff" * 200 + b"\0",
    ],
    ids=["token 0", "short", "long", "unknown", "ack", "picture", "damaged", "endless"],
)
def test_what_it_does_not_understand_is_counted(bench: ScannerBench, junk: bytes) -> None:
    bench.scanner.put(junk)
    bench.run(20)
    bench.say(Who())
    assert bench.hellos(10)[-1].bad_frames == 1


def test_each_change_is_a_report(bench: ScannerBench) -> None:
    bench.come_up()
    known = 0
    for number in range(MATRIX.cells):
        bench.reed(*divmod(number, MATRIX.columns), True)
        (report,) = bench.reports(5 + LATE_MS)
        known |= 1 << number
        assert (report.sequence, bits(report)) == (number + 1, known)
        bench.say(Acknowledge(TOKEN, report.sequence))


def test_two_reeds_at_once_are_two_reports_in_order_of_cells(bench: ScannerBench) -> None:
    bench.come_up()
    bench.reed(2, 1, True)
    bench.reed(0, 3, True)
    first, second = bench.reports(5 + LATE_MS)
    assert (bits(first), bits(second)) == (1 << 3, 1 << 3 | 1 << 9)
    assert (first.sequence, second.sequence) == (1, 2)
    assert first.ms == second.ms


def test_a_bounce_is_one_change_and_a_spike_is_none(bench: ScannerBench) -> None:
    bench.come_up()
    for closed in (True, False, True, False, True):
        bench.reed(1, 1, closed)
        assert bench.reports(3) == []
    (report,) = bench.reports(5 + LATE_MS - 3)
    bench.say(Acknowledge(TOKEN, report.sequence))
    bench.reed(1, 1, False)
    bench.run(3)
    bench.reed(1, 1, True)
    assert {report.sequence for report in bench.reports(500)} == {1}


def test_unacknowledged_reports_come_again_oldest_first(bench: ScannerBench) -> None:
    bench.come_up()
    for column in range(3):
        bench.reed(0, column, True)
        bench.run(20)
    bench.say(Acknowledge(TOKEN, 1))
    again = [report.sequence for report in bench.reports(160)]
    assert again[-6:] == [2, 3] * 3
    bench.say(Acknowledge(TOKEN, 3))
    bench.run(5)
    assert bench.reports(150) == []


def test_acknowledgements_of_others_and_of_the_future_change_nothing(bench: ScannerBench) -> None:
    bench.come_up()
    bench.reed(0, 0, True)
    bench.run(15)
    bench.say(Acknowledge(TOKEN + 1, 1), Acknowledge(TOKEN, 2))
    assert [report.sequence for report in bench.reports(120)] == [1, 1]


def test_the_heartbeat_is_the_newest_report_again(bench: ScannerBench) -> None:
    bench.reed(0, 1, True)
    first = bench.come_up()
    beats = bench.reports(1000)
    assert len(beats) in (4, 5)
    assert {(beat.sequence, beat.lost, beat.bitmap) for beat in beats} == {(0, 0, first.bitmap)}
    assert [beat.ms for beat in beats] == sorted(beat.ms for beat in beats)
    assert beats[-1].ms - beats[0].ms >= 590


def test_asked_for_a_picture_it_sends_the_newest_state(bench: ScannerBench) -> None:
    bench.come_up()
    bench.say(AskPicture())
    (beat,) = bench.reports(5)
    assert (beat.sequence, bits(beat)) == (0, 0)
    bench.reed(0, 0, True)
    bench.run(15)
    bench.say(AskPicture())
    assert [report.sequence for report in bench.reports(5)] == [1]


def test_beyond_the_queue_changes_are_merged_and_said(bench: ScannerBench) -> None:
    bench.come_up()
    closed = 0
    for number in range(40):
        cell = number % MATRIX.cells
        closed ^= 1 << cell
        bench.reed(*divmod(cell, MATRIX.columns), bool(closed >> cell & 1))
        bench.run(5 + LATE_MS)
    rounds = bench.reports(120)
    newest = [report for report in rounds if report.sequence == 32][-1]
    assert {report.sequence for report in rounds} == set(range(1, 33))
    assert (newest.lost, bits(newest)) == (8, closed)
    bench.say(Acknowledge(TOKEN, 32))
    beat = bench.reports(420)[-1]
    assert (beat.sequence, beat.lost, bits(beat)) == (32, 8, closed)


def test_configured_again_it_begins_afresh(bench: ScannerBench) -> None:
    bench.come_up()
    bench.reed(0, 0, True)
    bench.run(20)
    bench.say(Configure(TOKEN + 5, Geometry(3, 2, 5)))
    messages = [message for _, message in bench.run(20)]
    hello, report = messages[-2:]
    assert isinstance(hello, Hello)
    assert hello.token == TOKEN + 5
    assert isinstance(report, Report)
    assert (report.sequence, report.bitmap) == (0, b"\x01")


def test_a_reset_is_said_with_its_cause(bench: ScannerBench) -> None:
    bench.come_up()
    bench.scanner.reset()
    hello = bench.hellos(100)[-1]
    assert (hello.token, hello.cause) == (0, Cause.EXTERNAL)
