"""The pins of a board as tables, and its nets as a list."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from hardware.make.circuit import Circuit, Kind, Node
from hardware.make.header import GPIO_OF, OLED_GROUND, nearest_ground
from hardware.make.mega import Mega
from hardware.make.wiring import GROUND, PI
from pi_app.sensing.description import Board, Cell

PI_HEAD = ("part", "reference", "GPIO (BCM)", "header pin", "ground pin")
LINE_HEAD = ("line", "chip", "Mega", "reeds")
REED_HEAD = ("reed", "reference", "row", "Mega (row)", "column", "Mega (column)")


def pi_rows(circuit: Circuit) -> Iterator[tuple[str, ...]]:
    """Each part on the Pi's header: what, reference, GPIO, its pin, the nearest ground pin."""
    parts = {part.ref: part for part in circuit.components}
    for net in circuit.nets:
        pins = [int(node.lead) for node in net.nodes if node.ref == PI]
        others = [node for node in net.nodes if node.ref != PI]
        if net.name == GROUND or not pins or not others:
            continue
        (pin,) = pins
        part = parts[others[0].ref]
        refs, purpose = part.ref, part.purpose
        if part.kind is Kind.RESISTOR:
            light = _beyond(circuit, part.ref, net.name)
            refs, purpose = f"{part.ref}, {light}", parts[light].purpose
        if part.kind is Kind.OLED:
            purpose = f"OLED {others[0].lead}"
        ground = OLED_GROUND if part.kind is Kind.OLED else nearest_ground(pin)
        gpio = str(GPIO_OF[pin]) if pin in GPIO_OF else "3.3 V"
        yield (purpose, refs, gpio, str(pin), str(ground))


def line_rows(board: Board, mega: Mega) -> Iterator[tuple[str, ...]]:
    """Each row and column of the matrix and its pin."""
    cells = board.cells
    if board.scanner is None:
        return
    for row in range(board.scanner.rows):
        line, on_it = mega.rows[row], [n for n, cell in cells.items() if cell.row == row]
        yield (f"row {row}", line.chip, line.printed, _few(on_it))
    for column in range(board.scanner.columns):
        line = mega.columns[column]
        on_it = [n for n, cell in cells.items() if cell.column == column]
        yield (f"column {column}", line.chip, line.printed, _few(on_it))


def reed_rows(board: Board, mega: Mega) -> Iterator[tuple[str, ...]]:
    """Each reed of the matrix, its row and its column."""
    reeds = [reed for place in board.places for reed in place.reeds]
    for number, reed in enumerate(reeds, start=1):
        if isinstance(reed.line, Cell):
            row, column = reed.line.row, reed.line.column
            yield (
                *(reed.name, f"S{number}, D{number}", str(row), mega.rows[row].printed),
                *(str(column), mega.columns[column].printed),
            )


def netlist_rows(circuit: Circuit) -> Iterator[tuple[str, ...]]:
    """Each net and a pin on it."""
    for net in circuit.nets:
        for node in net.nodes:
            yield (net.name, node.ref, node.lead)


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table for a page."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def to_csv(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table for a program."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    return text.getvalue()


def _beyond(circuit: Circuit, ref: str, net_name: str) -> str:
    """The part on the other end of one with two pins."""
    for net in circuit.nets:
        if net.name != net_name and any(node.ref == ref for node in net.nodes):
            return _other(net.nodes, ref)
    raise KeyError(ref)


def _other(nodes: Sequence[Node], ref: str) -> str:
    return next(node.ref for node in nodes if node.ref != ref)


def _few(names: Sequence[str]) -> str:
    return f"{names[0]} … {names[-1]}" if len(names) > 1 else ", ".join(names)
