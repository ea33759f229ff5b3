"""The wiring diagram of the matrix: a reed and a diode at every crossing, and the Mega's pins."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make import symbols
from hardware.make.circuit import Circuit
from hardware.make.mega import Mega
from hardware.make.shapes import Anchor, DrawnShape, Layer, Lettering, Paper, PointMm, line
from hardware.make.tables import line_rows
from pi_app.sensing.description import Board, Cell, Reed

CELL = (34.0, 13.0)
LEFT, BELOW, ABOVE = 44.0, 10.0, 62.0
TITLE_MM = 215.0
REED_X, DIODE_X, ROW_X, REED_Y = 9.5, 18.0, 26.0, 6.0
"""Within a cell, from the crossing: the reed's middle, the diode, the row's joint; the height."""


def wiring_matrix(board: Board, mega: Mega, circuit: Circuit) -> Paper:
    """The diagram; row 0 is the uppermost, column 0 the leftmost."""
    matrix = board.scanner
    assert matrix is not None
    size = (
        max(LEFT + matrix.columns * CELL[0] + 10, TITLE_MM),
        BELOW + matrix.rows * CELL[1] + ABOVE,
    )
    reeds = [reed for place in board.places for reed in place.reeds]
    shapes = [*_lines(board, mega, circuit, size)]
    for reed in reeds:
        shapes += _cell(reed, size)
    head = f"{board.title}: the matrix and the Arduino Mega"
    shapes.append(Lettering(Layer.WORDS, (8, size[1] - 10), head, 5, bold=True))
    for place, said in enumerate(
        (
            "Only dots join. The band of every diode points to its row. P: the plug and its way.",
            "R: 1 kΩ in each column, between Mega and plug: so a wrong hole harms nothing.",
        )
    ):
        shapes.append(Lettering(Layer.WORDS, (8, size[1] - 16 - 5 * place), said, 3.2))
    return Paper(head, size, tuple(shapes))


def _crossing(row: int, column: int, size: PointMm) -> PointMm:
    return (LEFT + column * CELL[0], size[1] - ABOVE - (row + 1) * CELL[1] + 4)


def _lines(board: Board, mega: Mega, circuit: Circuit, size: PointMm) -> Iterator[DrawnShape]:
    matrix = board.scanner
    assert matrix is not None
    wired = {row[0]: row[4:] for row in line_rows(board, mega, circuit)}
    right = LEFT + (matrix.columns - 1) * CELL[0] + ROW_X
    for row in range(matrix.rows):
        y = _crossing(row, 0, size)[1]
        yield line(Layer.ROW, (LEFT - 18, y), (right, y))
        yield from symbols.plug((LEFT - 13, y), (1.0, 0.0))
        words = f"row {row} = {mega.rows[row].printed}"
        yield Lettering(Layer.ROW, (LEFT - 19, y - 1.2), words, 3.2, Anchor.END)
        plug = wired[f"row {row}"][1]
        yield Lettering(Layer.WORDS, (LEFT - 13, y + 2), plug, 2.4, Anchor.MIDDLE)
    low = _crossing(matrix.rows - 1, 0, size)[1] + REED_Y
    for column in range(matrix.columns):
        x = _crossing(0, column, size)[0]
        top = size[1] - ABOVE + 22
        resistor, plug = wired[f"column {column}"]
        yield line(Layer.COLUMN, (x, low), (x, top - 3 - symbols.RESISTOR_MM))
        yield line(Layer.COLUMN, (x, top - 3), (x, top))
        yield from symbols.resistor((x, top - 3 - symbols.RESISTOR_MM / 2), (0.0, 1.0))
        yield Lettering(Layer.WORDS, (x + 3, top - 8), resistor, 2.4)
        yield from symbols.plug((x, top - 16), (0.0, 1.0))
        yield Lettering(Layer.WORDS, (x + 3, top - 17), plug, 2.4)
        yield Lettering(Layer.COLUMN, (x, top + 6), f"column {column}", 3.2, Anchor.MIDDLE)
        yield Lettering(
            Layer.COLUMN, (x, top + 1.5), f"= {mega.columns[column].printed}", 3.2, Anchor.MIDDLE
        )


def _cell(reed: Reed, size: PointMm) -> Iterator[DrawnShape]:
    if not isinstance(reed.line, Cell):
        return
    x, y = _crossing(reed.line.row, reed.line.column, size)
    high = y + REED_Y
    half = symbols.REED_MM / 2
    yield symbols.dot((x, high))
    yield line(Layer.WIRE, (x, high), (x + REED_X - half, high))
    yield from symbols.reed((x + REED_X, high))
    yield line(Layer.WIRE, (x + REED_X + half, high), (x + ROW_X, high), (x + ROW_X, y))
    yield from symbols.diode((x + DIODE_X, high), (1.0, 0.0))
    yield symbols.dot((x + ROW_X, y))
    yield Lettering(Layer.WORDS, (x + REED_X, high + 2.1), reed.name, 2.6, Anchor.MIDDLE)
