"""`spotter replay FILE|-`: events in, the view after each of them out, line by line."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import BinaryIO

from pi_app.boards import load_board
from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.errors import GivenError
from pi_app.files import bounded_lines, open_plain, why
from pi_app.referee.events import Start
from pi_app.referee.lines import EventError, read_event, write_view
from pi_app.referee.referee import Referee


class ReplayError(GivenError):
    """Events that cannot be replayed; says which line of which file, and why."""


def run(argv: list[str]) -> int:
    """Replay a file of events; raises ReplayError at the first bad one."""
    parser = Parser(
        "replay", "Feed the events of FILE to a fresh referee and print the view after each."
    )
    parser.add_argument("file", metavar="FILE", help="JSON lines of events, or - for the input")
    name = parser.parse_args(argv).file
    with nullcontext(sys.stdin.buffer) if name == "-" else _opened(name) as stream:
        _replay(stream, "input" if name == "-" else name)
    return Status.DONE


def _opened(name: str) -> BinaryIO:
    try:
        return open_plain(Path(name))
    except (OSError, ValueError) as error:
        raise ReplayError(f"{name} cannot be read: {why(error)}") from None


def _replay(stream: BinaryIO, name: str) -> None:
    referee: Referee | None = None
    lines = bounded_lines(stream)
    for number in count(1):
        try:
            if (line := next(lines, None)) is None:
                return
            if line.strip():
                referee = step(referee, line)
                print(write_view(referee.view), flush=True)
        except ValueError as error:
            raise ReplayError(f"{name}, line {number}: {why(error)}") from error


def step(referee: Referee | None, line: str) -> Referee:
    """The referee after a line, a fresh one after the first; raises EventError and ConfigError."""
    event = read_event(line)
    if referee:
        referee.handle(event)
        return referee
    if not isinstance(event, Start):
        raise EventError("a match begins with the event 'start'")
    return Referee(load_board(event.board), event)
