"""Whether a journal is as it was written: the whole of it, or as much as a start can wait for."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator

from pi_app.journal.rows import Row, RowError, check_date, check_match, check_row

AT_ONCE = 8 * 1024 * 1024
"""In bytes; SQLite's own check cannot be stopped half-way, so that of a larger file waits."""
_ROWS = 500
"""So many rows pass between two looks at the clock."""


class _OutOfTimeError(Exception):
    """There is more to look at than time for it."""


def fault(db: sqlite3.Connection) -> str | None:
    """What is wrong with the whole file, every checksum in it included, or None."""
    return next(_faults(db, sqlites_own=True), None)


def fault_within(db: sqlite3.Connection, seconds: float) -> tuple[bool, str | None]:
    """Look the file over for so long, its newest part first; whether that was all of it."""
    pages, size = (
        db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
    )
    small = pages * size <= AT_ONCE
    try:
        found = next(_faults(db, small, time.monotonic() + seconds), None)
    except _OutOfTimeError:
        return False, None
    return small, found


def _faults(db: sqlite3.Connection, sqlites_own: bool, end: float | None = None) -> Iterator[str]:
    if sqlites_own:
        (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            yield " ".join(str(found).split())
    seals = "SELECT * FROM seals ORDER BY match DESC, place DESC"
    matches = "SELECT * FROM matches ORDER BY number DESC"
    decisions = "SELECT * FROM decisions ORDER BY match DESC, place DESC"
    yield from _bad_rows(db.execute(matches), check_match, "match {}", 1, end)
    yield from _bad_rows(db.execute(decisions), check_row, "decision {1} of match {0}", 2, end)
    seal = "the seal of match {0} after decision {1}"
    yield from _bad_rows(db.execute(seals), check_row, seal, 2, end)
    dates = "SELECT * FROM dates ORDER BY match DESC"
    yield from _bad_rows(db.execute(dates), check_date, "the date of match {}", 1, end)


def _bad_rows(
    rows: Iterable[Row], check: Callable[[Row], None], name: str, keys: int, end: float | None
) -> Iterator[str]:
    """Rows with another checksum, and out of order: SQLite would not find them by their keys.

    `rows` are to fall by their first columns, so many as are `keys`.
    """
    before: Row | None = None
    for number, row in enumerate(rows):
        if end is not None and number % _ROWS == 0 and time.monotonic() > end:
            raise _OutOfTimeError
        try:
            check(row)
        except RowError as error:
            yield f"{name.format(*row)}: {error}"
            continue
        if before is not None and not row[:keys] < before[:keys]:
            yield f"{name.format(*row)}: it is out of order"
        before = row
