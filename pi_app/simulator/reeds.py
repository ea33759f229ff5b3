"""Reed switches that are not there: magnets come and go, and mock pins bounce as pins do.

A closed reed ties its pin to ground against the pull-up, so closed is low.  Edges are put on an
agenda in virtual time and played by whoever lets time pass.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import Any, TypeAlias

from pi_app.microseconds import Us, ms
from pi_app.rules.terms import Side
from pi_app.sensing.description import Board, Cell, Sensor
from pi_app.simulator.faults import Faults

FINEST = ms(0.1)
"""Edges of one burst are at least so far apart."""
QUICK, LAZY = ms(1.5), ms(6)
"""The longest pause between two edges of a bounce, and of chatter."""
ROCKED = ms(20)
LINGERS = ms(100)
"""The shortest time that a reed stays closed after its checker."""


class Agenda:
    """What is to happen when, in virtual time."""

    def __init__(self) -> None:
        self._heap: list[tuple[Us, int, Callable[[], None]]] = []
        self._number = count()

    @property
    def due(self) -> Us | None:
        """When the next action is due, or None."""
        return self._heap[0][0] if self._heap else None

    def at(self, us: Us, action: Callable[[], None]) -> None:
        """Do this then; actions for the same time keep their order."""
        heapq.heappush(self._heap, (us, next(self._number), action))

    def run(self, us: Us) -> None:
        """Do everything that is due by now."""
        while self._heap and self._heap[0][0] <= us:
            heapq.heappop(self._heap)[2]()


Drive: TypeAlias = Callable[[bool], None]
"""Closes a contact, or opens it, at once."""


DriveCell: TypeAlias = Callable[[Cell, bool], None]
"""Closes the contact of a scanner's cell, or opens it, at once."""


def _drive_pin(pin: Any, closed: bool) -> None:
    """A contact that ties a mock pin to ground."""
    (pin.drive_low if closed else pin.drive_high)()
    pin.clear_states()  # the mock keeps a history of every edge


class Contacts:
    """Bouncing contacts; edges go to the agenda."""

    def __init__(
        self, drives: Mapping[str, Drive], agenda: Agenda, bounce: Us, rng: random.Random
    ) -> None:
        self._drives = drives
        self._agenda = agenda
        self._bounce = bounce
        self._rng = rng
        self._bursts = dict.fromkeys(drives, 0)

    def switch(self, us: Us, name: str, closed: bool, longest: Us | None = None) -> None:
        """A burst of edges that ends in `closed`; it cuts off the one that is under way."""
        longest = self._bounce if longest is None else longest
        pause = QUICK if longest <= self._bounce else LAZY
        self._bursts[name] += 1
        self._plan(us, name, closed)
        end = us + self._between(0, longest)
        at = us + self._between(FINEST, pause)
        while at < end:
            self._plan(Us(at), name, not closed)
            self._plan(Us(at + self._between(FINEST, pause)), name, closed)
            at += self._between(pause, 2 * pause)

    def dip(self, us: Us, name: str, closed: bool, length: Us) -> None:
        """The contact leaves the state `closed` for a moment, unless something else comes first."""
        self.switch(us, name, not closed)
        burst, end = self._bursts[name], Us(us + length)

        def back() -> None:
            if self._bursts[name] == burst:
                self.switch(end, name, closed)

        self._agenda.at(end, back)

    def drive(self, name: str, closed: bool) -> None:
        """At once, without bounce."""
        self._drives[name](closed)

    def _between(self, low: int, high: int) -> int:
        return round(self._rng.uniform(low, high))

    def _plan(self, us: Us, name: str, closed: bool) -> None:
        burst = self._bursts[name]

        def edge() -> None:
            if self._bursts[name] == burst:
                self.drive(name, closed)

        self._agenda.at(us, edge)


class SimulatedReeds:
    """The reeds and buttons of a board over a mock pin factory, and the reeds on a scanner's cells.

    What is to happen to them is on `agenda`.  A board without a scanner needs no `drive_cell`.  To
    be made after the board's inputs have been opened, for opening pulls every pin up.
    """

    def __init__(
        self,
        board: Board,
        factory: Any,
        faults: Faults,
        rng: random.Random,
        drive_cell: DriveCell | None = None,
    ) -> None:
        self._buttons = {f"button {button.pin}": button for button in board.buttons}
        pins = [(name, button.pin) for name, button in self._buttons.items()]
        drives: dict[str, Drive] = {
            name: partial(_drive_pin, factory.pin(pin))
            for name, pin in (*board.pins.items(), *pins)
        }
        if drive_cell is not None:
            drives |= {name: partial(drive_cell, cell) for name, cell in board.cells.items()}
        self._sensors = board.sensors
        self.agenda = Agenda()
        self._contacts = Contacts(drives, self.agenda, ms(faults.bounce_ms), rng)
        self._faults = faults
        self._rng = rng
        self._magnets: set[Sensor] = set()
        self._missed: set[Sensor] = set()
        self._lingering: dict[Sensor, Us] = {}
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
            return bool(self._missed or self._lingering)
        return bool(self.lying)

    def put(self, us: Us, sensor: Sensor, *, slid: bool = False) -> None:
        """A checker comes to lie over the reed."""
        before = self._contact(sensor)
        self._magnets.add(sensor)
        self._lingering.pop(sensor, None)
        if self._rng.random() < self._faults.miss_rate(sensor):
            self._missed.add(sensor)
        self._settle(us, sensor, before, slid)

    def take(self, us: Us, sensor: Sensor, *, slid: bool = False) -> bool:
        """The checker goes; whether its contact opens."""
        before = self._contact(sensor)
        self._magnets.discard(sensor)
        self._missed.discard(sensor)
        if before and self._rng.random() < self._faults.linger:
            self._linger(us, sensor)
        self._settle(us, sensor, before, slid)
        return before is not self._contact(sensor)

    def press(self, us: Us, down: bool, side: Side | None = None) -> None:
        """The die button goes down or up: that of a side on boards with a button a side."""
        name, *_ = (n for n, b in self._buttons.items() if side is None or b.side in (None, side))
        self._contacts.switch(us, name, down)

    def dip(self, us: Us, sensor: Sensor, length: Us) -> None:
        """A magnet passes by: the contact is the other way round for a moment, if it can be."""
        is_free = sensor not in self._missed and sensor not in self._lingering
        if is_free and sensor not in self._faults.broken:
            self._contacts.dip(us, sensor, self._contact(sensor), length)

    def nudge(self, us: Us, sensor: Sensor) -> None:
        """The checker is rocked, or the empty place tapped: the reed is right now, if it can be.

        A weak one perhaps.
        """
        before = self._contact(sensor)
        self._lingering.pop(sensor, None)
        if sensor not in self._faults.weak or self._rng.random() < 0.5:
            self._missed.discard(sensor)
        if self._contact(sensor) is not before:
            self._settle(us, sensor, before, slid=True)
        elif before:
            self.dip(us, sensor, Us(round(self._rng.uniform(ms(2), ROCKED))))

    def _contact(self, sensor: Sensor) -> bool:
        """Whether the contact is closed once it has come to rest."""
        if sensor in self._faults.broken:
            return sensor in self._faults.stuck
        there = sensor in self._magnets and sensor not in self._missed
        return there or sensor in self._lingering

    def _linger(self, us: Us, sensor: Sensor) -> None:
        """The contact stays closed for a while, though nothing lies there."""
        end = Us(us + round(self._rng.uniform(LINGERS, ms(self._faults.linger_ms))))
        self._lingering[sensor] = end

        def let_go() -> None:
            if self._lingering.get(sensor) == end:
                del self._lingering[sensor]
                self._settle(end, sensor, before=True, slid=False)

        self.agenda.at(end, let_go)

    def _settle(self, us: Us, sensor: Sensor, before: bool, slid: bool) -> None:
        contact = self._contact(sensor)
        if contact is not before:
            self._contacts.switch(
                us, sensor, contact, ms(self._faults.chatter_ms) if slid else None
            )
