"""How a command ends: one exit status for each kind of end, and one line for each error.

| status | what it means |
|---|---|
| 0 | done |
| 1 | it could not be done, or what was looked at is not well: a device, the disk, the journal |
| 2 | what was given cannot be used: arguments, settings, a board, a position, events |
| 130 | ended by Ctrl-C |

Nobody ever sees a traceback: one that was not foreseen goes into a file that is named.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum

import platformdirs

from pi_app.errors import GivenError, SpotterError
from pi_app.extras import to_set_up
from pi_app.files import why
from pi_app.texts import one_line

MOST_LINES = 20
"""Of an error with many reasons, so many are told."""
LOG = "last-failure.log"


class Status(IntEnum):
    """The exit status."""

    DONE = 0
    FAILED = 1
    GIVEN = 2
    INTERRUPTED = 130


def tell(error: Exception) -> Status:
    """Say on stderr what went wrong, a line a reason, and what the exit status is."""
    say(told(error))
    return Status.GIVEN if isinstance(error, GivenError) else Status.FAILED


def told(error: Exception) -> tuple[str, ...]:
    """An error as people read it; of one that nobody foresaw, where its traceback was written."""
    match error:
        case SpotterError():
            return error.lines
        case ImportError():
            return (f"{error}; set up what Spotter needs with {to_set_up()}",)
        case OSError() if error.filename is not None:
            return (f"{one_line(str(error.filename), 100)}: {why(error)}",)
        case OSError():
            return (why(error),)
    what = f"{type(error).__name__}: {error}"
    return (f"this should not happen: {one_line(what, 120)}; please report {_keep(error)}",)


def say(lines: Iterable[str]) -> None:
    """Print lines of an error on stderr, each short, and not too many."""
    shown = [one_line(f"spotter: {line}") for line in lines]
    left = len(shown) - MOST_LINES
    more = [f"spotter: and {left} more"] if left > 0 else []
    with suppress(OSError):
        print("\n".join([*shown[:MOST_LINES], *more]), file=sys.stderr)


def _keep(error: Exception) -> str:
    """Write the traceback where logs belong, else to a temporary file; the last one only."""
    text = "".join(traceback.format_exception(error))
    with suppress(OSError):
        folder = platformdirs.user_log_path("spotter")
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / LOG
        file.write_text(text, encoding="utf-8", errors="replace")
        return str(file)
    with suppress(OSError):
        handle, name = tempfile.mkstemp(prefix="spotter-", suffix=".log")
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as opened:
            opened.write(text)
        return name
    return "what you did; its traceback could not be kept"


@contextmanager
def threads_tell() -> Iterator[None]:
    """What ends a thread meanwhile is told as well, and the others go on."""

    def hook(ended: threading.ExceptHookArgs) -> None:
        if isinstance(ended.exc_value, Exception):
            tell(ended.exc_value)

    before, threading.excepthook = threading.excepthook, hook
    try:
        yield
    finally:
        threading.excepthook = before


def silence() -> None:
    """Nothing more can be written, at Python's own exit neither."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
