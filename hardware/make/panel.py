"""The front panel: windows and holes for touchscreen, OLED, die buttons and buzzer."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make.nest import CutPart, CutSheet, on_sheet
from hardware.make.parts import Measures
from hardware.make.places import screws_of
from hardware.make.shapes import (
    Anchor,
    Circle,
    DrawnShape,
    Layer,
    Lettering,
    PointMm,
    box,
    frame,
)
from pi_app.sensing.description import Board

RIM_MM, FOOT_MM = 14.0, 56.0
"""Around the touchscreen's glass, and below it for everything else."""
GLASS_PLAY_MM, CROSSBAR_MM = 0.5, 8.0
"""Around the glass in its holder; and what the holder keeps between glass and foot."""
CLIP_MM, CLIP_HOLE_MM = (24.0, 12.0), 4.5
"""Four clips turn over the glass from behind; where their hole is."""
OLED_REST_MM = 8.0
"""Between the rim and the OLED's nearest holes."""
BUZZER_SLITS = 7
SLIT_MM = 5.0


def panel_size(measures: Measures) -> PointMm:
    """The panel's width and height, after the touchscreen's."""
    wide, high = measures.touchscreen_glass
    return (wide + 2 * RIM_MM, high + 2 * RIM_MM + FOOT_MM)


def panel(board: Board, measures: Measures) -> tuple[DrawnShape, ...]:
    """The panel of a board, at true scale."""
    size = panel_size(measures)
    middle = (size[0] / 2, size[1] - RIM_MM - measures.touchscreen_glass[1] / 2)
    row = (RIM_MM + FOOT_MM) / 2
    shapes = [
        frame(Layer.CUT, (0.0, 0.0), size),
        *_screw_holes(size, measures),
        box(Layer.HOLE, middle, measures.touchscreen_window),
        box(Layer.MARK, middle, measures.touchscreen_glass),
        Lettering(Layer.MARK, (middle[0], middle[1] + 12), "touchscreen: window", 4, Anchor.MIDDLE),
        Lettering(
            Layer.MARK,
            (middle[0], middle[1] + 4),
            "outer line: its glass, behind the panel. Measure yours first:",
            3,
            Anchor.MIDDLE,
        ),
        Lettering(
            Layer.MARK,
            (middle[0], middle[1] - 1),
            "the picture need not lie in the middle of the glass.",
            3,
            Anchor.MIDDLE,
        ),
        *_oled((RIM_MM + OLED_REST_MM + measures.oled_holes[0] / 2, row), measures),
        *_buttons(board, (size[0] / 2, row), measures),
    ]
    if board.buzzer is not None:
        shapes += _slits((size[0] - RIM_MM - 26, row), measures)
    return tuple(shapes)


def holder(measures: Measures) -> CutSheet:
    """The sheet behind the panel that holds the glass, and four clips that hold it in."""
    size = panel_size(measures)
    wide, high = measures.touchscreen_glass
    glass = (wide + 2 * GLASS_PLAY_MM, high + 2 * GLASS_PLAY_MM)
    middle = (size[0] / 2, size[1] - RIM_MM - high / 2)
    foot = (size[0] - 2 * RIM_MM, FOOT_MM - GLASS_PLAY_MM - CROSSBAR_MM)
    shapes = (
        frame(Layer.CUT, (0.0, 0.0), size),
        *_screw_holes(size, measures),
        box(Layer.HOLE, middle, glass),
        frame(Layer.HOLE, (RIM_MM, RIM_MM), foot),
    )
    clip = (
        frame(Layer.CUT, (0.0, 0.0), CLIP_MM),
        Circle(Layer.HOLE, (CLIP_HOLE_MM, CLIP_MM[1] / 2), measures.screw / 2),
    )
    clips = [CutPart(f"clip {number}", CLIP_MM, clip) for number in range(1, 5)]
    return on_sheet([CutPart("holder of the glass", size, shapes), *clips], measures.bed)


def _screw_holes(size: PointMm, measures: Measures) -> Iterator[DrawnShape]:
    """At the panel's edge for the stand, and beside the glass for the clips."""
    for at in (*screws_of(size, measures), *clip_holes(measures)):
        yield Circle(Layer.HOLE, at, measures.screw / 2)


def clip_holes(measures: Measures) -> Iterator[PointMm]:
    """Where the clips' screws go: two on each side of the glass."""
    wide, high = panel_size(measures)
    for x in (RIM_MM / 2, wide - RIM_MM / 2):
        for share in (0.25, 0.75):
            yield (x, high - RIM_MM - share * measures.touchscreen_glass[1])


def _oled(centre: PointMm, measures: Measures) -> Iterator[DrawnShape]:
    yield box(Layer.HOLE, centre, measures.oled_window)
    wide, high = measures.oled_holes
    for x in (-wide / 2, wide / 2):
        for y in (-high / 2, high / 2):
            at = (centre[0] + x, centre[1] + y)
            yield Circle(Layer.HOLE, at, measures.oled_hole / 2)
    below = (centre[0], centre[1] - high / 2 - 7)
    yield Lettering(Layer.MARK, below, "OLED", 3, Anchor.MIDDLE)


def _buttons(board: Board, centre: PointMm, measures: Measures) -> Iterator[DrawnShape]:
    count = len(board.buttons)
    for place, button in enumerate(board.buttons):
        x = centre[0] + (place - (count - 1) / 2) * (measures.button_hole + 20)
        yield Circle(Layer.HOLE, (x, centre[1]), measures.button_hole / 2)
        name = f"{button.side.value}'s button" if button.side else "die button"
        yield Lettering(Layer.MARK, (x, centre[1] - 19), name, 3, Anchor.MIDDLE)


def _slits(centre: PointMm, measures: Measures) -> Iterator[DrawnShape]:
    for place in range(BUZZER_SLITS):
        x = centre[0] + (place - (BUZZER_SLITS - 1) / 2) * SLIT_MM
        yield Circle(Layer.HOLE, (x, centre[1]), measures.buzzer_hole / 2)
    yield Lettering(Layer.MARK, (centre[0], centre[1] - 19), "buzzer", 3, Anchor.MIDDLE)
