"""A strip's circuit as KiCad 6 opens it: a `.kicad_sch` beside the board's file, made from the same
lands. Parts of one number share a line: a reed and its diode, or a sensor and its capacitor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from hardware.make.pcb.artwork import Artwork, Land
from hardware.make.pcb.kicad import plain
from hardware.make.shapes import PointMm
from hardware.make.svg import number

GRID_MM = 2.54
LEFT, TOP, HEADER_X, COLUMN, APART = 24, 12, 60, 10, 3
"""In steps of the grid; a pin ends `REACH` beside its part's middle."""
REACH = 3
FONT = "(effects (font (size 1.27 1.27)))"
STROKES: Mapping[str, Sequence[tuple[float, float, float, float]]] = MappingProxyType(
    {
        "S": ((-1, 0, 1, 0.4), (-0.2, 0, 1, 0)),
        "D": ((-0.5, 0.5, 0.5, 0), (0.5, 0, -0.5, -0.5)),
        "C": ((-0.2, 0.5, -0.2, -0.5), (0.2, 0.5, 0.2, -0.5)),
    }
)
"""What is drawn in a reed, a diode and a capacitor, with a pin on each side; others are boxes with
all pins on their left."""


class PinEnd(NamedTuple):
    """Where a part's pin ends, in steps of the grid, y downwards; and whether on its right."""

    at: PointMm
    right: bool


def schematic(artwork: Artwork, names: Mapping[str, Sequence[str]]) -> str:
    """The text of the `.kicad_sch`; `names` has what the pins of a part of that value do."""
    parts: dict[str, list[Land]] = {}
    for land in artwork.lands:
        parts.setdefault(land.part, []).append(land)
    values = {body.part: body.value for body in artwork.bodies}
    places = _places(parts)
    ends = {
        (land.part, land.pin): _end(part, place, places[part])
        for part, lands in parts.items()
        for place, land in enumerate(lands)
    }
    lines = [
        "(kicad_sch (version 20211123) (generator spotter)",
        f"  (uuid {_uuid(artwork, 'sheet')})",
        '  (paper "A4")',
        f'  (title_block (title "{artwork.name}"))',
        "  (lib_symbols",
    ]
    for value, part in {value: part for part, value in values.items()}.items():
        pins = [land.pin for land in parts[part]]
        lines += _library(part, plain(value), dict(zip(pins, names.get(value, pins), strict=True)))
    lines.append("  )")
    for part in parts:
        lines += _symbol(artwork, part, values[part], places[part])
    for net in ("", *artwork.nets):
        lines += _joined(artwork, [land for land in artwork.lands if land.net == net], ends)
    lines += ['  (sheet_instances (path "/" (page "1")))', "  (symbol_instances"]
    for part in parts:
        lines.append(
            f'    (path "/{_uuid(artwork, part)}" (reference "{part}") (unit 1) '
            f'(value "{values[part]}") (footprint "spotter:{plain(values[part])}"))'
        )
    return "\n".join([*lines, "  )", ")", ""])


def _places(parts: Mapping[str, Sequence[Land]]) -> Mapping[str, PointMm]:
    """A line for the parts of each number, as high as the tallest; headers below one another."""
    rows: dict[str, list[str]] = {}
    for part in parts:
        rows.setdefault(part if part.startswith("X") else part[1:], []).append(part)
    places: dict[str, PointMm] = {}
    low = {LEFT: TOP, HEADER_X: TOP}
    for row in rows.values():
        left = HEADER_X if row[0].startswith("X") else LEFT
        places |= {part: (left + COLUMN * place, low[left]) for place, part in enumerate(row)}
        low[left] += APART + max(1 if part[0] in STROKES else len(parts[part]) for part in row)
    return places


def _end(part: str, place: int, at: PointMm) -> PinEnd:
    if part[0] not in STROKES:
        return PinEnd((at[0] - REACH, at[1] + place), right=False)
    return PinEnd((at[0] + (REACH if place else -REACH), at[1]), right=place > 0)


def _joined(
    artwork: Artwork, lands: Sequence[Land], ends: Mapping[tuple[str, str], PinEnd]
) -> Iterator[str]:
    """A net: a wire from a reed to its diode, else its name at every pin; or none."""
    found = [ends[land.part, land.pin] for land in lands]
    if len(lands) == 2 and all(land.part[0] in STROKES for land in lands):
        one, other = (_at(end.at) for end in found)
        yield (
            f"  (wire (pts (xy {one}) (xy {other})) (stroke (width 0) (type default) "
            f"(color 0 0 0 0)) (uuid {_uuid(artwork, lands[0].net)}))"
        )
        return
    for land, end in zip(lands, found, strict=True):
        known, turn = _uuid(artwork, f"{land.part}.{land.pin}"), 0 if end.right else 180
        if land.net:
            yield (
                f'  (global_label "{land.net}" (shape passive) (at {_at(end.at)} {turn}) (effects '
                f"(font (size 1.27 1.27)) (justify {'left' if end.right else 'right'})) "
                f"(uuid {known}))"
            )
        else:
            yield f"  (no_connect (at {_at(end.at)}) (uuid {known}))"


def _symbol(artwork: Artwork, part: str, value: str, at: PointMm) -> Iterator[str]:
    yield f'  (symbol (lib_id "spotter:{plain(value)}") (at {_at(at)} 0) (unit 1)'
    yield f"    (in_bom yes) (on_board yes) (uuid {_uuid(artwork, part)})"
    for place, (what, said) in enumerate((("Reference", part), ("Value", value))):
        where = at[0], at[1] - 1 + (2 * place if part[0] in STROKES else -0.8 * (1 - place))
        yield f'    (property "{what}" "{said}" (id {place}) (at {_at(where)} 0) {FONT})'
    yield f'    (property "Footprint" "spotter:{plain(value)}" (id 2) (at {_at(at)} 0)'
    yield "      (effects (font (size 1.27 1.27)) hide))"
    yield "  )"


def _library(part: str, kind: str, pins: Mapping[str, str]) -> Iterator[str]:
    """A symbol, its y upwards; `pins` has their names by their numbers."""
    strokes = STROKES.get(part[0], ())
    hidden = " hide" if strokes else ""
    yield (
        f'    (symbol "spotter:{kind}" (pin_names (offset 0.5){hidden}) (in_bom yes) (on_board yes)'
    )
    for place, what in enumerate(("Reference", "Value", "Footprint", "Datasheet")):
        text = {"Reference": part[0], "Value": kind}.get(what, "")
        yield f'      (property "{what}" "{text}" (id {place}) (at 0 0 0) {FONT})'
    yield f'      (symbol "{kind}_0_1"'
    left, low, right, high = (-1.4, -0.6, 1.4, 0.6) if strokes else (-2, 0.5 - len(pins), 2, 0.5)
    ends = f"(start {_at((left, low))}) (end {_at((right, high))})"
    yield f"        (rectangle {ends} (stroke (width 0.2)) (fill (type none)))"
    for x, y, to_x, to_y in strokes:
        yield (
            f"        (polyline (pts (xy {_at((x, y))}) (xy {_at((to_x, to_y))})) "
            "(stroke (width 0.2)) (fill (type none)))"
        )
    yield "      )"
    yield f'      (symbol "{kind}_1_1"'
    for place, (pin, name) in enumerate(pins.items()):
        (x, y), right = _end(part, place, (0, 0))
        long = number((REACH + left) * GRID_MM)
        yield (
            f"        (pin passive line (at {_at((x, -y))} {180 if right else 0}) "
            f'(length {long}) (name "{name}" {FONT}) (number "{pin}" {FONT}))'
        )
    yield "      )"
    yield "    )"


def _uuid(artwork: Artwork, name: str) -> str:
    """The same at every making."""
    return str(uuid5(NAMESPACE_URL, f"spotter:{artwork.name}:{name}"))


def _at(at: PointMm) -> str:
    return f"{number(at[0] * GRID_MM)} {number(at[1] * GRID_MM)}"
