"""What the wall reads from disk: kept matches to be replayed, and a tournament's standings."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypeVar

from pi_app.club.archive import ClubArchive
from pi_app.club.records import Record
from pi_app.errors import SpotterError
from pi_app.files import read_text
from pi_app.identifiers import BoardName, MatchKey
from pi_app.lines import read_event
from pi_app.microseconds import Us
from pi_app.referee.events import Start
from pi_app.words.texts import clean_name

MOST_LISTED = 40
"""Matches of a board, the newest."""
MOST_ROWS, MOST_COLUMNS = 500, 20
MOST_OF_CELL = 80
MOST_DECISIONS = 20_000
"""The most lines of a match; a long one has two thousand."""

T = TypeVar("T")
StandingsTable: TypeAlias = Mapping[str, object]
"""Standings: `title` a text, `columns` texts, `rows` of as many texts or numbers."""
Standings: TypeAlias = Callable[[], StandingsTable | None]


class KeptMatches:
    """Reads the archive on a thread of its own, so that no page waits for a disk.

    Every question says how old a record must be to be told: `aged`, by the archive's own time.
    """

    def __init__(self, archive: ClubArchive) -> None:
        self._archive = archive
        self._thread = ThreadPoolExecutor(1, "wall-archive")

    async def matches(self, board: BoardName, aged: Us) -> tuple[Mapping[str, object], ...]:
        """A board's newest matches, newest first: key, start and players."""

        def listed() -> tuple[Mapping[str, object], ...]:
            keys = sorted(self._archive.matches(board, aged), key=_began, reverse=True)
            return tuple(_told(self._archive, board, key, aged) for key in keys[:MOST_LISTED])

        return await self._ask(listed)

    async def records(self, board: BoardName, match: MatchKey, aged: Us) -> tuple[Record, ...]:
        read = partial(self._archive.records, board, match, aged=aged)
        return (await self._ask(read))[:MOST_DECISIONS]

    async def work(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _ask(self, read: Callable[[], tuple[T, ...]]) -> tuple[T, ...]:
        def run() -> tuple[T, ...]:
            # A disk that fails now may be well when the page asks again.
            with suppress(SpotterError):
                return read()
            return ()

        return await self.work(run)


def _began(key: MatchKey) -> str:
    return key.partition("@")[2]


def _told(archive: ClubArchive, board: BoardName, key: MatchKey, aged: Us) -> Mapping[str, object]:
    first = next(iter(archive.records(board, key, aged=aged)), None)
    players = _players(first.line) if first and first.id.sequence == 0 else []
    return {"match": key, "began": _began(key), "players": players}


def _players(line: str) -> list[str]:
    try:
        start = read_event(line)
    except (ValueError, RecursionError):
        return []
    return [clean_name(name) for name in start.players] if isinstance(start, Start) else []


def standings_of(path: Path) -> Standings:
    """Read the standings again when the file changes. A bad file keeps the previous ones."""
    last: tuple[float, StandingsTable | None] = (-1.0, None)

    def read() -> StandingsTable | None:
        nonlocal last
        try:
            changed = path.stat().st_mtime
            if changed != last[0]:
                last = changed, _table_of(path)
        except (OSError, ValueError, RecursionError, csv.Error):
            return last[1]
        return last[1]

    return read


def _table_of(path: Path) -> StandingsTable:
    """JSON, or CSV with a header line as spreadsheets and `spotter tournament` write it."""
    text = read_text(path)
    if path.suffix.lower() != ".csv":
        return read_table(json.loads(text))
    columns, *rows = csv.reader(text.splitlines())
    return read_table({"title": path.stem, "columns": columns, "rows": rows})


def read_table(told: object) -> StandingsTable:
    """Raises ValueError."""
    match told:
        case {"title": str(title), "columns": list(columns), "rows": list(rows)}:
            return {
                "title": _cell(title),
                "columns": [_cell(name) for name in columns[:MOST_COLUMNS]],
                "rows": [_row(row) for row in rows[:MOST_ROWS]],
            }
    raise ValueError("standings are {title, columns, rows}: a text and two lists")


def _row(row: object) -> list[str]:
    match row:
        case list(cells):
            return [_cell(cell) for cell in cells[:MOST_COLUMNS]]
    raise ValueError("a row of standings is a list")


def _cell(cell: object) -> str:
    return "" if cell is None else str(cell)[:MOST_OF_CELL]
