"""Mounting: a light in the wood, and the touchscreen with the Pi on its back."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make import symbols
from hardware.make.header import COVERED, PINS
from hardware.make.parts import Measures
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
from hardware.make.svg import number

LIGHT_SIZE, LIGHT_SCALE = (200.0, 110.0), 6.0
SCREEN_SIZE = (236.0, 196.0)
FLANGE_MM = (3.8, 1.0)
"""An LED's flange: diameter, height."""
PI_MM, PI_HOLES = (85.0, 56.0), ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5))
"""The Pi's board, and its holes from the corner at the microSD card's end."""
HEADER_AT, HEADER_PITCH = (8.37, 51.23), 2.54
"""Pin 1, from the same corner."""


def tip_below(measures: Measures) -> float:
    """Return how far, at least, an LED's tip is below the surface when its flange touches the top
    sheet, in mm."""
    return measures.top - (measures.led[1] - FLANGE_MM[1])


def light(measures: Measures) -> Paper:
    """An LED in the wood, cut through: pushed in until its tip is flush."""
    ground, middle = 76.0, 60.0

    def at(x: float, y: float) -> PointMm:
        return (middle + LIGHT_SCALE * x, ground + LIGHT_SCALE * y)

    def part(x: float, y: float, size: PointMm) -> Iterator[DrawnShape]:
        for layer in (Layer.FILL, Layer.WIRE):
            yield frame(layer, at(x, y), (LIGHT_SCALE * size[0], LIGHT_SCALE * size[1]))

    shapes: list[DrawnShape] = []
    low = -measures.top - measures.carrier
    for hole, y, high in (
        (measures.light, -measures.top, measures.top),
        (measures.light_flange, low, measures.carrier),
    ):
        shapes += part(-7.5, y, (7.5 - hole / 2, high))
        shapes += part(hole / 2, y, (7.5 - hole / 2, high))
    tip = -max(0.0, tip_below(measures))
    body, flange = tip - measures.led[1], FLANGE_MM
    shapes += [
        frame(Layer.GLASS, at(-flange[0] / 2, body), _scaled(flange)),
        frame(
            Layer.GLASS,
            at(-measures.led[0] / 2, body + flange[1]),
            _scaled((measures.led[0], measures.led[1] - flange[1])),
        ),
        line(Layer.WIRE, at(-0.6, body), at(-0.6, low - 3)),
        line(Layer.WIRE, at(0.6, body), at(0.6, low - 2)),
        line(Layer.MARK, at(-9, 0), at(9, 0)),
    ]
    words = (
        (1.4, "face down on a flat plate while the glue"),
        (0.5, "sets: the tip touches it, flush"),
        (-measures.top / 2, f"top sheet: hole {number(measures.light)} mm"),
        (low / 2 - 1.5, f"carrier: hole {number(measures.light_flange)} mm for the flange"),
        (low - 2.2, "long lead: through 330 Ω to the Pi"),
    )
    for y, said in words:
        shapes.append(Lettering(Layer.WORDS, (at(9.5, 0)[0], at(0, y)[1] - 1), said, 3.0))
    head = "A light, cut through (six times its size)"
    shapes.append(Lettering(Layer.WORDS, (8, LIGHT_SIZE[1] - 11), head, 5, bold=True))
    return Paper(head, LIGHT_SIZE, tuple(shapes))


def _scaled(size: PointMm) -> PointMm:
    return (LIGHT_SCALE * size[0], LIGHT_SCALE * size[1])


def touchscreen(measures: Measures) -> Paper:
    """The touchscreen from behind with the Pi on it: ribbon, power cable, clips."""
    wide, high = measures.touchscreen_glass
    corner = (12.0, 26.0)
    board = (corner[0] + 52, corner[1] + 28)
    shapes: list[DrawnShape] = [
        frame(Layer.GLASS, corner, (wide, high)),
        frame(Layer.WIRE, board, PI_MM),
        *_pi(board),
        *_ribbon(board, corner),
        *_power(board, corner),
        *_clips(corner, (wide, high)),
    ]
    head = "The touchscreen from behind, the Pi on its back"
    said = (
        "Places on the touchscreen are not to scale: go by the names. Pi and touchscreen off.",
        "Ribbon: contacts away from the touchscreen there, towards the USB sockets at the Pi.",
    )
    shapes.append(Lettering(Layer.WORDS, (8, SCREEN_SIZE[1] - 11), head, 5, bold=True))
    for place, words in enumerate(said):
        at = (8, SCREEN_SIZE[1] - 17 - 5 * place)
        shapes.append(Lettering(Layer.WORDS, at, words, 3.2))
    return Paper(head, SCREEN_SIZE, tuple(shapes))


def _pi(corner: PointMm) -> Iterator[DrawnShape]:
    for x, y in PI_HOLES:
        yield Circle(Layer.WIRE, (corner[0] + x, corner[1] + y), 1.4)
    for pin in PINS:
        column, row = divmod(pin - 1, 2)
        at = (
            corner[0] + HEADER_AT[0] + column * HEADER_PITCH,
            corner[1] + HEADER_AT[1] + row * HEADER_PITCH,
        )
        yield Circle(Layer.DANGER if pin in COVERED else Layer.FAINT, at, 0.8)
    for y in (10.0, 29.0, 47.0):
        yield box(Layer.WIRE, (corner[0] + PI_MM[0] - 7, corner[1] + y), (18, 13))
    words = (("USB", 78.0, 28.0), ("Raspberry Pi, on four M2.5 screws", 36.0, 20.0))
    for said, x, y in words:
        yield Lettering(Layer.WORDS, (corner[0] + x, corner[1] + y), said, 2.6, Anchor.MIDDLE)


def _ribbon(board: PointMm, corner: PointMm) -> Iterator[DrawnShape]:
    """From the Pi's display socket to the touchscreen's."""
    left, y = corner[0] + 16, board[1] + 22
    yield box(Layer.WIRE, (board[0] + 3, y + 6), (5, 20))
    yield box(Layer.WIRE, (left, y + 6), (5, 20))
    for high in range(-2, 15, 2):
        yield line(Layer.ROW, (left + 2.5, y + high), (board[0] + 0.5, y + high))
    yield Lettering(Layer.WORDS, (left + 18, y + 18), "ribbon", 3, Anchor.MIDDLE)
    yield Lettering(Layer.WORDS, (left + 18, y - 7), "to DISPLAY", 2.6, Anchor.MIDDLE)


def _power(board: PointMm, corner: PointMm) -> Iterator[DrawnShape]:
    """The power cable: red to pin 2, black to pin 6, the plug over 2, 4 and 6."""
    first = board[0] + HEADER_AT[0]
    y = board[1] + HEADER_AT[1] + HEADER_PITCH
    yield box(Layer.DANGER, (first + HEADER_PITCH, y), (3 * HEADER_PITCH, 2.2))
    socket = (corner[0] + 16, corner[1] + _high_of(board, corner) + 14)
    yield box(Layer.WIRE, socket, (8, 6))
    yield Lettering(Layer.WORDS, (socket[0], socket[1] + 5), "J1", 3, Anchor.MIDDLE)
    for pin, layer, shift in ((0, Layer.DANGER, 1.5), (2, Layer.GROUND, -1.5)):
        x = first + pin * HEADER_PITCH
        yield line(layer, (x, y), (x, socket[1] + shift), (socket[0] + 4, socket[1] + shift))
    words = ("red: 5 V, pin 2", "black: ground, pin 6", "the plug's end flush with the header's")
    for place, said in enumerate(words):
        at = (first + 14, socket[1] + 4 - place * 4.6)
        yield Lettering(Layer.DANGER, at, said, 3)


def _high_of(board: PointMm, corner: PointMm) -> float:
    """Return the height of the Pi's upper edge above the touchscreen's corner, in mm."""
    return board[1] - corner[1] + PI_MM[1]


def _clips(corner: PointMm, size: PointMm) -> Iterator[DrawnShape]:
    for x, way in ((corner[0], 1), (corner[0] + size[0], -1)):
        for share in (0.25, 0.75):
            at = (x - way * 2, corner[1] + size[1] * (1 - share))
            yield box(Layer.MARK, (at[0] + way * 4, at[1]), (24, 12))
            yield symbols.dot((x - way * 6.5, at[1]))
    yield Lettering(
        Layer.MARK,
        (corner[0] + size[0] / 2, 14),
        "four clips, their screws beside the glass through holder and panel; felt between",
        3,
        Anchor.MIDDLE,
    )
