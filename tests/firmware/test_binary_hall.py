"""The real binary with Hall strips on its converter: fields, drift, weak magnets, broken chains.

The fields are those of the magnet model: 39 mT under the middle of a checker, 12 mT at 4 mm aside,
the own lobe of -2.3 mT at 7.5 mm.  The sensor's 15 mV/mT and its drift of 1 % of the supply are
unchecked.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest
from emulated import DEBOUNCE_MS, START_US, Host, SessionHost, built, numbers, open_host
from lab.stepped import SteppedEmulator

from pi_app.link.messages import (
    HALL_OPERATE,
    HALL_RELEASE,
    AskLevels,
    CellKind,
    Geometry,
    StripLevels,
    Who,
)
from pi_app.link.session import LinkLost, LinkState
from pi_app.rules.terms import Side
from pi_app.sensing.description import Cell
from pi_app.simulator.emulator import NOISE_MV

ROWS, COLUMNS = 25, 5
STRIPS = Geometry(ROWS, COLUMNS, DEBOUNCE_MS, CellKind.HALL, HALL_OPERATE, HALL_RELEASE)
BAR = 24
"""The strip of four sensors."""
CELLS = [(row, column) for row in range(ROWS) for column in range(COLUMNS)][:-1]
OPTIONS = ("--strips", str(ROWS), "--noise", str(NOISE_MV))
MIDDLE_UT, ASIDE_UT, LOBE_UT, STRAY_UT = 39_000, 12_000, -2_300, 950
FIELD_MT = ((0.0, 39.0), (4.0, 12.0), (5.4, 4.0), (7.5, -2.3), (12.0, 0.0))
"""Of a checker by how far its middle is from the sensor's, in mm; between them straight lines."""
REST_MV, DRIFT_MV = 1650, 33
LEAST_SCANS_A_SECOND = 250
SCAN_MS = 4
MOST_LATE_MS = DEBOUNCE_MS + 3 * SCAN_MS + 2
"""From the last move to the last byte of the report: up to a scan till it is read, debouncing in
whole scans, the scan itself and the wire."""


@contextmanager
def strips(*options: str) -> Iterator[Host]:
    with open_host(built(), *(options or OPTIONS)) as host:
        host.board.ask(f"rest {BAR} 4 0")
        yield host


@pytest.fixture
def host() -> Iterator[Host]:
    with strips() as host:
        host.begin(STRIPS)
        yield host


def put(host: Host, cell: tuple[int, int], ut: float, after_us: int = 0) -> None:
    row, column = cell
    host.board.ask(f"at {host.now_us + after_us} field {row} {column} {round(ut)}")


def flips(host: Host) -> list[tuple[int, int, Side | None, bool]]:
    return [
        (change.cell.row, change.cell.column, change.cell.side, change.closed)
        for change in host.changes
    ]


def lying(*checkers: tuple[int, int, Side]) -> frozenset[Cell]:
    return frozenset(Cell(*checker) for checker in checkers)


def field_ut(away_mm: float) -> float:
    for (near, more), (far, less) in pairwise(FIELD_MT):
        if away_mm <= far:
            return 1000 * (more + (less - more) * (away_mm - near) / (far - near))
    return 0.0


# Usually


@pytest.mark.slow
def test_every_place_tells_both_sides_checkers(host: Host) -> None:
    expected = []
    for number, (row, column) in enumerate(CELLS):
        for nth, side in enumerate(Side):
            at = 100_000 * number + 50_000 * nth
            put(host, (row, column), MIDDLE_UT * (1 - 2 * nth), at)
            put(host, (row, column), 0, at + 25_000)
            expected += [(row, column, side, True), (row, column, side, False)]
    host.run(100_000 * len(CELLS) + 50_000)
    assert flips(host) == expected
    assert (host.picture, host.doubtful, host.lost) == (frozenset(), 0, 0)


def test_the_strips_are_scanned_often_enough(host: Host) -> None:
    before = numbers(host.board, "scans")[0]
    host.run(1_000_000)
    scans = numbers(host.board, "scans")[0] - before
    print(f"{ROWS} strips of {COLUMNS}: {scans} scans a second")
    assert scans >= LEAST_SCANS_A_SECOND
    assert host.changes == []


@pytest.mark.parametrize("busy", [False, True])
def test_a_checker_lifted_or_set_down_is_told_soon(host: Host, busy: bool) -> None:
    rng = random.Random(3)
    late = []
    for number in range(60):
        if busy:  # four others come or go, and the host keeps asking
            for column in range(1, 5):
                put(host, (9, column), MIDDLE_UT * (number % 2), rng.randrange(3_000))
            host.say(Who())
        moved = rng.randrange(3_000)
        put(host, (8, 0), MIDDLE_UT * (1 - number % 2), moved)
        began = host.now_us + moved
        known = len(host.changes)
        host.run(40_000)
        (told,) = [change for change in host.changes[known:] if change.cell.row == 8]
        late.append(told.us - began)
    print(f"busy {busy}: {min(late) / 1e3:.1f} to {max(late) / 1e3:.1f} ms late")
    assert max(late) <= MOST_LATE_MS * 1000
    assert min(late) >= DEBOUNCE_MS * 1000


def test_the_stack_is_never_deeper_than_reckoned(host: Host) -> None:
    host.acknowledges = False
    for number, cell in enumerate(CELLS):
        put(host, cell, MIDDLE_UT, 50_000 + 1000 * (number // 16))
    host.say(AskLevels(3))
    host.board.send(bytes(range(256)) * 4)
    host.run(500_000)
    stack = numbers(host.board, "stack")[0]
    print(f"stack {stack} bytes")
    assert stack <= 256


# Neighbours, weak magnets, slow hands


def test_neighbours_and_the_own_lobe_are_no_checkers(host: Host) -> None:
    for cell in CELLS[::2]:
        put(host, cell, STRAY_UT)
    for cell in CELLS[1::2]:
        put(host, cell, LOBE_UT - STRAY_UT)
    host.run(500_000)
    assert host.changes == []


def test_a_magnet_of_half_strength_is_read_and_does_not_chatter(host: Host) -> None:
    put(host, (3, 2), MIDDLE_UT / 2)
    put(host, (4, 2), ASIDE_UT / 2)
    put(host, (5, 2), -ASIDE_UT / 2)
    host.run(1_000_000)
    seen = lying((3, 2, Side.WHITE), (4, 2, Side.WHITE), (5, 2, Side.BLACK))
    assert host.picture == seen
    assert len(host.changes) == 3


@pytest.mark.slow
@pytest.mark.parametrize("speed_mm_s", [2, 20, 200])
def test_a_checker_pushed_slowly_on_and_off_is_told_once_each_way(
    host: Host, speed_mm_s: int
) -> None:
    step_mm = 0.05
    ways = [12.0 - step_mm * number for number in range(round(12 / step_mm) + 1)]
    for number, away in enumerate((*ways, *reversed(ways))):
        put(host, (6, 1), field_ut(away), round(number * step_mm / speed_mm_s * 1e6))
    host.run(round(24 / speed_mm_s * 1e6) + 100_000)
    assert flips(host) == [(6, 1, Side.WHITE, True), (6, 1, Side.WHITE, False)]


def test_a_checker_that_lies_at_power_on_is_seen_and_is_not_the_zero() -> None:
    with strips() as host:
        put(host, (0, 0), ASIDE_UT)
        put(host, (BAR, 3), -MIDDLE_UT)
        host.run(1000)
        host.begin(STRIPS)
        assert host.picture == lying((0, 0, Side.WHITE), (BAR, 3, Side.BLACK))
        put(host, (0, 0), 0)
        host.run(3_000_000)
        assert host.picture == lying((BAR, 3, Side.BLACK))
        put(host, (0, 0), -ASIDE_UT)
        host.run(100_000)
        assert host.picture == lying((BAR, 3, Side.BLACK), (0, 0, Side.BLACK))


@pytest.mark.slow
def test_a_drift_of_40_kelvin_moves_no_checker(host: Host) -> None:
    """In a minute, ten times as fast as a board in the sun; every rest by up to 1 % of 3.3 V."""
    rng = random.Random(40)
    checkers = {cell: rng.choice((1, -1)) for cell in CELLS[::4]}
    for cell, sign in checkers.items():
        put(host, cell, sign * ASIDE_UT)
    host.run(200_000)
    before, told = host.picture, len(host.changes)
    drift = {cell: rng.uniform(-DRIFT_MV, DRIFT_MV) for cell in CELLS}
    for part in range(1, 21):
        for (row, column), mv in drift.items():
            host.board.ask(f"rest {row} {column} {round(REST_MV + mv * part / 20)}")
        for cell, sign in checkers.items():  # NdFeB: -0.12 % a kelvin
            put(host, cell, sign * ASIDE_UT * (1 - 0.0012 * 40 * part / 20))
        host.run(3_000_000)
    assert (host.picture, len(host.changes)) == (before, told)
    for cell in checkers:
        put(host, cell, 0)
    host.run(500_000)
    assert host.picture == frozenset(), "a lifted checker leaves no ghost"
    for row in range(ROWS - 1):
        host.say(AskLevels(row))
        (levels,) = [o.message for o in host.run(20_000) if isinstance(o.message, StripLevels)]
        for column, (level, zero) in enumerate(levels.levels):
            if (row, column) not in checkers:
                assert abs(level - zero) <= 3, "zeros of empty places have followed"


# Broken chains, in words


@contextmanager
def session(*options: str, bar: int = BAR) -> Iterator[SessionHost]:
    with SteppedEmulator(built(), *(options or OPTIONS)) as board:
        board.ask(f"rest {bar} 4 0")
        session = SessionHost(board, 0, 0, STRIPS, frozenset(CELLS))
        session.run(START_US + 60_000)
        yield session


BREAKS = {
    "cut 7": "strip 8 and those behind it do not answer",
    "cut 0": "no strip of Hall sensors answers",
    "dead 4": "strip 5 does not answer",
}


@pytest.mark.parametrize("fault", BREAKS)
def test_a_break_during_the_game_is_told_and_heals(fault: str) -> None:
    with session() as bench:
        bench.board.ask("field 2 2 39000")
        bench.run(100_000)
        assert bench.session.closed == frozenset({(2, 2, 0)})
        word, row = fault.split()
        break_up(bench, word, int(row), dead=True)
        events = bench.run(100_000)
        (lost,) = [event for event in events if isinstance(event, LinkLost)]
        assert BREAKS[fault] in lost.why
        bench.board.ask("field 2 2 0")
        bench.run(2_000_000)
        assert BREAKS[fault] in (bench.session.trouble or "")
        break_up(bench, word, int(row), dead=False)
        bench.run(200_000)
        assert bench.session.closed == frozenset()


def break_up(bench: SessionHost, word: str, row: int, dead: bool) -> None:
    if word == "cut":
        bench.board.ask(f"{'cut' if dead else 'join'} {row}")
    else:
        for column in range(COLUMNS):
            bench.board.ask(f"rest {row} {column} {0 if dead else REST_MV}")


@pytest.mark.parametrize(
    ("count", "bar", "says"),
    [
        (24, BAR, "the chain has 24 strips, this board has 25"),
        (26, BAR, "the chain has 26 strips, this board has 25"),
        (25, 12, "strip 25 has a sensor where this board has none"),
        (0, BAR, "no strip of Hall sensors answers"),
    ],
)
def test_a_chain_put_together_wrongly_is_told_at_once(count: int, bar: int, says: str) -> None:
    with session("--strips", str(count), bar=bar) as bench:
        assert bench.session.state is LinkState.BROKEN
        assert says in (bench.session.trouble or "")


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_token_jumps_without_the_strips_resistors_and_not_with_them(seed: int) -> None:
    drawn = ("--strips", str(ROWS), "--scatter", "100", "--seed", str(seed))
    with session(*drawn) as bench:
        assert bench.session.trouble is None
        assert bench.session.state is LinkState.UP
    with session(*drawn, "--out", "0") as bench:
        assert bench.session.state is LinkState.BROKEN
        said = re.search(r"the chain has (\d+) strips", bench.session.trouble or "")
        assert said
        assert int(said[1]) < ROWS


def test_one_dead_sensor_does_not_stop_the_board() -> None:
    with session() as bench:
        bench.board.ask("rest 3 1 0")
        bench.board.ask("field 2 2 -39000")
        bench.run(100_000)
        assert bench.session.closed == frozenset({(2, 2, 1)})
        assert bench.session.silent == frozenset({(3, 1)})


def test_strips_read_before_they_have_settled_would_be_noticed(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.getbasetemp().parent / "hasty-strips"
    with open_host(built(folder, "STRIP_SETTLE_US=3"), *OPTIONS) as host:
        host.begin(STRIPS)
        put(host, (5, 0), MIDDLE_UT)
        host.run(100_000)
        assert host.picture != lying((5, 0, Side.WHITE))
