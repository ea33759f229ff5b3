"""`spotter walk`: the guided walk test, one checker on every spot in turn."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from pi_app.boards import load_board
from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.cli.source import open_source
from pi_app.cli.walk_hand import WalkingHand
from pi_app.cli.walking import WalkWord, Word, lead
from pi_app.devices.clock import MatchClock
from pi_app.devices.gpio import open_factory
from pi_app.errors import FailedError
from pi_app.files import why
from pi_app.games.equipment import Compendium
from pi_app.microseconds import Us
from pi_app.sensing.description import Board
from pi_app.sensing.walk import Ask, Walk
from pi_app.sensing.walk_report import report
from pi_app.settings import Settings, load_settings
from pi_app.simulator.faults import SPEC, Faults, read_faults


class ReportError(FailedError):
    """A report that cannot be written; says where."""


HINT = "Enter goes on without it; q and Enter ends the walk."


def run(argv: list[str], games: Compendium) -> int:
    """Walk and print the report; fails unless every sensor is well."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.faults != "default" and not args.sim:
        parser.error("--faults goes with --sim")
    settings = load_settings()
    board = load_board(args.board or settings.board.name, games.rules)
    faults = read_faults(args.faults, board)
    file = _report_file(args.report)
    walk = _simulated(board, faults) if args.sim else _real(board, settings)
    return _tell(walk, file)


def _parser() -> Parser:
    parser = Parser(
        "walk",
        "Test every sensor: put one checker on every spot in turn, as you are told.",
        epilog=HINT,
    )
    parser.add_argument("--board", metavar="NAME", help="a board's name or a .toml file")
    parser.add_argument("--report", metavar="FILE", help="write the report to this file as well")
    parser.add_argument(
        "--sim", action="store_true", help="a simulated hand walks a simulated board, at once"
    )
    parser.add_argument("--faults", metavar="SPEC", default="default", help=f"with --sim: {SPEC}")
    return parser


def _report_file(name: str | None) -> Path | None:
    """Where the report goes; raises ReportError before the work is done and not after it."""
    if name is None:
        return None
    file = Path(name)
    if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
        raise ReportError(f"{name}: the report cannot be written there; choose another --report")
    return file


def _simulated(board: Board, faults: Faults) -> Walk:
    hand = WalkingHand(board, faults, random.Random())
    with closing(hand.source):
        return lead(board, hand.source, hand.clock, hand.take, print)


def _real(board: Board, settings: Settings) -> Walk:
    queue: SimpleQueue[Word] = SimpleQueue()
    clock = MatchClock()
    with (
        closing(open_factory("lgpio")) as factory,
        closing(open_source(board, factory, settings, clock, queue.put)) as source,
    ):
        print(HINT)
        listen(queue.put)
        return lead(board, source, clock, taking(queue), say)


def say(text: str) -> None:
    """One line, seen at once."""
    print(text, flush=True)


def taking(queue: SimpleQueue[Word]) -> Callable[[Ask | None, Us], Word | None]:
    """Takes words from a queue; ^C ends the walk as `q` does."""

    def take(_ask: Ask | None, us: Us) -> Word | None:
        try:
            return queue.get(timeout=us / 1e6)
        except Empty:
            return None
        except KeyboardInterrupt:
            return WalkWord.END

    return take


def listen(put: Callable[[WalkWord], None], typed: int = 0) -> None:
    """Read what is typed, from a file descriptor, on a thread of its own until nothing comes."""
    threading.Thread(target=_read_keys, args=(put, typed), name="keys", daemon=True).start()


def _read_keys(put: Callable[[WalkWord], None], typed: int) -> None:
    line = b""
    with suppress(OSError):  # nobody can type
        while data := os.read(typed, 256):
            *lines, line = (line + data).split(b"\n")
            for word in lines:
                if word.strip().lower() == b"q":
                    put(WalkWord.END)
                elif not word.strip():
                    put(WalkWord.SKIP)


def _tell(walk: Walk, file: Path | None) -> int:
    lines = report(walk)
    print("\n".join(["", *lines]))
    if file is not None:
        try:
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        except OSError as error:
            raise ReportError(f"{file}: the report cannot be written: {why(error)}") from error
    whole = len(walk.tried) == len(walk.board.sensors)
    return Status.DONE if whole and not walk.findings else Status.FAILED
