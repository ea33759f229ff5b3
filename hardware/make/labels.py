"""Places names in a drawing clear of lines, holes and other names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from hardware.make.shapes import Anchor, Circle, DrawnShape, Lettering, Path, PointMm

Room: TypeAlias = tuple[float, float, float, float]
"""Left, lower, right and upper edge."""
LETTER_WIDE, LETTER_HIGH = 0.62, 0.75
"""A letter's width on the average and its height, as shares of its size."""
CLEAR_MM = 0.4
CELL_MM = 12.0


def room(text: Lettering) -> Room:
    """Return the area that a text covers."""
    wide, high = LETTER_WIDE * text.size * len(text.words), LETTER_HIGH * text.size
    start = {Anchor.START: 0.0, Anchor.MIDDLE: -wide / 2, Anchor.END: -wide}[text.anchor]
    x, y = text.at
    if text.upright:
        return x - high, y + start, x, y + start + wide
    return x + start, y, x + start + wide, y + high


class Taken:
    """The areas already drawn on."""

    def __init__(self, shapes: Iterable[DrawnShape] = ()) -> None:
        self._lines: dict[tuple[int, int], list[tuple[PointMm, PointMm]]] = defaultdict(list)
        self._rooms: dict[tuple[int, int], list[Room]] = defaultdict(list)
        for shape in shapes:
            self.add(shape)

    def add(self, shape: DrawnShape) -> None:
        """Mark a shape's area as used."""
        match shape:
            case Circle(centre=(x, y), radius=radius):
                self._take((x - radius, y - radius, x + radius, y + radius))
            case Lettering():
                self._take(room(shape))
            case Path(points=points, closed=closed):
                for start, end in pairwise((*points, points[0]) if closed else points):
                    for cell in _cells(_around(start, end)):
                        self._lines[cell].append((start, end))

    def _take(self, area: Room) -> None:
        for cell in _cells(area):
            self._rooms[cell].append(area)

    def free(self, area: Room) -> bool:
        """Whether nothing is drawn there."""
        wider = (area[0] - CLEAR_MM, area[1] - CLEAR_MM, area[2] + CLEAR_MM, area[3] + CLEAR_MM)
        return not any(
            any(_overlap(wider, other) for other in self._rooms[cell])
            or any(crosses(wider, *one) for one in self._lines[cell])
            for cell in _cells(wider)
        )

    def choose(self, areas: Sequence[Room]) -> int:
        """Return the index of the first free area and mark it as used; 0 if none is free."""
        chosen = next((number for number, area in enumerate(areas) if self.free(area)), 0)
        self._take(areas[chosen])
        return chosen

    def first_free(self, choices: Sequence[Lettering]) -> Lettering:
        """Return the first text that overlaps nothing and mark its area as used; the first of all
        if each overlaps."""
        return choices[self.choose([room(text) for text in choices])]


def crosses(area: Room, start: PointMm, end: PointMm) -> bool:
    """Whether a straight line touches an area (Liang and Barsky's clipping)."""
    low, high = 0.0, 1.0
    for axis in (0, 1):
        way = end[axis] - start[axis]
        least, most = area[axis] - start[axis], area[axis + 2] - start[axis]
        if not way:
            if least > 0 or most < 0:
                return False
            continue
        first, last = sorted((least / way, most / way))
        low, high = max(low, first), min(high, last)
    return low <= high


def _overlap(one: Room, other: Room) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _around(start: PointMm, end: PointMm) -> Room:
    xs, ys = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return xs[0], ys[0], xs[1], ys[1]


def _cells(area: Room) -> Iterator[tuple[int, int]]:
    for x in range(int(area[0] // CELL_MM), int(area[2] // CELL_MM) + 1):
        for y in range(int(area[1] // CELL_MM), int(area[3] // CELL_MM) + 1):
            yield x, y
