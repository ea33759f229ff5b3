"""Gerber and Excellon files of a board read back by gerbonara: its copper, its holes, and which
pieces of copper touch, found from nothing but their shapes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import dist, hypot, inf
from pathlib import Path
from zipfile import ZipFile

from gerbonara import ExcellonFile, GerberFile
from gerbonara.apertures import CircleAperture, RectangleAperture
from gerbonara.graphic_objects import Flash, Line

Spot2 = tuple[float, float]
FRONT, BACK, BOTH = frozenset("F"), frozenset("B"), frozenset("FB")


@dataclass(frozen=True)
class Metal:
    """A piece of copper: a line from end to end and what it is thick on both sides of it, or a
    rectangle; on one side of the board or on both.
    """

    sides: frozenset[str]
    start: Spot2
    end: Spot2
    half: float
    half_size: Spot2 | None = None

    @property
    def outline(self) -> list[tuple[Spot2, Spot2]]:
        """Its middle line, or its four edges."""
        if self.half_size is None:
            return [(self.start, self.end)]
        (x, y), (w, h) = self.start, self.half_size
        corners = [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]
        return list(itertools.pairwise([*corners, corners[0]]))

    def holds(self, at: Spot2) -> bool:
        if self.half_size is None:
            return _from_line(at, self.start, self.end) <= self.half + 1e-6
        return all(abs(at[i] - self.start[i]) <= self.half_size[i] + 1e-6 for i in (0, 1))

    def gap(self, other: Metal) -> float:
        """From copper to copper; nothing or less where they touch."""
        if self.holds(other.start) or other.holds(self.start):
            return 0.0
        apart = min(_between(*one, *two) for one in self.outline for two in other.outline)
        thick = sum(metal.half for metal in (self, other) if metal.half_size is None)
        return apart - thick


@dataclass(frozen=True)
class BoardRead:
    """A board's files: copper, plated holes and others, and its outline's right upper corner."""

    metal: tuple[Metal, ...]
    plated: Mapping[Spot2, float]
    bored: Mapping[Spot2, float]
    corner: Spot2

    @cached_property
    def nets(self) -> list[frozenset[Metal]]:
        """Pieces of copper that touch, through plated holes too."""
        groups = list(range(len(self.metal)))

        def root(number: int) -> int:
            while groups[number] != number:
                groups[number] = number = groups[groups[number]]
            return number

        for one, two in self.near(0.0):
            groups[root(one)] = root(two)
        found: dict[int, set[Metal]] = {}
        for number, metal in enumerate(self.metal):
            found.setdefault(root(number), set()).add(metal)
        return [frozenset(metals) for metals in found.values()]

    def near(self, gap: float) -> Iterable[tuple[int, int]]:
        """Pairs on one side, or through a hole, with no more than a gap between them."""
        order = sorted(range(len(self.metal)), key=lambda number: _reach(self.metal[number])[0])
        for place, one in enumerate(order):
            right = _reach(self.metal[one])[1] + gap
            for two in order[place + 1 :]:
                if _reach(self.metal[two])[0] > right:
                    break
                a, b = self.metal[one], self.metal[two]
                if a.sides & b.sides and a.gap(b) <= gap + 1e-6:
                    yield one, two

    def narrow(self, gap: float) -> list[tuple[Metal, Metal]]:
        """Pieces of different nets that are nearer than a gap."""
        net = {metal: number for number, metals in enumerate(self.nets) for metal in metals}
        pairs = ((self.metal[one], self.metal[two]) for one, two in self.near(gap - 1e-4))
        return [(a, b) for a, b in pairs if net[a] != net[b]]


def read_board(files: Mapping[str, str]) -> BoardRead:
    """From the texts of a board's files, by their endings."""
    plated, bored = _holes(files["PTH.drl"]), _holes(files["NPTH.drl"])
    metal: list[Metal] = []
    for side in "FB":
        for piece in GerberFile.from_string(files[f"{side}_Cu.gbr"]).objects:
            metal += _metal(piece, side)
    through = {one.start for one in metal if one.start == one.end and one.start in plated}
    kept = [one for one in metal if not (one.start in through and one.start == one.end)]
    for at in through:
        (front,), (back,) = (
            [one for one in metal if one.start == one.end == at and one.sides == side]
            for side in (FRONT, BACK)
        )
        assert (front.half, front.half_size) == (back.half, back.half_size)
        kept.append(Metal(BOTH, at, at, front.half, front.half_size))
    edge = GerberFile.from_string(files["Edge_Cuts.gbr"]).objects
    ends = [_near((piece.x2, piece.y2)) for piece in edge]
    return BoardRead(tuple(kept), plated, bored, (max(x for x, _ in ends), max(y for _, y in ends)))


def read_zip(path: Path) -> Mapping[str, str]:
    """The texts of packed files, named by their endings."""
    with ZipFile(path) as whole:
        return {name.split("-")[-1]: whole.read(name).decode() for name in whole.namelist()}


def _metal(piece: object, side: str) -> Iterable[Metal]:
    match piece:
        case Line(x1=x1, y1=y1, x2=x2, y2=y2, aperture=CircleAperture(diameter=wide)):
            yield Metal(frozenset(side), _near((x1, y1)), _near((x2, y2)), wide / 2)
        case Flash(x=x, y=y, aperture=CircleAperture(diameter=wide)):
            yield Metal(frozenset(side), _near((x, y)), _near((x, y)), wide / 2)
        case Flash(x=x, y=y, aperture=RectangleAperture(w=w, h=h)):
            at = _near((x, y))
            yield Metal(frozenset(side), at, at, 0.0, (w / 2, h / 2))
        case _:
            raise AssertionError(piece)


def _holes(text: str) -> dict[Spot2, float]:
    holes = ExcellonFile.from_string(text).objects
    return {_near((hole.x, hole.y)): hole.aperture.diameter for hole in holes}


def _near(at: Spot2) -> Spot2:
    return round(at[0], 3), round(at[1], 3)


def _reach(metal: Metal) -> tuple[float, float]:
    wide = metal.half_size[0] if metal.half_size else metal.half
    return min(metal.start[0], metal.end[0]) - wide, max(metal.start[0], metal.end[0]) + wide


def _between(a: Spot2, b: Spot2, c: Spot2, d: Spot2) -> float:
    """From one line to another."""
    if _crossing(a, b, c, d):
        return 0.0
    return min(_from_line(a, c, d), _from_line(b, c, d), _from_line(c, a, b), _from_line(d, a, b))


def _crossing(a: Spot2, b: Spot2, c: Spot2, d: Spot2) -> bool:
    def side(p: Spot2, q: Spot2, r: Spot2) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def _from_line(at: Spot2, start: Spot2, end: Spot2) -> float:
    length = dist(start, end)
    if not length:
        return dist(at, start)
    way = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    along = (at[0] - start[0]) * way[0] + (at[1] - start[1]) * way[1]
    if not 0 <= along <= length:
        return min(dist(at, start), dist(at, end), inf)
    return hypot(at[0] - start[0] - along * way[0], at[1] - start[1] - along * way[1])
