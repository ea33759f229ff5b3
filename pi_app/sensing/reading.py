"""What the tracker says the sensors mean, how long it waits and how sure it must be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from math import log
from typing import Any, NamedTuple

from pi_app.base.microseconds import Us, ms
from pi_app.rules.terms import Broken, Move, Side, Spot


@dataclass(frozen=True, slots=True)
class Thresholds:
    """All numbers that decide besides the noise table; differences of cost are in nats.

    A test shows for each what goes wrong with half of it and with twice as much.
    """

    asked: float = log(1000)
    """A question offers no play that is less likely than the best one by more than this, unless
    that one would stand alone."""
    insists: float = log(2000)
    """Whoever presses again is right: by so much likelier is his play then."""
    lingers: float = log(30)
    """The rate of holding a checker longer than `Patience.grace` while another is misplaced."""
    illegal: float = 0.04
    """A play is shown while the odds are lower that something illegal was done instead."""
    held: int = 2
    """The most checkers in a hand, besides those that the turn moves and hits."""
    lands: Us = ms(1500)
    """A checker is in the hand so long, unless something was felt of its landing."""
    hasty: Us = ms(2500)
    """A press sooner after a lift may come before the hand is done with what no sensor feels."""
    steady: Us = ms(300)
    """Words wait until the sensors have shown the same for so long: a checker slides past."""
    looks: int = 24
    """Parts of a turn, and ways to go wrong from each, that are tried: the work is bounded."""
    touches: int = 64
    """Touches kept of an epoch, and epochs of a turn: who plays about with a checker slows nothing
    down."""


@dataclass(frozen=True, slots=True)
class Patience:
    """The tracker's patience and caution.

    `debounce`: a reed has been steady.  `placed`: the hand has let go of a complete play.
    `grace`: a checker set down wrongly stays there.  `one_wrong_in`: by the noise model at most one
    play in so many that are taken without a question is not the one that was made.
    """

    debounce: Us = ms(5)
    placed: Us = ms(150)
    grace: Us = ms(1500)
    one_wrong_in: int = 10_000
    thresholds: Thresholds = Thresholds()


class BoardState(Enum):
    """What the sensors mean, compared with the accepted position and the legal plays."""

    RESTING = "resting"
    IN_HAND = "in hand"
    PLAYED = "played"
    CHOOSE = "choose"
    WRONG = "wrong"
    DISTURBED = "disturbed"


ALARMS = (BoardState.WRONG, BoardState.DISTURBED)
"""The board is to be put right."""


class HeldChecker(NamedTuple):
    """A checker in the hand: its side, its origin, and its targets in the order of the spots."""

    spot: Spot
    side: Side
    targets: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The state of the board at one moment.

    `opened` and `filled` are the spots that show fewer and more checkers than the accepted
    position; where another side's is seen instead, it is both.  `plays` is the play when PLAYED,
    those in question when CHOOSE, first the one that is asked about; IN_HAND, once a part of a play
    is `done`, those that go on from it, and `held` are the checkers in the air next to that part.
    `certain` is False while a checker still in the hand would look the same.  `attempt` is the
    likeliest one when WRONG, its first `fine` moves legal, and `broken` the rule it breaks (None
    without a roll: then nothing may move at all).  `confidence` is how likely the play is the one
    that was made, given that the turn is done, when PLAYED and weighed.
    """

    state: BoardState
    opened: tuple[Spot, ...] = ()
    filled: tuple[Spot, ...] = ()
    plays: tuple[Any, ...] = ()
    certain: bool = False
    attempt: tuple[Move, ...] = ()
    fine: int = 0
    broken: Broken | None = None
    done: tuple[Move, ...] = ()
    held: tuple[HeldChecker, ...] = ()
    confidence: float | None = None

    def asked_after(self, passed_over: int) -> Reading:
        """The same question after so many of its plays were passed over; they come round again."""
        if self.state is not BoardState.CHOOSE or not passed_over:
            return self
        first = passed_over % len(self.plays)
        return replace(self, plays=(*self.plays[first:], *self.plays[:first]))

    @property
    def lifted(self) -> tuple[Spot, ...]:
        """The origins of the checkers in the hand."""
        return tuple(dict.fromkeys(held.spot for held in self.held))

    @property
    def targets(self) -> tuple[Spot, ...]:
        """The legal targets of the checkers in the hand."""
        return tuple(dict.fromkeys(spot for held in self.held for spot in held.targets))
