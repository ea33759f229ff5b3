"""From sensors to spots: how many checkers a board can see on each, and what fits what it sees.

Four bits a spot make one whole number of what all sensors show: hundreds of results are held
against it in a fraction of a millisecond.  The highest of the four bits is a guard: no spot has
more than five sensors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import getitem
from typing import NewType

from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, Spot
from pi_app.sensing.description import Board, Sensor

Packed = NewType("Packed", int)
"""How many sensors of each spot are closed, four bits a spot."""

BITS = 4


@dataclass(frozen=True)
class Glimpse:
    """For each sensed spot, the number of trusted sensors that are closed and of untrusted ones."""

    closed: tuple[int, ...]
    unseen: tuple[int, ...]

    @cached_property
    def bounds(self) -> tuple[Packed, Packed]:
        """The least and the most checkers per spot that the trusted sensors allow."""
        most = (closed + unseen for closed, unseen in zip(self.closed, self.unseen, strict=True))
        return _packed(self.closed), _packed(most)


def _packed(counts: Iterable[int]) -> Packed:
    return Packed(sum([count << BITS * number for number, count in enumerate(counts)]))


REACH_MM = 45.0
"""A magnet that is slid between spots nearer than this closes both reeds for a moment."""


class Watch:
    """A board's sensed spots.  The places of one spot are interchangeable: only counts matter.

    `off` are the sensors that are set aside or doubted: what they say is not believed.
    """

    def __init__(self, board: Board) -> None:
        self.sensors = board.sensors
        self.spot_of = board.spot_of
        self.sensors_of: Mapping[Spot, tuple[Sensor, ...]] = {
            place.spot: tuple(reed.name for reed in place.reeds)
            for place in board.places
            if place.reeds
        }
        self.spots = tuple(self.sensors_of)
        numbers = {spot: number for number, spot in enumerate(self.spots)}
        self._number = {sensor: numbers[spot] for sensor, spot in self.spot_of.items()}
        self._at = {place.spot: place.at for place in board.places}
        self._near: Mapping[Spot, tuple[Spot, ...]] = {
            spot: tuple(s for s in self.spots if s != spot and self._are_near(s, spot))
            for spot in self.spots
        }

    def expected(self, checkers: Checkers) -> tuple[int, ...]:
        """How many sensors of each spot these checkers close, in the order of `spots`."""
        return tuple(
            min(len(checkers.get(spot, ())), len(self.sensors_of[spot])) for spot in self.spots
        )

    def glimpse(self, closed: frozenset[Sensor], off: frozenset[Sensor]) -> Glimpse:
        """The reading of the trusted sensors."""
        return Glimpse(self._counted(closed - off), self._counted(off))

    def _counted(self, sensors: frozenset[Sensor]) -> tuple[int, ...]:
        """Count these sensors per spot, in the order of `spots`."""
        counts = [0] * len(self.spots)
        for sensor in sensors:
            counts[self._number[sensor]] += 1
        return tuple(counts)

    def misfits(self, expected: tuple[int, ...], seen: Glimpse) -> tuple[Spot, ...]:
        """The spots whose trusted sensors contradict the expectation."""
        if seen.closed == expected:
            return ()
        return tuple(
            spot
            for spot, count, closed, unseen in zip(
                self.spots, expected, seen.closed, seen.unseen, strict=True
            )
            if not count - unseen <= closed <= count
        )

    def lacking(
        self, expected: tuple[int, ...], seen: Glimpse
    ) -> tuple[tuple[Spot, ...], tuple[Spot, ...]]:
        """The spots that show fewer and more checkers than expected, repeated per checker."""
        fewer: list[Spot] = []
        more: list[Spot] = []
        rows = zip(self.spots, expected, seen.closed, seen.unseen, strict=True)
        for spot, count, closed, unseen in rows:
            fewer += [spot] * (count - closed - unseen)
            more += [spot] * (closed - count)
        return tuple(fewer), tuple(more)

    def near(self, spot: Spot) -> tuple[Spot, ...]:
        """The spots close enough that a magnet sliding between them closes both reeds."""
        return self._near[spot]

    def _are_near(self, first: Spot, second: Spot) -> bool:
        (x1, y1), (x2, y2) = self._at[first], self._at[second]
        return bool((x1 - x2) ** 2 + (y1 - y2) ** 2 < REACH_MM**2)

    def put_right(
        self, expected: tuple[int, ...], closed: frozenset[Sensor], off: frozenset[Sensor]
    ) -> tuple[tuple[Sensor, ...], tuple[Sensor, ...]]:
        """The sensors to close and those to open to match the expectation."""
        fill: list[Sensor] = []
        clear: list[Sensor] = []
        misfits = self.misfits(expected, self.glimpse(closed, off))
        for spot, count in zip(self.spots, expected, strict=True):
            if spot in misfits:
                believed = [sensor for sensor in self.sensors_of[spot] if sensor not in off]
                shut = [sensor for sensor in believed if sensor in closed]
                free = [sensor for sensor in believed if sensor not in closed]
                fill += free[: max(0, count - len(shut))]
                clear += shut[count:]
        return tuple(fill), tuple(clear)


ONES = (1 << BITS) - 1


class Packing:
    """Converts one game's positions to the pictures of one board's sensors."""

    def __init__(self, watch: Watch, game: AnyGame) -> None:
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
        self._spots = watch.spots

    def show(self, counts: tuple[int, ...]) -> Packed:
        """The picture of these numbers of checkers on the game's spots."""
        return Packed(sum(map(getitem, self._weights, counts)))

    def one(self, spot: Spot) -> int:
        """One more checker on a spot with sensors; 0 for any other."""
        return 1 << self._shifts[spot] if spot in self._shifts else 0

    def at(self, shown: int, spot: Spot) -> int:
        """The number of checkers that a picture shows on a spot."""
        return shown >> self._shifts[spot] & ONES if spot in self._shifts else 0

    def missing(self, more: int, less: int) -> tuple[Spot, ...]:
        """The spots with fewer checkers in the second picture, repeated per checker."""
        found: list[Spot] = []
        changed = more ^ less
        while changed:
            shift = ((changed & -changed).bit_length() - 1) // BITS * BITS
            changed &= ~(ONES << shift)
            fewer = (more >> shift & ONES) - (less >> shift & ONES)
            found += [self._spots[shift // BITS]] * max(fewer, 0)
        return tuple(found)

    def is_at_most(self, low: int, high: int) -> bool:
        """Whether no spot shows more in the first picture than in the second."""
        return (high | self._guard) - low & self._guard == self._guard

    def less(self, less: int, more: int) -> int:
        """The number of spots that show less in the first picture than in the second."""
        return (((less | self._guard) - more & self._guard) ^ self._guard).bit_count()
