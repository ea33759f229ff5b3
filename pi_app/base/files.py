"""Files that a user named.

A file that is read may be anything, so nothing blocks and sizes are limited. A file that is written
is never seen half written.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

MOST_BYTES = 256 * 1024
"""The largest settings or board file; the largest that comes with Spotter has 12 000 bytes."""
MOST_OF_LINE = 64 * 1024
"""The most bytes of a line of events or questions; Spotter writes a few thousand at most."""

PRIVATE = 0o600
"""The mode of a file that only its owner may read: matches, keys and passwords."""

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def read_text(file: Path, most: int = MOST_BYTES) -> str:
    """Return the UTF-8 text of a plain file. Raises as `read_bytes` does, and ValueError for no
    text."""
    return read_bytes(file, most).decode("utf-8")


def read_bytes(file: Path, most: int) -> bytes:
    """Raises OSError if it is no plain file or cannot be read, ValueError if it is too long or its
    name is impossible."""
    with open_plain(file) as opened:
        data = opened.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it is longer than {most // 1024} KiB")
    return data


def replace_text(file: Path, text: str) -> None:
    """Write atomically: a reader, or a power cut, meets the old file or the new one.

    Raises OSError; then the old file stays.
    """
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(text.encode("utf-8"))
            opened.flush()
            os.fsync(opened.fileno())
        temporary.replace(file)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other process is in here for the same folder, so that nobody writes between
    reading and writing. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def open_plain(file: Path) -> BinaryIO:
    """Open a plain file to be read piece by piece. Raises as `read_text` does."""
    check_plain(file)
    # Should it have become a pipe since, nobody waits for it.
    return os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")


def bounded_lines(stream: BinaryIO) -> Iterator[str]:
    """Yield the lines of a stream as they arrive. Raises ValueError at one that is too long or no
    text."""
    while line := stream.readline(MOST_OF_LINE + 1):
        if len(line) > MOST_OF_LINE:
            raise ValueError(f"it is longer than {MOST_OF_LINE // 1024} KiB")
        yield line.decode("utf-8")


def check_plain(file: Path) -> None:
    """Raise OSError unless this is a plain file, without opening it."""
    kind = _KINDS.get(stat.S_IFMT(file.stat().st_mode))
    if kind:
        raise OSError(errno.EINVAL, f"it is {kind}, no plain file")


def is_there(path: Path) -> bool:
    """Whether the file exists. Raises OSError if that cannot be seen.

    From Python 3.14 on Path.exists returns False then.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def why(error: OSError | ValueError) -> str:
    """Why a file cannot be read, without its name."""
    if isinstance(error, UnicodeDecodeError):
        return "it is no UTF-8 text"
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def damaged_name(file: Path) -> Path:
    """A free name beside a damaged file, to which it is renamed."""
    number = 1
    while (aside := file.with_name(f"{file.name}.damaged-{number}")).exists():
        number += 1
    return aside
