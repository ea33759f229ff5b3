"""Nothing shown is ever lost: a kill at every write, and a log cut off at every length."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kill_each_write import ADDED, START, script

from pi_app.journal.archive import Archive, JournalError, MatchId
from pi_app.journal.opening import FILE, open_journal
from pi_app.journal.store import Journal
from pi_app.microseconds import ms
from pi_app.referee.events import Event, Tick

PROGRAM = Path(__file__).with_name("kill_each_write.py")
ALL: tuple[Event, ...] = (START, *script())
WHOLE = [0, *(1 + sum(ADDED[:commits]) for commits in range(len(ADDED) + 1))]
"""How many events there can be: a commit is there whole or not at all."""


def copied(folder: Path, point: int, target: Path) -> Path:
    """A copy to write in of the journal that a killed program left."""
    for companion in ("", "-wal"):
        (target / f"{FILE}{companion}").unlink(missing_ok=True)
        left = folder / f"{point}.db{companion}"
        if left.exists():
            shutil.copy(left, target / f"{FILE}{companion}")
    return target / FILE


def kept(path: Path) -> tuple[Event, ...]:
    """The events in a journal that was left as a kill left it, and that can be written again."""
    journal = Journal(path)
    events = tuple(journal.events(MatchId(1)))
    if events:
        journal.resume(MatchId(1))
        journal.add(Tick(ms(1000)))
        journal.commit(journal.match(1).standing)
        assert tuple(journal.events(MatchId(1))) == (*events, Tick(ms(1000)))
    journal.close()
    return events


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, int]]]:
    """A journal for every point a program was killed at, and what it had shown by then."""
    folder = tmp_path_factory.mktemp("killed")
    command = [sys.executable, str(PROGRAM), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return folder, [json.loads(line) for line in done.stdout.splitlines()]


def test_every_shown_event_is_there_whichever_write_was_the_last(
    killed: tuple[Path, list[dict[str, int]]], tmp_path: Path
) -> None:
    folder, rounds = killed
    for result in rounds:
        events = kept(copied(folder, result["point"], tmp_path))
        assert len(events) >= result["shown"], result
        assert events == ALL[: len(events)], result
        assert len(events) in WHOLE, result


def test_the_kills_reached_every_commit_before_and_after(
    killed: tuple[Path, list[dict[str, int]]],
) -> None:
    _, rounds = killed
    shown = [result["shown"] for result in rounds]
    # One event at least, the summary, the beginning and the commit, the showing: each is a kill.
    assert len(rounds) > 6 * len(ADDED)
    assert set(shown) == set(WHOLE)
    assert [result["killed"] for result in rounds] == [True] * (len(rounds) - 1) + [False]
    assert shown[-1] == len(ALL)


@pytest.fixture
def torn(killed: tuple[Path, list[dict[str, int]]], tmp_path: Path) -> Path:
    """The journal as the last killed program left it: all commits are in its log."""
    folder, rounds = killed
    return copied(folder, rounds[-2]["point"], tmp_path).parent


def test_a_log_torn_at_any_length_gives_whole_commits_back(torn: Path, tmp_path: Path) -> None:
    frame, header = 24 + 4096, 32
    log = (torn / f"{FILE}-wal").read_bytes()
    database = (torn / FILE).read_bytes()
    frames = (len(log) - header) // frame
    ends = [header + number * frame for number in range(frames + 1)]
    cuts = sorted({0, 1, *ends, *(end - 1 for end in ends), *(end + 30 for end in ends)})
    found = []
    for cut in cuts:
        folder = tmp_path / str(cut)
        folder.mkdir()
        (folder / FILE).write_bytes(database)
        (folder / f"{FILE}-wal").write_bytes(log[:cut])
        opened = open_journal(folder)
        assert not any("damaged" in notice for notice in opened.notices)
        events = tuple(opened.journal.events(MatchId(1)))
        opened.close()
        assert events == ALL[: len(events)]
        found.append(len(events))
    assert found == sorted(found)
    assert set(found) == set(WHOLE)


def test_a_reader_sees_what_a_killed_program_had_committed(torn: Path) -> None:
    archive = Archive(torn / FILE)
    assert tuple(archive.events(MatchId(1))) == ALL
    archive.close()
    with pytest.raises(JournalError, match="no journal yet"):
        Archive(torn / "another.db")
