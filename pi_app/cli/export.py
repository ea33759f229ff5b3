"""`spotter export NUMBER`: a kept match as a score sheet, or as the events it was made of."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from pi_app.boards import load_board
from pi_app.cli.printing import print_lines
from pi_app.cli.sheet import score_sheet
from pi_app.journal.archive import Archive
from pi_app.journal.opening import FILE, data_folder
from pi_app.referee.events import Event, Start
from pi_app.referee.lines import EventError, write_event


def run(argv: list[str]) -> int:
    """Write a match out as a score sheet or as events; returns 2 when that cannot be done."""
    parser = argparse.ArgumentParser(
        prog="spotter export", description="Write out a kept match, by default as a score sheet."
    )
    parser.add_argument("number", type=int, metavar="NUMBER", help="as `spotter matches` shows it")
    parser.add_argument(
        "--events", action="store_true", help="write JSON lines, as `spotter replay` reads them"
    )
    arguments = parser.parse_args(argv)
    path = data_folder() / FILE
    return print_lines(lambda: _exported(path, arguments.number, arguments.events))


def _exported(path: Path, number: int, as_events: bool) -> Iterator[str]:
    archive = Archive(path)
    try:
        match = archive.match(number)
        events = archive.events(match.number)
        if as_events:
            yield from map(write_event, events)
        else:
            yield f"Match {match.number}, {match.began.replace('T', ' ')}"
            yield from _sheet(number, events)
    finally:
        archive.close()


def _sheet(number: int, events: Iterator[Event]) -> Iterator[str]:
    start = next(events, None)
    if not isinstance(start, Start):
        raise EventError(f"match {number} does not begin with the event 'start'")
    yield from score_sheet(load_board(start.board), start, events)
