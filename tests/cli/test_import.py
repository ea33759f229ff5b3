"""`spotter import`: matches of other programs are stored once, and one bad file costs no other."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest
from export_forms import match_text
from known import GAMES
from shares import one_in

from pi_app.__main__ import main
from pi_app.export.match_files import read_match
from pi_app.export.transcript import EntryError
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
    # The signal may come between the disk and the count.
    assert stored - 1 <= int(told.split(" ", 1)[0]) <= stored
    assert "Traceback" not in faults
    assert main(["import", str(there)]) == 0
    assert _count(folder) == 40


FILES, DAMAGED = (40, 6) if one_in(2) > 1 else (500, 25)
WHOLE = match_text("Dan", "Eva")
DAMAGES: tuple[bytes, ...] = (
    b"",
    b"\0" * 300,
    b"RGMH\x08\0\0\0" + bytes(range(256)),
    b"\x1f\x8b\x08\0not really packed",
    b'{"format":"BGF","version":"1.0"}',
    b"GNUbg" * 1_000_000,
    b"just some words about a match\n",
    b"(;GM[1]FF[4]SZ[19];B[pd])",
    b"(;GM[6]MI[length:99999][game:0]PW[A]PB[B];W[31hefe])",
    b"-b----E-C---eE---c-e----B-;1;2;3;4;5;6;7;8;9;" * 9,
    *(
        WHOLE.replace(old, new).encode()
        for old, new in (
            ("8/5 6/5", "8/5 6/4"),
            ("8/5 6/5", "8/5 garbage"),
            ("31:", "77:"),
            ("31:", "33:"),
            ("8/5", "5/8"),
            ("64: 24/14", "64: 24/13"),
            ("64: 24/14", "10: 24/14"),
            ("Game 1", "Gane 1"),
            ("Dan : 0", "Dan 0"),
            ("1 point match", "1000 point match"),
            ("1 point match", '; [Variation "Checkers"]\n 1 point match'),
            (" Game 1\n", " Game 1\n; Set Pos=nothing\n"),
            ("Dan : 0", "Dan : 7"),
            ("64: 24/14", "Raccoons => 8"),
            ("24/14", "24/18 24/20 24/14"),
        )
    ),
)
"""Files that are no matches, each for another reason."""


def damaged_folder(folder: Path) -> Path:
    there = files(folder, FILES - DAMAGED)
    assert len(set(DAMAGES)) == 25
    for number, data in enumerate(DAMAGES[:: 25 // DAMAGED][:DAMAGED]):
        (there / f"n{number:02}.mat").write_bytes(data)
    return there


def test_each_damaged_file_of_a_folder_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = damaged_folder(folder)
    assert main(["import", str(there)]) == 0
    told = capsys.readouterr()
    assert told.out.startswith(f"{FILES - DAMAGED} matches stored; ")
    lines = [line for line in told.err.splitlines() if "files read" not in line]
    named = [re.search(r"/(n\d\d)\.mat: ", line) for line in lines]
    assert [found and found[1] for found in named] == [f"n{n:02}" for n in range(DAMAGED)]
    assert _count(folder) == FILES - DAMAGED


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda data: str(data[:12]))
def test_no_damaged_file_is_a_match(damage: bytes) -> None:
    with pytest.raises(EntryError):
        read_match(damage, GAMES, "file.mat")


def test_memory_does_not_grow_with_the_number_of_files(folder: Path) -> None:
    there = files(folder, 60)
    peaks = []
    for part in (range(2), range(2, 17), range(17, 60)):
        names = [str(there / f"m{number:03}.txt") for number in part]
        tracemalloc.start()
        assert main(["import", *names]) == 0
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    _, few, many = peaks
    # The names of files stay; of these matches nothing does, each of which has 6 500 bytes.
    assert many < few + 28 * 6_000


@pytest.mark.slow
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
