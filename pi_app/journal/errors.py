"""What can be wrong with a journal: said with its file and a remedy, and told apart by its kind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from pi_app.errors import FailedError, GivenError
from pi_app.files import why
from pi_app.sentences import Sentence

DAMAGED = Sentence(
    "{path} is damaged: {why}; start spotter: it sets the file aside and keeps what can be read "
    "of it"
)
NO_PLAIN_FILE = Sentence("{path} is no plain file; move it away")
CANNOT_BE: Mapping[str, Sentence] = MappingProxyType(
    {
        "read": Sentence("{path} cannot be read: {why}; {remedy}"),
        "written": Sentence("{path} cannot be written: {why}; {remedy}"),
        "opened": Sentence("{path} cannot be opened: {why}; {remedy}"),
    }
)
RUN_DOCTOR = Sentence("run: spotter doctor")
_CHECK_FOLDER = Sentence("check the folder and who may write it")
_END_OTHER = Sentence("end the other program that writes it")


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
        super().__init__(DAMAGED(path=str(path), why=self.why))


_REMEDIES: Mapping[int, Sentence] = MappingProxyType(
    {
        sqlite3.SQLITE_FULL: Sentence("free some space on the disk"),
        sqlite3.SQLITE_READONLY: Sentence("make the file and its folder writable"),
        sqlite3.SQLITE_CANTOPEN: _CHECK_FOLDER,
        sqlite3.SQLITE_BUSY: _END_OTHER,
        sqlite3.SQLITE_LOCKED: _END_OTHER,
        sqlite3.SQLITE_IOERR: Sentence("check the disk or SD card"),
        sqlite3.SQLITE_PERM: _CHECK_FOLDER,
        sqlite3.SQLITE_AUTH: RUN_DOCTOR,
        sqlite3.SQLITE_NOMEM: Sentence("end other programs, or restart the computer"),
        sqlite3.SQLITE_NOLFS: Sentence("keep it on another disk"),
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
        told = CANNOT_BE[done](path=str(path), why=why(error), remedy=RUN_DOCTOR())
        raise JournalError(told) from error
    except sqlite3.Error as error:
        remedy = _REMEDIES.get(_code(error))
        if remedy is None:
            raise DamagedError(path, str(error)) from error
        told = CANNOT_BE[done](path=str(path), why=str(error), remedy=remedy())
        raise JournalError(told) from error


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 where Python itself found fault, as with a broken text."""
    try:
        return error.sqlite_errorcode & 0xFF
    except AttributeError:
        return 0
