"""Reed switches that are not there: magnets come and go, and mock pins bounce as pins do.

A closed reed ties its pin to ground against the pull-up, so closed is low.  Edges are put on an
agenda in virtual time and played by whoever lets time pass.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, TypeAlias

from pi_app.board.description import Board, Cell, Sensor
from pi_app.simulator.faults import Faults

FINEST_MS = 0.1
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


Drive: TypeAlias = Callable[[bool], None]
"""Closes a contact, or opens it, at once."""


def pin_drive(pin: Any) -> Drive:
    """A contact that ties a mock pin to ground."""

    def drive(closed: bool) -> None:
        (pin.drive_low if closed else pin.drive_high)()
        pin.clear_states()  # the mock keeps a history of every edge

    return drive


class Contacts:
    """Bouncing contacts; edges go to the agenda."""

    def __init__(
        self, drives: Mapping[str, Drive], agenda: Agenda, bounce_ms: float, rng: random.Random
    ) -> None:
        self._drives = drives
        self._agenda = agenda
        self._bounce_ms = bounce_ms
        self._rng = rng
        self._bursts = dict.fromkeys(drives, 0)

    def switch(self, ms: float, name: str, closed: bool, longest_ms: float | None = None) -> None:
        """A burst of edges that ends in `closed`; it cuts off the one that is under way."""
        longest = self._bounce_ms if longest_ms is None else longest_ms
        pause = QUICK_MS if longest <= self._bounce_ms else LAZY_MS
        self._bursts[name] += 1
        self._plan(ms, name, closed)
        end = ms + self._rng.uniform(0, longest)
        at = ms + self._rng.uniform(FINEST_MS, pause)
        while at < end:
            self._plan(at, name, not closed)
            self._plan(at + self._rng.uniform(FINEST_MS, pause), name, closed)
            at += self._rng.uniform(pause, 2 * pause)

    def dip(self, ms: float, name: str, closed: bool, length_ms: float) -> None:
        """The contact leaves the state `closed` for a moment, unless something else comes first."""
        self.switch(ms, name, not closed)
        burst, end = self._bursts[name], round(ms + length_ms, 1)

        def back() -> None:
            if self._bursts[name] == burst:
                self.switch(end, name, closed)

        self._agenda.at(end, back)

    def drive(self, name: str, closed: bool) -> None:
        """At once, without bounce."""
        self._drives[name](closed)

    def _plan(self, ms: float, name: str, closed: bool) -> None:
        burst = self._bursts[name]

        def edge() -> None:
            if self._bursts[name] == burst:
                self.drive(name, closed)

        self._agenda.at(round(ms, 1), edge)


class SimulatedReeds:
    """The reeds of a board over a mock pin factory, and those on a scanner's cells.

    `drive_cell` gives the contact of a cell; a board without a scanner needs none.  To be made
    after the board's inputs have been opened, for opening pulls every pin up.
    """

    def __init__(
        self,
        board: Board,
        factory: Any,
        agenda: Agenda,
        faults: Faults,
        rng: random.Random,
        drive_cell: Callable[[Cell], Drive] | None = None,
    ) -> None:
        drives: dict[str, Drive] = {
            name: pin_drive(factory.pin(pin)) for name, pin in board.pins.items()
        }
        if drive_cell is not None:
            drives |= {name: drive_cell(cell) for name, cell in board.cells.items()}
        self._sensors = board.sensors
        self._contacts = Contacts(drives, agenda, faults.bounce_ms, rng)
        self._faults = faults
        self._rng = rng
        self._magnets: set[Sensor] = set()
        self._missed: set[Sensor] = set()
        for sensor in sorted(faults.stuck):
            self._contacts.drive(sensor, True)

    @property
    def lying(self) -> tuple[Sensor, ...]:
        """The sensors that do not show what lies over them, in the board's order."""
        return tuple(s for s in self._sensors if self._contact(s) is not (s in self._magnets))

    @property
    def closed(self) -> frozenset[Sensor]:
        """The sensors whose contact is closed once it has come to rest."""
        return frozenset(sensor for sensor in self._sensors if self._contact(sensor))

    @property
    def any_lying(self) -> bool:
        """Whether any does, told at once."""
        if not self._faults.broken:
            return bool(self._missed)
        return bool(self.lying)

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
        if sensor not in self._faults.broken and sensor not in self._missed:
            self._contacts.dip(ms, sensor, self._contact(sensor), length_ms)

    def nudge(self, ms: float, sensor: Sensor) -> None:
        """The checker is rocked on its spot: a deaf reed feels it now, a weak one perhaps."""
        before = self._contact(sensor)
        if sensor not in self._faults.weak or self._rng.random() < 0.5:
            self._missed.discard(sensor)
        if self._contact(sensor) is not before:
            self._settle(ms, sensor, before, slid=True)
        elif before:
            self.dip(ms, sensor, self._rng.uniform(2.0, ROCKED_MS))

    def _contact(self, sensor: Sensor) -> bool:
        """Whether the contact is closed once it has come to rest."""
        if sensor in self._faults.broken:
            return sensor in self._faults.stuck
        return sensor in self._magnets and sensor not in self._missed

    def _settle(self, ms: float, sensor: Sensor, before: bool, slid: bool) -> None:
        contact = self._contact(sensor)
        if contact is not before:
            self._contacts.switch(ms, sensor, contact, self._faults.chatter_ms if slid else None)
