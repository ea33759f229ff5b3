"""Whatever the file holds, Spotter starts, says so in one line, and loses nothing silently."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from journal_damage import COMPANIONS, PAGE, damaged, spoil_a_row, start_spotter
from samples import DECISIONS, START, any_touches
from shares import some

from pi_app.journal import opening
from pi_app.journal.archive import Archive
from pi_app.journal.opening import FILE, open_journal
from pi_app.referee.decision import Decision
from pi_app.referee.events import MatchId

MATCHES = 12
ROUNDS = 100
"""tests/attack does eight hundred."""


@pytest.fixture(autouse=True)
def lasting_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: False)


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of a dozen matches as a killed Spotter leaves it, with a backup of all but one."""
    folder, left = tmp_path_factory.mktemp("good"), tmp_path_factory.mktemp("left")
    opened = open_journal(folder)
    for number in range(MATCHES):
        if number == MATCHES - 1:
            opened.close()
            (folder / f"{FILE}.backup").unlink(missing_ok=True)
            opened = open_journal(folder)
            assert opened.backup is not None
            opened.backup.join()
        opened.journal.begin(START, f"day {number}")
        for decision, event in zip(DECISIONS, any_touches(100), strict=False):
            opened.journal.decide(decision)
            opened.journal.touch(event)
            opened.journal.commit()
    for companion in COMPANIONS:
        shutil.copy(folder / f"{FILE}{companion}", left / f"{FILE}{companion}")
    opened.close()
    return left


def told_matches(folder: Path) -> dict[MatchId, tuple[Decision, ...]]:
    archive = Archive(folder / FILE)
    found = {
        match.number: tuple(archive.decisions(match.number))
        for match in archive.matches()
        if match.began != "now"
    }
    archive.close()
    return found


@pytest.mark.parametrize("seed", some(range(ROUNDS), 8))
def test_a_damaged_journal_lets_spotter_start_and_tells_what_it_lost(
    originals: Path, tmp_path: Path, seed: int
) -> None:
    folder = tmp_path / "data"
    what = damaged(originals, folder, random.Random(seed))
    said = list(start_spotter(folder, START))
    assert len([line for line in said if FILE in line]) <= 1, (what, said)
    assert all("\n" not in line for line in said)
    found = told_matches(folder)
    whole = dict.fromkeys(range(1, MATCHES + 1), DECISIONS)
    assert all(set(decisions) <= set(DECISIONS) for decisions in found.values()), what
    assert said or found == whole, what
    assert list(start_spotter(folder, START)) == [], what


def test_of_one_spoilt_decision_the_rest_is_kept(originals: Path, tmp_path: Path) -> None:
    for companion in ("", "-wal", ".last"):
        shutil.copy(originals / f"{FILE}{companion}", tmp_path / f"{FILE}{companion}")
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        db.execute(f"UPDATE decisions SET line = '' WHERE match = {MATCHES} AND place = 4")
    opened = open_journal(tmp_path)
    (notice,) = opened.notices
    aside = tmp_path / f"{FILE}.damaged-1"
    assert notice == (
        f"{tmp_path / FILE} was damaged (decision 4 of match {MATCHES}: its checksum is another) "
        f"and was renamed to {aside}; the new journal has the {MATCHES} readable matches; "
        f"incomplete: match {MATCHES}"
    )
    last = MatchId(MATCHES)
    assert tuple(opened.journal.decisions(last)) == (*DECISIONS[:3], *DECISIONS[4:])
    assert tuple(opened.journal.decisions(MatchId(1))) == DECISIONS
    assert opened.journal.has_all_touches(last)
    opened.close()


def test_a_row_is_spoilt_by_the_helper(originals: Path, tmp_path: Path) -> None:
    shutil.copy(originals / FILE, tmp_path / FILE)
    before = (tmp_path / FILE).read_bytes()
    for seed in range(5):
        spoil_a_row(tmp_path / FILE, random.Random(seed))
    assert (tmp_path / FILE).read_bytes() != before


def test_decisions_that_are_there_and_not_found_by_their_keys_are_noticed(tmp_path: Path) -> None:
    """Two pages of one table changed places: SQLite's quick check finds nothing wrong with that."""
    opened = open_journal(tmp_path)
    for _ in range(MATCHES):
        opened.journal.begin(START, "then")
        for decision in DECISIONS:
            opened.journal.decide(decision)
        opened.journal.commit()
    opened.close()
    file = tmp_path / FILE
    content = file.read_bytes()
    pages = [content[n : n + PAGE] for n in range(0, len(content), PAGE)]
    leaves = [n for n, page in enumerate(pages) if page[0] == 10 and b'"board set"' in page]
    first, second = leaves[:2]
    pages[first], pages[second] = pages[second], pages[first]
    file.write_bytes(b"".join(pages))
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA quick_check").fetchone() == ("ok",)
    again = open_journal(tmp_path)
    (notice,) = again.notices
    assert "it is out of order" in notice
    assert notice.endswith(f"has the {MATCHES} readable matches")
    for match in again.journal.matches():
        assert tuple(again.journal.decisions(match.number)) == DECISIONS
    again.close()
