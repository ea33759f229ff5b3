"""`spotter matches` lists the kept matches; `spotter export NUMBER` writes one of them out."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pi_app.board.strict import ConfigError
from pi_app.boards import load_board
from pi_app.cli.sheet import score_sheet
from pi_app.journal.archive import Archive, JournalError, MatchSummary
from pi_app.journal.opening import FILE, data_folder
from pi_app.referee.events import Event, Start
from pi_app.referee.lines import EventError, write_event

_HEADS = ("number", "date", "game", "White", "Black", "to", "score", "state")


def run_matches(argv: list[str]) -> int:
    """List the matches; returns 2 when the journal cannot be read."""
    parser = argparse.ArgumentParser(prog="spotter matches", description="List the kept matches.")
    parser.parse_args(argv)
    path = data_folder() / FILE
    if not path.exists():
        print("No matches yet: the first one begins with `spotter`.")
        return 0
    return _printed(lambda: _table(path))


def run_export(argv: list[str]) -> int:
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
    return _printed(lambda: _exported(path, arguments.number, arguments.events))


def _printed(lines: Callable[[], Iterable[str]]) -> int:
    try:
        for line in lines():
            print(line)
        sys.stdout.flush()
    except (JournalError, EventError, ConfigError) as error:
        sys.stdout.flush()
        print(f"spotter: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Python flushes once more at its end; nobody is left to read that.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _table(path: Path) -> Iterator[str]:
    archive = Archive(path)
    try:
        rows = [_HEADS, *map(_row, archive.matches())]
    finally:
        archive.close()
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def _row(match: MatchSummary) -> tuple[str, ...]:
    score = match.standing.score
    state = "over" if match.is_over else match.standing.phase.value
    return (
        str(match.number),
        match.began.replace("T", " "),
        match.game,
        *match.players,
        str(match.match_to or "–"),
        f"{score.white}–{score.black}",
        state,
    )


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
