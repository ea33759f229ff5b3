"""What can be wrong with a journal: said with its file and a remedy, and told apart by its kind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from pi_app.errors import FailedError, GivenError
from pi_app.files import why

_REMEDY = "start spotter: it sets the file aside and keeps what can be read of it"


class JournalError(FailedError, RuntimeError):
    """A journal that cannot be read or written; says which file, why and what to do."""


class NoMatchError(GivenError, LookupError):
    """A number that no match has; says which there are."""


class NewerJournalError(JournalError):
    """A journal of a later Spotter; it is left alone."""


class DamagedError(JournalError):
    """What is in the journal at `path` is not what was written there; `why` tells how it shows."""

    def __init__(self, path: Path, why: str) -> None:
        self.why = " ".join(why.split())
        super().__init__(f"{path} is damaged: {self.why}; {_REMEDY}")


_REMEDIES: Mapping[int, str] = MappingProxyType(
    {
        sqlite3.SQLITE_FULL: "free some space on the disk",
        sqlite3.SQLITE_READONLY: "make the file and its folder writable",
        sqlite3.SQLITE_CANTOPEN: "check the folder and who may write it",
        sqlite3.SQLITE_BUSY: "end the other program that writes it",
        sqlite3.SQLITE_LOCKED: "end the other program that writes it",
        sqlite3.SQLITE_IOERR: "check the disk or SD card",
        sqlite3.SQLITE_PERM: "check the folder and who may write it",
        sqlite3.SQLITE_AUTH: "run: spotter doctor",
        sqlite3.SQLITE_NOMEM: "end other programs, or restart the computer",
        sqlite3.SQLITE_NOLFS: "keep it on another disk",
    }
)
"""What to do where the file is not at fault, by SQLite's primary result code."""


@contextmanager
def told(path: Path, done: str) -> Iterator[None]:
    """SQLite's and the system's errors as a JournalError; "cannot be read" is `done` "read".

    Whatever is not the disk's, the folder's or another program's fault is a DamagedError.
    """
    try:
        yield
    except OSError as error:
        raise JournalError(f"{path} cannot be {done}: {why(error)}; run: spotter doctor") from error
    except sqlite3.Error as error:
        remedy = _REMEDIES.get(_code(error))
        if remedy is None:
            raise DamagedError(path, str(error)) from error
        raise JournalError(f"{path} cannot be {done}: {error}; {remedy}") from error


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 where Python itself found fault, as with a broken text."""
    try:
        return error.sqlite_errorcode & 0xFF
    except AttributeError:
        return 0
