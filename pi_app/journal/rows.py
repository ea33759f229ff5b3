"""The journal's tables and rows, and whether they are intact."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple, TypeAlias
from zlib import crc32

from pi_app.base.values import dataclass
from pi_app.referee.decision import Decision, DecisionError
from pi_app.referee.events import Event, EventError, MatchId, Start
from pi_app.referee.lines import read_decision, read_event, write_event

# The tables of the journal, version 7, and how every connection to it is made.
#
# `matches`: a row a match, with its `start` event as a line. `decisions`: the truth, as lines in
# their order. `seals`: what was signed when a match ended, after so many of its decisions.
# `touches`: the evidence, as lines of events; the oldest may have been given up. `dates`: how long
# after which start of the computer a match was begun, and when that was if the clock was set
# since: `began` in `matches` stays as it is, for seals and the club know the match by it. What
# matters has its checksum beside it, so that a flipped bit is noticed.

# Why lines and no columns: a seal signs the line as it was written, and a decision that gets a new
# key needs no new table. Why a checksum although SQLite has a check of its own: that one looks at
# pages and keys and not at what a text says. Why touches have none: they are evidence, and a
# damaged one costs nothing but itself.

VERSION = 7
"""The file's user_version; a file of a later version is not touched."""
OLDEST = 6
"""The version of Spotter 1.0; a file of an earlier one is not touched."""
_LATER = 1000
"""A greater number is no later version but a damaged file."""

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

Row: TypeAlias = tuple[object, ...]
TEMPORARY = ""
"""SQLite's name for a temporary database, in memory while it is small."""
MOST_TEXT = 1_000_000
"""No line is longer; if a damaged length says so, the line is not even read."""


def connect(place: str, *, timeout: float = 0.0) -> sqlite3.Connection:
    """A connection without automatic transactions that accepts any bytes as text. `place` may be a
    `file:` address."""
    db = sqlite3.connect(
        place, uri=place.startswith("file:"), timeout=timeout, isolation_level=None
    )
    db.text_factory = _text
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_TEXT)
    return db


def insert(db: sqlite3.Connection, table: str, row: Row, otherwise: str) -> None:
    """Add a row; `otherwise` says what to do with an existing one with its key: REPLACE
    or IGNORE."""
    marks = ", ".join("?" * len(row))
    db.execute(f"INSERT OR {otherwise} INTO {table} VALUES ({marks})", row)


def version_of(db: sqlite3.Connection) -> int:
    """The schema's version; 0 for a file without a journal. If the file's number does not fit its
    tables, the tables decide. Raises RowError for a number that no version has."""
    said = int(db.execute("PRAGMA user_version").fetchone()[0])
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master").fetchall()}
    if "matches" in tables and not VERSION < said <= _LATER:
        possible = next((since for table, since in _SINCE if table in tables), (VERSION,))
        return said if said in possible else possible[-1]
    if not 0 <= said <= _LATER:
        raise RowError(f"it says that its version is {said}")
    return said


_SINCE: tuple[tuple[str, Sequence[int]], ...] = (
    ("dates", (7,)),
    ("seals", (6,)),
    ("decisions", (2, 3, 4, 5)),
    ("events", (1,)),
)
"""The versions that have exactly these tables and those below, the newest first."""


def make_tables(db: sqlite3.Connection) -> None:
    """Create all tables of a new journal, or none."""
    with transaction(db):
        for table in (MATCHES, DECISIONS, SEALS, TOUCHES, DATES):
            db.execute(table)
        db.execute(f"PRAGMA user_version = {VERSION}")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """On leaving, everything written inside is on disk; after an error nothing is."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # Some errors have rolled back already, and a dying disk may refuse even this.
        with suppress(sqlite3.Error):
            db.rollback()
        raise


# Every version since 6 is brought up to date one step at a time. A new version gets its step here,
# and a journal of the version before it a test.

STEPS: Mapping[int, tuple[str, ...]] = {6: (DATES,)}
"""The statements that lead from each version to the next."""


def migrate(db: sqlite3.Connection) -> None:
    """Migrate a journal of an earlier version completely, or not at all."""
    with transaction(db):
        for version in range(version_of(db), VERSION):
            for statement in STEPS[version]:
                db.execute(statement)
        db.execute(f"PRAGMA user_version = {VERSION}")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


# A row of the journal and what it stands for; one that is not as it was written is an error.


class RowError(ValueError):
    """A damaged row; the message says why."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A match at its beginning; `began` is the wall time as text."""

    number: MatchId
    began: str
    start: Start


class SinceBoot(NamedTuple):
    """A moment by the monotonic clock: the time since the boot of this name."""

    boot: str
    after_ms: int


@dataclass(frozen=True, slots=True)
class Dated:
    """When a match began; `began` is the wall time once the clock was set, None before."""

    number: MatchId
    start: SinceBoot
    began: str | None = None


def with_sum(*fields: object) -> Row:
    """A row with its checksum as the last column."""
    return (*fields, _sum(fields))


def check_row(row: Row) -> None:
    """Raise RowError unless the row has its right checksum."""
    *fields, kept = row
    if _sum(fields) != kept:
        raise RowError("its checksum is another")


def write_match(begun: Begun) -> Row:
    """The row of `matches`."""
    return with_sum(begun.number, begun.began, write_event(begun.start))


def read_match(row: Row) -> Begun:
    """Raises RowError."""
    check_row(row)
    number, began, line, _ = row
    start = read_touch(line)
    if not isinstance(start, Start):
        raise RowError("it does not begin with its start")
    return Begun(MatchId(int(str(number))), str(began), start)


def read_row(row: Row) -> Decision:
    """Raises RowError."""
    check_row(row)
    try:
        return read_decision(str(row[2]))
    except DecisionError as error:
        raise RowError(str(error)) from None


def write_date(dated: Dated) -> Row:
    """The row of `dates`."""
    return with_sum(dated.number, dated.start.boot, dated.start.after_ms, dated.began)


def read_date(row: Row) -> Dated:
    """Raises RowError."""
    check_row(row)
    number, boot, after_ms, began, _ = row
    start = SinceBoot(str(boot), int(str(after_ms)))
    return Dated(MatchId(int(str(number))), start, None if began is None else str(began))


def write_touch(number: MatchId, place: int, event: Event) -> Row:
    """The row of `touches`: match, number and line. Touches have no checksum, because they are only
    evidence."""
    return (number, place, write_event(event))


def read_touch(line: object) -> Event:
    """Raises RowError."""
    if not isinstance(line, str):
        raise RowError("it is no text")
    try:
        return read_event(line)
    except (EventError, RecursionError) as error:
        raise RowError(str(error)) from None


def _sum(values: Sequence[object]) -> int:
    return crc32("\n".join(map(str, values)).encode("utf-8", "surrogatepass"))


# Checks a journal: completely, or as much as a start can wait for.

AT_ONCE = 8 * 1024 * 1024
"""The largest file, in bytes, that a start checks with SQLite's own check, which cannot be
interrupted."""
_ROWS = 500
"""Rows between two looks at the clock."""


class _OutOfTimeError(Exception):
    """The time for the check is over."""


def fault(db: sqlite3.Connection) -> str | None:
    """The first fault of the file and its checksums; None if it is intact."""
    return next(_faults(db, sqlites_own=True), None)


def fault_within(db: sqlite3.Connection, seconds: float) -> tuple[bool, str | None]:
    """Check the file for a limited time, newest part first. Return whether all was checked, and the
    fault."""
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
    yield from _bad_rows(db.execute(matches), "match {}", 1, end)
    yield from _bad_rows(db.execute(decisions), "decision {1} of match {0}", 2, end)
    yield from _bad_rows(db.execute(seals), "the seal of match {0} after decision {1}", 2, end)
    dates = "SELECT * FROM dates ORDER BY match DESC"
    yield from _bad_rows(db.execute(dates), "the date of match {}", 1, end)


def _bad_rows(rows: Iterable[Row], name: str, keys: int, end: float | None) -> Iterator[str]:
    """Yield rows with a wrong checksum or out of order, which SQLite would not find by their keys.

    `rows` should be sorted by their first `keys` columns.
    """
    before: Row | None = None
    for number, row in enumerate(rows):
        if end is not None and number % _ROWS == 0 and time.monotonic() > end:
            raise _OutOfTimeError
        try:
            check_row(row)
        except RowError as error:
            yield f"{name.format(*row)}: {error}"
            continue
        if before is not None and not row[:keys] < before[:keys]:
            yield f"{name.format(*row)}: it is out of order"
        before = row
