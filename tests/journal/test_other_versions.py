"""A journal from before 1.0, or of a newer Spotter, is refused in one line and left as it is."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pi_app.__main__ import main
from pi_app.journal import opening
from pi_app.journal.archive import Archive
from pi_app.journal.backup import backup_of
from pi_app.journal.disk import OtherVersionError
from pi_app.journal.opening import FILE, open_journal
from pi_app.journal.rows import OLDEST, VERSION
from pi_app.journal.store import MEMORY, Journal

KEPT = Path(__file__).parent / "version6" / "kept.db"
TABLES_1 = """
    CREATE TABLE matches (number INTEGER PRIMARY KEY, began, game, white_name, black_name,
        match_to, white_score, black_score, phase, result);
    CREATE TABLE events (match, place, line, PRIMARY KEY (match, place)) WITHOUT ROWID;
    INSERT INTO matches VALUES (1, 'then', 'nannon', 'Ann', 'Bea', 3, 1, 0, 'moving', NULL);
    INSERT INTO events VALUES (1, 1, '{"ms": 0, "event": "start"}');
"""


def journal_of(version: int, file: Path, said: int) -> None:
    """One with the tables of an old version, whatever number it has of them."""
    if version > 1:
        shutil.copy(KEPT, file)
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(TABLES_1 if version == 1 else "DROP TABLE seals")
        db.execute(f"PRAGMA user_version = {said}")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "spotter"
    folder.mkdir()
    return folder


def refused(path: Path, version: int) -> str:
    return (
        f"{path} was written before Spotter 1.0 (journal version {version}); "
        "move the file away to start a new journal"
    )


def content(data: Path) -> dict[str, bytes]:
    """The journal and whatever has been made beside it."""
    return {path.name: path.read_bytes() for path in data.glob(f"{FILE}*")}


@pytest.mark.parametrize("version", range(1, OLDEST))
def test_a_journal_from_before_1_0_is_left_alone_and_a_match_is_played_unkept(
    data: Path, version: int
) -> None:
    journal_of(version, data / FILE, version)
    before = content(data)
    assert list(before) == [FILE]
    for _ in range(2):
        with closing(open_journal(data)) as opened:
            assert opened.notices == (f"This match is not saved: {refused(data / FILE, version)}",)
            assert opened.journal.path == MEMORY
        for opens in (Archive, Journal):
            with pytest.raises(OtherVersionError) as error:
                opens(data / FILE)
            assert error.value.said == refused(data / FILE, version)
        assert content(data) == before


@pytest.mark.parametrize("said", [*range(VERSION + 1), 1001, 77777, -5])
@pytest.mark.parametrize("version", [1, 2])
def test_the_tables_tell_the_version_where_the_number_is_another(
    data: Path, version: int, said: int
) -> None:
    journal_of(version, data / FILE, said)
    before = content(data)
    read_as = 1 if version == 1 else said if 2 <= said <= 5 else 5
    with closing(open_journal(data)) as opened:
        assert opened.notices == (f"This match is not saved: {refused(data / FILE, read_as)}",)
    assert content(data) == before


def test_one_that_a_killed_spotter_left_with_a_log_is_left_alone_too(data: Path) -> None:
    made = data / "made"
    made.mkdir()
    journal_of(3, made / FILE, 3)
    with closing(sqlite3.connect(made / FILE, isolation_level=None)) as db:
        db.execute("DELETE FROM touches")
        for file in made.iterdir():
            shutil.copy(file, data)
    before = content(data)
    assert before[f"{FILE}-wal"]
    with closing(open_journal(data)) as opened:
        assert opened.notices == (f"This match is not saved: {refused(data / FILE, 3)}",)
    after = content(data)
    assert after.keys() == before.keys()
    assert all(after[name] == before[name] for name in (FILE, f"{FILE}-wal"))


def test_once_it_is_moved_away_nothing_comes_back_from_its_backup(data: Path) -> None:
    journal_of(5, backup_of(data / FILE), 5)
    (data / f"{FILE}.last").write_text(f"{3:>20} {0:>20}\n")
    with closing(open_journal(data)) as opened:
        assert opened.journal.matches() == ()
        assert opened.notices == (f"{data / FILE} lost matches up to 3",)
    with closing(open_journal(data)) as opened:
        assert opened.notices == ()


def test_a_newer_journal_is_left_as_it_is_without_a_log_beside_it(data: Path) -> None:
    shutil.copy(KEPT, data / FILE)
    with closing(sqlite3.connect(data / FILE, isolation_level=None)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = content(data)
    for opens in (Archive, Journal):
        with pytest.raises(OtherVersionError, match="newer Spotter"):
            opens(data / FILE)
    assert content(data) == before


@pytest.mark.parametrize(
    "words", [["matches"], ["export", "1"], ["analyse", "1"]], ids=lambda words: words[0]
)
def test_a_command_that_reads_says_it_in_one_line(
    data: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    journal_of(4, data / FILE, 4)
    before = content(data)
    assert main(words) == 1
    assert capsys.readouterr().err == f"spotter: {refused(data / FILE, 4)}\n"
    assert content(data) == before
