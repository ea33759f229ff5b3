"""Simulated reeds: what a mock pin does when magnets come and go."""

import random
from itertools import pairwise

import pytest
from known import load_board

from pi_app.base.microseconds import Us, ms
from pi_app.devices.gpio import GpioBoard, open_factory
from pi_app.referee.events import Event, SensorEdge
from pi_app.sensing.description import Sensor
from pi_app.simulator.reeds import QUICK, Agenda, Faults, SimulatedReeds, read_faults

BOARD = load_board("nannon-6")
FOUR = Sensor("4")


class ReedBench:
    """A board on mock pins whose reeds are simulated."""

    def __init__(self, spec: str, seed: int = 1) -> None:
        self.now = Us(0)
        self.events: list[Event] = []
        factory = open_factory("mock")
        faults: Faults = read_faults(spec, BOARD)
        self.gpio = GpioBoard(BOARD, factory, lambda: self.now, self.events.append)
        self.reeds = SimulatedReeds(BOARD, factory, faults, random.Random(seed))
        self.agenda = self.reeds.agenda

    def settle(self, time_ms: float = 2000) -> None:
        end = Us(self.now + ms(time_ms))
        while (due := self.agenda.due) is not None and due <= end:
            self.now = due
            self.agenda.run(due)
        self.now = end

    @property
    def closed(self) -> set[str]:
        return set(self.gpio.picture().closed)

    def edges(self) -> list[SensorEdge]:
        return [event for event in self.events if isinstance(event, SensorEdge)]


def test_without_faults_one_checker_is_one_edge() -> None:
    bench = ReedBench("none")
    bench.reeds.put(ms(10), FOUR)
    bench.settle()
    assert bench.edges() == [SensorEdge(ms(10), FOUR, closed=True)]


@pytest.mark.parametrize("seed", range(20))
def test_bounces_are_short_and_end_in_what_lies_there(seed: int) -> None:
    bench = ReedBench("bounce=5,chatter=25", seed)
    for slid, longest in ((False, 8), (True, 32)):
        began = bench.now
        bench.events.clear()
        bench.reeds.put(began, FOUR, slid=slid)
        bench.settle()
        assert bench.closed == {"4"}
        assert all(edge.us - began < ms(longest) for edge in bench.edges())
        bench.reeds.take(bench.now, FOUR, slid=slid)
        bench.settle()
        assert bench.closed == set()


def test_a_bounce_opens_again_within_two_of_its_longest_pauses() -> None:
    """Each time it opens for at most one of them; between openings lie one to two."""
    apart = []
    for seed in range(40):
        bench = ReedBench("bounce=50", seed)
        bench.reeds.put(bench.now, FOUR)
        bench.settle()
        opened = [edge.us for edge in bench.edges() if not edge.closed]
        apart += [later - sooner for sooner, later in pairwise(opened)]
    assert QUICK <= min(apart) < max(apart) <= 2 * QUICK


def test_slides_chatter_for_longer_than_the_debounce_time() -> None:
    bench = ReedBench("default")
    lengths = []
    for _ in range(30):
        bench.events.clear()
        bench.reeds.put(bench.now, FOUR, slid=True)
        bench.settle()
        lengths.append(bench.edges()[-1].us - bench.edges()[0].us)
        bench.reeds.take(bench.now, FOUR)
        bench.settle()
    assert max(lengths) > ms(15)


def test_a_dead_reed_never_closes_and_a_stuck_one_never_opens() -> None:
    bench = ReedBench("dead=4,stuck=2")
    assert bench.closed == {"2"}
    bench.reeds.put(ms(0), FOUR)
    bench.reeds.put(ms(0), Sensor("2"))
    bench.reeds.nudge(ms(5), FOUR)
    bench.settle()
    bench.reeds.take(bench.now, Sensor("2"))
    bench.settle()
    assert bench.closed == {"2"}
    assert bench.reeds.lying == ("2", "4")


def test_a_missed_checker_is_felt_once_it_is_nudged() -> None:
    bench = ReedBench("miss=1")
    bench.reeds.put(ms(0), FOUR)
    bench.settle()
    assert (bench.closed, bench.reeds.lying) == (set(), ("4",))
    bench.reeds.nudge(bench.now, FOUR)
    bench.settle()
    assert (bench.closed, bench.reeds.lying) == ({"4"}, ())


def test_a_brush_is_over_when_its_time_is() -> None:
    bench = ReedBench("none")
    bench.reeds.put(ms(0), FOUR)
    bench.settle(100)
    bench.reeds.dip(ms(100), FOUR, ms(40))
    bench.settle()
    assert [(e.us, e.closed) for e in bench.edges()] == [
        (0, True),
        (ms(100), False),
        (ms(140), True),
    ]


def test_a_lift_cuts_a_brush_short() -> None:
    bench = ReedBench("none")
    bench.reeds.put(ms(0), FOUR)
    bench.settle(100)
    bench.reeds.dip(ms(100), FOUR, ms(400))
    bench.settle(50)
    bench.reeds.take(bench.now, FOUR)
    bench.settle()
    assert bench.closed == set()


def test_things_for_the_same_time_keep_their_order() -> None:
    agenda, done = Agenda(), list[str]()
    agenda.at(ms(5), lambda: done.append("first"))
    agenda.at(ms(5), lambda: done.append("second"))
    agenda.at(ms(3), lambda: done.append("before"))
    agenda.at(ms(9), lambda: done.append("later"))
    agenda.run(ms(5))
    assert (done, agenda.due) == (["before", "first", "second"], ms(9))


@pytest.mark.parametrize("seed", range(5))
def test_a_reed_that_lingers_opens_by_itself_in_the_end(seed: int) -> None:
    bench = ReedBench("linger=1", seed)
    bench.reeds.put(ms(10), FOUR)
    bench.settle()
    assert not bench.reeds.take(bench.now, FOUR)
    bench.settle(90)
    assert bench.closed == {FOUR}
    assert bench.reeds.lying == (FOUR,)
    assert bench.reeds.any_lying
    bench.settle(5000)
    assert bench.closed == set()
    assert not bench.reeds.any_lying


def test_a_reed_that_lingers_opens_when_its_place_is_tapped() -> None:
    bench = ReedBench("linger=1")
    bench.reeds.put(ms(10), FOUR)
    bench.settle()
    bench.reeds.take(bench.now, FOUR)
    bench.reeds.nudge(Us(bench.now + ms(50)), FOUR)
    bench.settle(80)
    assert bench.closed == set()


def test_another_checker_on_a_reed_that_lingers_is_not_felt_coming() -> None:
    bench = ReedBench("linger=1")
    bench.reeds.put(ms(10), FOUR)
    bench.settle()
    bench.events.clear()
    bench.reeds.take(bench.now, FOUR)
    bench.reeds.dip(bench.now, FOUR, ms(50))
    bench.reeds.put(Us(bench.now + ms(80)), FOUR)
    bench.settle(6000)
    assert bench.edges() == []
    assert bench.closed == {FOUR}
