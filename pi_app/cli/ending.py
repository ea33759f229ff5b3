"""How a command starts and ends: its exit status, errors in one line, and progress.

| status | what it means |
|---|---|
| 0 | done |
| 1 | it could not be done, or what was checked has a fault: a device, the disk, the journal |
| 2 | the input cannot be used: arguments, settings, a board, a position, events |
| 130 | ended by Ctrl-C, or by SIGTERM while it showed its progress |

Nobody ever sees a traceback: an unforeseen error is written to a file, and the file is named.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from pathlib import Path
from typing import TextIO

from pi_app.base.errors import GivenError, SpotterError
from pi_app.base.extras import to_set_up
from pi_app.base.files import why
from pi_app.words.texts import both_ends, one_line

MOST_LINES = 20
"""The most reasons of an error that are printed."""
LOG = "last-failure.log"
RAW_WARNING = r"Your system is \w+ capable but pygame"
"""Printed by Debian 13's pygame at each import; users can do nothing about it."""


@contextmanager
def starting() -> Iterator[None]:
    """Leave garbage alone meanwhile. What a start makes stays, and to look through it over and over
    took a seventh of the start's time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class Status(IntEnum):
    DONE = 0
    FAILED = 1
    GIVEN = 2
    INTERRUPTED = 130


def ended(run: Callable[[], int]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    warnings.filterwarnings("ignore", RAW_WARNING, RuntimeWarning)
    try:
        with threads_tell():
            status = run()
    except KeyboardInterrupt:
        status = Status.INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; nothing more can be written.
        silence()
        return Status.DONE
    except Exception as error:  # the one place where every error ends
        status = tell(error)
    return _flushed(status)


def _flushed(status: int) -> int:
    try:
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        silence()
    except OSError as error:
        silence()
        return tell(error)
    return status


def tell(error: Exception) -> Status:
    """Print the error on stderr, a line per reason, and return the exit status."""
    say(lines_of(error))
    return Status.GIVEN if isinstance(error, GivenError) else Status.FAILED


def lines_of(error: Exception) -> tuple[str, ...]:
    match error:
        case SpotterError():
            return error.lines
        case ImportError():
            return (f"{error}; set up what Spotter needs with {to_set_up()}",)
        case OSError() if error.filename is not None:
            return (f"{both_ends(str(error.filename), 100)}: {why(error)}",)
        case OSError():
            return (why(error),)
    what = f"{type(error).__name__}: {error}"
    return (f"internal error: {one_line(what, 120)}; please report {_keep(error)}",)


def say(lines: Iterable[str]) -> None:
    """Print error lines on stderr, shortened and limited in number."""
    shown = [both_ends(f"spotter: {line}") for line in lines]
    left = len(shown) - MOST_LINES
    more = [f"spotter: and {left} more"] if left > 0 else []
    if not shown:
        return
    with suppress(OSError):
        print("\n".join([*shown[:MOST_LINES], *more]), file=sys.stderr)


def _keep(error: Exception) -> str:
    text = "".join(traceback.format_exception(error))
    for folder in (_log_folder, tempfile.mkdtemp):
        with suppress(OSError):
            file = Path(folder()) / LOG
            file.write_text(text, encoding="utf-8", errors="replace")
            return str(file)
    return "what you did; the traceback could not be saved"


def _log_folder() -> Path:
    import platformdirs  # noqa: PLC0415, only failures are stored

    folder = platformdirs.user_log_path("spotter")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def threads_tell() -> Iterator[None]:
    """Report an exception that ends a thread; the other threads continue."""

    def hook(ended: threading.ExceptHookArgs) -> None:
        if isinstance(ended.exc_value, Exception):
            tell(ended.exc_value)

    before, threading.excepthook = threading.excepthook, hook
    try:
        yield
    finally:
        threading.excepthook = before


def silence() -> None:
    """Discard further output, so that Python's own flush at exit cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


QUIET_S = 10.0
"""Seconds between two lines of progress if the output is no terminal."""
WIDTH = 78


class Progress:
    """Shows on stderr how many of `total` are done, and how long the rest may take.

    On a terminal it is one changing line, which is cleared at the end of the context; elsewhere a
    line now and then. In the context SIGTERM stops the command as Ctrl-C does, so that it prints or
    stores what it has. A package for this would be more to install on a Raspberry Pi.
    """

    def __init__(
        self,
        total: int,
        what: str,
        stream: TextIO | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total, self._what = total, what
        self._stream = stream or sys.stderr
        self._seconds = seconds
        self._watched = self._stream.isatty()
        self._began = self._printed_at = seconds()

    def __enter__(self) -> Progress:
        self._on_sigterm = signal.signal(signal.SIGTERM, signal.default_int_handler)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGTERM, self._on_sigterm)
        self.clear()

    def tell(self, done: int, total: int | None = None) -> None:
        """Show that this many are done; `total` corrects the number given at the start."""
        self._total = self._total if total is None else total
        now = self._seconds()
        if not self._watched and now - self._printed_at < QUIET_S:
            return
        self._printed_at = now
        gone = now - self._began
        rest = f", {gone / done * (self._total - done):.0f} s to go" if done else ""
        text = f"{done} of {self._total} {self._what}, {gone:.0f} s{rest}"
        self._write(f"\r{text:<{WIDTH}.{WIDTH}}" if self._watched else f"{text}\n")

    def clear(self) -> None:
        if self._watched:
            self._write(f"\r{'':{WIDTH}}\r")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
