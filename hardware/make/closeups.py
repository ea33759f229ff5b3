"""Pictures of single steps: the Mega's sockets, one crossing from below, the test for ghosts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
from pi_app.sensing.description import Board, Cell, Matrix, Sensor

PITCH_MM = 8.0
MEGA_SIZE = (250.0, 196.0)
CELL_SIZE, GHOST_SIZE = (200.0, 110.0), (200.0, 110.0)
_RIGHT = tuple((f"D{even}", f"D{even + 1}") for even in range(22, 54, 2))
_LOWER = tuple(f"A{number}" for number in range(16))
_UPPER = ("D13", "D12", "D11", "D10")


def mega_sockets(board: Board, matrix: Matrix, mega: Mega) -> Paper:
    """The Mega from above, its USB socket on the left, with the line at every pin in use."""
    names = {mega.rows[row].printed: f"row {row}" for row in range(matrix.rows)}
    names |= {mega.columns[c].printed: f"col {c}" for c in range(matrix.columns)}
    head = f"{board.title}: the Arduino Mega's sockets"
    shapes = [
        Lettering(Layer.WORDS, (8, MEGA_SIZE[1] - 11), head, 5, bold=True),
        Lettering(
            Layer.WORDS,
            (8, MEGA_SIZE[1] - 17),
            "USB socket on the left. Go by the names printed on the board; grey pins stay free.",
            3.2,
        ),
        frame(Layer.GLASS, (14, 26), (182, 142)),
        frame(Layer.GLASS, (8, 120), (18, 22)),
        Lettering(Layer.WORDS, (17, 130), "USB", 3.2, Anchor.MIDDLE),
        *_double_socket(names),
        *_lower_socket(names),
        *_upper_socket(names),
    ]
    return Paper(head, MEGA_SIZE, tuple(shapes))


def _pin(at: PointMm, printed: str, names: Mapping[str, str]) -> Iterator[DrawnShape]:
    used = printed in names
    yield box(Layer.WIRE if used else Layer.FAINT, at, (7.2, 5.6))
    layer = Layer.WORDS if used else Layer.FAINT
    yield Lettering(layer, (at[0], at[1] - 0.9), printed, 2.5, Anchor.MIDDLE, bold=used)


def _layer(name: str) -> Layer:
    return Layer.ROW if name.startswith("row") else Layer.COLUMN


def _double_socket(names: Mapping[str, str]) -> Iterator[DrawnShape]:
    for place, pair in enumerate(_RIGHT):
        y = 158 - place * PITCH_MM
        for x, printed, anchor, away in (
            (180.0, pair[0], Anchor.END, -6.0),
            (188.5, pair[1], Anchor.START, 9.5),
        ):
            yield from _pin((x, y), printed, names)
            if name := names.get(printed):
                yield Lettering(_layer(name), (x + away, y - 1.1), name, 3, anchor)


def _lower_socket(names: Mapping[str, str]) -> Iterator[DrawnShape]:
    for place, printed in enumerate(_LOWER):
        x = 30 + place * PITCH_MM + (4 if place > 7 else 0)
        yield from _pin((x, 32), printed, names)
        if name := names.get(printed):
            yield Lettering(_layer(name), (x + 1, 10), name, 3, upright=True)


def _upper_socket(names: Mapping[str, str]) -> Iterator[DrawnShape]:
    for place, printed in enumerate(_UPPER):
        x = 50 + place * PITCH_MM
        yield from _pin((x, 162), printed, names)
        if name := names.get(printed):
            yield Lettering(_layer(name), (x + 1, 146), name, 3, upright=True)


def crossing(board: Board) -> Paper:
    """One reed from below, large: which end goes where, and the diode's band."""
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
        Lettering(
            Layer.WORDS, (near + 23, y - 9), "reed, its spot on the left", 3.4, Anchor.MIDDLE
        ),
    ]
    return Paper(head, CELL_SIZE, tuple(shapes))


def corners(board: Board) -> tuple[Sensor, Sensor, Sensor, Sensor] | None:
    """Four sensors on two rows and two columns; the last is the one that could be a ghost."""
    at = {cell: sensor for sensor, cell in board.cells.items()}
    for cell, first in at.items():
        right, below = Cell(cell.row, cell.column + 1), Cell(cell.row + 1, cell.column)
        across = Cell(cell.row + 1, cell.column + 1)
        if {right, below, across} <= at.keys():
            return first, at[right], at[below], at[across]
    return None


def ghost(board: Board) -> Paper:
    """Three checkers on the corners of a rectangle, and the fourth corner that must stay open."""
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
