"""The wiring diagram of the Raspberry Pi's header: every part between its pin and ground."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.make import symbols
from hardware.make.assembly import GROUND, LOGIC, PI, SUPPLY
from hardware.make.circuit import Circuit, Component, Kind, Node
from hardware.make.header import (
    COVERED,
    GROUND_PIN,
    GROUNDS,
    SCREEN_5V,
    SCREEN_GROUND,
    SUPPLY_3V3,
    SUPPLY_5V,
    SUPPLY_PIN,
    role,
)
from hardware.make.shapes import (
    Anchor,
    Circle,
    DrawnShape,
    Layer,
    Lettering,
    Paper,
    PointMm,
    box,
    frame,
    line,
)
from hardware.make.sockets import PI_BLOCKS, beside
from hardware.make.tables import RESISTORS, chain_from, plug_along, plug_of

PITCH_MM, SIZE = 9.0, (290.0, 262.0)
MIDDLE_X, TOP_Y = SIZE[0] / 2, SIZE[1] - 34
PIN_X, ROLE_X, WIRE_X, RAIL_X = 5.0, 11.0, 30.0, 134.0
RESISTOR_X, PLUG_X, SIGN_X = 84.0, 98.0, 114.0
"""How far each thing is from the header's middle, to its left and to its right."""
OLED_BELOW = 7
"""The pin below the OLED's: where it has a wire, the OLED's ground is drawn above."""
FLOOR_Y = TOP_Y - 20.4 * PITCH_MM
"""Where the ground rails of both sides are joined."""


@dataclass(frozen=True, slots=True)
class _Column:
    """Odd pins go to the left, even pins to the right."""

    way: int

    def x(self, away: float) -> float:
        return MIDDLE_X + self.way * away

    @property
    def outwards(self) -> Anchor:
        return Anchor.END if self.way < 0 else Anchor.START


def wiring_pi(circuit: Circuit) -> Paper:
    """The diagram; what hangs on one pin is drawn on that pin's own line."""
    shapes = [*_header(circuit), *_rails(circuit)]
    if circuit.of(Kind.TOUCHSCREEN):
        shapes += _touchscreen()
    for net in circuit.nets:
        if net.name in (GROUND, LOGIC, SUPPLY):
            continue
        for pin in (int(node.lead) for node in net.nodes if node.ref == PI):
            chain = chain_from(circuit, net)
            shapes += _branch(pin, chain, plug_along(circuit, net))
    if circuit.of(Kind.OLED):
        shapes += _oled(circuit)
    head = f"{circuit.title}: the Raspberry Pi's header"
    shapes.append(Lettering(Layer.WORDS, (12, SIZE[1] - 12), head, 5, bold=True))
    said = "Seen from above; pin 2 is in the Pi's corner. Only dots join."
    if circuit.of(Kind.MEGA):
        said += " The scanner (Arduino Mega) is on a USB cable, on any USB port."
    shapes.append(Lettering(Layer.WORDS, (12, SIZE[1] - 18), said, 3))
    shapes += _warnings(bool(circuit.of(Kind.TOUCHSCREEN)))
    return Paper(head, SIZE, tuple(shapes))


def _place(pin: int) -> tuple[_Column, float]:
    return _Column(-1 if pin % 2 else 1), TOP_Y - (pin - 1) // 2 * PITCH_MM


def _header(circuit: Circuit) -> Iterator[DrawnShape]:
    height = 20 * PITCH_MM
    yield frame(Layer.GLASS, (MIDDLE_X - 10, TOP_Y - height + PITCH_MM / 2), (20, height))
    free = circuit.of(Kind.PI)[0].free
    supplies = (*GROUNDS, *SUPPLY_3V3, *SUPPLY_5V)
    for lead in circuit.of(Kind.PI)[0].leads:
        pin = int(lead.name)
        side, y = _place(pin)
        used = lead.name not in free
        ring = Layer.DANGER if pin in supplies else Layer.WIRE if used else Layer.FAINT
        yield Circle(ring, (side.x(PIN_X), y), 3)
        layer = Layer.DANGER if pin in supplies else Layer.WORDS if used else Layer.FAINT
        at = (side.x(PIN_X), y - 1.1)
        yield Lettering(layer, at, lead.name, 3, Anchor.MIDDLE, bold=used)
        yield Lettering(layer, (side.x(ROLE_X), y - 1.1), role(pin), 3, side.outwards, bold=used)


def _branch(pin: int, chain: tuple[Component, ...], plug: str) -> Iterator[DrawnShape]:
    """Draw one pin's parts in a line to the ground rail; the lines of OLED and buzzer end before
    it."""
    side, y = _place(pin)
    along = (float(side.way), 0.0)
    last = chain[-1]
    if last.kind is not Kind.OLED:
        words = f"{last.purpose} ({last.ref})"
        yield Lettering(Layer.WORDS, (side.x(WIRE_X + 1), y + 1.2), words, 2.8, side.outwards)
    at = WIRE_X
    for part, away in _placed(chain):
        half = _length(part.kind) / 2
        yield line(Layer.WIRE, (side.x(at), y), (side.x(away - half), y))
        yield from _sign(part.kind, (side.x(away), y), along)
        if part.kind in RESISTORS:
            value = f"{part.ref} {RESISTORS[part.kind]}"
            yield Lettering(Layer.WORDS, (side.x(away), y + 2.2), value, 2, Anchor.MIDDLE)
        if part.kind is Kind.TRANSISTOR:
            yield Lettering(Layer.WORDS, (side.x(away), y - 0.9), part.ref, 2.4, Anchor.MIDDLE)
        at = away + half
    if plug:
        yield from symbols.plug((side.x(PLUG_X), y), along)
        yield Lettering(Layer.WORDS, (side.x(PLUG_X), y + 2.2), plug, 2, Anchor.MIDDLE)
    if last.kind in (Kind.OLED, Kind.BUZZER):
        return
    yield line(Layer.WIRE, (side.x(at), y), (side.x(RAIL_X), y))
    yield symbols.dot((side.x(RAIL_X), y))


def _placed(chain: tuple[Component, ...]) -> Iterator[tuple[Component, float]]:
    """Return the parts that are drawn on a line, and their distance from the header's middle."""
    for part in chain:
        if part.kind in RESISTORS:
            yield part, RESISTOR_X
        elif part.kind is Kind.TRANSISTOR:
            yield part, PLUG_X + 1
        elif part.kind is not Kind.OLED:
            yield part, SIGN_X


def _length(kind: Kind) -> float:
    return {
        Kind.REED: symbols.REED_MM,
        Kind.SWITCH: symbols.REED_MM,
        Kind.LED: symbols.DIODE_MM,
        Kind.BUTTON: symbols.BUTTON_MM,
        Kind.BUZZER: symbols.BUZZER_MM - 2,
        Kind.TRANSISTOR: symbols.TRANSISTOR_MM,
    }.get(kind, symbols.RESISTOR_MM)


def _sign(kind: Kind, centre: PointMm, along: PointMm) -> Iterator[DrawnShape]:
    match kind:
        case Kind.REED:
            yield from symbols.reed(centre)
        case Kind.SWITCH:
            yield box(Layer.GLASS, centre, (symbols.REED_MM, 4.4))
            yield Lettering(Layer.DANGER, (centre[0], centre[1] - 0.9), "3.3 V", 2.4, Anchor.MIDDLE)
        case Kind.LED:
            yield from symbols.led((centre[0] - along[0] * symbols.DIODE_MM / 2, centre[1]), along)
        case Kind.BUTTON:
            yield from symbols.button(centre)
        case Kind.TRANSISTOR:
            yield from symbols.transistor(centre)
        case Kind.BUZZER:
            yield from symbols.buzzer(centre)
            x, y = centre
            end = x + along[0] * (symbols.BUZZER_MM / 2 + 6)
            yield line(Layer.WIRE, (x + along[0] * (symbols.BUZZER_MM / 2 - 1), y), (end, y))
            yield Lettering(Layer.DANGER, (end, y + 1.2), "3.3 V", 2.8, Anchor.MIDDLE)
            said = "Q1: E to ground; V1 lies across the buzzer"
            yield Lettering(Layer.WORDS, (end, y - 7), said, 2.4, Anchor.END)
        case _:
            yield from symbols.resistor(centre)


def _oled(circuit: Circuit) -> Iterator[DrawnShape]:
    """The OLED's box beside its two lines; its supply and its ground are named."""
    side = _Column(-1)
    pins = {
        name: int(node.lead)
        for name in ("SDA", "SCL")
        for node in circuit.net(name).nodes
        if node.ref == PI
    }
    ys = {name: _place(pin)[1] for name, pin in pins.items()}
    ys["VCC"] = max(ys.values()) + PITCH_MM
    used = any(node == Node(PI, str(OLED_BELOW)) for net in circuit.nets for node in net.nodes)
    ys["GND"] = ys["VCC"] + PITCH_MM if used else min(ys.values()) - PITCH_MM
    left, edge = side.x(RAIL_X - 4), side.x(RESISTOR_X + 10)
    low, high = min(ys.values()), max(ys.values())
    middle = ((left + edge) / 2, (low + high) / 2)
    yield box(Layer.GLASS, middle, (edge - left, high - low + PITCH_MM))
    yield Lettering(Layer.WORDS, (middle[0] - 4, middle[1]), "OLED (DS1)", 3.4, Anchor.MIDDLE)
    for name, y in ys.items():
        yield Lettering(Layer.WORDS, (edge - 1.5, y - 1.1), name, 3, Anchor.END)
        if name in pins:
            yield line(Layer.WIRE, (side.x(RESISTOR_X + symbols.RESISTOR_MM / 2), y), (edge, y))
            continue
        yield line(Layer.DANGER, (edge, y), (edge + 10, y))
        said = f"3.3 V, pin {SUPPLY_PIN}" if name == "VCC" else f"ground, pin {GROUND_PIN}"
        yield Lettering(Layer.DANGER, (edge + 11, y - 1), said, 2.8)


def _rails(circuit: Circuit) -> Iterator[DrawnShape]:
    """Draw a ground rail on each side, joined below the header and with the ground pin in use."""
    side, y = _place(GROUND_PIN)
    tops = {-1: y, 1: FLOOR_Y}
    for net in circuit.nets:
        for node in net.nodes:
            if node.ref == PI and net.name.startswith("GPIO"):
                column, height = _place(int(node.lead))
                tops[column.way] = max(tops[column.way], height)
    for way, top in tops.items():
        yield line(Layer.GROUND, (_Column(way).x(RAIL_X), FLOOR_Y), (_Column(way).x(RAIL_X), top))
    yield line(Layer.GROUND, (side.x(WIRE_X), y), (side.x(RAIL_X), y))
    yield symbols.dot((side.x(RAIL_X), y))
    plug = plug_of(circuit.net_of(Node(PI, str(GROUND_PIN))))
    words = "ground of everything" + (f" ({plug})" if plug else "")
    yield Lettering(Layer.GROUND, (side.x(WIRE_X + 1), y + 1.2), words, 2.8, side.outwards)
    yield line(Layer.GROUND, (_Column(-1).x(RAIL_X), FLOOR_Y), (_Column(1).x(RAIL_X), FLOOR_Y))
    supplied = (*circuit.of(Kind.OLED), *circuit.of(Kind.BUZZER))
    if supplied:
        x, y = _Column(-1).x(WIRE_X), _place(SUPPLY_PIN)[1]
        names = [part.purpose for part in supplied]
        words = "3.3 V to " + " and ".join([*names, *["switches"] * bool(circuit.of(Kind.SWITCH))])
        yield line(Layer.DANGER, (x, y), (x - 10, y))
        yield Lettering(Layer.DANGER, (x - 11, y - 1), words, 2.8, Anchor.END)


def _touchscreen() -> Iterator[DrawnShape]:
    """The touchscreen's own plug of three, over both 5 V pins, and where its cable goes."""
    side = _Column(1)
    ys = [_place(pin)[1] for pin in COVERED]
    edge = side.x(WIRE_X + 40)
    middle = (edge + 27, (ys[0] + ys[-1]) / 2)
    yield box(Layer.GLASS, middle, (54, ys[0] - ys[-1] + PITCH_MM))
    for words, shift in (("touchscreen (A1)", 3.0), ("its own cable, to J1", -2.0)):
        yield Lettering(Layer.WORDS, (middle[0] + 6, middle[1] + shift), words, 3, Anchor.MIDDLE)
    for pin, name, words in (
        (SCREEN_5V, "5V", "red"),
        (SCREEN_GROUND, "GND", "black"),
    ):
        y = _place(pin)[1]
        yield line(Layer.DANGER, (side.x(WIRE_X), y), (edge, y))
        yield Lettering(Layer.DANGER, (side.x(WIRE_X + 1), y + 1.2), words, 2.8)
        yield Lettering(Layer.WORDS, (edge + 1.5, y - 1.1), name, 3)
    covered = (side.x(WIRE_X + 1), _place(COVERED[1])[1] - 1)
    yield Lettering(Layer.DANGER, covered, "covered by the plug", 2.8)


def _neighbours(pin: int) -> list[str]:
    return sorted(beside(PI_BLOCKS, str(pin)), key=int)


def _warnings(touchscreen: bool) -> Iterator[DrawnShape]:
    """Which pins lie beside a supply, and why no wire goes on those that are covered."""
    lines = [
        f"{role(pin)} on pin {pin}: beside " + ", ".join(_neighbours(pin))
        for pin in (*SUPPLY_5V, *SUPPLY_3V3, *GROUNDS)
    ]
    first = "Red pins are supplies and ground. First of all "
    first += "put the touchscreen's plug, or an empty" if touchscreen else "fold a strip of tape"
    second = "one of three, on 2, 4 and 6: " if touchscreen else "over 2, 4 and 6: "
    second += "then no other wire can reach 5 V."
    y = FLOOR_Y - 8
    yield Lettering(Layer.DANGER, (12, y), first, 3.2, bold=True)
    yield Lettering(Layer.DANGER, (12, y - 5), second, 3.2, bold=True)
    for place, words in enumerate(lines):
        at = (12 + place // 4 * 92, y - 11 - place % 4 * 4.6)
        yield Lettering(Layer.DANGER, at, words, 2.6)
