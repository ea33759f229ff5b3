"""What is cut of a board with Hall sensors: its carrier, and the coupon to build first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from hardware.make.engraving import centre_marks
from hardware.make.hall.strip import (
    HEADER,
    RIBBON,
    TOKEN_IN,
    TOKEN_OUT,
    HallDesign,
    ribbon_rows,
    token_wires,
)
from hardware.make.nest import CutPart, CutSheet, on_sheet
from hardware.make.parts import Measures
from hardware.make.pcb.layout import TAIL_MM, Extent, header_pins
from hardware.make.pcb.lines import Strip
from hardware.make.places import lights, screws
from hardware.make.shapes import Circle, DrawnShape, Layer, PointMm, box, frame, mirrored
from hardware.make.strokes import NAMES, engraved
from hardware.make.support import RIBBON_MM, Obstacle, free_spot, marked
from pi_app.sensing.description import Board

SLOT = (4.8, 13.0)
"""In the carrier for two TO-92 that lie flat on each other, and for their legs, towards White."""
SLOT_DOWN = 3.6
"""So far below the place lies the slot's middle: the sensing spots lie under the place's."""
PILOT_MM = 1.5
NAME_MM = 3.0
COUPON_EDGE = 18.0


def carrier_holes(
    board: Board, measures: Measures, designs: Sequence[HallDesign], post: PointMm | None
) -> tuple[DrawnShape, ...]:
    """The carrier from below: slots for switches, or a strip's windows, bores and name; and where
    the post stands."""
    shapes: list[DrawnShape] = [
        frame(Layer.CUT, (0.0, 0.0), board.size),
        *(Circle(Layer.HOLE, at, measures.screw / 2) for at in screws(board, measures)),
        *(Circle(Layer.HOLE, at, measures.light_flange / 2) for _, at in lights(board, measures)),
    ]
    names: list[DrawnShape] = []
    if not board.scanner:
        for reed in board.reeds:
            x, y = reed.at
            shapes.append(box(Layer.HOLE, (x, y - SLOT_DOWN), SLOT))
            shapes += centre_marks(reed.at)
            at = board.size[0] - x + SLOT[0] + 3, y - SLOT_DOWN
            names += engraved(str(reed.name), at, NAME_MM, glyphs=NAMES)
    for design in designs:
        for strip in design.strips:
            shapes += [
                box(Layer.HOLE, design.on_board(strip, hole.middle), hole.size, strip.along)
                for hole in windows(design)
            ]
            shapes += [
                Circle(Layer.HOLE, design.on_board(strip, bore.at), PILOT_MM / 2)
                for bore in design.artwork.bores
            ]
            shapes += [mark for reed in strip.reeds for mark in centre_marks(reed.at)]
            x, y = design.on_board(strip, (-4.0, design.artwork.size[1] / 2))
            word = strip_name(strip)
            names += engraved(word, (board.size[0] - x, y), NAME_MM, glyphs=NAMES)
    shapes += marked(post)
    return (*mirrored(shapes, board.size[0]), *names)


def post_of(board: Board, measures: Measures, designs: Sequence[HallDesign]) -> PointMm | None:
    """Where the post stands below the middle, clear of strips, ribbons and the token's wires."""
    below: list[Obstacle] = [(at, at, measures.screw) for at in screws(board, measures)]
    for design in designs:
        wide, high = design.artwork.size
        for strip in design.strips:
            start, end = (design.on_board(strip, (x, high / 2)) for x in (0.0, wide))
            below.append((start, end, high / 2))
    below += [(*ends, 1.0) for ends in token_wires(designs)]
    half = len(RIBBON) * RIBBON_MM / 2
    below += [(*ends, half) for row in ribbon_rows(designs) for ends in pairwise(row)]
    return free_spot(board, below)


def windows(design: HallDesign) -> Iterator[Extent]:
    """The holes in the carrier for the tails of header and pins, on the artwork."""
    pins = header_pins(design.at(HEADER), len(RIBBON))
    yield Extent.round_all(pins).grown(TAIL_MM)
    for part in (TOKEN_IN, TOKEN_OUT):
        yield Extent.round_all([design.at(part)]).grown(TAIL_MM)


def strip_name(strip: Strip) -> str:
    """The number of a strip's point, or "bar"."""
    return str(strip.reeds[0].name).split(".", maxsplit=1)[0]


def coupon(board: Board, measures: Measures, designs: Sequence[HallDesign]) -> CutSheet:
    """Draw a test piece to make first: top sheet and carrier for the places of one column, or for
    two spots."""
    column = max(board.places, key=lambda place: len(place.reeds))
    at = [reed.at for reed in (column.reeds if len(column.reeds) > 1 else board.reeds[:2])]
    length = abs(at[-1][0] - at[0][0]) + abs(at[-1][1] - at[0][1])
    apart = length / (len(at) - 1)
    edge = COUPON_EDGE
    size = (length + 2 * edge, 2 * edge)
    middles = [(edge + place * apart, edge) for place in range(len(at))]
    rings = [Circle(Layer.ENGRAVE, where, board.spot_diameter / 2) for where in middles]
    cross = [mark for where in middles for mark in centre_marks(where)]
    under: list[DrawnShape] = [*cross]
    if not board.scanner:
        under += [box(Layer.HOLE, (x, y - SLOT_DOWN), SLOT) for x, y in middles]
    else:
        first = designs[0].first
        for hole in windows(designs[0]):
            x, y = hole.middle
            under.append(box(Layer.HOLE, (edge + x - first[0], edge + y - first[1]), hole.size))
        for x in (bore.at[0] for bore in designs[0].artwork.bores):
            under.append(Circle(Layer.HOLE, (edge + x - first[0], edge), PILOT_MM / 2))
    pieces = [
        CutPart("top sheet", size, (frame(Layer.CUT, (0, 0), size), *rings, *cross)),
        CutPart("carrier", size, (frame(Layer.CUT, (0, 0), size), *under)),
    ]
    return on_sheet(pieces, measures.bed)
