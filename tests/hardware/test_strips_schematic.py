"""The schematics of the strips, read back by their shapes alone: what wires and names join."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
import sexpdata
from workshop import BOARDS, HALL_BOARDS, committed

from hardware.make.__main__ import HERE

SheetPin: TypeAlias = tuple[str, str]
SheetPoint: TypeAlias = tuple[float, float]
BOARD_FILES = sorted(HERE.glob("*/strips/kicad/*.kicad_pcb"))


def parsed(text: str) -> list[object]:
    found = sexpdata.loads(text)
    assert isinstance(found, list)
    return found


def of(node: list[object], kind: str) -> Iterator[list[object]]:
    """The lists in a list that begin with a word."""
    for one in node:
        if isinstance(one, list) and one and one[0] == sexpdata.Symbol(kind):
            yield one


def point(node: list[object]) -> SheetPoint:
    x, y = node[1], node[2]
    assert isinstance(x, int | float)
    assert isinstance(y, int | float)
    return round(x, 3), round(y, 3)


def pins_of(library: list[object]) -> dict[str, dict[str, SheetPoint]]:
    """Each symbol's pins by their numbers, y upwards."""
    return {
        str(symbol[1]): {
            str(next(of(pin, "number"))[1]): point(next(of(pin, "at")))
            for unit in of(symbol, "symbol")
            for pin in of(unit, "pin")
        }
        for symbol in of(library, "symbol")
    }


def drawn(text: str) -> dict[frozenset[SheetPin], str]:
    """Every net of a schematic, its name empty where none is written."""
    sheet = parsed(text)
    library = pins_of(next(of(sheet, "lib_symbols")))
    at: dict[SheetPoint, set[SheetPin]] = {}
    for symbol in of(sheet, "symbol"):
        x, y = point(next(of(symbol, "at")))
        ref = next(str(p[2]) for p in of(symbol, "property") if p[1] == "Reference")
        for number, (px, py) in library[str(next(of(symbol, "lib_id"))[1])].items():
            at.setdefault((round(x + px, 3), round(y - py, 3)), set()).add((ref, number))
    for wire in of(sheet, "wire"):
        one, other = (point(xy) for xy in of(next(of(wire, "pts")), "xy"))
        at[one] |= at.pop(other)
    named: dict[str, set[SheetPin]] = {}
    free = [point(next(of(mark, "at"))) for mark in of(sheet, "no_connect")]
    for label in of(sheet, "global_label"):
        where = point(next(of(label, "at")))
        named.setdefault(str(label[1]), set()).update(at.pop(where))
    nets = {frozenset(pins): name for name, pins in named.items()}
    return nets | {frozenset(pins): "" for place, pins in at.items() if place not in free}


def routed(text: str) -> dict[frozenset[SheetPin], str]:
    """Every net of a board's file, by its pads."""
    nets: dict[str, set[SheetPin]] = {}
    for footprint in of(parsed(text), "footprint"):
        ref = next(str(t[2]) for t in of(footprint, "fp_text") if str(t[1]) == "reference")
        for pad in of(footprint, "pad"):
            for net in of(pad, "net"):
                nets.setdefault(str(net[2]), set()).add((ref, str(pad[1])))
    for name in [name for name in nets if name.startswith("unconnected-")]:
        ((ref, pad_name),) = nets.pop(name)
        assert name == f"unconnected-({ref}-Pad{pad_name})", "as KiCad calls it"
    return {frozenset(pins): name for name, pins in nets.items()}


@pytest.mark.parametrize("path", BOARD_FILES, ids=lambda path: f"{path.parts[-4]}-{path.stem}")
def test_the_schematic_joins_what_the_board_joins(path: Path) -> None:
    board = routed(path.read_text(encoding="utf-8"))
    sheet = drawn(path.with_suffix(".kicad_sch").read_text(encoding="utf-8"))
    assert len(board) >= 7
    assert sheet == board


@pytest.mark.parametrize("path", sorted(HERE.rglob("*.kicad_sch")), ids=lambda path: path.stem)
def test_no_two_symbols_lie_on_each_other_and_none_off_the_sheet(path: Path) -> None:
    sheet = parsed(path.read_text(encoding="utf-8"))
    paper = str(next(of(sheet, "paper"))[1])
    wide, high = {"A4": (297, 210), "A3": (420, 297), "A2": (594, 420)}[paper]
    library = pins_of(next(of(sheet, "lib_symbols")))
    ends: list[SheetPoint] = []
    for symbol in of(sheet, "symbol"):
        x, y = point(next(of(symbol, "at")))
        pins = library[str(next(of(symbol, "lib_id"))[1])].values()
        ends += [(round(x + px, 3), round(y - py, 3)) for px, py in pins]
    assert len(set(ends)) == len(ends)
    assert all(20 < x < wide - 20 and 20 < y < high - 40 for x, y in ends), "clear of its frame"
    for wire in of(sheet, "wire"):
        (x, y), (to_x, to_y) = (point(xy) for xy in of(next(of(wire, "pts")), "xy"))
        assert y == to_y
        assert not any(x < at[0] < to_x and at[1] == y for at in ends)


@pytest.mark.parametrize("name", [*BOARDS, *HALL_BOARDS])
def test_the_boards_schematic_joins_what_its_net_list_joins(name: str) -> None:
    nets: dict[str, set[SheetPin]] = {}
    for row in csv.DictReader(committed(f"{name}/netlist.csv").splitlines()):
        nets.setdefault(row["net"], set()).add((row["part"], row["pin"]))
    wanted = {frozenset(pins): net for net, pins in nets.items()}
    sheet = drawn(committed(f"{name}/kicad/{name}.kicad_sch"))
    assert len(sheet) > 20
    assert sheet == wanted


def test_the_sensors_pins_are_called_what_they_do() -> None:
    path = HERE / "tables-24-hall" / "strips" / "kicad" / "point.kicad_sch"
    library = next(of(parsed(path.read_text(encoding="utf-8")), "lib_symbols"))
    (sensor,) = (one for one in of(library, "symbol") if "TMAG5253" in str(one[1]))
    names = {
        str(next(of(pin, "number"))[1]): str(next(of(pin, "name"))[1])
        for unit in of(sensor, "symbol")
        for pin in of(unit, "pin")
    }
    assert names == {"1": "VCC", "2": "GND", "3": "EN", "4": "OUT", "5": "GND"}


def test_a_wire_that_is_missing_and_a_name_that_is_wrong_are_seen() -> None:
    path = HERE / "tables-24" / "strips" / "kicad" / "point"
    text = path.with_suffix(".kicad_sch").read_text(encoding="utf-8")
    board = routed(path.with_suffix(".kicad_pcb").read_text(encoding="utf-8"))
    without = re.sub(r"\n  \(wire .*", "", text, count=1)
    renamed = text.replace('(global_label "COL1"', '(global_label "COL2"', 1)
    assert without != text != renamed
    assert drawn(without).keys() != board.keys()
    assert drawn(renamed).keys() != board.keys()
