"""What people do at a board that the noise model does not price: their manners."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import astuple, dataclass
from enum import Enum

from lab.hands import KEPT, Habits, Hands, Script, in_turn
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side, Spot
from pi_app.sensing.noise import MOST, Noise, NoiseModel

TWICE = 0.25
"""How often two checkers are set straight instead of one."""
MOST_HOVERS = 3
"""Touches in a row of fingers that hover over the checkers."""


@dataclass(frozen=True, slots=True)
class TableManners:
    """How often, as shares from 0 to 1 of turns; all zero: nobody has any.

    `straightens`: somebody sets a checker straight, of the pauses of a turn: with a checker in the
    air, between two, before the press. `hovers`: checkers are touched and put back, up to three.
    `half_presses`: the button is pressed with a part of the turn at rest. `corrects`: a checker is
    set down wrongly and moved straight on to where the play leads. `begins_early`: the opponent
    takes a checker of his before the play is handed over.
    """

    straightens: float = 0.0
    hovers: float = 0.0
    half_presses: float = 0.0
    corrects: float = 0.0
    begins_early: float = 0.0


NO_MANNERS = TableManners()
USUAL = TableManners(0.01, 0.02, 0.005, 0.01, 0.01)
"""Assumed, as most rates of the noise model are."""


def draw_manners(rng: random.Random) -> TableManners:
    """Strangers' manners: each between a tenth and ten times of the usual."""
    return TableManners(*(share * 10 ** rng.uniform(-1, 1) for share in astuple(USUAL)))


def draw_strange(noise: NoiseModel, rng: random.Random) -> tuple[Habits, NoiseModel, TableManners]:
    """People to measure with only: no rate and no time is drawn as those of strangers are.

    Each kind of noise is log-normal about its usual rate.  Each of the manners is exponential, with
    a mean of one turn in twenty-five.
    """
    shares = {
        what: min(rate.share * rng.lognormvariate(0, 1.3), MOST)
        for what, rate in noise.rates.items()
        if what not in KEPT
    }
    habits = Habits(
        think=rng.betavariate(1, 9),
        fast=rng.betavariate(2, 4),
        gap=rng.betavariate(1, 4),
        outermost=rng.betavariate(4, 2),
        speed=rng.lognormvariate(0, 0.35),
        skew=rng.lognormvariate(0.3, 0.5),
    )
    manners = (min(rng.expovariate(25), MOST) for _ in astuple(USUAL))
    return habits, noise.but(shares), TableManners(*manners)


class Occasion(Enum):
    """When it is done, next to the play."""

    BEFORE = "before"
    IN_THE_AIR = "with a checker of the play in the air"
    BETWEEN = "between two of its checkers"
    AFTER = "before it is handed over"


class Fidgets:
    """What is touched in a turn and moved nowhere: noise, and manners.

    `spared` are the spots of the play, where nobody sets anything straight.  `odd` tells whether
    manners had a part in the turn.
    """

    def __init__(
        self, game: AnyGame, hands: Hands, rng: random.Random, manners: TableManners = NO_MANNERS
    ) -> None:
        self._game, self._hands, self._rng, self._manners = game, hands, rng, manners
        self.spared: Collection[Spot] = ()
        self.odd = False

    def of_turn(self, mover: Side) -> Mapping[Occasion, Script]:
        """The acts of a turn in time; acts not begun are dropped."""
        hands = self._hands
        found: dict[Occasion, list[Script]] = {occasion: [] for occasion in Occasion}
        if hands.happens(Noise.ADJUST):
            found[Occasion.BEFORE].append(self._on_any(hands.adjust, self._taken))
        if hands.happens(Noise.ADJUST_BETWEEN):
            found[Occasion.BETWEEN].append(self._on_any(hands.adjust, self._taken))
        if hands.happens(Noise.SHIFT):
            occasion = self._rng.choice((Occasion.BEFORE, Occasion.BETWEEN))
            found[occasion].append(self._on_any(hands.shift, self._roomy))
        if hands.happens(Noise.OTHER_HAND):
            occasion = self._rng.choice(tuple(Occasion)[:3])
            found[occasion].append(
                self._on_any(hands.adjust, lambda spot: self._topped_by(spot, mover.other))
            )
        for occasion, scripts in self._of_manners().items():
            found[occasion] += scripts
        return {occasion: in_turn(scripts) for occasion, scripts in found.items() if scripts}

    def _of_manners(self) -> Mapping[Occasion, list[Script]]:
        """What is straightened within the play, and what hovering fingers touch."""
        hands, found = self._hands, {occasion: list[Script]() for occasion in Occasion}
        for occasion in (Occasion.IN_THE_AIR, Occasion.BETWEEN, Occasion.AFTER):
            if hands.does(self._manners.straightens):
                times = 2 if hands.chance(TWICE) else 1
                found[occasion] += [
                    self._on_any(hands.adjust, self._is_spare) for _ in range(times)
                ]
        if hands.does(self._manners.hovers):
            occasion = self._rng.choice(tuple(Occasion))
            times = self._rng.randint(1, MOST_HOVERS)
            found[occasion] += [self._on_any(hands.adjust, self._taken) for _ in range(times)]
        self.odd = any(found.values())
        return found

    def _is_spare(self, spot: Spot) -> bool:
        return spot not in self.spared and bool(self._hands.checkers.pieces(spot))

    def _on_any(self, do: Callable[[Spot], Script], fits: Callable[[Spot], bool]) -> Script:
        """Do it on a spot that fits when its time has come."""
        spots = [spot for spot in self._game.spots if fits(spot)]
        if spots:
            yield from do(self._rng.choice(spots))

    def _taken(self, spot: Spot) -> bool:
        return bool(self._hands.checkers.at(spot))

    def _roomy(self, spot: Spot) -> bool:
        """Whether a checker lies there on a place and may lie on another."""
        checkers = self._hands.checkers
        free = checkers.free(spot)
        return 0 < len(free) < len(checkers.places_of(spot))

    def _topped_by(self, spot: Spot, side: Side) -> bool:
        pieces = self._hands.checkers.pieces(spot)
        return bool(pieces and pieces[-1].side is side and self._hands.checkers.sensors_of(spot))
