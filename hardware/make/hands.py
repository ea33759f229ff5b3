"""What hands do to a board of reeds: checkers set down beside their places, and columns pushed
together. Everything at the weakest magnet of its grade, sheets as thick as they should be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import ceil, exp, hypot, inf

from hardware.make.magnetics import drive
from hardware.make.parts import Parts
from hardware.make.places import Lie, lie, places_of, step
from hardware.make.reach import MagnetSetup, Reached, seen
from pi_app.rules.terms import SpotKind
from pi_app.sensing.description import Board

STEP_MM, FAR_SIGMA = 0.25, 4.0
"""Where a checker may lie is tried on a grid so fine, so many standard deviations far."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far off its place a checker is still felt, in mm, a reed needing `pull_in` ampere-turns:
    towards its reed's middle, away from it, and to either side."""

    towards: float
    away: float
    aside: float


def tolerance(found: Reached, pull_in: float) -> Tolerance:
    """What a board's reeds allow, to a quarter of a millimetre."""

    def reach(along: int, aside: int) -> float:
        steps = 0
        while _drive(found.setup, found.offset, along * steps, aside * steps) >= pull_in:
            steps += 1
        return max(0, steps - 1) * STEP_MM

    return Tolerance(towards=reach(1, 0), away=reach(-1, 0), aside=reach(0, 1))


def missed(found: Reached, pull_in: float, sigma: float, within: float = inf) -> float:
    """The share of checkers that are not felt, their distances from the places' middles normally
    distributed, `sigma` mm along the reed and as much across it, but none farther than `within`."""
    most = ceil(FAR_SIGMA * sigma / STEP_MM)
    steps = range(-most, most + 1)
    weights = {
        (along, aside): exp(-((hypot(along, aside) * STEP_MM / sigma) ** 2) / 2)
        for along, aside in product(steps, steps)
        if hypot(along, aside) * STEP_MM <= within
    }
    lost = sum(
        weight
        for (along, aside), weight in weights.items()
        if _drive(found.setup, found.offset, along, abs(aside)) < pull_in
    )
    return float(lost / sum(weights.values()))


@lru_cache(maxsize=2**16)
def _drive(setup: MagnetSetup, offset: float, along: int, aside: int) -> float:
    """Return the drive in AT of a checker that is this many steps off its place, along the reed and
    aside."""
    away = round(abs(along * STEP_MM - offset), 3)
    return abs(drive(setup.weak, setup.reed, away, aside * STEP_MM, setup.height))


def pushed_together(
    board: Board, parts: Parts, found: Reached, count: int, in_rings: bool = False
) -> tuple[float, ...]:
    """What drives each reed of a point, in AT, with so many checkers on it that touch one another,
    the first in its place at the rail, or each in its ring; nothing for a board without points of
    several reeds."""
    points = (place for place in board.places if place.spot.kind is SpotKind.POINT)
    point = next((place for place in points if len(place.reeds) > 1), None)
    if point is None:
        return ()
    first, second, *_ = places_of(point)
    apart = hypot(second[0] - first[0], second[1] - first[1])
    inwards = ((second[0] - first[0]) / apart, (second[1] - first[1]) / apart)
    setup = found.setup
    pitch = apart if in_rings else setup.diameter
    checkers = [step(first, inwards, number * pitch) for number in range(count)]

    def driven(of: Lie) -> float:
        return abs(
            sum(drive(setup.weak, setup.reed, *seen(of, at), setup.height) for at in checkers)
        )

    return tuple(driven(lie(reed, parts.measures)) for reed in point.reeds)


def read(driven: tuple[float, ...], pull_in: float) -> int:
    """Count the reeds that close, by the ampere-turns at each and those that they need."""
    return sum(one >= pull_in for one in driven)


def upside_down(found: Reached, parts: Parts) -> float:
    """What a checker with its felt up does to its reed, in AT."""
    setup, measures = found.setup, parts.measures
    high = round(setup.height + measures.checker_height - measures.magnet[1], 3)
    return abs(drive(setup.strong, setup.reed, found.offset, 0.0, high))
