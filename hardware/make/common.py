"""What all boards share: the checker; and one spot in section."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make import symbols
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

CHECKER_SHEET = (150.0, 44.0)
LAYERS = 3
"""A checker is glued from so many: a ring with the magnet in it, and discs on top."""
SECTION_SCALE = 4.0


def checker(spot_diameter: float, measures: Measures) -> tuple[DrawnShape, ...]:
    """The layers of one checker at true scale: ring, disc, disc, and the felt below."""
    radius = (spot_diameter - measures.checker_gap) / 2
    pocket = (measures.magnet[0] + measures.magnet_play) / 2
    names = ("ring: magnet", "disc", "disc", "felt")
    shapes: list[DrawnShape] = []
    for place, name in enumerate(names):
        centre = (20.0 + place * 36.0, 26.0)
        shapes.append(Circle(Layer.CUT, centre, radius))
        if place == 0:
            shapes.append(Circle(Layer.HOLE, centre, pocket))
        shapes.append(Lettering(Layer.MARK, (centre[0], 3), name, 3, Anchor.MIDDLE))
    return tuple(shapes)


def section(spot_diameter: float, offset: float, measures: Measures) -> Paper:
    """One spot cut through along its reed, four times its size, with every measure in mm."""
    size = (240.0, 130.0)
    ground = 52.0
    shapes = [
        *_sheets(offset, measures, ground),
        *_checker_section(spot_diameter, measures, ground),
        *_reed_section(offset, measures, ground),
    ]
    head = "One spot, cut through along its reed (four times its size)"
    shapes += [
        Lettering(Layer.WORDS, (10, size[1] - 11), head, 5, bold=True),
        *_field(offset, measures, ground),
        *_legend(),
    ]
    return Paper(head, size, tuple(shapes))


def _scaled(x: float, y: float, ground: float) -> PointMm:
    """Millimetres from the spot's centre and the top sheet's surface, to the paper."""
    return (80 + SECTION_SCALE * x, ground + SECTION_SCALE * y)


def _sheets(offset: float, measures: Measures, ground: float) -> Iterator[DrawnShape]:
    wide = 40.0
    top = _scaled(-wide / 2 + 2, -measures.top, ground)
    yield frame(Layer.FILL, top, (SECTION_SCALE * wide, SECTION_SCALE * measures.top))
    low = -measures.top - measures.carrier
    ends = (offset - measures.slot[0] / 2, offset + measures.slot[0] / 2)
    for start, end in ((-wide / 2 + 2, ends[0]), (ends[1], wide / 2 + 2)):
        corner = _scaled(start, low, ground)
        height = SECTION_SCALE * measures.carrier
        yield frame(Layer.FILL, corner, (SECTION_SCALE * (end - start), height))
        yield frame(Layer.WIRE, corner, (SECTION_SCALE * (end - start), height))
    yield frame(Layer.WIRE, top, (SECTION_SCALE * wide, SECTION_SCALE * measures.top))


def _checker_section(
    spot_diameter: float, measures: Measures, ground: float
) -> Iterator[DrawnShape]:
    wide = spot_diameter - measures.checker_gap
    high = LAYERS * measures.checker_layer
    corner = _scaled(-wide / 2, 0.7, ground)
    yield frame(Layer.WIRE, corner, (SECTION_SCALE * wide, SECTION_SCALE * high))
    width, thick = measures.magnet
    corner = _scaled(-width / 2, 0.7, ground)
    yield frame(Layer.GLASS, corner, (SECTION_SCALE * width, SECTION_SCALE * thick))
    at = _scaled(0, 0.7 + thick / 2, ground)
    yield Lettering(Layer.WORDS, (at[0], at[1] + 1), "N", 4, Anchor.MIDDLE, bold=True)
    yield Lettering(Layer.WORDS, (at[0], at[1] - 5), "S", 4, Anchor.MIDDLE, bold=True)


def _reed_section(offset: float, measures: Measures, ground: float) -> Iterator[DrawnShape]:
    y = -measures.top - measures.glass[1] / 2
    length = SECTION_SCALE * measures.glass[0]
    yield from symbols.reed(_scaled(offset, y, ground), (1, 0), length / 0.8)
    for x, way in (
        (offset - measures.slot[0] / 2 + 1.5, -1),
        (offset + measures.slot[0] / 2 - 1.5, 1),
    ):
        inner = _scaled(offset + way * measures.glass[0] / 1.6, y, ground)
        low = -measures.top - measures.carrier - 2
        yield line(Layer.WIRE, inner, _scaled(x, y, ground), _scaled(x, low, ground))


def _field(offset: float, measures: Measures, ground: float) -> Iterator[DrawnShape]:
    """The offset between the two middles."""
    low = -measures.top - measures.carrier - 3.5
    for x in (0.0, offset):
        yield line(Layer.MARK, _scaled(x, low - 0.5, ground), _scaled(x, 1, ground))
    yield line(Layer.MARK, _scaled(0, low, ground), _scaled(offset, low, ground))
    at = _scaled(offset / 2, low, ground)
    yield Lettering(Layer.MARK, (at[0], at[1] - 5), f"{number(offset)} mm", 3.6, Anchor.MIDDLE)
    for x, y, words in (
        (22.5, -measures.top / 2, f"top sheet {number(measures.top)} mm"),
        (22.5, -measures.top - measures.carrier / 2, f"carrier {number(measures.carrier)} mm"),
    ):
        left, high = _scaled(x, y, ground)
        yield Lettering(Layer.WORDS, (left, high - 1.2), words, 3.4)


def _legend() -> Iterator[DrawnShape]:
    lines = (
        "checker: a ring with the magnet in it,",
        "two discs above, felt below",
        "",
        "the reed lies under the top sheet,",
        "along its offset; right below the",
        "magnet's middle it would not close",
    )
    for place, words in enumerate(lines):
        yield Lettering(Layer.WORDS, (150, 108 - place * 5), words, 3.4)
