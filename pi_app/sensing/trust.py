"""Which sensors are believed: what players set aside, what is likely faulty, what was overruled.

A sensor that the players set aside is off until they bring it back; they are asked at the next
game.  One that an accepted position contradicts was wrong about what lies there, faulty or not: it
is doubted until it next changes or an accepted position agrees with it.  How likely it is faulty
is kept through the match (`health`): while that is likelier than not, it is a suspect and doubted
too, and so is one that players set aside proposed again once it is likelier healthy.  One that
chatters is not believed until it has been still.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from pi_app.sensing.description import Sensor
from pi_app.sensing.health import EVEN, Belief, Health, HealthModel, Showing

TOLD = 0.01
"""So likely a fault is worth a word."""
Reeds: TypeAlias = tuple[Sensor, ...]
"""The sensors of one spot."""


class PossibleFault(NamedTuple):
    """What is wrong with a sensor, if anything, and how likely that is, from 1 to 99 per cent."""

    sensor: Sensor
    health: Health
    percent: int


class Trust:
    """What is believed of a board's sensors; answers are in the board's order unless told."""

    def __init__(self, sensors: tuple[Sensor, ...], model: HealthModel | None = None) -> None:
        self._sensors = sensors
        self._model = model or HealthModel()
        self._beliefs = dict.fromkeys(sensors, self._model.prior)
        self._off: frozenset[Sensor] = frozenset()
        self._asked: frozenset[Sensor] = frozenset()
        self._overruled: frozenset[Sensor] = frozenset()
        self._distrusted: frozenset[Sensor] = frozenset()
        self._questionable: frozenset[Sensor] = frozenset()
        self._chattering: frozenset[Sensor] = frozenset()
        self._compared: dict[Reeds, tuple[int, tuple[Showing, ...]]] = {}

    @property
    def beliefs(self) -> Mapping[Sensor, Belief]:
        """How likely each sensor is healthy, dead, stuck or unsteady."""
        return MappingProxyType(self._beliefs)

    @property
    def unbelieved(self) -> frozenset[Sensor]:
        """The sensors that say nothing now."""
        return self._off | self._overruled | self._distrusted | self._chattering

    @property
    def mute(self) -> frozenset[Sensor]:
        """Those of them that tell nothing: a doubted one may still miss a checker in the air."""
        return self._off | self._chattering

    @property
    def off(self) -> tuple[Sensor, ...]:
        """Those that the players have set aside."""
        return self._ordered(self._off)

    @property
    def doubted(self) -> tuple[Sensor, ...]:
        """Those that are likely faulty, or were overruled and have not changed since."""
        return self._ordered((self._overruled | self._distrusted) - self._off)

    @property
    def chattering(self) -> tuple[Sensor, ...]:
        """Those that do not come to rest."""
        return self._ordered(self._chattering)

    @property
    def suspects(self) -> tuple[Sensor, ...]:
        """Those that are likely faulty and not set aside yet, the likeliest first."""
        suspects = self._ordered(self._distrusted - self._off)
        return tuple(sorted(suspects, key=lambda sensor: self._beliefs[sensor].healthy))

    @property
    def faults(self) -> tuple[PossibleFault, ...]:
        """What may be wrong with those not set aside, as far as worth a word; likeliest first."""
        found = [
            PossibleFault(sensor, fault, min(int(100 * likely), 99))
            for sensor in self._ordered(self._questionable - self._off)
            for fault, likely in [self._beliefs[sensor].fault]
            if likely >= TOLD
        ]
        return tuple(sorted(found, key=lambda fault: -fault.percent))

    @property
    def healed(self) -> tuple[Sensor, ...]:
        """Those that are set aside and have been right since, so that they are likely healthy."""
        return self._ordered(self._off - self._distrusted)

    @property
    def asked(self) -> tuple[Sensor, ...]:
        """Those that were set aside in an earlier game, until a player has answered."""
        return self._ordered(self._asked)

    def set_aside(self, sensor: Sensor) -> None:
        """A player does not believe a sensor."""
        self._off |= {sensor}
        self._asked -= {sensor}
        self._start_anew(sensor, self._model.set_aside(self._beliefs[sensor]))
        self._overruled |= {sensor}

    def bring_back(self, sensor: Sensor) -> None:
        """A player believes a sensor again; nothing is held against it."""
        self._off -= {sensor}
        self._asked -= {sensor}
        self._start_anew(sensor, self._model.prior)

    def ask(self) -> None:
        """A new game: what is set aside is asked about."""
        self._asked = self._off

    def changed(self, sensor: Sensor, closed: bool) -> bool:
        """It shows something else; whether another set of sensors is believed now.

        One that was set aside must be right about positions: its changes alone prove nothing.
        """
        before = self.unbelieved
        self._overruled -= {sensor}
        if sensor not in self._off:
            self._believe({sensor: self._model.changed(self._beliefs[sensor], closed)})
        return self.unbelieved != before

    def chatter(self, sensors: frozenset[Sensor]) -> None:
        """These chatter now, and no others."""
        begun = sensors - self._chattering
        self._chattering = sensors
        self._believe({sensor: self._model.chattered(self._beliefs[sensor]) for sensor in begun})

    def compare(self, expected: Iterable[tuple[Reeds, int]], closed: Set[Sensor]) -> None:
        """A position is accepted: so many of each spot's sensors should be closed, and these are.

        What shows the same next to the same as before tells nothing new.
        """
        self._believe({s: self._model.a_turn_later(belief) for s, belief in self._beliefs.items()})
        for reeds, count in expected:
            silent = self._overrule(reeds, count, closed) | self._chattering
            shown = tuple(None if sensor in silent else sensor in closed for sensor in reeds)
            if self._compared.get(reeds) != (count, shown):
                self._compared[reeds] = count, shown
                beliefs = tuple(self._beliefs[sensor] for sensor in reeds)
                after = self._model.compared(beliefs, shown, count)
                self._believe(dict(zip(reeds, after, strict=True)))

    def _overrule(self, reeds: Reeds, count: int, closed: Set[Sensor]) -> frozenset[Sensor]:
        """Overrule the sensors that may be to blame if the spot does not show the count.

        Gives back those overruled before: still wrong, they tell nothing new.
        """
        spot, before = frozenset(reeds), self._overruled

        def lacks(seen: frozenset[Sensor]) -> int:
            """How many more should be closed if only these are seen; below 0 if too many are."""
            shut = len(seen & closed)
            return max(count - shut - len(spot - seen), 0) or min(count - shut, 0)

        resting = spot - self._chattering
        trials = (resting, resting - self._off, spot - self.unbelieved)
        right = next((seen for seen in trials if not lacks(seen)), frozenset[Sensor]())
        blamed = resting - right
        wrong = blamed - closed if lacks(resting) > 0 else blamed & closed
        self._overruled = before - right | wrong
        return before & self._overruled & spot

    def _start_anew(self, sensor: Sensor, belief: Belief) -> None:
        self._overruled -= {sensor}
        self._compared = {
            reeds: told for reeds, told in self._compared.items() if sensor not in reeds
        }
        self._believe({sensor: belief})

    def _believe(self, beliefs: Mapping[Sensor, Belief]) -> None:
        self._beliefs.update(beliefs)
        self._distrusted = self._faultier(EVEN, self._distrusted, beliefs)
        self._questionable = self._faultier(TOLD, self._questionable, beliefs)

    def _faultier(
        self, least: float, before: Set[Sensor], beliefs: Mapping[Sensor, Belief]
    ) -> frozenset[Sensor]:
        """Those likelier faulty than so: these were before, and of these the beliefs are new."""
        now = {sensor for sensor, belief in beliefs.items() if belief.faulty > least}
        return frozenset(before - beliefs.keys() | now)

    def _ordered(self, sensors: Set[Sensor]) -> tuple[Sensor, ...]:
        return tuple(sensor for sensor in self._sensors if sensor in sensors) if sensors else ()
