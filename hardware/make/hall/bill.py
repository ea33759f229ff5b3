"""The parts list of a board with Hall sensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import dist

from hardware.make.bill import METRE, SQUARE_METRE, Entry, bill
from hardware.make.circuit import Circuit
from hardware.make.hall.strip import RIBBON, SENSOR, HallDesign, ribbon_rows
from hardware.make.parts import Article, Parts
from hardware.make.pcb.count import strip_screws
from hardware.make.pcb.panels import panel_of
from hardware.make.svg import number
from pi_app.sensing.description import Board

RIBBON_LEAD_MM, SPARE = 400.0, 1.2
STRIP_KINDS = frozenset(
    {"linear sensor", "latch", "strip capacitor", "strip resistor", "strip panel", "strip order"}
)
"""Articles of the strips as they come from their maker."""


def hall_bill(
    board: Board, circuit: Circuit, parts: Parts, designs: Sequence[HallDesign]
) -> tuple[Entry, ...]:
    """Return the bill of materials of a board with Hall sensors; `designs` are its strips."""
    entries = [_as_thick(entry, parts) for entry in bill(board, circuit, parts) if entry.needed]
    if not designs:
        return tuple(entries)
    kept = (entry for entry in entries if entry.article.kind != "plug")
    wide = parts.articles["wide magnet"]
    swapped = (
        replace(entry, article=wide) if entry.article.kind == "magnet" else entry for entry in kept
    )
    return (*swapped, *_strips(board, parts, designs))


def _as_thick(entry: Entry, parts: Parts) -> Entry:
    """Return the entry with the thickness of this board's own sheets."""
    thick = {"top sheet": parts.measures.top, "carrier sheet": parts.measures.carrier}
    if entry.article.kind not in thick:
        return entry
    value = f"birch plywood {number(thick[entry.article.kind])} mm"
    return replace(entry, article=replace(entry.article, value=value))


def ribbon_m(designs: Sequence[HallDesign]) -> float:
    """Return the length of all ribbons, with each one's lead to the adapter, in metres."""
    rows = ribbon_rows(designs)
    ways = sum(dist(*ends) for row in rows for ends in pairwise(row))
    return SPARE * (ways + (len(rows) + 1) * RIBBON_LEAD_MM) / 1000


def _strips(board: Board, parts: Parts, designs: Sequence[HallDesign]) -> Iterator[Entry]:
    article = parts.articles
    strips = sum(len(design.strips) for design in designs)
    sensors = sum(len(design.strips) * _sensors(design) for design in designs)
    wide, high = panel_of(board.name, designs, parts.strip).artwork.size
    yield Entry("U", article["linear sensor"], sensors)
    yield Entry("U0", article["latch"], strips)
    yield Entry("C", article["strip capacitor"], sensors + strips)
    yield Entry("R0", article["strip resistor"], strips)
    yield Entry("T1", article["strip panel"], parts.strip.panels * wide * high / 1e6, SQUARE_METRE)
    yield Entry("T2", article["strip order"], 1)
    yield Entry("X1", _of(article["box header"], f"{len(RIBBON)} pins"), strips + 1)
    yield Entry("X2, X3", article["pin"], 2 * strips + 2)
    yield Entry("T3", article["token wire"], strips + 1)
    yield Entry("T4", _of(article["ribbon socket"], f"{len(RIBBON)} contacts"), strips + 1)
    length = ribbon_m(designs)
    yield Entry("T5", _of(article["ribbon"], f"{len(RIBBON)} wires"), length, METRE)
    bores = sum(len(design.strips) * len(design.artwork.bores) for design in designs)
    yield strip_screws(parts, bores)
    yield Entry("T7", article["perfboard"], 1)


def _sensors(design: HallDesign) -> int:
    return sum(body.value == SENSOR for body in design.artwork.bodies)


def _of(article: Article, what: str) -> Article:
    return replace(article, value=f"{article.value}, {what}")
