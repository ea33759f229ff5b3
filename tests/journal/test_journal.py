"""What is kept, how it comes back, and what is said when the disk does not play along."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pi_app.board.description import Sensor
from pi_app.journal.archive import Archive, JournalError, MatchId, Summary
from pi_app.journal.store import MEMORY, Journal
from pi_app.match.phases import Phase
from pi_app.match.score import Score
from pi_app.microseconds import ms
from pi_app.referee.events import (
    Button,
    Event,
    Found,
    Intent,
    Lost,
    Picture,
    Press,
    Rolled,
    SensorEdge,
    Source,
    Start,
    Tap,
    Tick,
)
from pi_app.rules.terms import Roll, Side

START = Start(ms(0), "nannon", "nannon-6", 5, ("Ann", "Bea"))
EVENTS: tuple[Event, ...] = (
    Picture(ms(10), frozenset({Sensor("1"), Sensor("6")})),
    Button(ms(20.5), Press.SHORT),
    Rolled(ms(21), Roll.of(4), Side.WHITE, Source.DEVICE),
    SensorEdge(ms(900), Sensor("1"), False),
    Tap(ms(1000), Intent.RESIGN, points=2),
    Lost(ms(1100), "OLED"),
    Found(ms(1200), "OLED"),
    Tick(ms(1300)),
)
MOVING = Summary(Score(1, 2), Phase.MOVING)
OVER = Summary(Score(5, 2), Phase.MATCH_OVER, "Ann wins the match.")
WHEN = "2026-03-01 20:15"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "down" / "matches.db"


def begun(path: Path, *events: Event) -> Journal:
    journal = Journal(path)
    journal.begin(START, WHEN)
    for event in events:
        journal.add(event)
    return journal


def kept(path: Path, number: int = 1) -> tuple[Event, ...]:
    archive = Archive(path)
    events = tuple(archive.events(MatchId(number)))
    archive.close()
    return events


def test_a_match_comes_back_event_by_event(path: Path) -> None:
    journal = begun(path, *EVENTS)
    journal.commit(MOVING)
    journal.close()
    assert kept(path) == (START, *EVENTS)


def test_what_is_committed_can_be_read_beside_the_writer(path: Path) -> None:
    journal = begun(path, *EVENTS[:2])
    assert kept(path) == (START,)
    journal.commit(MOVING)
    assert kept(path) == (START, *EVENTS[:2])
    journal.close()


def test_the_list_says_where_each_match_stands(path: Path) -> None:
    journal = begun(path, *EVENTS)
    journal.commit(OVER)
    journal.begin(Start(ms(0), "nannon", "nannon-6", None, ("Cid", "Dot")), "later")
    journal.commit(MOVING)
    first, second = journal.matches()
    assert (first.number, first.began, first.players) == (1, WHEN, ("Ann", "Bea"))
    assert (first.standing, first.match_to, first.is_over) == (OVER, 5, True)
    assert (second.standing, second.match_to, second.is_over) == (MOVING, None, False)
    journal.close()


def test_the_newest_unfinished_match_is_the_one_to_resume(path: Path) -> None:
    journal = begun(path)
    assert journal.unfinished() == 1
    journal.begin(START, WHEN)
    assert journal.unfinished() == 2
    journal.commit(OVER)
    assert journal.unfinished() == 1
    journal.resume(MatchId(1))
    journal.commit(OVER)
    assert journal.unfinished() is None
    journal.close()


def test_a_resumed_match_goes_on_where_it_stopped(path: Path) -> None:
    journal = begun(path, *EVENTS[:3])
    journal.commit(MOVING)
    journal.close()
    journal = Journal(path)
    journal.resume(MatchId(1))
    for event in EVENTS[3:]:
        journal.add(event)
    journal.commit(MOVING)
    journal.close()
    assert kept(path) == (START, *EVENTS)


def test_matches_are_numbered_on_after_a_restart(path: Path) -> None:
    begun(path).close()
    journal = Journal(path)
    assert journal.begin(START, WHEN) == 2
    journal.close()


def test_an_event_without_a_match_is_refused(path: Path) -> None:
    journal = Journal(path)
    with pytest.raises(JournalError, match="no match has been begun"):
        journal.add(EVENTS[0])
    journal.close()


def test_a_match_that_is_not_there_names_those_that_are(path: Path) -> None:
    journal = begun(path)
    journal.begin(START, WHEN)
    with pytest.raises(JournalError, match=r"match 7 is not in .*; there are: 1, 2"):
        journal.match(7)
    assert journal.match(2).number == 2
    journal.close()


def test_every_connection_writes_through(path: Path) -> None:
    seen: list[str] = []
    connect = sqlite3.connect

    def traced(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        db = connect(*args, **kwargs)
        db.set_trace_callback(seen.append)
        return db

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", traced)
        for _ in range(2):
            Journal(path).close()
    assert seen.count("PRAGMA synchronous = FULL") == 2
    assert sqlite3.connect(path).execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_memory_keeps_nothing_and_takes_everything(tmp_path: Path) -> None:
    journal = begun(MEMORY, *EVENTS)
    journal.commit(MOVING)
    assert tuple(journal.events(MatchId(1))) == (START, *EVENTS)
    journal.close()
    assert list(tmp_path.iterdir()) == []


# A disk that fails


class Disk:
    """Reaches the first connection that is opened, the writer's: fills its disk and so on."""

    def __init__(self) -> None:
        self._writer: sqlite3.Connection | None = None
        self._connect = sqlite3.connect

    def connect(self, *args: Any, **kwargs: Any) -> sqlite3.Connection:
        db = self._connect(*args, **kwargs)
        self._writer = self._writer or db
        return db

    def is_full(self, full: bool) -> None:
        self._tell(f"PRAGMA max_page_count = {1 if full else 1_000_000}")

    def is_read_only(self, read_only: bool) -> None:
        self._tell(f"PRAGMA query_only = {int(read_only)}")

    def is_broken(self, broken: bool) -> None:
        def refuse(action: int, *_: object) -> int:
            return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_UPDATE else sqlite3.SQLITE_OK

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


def long_names(length: int) -> tuple[Event, ...]:
    return tuple(Lost(ms(2000 + number), "x" * 900) for number in range(length))


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
    journal = begun(path, *EVENTS)
    journal.commit(MOVING)
    trouble(disk, True)
    for event in long_names(20):
        journal.add(event)
    for _ in range(2):
        with pytest.raises(JournalError, match=says):
            journal.commit(OVER)
    assert kept(path) == (START, *EVENTS)
    trouble(disk, False)
    journal.add(Tick(ms(9000)))
    journal.commit(OVER)
    assert kept(path) == (START, *EVENTS, *long_names(20), Tick(ms(9000)))
    assert journal.match(1).is_over
    journal.close()


def test_a_match_begun_on_a_failing_disk_is_kept_once_it_works(path: Path, disk: Disk) -> None:
    journal = begun(path, EVENTS[0])
    disk.is_read_only(True)
    with pytest.raises(JournalError):
        journal.begin(START, "the second")
    journal.add(EVENTS[1])
    disk.is_read_only(False)
    journal.commit(MOVING)
    assert kept(path, 1) == (START, EVENTS[0])
    assert kept(path, 2) == (START, EVENTS[1])
    assert [match.began for match in journal.matches()] == [WHEN, "the second"]
    journal.close()


def test_a_commit_that_failed_and_reached_the_disk_all_the_same_does_no_harm(path: Path) -> None:
    journal = begun(path, *EVENTS[:2])
    other = sqlite3.connect(path)
    other.execute("INSERT INTO events VALUES (1, 2, 'the same event')")
    other.commit()
    other.close()
    journal.commit(MOVING)
    assert kept(path) == (START, *EVENTS[:2])
    journal.close()


# Files that are not ours, or no longer


def test_a_newer_journal_is_left_alone(path: Path) -> None:
    begun(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 9")
    db.close()
    for opens in (Journal, Archive):
        with pytest.raises(JournalError, match=r"newer Spotter \(journal version 9, this one kn"):
            opens(path)


def test_there_is_no_journal_yet(path: Path) -> None:
    with pytest.raises(JournalError, match=r"matches.db: there is no journal yet; play a match"):
        Archive(path)
    path.parent.mkdir(parents=True)
    path.touch()
    with pytest.raises(JournalError, match=r"matches.db: there is no journal yet; play a match"):
        Archive(path)


def test_a_file_that_is_no_database_is_named(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database, but long enough to be taken for one" * 40)
    for opens in (Journal, Archive):
        with pytest.raises(JournalError, match=r"matches.db cannot be opened: .*move the file aw"):
            opens(path)


def test_a_damaged_event_is_named_and_those_before_it_are_good(path: Path) -> None:
    journal = begun(path, *EVENTS[:3])
    journal.commit(MOVING)
    journal.close()
    db = sqlite3.connect(path)
    db.execute("UPDATE events SET line = '{}' WHERE place = 3")
    db.commit()
    db.close()
    archive = Archive(path)
    events = archive.events(MatchId(1))
    assert [next(events), next(events)] == [START, EVENTS[0]]
    with pytest.raises(JournalError, match="event 3 of match 1 is damaged"):
        next(events)
    archive.close()


def test_a_folder_that_cannot_be_written_can_still_be_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = begun(path, *EVENTS)
    journal.commit(MOVING)
    journal.close()
    monkeypatch.setattr("pi_app.journal.archive._is_writable", lambda folder: False)
    assert kept(path) == (START, *EVENTS)
    assert [file.name for file in path.parent.iterdir()] == ["matches.db"]
