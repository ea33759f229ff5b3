"""How a long command shows how far it is."""

from __future__ import annotations

import io
import os
import signal

import pytest

from pi_app.cli.ending import QUIET_S, Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Seconds:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_on_a_terminal_one_line_changes_and_goes() -> None:
    stream, seconds = Terminal(), Seconds()
    with Progress(4, "matches", stream, seconds) as progress:
        progress.tell(0)
        seconds.now += 3
        progress.tell(1)
    lines = [line.strip() for line in stream.getvalue().split("\r")]
    assert lines == ["", "0 of 4 matches, 0 s", "1 of 4 matches, 3 s, 9 s to go", "", ""]
    assert "\n" not in stream.getvalue()


def test_elsewhere_a_line_comes_now_and_then() -> None:
    stream, seconds = io.StringIO(), Seconds()
    with Progress(4, "matches", stream, seconds) as progress:
        progress.tell(0)
        seconds.now += QUIET_S
        progress.tell(2)
        progress.tell(3)
    assert stream.getvalue() == "2 of 4 matches, 10 s, 10 s to go\n"


def test_meanwhile_sigterm_interrupts_as_ctrl_c_does() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), Progress(4, "matches", io.StringIO()):
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before
