"""Lays the tracks of a board: each net grows along the cheapest way to its next land.

The copper of both sides is a grid of dots; its pitch is that of tracks side by side, so whatever
runs from dot to dot keeps its distance by itself. Lands need not lie on dots: a dot well inside
one will do. A net that finds no way is laid first, and all others anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise
from math import ceil, dist, floor, hypot

from hardware.make.pcb.artwork import Artwork, Land, Surface, Track, Via
from hardware.make.pcb.measures import StripMeasures
from hardware.make.shapes import PointMm

STRAIGHT, DIAGONAL, THROUGH = 10, 14, 70
"""Costs of a step to the next dot, a diagonal step, and a via."""
AGAINST = 4
"""More for a step across the strip on its front, or along it on its back: so tracks cross."""
FREE, TAKEN = 0, -1
SLACK = 0.11
"""A step between two dots comes so much nearer to a corner than the dots themselves."""
SURFACES = (Surface.FRONT, Surface.BACK)
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))

Dot = tuple[int, int, int]


class UnroutableError(ValueError):
    """A net has no way left; `net` names it."""

    def __init__(self, board: str, net: str) -> None:
        self.net = net
        super().__init__(
            f"{board}: net {net} finds no way; make `least_width` in parts.toml larger"
        )


@cache
def routed(artwork: Artwork, measures: StripMeasures) -> Artwork:
    """The same board with tracks and vias, found once for equal boards: it takes long.

    Raises UnroutableError for one with too little room.
    """
    order = sorted(artwork.nets, key=lambda net: (_spread(artwork, net), net))
    refused: UnroutableError | None = None
    for _ in range(len(order)):
        try:
            return _Router(artwork, measures).all_nets(order)
        except UnroutableError as error:
            refused = error
            order.remove(error.net)
            order.insert(0, error.net)
    assert refused is not None
    raise refused


def _spread(artwork: Artwork, net: str) -> float:
    """Return how far apart a net's lands are; nets with near lands are routed first."""
    at = [land.at for land in artwork.lands if land.net == net]
    return round(sum(max(p[i] for p in at) - min(p[i] for p in at) for i in (0, 1)), 3)


@dataclass(slots=True)
class _Router:
    """The grid of the router: which net owns each dot, for a track and for a via."""

    artwork: Artwork
    measures: StripMeasures
    wide: int = 0
    high: int = 0
    tracks: list[list[int]] = field(default_factory=list)
    vias: list[int] = field(default_factory=list)
    laid: list[Track] = field(default_factory=list)
    drilled: list[Via] = field(default_factory=list)

    def __post_init__(self) -> None:
        size, pitch = self.artwork.size, self.measures.pitch
        self.wide, self.high = (floor(length / pitch + 1e-6) + 1 for length in size)
        self.tracks = [[FREE] * (self.wide * self.high) for _ in SURFACES]
        self.vias = [FREE] * (self.wide * self.high)
        self._claim_edges()
        numbers = {net: number for number, net in enumerate(self.artwork.nets, start=1)}
        for land in self.artwork.lands:
            self._claim_land(land, numbers.get(land.net, TAKEN))
        for bore in self.artwork.bores:
            self._claim_round(bore.at, self.measures.screw_head / 2, TAKEN, (0, 1))

    def all_nets(self, order: Sequence[str]) -> Artwork:
        numbers = {net: number for number, net in enumerate(self.artwork.nets, start=1)}
        for net in order:
            self._lay(net, numbers[net])
        return replace(self.artwork, tracks=tuple(self.laid), vias=tuple(self.drilled))

    def _lay(self, net: str, number: int) -> None:
        """Join a net's lands: from the first to the nearest, and from everything joined to the
        next."""
        open_lands = [set(self._inside(land)) for land in self.artwork.lands if land.net == net]
        joined = open_lands.pop(0)
        while open_lands:
            nearest = min(open_lands, key=lambda dots: _apart(joined, dots))
            way = self._way(joined, nearest, number)
            if way is None:
                raise UnroutableError(self.artwork.name, net)
            self._take(way, net, number)
            open_lands.remove(nearest)
            joined |= nearest | set(way)

    def _way(self, starts: set[Dot], ends: set[Dot], number: int) -> list[Dot] | None:
        """The cheapest way between two sets of dots; equal ones are told apart by their place."""
        across, up = [x for _, x, _ in ends], [y for _, _, y in ends]
        left, right, low, high = min(across), max(across), min(up), max(up)

        def ahead(dot: Dot) -> int:
            _, x, y = dot
            dx, dy = max(left - x, x - right, 0), max(low - y, y - high, 0)
            return STRAIGHT * max(dx, dy) + (DIAGONAL - STRAIGHT) * min(dx, dy)

        cost = dict.fromkeys(starts, 0)
        before: dict[Dot, Dot] = {}
        queue = sorted((ahead(dot), dot) for dot in starts)
        done: set[Dot] = set()
        while queue:
            _, dot = heappop(queue)
            if dot in ends:
                return _back(before, dot)
            if dot in done:
                continue
            done.add(dot)
            for price, following in self._steps(dot, number):
                dearer = cost[dot] + price
                if dearer < cost.get(following, dearer + 1):
                    cost[following], before[following] = dearer, dot
                    heappush(queue, (dearer + ahead(following), following))
        return None

    def _steps(self, dot: Dot, number: int) -> Iterator[tuple[int, Dot]]:
        """The dots that a track of this net may go on to, and what that costs."""
        side, x, y = dot
        owner, wide, allowed = self.tracks[side], self.wide, (FREE, number)
        for dx, dy in STEPS:
            place = (y + dy) * wide + x + dx
            if owner[place] not in allowed:
                continue
            if dx and dy:
                if owner[y * wide + x + dx] in allowed and owner[place - dx] in allowed:
                    yield DIAGONAL, (side, x + dx, y + dy)
            else:
                yield STRAIGHT + (AGAINST if bool(dx) is bool(side) else 0), (side, x + dx, y + dy)
        place = y * wide + x
        if self.vias[place] in allowed and self.tracks[1 - side][place] in allowed:
            yield THROUGH, (1 - side, x, y)

    def _take(self, way: Sequence[Dot], net: str, number: int) -> None:
        """Turn a path into tracks and vias, and claim the dots that are too near for other nets."""
        measures = self.measures
        for corners in _straight(way):
            (side, *_), (other, *_) = corners
            start, end = (self._at(dot) for dot in corners)
            if side != other:
                self.drilled.append(Via(net, start))
                self._claim_round(start, measures.via[0] / 2, number, (0, 1))
                continue
            self.laid.append(Track(net, SURFACES[side], start, end))
            self._claim_near(start, end, number, side)

    def _claim_near(self, start: PointMm, end: PointMm, number: int, side: int) -> None:
        half, gap = self.measures.track / 2, self.measures.clearance
        ring = self.measures.via[0] / 2
        for place, at in self._around(start, end, half + gap + ring):
            away = _away(at, start, end)
            if away < half + gap + half - 1e-6:
                _claim(self.tracks[side], place, number)
            if away < half + gap + ring - 1e-6:
                _claim(self.vias, place, number)

    def _claim_round(self, at: PointMm, radius: float, number: int, sides: Iterable[int]) -> None:
        half, gap, ring = (
            *(self.measures.track / 2, self.measures.clearance),
            self.measures.via[0] / 2,
        )
        for place, dot in self._around(at, at, radius + gap + ring):
            away = dist(dot, at) - radius
            if away < gap + half + SLACK / 2:
                for side in sides:
                    _claim(self.tracks[side], place, number)
            if away < gap + ring:
                _claim(self.vias, place, TAKEN)

    def _claim_land(self, land: Land, number: int) -> None:
        half, gap, ring = (
            *(self.measures.track / 2, self.measures.clearance),
            self.measures.via[0] / 2,
        )
        sides = (0, 1) if land.drill else (0,)
        for place, dot in self._around(land.at, land.at, max(land.size) / 2 + gap + ring + SLACK):
            away = _outside(dot, land)
            if away < gap + half + SLACK:
                for side in sides:
                    _claim(self.tracks[side], place, number)
            if away < gap + ring:
                _claim(self.vias, place, TAKEN)

    def _claim_edges(self) -> None:
        """Claim the outermost dots, so that no step leaves the grid."""
        width, height = self.artwork.size
        half, ring, edge = self.measures.track / 2, self.measures.via[0] / 2, self.measures.edge
        for place, (x, y) in self._around((0.0, 0.0), (width, height), 0.0):
            away = min(x, y, width - x, height - y)
            if away < edge + half or place % self.wide in (0, self.wide - 1):
                for owner in self.tracks:
                    owner[place] = TAKEN
            if away < edge + ring:
                self.vias[place] = TAKEN

    def _inside(self, land: Land) -> Iterator[Dot]:
        """The dots inside a land, on each side that it is on: where a track may end."""
        deep = min(land.size) / 2 - self.measures.pitch / 2 * 1.5
        for place, dot in self._around(land.at, land.at, max(land.size) / 2):
            if _outside(dot, land) <= -min(self.measures.pitch / 2, deep):
                y, x = divmod(place, self.wide)
                for side in (0, 1) if land.drill else (0,):
                    yield side, x, y

    def _around(self, start: PointMm, end: PointMm, reach: float) -> Iterator[tuple[int, PointMm]]:
        """Every dot of a rectangle with a margin: its place in the lists, and where it lies."""
        pitch = self.measures.pitch
        xs, ys = zip(start, end, strict=True)
        for y in range(
            max(0, ceil((min(ys) - reach) / pitch)),
            min(self.high - 1, floor((max(ys) + reach) / pitch)) + 1,
        ):
            for x in range(
                max(0, ceil((min(xs) - reach) / pitch)),
                min(self.wide - 1, floor((max(xs) + reach) / pitch)) + 1,
            ):
                yield y * self.wide + x, (x * pitch, y * pitch)

    def _at(self, dot: Dot) -> PointMm:
        return round(dot[1] * self.measures.pitch, 4), round(dot[2] * self.measures.pitch, 4)


def _claim(owners: list[int], place: int, number: int) -> None:
    owners[place] = number if owners[place] in (FREE, number) else TAKEN


def _apart(joined: set[Dot], land: set[Dot]) -> tuple[int, Dot]:
    """Return the distance of a land from what is already joined, in dots, and its place to break
    ties."""
    middle = min(land)
    return min(abs(dot[1] - middle[1]) + abs(dot[2] - middle[2]) for dot in joined), middle


def _back(before: dict[Dot, Dot], dot: Dot) -> list[Dot]:
    way = [dot]
    while dot in before:
        dot = before[dot]
        way.append(dot)
    return way[::-1]


def _straight(way: Sequence[Dot]) -> Iterator[tuple[Dot, Dot]]:
    """Yield the straight pieces of a path, from corner to corner."""
    start = 0
    for number, (one, other) in enumerate(pairwise(way)):
        following = way[number + 2] if number + 2 < len(way) else None
        if following is None or _way_of(one, other) != _way_of(other, following):
            yield way[start], other
            start = number + 1


def _way_of(one: Dot, other: Dot) -> Dot:
    return other[0] - one[0], other[1] - one[1], other[2] - one[2]


def _outside(at: PointMm, land: Land) -> float:
    """How far a point lies from a land; negative inside it."""
    dx, dy = abs(at[0] - land.at[0]), abs(at[1] - land.at[1])
    if not land.square:
        return hypot(dx, dy) - land.size[0] / 2
    dx, dy = dx - land.size[0] / 2, dy - land.size[1] / 2
    return hypot(max(dx, 0.0), max(dy, 0.0)) if max(dx, dy) > 0 else max(dx, dy)


def _away(at: PointMm, start: PointMm, end: PointMm) -> float:
    """How far a point is from a straight track."""
    way = (end[0] - start[0], end[1] - start[1])
    length = way[0] ** 2 + way[1] ** 2
    share = ((at[0] - start[0]) * way[0] + (at[1] - start[1]) * way[1]) / length if length else 0.0
    share = min(1.0, max(0.0, share))
    return hypot(at[0] - start[0] - share * way[0], at[1] - start[1] - share * way[1])
