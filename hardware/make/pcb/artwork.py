"""The elements of a printed board, in mm from its lower left corner, seen from its front. The front
faces down below the game board; the back lies on the carrier."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from hardware.make.shapes import PointMm


class Surface(Enum):
    """A side of the board."""

    FRONT = "F"
    BACK = "B"


@dataclass(frozen=True, slots=True)
class Land:
    """Copper that a pin is soldered to. Without a drill it is on the front alone. `net` is empty
    for a pin without a connection; `square` is the shape, instead of round."""

    part: str
    pin: str
    net: str
    at: PointMm
    size: PointMm
    drill: float = 0.0
    square: bool = False


@dataclass(frozen=True, slots=True)
class Track:
    """A straight line of copper."""

    net: str
    surface: Surface
    start: PointMm
    end: PointMm


@dataclass(frozen=True, slots=True)
class Via:
    """A plated hole from one side's copper to the other's."""

    net: str
    at: PointMm


@dataclass(frozen=True, slots=True)
class Bore:
    """A hole without copper, for a screw."""

    at: PointMm
    diameter: float


@dataclass(frozen=True, slots=True)
class LegendLine:
    """A line of the legend, from point to point."""

    surface: Surface
    points: tuple[PointMm, ...]


@dataclass(frozen=True, slots=True)
class Body:
    """The room that a part takes: its middle, its size, on which side; `turn` in degrees."""

    part: str
    value: str
    at: PointMm
    size: PointMm
    surface: Surface
    turn: float = 0.0
    smd: bool = False
    """Whether it is soldered on the surface."""
    footprint: str = ""
    """As makers who place parts name it."""


@dataclass(frozen=True, slots=True)
class Artwork:
    """A whole board; `scores` are the heights in mm at which a panel of several is broken."""

    name: str
    size: PointMm
    lands: tuple[Land, ...] = ()
    bodies: tuple[Body, ...] = ()
    bores: tuple[Bore, ...] = ()
    tracks: tuple[Track, ...] = ()
    vias: tuple[Via, ...] = ()
    strokes: tuple[LegendLine, ...] = ()
    scores: tuple[float, ...] = ()
    fiducials: tuple[PointMm, ...] = ()
    """Bare dots of copper on the front, by which a machine that places parts finds the panel."""

    @property
    def nets(self) -> tuple[str, ...]:
        """The names of all nets, in the order in which their lands come."""
        return tuple(dict.fromkeys(land.net for land in self.lands if land.net))


def shifted(artwork: Artwork, by: PointMm, suffix: str = "") -> Artwork:
    """The same board moved on a panel, with a suffix to its parts and nets."""

    def to(at: PointMm) -> PointMm:
        return at[0] + by[0], at[1] + by[1]

    def net(name: str) -> str:
        return f"{name}{suffix}" if name else ""

    return replace(
        artwork,
        lands=tuple(
            replace(a, part=f"{a.part}{suffix}", net=net(a.net), at=to(a.at)) for a in artwork.lands
        ),
        bodies=tuple(replace(a, part=f"{a.part}{suffix}", at=to(a.at)) for a in artwork.bodies),
        bores=tuple(replace(a, at=to(a.at)) for a in artwork.bores),
        tracks=tuple(
            replace(a, net=net(a.net), start=to(a.start), end=to(a.end)) for a in artwork.tracks
        ),
        vias=tuple(replace(a, net=net(a.net), at=to(a.at)) for a in artwork.vias),
        strokes=tuple(replace(a, points=tuple(map(to, a.points))) for a in artwork.strokes),
    )


def rounded(artwork: Artwork) -> Artwork:
    """The same with every place to a thousandth of a millimetre, as files have it."""

    def to(at: PointMm) -> PointMm:
        return round(at[0], 3) + 0.0, round(at[1], 3) + 0.0

    return replace(
        artwork,
        size=to(artwork.size),
        lands=tuple(replace(a, at=to(a.at)) for a in artwork.lands),
        bodies=tuple(replace(a, at=to(a.at), size=to(a.size)) for a in artwork.bodies),
        bores=tuple(replace(a, at=to(a.at)) for a in artwork.bores),
    )


def together(name: str, size: PointMm, boards: Iterable[Artwork]) -> Artwork:
    """Boards that were shifted apart, as one."""
    all_of = tuple(boards)
    return Artwork(
        name,
        size,
        lands=tuple(part for one in all_of for part in one.lands),
        bodies=tuple(part for one in all_of for part in one.bodies),
        bores=tuple(part for one in all_of for part in one.bores),
        tracks=tuple(part for one in all_of for part in one.tracks),
        vias=tuple(part for one in all_of for part in one.vias),
        strokes=tuple(part for one in all_of for part in one.strokes),
    )
