"""Debouncing as tables of {ms, raw edge, cooked changes expected}, then a silent minute."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.base.microseconds import Us, ms
from pi_app.sensing.debounce import Debouncer, Touch
from pi_app.sensing.description import Sensor

A, B = Sensor("1"), Sensor("2")
CLOSE, OPEN = True, False

SCENARIOS = {
    "a clean close": ([(0, A, CLOSE)], [Touch(ms(5), A, CLOSE)]),
    "bounce on closing is one change, counted from the last edge": (
        [(0, A, CLOSE), (1, A, OPEN), (2, A, CLOSE)],
        [Touch(ms(7), A, CLOSE)],
    ),
    "a spike shorter than the wait is nothing": ([(0, A, CLOSE), (4, A, OPEN)], []),
    "steady for exactly the wait is a change": (
        [(0, A, CLOSE), (5, A, OPEN)],
        [Touch(ms(5), A, CLOSE), Touch(ms(10), A, OPEN)],
    ),
    "chatter of many milliseconds is one change": (
        [(time_ms, A, time_ms % 2 == 0) for time_ms in range(41)],
        [Touch(ms(45), A, CLOSE)],
    ),
    "a repeated edge tells of a lost one and waits anew": (
        [(0, A, CLOSE), (4, A, CLOSE)],
        [Touch(ms(9), A, CLOSE)],
    ),
    "a repeated edge of a steady sensor is nothing": (
        [(0, A, CLOSE), (100, A, CLOSE)],
        [Touch(ms(5), A, CLOSE)],
    ),
    "sensors do not disturb each other": (
        [(0, A, CLOSE), (1, B, CLOSE), (2, A, OPEN), (3, A, CLOSE)],
        [Touch(ms(6), B, CLOSE), Touch(ms(8), A, CLOSE)],
    ),
}


def replay(edges: list[tuple[int, Sensor, bool]], every_ms: float) -> list[Touch]:
    """Edges at their times, `advance` every so often besides, then a silent minute."""
    debouncer, changes, now = Debouncer(ms(5)), [], Us(0)
    for time_ms, sensor, closed in edges:
        while now < ms(time_ms):
            changes += debouncer.advance(now)
            now = Us(now + ms(every_ms))
        changes += debouncer.advance(ms(time_ms))
        debouncer.edge(ms(time_ms), sensor, closed)
    changes += debouncer.advance(ms(60_000))
    assert debouncer.due is None
    assert debouncer.advance(ms(120_000)) == []
    return changes


@pytest.mark.parametrize("every_ms", [0.5, 1, 2, 3, 5, 1000])
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_at_many_rates(name: str, every_ms: float) -> None:
    edges, expected = SCENARIOS[name]
    assert replay(edges, every_ms) == expected


def test_due_is_when_the_next_change_becomes_certain() -> None:
    debouncer = Debouncer(ms(5))
    assert debouncer.due is None
    debouncer.edge(ms(10), A, CLOSE)
    debouncer.edge(ms(12), B, CLOSE)
    assert debouncer.due == ms(15)
    assert debouncer.advance(ms(14.9)) == []


def test_a_picture_counts_at_once_but_for_a_sensor_that_is_bouncing() -> None:
    debouncer = Debouncer(ms(5))
    debouncer.edge(ms(0), B, CLOSE)
    changes = debouncer.picture(ms(1), (A, B), frozenset({A}))
    assert changes == [Touch(ms(1), A, CLOSE)]
    assert debouncer.closed == {A}
    assert debouncer.advance(ms(100)) == []


def test_no_time_at_all_still_gives_every_change() -> None:
    debouncer = Debouncer(ms(0))
    debouncer.edge(ms(3), A, CLOSE)
    assert debouncer.advance(ms(3)) == [Touch(ms(3), A, CLOSE)]


@given(st.lists(st.tuples(st.integers(1, 12), st.booleans()), max_size=60))
def test_whatever_the_contact_does_the_end_is_where_it_rests(
    steps: list[tuple[int, bool]],
) -> None:
    edges, now = [], 0
    for gap, closed in steps:
        now += gap
        edges.append((now, A, closed))
    changes = replay(edges, 1)
    assert [change.closed for change in changes] == [i % 2 == 0 for i in range(len(changes))]
    rests_closed = bool(edges) and edges[-1][2]
    assert (len(changes) % 2 == 1) is rests_closed
