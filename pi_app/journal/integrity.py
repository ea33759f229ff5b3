"""Whether a journal is as it was written: what is soon looked at, and the whole of it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator

from pi_app.journal.rows import RowError, read_match, read_row

_STEPS = 20_000
"""How many of SQLite's instructions pass between two looks at the clock."""


def fault(db: sqlite3.Connection) -> str | None:
    """What is wrong with the whole file, every checksum in it included, or None."""
    return next(_faults(db), None)


def fault_within(db: sqlite3.Connection, seconds: float) -> tuple[bool, str | None]:
    """Look the file over for so long; whether that was enough, and what is wrong with it."""
    end = time.monotonic() + seconds
    db.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    try:
        return True, fault(db)
    except sqlite3.OperationalError:
        if time.monotonic() > end:
            return False, None
        raise
    finally:
        db.set_progress_handler(None, 0)


def _faults(db: sqlite3.Connection) -> Iterator[str]:
    (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        yield " ".join(str(found).split())
    for row in db.execute("SELECT * FROM matches"):
        try:
            read_match(row)
        except RowError as error:
            yield f"match {row[0]}: {error}"
    for row in db.execute("SELECT * FROM decisions"):
        try:
            read_row(row)
        except RowError as error:
            yield f"decision {row[1]} of match {row[0]}: {error}"
