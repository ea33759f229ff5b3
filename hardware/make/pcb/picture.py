"""A strip as a drawing, twice its size: its front, and its back as seen when it is turned over."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make.pcb.artwork import Artwork, Land, Surface
from hardware.make.pcb.measures import StripMeasures
from hardware.make.shapes import (
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

SCALE = 2.0
MARGIN_MM, HEAD_MM, BETWEEN_MM = 8.0, 16.0, 12.0
COPPER = {Surface.FRONT: Layer.COLUMN, Surface.BACK: Layer.ROW}


def picture(artwork: Artwork, measures: StripMeasures) -> Paper:
    """Both sides, one above the other."""
    wide, high = SCALE * artwork.size[0], SCALE * artwork.size[1]
    size = (wide + 2 * MARGIN_MM, 2 * high + 2 * MARGIN_MM + HEAD_MM + BETWEEN_MM)
    front, back = MARGIN_MM + high + BETWEEN_MM, MARGIN_MM
    shapes = [
        Lettering(
            Layer.WORDS, (MARGIN_MM, size[1] - 10), f"{artwork.name}, twice its size", 5, bold=True
        ),
        Lettering(
            Layer.COLUMN, (MARGIN_MM, front + high + 2), "front: looks down, parts and solder", 3.4
        ),
        Lettering(Layer.ROW, (MARGIN_MM, back + high + 2), "back: lies on the carrier", 3.4),
        *_side(artwork, measures, Surface.FRONT, (MARGIN_MM, front)),
        *_side(artwork, measures, Surface.BACK, (MARGIN_MM, back)),
    ]
    return Paper(f"{artwork.name}: both sides", size, tuple(shapes))


def _side(
    artwork: Artwork, measures: StripMeasures, surface: Surface, corner: PointMm
) -> Iterator[DrawnShape]:
    def to(at: PointMm) -> PointMm:
        x = at[0] if surface is Surface.FRONT else artwork.size[0] - at[0]
        return corner[0] + SCALE * x, corner[1] + SCALE * at[1]

    yield frame(Layer.CUT, corner, (SCALE * artwork.size[0], SCALE * artwork.size[1]))
    for track in artwork.tracks:
        if track.surface is surface:
            yield line(COPPER[surface], to(track.start), to(track.end))
    for via in artwork.vias:
        yield Circle(Layer.BODY, to(via.at), SCALE * measures.via[0] / 2)
    for land in artwork.lands:
        if land.drill or surface is Surface.FRONT:
            yield from _land(land, to(land.at))
    for bore in artwork.bores:
        yield Circle(Layer.HOLE, to(bore.at), SCALE * bore.diameter / 2)
    for stroke in artwork.strokes:
        if stroke.surface is surface:
            yield line(Layer.WIRE, *map(to, stroke.points))


def _land(land: Land, at: PointMm) -> Iterator[DrawnShape]:
    size = SCALE * land.size[0], SCALE * land.size[1]
    yield box(Layer.GLASS, at, size) if land.square else Circle(Layer.GLASS, at, size[0] / 2)
    if land.drill:
        yield Circle(Layer.HOLE, at, SCALE * land.drill / 2)
