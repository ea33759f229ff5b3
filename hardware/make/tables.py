"""A board's pins and nets as tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hardware.make.assembly import GROUND, LOGIC, MEGA, PI, SUPPLY
from hardware.make.circuit import Circuit, Component, Kind, Net, Node
from hardware.make.header import GPIO_OF, GROUND_PIN, SUPPLY_PIN
from hardware.make.mega import Mega
from pi_app.sensing.description import Board, Cell

PI_HEAD = ("part", "reference", "GPIO (BCM)", "header pin", "in its wire", "plug")
LINE_HEAD = ("line", "chip", "Mega", "reeds", "in its wire", "plug")
REED_HEAD = ("reed", "reference", "row", "Mega (row)", "column", "Mega (column)")


def pi_rows(circuit: Circuit) -> Iterator[tuple[str, ...]]:
    """Each line on the Pi's header: what, reference, GPIO, its pin, its resistor, its plug."""
    for net in circuit.nets:
        for pin in (int(node.lead) for node in net.nodes if node.ref == PI):
            if pin == GROUND_PIN:
                yield ("ground of everything", "", "ground", str(pin), "", plug_of(net))
            elif pin == SUPPLY_PIN:
                users = ", ".join(ref for ref in _refs(net) if ref not in (PI, "V1"))
                yield ("3.3 V", users, "3.3 V", str(pin), "", "")
            elif net.name not in (GROUND, LOGIC, SUPPLY):
                chain = chain_from(circuit, net)
                last = chain[-1]
                what = f"OLED {net.name}" if last.kind is Kind.OLED else last.purpose
                wired = (in_the_wire(chain), plug_along(circuit, net))
                yield (what, last.ref, str(GPIO_OF[pin]), str(pin), *wired)


def line_rows(board: Board, mega: Mega, circuit: Circuit) -> Iterator[tuple[str, ...]]:
    """Each row and column of the matrix, its pin, its resistor and its plug."""
    cells = board.cells
    if board.scanner is None:
        return
    for row in range(board.scanner.rows):
        line, on_it = mega.rows[row], [n for n, cell in cells.items() if cell.row == row]
        yield (f"row {row}", line.chip, line.printed, _few(on_it), *_wired(circuit, line.printed))
    for column in range(board.scanner.columns):
        line = mega.columns[column]
        on_it = [n for n, cell in cells.items() if cell.column == column]
        wired = _wired(circuit, line.printed)
        yield (f"column {column}", line.chip, line.printed, _few(on_it), *wired)


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


RESISTORS: Mapping[Kind, str] = {
    **{Kind.SERIES: "1 kΩ", Kind.RESISTOR: "330 Ω", Kind.BUS: "100 Ω", Kind.BASE: "1 kΩ"},
    **{Kind.LINE: "220 Ω", Kind.PULL: "47 kΩ", Kind.HOLD: "4.7 kΩ"},
}


def chain_from(circuit: Circuit, net: Net) -> tuple[Component, ...]:
    """Return the parts on a line, from a controller's pin to the part that does something: a reed,
    a button, a light, the OLED or the buzzer. Plugs are left out."""
    chain: list[Component] = []
    while True:
        parts = [circuit.component(ref) for ref in _refs(net)]
        new = [part for part in parts if part not in chain and part.kind not in PASSED]
        if not new:
            return tuple(chain)
        part = new[0]
        chain.append(part)
        if part.kind is Kind.TRANSISTOR:
            return (*chain, *circuit.of(Kind.BUZZER))
        if part.kind not in RESISTORS:
            return tuple(chain)
        net = _beyond(circuit, part, net)


def in_the_wire(chain: Sequence[Component]) -> str:
    """The resistor on a line: its value and its reference."""
    found = (f"{RESISTORS[part.kind]} ({part.ref})" for part in chain if part.kind in RESISTORS)
    return next(found, "")


def plug_of(net: Net) -> str:
    """The plug that a net goes through, and which of its ways."""
    return next((f"{n.ref}.{n.lead}" for n in net.nodes if n.ref.startswith("P")), "")


PASSED = frozenset({Kind.PI, Kind.MEGA, Kind.PLUG})


def plug_along(circuit: Circuit, net: Net) -> str:
    """The plug on a line, before or beyond its resistor."""
    parts = [circuit.component(ref) for ref in _refs(net)]
    beyond = (_beyond(circuit, part, net) for part in parts if part.kind in RESISTORS)
    return next((plug for plug in map(plug_of, (net, *beyond)) if plug), "")


def _wired(circuit: Circuit, printed: str) -> tuple[str, str]:
    """The resistor and the plug of a line at a pin of the Mega."""
    try:
        net = circuit.net_of(Node(MEGA, printed))
    except KeyError:  # a line without a reed
        return "", ""
    chain = [circuit.component(ref) for ref in _refs(net)]
    return in_the_wire(chain), plug_along(circuit, net)


def _beyond(circuit: Circuit, part: Component, net: Net) -> Net:
    """The net on the other end of a part with two pins."""
    ends = (circuit.net_of(Node(part.ref, lead.name)) for lead in part.leads)
    return next(end for end in ends if end is not net)


def _refs(net: Net) -> tuple[str, ...]:
    return tuple(node.ref for node in net.nodes)


def _few(names: Sequence[str]) -> str:
    return f"{names[0]} … {names[-1]}" if len(names) > 1 else ", ".join(names)
