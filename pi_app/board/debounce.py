"""Debouncing from timestamps: a sensor has changed once it has been steady long enough.

Defer, never eager: a raw edge starts the wait anew, so chatter of any length is one change or none.
Raw is what the contact does, cooked is what the rest of the program believes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pi_app.board.description import Sensor


@dataclass(frozen=True, slots=True)
class Change:
    """A cooked change: when it became certain (ms), which sensor, and its new state."""

    ms: float
    sensor: Sensor
    closed: bool


class Debouncer:
    """All sensors of a board; it holds raw and cooked states and no clock."""

    def __init__(self, steady_ms: float) -> None:
        self._steady_ms = steady_ms
        self._cooked: set[Sensor] = set()
        self._waiting: dict[Sensor, tuple[float, bool]] = {}

    @property
    def closed(self) -> frozenset[Sensor]:
        """The sensors that are closed, cooked."""
        return frozenset(self._cooked)

    @property
    def due(self) -> float | None:
        """When the next change becomes certain if no edge comes first; None while all is steady."""
        times = [since + self._steady_ms for since, _ in self._waiting.values()]
        return min(times, default=None)

    def edge(self, ms: float, sensor: Sensor, closed: bool) -> None:
        """A raw edge; one that repeats the raw state tells of a lost edge and waits anew."""
        steady = sensor not in self._waiting
        if steady and closed == (sensor in self._cooked):
            return
        self._waiting[sensor] = (ms, closed)

    def picture(
        self, ms: float, sensors: Iterable[Sensor], closed: frozenset[Sensor]
    ) -> list[Change]:
        """The state of all sensors, taken as steady but where one is bouncing just now."""
        changes = []
        for sensor in sensors:
            now = sensor in closed
            if sensor in self._waiting:
                if self._waiting[sensor][1] != now:
                    self.edge(ms, sensor, now)
            elif now != (sensor in self._cooked):
                self._cook(sensor, now)
                changes.append(Change(ms, sensor, now))
        return changes

    def advance(self, ms: float) -> list[Change]:
        """The changes that have become certain by now, in their order."""
        ripe = [
            Change(since + self._steady_ms, sensor, closed)
            for sensor, (since, closed) in self._waiting.items()
            if since + self._steady_ms <= ms
        ]
        changes = []
        for change in sorted(ripe, key=lambda change: change.ms):
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
