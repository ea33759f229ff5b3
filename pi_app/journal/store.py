"""The journal that is written during a match: nothing that was shown is lost.

It is SQLite with a write-ahead log and `synchronous=FULL`: a finished commit survives a kill and a
power cut; an unfinished one is complete or absent. Decisions are stored for ever. Touches are
evidence and bounded: the newest `TOUCHES_A_MATCH` of a match stay, and if the journal is larger
than `LARGEST` bytes those of the oldest matches are deleted.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from pi_app.base.files import PRIVATE
from pi_app.journal import rows as schema
from pi_app.journal.archive import Archive, Newest, Tally
from pi_app.journal.backup import Backup, copy_whole
from pi_app.journal.disk import NO_PLAIN_FILE, DamagedError, JournalError, disk_errors
from pi_app.journal.rows import (
    Begun,
    Dated,
    Row,
    SinceBoot,
    fault_within,
    read_date,
    with_sum,
    write_date,
    write_match,
    write_touch,
)
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.events import Event, MatchId, Start
from pi_app.referee.lines import write_decision
from pi_app.seal.keys import SealError
from pi_app.seal.record import Sealer
from pi_app.words.sentences import Sentence
from pi_app.words.wall_time import is_near, written

MEMORY = Path(":memory:")
"""A journal that stores nothing, to play on without a writable disk."""
TOUCHES_A_MATCH = 100_000
"""The most touches of a match: about 7 MB, or fifty games of Backgammon with all bounces."""
LARGEST = 200 * 1024 * 1024
"""Bytes; if the file is larger each new match deletes touches of old ones."""
GIVEN_UP_AT_ONCE = 3
"""How many matches' touches are deleted at a time, so that a match begins at once."""
WAITING = 1000
"""With this many touches waiting they are written even without a decision."""
MOST_WAITING = 20 * WAITING
"""The most touches in memory while nothing can be written; decisions wait without limit."""

T = TypeVar("T")
_SLACK = TOUCHES_A_MATCH // 20
_BUSY_S = 1.0
WAS_REPLACED = Sentence(
    "{path} was deleted or replaced while Spotter ran; quit, restore the file if "
    "you can, and restart"
)
PLAYED_HERE = Sentence("Match {number} was played here; only imported matches can be deleted")


class Journal(Archive):
    """Writes the current match. Creates the file and its folder if they are missing.

    One thread of one program uses it at a time. `seal` signs the record of a finished match;
    without it nothing is sealed. `unsealed` is why the last finished match was not sealed, or None.
    `backup` hears of every write. Raises JournalError if the file cannot be opened for writing.
    """

    def __init__(self, path: Path, seal: Sealer | None = None) -> None:
        self.unsealed: str | None = None
        self.backup: Backup | None = None
        self._seal = seal
        self._ended: set[MatchId] = set()
        self._rows_waiting: list[tuple[str, Row]] = []
        self._touches_waiting: deque[Row] = deque(maxlen=MOST_WAITING)
        self._untried = 0
        self._match: MatchId | None = None
        self._place = self._touched = self._oldest_touch = 0
        self._inode: tuple[int, int] | None = None
        self._tally = Tally(path) if path != MEMORY else None
        super().__init__(path)
        with disk_errors(path, "read"):
            newest = self._db.execute("SELECT max(number) FROM matches").fetchone()[0]
        self._newest = newest or 0

    def begin(self, start: Start, wall_time: str, since: SinceBoot | None = None) -> MatchId:
        """Begin a match; on return it is on disk. With `since` its date can be corrected later.

        After a JournalError it has begun all the same, and the next commit tries to write it.
        """
        self._newest += 1
        number = MatchId(self._newest)
        self._match, self._place, self._touched, self._oldest_touch = number, 0, 0, 1
        self._rows_waiting.append(("matches", write_match(Begun(number, wall_time, start))))
        if since:
            self._rows_waiting.append(("dates", write_date(Dated(number, since))))
        self.commit()
        with disk_errors(self.path, "written"):
            self._give_up_old_touches()
        return number

    def add(self, start: Start, wall_time: str, decisions: Iterable[Decision]) -> MatchId:
        """Store a whole match of another program, on disk at once and never sealed.

        Raises JournalError, and then nothing is stored.
        """
        number = MatchId(self._newest + 1)
        rows: list[tuple[str, Row]] = [("matches", write_match(Begun(number, wall_time, start)))]
        rows += [
            ("decisions", with_sum(number, place, write_decision(decision)))
            for place, decision in enumerate(decisions, start=1)
        ]
        with disk_errors(self.path, "written"):
            self._check_file()
            with schema.transaction(self._db):
                for table, row in rows:
                    schema.insert(self._db, table, row, "REPLACE")
        self._newest = number
        if self.backup:
            self.backup.note(len(rows) - 1, ended=True)
        if self._tally:
            self._tally.write(Newest(number, len(rows) - 1))
        return number

    def delete(self, number: int) -> None:
        """Delete a match of another program. Raises JournalError for one that was played here."""
        match = self.match(number)
        if not match.start.imported:
            raise JournalError(PLAYED_HERE(number=str(number)))
        with disk_errors(self.path, "written"):
            self._check_file()
            with schema.transaction(self._db):
                self._db.execute("DELETE FROM decisions WHERE match = ?", (match.number,))
                self._db.execute("DELETE FROM matches WHERE number = ?", (match.number,))
            self._newest = self._db.execute("SELECT max(number) FROM matches").fetchone()[0] or 0
        self.acknowledge_losses()
        if self.backup:
            self.backup.note(0, ended=True)

    def redate(self, boot: str, wall_time: Callable[[int], datetime]) -> bool:
        """The clock was set: correct the dates of matches begun since this boot. Return whether any
        was wrong. `wall_time` converts milliseconds since the boot to wall time."""
        query = "SELECT m.began, d.* FROM dates d JOIN matches m ON d.match = m.number"
        wrong = []
        for kept, *row in self._rows(f"{query} WHERE d.boot = ?", boot):
            dated = self._read(f"the date of match {row[0]}", read_date, tuple(row))
            right = wall_time(dated.start.after_ms)
            if not is_near(dated.began or str(kept), right):
                wrong.append(replace(dated, began=written(right)))
        self._rows_waiting += [("dates", write_date(dated)) for dated in wrong]
        if wrong:
            self.commit()
        return bool(wrong)

    def resume(self, number: MatchId) -> None:
        query = """SELECT (SELECT max(place) FROM decisions WHERE match = :number),
            (SELECT max(place) FROM touches WHERE match = :number),
            (SELECT min(place) FROM touches WHERE match = :number)"""
        with disk_errors(self.path, "read"):
            found = self._db.execute(query, {"number": number}).fetchone()
        decision, touch, oldest = found
        self._match, self._place = number, decision or 0
        self._touched, self._oldest_touch = touch or 0, oldest or 1

    @property
    def writing(self) -> MatchId | None:
        """The match being written, if any."""
        return self._match

    def touch(self, event: Event) -> None:
        """Keep an event in memory until the next commit."""
        self._touched += 1
        self._untried += 1
        self._touches_waiting.append(write_touch(self._writing, self._touched, event))

    def decide(self, decision: Decision) -> None:
        """Keep a decision in memory until the next commit, which must follow at once."""
        self._place += 1
        row = with_sum(self._writing, self._place, write_decision(decision))
        self._rows_waiting.append(("decisions", row))
        if decision.state.phase is Phase.MATCH_OVER:
            self._ended.add(self._writing)
        else:
            self._ended.discard(self._writing)

    @property
    def is_laden(self) -> bool:
        """Whether enough touches wait to be written without a decision."""
        return self._untried >= WAITING

    def commit(self) -> None:
        """Write everything that waits, or nothing. Raises JournalError; then everything still
        waits, and the next commit tries again."""
        self._untried = 0
        with disk_errors(self.path, "written"):
            self._check_file()
            with schema.transaction(self._db):
                # A commit that failed may have reached the disk; writing again must do no harm.
                touches = (("touches", row) for row in self._touches_waiting)
                for table, row in (*self._rows_waiting, *touches):
                    schema.insert(self._db, table, row, "REPLACE")
                for number in self._ended:
                    self._seal_record(number)
                oldest = self._trimmed()
        self._oldest_touch = oldest
        if self.backup:
            decisions = sum(table == "decisions" for table, _ in self._rows_waiting)
            self.backup.note(decisions, ended=bool(self._ended))
        self._rows_waiting.clear()
        self._ended.clear()
        self._touches_waiting.clear()
        if self._tally and self._match is not None:
            self._tally.write(Newest(self._match, self._place))

    def check(self, patience_s: float) -> bool:
        """Check the file for a limited time, what is needed soon first. Return whether all was
        checked. Raises DamagedError."""
        with disk_errors(self.path, "read"):
            whole, found = fault_within(self._db, patience_s)
            rows = self._db.execute("SELECT * FROM matches").fetchall()
        if found:
            raise DamagedError(self.path, found)
        for row in rows:
            self._begun(row)
        number = self.unfinished()
        if number is not None:
            self.latest_game(number)
        return whole

    def lacks(self) -> Newest | None:
        """The newest decision that the tally has and the file lacks; None if nothing is missing."""
        newest = self._tally.read() if self._tally else None
        if newest is None or not newest.match:
            return None
        query = """SELECT (SELECT count(*) FROM matches WHERE number = :number),
            (SELECT coalesce(max(place), 0) FROM decisions WHERE match = :number)"""
        with disk_errors(self.path, "read"):
            begun, place = self._db.execute(query, {"number": newest.match}).fetchone()
        return None if begun and place >= newest.place else newest

    def acknowledge_losses(self) -> Newest | None:
        """Return what is missing, and accept the file's present content."""
        lacking = self.lacks()
        query = "SELECT coalesce(max(place), 0) FROM decisions WHERE match = ?"
        if self._tally:
            with disk_errors(self.path, "read"):
                place = self._db.execute(query, (self._newest,)).fetchone()[0]
            self._tally.write(Newest(MatchId(self._newest), place))
        return lacking

    def restore(self, add: Callable[[sqlite3.Connection], T]) -> T:
        """Let `add` add rows from elsewhere to the file. Return its result."""
        with disk_errors(self.path, "written"):
            added = add(self._db)
            self._newest = self._db.execute("SELECT max(number) FROM matches").fetchone()[0] or 0
        return added

    @property
    def _writing(self) -> MatchId:
        if self._match is None:
            raise JournalError("no match has been begun or resumed; call begin or resume first")
        return self._match

    def _open(self) -> sqlite3.Connection:
        version = 0
        if self.path != MEMORY:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._inode = _make_private(self.path)
            version = self._version()
        db = schema.connect(str(self.path), timeout=_BUSY_S)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            if version == 0:
                schema.make_tables(db)
            elif version < schema.VERSION:
                self._bring_up_to_date(db)
            # Neither opening nor beginning tells a file that cannot be written: only writing does.
            db.execute("BEGIN IMMEDIATE")
            db.execute(f"PRAGMA user_version = {schema.VERSION}")
            db.execute("ROLLBACK")
        except BaseException:
            db.close()
            raise
        return db

    def _bring_up_to_date(self, db: sqlite3.Connection) -> None:
        """Migrate the file; a copy of the old one stays beside it."""
        copy_whole(db, self.path.with_name(f"{self.path.name}.version-{schema.version_of(db)}"))
        schema.migrate(db)

    def _check_file(self) -> None:
        """Raise JournalError if the file was deleted. SQLite would go on writing to it unseen."""
        if self._inode is None:
            return
        try:
            found = self.path.stat()
        except FileNotFoundError:
            found = None
        if found is None or (found.st_dev, found.st_ino) != self._inode:
            raise JournalError(WAS_REPLACED(path=str(self.path)))

    def _seal_record(self, number: MatchId) -> None:
        """Sign the match in the transaction that ends it. If signing fails the match is stored
        without a seal."""
        if self._seal is None:
            return
        try:
            line = self._seal(self.record(number))
        except (SealError, JournalError) as error:
            self.unsealed = error.said
            return
        self.unsealed = None
        query = "SELECT max(place) FROM decisions WHERE match = ?"
        place = self._db.execute(query, (number,)).fetchone()[0]
        schema.insert(self._db, "seals", with_sum(number, place, line), "REPLACE")

    def _trimmed(self) -> int:
        """Delete the oldest touches of a long match. Return the number of the oldest one left."""
        oldest = self._touched - TOUCHES_A_MATCH + 1
        if oldest <= self._oldest_touch + _SLACK:
            return self._oldest_touch
        query = "DELETE FROM touches WHERE match = ? AND place < ?"
        self._db.execute(query, (self._match, oldest))
        return oldest

    def _give_up_old_touches(self) -> None:
        """Delete whole matches' touches, the oldest first. The file keeps its size."""
        for _ in range(GIVEN_UP_AT_ONCE):
            pages, free, size = (
                self._db.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("page_count", "freelist_count", "page_size")
            )
            oldest = self._db.execute("SELECT min(match) FROM touches").fetchone()[0]
            if (pages - free) * size <= LARGEST or oldest in (None, self._match):
                return
            self._db.execute("DELETE FROM touches WHERE match = ?", (oldest,))


def _make_private(path: Path) -> tuple[int, int]:
    """Create the file if it is missing, readable by its owner only."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(path.stat().st_mode):
            raise JournalError(NO_PLAIN_FILE(path=str(path)))
    file = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
    try:
        found = os.fstat(file)
        if found.st_mode & 0o077 and found.st_uid == os.getuid():
            os.fchmod(file, PRIVATE)
    finally:
        os.close(file)
    return found.st_dev, found.st_ino
