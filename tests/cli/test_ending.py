"""How commands end: one status for each kind of end, a line a reason, and never a traceback."""

from __future__ import annotations

import errno
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pi_app.__main__ import main
from pi_app.base.strict import ConfigError
from pi_app.cli import rules
from pi_app.cli.ending import MOST_LINES, Status, say
from pi_app.cli.ending import __doc__ as table
from pi_app.devices.source import DeviceError
from pi_app.games.equipment import Compendium
from pi_app.journal.disk import JournalError
from pi_app.referee.events import EventError
from pi_app.referee.options import OptionsError
from pi_app.rules.terms import PositionError, TextError
from pi_app.screen.paint import ScreenError
from pi_app.simulator.reeds import FaultsError

PAGE = Path(__file__).parents[2] / "pi_app" / "README.md"


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def ended(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, list[str]]:
    """The exit status and output of `spotter rules` at this error."""

    def run(argv: list[str], games: Compendium) -> int:
        raise error

    monkeypatch.setattr(rules, "print_rules", run)
    status = main(["rules", "nannon"])
    return status, capsys.readouterr().err.splitlines()


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (ConfigError("mine.toml", ["a is missing"]), 2, "mine.toml: a is missing"),
        (TextError("roll '7': write"), 2, "roll '7': write"),
        (PositionError("x", ("too short",)), 2, "position 'x': too short"),
        (EventError("ms is None"), 2, "ms is None"),
        (OptionsError("options.x = 1"), 2, "options.x = 1"),
        (FaultsError("fault 'x'"), 2, "fault 'x'"),
        (DeviceError("no pins", "run: spotter doctor"), 1, "no pins; run: spotter doctor"),
        (JournalError("it is full"), 1, "it is full"),
        (ScreenError("no display"), 1, "no display"),
        (OSError(errno.ENOSPC, "No space left on device", "/x"), 1, "/x: No space left on device"),
        (OSError(errno.ENOSPC, "No space left on device"), 1, "No space left on device"),
        (ModuleNotFoundError("No module named 'pygame'"), 1, "No module named 'pygame'; set up"),
    ],
)
def test_a_kind_of_error_has_its_status(
    error: Exception,
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found, (line,) = ended(error, monkeypatch, capsys)
    assert found == status
    assert line.startswith(f"spotter: {said}")


@pytest.mark.parametrize("length", [10, 250, 5000, 100_000])
def test_a_long_line_still_has_its_place_and_its_reason(
    length: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error = EventError(f"line 7: {'x' * length}: write a roll")
    _, (line,) = ended(error, monkeypatch, capsys)
    assert line.startswith("spotter: line 7: xxx")
    assert line.endswith("xxx: write a roll")
    assert len(line) <= 300


def test_nothing_to_say_is_no_empty_line(capsys: pytest.CaptureFixture[str]) -> None:
    say([])
    assert capsys.readouterr().err == ""


def test_an_interruption_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(KeyboardInterrupt(), monkeypatch, capsys) == (130, [])


@pytest.mark.parametrize("error", [ZeroDivisionError("oh"), RecursionError(), MemoryError()])
def test_what_nobody_foresaw_is_a_line_and_a_file(
    error: Exception,
    logs: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, (line,) = ended(error, monkeypatch, capsys)
    assert status == 1
    (file,) = logs.rglob("*.log")
    assert line.startswith(f"spotter: internal error: {type(error).__name__}: ")
    assert line.endswith(f"please report {file}")
    text = file.read_text(encoding="utf-8")
    assert "Traceback" in text
    assert "raise error" in text


def test_a_thread_that_ends_so_is_a_line_too(
    logs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(argv: list[str], games: Compendium) -> int:
        thread = threading.Thread(target=lambda: int("x"))
        thread.start()
        thread.join()
        return 0

    monkeypatch.setattr(rules, "print_rules", run)
    before = threading.excepthook
    assert main(["rules"]) == 0
    assert threading.excepthook is before
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("spotter: internal error: ValueError: ")


def test_where_no_log_can_be_written_there_is_a_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    _, (line,) = ended(ZeroDivisionError(), monkeypatch, capsys)
    named = Path(line.rpartition(" ")[2])
    assert named.parent.parent == tmp_path
    assert "ZeroDivisionError" in named.read_text(encoding="utf-8")


def test_many_reasons_are_few_lines_and_each_is_short(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error = ConfigError("mine\n.toml", [f"key{number}\x1b is {'x' * 999}" for number in range(99)])
    _, lines = ended(error, monkeypatch, capsys)
    assert len(lines) == MOST_LINES + 1
    assert lines[-1] == f"spotter: and {99 - MOST_LINES} more"
    assert all(line.isprintable() and len(line) <= 300 for line in lines)


def test_the_page_has_the_table_of_statuses() -> None:
    rows = [line for line in (table or "").splitlines() if line.startswith("| ")]
    assert [row.split()[1] for row in rows[1:]] == [str(status.value) for status in Status]
    assert "\n".join(rows[1:]) in PAGE.read_text(encoding="utf-8")


def test_a_disk_that_is_full_is_told_where_the_output_goes_there() -> None:
    ended = subprocess.run(
        f"{shlex.quote(sys.executable)} -m pi_app rules nannon > /dev/full",
        capture_output=True,
        text=True,
        check=False,
        shell=True,
    )
    assert (ended.returncode, ended.stderr) == (1, "spotter: No space left on device\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["export", "9" * 5000], "is no whole number from 1 to 999999999; see: spotter export"),
        (["perft", "nannon", "1" * 60_000], "position '1111"),
        (["perft", "cannon", "x " + "9" * 5000], "depth '9999"),
        (["plays", "\ud800\x1b"], "invalid choice: '\\ud800\\x1b'"),
        (["x" * 100_000], "command 'xxx"),
        (["replay", "\0"], "cannot be read"),
        (["play", "--sim", "--board", "\0.toml"], "embedded null"),
        (["screenshot", "--page", "start", "-o", "x" * 5000 + ".png"], "File name too long"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_absurd_words_are_one_short_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) in (1, 2)
    lines = capsys.readouterr().err.splitlines()
    assert any(said in line for line in lines)
    assert all(line.isprintable() and len(line) <= 300 for line in lines)
    assert len(lines) <= MOST_LINES + 1
