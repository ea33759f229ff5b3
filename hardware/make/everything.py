"""The text of every generated file of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hardware.make import (
    closeups,
    common,
    coupon,
    frame,
    mounting,
    pages,
    panel,
    tables,
    template,
    tiles,
)
from hardware.make.bill import bill
from hardware.make.bill import to_csv as bill_csv
from hardware.make.card.page import card_files
from hardware.make.field import field
from hardware.make.files import MadeFile, MadeFiles
from hardware.make.hall.bill import hall_bill
from hardware.make.hall.decision import decision as hall_decision
from hardware.make.hall.demands import hall_reached
from hardware.make.hall.pages import hall_files
from hardware.make.hall.strip import hall_designs
from hardware.make.mega import Mega
from hardware.make.nest import CutSheet
from hardware.make.pages import Made
from hardware.make.parts import Parts, parts_for
from hardware.make.pcb.design import designs
from hardware.make.pcb.guide import decision, strip_files
from hardware.make.pcb.project import board_project
from hardware.make.reach import reached
from hardware.make.sheets import sheet, solids
from hardware.make.support import marked, support
from hardware.make.svg import to_svg
from hardware.make.templates import template_files
from hardware.make.underside import underside
from hardware.make.wiring import wire
from hardware.make.wiring_matrix import wiring_matrix
from hardware.make.wiring_pi import wiring_pi
from pi_app.base.strict import parse_toml
from pi_app.games.all import ALL
from pi_app.sensing.description import Board, Mount, read_board


@dataclass(frozen=True, slots=True)
class Source:
    """A board, and whether its description lets the OLED have the I2C bus."""

    board: Board
    oled: bool


def read_source(file: str, text: str) -> Source:
    """A board from its TOML text; raises ConfigError naming the file and every fault in it."""
    board = read_board(file, text, ALL.rules)
    buses = parse_toml(file, text).get("buses", [])
    return Source(board, isinstance(buses, list) and "i2c" in buses)


def make(source: Source, mega: Mega, parts: Parts) -> Made:
    """Derive a board's circuit and parts list. Raises ValueError for a faulty circuit."""
    circuit = wire(source.board, mega, source.oled)
    board = source.board
    if board.mount is Mount.CARD:
        own = parts_for(board, parts)
        return Made(board, circuit, bill(board, circuit, own), reached(board, own), ())
    cut = tuple(window.name for window in tiles.windows_of(board.size))
    if board.tells_sides:
        strips = hall_designs(board, parts.strip) if board.scanner else ()
        entries = hall_bill(board, circuit, parts_for(board, parts), strips)
        return Made(board, circuit, entries, hall_reached(board, parts), cut)
    plain = Made(board, circuit, bill(board, circuit, parts), reached(board, parts), cut)
    try:
        return replace(plain, strips=designs(board, parts.measures, parts.strip))
    except ValueError as refused:  # such a board is wired: nothing else of it depends on strips
        return replace(plain, without=str(refused))


def files_of(made: Made, mega: Mega, parts: Parts) -> MadeFiles:
    """A board's files by their names."""
    if made.board.tells_sides:
        return hall_files(made, parts)
    if made.board.mount is Mount.CARD:
        return card_files(made, parts)
    strips = strip_files(made, mega, parts)
    return {
        **dict(_board_files(made, mega, parts)),
        **{f"strips/{name}": file for name, file in strips.items()},
    }


def shared_files(made: tuple[Made, ...], parts: Parts) -> MadeFiles:
    """What all boards share: the overview, the costs, what the panel needs, single steps."""
    return dict(_shared(made, parts))


def _shared(made: tuple[Made, ...], parts: Parts) -> Iterator[tuple[str, MadeFile]]:
    measures = parts.measures
    yield "README.md", pages.index(made)
    yield "decisions/cost.md", pages.cost(made)
    yield "decisions/strips.md", decision(made, parts)
    yield "decisions/hands.md", pages.hands(made, parts)
    if any(one.board.tells_sides for one in made):
        yield "decisions/hall.md", hall_decision(made, parts)
    yield "decisions/slips.md", pages.slips_page(made, measures)
    yield "common/buzzer.svg", to_svg(closeups.buzzer())
    yield "common/light.svg", to_svg(mounting.light(measures))
    yield "common/touchscreen.svg", to_svg(mounting.touchscreen(measures))
    size, discs = panel.panel_size(measures), common.checker_sheet(measures)
    checker = common.checker(max(one.board.spot_diameter for one in made), measures)
    yield from sheet("common/checker", "One checker", discs, checker, measures)
    for name, title, cut, thick in (
        ("holder", "holder of the touchscreen, clips", panel.holder(measures), measures.panel),
        ("stand", "stand of the front panel", frame.stand(size, measures), measures.frame),
    ):
        yield from sheet(f"common/{name}", title, cut.size, cut.shapes, measures)
        yield from solids(f"common/{name}", title, cut.shapes, thick)


def _board_files(made: Made, mega: Mega, parts: Parts) -> Iterator[tuple[str, MadeFile]]:
    board, circuit, measures = made.board, made.circuit, parts.measures
    yield "README.md", pages.board_page(made, mega, parts)
    yield "bom.csv", bill_csv(made.entries)
    yield "pins.md", pages.pins_page(made, mega)
    yield "pins.csv", tables.to_csv(tables.PI_HEAD, tables.pi_rows(circuit))
    yield "netlist.csv", tables.to_csv(("net", "part", "pin"), tables.netlist_rows(circuit))
    yield "wiring-pi.svg", to_svg(wiring_pi(circuit))
    for name, text in board_project(board.name, circuit, parts.strip):
        yield f"kicad/{name}", text
    if board.scanner is not None:
        reeds = tables.reed_rows(board, mega)
        yield "matrix.csv", tables.to_csv(tables.REED_HEAD, reeds)
        yield "wiring-matrix.svg", to_svg(wiring_matrix(board, mega, circuit))
        yield "mega.svg", to_svg(closeups.mega_sockets(board, board.scanner, mega))
        yield "crossing.svg", to_svg(closeups.crossing(board))
        yield "ghost.svg", to_svg(closeups.ghost(board))
    offset = made.reached.offset
    yield "section.svg", to_svg(common.section(board.spot_diameter, offset, measures))
    yield "field.svg", to_svg(field(board, parts, made.reached))
    yield "underside.svg", to_svg(underside(board, measures, mega))
    post = support(board, measures)
    carrier = template.carrier(board, measures, marked(post))
    tried = CutSheet(coupon.coupon_size(board, measures), coupon.coupon(board, measures))
    yield from template_files(board, measures, carrier, tried, post is not None)
