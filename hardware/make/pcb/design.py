"""The strips of a board: a design a kind, its parts joined as the circuit has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hardware.make.parts import Measures
from hardware.make.pcb.artwork import Artwork, Body, Bore, Land, Surface, rounded, shifted
from hardware.make.pcb.layout import (
    DIODE_LAND,
    DIODE_PITCH,
    DIODE_ROOM,
    OWN,
    PIN_HOLE,
    PIN_LAND,
    PIN_MM,
    SHARED,
    Laid,
    diode_of,
    header_pins,
    header_size,
    laid_out,
    leads_of,
    own_pin,
)
from hardware.make.pcb.legend import common_names, lettered
from hardware.make.pcb.lines import Axis, Strip, alike
from hardware.make.pcb.measures import StripMeasures
from hardware.make.pcb.router import routed
from hardware.make.places import step
from hardware.make.shapes import PointMm
from pi_app.rules.terms import SpotKind
from pi_app.sensing.description import Board

NETS = {Axis.ROW: "ROW", Axis.COLUMN: "COL"}
"""A strip's own net, without the number that it has on the game board."""
TURNS = {(1.0, 0.0): 0.0, (0.0, 1.0): 90.0, (-1.0, 0.0): 180.0, (0.0, -1.0): 270.0}


@dataclass(frozen=True, slots=True)
class StripDesign:
    """One kind of strip: its layout and its finished artwork."""

    name: str
    laid: Laid
    artwork: Artwork

    @property
    def strips(self) -> tuple[Strip, ...]:
        """Every strip that is made so."""
        return self.laid.group.strips

    def on_board(self, strip: Strip, at: PointMm) -> PointMm:
        """A point of the artwork, in the game board's own millimetres."""
        left, low, *_ = self.laid.outline
        return strip.on_board((at[0] + left, at[1] + low))


def designs(board: Board, measures: Measures, strip: StripMeasures) -> tuple[StripDesign, ...]:
    """Every design of a board; none for one without a matrix or with lines that are not straight.

    A strip a row or a strip a column: whichever takes less of a panel.  Raises ValueError where
    the parts find no room either way.
    """
    if board.scanner is None:
        return ()
    found: list[tuple[Laid, ...]] = []
    refused: ValueError | None = None
    for axis in Axis:
        if groups := alike(board, measures, axis):
            try:
                found.append(laid_out(board, measures, strip, groups, axis))
            except ValueError as error:
                refused = error
    if not found and refused is not None:
        raise refused
    if not found:
        return ()
    best = min(found, key=lambda laid: sum(one.area for one in laid))
    names = _names(board, best)
    return tuple(
        StripDesign(name, laid, _drawn(f"{board.name} {name}", laid, measures, strip))
        for name, laid in zip(names, best, strict=True)
    )


def _drawn(name: str, laid: Laid, measures: Measures, strip: StripMeasures) -> Artwork:
    joined = routed(_parts(name, laid, measures, strip), strip)
    return lettered(joined, laid, common_names(laid), measures, strip)


def _names(board: Board, laid: Sequence[Laid]) -> Iterator[str]:
    """Name a strip after its spots if they are of one kind, else after its line; letters
    distinguish equal names."""
    words = [_word(board, one) for one in laid]
    for place, word in enumerate(words):
        before = words[:place].count(word)
        yield f"{word}-{'abcdefgh'[before]}" if words.count(word) > 1 else word


def _word(board: Board, laid: Laid) -> str:
    kinds = {board.spot_of[reed.name].kind for strip in laid.group.strips for reed in strip.reeds}
    for kind in (SpotKind.POINT, SpotKind.BAR):
        if kinds == {kind}:
            return str(kind.value)
    return str(laid.axis.value)


def _parts(name: str, laid: Laid, measures: Measures, strip: StripMeasures) -> Artwork:
    """Return lands, parts and screws without tracks, from the artwork's own corner."""
    left, low, *_ = laid.outline
    lands = (*_reeds(laid, measures, strip), *_header(laid))
    bodies = tuple(_bodies(laid, measures, strip))
    bores = tuple(Bore(at, strip.screw) for at in laid.bores)
    placed = Artwork(name, laid.outline.size, lands, bodies, bores)
    return rounded(shifted(placed, (-left, -low)))


def _reeds(laid: Laid, measures: Measures, strip: StripMeasures) -> Iterator[Land]:
    """From a column through the reed and the diode to a row."""
    across_it = Axis.COLUMN if laid.axis is Axis.ROW else Axis.ROW
    for number, bed in enumerate(laid.group.beds, start=1):
        nets = {laid.axis: NETS[laid.axis], across_it: f"{NETS[across_it]}{bed.shared}"}
        reed, diode = f"S{number}", f"D{number}"
        between = f"{reed}-{diode}"
        near, far = leads_of(bed, measures, strip)
        ring = (strip.reed_land, strip.reed_land)
        yield Land(reed, "1", nets[Axis.COLUMN], near, ring, strip.reed_hole)
        yield Land(reed, "2", between, far, ring, strip.reed_hole)
        at, way = diode_of(bed, measures, strip)
        pad = (DIODE_LAND, DIODE_LAND)
        yield Land(diode, "A", between, step(at, way, DIODE_PITCH / 2), pad, square=True)
        yield Land(diode, "K", nets[Axis.ROW], step(at, way, -DIODE_PITCH / 2), pad, square=True)


def _header(laid: Laid) -> Iterator[Land]:
    """Yield a land for each shared line, in order; the other pins of the header have no net."""
    prefix = NETS[Axis.COLUMN if laid.axis is Axis.ROW else Axis.ROW]
    ring = (PIN_LAND, PIN_LAND)
    for number, at in enumerate(header_pins(laid.header, laid.pins)):
        net = f"{prefix}{number}" if number < laid.shared else ""
        yield Land(SHARED, str(number + 1), net, at, ring, PIN_HOLE, square=number == 0)
    at = own_pin(laid.header, laid.pins)
    yield Land(OWN, "1", NETS[laid.axis], at, ring, PIN_HOLE, square=True)


def _bodies(laid: Laid, measures: Measures, strip: StripMeasures) -> Iterator[Body]:
    reach = strip.span(measures.glass[0]) + strip.reed_land
    for number, bed in enumerate(laid.group.beds, start=1):
        room = (
            abs(bed.along[0]) * reach + abs(bed.along[1]) * strip.reed_land,
            abs(bed.along[1]) * reach + abs(bed.along[0]) * strip.reed_land,
        )
        yield Body(f"S{number}", "reed", bed.middle, room, Surface.BACK)
        at, way = diode_of(bed, measures, strip)
        size = DIODE_ROOM if way[0] else (DIODE_ROOM[1], DIODE_ROOM[0])
        yield Body(f"D{number}", "1N4148W", at, size, Surface.FRONT, TURNS[way], True, "SOD-123")
    size = header_size(laid.pins)
    value = f"box header {laid.pins // 2} x 2"
    named = f"IDC-TH_{laid.pins}P-P2.54"
    yield Body(SHARED, value, laid.header, size, Surface.FRONT, footprint=named)
    room = (PIN_MM, PIN_MM)
    at = own_pin(laid.header, laid.pins)
    yield Body(OWN, "pin", at, room, Surface.FRONT, footprint="HDR-TH_1P-P2.54")
