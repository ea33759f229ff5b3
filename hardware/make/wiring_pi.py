"""The wiring diagram of the Raspberry Pi's header: every part between its pin and ground."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.make import symbols
from hardware.make.circuit import Circuit, Component, Kind
from hardware.make.header import GROUNDS, OLED_GROUND, role
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
from hardware.make.wiring import GROUND, PI

PITCH_MM, SIZE = 9.0, (290.0, 232.0)
MIDDLE_X, TOP_Y = SIZE[0] / 2, SIZE[1] - 32
PIN_X, ROLE_X, WIRE_X, SIGN_X, RAIL_X = 5.0, 11.0, 30.0, 86.0, 130.0
"""How far each thing is from the header's middle, to its left and to its right."""


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
    shapes = [*_header(circuit)]
    for net in circuit.nets:
        pins = [int(node.lead) for node in net.nodes if node.ref == PI]
        if net.name != GROUND and len(pins) == 1:
            chain = _chain(circuit, net.name)
            if chain[0].kind is not Kind.OLED:
                shapes += _branch(pins[0], chain)
    if circuit.of(Kind.OLED):
        shapes += _oled(circuit)
    shapes += _rails(circuit)
    head = f"{circuit.title}: the Raspberry Pi's header"
    shapes.append(Lettering(Layer.WORDS, (12, SIZE[1] - 12), head, 5, bold=True))
    said = "Seen from above, pin 1 beside the corner of the board. Only dots join."
    if circuit.of(Kind.MEGA):
        said += " The reed scanner (Arduino Mega) is on a USB cable, on any USB port."
    shapes.append(Lettering(Layer.WORDS, (12, SIZE[1] - 18), said, 3))
    return Paper(head, SIZE, tuple(shapes))


def _place(pin: int) -> tuple[_Column, float]:
    return _Column(-1 if pin % 2 else 1), TOP_Y - (pin - 1) // 2 * PITCH_MM


def _chain(circuit: Circuit, net: str) -> tuple[Component, ...]:
    """The parts on the way from a pin to ground."""
    parts = {part.ref: part for part in circuit.components}
    nets = {node: found for found in circuit.nets for node in found.nodes}
    wire = next(found for found in circuit.nets if found.name == net)
    chain: list[Component] = []
    while wire.name != GROUND:
        node = next(n for n in wire.nodes if n.ref != PI and parts[n.ref] not in chain)
        chain.append(parts[node.ref])
        if len(parts[node.ref].leads) != 2:
            break
        wire = next(w for n, w in nets.items() if n.ref == node.ref and n != node)
    return tuple(chain)


def _header(circuit: Circuit) -> Iterator[DrawnShape]:
    height = 20 * PITCH_MM
    yield frame(Layer.GLASS, (MIDDLE_X - 10, TOP_Y - height + PITCH_MM / 2), (20, height))
    free = next(part.free for part in circuit.of(Kind.PI))
    for lead in circuit.of(Kind.PI)[0].leads:
        pin = int(lead.name)
        side, y = _place(pin)
        used = lead.name not in free
        yield Circle(Layer.WIRE if used else Layer.FAINT, (side.x(PIN_X), y), 3)
        layer = Layer.WORDS if used else Layer.FAINT
        at = (side.x(PIN_X), y - 1.1)
        yield Lettering(layer, at, lead.name, 3, Anchor.MIDDLE, bold=used)
        yield Lettering(layer, (side.x(ROLE_X), y - 1.1), role(pin), 3, side.outwards)


def _branch(pin: int, chain: tuple[Component, ...]) -> Iterator[DrawnShape]:
    """One pin's parts in a line to the ground rail."""
    side, y = _place(pin)
    along = (float(side.way), 0.0)
    names = ", ".join(part.ref for part in chain)
    words = f"{chain[-1].purpose} ({names})"
    yield Lettering(Layer.WORDS, (side.x(WIRE_X + 1), y + 1.2), words, 2.8, side.outwards)
    places = [SIGN_X] if len(chain) == 1 else [SIGN_X - 5, SIGN_X + 19]
    at = side.x(WIRE_X)
    for part, away in zip(chain, places, strict=True):
        half = _length(part.kind) / 2
        centre = (side.x(away), y)
        yield line(Layer.WIRE, (at, y), (side.x(away - half), y))
        yield from _sign(part.kind, centre, along)
        at = side.x(away + half)
    yield line(Layer.WIRE, (at, y), (side.x(RAIL_X), y))
    yield symbols.dot((side.x(RAIL_X), y))


def _length(kind: Kind) -> float:
    return {
        Kind.REED: symbols.REED_MM,
        Kind.LED: symbols.DIODE_MM,
        Kind.RESISTOR: symbols.RESISTOR_MM,
        Kind.BUTTON: symbols.BUTTON_MM,
        Kind.BUZZER: symbols.BUZZER_MM - 2,
    }[kind]


def _sign(kind: Kind, centre: PointMm, along: PointMm) -> Iterator[DrawnShape]:
    match kind:
        case Kind.REED:
            yield from symbols.reed(centre)
        case Kind.LED:
            yield from symbols.led((centre[0] - along[0] * symbols.DIODE_MM / 2, centre[1]), along)
        case Kind.RESISTOR:
            yield from symbols.resistor(centre)
        case Kind.BUTTON:
            yield from symbols.button(centre)
        case _:
            yield from symbols.buzzer(centre)


def _oled(circuit: Circuit) -> Iterator[DrawnShape]:
    """The OLED's box beside the pins that it uses; its ground has a pin of its own."""
    side = _Column(-1)
    leads = {"GND": OLED_GROUND}
    for net in circuit.nets:
        for node in net.nodes:
            if node.ref == "DS1" and net.name != GROUND:
                leads[node.lead] = next(int(n.lead) for n in net.nodes if n.ref == PI)
    ys = [_place(pin)[1] for pin in leads.values()]
    left, edge = side.x(SIGN_X + 24), side.x(SIGN_X - 12)
    middle = ((left + edge) / 2, (min(ys) + max(ys)) / 2)
    yield box(Layer.GLASS, middle, (edge - left, max(ys) - min(ys) + PITCH_MM))
    yield Lettering(Layer.WORDS, (middle[0] - 4, middle[1]), "OLED (DS1)", 3.4, Anchor.MIDDLE)
    for name, pin in leads.items():
        y = _place(pin)[1]
        yield line(Layer.WIRE, (side.x(WIRE_X), y), (edge, y))
        yield Lettering(Layer.WORDS, (edge - 1.5, y - 1.1), name, 3, Anchor.END)


def _heights(circuit: Circuit, way: int) -> Iterator[float]:
    """Where the branches of one side lie."""
    for net in circuit.nets:
        for node in net.nodes:
            if node.ref == PI and net.name.startswith("GPIO"):
                side, y = _place(int(node.lead))
                if side.way == way:
                    yield y


def _rails(circuit: Circuit) -> Iterator[DrawnShape]:
    """A ground rail on each side, and the ground pins it is joined to."""
    grounds = [pin for pin in GROUNDS if not (pin == OLED_GROUND and circuit.of(Kind.OLED))]
    for way in (-1, 1):
        here = [pin for pin in grounds if _place(pin)[0].way == way]
        rows = [_place(pin)[1] for pin in here]
        ends = (TOP_Y - 19 * PITCH_MM, max([*rows, *_heights(circuit, way)]))
        rail = _Column(way).x(RAIL_X)
        yield line(Layer.GROUND, (rail, ends[0]), (rail, ends[1]))
        for _pin, y in zip(here, rows, strict=True):
            yield line(Layer.GROUND, (_Column(way).x(WIRE_X), y), (rail, y))
            yield symbols.dot((rail, y))
        yield Lettering(Layer.GROUND, (rail, ends[0] - 5), "ground", 3, Anchor.MIDDLE)
