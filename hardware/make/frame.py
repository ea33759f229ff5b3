"""The frame that a board or a panel lies in: sides with fingers, rails, a shelf, feet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hardware.make.nest import CutPart, CutSheet, on_sheet
from hardware.make.parts import Measures
from hardware.make.places import screws_of
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
    frame,
    line,
)
from hardware.make.svg import number

CABLE_MM = (30.0, 14.0)
"""An opening in each short side, for plugs and cables."""
CABLE_LOW_MM = 12.0
BACK_MM = (120.0, 24.0)
"""The opening in the back of the stand."""
SLOTS, SLOT_MM, TIE_MM = 6, (4.0, 24.0), 4.0
"""For warm air, in the stand's short sides; and what the holes for a tie are beside a cable."""
POST_MM = 16.0
"""The post is a cross so wide."""
FOOT_MM = 20.0
"""A square in each corner, flush with the lower edge, for a stick-on foot."""
SHELF_MM = 62.0
MEGA_HOLES = ((13.97, 2.54), (15.24, 50.8), (90.17, 50.8), (96.52, 2.54))
"""The Mega's, in mm from its corner; its board is 101.6 × 53.3 mm."""
SCALE = 2.0


def board_frame(size: PointMm, measures: Measures, shelf: bool, post: bool = False) -> CutSheet:
    """The frame's pieces for a board of this size, with a shelf for the Mega and a post."""
    high = measures.rim + measures.top + measures.carrier + measures.below
    pieces = [*_pieces(size, high, measures)]
    if shelf:
        pieces += _shelf(size, measures)
    if post:
        pieces += _post(measures.below, measures)
    return on_sheet(pieces, measures.bed)


def stand(size: PointMm, measures: Measures) -> CutSheet:
    """Return the pieces of the stand: front panel, the holder below it, and openings for air and
    cables."""
    high = 2 * measures.panel + measures.stand
    return on_sheet([*_pieces(size, high, measures, open_=True)], measures.bed)


def inner(size: PointMm, measures: Measures) -> PointMm:
    """The room between the sides."""
    return (size[0] + 2 * measures.frame_play, size[1] + 2 * measures.frame_play)


def _pieces(
    size: PointMm, high: float, measures: Measures, open_: bool = False
) -> Iterator[CutPart]:
    thick = measures.frame
    wide, deep = inner(size, measures)
    for name in ("front", "back"):
        back = _window(wide / 2 + thick, BACK_MM) if open_ and name == "back" else ()
        yield _side(name, wide + 2 * thick, high, thick, back, tongue=False)
    for name in ("left", "right"):
        holes_ = [*_window((deep + 2 * thick) / 4, CABLE_MM, measures.screw)]
        if open_:
            holes_ += _slots((deep + 2 * thick) * 0.65)
        yield _side(name, deep + 2 * thick, high, thick, holes_, tongue=True)
    holes = [
        (x + measures.frame_play, y + measures.frame_play)
        for x, y in screws_of(size, measures)
        if y < size[1] / 2
    ]
    for name in ("rail, front", "rail, back"):
        yield _strip(name, (wide, measures.rail), holes, measures.screw / 2)
    for name in ("rail, left", "rail, right"):
        yield _strip(name, (deep - 2 * measures.rail - 1, measures.rail))
    for corner in range(4):
        yield _strip(f"foot {corner + 1}", (FOOT_MM, FOOT_MM))


def _window(x: float, size: PointMm, tie: float = 0.0) -> Iterator[DrawnShape]:
    """Draw an opening for cables in a side, with two holes beside it for a cable tie."""
    y = CABLE_LOW_MM + size[1] / 2
    yield box(Layer.HOLE, (x, y), size)
    for away in (-TIE_MM, TIE_MM) if tie else ():
        yield Circle(Layer.HOLE, (x + size[0] / 2 + 2 * TIE_MM, y + away), tie / 2)


def _slots(middle: float) -> Iterator[DrawnShape]:
    """Yield the slots that let warm air out."""
    for place in range(SLOTS):
        x = middle + (place - (SLOTS - 1) / 2) * 2 * SLOT_MM[0]
        yield box(Layer.HOLE, (x, CABLE_LOW_MM + SLOT_MM[1] / 2), SLOT_MM)


def _side(
    name: str,
    length: float,
    high: float,
    thick: float,
    holes: Iterable[DrawnShape],
    tongue: bool,
) -> CutPart:
    """A side: tongues in the middle third of its ends, or in the outer two."""
    steps = [0.0, high / 3, 2 * high / 3, high]
    left: list[PointMm] = []
    for third in range(3):
        back = 0.0 if (third == 1) == tongue else thick
        left += [(back, steps[third]), (back, steps[third + 1])]
    right = [(length - x, y) for x, y in reversed(left)]
    outline = Path(Layer.CUT, (*reversed(left), *reversed(right)), closed=True)
    return CutPart(name, (length, high), (outline, *holes))


def _strip(
    name: str, size: PointMm, holes: list[PointMm] | None = None, radius: float = 0.0
) -> CutPart:
    shapes: list[DrawnShape] = [frame(Layer.CUT, (0.0, 0.0), size)]
    shapes += [Circle(Layer.HOLE, at, radius) for at in holes or ()]
    return CutPart(name, size, tuple(shapes))


def _shelf(size: PointMm, measures: Measures) -> Iterator[CutPart]:
    """A shelf across the frame, and a ledge below each of its ends."""
    length = inner(size, measures)[1] - 0.5
    left = (length - 101.6) / 2
    low = (SHELF_MM - 53.3) / 2
    holes = [(left + x, low + y) for x, y in MEGA_HOLES]
    yield _strip("shelf for the Mega", (length, SHELF_MM), holes, measures.screw / 2)
    for name in ("ledge 1", "ledge 2"):
        yield _strip(name, (SHELF_MM, measures.rail))


def _post(high: float, measures: Measures) -> Iterator[CutPart]:
    """The two pieces of the post below the middle, lying, each slotted halfway from one end."""
    low, up = (POST_MM - measures.frame) / 2, (POST_MM + measures.frame) / 2
    outline = [(0.0, 0.0), (high, 0.0), (high, low), (high / 2, low), (high / 2, up), (high, up)]
    outline += [(high, POST_MM), (0.0, POST_MM)]
    for half in (1, 2):
        path = Path(Layer.CUT, tuple(outline), closed=True)
        yield CutPart(f"post {half}", (high, POST_MM), (path,))


def section(measures: Measures, shelf: bool) -> Paper:
    """The frame cut through at its edge, twice its size, with every measure in mm."""
    below, thick = measures.below, measures.frame
    board = measures.top + measures.carrier + below
    high = board + measures.rim
    size = (240.0, SCALE * high + 62)
    left, low = 40.0, 24.0

    def at(x: float, y: float) -> PointMm:
        return (left + SCALE * x, low + SCALE * y)

    def piece(x: float, y: float, wide: float, tall: float) -> Iterator[DrawnShape]:
        for layer in (Layer.FILL, Layer.WIRE):
            yield frame(layer, at(x, y), (SCALE * wide, SCALE * tall))

    play = measures.frame_play
    inset = thick + play + measures.screw_inset
    under = below - thick
    shapes: list[DrawnShape] = [
        *piece(0, 0, thick, high),
        *piece(thick, under, measures.rail, thick),
        *piece(thick + play, below, 62, measures.carrier),
        *piece(thick + play, below + measures.carrier, 62, measures.top),
        *piece(thick, 0, FOOT_MM, thick),
        *_screw(at(inset, board), measures),
        box(Layer.BODY, at(thick + 8, -1.5), (SCALE * 10, SCALE * 3)),
    ]
    names: list[tuple[float, float, str]] = [
        (72, board - measures.top / 2, f"top sheet {number(measures.top)} mm"),
        (72, below + measures.carrier / 2, f"carrier {number(measures.carrier)} mm"),
        (40, below - thick / 2 - 2, "rail, glued on; nylon screw and nut through all three"),
        (48, 1.5, "feet: a square in each corner, stick-on feet below"),
    ]
    if shelf:
        shapes += [*piece(34, thick, 40, thick), *piece(34, 0, measures.rail, thick)]
        names.append((40, 2 * thick + 3, "shelf for the Mega, on its ledges"))
    for x, y, words in names:
        shapes.append(Lettering(Layer.WORDS, (at(x, y)[0], at(x, y)[1] - 1.2), words, 3.2))
    x = left - 10
    shapes += [
        line(Layer.MARK, (x, at(0, 0)[1]), (x, at(0, below)[1])),
        Lettering(Layer.MARK, (x - 2, at(0, below / 2)[1]), f"{number(below)} mm", 3.4, Anchor.END),
        Lettering(
            Layer.WORDS, (10, size[1] - 11), "The frame, cut through (twice its size)", 5, bold=True
        ),
        Lettering(
            Layer.WORDS,
            (10, size[1] - 17),
            f"The side stands {number(measures.rim)} mm above the top sheet; the rail carries the "
            "carrier.",
            3.2,
        ),
    ]
    return Paper("The frame, cut through", size, tuple(shapes))


def _screw(top: PointMm, measures: Measures) -> Iterator[DrawnShape]:
    """A screw from above, through top sheet, carrier and rail, and its nut."""
    length = SCALE * measures.screw_length
    x, y = top
    yield box(Layer.WIRE, (x, y - length / 2), (SCALE * 3, length))
    yield box(Layer.WIRE, (x, y + SCALE), (SCALE * 5.5, SCALE * 2))
    stack = measures.top + measures.carrier + measures.frame
    yield box(Layer.WIRE, (x, y - SCALE * (stack + 1.2)), (SCALE * 5.5, SCALE * 2.4))
