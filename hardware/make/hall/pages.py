"""The pages of boards with Hall sensors, and their files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from string import Template

from hardware.make import common, magnet_page, slips, tables
from hardware.make.assembly import MEGA
from hardware.make.bill import Entry, total
from hardware.make.bill import to_csv as bill_csv
from hardware.make.circuit import Circuit, Kind, Node
from hardware.make.files import MadeFile, MadeFiles
from hardware.make.hall import drawings
from hardware.make.hall.bill import STRIP_KINDS, ribbon_m
from hardware.make.hall.demands import HallSetup, hall_setup
from hardware.make.hall.strip import (
    CAPACITOR,
    CLEAR,
    CLOCK,
    COLUMNS,
    GROUND,
    HEADER_PART,
    HOLD_RESISTOR,
    LATCH_PART,
    SENSOR,
    SUPPLY,
    TOKEN,
    HallDesign,
    hall_designs,
)
from hardware.make.hall.template import carrier_holes, coupon, post_of, strip_name
from hardware.make.hall.wiring import DRIVEN, REFERENCE, SENSED
from hardware.make.pages import PLUGS, SUPPORT, Made, plugs_of
from hardware.make.parts import Parts, parts_for
from hardware.make.pcb.order import order_files
from hardware.make.pcb.panels import StripPanel, panel_of
from hardware.make.pcb.project import board_project
from hardware.make.pcb.schematic import PinKind, PinUse
from hardware.make.places import checkers
from hardware.make.reach import STOREYS, MagnetRule
from hardware.make.shapes import PointMm
from hardware.make.sheets import sheet
from hardware.make.stress import MEGA_CHIP
from hardware.make.svg import number, to_svg
from hardware.make.templates import template_files
from hardware.make.wiring_pi import wiring_pi
from pi_app.sensing.description import Board

WORDS = Path(__file__).parent.parent / "words"
MILLIVOLTS = 15.0
"""What a linear sensor gives for a millitesla, at 3.3 V."""
COUNT_MT = 3300 / 1024 / MILLIVOLTS
"""The millitesla of one count: of 3.3 V in 1024 parts."""
REST_COUNTS = 19
"""So far from the middle of the converter's range a sensor at rest may lie: the firmware's."""
ORDERED = {
    SENSOR: "linear sensor",
    LATCH_PART: "latch",
    CAPACITOR: "strip capacitor",
    HOLD_RESISTOR: "strip resistor",
}
USES = {
    SENSOR: (
        PinUse("VCC", PinKind.SUPPLIED),
        PinUse("GND", PinKind.SUPPLIED),
        PinUse("EN", PinKind.INPUT),
        PinUse("OUT", PinKind.TRI_STATE),
        PinUse("GND"),
    ),
    LATCH_PART: (
        PinUse("CLK", PinKind.INPUT),
        PinUse("GND", PinKind.SUPPLIED),
        PinUse("D", PinKind.INPUT),
        PinUse("Q", PinKind.OUTPUT),
        PinUse("VCC", PinKind.SUPPLIED),
        PinUse("CLR", PinKind.INPUT),
    ),
    HEADER_PART: (
        PinUse(SUPPLY, PinKind.SOURCE),
        PinUse(GROUND, PinKind.SOURCE),
        PinUse(CLOCK, PinKind.OUTPUT),
        PinUse(GROUND),
        PinUse(CLEAR, PinKind.OUTPUT),
        *(PinUse(name, PinKind.INPUT) for name in COLUMNS),
    ),
}
"""What the pins of a strip's parts do; those of its header, for what the ribbon brings."""
MEGA_HEAD = ("line", "Mega", "in its wire")
SLIP_HEAD = ("wire", "at a pin", "at its diodes", "from a supply")
WORST_SLIPS = 5


def hall_files(made: Made, parts: Parts) -> MadeFiles:
    """A board's files by their names."""
    return dict(_files(made, parts))


def _files(made: Made, parts: Parts) -> Iterator[tuple[str, MadeFile]]:
    board, circuit = made.board, made.circuit
    own = parts_for(board, parts)
    measures = own.measures
    designs = hall_designs(board, parts.strip) if board.scanner else ()
    post = post_of(board, measures, designs)
    yield "README.md", _page(made, parts, designs, post)
    yield "bom.csv", bill_csv(made.entries)
    yield "pins.md", _pins(made)
    yield "pins.csv", tables.to_csv(tables.PI_HEAD, tables.pi_rows(circuit))
    yield "netlist.csv", tables.to_csv(("net", "part", "pin"), tables.netlist_rows(circuit))
    yield "wiring-pi.svg", to_svg(wiring_pi(circuit))
    for name, text in board_project(board.name, circuit, parts.strip):
        yield f"kicad/{name}", text
    yield "section.svg", to_svg(drawings.section(board, own))
    yield "field.svg", to_svg(drawings.field_graph(board, parts))
    yield "underside.svg", to_svg(drawings.underside(board, measures, designs, post))
    if designs:
        yield "wiring-strips.svg", to_svg(drawings.wiring_strips(board))
        yield "mega.svg", to_svg(drawings.mega_holes(board))
        size, shapes = common.checker_sheet(measures), common.checker(board.spot_diameter, measures)
        yield from sheet("checker", f"{board.name}: one checker", size, shapes, measures)
        for name, file in _strip_files(made, own, designs):
            yield f"strips/{name}", file
    carrier = carrier_holes(board, measures, designs, post)
    tried = coupon(board, measures, designs)
    yield from template_files(board, measures, carrier, tried, post is not None)


def _strip_files(
    made: Made, parts: Parts, designs: Sequence[HallDesign]
) -> Iterator[tuple[str, MadeFile]]:
    name = made.board.name
    whole = panel_of(name, designs, parts.strip)
    yield "order.md", _order(made, parts, designs, whole)
    yield from order_files(name, whole, parts, ORDERED, USES)


def _page(made: Made, parts: Parts, designs: Sequence[HallDesign], post: PointMm | None) -> str:
    board = made.board
    own = parts_for(board, parts)
    measures, found = own.measures, hall_setup(board, parts)
    shift = found.setup.shift + found.creep
    operate = nominal(found.hall.operate)
    words = {
        "name": board.name,
        "title": board.title,
        "size": f"{number(board.size[0])} × {number(board.size[1])}",
        "places": str(len(board.reeds)),
        "checkers": str(checkers(board)),
        "across": number(found.setup.diameter),
        "price": str(total(made.entries)),
        "top": number(measures.top),
        "carrier": number(measures.carrier),
        "frame": number(measures.frame),
        "reach": number(round(found.reach(), 1)),
        "lobe": f"{found.lobe:.1f}" if not designs else _millivolts(found.lobe),
        "shift": number(round(shift, 2)),
        "plugs": plugs_of(made.circuit),
        "pi_table": tables.markdown(tables.PI_HEAD, tables.pi_rows(made.circuit)),
        "magnets": _magnets(board, parts, made, found),
    }
    if not designs:
        return _fill("hall-pi.md", words)
    rows = list(_slip_rows(made.circuit))
    words |= {
        "support": SUPPORT if post else "",
        "mega_table": tables.markdown(MEGA_HEAD, _mega_rows(made.circuit)),
        "rest": f"{REST_COUNTS * 3300 / 1024:.0f}",
        "own": _millivolts(made.reached.middle * found.hall.operate[0] / operate),
        "operate": _millivolts(operate),
        "others": _millivolts(made.reached.of(MagnetRule.ALL).value),
        "drift": _millivolts(found.hall.drift),
        "screw": number(parts.strip.screw_length(measures.carrier)),
        "column": number(5 * board.spot_diameter),
        "tiles": _tiles(made.tiles),
        "table": tables.markdown(("strip", "row", "places"), _strip_rows(designs)),
        "ribbon": f"{ribbon_m(designs):.1f}",
        "slips": _said(rows),
        "slips_table": tables.markdown(SLIP_HEAD, [row for _, row in rows[:WORST_SLIPS]]),
    }
    return _fill("hall-strips.md", words)


def _magnets(board: Board, parts: Parts, made: Made, found: HallSetup) -> str:
    measures = parts_for(board, parts).measures
    half = replace(found.weakest, remanence=found.weakest.remanence / 2)
    creep = f", and {number(found.creep)} mm more where they touch" if found.creep else ""
    words = {
        "magnet": " × ".join(number(length) for length in measures.magnet),
        "checker": f"{number(found.setup.diameter)} × {number(measures.checker_height)}",
        "operate": number(found.hall.operate[1]),
        "release": number(found.hall.release[0]),
        "shift": number(found.setup.shift),
        "creep": creep,
        "storeys": str(STOREYS),
        "wood": number(found.setup.wood),
        "demands": tables.markdown(magnet_page.HEAD, magnet_page.rows(board, made.reached)),
        "verdict": magnet_page.verdict(made.reached),
        "middle": f"{made.reached.middle:.1f}",
        "least": f"{made.reached.least:.1f}",
        "most": f"{made.reached.most:.1f}",
        "reach": number(round(found.reach(), 1)),
        "half": number(round(found.reach(half), 1)),
    }
    return _fill("hall-magnets.md", words).rstrip("\n")


def nominal(bounds: PointMm) -> float:
    """Return the value between the needs of the most and the least sensitive sensor; both differ
    from it by the same share."""
    return 2 / (1 / bounds[0] + 1 / bounds[1])


def _millivolts(field: float) -> str:
    return f"{MILLIVOLTS * field:.0f}"


def _mega_rows(circuit: Circuit) -> Iterator[tuple[str, ...]]:
    """Return a table row for each wire of the Mega, with what is in it."""
    driven = {TOKEN: "token, out", CLOCK: "clock", CLEAR: "clear"}
    lines = {
        "5V": "5 V, for the regulator",
        "GND": "ground",
        REFERENCE: "the converter's reference",
    }
    lines |= {printed: driven[name] for name, printed in DRIVEN.items()}
    for name, printed in SENSED.items():
        lines[printed] = f"column {name[1:]}" if name in COLUMNS else "token, back"
    for printed, what in lines.items():
        net = circuit.net_of(Node(MEGA, printed))
        parts = (circuit.component(node.ref) for node in net.nodes)
        through = next(
            (
                f"{tables.RESISTORS[part.kind]} ({part.ref})"
                for part in parts
                if part.kind in (Kind.LINE, Kind.SERIES)
            ),
            "",
        )
        yield what, printed, through


def _slip_rows(circuit: Circuit) -> Iterator[tuple[bool, tuple[str, ...]]]:
    """Return a table row for each possible wrong wire at the Mega, the worst first: its currents,
    and whether they do harm."""
    found = [(slip, slips.worst(circuit, slip)) for slip in slips.slips(circuit, MEGA_CHIP)]
    found.sort(key=lambda pair: (-pair[1].pin, -pair[1].supply, pair[0].words))
    for slip, worst in found:
        cells = (f"{value:.1f} mA" for value in (worst.pin, worst.clamp, worst.supply))
        yield worst.harms(MEGA_CHIP), (slip.words, *cells)


def _said(rows: Sequence[tuple[bool, tuple[str, ...]]]) -> str:
    harmful = sum(harms for harms, _ in rows)
    return f"of {len(rows)} slips at the Mega {harmful or 'none'} exceed what a pin bears"


def _strip_rows(designs: Sequence[HallDesign]) -> Iterator[tuple[str, ...]]:
    strips = [(strip, design) for design in designs for strip in design.strips]
    for strip, design in sorted(strips, key=lambda pair: pair[0].own):
        names = " ".join(str(reed.name) for reed in strip.reeds)
        yield f"{strip_name(strip)} (`{design.name}`)", str(strip.own), names


def _tiles(names: Sequence[str]) -> str:
    links = ", ".join(
        f"[{sheet}-{name}](tiles/{sheet}-{name}.svg)"
        for sheet in ("top", "carrier")
        for name in names
    )
    return f"\n\nOn sheets of A3: {links}." if names else ""


def _pins(made: Made) -> str:
    words = {
        "name": made.board.name,
        "title": made.board.title,
        "drawings": "[the header](wiring-pi.svg)",
        "pi_table": tables.markdown(tables.PI_HEAD, tables.pi_rows(made.circuit)),
        "plugs": PLUGS + plugs_of(made.circuit),
        "matrix": "",
    }
    if made.board.scanner:
        words["drawings"] += ", [the strips](wiring-strips.svg)"
        lines = tables.markdown(MEGA_HEAD, _mega_rows(made.circuit))
        words["matrix"] = f"\n## On the Arduino Mega\n\n{lines}\n"
    return _fill("pins.md", words).rstrip("\n") + "\n"


def _order(made: Made, parts: Parts, designs: Sequence[HallDesign], whole: StripPanel) -> str:
    wide, high = whole.artwork.size
    strip = parts.strip
    prices: dict[str, Entry] = {entry.article.kind: entry for entry in made.entries}
    values = [body.value for body in whole.artwork.bodies if body.smd]
    placed = STRIP_KINDS - {"strip panel", "strip order"}
    words = {
        "name": made.board.name,
        "size": f"{number(wide)} × {number(high)} mm",
        "kinds": str(len(whole.counts)),
        "strips": " and ".join(f"{count} × `{one.name}`" for one, count in whole.counts),
        "panels": str(strip.panels),
        "needed": " and ".join(f"{len(one.strips)} × `{one.name}`" for one in designs),
        "thickness": number(strip.thickness),
        "track": number(strip.track),
        "gap": number(strip.clearance),
        "drill": number(strip.via[1]),
        "scores": ", ".join(number(height) for height in whole.artwork.scores),
        "sensors": str(values.count(SENSOR)),
        "latches": str(values.count(LATCH_PART)),
        "capacitors": str(values.count(CAPACITOR)),
        "boards": f"{prices['strip panel'].price:.0f}",
        "order": f"{prices['strip order'].price:.0f}",
        "parts": f"{sum(prices[kind].price for kind in placed):.0f}",
        "pictures": "\n\n".join(f"![{d.name}: both sides]({d.name}.svg)" for d in designs),
    }
    return _fill("hall-order.md", words)


def _fill(name: str, words: Mapping[str, str]) -> str:
    return Template((WORDS / name).read_text(encoding="utf-8")).substitute(words)
