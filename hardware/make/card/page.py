"""The files of a board of card, and its page."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.make import magnet_page, tables
from hardware.make.bill import to_csv, total
from hardware.make.card import drawings, header
from hardware.make.card.breadboard import BreadboardPlan, plan
from hardware.make.circuit import Component, Kind
from hardware.make.field import field
from hardware.make.files import MadeFile, MadeFiles
from hardware.make.hands_page import allowed
from hardware.make.pages import Made, fill, pins_page
from hardware.make.parts import Parts, parts_for
from hardware.make.pcb.project import board_project
from hardware.make.pdf import to_pdf
from hardware.make.places import checkers
from hardware.make.svg import number, to_svg
from hardware.make.wiring_pi import wiring_pi

WIRE_HEAD = ("from", "to")
PART_HEAD = ("part", "value", "from", "to")
HAD = frozenset({"small pi", "small power supply", "card"})
"""What somebody has who has a Raspberry Pi."""
COLOURS = "colours "
"""What stands before a resistor's colours in its article."""


def card_files(made: Made, parts: Parts) -> MadeFiles:
    """A board's files by their names."""
    return dict(_files(made, parts_for(made.board, parts)))


def _files(made: Made, parts: Parts) -> Iterator[tuple[str, MadeFile]]:
    board, circuit, measures = made.board, made.circuit, parts.measures
    planned = plan(board, circuit)
    sheet = drawings.printed(board, measures)
    yield "README.md", _page(made, planned, parts)
    yield "bom.csv", to_csv(made.entries)
    yield "pins.md", pins_page(made)
    yield "pins.csv", tables.to_csv(tables.PI_HEAD, tables.pi_rows(circuit))
    yield "netlist.csv", tables.to_csv(("net", "part", "pin"), tables.netlist_rows(circuit))
    yield "wiring-pi.svg", to_svg(wiring_pi(circuit))
    yield "header.svg", to_svg(header.header(board.name, circuit, planned))
    for name, text in board_project(board.name, circuit, parts.strip):
        yield f"kicad/{name}", text
    yield "breadboard.svg", to_svg(drawings.breadboard(board, circuit, planned))
    yield "sheet.svg", to_svg(sheet)
    yield "sheet.pdf", to_pdf(sheet)
    yield "section.svg", to_svg(drawings.section(board, measures))
    yield "field.svg", to_svg(field(board, parts, made.reached))


def _page(made: Made, planned: BreadboardPlan, parts: Parts) -> str:
    board, measures = made.board, parts.measures
    across = board.spot_diameter - measures.checker_gap
    others = [one for one in made.entries if one.article.kind not in HAD]
    prop = round(drawings.HIGH_MM + measures.glass[1], 1)
    words = {
        "name": board.name,
        "title": board.title,
        "reeds": str(len(board.reeds)),
        "checkers": str(checkers(board)),
        "price": str(total(made.entries)),
        "rest": str(total(others)),
        "strip": number(across),
        "strip_wide": number((across - measures.magnet[0] - drawings.MAGNET_PLAY_MM) / 2),
        "filler": number(drawings.filler(measures)),
        "filler_wide": number(measures.magnet[0] + drawings.MAGNET_PLAY_MM),
        "paper": number(measures.felt),
        "offset": number(made.reached.offset),
        "top": number(measures.top),
        "prop": number(prop),
        "prop_layers": number(prop // measures.top),
        "wire": number(round((measures.leads - measures.glass[0]) / 2, 2)),
        "hanging": f"{2 * measures.leg:.0f}",
        "bend": number(measures.bend),
        "span": number(measures.span),
        "leg": f"{measures.leg:.0f}",
        "magnet": " × ".join(number(length) for length in measures.magnet),
        "reeds_table": tables.markdown(PART_HEAD, _fitted(planned, parts, Kind.REED)),
        "bridges": tables.markdown(WIRE_HEAD, _bridges(planned)),
        "resistors": tables.markdown(PART_HEAD, _fitted(planned, parts, Kind.SERIES, Kind.BUS)),
        "wires": tables.markdown(WIRE_HEAD, _wires(made, planned)),
        "demands": tables.markdown(magnet_page.HEAD, magnet_page.rows(board, made.reached)),
        "verdict": magnet_page.verdict(made.reached),
        "pull_in": number(parts.magnetics.pull_in),
        "shift": number(made.reached.setup.shift),
        **allowed(made.reached, parts.magnetics.pull_in),
    }
    return fill("board-card.md", words)


def _fitted(planned: BreadboardPlan, parts: Parts, *kinds: Kind) -> Iterator[tuple[str, ...]]:
    """Yield a table row for each part of these kinds, with its holes."""
    for fitted in planned.fitted:
        part = fitted.part
        if part.kind in kinds:
            holes = (str(hole) for hole in fitted.holes.values())
            yield (part.ref, _value(part, parts), *holes)


def _value(part: Component, parts: Parts) -> str:
    """A reed's place, or a resistor's value with its colours."""
    if part.kind not in tables.RESISTORS:
        return part.purpose
    colours = parts.articles[part.kind.value].part.partition(COLOURS)[2]
    return f"{tables.RESISTORS[part.kind]}: {colours}"


def _bridges(planned: BreadboardPlan) -> Iterator[tuple[str, str]]:
    return ((str(start), str(end)) for start, end in planned.bridges)


def _wires(made: Made, planned: BreadboardPlan) -> Iterator[tuple[str, str]]:
    for hole, node in planned.wires:
        yield drawings.wire_words(node, made.circuit), str(hole)
