"""A strip's circuit as KiCad 6 opens it: a `.kicad_sch` beside the board's file, made from the same
lands. A line a reed: from its column through the reed and the diode to its row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from uuid import NAMESPACE_URL, uuid5

from hardware.make.pcb.artwork import Artwork, Land
from hardware.make.pcb.layout import OWN, SHARED
from hardware.make.shapes import PointMm
from hardware.make.svg import number

GRID_MM = 2.54
REED_X, DIODE_X, HEADER_X, TOP_Y = 24, 34, 60, 12
"""In steps of the grid; pins of two-legged parts lie `REACH` to both sides of them."""
REACH, APART = 3, 4
FONT = "(effects (font (size 1.27 1.27)))"


def schematic(artwork: Artwork) -> str:
    """The text of the `.kicad_sch`."""
    parts: dict[str, list[Land]] = {}
    for land in artwork.lands:
        parts.setdefault(land.part, []).append(land)
    values = {body.part: body.value for body in artwork.bodies}
    beds = [part for part in parts if part.startswith("S")]
    places: dict[str, PointMm] = {SHARED: (HEADER_X, TOP_Y), OWN: (HEADER_X, TOP_Y - APART)}
    for row, reed in enumerate(beds):
        places |= {reed: (REED_X, TOP_Y + row * APART)}
        places |= {reed.replace("S", "D"): (DIODE_X, TOP_Y + row * APART)}
    lines = [
        "(kicad_sch (version 20211123) (generator spotter)",
        f"  (uuid {_uuid(artwork, 'sheet')})",
        '  (paper "A4")',
        f'  (title_block (title "{artwork.name}"))',
        "  (lib_symbols",
        *_two_legged("reed", ("1", "2"), ((-1, 0, 1, 0.4), (-0.2, 0, 1, 0))),
        *_two_legged("diode", ("A", "K"), ((-0.5, 0.5, 0.5, 0), (0.5, 0, -0.5, -0.5))),
        *_header("header", len(parts[SHARED])),
        *_header("pin", 1),
        "  )",
    ]
    for part, lands in parts.items():
        kind = {"S": "reed", "D": "diode"}.get(part[0], "pin" if part == OWN else "header")
        lines += _symbol(artwork, part, values[part], kind, places[part])
        for place, land in enumerate(lands):
            lines += _joined(artwork, land, _pin(kind, place, places[part]), kind, place)
    lines += ['  (sheet_instances (path "/" (page "1")))', "  (symbol_instances"]
    for part in parts:
        lines.append(
            f'    (path "/{_uuid(artwork, part)}" (reference "{part}") (unit 1) '
            f'(value "{values[part]}") (footprint "{_footprint(values[part])}"))'
        )
    return "\n".join([*lines, "  )", ")", ""])


def _pin(kind: str, place: int, at: PointMm) -> PointMm:
    """Where a part's pin ends, in steps of the grid, y downwards."""
    if kind in ("reed", "diode"):
        return at[0] + (REACH if place else -REACH), at[1]
    return at[0] - REACH, at[1] + place


def _joined(artwork: Artwork, land: Land, at: PointMm, kind: str, place: int) -> Iterator[str]:
    """A name at the pin, a wire from the reed to its diode, or nothing joined."""
    name = f"{land.part}.{land.pin}"
    if not land.net:
        yield f"  (no_connect (at {_at(at)}) (uuid {_uuid(artwork, name)}))"
    elif (kind, place) == ("reed", 1):
        other = (DIODE_X - REACH, at[1])
        yield (
            f"  (wire (pts (xy {_at(at)}) (xy {_at(other)})) (stroke (width 0) (type default) "
            f"(color 0 0 0 0)) (uuid {_uuid(artwork, name)}))"
        )
    elif (kind, place) != ("diode", 0):
        right = (kind, place) == ("diode", 1)
        side = "left" if right else "right"
        yield (
            f'  (global_label "{land.net}" (shape passive) (at {_at(at)} {0 if right else 180}) '
            f"(effects (font (size 1.27 1.27)) (justify {side})) (uuid {_uuid(artwork, name)}))"
        )


def _symbol(artwork: Artwork, part: str, value: str, kind: str, at: PointMm) -> Iterator[str]:
    yield f'  (symbol (lib_id "spotter:{kind}") (at {_at(at)} 0) (unit 1)'
    yield f"    (in_bom yes) (on_board yes) (uuid {_uuid(artwork, part)})"
    above, below = (at[0], at[1] - 1), (at[0], at[1] + 1)
    high = _at(above if kind in ("reed", "diode") else (at[0] + 2, at[1]))
    yield f'    (property "Reference" "{part}" (id 0) (at {high} 0) {FONT})'
    low = _at(below if kind in ("reed", "diode") else (at[0] + 5, at[1]))
    yield f'    (property "Value" "{value}" (id 1) (at {low} 0) {FONT})'
    yield f'    (property "Footprint" "{_footprint(value)}" (id 2) (at {_at(at)} 0)'
    yield "      (effects (font (size 1.27 1.27)) hide))"
    yield "  )"


def _two_legged(
    kind: str, pins: tuple[str, str], strokes: Sequence[tuple[float, float, float, float]]
) -> Iterator[str]:
    yield from _library(kind)
    yield f'      (symbol "{kind}_0_1"'
    yield _box(-1.4, -0.6, 1.4, 0.6)
    for x, y, to_x, to_y in strokes:
        yield (
            f"        (polyline (pts (xy {_at((x, y))}) (xy {_at((to_x, to_y))})) "
            "(stroke (width 0.2)) (fill (type none)))"
        )
    yield "      )"
    ends = {pins[0]: (-REACH, 0.0, 0), pins[1]: (REACH, 0.0, 180)}
    yield from _pins(kind, ends, REACH - 1.4)


def _header(kind: str, pins: int) -> Iterator[str]:
    yield from _library(kind)
    yield f'      (symbol "{kind}_0_1"'
    yield _box(-2, -pins + 0.5, 0, 0.5)
    yield "      )"
    yield from _pins(kind, {str(pin + 1): (-REACH, -float(pin), 0) for pin in range(pins)}, 1)


def _library(kind: str) -> Iterator[str]:
    yield f'    (symbol "spotter:{kind}" (pin_names (offset 0.5) hide) (in_bom yes) (on_board yes)'
    for number_, what in enumerate(("Reference", "Value", "Footprint", "Datasheet")):
        text = {"Reference": kind[0].upper(), "Value": kind}.get(what, "")
        yield f'      (property "{what}" "{text}" (id {number_}) (at 0 0 0) {FONT})'


def _pins(kind: str, pins: Mapping[str, tuple[float, float, int]], long: float) -> Iterator[str]:
    """Of a library's symbol, whose y runs upwards; `long` in steps of the grid."""
    yield f'      (symbol "{kind}_1_1"'
    for name, (x, y, turn) in pins.items():
        yield (
            f"        (pin passive line (at {_at((x, y))} {turn}) "
            f'(length {number(long * GRID_MM)}) (name "{name}" {FONT}) (number "{name}" {FONT}))'
        )
    yield "      )"
    yield "    )"


def _box(left: float, low: float, right: float, high: float) -> str:
    ends = f"(start {_at((left, low))}) (end {_at((right, high))})"
    return f"        (rectangle {ends} (stroke (width 0.2)) (fill (type none)))"


def _footprint(value: str) -> str:
    return f"spotter:{value.replace(' ', '-')}"


def _uuid(artwork: Artwork, name: str) -> str:
    """The same at every making."""
    return str(uuid5(NAMESPACE_URL, f"spotter:{artwork.name}:{name}"))


def _at(at: PointMm) -> str:
    return f"{number(at[0] * GRID_MM)} {number(at[1] * GRID_MM)}"
