"""Printed strips with a linear Hall sensor under the middle of each place.

A strip is a row: its sensors are enabled together, by the token that a flip-flop holds, and each
puts its voltage on the column of its place. The token comes in at one pin and goes on at another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import dist

from hardware.make.pcb.artwork import Artwork, Body, Bore, Land, LegendLine, Surface, Track, Via
from hardware.make.pcb.artwork import rounded as to_thousandths
from hardware.make.pcb.layout import (
    HEADER_WIDE,
    PIN_HOLE,
    PIN_LAND,
    PIN_MM,
    Extent,
    header_pins,
    header_size,
)
from hardware.make.pcb.legend import header_sign, kept_free, written
from hardware.make.pcb.lines import Strip, rows_of
from hardware.make.pcb.measures import StripMeasures
from hardware.make.pcb.router import routed
from hardware.make.shapes import PointMm
from pi_app.rules.terms import SpotKind
from pi_app.sensing.description import Board, Cell

SUPPLY, GROUND, CLOCK, CLEAR, TOKEN, ENABLE, NEXT = "3V3", "GND", "CLK", "CLR", "IN", "EN", "OUT"
COLUMNS = tuple(f"A{number}" for number in range(5))
RIBBON = (SUPPLY, GROUND, CLOCK, GROUND, CLEAR, *COLUMNS)
"""What the ten wires of the ribbon carry, from its red one."""
HEADER, TOKEN_IN, TOKEN_OUT, LATCH, LATCH_CAPACITOR, HOLD = "X1", "X2", "X3", "U0", "C0", "R0"
SENSOR, LATCH_PART, CAPACITOR = "TMAG5253BA3", "74LVC1G175GV", "100 nF 0603"
HEADER_PART = "box header 5 x 2"
HOLD_RESISTOR = "2.2 kΩ 0603"
"""Between Q and OUT: it holds the token back until the next strip has taken the old one."""


FOOTPRINTS: Mapping[str, str] = {
    SENSOR: "X2SON-4_1.1x1.4mm",
    LATCH_PART: "SOT-23-6",
    CAPACITOR: "0603",
    HOLD_RESISTOR: "0603",
}
"""As makers who place parts call them."""


@dataclass(frozen=True, slots=True)
class PinLand:
    """A land of a part, relative to the part's middle. `way` leads to the via of its net; it is
    empty for a land that a track reaches by itself."""

    name: str
    at: PointMm
    size: PointMm
    way: tuple[PointMm, ...] = ()


SENSOR_PINS = (
    PinLand("1", (-0.25, 0.7), (0.22, 0.4), ((-0.25, 1.25), (-1.0, 2.0))),
    PinLand("2", (-0.25, -0.7), (0.22, 0.4), ((-0.25, -1.25), (-1.0, -2.0))),
    PinLand("3", (0.25, -0.7), (0.22, 0.4), ((0.25, -1.25), (1.0, -2.0))),
    PinLand("4", (0.25, 0.7), (0.22, 0.4), ((0.25, 1.25), (1.0, 2.0))),
    PinLand("5", (0.0, 0.0), (0.8, 0.6)),
)
"""X2SON of four pins, 1.1 × 1.4 mm, as KiCad's library has Texas's DMR0004A: supply, ground,
enable, output, and the pad below, which goes to ground."""
LATCH_PINS = (
    PinLand("1", (-1.1375, 0.95), (1.325, 0.6), ((-2.8, 0.95),)),
    PinLand("2", (-1.1375, 0.0), (1.325, 0.6), ((-3.9, 0.0),)),
    PinLand("3", (-1.1375, -0.95), (1.325, 0.6), ((-2.8, -0.95),)),
    PinLand("4", (1.1375, -0.95), (1.325, 0.6), ((2.8, -0.95),)),
    PinLand("5", (1.1375, 0.0), (1.325, 0.6), ((3.9, 0.0),)),
    PinLand("6", (1.1375, 0.95), (1.325, 0.6), ((2.8, 0.95),)),
)
"""SOT-23 of six: clock, ground, D, Q, supply, clear (low)."""
LATCH_NETS = (CLOCK, GROUND, TOKEN, ENABLE, SUPPLY, CLEAR)
TWO_PINS = (PinLand("1", (0.0, 0.775), (0.95, 0.8)), PinLand("2", (0.0, -0.775), (0.95, 0.8)))
CAPACITOR_AWAY, LATCH_CAPACITOR_AWAY = -3.0, 6.0
SENSOR_ROOM, SMALL_ROOM, LATCH_ROOM = (1.62, 2.3), (1.5, 3.0), (4.1, 3.4)
SENSOR_SPAN, LATCH_SPAN, PIN_SPAN, SMALL_SPAN = (-4.3, 1.8), (-4.6, 7.2), (-1.8, 1.8), (-1.0, 1.0)
GAP_MM = 0.4
"""From a part's middle to where the next one may begin, to both sides along the strip."""
END_MM = 5.0
"""From the first and the last sensor to the ends of the longest strip, at least."""


@dataclass(frozen=True, slots=True)
class HallDesign:
    """One kind of strip: its finished artwork, the strips made so, how far the first place lies
    from the artwork's left end, and where header, token pins and screws are on it."""

    name: str
    strips: tuple[Strip, ...]
    artwork: Artwork
    first: PointMm

    def at(self, part: str) -> PointMm:
        """Where a part is, on the artwork."""
        return next(body.at for body in self.artwork.bodies if body.part == part)

    def on_board(self, strip: Strip, at: PointMm) -> PointMm:
        """A point of the artwork, in the game board's own millimetres."""
        return strip.on_board((at[0] - self.first[0], at[1] - self.first[1]))


def hall_designs(board: Board, strip: StripMeasures) -> tuple[HallDesign, ...]:
    """Every design of a board with Hall sensors on a scanner; all of one length, for a panel."""
    alike: dict[tuple[tuple[float, int], ...], list[Strip]] = {}
    for one in rows_of(board):
        alike.setdefault(tuple(_places(one)), []).append(one)
    length = max(places[-1][0] for places in alike) + 2 * END_MM
    names = [_name(board, strips) for strips in alike.values()]
    return tuple(
        _design(f"{board.name} {name}", name, places, tuple(strips), length, strip)
        for name, (places, strips) in zip(names, alike.items(), strict=True)
    )


def ribbon_rows(designs: Sequence[HallDesign]) -> list[list[PointMm]]:
    """The headers that share a ribbon, from left to right: of strips that run the same way."""
    ways: dict[tuple[float, float], list[PointMm]] = {}
    for design in designs:
        for strip in design.strips:
            if len(design.strips) > 1:
                key = round(strip.along[0], 3), round(strip.along[1], 3)
                ways.setdefault(key, []).append(design.on_board(strip, design.at(HEADER)))
    return [sorted(level) for level in ways.values()]


def token_wires(designs: Sequence[HallDesign]) -> list[tuple[PointMm, PointMm]]:
    """From each strip's OUT to the IN of the next one, in the order of their rows."""
    order = sorted(
        ((strip, design) for design in designs for strip in design.strips),
        key=lambda pair: pair[0].own,
    )
    return [
        (one.on_board(strip, one.at(TOKEN_OUT)), next_.on_board(after, next_.at(TOKEN_IN)))
        for (strip, one), (after, next_) in pairwise(order)
    ]


def _places(strip: Strip) -> Iterator[tuple[float, int]]:
    """Each sensor's place along the strip, and its column."""
    start, along = strip.start, strip.along
    for reed in strip.reeds:
        assert isinstance(reed.line, Cell)
        way = (reed.at[0] - start[0]) * along[0] + (reed.at[1] - start[1]) * along[1]
        yield round(way, 3), reed.line.column


def _name(board: Board, strips: Sequence[Strip]) -> str:
    kinds = {board.spot_of[reed.sensors[0]].kind for strip in strips for reed in strip.reeds}
    return str(SpotKind.BAR.value if kinds == {SpotKind.BAR} else SpotKind.POINT.value)


@cache
def _design(
    title: str,
    name: str,
    places: tuple[tuple[float, int], ...],
    strips: tuple[Strip, ...],
    length: float,
    measures: StripMeasures,
) -> HallDesign:
    left = (length - places[-1][0]) / 2
    first = round(left, 3), measures.least_width / 2
    sensors = tuple((round(first[0] + x, 3), column) for x, column in places)
    size = round(length, 3), measures.least_width
    board = to_thousandths(_parts(title, size, sensors, measures))
    return HallDesign(name, strips, _joined(board, measures), first)


def _parts(
    title: str, size: PointMm, sensors: Sequence[tuple[float, int]], measures: StripMeasures
) -> Artwork:
    """Return lands, parts and screws, without tracks."""
    middle = size[1] / 2
    bores = tuple(Bore(at, measures.screw) for at in _bores(sensors, middle))
    spots = _spots(sensors, [bore.at[0] for bore in bores], measures)
    lands: list[Land] = []
    bodies: list[Body] = []

    def put(part: str, value: str, at: PointMm, room: PointMm, pins: Sequence[Land]) -> None:
        lands.extend(pins)
        smd = not pins[0].drill
        made = FOOTPRINTS.get(value, "")
        bodies.append(Body(part, value, at, room, Surface.FRONT, smd=smd, footprint=made))

    for number, (x, column) in enumerate(sensors, start=1):
        at, nets = (x, middle), (SUPPLY, GROUND, ENABLE, COLUMNS[column], GROUND)
        put(f"U{number}", SENSOR, at, SENSOR_ROOM, _lands(f"U{number}", at, SENSOR_PINS, nets))
        beside = x + CAPACITOR_AWAY, middle
        pins = _lands(f"C{number}", beside, TWO_PINS, (SUPPLY, GROUND))
        put(f"C{number}", CAPACITOR, beside, SMALL_ROOM, pins)
    at = spots[LATCH], middle
    put(LATCH, LATCH_PART, at, LATCH_ROOM, _lands(LATCH, at, LATCH_PINS, LATCH_NETS))
    beside = at[0] + LATCH_CAPACITOR_AWAY, middle
    pins = _lands(LATCH_CAPACITOR, beside, TWO_PINS, (SUPPLY, GROUND))
    put(LATCH_CAPACITOR, CAPACITOR, beside, SMALL_ROOM, pins)
    ring = (PIN_LAND, PIN_LAND)
    header = spots[HEADER], middle
    header_lands = [
        Land(HEADER, str(number + 1), net, where, ring, PIN_HOLE, square=number == 0)
        for number, (where, net) in enumerate(
            zip(header_pins(header, len(RIBBON)), RIBBON, strict=True)
        )
    ]
    put(HEADER, HEADER_PART, header, header_size(len(RIBBON)), header_lands)
    at = spots[HOLD], middle
    put(HOLD, HOLD_RESISTOR, at, SMALL_ROOM, _lands(HOLD, at, TWO_PINS, (ENABLE, NEXT)))
    for part, net in ((TOKEN_IN, TOKEN), (TOKEN_OUT, NEXT)):
        at = spots[part], middle
        pin = Land(part, "1", net, at, ring, PIN_HOLE, square=True)
        put(part, "pin", at, (PIN_MM, PIN_MM), [pin])
    return Artwork(title, size, tuple(lands), tuple(bodies), bores)


def _lands(
    part: str, at: PointMm, pins: Sequence[PinLand], nets: Sequence[str]
) -> tuple[Land, ...]:
    return tuple(
        Land(part, pin.name, net, (at[0] + pin.at[0], at[1] + pin.at[1]), pin.size, square=True)
        for pin, net in zip(pins, nets, strict=True)
    )


def _bores(sensors: Sequence[tuple[float, int]], middle: float) -> tuple[PointMm, PointMm]:
    """Return the two screws' places: between the first two sensors and between the last two."""
    xs = [x for x, _ in sensors]
    gaps = list(pairwise(xs))
    first, last = ((a + b + SENSOR_SPAN[0] + SENSOR_SPAN[1]) / 2 for a, b in (gaps[0], gaps[-1]))
    return (first, middle), (last, middle)


def _spots(
    sensors: Sequence[tuple[float, int]], bores: Sequence[float], measures: StripMeasures
) -> dict[str, float]:
    """Where flip-flop, token pins and header stand: from the left, each in the first gap with room
    for it. Raises ValueError where there is none."""
    head, long = measures.screw_head / 2, header_size(len(RIBBON))[0] / 2
    taken = sorted(
        [(x + SENSOR_SPAN[0], x + SENSOR_SPAN[1]) for x, _ in sensors]
        + [(x - head, x + head) for x in bores]
    )
    found: dict[str, float] = {}
    begin = bores[0]
    for part, span in (
        (LATCH, LATCH_SPAN),
        (TOKEN_IN, PIN_SPAN),
        (HEADER, (-long, long)),
        (HOLD, SMALL_SPAN),
        (TOKEN_OUT, PIN_SPAN),
    ):
        for (_, left), (right, _) in pairwise(taken):
            start = max(left, begin) + GAP_MM
            if start + span[1] - span[0] + GAP_MM <= right:
                found[part] = round(start - span[0], 3)
                begin = start + span[1] - span[0]
                break
        else:
            raise ValueError(f"no room for {part} between the sensors at {taken}; set them apart")
    return found


def _joined(board: Artwork, measures: StripMeasures) -> Artwork:
    """Add the tracks: first from each small land to its via, then from hole to hole."""
    ways = list(_ways(board))
    holes = tuple(
        Land(f"{land.part}.{land.pin}", "1", land.net, way[-1], measures.via, measures.via[1])
        for land, way in ways
    )
    small = {(land.part, land.pin) for land, _ in ways}
    pads = {(land.part, land.pin) for land in board.lands if land.part.startswith("U")}
    blocked = tuple(
        replace(land, net="") if (land.part, land.pin) in small | pads else land
        for land in board.lands
    )
    found = routed(replace(board, lands=(*blocked, *(_ring(one) for one in holes))), measures)
    tracks = [
        Track(land.net, Surface.FRONT, *(_short(at) for at in ends))
        for land, way in ways
        for ends in pairwise((land.at, *way))
    ]
    for land in board.lands:
        if land.part.startswith("U") and land.pin == "5" and land.part != LATCH:
            low = next(o for o in board.lands if (o.part, o.pin) == (land.part, "2"))
            tracks.append(Track(GROUND, Surface.FRONT, (low.at[0], land.at[1]), low.at))
    vias = list(found.vias)
    for hole in holes:
        ends = [
            (track.surface, end)
            for track in found.tracks
            for end in (track.start, track.end)
            if track.net == hole.net and dist(end, hole.at) < hole.size[0] / 2
        ]
        if any(surface is Surface.BACK for surface, _ in ends):
            vias.append(Via(hole.net, _short(hole.at)))
        else:
            tracks += [
                Track(hole.net, Surface.FRONT, _short(hole.at), end)
                for _, end in ends
                if dist(end, hole.at) > 0.001
            ]
    joined = replace(board, tracks=(*tracks, *found.tracks), vias=tuple(vias))
    return replace(joined, strokes=tuple(_legend(joined, measures)))


def _ways(board: Artwork) -> Iterator[tuple[Land, tuple[PointMm, ...]]]:
    """Yield each small land with the track to its via."""
    at_of = {body.part: body.at for body in board.bodies}
    for land in board.lands:
        pins = LATCH_PINS if land.part == LATCH else SENSOR_PINS
        if not land.part.startswith("U"):
            continue
        pin = next(pin for pin in pins if pin.name == land.pin)
        if pin.way:
            middle = at_of[land.part]
            yield land, tuple((middle[0] + x, middle[1] + y) for x, y in pin.way)


def _ring(hole: Land) -> Land:
    return replace(hole, size=(hole.size[0], hole.size[0]), drill=hole.size[1])


def _short(at: PointMm) -> PointMm:
    return round(at[0], 3), round(at[1], 3)


def _legend(board: Artwork, measures: StripMeasures) -> Iterator[LegendLine]:
    """The names of places, pins and strip, on both sides; the header with its key on the front."""
    at_of = {body.part: body.at for body in board.bodies}
    middle = board.size[1] / 2
    sign = list(header_sign(at_of[HEADER], len(RIBBON)))
    yield from sign
    for surface in Surface:
        taken = list(kept_free(board, measures, surface))
        if surface is Surface.FRONT:
            taken += [Extent.round_all(stroke.points).grown(0.3) for stroke in sign]
            for body in board.bodies:
                if body.smd:
                    taken.append(Extent.about(body.at, body.size).grown(0.1))
        words = [
            ("in", (at_of[TOKEN_IN][0], middle + 3.2)),
            ("out", (at_of[TOKEN_OUT][0], middle + 3.2)),
            ("1", (at_of[HEADER][0] - header_size(len(RIBBON))[0] / 2 - 1.2, middle - 1.3)),
            ("3v3 to a4", (at_of[HEADER][0], middle - HEADER_WIDE / 2 - 1.2)),
            (board.name, (board.size[0] / 4, board.size[1] - 1.8)),
        ]
        for part, at in at_of.items():
            if part.startswith("U"):
                words.append((part.lower(), (at[0] + 3.4, at[1] + 0.4)))
                if surface is Surface.FRONT:
                    yield from _first_pin(part, at)
        for said, near in words:
            yield from written(said, near, taken, board, surface)


def _first_pin(part: str, at: PointMm) -> Iterator[LegendLine]:
    """Draw a stroke beside pin 1."""
    x, y = (-2.3, 1.9) if part == LATCH else (-1.0, 0.9)
    ends = (at[0] + x, at[1] + y - 0.3), (at[0] + x, at[1] + y + 0.3)
    yield LegendLine(Surface.FRONT, tuple(_short(end) for end in ends))
