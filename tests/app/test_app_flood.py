"""A flood of edges that never ends: the loop goes round, draws, and lets time pass."""

from __future__ import annotations

from pathlib import Path
from queue import Empty, SimpleQueue

import pytest
from test_app import PIN, AppBench

from pi_app.app.session import Session
from pi_app.match.turns import Phase
from pi_app.referee.effects import Cue
from pi_app.referee.events import Event, Picture, SensorEdge
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState
from pi_app.user.commands import NewMatch

A_MS = 20
"""Edges in a millisecond."""
MOST = 100_000
"""A player who exceeds this in one round does not return."""


class Flood(SimpleQueue[Event]):
    """A queue on which there is always one more edge; each costs a part of a millisecond."""

    def __init__(self) -> None:
        super().__init__()
        self.bench: AppBench | None = None
        self.taken = 0

    def get_nowait(self) -> Event:
        try:
            return super().get_nowait()
        except Empty:
            if self.bench is None:
                raise
        self.taken += 1
        assert self.taken < MOST, "the round never ends"
        if self.taken % A_MS == 0:
            self.bench.clock.now += 1
        return SensorEdge(self.bench.clock(), Sensor("4"), self.taken % 2 == 0)


@pytest.fixture
def flooded(tmp_path: Path) -> AppBench:
    """White is to play a 2; reed 4 is beside itself from now on."""
    flood = Flood()
    bench = AppBench(tmp_path, flood)
    bench.after(50)
    bench.touch(NewMatch("nannon", ("Ada", "Ben"), 5, {}))
    bench.set_up()
    for _ in range(2):
        bench.press()
    flood.bench = bench
    return bench


def rounds(bench: AppBench, count: int) -> None:
    """A number of rounds of the loop, each of which must end."""
    assert isinstance(bench.queue, Flood)
    for _ in range(count):
        bench.queue.taken = 0
        bench.app.step()


def test_every_round_ends_and_is_short(flooded: AppBench) -> None:
    for _ in range(20):
        before = flooded.clock.now
        rounds(flooded, 1)
        assert flooded.clock.now - before <= 100


def test_play_goes_on_in_it(flooded: AppBench) -> None:
    rounds(flooded, 100)
    assert flooded.view.chattering == ("4",)
    for sensor, closed in (("1", False), ("3", True)):
        pin = flooded.factory.pin(PIN[Sensor(sensor)])
        (pin.drive_low if closed else pin.drive_high)()
        rounds(flooded, 20)
    assert (flooded.view.board, flooded.view.play) == (BoardState.PLAYED, "1/3")
    assert flooded.view.phase is Phase.MOVING


def test_what_a_chattering_reed_shows_afresh_is_no_news(
    flooded: AppBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds(flooded, 100)
    assert isinstance(flooded.queue, Flood)
    flooded.queue.bench = None
    told: list[Event] = []
    handle = Session.handle

    def listening(session: Session, event: Event) -> tuple[Cue, ...]:
        told.append(event)
        return handle(session, event)

    monkeypatch.setattr(Session, "handle", listening)
    for number in range(10):
        pin = flooded.factory.pin(PIN[Sensor("4")])
        (pin.drive_high if number % 2 else pin.drive_low)()
        flooded.after(800)
    assert flooded.view.chattering == ("4",)
    assert not [event for event in told if isinstance(event, Picture)]
