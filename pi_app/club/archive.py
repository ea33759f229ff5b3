"""The records of all boards in one SQLite file.

It uses a write-ahead log and `synchronous=FULL`, as the journal does: a record that `add` has
returned for survives a kill and a power cut. Duplicates are ignored. A different record with an
existing number is reported and set aside; the first one stays valid.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pi_app.base.errors import FailedError
from pi_app.base.files import PRIVATE, why
from pi_app.base.identifiers import BoardName, MatchKey
from pi_app.base.microseconds import ENDLESS, Us
from pi_app.base.values import dataclass
from pi_app.club.records import SEALED, Have, Record, RecordId, Summary
from pi_app.journal.store import MEMORY

HAD_MOST = 256
"""`have` lists this many matches of a board, those with the latest records."""

_TABLES = (
    "CREATE TABLE IF NOT EXISTS about (what TEXT PRIMARY KEY, is_so TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE IF NOT EXISTS matches (
        id INTEGER PRIMARY KEY, board TEXT NOT NULL, match TEXT NOT NULL,
        upto INTEGER NOT NULL, heard INTEGER NOT NULL, UNIQUE (board, match)
    )""",
    "CREATE INDEX IF NOT EXISTS heard_of ON matches (board, heard)",
    """CREATE TABLE IF NOT EXISTS records (
        match INTEGER NOT NULL, sequence INTEGER NOT NULL, line TEXT NOT NULL,
        heard_us INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (match, sequence)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS others (
        match INTEGER NOT NULL, sequence INTEGER NOT NULL, line TEXT NOT NULL,
        PRIMARY KEY (match, sequence, line)
    ) WITHOUT ROWID""",
)
_NOTHING = -1


class ClubArchiveError(FailedError, RuntimeError):
    """An archive that cannot be read or written; says which file, why and what to do."""


@dataclass(frozen=True, slots=True)
class Added:
    new: tuple[Record, ...]
    contradicting: tuple[Record, ...]


def monotonic() -> Us:
    return Us(time.monotonic_ns() // 1000)


class ClubArchive:
    """The records at `path`, or in MEMORY. Creates the file and its folder if they are missing.

    Several threads may use it, and other programs may read it meanwhile. Every method raises
    ClubArchiveError on a disk error.
    """

    def __init__(self, path: Path, clock: Callable[[], Us] = monotonic) -> None:
        self._path, self._clock = path, clock
        self._lock = threading.Lock()
        with self._errors("opened"):
            if path != MEMORY:
                path.parent.mkdir(parents=True, exist_ok=True)
                os.close(os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, PRIVATE))
            self._db = sqlite3.connect(
                path, isolation_level="IMMEDIATE", check_same_thread=False, timeout=5.0
            )
            self._make_tables()
        newest = self._rows("SELECT coalesce(max(heard_us), 0) FROM records")[0][0]
        self._ahead = newest - clock()

    def close(self) -> None:
        self._db.close()

    def add(self, records: Iterable[Record]) -> Added:
        """Store records. They are on disk on return; after an error none of them is."""
        new: list[Record] = []
        contradicting: list[Record] = []
        with self._writing() as db:
            touched: dict[int, None] = {}
            for record in records:
                match = _match_of(db, record.id)
                touched[match] = None
                kept = db.execute(
                    "SELECT line FROM records WHERE match = ? AND sequence = ?",
                    (match, record.id.sequence),
                ).fetchone()
                row = (match, record.id.sequence, record.line)
                if kept is None:
                    db.execute("INSERT INTO records VALUES (?, ?, ?, ?)", (*row, self._now()))
                    new.append(record)
                elif kept[0] != record.line:
                    db.execute("INSERT OR IGNORE INTO others VALUES (?, ?, ?)", row)
                    contradicting.append(record)
            for match in touched:
                _count(db, match)
        return Added(tuple(new), tuple(contradicting))

    def boards(self) -> tuple[BoardName, ...]:
        rows = self._rows("SELECT DISTINCT board FROM matches ORDER BY board")
        return tuple(BoardName(row[0]) for row in rows)

    def matches(self, board: BoardName, aged: Us = Us(0)) -> tuple[MatchKey, ...]:
        """A board's matches, in the order of their first record.

        Includes only those with a record received `aged` ago or earlier.
        """
        rows = self._rows(
            """SELECT match FROM matches WHERE board = ? AND EXISTS
                (SELECT 1 FROM records WHERE match = matches.id AND heard_us <= ?) ORDER BY id""",
            board,
            self._until(aged),
        )
        return tuple(MatchKey(row[0]) for row in rows)

    def records(
        self, board: BoardName, match: MatchKey, after: int = _NOTHING, aged: Us = Us(0)
    ) -> tuple[Record, ...]:
        """A match's records in order, the seals last; only those after this sequence.

        Only those received `aged` ago or earlier.
        """
        rows = self._rows(
            """SELECT sequence, line FROM records WHERE sequence > ? AND heard_us <= ? AND match =
                (SELECT id FROM matches WHERE board = ? AND match = ?) ORDER BY sequence""",
            after,
            self._until(aged),
            board,
            match,
        )
        return tuple(Record(RecordId(board, match, row[0]), row[1]) for row in rows)

    def have(self, board: BoardName) -> Have:
        """For the board's latest matches, the sequence up to which no record is missing."""
        rows = self._rows(
            """SELECT match, upto, (SELECT count(*) FROM records WHERE match = id AND sequence >= ?)
                FROM matches WHERE board = ? ORDER BY heard DESC LIMIT ?""",
            SEALED,
            board,
            HAD_MOST,
        )
        identity = self._rows("SELECT is_so FROM about WHERE what = 'identity'")[0][0]
        upto = {MatchKey(match): upto for match, upto, _ in rows}
        return Have(identity, upto, {MatchKey(match): seals for match, _, seals in rows if seals})

    def latest(self, board: BoardName, aged: Us = Us(0)) -> Summary | None:
        """The board's newest match by the records received `aged` ago or earlier; None while its
        start is missing."""
        until = self._until(aged)
        rows = self._rows(
            """WITH chosen AS (SELECT sequence, line, match FROM records
                WHERE sequence < ? AND heard_us <= ? AND match =
                    (SELECT max(id) FROM matches WHERE board = ? AND EXISTS
                        (SELECT 1 FROM records WHERE match = matches.id AND heard_us <= ?)))
            SELECT matches.match, sequence, line FROM chosen JOIN matches ON id = chosen.match
                WHERE sequence IN (0, (SELECT max(sequence) FROM chosen)) ORDER BY sequence""",
            SEALED,
            until,
            board,
            until,
        )
        if not rows or rows[0][1] != 0:
            return None
        match, sequence, line = rows[-1]
        id_ = RecordId(board, MatchKey(match), sequence)
        return Summary(id_, rows[0][2], line if sequence else None)

    def _now(self) -> Us:
        """The archive's own time, which stands still while the archive is closed."""
        return Us(self._clock() + self._ahead)

    def _until(self, aged: Us) -> Us:
        """The latest time of receipt of a record of this age.

        Without an age there is no limit, because another writing program has its own time.
        """
        return Us(self._now() - aged) if aged else ENDLESS

    def _make_tables(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        with self._writing() as db:
            for table in _TABLES:
                db.execute(table)
            identity = secrets.token_hex(8)
            db.execute("INSERT OR IGNORE INTO about VALUES ('identity', ?)", (identity,))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._errors("written"), self._lock, self._db:
            yield self._db

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._errors("read"), self._lock:
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def _errors(self, done: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            cause = why(error) if isinstance(error, OSError) else str(error)
            raise ClubArchiveError(
                f"{self._path} cannot be {done}: {cause}; check the disk, and who may write there"
            ) from error


def _match_of(db: sqlite3.Connection, record: RecordId) -> int:
    """The row of `matches` for a record; created for its first record."""
    named = (record.board, record.match)
    db.execute("INSERT OR IGNORE INTO matches VALUES (NULL, ?, ?, -1, 0)", named)
    query = "SELECT id FROM matches WHERE board = ? AND match = ?"
    return int(db.execute(query, named).fetchone()[0])


def _count(db: sqlite3.Connection, match: int) -> None:
    """Note that the match was heard of, and up to which sequence no record is missing."""
    upto: int = db.execute("SELECT upto FROM matches WHERE id = ?", (match,)).fetchone()[0]
    query = "SELECT sequence FROM records WHERE match = ? AND sequence > ? ORDER BY sequence"
    for (sequence,) in db.execute(query, (match, upto)):
        if sequence != upto + 1:
            break
        upto = sequence
    newest = "(SELECT coalesce(max(heard), 0) + 1 FROM matches)"
    db.execute(f"UPDATE matches SET upto = ?, heard = {newest} WHERE id = ?", (upto, match))
