"""Disks: those that lose their content at reboot, and why one refuses an operation."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import NamedTemporaryFile

from pi_app.base.errors import FailedError, GivenError
from pi_app.base.files import why
from pi_app.words.sentences import Sentence

# Volatile folders: file systems in memory, and overlays that end at reboot.

VOLATILE = frozenset({"tmpfs", "ramfs", "devtmpfs", "overlay", "overlayfs", "aufs", "zram"})
MOUNTS = Path("/proc/mounts")


def volatile_kind(folder: PurePosixPath, mounts: str) -> str | None:
    """The kind of file system under `folder` if it loses its files at reboot, else None.

    `mounts` is the text of /proc/mounts; `folder` is absolute, without symbolic links.
    """
    kind, depth = "", -1
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        mount = PurePosixPath(_plain(fields[1]))
        # A later mount on the same folder hides the earlier one.
        if folder.is_relative_to(mount) and len(mount.parts) >= depth:
            kind, depth = fields[2], len(mount.parts)
    return kind if kind in VOLATILE else None


def is_volatile(folder: Path) -> bool:
    """Whether files in `folder` are lost at reboot; False if unknown."""
    try:
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return volatile_kind(PurePosixPath(folder.resolve()), mounts) is not None


def _plain(mount: str) -> str:
    """A mount point without the octal escapes of blanks and backslashes."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), mount)


# Errors of a journal, each with its file and a remedy.

DAMAGED = Sentence("{path} is damaged: {why}; start spotter to repair it")
NO_PLAIN_FILE = Sentence("{path} is not a regular file; move it away")
CANNOT_BE: Mapping[str, Sentence] = {
    "read": Sentence("{path} cannot be read: {why}; {remedy}"),
    "written": Sentence("{path} cannot be written: {why}; {remedy}"),
    "opened": Sentence("{path} cannot be opened: {why}; {remedy}"),
}
RUN_DOCTOR = Sentence("run: spotter doctor")
CHECK_DISK = Sentence("check the disk or SD card")
RESTART = Sentence("restart the computer, and check the disk or SD card")
_CHECK_FOLDER = Sentence("check the permissions of the folder")
_END_OTHER = Sentence("close the other program that uses it")


class JournalError(FailedError, RuntimeError):
    """A journal that cannot be read or written; says which file, why and what to do."""


class NoMatchError(GivenError, LookupError):
    """No match has this number; says which numbers exist."""


class OtherVersionError(JournalError):
    """A journal of a later Spotter, or of one before 1.0; it is not touched."""


class DamagedError(JournalError):
    """The journal at `path` differs from what was written; `why` names the evidence."""

    def __init__(self, path: Path, why: str) -> None:
        self.why = " ".join(why.split())
        super().__init__(DAMAGED(path=str(path), why=self.why))


_REMEDIES: Mapping[int, Sentence] = {
    sqlite3.SQLITE_FULL: Sentence("free some space on the disk"),
    sqlite3.SQLITE_READONLY: Sentence("make the file and its folder writable"),
    sqlite3.SQLITE_CANTOPEN: _CHECK_FOLDER,
    sqlite3.SQLITE_BUSY: _END_OTHER,
    sqlite3.SQLITE_LOCKED: _END_OTHER,
    sqlite3.SQLITE_IOERR: CHECK_DISK,
    sqlite3.SQLITE_PERM: _CHECK_FOLDER,
    sqlite3.SQLITE_AUTH: RUN_DOCTOR,
    sqlite3.SQLITE_NOMEM: Sentence("close other programs, or restart the computer"),
    sqlite3.SQLITE_NOLFS: Sentence("move it to another disk"),
}
"""What to do about errors outside the file, by SQLite's primary result code."""


@contextmanager
def disk_errors(path: Path, done: str) -> Iterator[None]:
    """Turn errors of SQLite and the system into JournalErrors; with `done` "read" the message is
    "cannot be read". An error that is no fault of the disk, the folder or another program is a
    DamagedError. A failing disk can make SQLite report a damaged file, so the disk is tried first.
    """
    try:
        yield
    except OSError as error:
        message = CANNOT_BE[done](path=str(path), why=why(error), remedy=RUN_DOCTOR())
        raise JournalError(message) from error
    except sqlite3.Error as error:
        code = _code(error)
        remedy = _REMEDIES.get(code)
        if (remedy is None or code in _BY_DISK) and (refused := _refused(path, done)):
            raise refused from error
        if remedy is None:
            raise DamagedError(path, str(error)) from error
        message = CANNOT_BE[done](path=str(path), why=str(error), remedy=remedy())
        raise JournalError(message) from error


_BY_DISK = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})
"""SQLite errors that may come from the folder or the disk."""
_DISK = frozenset({errno.EIO, errno.EROFS, errno.ENXIO, errno.ENODEV, errno.EUCLEAN})
"""System errors of the disk itself."""
_PIECE, _PIECES = 1 << 20, 16


def _refused(path: Path, done: str) -> JournalError | None:
    """The operation that the disk under a file refuses, if any."""
    try:
        _try_disk(path, writing=done == "written")
    except OSError as error:
        if error.errno in _DISK:
            remedy = RESTART if error.errno == errno.EROFS else CHECK_DISK
            return JournalError(CANNOT_BE[done](path=str(path), why=why(error), remedy=remedy()))
    return None


def _try_disk(path: Path, *, writing: bool) -> None:
    """Read the first megabytes of a file, and write beside it. Raises OSError."""
    with path.open("rb") as file:
        for _ in range(_PIECES):
            if not file.read(_PIECE):
                break
    if writing:
        with NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.try-") as tried:
            tried.write(b"?")
            tried.flush()
            os.fsync(tried.fileno())


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 for errors of Python itself, as with invalid text."""
    try:
        return error.sqlite_errorcode & 0xFF
    except AttributeError:
        return 0
