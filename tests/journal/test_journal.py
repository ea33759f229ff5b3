"""Storing and restoring, and the message when the disk fails."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from samples import DECISIONS, NEXT, OVER, START, TOUCHES, any_touches

from pi_app.base.microseconds import ms
from pi_app.journal import store
from pi_app.journal.archive import Archive
from pi_app.journal.disk import DamagedError, JournalError, NoMatchError, OtherVersionError
from pi_app.journal.store import MEMORY, Journal
from pi_app.match.acts import Act
from pi_app.match.score import Score
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.events import Event, MatchId, Start, Tick

FIRST = MatchId(1)
WHEN = "2026-03-01 20:15"
LAST = Decision(ms(1400), Act.PLAY, OVER)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "down" / "matches.db"


def opened(path: Path) -> Journal:
    return Journal(path)


def begun(path: Path, *events: Event, decisions: Iterable[Decision] = ()) -> Journal:
    journal = opened(path)
    journal.begin(START, WHEN)
    for event in events:
        journal.touch(event)
    for decision in decisions:
        journal.decide(decision)
    return journal


def kept(path: Path, number: int = 1) -> tuple[tuple[Event, ...], tuple[Decision, ...]]:
    archive = Archive(path)
    found = tuple(archive.touches(MatchId(number))), tuple(archive.decisions(MatchId(number)))
    archive.close()
    return found


def test_a_match_comes_back_touch_by_touch_and_decision_by_decision(path: Path) -> None:
    journal = begun(path, *TOUCHES, decisions=DECISIONS)
    journal.commit()
    journal.close()
    assert kept(path) == ((START, *TOUCHES), DECISIONS)


def test_what_is_committed_can_be_read_beside_the_writer(path: Path) -> None:
    journal = begun(path, *TOUCHES[:2], decisions=DECISIONS[:1])
    assert kept(path) == ((START,), ())
    journal.commit()
    assert kept(path) == ((START, *TOUCHES[:2]), DECISIONS[:1])
    journal.close()


def test_the_list_says_where_each_match_stands(path: Path) -> None:
    journal = begun(path, decisions=[*DECISIONS, LAST])
    unlimited = Start(ms(0), "nannon", "nannon-6", None, ("Cid", "Dot"))
    journal.begin(unlimited, "later")
    journal.decide(DECISIONS[0])
    journal.commit()
    journal.begin(START, "last")
    first, second, third = journal.matches()
    assert (first.number, first.began, first.start) == (1, WHEN, START)
    assert (first.score, first.is_over) == (Score(5, 2), True)
    assert (second.start, second.score, second.phase) == (unlimited, Score(), Phase.OPENING_THROW)
    assert (third.score, third.phase, third.is_over) == (Score(), Phase.SET_UP, False)
    journal.close()


def test_the_newest_unfinished_match_is_the_one_to_resume(path: Path) -> None:
    journal = begun(path)
    assert journal.unfinished() == 1
    journal.begin(START, WHEN)
    assert journal.unfinished() == 2
    journal.decide(LAST)
    journal.commit()
    assert journal.unfinished() == 1
    journal.resume(FIRST)
    journal.decide(LAST)
    journal.commit()
    assert journal.unfinished() is None
    journal.close()


def test_a_resumed_match_goes_on_where_it_stopped(path: Path) -> None:
    journal = begun(path, *TOUCHES[:3], decisions=DECISIONS[:3])
    journal.commit()
    journal.close()
    journal = opened(path)
    journal.resume(FIRST)
    for event, decision in zip(TOUCHES[3:], DECISIONS[3:], strict=False):
        journal.touch(event)
        journal.decide(decision)
    journal.commit()
    journal.close()
    assert kept(path) == ((START, *TOUCHES), DECISIONS[: len(TOUCHES)])


def test_what_is_resumed_is_the_latest_game(path: Path) -> None:
    journal = begun(path, decisions=DECISIONS)
    journal.commit()
    assert journal.latest_game(FIRST) == DECISIONS[-1:]
    journal.decide(Decision(ms(1310), Act.BOARD_SET, NEXT))
    journal.commit()
    assert [decision.what for decision in journal.latest_game(FIRST)] == [
        Act.NEXT_GAME,
        Act.BOARD_SET,
    ]
    assert journal.last_us(FIRST) == ms(1310)
    journal.close()


def test_matches_are_numbered_on_after_a_restart(path: Path) -> None:
    begun(path).close()
    journal = opened(path)
    assert journal.begin(START, WHEN) == 2
    journal.close()


def test_a_touch_or_decision_without_a_match_is_refused(path: Path) -> None:
    journal = opened(path)
    with pytest.raises(JournalError, match="no match has been begun"):
        journal.touch(TOUCHES[0])
    with pytest.raises(JournalError, match="no match has been begun"):
        journal.decide(DECISIONS[0])
    journal.close()


@pytest.mark.parametrize("number", [7, -1, 0, 10**400])
def test_a_match_that_is_not_there_names_those_that_are(path: Path, number: int) -> None:
    journal = begun(path)
    journal.begin(START, WHEN)
    told = rf"match {str(number)[:99]}.* is not in .*; there are: 1, 2"
    with pytest.raises(NoMatchError, match=told):
        journal.match(number)
    assert journal.match(2).number == 2
    journal.close()


def test_every_connection_writes_through(path: Path) -> None:
    seen: list[str] = []
    connect = sqlite3.connect

    def traced(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*args, **kwargs)
        db.set_trace_callback(seen.append)
        return db

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", traced)
        for _ in range(2):
            opened(path).close()
    assert seen.count("PRAGMA synchronous = FULL") == 2
    assert sqlite3.connect(path).execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_nobody_else_may_read_what_is_kept(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.touch(mode=0o644)
    journal = begun(path, *TOUCHES)
    journal.commit()
    modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    journal.close()
    assert set(modes) >= {"matches.db", "matches.db-wal", "matches.db.last"}
    assert set(modes.values()) == {0o600}


def test_memory_keeps_nothing_and_takes_everything(tmp_path: Path) -> None:
    journal = begun(MEMORY, *TOUCHES, decisions=DECISIONS)
    journal.commit()
    assert tuple(journal.touches(FIRST)) == (START, *TOUCHES)
    assert tuple(journal.decisions(FIRST)) == DECISIONS
    journal.close()
    assert list(tmp_path.iterdir()) == []


# Touches are bounded


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is kept, so that it is soon too much."""
    monkeypatch.setattr(store, "TOUCHES_A_MATCH", 100)
    monkeypatch.setattr(store, "_SLACK", 10)
    monkeypatch.setattr(store, "LARGEST", 200_000)


@pytest.mark.usefixtures("few")
def test_of_a_long_match_the_newest_touches_are_kept_and_every_decision(path: Path) -> None:
    journal = begun(path, decisions=DECISIONS)
    touches = list(any_touches(1000))
    for number, event in enumerate(touches):
        journal.touch(event)
        if number % 7 == 0:
            journal.commit()
    journal.commit()
    found, decisions = kept(path)
    assert 100 < len(found) <= 100 + 10 + 7 + 1
    assert list(found[1:]) == touches[-len(found) + 1 :]
    assert decisions == DECISIONS
    assert not journal.has_all_touches(FIRST)
    journal.close()


@pytest.mark.usefixtures("few")
def test_once_the_journal_is_large_the_oldest_matches_give_their_touches_up(path: Path) -> None:
    journal = opened(path)
    for _ in range(10):
        journal.begin(START, WHEN)
        for event in any_touches(60):
            journal.touch(event)
        journal.decide(DECISIONS[0])
        journal.commit()
    whole = [match.number for match in journal.matches() if journal.has_all_touches(match.number)]
    assert 1 < len(whole) < 10
    assert whole == list(range(whole[0], 11))
    assert [len(list(journal.decisions(match.number))) for match in journal.matches()] == [1] * 10
    assert path.stat().st_size < 2 * 200_000
    journal.close()


def test_touches_are_written_though_nothing_is_decided(path: Path) -> None:
    journal = begun(path)
    for event in any_touches(store.WAITING - 1):
        journal.touch(event)
    assert not journal.is_laden
    journal.touch(TOUCHES[0])
    assert journal.is_laden
    journal.commit()
    assert not journal.is_laden
    journal.close()


# A disk that fails


class Disk:
    """Reaches the first connection that writes: fills its disk and so on."""

    def __init__(self) -> None:
        self._writer: sqlite3.Connection | None = None
        self._connect = sqlite3.connect

    def connect(self, *args: Any, **kwargs: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = self._connect(*args, **kwargs)
        if "?" not in str(args[0]):  # a writer's address has no mode
            self._writer = self._writer or db
        return db

    def is_full(self, full: bool) -> None:
        self._tell(f"PRAGMA max_page_count = {1 if full else 1_000_000}")

    def is_read_only(self, read_only: bool) -> None:
        self._tell(f"PRAGMA query_only = {int(read_only)}")

    def is_broken(self, broken: bool) -> None:
        def refuse(action: int, table: str | None, *_: object) -> int:
            stopped = action == sqlite3.SQLITE_INSERT and table == "touches"
            return sqlite3.SQLITE_DENY if stopped else sqlite3.SQLITE_OK

        assert self._writer is not None
        self._writer.set_authorizer(refuse if broken else None)

    def _tell(self, pragma: str) -> None:
        assert self._writer is not None
        self._writer.execute(pragma)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk = Disk()
    monkeypatch.setattr(sqlite3, "connect", disk.connect)
    return disk


TROUBLES = pytest.mark.parametrize(
    ("trouble", "says"),
    [
        (Disk.is_full, r"matches.db cannot be written: .*full; free some space on the disk"),
        (Disk.is_read_only, r"cannot be written: .*readonly .*; make the file and its folder"),
        (Disk.is_broken, r"cannot be written: not authorized; run: spotter doctor"),
    ],
    ids=["full", "read-only", "half-way"],
)


@TROUBLES
def test_a_commit_that_fails_is_told_and_a_later_one_keeps_everything(
    path: Path, disk: Disk, trouble: Callable[[Disk, bool], None], says: str
) -> None:
    journal = begun(path, *TOUCHES, decisions=DECISIONS)
    journal.commit()
    trouble(disk, True)
    more = tuple(any_touches(20))
    for event in more:
        journal.touch(event)
    journal.decide(LAST)
    for _ in range(2):
        with pytest.raises(JournalError, match=says):
            journal.commit()
    assert kept(path) == ((START, *TOUCHES), DECISIONS)
    trouble(disk, False)
    journal.touch(Tick(ms(9000)))
    journal.commit()
    assert kept(path) == ((START, *TOUCHES, *more, Tick(ms(9000))), (*DECISIONS, LAST))
    assert journal.match(1).is_over
    journal.close()


def test_a_match_begun_on_a_failing_disk_is_kept_once_it_works(path: Path, disk: Disk) -> None:
    journal = begun(path, TOUCHES[0])
    disk.is_read_only(True)
    with pytest.raises(JournalError):
        journal.begin(START, "the second")
    journal.touch(TOUCHES[1])
    disk.is_read_only(False)
    journal.commit()
    assert kept(path, 1) == ((START, TOUCHES[0]), ())
    assert kept(path, 2) == ((START, TOUCHES[1]), ())
    assert [match.began for match in journal.matches()] == [WHEN, "the second"]
    journal.close()


def test_a_match_that_ended_while_the_disk_was_full_is_listed_as_it_ended(
    path: Path, disk: Disk
) -> None:
    journal = begun(path)
    disk.is_read_only(True)
    for decision in (*DECISIONS, LAST):
        journal.decide(decision)
        with pytest.raises(JournalError):
            journal.commit()
    with pytest.raises(JournalError):
        journal.begin(START, "the second")
    disk.is_read_only(False)
    journal.commit()
    first, second = journal.matches()
    assert (first.score, first.phase) == (Score(5, 2), Phase.MATCH_OVER)
    assert (second.score, second.phase) == (Score(), Phase.SET_UP)
    journal.close()


def test_while_nothing_can_be_written_decisions_wait_and_touches_are_bounded(
    path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_WAITING", 50)
    journal = begun(path, decisions=DECISIONS)
    disk.is_read_only(True)
    for event in any_touches(500):
        journal.touch(event)
    disk.is_read_only(False)
    journal.commit()
    found, decisions = kept(path)
    assert (len(found), decisions) == (1 + 50, DECISIONS)
    assert not journal.has_all_touches(FIRST)
    journal.close()


def test_a_commit_that_failed_and_reached_the_disk_all_the_same_does_no_harm(path: Path) -> None:
    journal = begun(path, TOUCHES[0], decisions=DECISIONS[:1])
    other = sqlite3.connect(path)
    other.execute("INSERT INTO touches VALUES (1, 1, 'the same touch')")
    other.execute("INSERT INTO decisions VALUES (1, 1, 'the same decision', 0)")
    other.commit()
    other.close()
    journal.commit()
    assert kept(path) == ((START, TOUCHES[0]), DECISIONS[:1])
    journal.close()


@pytest.mark.parametrize("gone", [True, False], ids=["deleted", "replaced"])
def test_a_file_that_is_deleted_while_playing_is_noticed(path: Path, gone: bool) -> None:
    journal = begun(path, decisions=DECISIONS[:1])
    journal.commit()
    away = path.with_name("away")
    path.rename(away)
    if not gone:
        path.write_bytes(away.read_bytes())
    journal.decide(DECISIONS[1])
    with pytest.raises(JournalError, match=r"matches.db was deleted or replaced while Spotter"):
        journal.commit()
    away.rename(path)
    journal.commit()
    assert kept(path)[1] == DECISIONS[:2]
    journal.close()


# Files that are not ours, or no longer


def test_a_newer_journal_is_left_alone(path: Path) -> None:
    begun(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 9")
    db.close()
    for opens in (Journal, Archive):
        with pytest.raises(OtherVersionError, match=r"newer Spotter \(journal version 9, this one"):
            opens(path)


def test_there_is_no_journal_yet(path: Path) -> None:
    with pytest.raises(JournalError, match=r"matches.db: no journal yet; play a match"):
        Archive(path)
    path.parent.mkdir(parents=True)
    path.touch()
    with pytest.raises(JournalError, match=r"matches.db: no journal yet; play a match"):
        Archive(path)


def test_a_file_that_is_no_database_is_named(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database, but long enough to be taken for one" * 40)
    for opens in (Journal, Archive):
        with pytest.raises(DamagedError, match=r"matches.db is damaged: .*; start spotter"):
            opens(path)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_what_is_no_file_is_named(path: Path, make: Callable[[Path], None]) -> None:
    path.parent.mkdir(parents=True)
    make(path)
    with pytest.raises(JournalError, match=r"matches\.db is not a regular file; move it away"):
        opened(path)


def test_a_damaged_decision_is_named_and_those_before_it_are_good(path: Path) -> None:
    journal = begun(path, decisions=DECISIONS[:3])
    journal.commit()
    journal.close()
    db = sqlite3.connect(path)
    db.execute("UPDATE decisions SET line = replace(line, '5', '6') WHERE place = 2")
    db.commit()
    db.close()
    archive = Archive(path)
    decisions = archive.decisions(FIRST)
    assert next(decisions) == DECISIONS[0]
    with pytest.raises(DamagedError, match="decision 2 of match 1: its checksum is another"):
        next(decisions)
    archive.close()


def test_a_folder_that_cannot_be_written_can_still_be_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = begun(path, *TOUCHES)
    journal.commit()
    journal.close()
    monkeypatch.setattr("pi_app.journal.archive._is_writable", lambda folder: False)
    assert kept(path)[0] == (START, *TOUCHES)
    assert sorted(file.name for file in path.parent.iterdir()) == ["matches.db", "matches.db.last"]


def test_what_is_only_in_the_log_is_read_where_nothing_can_be_written(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card turned read-only after a power cut: all is in the log, and nothing in the file."""
    journal = begun(path, *TOUCHES, decisions=DECISIONS)
    journal.commit()
    left = tmp_path / "left"
    shutil.copytree(path.parent, left)
    (left / f"{path.name}-shm").unlink()
    journal.close()
    before = sorted(file.name for file in left.iterdir())
    monkeypatch.setattr("pi_app.journal.archive._is_writable", lambda folder: False)
    with closing(Archive(left / path.name)) as archive:
        assert tuple(archive.decisions(FIRST)) == DECISIONS
    assert sorted(file.name for file in left.iterdir()) == before


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (errno.EIO, "cannot be written: Input/output error; check the disk or SD card"),
        (errno.EROFS, "cannot be written: Read-only file system; restart the computer"),
    ],
)
def test_a_disk_that_refuses_is_not_told_as_a_damaged_file(
    path: Path, monkeypatch: pytest.MonkeyPatch, code: int, told: str
) -> None:
    journal = begun(path, decisions=DECISIONS[:3])
    journal.commit()

    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    journal._db.close()
    journal._db = Malformed()  # type: ignore[assignment]
    journal.decide(DECISIONS[3])
    with pytest.raises(DamagedError, match="is damaged: database disk image is malformed"):
        journal.commit()
    monkeypatch.setattr("pi_app.journal.disk.os.fsync", refuse)
    with pytest.raises(JournalError, match=told) as error:
        journal.commit()
    assert not isinstance(error.value, DamagedError)
    assert sorted(file.name for file in path.parent.iterdir()) == ["matches.db", "matches.db.last"]


class Malformed:
    """A connection to a file of which SQLite reads other bytes than it wrote."""

    def execute(self, *_: object) -> None:
        error = sqlite3.DatabaseError("database disk image is malformed")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error

    def close(self) -> None:
        pass


def test_a_match_is_known_by_all_of_its_start(path: Path) -> None:
    start = replace(START, options={"cube": True, "commit": "settle", "grace_ms": 900})
    journal = opened(path)
    journal.begin(start, WHEN)
    assert journal.match(1).start == start
    journal.close()
