"""The plays of a game found by their pictures; and what a view costs when a game is long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from calls import calls
from hypothesis import given
from hypothesis import strategies as st
from known import load_board
from lab.bench import wrong_boards

from pi_app.referee.history import EarlierPositions, PlayMade
from pi_app.referee.view import View
from pi_app.sensing.occupancy import SeenCounts
from pi_app.sensing.reading import ALARMS

COUNTS = st.tuples(*[st.integers(0, 2)] * 3)
NOTHING: Any = None


@given(st.lists(COUNTS, max_size=12), COUNTS, COUNTS, st.integers(0, 12))
def test_the_latest_that_fits_is_found_whatever_is_not_believed(
    shown: list[tuple[int, ...]], closed: tuple[int, ...], unseen: tuple[int, ...], kept: int
) -> None:
    earlier = EarlierPositions()
    for number, counts in enumerate(shown):
        earlier.add(PlayMade(NOTHING, number), counts)
    for blind in ((0, 0, 0), unseen):
        fitting = [
            number
            for number, counts in enumerate(shown)
            if all(c <= n <= c + u for n, c, u in zip(counts, closed, blind, strict=True))
        ]
        assert earlier.latest(SeenCounts(closed, blind)) == max(fitting, default=None)
    earlier.cut(kept)
    assert len(earlier) == min(kept, len(shown))
    left = [number for number in fitting if number < kept]
    assert earlier.latest(SeenCounts(closed, unseen)) == max(left, default=None)


def calls_of(show: Callable[[], View]) -> float:
    seen: list[View] = []
    cost = calls(lambda: seen.append(show()))
    assert seen[0].board in ALARMS
    return cost


def test_a_wrong_board_costs_the_same_however_long_the_game_is() -> None:
    early, *late = map(calls_of, wrong_boards(load_board("cannon-10"), (5, 100, 200)))
    assert early > 50
    assert max(late) < 1.5 * early
