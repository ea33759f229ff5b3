"""The real binary when things go wrong: noise both ways, stuck firmware, resets, bad wishes."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from emulated import (
    START_US,
    TOKEN,
    Garble,
    Host,
    SerialLine,
    SessionHost,
    built,
    cells,
    hellos,
    numbers,
    open_host,
)
from lab.stepped import SteppedEmulator
from scanner_wire import pack

from pi_app.link.messages import (
    Cause,
    Configure,
    Fault,
    Geometry,
    Who,
    encode,
)
from pi_app.link.session import Changed, LinkLost, MatrixPicture, Up
from pi_app.sensing.description import Cell

WATCHDOG_US = 250_000
"""The set rate; the emulated oscillator is exact."""


@pytest.fixture
def host() -> Iterator[Host]:
    with open_host(built()) as host:
        yield host


@pytest.fixture
def session() -> Iterator[SessionHost]:
    """The program's own session, followed by a 24 × 5 board."""
    with SteppedEmulator(built()) as board:
        session = SessionHost(board, 24, 5)
        session.run(START_US + 40_000)
        yield session


def ask_hello(host: Host) -> int:
    """How many bad frames the scanner has counted."""
    host.say(Who())
    (hello,) = hellos(host.run(5_000))
    return hello.bad_frames


def test_garbage_is_counted_and_harms_nothing(host: Host) -> None:
    rng = random.Random(1)
    host.configure(24, 5)
    for _ in range(20):
        junk = bytes(rng.randrange(1, 256) for _ in range(rng.randrange(2, 200)))
        host.board.send(junk + b"\0")
        host.run(10_000)
    assert ask_hello(host) == 20
    host.board.set_reed(Cell(9, 4), True)
    host.run(20_000)
    assert host.picture == frozenset({Cell(9, 4)})


def test_half_a_frame_costs_itself_alone(host: Host) -> None:
    host.configure(24, 5)
    whole = encode(pack(Who()))
    for length in range(1, len(whole) - 1):
        host.board.send(whole[:length] + b"\0")
    assert ask_hello(host) == len(whole) - 2
    host.board.send(whole[:-2])
    host.run(500_000)
    assert ask_hello_after_end(host) == len(whole) - 1


def ask_hello_after_end(host: Host) -> int:
    """Like `ask_hello`, on a wire that may carry the beginning of a frame."""
    host.board.send(b"\0")
    return ask_hello(host)


def test_no_single_flipped_bit_configures_the_scanner(host: Host) -> None:
    frame = encode(pack(Configure(TOKEN, Geometry(24, 5, 5))))
    for bit in range(8 * len(frame)):
        spoilt = bytearray(frame)
        spoilt[bit // 8] ^= 1 << bit % 8
        host.board.send(bytes(spoilt) + b"\0")
    heard = hellos(host.run(100_000))
    host.say(Who())
    heard += hellos(host.run(5_000))
    assert {hello.token for hello in heard} == {0}
    assert heard[-1].bad_frames >= 8 * len(frame) - 8


@pytest.mark.parametrize(
    ("geometry", "fault"),
    [
        (Geometry(32, 4, 5), Fault.ROWS),
        (Geometry(0, 5, 5), Fault.ROWS),
        (Geometry(5, 17, 5), Fault.COLUMNS),
        (Geometry(26, 5, 5), Fault.CELLS),
        (Geometry(24, 5, 0), Fault.DEBOUNCE),
        (Geometry(24, 5, 51), Fault.DEBOUNCE),
    ],
)
def test_a_matrix_it_cannot_scan_is_refused(host: Host, geometry: Geometry, fault: Fault) -> None:
    host.say(Configure(TOKEN, geometry))
    (hello,) = hellos(host.run(5_000))
    assert hello.fault is fault is geometry.fault()
    assert (hello.geometry.rows, hello.geometry.columns) == (0, 0)
    host.configure(24, 5)
    assert host.picture == frozenset()


def noisy(rng: random.Random, rate: float) -> Garble:
    """A wire that flips, drops and invents bytes at this rate."""

    def wire(data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            chance = rng.random() / rate
            if chance < 0.4:
                out.append(byte ^ 1 << rng.randrange(8))
            elif chance < 0.7:
                out += bytes([byte, rng.randrange(256)])
            elif chance >= 1:
                out.append(byte)
        return bytes(out)

    return wire


@pytest.mark.parametrize("seed", range(3))
def test_over_a_noisy_wire_every_change_arrives_in_order(session: SessionHost, seed: int) -> None:
    rng = random.Random(seed)
    assert session.closed == frozenset()
    session.to_board = noisy(rng, 0.004)
    session.from_board = noisy(rng, 0.004)
    expected, closed = [], set[Cell]()
    for number in range(60):
        cell = rng.choice(cells(24, 5))
        closed ^= {cell}
        expected.append(((cell.row, cell.column), cell in closed))
        session.board.plan_reed(session.now_us + 30_000 * number, cell, cell in closed)
    events = session.run(30_000 * 60 + 1_000_000)
    assert session.session.counters.bad_frames > 0
    assert [(e.place, e.closed) for e in events if isinstance(e, Changed)] == expected
    assert session.closed == closed


def test_a_stuck_firmware_is_reset_by_its_watchdog_and_says_so(host: Host) -> None:
    host.configure(24, 5)
    host.run(50_000)
    stuck = host.now_us
    host.board.ask("hang")
    heard = [one for one in host.run(400_000) if hellos([one])]
    assert host.resets == 1
    first = hellos(heard)[0]
    assert (first.cause, first.token) == (Cause.WATCHDOG, 0)
    assert heard[0].us - stuck <= 1.2 * WATCHDOG_US


def test_behind_a_bootloader_the_watchdog_is_still_told_from_the_rest() -> None:
    with open_host(built(), "--boot", "1") as host:
        assert {hello.cause for hello in hellos(host.heard)} == {Cause.UNKNOWN}
        host.configure(24, 5)
        host.board.ask("hang")
        assert hellos(host.run(400_000))[0].cause is Cause.WATCHDOG
        host.board.ask("reset")
        assert hellos(host.run(100_000))[0].cause is Cause.UNKNOWN


def test_the_session_follows_again_after_a_watchdog_reset(session: SessionHost) -> None:
    session.board.set_reed(Cell(3, 1), True)
    session.run(50_000)
    session.board.ask("hang")
    session.run(100_000)
    for cell, closed in ((Cell(3, 1), False), (Cell(12, 0), True)):
        session.board.set_reed(cell, closed)  # while nobody looks
    events = session.run(400_000)
    assert [type(event) for event in events] == [LinkLost, Up, MatrixPicture]
    assert session.closed == frozenset({Cell(12, 0)})
    counters = session.session.counters
    assert (counters.resets, counters.last_cause) == (1, Cause.WATCHDOG)


def test_the_button_on_the_board_is_told_from_the_watchdog(session: SessionHost) -> None:
    session.board.ask("reset")
    events = session.run(200_000)
    assert [type(event) for event in events] == [LinkLost, Up, MatrixPicture]
    assert session.session.counters.last_cause is Cause.EXTERNAL


def test_bytes_that_come_as_fast_as_they_can_are_all_fetched(host: Host) -> None:
    host.configure(25, 5)
    for _ in range(40):
        host.board.send(encode(pack(Who())))
    said = hellos(host.run(100_000))
    assert SerialLine(*numbers(host.board, "line")).overruns == 0
    assert said[-1].overruns == 0
    assert said[-1].bad_frames == 0
