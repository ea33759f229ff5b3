"""`spotter replay FILE|-`: events in, the view after each of them out, line by line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from pi_app.board.strict import ConfigError
from pi_app.boards import load_board
from pi_app.referee.events import Start
from pi_app.referee.lines import EventError, read_event, write_view
from pi_app.referee.referee import Referee


def run(argv: list[str]) -> int:
    """Replay a file of events; 2 and one clear line on stderr for the first bad one."""
    parser = argparse.ArgumentParser(
        prog="spotter replay",
        description="Feed the events of FILE to a fresh referee and print the view after each.",
    )
    parser.add_argument("file", metavar="FILE", help="JSON lines of events, or - for the input")
    name = parser.parse_args(argv).file
    if name == "-":
        return _replay(sys.stdin, "input")
    try:
        with Path(name).open(encoding="utf-8") as lines:
            return _replay(lines, name)
    except (OSError, UnicodeDecodeError) as error:
        print(f"spotter: {name} cannot be read: {error}", file=sys.stderr)
        return 2


def _replay(lines: Iterable[str] | TextIO, name: str) -> int:
    referee: Referee | None = None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            referee = _step(referee, line)
        except (EventError, ConfigError) as error:
            print(f"spotter: {name}, line {number}: {error}", file=sys.stderr)
            return 2
        print(write_view(referee.view), flush=True)
    return 0


def _step(referee: Referee | None, line: str) -> Referee:
    event = read_event(line)
    if referee:
        referee.handle(event)
        return referee
    if not isinstance(event, Start):
        raise EventError("a match begins with the event 'start'")
    return Referee(load_board(event.board), event)
