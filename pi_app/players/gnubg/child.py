"""GNU Backgammon's process, which is asked line by line and ends with the one who asks.

It is free software under the GPL and only ever a program of its own: `inside.py` is handed to it
as a file, and the rest is lines of JSON.  It sees a home of its own, so that no file of the user's
is read or written.  What it answers is not believed: it ends well after most errors.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from pi_app.players.contract import PlayerError
from pi_app.words.sentences import Said, Sentence
from pi_app.words.texts import one_line, quoted

PLACES = os.pathsep.join((os.defpath, "/usr/games", "/usr/local/games"))
"""Where it is looked for besides the user's own path; Debian's is with the games."""
INSIDE = Path(__file__).parent / "inside.py"
START_S = 30.0
ANSWER_S = 60.0
MOST_OF_LINE = 1024 * 1024

MISSING = Sentence("GNU Backgammon is not installed; run: sudo apt install gnubg")


def program() -> str | None:
    return shutil.which("gnubg") or shutil.which("gnubg", path=PLACES)


def missing() -> Said | None:
    return None if program() else MISSING()


def command() -> tuple[str, ...]:
    """What starts it; raises PlayerError where it is missing."""
    found = program()
    if found is None:
        raise PlayerError(MISSING())
    return (found, "--tty", "--quiet", "--no-rc", "--python", str(INSIDE))


class Gnubg:
    """The process, started at once, and anew by the question after one that went wrong."""

    def __init__(
        self, command: Sequence[str], start_s: float = START_S, answer_s: float = ANSWER_S
    ) -> None:
        self._command, self._start_s, self._answer_s = tuple(command), start_s, answer_s
        self._child: _Child | None = _Child(self._command, start_s)

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child else None

    def ask(self, question: Mapping[str, object]) -> dict[str, Any]:
        """The answer; raises PlayerError where there is none, and ends the process."""
        child = self._child or _Child(self._command, self._start_s)
        self._child = None
        try:
            told = child.ask(question, self._answer_s)
        except PlayerError:
            child.end()
            raise
        self._child = child
        return told

    def end(self) -> None:
        if self._child:
            self._child.end()
        self._child = None


class _Child:
    def __init__(self, command: Sequence[str], start_s: float) -> None:
        ours, theirs = socket.socketpair()
        home = tempfile.mkdtemp(prefix="spotter-gnubg-")
        try:
            with theirs:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    env={
                        "HOME": home,
                        "PATH": os.environ.get("PATH", os.defpath),
                        "LC_ALL": "C.UTF-8",
                        "SPOTTER_CHANNEL": str(theirs.fileno()),
                    },
                )
        except OSError as error:
            ours.close()
            shutil.rmtree(home, ignore_errors=True)
            raise PlayerError(
                f"GNU Backgammon cannot be started: {command[0]}: {error.strerror}"
            ) from None
        self.pid = process.pid
        self._socket, self._lines = ours, ours.makefile("rw", encoding="utf-8", newline="\n")
        # At the latest when this program ends.
        self.end = weakref.finalize(self, _end, process, ours, self._lines, home)
        try:
            self._socket.settimeout(start_s)
            self._hear(start_s, "; is it built with Python?")
        except PlayerError:
            self.end()
            raise

    def ask(self, question: Mapping[str, object], answer_s: float) -> dict[str, Any]:
        self._socket.settimeout(answer_s)
        try:
            self._lines.write(json.dumps(question) + "\n")
            self._lines.flush()
        except OSError:
            raise PlayerError("GNU Backgammon has ended") from None
        told = self._hear(answer_s)
        if "error" in told:
            raise PlayerError(f"GNU Backgammon says: {one_line(str(told['error']), 100)}")
        return told

    def _hear(self, patience_s: float, suspicion: str = "") -> dict[str, Any]:
        try:
            line = self._lines.readline(MOST_OF_LINE)
        except TimeoutError:
            late = f"GNU Backgammon did not answer within {patience_s:g} s"
            raise PlayerError(late) from None
        except (OSError, ValueError):
            line = ""
        if not line:
            raise PlayerError(f"GNU Backgammon has ended{suspicion}")
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict):
            raise PlayerError(f"GNU Backgammon answers nonsense: {quoted(line)}")
        return told


def _end(process: subprocess.Popen[bytes], ours: socket.socket, lines: TextIO, home: str) -> None:
    process.kill()
    process.wait()
    with suppress(OSError):  # what it was still to be told
        lines.close()
    ours.close()
    shutil.rmtree(home, ignore_errors=True)
