"""Drawings that all boards share: the checker, and one spot in section."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make.parts import Measures
from hardware.make.shapes import (
    Anchor,
    Circle,
    DrawnShape,
    Layer,
    Lettering,
    Paper,
    PointMm,
    frame,
    line,
)
from hardware.make.svg import number

DISC_APART_MM, DISC_ROW_MM, DISC_SHEET_MM = 36.0, 26.0, 44.0
"""The distance of a checker's discs, and the heights of disc and sheet, on paper."""
TOP_SHARE = 0.7
"""The size of the ring that marks a checker's top, as a share of the checker's."""
SECTION_SCALE, SECTION_SIZE, GROUND_MM = 4.0, (250.0, 140.0), 62.0


def checker_sheet(measures: Measures) -> PointMm:
    """The size of the sheet with the layers of one checker."""
    return ((measures.checker_layers + 1) * DISC_APART_MM + 4, DISC_SHEET_MM)


def checker(spot_diameter: float, measures: Measures) -> tuple[DrawnShape, ...]:
    """The layers of one checker at true scale: a ring, discs, and the felt below."""
    radius = (spot_diameter - measures.checker_gap) / 2
    pocket = (measures.magnet[0] + measures.magnet_play) / 2
    names = ("ring: magnet", *["disc"] * (measures.checker_layers - 2), "top", "felt")
    shapes: list[DrawnShape] = []
    for place, name in enumerate(names):
        centre = (20.0 + place * DISC_APART_MM, DISC_ROW_MM)
        shapes.append(Circle(Layer.CUT, centre, radius))
        if place == 0:
            shapes.append(Circle(Layer.HOLE, centre, pocket))
        if name == "top":
            shapes.append(Circle(Layer.ENGRAVE, centre, TOP_SHARE * radius))
        shapes.append(Lettering(Layer.MARK, (centre[0], 3), name, 3, Anchor.MIDDLE))
    return tuple(shapes)


def section(spot_diameter: float, offset: float, measures: Measures) -> Paper:
    """Draw a cut through one spot along its reed, four times its size, with all measures in mm."""
    head = "One spot, cut through along its reed (four times its size)"
    shapes = (
        *_sheets(offset, measures),
        *_checker_section(spot_diameter, measures),
        *_reed_section(offset, measures),
        Lettering(Layer.WORDS, (10, SECTION_SIZE[1] - 11), head, 5, bold=True),
        *_offset_mark(offset, measures),
        *_thicknesses(spot_diameter, measures),
    )
    return Paper(head, SECTION_SIZE, shapes)


def _scaled(x: float, y: float) -> PointMm:
    """Convert mm from the spot's centre and the top sheet's surface to a point on the paper."""
    return (80 + SECTION_SCALE * x, GROUND_MM + SECTION_SCALE * y)


def _block(layer: Layer, corner: PointMm, size: PointMm) -> DrawnShape:
    """A rectangle from its lower left corner, in the spot's millimetres."""
    return frame(layer, _scaled(*corner), (SECTION_SCALE * size[0], SECTION_SCALE * size[1]))


def _sheets(offset: float, measures: Measures) -> Iterator[DrawnShape]:
    left, right = -17.0, 21.0
    low = -measures.top - measures.carrier
    slot = (offset - measures.slot[0] / 2, offset + measures.slot[0] / 2)
    for start, end in ((left, slot[0]), (slot[1], right)):
        for layer in (Layer.FILL, Layer.WIRE):
            yield _block(layer, (start, low), (end - start, measures.carrier))
    for layer in (Layer.FILL, Layer.WIRE):
        yield _block(layer, (left, -measures.top), (right - left, measures.top))


def _checker_section(spot_diameter: float, measures: Measures) -> Iterator[DrawnShape]:
    wide = spot_diameter - measures.checker_gap
    felt, layer = measures.felt, measures.checker_layer
    yield _block(Layer.FILL, (-wide / 2, 0), (wide, felt))
    for place in range(measures.checker_layers):
        yield _block(Layer.WIRE, (-wide / 2, felt + place * layer), (wide, layer))
    width, thick = measures.magnet
    pocket = width + measures.magnet_play
    yield _block(Layer.FAINT, (-pocket / 2, felt), (pocket, layer))
    yield _block(Layer.GLASS, (-width / 2, felt), (width, thick))
    x, y = _scaled(0, felt + thick)
    yield Lettering(Layer.WORDS, (x, y + 2), "magnet", 3, Anchor.MIDDLE)


def _reed_section(offset: float, measures: Measures) -> Iterator[DrawnShape]:
    y = -measures.top - measures.glass[1] / 2
    half = measures.span / 2
    length, wide = measures.glass
    yield _block(Layer.GLASS, (offset - length / 2, -measures.top - wide), (length, wide))
    for way in (-1, 1):
        tip = _scaled(offset - way * 0.6, y + way * 0.1)
        bend = _scaled(offset + way * half, y)
        foot = _scaled(offset + way * half, y - measures.leg)
        yield line(Layer.WIRE, tip, bend, foot)


def _offset_mark(offset: float, measures: Measures) -> Iterator[DrawnShape]:
    """Draw the offset between checker and reed, and the span from leg to leg."""
    low = -measures.top - measures.glass[1] / 2 - measures.leg - 1
    half = measures.span / 2
    for x in (0.0, offset):
        yield line(Layer.MARK, _scaled(x, low - 0.5), _scaled(x, 0.4))
    yield line(Layer.MARK, _scaled(0, low), _scaled(offset, low))
    x, y = _scaled(offset / 2, low)
    yield Lettering(Layer.MARK, (x, y - 5), f"{number(offset)} mm", 3.6, Anchor.MIDDLE)
    for x in (offset - half, offset + half):
        yield line(Layer.MARK, _scaled(x, low + 0.6), _scaled(x, low - 3.5))
    yield line(Layer.MARK, _scaled(offset - half, low - 3), _scaled(offset + half, low - 3))
    x, y = _scaled(offset, low - 3)
    said = f"{number(measures.span)} mm from leg to leg"
    yield Lettering(Layer.MARK, (x, y - 5), said, 3.6, Anchor.MIDDLE)


def _thicknesses(spot_diameter: float, measures: Measures) -> Iterator[DrawnShape]:
    """Label each layer with its name and its thickness."""
    leg = measures.leg
    axis = measures.top + measures.glass[1] / 2
    wide, high = number(spot_diameter - measures.checker_gap), number(measures.checker_height)
    magnet = " × ".join(number(length) for length in measures.magnet)
    for y, words in (
        (measures.felt + measures.checker_height - 2, f"checker {wide} × {high} mm: a ring with"),
        (measures.felt + measures.checker_height - 3.5, "the magnet at its foot, discs above"),
        (measures.felt + 2.4, f"magnet {magnet} mm, flush with the ring"),
        (0.3, f"felt {number(measures.felt)} mm"),
        (-measures.top / 2, f"top sheet {number(measures.top)} mm"),
        (-measures.top - measures.carrier / 2, f"carrier {number(measures.carrier)} mm"),
        (-axis - leg, f"legs cut {number(leg)} mm below the"),
        (-axis - leg - 1.3, "middle of the glass"),
    ):
        left, middle = _scaled(22.0, y)
        yield Lettering(Layer.WORDS, (left, middle - 1.2), words, 3.4)
