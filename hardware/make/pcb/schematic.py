"""A circuit as KiCad 6 opens it: a `.kicad_sch`, of a strip from its artwork's lands, of a whole
board from its circuit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from hardware.make.circuit import Circuit, Node
from hardware.make.pcb.artwork import Artwork, Land
from hardware.make.pcb.kicad import plain
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


class PartPin(NamedTuple):
    """A pin, what it does, and its net; empty where it is joined with nothing."""

    number: str
    name: str
    net: str


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """A part on the sheet; `symbol` is alike for parts with the same pins."""

    ref: str
    value: str
    symbol: str
    pins: tuple[PartPin, ...]

    @property
    def legged(self) -> bool:
        """Whether it has a pin on each side."""
        return self.ref[0] in STROKES and len(self.pins) == 2


class PinEnd(NamedTuple):
    """Where a part's pin ends, in steps of the grid, y downwards; and whether on its right."""

    at: PointMm
    right: bool


def strip_schematic(artwork: Artwork, names: Mapping[str, Sequence[str]]) -> str:
    """Of a strip: a line for the parts of each number, as a reed and its diode, and headers beside
    them. `names` has what the pins of a part of that value do."""
    lands: dict[str, list[Land]] = {}
    for land in artwork.lands:
        lands.setdefault(land.part, []).append(land)
    values = {body.part: body.value for body in artwork.bodies}
    rows: dict[str, list[DrawnPart]] = {}
    for ref, of in lands.items():
        does = names.get(values[ref], [land.pin for land in of])
        pins = tuple(PartPin(a.pin, name, a.net) for a, name in zip(of, does, strict=True))
        part = DrawnPart(ref, values[ref], plain(values[ref]), pins)
        rows.setdefault(ref if ref.startswith("X") else ref[1:], []).append(part)
    places: dict[DrawnPart, PointMm] = {}
    low = {LEFT: TOP, HEADER_X: TOP}
    for row in rows.values():
        left = HEADER_X if row[0].ref.startswith("X") else LEFT
        places |= {part: (left + COLUMN * place, low[left]) for place, part in enumerate(row)}
        low[left] += max(map(_high, row))
    return _sheet(artwork.name, "A4", places)


def board_schematic(circuit: Circuit) -> str:
    """Of a whole board: its parts in columns, every pin with the name of its net."""
    net_of = {node: net.name for net in circuit.nets for node in net.nodes}
    parts = [
        DrawnPart(
            part.ref,
            RESISTORS.get(part.kind, part.purpose),
            plain(f"{part.kind.value} {len(part.leads)}"),
            tuple(
                PartPin(lead.name, lead.name, net_of.get(Node(part.ref, lead.name), ""))
                for lead in part.leads
            ),
        )
        for part in circuit.components
    ]
    for paper, (wide, high) in PAPERS:
        places = dict(_in_columns(parts, (high - FRAME_MM) / GRID_MM))
        if max(x for x, _ in places.values()) + WIDE / 2 < wide / GRID_MM:
            return _sheet(circuit.title, paper, places)
    raise ValueError(f"{len(parts)} parts find no room on {PAPERS[-1][0]}; add a larger paper")


def _in_columns(parts: Sequence[DrawnPart], limit: float) -> Iterator[tuple[DrawnPart, PointMm]]:
    x, y = WIDE * 0.6, TOP
    for part in parts:
        if y > TOP and y + _high(part) > limit:
            x, y = x + WIDE, TOP
        yield part, (round(x), y)
        y += _high(part)


def _high(part: DrawnPart) -> int:
    return APART + (1 if part.legged else len(part.pins))


def _sheet(title: str, paper: str, places: Mapping[DrawnPart, PointMm]) -> str:
    lines = [
        "(kicad_sch (version 20211123) (generator spotter)",
        f"  (uuid {_uuid(title, 'sheet')})",
        f'  (paper "{paper}")',
        f'  (title_block (title "{title}"))',
        "  (lib_symbols",
    ]
    for part in {part.symbol: part for part in places}.values():
        lines += _library(part)
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
            f'(value "{part.value}") (footprint "spotter:{part.symbol}"))'
        )
    return "\n".join([*lines, "  )", ")", ""])


def _end(part: DrawnPart, place: int, at: PointMm) -> PinEnd:
    if not part.legged:
        return PinEnd((at[0] - REACH, at[1] + place), right=False)
    return PinEnd((at[0] + (REACH if place else -REACH), at[1]), right=place > 0)


def _joined(title: str, net: str, ends: Mapping[str, PinEnd]) -> Iterator[str]:
    """Draw a wire between two parts that face each other, else the net's name at every pin; nothing
    without a net."""
    one, other, *_ = [*ends.values()] * 2
    if net and len(ends) == 2 and one.right and not other.right and one.at[1] == other.at[1]:
        yield (
            f"  (wire (pts (xy {_at(one.at)}) (xy {_at(other.at)})) (stroke (width 0) "
            f"(type default) (color 0 0 0 0)) (uuid {_uuid(title, net)}))"
        )
        return
    for pin, end in ends.items():
        known, turn = _uuid(title, pin), 0 if end.right else 180
        if net:
            yield (
                f'  (global_label "{net}" (shape passive) (at {_at(end.at)} {turn}) (effects '
                f"(font (size 1.27 1.27)) (justify {'left' if end.right else 'right'})) "
                f"(uuid {known}))"
            )
        else:
            yield f"  (no_connect (at {_at(end.at)}) (uuid {known}))"


def _symbol(title: str, part: DrawnPart, at: PointMm) -> Iterator[str]:
    yield f'  (symbol (lib_id "spotter:{part.symbol}") (at {_at(at)} 0) (unit 1)'
    yield f"    (in_bom yes) (on_board yes) (uuid {_uuid(title, part.ref)})"
    for place, (what, said) in enumerate((("Reference", part.ref), ("Value", part.value))):
        where = at[0], at[1] - 1 + (2 * place if part.legged else -0.8 * (1 - place))
        yield f'    (property "{what}" "{said}" (id {place}) (at {_at(where)} 0) {FONT})'
    yield f'    (property "Footprint" "spotter:{part.symbol}" (id 2) (at {_at(at)} 0)'
    yield "      (effects (font (size 1.27 1.27)) hide))"
    yield "  )"


def _library(part: DrawnPart) -> Iterator[str]:
    """A symbol, its y upwards."""
    kind, hidden = part.symbol, " hide" if part.legged else ""
    yield (
        f'    (symbol "spotter:{kind}" (pin_names (offset 0.5){hidden}) (in_bom yes) (on_board yes)'
    )
    for place, what in enumerate(("Reference", "Value", "Footprint", "Datasheet")):
        text = {"Reference": part.ref[0], "Value": kind}.get(what, "")
        yield f'      (property "{what}" "{text}" (id {place}) (at 0 0 0) {FONT})'
    yield f'      (symbol "{kind}_0_1"'
    left, low, right, high = (
        (-1.4, -0.6, 1.4, 0.6) if part.legged else (-2, 0.5 - len(part.pins), 2, 0.5)
    )
    ends = f"(start {_at((left, low))}) (end {_at((right, high))})"
    yield f"        (rectangle {ends} (stroke (width 0.2)) (fill (type none)))"
    for x, y, to_x, to_y in STROKES[part.ref[0]] if part.legged else ():
        yield (
            f"        (polyline (pts (xy {_at((x, y))}) (xy {_at((to_x, to_y))})) "
            "(stroke (width 0.2)) (fill (type none)))"
        )
    yield "      )"
    yield f'      (symbol "{kind}_1_1"'
    for place, pin in enumerate(part.pins):
        (x, y), at_right = _end(part, place, (0, 0))
        long = number((REACH + left) * GRID_MM)
        yield (
            f"        (pin passive line (at {_at((x, -y))} {180 if at_right else 0}) "
            f'(length {long}) (name "{pin.name}" {FONT}) (number "{pin.number}" {FONT}))'
        )
    yield "      )"
    yield "    )"


def _uuid(title: str, name: str) -> str:
    """Return an identifier that is the same every time."""
    return str(uuid5(NAMESPACE_URL, f"spotter:{title}:{name}"))


def _at(at: PointMm) -> str:
    return f"{number(at[0] * GRID_MM)} {number(at[1] * GRID_MM)}"
