"""Opening the journal so that play can begin whatever the disk is like, and saying what it is.

A damaged file is moved aside, never deleted; where nothing can be written, a match is played
without being kept.  Both are told.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from pi_app.journal.archive import JournalError, primary_code
from pi_app.journal.disk import is_volatile
from pi_app.journal.lock import InstanceLock
from pi_app.journal.store import MEMORY, Journal

FILE = "matches.db"
LOCK = "spotter.lock"

_DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_COMPANIONS = ("", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Opened:
    """A journal to write, what the players should know about it, and the lock it is under."""

    journal: Journal
    notices: tuple[str, ...]
    lock: InstanceLock | None

    def close(self) -> None:
        """Close the journal and let the next Spotter in."""
        self.journal.close()
        if self.lock is not None:
            self.lock.close()


def data_folder() -> Path:
    """Where matches are kept: $XDG_DATA_HOME/spotter, ~/.local/share/spotter by default."""
    return platformdirs.user_data_path("spotter")


def open_journal(folder: Path) -> Opened:
    """Open the journal of a data folder for this program alone.

    Raises AlreadyRunningError, and JournalError for a journal of a newer Spotter; any other
    trouble becomes a notice.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = InstanceLock(folder / LOCK)
    except OSError as error:
        return _unkept(f"{folder} cannot be written: {error}; run: spotter doctor", None)
    try:
        journal, notices = _open_or_move_aside(folder / FILE)
    except JournalError as error:
        if error.__cause__ is None:
            lock.close()
            raise
        return _unkept(str(error), lock)
    if is_volatile(folder):
        notices = (
            *notices,
            f"{folder} is forgotten at reboot; to keep matches turn the overlay file system off: "
            "sudo raspi-config nonint do_overlayfs 1, or set XDG_DATA_HOME to a real disk",
        )
    return Opened(journal, notices, lock)


def _unkept(trouble: str, lock: InstanceLock | None) -> Opened:
    return Opened(Journal(MEMORY), (f"This match is not kept: {trouble}",), lock)


def _open_or_move_aside(path: Path) -> tuple[Journal, tuple[str, ...]]:
    try:
        return _open_checked(path), ()
    except JournalError as error:
        if primary_code(error.__cause__) not in _DAMAGED:
            raise
    aside = _move_aside(path)
    notice = f"{path} was damaged and is now {aside}; a new journal was begun"
    return Journal(path), (notice,)


def _open_checked(path: Path) -> Journal:
    """A journal whose last program did not end cleanly is read whole before it is trusted."""
    left_open = path.with_name(path.name + "-wal").exists()
    journal = Journal(path)
    try:
        if left_open:
            journal.check()
    except JournalError:
        journal.close()
        raise
    return journal


def _move_aside(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for companion in _COMPANIONS:
        old = path.with_name(path.name + companion)
        if old.exists():
            old.rename(aside.with_name(aside.name + companion))
    return aside
