"""`spotter import`: matches of other programs are stored once, and one bad file costs no other."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from export_forms import match_text

from pi_app.__main__ import main
from pi_app.journal.archive import Archive
from pi_app.journal.disk import JournalError
from pi_app.journal.opening import FILE
from pi_app.journal.store import Journal
from pi_app.user.settings import load_settings


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def archive(folder: Path) -> Archive:
    return Archive(folder / "spotter" / FILE)


def files(folder: Path, count: int, *, damaged: int = 0) -> Path:
    """A folder of matches, each other than the rest, the first ones damaged."""
    there = folder / "matches"
    there.mkdir()
    for number in range(count):
        text = match_text(f"Ann {number}", "Ben")
        if number < damaged:
            text = text.replace("8/5 6/5", ("8/5 6/4", "x", "")[number % 3])
        (there / f"m{number:03}.txt").write_text(text, encoding="utf-8")
    return there


def test_each_match_is_stored_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = files(folder, 6, damaged=2)
    assert main(["import", str(there)]) == 0
    told = capsys.readouterr()
    assert "4 matches stored" in told.out
    assert [line.split(": ")[1].rsplit("/")[-1] for line in told.err.splitlines()] == [
        "m000.txt",
        "m001.txt",
    ]
    assert "line 5" in told.err
    assert main(["import", str(there / "m003.txt"), str(there)]) == 0
    assert "0 matches stored, 4 known already" in capsys.readouterr().out
    with closing(archive(folder)) as kept:
        assert [match.start.players[0] for match in kept.matches()] == [
            f"Ann {number}" for number in range(2, 6)
        ]
        assert kept.unfinished() is None


def test_an_imported_match_is_listed_exported_and_deleted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["import", str(files(folder, 1))])
    capsys.readouterr()
    assert main(["matches"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("imported")
    assert main(["export", "1", "--mat"]) == 0
    assert "31: 8/5 6/5" in capsys.readouterr().out
    assert main(["export", "1", "--sealed"]) == 1
    assert "not sealed" in capsys.readouterr().err
    assert main(["matches", "--delete", "1"]) == 0
    with closing(archive(folder)) as kept:
        assert kept.matches() == ()
    capsys.readouterr()
    assert main(["import", str(folder / "matches")]) == 0
    assert "1 match stored" in capsys.readouterr().out


def test_a_match_that_was_played_here_cannot_be_deleted(folder: Path) -> None:
    main(["import", str(files(folder, 1))])
    with closing(Journal(folder / "spotter" / FILE)) as journal:
        (match,) = journal.matches()
        played = journal.begin(
            type(match.start)(match.start.us, "backgammon", "tables-24", 1, ("A", "B")), "2026"
        )
        with pytest.raises(JournalError, match="was played here"):
            journal.delete(played)
        assert journal.unfinished() == played


def test_who_i_am_is_asked_once_and_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    there = files(folder, 3)

    class AskingTerminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for answer, me in (("\n", ""), ("9\n", ""), ("1\n", "Ben"), ("2\n", "Ben")):
        monkeypatch.setattr("sys.stdin", AskingTerminal(answer))
        assert main(["import", str(there)]) == (2 if answer == "9\n" else 0)
        assert load_settings().coach.me == me
        told = capsys.readouterr()
        assert ("1. Ben" in told.out) is (answer != "2\n")
    assert main(["import", "--me", "Ann 2", str(there)]) == 0
    assert load_settings().coach.me == "Ann 2"


def test_ctrl_c_loses_nothing_and_says_what_came_of_it(folder: Path) -> None:
    there = files(folder, 40)
    words = [sys.executable, "-m", "pi_app", "import", str(there)]
    running = subprocess.Popen(
        words,
        env={**os.environ, "XDG_DATA_HOME": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while running.poll() is None and _count(folder) < 3:
        time.sleep(0.005)
    running.send_signal(signal.SIGINT)
    told, faults = running.communicate()
    stored = _count(folder)
    assert 3 <= stored <= 40
    assert f"{stored} matches stored" in told
    assert "Traceback" not in faults
    assert main(["import", str(there)]) == 0
    assert _count(folder) == 40


def test_killed_imports_go_on_where_they_were(folder: Path) -> None:
    there = files(folder, 40, damaged=3)
    environment = {**os.environ, "XDG_DATA_HOME": str(folder)}
    words = [sys.executable, "-m", "pi_app", "import", str(there)]
    for stored in (2, 6, 11, 17, 24):
        running = subprocess.Popen(
            words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while running.poll() is None and _count(folder) < stored:
            time.sleep(0.005)
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert main(["import", str(there)]) == 0
    with closing(archive(folder)) as kept:
        names = [match.start.players[0] for match in kept.matches()]
        assert names == [f"Ann {number}" for number in range(3, 40)]
        decided = {len(tuple(kept.decisions(match.number))) for match in kept.matches()}
        assert len(decided) == 1


def _count(folder: Path) -> int:
    try:
        with closing(archive(folder)) as kept:
            return len(kept.imported())
    except JournalError:
        return 0
