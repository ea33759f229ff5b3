"""The pages: words from `words/`, figures and tables from the boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist
from pathlib import Path
from string import Template

from hardware.make import closeups, magnet_page, tables
from hardware.make.bill import Entry, checkers, total
from hardware.make.circuit import Circuit, Kind
from hardware.make.mega import Mega
from hardware.make.parts import Parts
from hardware.make.reach import Reached
from hardware.make.svg import number
from pi_app.sensing.description import Board

WORDS = Path(__file__).with_name("words")
BOARD_KINDS = frozenset({"reed", "diode", "mega", "usb", "row wire", "column wire", "plug wires"})
"""What belongs to the electronics below the board, and to nothing else."""


@dataclass(frozen=True, slots=True)
class Made:
    """A board with what was worked out for it."""

    board: Board
    circuit: Circuit
    entries: tuple[Entry, ...]
    reached: Reached
    tiles: tuple[str, ...]


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


def board_page(made: Made, mega: Mega, parts: Parts) -> str:
    """A board's own page, step by step."""
    board, measures = made.board, parts.measures
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
        "offset": number(made.reached.offset),
        "shift": number(made.reached.setup.shift),
        "discs": _counted(measures.checker_layers - 1),
        "tiles": _tiles(made.tiles),
        "magnets": magnet_page.section(board, parts, made.reached),
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


def _counted(number_: int) -> str:
    return {1: "one disc", 2: "two discs", 3: "three discs"}.get(number_, f"{number_} discs")


def _tiles(names: Sequence[str]) -> str:
    """Where the sheets of A3 are, for a board that is larger."""
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


def _fill(name: str, words: Mapping[str, str]) -> str:
    """A page's words with its figures; raises KeyError for a figure that nobody gave."""
    return Template((WORDS / name).read_text(encoding="utf-8")).substitute(words)
