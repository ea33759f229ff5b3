"""What the magnets of a board do to its Hall sensors: the demands made of reeds, and one more.

A sensor lies under the middle of its place and feels the field upright. Beside its middle a
magnet's field turns round: that other pole must never be taken for the other side's checker.
Poles are mixed here, so every checker around an empty place is taken to do its worst, whichever
pole is up.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, dist

from hardware.make.hall.measures import HallMeasures
from hardware.make.magnetics import DiscMagnet, flux
from hardware.make.parts import Parts, hall_of, parts_for
from hardware.make.reach import (
    FAR_MM,
    STOREYS,
    Demand,
    Heap,
    MagnetRule,
    MagnetSetup,
    Reached,
    count,
    forces,
    heaps_of,
    setup_of,
)
from hardware.make.shapes import PointMm
from pi_app.sensing.description import Board, Place, Reed

WARM = 0.0012 * 20
"""A magnet of neodymium loses 0.12 % a kelvin; a room is within 20 K of 20 °C."""
STEP_MM, REACH_MM, LOBE_MM = 0.25, 0.01, 20.0
"""Steps and limit of the search for the other pole beside a magnet, and for how far it is felt."""


@dataclass(frozen=True, slots=True)
class HallSetup:
    """A board's magnets and sensors; `depths` are from a checker's magnet down to the sensors of
    White and Black, `creep` is how far a checker of a whole touching column lies beside its place.
    """

    setup: MagnetSetup
    hall: HallMeasures
    depths: PointMm
    creep: float

    @property
    def weakest(self) -> DiscMagnet:
        """The weakest magnet, warm."""
        weak = self.setup.weak
        return replace(weak, remanence=weak.remanence * (1 - WARM))

    @property
    def strongest(self) -> DiscMagnet:
        """The strongest magnet, cold."""
        strong = self.setup.strong
        return replace(strong, remanence=strong.remanence * (1 + WARM))

    def own(
        self, aside: float, magnet: DiscMagnet | None = None, wood: float | None = None
    ) -> float:
        """The least that an own checker gives either sensor so far beside the middle, in mT: with
        the weakest magnet, warm, and so much more wood as it may have, if none are given."""
        more = self.setup.wood if wood is None else wood
        depth = max(self.depths) + more
        return flux(magnet or self.weakest, round(aside, 3), round(depth, 3))

    def reach(self, magnet: DiscMagnet | None = None, wood: float | None = None) -> float:
        """The farthest a checker may lie off its place for the deafest sensor to see it, in mm to a
        hundredth; as for `own`."""
        lost = bisect_left(
            range(round(LOBE_MM / REACH_MM)),
            True,
            key=lambda n: self.own(n * REACH_MM, magnet, wood) < self.hall.operate[1],
        )
        return max(0, lost - 1) * REACH_MM

    @property
    def lobe(self) -> float:
        """The most that a checker beside its place gives of the other pole, in mT."""
        depth = round(min(self.depths) - self.setup.wood, 3)
        steps = range(ceil(LOBE_MM / STEP_MM))
        return max(-flux(self.strongest, n * STEP_MM, depth) for n in steps)


def hall_setup(board: Board, parts: Parts) -> HallSetup:
    """How the magnets lie on a board with Hall sensors and these parts."""
    hall, own = hall_of(board, parts), parts_for(board, parts)
    setup = setup_of(board, own)
    over = own.measures.felt + own.measures.top
    depths = (over + hall.below[0], over + hall.below[1])
    creeps = (creep_of(place, setup.diameter) for place in board.places)
    return HallSetup(replace(setup, height=max(depths)), hall, depths, max(creeps))


def creep_of(place: Place, diameter: float) -> float:
    """How far the last checker of a whole column lies beside its place when all of them touch and
    the first stands right."""
    at = [reed.at for reed in place.reeds]
    return dist(at[0], at[-1]) - (len(at) - 1) * diameter if len(at) > 1 else 0.0


def hall_reached(board: Board, parts: Parts, storeys: int = STOREYS, mixed: bool = True) -> Reached:
    """All figures of a board with Hall sensors, in millitesla; as `reached` of reeds."""
    found, own = hall_setup(board, parts), parts_for(board, parts)
    heaps = tuple(heaps_of(board, own, storeys))
    felt = [_felt(reed, found, heaps, count(board), mixed) for reed in board.reeds]
    worst = max(felt, key=lambda one: round(one.next, 6))
    everything = max(one.together for one in felt)
    least = found.own(found.setup.shift + found.creep)
    drift = found.hall.drift
    return Reached(
        found.setup,
        offset=0.0,
        middle=found.own(0.0, found.setup.weak),
        least=least,
        most=flux(found.strongest, 0.0, round(min(found.depths) - found.setup.wood, 3)),
        nearest=(worst.reed.name, worst.site),
        unit="mT",
        demands=(
            Demand(MagnetRule.OWN, least - everything - drift, found.hall.operate[1]),
            Demand(MagnetRule.NEXT, worst.next, found.hall.release[0]),
            Demand(MagnetRule.ALL, everything + drift, found.hall.release[0]),
            *forces(found.setup, own.magnetics.friction),
            Demand(MagnetRule.LOBE, found.lobe + everything + drift, found.hall.operate[0]),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Strays:
    """What one sensor feels of others: the one felt most, where it lies, and all together."""

    reed: Reed
    next: float
    site: PointMm
    together: float


def _felt(reed: Reed, found: HallSetup, heaps: Sequence[Heap], most: int, mixed: bool) -> _Strays:
    """The worst of all others at one place, each shifted towards it; none lies on top of those of
    its own spot, which are piled only when its places are taken. With the same pole up in all, some
    take away from what others add: only those lie there that add."""
    gains: list[tuple[float, PointMm]] = []
    for heap in heaps:
        own = any(at == reed.at for at, _ in heap.sites)
        gains += [
            (_other(found, dist(reed.at, at), storey), at)
            for at, storey in heap.sites
            if at != reed.at and not (own and storey) and dist(reed.at, at) <= FAR_MM
        ]
    gains.sort(key=lambda gain: -abs(gain[0]))
    added = [abs(gain) for gain, _ in gains]
    if not mixed:
        up, down = ([way * gain for gain, _ in gains if way * gain > 0] for way in (1, -1))
        added = max(up, down, key=lambda one: sum(one[:most]))
    return _Strays(reed, abs(gains[0][0]), gains[0][1], sum(added[:most]))


def _other(found: HallSetup, away: float, storey: int) -> float:
    nearer = max(0.0, away - found.setup.shift - found.creep)
    return _most(found.strongest, found.depths, round(nearer, 3), storey * found.setup.storey)


@lru_cache(maxsize=2**14)
def _most(magnet: DiscMagnet, depths: PointMm, aside: float, up: float) -> float:
    return max((flux(magnet, aside, round(depth + up, 3)) for depth in depths), key=abs)
