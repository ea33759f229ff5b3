"""The underside of a board, seen after turning it over from left to right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hardware.make import symbols
from hardware.make.header import GROUND_PIN, PIN_OF
from hardware.make.labels import Taken
from hardware.make.mega import Mega
from hardware.make.parts import Measures
from hardware.make.places import Lie, across, lies, lights, screws, step
from hardware.make.routes import Routes, column_tap, routes, row_tap
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
    mirrored,
    moved,
)
from pi_app.sensing.description import Board, Cell

MARGIN = (34.0, 30.0)
"""Paper left free beside and below the board, for the names of the wires."""
HEAD_MM = 20.0
NAME_MM = 3.0


def underside(board: Board, measures: Measures, mega: Mega) -> Paper:
    """The underside at true scale: reeds, diodes and the runs of all wires."""
    runs = routes(board, measures)
    all_lies = lies(board, measures)
    shapes = [
        frame(Layer.FAINT, (0.0, 0.0), board.size),
        *(Circle(Layer.FAINT, at, measures.screw / 2) for at in screws(board, measures)),
        *(Circle(Layer.FAINT, at, measures.light / 2) for _, at in lights(board, measures)),
        *(shape for lie in all_lies for shape in _reed(lie, measures)),
        *_wires(runs),
    ]
    size = (board.size[0] + 2 * MARGIN[0], board.size[1] + 2 * MARGIN[1] + HEAD_MM)
    drawn = tuple(mirrored(shapes, board.size[0]))
    taken = Taken(drawn)
    names = [
        *_line_names(board, mega, runs, taken),
        *(_reed_name(lie, board.size[0], measures, taken) for lie in all_lies),
    ]
    all_shapes = (*moved((*drawn, *names), MARGIN), *_head(board, size))
    return Paper(f"{board.name} from below", size, all_shapes)


def _reed(lie: Lie, measures: Measures) -> Iterator[DrawnShape]:
    yield Circle(Layer.FAINT, lie.reed.at, 1.0)
    yield from symbols.reed(lie.middle, lie.along, measures.slot[0])
    if not isinstance(lie.reed.line, Cell):
        return
    band, tap = row_tap(lie), column_tap(lie)
    way = (band[0] - lie.far[0], band[1] - lie.far[1])
    length = (way[0] ** 2 + way[1] ** 2) ** 0.5
    along = (way[0] / length, way[1] / length)
    yield line(Layer.WIRE, lie.far, band)
    yield from symbols.diode(step(lie.far, along, 2.5), along, 3.5)
    yield symbols.dot(band)
    yield line(Layer.COLUMN, lie.near, tap)
    yield Circle(Layer.BODY, tap, 0.6)


def _reed_name(lie: Lie, width: float, measures: Measures, taken: Taken) -> Lettering:
    """A reed's name beside it, on no wire; here already seen from below."""
    middle = (width - lie.middle[0], lie.middle[1])
    along = (-lie.along[0], lie.along[1])
    side = across(along)
    beyond = measures.slot[0] / 2 + 3
    choices = [
        *((step(middle, along, way * beyond), Anchor.MIDDLE) for way in (-1, 1)),
        *(
            (step(step(middle, side, way * 3), along, shift), anchor)
            for shift in (0, -5, 5, -8, 8)
            for way, anchor in ((1, Anchor.MIDDLE), (-1, Anchor.MIDDLE))
        ),
    ]
    return taken.first_free(list(_worded(lie.reed.name, choices)))


def _worded(words: str, places: Sequence[tuple[PointMm, Anchor]]) -> Iterator[Lettering]:
    """Yield the same text at each place: around it, to its left, to its right and upright."""
    for (x, y), anchor in places:
        low = y - NAME_MM / 3
        for one in (anchor, Anchor.START, Anchor.END):
            yield Lettering(Layer.WORDS, (x, low), words, NAME_MM, one)
    for (x, y), anchor in places:
        yield Lettering(Layer.WORDS, (x + 1, y), words, NAME_MM, anchor, upright=True)


def _wires(runs: Routes) -> Iterator[DrawnShape]:
    for row in runs.rows.values():
        yield from (line(Layer.ROW, *run) for run in row)
    for column in runs.columns.values():
        yield from (line(Layer.COLUMN, *run) for run in column)
        yield from (symbols.dot(run[-1]) for run in column if len(run) > 2)
    yield from (line(Layer.GROUND, *run) for run in runs.ground)
    for run in (*runs.singles, *runs.lights):
        yield line(Layer.COLUMN, *run)
        yield Circle(Layer.COLUMN, run[-1], 1.2)
    for layer, exits in ((Layer.ROW, runs.row_exits), (Layer.COLUMN, runs.column_exits)):
        for run in exits.values():
            if run:
                yield line(layer, *run)
                yield Circle(layer, run[-1], 1.2)


def _line_names(board: Board, mega: Mega, runs: Routes, taken: Taken) -> Iterator[DrawnShape]:
    """The name and pin of each wire, where it leaves; here already seen from below."""
    for layer, exits, all_runs, said, lines in (
        (Layer.ROW, runs.row_exits, runs.rows, "row", mega.rows),
        (Layer.COLUMN, runs.column_exits, runs.columns, "col", mega.columns),
    ):
        for number, way in exits.items():
            words = f"{said} {number} {lines[number].printed}"
            if way:
                yield from _outside(layer, words, way[-1], board.size)
            else:
                ends = [point for run in all_runs[number] for point in run]
                yield taken.first_free(list(_at_an_end(layer, words, ends, board.size[0])))
    pins = list(board.pins.values())
    pins += [place.light for place in board.places if place.light is not None and place.reeds]
    for pin, run in zip(pins, (*runs.singles, *runs.lights), strict=True):
        yield from _outside(Layer.COLUMN, f"pin {PIN_OF[pin]}", run[-1], board.size)
    if runs.ground:
        right = max(board.size[0] - x for run in runs.ground for x, _ in run)
        y = runs.ground[0][0][1]
        choices = [
            Lettering(Layer.GROUND, (right + 3, y + shift), f"ground, pin {GROUND_PIN}", NAME_MM)
            for shift in (-1.0, 1.5, -4.0, 4.0)
        ]
        yield taken.first_free(choices)


def _outside(layer: Layer, words: str, end: PointMm, size: PointMm) -> Iterator[DrawnShape]:
    """Draw a wire's name beyond the edge nearest to its end, with a thin line to it."""
    x, y = size[0] - end[0], end[1]
    if x < min(y, size[1] - y):
        yield line(Layer.FAINT, (x - 2, y), (-4, y))
        yield Lettering(layer, (-5, y - 1), words, NAME_MM, Anchor.END)
        return
    low = y < size[1] / 2
    edge = -4.0 if low else size[1] + 4.0
    yield line(Layer.FAINT, (x, y - 2 if low else y + 2), (x, edge))
    anchor = Anchor.END if low else Anchor.START
    at = (x + 1, edge - 1 if low else edge + 1)
    yield Lettering(layer, at, words, NAME_MM, anchor, upright=True)


def _at_an_end(
    layer: Layer, words: str, ends: Sequence[PointMm], width: float
) -> Iterator[Lettering]:
    """Places for a name beside each end of a wire."""
    for x, y in ends:
        for right, anchor in ((2.0, Anchor.START), (-2.0, Anchor.END)):
            for up in (-1.0, 3.0, -5.0, 7.0, -9.0):
                yield Lettering(layer, (width - x + right, y + up), words, NAME_MM, anchor)


def _head(board: Board, size: PointMm) -> Iterator[DrawnShape]:
    top = size[1] - 10
    words = f"{board.title}: from below, turned over from left to right"
    yield Lettering(Layer.WORDS, (MARGIN[0], top), words, 5, bold=True)
    said = (
        "Bare rows (blue) join the bands of the diodes; insulated columns (orange) join the reeds. "
        "Where wires only cross they do not touch."
        if board.scanner
        else "Orange: each reed, and each light's long lead, to its own pin of the header. "
        "Grey: the common wire to ground."
    )
    yield Lettering(Layer.WORDS, (MARGIN[0], top - 6), said, 3)
