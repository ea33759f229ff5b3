"""What can still be read of a damaged journal, or of a backup, brought into a good one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from pi_app.journal import schema
from pi_app.journal.migration import Judge, migrate
from pi_app.journal.rows import Row, RowError, check_date, check_row, read_match, read_row
from pi_app.referee.events import MatchId

_TABLES_1 = (
    """CREATE TABLE matches (number INTEGER PRIMARY KEY, began, game, white_name, black_name,
    match_to, white_score, black_score, phase, result)""",
    "CREATE TABLE events (match, place, line, PRIMARY KEY (match, place)) WITHOUT ROWID",
)
_NEVER_TWICE = "INSERT OR IGNORE INTO"


def salvage(source: Path, into: sqlite3.Connection, judge: Judge) -> int:
    """Add to a journal what a file still tells; how many matches it told of.

    A match that is there already gains what it lacks, if it is the same.  Raises nothing for
    whatever the file holds; sqlite3.Error when `into` cannot be written.
    """
    with closing(schema.connect(schema.TEMPORARY)) as good:
        try:
            log = source.with_name(f"{source.name}-wal")
            mode = "mode=ro" if log.exists() else "immutable=1"
            with closing(schema.connect(f"{source.absolute().as_uri()}?{mode}")) as old:
                _read(old, good, judge)
        except (sqlite3.Error, OSError):
            return 0
        with schema.transaction(into):
            return _add(good, into)


def _read(old: sqlite3.Connection, good: sqlite3.Connection, judge: Judge) -> None:
    """Fill a fresh journal with the rows of a file that are as they were written."""
    tables = {row[0] for row in old.execute("SELECT name FROM sqlite_master").fetchall()}
    if "events" in tables:
        for table in _TABLES_1:
            good.execute(table)
        for row in _rows(old, "SELECT * FROM matches ORDER BY number"):
            with suppress(sqlite3.Error):
                good.execute(f"{_NEVER_TWICE} matches VALUES (?{', ?' * 9})", row)
            _copy(old, good, "events", row[0])
        good.execute("PRAGMA user_version = 1")
        migrate(good, judge)
        return
    schema.make_tables(good)
    for row in _rows(old, "SELECT * FROM matches ORDER BY number"):
        try:
            number = read_match(row).number
        except RowError:
            continue
        good.execute(f"{_NEVER_TWICE} matches VALUES (?, ?, ?, ?)", row)
        _copy(old, good, "touches", number)
        _add_decisions(good, _of_match(old, "decisions", number))
        _add_checked(good, "seals", check_row, _of_match(old, "seals", number))
        _add_checked(good, "dates", check_date, _of_match(old, "dates", number, "match"))
    # Pages that changed places hold rows that cannot be found by their match.
    with suppress(sqlite3.Error):
        _add_decisions(good, old.execute("SELECT * FROM decisions"))


def _add_decisions(good: sqlite3.Connection, rows: Iterable[Row]) -> None:
    for row in rows:
        with suppress(RowError):
            read_row(row)
            good.execute(f"{_NEVER_TWICE} decisions VALUES (?, ?, ?, ?)", row)


def _add_checked(
    good: sqlite3.Connection, table: str, check: Callable[[Row], None], rows: Iterable[Row]
) -> None:
    for row in rows:
        with suppress(RowError):
            check(row)
            good.execute(f"{_NEVER_TWICE} {table} VALUES ({', '.join('?' * len(row))})", row)


def _copy(old: sqlite3.Connection, good: sqlite3.Connection, table: str, match: object) -> None:
    for row in _of_match(old, table, match):
        if isinstance(row[1], int) and isinstance(row[2], str):
            good.execute(f"{_NEVER_TWICE} {table} VALUES (?, ?, ?)", row)


def _of_match(
    old: sqlite3.Connection, table: str, match: object, order: str = "place"
) -> Iterator[Row]:
    return _rows(old, f"SELECT * FROM {table} WHERE match = ? ORDER BY {order}", match)


def _rows(old: sqlite3.Connection, query: str, *values: object) -> Iterator[Row]:
    """The rows from the first to where they cannot be read, and from the last back to there."""
    for order in ("", " DESC"):
        with suppress(sqlite3.Error):
            yield from old.execute(query + order, values)
            return


def _add(good: sqlite3.Connection, into: sqlite3.Connection) -> int:
    told = 0
    for row in good.execute("SELECT * FROM matches ORDER BY number").fetchall():
        into.execute(f"{_NEVER_TWICE} matches VALUES (?, ?, ?, ?)", row)
        there = into.execute("SELECT * FROM matches WHERE number = ?", row[:1]).fetchone()
        if there != row:
            continue
        told += 1
        for table in ("decisions", "seals", "touches", "dates"):
            rows = good.execute(f"SELECT * FROM {table} WHERE match = ?", row[:1])
            marks = ", ".join("?" * len(rows.description))
            into.executemany(f"{_NEVER_TWICE} {table} VALUES ({marks})", rows)
    return told


def incomplete(db: sqlite3.Connection) -> list[MatchId]:
    """The matches of which decisions are missing between others."""
    query = """SELECT match FROM decisions GROUP BY match
        HAVING count(*) < max(place) ORDER BY match"""
    return [MatchId(row[0]) for row in db.execute(query).fetchall()]
