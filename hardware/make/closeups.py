"""Pictures of single steps: the Mega's sockets, one crossing from below, the test for ghosts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from hardware.make import symbols
from hardware.make.mega import Mega
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
from hardware.make.sockets import DOUBLE, LOWER, UPPER
from pi_app.sensing.description import Board, Cell, Matrix, Sensor

PITCH_MM, ALONG_MM = 8.0, 6.4
"""Between the lines of the socket of two, and along the sockets of one line."""
MEGA_SIZE = (272.0, 214.0)
CELL_SIZE, GHOST_SIZE, BUZZER_SIZE = (200.0, 110.0), (200.0, 110.0), (200.0, 120.0)
SUPPLIED = frozenset({"5V", "3V3", "GND", "VIN", "IOREF"})
"""What is printed at the holes that carry a voltage or are ground."""


def mega_sockets(board: Board, matrix: Matrix, mega: Mega) -> Paper:
    """The Mega from above, its USB socket on the left, with the line at every pin in use."""
    names = {mega.rows[row].printed: f"row {row}" for row in range(matrix.rows)}
    names |= {mega.columns[c].printed: f"col {c}" for c in range(matrix.columns)}
    return sockets(board.title, names, _supplies())


def sockets(title: str, names: Mapping[str, str], more: Iterable[DrawnShape] = ()) -> Paper:
    """Draw the Mega's sockets with these names at these pins."""
    head = f"{title}: the Arduino Mega's sockets"
    top = MEGA_SIZE[1]
    said = "USB socket on the left. Go by the names printed on the board; grey pins stay free."
    shapes = [
        Lettering(Layer.WORDS, (8, top - 11), head, 5, bold=True),
        Lettering(Layer.WORDS, (8, top - 17), said, 3.2),
        frame(Layer.GLASS, (14, 26), (204, 154)),
        frame(Layer.GLASS, (8, 120), (18, 22)),
        Lettering(Layer.WORDS, (17, 130), "USB", 3.2, Anchor.MIDDLE),
        *_double_socket(names),
        *_lower_socket(names),
        *_upper_socket(names),
        *more,
    ]
    return Paper(head, MEGA_SIZE, tuple(shapes))


def _pin(at: PointMm, printed: str, names: Mapping[str, str]) -> Iterator[DrawnShape]:
    used, supply = printed in names, printed in SUPPLIED
    yield box(Layer.DANGER if supply else Layer.WIRE if used else Layer.FAINT, at, (5.9, 5.6))
    layer = Layer.DANGER if supply else Layer.WORDS if used else Layer.FAINT
    size = 2.4 if len(printed) < 4 else 1.7
    bold = used or supply
    yield Lettering(layer, (at[0], at[1] - 0.9), printed, size, Anchor.MIDDLE, bold=bold)


def _layer(name: str) -> Layer:
    return Layer.ROW if name.startswith("row") else Layer.COLUMN


def _double_socket(names: Mapping[str, str]) -> Iterator[DrawnShape]:
    for place, pair in enumerate(DOUBLE):
        y = 174 - place * PITCH_MM
        for x, printed, anchor, away in (
            (202.0, pair[0], Anchor.END, -6.0),
            (209.5, pair[1], Anchor.START, 9.5),
        ):
            yield from _pin((x, y), printed, names)
            if name := names.get(printed):
                yield Lettering(_layer(name), (x + away, y - 1.1), name, 3, anchor)


def _lower_socket(names: Mapping[str, str]) -> Iterator[DrawnShape]:
    for place, printed in enumerate(LOWER):
        x = 22 + place * ALONG_MM + 4 * (place // 8)
        yield from _pin((x, 32), printed, names)
        if name := names.get(printed):
            yield Lettering(_layer(name), (x + 1, 25), name, 3, Anchor.END, upright=True)


def _upper_socket(names: Mapping[str, str]) -> Iterator[DrawnShape]:
    for place, printed in enumerate(UPPER[: max([10, *_used(names)])]):
        x = 50 + place * ALONG_MM
        yield from _pin((x, 174), printed, names)
        if name := names.get(printed):
            yield Lettering(_layer(name), (x + 1, 170), name, 3, Anchor.END, upright=True)


def _used(names: Mapping[str, str]) -> Iterator[int]:
    """Return how many pins of the upper edge must be drawn to show all that are used."""
    return (place for place, printed in enumerate(UPPER, start=1) if printed in names)


def _supplies() -> Iterator[DrawnShape]:
    """Draw in red what stands beside the supply pins of the double-row socket."""
    high, low = ", ".join(DOUBLE[1]), ", ".join(DOUBLE[-2])
    yield Lettering(
        Layer.DANGER, (218, 183), f"5 V: right above {high}", 3.2, Anchor.END, bold=True
    )
    lines = (
        "One hole too high puts a column on 5 V.",
        "With the 1 kΩ in its wire 5 mA flow, without it 170 mA:",
        "a pin bears 40 mA.",
    )
    for place, words in enumerate(lines):
        at = (180, 128 - place * 5)
        yield Lettering(Layer.DANGER, at, words, 2.8, Anchor.END)
    yield Lettering(Layer.DANGER, (190, 42), f"GND: right below {low}", 3.2, Anchor.END, bold=True)


def buzzer() -> Paper:
    """The buzzer's transistor and diode as they look, and their connections."""
    head = "The buzzer: a transistor, a diode and 1 kΩ"
    size = BUZZER_SIZE
    legs = {"E": 60.0, "B": 70.0, "C": 80.0}
    shapes: list[DrawnShape] = [
        Lettering(Layer.WORDS, (8, size[1] - 11), head, 5, bold=True),
        frame(Layer.GLASS, (55, 62), (30, 22)),
        Lettering(Layer.WORDS, (70, 74), "2N3904", 3.4, Anchor.MIDDLE, bold=True),
        Lettering(Layer.WORDS, (70, 68), "flat side", 3, Anchor.MIDDLE),
        Circle(Layer.GLASS, (140, 70), 12),
        Circle(Layer.WIRE, (140, 70), 1.2),
        Lettering(Layer.WORDS, (140, 75), "buzzer", 3, Anchor.MIDDLE),
        Lettering(Layer.WORDS, (131, 62), "−", 4, Anchor.MIDDLE, bold=True),
        Lettering(Layer.WORDS, (149, 62), "+", 4, Anchor.MIDDLE, bold=True),
    ]
    for name, x in legs.items():
        shapes.append(line(Layer.WIRE, (x, 62), (x, 48)))
        shapes.append(Lettering(Layer.WORDS, (x + 1.5, 56), name, 3.4, bold=True))
    shapes += [
        line(Layer.GROUND, (60, 48), (60, 20), (20, 20)),
        Lettering(Layer.GROUND, (20, 22), "ground", 3.2),
        line(Layer.WIRE, (70, 48), (70, 34), (20, 34)),
        *symbols.resistor((48, 34)),
        Lettering(Layer.WORDS, (48, 37), "1 kΩ", 3, Anchor.MIDDLE),
        Lettering(Layer.WORDS, (20, 36), "to the Pi", 3.2),
        line(Layer.WIRE, (80, 48), (80, 40), (133, 40), (133, 60)),
        line(Layer.DANGER, (147, 60), (147, 40), (180, 40)),
        Lettering(Layer.DANGER, (180, 42), "3.3 V", 3.4, Anchor.MIDDLE, bold=True),
        line(Layer.WIRE, (133, 40), (133, 28), (137, 28)),
        *symbols.diode((137, 28), (1.0, 0.0), 6.0),
        line(Layer.WIRE, (143, 28), (147, 28), (147, 40)),
        symbols.dot((133, 40)),
        symbols.dot((147, 40)),
        Lettering(Layer.WORDS, (140, 20), "1N4148, its band towards +", 3.2, Anchor.MIDDLE),
        Lettering(Layer.WORDS, (8, 8), "Other transistors have their legs in another order.", 3),
    ]
    return Paper(head, size, tuple(shapes))


def crossing(board: Board) -> Paper:
    """Draw one reed from below, enlarged: where its ends go, and the band of its diode."""
    sensor, cell = next(iter(board.cells.items()))
    head = f"One crossing from below: {sensor}"
    near, far, y = 46.0, 92.0, 62.0
    band = (128.0, y)
    shapes: list[DrawnShape] = [
        Lettering(Layer.WORDS, (8, CELL_SIZE[1] - 11), head, 5, bold=True),
        *symbols.reed(((near + far) / 2, y), (1, 0), far - near),
        line(Layer.COLUMN, (near, 20), (near, 88)),
        symbols.dot((near, y)),
        line(Layer.WIRE, (far, y), band),
        *symbols.diode((106, y), (1.0, 0.0), 9.0),
        line(Layer.ROW, (band[0], 20), (band[0], 88)),
        symbols.dot(band),
        Lettering(Layer.COLUMN, (near, 13), f"column {cell.column}: insulated", 3.6, Anchor.MIDDLE),
        Lettering(Layer.ROW, (band[0], 13), f"row {cell.row}: bare", 3.6, Anchor.MIDDLE),
        Lettering(Layer.WORDS, (near - 3, y + 6), "near end", 3.4, Anchor.END),
        Lettering(Layer.WORDS, (far - 2, y + 6), "far end", 3.4, Anchor.MIDDLE),
        Lettering(Layer.WORDS, (112, y + 9), "diode", 3.4, Anchor.MIDDLE),
        Lettering(Layer.WORDS, (136, y + 4), "the band, towards the row,", 3.4),
        Lettering(Layer.WORDS, (136, y - 1), "away from the reed", 3.4),
        Lettering(Layer.WORDS, (near + 3, y - 9), "reed, its spot on the left", 3.4),
    ]
    return Paper(head, CELL_SIZE, tuple(shapes))


def corners(board: Board) -> tuple[Sensor, Sensor, Sensor, Sensor] | None:
    """Return the sensors at the crossings of two rows and two columns; the last may be a ghost."""
    at = {cell: sensor for sensor, cell in board.cells.items()}
    for cell, first in at.items():
        right, below = Cell(cell.row, cell.column + 1), Cell(cell.row + 1, cell.column)
        across = Cell(cell.row + 1, cell.column + 1)
        if {right, below, across} <= at.keys():
            return first, at[right], at[below], at[across]
    return None


def ghost(board: Board) -> Paper:
    """Draw three checkers at the corners of a rectangle; the fourth corner must stay open."""
    head = "Ghosts: three checkers, and the fourth corner stays open"
    shapes: list[DrawnShape] = [Lettering(Layer.WORDS, (8, GHOST_SIZE[1] - 11), head, 5, bold=True)]
    found = corners(board)
    places = ((60.0, 70.0), (120.0, 70.0), (60.0, 30.0), (120.0, 30.0))
    for x in (60.0, 120.0):
        shapes.append(line(Layer.COLUMN, (x, 12), (x, 88)))
    for y in (70.0, 30.0):
        shapes.append(line(Layer.ROW, (30, y), (150, y)))
    for number, (at, sensor) in enumerate(zip(places, found or (), strict=bool(found))):
        layer = Layer.BODY if number < 3 else Layer.GLASS
        shapes.append(Circle(layer, at, 8))
        shapes.append(Lettering(Layer.WORDS, (at[0] + 10, at[1] + 5), sensor, 4))
        said = "checker" if number < 3 else "empty: must stay open"
        shapes.append(Lettering(Layer.WORDS, (at[0] + 10, at[1] - 7), said, 3.2))
    return Paper(head, GHOST_SIZE, tuple(shapes))
