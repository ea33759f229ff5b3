"""Which sensors are believed: what players set aside, what is doubted, and how both come back.

A sensor that the players set aside is off until they bring it back; they are asked at the next
game.  One that an accepted position contradicts is doubted until it next changes or an accepted
position agrees with it: then it is on probation, believed and remembered.  Overruled again it is
a suspect, and must be right both closed and open, which clears it.  One that chatters is not
believed until it has been still.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

from pi_app.sensing.description import Sensor

SUSPECT = 2
"""A sensor that was overruled so often is worth a word."""
BOTH = frozenset({True, False})
"""A sensor that was right when closed and when open is neither stuck nor dead."""


class Trust:
    """What is believed of a board's sensors; every answer is in the board's order."""

    def __init__(self, sensors: tuple[Sensor, ...]) -> None:
        self._sensors = sensors
        self._off: frozenset[Sensor] = frozenset()
        self._asked: frozenset[Sensor] = frozenset()
        self._doubted: frozenset[Sensor] = frozenset()
        self._chattering: frozenset[Sensor] = frozenset()
        self._overruled: Counter[Sensor] = Counter()
        self._right: dict[Sensor, frozenset[bool]] = {}

    @property
    def unbelieved(self) -> frozenset[Sensor]:
        """The sensors that say nothing now."""
        return self._off | self._doubted | self._chattering

    @property
    def mute(self) -> frozenset[Sensor]:
        """Those of them that tell nothing: a doubted one may still miss a checker in the air."""
        return self._off | self._chattering

    @property
    def on_probation(self) -> frozenset[Sensor]:
        """Those that were overruled, doubted still or believed again."""
        return frozenset(self._overruled) - self.put_aside - self._chattering

    @property
    def put_aside(self) -> frozenset[Sensor]:
        """Those that the players have set aside and that are at rest."""
        return self._off - self._chattering

    @property
    def off(self) -> tuple[Sensor, ...]:
        """Those that the players have set aside."""
        return self._ordered(self._off)

    @property
    def doubted(self) -> tuple[Sensor, ...]:
        """Those that a position has overruled and that have not changed since."""
        return self._ordered(self._doubted - self._off)

    @property
    def chattering(self) -> tuple[Sensor, ...]:
        """Those that do not come to rest."""
        return self._ordered(self._chattering)

    @property
    def suspects(self) -> tuple[Sensor, ...]:
        """Those that were overruled often and are not set aside yet."""
        often = {sensor for sensor, times in self._overruled.items() if times >= SUSPECT}
        return self._ordered(often - self._off)

    @property
    def healed(self) -> tuple[Sensor, ...]:
        """Those that are set aside and have been right since, closed and open."""
        return self._ordered({sensor for sensor in self._off if self._right.get(sensor) == BOTH})

    @property
    def asked(self) -> tuple[Sensor, ...]:
        """Those that were set aside in an earlier game, until a player has answered."""
        return self._ordered(self._asked)

    def set_aside(self, sensor: Sensor) -> None:
        """A player does not believe a sensor."""
        self._off |= {sensor}
        self._asked -= {sensor}
        self._right.pop(sensor, None)

    def bring_back(self, sensor: Sensor) -> None:
        """A player believes a sensor again; nothing is held against it."""
        self._off -= {sensor}
        self._asked -= {sensor}
        self._clear(sensor)

    def ask(self) -> None:
        """A new game: what is set aside is asked about."""
        self._asked = self._off

    def changed(self, sensor: Sensor) -> bool:
        """Whether it was doubted; a sensor that changes is believed again, on probation."""
        doubted = sensor in self._doubted
        self._doubted -= {sensor}
        return doubted

    def chatter(self, sensors: frozenset[Sensor]) -> None:
        """These chatter now, and no others."""
        self._chattering = sensors

    def overrule(self, sensors: Set[Sensor]) -> None:
        """An accepted position contradicts these."""
        self._overruled.update(sensors)
        self._doubted |= sensors

    def contradict(self, sensors: Set[Sensor]) -> None:
        """What these have shown right so far counts no more."""
        for sensor in sensors:
            self._right.pop(sensor, None)

    def confirm(self, sensors: Set[Sensor], closed: Set[Sensor]) -> None:
        """An accepted position agrees with these, of which some are closed."""
        for sensor in sensors:
            if self._overruled[sensor] < SUSPECT:
                self._doubted -= {sensor}
            self._right[sensor] = self._right.get(sensor, frozenset()) | {sensor in closed}
            if self._right[sensor] == BOTH and sensor not in self._off:
                self._clear(sensor)

    def _clear(self, sensor: Sensor) -> None:
        self._doubted -= {sensor}
        self._overruled.pop(sensor, None)
        self._right.pop(sensor, None)

    def _ordered(self, sensors: Set[Sensor]) -> tuple[Sensor, ...]:
        return tuple(sensor for sensor in self._sensors if sensor in sensors) if sensors else ()
