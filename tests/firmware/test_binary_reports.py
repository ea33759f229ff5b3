"""The real binary: every reed change is reported once, in order, in time, and none is invented."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from emulated import (
    DEBOUNCE_MS,
    TOKEN,
    Change,
    Host,
    Memory,
    SerialLine,
    built,
    cells,
    cycle_of,
    hellos,
    numbers,
    open_host,
    reports,
    short_circuits,
)
from scanner_wire import UNCONFIGURED

from pi_app.link.messages import BUILD, Cause, Fault, Geometry, Hello
from pi_app.sensing.description import Cell

MATRICES = [(24, 5), (25, 5), (10, 10), (31, 4), (8, 16)]
"""Those of the boards, and two more so that every pin has its turn."""
FIRMWARE = Path(__file__).parents[2] / "firmware"
QUEUE = 32
LEAST_SCANS_A_SECOND = 500
MOST_LATE_MS = DEBOUNCE_MS + 2 + 4
"""From a reed's coming to rest to the last byte of its report: debounce, scan, wire."""


@pytest.fixture
def host() -> Iterator[Host]:
    with open_host(built()) as host:
        yield host


def flips(changes: list[Change]) -> list[tuple[Cell, bool]]:
    return [(change.cell, change.closed) for change in changes]


def test_an_unconfigured_scanner_says_hello_five_times_a_second(host: Host) -> None:
    said = hellos(host.run(1_000_000))
    assert len(said) == 5
    assert set(said) == {Hello(0, UNCONFIGURED, Cause.POWER, Fault.NONE, 0, 0, BUILD)}


def test_the_line_runs_at_exactly_500_000_baud(host: Host) -> None:
    assert SerialLine(*numbers(host.board, "line")).baud == 500_000


def test_it_is_configured_and_shows_what_is_closed_already(host: Host) -> None:
    lying = frozenset({Cell(0, 0), Cell(7, 4), Cell(8, 0), Cell(23, 4)})
    for cell in lying:
        host.board.set_reed(cell, True)
    host.configure(24, 5)
    hello = hellos(host.heard)[-1]
    assert (hello.token, hello.geometry) == (TOKEN, Geometry(24, 5, DEBOUNCE_MS))
    assert host.picture == lying
    assert host.changes == []


def test_a_quiet_board_beats_five_times_a_second(host: Host) -> None:
    host.configure(24, 5)
    beats = reports(host.run(2_000_000))
    assert len(beats) == 10
    assert {(beat.sequence, beat.lost, any(beat.bitmap)) for beat in beats} == {(0, 0, False)}
    assert [b.ms - a.ms for a, b in pairwise(beats)] == [200] * 9


@pytest.mark.parametrize(("rows", "columns"), MATRICES)
def test_every_reed_is_told_once_each_way(host: Host, rows: int, columns: int) -> None:
    host.configure(rows, columns)
    expected = []
    for number, cell in enumerate(cells(rows, columns)):
        at = host.now_us + 12_000 * number + 137 * (number % 8)
        host.board.plan_reed(at, cell, True)
        host.board.plan_reed(at + 7_500, cell, False)
        # The next one closes before this one's opening is told: two reeds at a time.
        expected += [(at, cell, True), (at + 7_500, cell, False)]
    host.run(12_000 * rows * columns + 50_000)
    assert sorted(flips(host.changes), key=str) == sorted(
        ((cell, closed) for _, cell, closed in expected), key=str
    )
    assert flips(host.changes) == [(cell, closed) for _, cell, closed in expected]
    assert (host.picture, host.doubtful, host.lost) == (frozenset(), 0, 0)


@pytest.mark.parametrize(("rows", "columns"), [(25, 5), (10, 10)])
def test_every_row_is_scanned_often_enough(host: Host, rows: int, columns: int) -> None:
    host.configure(rows, columns)
    before, cycle = numbers(host.board, "drives"), cycle_of(host.board)
    host.board.run(1_000_000)
    seconds = (cycle_of(host.board) - cycle) / 16e6
    rates = [(b - a) / seconds for a, b in zip(before, numbers(host.board, "drives"), strict=True)]
    print(f"{rows} x {columns}: {min(rates[:rows]):.1f} scans a second")
    assert min(rates[:rows]) >= LEAST_SCANS_A_SECOND
    assert max(rates[rows:]) == 0
    circuits = short_circuits(host.board)
    assert (circuits.together, circuits.shorted) == (0, 0)


@pytest.mark.parametrize(("rows", "columns"), [(25, 5), (10, 10)])
def test_a_report_is_there_soon_after_the_reed_is_at_rest(
    host: Host, rows: int, columns: int
) -> None:
    host.configure(rows, columns)
    rng = random.Random(rows)
    rest: list[int] = []
    closed: frozenset[Cell] = frozenset()
    at = host.now_us
    for _ in range(100):
        at += rng.randrange(10_000, 20_000)
        for cell in rng.sample(cells(rows, columns), 2):  # a capture: two at once
            host.board.plan_reed(at, cell, cell not in closed)
            closed ^= {cell}
            rest.append(at)
    host.run_until(at + 30_000)
    late = [change.us - us for change, us in zip(host.changes, rest, strict=True)]
    print(f"{rows} x {columns}: {min(late) / 1e3:.2f} to {max(late) / 1e3:.2f} ms late")
    assert max(late) <= MOST_LATE_MS * 1000
    assert min(late) >= (DEBOUNCE_MS - 1) * 1000
    assert host.picture == closed


def test_two_reeds_in_one_scan_make_two_reports_of_one_moment(host: Host) -> None:
    host.configure(24, 5)
    scanned = numbers(host.board, "drives")[23]
    while numbers(host.board, "drives")[23] == scanned:
        host.run(50)
    for cell in (Cell(20, 1), Cell(3, 2)):
        host.board.set_reed(cell, True)
    host.run(40_000)
    assert flips(host.changes) == [(Cell(3, 2), True), (Cell(20, 1), True)]
    assert len({change.scanner_ms for change in host.changes}) == 1


def test_bursts_with_bounce_make_one_change_each(host: Host) -> None:
    host.configure(24, 5)
    rng = random.Random(200)
    all_cells = cells(24, 5)
    free_at = dict.fromkeys(all_cells, 0)
    closed: frozenset[Cell] = frozenset()
    windows: dict[Cell, list[tuple[int, int, bool]]] = {cell: [] for cell in all_cells}
    at = host.now_us
    for _ in range(200):
        at += rng.randrange(200, 12_000)
        cell = rng.choice([cell for cell in all_cells if free_at[cell] <= at])
        target = cell not in closed
        glitch = rng.random() < 0.2
        last = bounce(host, rng, at, cell, target is not glitch, target)
        free_at[cell] = last + 20_000
        if not glitch:
            closed ^= {cell}
            windows[cell].append((at, last, target))
    host.run_until(at + 60_000)
    assert host.picture == closed
    assert (host.doubtful, host.lost) == (0, 0)
    for cell in all_cells:
        told = [change for change in host.changes if change.cell == cell]
        assert [change.closed for change in told] == [window[2] for window in windows[cell]]
        for change, (first, last, _) in zip(told, windows[cell], strict=True):
            assert first + (DEBOUNCE_MS - 1) * 1000 <= change.us <= last + MOST_LATE_MS * 1000
    times = [change.scanner_ms for change in host.changes]
    assert times == sorted(times)


def bounce(
    host: Host, rng: random.Random, at: int, cell: Cell, ends_closed: bool, begins_closed: bool
) -> int:
    """A burst of short edges; when the last one comes.

    It ends before the debounce time: of longer ones every scan could by chance see the same.
    """
    host.board.plan_reed(at, cell, begins_closed)
    for _ in range(rng.randrange(4)):
        at += rng.randrange(30, 600)
        host.board.plan_reed(at, cell, not begins_closed)
        at += rng.randrange(30, 600)
        host.board.plan_reed(at, cell, begins_closed)
    if ends_closed is not begins_closed:
        at += rng.randrange(30, 600)
        host.board.plan_reed(at, cell, ends_closed)
    return at


def close_in_turn(host: Host, count: int) -> list[Cell]:
    """Close a number of reeds, 10 ms apart, and wait for the report of the last one."""
    closing = cells(24, 5)[:count]
    for number, cell in enumerate(closing):
        host.board.plan_reed(host.now_us + 10_000 * number, cell, True)
    host.run(10_000 * count + 100_000)
    return closing


def test_nothing_is_lost_while_the_queue_holds(host: Host) -> None:
    host.configure(24, 5)
    host.acknowledges = False
    host.from_board = lambda data: b""
    closing = close_in_turn(host, QUEUE)
    assert host.changes == []
    host.from_board = lambda data: data
    host.acknowledges = True
    host.run(200_000)
    assert flips(host.changes) == [(cell, True) for cell in closing]
    assert (host.lost, host.doubtful) == (0, 0)
    last = reports(host.run(1_000_000))
    assert {report.sequence for report in last} == {QUEUE}, "acknowledged reports are not repeated"


def test_beyond_the_queue_the_loss_is_said_and_the_picture_right(host: Host) -> None:
    host.configure(24, 5)
    host.acknowledges = False
    host.from_board = lambda data: b""
    closing = close_in_turn(host, QUEUE + 8)
    host.from_board = lambda data: data
    host.acknowledges = True
    host.run(400_000)
    assert host.lost == 8
    assert host.picture == frozenset(closing)
    assert flips(host.changes)[: QUEUE - 1] == [(cell, True) for cell in closing[: QUEUE - 1]]


def stack_bound() -> int:
    """The worst stack as reckoned from the program's calls."""
    words = ["make", "-s", "-C", str(FIRMWARE), "size"]
    said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout
    found = re.search(r"^stack +(\d+) ", said, re.MULTILINE)
    assert found is not None, said
    return int(found[1])


def test_the_stack_is_never_deeper_than_reckoned(host: Host) -> None:
    host.configure(25, 5)
    host.acknowledges = False
    for number, cell in enumerate(cells(25, 5)):
        host.board.plan_reed(host.now_us + 50_000 + 1000 * (number // 16), cell, True)
    host.board.send(bytes(range(256)) * 4)
    host.run(500_000)
    memory, bound = Memory(*numbers(host.board, "stack")), stack_bound()
    print(f"stack {memory.stack} bytes of {bound} reckoned, static {memory.static} of 8192")
    assert bound / 2 < memory.stack <= bound
    assert bound + memory.static < 8192
