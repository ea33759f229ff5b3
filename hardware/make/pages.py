"""The pages: text from `words/`, figures and tables from the boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import dist
from pathlib import Path
from string import Template

from hardware.make import closeups, hands_page, magnet_page, slips, tables
from hardware.make.assembly import GROUND, LOGIC
from hardware.make.bill import Entry, total
from hardware.make.circuit import Circuit, Component, Kind, Node
from hardware.make.coupon import neighbour, offsets
from hardware.make.hall.wiring import MEGA_GROUND, RAIL
from hardware.make.hands import upside_down
from hardware.make.header import COVERED, GROUND_PIN, SUPPLY_PIN, role
from hardware.make.levels import BUS_RISE_V, OLED_CLAMP_A, levels
from hardware.make.mega import Mega
from hardware.make.parts import Measures, Parts
from hardware.make.pcb.design import StripDesign
from hardware.make.places import checkers
from hardware.make.reach import Reached
from hardware.make.stress import MEGA_CHIP, PI_CHIP, SHORT_MA, Chip, Stress
from hardware.make.support import support
from hardware.make.svg import number
from pi_app.sensing.description import Board, Mount

WORDS = Path(__file__).with_name("words")
BOARD_KINDS = frozenset({"reed", "diode", "mega", "usb", "row wire", "column wire", "plug wires"})
"""What belongs to the electronics below the board, and to nothing else."""
SENSOR_KINDS = frozenset({"reed", "hall switch", "linear sensor"})
HALL_KINDS = frozenset(
    {
        *("hall switch", "capacitor", "regulator", "reservoir", "line resistor"),
        *("pull-down resistor", "hold resistor", "linear sensor", "latch", "strip capacitor"),
        *("strip panel", "strip order", "box header", "pin", "token wire", "ribbon socket"),
        *("ribbon", "strip screws", "perfboard"),
    }
)
"""The same of boards with Hall sensors."""
STRIPS = (
    "\nWith [printed strips](strips/README.md) instead of wires, follow their page in place of "
    "this\nstep and the next two; they need a carrier of their own.\n"
)
PLUGS = "## Plugs between board and controller\n\n"
SUPPORT = (
    "\nThe two halves of the post, slot in slot, go below the board, where the carrier has "
    "a\nsquare: without it the sheets sag under a hand. The shelf goes beside it."
)
SAFETY = frozenset({"series resistor", "bus resistor", "plug", "cover", "sleeve"})
"""Parts that only protect against a wire in a wrong hole."""


@dataclass(frozen=True, slots=True)
class Made:
    """A board with its circuit and its parts list."""

    board: Board
    circuit: Circuit
    entries: tuple[Entry, ...]
    reached: Reached
    tiles: tuple[str, ...]
    strips: tuple[StripDesign, ...] = ()
    without: str = ""
    """Why a board with a matrix has no strips."""


def index(made: Sequence[Made]) -> str:
    """The overview of all boards."""
    lines = []
    for one in made:
        board = one.board
        games = ", ".join(game.title for game in board.games.values())
        size = f"{number(board.size[0])} × {number(board.size[1])} mm"
        page = f"[{board.name}]({board.name}/README.md)"
        lines.append(
            f"| `{board.name}` | {games} | {_sensors(board)} | {size} "
            f"| {total(one.entries)} € | {page} |"
        )
    return fill("index.md", {"boards": "\n".join(lines)})


def _sensors(board: Board) -> str:
    return f"{len(board.reeds)}{' Hall' if board.tells_sides else ''}"


COMPUTER = frozenset(
    {"pi", "small pi", "touchscreen", "power supply", "small power supply", "card"}
)
"""The articles that every board shares, whatever it costs itself."""


def cost(made: Sequence[Made]) -> str:
    """What each board costs."""
    lines = []
    for one in made:
        below = [entry for entry in one.entries if entry.article.kind in BOARD_KINDS | HALL_KINDS]
        reeds = sum(e.price for e in one.entries if e.article.kind in SENSOR_KINDS)
        whole = sum(entry.price for entry in one.entries)
        shared = sum(entry.price for entry in one.entries if entry.article.kind in COMPUTER)
        lines.append(
            f"| `{one.board.name}` | {round(reeds)} € | {total(below)} € | {total(one.entries)} € "
            f"| {round(shared)} €, {100 * shared / whole:.0f} % |"
        )
    safe = [sum(e.price for e in one.entries if e.article.kind in SAFETY) for one in made]
    between = f"{round(min(safe))} to {round(max(safe))} €"
    return fill("cost.md", {"costs": "\n".join(lines), "safe": between})


def hands(made: Sequence[Made], parts: Parts) -> str:
    """What hands may do, and what every board with reeds bears."""
    reeds = [(one.board, one.reached) for one in made if not one.board.tells_sides]
    hall = (one.board for one in made if one.board.tells_sides and one.board.scanner)
    return fill("hands.md", hands_page.figures(reeds, next(hall, None), parts))


def slips_page(made: Sequence[Made], measures: Measures) -> str:
    """The effect of a wire in a wrong hole, and of the resistors on the levels."""
    on_pi = min(made, key=lambda one: len(one.board.sensors))
    matrices = [one for one in made if one.board.scanner and not one.board.tells_sides]
    largest = max(matrices or made, key=lambda one: len(one.board.sensors))
    rows = [
        row
        for one, chip in ((on_pi, PI_CHIP), (largest, MEGA_CHIP))
        if one.circuit.of(Kind.MEGA) or chip is PI_CHIP
        for row in _slip_rows(one, chip)
    ]
    touched = slips.touched(on_pi.circuit, PI_CHIP)
    return fill(
        "slips.md",
        {
            "slips": tables.markdown(SLIP_HEAD, rows),
            "touched": f"{touched.clamp:.1f}",
            "oled": f"{1000 * OLED_CLAMP_A:.1f}",
            "bus": f"{BUS_RISE_V:.1f}",
            "levels": tables.markdown(LEVEL_HEAD, _level_rows(matrices, measures)),
        },
    )


SLIP_HEAD = ("board", "wire", "in the hole", "with the resistors", "without")
LEVEL_HEAD = ("board", "low level", "must be below", "high again after")


def _slip_rows(one: Made, chip: Chip) -> Iterator[tuple[str, ...]]:
    bare = slips.bare(one.circuit)
    ever = slips.worst(one.circuit, slips.Slip(chip, "none", {}))
    for slip in slips.examples(one.circuit, chip):
        assert slip.single is not None
        own, hole = slip.single
        held, loose = slips.worst(one.circuit, slip), slips.worst(bare, slip)
        into = hole if chip is MEGA_CHIP else f"{hole}: {role(int(hole))}"
        yield (
            *(f"`{one.board.name}`", _wire_name(one.circuit, chip, own), into),
            *(_milliamperes(stress, chip, ever) for stress in (held, loose)),
        )


def _wire_name(circuit: Circuit, chip: Chip, own: str) -> str:
    net = circuit.net_of(Node(chip.ref, own))
    if net.name in (GROUND, LOGIC):
        return "ground" if net.name == GROUND else "3.3 V"
    last = tables.chain_from(circuit, net)[-1]
    if chip is MEGA_CHIP:
        row = last.kind is Kind.DIODE
        return net.name.lower().replace("row", "row ") if row else f"column at {own}"
    return f"OLED {net.name}" if last.kind is Kind.OLED else last.purpose


def _milliamperes(stress: Stress, chip: Chip, ever: Stress) -> str:
    """The worst current of a slip; bold where it is more than the part bears."""
    most = max(stress.pin, stress.clamp)
    if stress.supply > SHORT_MA:
        words = "a short circuit"
    elif most <= 1.01 * ever.pin:
        words = f"{most:.1f} mA, as without a slip"
    else:
        words = f"{most:.1f} mA"
    return f"**{words}**" if stress.harms(chip) else words


def _level_rows(made: Sequence[Made], measures: Measures) -> Iterator[tuple[str, ...]]:
    for one in made:
        found = levels(one.board, measures)
        yield (
            *(f"`{one.board.name}`", f"{found.low:.2f} V", f"{found.threshold:.1f} V"),
            f"{found.settle_us:.1f} µs",
        )


def board_page(made: Made, mega: Mega, parts: Parts) -> str:
    """A board's own page, step by step."""
    board, measures = made.board, parts.measures
    felt = [reed for place in board.places for reed in place.reeds]
    far = max(felt, key=lambda reed: dist(reed.at, felt[0].at))
    near = neighbour(board, measures)
    words = {
        "name": board.name,
        "title": board.title,
        "size": f"{number(board.size[0])} × {number(board.size[1])}",
        "reeds": str(len(felt)),
        "checkers": str(checkers(board)),
        "price": str(total(made.entries)),
        "top": number(measures.top),
        "carrier": number(measures.carrier),
        "below": number(measures.below),
        "frame": number(measures.frame),
        "kerf": number(measures.kerf),
        "bend": number(measures.bend),
        "slot": f"{measures.slot[0]:.1f}",
        "straight": number(measures.leads),
        "leg": number(measures.leg),
        "leg_below": f"{measures.leg - measures.carrier + measures.glass[1] / 2:.1f}",
        "neighbour": number(near.apart),
        "which_way": " along the reed" if near.along else "",
        "coupon_table": _coupon_table(board, measures),
        "offset": number(made.reached.offset),
        "shift": number(made.reached.setup.shift),
        "rim": number(measures.rim),
        "rail_deep": number(measures.rim + measures.top + measures.carrier),
        "support": SUPPORT if support(board, measures) else "",
        "flipped": f"{upside_down(made.reached, parts):.0f}",
        "discs": _counted(measures.checker_layers - 1),
        "tiles": _tiles(made.tiles),
        "magnets": magnet_page.section(board, parts, made.reached),
        "first": felt[0].name,
        "far": far.name,
        "last": felt[-1].name,
        "span": f"{dist(far.at, felt[0].at):.1f}",
        "pi_table": tables.markdown(tables.PI_HEAD, tables.pi_rows(made.circuit)),
        "plugs": plugs_of(made.circuit),
        "ground_pin": str(GROUND_PIN),
        "supply_pin": str(SUPPLY_PIN),
        "covered": ", ".join(map(str, COVERED[:-1])) + f" and {COVERED[-1]}",
    }
    if board.scanner is None:
        return fill("board-pi.md", words)
    words |= {
        "rows": str(board.scanner.rows),
        "columns": str(board.scanner.columns),
        "corners": _corners(board),
        "strips": STRIPS if made.strips else "",
        "row0": mega.rows[0].printed,
        "column0": mega.columns[0].printed,
        "lines_table": tables.markdown(
            tables.LINE_HEAD, tables.line_rows(board, mega, made.circuit)
        ),
    }
    return fill("board-matrix.md", words)


def _coupon_table(board: Board, measures: Measures) -> str:
    """A table to fill in: a row for each offset, a column for each test."""
    head = (
        "offset",
        "1 cover",
        "2 covers",
        "3 covers",
        "to the left",
        "to the right",
        "up",
        "down",
    )
    rows = [
        (f"{number(offset)} mm", *([" "] * (len(head) - 1))) for offset in offsets(board, measures)
    ]
    return tables.markdown(head, rows)


def plugs_of(circuit: Circuit) -> str:
    """Each plug, its ways and what goes through it."""
    rows = [
        (part.ref, str(len(part.leads)), part.purpose, _through(circuit, part))
        for part in circuit.of(Kind.PLUG)
    ]
    return tables.markdown(("plug", "ways", "for", "way 1 …"), rows)


def _through(circuit: Circuit, plug: Component) -> str:
    """Return what goes through each way of a plug, in order."""
    names = []
    for lead in plug.leads:
        if lead.name in plug.free:
            continue
        net = circuit.net_of(Node(plug.ref, lead.name))
        parts = [circuit.component(node.ref) for node in net.nodes]
        ends = [part for part in parts if part.kind in (Kind.REED, Kind.LED, Kind.SWITCH)]
        if net.name.startswith(("ROW", "COL")):
            names.append(net.name[3:])
        elif net.name in (GROUND, MEGA_GROUND):
            names.append("ground")
        elif net.name in (LOGIC, RAIL):
            names.append("3.3 V")
        else:
            names.append(ends[0].purpose.split()[-1] if ends else net.name.split("-")[-1])
    return ", ".join(names)


def pins_page(made: Made, mega: Mega | None = None) -> str:
    """Return the page that lists a board's pins."""
    drawings, matrix = "[the header](wiring-pi.svg)", ""
    if made.board.mount is Mount.CARD:
        drawings += ", [the breadboard](breadboard.svg)"
    if mega and made.circuit.of(Kind.MEGA):
        drawings += ", [the matrix](wiring-matrix.svg)"
        rows = tables.line_rows(made.board, mega, made.circuit)
        lines = tables.markdown(tables.LINE_HEAD, rows)
        reeds = tables.markdown(tables.REED_HEAD, tables.reed_rows(made.board, mega))
        matrix = (
            f"\n## Rows and columns on the Arduino Mega\n\n{lines}\n\n"
            f"## Every reed and its diode\n\n{reeds}\n"
        )
    words = {
        "name": made.board.name,
        "title": made.board.title,
        "drawings": drawings,
        "pi_table": tables.markdown(tables.PI_HEAD, tables.pi_rows(made.circuit)),
        "plugs": PLUGS + plugs_of(made.circuit) if made.circuit.of(Kind.PLUG) else "",
        "matrix": matrix,
    }
    return fill("pins.md", words).rstrip("\n") + "\n"


def _counted(number_: int) -> str:
    return {1: "one disc", 2: "two discs", 3: "three discs"}.get(number_, f"{number_} discs")


def _tiles(names: Sequence[str]) -> str:
    """Say where the A3 sheets of a large template are."""
    if not names:
        return ""
    links = ", ".join(
        f"[{sheet}-{name}](tiles/{sheet}-{name}.svg)"
        for sheet in ("top", "carrier")
        for name in names
    )
    return (
        f"\n\nOn sheets of A3: {links}. Cut each along the green seams, lay half circle to half "
        "circle, and measure the whole before you drill."
    )


def _corners(board: Board) -> str:
    """Three places for the test for ghosts, as words."""
    found = closeups.corners(board)
    return f"{found[0]}, {found[1]} and {found[2]}" if found else "three corners"


def fill(name: str, words: Mapping[str, str]) -> str:
    """A page's text with its figures. Raises KeyError for a missing figure."""
    return Template((WORDS / name).read_text(encoding="utf-8")).substitute(words)
