"""The hidden states behind the touches: what lies where, what is aloft, which contacts mislead."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from math import log
from typing import NamedTuple

from pi_app.microseconds import Us
from pi_app.rules.terms import Side, Spot, SpotKind
from pi_app.sensing.description import Sensor
from pi_app.sensing.noise import Noise, NoiseModel
from pi_app.sensing.occupancy import Watch
from pi_app.sensing.placing import Difference, Placement, Placing

BOX = Spot(SpotKind.BOX)
LONG_AGO = Us(0)
"""The time of what is too long ago to matter: stories that differ by nothing else are one."""


class Aloft(NamedTuple):
    """A piece in somebody's hand: whose, from where, since when, and for how many it counts.

    `sensor` felt it last, `fresh` tells that it had been moved before, and `waits` that another was
    moved since.
    """

    side: Side
    origin: Spot
    us: Us = LONG_AGO
    height: int = 1
    sensor: Sensor | None = None
    fresh: bool = False
    waits: bool = False


class Owed(NamedTuple):
    """A piece that was set down and that nobody has seen being lifted.

    It was taken where nobody sees it; or it is just being `pushed` to the target from a
    neighbouring place, of the same spot if it is `shifted`; or the reed is `late` that it has left.
    """

    side: Side
    target: Spot | None = None
    us: Us = LONG_AGO
    height: int = 1
    pushed: bool = False
    late: bool = False
    shifted: bool = False


class FalseContact(NamedTuple):
    """A contact that does not show what lies over it: closed over nothing, or open beneath.

    `sensor` is None where any of the spot's may be the one; `paid`: that it lasts is reckoned.
    """

    spot: Spot
    sensor: Sensor | None
    us: Us
    closed: bool
    paid: bool = False


class Hypothesis(NamedTuple):
    """One story of what the hands did: where it has led and what it has cost.

    `laid` is whose piece came to lie on which sensor and when, and `back` tells that the last one
    was put back and not moved while others were still in the hand.
    `wrong` is where something was put that no legal play puts there.
    """

    cost: float
    placement: Placement
    aloft: tuple[Aloft, ...] = ()
    owed: tuple[Owed, ...] = ()
    lies: tuple[FalseContact, ...] = ()
    laid: tuple[tuple[Sensor, Side, Us], ...] = ()
    back: bool = False
    wrong: Spot | None = None


class Terrain:
    """What a beam knows of the board: spots, reeds, which of them are believed, and the rates.

    `which` is what it costs that it was one certain checker of all those on the board, `broken`
    that a certain one was moved wrongly.
    """

    def __init__(
        self, watch: Watch, placing: Placing, noise: NoiseModel, tallest: int, checkers: int
    ) -> None:
        self.watch, self.placing, self.noise, self.tallest = watch, placing, noise, tallest
        self.which = log(checkers)
        self.broken = noise.cost(Noise.SINGLE) + self.which + log(len(watch.spots))
        self.exchanged = 2 * noise.cost(Noise.FAST) + self.which
        self._reeds = {spot: len(sensors) for spot, sensors in watch.sensors_of.items()}
        self._doubtful: frozenset[Spot] = frozenset()

    def doubt(self, off: Collection[Sensor]) -> None:
        """These sensors are not believed: on their spots checkers come and go unseen."""
        self._doubtful = frozenset(self.watch.spot_of[sensor] for sensor in off)

    def reeds(self, spot: Spot) -> int:
        """How many sensors a spot has."""
        return self._reeds.get(spot, 0)

    def height(self, placement: Placement, spot: Spot) -> int:
        """How many checkers lie on a spot."""
        count = self.placing.count
        return count(placement, spot, Side.WHITE) + count(placement, spot, Side.BLACK)

    def is_hidden(self, placement: Placement, spot: Spot) -> bool:
        """Whether a checker comes there unseen: on a tray, or above the reeds."""
        reeds = self.reeds(spot)
        blind = not reeds or spot in self._doubtful
        return blind or 1 < reeds <= self.height(placement, spot)

    def hides(self, placement: Placement, spot: Spot, side: Side) -> int:
        """How many checkers of a side may be taken from there unseen."""
        there = self.placing.count(placement, spot, side)
        reeds = self.reeds(spot)
        if not reeds or spot in self._doubtful:
            return there
        return min(there, max(self.height(placement, spot) - reeds, 0)) if reeds > 1 else 0

    def distance(self, story: Hypothesis, goal: Placement) -> float:
        """What it costs that the board stands so, by lifts and drops that no sensor saw."""
        noise, cost, missed, dropped = self.noise, 0.0, 0.0, 0
        last = Difference(BOX, Side.WHITE, 0)
        for difference in self.placing.differences(story.placement, goal):
            spot, _, more = difference
            dropped += max(more, 0)
            reeds = self.reeds(spot)
            if not reeds or spot in self._doubtful:
                continue
            before = self.height(story.placement, spot)
            if spot == last.spot and more * last.more < 0:
                # One in the place of another: where a reed feels it, too fast for it to open.
                cost += self.exchanged - missed if missed else 0.0
                continue
            if more > 0:
                felt = min(more, max(reeds - before, 0)) if reeds > 1 else more
            else:
                felt = min(-more, max(reeds - (before + more), 0)) if reeds > 1 else -more
            what = Noise.MISSED_CLOSING if more > 0 else Noise.MISSED_OPENING
            missed, last = felt * noise.cost(what), difference
            cost += missed
        left = sum(piece.height for piece in story.aloft) - dropped
        if left > 0:
            # Some go back to where they came from unseen; else what is owed was set down before
            # these were seen being lifted.
            back = min(left, len(story.owed))
            cost += 0.0 if story.wrong else back * noise.cost(Noise.CHANGE_OF_MIND)
            cost += (left - back) * noise.cost(Noise.MISSED_OPENING)
        return cost


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn begins with: who moves, what is accepted, and where checkers may go unseen.

    `victims_home` is where a checker of the opponent's goes that is hit, `beneath` whose checker is
    pinned on a spot.  `hits` are the spots where a legal play hits, `arrivals` whose checkers may
    come where from a hidden spot, by a legal play or to be back where they were.  `leads` tells
    whether a legal play takes a checker from one spot to another; None is any spot.
    """

    board: Terrain
    mover: Side
    accepted: Placement
    hidden: tuple[Spot, ...]
    victims_home: Spot
    beneath: Mapping[Spot, Side]
    hits: frozenset[Spot]
    arrivals: frozenset[tuple[Spot, Side]]
    rolled: bool
    leads: Callable[[Spot | None, Spot], bool]
    _hiding: dict[tuple[Placement, Side], int] = field(default_factory=dict)

    def hiding(self, placement: Placement, side: Side) -> int:
        """How many checkers of a side may be taken unseen."""
        known = self._hiding.get((placement, side))
        if known is None:
            known = sum(self.board.hides(placement, spot, side) for spot in self.hidden)
            self._hiding[placement, side] = known
        return known
