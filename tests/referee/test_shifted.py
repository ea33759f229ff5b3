"""Time shifts change nothing: the views stay the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known import load_board
from lab.figures import Figures
from lab.match_by_hands import MatchByHands, Plan
from scenes import FILES

from pi_app.base.microseconds import Us
from pi_app.referee.events import Event, Start
from pi_app.referee.lines import read_event
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.sensing.reading import BoardState
from pi_app.simulator.reeds import read_faults

WARNING = "warning-never-comes"
MOST_US = 10**12
"""10⁹ ms: eleven days and a half."""


@cache
def scenario(name: str) -> tuple[Event, ...]:
    return tuple(map(read_event, FILES[name].read_text(encoding="utf-8").splitlines()))


@cache
def by_hands(game: str, name: str, many: int) -> tuple[Event, ...]:
    """The first events of a match by hands on bouncing reeds."""
    board = load_board(name)
    table = MatchByHands(
        Plan(board, name, game, 1, read_faults("default", board)), "shifted", Figures()
    )
    table.play(many)
    return tuple(map(read_event, table.events[:many]))


def views(events: Iterable[Event], shift: int) -> list[View]:
    """After each event, but for the time; the times inside move along."""
    start, *rest = (replace(event, us=Us(event.us + shift)) for event in events)
    assert isinstance(start, Start)
    referee = Referee(load_board(start.board), start)
    seen = [referee.view]
    for event in rest:
        referee.handle(event)
        seen.append(referee.view)
    return [view.timeless() for view in seen]


def test_a_warning_comes_whatever_the_time_of_day() -> None:
    """In floats 16778232.9 - 16776732.9 is less than 1500, and nothing was due any more."""
    assert views(scenario(WARNING), 0)[-1].board is BoardState.WRONG


TOLD: dict[str, Callable[[], tuple[Event, ...]]] = {
    "warning": partial(scenario, WARNING),
    "nannon": partial(by_hands, "nannon", "nannon-6", 400),
    "portes": partial(by_hands, "portes", "tables-24", 150),
}


@cache
def unshifted(name: str) -> list[View]:
    return views(TOLD[name](), 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", TOLD)
@settings(max_examples=5)
@given(shift=st.integers(0, MOST_US))
def test_shifted_by_any_time_the_views_are_the_same(name: str, shift: int) -> None:
    assert views(TOLD[name](), shift) == unshifted(name)
