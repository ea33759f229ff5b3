"""The parts list of a board: how many of what, counted from its circuit and its geometry."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from hardware.make.circuit import Circuit, Kind
from hardware.make.parts import Article, Parts
from hardware.make.places import screws
from hardware.make.routes import routes
from hardware.make.wiring import MEGA, PI
from pi_app.sensing.description import Board

SPARE_SHARE = 10
"""One spare for every ten of what breaks or goes astray."""
SPARED = frozenset({"reed", "diode", "magnet", "led", "resistor", "socket wires", "plug wires"})
METRE, SQUARE_METRE = "m", "m²"
HEAD = (
    *("reference", "needed", "spare", "quantity", "unit", "value", "part", "alternates"),
    *("notes", "price each", "price"),
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
        """A tenth more of small parts, rounded up."""
        return ceil(self.needed / SPARE_SHARE) if self.article.kind in SPARED else 0

    @property
    def quantity(self) -> float:
        """What to buy: wire by whole metres."""
        return ceil(self.needed) if self.unit == METRE else self.needed + self.spare

    @property
    def price(self) -> float:
        """Roughly what it costs, in euros."""
        return self.quantity * self.article.price


def checkers(board: Board) -> int:
    """How many checkers the board's games need, both sides together."""
    return 2 * max(game.checkers_a_side for game in board.games.values())


def bill(board: Board, circuit: Circuit, parts: Parts) -> tuple[Entry, ...]:
    """Every line of a board's list."""
    return tuple(_entries(board, circuit, parts))


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
            )
        )
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def total(entries: Sequence[Entry]) -> int:
    """Roughly what everything costs, to ten euros."""
    return round(sum(entry.price for entry in entries) / 10) * 10


def _entries(board: Board, circuit: Circuit, parts: Parts) -> Iterator[Entry]:
    article = parts.articles
    for kind in Kind:
        found = [part.ref for part in circuit.of(kind)]
        if found:
            yield Entry(_range(found), article[kind.value], len(found))
    if circuit.of(Kind.MEGA):
        yield Entry("W1", article["usb"], 1)
    yield Entry("M", article["magnet"], checkers(board))
    yield Entry("A1", article["touchscreen"], 1)
    yield from _wires(board, circuit, parts)
    yield from _sheets(board, parts)


def _wires(board: Board, circuit: Circuit, parts: Parts) -> Iterator[Entry]:
    article = parts.articles
    pins = [node for net in circuit.nets for node in net.nodes if net.name != "GND"]
    grounded = [part for part in circuit.components if part.kind is not Kind.PI]
    to_pi = sum(node.ref == PI for node in pins) + min(len(grounded), 3)
    yield Entry("W2", article["socket wires"], to_pi)
    if to_mega := sum(node.ref == MEGA for node in pins):
        yield Entry("W3", article["plug wires"], to_mega)
    runs = routes(board, parts.measures)
    yield Entry("W4", article["row wire"], runs.bare_m, METRE)
    yield Entry("W5", article["column wire"], runs.insulated_m, METRE)


def _sheets(board: Board, parts: Parts) -> Iterator[Entry]:
    article, measures = parts.articles, parts.measures
    area = board.size[0] * board.size[1] / 1e6
    yield Entry("B1", article["top sheet"], area, SQUARE_METRE)
    yield Entry("B2", article["carrier sheet"], area, SQUARE_METRE)
    disc = (board.spot_diameter - measures.checker_gap + 4) ** 2 / 1e6
    wood = measures.checker_layers * disc * checkers(board)
    yield Entry("B3", article["checker wood"], wood, SQUARE_METRE)
    yield Entry("B4", article["felt"], disc * checkers(board), SQUARE_METRE)
    yield Entry("B5", article["screws"], len(list(screws(board, measures))))


def _range(refs: Sequence[str]) -> str:
    return refs[0] if len(refs) == 1 else f"{refs[0]}-{refs[-1]}"


def _amount(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.3f}"
