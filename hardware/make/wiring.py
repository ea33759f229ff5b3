"""The circuit of a board, from its description.

Between a controller and the board is a keyed plug, and on the controller's side of it a resistor
in every line that a wrong hole could harm. A board of card has no plugs: all is on a breadboard.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import assert_never

from hardware.make.assembly import GROUND, LOGIC, MEGA, PI, SUPPLY, Assembly
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
from hardware.make.hall.wiring import mega_leads, wire_hall
from hardware.make.header import (
    GROUND_PIN,
    GROUNDS,
    PIN_OF,
    PINS,
    SCREEN_5V,
    SCREEN_GROUND,
    SUPPLY_3V3,
    SUPPLY_5V,
    SUPPLY_PIN,
)
from hardware.make.mega import Mega
from pi_app.rules.terms import Both
from pi_app.sensing.description import BUSES, Board, Cell, Mount, Pin, Reed

OLED_PINS = ("GND", "VCC", "SCL", "SDA")
FIXED_WAYS, SENSED_WAYS = 6, 5
"""Driven lines use plugs of six ways, sensed lines plugs of at most five, so that they cannot be
swapped."""


def wire(board: Board, mega: Mega, oled: bool) -> Circuit:
    """The whole circuit; raises ValueError naming everything wrong with it."""
    bench = Assembly()
    bench.join(GROUND, Node(PI, str(GROUND_PIN)))
    if board.mount is Mount.WOOD:
        _wire_touchscreen(bench)
    if oled:
        _wire_oled(bench)
    if board.tells_sides:
        wire_hall(bench, board)
    else:
        _wire_reeds(bench, board)
        _wire_lines(bench, board, mega)
    _wire_buttons(bench, board)
    _wire_lights(bench, board)
    _wire_buzzer(bench, board)
    if board.mount is Mount.WOOD:
        _wire_plugs(bench, board)
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


def _wire_touchscreen(bench: Assembly) -> None:
    """Add the touchscreen's own cable: red to 5 V, black to ground."""
    leads = (Lead("5V", Role.SUPPLIED), Lead("GND", Role.SUPPLIED))
    bench.put(Component("A1", Kind.TOUCHSCREEN, "touchscreen's power", leads))
    bench.join(SUPPLY, Node(PI, str(SCREEN_5V)), Node("A1", "5V"))
    bench.join(GROUND, Node(PI, str(SCREEN_GROUND)), Node("A1", "GND"))


def _wire_oled(bench: Assembly) -> None:
    roles = (Role.SUPPLIED, Role.SUPPLIED, Role.INOUT, Role.INOUT)
    leads = tuple(Lead(name, role) for name, role in zip(OLED_PINS, roles, strict=True))
    bench.put(Component("DS1", Kind.OLED, "OLED", leads))
    data, clock = BUSES["i2c"]
    bench.join(GROUND, Node("DS1", "GND"))
    bench.join(LOGIC, Node(PI, str(SUPPLY_PIN)), Node("DS1", "VCC"))
    for name, gpio in (("SCL", clock), ("SDA", data)):
        bench.join(name, Node(PI, str(PIN_OF[Pin(gpio)])))
        bench.series(name, f"of the OLED's {name}", f"DS1-{name}", Kind.BUS)
        bench.join(f"DS1-{name}", Node("DS1", name))


def _wire_reeds(bench: Assembly, board: Board) -> None:
    for number, reed in enumerate(_reeds(board), start=1):
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
                bench.join(f"GPIO{reed.line}", Node(PI, str(PIN_OF[reed.line])))
                bench.series(f"GPIO{reed.line}", f"of the reed of {reed.name}", f"{ref}-P")
                bench.join(f"{ref}-P", Node(ref, "1"))
                bench.join(GROUND, Node(ref, "2"))
            case Both():
                raise ValueError(f"{reed.name} has a pin a side, and a reed has one")
            case _:
                assert_never(reed.line)


def _wire_lines(bench: Assembly, board: Board, mega: Mega) -> None:
    """The rows straight to the Mega, the columns through a resistor each."""
    if board.scanner is None:
        return
    for row in range(board.scanner.rows):
        if f"ROW{row}" in bench.wires:
            bench.join(f"ROW{row}", Node(MEGA, mega.rows[row].printed))
    for column in range(board.scanner.columns):
        if f"COL{column}" in bench.wires:
            printed = mega.columns[column].printed
            bench.join(printed, Node(MEGA, printed))
            bench.series(printed, f"of column {column}", f"COL{column}")


def _wire_buttons(bench: Assembly, board: Board) -> None:
    for number, button in enumerate(board.buttons, start=1):
        whose = f"{button.side.value}'s die button" if button.side else "die button"
        part = bench.put(two_leads(f"SW{number}", Kind.BUTTON, whose))
        bench.join(f"GPIO{button.pin}", Node(PI, str(PIN_OF[button.pin])))
        bench.series(f"GPIO{button.pin}", f"of the {whose}", f"{part.ref}-R")
        bench.join(f"{part.ref}-R", Node(part.ref, "1"))
        bench.join(GROUND, Node(part.ref, "2"))


def _wire_lights(bench: Assembly, board: Board) -> None:
    lit = [place for place in board.places if place.light is not None]
    for number, place in enumerate(lit, start=1):
        assert place.light is not None
        resistor = bench.put(
            two_leads(f"R{number}", Kind.RESISTOR, f"of the light of {place.spot}")
        )
        led = bench.put(
            two_leads(f"L{number}", Kind.LED, f"light of spot {place.spot}", ("A", "K"))
        )
        pin = Node(PI, str(PIN_OF[place.light]))
        bench.join(f"GPIO{place.light}", pin, Node(resistor.ref, "1"))
        bench.join(f"{resistor.ref}-{led.ref}", Node(resistor.ref, "2"), Node(led.ref, "A"))
        bench.join(GROUND, Node(led.ref, "K"))


def _wire_buzzer(bench: Assembly, board: Board) -> None:
    """Add the buzzer, a transistor that carries its current and a diode for the coil's back
    voltage."""
    if board.buzzer is None:
        return
    bench.put(two_leads("BZ1", Kind.BUZZER, "buzzer", ("+", "-")))
    leads = tuple(Lead(name, Role.PASSIVE) for name in ("E", "B", "C"))
    bench.put(Component("Q1", Kind.TRANSISTOR, "transistor of the buzzer", leads))
    bench.put(two_leads("V1", Kind.FLYBACK, "diode across the buzzer", ("A", "K")))
    gpio = f"GPIO{board.buzzer}"
    bench.join(gpio, Node(PI, str(PIN_OF[board.buzzer])))
    bench.series(gpio, "of the buzzer's transistor", "R-Q1", Kind.BASE)
    bench.join("R-Q1", Node("Q1", "B"))
    bench.join("Q1-BZ1", Node("Q1", "C"), Node("BZ1", "-"), Node("V1", "A"))
    bench.join(GROUND, Node("Q1", "E"))
    pin = Node(PI, str(SUPPLY_PIN))
    supply = () if pin in bench.wires.get(LOGIC, ()) else (pin,)
    bench.join(LOGIC, *supply, Node("BZ1", "+"), Node("V1", "K"))


def _wire_plugs(bench: Assembly, board: Board) -> None:
    """Add the plugs between board and controllers: inputs, outputs and lights."""
    if board.scanner:
        columns = [name for name in bench.wires if name.startswith("COL")]
        for some in _chunks(sorted(columns, key=_number), SENSED_WAYS):
            bench.plug(some, max(len(some), 2), "columns")
        rows = sorted((name for name in bench.wires if name.startswith("ROW")), key=_number)
        for some in _chunks(rows, FIXED_WAYS):
            bench.plug(some, FIXED_WAYS, "rows")
    sensed = [name for name in bench.wires if name.endswith("-P")]
    lights = [name for name in bench.wires if "-L" in name]
    if sensed or lights:
        what = "switches" if board.tells_sides else "reeds"
        supplies = [GROUND, LOGIC] if board.tells_sides else [GROUND]
        for some in _chunks([*supplies, *sensed], SENSED_WAYS):
            bench.plug(some, max(len(some), 2), f"ground and {what}" if GROUND in some else what)
    for some in _chunks(lights, FIXED_WAYS):
        bench.plug(some, FIXED_WAYS, "lights")


def _chunks(names: Sequence[str], most: int) -> Iterator[Sequence[str]]:
    """The names in as few parts as can be, all of about the same length."""
    parts = ceil(len(names) / most)
    for part in range(parts):
        yield names[part * len(names) // parts : (part + 1) * len(names) // parts]


def _number(net: str) -> int:
    return int(net[3:])


def _reeds(board: Board) -> Iterator[Reed]:
    yield from (reed for place in board.places for reed in place.reeds)


def _pi(joined: set[Node]) -> Component:
    leads = tuple(Lead(str(pin), _pi_role(pin)) for pin in PINS)
    free = frozenset(lead.name for lead in leads if Node(PI, lead.name) not in joined)
    return Component(PI, Kind.PI, "Raspberry Pi's header", leads, free)


def _pi_role(pin: int) -> Role:
    """Return a pin's electrical role. The Pi joins all grounds inside, and all supplies of a
    voltage, so one pin of each stands for the source."""
    if pin in (GROUND_PIN, SUPPLY_PIN, SCREEN_5V):
        return Role.SOURCE
    return Role.PASSIVE if pin in (*GROUNDS, *SUPPLY_3V3, *SUPPLY_5V) else Role.INOUT


def _mega(board: Board, mega: Mega, joined: set[Node]) -> Component:
    """Every line the firmware has; those that this board does not use stay free."""
    leads = (
        mega_leads()
        if board.tells_sides
        else tuple(Lead(line.printed, Role.INOUT) for line in (*mega.rows, *mega.columns))
    )
    free = frozenset(lead.name for lead in leads if Node(MEGA, lead.name) not in joined)
    return Component(MEGA, Kind.MEGA, f"scanner of {board.name}", leads, free)
