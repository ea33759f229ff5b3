"""`spotter matches`: the matches that were kept, a line each."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from pi_app.cli.printing import print_lines
from pi_app.journal.archive import Archive, MatchSummary
from pi_app.journal.opening import FILE, data_folder
from pi_app.rejudging import judge_again

_HEADS = ("number", "date", "game", "White", "Black", "to", "score", "state")


def run(argv: list[str]) -> int:
    """List the matches; returns 2 when the journal cannot be read."""
    parser = argparse.ArgumentParser(prog="spotter matches", description="List the kept matches.")
    parser.parse_args(argv)
    path = data_folder() / FILE
    if not path.exists():
        print("No matches yet: the first one begins with `spotter`.")
        return 0
    return print_lines(lambda: _table(path))


def _table(path: Path) -> Iterator[str]:
    archive = Archive(path, judge_again)
    try:
        rows = [_HEADS, *map(_row, archive.matches())]
    finally:
        archive.close()
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def _row(match: MatchSummary) -> tuple[str, ...]:
    start, score = match.start, match.score
    state = "over" if match.is_over else match.phase.value
    return (
        str(match.number),
        match.began.replace("T", " "),
        start.game,
        *start.players,
        str(start.match_to or "–"),
        f"{score.white}–{score.black}",
        state,
    )
