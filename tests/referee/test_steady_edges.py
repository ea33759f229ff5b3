"""Edges that come debounced already: with no time to wait, each is seen as it comes."""

from __future__ import annotations

from desk import Desk

from pi_app.base.microseconds import ms
from pi_app.referee.events import SensorEdge, Tick
from pi_app.sensing.description import Sensor


def edge(desk: Desk, time_ms: float, sensor: str, closed: bool) -> frozenset[Sensor]:
    desk.send(SensorEdge(ms(time_ms), Sensor(sensor), closed))
    return desk.send(Tick(ms(time_ms))).closed


def test_an_edge_is_seen_at_its_own_time() -> None:
    desk = Desk(debounce_ms=0)
    assert edge(desk, 100, "4", True) == {"4"}
    assert edge(desk, 101, "4", False) == frozenset()


def test_of_edges_of_the_same_moment_the_last_stays() -> None:
    desk = Desk(debounce_ms=0)
    for closed in (True, False, True):
        desk.send(SensorEdge(ms(100), Sensor("4"), closed))
    desk.send(SensorEdge(ms(100), Sensor("5"), True))
    assert desk.send(Tick(ms(100))).closed == {"4", "5"}
    assert edge(desk, 100, "4", False) == {"5"}


def test_it_is_due_at_once() -> None:
    desk = Desk(debounce_ms=0)
    desk.send(SensorEdge(ms(100), Sensor("4"), True))
    assert desk.referee.due == ms(100)
