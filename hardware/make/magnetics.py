"""Disc magnets and reeds: how far a magnet drives a reed, and how magnets pull and push.

A magnet is two evenly charged discs, its faces.  A reed is two blades of soft iron with their
legs; each takes the mean of the magnetic potential along it, and the difference between the two
is what closes the gap.  A coil does the same: so a magnet's drive is told in ampere-turns of the
coil of 25.4 mm in which reeds are sorted (ANSI/EIA/NARM RS-421).
Lengths in millimetres, remanence in tesla, drive in ampere-turns (AT), forces in newtons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import cos, hypot, log, pi, sin, sqrt
from typing import NamedTuple

MU_0 = 4e-7 * pi
COIL_MM = 25.4
NEAR_MM = 20.0
"""Nearer than this a magnet's faces are divided finely; beyond it one ring a face is enough."""
FINE, WIDE, COARSE = (2, 10), (3, 16), (1, 4)
"""Rings and points on each: for forces and reeds, for a sensor right below a wide disc, far off."""
GAUSS: Mapping[int, tuple[tuple[float, float], ...]] = {
    1: ((0.5, 1.0),),
    2: ((0.5 - sqrt(1 / 12), 0.5), (0.5 + sqrt(1 / 12), 0.5)),
    3: ((0.5 - sqrt(0.15), 5 / 18), (0.5, 8 / 18), (0.5 + sqrt(0.15), 5 / 18)),
}
"""Nodes and weights of Gauss's rule between 0 and 1, by the number of nodes."""
KNOWN = 2**18
"""So many drives are remembered: the places of a board see each other at the same distances."""


class Spatial(NamedTuple):
    """A point in space, z upwards."""

    x: float
    y: float
    z: float


class Charge(NamedTuple):
    """A point of a magnet's face, from the middle of its lower face; `poles` in A·m."""

    x: float
    y: float
    z: float
    poles: float


@dataclass(frozen=True, slots=True)
class DiscMagnet:
    """A disc magnetised through its thickness."""

    diameter: float
    thickness: float
    remanence: float

    @property
    def volume(self) -> float:
        """In mm³."""
        return pi * self.diameter**2 / 4 * self.thickness


@dataclass(frozen=True, slots=True)
class BentReed:
    """A reed that lies flat with both leads bent down: from leg to leg, how far each leg reaches
    below its axis, and its length over both leads before they were cut.
    """

    span: float
    leg: float
    uncut: float


@lru_cache(maxsize=64)
def charges(diameter: float, thickness: float, rings: int, around: int) -> tuple[Charge, ...]:
    """Both faces of a disc of one tesla as points: on rings at the nodes of Gauss's rule for the
    area of a disc.
    """
    nodes = GAUSS[rings]
    whole = pi * diameter**2 / 4 * 1e-6 / MU_0
    return tuple(
        Charge(
            *(radius * cos(turn), radius * sin(turn), height),
            pole * whole * share / around,
        )
        for height, pole in ((0.0, 1.0), (thickness, -1.0))
        for radius, share in ((diameter / 2 * sqrt(node), share) for node, share in nodes)
        for turn in (2 * pi * (place + 0.5) / around for place in range(around))
    )


def drive(magnet: DiscMagnet, reed: BentReed, along: float, aside: float, height: float) -> float:
    """How a magnet drives a reed, in AT; `along` is from the reed's middle to the magnet's, along
    the reed, `aside` across it, `height` from the reed's axis up to the magnet's lower face.

    Positive where the magnet lies on the side of the first blade, the one towards minus.
    """
    size = (magnet.diameter, magnet.thickness)
    return magnet.remanence * _per_tesla(size, reed, along, aside, height)


@lru_cache(maxsize=KNOWN)
def _per_tesla(
    size: tuple[float, float], reed: BentReed, along: float, aside: float, height: float
) -> float:
    fine = hypot(along, aside) < NEAR_MM + size[0] / 2
    total = sum(
        poles * _difference(reed, x + along, y + aside, z + height)
        for x, y, z, poles in charges(*size, *(FINE if fine else COARSE))
    )
    return total * 1e3 / (4 * pi) / coil_share(reed) * left_by_cutting(reed)


def coil_share(reed: BentReed) -> float:
    """The share of a coil's ampere-turns that drives an uncut, straight reed."""
    half = reed.uncut / 2
    inside = min(half, COIL_MM / 2)
    return 2 * (inside - inside**2 / (2 * half)) / COIL_MM


def left_by_cutting(reed: BentReed) -> float:
    """The share of its sensitivity that a reed keeps with cut leads. The blades' flux grows with
    their length. Half of the drive of an uncut reed goes into its blades, because the gap is as
    permeable as they are."""
    share = min(1.0, (reed.span / 2 + reed.leg) / (reed.uncut / 2))
    return 2 * share / (1 + share)


def _difference(reed: BentReed, x: float, y: float, z: float) -> float:
    """The mean of 1/distance over the first blade, less that over the second."""
    half, leg = reed.span / 2, reed.leg
    gap = sqrt(x * x + y * y + z * z)
    lower = y * y + (z + leg) ** 2
    value = 0.0
    for way in (-1.0, 1.0):
        away = (x - way * half) ** 2
        bend, foot = sqrt(away + y * y + z * z), sqrt(away + lower)
        value -= way * log((gap + bend + half) / (gap + bend - half))
        value -= way * log((bend + foot + leg) / (bend + foot - leg))
    return value / (half + leg)


@lru_cache(maxsize=1024)
def force(one: DiscMagnet, other: DiscMagnet, away: Spatial) -> Spatial:
    """The force on the other magnet, the same pole up, its middle `away` from the first's."""
    faces = (charges(magnet.diameter, magnet.thickness, *FINE) for magnet in (one, other))
    strength = MU_0 * 1e6 * one.remanence * other.remanence / (4 * pi)
    found = [0.0, 0.0, 0.0]
    for here, there in product(*faces):
        apart = [t + a - h for t, a, h in zip(there[:3], away, here[:3], strict=True)]
        push = strength * here.poles * there.poles / hypot(*apart) ** 3
        for axis in range(3):
            found[axis] += push * apart[axis]
    return Spatial(*found)


def flux(magnet: DiscMagnet, aside: float, height: float) -> float:
    """The upright flux density that a magnet makes so far aside of its axis and so far below its
    lower face, in mT; positive below its middle, whichever pole that is."""
    return magnet.remanence * _flux_per_tesla((magnet.diameter, magnet.thickness), aside, height)


@lru_cache(maxsize=KNOWN)
def _flux_per_tesla(size: tuple[float, float], aside: float, height: float) -> float:
    fine = aside < NEAR_MM + size[0] / 2
    return sum(
        0.1 * poles * (height + z) / hypot(aside - x, y, height + z) ** 3 * 1e3
        for x, y, z, poles in charges(*size, *(WIDE if fine else COARSE))
    )
