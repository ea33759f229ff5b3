"""What hands do at a board besides the play: checkers are set straight, by whoever likes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from lab.hands import Hands, Script
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side, Spot
from pi_app.sensing.noise import Noise


class Occasion(Enum):
    """When it is done, next to the play."""

    BEFORE = "before"
    IN_THE_AIR = "with a checker of the play in the air"
    BETWEEN = "between two of its checkers"


class Fidgets:
    """What becomes of one turn's noise that moves no checker from spot to spot."""

    def __init__(self, game: AnyGame, hands: Hands, rng: random.Random) -> None:
        self._game, self._hands, self._rng = game, hands, rng

    def of_turn(self, mover: Side) -> Mapping[Occasion, Script]:
        """What is done when in a turn; what is not begun is not done."""
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
            occasion = self._rng.choice(tuple(Occasion))
            found[occasion].append(
                self._on_any(hands.adjust, lambda spot: self._topped_by(spot, mover.other))
            )
        return {occasion: in_turn(scripts) for occasion, scripts in found.items() if scripts}

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
        return 0 < len(free) < len(checkers.sensors_of(spot))

    def _topped_by(self, spot: Spot, side: Side) -> bool:
        pieces = self._hands.checkers.pieces(spot)
        return bool(pieces and pieces[-1].side is side and self._hands.checkers.sensors_of(spot))


def in_turn(scripts: Sequence[Script]) -> Script:
    """One after the other."""
    for script in scripts:
        yield from script
