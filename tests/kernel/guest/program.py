"""Spotter as a program under way in the guest: the views it prints, and how it ends."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from pi_app.referee.view import View

PrintedView: TypeAlias = Mapping[str, Any]
SPOTTER = (sys.executable, "-m", "pi_app")
WATCHED = (sys.executable, str(Path(__file__).parent / "watched.py"))
QUIET = {"PYGAME_HIDE_SUPPORT_PROMPT": "1"}
PATIENCE_S = 120
"""Far longer than anything takes on a busy host; in virtual time it costs nothing."""


def calm() -> dict[str, str]:
    """Keeps lgpio from polling every millisecond where nothing is measured; see slowpoll.c."""
    return {"LD_PRELOAD": f"{os.environ['LAB']}/slowpoll.so"}


class Seen(NamedTuple):
    """The view, with no time in it, and the devices that were away."""

    view: View | None
    away: tuple[str, ...]


class Program:
    """A Spotter with these words on its command line; every view it prints is kept.

    With `dice` these fall alike for the same text.  With `echo` the views are printed again, at
    once.
    """

    def __init__(
        self,
        *words: str,
        dice: str | None = None,
        env: Mapping[str, str] | None = None,
        echo: bool = False,
    ) -> None:
        self.views: list[PrintedView] = []
        self._echo = echo
        self._news = threading.Condition()
        self._ended = False
        name = f"/run/{time.monotonic_ns()}"
        self._errors, self._seen = Path(f"{name}.errors"), Path(f"{name}.seen")
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                [*WATCHED, *words, "--views"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={
                    **os.environ,
                    "SEEN": str(self._seen),
                    **QUIET,
                    **({} if dice is None else {"DICE": dice}),
                    **(env or {}),
                },
            )
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    @property
    def view(self) -> PrintedView:
        """The latest."""
        return self.views[-1]

    def until(
        self, is_so: Callable[[PrintedView], bool], within_s: float = PATIENCE_S
    ) -> PrintedView:
        """The latest view as soon as it is so; fails when it is not in time."""
        with self._news:
            self._news.wait_for(lambda: self._ended or self._is(is_so), within_s)
            assert self._is(is_so), f"after {within_s} s: {self.views[-1:]}, {self.errors()}"
            return self.view

    def draws(self) -> bool:
        """Whether it has drawn something."""
        return self._seen.exists()

    def seen(self) -> Seen:
        seen: Seen = pickle.loads(self._seen.read_bytes())
        return seen

    def touch(self, x: int, y: int) -> None:
        """Touch the screen."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{x} {y}\n")
        self._process.stdin.flush()

    def stop(self) -> int:
        """End it as the system does; its exit status."""
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(PATIENCE_S)

    def kill(self) -> None:
        """End it without a goodbye."""
        self._process.kill()
        self._process.wait(PATIENCE_S)

    def errors(self) -> str:
        return self._errors.read_text()

    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def _is(self, is_so: Callable[[PrintedView], bool]) -> bool:
        return bool(self.views) and is_so(self.view)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if self._echo:
                print(line, end="", flush=True)
            with self._news:
                self.views.append(json.loads(line))
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """A command of Spotter's from its start to its end."""
    return subprocess.run(
        [*SPOTTER, *words], capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
