"""From sensors to spots: how many checkers a board can see on each, and which positions fit.

If sensors tell whose checker is on them, each side's are counted separately. All counts are packed
into one int, four bits each, so that hundreds of results are compared with what the sensors show in
a fraction of a millisecond. The highest of the four bits is a guard bit: a spot has at most five
places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import permutations, product, starmap
from math import dist
from operator import getitem, mul
from typing import Any, NamedTuple, NewType

from pi_app.base.values import dataclass
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Both, Checkers, Side, Spot, Stack
from pi_app.sensing.description import Board, Sensor

Packed = NewType("Packed", int)
"""How many sensors are closed in each count, four bits a count."""

BITS = 4


class SpotSide(NamedTuple):
    """The checkers of a spot that are counted together: one side's if the sensors tell sides apart,
    else all."""

    spot: Spot
    side: Side | None


@dataclass(frozen=True)
class SeenCounts:
    """For each count of `SensedSpots.counted`: how many trusted sensors are closed, and how many
    sensors are untrusted."""

    closed: tuple[int, ...]
    unseen: tuple[int, ...]

    @cached_property
    def bounds(self) -> tuple[Packed, Packed]:
        """The fewest and the most checkers per count that the trusted sensors allow."""
        most = (closed + unseen for closed, unseen in zip(self.closed, self.unseen, strict=True))
        return _packed(self.closed), _packed(most)


def _packed(counts: Iterable[int]) -> Packed:
    return Packed(sum([count << BITS * number for number, count in enumerate(counts)]))


NEAR = 1.5
"""Spots whose sensors are nearer than this many diameters of a spot are next to each other."""


class SensedSpots:
    """A board's sensed spots. The places of one spot are interchangeable: only counts matter.

    `counted` names the counts and `sensors` has the sensors of each, in the same order. `places` is
    the number of sensed places of each spot, `names` has their names. The argument `off` is the
    untrusted sensors, which are ignored.
    """

    def __init__(self, board: Board) -> None:
        self.spot_of = board.spot_of
        self.tells_sides = board.tells_sides
        self.names: Mapping[Spot, tuple[Sensor, ...]] = {
            place.spot: tuple(reed.name for reed in place.reeds)
            for place in board.places
            if place.reeds
        }
        self.places: Mapping[Spot, int] = {spot: len(own) for spot, own in self.names.items()}
        sides = tuple(Side) if board.tells_sides else (None,)
        self.counted = tuple(SpotSide(spot, side) for spot in self.places for side in sides)
        self.sensors = tuple(
            tuple(reed.closed_by(side or Side.WHITE) for reed in board.place(spot).reeds)
            for spot, side in self.counted
        )
        self._number = {name: number for number, own in enumerate(self.sensors) for name in own}
        # Between which spots a checker can be pushed.
        self.near = frozenset(
            (place.spot, other.spot)
            for place, other in permutations(board.places, 2)
            if any(
                dist(one.at, another.at) < NEAR * board.spot_diameter
                for one, another in product(place.reeds, other.reeds)
            )
        )

    def expected(self, checkers: Checkers) -> tuple[int, ...]:
        """How many sensors these checkers close, in the order of `counted`."""
        felt = [checkers.get(spot, ())[:places] for spot, places in self.places.items()]
        if self.tells_sides:
            return tuple(stack.count(side) for stack in felt for side in Side)
        return tuple(map(len, felt))

    def seen(self, closed: frozenset[Sensor], off: frozenset[Sensor]) -> SeenCounts:
        """Count the closed sensors that are trusted, and the untrusted ones."""
        return SeenCounts(self._count(closed - off), self._count(off))

    def _count(self, sensors: frozenset[Sensor]) -> tuple[int, ...]:
        """Count these sensors, in the order of `counted`."""
        counts = [0] * len(self.counted)
        for sensor in sensors:
            counts[self._number[sensor]] += 1
        return tuple(counts)

    def misfits(self, expected: tuple[int, ...], seen: SeenCounts) -> tuple[Spot, ...]:
        """Return the spots whose trusted sensors contradict these counts."""
        if seen.closed == expected:
            return ()
        rows = zip(self.counted, expected, seen.closed, seen.unseen, strict=True)
        return spots_of(
            own for own, count, closed, unseen in rows if not count - unseen <= closed <= count
        )

    def lacking(
        self, expected: tuple[int, ...], seen: SeenCounts
    ) -> tuple[tuple[SpotSide, ...], tuple[SpotSide, ...]]:
        """Return what shows fewer and what shows more checkers than expected, once per checker."""
        fewer: list[SpotSide] = []
        more: list[SpotSide] = []
        rows = zip(self.counted, expected, seen.closed, seen.unseen, strict=True)
        for own, count, closed, unseen in rows:
            fewer += [own] * (count - closed - unseen)
            more += [own] * (closed - count)
        return tuple(fewer), tuple(more)

    def put_right(
        self, expected: tuple[int, ...], closed: frozenset[Sensor], off: frozenset[Sensor]
    ) -> tuple[tuple[Sensor, ...], tuple[Sensor, ...]]:
        """Return the sensors that must close and those that must open to match these counts."""
        fill: list[Sensor] = []
        clear: list[Sensor] = []
        for count, sensors in zip(expected, self.sensors, strict=True):
            believed = [sensor for sensor in sensors if sensor not in off]
            shut = [sensor for sensor in believed if sensor in closed]
            free = [sensor for sensor in believed if sensor not in closed]
            if not count - (len(sensors) - len(believed)) <= len(shut) <= count:
                fill += free[: max(0, count - len(shut))]
                clear += shut[count:]
        return tuple(fill), tuple(clear)


def spots_of(found: Iterable[SpotSide]) -> tuple[Spot, ...]:
    """Return the spots of these, each once."""
    return tuple(dict.fromkeys([own.spot for own in found]))


ONES = (1 << BITS) - 1


class Packing:
    """Converts one game's positions to the counts of one board's sensors."""

    def __init__(self, sensed: SensedSpots, game: AnyGame) -> None:
        self._sensed, self._game = sensed, game
        shifts = {own: BITS * number for number, own in enumerate(sensed.counted)}
        self._guard = sum(1 << shift + BITS - 1 for shift in shifts.values())
        self._shifts = Both.of(
            lambda side: {own.spot: at for own, at in shifts.items() if own.side in (None, side)}
        )
        # What each stack adds to the picture, kept for those that have been met; and what each
        # number of a side's checkers on each of the game's spots does.
        self._stacks: dict[tuple[Spot, Stack], int] = {}
        heights = range(2 * game.checkers_a_side + 1)
        self._weights = Both.of(
            lambda side: tuple(
                tuple(self.stack(spot, (side,) * height) for height in heights)
                for spot in game.spots
            )
        )

    def show(self, position: Any) -> Packed:
        """Return the counts of a position."""
        game, weights = self._game, self._weights
        if not self._sensed.tells_sides:
            return Packed(sum(map(getitem, weights.white, game.counts(position))))
        white, black = (game.counts_of(position, side) for side in Side)
        if any(map(mul, white, black)):  # which of both have a place depends on their order
            return Packed(sum(starmap(self.stack, game.checkers_at(position).items())))
        own = sum(map(getitem, weights.white, white))
        return Packed(own + sum(map(getitem, weights.black, black)))

    def stack(self, spot: Spot, stack: Stack) -> int:
        """Return what a stack adds to the counts."""
        known = self._stacks.get((spot, stack))
        if known is None:
            felt = stack[: self._sensed.places.get(spot, 0)]
            known = self._stacks[spot, stack] = sum(self.one(spot, side) for side in felt)
        return known

    def fits(self, low: int, spot: Spot, stack: Stack, high: int) -> bool:
        """Whether the sensors closed by this stack lie between `low` and `high`."""
        shown = self.stack(spot, stack)
        mask = ONES * (self.one(spot, Side.WHITE) | self.one(spot, Side.BLACK))
        return self.is_at_most(low & mask, shown) and self.is_at_most(shown, high & mask)

    def one(self, spot: Spot, side: Side) -> int:
        """Return what one more checker of a side adds on a spot; 0 if the spot has no sensors."""
        shifts = self._shifts[side]
        return 1 << shifts[spot] if spot in shifts else 0

    def at(self, shown: int, spot: Spot, side: Side) -> int:
        """The number of checkers counted on a spot; only this side's if the sensors tell sides
        apart."""
        shifts = self._shifts[side]
        return shown >> shifts[spot] & ONES if spot in shifts else 0

    def total(self, shown: int, spot: Spot) -> int:
        """The number of checkers counted on a spot."""
        sides = Side if self._sensed.tells_sides else (Side.WHITE,)
        return sum(self.at(shown, spot, side) for side in sides)

    def missing(self, more: int, less: int) -> tuple[SpotSide, ...]:
        """Return what has fewer checkers in `less` than in `more`, once per checker."""
        found: list[SpotSide] = []
        changed = more ^ less
        while changed:
            shift = ((changed & -changed).bit_length() - 1) // BITS * BITS
            changed &= ~(ONES << shift)
            fewer = (more >> shift & ONES) - (less >> shift & ONES)
            found += [self._sensed.counted[shift // BITS]] * max(fewer, 0)
        return tuple(found)

    def is_at_most(self, low: int, high: int) -> bool:
        """Whether no count of `low` is greater than in `high`."""
        return (high | self._guard) - low & self._guard == self._guard

    def less(self, less: int, more: int) -> int:
        """The number of counts that are lower in `less` than in `more`."""
        return (((less | self._guard) - more & self._guard) ^ self._guard).bit_count()
