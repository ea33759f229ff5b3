"""The parts list of a board, counted from its circuit and its geometry."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from hardware.make.assembly import GROUND, LOGIC, MEGA, PI
from hardware.make.circuit import Circuit, Kind
from hardware.make.frame import MEGA_HOLES, board_frame, stand
from hardware.make.header import COVERED
from hardware.make.panel import clip_holes, holder, panel_size
from hardware.make.parts import Article, Measures, Parts
from hardware.make.places import checkers, lights, screws, screws_of
from hardware.make.routes import LEAD_MM, SPARE, routes
from hardware.make.support import sags
from hardware.make.tables import RESISTORS
from pi_app.sensing.description import Board, Mount

SPARE_SHARE = 10
"""One spare for ten parts that break or get lost."""
SPARED = frozenset(
    {
        *("reed", "diode", "magnet", "led", "resistor", "series resistor", "bus resistor"),
        *("socket wires", "plug wires", "screws", "nuts", "felt"),
        *("hall switch", "linear sensor", "latch", "strip capacitor", "capacitor"),
        *("strip diode", "own wires", "ribbon socket", "strip screws"),
        *("jumper wires", "plug jumpers", "small discs"),
    }
)
METRE, SQUARE_METRE = "m", "m²"
SLEEVE_M, STRIP_M = 0.03, 0.5
REEDS_A_STICK = 30
TERMINAL_WAYS = 5
ELSEWHERE = frozenset(
    {Kind.REED, Kind.LED, Kind.TOUCHSCREEN, Kind.FLYBACK, Kind.SWITCH, Kind.CAPACITOR}
)
"""Parts whose ground or supply does not come to a terminal."""
SMALLER = {Kind.PI: "small pi", Kind.OLED: "small oled", Kind.BUTTON: "small button"}
"""What a board of card takes instead."""
HEAD = (
    *("reference", "needed", "spare", "quantity", "unit", "value", "part", "alternates"),
    *("notes", "price each", "price", "part checked against", "price checked against"),
    *("maker's number", "LCSC number", "check before ordering"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list; `needed` in pieces, metres or square metres."""

    reference: str
    article: Article
    needed: float
    unit: str = "piece"

    @property
    def spare(self) -> int:
        """How many to buy besides those needed: a tenth of small parts, rounded up."""
        return ceil(self.needed / SPARE_SHARE) if self.article.kind in SPARED else 0

    @property
    def quantity(self) -> float:
        """How many to buy, with spares; wire in whole metres."""
        return ceil(self.needed) if self.unit == METRE else self.needed + self.spare

    @property
    def price(self) -> float:
        """The rough price of the quantity, in euros."""
        return self.quantity * self.article.price


def bill(board: Board, circuit: Circuit, parts: Parts) -> tuple[Entry, ...]:
    """Return a board's bill of materials: one entry for each article."""
    entries = _on_card if board.mount is Mount.CARD else _entries
    return tuple(entries(board, circuit, parts))


def to_csv(entries: Sequence[Entry]) -> str:
    """The list as CSV text."""
    rows = [HEAD]
    for entry in entries:
        article = entry.article
        rows.append(
            (
                *(entry.reference, _amount(entry.needed), str(entry.spare)),
                *(_amount(entry.quantity), entry.unit, article.value, article.part),
                *(article.alternates, article.notes, f"{article.price:.2f}", f"{entry.price:.2f}"),
                *(article.checked, article.price_checked, article.order, article.lcsc),
                article.first,
            )
        )
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def total(entries: Sequence[Entry]) -> int:
    """Return what all entries cost together, in euros, rounded to ten."""
    return round(sum(entry.price for entry in entries) / 10) * 10


def _entries(board: Board, circuit: Circuit, parts: Parts) -> Iterator[Entry]:
    article = parts.articles
    for kind in Kind:
        if kind is Kind.PLUG:
            yield from _plugs(circuit, article["plug"])
            continue
        found = [part.ref for part in circuit.of(kind)]
        if found and kind is not Kind.STRIP:
            yield Entry(_range(found), article[kind.value], len(found))
    yield Entry("PS1", article["power supply"], 1)
    yield Entry("SD1", article["card"], 1)
    yield Entry("LS1", article["loudspeaker"], 1)
    if circuit.of(Kind.MEGA):
        yield Entry("W1", article["usb"], 1)
    yield Entry("M", article["magnet"], checkers(board))
    yield from _wires(board, circuit, parts)
    yield from _sheets(board, circuit, parts)
    yield from _fixings(board, circuit, parts)


def _on_card(board: Board, circuit: Circuit, parts: Parts) -> Iterator[Entry]:
    """Yield what a board of card takes: no wood, no solder, a small Pi and no touchscreen."""
    article = parts.articles
    for kind in Kind:
        if found := [part.ref for part in circuit.of(kind)]:
            yield Entry(_range(found), article[SMALLER.get(kind, kind.value)], len(found))
    yield Entry("PS1", article["small power supply"], 1)
    yield Entry("SD1", article["card"], 1)
    yield Entry("M", article["magnet"], checkers(board))
    at_pi = sum(node.ref == PI for net in circuit.nets for node in net.nodes)
    at_oled = sum(len(part.leads) for part in circuit.of(Kind.OLED))
    yield Entry("W1", article["jumper wires"], at_pi + at_oled)
    yield Entry("W2", article["plug jumpers"], 2 * len(circuit.of(Kind.BUTTON)))
    yield Entry("W3", article["flat jumpers"], 1)
    yield Entry("X1", article["breadboard"], 1)
    yield Entry("X2", article["button breadboard"], 1)
    yield Entry("B1", article["sheet card"], 2)
    discs = article["small discs"]
    across = board.spot_diameter - parts.measures.checker_gap
    discs = replace(discs, value=discs.value.format(size=across))
    yield Entry("B2", discs, 2 * checkers(board))
    yield Entry("B3", article["filler card"], 1)
    yield Entry("G1", article["stick glue"], 1)
    yield Entry("G2", article["metal glue"], 1)


def _plugs(circuit: Circuit, article: Article) -> Iterator[Entry]:
    """Yield one entry for each size of plug, by its number of ways."""
    for ways in sorted({len(part.leads) for part in circuit.of(Kind.PLUG)}):
        refs = [part.ref for part in circuit.of(Kind.PLUG) if len(part.leads) == ways]
        value, name = article.value.format(ways=ways), article.part.format(ways=ways)
        yield Entry(", ".join(refs), replace(article, value=value, part=name), len(refs))


def _wires(board: Board, circuit: Circuit, parts: Parts) -> Iterator[Entry]:
    article = parts.articles
    pins = [node for net in circuit.nets for node in net.nodes]
    at_pi = [node for node in pins if node.ref == PI and int(node.lead) not in COVERED]
    to_oled = len(circuit.of(Kind.OLED)) * 4
    yield Entry("W2", article["socket wires"], len(at_pi) + to_oled)
    if to_mega := sum(node.ref == MEGA for node in pins):
        yield Entry("W3", article["plug wires"], to_mega)
    bare, insulated = _lengths(board, parts.measures)
    if bare:
        yield Entry("W4", article["row wire"], bare, METRE)
        yield Entry("W5", article["column wire"], insulated, METRE)
    resistors = sum(len(circuit.of(kind)) for kind in RESISTORS)
    yield Entry("W6", article["sleeve"], resistors * SLEEVE_M, METRE)
    yield Entry("X", article["terminal"], _terminals(circuit))
    yield Entry("X0", article["cover"], 1)


def _lengths(board: Board, measures: Measures) -> tuple[float, float]:
    """Metres of bare wire and of insulated wire below a board; none below strips."""
    if not board.tells_sides:
        runs = routes(board, measures)
        return runs.bare_m, runs.insulated_m
    if board.scanner:
        return 0.0, 0.0
    rail = 2 * board.size[0]
    singles = sum(reed.at[1] + LEAD_MM for reed in board.reeds for _ in reed.sensors)
    lit = sum(at[1] + LEAD_MM for _, at in lights(board, measures))
    return SPARE * rail / 1000, SPARE * (singles + lit + 2 * LEAD_MM) / 1000


def _terminals(circuit: Circuit) -> int:
    """Return how many lever terminals join the wires of ground and of 3.3 V.

    Wires that meet below the board or on a part need none. Where terminals are joined, each link
    takes a way of both.
    """
    count = 0
    for name in (GROUND, LOGIC):
        nodes = [node for net in circuit.nets if net.name == name for node in net.nodes]
        ends = [
            node
            for node in nodes
            if circuit.component(node.ref).kind not in ELSEWHERE
            and not (node.ref == PI and int(node.lead) in COVERED)
        ]
        if len(ends) > 1:
            count += max(1, ceil((len(ends) - 2) / (TERMINAL_WAYS - 2)))
    return count


def _sheets(board: Board, circuit: Circuit, parts: Parts) -> Iterator[Entry]:
    article, measures = parts.articles, parts.measures
    area = board.size[0] * board.size[1] / 1e6
    yield Entry("B1", article["top sheet"], area, SQUARE_METRE)
    yield Entry("B2", article["carrier sheet"], area, SQUARE_METRE)
    across = board.spot_diameter - measures.checker_gap
    disc = (across + 4) ** 2 / 1e6
    wood = measures.checker_layers * disc * checkers(board)
    yield Entry("B3", article["checker wood"], wood, SQUARE_METRE)
    panel = panel_size(measures)
    sheets = (panel, holder(measures).size)
    yield Entry("B4", article["panel sheet"], sum(x * y for x, y in sheets) / 1e6, SQUARE_METRE)
    shelf = bool(circuit.of(Kind.MEGA))
    post = sags(board)
    frames = (board_frame(board.size, measures, shelf, post).size, stand(panel, measures).size)
    yield Entry("B5", article["frame wood"], sum(x * y for x, y in frames) / 1e6, SQUARE_METRE)
    felt = replace(article["felt"], value=article["felt"].value.format(size=across))
    yield Entry("F1", felt, checkers(board))
    yield Entry("F2", article["felt strip"], STRIP_M, METRE)


def _fixings(board: Board, circuit: Circuit, parts: Parts) -> Iterator[Entry]:
    article, measures = parts.articles, parts.measures
    plain = len(list(_screws(board, measures)))
    at_mega = len(MEGA_HOLES) * len(circuit.of(Kind.MEGA))
    yield Entry("H1", article["screws"], plain + at_mega)
    yield Entry("H2", article["nuts"], plain + 2 * at_mega)
    yield Entry("H3", article["feet"], 9 if sags(board) else 8)
    yield Entry("H4", article["oled screws"], 4 * len(circuit.of(Kind.OLED)))
    yield Entry("H5", article["cable ties"], 4)
    yield Entry("E1", article["solder"], 1)
    yield Entry("G3", article["spray glue"], 1)
    yield Entry("G1", article["wood glue"], 1)
    held = sum(len(circuit.of(kind)) for kind in (Kind.LED, Kind.REED, Kind.SWITCH))
    sticks = ceil(held / REEDS_A_STICK)
    yield Entry("G2", article["hot glue"], sticks)


def _screws(board: Board, measures: Measures) -> Iterator[object]:
    """Yield the screws of the board, of the front panel and of its clips."""
    yield from screws(board, measures)
    yield from screws_of(panel_size(measures), measures)
    yield from clip_holes(measures)


def _range(refs: Sequence[str]) -> str:
    return refs[0] if len(refs) == 1 else f"{refs[0]}-{refs[-1]}"


def _amount(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.3f}"
