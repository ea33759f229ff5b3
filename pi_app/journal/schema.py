"""The tables of the journal, version 7, and how every connection to it is made.

`matches`: a row a match, with its `start` event as a line.  `decisions`: the truth, as lines in
their order.  `seals`: what was signed when a match ended, after so many of its decisions.
`touches`: the evidence, as lines of events; the oldest may have been given up.  `dates`: how long
after which start of the computer a match was begun, and when that was if the clock was set since:
`began` in `matches` stays as it is, for seals and the club know the match by it.  What matters has
its checksum beside it, so that a flipped bit is noticed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager, suppress

VERSION = 7
"""Kept in the file's user_version; a file of a later program is left alone."""

MATCHES = """CREATE TABLE matches (
    number INTEGER PRIMARY KEY, began TEXT NOT NULL, start TEXT NOT NULL, sum INTEGER NOT NULL
)"""
DECISIONS = """CREATE TABLE decisions (
    match INTEGER NOT NULL, place INTEGER NOT NULL, line TEXT NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY (match, place)
) WITHOUT ROWID"""
SEALS = """CREATE TABLE seals (
    match INTEGER NOT NULL, place INTEGER NOT NULL, line TEXT NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY (match, place)
) WITHOUT ROWID"""
TOUCHES = """CREATE TABLE touches (
    match INTEGER NOT NULL, place INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (match, place)
) WITHOUT ROWID"""
DATES = """CREATE TABLE dates (
    match INTEGER PRIMARY KEY, boot TEXT NOT NULL, after_ms INTEGER NOT NULL, began TEXT,
    sum INTEGER NOT NULL
)"""

# A commit that failed may have reached the disk after all; writing it again must do no harm.
NEW_MATCH = "INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?)"
NEW_DECISION = "INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?)"
NEW_SEAL = "INSERT OR REPLACE INTO seals VALUES (?, ?, ?, ?)"
NEW_DATE = "INSERT OR REPLACE INTO dates VALUES (?, ?, ?, ?, ?)"
NEW_TOUCH = "INSERT OR REPLACE INTO touches VALUES (?, ?, ?)"

TEMPORARY = ""
"""Where SQLite keeps a database that is gone once it is closed: in memory while it is small."""
MOST_TEXT = 1_000_000
"""No line is longer: what a flipped length makes of one is not even fetched."""


def connect(place: str, *, timeout: float = 0.0) -> sqlite3.Connection:
    """A connection that begins no transaction by itself and takes any bytes for text.

    `place` may be a `file:` address.
    """
    db = sqlite3.connect(
        place, uri=place.startswith("file:"), timeout=timeout, isolation_level=None
    )
    db.text_factory = _text
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_TEXT)
    return db


def version_of(db: sqlite3.Connection) -> int:
    """The schema's version; 0 for a file without a journal in it.

    Where the number in the file does not go with its tables, the tables tell.
    """
    said = int(db.execute("PRAGMA user_version").fetchone()[0])
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master").fetchall()}
    if "matches" not in tables or not 0 <= said <= VERSION:
        return said
    possible = _versions_with(tables)
    return said if said in possible else possible[-1]


def _versions_with(tables: Set[object]) -> Sequence[int]:
    """The versions whose tables these are."""
    if "decisions" not in tables:
        return (1,)
    if "seals" not in tables:
        return range(2, 6)
    return (7,) if "dates" in tables else (6,)


def make_tables(db: sqlite3.Connection) -> None:
    """A new journal's tables, all or none."""
    with transaction(db):
        for table in (MATCHES, DECISIONS, SEALS, TOUCHES, DATES):
            db.execute(table)
        db.execute(f"PRAGMA user_version = {VERSION}")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """What is written within is on disk afterwards, all of it or, on an error, none."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # Some errors have rolled back already, and a dying disk may refuse even this.
        with suppress(sqlite3.Error):
            db.rollback()
        raise


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
