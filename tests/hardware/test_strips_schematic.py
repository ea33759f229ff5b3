"""The schematics of the strips, read back by their shapes alone: what wires and names join."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
import sexpdata
from workshop import MATRIX_BOARDS

from hardware.make.__main__ import HERE

SheetPin: TypeAlias = tuple[str, str]
SheetPoint: TypeAlias = tuple[float, float]
SHEETS = sorted(
    path
    for name in MATRIX_BOARDS
    for path in (HERE / name / "strips" / "kicad").glob("*.kicad_sch")
)


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
        at[one] = at[other] = at.get(one, set()) | at.get(other, set())
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
    return {frozenset(pins): name for name, pins in nets.items()}


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: f"{path.parts[-4]}-{path.stem}")
def test_the_schematic_joins_what_the_board_joins(path: Path) -> None:
    board = routed(path.with_suffix(".kicad_pcb").read_text(encoding="utf-8"))
    sheet = drawn(path.read_text(encoding="utf-8"))
    assert len(board) >= 7
    assert sheet.keys() == board.keys()
    for pins, name in sheet.items():
        assert name in ("", board[pins])


def test_a_wire_that_is_missing_and_a_name_that_is_wrong_are_seen() -> None:
    path = SHEETS[0]
    text = path.read_text(encoding="utf-8")
    board = routed(path.with_suffix(".kicad_pcb").read_text(encoding="utf-8"))
    without = re.sub(r"\n  \(wire .*", "", text, count=1)
    renamed = text.replace('(global_label "ROW1"', '(global_label "ROW2"', 1)
    assert without != text != renamed
    assert drawn(without).keys() != board.keys()
    assert drawn(renamed).keys() != board.keys()
