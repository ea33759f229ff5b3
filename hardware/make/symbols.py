"""The symbols of a wiring diagram, drawn from left to right between two points of a wire."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make.places import across, step
from hardware.make.shapes import Circle, DrawnShape, Layer, Path, PointMm, box, line

REED_MM, DIODE_MM, RESISTOR_MM, BUTTON_MM, BUZZER_MM = 11.0, 4.0, 9.0, 9.0, 10.0
TRANSISTOR_MM = 7.0
"""The length of each sign along its wire."""


def dot(at: PointMm) -> DrawnShape:
    """Where wires are joined."""
    return Circle(Layer.BODY, at, 0.7)


def reed(
    centre: PointMm, along: PointMm = (1.0, 0.0), length: float = REED_MM
) -> Iterator[DrawnShape]:
    """A glass tube with two blades that do not touch."""
    side = across(along)
    yield box(Layer.GLASS, centre, (0.8 * length, 2.6), along)
    for way in (-1, 1):
        start = step(centre, along, way * length / 2)
        lifted = step(step(centre, along, -way * 0.12 * length), side, way * 0.4)
        bend = step(step(centre, along, way * 0.3 * length), side, way * 0.4)
        yield line(Layer.WIRE, start, bend, lifted)


def diode(anode: PointMm, along: PointMm, length: float = DIODE_MM) -> Iterator[DrawnShape]:
    """A triangle that points to its band, the cathode."""
    side, half = across(along), length / 2.4
    band = step(anode, along, length)
    back = (step(anode, side, half), step(anode, side, -half))
    yield Path(Layer.BODY, (*back, band), closed=True)
    yield line(Layer.WIRE, step(band, side, half + 0.2), step(band, side, -half - 0.2))


def led(anode: PointMm, along: PointMm) -> Iterator[DrawnShape]:
    """A diode with two arrows of light."""
    yield from diode(anode, along)
    for shift in (1.2, 3.2):
        foot = (anode[0] + along[0] * shift, anode[1] + 2.4)
        tip = (foot[0] + 1.2, foot[1] + 2.0)
        yield line(Layer.WIRE, foot, tip)
        yield line(Layer.WIRE, (tip[0] - 1.0, tip[1] - 0.3), tip, (tip[0] - 0.1, tip[1] - 1.1))


def resistor(centre: PointMm, along: PointMm = (1.0, 0.0)) -> Iterator[DrawnShape]:
    """A plain box."""
    yield box(Layer.GLASS, centre, (RESISTOR_MM, 3.2), along)


def plug(centre: PointMm, along: PointMm) -> Iterator[DrawnShape]:
    """Two arrow heads, one in the other."""
    side = across(along)
    for shift in (-0.8, 0.8):
        tip = step(centre, along, shift)
        back = step(tip, along, -1.2)
        yield line(Layer.WIRE, step(back, side, 1.3), tip, step(back, side, -1.3))


def transistor(centre: PointMm) -> Iterator[DrawnShape]:
    """A box; its three legs are told beside it."""
    yield box(Layer.GLASS, centre, (TRANSISTOR_MM, 5.0))


def button(centre: PointMm) -> Iterator[DrawnShape]:
    """Two contacts and a bar above them."""
    x, y = centre
    half = BUTTON_MM / 2
    for way in (-1, 1):
        yield Circle(Layer.GLASS, (x + way * (half - 1), y), 0.8)
        yield line(Layer.WIRE, (x + way * half, y), (x + way * (half - 0.2), y))
    yield line(Layer.WIRE, (x - half + 0.6, y + 2), (x + half - 0.6, y + 2))
    yield line(Layer.WIRE, (x, y + 2), (x, y + 4))


def buzzer(centre: PointMm) -> Iterator[DrawnShape]:
    """A round body."""
    yield Circle(Layer.GLASS, centre, BUZZER_MM / 2 - 1)
    yield Circle(Layer.WIRE, centre, 1)
