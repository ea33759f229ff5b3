"""Opening the data folder: damaged, forgetful, read-only, and a second Spotter."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

from pi_app.journal import opening
from pi_app.journal.archive import JournalError, Summary
from pi_app.journal.disk import is_volatile, volatile_kind
from pi_app.journal.lock import AlreadyRunningError, InstanceLock, find_holder
from pi_app.journal.opening import FILE, LOCK, data_folder, open_journal
from pi_app.match.phases import Phase
from pi_app.match.score import Score
from pi_app.microseconds import ms
from pi_app.referee.events import Lost, Start

START = Start(ms(0), "nannon", "nannon-6", 5, ("Ann", "Bea"))


@pytest.fixture(autouse=True)
def lasting_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: False)


def kept_match(folder: Path, events: int = 1) -> None:
    opened = open_journal(folder)
    opened.journal.begin(START, "then")
    for number in range(events):
        opened.journal.add(Lost(ms(number), "x" * 500))
    opened.journal.commit(Summary(Score(), Phase.MOVING))
    opened.close()


def test_the_folder_is_made_and_nothing_is_told(tmp_path: Path) -> None:
    opened = open_journal(tmp_path / "a" / "b")
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
        opened = open_journal(tmp_path)
        aside = tmp_path / f"{FILE}.damaged-{number}"
        assert opened.notices == (
            f"{tmp_path / FILE} was damaged and is now {aside}; a new journal was begun",
        )
        assert aside.read_bytes() == rubbish
        assert opened.journal.begin(START, "now") == 1
        opened.close()


def test_after_an_unclean_end_the_whole_file_is_looked_at(tmp_path: Path) -> None:
    kept_match(tmp_path, events=200)
    file = tmp_path / FILE
    content = bytearray(file.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 6000] = b"\xff" * 6000
    file.write_bytes(content)
    (tmp_path / f"{FILE}-wal").touch()
    opened = open_journal(tmp_path)
    assert "was damaged" in opened.notices[0]
    assert (tmp_path / f"{FILE}.damaged-1").read_bytes() == content
    assert opened.journal.matches() == ()
    opened.close()


def test_a_newer_journal_stops_the_program_and_lets_the_lock_go(tmp_path: Path) -> None:
    kept_match(tmp_path)
    db = sqlite3.connect(tmp_path / FILE)
    db.execute("PRAGMA user_version = 2")
    db.close()
    with pytest.raises(JournalError, match="newer Spotter"):
        open_journal(tmp_path)
    InstanceLock(tmp_path / LOCK).close()


def test_where_nothing_can_be_written_a_match_is_played_unkept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    opened = open_journal(tmp_path / "file" / "spotter")
    assert len(opened.notices) == 1
    assert "This match is not kept:" in opened.notices[0]
    assert "spotter doctor" in opened.notices[0]
    opened.journal.begin(START, "now")
    opened.journal.commit(Summary(Score(), Phase.MOVING))
    opened.close()


def test_a_read_only_file_is_told_and_the_match_is_played_unkept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_match(tmp_path)
    connect = sqlite3.connect

    def read_only(path: Path | str, **options: object) -> sqlite3.Connection:
        if str(path) == ":memory:":
            return connect(path)
        return connect(f"{Path(path).as_uri()}?mode=ro", uri=True, isolation_level=None)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    opened = open_journal(tmp_path)
    assert "readonly database; make the file and its folder writable" in opened.notices[0]
    assert opened.journal.begin(START, "now") == 1
    opened.close()


def test_a_disk_that_forgets_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: True)
    opened = open_journal(tmp_path)
    assert "is forgotten at reboot" in opened.notices[0]
    opened.close()


# A second Spotter


def test_a_second_spotter_is_told_which_process_plays(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text("987654321987\n", encoding="ascii")
    opened = open_journal(tmp_path)
    said = rf"Spotter is already running \(process {os.getpid()}\); close it first"
    with pytest.raises(AlreadyRunningError, match=said):
        open_journal(tmp_path)
    opened.close()
    open_journal(tmp_path).close()


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
