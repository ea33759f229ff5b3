"""The drawings of a board of card: its breadboard, its printed sheet, and a spot cut through."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make import symbols
from hardware.make.assembly import LOGIC, PI
from hardware.make.card.breadboard import (
    COLUMNS,
    GROUND_RAIL,
    HOLE_MM,
    NEAR_RAIL,
    ROWS,
    SUPPLY_RAIL,
    BreadboardPlan,
    Fitted,
    Hole,
    row_mm,
)
from hardware.make.circuit import Circuit, Kind, Node
from hardware.make.header import GROUND_PIN
from hardware.make.paper import framed
from hardware.make.parts import Measures
from hardware.make.places import checkers, trays
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
    moved,
)
from hardware.make.strokes import engraved
from hardware.make.svg import number
from hardware.make.tables import RESISTORS
from pi_app.sensing.description import Board

BREADBOARD_MM, RAIL_MM = (165.0, 54.5), (6.35, 8.89)
"""A breadboard, and how far its two rails are from the row beside them: usual, unchecked."""
HIGH_MM = 8.5
SCALE, PICTURE, CORNER = 1.45, (278.0, 186.0), (26.0, 62.0)
"""How large the breadboard is drawn, on what paper, and where column 1 of row a is."""
NAMED_EVERY = 5
UNUSED_RAIL = "a+"
RAILS = (GROUND_RAIL, SUPPLY_RAIL, NEAR_RAIL, UNUSED_RAIL)
RAIL_GROUP = 6
"""Five holes of a rail and a gap."""
SHEET_EDGE_MM = 14.5
"""From the spots' middles to the sheet's far edge: rows g to j stay free."""
CROSS_MM = 2.0
A4, SHEET_AT, STICKERS_Y = (297.0, 210.0), 26.0, 172.0
MAGNET_PLAY_MM = 1.0
"""So much wider than the magnet is the gap between a checker's strips."""
SECTION, SECTION_SCALE, GROUND_Y = (280.0, 140.0), 4.0, 60.0


def breadboard(board: Board, circuit: Circuit, plan: BreadboardPlan) -> Paper:
    """The breadboard from above, White at the lower edge, with all that is plugged in."""
    head = f"{board.name}: the breadboard from above"
    said = "Only holes of one column and one half are joined, and all holes of a rail."
    shapes = [
        Lettering(Layer.WORDS, (10, PICTURE[1] - 11), head, 5, bold=True),
        Lettering(Layer.WORDS, (10, PICTURE[1] - 17), said, 3),
        *_holes(),
        *_sheet(board),
        *(shape for fitted in plan.fitted for shape in _part(fitted)),
        *(shape for bridge in plan.bridges for shape in _bridge(*bridge)),
        *(shape for hole, node in plan.wires for shape in _wire(hole, node, circuit)),
        *_legend(),
    ]
    return Paper(head, PICTURE, tuple(shapes))


def _at(hole: Hole) -> PointMm:
    high = {
        NEAR_RAIL: -RAIL_MM[0],
        UNUSED_RAIL: -RAIL_MM[1],
        GROUND_RAIL: row_mm("j") + RAIL_MM[0],
        SUPPLY_RAIL: row_mm("j") + RAIL_MM[1],
    }
    up = high[hole.row] if hole.row in high else row_mm(hole.row)
    return CORNER[0] + (hole.column - 1) * HOLE_MM * SCALE, CORNER[1] + up * SCALE


def _holes() -> Iterator[DrawnShape]:
    low = _at(Hole(1, "a"))
    wide, high = (SCALE * length for length in BREADBOARD_MM)
    middle = SCALE * row_mm("j") / 2
    left = low[0] - (wide - SCALE * HOLE_MM * (COLUMNS - 1)) / 2
    yield frame(Layer.WIRE, (left, low[1] + middle - high / 2), (wide, high))
    for column in range(1, COLUMNS + 1):
        for row in ROWS:
            yield Circle(Layer.FAINT, _at(Hole(column, row)), 0.5)
        for rail in RAILS:
            if column > 1 and (column - 2) % RAIL_GROUP < RAIL_GROUP - 1:
                yield Circle(Layer.FAINT, _at(Hole(column, rail)), 0.5)
        if column == 1 or column % NAMED_EVERY == 0:
            x, y = _at(Hole(column, "a"))
            yield Lettering(Layer.FAINT, (x, y - 4.6), str(column), 2.2, Anchor.MIDDLE)
    for row in (*ROWS, *RAILS):
        x, y = _at(Hole(1, row))
        yield Lettering(Layer.WORDS, (x - 5.2, y - 0.9), row.strip(ROWS) or row, 2.6)


def _sheet(board: Board) -> Iterator[DrawnShape]:
    """The edge of the sheet, and the spots on it."""
    reed = board.reeds[0]
    spot_y = row_mm("b") + row_mm("f")
    up = SCALE * (spot_y / 2 - reed.offset[1])
    y = CORNER[1] + up + SCALE * SHEET_EDGE_MM
    right = _at(Hole(COLUMNS, "a"))[0] + 8
    yield line(Layer.MARK, (CORNER[0] - 8, y), (right, y))
    for place in board.places:
        for reed in place.reeds:
            x = _at(Hole(2, "a"))[0] + SCALE * (reed.at[0] - board.reeds[0].at[0])
            middle = (x, CORNER[1] + up)
            yield Circle(Layer.MARK, middle, SCALE * board.spot_diameter / 2)
            word = (x, middle[1] - SCALE * board.spot_diameter / 2 - 4)
            yield Lettering(Layer.MARK, word, f"spot {place.spot}", 3, Anchor.MIDDLE)


def _part(fitted: Fitted) -> Iterator[DrawnShape]:
    """A reed, or a resistor lying between its two holes."""
    start, end = (_at(hole) for hole in fitted.holes.values())
    part = fitted.part
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    if part.kind is Kind.REED:
        yield line(Layer.WIRE, start, (middle[0], middle[1] + 5.5))
        yield line(Layer.WIRE, (middle[0], middle[1] - 5.5), end)
        yield from symbols.reed(middle, (0.0, 1.0), 11.0)
        yield Lettering(Layer.WORDS, (middle[0] + 2.4, middle[1] - 4), part.ref, 2.6)
    else:
        way = 4.0 if end[0] > start[0] else -4.0
        yield line(Layer.WIRE, start, (middle[0] - way, middle[1]))
        yield line(Layer.WIRE, (middle[0] + way, middle[1]), end)
        yield frame(Layer.GLASS, (middle[0] - 4, middle[1] - 1.4), (8.0, 2.8))
        words = RESISTORS[part.kind]
        yield Lettering(Layer.WORDS, (middle[0], middle[1] - 0.8), words, 2, Anchor.MIDDLE)
    for hole in (start, end):
        yield symbols.dot(hole)


def _bridge(start: Hole, end: Hole) -> Iterator[DrawnShape]:
    yield line(Layer.GROUND, _at(start), _at(end))
    yield symbols.dot(_at(start))
    yield symbols.dot(_at(end))


def _wire(hole: Hole, node: Node, circuit: Circuit) -> Iterator[DrawnShape]:
    """A wire upwards out of the picture, with what is at its other end."""
    x, y = _at(hole)
    top = _at(Hole(1, SUPPLY_RAIL))[1] + 10
    layer = {SUPPLY_RAIL: Layer.DANGER, GROUND_RAIL: Layer.GROUND}.get(hole.row, Layer.ROW)
    # Between the holes of the rails above it, so that it does not look plugged into one.
    x_end = x + SCALE * HOLE_MM / 2
    yield line(layer, (x, y), (x_end, y + x_end - x), (x_end, top))
    yield symbols.dot((x, y))
    said = wire_words(node, circuit)
    yield Lettering(Layer.WORDS, (x_end + 1, top + 1.5), said, 2.8, upright=True)


def wire_words(node: Node, circuit: Circuit) -> str:
    """Say where a wire from the breadboard ends."""
    if node.ref != PI:
        part = circuit.component(node.ref)
        return f"OLED {node.lead}" if part.kind is Kind.OLED else f"button {node.lead}"
    if int(node.lead) == GROUND_PIN:
        return f"Pi pin {node.lead}, ground"
    net = circuit.net_of(node).name
    return f"Pi pin {node.lead}, {'3.3 V' if net == LOGIC else net}"


def _legend() -> Iterator[DrawnShape]:
    for place, (layer, words) in enumerate(
        (
            (Layer.ROW, "wires with plugs, to what is named above; only a dot is plugged in"),
            (Layer.DANGER, "3.3 V: wires with plugs, on the rail + beside j and nowhere else"),
            (Layer.GROUND, "ground: flat bridges below the sheet, wires with plugs above its edge"),
            (Layer.MARK, "the sheet's edge and its spots; nothing below it is thicker than a reed"),
        )
    ):
        y = 25 - 5 * place
        yield line(layer, (10, y + 1), (22, y + 1))
        yield Lettering(Layer.WORDS, (24, y), words, 3)


def printed(board: Board, measures: Measures) -> Paper:
    """The sheet at true scale on A4, lying: spots, trays, and a sticker for each checker."""
    across = board.spot_diameter - measures.checker_gap
    corner = ((A4[0] - board.size[0]) / 2, SHEET_AT)
    many = checkers(board)
    shapes = [
        *moved(_own_sheet(board), corner),
        *(s for nth in range(many) for s in _sticker(nth, many, across)),
    ]
    return framed(f"{board.name}: sheet and stickers", "A4", A4, shapes)


def _own_sheet(board: Board) -> Iterator[DrawnShape]:
    yield frame(Layer.CUT, (0.0, 0.0), board.size)
    for place in board.places:
        x, y = place.at
        if place.reeds:
            yield Circle(Layer.ENGRAVE, place.at, board.spot_diameter / 2)
            yield line(Layer.ENGRAVE, (x - CROSS_MM, y), (x + CROSS_MM, y))
            yield line(Layer.ENGRAVE, (x, y - CROSS_MM), (x, y + CROSS_MM))
            yield from engraved(str(place.spot), (x, y - board.spot_diameter / 2 - 6), 5.0)
        else:
            said = f"{place.spot.kind.value} of {place.spot.side.value if place.spot.side else ''}"
            yield Lettering(Layer.MARK, (x, y - 1), said, 3, Anchor.MIDDLE)
    for place, size in trays(board):
        yield box(Layer.ENGRAVE, place.at, size)
    left = board.reeds[0].at[0] - HOLE_MM - (BREADBOARD_MM[0] - HOLE_MM * (COLUMNS - 1)) / 2
    high = board.reeds[0].at[1] + SHEET_EDGE_MM - 4
    for x, words, anchor in (
        (left, "breadboard's left edge", Anchor.END),
        (left + BREADBOARD_MM[0], "its right edge", Anchor.START),
    ):
        yield line(Layer.MARK, (x, high - 8), (x, board.size[1]))
        aside = -2.0 if anchor is Anchor.END else 2.0
        yield Lettering(Layer.MARK, (x + aside, high), words, 2.6, anchor)


def _sticker(nth: int, many: int, across: float) -> Iterator[DrawnShape]:
    """A disc for a checker's top, half of them dark."""
    middle = (A4[0] / 2 + (nth - (many - 1) / 2) * (across + 8), STICKERS_Y)
    yield Circle(Layer.CUT, middle, across / 2)
    if nth >= many / 2:
        yield Circle(Layer.FILL, middle, across / 2 - 2)


def section(board: Board, measures: Measures) -> Paper:
    """A spot cut through along its reed, four times its size, with all measures in mm."""
    head = "One spot, cut through along its reed (four times its size)"
    words = Lettering(Layer.WORDS, (10, SECTION[1] - 11), head, 5, bold=True)
    shapes = (words, *_layers(board, measures), *_reed(board, measures), *_said(board, measures))
    return Paper(head, SECTION, shapes)


def _scaled(x: float, y: float) -> PointMm:
    return 76 + SECTION_SCALE * x, GROUND_Y + SECTION_SCALE * y


def _block(layer: Layer, corner: PointMm, size: PointMm) -> DrawnShape:
    return frame(layer, _scaled(*corner), (SECTION_SCALE * size[0], SECTION_SCALE * size[1]))


def _layers(board: Board, measures: Measures) -> Iterator[DrawnShape]:
    wide = board.spot_diameter - measures.checker_gap
    felt, (across, thick) = measures.felt, measures.magnet
    for layer in (Layer.FILL, Layer.WIRE):
        yield _block(layer, (-16, -measures.top), (16 + SHEET_EDGE_MM, measures.top))
    strip = measures.top
    gap = across + MAGNET_PLAY_MM
    for left in (-wide / 2, gap / 2):
        yield _block(Layer.FILL, (left, felt), ((wide - gap) / 2, strip))
    for layer in (Layer.FILL, Layer.WIRE):
        yield _block(layer, (-gap / 2, felt + thick), (gap, filler(measures)))
    yield _block(Layer.GLASS, (-across / 2, felt), (across, thick))
    yield line(Layer.WIRE, _scaled(-wide / 2, felt / 2), _scaled(wide / 2, felt / 2))
    half = (measures.checker_height - strip) / 2
    for nth in range(2):
        yield _block(Layer.WIRE, (-wide / 2, felt + strip + nth * half), (wide, half))
    yield _block(Layer.WIRE, (-16, -measures.top - measures.glass[1] - HIGH_MM), (38, HIGH_MM))


def filler(measures: Measures) -> float:
    """How thick the card above a magnet is, so that the magnet is flush with the strips, in mm."""
    return measures.top - measures.magnet[1]


def _reed(board: Board, measures: Measures) -> Iterator[DrawnShape]:
    middle = board.reeds[0].offset[1]
    length, wide = measures.glass
    y = -measures.top - wide / 2
    half = measures.span / 2
    yield _block(Layer.GLASS, (middle - length / 2, -measures.top - wide), (length, wide))
    for way in (-1, 1):
        bend, foot = middle + way * half, y - measures.leg
        folded = bend - way * measures.lead
        path = ((middle + way * 0.6, y), (bend, y), (bend, foot), (folded, foot), (folded, y - 0.4))
        yield line(Layer.WIRE, *(_scaled(*point) for point in path))
    low = y - measures.leg - 1.2
    yield line(Layer.MARK, _scaled(middle - half, low), _scaled(middle + half, low))
    x, at = _scaled(middle, low)
    said = f"{number(round(2 * half, 2))} mm: six holes"
    yield Lettering(Layer.MARK, (x, at - 4), said, 3.4, Anchor.MIDDLE)


def _said(board: Board, measures: Measures) -> Iterator[DrawnShape]:
    wide = number(board.spot_diameter - measures.checker_gap)
    magnet = " × ".join(number(length) for length in measures.magnet)
    offset = number(board.reeds[0].offset[1])
    for y, words in (
        (measures.checker_height - 2, f"two discs {wide} mm, glued"),
        (
            measures.top / 2 + 0.8,
            f"two strips of card {number(measures.top)} mm; between them",
        ),
        (
            measures.top / 2 - 0.3,
            f"card {number(filler(measures))} mm, below it the magnet {magnet} mm",
        ),
        (-measures.top / 2 - 0.3, f"the sheet: paper on card, {number(measures.top)} mm"),
        (-measures.top - 1.6, f"reed, its middle {offset} mm from the spot's"),
        (-measures.top - 5.6, f"breadboard {number(HIGH_MM)} mm"),
    ):
        left, middle = _scaled(23.0, y)
        yield Lettering(Layer.WORDS, (left, middle - 1.2), words, 3.2)
