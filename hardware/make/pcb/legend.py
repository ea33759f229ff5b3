"""The legend on both sides of a strip: names of reeds and pins, and the parts' places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from math import ceil, hypot

from hardware.make.parts import Measures
from hardware.make.pcb.artwork import Artwork, LegendLine, Surface
from hardware.make.pcb.layout import (
    HEADER_WIDE,
    OWN,
    PIN_MM,
    SHARED,
    Extent,
    Laid,
    header_size,
)
from hardware.make.pcb.lines import Axis, common_start
from hardware.make.pcb.measures import StripMeasures
from hardware.make.places import across, step
from hardware.make.shapes import PointMm
from hardware.make.strokes import ADVANCE, HEIGHT, NAMES, WIDTH, engraved

PEN_MM = 0.2
"""The width of every line."""
HEIGHTS = (1.8, 1.5, 1.2, 1.0)
"""Of letters, in mm; the first for which there is room, and none below what makers print."""
AWAY_MM = 0.3
"""From lands, holes and other words."""
BOX_MM = (11.0, 4.6)
"""Where the maker writes which strip this is."""
SCAN_MM, REACH_MM = 0.5, 30.0
"""Step and limit of the search for another place for a word, in mm."""
TALL = 1.5
"""Letters with what hangs below the line, on both sides of their middle."""
LETTERS: Mapping[str, tuple[str, ...]] = {
    **NAMES,
    "+": ("13 33", "22 24"),
    " ": (),
}
"""Strokes on the same grid as the engraver's, for all that stands on a strip."""


@cache
def lettered(
    artwork: Artwork,
    laid: Laid,
    names: tuple[str, ...],
    measures: Measures,
    strip: StripMeasures,
) -> Artwork:
    """The same board with its legend; `names` are the reeds', bed by bed."""
    drawn: list[LegendLine] = []
    for surface in Surface:
        signs = list(_signs(artwork, laid, measures, surface))
        taken = [*kept_free(artwork, strip, surface), *map(_room, signs)]
        drawn += signs
        for words, near, size in _labels(artwork, laid, names, surface):
            if size is not None:
                drawn += _write_on(words, near, size, taken, artwork, surface)
            else:
                drawn += written(words, near, taken, artwork, surface)
    return replace(artwork, strokes=tuple(drawn))


def common_names(laid: Laid) -> tuple[str, ...]:
    """Return a name for each reed's bed of a design: what its reeds' names have in common over all
    strips.

    For a single strip these are the reeds' full names. Where names have nothing in common it is the
    bed's number.
    """
    return tuple(
        _common([str(reed.name) for reed in reeds]) or str(number)
        for number, reeds in enumerate(
            zip(*(strip.reeds for strip in laid.group.strips), strict=True), start=1
        )
    )


def _common(names: Sequence[str]) -> str:
    head = common_start(names)
    tail = common_start([name[::-1] for name in names])[::-1]
    return (tail if len(tail) >= len(head) else head).strip(".")


def _labels(
    artwork: Artwork, laid: Laid, names: Sequence[str], surface: Surface
) -> Iterator[tuple[str, PointMm, PointMm | None]]:
    """Yield every text with its best place, and with the box to write in beside it, if any."""
    left, low, *_ = laid.outline
    for name, bed in zip(names, laid.group.beds, strict=True):
        middle = bed.middle[0] - left, bed.middle[1] - low
        aside = step(step(middle, bed.along, -3.0), across(bed.along), 2.4)
        yield name, aside, None
    pins = {land.part: land.at for land in artwork.lands if land.part in (SHARED, OWN)}
    first = next(land.at for land in artwork.lands if land.part == SHARED)
    below = HEADER_WIDE / 2 + 1.2
    header = laid.header[0] - left, laid.header[1] - low
    other = "col" if laid.axis is Axis.ROW else "row"
    yield "1", (first[0] - header_size(laid.pins)[0] / 2, first[1]), None
    single = len(laid.group.strips) == 1
    own = f"{laid.axis.value} {laid.group.strips[0].own}" if single else laid.axis.value
    yield own, (pins[OWN][0] + PIN_MM, pins[OWN][1] - PIN_MM), None
    yield f"{other} 0-{laid.shared - 1}", (header[0], header[1] - below), None
    yield artwork.name, (artwork.size[0] / 4, artwork.size[1] - 1.5), None
    if surface is Surface.FRONT and not single:
        yield artwork.name.split()[-1], (artwork.size[0] * 0.75, artwork.size[1] - 2.5), BOX_MM


def _signs(
    artwork: Artwork, laid: Laid, measures: Measures, surface: Surface
) -> Iterator[LegendLine]:
    """Draw the legend's symbols: on the front the header with its key and the diodes' bands, on the
    back the outlines of the reeds' glasses."""
    left, low, *_ = laid.outline
    if surface is Surface.BACK:
        for bed in laid.group.beds:
            middle = bed.middle[0] - left, bed.middle[1] - low
            side, (long, thick) = across(bed.along), measures.glass
            ends = [step(middle, bed.along, way * long / 2) for way in (-1, 1)]
            one, other = ([step(end, side, way * thick / 2) for end in ends] for way in (-1, 1))
            yield LegendLine(surface, _rounded([*one, *reversed(other), one[0]]))
        return
    yield from header_sign((laid.header[0] - left, laid.header[1] - low), laid.pins)
    for body in artwork.bodies:
        if body.smd:
            yield from _band(artwork, body.part, surface)


def header_sign(middle: PointMm, pins: int) -> Iterator[LegendLine]:
    """A box header's outline and its key."""
    room = Extent.about(middle, header_size(pins))
    corners = product((room.left, room.right), (room.low, room.high))
    a, b, c, d = corners
    yield LegendLine(Surface.FRONT, _rounded([a, b, d, c, a]))
    steps = ((-2.2, 0.0), (-2.2, 1.2), (2.2, 1.2), (2.2, 0.0))
    key = [(middle[0] + x, room.low + y) for x, y in steps]
    yield LegendLine(Surface.FRONT, _rounded(key))


def _band(artwork: Artwork, part: str, surface: Surface) -> Iterator[LegendLine]:
    """A line beyond a diode's cathode, where its band goes."""
    anode, band = (
        next(land for land in artwork.lands if (land.part, land.pin) == (part, pin))
        for pin in ("A", "K")
    )
    length = hypot(band.at[0] - anode.at[0], band.at[1] - anode.at[1])
    way = (band.at[0] - anode.at[0]) / length, (band.at[1] - anode.at[1]) / length
    half = band.size[0] / 2
    at = step(band.at, way, half + AWAY_MM + PEN_MM / 2)
    ends = [step(at, across(way), side * half) for side in (-1, 1)]
    yield LegendLine(surface, _rounded(ends))


def kept_free(artwork: Artwork, strip: StripMeasures, surface: Surface) -> Iterator[Extent]:
    """Areas where printing is not allowed or not visible."""
    for land in artwork.lands:
        if land.drill or surface is Surface.FRONT:
            yield Extent.about(land.at, land.size).grown(AWAY_MM)
    for bore in artwork.bores:
        yield Extent.about(bore.at, (strip.screw_head, strip.screw_head))
    for body in artwork.bodies:
        if body.surface is surface and body.part in (SHARED, OWN):
            yield Extent.about(body.at, body.size)


def written(
    words: str, near: PointMm, taken: list[Extent], artwork: Artwork, surface: Surface
) -> Iterator[LegendLine]:
    """Draw a text as large as there is room for and as near as possible to the wanted place."""
    for height in HEIGHTS:
        size = _wide(words, height) + PEN_MM, height * TALL + PEN_MM
        if (at := _free(size, near, taken, artwork)) is not None:
            taken.append(Extent.about(at, size).grown(AWAY_MM))
            yield from letters(words, at, height, surface)
            return


def _write_on(
    words: str,
    near: PointMm,
    box: PointMm,
    taken: list[Extent],
    artwork: Artwork,
    surface: Surface,
) -> Iterator[LegendLine]:
    """Draw a text with a box for a pen to its right."""
    for height in HEIGHTS:
        wide = _wide(words, height)
        size = wide + 1.0 + box[0], box[1]
        if (at := _free(size, near, taken, artwork)) is not None:
            taken.append(Extent.about(at, size).grown(AWAY_MM))
            yield from letters(words, (at[0] - size[0] / 2 + wide / 2, at[1]), height, surface)
            room = Extent.about((at[0] + size[0] / 2 - box[0] / 2, at[1]), box)
            a, b, c, d = product((room.left, room.right), (room.low, room.high))
            yield LegendLine(surface, _rounded([a, b, d, c, a]))
            return


def letters(words: str, at: PointMm, height: float, surface: Surface) -> Iterator[LegendLine]:
    """Return the strokes of a text that is read from its own side of the board."""
    for path in engraved(words, at, height, glyphs=LETTERS):
        points = path.points
        if surface is Surface.BACK:
            points = tuple((2 * at[0] - x, y) for x, y in points)
        yield LegendLine(surface, _rounded(points))


def _wide(words: str, height: float) -> float:
    return ((len(words) - 1) * ADVANCE + WIDTH) * height / HEIGHT


def _free(
    size: PointMm, near: PointMm, taken: Sequence[Extent], artwork: Artwork
) -> PointMm | None:
    """The nearest place that is free for a rectangle."""
    whole = Extent(0.0, 0.0, *artwork.size).grown(-AWAY_MM - PEN_MM)
    for dx, dy in _outwards():
        at = near[0] + dx * SCAN_MM, near[1] + dy * SCAN_MM
        room = Extent.about(at, size)
        inside = (
            room.left >= whole.left
            and room.low >= whole.low
            and room.right <= whole.right
            and room.high <= whole.high
        )
        if inside and not any(room.meets(other) for other in taken):
            return at
    return None


@cache
def _outwards() -> tuple[tuple[int, int], ...]:
    """Yield steps in both directions, the smallest first."""
    reach = ceil(REACH_MM / SCAN_MM)
    ring = range(-reach, reach + 1)
    return tuple(sorted(product(ring, ring), key=lambda at: (hypot(*at), at)))


def _room(sign: LegendLine) -> Extent:
    return Extent.round_all(sign.points).grown(AWAY_MM)


def _rounded(points: Sequence[PointMm]) -> tuple[PointMm, ...]:
    return tuple((round(x, 3) + 0.0, round(y, 3) + 0.0) for x, y in points)
