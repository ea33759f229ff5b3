"""The circuit of a board, from its description."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never

from hardware.make.circuit import (
    Circuit,
    Component,
    Kind,
    Lead,
    Net,
    Node,
    Role,
    faults,
    two_leads,
)
from hardware.make.header import GROUNDS, PIN_OF, PINS, SUPPLY_3V3, SUPPLY_5V
from hardware.make.mega import Mega, MegaPin
from pi_app.sensing.description import BUSES, Board, Cell, Pin

PI, MEGA = "J1", "U1"
GROUND = "GND"
OLED_PINS = ("GND", "VCC", "SCL", "SDA")


@dataclass(slots=True)
class _Assembly:
    """Parts and wires being put together."""

    parts: list[Component] = field(default_factory=list)
    wires: dict[str, list[Node]] = field(default_factory=dict)

    def put(self, part: Component) -> Component:
        self.parts.append(part)
        return part

    def join(self, net: str, *nodes: Node) -> None:
        self.wires.setdefault(net, []).extend(nodes)


def wire(board: Board, mega: Mega, oled: bool) -> Circuit:
    """The whole circuit; raises ValueError naming everything wrong with it."""
    bench = _Assembly()
    bench.join(GROUND, *(Node(PI, str(pin)) for pin in GROUNDS))
    if oled:
        _wire_oled(bench)
    _wire_reeds(bench, board, mega)
    _wire_outputs(bench, board)
    joined = {node for nodes in bench.wires.values() for node in nodes}
    chips = [_pi(joined), *([_mega(board, mega, joined)] if board.scanner else [])]
    circuit = Circuit(
        board.title,
        (*chips, *bench.parts),
        tuple(Net(name, tuple(nodes)) for name, nodes in bench.wires.items()),
    )
    if wrong := faults(circuit):
        raise ValueError(f"{board.name}: " + "; ".join(wrong))
    return circuit


def _wire_oled(bench: _Assembly) -> None:
    roles = (Role.SUPPLIED, Role.SUPPLIED, Role.INOUT, Role.INOUT)
    leads = tuple(Lead(name, role) for name, role in zip(OLED_PINS, roles, strict=True))
    bench.put(Component("DS1", Kind.OLED, "OLED", leads))
    data, clock = BUSES["i2c"]
    bench.join(GROUND, Node("DS1", "GND"))
    bench.join("3V3", Node(PI, str(SUPPLY_3V3[0])), Node("DS1", "VCC"))
    bench.join("SCL", Node(PI, str(PIN_OF[Pin(clock)])), Node("DS1", "SCL"))
    bench.join("SDA", Node(PI, str(PIN_OF[Pin(data)])), Node("DS1", "SDA"))


def _wire_reeds(bench: _Assembly, board: Board, mega: Mega) -> None:
    reeds = [reed for place in board.places for reed in place.reeds]
    for number, reed in enumerate(reeds, start=1):
        ref = f"S{number}"
        bench.put(two_leads(ref, Kind.REED, f"reed of {reed.name}"))
        match reed.line:
            case Cell(row=row, column=column):
                diode = f"D{number}"
                bench.put(two_leads(diode, Kind.DIODE, f"diode of {reed.name}", ("A", "K")))
                bench.join(f"COL{column}", Node(ref, "1"))
                bench.join(f"{ref}-{diode}", Node(ref, "2"), Node(diode, "A"))
                bench.join(f"ROW{row}", Node(diode, "K"))
            case int():
                _wire_gpio(bench, reed.line, Node(ref, "1"))
                bench.join(GROUND, Node(ref, "2"))
            case _:
                assert_never(reed.line)
    for name, line in _lines(board, mega):
        if name in bench.wires:
            bench.join(name, Node(MEGA, line.printed))


def _wire_outputs(bench: _Assembly, board: Board) -> None:
    """Buttons, lights and the buzzer, each between its pin and ground."""
    for number, button in enumerate(board.buttons, start=1):
        whose = f"{button.side.value}'s die button" if button.side else "die button"
        part = bench.put(two_leads(f"SW{number}", Kind.BUTTON, whose))
        _wire_gpio(bench, button.pin, Node(part.ref, "1"))
        bench.join(GROUND, Node(part.ref, "2"))
    lit = [place for place in board.places if place.light is not None]
    for number, place in enumerate(lit, start=1):
        resistor = bench.put(
            two_leads(f"R{number}", Kind.RESISTOR, f"of the light of {place.spot}")
        )
        led = bench.put(
            two_leads(f"L{number}", Kind.LED, f"light of spot {place.spot}", ("A", "K"))
        )
        assert place.light is not None
        _wire_gpio(bench, place.light, Node(resistor.ref, "1"))
        bench.join(f"{resistor.ref}-{led.ref}", Node(resistor.ref, "2"), Node(led.ref, "A"))
        bench.join(GROUND, Node(led.ref, "K"))
    if board.buzzer is not None:
        bench.put(two_leads("BZ1", Kind.BUZZER, "buzzer", ("+", "-")))
        _wire_gpio(bench, board.buzzer, Node("BZ1", "+"))
        bench.join(GROUND, Node("BZ1", "-"))


def _wire_gpio(bench: _Assembly, gpio: Pin, node: Node) -> None:
    bench.join(f"GPIO{gpio}", Node(PI, str(PIN_OF[gpio])), node)


def _pi(joined: set[Node]) -> Component:
    leads = tuple(Lead(str(pin), _pi_role(pin)) for pin in PINS)
    free = frozenset(lead.name for lead in leads if Node(PI, lead.name) not in joined)
    return Component(PI, Kind.PI, "Raspberry Pi's header", leads, free)


def _pi_role(pin: int) -> Role:
    """All grounds are one inside the Pi: the first stands for their source."""
    if pin in (GROUNDS[0], SUPPLY_3V3[0], SUPPLY_5V[0]):
        return Role.SOURCE
    return Role.PASSIVE if pin in (*GROUNDS, *SUPPLY_3V3, *SUPPLY_5V) else Role.INOUT


def _mega(board: Board, mega: Mega, joined: set[Node]) -> Component:
    """Every line the firmware has; those that this board does not use stay free."""
    leads = tuple(Lead(line.printed, Role.INOUT) for line in (*mega.rows, *mega.columns))
    free = frozenset(lead.name for lead in leads if Node(MEGA, lead.name) not in joined)
    return Component(MEGA, Kind.MEGA, f"reed scanner of {board.name}", leads, free)


def _lines(board: Board, mega: Mega) -> Iterator[tuple[str, MegaPin]]:
    """The net and the Mega's pin of every row and column of the board's matrix."""
    if board.scanner is None:
        return
    for row in range(board.scanner.rows):
        yield f"ROW{row}", mega.rows[row]
    for column in range(board.scanner.columns):
        yield f"COL{column}", mega.columns[column]
