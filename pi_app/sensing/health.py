"""Whether a sensor is healthy, dead, stuck or unsteady: a hidden Markov model of each of them.

Hidden is its health, which changes with the turns (transitions); seen is what it shows next to
each accepted position, that it changes, that it chatters (emissions).  A position says how many
sensors of a spot are closed but not which: every choice is as likely, and so those that may be to
blame share it.  All rates are per turn and from the noise model or stand here with their meaning.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import combinations
from math import prod
from typing import NamedTuple, TypeAlias

from pi_app.sensing.noise import PUBLISHED, Noise, NoiseModel

UNTRIED = 10
"""At the start a sensor is taken to have been out of sight for so many turns."""
REPAIRED = 1e-3
"""How often a fault mends in a turn: a wire is pushed back, a board is knocked."""
UNSTEADY_MISSES = 1 / 3
"""How often an unsteady sensor is wrong about a checker that was moved."""
RATTLED = 1e-4
"""How often what looks like chatter is a healthy reed with somebody playing over it."""
HASTY = 0.2
"""So many of the sensors that players set aside are healthy: they may have been too hasty.

It is less than one of four, all healths alike: only what has closed and opened is healed.
"""
EVEN = 0.5
"""A sensor is distrusted while it is likelier faulty than healthy, and no longer."""


class Health(Enum):
    """How a sensor may be."""

    HEALTHY = "healthy"
    DEAD = "dead"
    STUCK = "stuck"
    UNSTEADY = "unsteady"


class Belief(NamedTuple):
    """How likely each health of one sensor is; the four add up to 1."""

    healthy: float
    dead: float
    stuck: float
    unsteady: float

    @property
    def faulty(self) -> float:
        """How likely it is anything but healthy."""
        return self.dead + self.stuck + self.unsteady

    @property
    def fault(self) -> tuple[Health, float]:
        """The likeliest fault, and how likely it is."""
        likely = max(self[1:])
        return tuple(Health)[self.index(likely, 1)], likely

    def weighed(self, likelihoods: Iterable[float]) -> Belief:
        """Bayes' rule: what was seen is so likely for each health."""
        return _scaled([mine * given for mine, given in zip(self, likelihoods, strict=True)])


def _scaled(weights: list[float]) -> Belief:
    total = sum(weights)
    return Belief(*(weight / total for weight in weights))


Showing: TypeAlias = bool | None
"""Whether a sensor shows itself closed; None where that tells nothing."""


@dataclass(frozen=True)
class HealthModel:
    """The filter's steps, each from a belief to the next."""

    noise: NoiseModel = PUBLISHED

    @property
    def prior(self) -> Belief:
        """Of a sensor that nobody has looked at yet."""
        faults = [UNTRIED * rate for rate in self._faults]
        return Belief(1 - sum(faults), *faults)

    def a_turn_later(self, belief: Belief) -> Belief:
        """The transition: what is healthy may break and what is broken may mend."""
        faults = [
            fault * (1 - REPAIRED) + belief.healthy * rate
            for fault, rate in zip(belief[1:], self._faults, strict=True)
        ]
        return Belief(1 - sum(faults), *faults)

    def changed(self, belief: Belief, closed: bool) -> Belief:
        """It has closed, or opened: then it is not dead, or not stuck."""
        return belief.weighed((1.0, not closed, closed, 1.0))

    def chattered(self, belief: Belief) -> Belief:
        """It has begun to chatter; what is dead or stuck lies still."""
        return belief.weighed((RATTLED, 0.0, 0.0, UNSTEADY_MISSES))

    def set_aside(self, belief: Belief) -> Belief:
        """Players say that it is faulty; how, is as likely as before."""
        scale = (1 - HASTY) / belief.faulty
        return Belief(HASTY, *(fault * scale for fault in belief[1:]))

    def compared(
        self, beliefs: tuple[Belief, ...], shown: tuple[Showing, ...], occupied: int
    ) -> tuple[Belief, ...]:
        """An accepted position has so many checkers over a spot's sensors, nobody knows which."""
        likelihoods = [[0.0] * len(Health) for _ in beliefs]
        for choice in combinations(range(len(beliefs)), occupied):
            rows = [self._emission(show, n in choice) for n, show in enumerate(shown)]
            told = [
                sum(p * e for p, e in zip(belief, row, strict=True))
                for belief, row in zip(beliefs, rows, strict=True)
            ]
            for number, row in enumerate(rows):
                others = prod(told[:number]) * prod(told[number + 1 :])
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
        """How likely each health shows this with a checker over it, or none."""
        if shown is None:
            return 1.0, 1.0, 1.0, 1.0
        missed = self.noise.share(Noise.MISSED_CLOSING if occupied else Noise.MISSED_OPENING)
        right = shown is occupied
        unsteady = 1 - UNSTEADY_MISSES if right else UNSTEADY_MISSES
        return 1 - missed if right else missed, float(not shown), float(shown), unsteady
