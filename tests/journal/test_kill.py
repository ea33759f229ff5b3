"""Nothing shown is ever lost: a kill at every write, and a log cut off at every length."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kill_each_write import ADDED
from samples import DECISIONS

from pi_app.journal import opening
from pi_app.journal.archive import Archive
from pi_app.journal.disk import JournalError
from pi_app.journal.opening import FILE, open_journal
from pi_app.journal.store import Journal
from pi_app.referee.decision import Decision
from pi_app.referee.events import MatchId

PROGRAM = Path(__file__).with_name("kill_each_write.py")
ALL = DECISIONS[: sum(ADDED)]
WHOLE = [-1, *(sum(ADDED[:commits]) for commits in range(len(ADDED) + 1))]
"""How many decisions there can be: a commit is there whole or not at all; -1 without a match."""
FIRST = MatchId(1)


@pytest.fixture(autouse=True)
def lasting_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: False)


def copied(folder: Path, point: int, target: Path) -> Path:
    """A copy to write in of the journal that a killed program left."""
    for companion in ("", "-wal", ".last"):
        (target / f"{FILE}{companion}").unlink(missing_ok=True)
        left = folder / f"{point}.db{companion}"
        if left.exists():
            shutil.copy(left, target / f"{FILE}{companion}")
    return target / FILE


def kept(path: Path) -> tuple[Decision, ...] | None:
    """The decisions in a journal that was left as a kill left it, and that can be written again."""
    journal = Journal(path)
    assert journal.lacks() is None
    if not journal.matches():
        journal.close()
        return None
    decisions = tuple(journal.decisions(FIRST))
    journal.resume(FIRST)
    journal.decide(DECISIONS[-1])
    journal.commit()
    assert tuple(journal.decisions(FIRST)) == (*decisions, DECISIONS[-1])
    journal.close()
    return decisions


def counted(decisions: tuple[Decision, ...] | None) -> int:
    return -1 if decisions is None else len(decisions)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, int]]]:
    """A journal for every point a program was killed at, and what it had shown by then."""
    folder = tmp_path_factory.mktemp("killed")
    command = [sys.executable, str(PROGRAM), str(folder)]
    found = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=60, env=found
    )
    return folder, [json.loads(line) for line in done.stdout.splitlines()]


def test_every_shown_decision_is_there_whichever_write_was_the_last(
    killed: tuple[Path, list[dict[str, int]]], tmp_path: Path
) -> None:
    folder, rounds = killed
    for result in rounds:
        decisions = kept(copied(folder, result["point"], tmp_path))
        assert counted(decisions) >= result["shown"], result
        assert (decisions or ()) == ALL[: len(decisions or ())], result
        assert counted(decisions) in WHOLE, result


def test_the_kills_reached_every_commit_before_and_after(
    killed: tuple[Path, list[dict[str, int]]],
) -> None:
    _, rounds = killed
    shown = [result["shown"] for result in rounds]
    # One decision at least, its touch, the beginning and the commit, the showing: each is a kill.
    assert len(rounds) > 6 * len(ADDED)
    assert set(shown) == set(WHOLE)
    assert [result["killed"] for result in rounds] == [True] * (len(rounds) - 1) + [False]
    assert shown[-1] == len(ALL)


@pytest.fixture
def torn(killed: tuple[Path, list[dict[str, int]]], tmp_path: Path) -> Path:
    """The journal as the last killed program left it: all commits are in its log."""
    folder, rounds = killed
    return copied(folder, rounds[-2]["point"], tmp_path).parent


def test_a_log_torn_at_any_length_gives_whole_commits_back_and_the_loss_is_told(
    torn: Path, tmp_path: Path
) -> None:
    frame, header = 24 + 4096, 32
    log, database, note = (
        (torn / f"{FILE}{companion}").read_bytes() for companion in ("-wal", "", ".last")
    )
    frames = (len(log) - header) // frame
    ends = [header + number * frame for number in range(frames + 1)]
    cuts = sorted({0, 1, *ends, *(end - 1 for end in ends), *(end + 30 for end in ends)})
    found = []
    for cut in cuts:
        folder = tmp_path / str(cut)
        folder.mkdir()
        (folder / FILE).write_bytes(database)
        (folder / f"{FILE}-wal").write_bytes(log[:cut])
        (folder / f"{FILE}.last").write_bytes(note)
        opened = open_journal(folder)
        there = bool(opened.journal.matches())
        decisions = tuple(opened.journal.decisions(FIRST)) if there else None
        opened.close()
        assert (decisions or ()) == ALL[: len(decisions or ())]
        found.append(counted(decisions))
        lost = f"{folder / FILE} lost matches up to 1"
        assert opened.notices == (() if found[-1] == len(ALL) else (lost,))
        again = open_journal(folder)
        again.close()
        assert again.notices == ()
    assert found == sorted(found)
    assert set(found) == set(WHOLE)


def test_a_reader_sees_what_a_killed_program_had_committed(torn: Path) -> None:
    archive = Archive(torn / FILE)
    assert tuple(archive.decisions(FIRST)) == ALL
    archive.close()
    with pytest.raises(JournalError, match="no journal yet"):
        Archive(torn / "another.db")
