"""What lies below the board, as the maker sees it who has turned it over from left to right."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make import symbols
from hardware.make.header import PIN_OF
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
    """The board from below at true scale: reeds, diodes and the runs of all wires."""
    runs = routes(board, measures)
    shapes = [
        frame(Layer.FAINT, (0.0, 0.0), board.size),
        *(Circle(Layer.FAINT, at, measures.screw / 2) for at in screws(board, measures)),
        *(Circle(Layer.FAINT, at, measures.light / 2) for _, at in lights(board, measures)),
        *(shape for lie in lies(board, measures) for shape in _reed(lie, measures)),
        *_wires(runs),
    ]
    size = (board.size[0] + 2 * MARGIN[0], board.size[1] + 2 * MARGIN[1] + HEAD_MM)
    drawn = moved(mirrored(shapes, board.size[0]), MARGIN)
    names = moved(_names(board, measures, mega, runs), MARGIN)
    return Paper(f"{board.name} from below", size, (*drawn, *names, *_head(board, size)))


def _reed(lie: Lie, measures: Measures) -> Iterator[DrawnShape]:
    yield Circle(Layer.FAINT, lie.reed.at, 1.0)
    yield from symbols.reed(lie.middle, lie.along, measures.slot[0])
    if not isinstance(lie.reed.line, Cell):
        beside = step(lie.middle, across(lie.along), 5)
        yield Lettering(
            Layer.WORDS, (beside[0], beside[1] - 1), lie.reed.name, NAME_MM, Anchor.MIDDLE
        )
        return
    anchor = step(lie.near, lie.along, -4.5 if lie.along[1] > 0 else -2.0)
    yield Lettering(Layer.WORDS, anchor, lie.reed.name, NAME_MM, Anchor.MIDDLE)
    band, tap = row_tap(lie), column_tap(lie)
    way = (band[0] - lie.far[0], band[1] - lie.far[1])
    length = (way[0] ** 2 + way[1] ** 2) ** 0.5
    along = (way[0] / length, way[1] / length)
    yield line(Layer.WIRE, lie.far, band)
    yield from symbols.diode(step(lie.far, along, 2.5), along, 3.5)
    yield symbols.dot(band)
    yield line(Layer.COLUMN, lie.near, tap)
    yield Circle(Layer.BODY, tap, 0.6)


def _wires(runs: Routes) -> Iterator[DrawnShape]:
    for row in runs.rows.values():
        yield from (line(Layer.ROW, *run) for run in row)
    for column in runs.columns.values():
        yield from (line(Layer.COLUMN, *run) for run in column)
        yield from (symbols.dot(run[-1]) for run in column if len(run) > 2)
    yield from (line(Layer.GROUND, *run) for run in runs.ground)
    yield from (line(Layer.COLUMN, *run) for run in runs.singles)


def _names(board: Board, measures: Measures, mega: Mega, runs: Routes) -> Iterator[DrawnShape]:
    """The name and pin of each wire, at an end of it; here already seen from below."""
    width = board.size[0]
    for row, wires in runs.rows.items():
        ends = [point for wire in wires for point in wire]
        words = f"row {row} {mega.rows[row].printed}"
        yield from _row_name(words, [(width - x, y) for x, y in ends], board.size)
    for column, wires in runs.columns.items():
        ends = [(width - x, y) for wire in wires for x, y in wire]
        yield from _column_name(f"col {column} {mega.columns[column].printed}", ends)
    for lie in lies(board, measures):
        if not isinstance(lie.reed.line, Cell):
            at = (width - column_tap(lie)[0], -6.0)
            words = f"pin {PIN_OF[lie.reed.line]}"
            yield Lettering(Layer.COLUMN, at, words, NAME_MM, Anchor.MIDDLE)
    if runs.ground:
        right = max(width - x for run in runs.ground for x, _ in run)
        y = runs.ground[0][0][1]
        yield Lettering(Layer.GROUND, (right + 3, y + 1.5), "all to a ground pin", NAME_MM)


def _row_name(words: str, ends: list[PointMm], size: PointMm) -> Iterator[DrawnShape]:
    """Upright rows are named at the board's edge nearest to them, level ones at its left."""
    xs, ys = [x for x, _ in ends], [y for _, y in ends]
    if max(xs) - min(xs) > max(ys) - min(ys):
        if max(ys) - min(ys) > 1:  # the bars' row bends: named at its left end
            yield Lettering(Layer.ROW, (min(xs) - 1, min(ys) + 1.5), words, NAME_MM, Anchor.END)
            return
        yield line(Layer.ROW, (min(xs), ys[0]), (-4, ys[0]))
        yield Lettering(Layer.ROW, (-5, ys[0] - 1), words, NAME_MM, Anchor.END)
        return
    low = min(ys) < size[1] - max(ys)
    if size[1] / 2 - 20 < (min(ys) + max(ys)) / 2 < size[1] / 2 + 20:
        yield Lettering(Layer.ROW, (min(xs) - 1.5, min(ys) - 4), words, NAME_MM, Anchor.END)
        return
    tip, edge = (min(ys), -4.0) if low else (max(ys), size[1] + 4.0)
    yield line(Layer.ROW, (xs[0], tip), (xs[0], edge))
    shift = -18.0 if low else 1.0
    yield Lettering(Layer.ROW, (xs[0] + 1, edge + shift), words, NAME_MM, upright=True)


def _column_name(words: str, ends: list[PointMm]) -> Iterator[DrawnShape]:
    """Level columns are named at the left end of their lowest long run, upright ones below it."""
    levels = {y: [x for x, other in ends if abs(other - y) < 0.1] for _, y in ends}
    low = min(levels, key=lambda y: (min(levels[y]) - max(levels[y]), y))
    level = levels[low]
    if len(set(level)) > 1:
        yield line(Layer.COLUMN, (min(level), low), (-4, low))
        yield Lettering(Layer.COLUMN, (-5, low - 1), words, NAME_MM, Anchor.END)
        return
    yield line(Layer.COLUMN, (level[0], low), (level[0], -4.0))
    yield Lettering(Layer.COLUMN, (level[0] + 1, -22.0), words, NAME_MM, upright=True)


def _head(board: Board, size: PointMm) -> Iterator[DrawnShape]:
    top = size[1] - 10
    words = f"{board.title}: from below, turned over from left to right"
    yield Lettering(Layer.WORDS, (MARGIN[0], top), words, 5, bold=True)
    said = (
        "Bare rows (blue) join the bands of the diodes; insulated columns (orange) join the reeds. "
        "Where wires only cross they do not touch."
        if board.scanner
        else "Orange: each reed to its own pin of the header. Grey: the common wire to ground."
    )
    yield Lettering(Layer.WORDS, (MARGIN[0], top - 6), said, 3)
