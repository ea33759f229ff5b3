"""Debouncing from timestamps: a sensor has changed once it has been steady long enough.

Defer, never eager: a raw edge starts the wait anew, so chatter of any length is one change or none.
Raw is what the contact does, cooked is what the rest of the program believes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pi_app.microseconds import Us
from pi_app.sensing.description import Sensor


@dataclass(frozen=True, slots=True)
class Touch:
    """A cooked change: when it became certain (µs), which sensor, and its new state."""

    us: Us
    sensor: Sensor
    closed: bool


class Debouncer:
    """All sensors of a board; it holds raw and cooked states and no clock."""

    def __init__(self, steady: Us) -> None:
        self._steady = steady
        self._cooked: set[Sensor] = set()
        self._waiting: dict[Sensor, tuple[Us, bool]] = {}

    @property
    def closed(self) -> frozenset[Sensor]:
        """The sensors that are closed, cooked."""
        return frozenset(self._cooked)

    @property
    def due(self) -> Us | None:
        """When the next change becomes certain if no edge comes first; None while all is steady."""
        times = [Us(since + self._steady) for since, _ in self._waiting.values()]
        return min(times, default=None)

    def edge(self, us: Us, sensor: Sensor, closed: bool) -> None:
        """A raw edge; one that repeats the raw state tells of a lost edge and waits anew."""
        steady = sensor not in self._waiting
        if steady and closed == (sensor in self._cooked):
            return
        self._waiting[sensor] = (us, closed)

    def picture(self, us: Us, sensors: Iterable[Sensor], closed: frozenset[Sensor]) -> list[Touch]:
        """The state of all sensors, taken as steady but where one is bouncing just now."""
        changes = []
        for sensor in sensors:
            now = sensor in closed
            if sensor in self._waiting:
                if self._waiting[sensor][1] != now:
                    self.edge(us, sensor, now)
            elif now != (sensor in self._cooked):
                self._cook(sensor, now)
                changes.append(Touch(us, sensor, now))
        return changes

    def drop(self, sensor: Sensor) -> None:
        """A sensor is not waited for: it stays as it was."""
        self._waiting.pop(sensor, None)

    def advance(self, us: Us) -> list[Touch]:
        """The changes that have become certain by now, in their order."""
        ripe = [
            Touch(Us(since + self._steady), sensor, closed)
            for sensor, (since, closed) in self._waiting.items()
            if since + self._steady <= us
        ]
        changes = []
        for change in sorted(ripe, key=lambda change: change.us):
            del self._waiting[change.sensor]
            if change.closed != (change.sensor in self._cooked):
                self._cook(change.sensor, change.closed)
                changes.append(change)
        return changes

    def _cook(self, sensor: Sensor, closed: bool) -> None:
        if closed:
            self._cooked.add(sensor)
        else:
            self._cooked.discard(sensor)
