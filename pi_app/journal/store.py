"""The journal that is written while a match is played: nothing shown is lost.

SQLite with a write-ahead log and `synchronous=FULL`: a commit that returned survives a kill and
a power cut; one that was under way is there whole or not at all.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

from pi_app.journal.archive import SCHEMA_VERSION, Archive, JournalError, MatchId, Summary
from pi_app.match.phases import Phase
from pi_app.match.score import Score
from pi_app.referee.events import Event, Start
from pi_app.referee.lines import write_event

MEMORY = Path(":memory:")
"""A journal that keeps nothing: for playing on where nothing can be written."""

_SCHEMA = f"""
BEGIN;
CREATE TABLE matches (
    number INTEGER PRIMARY KEY, began TEXT NOT NULL, game TEXT NOT NULL,
    white_name TEXT NOT NULL, black_name TEXT NOT NULL, match_to INTEGER,
    white_score INTEGER NOT NULL, black_score INTEGER NOT NULL,
    phase TEXT NOT NULL, result TEXT
);
CREATE TABLE events (
    match INTEGER NOT NULL, place INTEGER NOT NULL, line TEXT NOT NULL,
    PRIMARY KEY (match, place)
) WITHOUT ROWID;
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""

# A commit that failed may have reached the disk after all; writing it again must do no harm.
_NEW_MATCH = "INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, NULL)"
_NEW_EVENT = "INSERT OR REPLACE INTO events VALUES (?, ?, ?)"
_STANDING = """UPDATE matches SET white_score = ?, black_score = ?, phase = ?, result = ?
    WHERE number = ?"""

_BUSY_S = 1.0


class Journal(Archive):
    """Writes the match that is played; makes the file and its folder when they are missing.

    Used by one thread, of one program at a time.  Raises JournalError when the file cannot be
    opened for writing.
    """

    def __init__(self, path: Path) -> None:
        self._buffer: list[tuple[str, tuple[object, ...]]] = []
        self._match: MatchId | None = None
        self._place = self._newest = 0
        super().__init__(path)

    def begin(self, start: Start, wall_time: str) -> MatchId:
        """A new match, on disk at once.

        After a JournalError it is begun all the same, and the next commit tries to write it.
        """
        self._newest += 1
        number = MatchId(self._newest)
        self._match, self._place = number, 0
        row = (number, wall_time, start.game, *start.players, start.match_to, Phase.SET_UP.value)
        self._buffer.append((_NEW_MATCH, row))
        self.add(start)
        self.commit(Summary(Score(), Phase.SET_UP))
        return number

    def resume(self, number: MatchId) -> None:
        """Go on writing a match that was kept; its events are to be read before."""
        with self._trouble("read"):
            query = "SELECT max(place) FROM events WHERE match = ?"
            self._place = self._db.execute(query, (number,)).fetchone()[0] or 0
        self._match = number

    def add(self, event: Event) -> None:
        """Keep an event in memory until the next commit."""
        if self._match is None:
            raise JournalError("no match has been begun or resumed; call begin or resume first")
        self._place += 1
        self._buffer.append((_NEW_EVENT, (self._match, self._place, write_event(event))))

    def commit(self, summary: Summary) -> None:
        """Everything added is on disk when this returns, all of it or, on JournalError, none.

        After an error everything is kept in memory, and the next commit tries it again.
        """
        score = summary.score
        standing = (score.white, score.black, summary.phase.value, summary.result, self._match)
        try:
            with self._trouble("written"):
                self._db.execute("BEGIN IMMEDIATE")
                for statement, values in self._buffer:
                    self._db.execute(statement, values)
                self._db.execute(_STANDING, standing)
                self._db.execute("COMMIT")
        except JournalError:
            # Some errors have rolled back already, and a dying disk may refuse even this.
            with suppress(sqlite3.Error):
                self._db.rollback()
            raise
        self._buffer.clear()

    def check(self) -> None:
        """Read the whole file; raises JournalError when it is damaged."""
        with self._trouble("read"):
            found = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                error = sqlite3.DatabaseError(found)
                error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
                raise error

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self.path, timeout=_BUSY_S, isolation_level=None)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            if db.execute("PRAGMA user_version").fetchone()[0] == 0:
                db.executescript(_SCHEMA)
            # Neither opening nor beginning tells a file that cannot be written: only writing does.
            db.execute("BEGIN IMMEDIATE")
            db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            db.execute("ROLLBACK")
            self._newest = db.execute("SELECT max(number) FROM matches").fetchone()[0] or 0
        except sqlite3.Error:
            db.close()
            raise
        return db
