"""The parts list, the joints and the estimated hours of a board on strips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from hardware.make.bill import METRE, SLEEVE_M, SQUARE_METRE, Entry
from hardware.make.parts import Article, Parts
from hardware.make.pcb.artwork import Surface
from hardware.make.pcb.below import ribbons
from hardware.make.pcb.design import StripDesign
from hardware.make.pcb.panels import panel_of
from pi_app.sensing.description import Board

WIRED = frozenset({"row wire", "column wire"})
"""Parts that a board on strips does not need."""
WIRED_JOINTS = 3
"""A reed's: to its column, to its diode, and from there to the row."""
WIRED_S, STRIP_S, REED_S, SCREW_S, SOCKET_S = 75, 10, 20, 20, 60
"""Seconds for a joint of wires (cut, stripped, bent, held), one on a board, a reed bent and laid,
a screw, and a socket pressed onto its ribbon; estimated, unchecked.
"""


class ByMaker(Enum):
    """What the maker of the boards solders."""

    NOTHING = "nothing"
    DIODES = "diodes"
    ALL_BUT_REEDS = "all but the reeds"


@dataclass(frozen=True, slots=True)
class Work:
    """The joints to solder by hand, and the hours that they and all the rest take."""

    joints: int
    hours: float


def shared_lines(designs: Sequence[StripDesign]) -> int:
    """How many lines run from strip to strip."""
    return designs[0].laid.shared


def wired_work(board: Board) -> Work:
    """With wires: three joints a reed, one a plug."""
    assert board.scanner is not None
    reeds = len(board.sensors)
    joints = WIRED_JOINTS * reeds + board.scanner.rows + board.scanner.columns
    return Work(joints, (joints * WIRED_S + reeds * REED_S) / 3600)


def strip_work(designs: Sequence[StripDesign], by_maker: ByMaker) -> Work:
    """Count the work on strips: lands that are soldered by hand, and the wires of each ribbon and
    strip."""
    lands = sum(len(d.strips) * _by_hand(d, by_maker) for d in designs)
    reeds = sum(len(d.strips) * len(d.laid.group.beds) for d in designs)
    sockets = sum(len(d.strips) for d in designs)
    bores = sum(len(d.strips) * len(d.laid.bores) for d in designs)
    joints = lands + shared_lines(designs) * len(ribbons(designs)) + sockets
    seconds = joints * STRIP_S + reeds * REED_S + sockets * SOCKET_S + bores * SCREW_S
    return Work(joints, seconds / 3600)


def _by_hand(design: StripDesign, by_maker: ByMaker) -> int:
    reeds = {body.part for body in design.artwork.bodies if body.surface is Surface.BACK}
    lands = design.artwork.lands
    match by_maker:
        case ByMaker.NOTHING:
            return len(lands)
        case ByMaker.DIODES:
            return sum(land.drill > 0 for land in lands)
        case ByMaker.ALL_BUT_REEDS:
            return sum(land.part in reeds for land in lands)


def strip_bill(
    board: Board, entries: Sequence[Entry], designs: Sequence[StripDesign], parts: Parts
) -> tuple[Entry, ...]:
    """Return a board's bill of materials with strips instead of wires."""
    reeds = len(board.sensors)
    kept = [_fewer(entry, reeds) for entry in entries if entry.article.kind not in WIRED]
    return (*(entry for entry in kept if entry.needed), *_strips(board, designs, parts))


def _fewer(entry: Entry, reeds: int) -> Entry:
    """Return the entry without the reeds' own diodes, because strips have others; the rest stay."""
    if entry.article.kind != "diode":
        return entry
    return replace(entry, needed=entry.needed - reeds)


def _strips(board: Board, designs: Sequence[StripDesign], parts: Parts) -> Iterator[Entry]:
    article = parts.articles
    number = sum(len(design.strips) for design in designs)
    beds = sum(len(design.strips) * len(design.laid.group.beds) for design in designs)
    pins = designs[0].laid.pins
    wide, high = panel_of(board.name, designs, parts.strip).artwork.size
    area = parts.strip.panels * wide * high / 1e6
    yield Entry("T1", article["strip panel"], area, SQUARE_METRE)
    yield Entry("T2", article["strip order"], 1)
    yield Entry(f"D1-D{beds}", article["strip diode"], beds)
    yield Entry("X1", _of(article["box header"], f"{pins} pins"), number)
    yield Entry("X2", article["pin"], number)
    yield Entry("T3", article["own wires"], number)
    yield Entry("T4", _of(article["ribbon socket"], f"{pins} contacts"), number)
    length = sum(ribbon.length_m for ribbon in ribbons(designs))
    yield Entry("T5", _of(article["ribbon"], f"{pins} wires"), length, METRE)
    bores = sum(len(design.strips) * len(design.laid.bores) for design in designs)
    yield strip_screws(parts, bores)
    joints = shared_lines(designs) if len(ribbons(designs)) > 1 else 0
    yield Entry("T7", article["sleeve"], joints * SLEEVE_M, METRE)


def strip_screws(parts: Parts, bores: int) -> Entry:
    """Return the entry of the strips' screws: one for each bore, as long as strip and carrier
    allow."""
    screws = parts.articles["strip screws"]
    length = parts.strip.screw_length(parts.measures.carrier)
    return Entry("T6", replace(screws, value=screws.value.format(length=length)), bores)


def _of(article: Article, number: str) -> Article:
    return replace(article, value=f"{article.value}, {number}")
