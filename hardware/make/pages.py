"""The pages: words from `words/`, figures and tables from the boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist, hypot
from pathlib import Path
from string import Template

from hardware.make import closeups, tables
from hardware.make.bill import Entry, checkers, total
from hardware.make.circuit import Circuit, Kind
from hardware.make.mega import Mega
from hardware.make.parts import Measures
from hardware.make.pcb.design import StripDesign
from hardware.make.svg import number
from pi_app.sensing.description import Board

WORDS = Path(__file__).with_name("words")
BOARD_KINDS = frozenset({"reed", "diode", "mega", "usb", "row wire", "column wire", "plug wires"})
"""What belongs to the electronics below the board, and to nothing else."""
STRIPS = (
    "\nWith [printed strips](strips/README.md) in the place of wires their page replaces this\n"
    "step and the next two; their carrier is another one.\n"
)


@dataclass(frozen=True, slots=True)
class Made:
    """A board with what was worked out for it."""

    board: Board
    circuit: Circuit
    entries: tuple[Entry, ...]
    strips: tuple[StripDesign, ...]
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
            f"| `{board.name}` | {games} | {len(board.sensors)} | {size} "
            f"| {total(one.entries)} € | {page} |"
        )
    return _fill("index.md", {"boards": "\n".join(lines)})


def cost(made: Sequence[Made]) -> str:
    """What each board costs."""
    lines = []
    for one in made:
        below = [entry for entry in one.entries if entry.article.kind in BOARD_KINDS]
        reeds = sum(e.price for e in one.entries if e.article.kind == "reed")
        lines.append(
            f"| `{one.board.name}` | {round(reeds)} € | {total(below)} € | {total(one.entries)} € |"
        )
    return _fill("cost.md", {"costs": "\n".join(lines)})


def board_page(made: Made, mega: Mega, measures: Measures) -> str:
    """A board's own page, step by step."""
    board = made.board
    felt = [reed for place in board.places for reed in place.reeds]
    far = max(felt, key=lambda reed: dist(reed.at, felt[0].at))
    words = {
        "name": board.name,
        "title": board.title,
        "size": f"{number(board.size[0])} × {number(board.size[1])}",
        "reeds": str(len(felt)),
        "checkers": str(checkers(board)),
        "price": str(total(made.entries)),
        "top": number(measures.top),
        "carrier": number(measures.carrier),
        "offset": number(hypot(*felt[0].offset)),
        "first": felt[0].name,
        "far": far.name,
        "last": felt[-1].name,
        "span": f"{dist(far.at, felt[0].at):.1f}",
        "pi_table": tables.markdown(tables.PI_HEAD, tables.pi_rows(made.circuit)),
    }
    if board.scanner is None:
        return _fill("board-pi.md", words)
    words |= {
        "rows": str(board.scanner.rows),
        "columns": str(board.scanner.columns),
        "corners": _corners(board),
        "strips": STRIPS if made.strips else "",
        "row0": mega.rows[0].printed,
        "column0": mega.columns[0].printed,
        "lines_table": tables.markdown(tables.LINE_HEAD, tables.line_rows(board, mega)),
    }
    return _fill("board-matrix.md", words)


def pins_page(made: Made, mega: Mega) -> str:
    """A board's pins."""
    drawings, matrix = "[the header](wiring-pi.svg)", ""
    if made.circuit.of(Kind.MEGA):
        drawings += ", [the matrix](wiring-matrix.svg)"
        lines = tables.markdown(tables.LINE_HEAD, tables.line_rows(made.board, mega))
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
        "matrix": matrix,
    }
    return _fill("pins.md", words).rstrip("\n") + "\n"


def _corners(board: Board) -> str:
    """Three places for the test for ghosts, as words."""
    found = closeups.corners(board)
    return f"{found[0]}, {found[1]} and {found[2]}" if found else "three corners"


def _fill(name: str, words: Mapping[str, str]) -> str:
    """A page's words with its figures; raises KeyError for a figure that nobody gave."""
    return Template((WORDS / name).read_text(encoding="utf-8")).substitute(words)
