"""A simulated hand that walks a simulated board in virtual time, for `spotter walk --sim`."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue

from pi_app.cli.walking import WalkWord, Word
from pi_app.devices.gpio import open_factory
from pi_app.devices.source import SensorSource
from pi_app.microseconds import Us, ms
from pi_app.referee.events import Event
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.walk import Ask, WalkStage
from pi_app.simulator.faults import Faults
from pi_app.simulator.reeds import SimulatedReeds
from pi_app.simulator.scanner import open_simulated

REACH, NUDGE, PATIENCE = ms(600), ms(1500), ms(3000)
"""From being asked to doing it, to rocking what was not felt, and to going on without."""


class WalkingHand:
    """One hand, and the board it walks; `wired` is the board as its wires run, if they run wrong.

    Nothing waits: time is what the hand makes of it.
    """

    def __init__(
        self, board: Board, faults: Faults, rng: random.Random, wired: Board | None = None
    ) -> None:
        self._now = Us(0)
        self._queue: SimpleQueue[Event] = SimpleQueue()
        self._keys: deque[WalkWord] = deque()
        factory = open_factory("mock")
        devices = open_simulated(board, factory, self.clock, self._queue.put)
        self.source: SensorSource = devices.source
        self._reeds = SimulatedReeds(wired or board, factory, faults, rng, devices.drive_cell)
        self._ask: Ask | None = None
        self._lying: Sensor | None = None

    def clock(self) -> Us:
        """The time now."""
        return self._now

    def take(self, ask: Ask | None, us: Us) -> Word | None:
        """Do what is asked, and let time pass until something comes of it."""
        if ask != self._ask:
            self._ask = ask
            self._plan()
        end = Us(self._now + us)
        while (word := self._word()) is None and self._now < end:
            dues = (self._reeds.agenda.due, self.source.due)
            self._now = max(self._now, min([end, *(due for due in dues if due is not None)]))
            self._reeds.agenda.run(self._now)
            self.source.advance(self.clock())
        return word

    def _word(self) -> Word | None:
        if self._keys:
            return self._keys.popleft()
        with suppress(Empty):
            return self._queue.get_nowait()
        return None

    def _plan(self) -> None:
        ask = self._ask
        if ask is None or ask.stage is WalkStage.OVER:
            return
        if ask.stage is not WalkStage.PUT:
            self._later(REACH, self._take_off)
        elif ask.others:
            self._later(REACH, self._skip)
        elif ask.sensor is not None:
            self._later(REACH, partial(self._put, ask.sensor))
            self._later(NUDGE, self._nudge)
        self._later(PATIENCE, self._skip)

    def _later(self, us: Us, act: Callable[[], None]) -> None:
        """Unless something else is asked by then."""
        asked = self._ask

        def then() -> None:
            if self._ask is asked:
                act()

        self._reeds.agenda.at(Us(self._now + us), then)

    def _put(self, sensor: Sensor) -> None:
        self._take_off()
        self._reeds.put(self._now, sensor)
        self._lying = sensor

    def _take_off(self) -> None:
        if self._lying is not None:
            self._reeds.take(self._now, self._lying)
            self._lying = None

    def _nudge(self) -> None:
        if self._lying is not None:
            self._reeds.nudge(self._now, self._lying)

    def _skip(self) -> None:
        self._keys.append(WalkWord.SKIP)
