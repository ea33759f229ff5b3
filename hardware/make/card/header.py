"""The small Pi from above, with its outline, and what is plugged onto its header."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make.assembly import GROUND, LOGIC, PI
from hardware.make.card.breadboard import BreadboardPlan
from hardware.make.circuit import Circuit
from hardware.make.header import COVERED, PINS
from hardware.make.shapes import (
    Anchor,
    Circle,
    DrawnShape,
    Layer,
    Lettering,
    Paper,
    PointMm,
    frame,
    line,
)

SIZE, SCALE, CORNER = (290.0, 200.0), 3.8, (22.0, 30.0)
OUTLINE_MM = (65.0, 30.0)
FIRST_MM, PITCH_MM = (8.37, 25.23), 2.54
"""Pin 1 from the lower left corner; the header's middle is 3.5 mm from the far edge: unchecked."""
CARD_SLOT_MM = ((0.0, 8.5), (10.0, 12.0))
SOCKETS_MM = (
    ("HDMI", (6.8, 0.0), (11.2, 5.0)),
    ("USB: no supply here", (37.4, 0.0), (8.0, 4.0)),
    ("power: PWR IN", (50.0, 0.0), (8.0, 4.0)),
)
"""A name, the lower left corner and the size of each: rough, unchecked."""


def header(board: str, circuit: Circuit, plan: BreadboardPlan) -> Paper:
    """The Pi as it lies before its builder: the header at the far edge, the card at the left."""
    head = f"{board}: where the wires go on a Pi Zero 2 W"
    said = "Pins upwards, the header at the far edge, the slot for the card at the left. "
    said += "Odd pins are in the row nearer to you."
    shapes = [
        Lettering(Layer.WORDS, (10, SIZE[1] - 11), head, 5, bold=True),
        Lettering(Layer.WORDS, (10, SIZE[1] - 17), said, 3),
        frame(Layer.WIRE, CORNER, (OUTLINE_MM[0] * SCALE, OUTLINE_MM[1] * SCALE)),
        *_sockets(),
        *_pins(),
        *_wires(circuit, plan),
    ]
    return Paper(head, SIZE, tuple(shapes))


def _at(x: float, y: float) -> PointMm:
    return CORNER[0] + SCALE * x, CORNER[1] + SCALE * y


def _pin(pin: int) -> PointMm:
    column, is_far = divmod(pin - 1, 2)
    return _at(FIRST_MM[0] + column * PITCH_MM, FIRST_MM[1] + is_far * PITCH_MM)


def _sockets() -> Iterator[DrawnShape]:
    for name, corner, (wide, high) in (("card", *CARD_SLOT_MM), *SOCKETS_MM):
        yield frame(Layer.GLASS, _at(*corner), (wide * SCALE, high * SCALE))
        middle, y = _at(corner[0] + wide / 2, corner[1])
        low = y + high * SCALE / 2 if name == "card" else y - 6
        yield Lettering(Layer.WORDS, (middle, low), name, 3.2, Anchor.MIDDLE)


def _pins() -> Iterator[DrawnShape]:
    for pin in PINS:
        x, y = _pin(pin)
        yield Circle(Layer.DANGER if pin in COVERED else Layer.FAINT, (x, y), 3.2)
        yield Lettering(Layer.WORDS, (x, y - 1), str(pin), 2.6, Anchor.MIDDLE)
    left, low = _pin(COVERED[0])
    yield frame(Layer.DANGER, (left - 4.2, low - 4.2), (_pin(COVERED[-1])[0] - left + 8.4, 8.4))
    yield Lettering(Layer.DANGER, (left - 4.2, low + 11), "tape", 3.2, upright=True)


def _wires(circuit: Circuit, plan: BreadboardPlan) -> Iterator[DrawnShape]:
    """A wire for each pin in use, away from the header, with the hole at its other end."""
    for hole, node in plan.wires:
        if node.ref != PI:
            continue
        pin = int(node.lead)
        x, y = _pin(pin)
        is_far = pin % 2 == 0
        name = circuit.net_of(node).name
        layer = {GROUND: Layer.GROUND, LOGIC: Layer.DANGER}.get(name, Layer.ROW)
        end = y + 7 if is_far else y - 7
        yield line(layer, (x, y + (3.2 if is_far else -3.2)), (x, end))
        said = f"to {hole}"
        at, anchor = (
            ((x + 1, end + 1.5), Anchor.START) if is_far else ((x + 1, end - 1.5), Anchor.END)
        )
        yield Lettering(layer, at, said, 2.8, anchor, upright=True)
