"""The field as a picture: where a checker's magnet closes a reed and where it does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product

from hardware.make.contours import Knot, contours
from hardware.make.magnetics import BentReed, DiscMagnet, drive
from hardware.make.parts import Parts
from hardware.make.places import Lie, across, lies, step
from hardware.make.reach import DOUBT, Reached, heaps_of
from hardware.make.shapes import (
    Anchor,
    Circle,
    DrawnShape,
    Layer,
    Lettering,
    Paper,
    Path,
    PointMm,
    box,
    line,
)
from hardware.make.svg import number
from pi_app.sensing.description import Board

SCALE, HALF_MM = 1.28, 58
"""How large the picture is, and how far it reaches from the reed, in whole millimetres."""
SIZE, MIDDLE = (270.0, 178.0), (84.0, 84.0)


def field(board: Board, parts: Parts, found: Reached) -> Paper:
    """The reed that its neighbours drive most, seen from above, with everything around it."""
    lie = next(lie for lie in lies(board, parts.measures) if lie.reed.name == found.nearest[0])
    head = f"{board.name}: where a magnet closes the reed of {lie.reed.name}"
    shapes = (
        Lettering(Layer.WORDS, (10, SIZE[1] - 11), head, 5, bold=True),
        box(Layer.FAINT, MIDDLE, (2 * SCALE * HALF_MM, 2 * SCALE * HALF_MM)),
        *_reed(lie, parts, found),
        *_curves(lie, parts, found),
        *_places(lie, board, parts, found),
        *_legend(parts, found),
    )
    return Paper(head, SIZE, shapes)


def _reed(lie: Lie, parts: Parts, found: Reached) -> Iterator[DrawnShape]:
    """Draw a reed: its glass, and its leads from leg to leg."""
    length, wide = parts.measures.glass
    yield box(Layer.GLASS, MIDDLE, (SCALE * length, SCALE * wide), lie.along)
    half = SCALE * found.setup.reed.span / 2
    yield line(Layer.WIRE, step(MIDDLE, lie.along, -half), step(MIDDLE, lie.along, half))


def _curves(lie: Lie, parts: Parts, found: Reached) -> Iterator[DrawnShape]:
    """The curves of each limit, on both sides of the line on which a reed feels nothing. Closing is
    drawn for the weakest magnet, not closing for the strongest."""
    known, setup = parts.magnetics, found.setup
    weaker = setup.weak.remanence / setup.strong.remanence
    height = round(setup.height + setup.wood, 3)
    for layer, limit in (
        (Layer.COLUMN, known.drop_out / DOUBT),
        (Layer.MARK, known.pull_in / weaker),
        (Layer.ROW, DOUBT * known.pull_in / weaker),
    ):
        for curve in _curves_at(setup.strong, setup.reed, height, limit):
            yield Path(layer, tuple(_turned(lie, at) for at in curve))


@lru_cache(maxsize=64)
def _curves_at(
    magnet: DiscMagnet, reed: BentReed, height: float, limit: float
) -> tuple[tuple[PointMm, ...], ...]:
    drives = _drives(magnet, reed, height)
    return tuple(curve for way in (1, -1) for curve in contours(drives, way * limit))


def _turned(lie: Lie, at: PointMm) -> PointMm:
    """Convert a point along and across the reed to a point on the paper."""
    along, aside = SCALE * at[0], SCALE * at[1]
    return step(step(MIDDLE, lie.along, along), across(lie.along), aside)


@lru_cache(maxsize=8)
def _drives(magnet: DiscMagnet, reed: BentReed, height: float) -> Mapping[Knot, float]:
    """Return the drive of a magnet in AT for each place along the reed and across it."""
    quarter = range(HALF_MM + 1)
    values = {}
    for i, j in product(quarter, quarter):
        one = drive(magnet, reed, float(-i), float(j), height)
        for way, side in product((1, -1), (1, -1)):
            values[-way * i, side * j] = way * one if i else 0.0
    return values


def _places(lie: Lie, board: Board, parts: Parts, found: Reached) -> Iterator[DrawnShape]:
    """Where checkers lie, and how far off centre they may be."""
    sensed = {reed.at: reed.name for place in board.places for reed in place.reeds}
    for at in dict.fromkeys(at for heap in heaps_of(board, parts) for at, _ in heap.sites):
        away = (at[0] - lie.middle[0], at[1] - lie.middle[1])
        if max(map(abs, away)) + found.setup.diameter / 2 > HALF_MM:
            continue
        middle = (MIDDLE[0] + SCALE * away[0], MIDDLE[1] + SCALE * away[1])
        yield Circle(Layer.GROUND, middle, SCALE * found.setup.diameter / 2)
        yield Circle(Layer.WIRE, middle, SCALE * found.setup.shift)
        if at in sensed:
            beside = (middle[0] - 13, middle[1] + 15)
            yield Lettering(Layer.WORDS, beside, sensed[at], 3.2, Anchor.END)


def _legend(parts: Parts, found: Reached) -> Iterator[DrawnShape]:
    known = parts.magnetics
    insensitive, sensitive = DOUBT * known.pull_in, known.drop_out / DOUBT
    y = SIZE[1] - 26.0
    for layer, words in (
        (Layer.GROUND, ("a checker on its place",)),
        (Layer.WIRE, (f"its middle may be {number(found.setup.shift)} mm beside",)),
        (
            Layer.ROW,
            (
                f"a magnet within closes even a reed of {number(insensitive)} AT,",
                "twice as deaf as the deafest: the own one must",
            ),
        ),
        (Layer.MARK, (f"a magnet within closes a reed of {number(known.pull_in)} AT",)),
        (
            Layer.COLUMN,
            (
                f"a magnet outside leaves a reed of {number(sensitive)} AT open,",
                "twice as keen as the keenest: all others must",
            ),
        ),
    ):
        yield line(layer, (168, y + 1.2), (176, y + 1.2))
        for said in words:
            yield Lettering(Layer.WORDS, (179, y), said, 3.2)
            y -= 5
        y -= 3
    for said in (
        "Between its two halves a reed feels nothing:",
        "so it lies beside its checker's middle, not below it.",
        "Weakest magnet for what must close, strongest for what",
        "must not; the thickest wood.",
    ):
        yield Lettering(Layer.WORDS, (168, y), said, 3.2)
        y -= 5
