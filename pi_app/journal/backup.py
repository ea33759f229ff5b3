"""The backup: a copy of the journal beside it, from when the journal was last found intact.

A backup is made at the start if the present one is incomplete, after each match, and after every
`EVERY` decisions. Dates are not used, because many boards have no clock. A thread copies a little
at a time while others write. Then it checks the copy from end to end, so the journal is checked
without anybody waiting.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

from pi_app.base.files import PRIVATE
from pi_app.journal import rows as schema
from pi_app.journal.rows import fault
from pi_app.words.sentences import Sentence

NOT_BACKED_UP = Sentence("No backup of the journal: {why}; run: spotter doctor")
DISK_FULL = Sentence("No backup of the journal: the disk is nearly full")
IS_DAMAGED = Sentence("The journal is damaged ({why}); restart Spotter to repair it")

EVERY = 200
"""Decisions between two backups, about one long game."""
_PAGES = 256
"""Pages copied at a time, a megabyte."""
_PAUSE_S = 0.02
"""Seconds between two portions, in which a decision can be written."""
_SPARE = 16 * 1024 * 1024
"""Bytes of the disk that a backup leaves free."""


class _StoppedError(Exception):
    """The copy is no longer wanted."""


def backup_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.backup")


def suspicion_of(path: Path) -> Path:
    """The file that exists while a journal is known to be damaged and not repaired yet."""
    return path.with_name(f"{path.name}.suspect")


def copy_whole(db: sqlite3.Connection, target: Path) -> None:
    """Copy a journal without other writers. Raises sqlite3.Error or OSError."""
    _copy(db, target, threading.Event())


class Backup:
    """Keeps the backup of the journal at `path` up to date, and checks the journal by it.

    `trouble` is what players should know about it, or None. `doubtful`: check the journal in any
    case.
    """

    def __init__(self, path: Path, doubtful: bool) -> None:
        self.trouble: str | None = None
        self._path, self._doubtful = path, doubtful
        self._stopped = threading.Event()
        self._worker = ThreadPoolExecutor(1, "backup of the journal")
        self._unsaved = 0
        self._newest = self._worker.submit(self._run)

    def note(self, decisions: int, *, ended: bool) -> None:
        """Count written decisions, and a match that may have ended."""
        self._unsaved += decisions
        if ended or self._unsaved >= EVERY:
            self._unsaved = 0
            self._newest = self._worker.submit(self._run)

    def join(self) -> None:
        """Wait until everything noted so far is in the backup or reported."""
        self._newest.result()

    def stop(self) -> None:
        """Abandon unfinished work; it is repeated at the next start."""
        self._stopped.set()
        self._worker.shutdown(cancel_futures=True)

    def _run(self) -> None:
        """Make the copy, check it, and replace the previous one."""
        try:
            if self._doubtful or not self._is_whole():
                self._back_up()
        except _StoppedError:
            pass
        except (sqlite3.Error, OSError) as error:
            self.trouble = NOT_BACKED_UP(why=str(error))

    def _is_whole(self) -> bool:
        """Whether the backup has everything that the journal has."""
        backup = backup_of(self._path)
        return backup.exists() and _extent(backup, "immutable=1") == _extent(self._path, "mode=ro")

    def _back_up(self) -> None:
        fresh = self._path.with_name(f"{self._path.name}.copy")
        size = self._path.stat().st_size
        if shutil.disk_usage(self._path.parent).free < size + _SPARE:
            self.trouble = DISK_FULL()
            return
        try:
            with closing(schema.connect(f"{self._path.absolute().as_uri()}?mode=ro")) as db:
                # While this is open, the copy is of one moment.
                db.execute("BEGIN")
                db.execute("SELECT count(*) FROM matches").fetchone()
                _copy(db, fresh, self._stopped)
            found = self._look_over(fresh)
            if found is None:
                fresh.replace(backup_of(self._path))
                self.trouble, self._doubtful = None, False
                return
            suspicion_of(self._path).touch(mode=PRIVATE)
            self.trouble = IS_DAMAGED(why=found)
        finally:
            fresh.unlink(missing_ok=True)

    def _look_over(self, copy: Path) -> str | None:
        with closing(schema.connect(str(copy))) as db:
            db.set_progress_handler(self._stopped.is_set, 100_000)
            try:
                return fault(db)
            except sqlite3.OperationalError:
                if self._stopped.is_set():
                    raise _StoppedError from None
                raise
            except sqlite3.DatabaseError as error:
                return str(error)


def _copy(db: sqlite3.Connection, target: Path, stopped: threading.Event) -> None:
    """Copy to a new file, completely or not at all."""
    fresh = target.with_name(f"{target.name}.new")
    fresh.unlink(missing_ok=True)
    os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE))

    def go_on(*_: int) -> None:
        if stopped.is_set():
            raise _StoppedError

    try:
        with closing(schema.connect(str(fresh))) as copy:
            db.backup(copy, pages=_PAGES, progress=go_on, sleep=_PAUSE_S)
            # A single file, readable without extra files beside it.
            copy.execute("PRAGMA journal_mode = DELETE")
        _force(fresh)
        fresh.replace(target)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def _force(file: Path) -> None:
    """Force the file to the disk before it is renamed."""
    descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _extent(file: Path, mode: str) -> list[tuple[object, ...]]:
    """How much is stored of each match; empty for an unreadable journal."""
    query = """SELECT number, began, (SELECT max(place) FROM decisions WHERE match = number),
        (SELECT max(place) FROM seals WHERE match = number),
        (SELECT began FROM dates WHERE match = number) FROM matches ORDER BY number"""
    try:
        with closing(schema.connect(f"{file.absolute().as_uri()}?{mode}")) as db:
            return db.execute(query).fetchall()
    except sqlite3.Error:
        return []
