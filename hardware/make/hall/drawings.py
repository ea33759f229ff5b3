"""Drawings of boards with Hall sensors: section, field, underside, wiring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from hardware.make.closeups import sockets
from hardware.make.frame import POST_MM
from hardware.make.hall.demands import HallSetup, hall_setup
from hardware.make.hall.strip import (
    CLEAR,
    CLOCK,
    HEADER,
    RIBBON,
    TOKEN,
    TOKEN_IN,
    HallDesign,
    ribbon_rows,
    token_wires,
)
from hardware.make.hall.template import SLOT, strip_name
from hardware.make.hall.wiring import DRIVEN, REFERENCE, SENSED
from hardware.make.magnetics import flux
from hardware.make.parts import Measures, Parts
from hardware.make.pcb.layout import header_pins, header_size
from hardware.make.places import lights, screws
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
from hardware.make.svg import number
from pi_app.sensing.description import Board

BODY_MM = 1.5
NAME_MM = 3.0
MARGIN, HEAD_MM = (30.0, 26.0), 20.0
SCALE, SECTION_SIZE, GROUND_Y = 4.0, (275.0, 118.0), 54.0
GRAPH_SIZE, GRAPH_CORNER = (250.0, 150.0), (30.0, 24.0)
GRAPH_MM, GRAPH_MT = 14.0, 8.0
"""How many millimetres on paper are one of offset, and one millitesla."""
GRAPH_FROM_MT, GRAPH_TO_MT, GRAPH_OFF_MM = -2.0, 12.0, 15


def section(board: Board, parts: Parts) -> Paper:
    """Draw a cut through one place at four times its size, with the depth of each layer."""
    found, measures = hall_setup(board, parts), parts.measures
    head = "One place, cut through (four times its size)"
    shapes = [
        Lettering(Layer.WORDS, (10, SECTION_SIZE[1] - 11), head, 5, bold=True),
        *_layers(board, measures, found),
    ]
    return Paper(head, SECTION_SIZE, tuple(shapes))


def _layers(board: Board, measures: Measures, found: HallSetup) -> Iterator[DrawnShape]:
    half = 17.0
    wide = board.spot_diameter - measures.checker_gap
    felt, layer = measures.felt, measures.checker_layer
    across, thick = measures.magnet
    rows = [
        (
            felt + measures.checker_height - 3,
            f"checker {number(wide)} × {number(measures.checker_height)} mm",
        ),
        (felt + 2.6, f"magnet {number(across)} × {number(thick)} mm, flush with its ring"),
        (0.4, f"felt {number(felt)} mm"),
        (-measures.top / 2, f"top sheet {number(measures.top)} mm"),
        (-measures.top - measures.carrier / 2, f"carrier {number(measures.carrier)} mm"),
    ]
    yield _scaled_box(Layer.FILL, (-wide / 2, 0), (wide, felt))
    for place in range(measures.checker_layers):
        yield _scaled_box(Layer.WIRE, (-wide / 2, felt + place * layer), (wide, layer))
    yield _scaled_box(Layer.GLASS, (-across / 2, felt), (across, thick))
    yield _scaled_box(Layer.FILL, (-half, -measures.top), (2 * half, measures.top))
    low = -measures.top - measures.carrier
    if board.scanner:
        yield _scaled_box(Layer.FILL, (-half, low), (2 * half, measures.carrier))
        yield _scaled_box(Layer.GLASS, (-half, low - 1.0), (2 * half, 1.0))
        yield _scaled_box(Layer.BODY, (-0.7, low - 1.4), (1.4, 0.4))
        rows.append((low - 0.9, "strip 1 mm, its parts below"))
    else:
        for left, right in ((-half, -SLOT[0] / 2), (SLOT[0] / 2, half)):
            yield _scaled_box(Layer.FILL, (left, low), (right - left, measures.carrier))
        for place in (1, 2):
            corner = (-2.0, -measures.top - place * BODY_MM)
            yield _scaled_box(Layer.GLASS, corner, (4.0, BODY_MM))
        rows.append((low - 1.4, "two switches back to back, printed faces outwards"))
    for depth, side in zip(found.depths, ("White", "Black"), strict=True):
        yield Circle(Layer.DANGER, _scaled(0, felt - depth), 1.2)
        if len(set(found.depths)) > 1:
            at = _scaled(-half, felt - depth)
            said = f"{side}'s {number(round(depth, 2))} mm below the magnet"
            yield Lettering(Layer.DANGER, (at[0] + 3, at[1] - 1), said, 2.8)
    if len(set(found.depths)) == 1:
        at = _scaled(-half, felt - found.depths[0])
        said = f"{number(round(found.depths[0], 2))} mm below the magnet"
        yield Lettering(Layer.DANGER, (at[0] + 3, at[1] - 7), said, 2.8)
    for y, words in rows:
        at = _scaled(half + 2, y)
        yield Lettering(Layer.WORDS, (at[0], at[1] - 1.2), words, 3.4)


def _scaled(x: float, y: float) -> PointMm:
    return 80 + SCALE * x, GROUND_Y + SCALE * y


def _scaled_box(layer: Layer, corner: PointMm, size: PointMm) -> DrawnShape:
    return frame(layer, _scaled(*corner), (SCALE * size[0], SCALE * size[1]))


def field_graph(board: Board, parts: Parts) -> Paper:
    """Plot the field of a checker at its own sensor against its distance from the place, with the
    thresholds."""
    found = hall_setup(board, parts)
    head = f"{board.name}: what a sensor feels of a checker so far beside its place"
    weak, strong = found.weakest, found.strongest
    deep = round(max(found.depths) + found.setup.wood, 3)
    near = round(min(found.depths) - found.setup.wood, 3)
    steps = [n / 20 for n in range(20 * GRAPH_OFF_MM + 1)]
    hall = found.hall
    shapes: list[DrawnShape] = [
        Lettering(Layer.WORDS, (10, GRAPH_SIZE[1] - 9), head, 5, bold=True),
        *_axes(),
        *_curve(Layer.ROW, [(x, flux(weak, x, deep)) for x in steps]),
        *_curve(Layer.COLUMN, [(x, flux(strong, x, near)) for x in steps]),
    ]
    for layer, limit, said in (
        (Layer.ROW, hall.operate[1], "tells a checker, at the latest"),
        (Layer.MARK, hall.release[0], "tells it gone, at the latest"),
        (Layer.DANGER, -hall.operate[0], "tells the other side's, at the earliest"),
    ):
        below = " (below this picture)" if limit < GRAPH_FROM_MT else ""
        words = f"{said}: {number(limit)} mT{below}"
        at = _graph(GRAPH_OFF_MM, max(limit, GRAPH_FROM_MT))
        shapes.append(line(layer, (GRAPH_CORNER[0], at[1]), at))
        shapes.append(Lettering(layer, (at[0], at[1] + 1), words, 3, Anchor.END))
    shift = found.setup.shift + found.creep
    for x, words, aside, anchor in (
        (shift, "must be felt", -1.5, Anchor.END),
        (found.reach(), "is felt", 1.5, Anchor.START),
    ):
        shapes.append(line(Layer.MARK, _graph(x, GRAPH_FROM_MT), _graph(x, GRAPH_TO_MT)))
        at = _graph(x, -1.0)
        told = f"{words}: {number(round(x, 2))} mm"
        shapes.append(Lettering(Layer.MARK, (at[0] + aside, at[1]), told, 3, anchor))
    for y, layer, words in (
        (106.0, Layer.ROW, "weakest magnet, warm, thickest wood"),
        (100.0, Layer.COLUMN, "strongest magnet, cold, thinnest wood"),
    ):
        shapes.append(line(layer, (150, y + 1), (160, y + 1)))
        shapes.append(Lettering(Layer.WORDS, (163, y), words, 3.2))
    return Paper(head, GRAPH_SIZE, tuple(shapes))


def _graph(x: float, value: float) -> PointMm:
    return (
        GRAPH_CORNER[0] + GRAPH_MM * x,
        GRAPH_CORNER[1] + GRAPH_MT * (value - GRAPH_FROM_MT),
    )


def _axes() -> Iterator[DrawnShape]:
    yield line(Layer.WIRE, _graph(0, GRAPH_FROM_MT), _graph(0, GRAPH_TO_MT))
    yield line(Layer.WIRE, _graph(0, 0), _graph(GRAPH_OFF_MM, 0))
    for x in range(0, GRAPH_OFF_MM + 1, 1):
        at = _graph(x, GRAPH_FROM_MT)
        yield Lettering(Layer.WORDS, (at[0], at[1] - 6), str(x), 3, Anchor.MIDDLE)
    for value in range(int(GRAPH_FROM_MT), int(GRAPH_TO_MT) + 1, 2):
        at = _graph(0, value)
        yield Lettering(Layer.WORDS, (at[0] - 2, at[1] - 1), f"{value} mT", 3, Anchor.END)
    at = _graph(GRAPH_OFF_MM, GRAPH_FROM_MT)
    yield Lettering(Layer.WORDS, (at[0], at[1] - 11), "mm beside its place", 3, Anchor.END)


def _curve(layer: Layer, points: Sequence[PointMm]) -> Iterator[DrawnShape]:
    """Return the part of a curve that lies within the picture."""
    for one, other in pairwise(points):
        if all(GRAPH_FROM_MT <= value <= GRAPH_TO_MT for _, value in (one, other)):
            yield line(layer, _graph(*one), _graph(*other))


def underside(
    board: Board, measures: Measures, designs: Sequence[HallDesign], post: PointMm | None
) -> Paper:
    """Draw the underside: strips, ribbons and the token's wires; without strips the slots."""
    shapes: list[DrawnShape] = [
        frame(Layer.FAINT, (0.0, 0.0), board.size),
        *(Circle(Layer.FAINT, at, measures.screw / 2) for at in screws(board, measures)),
    ]
    if post:
        shapes.append(box(Layer.FAINT, post, (POST_MM, POST_MM)))
    if designs:
        shapes += _strips(designs)
        said = (
            "Orange: ribbons, pin 1 at the dot. Blue: the token's wire, from each strip's OUT to "
            "the next one's IN: 1, 2 … 24, bar."
        )
    else:
        shapes += [Circle(Layer.FAINT, at, measures.light / 2) for _, at in lights(board, measures)]
        shapes += _spots(board)
        said = (
            "Every switch: supply (red), ground (grey), and its own wire to the Pi's pin (orange)."
        )
    size = (board.size[0] + 2 * MARGIN[0], board.size[1] + 2 * MARGIN[1] + HEAD_MM)
    top = size[1] - 10
    words = f"{board.title}: from below, turned over from left to right"
    head = (
        Lettering(Layer.WORDS, (MARGIN[0], top), words, 5, bold=True),
        Lettering(Layer.WORDS, (MARGIN[0], top - 6), said, 3),
    )
    drawn = moved(mirrored(shapes, board.size[0]), MARGIN)
    return Paper(f"{board.name} from below", size, (*drawn, *head))


def _strips(designs: Sequence[HallDesign]) -> Iterator[DrawnShape]:
    for design in designs:
        wide, high = design.artwork.size
        size = header_size(len(RIBBON))
        for strip in design.strips:
            middle = design.on_board(strip, (wide / 2, high / 2))
            yield box(Layer.WIRE, middle, (wide, high), strip.along)
            yield from (Circle(Layer.GLASS, reed.at, 1.5) for reed in strip.reeds)
            header = design.at(HEADER)
            yield box(Layer.COLUMN, design.on_board(strip, header), size, strip.along)
            first = header_pins(header, len(RIBBON))[0]
            yield Circle(Layer.COLUMN, design.on_board(strip, first), 0.9)
            yield Circle(Layer.ROW, design.on_board(strip, design.at(TOKEN_IN)), 1.2)
            at = design.on_board(strip, (-6.0, high / 2))
            word = strip_name(strip)
            yield Lettering(Layer.WORDS, (at[0], at[1] - 1.2), word, 3.4, Anchor.MIDDLE)
    yield from (line(Layer.ROW, *ends) for ends in token_wires(designs))
    for level in ribbon_rows(designs):
        for one, other in pairwise(level):
            for aside in (-5.7, 5.7):
                yield line(Layer.COLUMN, (one[0], one[1] + aside), (other[0], other[1] + aside))


def _spots(board: Board) -> Iterator[DrawnShape]:
    low = 6.0
    for reed in board.reeds:
        x, y = reed.at
        yield box(Layer.GLASS, (x, y - 1.2), (4.0, 3.2))
        for place, layer in enumerate((Layer.DANGER, Layer.GROUND, Layer.COLUMN, Layer.COLUMN)):
            leg = x - 3.0 + 2.0 * place
            end = low + 16.0 if layer is Layer.DANGER else low + 10.0
            stop = low if layer is Layer.COLUMN else end
            yield line(layer, (leg, y - 4.0), (leg, stop))
        yield Lettering(Layer.WORDS, (x, y + 3.0), str(reed.name), NAME_MM, Anchor.MIDDLE)
    xs = [reed.at[0] for reed in board.reeds]
    yield line(Layer.DANGER, (min(xs) - 3.0, low + 16.0), (max(xs) + 20.0, low + 16.0))
    yield line(Layer.GROUND, (min(xs) - 1.0, low + 10.0), (max(xs) + 20.0, low + 10.0))


def mega_holes(board: Board) -> Paper:
    """The Mega's sockets with the lines of the strips."""
    words = {TOKEN: "token", CLOCK: "clock", CLEAR: "clear", "BACK": "token back"}
    names = {
        printed: words.get(name, f"column {name[1:]}")
        for name, printed in {**DRIVEN, **SENSED}.items()
    }
    return sockets(board.title, {**names, REFERENCE: "3.3 V", "5V": "5 V", "GND": "ground"})


def wiring_strips(board: Board) -> Paper:
    """From the Mega through the adapter to the strips."""
    head = f"{board.title}: from the Mega to the strips"
    size = (270.0, 170.0)
    shapes: list[DrawnShape] = [
        Lettering(Layer.WORDS, (10, size[1] - 11), head, 5, bold=True),
        frame(Layer.GLASS, (10, 20), (34, 125)),
        Lettering(Layer.WORDS, (27, 148), "Mega", 4, Anchor.MIDDLE, bold=True),
        frame(Layer.GLASS, (70, 20), (90, 125)),
        Lettering(Layer.WORDS, (115, 148), "adapter", 4, Anchor.MIDDLE, bold=True),
    ]
    lines = [
        ("5V", "regulator VR1, C1, C2", "1: 3.3 V"),
        ("GND", "", "2, 4: ground"),
        (DRIVEN[CLOCK], "220 Ω", "3: clock"),
        (DRIVEN[CLEAR], "220 Ω; beyond it 4.7 kΩ to ground", "5: clear"),
        *(
            (SENSED[f"A{n}"], "1 kΩ; beyond it 47 kΩ to ground", f"{n + 6}: column {n}")
            for n in range(5)
        ),
        (REFERENCE, "220 Ω to 3.3 V", ""),
        (DRIVEN[TOKEN], "220 Ω", "token: IN of the first strip"),
        (SENSED["BACK"], "1 kΩ; beyond it 47 kΩ to ground", "token: OUT of the last strip"),
    ]
    for place, (pin, through, there) in enumerate(lines):
        y = 138.0 - place * 10.0
        shapes.append(Lettering(Layer.WORDS, (41, y - 1.2), pin, 3.4, Anchor.END, bold=True))
        shapes.append(line(Layer.WIRE, (44, y), (70, y)))
        shapes.append(Lettering(Layer.WORDS, (73, y - 1.2), through, 3.2))
        if there:
            shapes.append(line(Layer.COLUMN, (160, y), (186, y)))
            shapes.append(Lettering(Layer.COLUMN, (189, y - 1.2), there, 3.4))
    said = "Ribbon wires 1 to 10 go from strip to strip; the token's wire from OUT to the next IN."
    shapes.append(Lettering(Layer.WORDS, (10, 10), said, 3.2))
    return Paper(head, size, tuple(shapes))
