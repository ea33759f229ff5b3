"""Which sensors are used: those that players turned off, that are likely faulty, or were overruled.

A sensor that players turn off stays off until they turn it on; in the next game they are asked. A
sensor that contradicts an accepted position was wrong, whether faulty or not. It is doubted, and so
ignored, until it next changes or agrees with an accepted position. The probability that it is
faulty is kept through the match. While that is above one half the sensor is a suspect, and doubted
too. Once it falls below one half, a sensor that is off is proposed to be turned on. A chattering
sensor is ignored until it has been still.

Each sensor's health is a hidden Markov model. Hidden is whether it is healthy, dead, stuck or
unsteady, which may change from turn to turn. Observed is what it shows at each accepted position,
that it changes, and that it chatters. A position tells how many sensors of a spot are closed but
not which, so all choices are equally likely and the sensors that may be at fault share it. Rates
are per turn, from the noise table or given here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from enum import Enum
from functools import cached_property
from itertools import combinations
from math import prod
from typing import NamedTuple, TypeAlias

from pi_app.base.adding import added
from pi_app.base.values import dataclass
from pi_app.sensing.description import Sensor
from pi_app.sensing.noise import PUBLISHED, Noise, NoiseModel

# Why a filter and not a count of errors: a checker that lies beside its reed contradicts a healthy
# sensor, so one contradiction must not turn it off, and two usually must. The filter gets that from
# rates which the tracker uses anyway, and it gives the probability that the page Sensors shows.
#
# Why one half: a sensor that is likelier faulty than healthy misleads more often than it helps. An
# ignored sensor costs questions, never a wrong play.
UNTRIED = 10
"""A match starts as if each sensor had been unobserved for this many turns."""
REPAIRED = 1e-3
"""The probability per turn that a fault ends: a wire is pushed back, a board is knocked."""
UNSTEADY_MISSES = 1 / 3
"""The probability that an unsteady sensor misses a moved checker."""
RATTLED = 1e-4
"""The probability that a healthy reed with hands over it looks like a chattering one."""
HASTY = 0.2
"""The share of sensors turned off by players that are healthy.

Below one quarter, the share if all four healths were equally likely, so that a sensor is proposed
again only after it has closed and opened.
"""
EVEN = 0.5
"""A sensor is ignored while the probability that it is faulty is above this."""


class Health(Enum):
    HEALTHY = "healthy"
    DEAD = "dead"
    STUCK = "stuck"
    UNSTEADY = "unsteady"


class Belief(NamedTuple):
    """The probability of each health of one sensor; the four add up to 1."""

    healthy: float
    dead: float
    stuck: float
    unsteady: float

    @property
    def faulty(self) -> float:
        """The probability that it is not healthy."""
        return self.dead + self.stuck + self.unsteady

    @property
    def fault(self) -> tuple[Health, float]:
        """The likeliest fault and its probability."""
        likely = max(self[1:])
        return tuple(Health)[self.index(likely, 1)], likely

    def weighed(self, likelihoods: Iterable[float]) -> Belief:
        """Apply Bayes' rule with the likelihood of an observation for each health."""
        return _scaled([mine * given for mine, given in zip(self, likelihoods, strict=True)])


def _scaled(weights: list[float]) -> Belief:
    total = added(weights)
    return Belief(*(weight / total for weight in weights))


Showing: TypeAlias = bool | None
"""Whether a sensor is closed; None if unknown."""


@dataclass(frozen=True)
class HealthModel:
    """The steps of the filter; each returns the next belief."""

    noise: NoiseModel = PUBLISHED

    @property
    def prior(self) -> Belief:
        """The belief about a sensor that was never observed."""
        faults = [UNTRIED * rate for rate in self._faults]
        return Belief(1 - added(faults), *faults)

    def a_turn_later(self, belief: Belief) -> Belief:
        """A turn has passed: healthy sensors may fail and faulty ones may recover."""
        faults = [
            fault * (1 - REPAIRED) + belief.healthy * rate
            for fault, rate in zip(belief[1:], self._faults, strict=True)
        ]
        return Belief(1 - added(faults), *faults)

    def changed(self, belief: Belief, closed: bool) -> Belief:
        """A sensor that closed is not dead; one that opened is not stuck."""
        return belief.weighed((1.0, not closed, closed, 1.0))

    def chattered(self, belief: Belief) -> Belief:
        """The sensor has begun to chatter, which dead and stuck sensors do not."""
        return belief.weighed((RATTLED, 0.0, 0.0, UNSTEADY_MISSES))

    def set_aside(self, belief: Belief) -> Belief:
        """Players call it faulty; the kinds of fault keep their proportions."""
        scale = (1 - HASTY) / belief.faulty
        return Belief(HASTY, *(fault * scale for fault in belief[1:]))

    def compared(
        self, beliefs: tuple[Belief, ...], shown: tuple[Showing, ...], occupied: int
    ) -> tuple[Belief, ...]:
        """Use an accepted position, which tells how many checkers a spot has but not
        their places."""
        likelihoods = [[0.0] * len(Health) for _ in beliefs]
        for choice in combinations(range(len(beliefs)), occupied):
            rows = [self._emission(show, n in choice) for n, show in enumerate(shown)]
            totals = [
                added(p * e for p, e in zip(belief, row, strict=True))
                for belief, row in zip(beliefs, rows, strict=True)
            ]
            for number, row in enumerate(rows):
                others = prod(totals[:number]) * prod(totals[number + 1 :])
                likelihoods[number] = [
                    old + others * given
                    for old, given in zip(likelihoods[number], row, strict=True)
                ]
        return tuple(
            belief.weighed(likely) for belief, likely in zip(beliefs, likelihoods, strict=True)
        )

    @cached_property
    def _faults(self) -> tuple[float, float, float]:
        share = self.noise.share
        return share(Noise.DEAD), share(Noise.STUCK), share(Noise.CHATTER)

    def _emission(self, shown: Showing, occupied: bool) -> tuple[float, float, float, float]:
        """The likelihood for each health that the sensor shows this, with or without a checker."""
        if shown is None:
            return 1.0, 1.0, 1.0, 1.0
        missed = self.noise.share(Noise.MISSED_CLOSING if occupied else Noise.MISSED_OPENING)
        right = shown is occupied
        unsteady = 1 - UNSTEADY_MISSES if right else UNSTEADY_MISSES
        return 1 - missed if right else missed, float(not shown), float(shown), unsteady


SHOWN_FROM = 0.01
"""A fault is shown to players from this probability on."""
Reeds: TypeAlias = tuple[Sensor, ...]
"""The sensors of one spot."""


class PossibleFault(NamedTuple):
    """A sensor's likeliest fault, and its probability in per cent, 1 to 99."""

    sensor: Sensor
    health: Health
    percent: int


class Trust:
    """Which sensors to use. Results are in the board's order unless stated otherwise."""

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
        return self._beliefs

    @property
    def unbelieved(self) -> frozenset[Sensor]:
        """The sensors that are ignored now."""
        return self._off | self._overruled | self._distrusted | self._chattering

    @property
    def off(self) -> tuple[Sensor, ...]:
        """The sensors that the players turned off."""
        return self._ordered(self._off)

    @property
    def doubted(self) -> tuple[Sensor, ...]:
        """The sensors that are probably faulty, or were overruled and have not changed since."""
        return self._ordered((self._overruled | self._distrusted) - self._off)

    @property
    def chattering(self) -> tuple[Sensor, ...]:
        return self._ordered(self._chattering)

    @property
    def suspects(self) -> tuple[Sensor, ...]:
        """The sensors that are probably faulty and not turned off, likeliest first."""
        suspects = self._ordered(self._distrusted - self._off)
        return tuple(sorted(suspects, key=lambda sensor: self._beliefs[sensor].healthy))

    @property
    def faults(self) -> tuple[PossibleFault, ...]:
        """Possible faults worth showing of sensors that are not turned off, likeliest first."""
        found = [
            PossibleFault(sensor, fault, min(int(100 * likely), 99))
            for sensor in self._ordered(self._questionable - self._off)
            for fault, likely in [self._beliefs[sensor].fault]
            if likely >= SHOWN_FROM
        ]
        return tuple(sorted(found, key=lambda fault: -fault.percent))

    @property
    def healed(self) -> tuple[Sensor, ...]:
        """The sensors that are turned off and probably healthy again."""
        return self._ordered(self._off - self._distrusted)

    @property
    def asked(self) -> tuple[Sensor, ...]:
        """The sensors turned off in an earlier game, until a player has answered about them."""
        return self._ordered(self._asked)

    def set_aside(self, sensor: Sensor) -> None:
        """A player turns a sensor off."""
        self._off |= {sensor}
        self._asked -= {sensor}
        self._start_anew(sensor, self._model.set_aside(self._beliefs[sensor]))
        self._overruled |= {sensor}

    def bring_back(self, sensor: Sensor) -> None:
        """A player turns a sensor on; its history is forgotten."""
        self._off -= {sensor}
        self._asked -= {sensor}
        self._start_anew(sensor, self._model.prior)

    def ask(self) -> None:
        """A new game begins: ask about the sensors that are off."""
        self._asked = self._off

    def changed(self, sensor: Sensor, closed: bool) -> bool:
        """Take a change. Return whether another set of sensors is used now.

        A sensor that is off is not trusted for changing alone; it must agree with positions.
        """
        before = self.unbelieved
        self._overruled -= {sensor}
        if sensor not in self._off:
            self._believe({sensor: self._model.changed(self._beliefs[sensor], closed)})
        return self.unbelieved != before

    def chatter(self, sensors: frozenset[Sensor]) -> None:
        """Exactly these sensors chatter now."""
        begun = sensors - self._chattering
        self._chattering = sensors
        self._believe({sensor: self._model.chattered(self._beliefs[sensor]) for sensor in begun})

    def compare(self, expected: Iterable[tuple[Reeds, int]], closed: Set[Sensor]) -> None:
        """Take an accepted position: how many of each spot's sensors should be closed, and which
        are.

        A sensor that shows the same at the same position as before tells nothing new.
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
        """Overrule the sensors that may be wrong if the spot does not show this count.

        Return those overruled before; they tell nothing new.
        """
        spot, before = frozenset(reeds), self._overruled

        def lacks(seen: frozenset[Sensor]) -> int:
            """How many more should be closed if only these are used; negative if too many are."""
            shut = len(seen & closed)
            return max(count - shut - len(spot - seen), 0) or min(count - shut, 0)

        # As few sensors as possible are blamed. If all that do not chatter fit together, none is;
        # then those that players turned off are blamed, then those that were doubted already. Only
        # if the believed ones do not fit either may each sensor of the spot be the wrong one.
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
            reeds: last for reeds, last in self._compared.items() if sensor not in reeds
        }
        self._believe({sensor: belief})

    def _believe(self, beliefs: Mapping[Sensor, Belief]) -> None:
        self._beliefs.update(beliefs)
        self._distrusted = self._faultier(EVEN, self._distrusted, beliefs)
        self._questionable = self._faultier(SHOWN_FROM, self._questionable, beliefs)

    def _faultier(
        self, least: float, before: Set[Sensor], beliefs: Mapping[Sensor, Belief]
    ) -> frozenset[Sensor]:
        """The sensors that are likelier faulty than `least`, once these beliefs are replaced."""
        now = {sensor for sensor, belief in beliefs.items() if belief.faulty > least}
        return frozenset(before - beliefs.keys() | now)

    def _ordered(self, sensors: Set[Sensor]) -> tuple[Sensor, ...]:
        return tuple(sensor for sensor in self._sensors if sensor in sensors) if sensors else ()
