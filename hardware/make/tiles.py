"""Splits a template that is larger than A3 into overlapping sheets with alignment crosses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, cos, pi, sin

from hardware.make.paper import MARGIN_MM, SIZES, STRIP_MM, framed, paper_for
from hardware.make.shapes import (
    Anchor,
    Circle,
    DrawnShape,
    Layer,
    Lettering,
    Paper,
    Path,
    PointMm,
    line,
    moved,
)

SHEET = next(paper for paper in SIZES if paper[0] == "A3")
OVERLAP_MM, CROSS_MM = 12.0, 5.0
CROSSES = 3
"""So many crosses on every seam between two corners."""
LETTER = 0.62
"""A letter is at most so wide for its height, on the average."""
SIDES = 72


@dataclass(frozen=True, slots=True)
class TileWindow:
    """What one tile shows of a template, and its name: a letter a row from below, a number."""

    name: str
    low: PointMm
    high: PointMm


def tiles(title: str, size: PointMm, shapes: Sequence[DrawnShape]) -> Iterator[tuple[str, Paper]]:
    """The tiles of a template by their names; none for what fits on A3 as it is."""
    windows, marks = windows_of(size), tuple(_seams(size))
    for window in windows:
        shown = tuple(clipped((*shapes, *marks), window))
        middle = (SHEET[1][0] / 2, (SHEET[1][1] + STRIP_MM) / 2)
        by = tuple(
            centre - (low + high) / 2
            for centre, low, high in zip(middle, window.low, window.high, strict=True)
        )
        said = f"{title}, {window.name} of {windows[0].name} to {windows[-1].name}"
        yield window.name, framed(said, *SHEET, moved(shown, (by[0], by[1])))


def _room() -> PointMm:
    wide, high = SHEET[1]
    return (wide - 2 * MARGIN_MM, high - 2 * MARGIN_MM - STRIP_MM)


def _cuts(length: float, room: float) -> list[tuple[float, float]]:
    """The equal, overlapping parts of a length."""
    count = ceil((length - OVERLAP_MM) / (room - OVERLAP_MM))
    part = (length + (count - 1) * OVERLAP_MM) / count
    starts = [number * (part - OVERLAP_MM) for number in range(count)]
    return [(start, start + part) for start in starts]


def windows_of(size: PointMm) -> tuple[TileWindow, ...]:
    """What each tile of a template shows; none for what fits on A3 as it is."""
    if paper_for(size)[0] in ("A4", "A3"):
        return ()
    room = _room()
    return tuple(
        TileWindow(f"{'abcdefgh'[row]}{column + 1}", (left, low), (right, high))
        for row, (low, high) in enumerate(_cuts(size[1], room[1]))
        for column, (left, right) in enumerate(_cuts(size[0], room[0]))
    )


def _seams(size: PointMm) -> Iterator[DrawnShape]:
    """Draw a line in the middle of every overlap, with crosses that both tiles show."""
    room = _room()
    parted = [[(a[1] + b[0]) / 2 for a, b in pairwise(_cuts(size[i], room[i]))] for i in (0, 1)]
    for x in parted[0]:
        yield line(Layer.MARK, (x, 0.0), (x, size[1]))
        yield from _crosses([(x, y) for y in _between(parted[1], size[1])], (1.0, 0.0))
    for y in parted[1]:
        yield line(Layer.MARK, (0.0, y), (size[0], y))
        yield from _crosses([(x, y) for x in _between(parted[0], size[0])], (0.0, 1.0))


def _between(parted: Sequence[float], length: float) -> Iterator[float]:
    for start, end in pairwise((0.0, *parted, length)):
        yield from (
            start + (end - start) * number / (CROSSES + 1) for number in range(1, CROSSES + 1)
        )


def _crosses(places: Iterable[PointMm], along: PointMm) -> Iterator[DrawnShape]:
    for x, y in places:
        reach = (along[0] * CROSS_MM, along[1] * CROSS_MM)
        yield line(Layer.MARK, (x - reach[0], y - reach[1]), (x + reach[0], y + reach[1]))
        yield Circle(Layer.MARK, (x, y), CROSS_MM / 4)


def clipped(shapes: Iterable[DrawnShape], window: TileWindow) -> Iterator[DrawnShape]:
    """The parts of shapes inside a window; words are kept whole or dropped."""
    for shape in shapes:
        match shape:
            case Circle(centre=(x, y), radius=radius):
                around = ((x - radius, y - radius), (x + radius, y + radius))
                if all(_inside(corner, window) for corner in around):
                    yield shape
                elif not _beyond(around, window):
                    yield from _of_path(_polygon(shape), window)
            case Path():
                yield from _of_path(shape, window)
            case Lettering():
                if all(_inside(corner, window) for corner in _room_of(shape)):
                    yield shape


def _polygon(circle: Circle) -> Path:
    (x, y), radius = circle.centre, circle.radius
    turns = [2 * pi * side / SIDES for side in range(SIDES)]
    rim = tuple((x + radius * cos(turn), y + radius * sin(turn)) for turn in turns)
    return Path(circle.layer, rim, closed=True)


def _inside(at: PointMm, window: TileWindow) -> bool:
    return all(
        low <= value <= high for low, value, high in zip(window.low, at, window.high, strict=True)
    )


def _room_of(word: Lettering) -> tuple[PointMm, PointMm]:
    wide = LETTER * word.size * len(word.words)
    start = {Anchor.START: 0.0, Anchor.MIDDLE: -wide / 2, Anchor.END: -wide}[word.anchor]
    x, y = word.at
    if word.upright:
        return (x - word.size, y + start), (x, y + start + wide)
    return (x + start, y), (x + start + wide, y + word.size)


def _of_path(path: Path, window: TileWindow) -> Iterator[Path]:
    if _beyond(path.points, window):
        return
    if all(_inside(at, window) for at in path.points):
        yield path
    elif path.closed and path.layer is Layer.FILL:
        points = _area_within(path.points, window)
        if len(points) > 2:
            yield replace(path, points=tuple(points))
    else:
        yield from _lines_within(path, window)


def _beyond(points: Sequence[PointMm], window: TileWindow) -> bool:
    """Whether all points lie on the far side of one of the window's edges."""
    return any(
        max(at[axis] for at in points) < window.low[axis]
        or min(at[axis] for at in points) > window.high[axis]
        for axis in (0, 1)
    )


def _lines_within(path: Path, window: TileWindow) -> Iterator[Path]:
    """The pieces of a line, or of an outline, that lie within."""
    points = list(path.points)
    if path.closed:  # begin outside, so that no piece is broken where the outline begins
        begin = next(i for i, at in enumerate(path.points) if not _inside(at, window))
        points = [*path.points[begin:], *path.points[: begin + 1]]
    run: list[PointMm] = []
    for start, end in pairwise(points):
        piece = _piece_within(start, end, window)
        if piece is None or (run and piece[0] != run[-1]):
            if len(run) > 1:
                yield Path(path.layer, tuple(run))
            run = []
        if piece is not None:
            run = [*(run or piece[:1]), piece[1]]
    if len(run) > 1:
        yield Path(path.layer, tuple(run))


def _piece_within(
    start: PointMm, end: PointMm, window: TileWindow
) -> tuple[PointMm, PointMm] | None:
    """What of a straight line lies within (Liang and Barsky's way)."""
    first, last = 0.0, 1.0
    for axis in (0, 1):
        way = end[axis] - start[axis]
        room = (window.low[axis] - start[axis], window.high[axis] - start[axis])
        if not way:
            if room[0] > 0 or room[1] < 0:
                return None
            continue
        enter, leave = sorted((room[0] / way, room[1] / way))
        first, last = max(first, enter), min(last, leave)
    if first >= last:
        return None
    return _part(start, end, first), _part(start, end, last)


def _part(start: PointMm, end: PointMm, share: float) -> PointMm:
    if share in (0.0, 1.0):
        return end if share else start
    return (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


def _area_within(points: Sequence[PointMm], window: TileWindow) -> list[PointMm]:
    """An area cut at the window's four edges (Sutherland and Hodgman's way)."""
    kept = list(points)
    for axis in (0, 1):
        for edge, way in ((window.low[axis], 1), (window.high[axis], -1)):
            before, kept = kept, []
            for start, end in pairwise([*before[-1:], *before]):
                here, there = (way * (at[axis] - edge) for at in (start, end))
                if (here < 0) != (there < 0):
                    kept.append(_part(start, end, here / (here - there)))
                if there >= 0:
                    kept.append(end)
    return kept
