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
    """For each sensed spot, how many believed sensors are closed and how many are not believed."""

    closed: tuple[int, ...]
    unseen: tuple[int, ...]

    @cached_property
    def bounds(self) -> tuple[Packed, Packed]:
        """The least and the most that may lie on each spot, as far as the believed sensors tell."""
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
        """What the believed sensors show."""
        return Glimpse(self._counted(closed - off), self._counted(off))

    def _counted(self, sensors: frozenset[Sensor]) -> tuple[int, ...]:
        """How many of these each spot has, in the order of `spots`."""
        counts = [0] * len(self.spots)
        for sensor in sensors:
            counts[self._number[sensor]] += 1
        return tuple(counts)

    def misfits(self, expected: tuple[int, ...], seen: Glimpse) -> tuple[Spot, ...]:
        """The spots whose believed sensors contradict what is expected."""
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
        """The spots that show fewer and more checkers than expected, once for each checker."""
        fewer: list[Spot] = []
        more: list[Spot] = []
        rows = zip(self.spots, expected, seen.closed, seen.unseen, strict=True)
        for spot, count, closed, unseen in rows:
            fewer += [spot] * (count - closed - unseen)
            more += [spot] * (closed - count)
        return tuple(fewer), tuple(more)

    def near(self, spot: Spot) -> tuple[Spot, ...]:
        """The other spots from which a magnet that is slid here closes both reeds on its way."""
        return self._near[spot]

    def _are_near(self, first: Spot, second: Spot) -> bool:
        (x1, y1), (x2, y2) = self._at[first], self._at[second]
        return bool((x1 - x2) ** 2 + (y1 - y2) ** 2 < REACH_MM**2)

    def put_right(
        self, expected: tuple[int, ...], closed: frozenset[Sensor], off: frozenset[Sensor]
    ) -> tuple[tuple[Sensor, ...], tuple[Sensor, ...]]:
        """The sensors that should close and those that should open to fit what is expected."""
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
    """How one game's positions look to one board's sensors."""

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
        """The picture of so many checkers on each of the game's spots."""
        return Packed(sum(map(getitem, self._weights, counts)))

    def one(self, spot: Spot) -> int:
        """One checker more on a spot that has sensors; 0 on any other."""
        return 1 << self._shifts[spot] if spot in self._shifts else 0

    def at(self, shown: int, spot: Spot) -> int:
        """How many checkers a picture shows on a spot."""
        return shown >> self._shifts[spot] & ONES if spot in self._shifts else 0

    def missing(self, more: int, less: int) -> tuple[Spot, ...]:
        """The spots that show fewer checkers in the second picture, once for each of them."""
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
        """On how many spots the first picture shows less than the second."""
        return (((less | self._guard) - more & self._guard) ^ self._guard).bit_count()
