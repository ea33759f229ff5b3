"""One Spotter a data folder: a lock that the kernel lets go of, however the program ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from pi_app.journal.errors import JournalError


class AlreadyRunningError(JournalError):
    """Another Spotter holds the data folder."""


class InstanceLock:
    """Holds `path` locked until it is closed or the process is gone.

    Raises AlreadyRunningError naming the other's process, OSError when the file cannot be made or
    is no file of its own: a link is not followed.
    """

    def __init__(self, path: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        self._file = os.open(path, flags, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            running = _holder(self._file)
            self.close()
            raise AlreadyRunningError(
                f"Spotter is already running (process {running}); close it first"
            ) from None
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode("ascii"), 0)

    def close(self) -> None:
        """Let the next one in; may be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def find_holder(path: Path) -> str | None:
    """The number of the process that holds this lock now, None when nobody does."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _holder(file)
    else:
        return None
    finally:
        os.close(file)


def _holder(file: int) -> str:
    return os.pread(file, 20, 0).decode("ascii", "replace").strip() or "unknown"
