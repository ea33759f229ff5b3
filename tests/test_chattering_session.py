"""A reed that chatters for an hour: the referee's input, its messages and its memory."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import pytest
from known import load_board
from shares import one_in

from pi_app.app.session import Session
from pi_app.base.microseconds import Us, ms
from pi_app.devices.dice import Dice
from pi_app.match.turns import Phase
from pi_app.referee.effects import Effect
from pi_app.referee.events import (
    Button,
    Event,
    Picture,
    Press,
    Rolled,
    RollSource,
    SensorEdge,
    Start,
    Tick,
)
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.terms import Roll, Side
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState

BOARD = load_board("nannon-6")
START = Start(Us(0), "nannon", "nannon-6", 5, ("Ada", "Ben"))


class ChatterTable:
    """White has a 2 to move; one reed may chatter meanwhile."""

    def __init__(self) -> None:
        self.now = 0.0
        self.session = Session(BOARD, START, None, Dice(), frozenset(Side))
        self.session.handle(Picture(Us(0), frozenset(map(Sensor, "1256"))))
        for die, side in zip((5, 3), Side, strict=True):
            self.tell(Rolled(self.at(500), Roll.of(die), side, RollSource.TYPED))

    @property
    def view(self) -> View:
        return self.session.view

    def at(self, after: float) -> Us:
        self.now += after
        return ms(self.now)

    def tell(self, event: Event) -> View:
        self.session.handle(event)
        return self.view

    def edge(self, sensor: str, closed: bool, after: float = 250.0) -> None:
        self.tell(SensorEdge(self.at(after), Sensor(sensor), closed))

    def chatter(self, sensor: str, seconds: float, every: float = 9.0) -> None:
        """Passes time to whatever is due, like the loop."""
        for number in range(int(seconds * 1000 / every)):
            self.edge(sensor, number % 2 == 0, every)
            if (due := self.session.due) is not None and due <= ms(self.now):
                self.tell(Tick(ms(self.now)))

    def wait(self, after: float) -> View:
        """Time passes as in the loop, up to each moment when something is due."""
        end = self.at(after)
        while (due := self.session.due) is not None and due < end:
            self.tell(Tick(due))
        return self.tell(Tick(end))


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """Every event that a referee takes."""
    events: list[Event] = []
    handle = Referee.handle

    def listening(referee: Referee, event: Event) -> tuple[Effect, ...]:
        events.append(event)
        return handle(referee, event)

    monkeypatch.setattr(Referee, "handle", listening)
    return events


def test_chatter_is_told_once_a_second(told: list[Event]) -> None:
    table = ChatterTable()
    seconds = 3600 // one_in(12)
    table.chatter("4", seconds)
    assert table.view.chattering == ("4",)
    edges = [event for event in told if isinstance(event, SensorEdge)]
    assert len(edges) < seconds + 400


def test_it_fills_no_memory() -> None:
    table = ChatterTable()
    table.chatter("4", 20)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    table.chatter("4", 600 // one_in(8))
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 50_000


def test_the_view_says_it_and_differs_only_in_its_time_while_it_lasts() -> None:
    table = ChatterTable()
    table.chatter("4", 5)
    view = replace(table.view, us=Us(0))
    for _ in range(50):
        table.chatter("4", 1)
        assert replace(table.view, us=Us(0)) == view
    assert (view.chattering, view.suspects, view.board) == (("4",), (), BoardState.RESTING)


@pytest.mark.parametrize("every", [0.4, 3.0, 9.0, 40.0, 120.0])
def test_play_goes_on_elsewhere(every: float) -> None:
    table = ChatterTable()
    table.chatter("4", 5, every)
    table.edge("1", False)
    table.chatter("4", 0.3, every)
    table.edge("3", True)
    table.chatter("4", 0.5, every)
    assert (table.view.board, table.view.play) == (BoardState.PLAYED, "1/3")
    assert table.tell(Button(table.at(1), Press.SHORT)).phase is Phase.TO_ROLL


def test_what_it_cannot_tell_while_it_chatters_is_never_guessed() -> None:
    """White may have gone 2/4: it is one of two, and asked about or shown, never taken."""
    table = ChatterTable()
    table.chatter("4", 5)
    table.edge("2", False)
    table.chatter("4", 2)
    assert table.view.position == "1ww..bb1 w"
    assert table.view.board is not BoardState.WRONG


def test_at_rest_it_is_believed_again_as_it_was_left() -> None:
    table = ChatterTable()
    table.chatter("4", 5)
    table.edge("2", False)
    table.edge("4", True, 9)
    table.wait(1500)
    assert table.view.chattering == ("4",)
    view = table.wait(5000)
    assert (view.chattering, "4" in view.closed) == ((), True)
    assert (table.wait(500).play, table.view.board) == ("2/4", BoardState.PLAYED)


def test_what_was_told_gives_the_same_views_again(told: list[Event]) -> None:
    table = ChatterTable()
    table.chatter("4", 30, 7.3)
    table.edge("1", False)
    table.edge("3", True)
    table.chatter("4", 2, 80.0)
    table.edge("4", False)
    table.wait(6000)
    again = Referee(BOARD, START)
    for event in list(told):
        again.handle(event)
    assert again.view == table.view
    assert table.view.play == "1/3"


def test_a_picture_read_afresh_does_not_make_it_witness() -> None:
    table = ChatterTable()
    table.chatter("4", 5)
    before = replace(table.view, us=Us(0))
    for closed in ("12456", "1256", "12456"):
        table.tell(Picture(table.at(100), frozenset(map(Sensor, closed))))
        table.chatter("4", 0.2)
    assert replace(table.view, us=Us(0)) == before


def test_what_it_had_made_wrong_is_right_again_at_once() -> None:
    table = ChatterTable()
    table.edge("4", True)
    assert table.wait(5000).board is BoardState.WRONG
    table.chatter("4", 0.2, 0.4)
    assert (table.view.chattering, table.view.board) == (("4",), BoardState.RESTING)
