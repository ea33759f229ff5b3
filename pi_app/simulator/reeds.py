"""Reed switches that are not there: magnets come and go, and mock pins bounce as pins do.

A closed reed ties its pin to ground against the pull-up, so closed is low.  Edges are put on an
agenda in virtual time and played by whoever lets time pass.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from itertools import count
from typing import Any

from pi_app.board.description import Board, Sensor
from pi_app.simulator.faults import Faults

EARLY_EDGE_MS = 0.1
"""Edges of one burst are at least so far apart: the finest time that a clock tells."""
QUICK_MS, LAZY_MS = 1.5, 6.0
"""The longest pause between two edges of a bounce, and of chatter."""
ROCKED_MS = 20.0


class Agenda:
    """What is to happen when, in virtual milliseconds."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._number = count()

    @property
    def due(self) -> float | None:
        """When the next action is due, or None."""
        return self._heap[0][0] if self._heap else None

    def at(self, ms: float, action: Callable[[], None]) -> None:
        """Do this then; actions for the same time keep their order."""
        heapq.heappush(self._heap, (ms, next(self._number), action))

    def run(self, ms: float) -> None:
        """Do everything that is due by now."""
        while self._heap and self._heap[0][0] <= ms:
            heapq.heappop(self._heap)[2]()


class SimulatedReeds:
    """The reeds of a board over a mock pin factory.

    To be made after the board's inputs have been opened, for opening pulls every pin up.
    """

    def __init__(
        self, board: Board, factory: Any, agenda: Agenda, faults: Faults, rng: random.Random
    ) -> None:
        self._pins = {
            reed.name: factory.pin(reed.pin) for place in board.places for reed in place.reeds
        }
        self._agenda = agenda
        self._faults = faults
        self._rng = rng
        self._magnets: set[Sensor] = set()
        self._missed: set[Sensor] = set()
        self._burst: dict[Sensor, int] = dict.fromkeys(self._pins, 0)
        for sensor in sorted(faults.stuck):
            self._drive(sensor, True)

    @property
    def lying(self) -> tuple[Sensor, ...]:
        """The sensors that do not show what lies over them, in the board's order."""
        return tuple(s for s in self._pins if self._contact(s) is not (s in self._magnets))

    def put(self, ms: float, sensor: Sensor, *, slid: bool = False) -> None:
        """A checker comes to lie over the reed."""
        before = self._contact(sensor)
        self._magnets.add(sensor)
        if self._rng.random() < self._faults.miss_rate(sensor):
            self._missed.add(sensor)
        self._settle(ms, sensor, before, slid)

    def take(self, ms: float, sensor: Sensor, *, slid: bool = False) -> None:
        """The checker goes."""
        before = self._contact(sensor)
        self._magnets.discard(sensor)
        self._missed.discard(sensor)
        self._settle(ms, sensor, before, slid)

    def dip(self, ms: float, sensor: Sensor, length_ms: float) -> None:
        """A magnet passes by: the contact is the other way round for a moment, if it can be."""
        if sensor in self._faults.broken or sensor in self._missed:
            return
        contact = self._contact(sensor)
        self._play(ms, sensor, not contact, self._faults.bounce_ms)
        burst, end = self._burst[sensor], round(ms + length_ms, 1)

        def back() -> None:
            if self._burst[sensor] == burst:
                self._play(end, sensor, contact, self._faults.bounce_ms)

        self._agenda.at(end, back)

    def nudge(self, ms: float, sensor: Sensor) -> None:
        """The checker is rocked on its spot: a deaf reed feels it now, a weak one perhaps."""
        before = self._contact(sensor)
        if sensor not in self._faults.weak or self._rng.random() < 0.5:
            self._missed.discard(sensor)
        if self._contact(sensor) is not before:
            self._settle(ms, sensor, before, slid=True)
        elif before and sensor not in self._faults.broken:
            self.dip(ms, sensor, self._rng.uniform(2.0, ROCKED_MS))

    def _contact(self, sensor: Sensor) -> bool:
        """Whether the contact is closed once it has come to rest."""
        if sensor in self._faults.broken:
            return sensor in self._faults.stuck
        return sensor in self._magnets and sensor not in self._missed

    def _settle(self, ms: float, sensor: Sensor, before: bool, slid: bool) -> None:
        contact = self._contact(sensor)
        if contact is not before:
            longest = self._faults.chatter_ms if slid else self._faults.bounce_ms
            self._play(ms, sensor, contact, longest)

    def _play(self, ms: float, sensor: Sensor, closed: bool, longest_ms: float) -> None:
        """A burst of edges that ends in `closed`; it cuts off the one that is under way."""
        self._burst[sensor] += 1
        burst = self._burst[sensor]
        pause = LAZY_MS if longest_ms > self._faults.bounce_ms else QUICK_MS
        end = ms + self._rng.uniform(0, longest_ms)
        self._plan(ms, sensor, closed, burst)
        at = ms + self._rng.uniform(EARLY_EDGE_MS, pause)
        while at < end:
            self._plan(at, sensor, not closed, burst)
            at += self._rng.uniform(EARLY_EDGE_MS, pause)
            self._plan(at, sensor, closed, burst)
            at += self._rng.uniform(EARLY_EDGE_MS, pause)

    def _plan(self, ms: float, sensor: Sensor, closed: bool, burst: int) -> None:
        def edge() -> None:
            if self._burst[sensor] == burst:
                self._drive(sensor, closed)

        self._agenda.at(round(ms, 1), edge)

    def _drive(self, sensor: Sensor, closed: bool) -> None:
        pin = self._pins[sensor]
        (pin.drive_low if closed else pin.drive_high)()
        pin.clear_states()  # the mock keeps a history of every edge
