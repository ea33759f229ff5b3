"""Where the parts of a strip lie: reeds where the board has them, the rest where there is room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, pairwise, product
from math import ceil
from typing import NamedTuple

from hardware.make.parts import Measures
from hardware.make.pcb.lines import Alike, Axis, ReedBed, Strip
from hardware.make.pcb.measures import StripMeasures
from hardware.make.places import lights, screws, step
from hardware.make.shapes import PointMm
from pi_app.sensing.description import Board

PIN_MM, PIN_HOLE, PIN_LAND = 2.54, 1.0, 1.7
HEADER_ENDS, HEADER_WIDE = 10.2, 8.9
"""A box header is so much longer than the way from its first pin to its last, and so wide."""
LEAST_PINS = 6
SINGLE_MM = 3.6
"""The room beyond the header for the pin of the strip's own line, with its socket."""
DIODE_PITCH, DIODE_LAND, DIODE_ROOM = 3.5, 1.3, (5.4, 2.0)
"""An SOD-123: between its lands, the side of each, and its room."""
FREE_MM = 0.5
"""Between the header and what is soldered beside it."""
HOLE_MM = 4.0
"""A strip stays so far from the middles of the game board's screws and lights."""
SEARCH_MM = (2.0, 0.5)
"""Places for a header are tried so far apart, along the strip and across it."""
WALL_MM, TAIL_MM = 1.0, 1.25
"""Wood between two holes of the carrier, and room round a pin's tail."""
SHARED, OWN = "X1", "X2"
"""The header of the lines that run from strip to strip, and the pin of the strip's own."""


class Extent(NamedTuple):
    """An upright rectangle."""

    left: float
    low: float
    right: float
    high: float

    def meets(self, other: Extent) -> bool:
        """Whether the two overlap."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.low < other.high
            and other.low < self.high
        )

    def grown(self, by: float) -> Extent:
        """The same with a margin."""
        return Extent(self.left - by, self.low - by, self.right + by, self.high + by)

    @property
    def size(self) -> PointMm:
        """Width and height."""
        return self.right - self.left, self.high - self.low

    @property
    def middle(self) -> PointMm:
        """Its centre."""
        return (self.left + self.right) / 2, (self.low + self.high) / 2

    @classmethod
    def about(cls, middle: PointMm, size: PointMm) -> Extent:
        """Return a rectangle of this size around a centre."""
        return cls(
            *(middle[0] - size[0] / 2, middle[1] - size[1] / 2),
            *(middle[0] + size[0] / 2, middle[1] + size[1] / 2),
        )

    @classmethod
    def round_all(cls, points: Sequence[PointMm]) -> Extent:
        """Return the smallest rectangle around points."""
        xs, ys = zip(*points, strict=True)
        return cls(min(xs), min(ys), max(xs), max(ys))


@dataclass(frozen=True, slots=True)
class Laid:
    """A strip design's outline in its frame, its header's middle, its pins and the lines shared
    through them, and its screws.
    """

    group: Alike
    axis: Axis
    outline: Extent
    header: PointMm
    pins: int
    shared: int
    bores: tuple[PointMm, ...]

    @property
    def area(self) -> float:
        """Of all strips of this design, in mm²."""
        wide, high = self.outline.size
        return wide * high * len(self.group.strips)

    def window(self) -> Extent:
        """The hole in the carrier for the tails of the pins, in the frame."""
        return window(self.header, self.pins)

    def on_board(self, strip: Strip) -> Extent:
        """What a strip covers of the game board."""
        return covered(strip, self.outline)


@dataclass(frozen=True, slots=True)
class _Ground:
    """The game board above the strips: its name, where strips may lie, and what they must keep
    clear of."""

    name: str
    room: Extent
    holes: tuple[Extent, ...]


def laid_out(
    board: Board, measures: Measures, strip: StripMeasures, groups: Sequence[Alike], axis: Axis
) -> tuple[Laid, ...]:
    """Every design of a board, all of one length, for a V-score goes through a whole panel.

    Raises ValueError where the parts find no room or strips would lie on each other.
    """
    assert board.scanner is not None
    if (needed := strip.span(measures.glass[0]) + strip.lead) > measures.slot[0]:
        raise ValueError(
            f"{board.name}: slot in parts.toml is {measures.slot[0]} mm long; bent reeds need "
            f"{needed:.2f}: make it longer"
        )
    shared = board.scanner.columns if axis is Axis.ROW else board.scanner.rows
    holes = (*screws(board, measures), *(at for _, at in lights(board, measures)))
    held = tuple(Extent.about(at, (2 * HOLE_MM, 2 * HOLE_MM)) for at in holes)
    room = Extent(0.0, 0.0, *board.size).grown(-strip.apart)
    ground = _Ground(board.name, room, held)
    found = [_laid(ground, measures, strip, group, axis, shared) for group in groups]
    length = max(one.outline.size[0] for one in found)
    even = tuple(_lengthened(ground, one, length) for one in found)
    boxes = [one.on_board(each) for one in even for each in one.group.strips]
    if any(one.meets(other) for one, other in combinations(boxes, 2)):
        raise ValueError(f"{board.name}: its strips would lie on each other; set its spots apart")
    return even


def header_size(pins: int) -> PointMm:
    """The room of a box header, along its rows of pins first."""
    return (pins / 2 - 1) * PIN_MM + HEADER_ENDS, HEADER_WIDE


def header_pins(header: PointMm, pins: int) -> tuple[PointMm, ...]:
    """Return the places of a box header's pins from the first, in pairs as a ribbon's wires come.

    With the key below, pin 1 is the lower one at the left, and the odd pins form its row.
    """
    left = header[0] - (pins / 2 - 1) * PIN_MM / 2
    return tuple(
        (left + (number // 2) * PIN_MM, header[1] + (number % 2 - 0.5) * PIN_MM)
        for number in range(pins)
    )


def own_pin(header: PointMm, pins: int) -> PointMm:
    """The pin of the strip's own line, beyond the header's end."""
    return header[0] + (header_size(pins)[0] + SINGLE_MM) / 2, header[1]


def window(header: PointMm, pins: int) -> Extent:
    """Return the rectangle around all pin tails of header and single pin."""
    tails = (*header_pins(header, pins), own_pin(header, pins))
    return Extent.round_all(tails).grown(TAIL_MM)


def covered(strip: Strip, outline: Extent) -> Extent:
    """What an outline in a strip's frame covers of the game board."""
    corners = product((outline.left, outline.right), (outline.low, outline.high))
    return Extent.round_all([strip.on_board(corner) for corner in corners])


def leads_of(bed: ReedBed, measures: Measures, strip: StripMeasures) -> tuple[PointMm, PointMm]:
    """Where a reed's near and far lead meet the strip."""
    half = strip.span(measures.glass[0]) / 2
    return step(bed.middle, bed.along, -half), step(bed.middle, bed.along, half)


def diode_from(measures: Measures, strip: StripMeasures) -> float:
    """Return the distance from a reed's middle to its diode's, in mm: the anode is beside the far
    lead's land."""
    land = strip.span(measures.glass[0]) / 2 - strip.reed_land / 2
    return land - FREE_MM - DIODE_ROOM[0] / 2


def diode_of(bed: ReedBed, measures: Measures, strip: StripMeasures) -> tuple[PointMm, PointMm]:
    """A diode's middle and its direction, from its band to its anode, along the nearest axis."""
    x, y = bed.along
    level = abs(x) >= abs(y)
    way = ((1.0 if x > 0 else -1.0), 0.0) if level else (0.0, (1.0 if y > 0 else -1.0))
    return step(bed.middle, bed.along, diode_from(measures, strip)), way


@cache
def _laid(
    ground: _Ground, measures: Measures, strip: StripMeasures, group: Alike, axis: Axis, shared: int
) -> Laid:
    """Place the header where the strip becomes smallest; among equals, nearest to its middle."""
    pins = max(LEAST_PINS, 2 * ceil(shared / 2))
    lands = [
        Extent.about(at, (strip.reed_land, strip.reed_land))
        for bed in group.beds
        for at in leads_of(bed, measures, strip)
    ]
    bores = _bores(group.beds, lands, strip)
    heads = [Extent.about(at, (strip.screw_head, strip.screw_head)) for at in bores]
    diodes = [_diode_room(bed, measures, strip) for bed in group.beds]
    soldered = [part.grown(FREE_MM) for part in (*lands, *heads, *diodes)]
    slots = [_slot_room(bed, measures.slot).grown(WALL_MM) for bed in group.beds]
    core = _round([*lands, *heads, *diodes])
    fitting: dict[Extent, bool] = {}
    for _, header, outline in sorted(_headers(core, pins, strip)):
        if outline not in fitting:
            fitting[outline] = _fits(ground, group, outline)
        if (
            fitting[outline]
            and not any(_block(header, pins).meets(part) for part in soldered)
            and not any(window(header, pins).meets(part) for part in slots)
        ):
            return Laid(group, axis, outline, header, pins, shared, bores)
    own = group.strips[0].own
    raise ValueError(
        f"{ground.name}: the strip of {axis.value} {own} has no room for its header; "
        "set its spots farther apart, or from the board's edge"
    )


def _headers(
    core: Extent, pins: int, strip: StripMeasures
) -> Iterator[tuple[tuple[float, ...], PointMm, Extent]]:
    """Yield every place for a header with its cost (the area, then the distance from the middle)
    and the strip's outline."""
    middle = core.middle
    reach = header_size(pins)[0] + SINGLE_MM
    for along in range(ceil((core.size[0] / 2 + reach) / SEARCH_MM[0])):
        for aside in range(ceil((core.size[1] / 2 + HEADER_WIDE) / SEARCH_MM[1])):
            for one, other in product((1, -1), repeat=2):
                at = (
                    middle[0] + one * along * SEARCH_MM[0],
                    middle[1] + other * aside * SEARCH_MM[1],
                )
                outline = _outline([core, _block(at, pins)], strip)
                area = round(outline.size[0] * outline.size[1], 3)
                yield (area, along, aside, -one, -other), at, outline


def _block(header: PointMm, pins: int) -> Extent:
    """The room of header and pin together."""
    room = Extent.about(header, header_size(pins))
    return room._replace(right=room.right + SINGLE_MM)


def _outline(parts: Sequence[Extent], strip: StripMeasures) -> Extent:
    """Return the outline around all parts with their distance to the edge, not narrower than the
    maker recommends."""
    tight = _round(parts).grown(strip.edge)
    missing = max(0.0, strip.least_width - tight.size[1]) / 2
    return tight._replace(low=tight.low - missing, high=tight.high + missing)


def _round(parts: Sequence[Extent]) -> Extent:
    return Extent(
        *(min(part.left for part in parts), min(part.low for part in parts)),
        *(max(part.right for part in parts), max(part.high for part in parts)),
    )


def _bores(
    beds: Sequence[ReedBed], lands: Sequence[Extent], strip: StripMeasures
) -> tuple[PointMm, ...]:
    """Return a screw between the first two reeds and one between the last two, if there is room."""
    gaps = []
    for one, other in pairwise(beds):
        at = (one.middle[0] + other.middle[0]) / 2, (one.middle[1] + other.middle[1]) / 2
        head = Extent.about(at, (strip.screw_head, strip.screw_head)).grown(strip.clearance)
        if not any(head.meets(land) for land in lands):
            gaps.append(at)
    return tuple(dict.fromkeys((gaps[0], gaps[-1]))) if gaps else ()


def _diode_room(bed: ReedBed, measures: Measures, strip: StripMeasures) -> Extent:
    at, way = diode_of(bed, measures, strip)
    return Extent.about(at, DIODE_ROOM if way[0] else (DIODE_ROOM[1], DIODE_ROOM[0]))


def _slot_room(bed: ReedBed, size: PointMm) -> Extent:
    ends = [step(bed.middle, bed.along, way * (size[0] - size[1]) / 2) for way in (-1, 1)]
    return Extent.round_all(ends).grown(size[1] / 2)


def _fits(ground: _Ground, group: Alike, outline: Extent) -> bool:
    """Whether every strip lies on the board, clear of screws, lights and neighbours."""
    boxes = [covered(strip, outline) for strip in group.strips]
    return (
        _round([ground.room, *boxes]) == ground.room
        and not any(box.meets(hole) for box in boxes for hole in ground.holes)
        and not any(one.meets(other) for one, other in combinations(boxes, 2))
    )


def _lengthened(ground: _Ground, laid: Laid, length: float) -> Laid:
    """Lengthen a strip at both ends alike, or at one end alone if there is no other room."""
    missing = length - laid.outline.size[0]
    for left in (missing / 2, 0.0, missing):
        longer = laid.outline._replace(
            left=laid.outline.left - left, right=laid.outline.right + missing - left
        )
        if _fits(ground, laid.group, longer):
            return replace(laid, outline=longer)
    own = laid.group.strips[0].own
    raise ValueError(
        f"{ground.name}: the strip of {laid.axis.value} {own} cannot be {length:.1f} mm long as "
        "the others; set its spots farther from the board's edge"
    )
