"""What the magnets of a board do: to its reeds, and to each other; and what they must do.

Every demand is made of the worst: checkers shifted as far as their spots and hands let them, the
wood as thick as it comes, the weakest magnet for the own reed and the strongest for the others',
every checker that the games have lying where it does most, on top of others too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import product
from math import cos, dist, hypot, pi, sin
from typing import TypeAlias

from hardware.make.magnetics import BentReed, DiscMagnet, Spatial, drive, force
from hardware.make.parts import Parts
from hardware.make.places import Lie, lies, places_of, step, trays
from hardware.make.shapes import PointMm
from pi_app.sensing.description import Board, Sensor

DOUBT = 2.0
"""A reed may be so many times deafer, or keener, than the model has it."""
SPARE = 1.5
"""What our own boards have beyond that, in every demand."""
CARRIED_MM = 10.0
FAR_MM = 160.0
"""Magnets farther from a reed than this are left out; all together they do not do 0.01 AT."""
TURNS, OWN_TURNS = 8, 16
NEIGHBOURS_IN_LINE = 9
STOREYS = 3
"""Nobody piles checkers higher: fifteen on a point of five places, six on the bar's two."""
GRAVITY, NEODYMIUM_G = 9.81, 7.5e-3
"""In m/s²; the weight of a mm³ of a magnet, in g."""


_Gain: TypeAlias = tuple[float, int]
"""What checkers drive a reed, and how many they are."""


class MagnetRule(Enum):
    """What is demanded of the magnets of a board."""

    OWN = "own"
    NEXT = "next"
    ALL = "all"
    STACKED = "stacked"
    PUSH = "push"
    CARRIED = "carried"
    LOBE = "lobe"
    """Of Hall sensors alone: a checker beside its place must not be taken for the other side's."""


REED_RULES = tuple(rule for rule in MagnetRule if rule is not MagnetRule.LOBE)


@dataclass(frozen=True, slots=True)
class Demand:
    """A figure of the model and its limit: an upper one, but for the own reed's."""

    rule: MagnetRule
    value: float
    limit: float

    @property
    def spare(self) -> float:
        """How many times better than it must be; under 1 the board does not work."""
        if self.rule is MagnetRule.OWN:
            return self.value / self.limit
        return self.limit / self.value if self.value else float("inf")


@dataclass(frozen=True, slots=True)
class MagnetSetup:
    """What is alike for every place of a board: magnets, reed and heights in mm, weight in N."""

    weak: DiscMagnet
    strong: DiscMagnet
    reed: BentReed
    height: float
    storey: float
    shift: float
    wood: float
    diameter: float
    weight: float


@dataclass(frozen=True, slots=True)
class Reached:
    """The figures of a board, in ampere-turns and newtons; the demands in the order of the rules.
    Of Hall sensors they are in millitesla.

    `offset` is from a checker's middle to its reed's, in mm.  `middle`, `least` and `most` are the
    own magnet's drive with its checker in the middle of the spot and over all that may shift it;
    `nearest` is the reed that feels one neighbour most, and where that lies.
    """

    setup: MagnetSetup
    offset: float
    middle: float
    least: float
    most: float
    nearest: tuple[Sensor, PointMm]
    demands: tuple[Demand, ...]
    unit: str = "AT"

    def of(self, rule: MagnetRule) -> Demand:
        """The demand of a rule."""
        return next(demand for demand in self.demands if demand.rule is rule)

    @property
    def spare(self) -> float:
        """The least of all demands."""
        return min(demand.spare for demand in self.demands)


@dataclass(frozen=True, slots=True)
class Heap:
    """Where the checkers of one spot lie, in the order in which they come: middle and storey."""

    sites: tuple[tuple[PointMm, int], ...]


def setup_of(board: Board, parts: Parts) -> MagnetSetup:
    """The magnets, the reed, and how they lie on a board with these parts."""
    measures, known = parts.measures, parts.magnetics
    diameter = board.spot_diameter - measures.checker_gap
    weak, strong = (
        DiscMagnet(*measures.magnet, remanence)
        for remanence in (known.remanence_least, known.remanence_most)
    )
    wood = pi * diameter**2 / 4 * measures.checker_height - weak.volume
    grams = wood * known.density * 1e-3 + weak.volume * NEODYMIUM_G
    return MagnetSetup(
        weak=weak,
        strong=strong,
        reed=BentReed(measures.span, measures.leg, measures.leads),
        height=measures.felt + measures.top + measures.glass[1] / 2,
        storey=measures.checker_height + measures.felt,
        shift=measures.checker_gap / 2 + known.hands,
        wood=known.wood,
        diameter=diameter,
        weight=grams * 1e-3 * GRAVITY,
    )


def reached(board: Board, parts: Parts, storeys: int = STOREYS, mixed: bool = False) -> Reached:
    """All figures of a board, with checkers piled so high, the same pole up in all or mixed in the
    worst way."""
    setup, known = setup_of(board, parts), parts.magnetics
    heaps = tuple(heaps_of(board, parts, storeys))
    all_lies = lies(board, parts.measures)
    felt = _all_felt(all_lies, setup, heaps, count(board), mixed)
    owns = [_own(lie, setup) for lie in all_lies]
    everything = max(one.together for one in felt)
    lie, nearest = max(zip(all_lies, felt, strict=True), key=lambda pair: round(pair[1].next, 6))
    least = min(own[0] for own in owns)
    return Reached(
        setup,
        offset=round(min(hypot(*lie.reed.offset) for lie in all_lies), 3),
        middle=min(own[1] for own in owns),
        least=least,
        most=max(own[2] for own in owns),
        nearest=(lie.reed.name, nearest.site),
        demands=(
            Demand(MagnetRule.OWN, least - everything, DOUBT * known.pull_in),
            Demand(MagnetRule.NEXT, nearest.next, known.drop_out / DOUBT),
            Demand(MagnetRule.ALL, everything, known.drop_out / DOUBT),
            *forces(setup, known.friction),
        ),
    )


def forces(setup: MagnetSetup, friction: float) -> tuple[Demand, ...]:
    """What checkers do to each other: one on another, one pushed by a row, one carried above."""
    pull, carried = (
        -force(setup.strong, setup.strong, Spatial(0, 0, setup.storey + above)).z
        for above in (0.0, CARRIED_MM)
    )
    return (
        Demand(MagnetRule.STACKED, pull, setup.weight),
        Demand(MagnetRule.PUSH, _push_in_line(setup), friction * setup.weight),
        Demand(MagnetRule.CARRIED, carried, setup.weight),
    )


def _push_in_line(setup: MagnetSetup) -> float:
    """Return the force on the last of a row of touching checkers, in N."""
    return sum(
        force(setup.strong, setup.strong, Spatial(place * setup.diameter, 0, 0)).x
        for place in range(1, NEIGHBOURS_IN_LINE + 1)
    )


def _own(lie: Lie, setup: MagnetSetup) -> tuple[float, float, float]:
    """Return the least, the middle and the greatest drive of the own magnet, in AT, over all places
    where its checker may lie."""
    weaker = setup.weak.remanence / setup.strong.remanence
    along, aside = seen(lie, lie.reed.at)
    least = _ring(setup, along, aside, setup.height + setup.wood, OWN_TURNS)
    most = _ring(setup, along, aside, setup.height - setup.wood, OWN_TURNS)
    middle, nearer = (
        drive(setup.strong, setup.reed, along, abs(aside), round(height, 3))
        for height in (setup.height, setup.height - setup.wood)
    )
    return weaker * min(least), weaker * middle, max(nearer, *most)


def seen(lie: Lie, at: PointMm) -> PointMm:
    """A place of the board as a reed sees it: from its middle along it, and across it."""
    x, y = at[0] - lie.middle[0], at[1] - lie.middle[1]
    along = x * lie.along[0] + y * lie.along[1]
    return round(along, 3) + 0.0, round(x * lie.along[1] - y * lie.along[0], 3) + 0.0


@lru_cache(maxsize=2**16)
def _ring(
    setup: MagnetSetup, along: float, aside: float, height: float, turns: int
) -> tuple[float, ...]:
    """Return the drive of a checker's magnet, in AT, for a shift as far as possible in each
    direction."""
    high = round(height, 3)
    found = []
    for turn in range(turns):
        x = round(along + setup.shift * cos(2 * pi * turn / turns), 3)
        y = round(abs(aside + setup.shift * sin(2 * pi * turn / turns)), 3)
        one = drive(setup.strong, setup.reed, -abs(x), y, high)
        found.append(one if x < 0 else -one)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Felt:
    """What one reed feels of others: the one felt most, where it lies, and all together."""

    next: float
    site: PointMm
    together: float


@lru_cache(maxsize=32)
def _all_felt(
    all_lies: tuple[Lie, ...], setup: MagnetSetup, heaps: tuple[Heap, ...], most: int, mixed: bool
) -> tuple[_Felt, ...]:
    return tuple(_felt(lie, setup, heaps, most, mixed) for lie in all_lies)


def _felt(lie: Lie, setup: MagnetSetup, heaps: Sequence[Heap], most: int, mixed: bool) -> _Felt:
    """Return the most that all other checkers together drive one reed whose place is empty, all
    shifted to the same side.

    None lies on top of those of its own spot: the sixth checker of a point lies there only when the
    five places are taken.
    """
    worst, site = 0.0, lie.reed.at
    gains: list[list[_Gain]] = [[] for _ in range(2 * TURNS)]
    for heap in heaps:
        if all(dist(lie.middle, at) > FAR_MM for at, _ in heap.sites):
            continue
        own = any(at == lie.reed.at for at, _ in heap.sites)
        seen = [
            (at, _others(lie, setup, at, storey))
            for at, storey in heap.sites
            if at != lie.reed.at and not (own and storey)
        ]
        for at, ring in seen:
            strongest = max(map(abs, ring))
            if round(strongest, 6) > round(worst, 6):
                worst, site = strongest, at
        rings = [tuple(map(abs, ring)) if mixed else ring for _, ring in seen]
        for turn, gain in enumerate(_any_of(rings) if own else _first_of(rings)):
            gains[turn].append(gain)
    return _Felt(worst, site, max(_most_of(each, most) for each in gains))


def _others(lie: Lie, setup: MagnetSetup, at: PointMm, storey: int) -> tuple[float, ...]:
    if dist(lie.middle, at) > FAR_MM:
        return (0.0,) * TURNS
    height = setup.height + setup.wood + storey * setup.storey
    return _ring(setup, *seen(lie, at), height, TURNS)


def _any_of(rings: Sequence[tuple[float, ...]]) -> Iterator[_Gain]:
    """Yield, for each shift and sign, the greatest total of any checkers beside an empty place."""
    for way, turn in product((1, -1), range(TURNS)):
        drives = [way * ring[turn] for ring in rings if way * ring[turn] > 0]
        yield sum(drives), len(drives)


def _first_of(rings: Sequence[tuple[float, ...]]) -> Iterator[_Gain]:
    """Yield, for each shift and sign, the greatest total of the first checkers of another spot."""
    for way, turn in product((1, -1), range(TURNS)):
        best, number, total = 0.0, 0, 0.0
        for count, ring in enumerate(rings, start=1):
            total += way * ring[turn]
            if total > best:
                best, number = total, count
        yield best, number


def _most_of(gains: Sequence[_Gain], most: int) -> float:
    """Add the greatest gains until all checkers are used."""
    total, laid = 0.0, 0
    for gain, number in sorted(gains, reverse=True):
        if laid >= most or not number:
            break
        total, laid = total + gain, laid + number
    return total


def count(board: Board) -> int:
    """How many checkers its games have at most."""
    return 2 * _a_side(board)


def _a_side(board: Board) -> int:
    return max(game.checkers_a_side for game in board.games.values())


def heaps_of(board: Board, parts: Parts, storeys: int = STOREYS) -> Iterator[Heap]:
    """Every spot of a board, and every tray, with all that may lie on it."""
    side, diameter = _a_side(board), board.spot_diameter - parts.measures.checker_gap
    for place in board.places:
        if place.reeds:
            most = side if len(place.reeds) > 1 else 1
            yield Heap(tuple(_piled(places_of(place), most, storeys)))
    for place, size in trays(board):
        yield Heap(tuple(_piled(_tray_row(place.at, size, diameter), side, storeys)))


def _piled(row: Sequence[PointMm], count: int, storeys: int) -> Iterator[tuple[PointMm, int]]:
    most = min(count, storeys * len(row))
    return ((row[number % len(row)], number // len(row)) for number in range(most))


def _tray_row(middle: PointMm, size: PointMm, diameter: float) -> tuple[PointMm, ...]:
    """Return the middles of a row of checkers along a tray's longer edge, as many as fit."""
    axis = (1.0, 0.0) if size[0] >= size[1] else (0.0, 1.0)
    count = max(1, int(max(size) // diameter))
    return tuple(
        step(middle, axis, (number - (count - 1) / 2) * diameter) for number in range(count)
    )
