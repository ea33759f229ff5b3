"""The journal through an update and back, killed at everything that changes a file."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from samples import DECISIONS, START

from pi_app import __version__
from pi_app.journal import opening
from pi_app.journal.archive import Archive
from pi_app.journal.opening import FILE, open_journal
from pi_app.journal.rows import VERSION
from pi_app.journal.store import MEMORY
from pi_app.journal.update import keep_before_update, step_back

CHANGES = ("open", "os.rename", "os.remove", "sqlite3.connect")
"""What Python says before it does it; besides these every statement of SQLite counts."""


@pytest.fixture(autouse=True)
def lasting_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: False)


def play(folder: Path, version: str = __version__) -> None:
    """One more match, with this version of Spotter."""
    with patch.object(opening, "__version__", version), closing(open_journal(folder)) as opened:
        opened.journal.begin(START, "then")
        for decision in DECISIONS:
            opened.journal.decide(decision)
        opened.journal.commit()


def become_newer(folder: Path) -> None:
    """As a Spotter of tomorrow would leave it: with a version that this one does not know."""
    play(folder, "99.0")
    with closing(sqlite3.connect(folder / FILE)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
        db.commit()


def matches_in(file: Path) -> int:
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
        (number,) = db.execute("SELECT count(DISTINCT match) FROM decisions").fetchone()
        return int(number)


def whole(file: Path) -> bool:
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
        return bool(db.execute("PRAGMA integrity_check").fetchone() == ("ok",))


def killed_at(change: int, act: Callable[[], object]) -> bool:
    """Let a child act until its change of this number; whether it was killed before the end."""
    child = os.fork()
    if child == 0:
        left = [change]

        def passing(*event: Any) -> None:
            if len(event) == 1 or event[0] in CHANGES:
                left[0] -= 1
            if left[0] == 0:
                left[0] = -1  # killing is told of as well
                os.kill(os.getpid(), signal.SIGKILL)

        connect = sqlite3.connect

        def watched(*args: Any, **kwargs: Any) -> sqlite3.Connection:
            db: sqlite3.Connection = connect(*args, **kwargs)
            db.set_trace_callback(passing)
            return db

        sqlite3.connect = watched  # type: ignore[assignment]
        sys.addaudithook(passing)
        act()
        os._exit(0)
    return bool(os.WIFSIGNALED(os.waitpid(child, 0)[1]))


def test_an_update_copies_the_journal_as_it_is_once(tmp_path: Path) -> None:
    play(tmp_path)
    assert not list(tmp_path.glob("*before*")), "the first Spotter here was no update"
    for _ in range(2):
        play(tmp_path, "1.1.0")
    (copy,) = tmp_path.glob("*before*")
    assert (copy.name, matches_in(copy)) == (f"{FILE}.before-1.1.0", 1)
    play(tmp_path, "1.10.0")
    (copy,) = tmp_path.glob("*before*")
    assert (copy.name, matches_in(copy)) == (f"{FILE}.before-1.10.0", 3)


def test_going_back_has_the_matches_from_before_and_keeps_the_newer_journal(
    tmp_path: Path,
) -> None:
    play(tmp_path)
    become_newer(tmp_path)
    with closing(open_journal(tmp_path)) as opened:
        assert opened.journal.path != MEMORY
        (told,) = opened.notices
    newer = tmp_path / f"{FILE}.newer-1"
    assert str(newer) in told
    assert (matches_in(tmp_path / FILE), matches_in(newer)) == (1, 2)
    play(tmp_path)
    assert Archive(tmp_path / FILE).matches()[-1].number == 2, "and play continues"
    become_newer(tmp_path)
    with closing(open_journal(tmp_path)):
        assert matches_in(tmp_path / f"{FILE}.newer-2") == 3
    assert (matches_in(tmp_path / FILE), matches_in(newer)) == (2, 2)


def test_without_a_copy_a_newer_journal_is_left_alone(tmp_path: Path) -> None:
    play(tmp_path)
    become_newer(tmp_path)
    for copy in tmp_path.glob("*before*"):
        copy.unlink()
    with closing(open_journal(tmp_path)) as opened:
        assert opened.journal.path == MEMORY
    assert matches_in(tmp_path / FILE) == 2


def test_a_damaged_journal_is_repaired_and_not_copied(tmp_path: Path) -> None:
    play(tmp_path)
    (tmp_path / FILE).write_bytes(b"no journal" * 1000)
    keep_before_update(tmp_path / FILE, "1.1.0")
    assert not list(tmp_path.glob("*before*"))
    with closing(open_journal(tmp_path)) as opened:
        assert "was damaged" in opened.notices[0]


@pytest.mark.slow
@pytest.mark.parametrize("back", [False, True])
def test_killed_anywhere_no_match_is_lost(tmp_path: Path, back: bool) -> None:
    before, folder = tmp_path / "before", tmp_path / "now"
    play(before)
    if back:
        become_newer(before)
    change, killed = 0, True
    while killed:
        change += 1
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(before, folder)
        file = folder / FILE

        def act(file: Path = file) -> None:
            if back:
                step_back(file)
            else:
                keep_before_update(file, "1.1.0")

        killed = killed_at(change, act)
        if not back:
            keep_before_update(file, "1.1.0")
        with closing(open_journal(folder)) as opened:
            assert opened.journal.path != MEMORY, change
        kept = max(map(matches_in, folder.glob("*.newer-?")), default=0)
        copied = matches_in(next(folder.glob("*.before-?.?.?" if not back else "*.before-99.0")))
        assert (matches_in(file), kept, copied) == (1, 2 if back else 0, 1), change
        assert whole(file)
    assert change > 10
    print(f"killed at {change - 1} changes")
