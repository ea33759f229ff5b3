"""A circuit as KiCad 6 opens it: a `.kicad_sch`, of a strip from its artwork's lands, of a whole
board from its circuit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from hardware.make.circuit import Circuit, Node, Role
from hardware.make.pcb.artwork import Artwork
from hardware.make.pcb.kicad import LIBRARY, Footprint, footprint_of, plain
from hardware.make.shapes import PointMm
from hardware.make.svg import number
from hardware.make.tables import RESISTORS

GRID_MM = 2.54
LEFT, TOP, HEADER_X, COLUMN, APART = 24, 12, 60, 10, 3
"""In steps of the grid; a pin ends `REACH` beside its part's middle."""
REACH, WIDE = 3, 20
PAPERS = (("A4", (297.0, 210.0)), ("A3", (420.0, 297.0)), ("A2", (594.0, 420.0)))
FRAME_MM = 45.0
"""What the frame and the title block leave free at a sheet's lower edge."""
FONT = "(effects (font (size 1.27 1.27)))"
STROKES: Mapping[str, Sequence[tuple[float, float, float, float]]] = {
    "S": ((-1, 0, 1, 0.4), (-0.2, 0, 1, 0)),
    "D": ((-0.5, 0.5, 0.5, 0), (0.5, 0, -0.5, -0.5)),
    "L": ((-0.5, 0.5, 0.5, 0), (0.5, 0, -0.5, -0.5)),
    "C": ((-0.2, 0.5, -0.2, -0.5), (0.2, 0.5, 0.2, -0.5)),
    "R": (),
}
"""What is drawn in a switch, a diode, a light, a capacitor and a resistor, which have a pin on each
side; others are boxes with all pins on their left."""


class PinKind(Enum):
    """What a pin does, electrically, in KiCad's words: its check asks what meets on a net."""

    PASSIVE = "passive"
    INPUT = "input"
    OUTPUT = "output"
    BOTH = "bidirectional"
    TRI_STATE = "tri_state"
    SOURCE = "power_out"
    SUPPLIED = "power_in"


KIND_OF: Mapping[Role, PinKind] = {
    Role.PASSIVE: PinKind.PASSIVE,
    Role.INOUT: PinKind.BOTH,
    Role.SOURCE: PinKind.SOURCE,
    Role.SUPPLIED: PinKind.SUPPLIED,
}


class PinUse(NamedTuple):
    """A pin's name in the symbol, and its kind."""

    name: str
    kind: PinKind = PinKind.PASSIVE


class PartPin(NamedTuple):
    """A pin, what it does, and its net; empty where it is joined with nothing."""

    number: str
    use: PinUse
    net: str


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """A part on the sheet; `symbol` is alike for parts with the same pins. `footprint` is empty
    for a part that stands on no printed board."""

    ref: str
    value: str
    symbol: str
    pins: tuple[PartPin, ...]
    footprint: str = ""

    @property
    def legged(self) -> bool:
        """Whether it has a pin on each side."""
        return self.ref[0] in STROKES and len(self.pins) == 2


class PinEnd(NamedTuple):
    """Where a part's pin ends, in steps of the grid, y downwards; and whether on its right."""

    at: PointMm
    right: bool


@dataclass(frozen=True, slots=True)
class Schematic:
    """A sheet, and where its parts lie on it, in steps of the grid."""

    title: str
    paper: str
    places: Mapping[DrawnPart, PointMm]


def strip_schematic(
    artwork: Artwork, uses: Mapping[str, Sequence[PinUse]], names: Mapping[Footprint, str]
) -> Schematic:
    """Of a strip: a line for the parts of each number, as a reed and its diode, and headers beside
    them. `uses` has the pins of a part of some value, where they are no mere contacts; `names` the
    footprints' names."""
    rows: dict[str, list[DrawnPart]] = {}
    for body in artwork.bodies:
        lands = [land for land in artwork.lands if land.part == body.part]
        of = uses.get(body.value, [PinUse(land.pin) for land in lands])
        pins = tuple(PartPin(a.pin, use, a.net) for a, use in zip(lands, of, strict=True))
        footprint = f"{LIBRARY}:{names[footprint_of(body, artwork)]}"
        part = DrawnPart(body.part, body.value, plain(body.value), pins, footprint)
        number_of = body.part if body.part.startswith("X") else body.part[1:]
        rows.setdefault(number_of, []).append(part)
    places: dict[DrawnPart, PointMm] = {}
    low = {LEFT: TOP, HEADER_X: TOP}
    for row in rows.values():
        left = HEADER_X if row[0].ref.startswith("X") else LEFT
        places |= {part: (left + COLUMN * place, low[left]) for place, part in enumerate(row)}
        low[left] += max(map(_high, row)) + 1
    return Schematic(artwork.name, "A4", places)


def board_schematic(circuit: Circuit) -> Schematic:
    """Of a whole board: its parts in columns, every pin with the name of its net."""
    net_of = {node: net.name for net in circuit.nets for node in net.nodes}
    parts = [
        DrawnPart(
            part.ref,
            RESISTORS.get(part.kind, part.purpose),
            plain(f"{part.kind.value} {len(part.leads)}"),
            tuple(
                PartPin(
                    lead.name,
                    PinUse(lead.name, KIND_OF[lead.role]),
                    net_of.get(Node(part.ref, lead.name), ""),
                )
                for lead in part.leads
            ),
        )
        for part in circuit.components
    ]
    for paper, (wide, high) in PAPERS:
        places = dict(_in_columns(parts, (high - FRAME_MM) / GRID_MM))
        if max(x for x, _ in places.values()) + WIDE / 2 < wide / GRID_MM:
            return Schematic(circuit.title, paper, places)
    raise ValueError(f"{len(parts)} parts find no room on {PAPERS[-1][0]}; add a larger paper")


def symbols(sheets: Iterable[Schematic]) -> Iterator[str]:
    """Every symbol of some sheets, as a library has it."""
    for part in {part.symbol: part for sheet in sheets for part in sheet.places}.values():
        yield from _symbol_lines(part, part.symbol)


def _in_columns(parts: Sequence[DrawnPart], limit: float) -> Iterator[tuple[DrawnPart, PointMm]]:
    x, y = WIDE * 0.6, TOP
    for part in parts:
        if y > TOP and y + _high(part) > limit:
            x, y = x + WIDE, TOP
        yield part, (round(x), y)
        y += _high(part)


def _high(part: DrawnPart) -> int:
    return APART + (1 if part.legged else len(part.pins))


def sheet_file(sheet: Schematic) -> str:
    """The text of the `.kicad_sch`."""
    title, places = sheet.title, sheet.places
    lines = [
        "(kicad_sch (version 20211123) (generator spotter)",
        f"  (uuid {_uuid(title, 'sheet')})",
        f'  (paper "{sheet.paper}")',
        f'  (title_block (title "{title}"))',
        "  (lib_symbols",
    ]
    for part in {part.symbol: part for part in places}.values():
        lines += (f"  {line}" for line in _symbol_lines(part, f"{LIBRARY}:{part.symbol}"))
    lines.append("  )")
    nets: dict[str, dict[str, PinEnd]] = {}
    for part, at in places.items():
        lines += _symbol(title, part, at)
        for place, pin in enumerate(part.pins):
            end = _end(part, place, at)
            nets.setdefault(pin.net, {})[f"{part.ref}.{pin.number}"] = end
    for net, ends in nets.items():
        lines += _joined(title, net, ends)
    lines += ['  (sheet_instances (path "/" (page "1")))', "  (symbol_instances"]
    for part in places:
        lines.append(
            f'    (path "/{_uuid(title, part.ref)}" (reference "{part.ref}") (unit 1) '
            f'(value "{part.value}") (footprint "{part.footprint}"))'
        )
    return "\n".join([*lines, "  )", ")", ""])


def _end(part: DrawnPart, place: int, at: PointMm) -> PinEnd:
    if not part.legged:
        return PinEnd((at[0] - REACH, at[1] + place), right=False)
    return PinEnd((at[0] + (REACH if place else -REACH), at[1]), right=place > 0)


def _joined(title: str, net: str, ends: Mapping[str, PinEnd]) -> Iterator[str]:
    """Write the net's name at every pin, or once at a wire between two parts that face each other.
    Mark a pin that is joined with nothing, also where it has a name, as a spare column."""
    one, other, *_ = [*ends.values()] * 2
    if net and len(ends) == 2 and one.right and not other.right and one.at[1] == other.at[1]:
        yield (
            f"  (wire (pts (xy {_at(one.at)}) (xy {_at(other.at)})) (stroke (width 0) "
            f"(type default) (color 0 0 0 0)) (uuid {_uuid(title, net)}))"
        )
        yield _label(net, one.at, 90, _uuid(title, f"{net} name"))
        return
    for pin, end in ends.items():
        if net:
            yield _label(net, end.at, 0 if end.right else 180, _uuid(title, pin))
        if not net or len(ends) == 1:
            yield f"  (no_connect (at {_at(end.at)}) (uuid {_uuid(title, f'{pin} free')}))"


def _label(net: str, at: PointMm, turn: int, known: str) -> str:
    font = f"(effects (font (size 1.27 1.27)) (justify {'right' if turn == 180 else 'left'}))"
    return f'  (global_label "{net}" (shape passive) (at {_at(at)} {turn}) {font} (uuid {known}))'


def _symbol(title: str, part: DrawnPart, at: PointMm) -> Iterator[str]:
    yield f'  (symbol (lib_id "{LIBRARY}:{part.symbol}") (at {_at(at)} 0) (unit 1)'
    yield f"    (in_bom yes) (on_board yes) (uuid {_uuid(title, part.ref)})"
    for place, (what, said) in enumerate((("Reference", part.ref), ("Value", part.value))):
        where = at[0], at[1] - 1 + (2 * place if part.legged else -0.8 * (1 - place))
        yield f'    (property "{what}" "{said}" (id {place}) (at {_at(where)} 0) {FONT})'
    yield f'    (property "Footprint" "{part.footprint}" (id 2) (at {_at(at)} 0)'
    yield "      (effects (font (size 1.27 1.27)) hide))"
    yield "  )"


def _symbol_lines(part: DrawnPart, name: str) -> Iterator[str]:
    """A symbol, its y upwards; on a sheet its name begins with its library's."""
    kind, hidden = part.symbol, " hide" if part.legged else ""
    yield f'  (symbol "{name}" (pin_names (offset 0.5){hidden}) (in_bom yes) (on_board yes)'
    for place, what in enumerate(("Reference", "Value", "Footprint", "Datasheet")):
        text = {"Reference": part.ref[0], "Value": kind}.get(what, "")
        yield f'    (property "{what}" "{text}" (id {place}) (at 0 0 0) {FONT})'
    yield f'    (symbol "{kind}_0_1"'
    left, low, right, high = (
        (-1.4, -0.6, 1.4, 0.6) if part.legged else (-2, 0.5 - len(part.pins), 2, 0.5)
    )
    ends = f"(start {_at((left, low))}) (end {_at((right, high))})"
    yield f"      (rectangle {ends} (stroke (width 0.2)) (fill (type none)))"
    for x, y, to_x, to_y in STROKES[part.ref[0]] if part.legged else ():
        yield (
            f"      (polyline (pts (xy {_at((x, y))}) (xy {_at((to_x, to_y))})) "
            "(stroke (width 0.2)) (fill (type none)))"
        )
    yield "    )"
    yield f'    (symbol "{kind}_1_1"'
    for place, pin in enumerate(part.pins):
        (x, y), at_right = _end(part, place, (0, 0))
        long = number((REACH + left) * GRID_MM)
        yield (
            f"      (pin {pin.use.kind.value} line (at {_at((x, -y))} {180 if at_right else 0}) "
            f'(length {long}) (name "{pin.use.name}" {FONT}) (number "{pin.number}" {FONT}))'
        )
    yield "    )"
    yield "  )"


def _uuid(title: str, name: str) -> str:
    """Return an identifier that is the same every time."""
    return str(uuid5(NAMESPACE_URL, f"spotter:{title}:{name}"))


def _at(at: PointMm) -> str:
    return f"{number(at[0] * GRID_MM)} {number(at[1] * GRID_MM)}"
