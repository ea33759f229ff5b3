"""At most one Spotter for each data folder: a lock that the kernel releases however the program
ends.

The lock is `flock` on the file; the file names the process for people.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from pi_app.base.files import check_plain
from pi_app.journal.disk import JournalError


class AlreadyRunningError(JournalError):
    """Another Spotter, `process`, holds the data folder."""

    def __init__(self, process: str) -> None:
        self.process = process
        super().__init__(f"Spotter is already running (process {process}); close it first")


class InstanceLock:
    """Holds `path` locked until it is closed or the process ends. Raises AlreadyRunningError, which
    names the other process, and OSError if the file cannot be created or is a link."""

    def __init__(self, path: Path) -> None:
        holder = _read_holder(path)
        self._lock = FileLock(path)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            # An older filelock empties the file that it cannot lock.
            if holder:
                _write_holder(path, holder)
            raise AlreadyRunningError(holder or "unknown") from None
        _write_holder(path, str(os.getpid()))

    def close(self) -> None:
        """Release the lock; may be called twice."""
        self._lock.release()


def find_holder(path: Path) -> str | None:
    """The process that holds this lock, or None."""
    if not path.exists():
        return None
    try:
        InstanceLock(path).close()
    except AlreadyRunningError as error:
        return error.process
    except OSError:
        pass
    return None


def _read_holder(path: Path) -> str:
    if path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    try:
        check_plain(path)
    except FileNotFoundError:
        return ""
    with path.open(encoding="ascii", errors="replace") as file:
        return file.read(20).strip()


def _write_holder(path: Path, process: str) -> None:
    """Write this process's number. On a full disk the lock works without it."""
    with suppress(OSError):
        path.write_text(f"{process}\n", encoding="ascii")
