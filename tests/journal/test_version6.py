"""A journal as a Spotter of version 6 left it, and what the numbers in a file can say falsely.

`kept.db` holds a match that is over and unsealed, one that is over and sealed, and one that was
begun while the clock was not set.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from known import judge_again

from pi_app.journal import opening
from pi_app.journal import rows as schema
from pi_app.journal.opening import FILE, open_journal
from pi_app.match.turns import Phase
from pi_app.referee.events import MatchId
from pi_app.seal.record import read_seal
from pi_app.wall_time import local_time

HERE = Path(__file__).parent
KEPT = HERE / "version6" / "kept.db"
EACH = [
    HERE / "version1" / "moving.db",
    HERE / "version2" / "kept.db",
    HERE / "version4" / "kept.db",
    HERE / "version5" / "kept.db",
    KEPT,
]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: False)
    folder = tmp_path / "spotter"
    folder.mkdir()
    return folder


def decided(data: Path) -> list[tuple[str, int]]:
    """Every match that is there, and how much was decided in it."""
    with closing(open_journal(data, judge_again)) as opened:
        journal = opened.journal
        assert journal.path == data / FILE, opened.notices
        assert not any("damaged" in notice for notice in opened.notices), opened.notices
        return [(m.began, len(tuple(journal.decisions(m.number)))) for m in journal.matches()]


def test_everything_is_there_with_its_seal_and_what_was_not_dated_says_so(data: Path) -> None:
    shutil.copy(KEPT, data / FILE)
    with closing(open_journal(data, judge_again)) as opened:
        assert opened.notices == ()
        matches = opened.journal.matches()
        assert [match.phase for match in matches] == [
            Phase.MATCH_OVER,
            Phase.MATCH_OVER,
            Phase.SET_UP,
        ]
        assert read_seal(opened.journal.record(MatchId(2))[-1]) is not None
    assert [local_time(match.date) for match in matches[1:]] == [
        "2026-11-20 20:15",
        "date unknown",
    ]
    with closing(schema.connect(str(data / f"{FILE}.version-6"))) as db:
        assert schema.version_of(db) == 6


@pytest.mark.parametrize("said", range(schema.VERSION + 1))
@pytest.mark.parametrize("file", EACH, ids=lambda file: file.parent.name)
def test_a_file_is_read_by_its_tables_where_its_number_is_another(
    data: Path, file: Path, said: int
) -> None:
    shutil.copy(file, data / FILE)
    whole = decided(data)
    shutil.rmtree(data)
    data.mkdir()
    shutil.copy(file, data / FILE)
    with closing(sqlite3.connect(data / FILE, isolation_level=None)) as db:
        db.execute(f"PRAGMA user_version = {said}")
    assert decided(data) == whole
