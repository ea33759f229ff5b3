"""The noise model, in one table: how often hands and reeds do something else than a plain legal
play.

The tracker weighs its readings by these rates, simulated hands are drawn from them, and
`tests/lab/run noise` prints them. A cost is the negative natural logarithm of a rate, in nats. The
costs of events that happen together add up, and the reading with the lowest cost is the likeliest.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from math import inf, log
from typing import NamedTuple

from pi_app.base.microseconds import Us, ms
from pi_app.base.values import dataclass


class Noise(Enum):
    """Everything that happens at a table besides plain legal plays."""

    BOUNCE = "bounce"
    BRUSH = "brush"
    ROCK = "rocked checker"
    SLIDE = "slide past"
    REST = "rest on the way"
    PUSH = "push"
    MISSED_CLOSING = "missed closing"
    MISSED_OPENING = "missed opening"
    DEAD = "dead"
    STUCK = "stuck"
    CHATTER = "chattering"
    FAST = "fast exchange"
    SHIFT = "shift"
    ADJUST = "j'adoube"
    ADJUST_BETWEEN = "j'adoube in between"
    OTHER_HAND = "opponent's touch"
    TWO_HANDS = "two hands at once"
    ASTRAY = "hit checker misplaced"
    DISORDER = "turn in another order"
    CHANGE_OF_MIND = "change of mind"
    CORRECTED = "corrected into a hit"
    BEFORE_ROLL = "turn before the roll"
    SINGLE = "illegal move"
    HALF_RIGHT = "illegal after a legal part"
    TOO_LITTLE = "unfinished turn"
    MOVED_EARLY = "checker moved before the roll"
    EARLY_PRESS = "early press"
    IDLE_PRESS = "press without a play"
    DOUBLE_PRESS = "double press"
    TAKEBACK = "undo by hand"

    __hash__ = object.__hash__


class Per(Enum):
    """The unit of a rate."""

    TOUCH = "edge of a contact"
    CARRY = "checker carried"
    PASSED = "free place passed"
    PUT_DOWN = "checker put down"
    LIFTED = "checker lifted"
    HIT = "hit"
    TURN = "turn"
    PRESS = "press"
    WARNING = "warning"
    SENSOR = "sensor and turn"


class Origin(Enum):
    """The source of a rate."""

    DATA_SHEET = "data sheet"
    MEASURED = "measured"
    ASSUMED = "assumed"


class Rate(NamedTuple):
    """A probability from 0 to 1, and the longest duration of a passing contact at a sensor, with
    the bounce at both ends."""

    share: float
    per: Per
    why: str
    longest: Us | None = None
    origin: Origin = Origin.ASSUMED


ILLEGAL = (Noise.SINGLE, Noise.HALF_RIGHT, Noise.TOO_LITTLE)
"""Illegal attempts after the roll. The model has at most one in a turn."""
MOST = 0.5
"""The upper limit of a scaled rate: noise never happens more often than every second time."""


@dataclass(frozen=True)
class NoiseModel:
    """A table of rates, and the costs that follow from them."""

    rates: Mapping[Noise, Rate]

    def share(self, what: Noise) -> float:
        return self.rates[what].share

    def longest(self, what: Noise) -> Us:
        """Return the longest duration at the sensor; 0 for changes that stay."""
        return self.rates[what].longest or Us(0)

    def cost(self, what: Noise) -> float:
        """Return the cost in nats; infinite for a rate of 0."""
        return self._costs[what]

    @cached_property
    def _costs(self) -> Mapping[Noise, float]:
        shares = {what: rate.share for what, rate in self.rates.items()}
        return {what: -log(share) if share else inf for what, share in shares.items()}

    def worse(self, times: float) -> NoiseModel:
        """Multiply all rates; a rate that was below MOST stays below it."""
        return NoiseModel(
            {
                what: rate._replace(share=min(rate.share * times, max(rate.share, MOST)))
                for what, rate in self.rates.items()
            }
        )

    def but(self, shares: Mapping[Noise, float]) -> NoiseModel:
        """Replace these rates."""
        return NoiseModel(
            {
                what: rate._replace(share=shares.get(what, rate.share))
                for what, rate in self.rates.items()
            }
        )


# Why one table: the tracker weighs with the rates from which the simulated hands are drawn, so a
# stated confidence can be tested: of the plays accepted with 99 %, 99 % must be right.
#
# Why assumed rates are good enough: nobody has built a board yet, so all but the bounce are
# guesses, marked as such. The laboratory measures with "strangers" too, whose rates are between a
# tenth and thirty times these, and with ten times the noise; no wrong play may be accepted there
# either. What a table really does replaces a rate here, and nothing else changes.
PUBLISHED = NoiseModel(
    {
        Noise.BOUNCE: Rate(
            1.0, Per.TOUCH, "reeds bounce whenever they switch", ms(5), origin=Origin.DATA_SHEET
        ),
        Noise.BRUSH: Rate(0.15, Per.CARRY, "a sleeve moves a checker off its reed", ms(80)),
        Noise.ROCK: Rate(0.05, Per.PUT_DOWN, "a checker rocks as it is let go", ms(25)),
        Noise.SLIDE: Rate(0.3, Per.CARRY, "a checker slides over free places", ms(160)),
        Noise.REST: Rate(0.06, Per.PASSED, "a checker rests on a place it slides over", ms(1100)),
        Noise.PUSH: Rate(
            0.5, Per.CARRY, "a checker is felt on the next place before it leaves its own", ms(300)
        ),
        Noise.MISSED_CLOSING: Rate(0.001, Per.PUT_DOWN, "a checker lies beside its reed"),
        Noise.MISSED_OPENING: Rate(
            0.0001, Per.LIFTED, "a reed stays closed after its checker", ms(5000)
        ),
        Noise.DEAD: Rate(1e-6, Per.SENSOR, "a reed breaks or a wire comes off"),
        Noise.STUCK: Rate(1e-6, Per.SENSOR, "a reed welds or a wire shorts"),
        Noise.CHATTER: Rate(1e-6, Per.SENSOR, "a wire is loose"),
        Noise.FAST: Rate(
            0.01, Per.HIT, "the hitter replaces the hit checker within a moment", ms(80)
        ),
        Noise.SHIFT: Rate(0.02, Per.TURN, "a checker is shifted to another place of its point"),
        Noise.ADJUST: Rate(0.1, Per.TURN, "a checker is lifted and put back before the play"),
        Noise.ADJUST_BETWEEN: Rate(
            0.005, Per.TURN, "a checker is lifted and put back during the play"
        ),
        Noise.OTHER_HAND: Rate(0.02, Per.TURN, "the opponent sets one of his checkers straight"),
        Noise.TWO_HANDS: Rate(0.25, Per.CARRY, "a checker in each hand"),
        Noise.ASTRAY: Rate(0.02, Per.HIT, "a hit checker goes to the tray instead of the bar"),
        Noise.DISORDER: Rate(
            0.1, Per.TURN, "moves before entering, or moves two checkers alternately"
        ),
        Noise.CHANGE_OF_MIND: Rate(0.06, Per.TURN, "another play is made first and undone"),
        Noise.CORRECTED: Rate(
            0.05, Per.WARNING, "a wrong board is corrected straight into a hit that no sensor shows"
        ),
        Noise.BEFORE_ROLL: Rate(
            0.002, Per.TURN, "real dice are played first and entered afterwards"
        ),
        Noise.SINGLE: Rate(0.02, Per.TURN, "one checker moves wrongly"),
        Noise.HALF_RIGHT: Rate(0.014, Per.TURN, "a wrong move after a legal part of the turn"),
        Noise.TOO_LITTLE: Rate(0.006, Per.TURN, "only a part of the turn is played"),
        Noise.MOVED_EARLY: Rate(0.01, Per.TURN, "a checker moves before the roll is shown"),
        Noise.EARLY_PRESS: Rate(0.01, Per.TURN, "a press with a checker still in the hand"),
        Noise.IDLE_PRESS: Rate(0.0001, Per.TURN, "a press although nothing was played"),
        Noise.DOUBLE_PRESS: Rate(0.02, Per.PRESS, "two presses instead of one"),
        Noise.TAKEBACK: Rate(
            0.005, Per.TURN, "the last play is put back by hand, before anybody taps Undo"
        ),
    }
)
"""The rates that Spotter uses."""
