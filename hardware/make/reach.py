"""What the magnets of a board do: to its reeds, and to each other; and what they must do.

Every demand is made of the worst: checkers shifted as far as their spots and hands let them, the
wood as thick as it comes, the weakest magnet for the own reed and the strongest for the others',
every checker that the games have lying where it does most, on top of others too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product
from math import cos, dist, pi, sin

from hardware.make.magnetics import BentReed, DiscMagnet, Spatial, drive, force
from hardware.make.parts import Parts
from hardware.make.places import Lie, lies, step, trays
from hardware.make.shapes import PointMm
from pi_app.rules.terms import SpotKind
from pi_app.sensing.description import MOST_PLACES, Board, Place, Sensor

DOUBT = 2.0
"""A reed may be so many times deafer, or keener, than the model has it."""
SPARE = 1.5
"""What our own boards have beyond that, in every demand."""
CARRIED_MM = 10.0
FAR_MM = 120.0
"""Magnets farther from a reed than this drive it by less than a hundredth of an ampere-turn."""
TURNS, OWN_TURNS = 8, 16
NEIGHBOURS_IN_LINE = 9
STOREYS = 3
"""Nobody piles checkers higher: fifteen on a point of five places, six on the bar's two."""
GRAVITY, NICKEL_G = 9.81, 7.5e-3


class Rule(Enum):
    """What is demanded of the magnets of a board."""

    OWN = "own"
    NEXT = "next"
    ALL = "all"
    STACKED = "stacked"
    PUSH = "push"
    CARRIED = "carried"


@dataclass(frozen=True, slots=True)
class Demand:
    """A figure of the model and its limit: an upper one, but for the own reed's."""

    rule: Rule
    value: float
    limit: float

    @property
    def spare(self) -> float:
        """How many times better than it must be; under 1 the board does not work."""
        if self.rule is Rule.OWN:
            return self.value / self.limit
        return self.limit / self.value if self.value else float("inf")


@dataclass(frozen=True, slots=True)
class Setup:
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

    `middle`, `least` and `most` are the own magnet's drive with its checker in the middle of the
    spot and over all that may shift it; `nearest` is the neighbour felt most, and by which reed.
    """

    setup: Setup
    middle: float
    least: float
    most: float
    nearest: tuple[Sensor, PointMm]
    demands: tuple[Demand, ...]

    def of(self, rule: Rule) -> Demand:
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


def setup_of(board: Board, parts: Parts) -> Setup:
    """The magnets, the reed, and how they lie on a board with these parts."""
    measures, known = parts.measures, parts.magnetics
    diameter = board.spot_diameter - measures.checker_gap
    weak, strong = (
        DiscMagnet(*measures.magnet, remanence)
        for remanence in (known.remanence_least, known.remanence_most)
    )
    wood = pi * diameter**2 / 4 * measures.checker_height - weak.volume
    grams = wood * known.density * 1e-3 + weak.volume * NICKEL_G
    return Setup(
        weak=weak,
        strong=strong,
        reed=BentReed(known.reed_span, known.reed_leg, known.reed_uncut),
        height=measures.felt + measures.top + measures.glass[1] / 2,
        storey=measures.checker_height + measures.felt,
        shift=measures.checker_gap / 2 + known.hands,
        wood=known.wood,
        diameter=diameter,
        weight=grams * 1e-3 * GRAVITY,
    )


def reached(board: Board, parts: Parts) -> Reached:
    """All figures of a board."""
    setup, known = setup_of(board, parts), parts.magnetics
    heaps = tuple(_heaps(board, setup, parts))
    felt = [(lie, _felt(lie, setup, heaps, _count(board))) for lie in lies(board, parts.measures)]
    owns = [_own(lie, setup) for lie in lies(board, parts.measures)]
    everything = max(one.together for _, one in felt)
    lie, nearest = max(felt, key=lambda pair: round(pair[1].next, 6))
    least = min(own[0] for own in owns)
    pull = -force(setup.strong, setup.strong, Spatial(0, 0, setup.storey)).z
    carried = -force(setup.strong, setup.strong, Spatial(0, 0, setup.storey + CARRIED_MM)).z
    return Reached(
        setup,
        middle=min(own[1] for own in owns),
        least=least,
        most=max(own[2] for own in owns),
        nearest=(lie.reed.name, nearest.site),
        demands=(
            Demand(Rule.OWN, least - everything, DOUBT * known.pull_in),
            Demand(Rule.NEXT, nearest.next, known.drop_out / DOUBT),
            Demand(Rule.ALL, everything, known.drop_out / DOUBT),
            Demand(Rule.STACKED, pull, setup.weight),
            Demand(Rule.PUSH, _push_in_line(setup), known.friction * setup.weight),
            Demand(Rule.CARRIED, carried, setup.weight),
        ),
    )


def _push_in_line(setup: Setup) -> float:
    """On the last of a row of checkers that touch each other."""
    return sum(
        force(setup.strong, setup.strong, Spatial(place * setup.diameter, 0, 0)).x
        for place in range(1, NEIGHBOURS_IN_LINE + 1)
    )


def drive_at(lie: Lie, setup: Setup, at: PointMm, storey: int = 0, thicker: float = 0.0) -> float:
    """How the stronger magnet of a checker with its middle there drives a reed, in AT."""
    x, y = at[0] - lie.middle[0], at[1] - lie.middle[1]
    along = x * lie.along[0] + y * lie.along[1]
    aside = abs(x * lie.along[1] - y * lie.along[0])
    height = setup.height + thicker + storey * setup.storey
    return drive(setup.strong, setup.reed, round(along, 3), round(aside, 3), round(height, 3))


def _own(lie: Lie, setup: Setup) -> tuple[float, float, float]:
    """The own magnet's least, middle and most: at the rim of what its checker may be shifted."""
    rim = [_turned(lie.reed.at, setup.shift, turn / OWN_TURNS) for turn in range(OWN_TURNS)]
    weaker = setup.weak.remanence / setup.strong.remanence
    places = (lie.reed.at, *rim)
    return (
        weaker * min(drive_at(lie, setup, at, thicker=setup.wood) for at in places),
        weaker * drive_at(lie, setup, lie.reed.at),
        max(drive_at(lie, setup, at, thicker=-setup.wood) for at in places),
    )


def _turned(middle: PointMm, radius: float, turn: float) -> PointMm:
    return (middle[0] + radius * cos(2 * pi * turn), middle[1] + radius * sin(2 * pi * turn))


@dataclass(frozen=True, slots=True)
class _Felt:
    """What one reed feels of the others: the nearest, where that lies, and all together."""

    next: float
    site: PointMm
    together: float


def _felt(lie: Lie, setup: Setup, heaps: Sequence[Heap], most: int) -> _Felt:
    """The worst of all others at one empty place."""
    near = [heap for heap in heaps if any(_close(lie, at) for at, _ in heap.sites)]
    worst, site, together = 0.0, lie.reed.at, 0.0
    for turn, way in product(range(TURNS), (1, -1)):
        gains = []
        for heap in near:
            gains.append(_gain(lie, setup, heap, turn / TURNS, way))
            for at, storey in heap.sites:
                if storey or at == lie.reed.at:
                    continue
                one = way * _shifted(lie, setup, at, storey, turn / TURNS)
                if round(one, 6) > round(worst, 6):
                    worst, site = one, at
        together = max(together, _most_of(gains, most))
    return _Felt(worst, site, together)


def _gain(lie: Lie, setup: Setup, heap: Heap, turn: float, way: int) -> tuple[float, int]:
    """The most that a spot's checkers drive an empty place's reed one way, and how many do.

    Beside the empty place none lies on top of others: the sixth checker of a spot lies there
    only when its five places are taken.
    """
    if any(at == lie.reed.at for at, _ in heap.sites):
        sites = [at for at, storey in heap.sites if not storey and at != lie.reed.at]
        drives = [way * _shifted(lie, setup, at, 0, turn) for at in sites]
        return sum(one for one in drives if one > 0), sum(one > 0 for one in drives)
    best, total = (0.0, 0), 0.0
    for number, (at, storey) in enumerate(heap.sites, start=1):
        total += way * _shifted(lie, setup, at, storey, turn)
        best = max(best, (total, number))
    return best


def _most_of(gains: Sequence[tuple[float, int]], most: int) -> float:
    """The sum of the greatest gains, until all the checkers there are lie somewhere."""
    total, laid = 0.0, 0
    for gain, number in sorted(gains, reverse=True):
        if laid >= most:
            break
        total, laid = total + gain, laid + number
    return total


def _shifted(lie: Lie, setup: Setup, at: PointMm, storey: int, turn: float) -> float:
    if not _close(lie, at):
        return 0.0
    return drive_at(lie, setup, _turned(at, setup.shift, turn), storey, setup.wood)


def _close(lie: Lie, at: PointMm) -> bool:
    return dist(lie.middle, at) < FAR_MM


def _count(board: Board) -> int:
    return 2 * _a_side(board)


def _a_side(board: Board) -> int:
    return max(game.checkers_a_side for game in board.games.values())


def _heaps(board: Board, setup: Setup, parts: Parts) -> Iterator[Heap]:
    """Every spot of a board with all that may lie on it."""
    side = _a_side(board)
    for place in board.places:
        if place.reeds:
            yield Heap(tuple(_piled(_row(place), side if len(place.reeds) > 1 else 1)))
    for place, size in trays(board):
        yield Heap(tuple(_piled(_tray_row(place.at, size, setup.diameter), side)))


def _piled(row: Sequence[PointMm], count: int) -> Iterator[tuple[PointMm, int]]:
    most = min(count, STOREYS * len(row))
    return ((row[number % len(row)], number // len(row)) for number in range(most))


def _row(place: Place) -> tuple[PointMm, ...]:
    """The places of a spot from the rail inwards; a point has five, whether felt or not."""
    felt = [reed.at for reed in place.reeds]
    if len(felt) < 2 or place.spot.kind is not SpotKind.POINT:
        return tuple(felt)
    apart = (felt[1][0] - felt[0][0], felt[1][1] - felt[0][1])
    return tuple(
        (felt[0][0] + number * apart[0], felt[0][1] + number * apart[1])
        for number in range(MOST_PLACES)
    )


def _tray_row(middle: PointMm, size: PointMm, diameter: float) -> tuple[PointMm, ...]:
    """As many as lie side by side along a tray's longer edge."""
    axis = (1.0, 0.0) if size[0] >= size[1] else (0.0, 1.0)
    count = max(1, int(max(size) // diameter))
    return tuple(
        step(middle, axis, (number - (count - 1) / 2) * diameter) for number in range(count)
    )
