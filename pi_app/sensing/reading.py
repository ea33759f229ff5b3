"""What the tracker concludes from the sensors, how long it waits and how certain it must be."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from math import log
from typing import Any, NamedTuple

from pi_app.base.microseconds import Us, ms
from pi_app.base.values import dataclass
from pi_app.rules.terms import Broken, Move, Side, Spot


@dataclass(frozen=True, slots=True)
class Thresholds:
    """All numbers besides the noise table that decide; differences of cost are in nats.

    A test shows for each what goes wrong with half of it and with twice as much.
    """

    # Why these are no settings: they belong to the model, not to the hands. Each has scenes in
    # tests/sensing/test_thresholds.py that come out wrong with half of it and with twice as much,
    # and that is how its value was found. The noise table is assumed, not measured, so a threshold
    # must not depend on the exact rates: a rate that is ten times off changes a cost by log(10) =
    # 2.3 nats, while these differences are log(30) to log(2000), 3.4 to 7.6 nats.
    asked: float = log(1000)
    """A question offers no play that is less likely than the best one by more than this factor,
    unless the best one would be the only one."""
    insists: float = log(2000)
    """A second press makes the player's play likelier by this factor."""
    lingers: float = log(30)
    """The cost of holding a checker longer than `Patience.grace` while another is misplaced."""
    illegal: float = 0.04
    """A play is shown only while the odds that something illegal was done instead are lower."""
    held: int = 2
    """The most checkers in a hand, besides those that the turn moves and hits."""
    lands: Us = ms(1500)
    """A lifted checker counts as in the hand for this long, unless a sensor felt it land."""
    hasty: Us = ms(2500)
    """A press sooner than this after a lift may come before the hand has finished a move that no
    sensor feels."""
    steady: Us = ms(300)
    """Messages wait until the sensors have shown the same for this long, because a checker may be
    sliding past."""
    candidates: int = 24
    """The most parts of a turn, and the most illegal continuations of each, that are tried. It
    bounds the work of one judgement."""
    touches: int = 64
    """The most touches kept of an epoch, and epochs of a turn, so that playing about with a checker
    does not slow Spotter down."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the tracker waits, and how certain it must be.

    `debounce`: a reed must be steady this long. `placed`: a complete play must rest this long.
    `grace`: a wrongly placed checker must stay this long before a warning. `one_wrong_in`: by the
    noise model, at most one in this many plays that are accepted without a question is wrong.
    """

    # 5 ms is the longest bounce of the reeds' data sheets (noise.py). 150 ms is longer than a
    # sleeve or a checker that rocks, and leaves a play shown within 300 ms of its last edge. A
    # checker that slides may rest on a foreign spot for 1.1 s, so that a warning before 1.5 s would
    # be false.
    debounce: Us = ms(5)
    placed: Us = ms(150)
    grace: Us = ms(1500)
    one_wrong_in: int = 10_000
    thresholds: Thresholds = Thresholds()


class BoardState(Enum):
    """What the sensors mean, compared with the accepted position and its legal plays."""

    RESTING = "resting"
    IN_HAND = "in hand"
    PLAYED = "played"
    CHOOSE = "choose"
    WRONG = "wrong"
    DISTURBED = "disturbed"


ALARMS = (BoardState.WRONG, BoardState.DISTURBED)
"""The board must be corrected."""


class HeldChecker(NamedTuple):
    """A checker in the hand: its side, its origin, and its targets in the order of the spots."""

    spot: Spot
    side: Side
    targets: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the board means at one moment.

    `opened` and `filled` are the spots that show fewer and more checkers than the accepted
    position; a spot that shows another side's is in both. `plays` depends on the state: the play if
    PLAYED; those in question if CHOOSE, the one asked about first; if IN_HAND with a part of a play
    `done`, those that continue it. `held` are the checkers in the air besides that part. `certain`
    is False while a checker in the hand would look the same. If WRONG, `attempt` is the likeliest
    one, its first `fine` moves are legal, and `broken` is the rule it breaks (None without a roll:
    nothing may move). `confidence` is the probability of the play, given that the turn is done;
    None unless PLAYED and weighed.
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
        """Return the same question after this many of its plays were passed over, in rotation."""
        if self.state is not BoardState.CHOOSE or not passed_over:
            return self
        first = passed_over % len(self.plays)
        return replace(self, plays=(*self.plays[first:], *self.plays[:first]))

    def beginning_with(self, play: Any) -> Reading:
        """Return the same question with this play asked about first."""
        return replace(self, plays=(play, *(other for other in self.plays if other != play)))

    @property
    def lifted(self) -> tuple[Spot, ...]:
        """The origins of the checkers in the hand."""
        return tuple(dict.fromkeys(held.spot for held in self.held))

    @property
    def targets(self) -> tuple[Spot, ...]:
        """The legal targets of the checkers in the hand."""
        return tuple(dict.fromkeys(spot for held in self.held for spot in held.targets))
