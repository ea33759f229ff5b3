"""Whose checkers lie on every spot of a board, as one whole number: six bits a side and spot.

Thousands of placements a second are changed, compared and hashed this way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, NewType

from pi_app.rules.terms import Checkers, Side, Spot

Placement = NewType("Placement", int)
"""How many checkers of each side lie on each spot of a board."""

SIDE_BITS = 6
ONES = (1 << SIDE_BITS) - 1
BOTH_BITS = 2 * SIDE_BITS


class Difference(NamedTuple):
    """So many more checkers of a side on a spot, or fewer."""

    spot: Spot
    side: Side
    more: int


class Placing:
    """How checkers are counted on these spots."""

    def __init__(self, spots: Iterable[Spot]) -> None:
        self._spots = tuple(dict.fromkeys(spots))
        self._shifts = {
            side: {
                spot: BOTH_BITS * number + SIDE_BITS * (side is Side.BLACK)
                for number, spot in enumerate(self._spots)
            }
            for side in Side
        }

    def place(self, checkers: Checkers) -> Placement:
        """The placement of these checkers."""
        shifts = self._shifts
        lying = ((shifts[side][spot], spot) for spot in checkers for side in checkers[spot])
        return Placement(sum([1 << shift for shift, _ in lying]))

    def add(self, placement: Placement, spot: Spot, side: Side, more: int) -> Placement:
        """The same with so many more checkers of a side on a spot, or fewer."""
        return Placement(placement + (more << self._shifts[side][spot]))

    def count(self, placement: Placement, spot: Spot, side: Side) -> int:
        """How many checkers of a side lie on a spot."""
        return placement >> self._shifts[side][spot] & ONES

    def differences(self, before: Placement, after: Placement) -> Iterator[Difference]:
        """Where `after` has more or fewer checkers than `before`, in the order of the spots."""
        changed = before ^ after
        while changed:
            place = ((changed & -changed).bit_length() - 1) // SIDE_BITS
            shift = SIDE_BITS * place
            changed &= ~(ONES << shift)
            spot, side = self._spots[place // 2], Side.BLACK if place % 2 else Side.WHITE
            yield Difference(spot, side, (after >> shift & ONES) - (before >> shift & ONES))
