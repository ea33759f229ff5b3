"""One reed of a strip cut through along its length, four times its size: what lies how deep."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make import symbols
from hardware.make.parts import Measures
from hardware.make.pcb.layout import DIODE_ROOM, diode_from
from hardware.make.pcb.measures import StripMeasures
from hardware.make.shapes import (
    Anchor,
    DrawnShape,
    Layer,
    Lettering,
    Paper,
    PointMm,
    box,
    frame,
    line,
)
from hardware.make.svg import number

SCALE = 4.0
SIZE = (250.0, 110.0)
GROUND, MIDDLE = 78.0, 75.0
"""On the paper: the top sheet's surface, and the reed's middle."""
WIDE_MM, DIODE_HIGH = 34.0, 1.1


def depth(measures: Measures) -> float:
    """From the surface that checkers stand on to the middle of the glass, in mm.

    The glass lies in the carrier, right below the top sheet, wired or on a strip.
    """
    return measures.top + measures.glass[1] / 2


def tail(measures: Measures, strip: StripMeasures) -> float:
    """How far a leg stands out below the strip, in mm; negative where it does not reach it."""
    return measures.leg - measures.carrier + measures.glass[1] / 2 - strip.thickness


def strip_section(measures: Measures, strip: StripMeasures) -> Paper:
    """Top sheet, carrier, reed and strip, with their measures."""
    head = "A reed on its strip, cut through along it (four times its size)"
    shapes: list[DrawnShape] = [
        Lettering(Layer.WORDS, (10, SIZE[1] - 11), head, 5, bold=True),
        *_wood(measures),
        *_board(measures, strip),
        *symbols.reed(_at(0, -depth(measures)), (1, 0), SCALE * measures.glass[0] / 0.8),
        *_leads(measures, strip),
        *_words(measures, strip),
    ]
    return Paper(head, SIZE, tuple(shapes))


def _at(x: float, y: float) -> PointMm:
    """Millimetres from the reed's middle and the surface, on the paper."""
    return MIDDLE + SCALE * x, GROUND + SCALE * y


def _wood(measures: Measures) -> Iterator[DrawnShape]:
    half, long = WIDE_MM / 2, SCALE * WIDE_MM
    top = _at(-half, -measures.top)
    yield frame(Layer.FILL, top, (long, SCALE * measures.top))
    low = -measures.top - measures.carrier
    gap = measures.slot[0] / 2
    for start, end in ((-half, -gap), (gap, half)):
        size = SCALE * (end - start), SCALE * measures.carrier
        yield frame(Layer.FILL, _at(start, low), size)
        yield frame(Layer.WIRE, _at(start, low), size)
    yield frame(Layer.WIRE, top, (long, SCALE * measures.top))


def _board(measures: Measures, strip: StripMeasures) -> Iterator[DrawnShape]:
    low = -measures.top - measures.carrier - strip.thickness
    size = SCALE * WIDE_MM, SCALE * strip.thickness
    yield frame(Layer.GLASS, _at(-WIDE_MM / 2, low), size)
    middle = _at(diode_from(measures, strip), low - DIODE_HIGH / 2)
    yield box(Layer.BODY, middle, (SCALE * DIODE_ROOM[0] / 2, SCALE * DIODE_HIGH))


def _leads(measures: Measures, strip: StripMeasures) -> Iterator[DrawnShape]:
    y = -depth(measures)
    for way in (-1, 1):
        x = way * strip.span(measures.glass[0]) / 2
        inner = way * measures.glass[0] / 1.6
        end = y - measures.leg
        below = end + tail(measures, strip)
        yield line(Layer.WIRE, _at(inner, y), _at(x, y), _at(x, end))
        cone = (_at(x - 0.8, below), _at(x + 0.8, below), _at(x, end))
        yield line(Layer.WIRE, *cone, cone[0])


def _words(measures: Measures, strip: StripMeasures) -> Iterator[DrawnShape]:
    beside = WIDE_MM / 2 + 2
    low = -measures.top - measures.carrier
    for y, words in (
        (-measures.top / 2, f"top sheet {number(measures.top)} mm"),
        (-measures.top - measures.carrier / 2, f"carrier {number(measures.carrier)} mm"),
        (low - strip.thickness / 2, f"strip {number(strip.thickness)} mm, its front below"),
        (low - strip.thickness - 2.2, "diode, solder, the legs' ends"),
    ):
        left, high = _at(beside, y)
        yield Lettering(Layer.WORDS, (left, high - 1.2), words, 3.4)
    half = strip.span(measures.glass[0]) / 2
    high = low - strip.thickness - 8.5
    for x in (-half, half):
        yield line(Layer.MARK, _at(x, high - 0.6), _at(x, high + 1.5))
    yield line(Layer.MARK, _at(-half, high), _at(half, high))
    at = _at(0, high)
    said = f"{number(2 * half)} mm between the legs"
    yield Lettering(Layer.MARK, (at[0], at[1] - 5), said, 3.6, Anchor.MIDDLE)
