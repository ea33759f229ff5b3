"""Strips of a board side by side on one panel, of which the maker's least order makes them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Protocol

from hardware.make.pcb.artwork import Artwork, Bore, LegendLine, Surface, shifted, together
from hardware.make.pcb.legend import letters
from hardware.make.pcb.lines import Strip
from hardware.make.pcb.measures import StripMeasures
from hardware.make.shapes import PointMm

NAME_MM = 2.0
TOOLING_MM, MARK_MM = (2.0, 2.5, 2.5), (10.0, 3.85)
"""A tooling hole's diameter and its distance from the panel's edges; a fiducial's distance. Three
fiducials, so that a panel that lies the wrong way round is noticed."""


class Panelled(Protocol):
    """A design of which a panel has several strips."""

    @property
    def name(self) -> str: ...

    @property
    def artwork(self) -> Artwork: ...

    @property
    def strips(self) -> tuple[Strip, ...]: ...


@dataclass(frozen=True, slots=True)
class StripPanel:
    """A panel and how many strips of each design it has."""

    artwork: Artwork
    counts: tuple[tuple[Panelled, int], ...]


def panel_of(board: str, designs: Sequence[Panelled], measures: StripMeasures) -> StripPanel:
    """Return a panel that with the smallest order has enough strips of every design, and more of
    the first design if the smallest panel has room.

    The rails above and below carry fiducials and tooling holes and are for the maker's machines;
    they are wider where a panel would be too small for V-scores.
    """
    counts = tuple(_counted(designs, measures))
    inside = _high(counts)
    rail = max(measures.rail, (measures.least_panel - inside) / 2)
    boards = list(_stacked(counts, rail))
    size = max(design.artwork.size[0] for design in designs), round(inside + 2 * rail, 3)
    scores = tuple(low for _, low in boards)
    whole = together(f"{board} panel", size, [one for one, _ in boards])
    named = " ".join(f"{count} {design.name}" for design, count in counts)
    return StripPanel(
        replace(
            whole,
            strokes=(*whole.strokes, *_name(f"{board} - {named}", size[0], rail)),
            scores=(*scores, round(size[1] - rail, 3)),
            bores=(
                *whole.bores,
                *(Bore(at, TOOLING_MM[0]) for at in _corners(size, TOOLING_MM[1:])),
            ),
            fiducials=tuple(_corners(size, MARK_MM))[:3],
        ),
        counts,
    )


def _counted(
    designs: Sequence[Panelled], measures: StripMeasures
) -> Iterator[tuple[Panelled, int]]:
    counts = [(design, ceil(len(design.strips) / measures.panels)) for design in designs]
    spare = measures.least_panel - 2 * measures.rail - _high(counts)
    (first, count), *others = counts
    yield first, count + max(0, int(spare // first.artwork.size[1]))
    yield from others


def _high(counts: Sequence[tuple[Panelled, int]]) -> float:
    return sum(count * design.artwork.size[1] for design, count in counts)


def _corners(size: PointMm, inset: Sequence[float]) -> Iterator[PointMm]:
    """Return the points this far from both edges of each corner; the upper right one is last."""
    x, y = inset
    yield from ((x, y), (size[0] - x, y), (x, size[1] - y), (size[0] - x, size[1] - y))


def _stacked(
    counts: Sequence[tuple[Panelled, int]], rail: float
) -> Iterator[tuple[Artwork, float]]:
    """Yield each strip at its height, with its parts numbered consecutively."""
    low, place = rail, 0
    for design, count in counts:
        for _ in range(count):
            place += 1
            yield shifted(design.artwork, (0.0, round(low, 3)), f"_{place}"), round(low, 3)
            low += design.artwork.size[1]


def _name(words: str, wide: float, rail: float) -> Iterator[LegendLine]:
    yield from letters(words, (wide / 2, rail / 2), NAME_MM, Surface.FRONT)
