"""How strips lie below a board: the carrier they hang on, the ribbons that join them, and both as
the maker sees them who has turned the board over from left to right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist, hypot

from hardware.make.mega import Mega
from hardware.make.parts import Measures
from hardware.make.pcb.design import StripDesign
from hardware.make.pcb.layout import header_pins, header_size, own_pin
from hardware.make.pcb.lines import Axis, Strip, common_start
from hardware.make.places import across, screws
from hardware.make.shapes import (
    Anchor,
    Circle,
    DrawnShape,
    Layer,
    Lettering,
    Paper,
    PointMm,
    box,
    frame,
    line,
    mirrored,
    moved,
)
from hardware.make.template import carrier
from pi_app.sensing.description import Board

PILOT_MM = 1.5
"""Drilled for a wood screw of 2 mm."""
LEVEL_MM = 3.0
"""Headers that lie no farther from one line share a ribbon."""
SPARE, LEAD_MM = 1.2, 300.0
"""A fifth more ribbon than the drawing has, and each one's way to the controller."""
MARGIN = (40.0, 26.0)
HEAD_MM = 20.0
WORD_MM = 3.0


@dataclass(frozen=True, slots=True)
class Ribbon:
    """One ribbon cable: the strips it joins, and where their headers lie on the board."""

    design: StripDesign
    strips: tuple[Strip, ...]
    headers: tuple[PointMm, ...]

    @property
    def length_m(self) -> float:
        """With its lead to the controller, in metres."""
        way = sum(dist(*ends) for ends in pairwise(self.headers))
        return SPARE * (way + LEAD_MM) / 1000


def ribbons(designs: Sequence[StripDesign]) -> tuple[Ribbon, ...]:
    """Return one ribbon for all neighbouring strips of a design that lie the same way round."""
    found: dict[tuple[object, ...], list[Strip]] = {}
    for design in designs:
        for strip in design.strips:
            header = _header(design, strip)
            along = round(strip.along[0], 3), round(strip.along[1], 3)
            level = round((header[0] * along[0] + header[1] * along[1]) / LEVEL_MM)
            found.setdefault((design.name, along, level), []).append(strip)
    by_name = {design.name: design for design in designs}
    return tuple(_ribbon(by_name[str(key[0])], strips) for key, strips in found.items())


def strip_carrier(
    board: Board,
    measures: Measures,
    designs: Sequence[StripDesign],
    more: Iterable[DrawnShape] = (),
) -> tuple[DrawnShape, ...]:
    """The carrier from below, with a window for each header's pins and bores for the screws, and
    more shapes in the board's own millimetres."""
    shapes = list(more)
    for design in designs:
        hole = design.laid.window()
        for one in design.strips:
            shapes.append(box(Layer.HOLE, one.on_board(hole.middle), hole.size, one.along))
            shapes += [
                Circle(Layer.HOLE, one.on_board(at), PILOT_MM / 2) for at in design.laid.bores
            ]
    return carrier(board, measures, shapes)


def strips_below(
    board: Board, measures: Measures, mega: Mega, designs: Sequence[StripDesign]
) -> Paper:
    """The board from below at true scale: strips, their headers, and the ribbons."""
    shapes: list[DrawnShape] = [
        frame(Layer.FAINT, (0.0, 0.0), board.size),
        *(Circle(Layer.FAINT, at, measures.screw / 2) for at in screws(board, measures)),
    ]
    for design in designs:
        for strip in design.strips:
            shapes += _strip(design, strip, mega)
    for ribbon in ribbons(designs):
        shapes += _run(ribbon)
    size = (board.size[0] + 2 * MARGIN[0], board.size[1] + 2 * MARGIN[1] + HEAD_MM)
    drawn = moved(mirrored(shapes, board.size[0]), MARGIN)
    return Paper(f"{board.name} from below, with strips", size, (*drawn, *_head(board, size)))


def label(strip: Strip) -> str:
    """What the reeds of a strip are called together: a point's number, a file's letter, bar."""
    return common_start([str(reed.name) for reed in strip.reeds]).strip(".") or str(strip.own)


def pin_of(axis: Axis, strip: Strip, mega: Mega) -> str:
    """The Mega's pin that a strip's own line goes to, as printed."""
    return (mega.rows if axis is Axis.ROW else mega.columns)[strip.own].printed


def _header(design: StripDesign, strip: Strip) -> PointMm:
    return strip.on_board(design.laid.header)


def _ribbon(design: StripDesign, strips: Sequence[Strip]) -> Ribbon:
    side = across(strips[0].along)
    headers = {strip.own: _header(design, strip) for strip in strips}
    ordered = sorted(
        strips, key=lambda s: round(headers[s.own][0] * side[0] + headers[s.own][1] * side[1], 3)
    )
    return Ribbon(design, tuple(ordered), tuple(headers[strip.own] for strip in ordered))


def _strip(design: StripDesign, strip: Strip, mega: Mega) -> Iterator[DrawnShape]:
    laid = design.laid
    yield box(Layer.WIRE, strip.on_board(laid.outline.middle), laid.outline.size, strip.along)
    yield box(Layer.GLASS, _header(design, strip), header_size(laid.pins), strip.along)
    first = header_pins(laid.header, laid.pins)[0]
    yield Circle(Layer.COLUMN, strip.on_board(first), 0.9)
    yield Circle(Layer.ROW, strip.on_board(own_pin(laid.header, laid.pins)), 0.9)
    for at in laid.bores:
        yield Circle(Layer.HOLE, strip.on_board(at), PILOT_MM / 2)
    words = f"{label(strip)}: {laid.axis.value} {strip.own} {pin_of(laid.axis, strip, mega)}"
    quarter = laid.outline.left + laid.outline.size[0] / 4, laid.outline.middle[1]
    upright = abs(strip.along[1]) > abs(strip.along[0])
    x, y = strip.on_board(quarter)
    at = (x - WORD_MM / 3, y) if upright else (x, y - WORD_MM / 3)
    yield Lettering(Layer.ROW, at, words, WORD_MM, Anchor.MIDDLE, upright)


def _run(ribbon: Ribbon) -> Iterator[DrawnShape]:
    """Draw a ribbon as a band past its headers and on to the board's edge."""
    if len(ribbon.headers) < 2:
        return
    strip, (start, end) = ribbon.strips[0], (ribbon.headers[0], ribbon.headers[-1])
    wires = ribbon.design.laid.pins
    length = hypot(end[0] - start[0], end[1] - start[1])
    way = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    for edge in (-1, 1):
        aside = edge * wires * 1.27 / 2
        shift = strip.along[0] * aside, strip.along[1] * aside
        points = [(at[0] + shift[0], at[1] + shift[1]) for at in ribbon.headers]
        points.append((points[-1][0] + way[0] * 14, points[-1][1] + way[1] * 14))
        yield line(Layer.COLUMN, *points)


def _head(board: Board, size: PointMm) -> Iterator[DrawnShape]:
    top = size[1] - 10
    words = f"{board.title}: strips from below, turned over from left to right"
    yield Lettering(Layer.WORDS, (MARGIN[0], top), words, 5, bold=True)
    said = (
        "Orange: ribbons, from header to header; the dot is pin 1, where the red wire lies. "
        "Blue: each strip's own line and its pin of the Mega."
    )
    yield Lettering(Layer.WORDS, (MARGIN[0], top - 6), said, 3)
