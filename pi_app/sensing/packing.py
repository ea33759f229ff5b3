"""What the sensors of all spots show, as one whole number: four bits a spot.

Hundreds of results are held against the sensors in a fraction of a millisecond this way.  The
highest of the four bits is a guard: no spot has more than five sensors.
"""

from __future__ import annotations

from operator import getitem
from typing import Any

from pi_app.rules.contract import Game
from pi_app.rules.terms import Spot
from pi_app.sensing.occupancy import BITS, Packed, Watch


class Packing:
    """How one game's positions look to one board's sensors."""

    def __init__(self, watch: Watch, game: Game[Any, Any]) -> None:
        self._shifts = {spot: BITS * number for number, spot in enumerate(watch.spots)}
        self._guard = sum(1 << shift + BITS - 1 for shift in self._shifts.values())
        heights = range(2 * game.checkers_a_side + 1)
        # What each number of checkers on each of the game's spots adds to the picture.
        self._weights = tuple(
            tuple(
                min(height, len(watch.sensors_of.get(spot, ()))) << self._shifts.get(spot, 0)
                for height in heights
            )
            for spot in game.spots
        )
        self._weights_of = dict(zip(game.spots, self._weights, strict=True))

    def show(self, counts: tuple[int, ...]) -> Packed:
        """The picture of so many checkers on each of the game's spots."""
        return Packed(sum(map(getitem, self._weights, counts)))

    def changed(self, shown: Packed, spot: Spot, before: int, after: int) -> Packed:
        """The same picture with another number of checkers on a spot, if the game has it."""
        weights = self._weights_of.get(spot)
        return Packed(shown + weights[after] - weights[before]) if weights else shown

    def is_at_most(self, low: int, high: int) -> bool:
        """Whether no spot shows more in the first picture than in the second."""
        return (high | self._guard) - low & self._guard == self._guard

    def less(self, less: int, more: int) -> int:
        """On how many spots the first picture shows less than the second."""
        return (((less | self._guard) - more & self._guard) ^ self._guard).bit_count()
