"""Opening the data folder: damaged, forgetful, read-only, and a second Spotter."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from samples import DECISIONS, START, any_touches
from samples import OVER as ENDED

from pi_app.journal import backup as backing_up
from pi_app.journal import opening
from pi_app.journal.archive import Archive
from pi_app.journal.backup import EVERY, backup_of, suspicion_of
from pi_app.journal.disk import JournalError, is_volatile, volatile_kind
from pi_app.journal.lock import AlreadyRunningError, InstanceLock, find_holder
from pi_app.journal.opening import FILE, LOCK, Opened, data_folder, open_journal, open_unkept
from pi_app.journal.rows import VERSION
from pi_app.referee.decision import Decision
from pi_app.referee.events import MatchId

FIRST = MatchId(1)
OVER = (*DECISIONS, replace(DECISIONS[-1], state=ENDED))
"""A match that has ended."""


@pytest.fixture(autouse=True)
def lasting_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: False)


def opened_in(folder: Path) -> Opened:
    return open_journal(folder)


def kept_match(folder: Path, touches: int = 1) -> None:
    """One more match with all decisions; of it there need not be a backup yet."""
    opened = opened_in(folder)
    opened.journal.begin(START, "then")
    for event in any_touches(touches):
        opened.journal.touch(event)
    for decision in DECISIONS:
        opened.journal.decide(decision)
    opened.journal.commit()
    opened.close()


def backed_up(folder: Path) -> None:
    """The backup holds what the journal holds now."""
    backup_of(folder / FILE).unlink(missing_ok=True)
    opened = opened_in(folder)
    assert opened.backup is not None
    opened.backup.join()
    opened.close()
    assert backup_of(folder / FILE).exists()


def decisions_in(folder: Path, number: int = 1) -> tuple[Decision, ...]:
    archive = Archive(folder / FILE)
    found = tuple(archive.decisions(MatchId(number)))
    archive.close()
    return found


def test_the_folder_is_made_and_nothing_is_told(tmp_path: Path) -> None:
    opened = opened_in(tmp_path / "a" / "b")
    assert opened.notices == ()
    assert opened.journal.begin(START, "now") == 1
    opened.close()
    assert (tmp_path / "a" / "b" / FILE).exists()


def test_the_data_folder_follows_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "spotter"


@pytest.mark.parametrize("rubbish", [b"no database" * 100, b"\0" * 4096], ids=["text", "noughts"])
def test_a_damaged_file_is_moved_aside_and_play_goes_on(tmp_path: Path, rubbish: bytes) -> None:
    for number in (1, 2):
        (tmp_path / FILE).write_bytes(rubbish)
        opened = opened_in(tmp_path)
        aside = tmp_path / f"{FILE}.damaged-{number}"
        (notice,) = opened.notices
        assert notice.startswith(f"{tmp_path / FILE} was damaged (")
        assert notice.endswith(f") and was renamed to {aside}; a new journal was started")
        assert aside.read_bytes() == rubbish
        assert opened.journal.begin(START, "now") == 1
        opened.close()
        backup_of(tmp_path / FILE).unlink(missing_ok=True)


def damage_middle(file: Path) -> bytes:
    content = bytearray(file.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 6000] = b"\xff" * 6000
    file.write_bytes(content)
    return bytes(content)


def test_at_every_start_a_small_file_is_looked_over(tmp_path: Path) -> None:
    for _ in range(3):
        kept_match(tmp_path, touches=100)
    backup_of(tmp_path / FILE).unlink(missing_ok=True)
    content = damage_middle(tmp_path / FILE)
    opened = opened_in(tmp_path)
    (notice,) = opened.notices
    assert "was damaged (" in notice
    assert "the new journal has the 3 readable matches" in notice
    assert (tmp_path / f"{FILE}.damaged-1").read_bytes() == content
    assert [tuple(opened.journal.decisions(m.number)) for m in opened.journal.matches()] == [
        DECISIONS
    ] * 3
    opened.close()


def test_a_damaged_file_that_finds_no_room_to_be_salvaged_stays_for_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        kept_match(tmp_path, touches=100)
    backup_of(tmp_path / FILE).unlink(missing_ok=True)
    content = damage_middle(tmp_path / FILE)
    connect = sqlite3.connect

    def full(place: str, **options: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(place, **options)
        if place.endswith(".fresh"):
            db.execute("PRAGMA max_page_count = 8")
        return db

    with monkeypatch.context() as disk:
        disk.setattr(sqlite3, "connect", full)
        opened = opened_in(tmp_path)
    (notice,) = opened.notices
    assert notice.startswith("This match is not saved: ")
    assert "full; free some space on the disk" in notice
    opened.close()
    assert (tmp_path / FILE).read_bytes() == content
    opened = opened_in(tmp_path)
    assert "has the 3 readable matches" in opened.notices[0]
    opened.close()


def test_damage_that_no_start_has_seen_is_found_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_match(tmp_path, touches=200)
    backed_up(tmp_path)
    with closing(sqlite3.connect(backup_of(tmp_path / FILE), isolation_level=None)) as older:
        older.execute("DELETE FROM decisions WHERE place > 1")
    good = backup_of(tmp_path / FILE).read_bytes()
    damage_middle(tmp_path / FILE)
    with monkeypatch.context() as hasty:
        hasty.setattr(opening, "PATIENCE_S", -1.0)
        hasty.setattr("pi_app.journal.rows.AT_ONCE", 0)
        opened = opened_in(tmp_path)
    assert opened.notices == ()
    assert opened.backup is not None
    opened.backup.join()
    (alarm,) = opened.alarms
    assert alarm.startswith("The journal is damaged (")
    opened.close()
    assert backup_of(tmp_path / FILE).read_bytes() == good
    assert suspicion_of(tmp_path / FILE).exists()
    opened = opened_in(tmp_path)
    assert "the new journal has the 1 readable match" in opened.notices[0]
    assert tuple(opened.journal.decisions(FIRST)) == DECISIONS
    opened.close()
    assert not suspicion_of(tmp_path / FILE).exists()


def test_a_large_file_that_was_left_open_is_checked_and_backed_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing, left = tmp_path / "writing", tmp_path / "left"
    kept_match(writing)
    backed_up(writing)
    opened = opened_in(writing)
    opened.journal.begin(START, "later")
    shutil.copytree(writing, left)
    opened.close()
    monkeypatch.setattr("pi_app.journal.rows.AT_ONCE", 0)
    again = opened_in(left)
    assert again.notices == ()
    assert again.backup is not None
    again.backup.join()
    again.close()
    archive = Archive(backup_of(left / FILE))
    assert len(archive.matches()) == 2
    archive.close()


def test_what_is_lost_comes_back_from_the_backup(tmp_path: Path) -> None:
    kept_match(tmp_path)
    backed_up(tmp_path)
    (tmp_path / FILE).write_bytes(b"")
    with pytest.raises(JournalError, match="is missing or empty but had matches up to 1"):
        Archive(tmp_path / FILE)
    opened = opened_in(tmp_path)
    file = tmp_path / FILE
    assert opened.notices == (f"{file} lost matches up to 1; all restored from {file}.backup",)
    opened.close()
    assert decisions_in(tmp_path) == DECISIONS


def test_what_is_newer_than_the_backup_is_told_as_lost(tmp_path: Path) -> None:
    kept_match(tmp_path)
    backed_up(tmp_path)
    older = backup_of(tmp_path / FILE).read_bytes()
    kept_match(tmp_path)
    # On a busy machine a backup was made meanwhile.
    backup_of(tmp_path / FILE).write_bytes(older)
    (tmp_path / FILE).unlink()
    opened = opened_in(tmp_path)
    (notice,) = opened.notices
    assert notice.endswith(f"up to 2; some restored from {tmp_path / FILE}.backup")
    assert [match.number for match in opened.journal.matches()] == [1]
    opened.close()
    again = opened_in(tmp_path)
    assert again.notices == ()
    again.close()


def matches_in_backup(folder: Path) -> int:
    with closing(Archive(backup_of(folder / FILE))) as archive:
        return len(archive.matches())


def waited(opened: Opened) -> Opened:
    """The backup has all that it is to have by now."""
    assert opened.backup is not None
    opened.backup.join()
    return opened


def test_a_start_backs_up_what_the_backup_lacks_whatever_the_date(tmp_path: Path) -> None:
    kept_match(tmp_path)
    waited(opened_in(tmp_path)).close()
    backup = backup_of(tmp_path / FILE)
    first = backup.stat().st_ino
    waited(opened_in(tmp_path)).close()
    assert backup.stat().st_ino == first, "it lacks nothing"
    kept_match(tmp_path)
    os.utime(backup)
    opened = waited(opened_in(tmp_path))
    assert opened.alarms == ()
    opened.close()
    assert backup.stat().st_mode & 0o777 == 0o600
    assert matches_in_backup(tmp_path) == 2
    assert not list(tmp_path.glob("*.backup-*"))


def test_after_each_match_there_is_a_backup_of_it_though_spotter_runs_on(tmp_path: Path) -> None:
    opened = waited(opened_in(tmp_path))
    for number in (1, 2, 3):
        opened.journal.begin(START, "then")
        for decision in OVER:
            opened.journal.decide(decision)
            opened.journal.commit()
        waited(opened)
        assert matches_in_backup(tmp_path) == number
    opened.close()


def test_a_long_match_is_backed_up_while_it_is_played(tmp_path: Path) -> None:
    opened = waited(opened_in(tmp_path))
    opened.journal.begin(START, "then")
    for _ in range(EVERY):
        opened.journal.decide(DECISIONS[0])
        opened.journal.commit()
    waited(opened)
    with closing(Archive(backup_of(tmp_path / FILE))) as archive:
        assert len(tuple(archive.decisions(FIRST))) == EVERY
    opened.close()


def test_no_copy_is_made_on_the_thread_that_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = set[threading.Thread]()

    def noted(db: sqlite3.Connection, target: Path, stopped: threading.Event) -> None:
        threads.add(threading.current_thread())
        copied(db, target, stopped)

    copied = backing_up._copy
    monkeypatch.setattr(backing_up, "_copy", noted)
    kept_match(tmp_path)
    opened = waited(opened_in(tmp_path))
    opened.journal.begin(START, "then")
    for decision in OVER:
        opened.journal.decide(decision)
    opened.journal.commit()
    waited(opened).close()
    assert threads
    assert threading.current_thread() not in threads


def test_a_backup_that_failed_is_made_up_for_and_told_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_match(tmp_path)
    with monkeypatch.context() as full:
        full.setattr("pi_app.journal.backup._SPARE", 1 << 60)
        opened = waited(opened_in(tmp_path))
        assert opened.alarms
    opened.journal.begin(START, "then")
    for decision in OVER:
        opened.journal.decide(decision)
    opened.journal.commit()
    waited(opened)
    assert opened.alarms == ()
    assert matches_in_backup(tmp_path) == 2
    opened.close()


def test_a_disk_without_room_for_a_backup_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_match(tmp_path)
    backup_of(tmp_path / FILE).unlink(missing_ok=True)
    monkeypatch.setattr("pi_app.journal.backup._SPARE", 1 << 60)
    opened = opened_in(tmp_path)
    assert opened.backup is not None
    opened.backup.join()
    assert opened.alarms == ("No backup of the journal: the disk is nearly full",)
    opened.close()


def test_a_newer_journal_is_left_alone_and_a_match_is_played_unkept(tmp_path: Path) -> None:
    kept_match(tmp_path)
    db = sqlite3.connect(tmp_path / FILE)
    db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()
    before = (tmp_path / FILE).read_bytes()
    opened = opened_in(tmp_path)
    (notice,) = opened.notices
    assert notice.startswith("This match is not saved: ")
    assert "newer Spotter" in notice
    opened.close()
    assert (tmp_path / FILE).read_bytes() == before


def test_where_nothing_can_be_written_a_match_is_played_unkept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    opened = opened_in(tmp_path / "file" / "spotter")
    assert len(opened.notices) == 1
    assert "This match is not saved:" in opened.notices[0]
    assert "spotter doctor" in opened.notices[0]
    opened.journal.begin(START, "now")
    opened.journal.commit()
    opened.close()


def test_a_read_only_file_is_told_and_the_match_is_played_unkept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_match(tmp_path)
    connect = sqlite3.connect

    def read_only(path: Path | str, **options: object) -> sqlite3.Connection:
        if str(path) == ":memory:" or "?" in str(path):
            return connect(path, **options)  # type: ignore[call-overload, no-any-return]
        return connect(f"{Path(path).as_uri()}?mode=ro", uri=True, isolation_level=None)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    opened = opened_in(tmp_path)
    assert "readonly database; make the file and its folder writable" in opened.notices[0]
    assert opened.journal.begin(START, "now") == 1
    opened.close()


def test_a_disk_that_forgets_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: True)
    opened = opened_in(tmp_path)
    assert "is lost at reboot" in opened.notices[0]
    opened.close()


# A second Spotter


def test_a_second_spotter_is_told_which_process_plays(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text("987654321987\n", encoding="ascii")
    opened = opened_in(tmp_path)
    said = rf"Spotter is already running \(process {os.getpid()}\); close it first"
    with pytest.raises(AlreadyRunningError, match=said):
        opened_in(tmp_path)
    opened.close()
    opened_in(tmp_path).close()


@pytest.mark.parametrize("link", [True, False], ids=["link", "pipe"])
def test_a_lock_that_is_not_ours_is_left_alone_and_told(tmp_path: Path, link: bool) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("dear", encoding="ascii")
    (tmp_path / LOCK).symlink_to(other) if link else os.mkfifo(tmp_path / LOCK)
    opened = opened_in(tmp_path)
    (notice,) = opened.notices
    assert notice.startswith("This match is not saved: ")
    assert LOCK in notice or not link
    opened.close()
    assert other.read_text(encoding="ascii") == "dear"


def test_a_match_that_is_not_to_be_kept_leaves_no_file_and_locks_all_the_same(
    tmp_path: Path,
) -> None:
    opened = open_unkept(tmp_path / "data", "its dice are seeded")
    assert opened.notices == ("This match is not saved: its dice are seeded",)
    opened.journal.begin(START, "now")
    with pytest.raises(AlreadyRunningError):
        open_journal(tmp_path / "data")
    opened.close()
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["spotter.lock"]


def test_a_killed_spotter_leaves_no_lock_behind(tmp_path: Path) -> None:
    holds = (
        "import sys; from pathlib import Path; from pi_app.journal.lock import InstanceLock\n"
        "lock = InstanceLock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holds, str(tmp_path / LOCK)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(AlreadyRunningError, match=rf"\(process {other.pid}\)"):
            InstanceLock(tmp_path / LOCK)
        assert find_holder(tmp_path / LOCK) == str(other.pid)
        other.send_signal(signal.SIGKILL)
        other.wait()
    assert find_holder(tmp_path / LOCK) is None
    InstanceLock(tmp_path / LOCK).close()


OLD = """\
import fcntl, os, sys
file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
try:
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print("refused", os.pread(file, 20, 0).decode("ascii").strip(), flush=True)
else:
    os.ftruncate(file, 0)
    os.pwrite(file, f"{os.getpid()}\\n".encode("ascii"), 0)
    print("held", flush=True)
    sys.stdin.read()
"""
"""How a Spotter of before takes the lock, whose own code did it."""


@contextmanager
def spotter_of_before(path: Path) -> Iterator[tuple[int, str]]:
    """Its process and what came of it."""
    with subprocess.Popen(
        [sys.executable, "-c", OLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        yield other.pid, other.stdout.readline().strip()
        other.kill()


def test_a_spotter_of_before_keeps_the_new_one_out_however_often_it_is_asked(
    tmp_path: Path,
) -> None:
    with spotter_of_before(tmp_path / LOCK) as (process, said):
        assert said == "held"
        for _ in range(3):
            with pytest.raises(AlreadyRunningError, match=rf"\(process {process}\)"):
                InstanceLock(tmp_path / LOCK)
            assert find_holder(tmp_path / LOCK) == str(process)
    InstanceLock(tmp_path / LOCK).close()


def test_the_new_one_keeps_a_spotter_of_before_out_and_lets_it_in_after(tmp_path: Path) -> None:
    lock = InstanceLock(tmp_path / LOCK)
    for _ in range(2):
        with spotter_of_before(tmp_path / LOCK) as (_, said):
            assert said == f"refused {os.getpid()}"
    lock.close()
    lock.close()
    with spotter_of_before(tmp_path / LOCK) as (_, said):
        assert said == "held"


def test_nobody_holds_a_lock_that_was_never_made(tmp_path: Path) -> None:
    assert find_holder(tmp_path / LOCK) is None


# Disks that forget

PI = """\
/dev/mmcblk0p2 / ext4 rw,noatime 0 0
devtmpfs /dev devtmpfs rw 0 0
tmpfs /run tmpfs rw,nosuid 0 0
/dev/sda1 /run/media/my\\040stick ext4 rw 0 0
tmpfs /home/ann/ram tmpfs rw 0 0
short line
"""
OVERLAY = """\
/dev/mmcblk0p2 / ext4 ro 0 0
overlay / overlay rw,lowerdir=/lower 0 0
/dev/sda1 /data ext4 rw 0 0
"""


@pytest.mark.parametrize(
    ("folder", "mounts", "kind"),
    [
        ("/home/ann/.local/share/spotter", PI, None),
        ("/home/ann/ram", PI, "tmpfs"),
        ("/home/ann/ramble", PI, None),
        ("/run/user/1000", PI, "tmpfs"),
        ("/run/media/my stick/spotter", PI, None),
        ("/home/ann", OVERLAY, "overlay"),
        ("/data/spotter", OVERLAY, None),
        ("/anywhere", "", None),
    ],
)
def test_the_mount_under_a_folder_decides(folder: str, mounts: str, kind: str | None) -> None:
    assert volatile_kind(PurePosixPath(folder), mounts) == kind


def test_this_machine_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "mounts"
    monkeypatch.setattr("pi_app.journal.disk.MOUNTS", table)
    assert not is_volatile(tmp_path)
    table.write_text("tmpfs / tmpfs rw 0 0\n", encoding="utf-8")
    assert is_volatile(tmp_path)
