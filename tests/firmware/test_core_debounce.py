"""The C debouncer: scenarios of contacts and what is reported, the same at every scan period."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from core_desk import library
from hypothesis import given
from hypothesis import strategies as st

STEADY_MS = 5
UNITS_A_MS = 2
"""The debouncer's clock counts half milliseconds here, to express 2 kHz."""

PERIODS_MS = (0.5, 1, 2, 3, 5)

# ms, the contacts from then on, and the picture that is reported then (x = closed).
SCENARIOS = {
    "one reed closes and opens": """
        0    x...
        5         x...
        60   ....
        65        ....
    """,
    "chatter on closing is one change": """
        0    x...
        1    ....
        2    x...
        3    ....
        4    x...
        9         x...
    """,
    "chatter on opening is one change": """
        0    .x..
        5         .x..
        60   ....
        61   .x..
        62   ....
        64   .x..
        65   ....
        70        ....
    """,
    "chatter longer than the wait is still one change": """
        0    x...
        3    ....
        6    x...
        9    ....
        12   x...
        15   ....
        18   x...
        23        x...
    """,
    "a spike is no change": """
        0    ..x.
        2    ....
    """,
    "a gap is no change": """
        0    ..x.
        5         ..x.
        60   ....
        62   ..x.
    """,
    "two reeds at once": """
        0    xx..
        5         xx..
    """,
    "each reed waits for itself": """
        0    x...
        2    xx..
        3    xxx.
        5         x...
        7         xx..
        8         xxx.
    """,
    "one chatters while another is steady": """
        0    x..x
        2    ...x
        4    x..x
        5         ...x
        6    ...x
        8    x..x
        13        x..x
    """,
    "one closes while another opens": """
        0    x...
        5         x...
        60   ...x
        65        ...x
    """,
}


def steps(text: str) -> tuple[list[tuple[float, int]], list[tuple[float, int]]]:
    """The contacts and the pictures of a scenario, by ms."""
    contacts: list[tuple[float, int]] = []
    pictures: list[tuple[float, int]] = []
    for line in text.strip().splitlines():
        ms, row = line.split()
        column = line.index(row) - line.index(ms)
        (contacts if column == 5 else pictures).append((float(ms), bits(row)))
    return contacts, pictures


def bits(row: str) -> int:
    return sum(1 << column for column, contact in enumerate(row) if contact == "x")


def at(events: list[tuple[float, int]], ms: float) -> int:
    """The state that the last event up to now has left."""
    return next((state for when, state in reversed(events) if when <= ms), 0)


class SlowDebouncer:
    """A slow reference debouncer: a reed changes once all its scans of the last `steady` agree."""

    def __init__(self, steady: int) -> None:
        self._steady = steady
        self._scans = [(-(10**9), 0)]
        self._cooked = 0

    def scan(self, raw: int, now: int) -> int:
        self._scans.append((now, raw))
        changed = 0
        for column in range(4):
            run = self._run(column)
            differs = (raw ^ self._cooked) >> column & 1
            if differs and now - run >= self._steady:
                changed |= 1 << column
        self._cooked ^= changed
        return changed

    def _run(self, column: int) -> int:
        """When the scans began that all say the same of this column as the last one."""
        last = self._scans[-1][1] >> column & 1
        begun = self._scans[-1][0]
        for when, raw in reversed(self._scans):
            if raw >> column & 1 != last:
                break
            begun = when
        return begun


Scan = Callable[[int, int], int]
"""Takes the contacts and the time in units; gives the columns that have changed."""


def replay(contacts: list[tuple[float, int]], period: float, scan: Scan) -> list[tuple[float, int]]:
    """Reports of a row scanned from 0 to 120 ms, by ms."""
    picture, reported = 0, []
    for number in range(scans_in_all(period)):
        ms = number * period
        changed = scan(at(contacts, ms), int(ms * UNITS_A_MS))
        if changed:
            picture ^= changed
            reported.append((ms, picture))
    return reported


def scans_in_all(period: float) -> int:
    return int(120 / period) + 1


def c_row() -> Scan:
    """A row of the C debouncer, all open."""
    library().desk_row_start(4, STEADY_MS * UNITS_A_MS, 0)
    scan: Scan = library().desk_row_scan
    return scan


@pytest.mark.slow
@pytest.mark.parametrize("period", PERIODS_MS)
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_at_this_scan_period(name: str, period: float) -> None:
    contacts, pictures = steps(SCENARIOS[name])
    reported = replay(contacts, period, c_row())
    assert reported == replay(contacts, period, SlowDebouncer(STEADY_MS * UNITS_A_MS).scan)
    if period <= 1:
        assert reported == pictures
    for (told, picture), (due, right) in zip(settled(reported), settled(pictures), strict=True):
        assert picture == right
        assert told <= due + 2 * period


def settled(reports: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """The pictures that stood for ten milliseconds: slow scans see near ones as one."""
    never = (float("inf"), 0)
    return [now for now, then in pairwise([*reports, never]) if then[0] - now[0] > 2 * STEADY_MS]


@pytest.mark.parametrize("period", PERIODS_MS)
@pytest.mark.parametrize("name", SCENARIOS)
def test_then_a_silent_minute(name: str, period: float) -> None:
    contacts, _ = steps(SCENARIOS[name])
    replay(contacts, period, c_row())
    step = int(period * UNITS_A_MS)
    resumed = scans_in_all(period) * step
    raw = contacts[-1][1]
    assert library().desk_row_rest(raw, resumed % 65536, step, int(60_000 / period)) == 0


def test_a_reed_that_changes_after_the_silent_minute_is_told() -> None:
    core = library()
    core.desk_row_start(4, STEADY_MS, 0)
    assert core.desk_row_rest(0, 0, 1, 60_000) == 0
    assert core.desk_row_rest(1, 60_000, 1, STEADY_MS) == 0
    assert core.desk_row_rest(1, 60_000 + STEADY_MS, 1, 1) == 1


def test_what_is_taken_as_it_is_makes_no_change() -> None:
    core = library()
    core.desk_row_start(4, STEADY_MS, 0b1010)
    assert core.desk_row_rest(0b1010, 0, 1, 100) == 0


def test_the_clock_wraps_while_a_reed_waits() -> None:
    core = library()
    core.desk_row_start(4, STEADY_MS, 0)
    assert core.desk_row_rest(1, 65533, 1, STEADY_MS) == 0
    assert core.desk_row_scan(1, (65533 + STEADY_MS) % 65536) == 1


def test_the_last_of_sixteen_columns() -> None:
    core = library()
    core.desk_row_start(16, STEADY_MS, 0)
    assert core.desk_row_scan(0x8001, 0) == 0
    assert core.desk_row_scan(0x8000, 3) == 0
    assert core.desk_row_scan(0x8000, STEADY_MS) == 0x8000


@given(
    steady=st.integers(1, 50),
    start=st.integers(0, 65535),
    scans=st.lists(st.tuples(st.integers(1, 9), st.integers(0, 15)), max_size=80),
)
def test_any_contacts_at_any_uneven_scan_periods(
    steady: int, start: int, scans: list[tuple[int, int]]
) -> None:
    core = library()
    core.desk_row_start(4, steady, 0)
    plain = SlowDebouncer(steady)
    now = start
    for wait, raw in scans:
        now += wait
        assert core.desk_row_scan(raw, now % 65536) == plain.scan(raw, now)
