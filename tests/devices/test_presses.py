"""Scenarios {ms, edge} -> {ms, press}, each replayed with the clock looked at seldom and often."""

from __future__ import annotations

import pytest

from pi_app.base.microseconds import Us, ms
from pi_app.devices.source import Presses
from pi_app.referee.events import Press

DOWN, UP = True, False
SHORT, LONG = Press.SHORT, Press.LONG

SCENARIOS = {
    "a short press is told once its release is steady": (
        [(100, DOWN), (250, UP)],
        [(255, SHORT)],
    ),
    "a long press is told while the button is held, its release tells nothing": (
        [(100, DOWN), (1600, UP)],
        [(1100, LONG)],
    ),
    "bounce at both ends is one press": (
        [(100, DOWN), (101, UP), (102, DOWN), (300, UP), (301, DOWN), (303, UP)],
        [(308, SHORT)],
    ),
    "a spike shorter than the debounce time is no press": (
        [(100, DOWN), (103, UP)],
        [],
    ),
    "a drop-out while held does not end the press": (
        [(100, DOWN), (500, UP), (502, DOWN), (700, UP)],
        [(705, SHORT)],
    ),
    "let go a moment before the long time is short": (
        [(100, DOWN), (1099, UP)],
        [(1104, SHORT)],
    ),
    "let go at the long time is long": (
        [(100, DOWN), (1100, UP)],
        [(1100, LONG)],
    ),
    "two presses in a row are two": (
        [(100, DOWN), (150, UP), (200, DOWN), (250, UP)],
        [(155, SHORT), (255, SHORT)],
    ),
    "a short one after a long one counts afresh": (
        [(0, DOWN), (1500, UP), (1900, DOWN), (2000, UP)],
        [(1000, LONG), (2005, SHORT)],
    ),
    "what bounces after a long one is let go is no press, however long it was held": (
        [(0, DOWN), (2000, UP), (2030, DOWN), (2060, UP), (2399, DOWN), (2500, UP)],
        [(1000, LONG)],
    ),
    "the same level told twice changes nothing": (
        [(100, DOWN), (600, DOWN), (700, UP), (800, UP)],
        [(705, SHORT)],
    ),
}


def told(
    presses: Presses, edges: list[tuple[int, bool]], until: int, every: int | None
) -> list[tuple[float, Press]]:
    """Messages and their times; `every` None looks only when something is due."""
    result: list[tuple[float, Press]] = []
    left = list(edges)
    now = Us(0)
    while now <= ms(until):
        while left and ms(left[0][0]) <= now:
            time_ms, down = left.pop(0)
            note(result, now, presses.edge(ms(time_ms), down))
        note(result, now, presses.advance(now))
        steps = [ms(left[0][0] if left else until + 1)]
        if every is not None:
            steps.append(Us(now + ms(every)))
        elif presses.due is not None:
            steps.append(presses.due)
        now = min(steps)
    return result


def note(result: list[tuple[float, Press]], now: Us, press: Press | None) -> None:
    if press is not None:
        result.append((now / 1000, press))


@pytest.mark.parametrize("every", [None, 1], ids=["when due", "each ms"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_and_then_a_silent_minute(name: str, every: int | None) -> None:
    edges, expected = SCENARIOS[name]
    presses = Presses()
    assert told(presses, edges, 3000, every) == expected
    assert presses.due is None
    assert presses.advance(ms(63_000)) is None


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_late_look_tells_the_same_presses(name: str) -> None:
    edges, expected = SCENARIOS[name]
    late = told(Presses(), edges, 5000, every=400)
    assert [press for _, press in late] == [press for _, press in expected]


def test_a_button_held_at_start_counts_only_once_it_was_let_go() -> None:
    edges = [(10, DOWN), (2000, UP), (2500, DOWN), (2600, UP)]
    assert told(Presses(down=True), edges, 4000, None) == [(2605, SHORT)]


def test_the_times_are_settings() -> None:
    edges = [(0, DOWN), (450, UP), (1000, DOWN), (1399, UP)]
    presses = Presses(long=ms(400), debounce=ms(20))
    assert told(presses, edges, 3000, None) == [(400, LONG), (1419, SHORT)]


def test_a_late_look_tells_when_the_press_was_complete() -> None:
    presses = Presses()
    assert presses.edge(ms(100), DOWN) is None
    assert presses.edge(ms(250), UP) is None
    assert presses.advance(ms(3000)) is SHORT
    assert presses.completed == ms(255)
