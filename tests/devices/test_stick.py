"""A stick that is mounted is found, and what is written to it is there whole or not at all."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from pi_app.devices.stick import Stick, find_stick, plain_name, write_files

SHEET = [f"{number}. White 31: 8/5 6/5" for number in range(5000)]
ROOT_DISK = "/dev/mmcblk0p2 / ext4 rw,noatime 0 0"


def mounts(root: Path, *lines: str) -> None:
    (root / "proc" / "self").mkdir(parents=True, exist_ok=True)
    (root / "proc" / "self" / "mounts").write_text("\n".join((ROOT_DISK, *lines)) + "\n")


def test_without_a_stick_there_is_none(tmp_path: Path) -> None:
    assert find_stick(tmp_path) is None
    mounts(tmp_path, "tmpfs /media/ram tmpfs rw 0 0", "/dev/sda1 /home ext4 rw 0 0")
    assert find_stick(tmp_path) is None


def test_a_folder_that_a_stick_has_left_behind_is_none(tmp_path: Path) -> None:
    mounts(tmp_path)
    (tmp_path / "media" / "pi" / "STICK").mkdir(parents=True)
    assert find_stick(tmp_path) is None


@pytest.mark.parametrize("place", ["/media/pi/STICK", "/run/media/pi/STICK", "/media/STICK"])
def test_a_mounted_one_is_found_wherever_systems_mount_them(place: str, tmp_path: Path) -> None:
    mounts(tmp_path, f"/dev/sda1 {place} vfat rw,nosuid,flush 0 0")
    assert find_stick(tmp_path) == Stick("STICK", tmp_path / place[1:], writable=True)


def test_a_name_with_blanks_is_read_as_it_is_mounted(tmp_path: Path) -> None:
    mounts(tmp_path, r"/dev/sda1 /media/pi/My\040blue\040stick exfat rw 0 0", "nonsense")
    found = find_stick(tmp_path)
    assert found
    assert found.name == "My blue stick"


def test_of_several_the_last_that_can_be_written_is_taken(tmp_path: Path) -> None:
    disc = "/dev/sr0 /media/pi/DISC iso9660 ro,nosuid 0 0"
    first, second = (f"/dev/sd{n}1 /media/pi/{n.upper()} vfat rw 0 0" for n in "ab")
    mounts(tmp_path, first, second, disc)
    found = find_stick(tmp_path)
    assert found
    assert found.name == "B"
    mounts(tmp_path, disc)
    found = find_stick(tmp_path)
    assert found
    assert not found.writable


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("spotter", "2026-03-01", "12", "Ann", "Bea"), "spotter-2026-03-01-12-Ann-Bea"),
        (("Zoë", "Ünal", "../etc/passwd"), "Zoe-Unal-etc-passwd"),
        (("Бен", "12", ""), "12"),
        (("a" * 300,), "a" * 100),
    ],
)
def test_names_of_files_are_plain(words: tuple[str, ...], name: str) -> None:
    assert plain_name(*words) == name


def stick(folder: Path) -> Stick:
    return Stick("STICK", folder, writable=True)


def test_files_are_written_with_their_lines(tmp_path: Path) -> None:
    write_files(stick(tmp_path), {"a.txt": ["é", "b"], "a.mat": ["c"]})
    assert (tmp_path / "a.txt").read_bytes() == "é\nb\n".encode()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.mat", "a.txt"]


def test_a_full_stick_is_an_error_and_the_older_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(stick(tmp_path), {"a.txt": ["old"]})

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_files(stick(tmp_path), {"a.txt": SHEET})
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old\n"


def killed(folder: Path, name: str, point: int) -> bool:
    """Whether a child that writes was killed at its n-th call of a function of `os`."""
    child = os.fork()
    if child == 0:
        left, real = point, getattr(os, name)

        def deadly(*args: object, **kwargs: object) -> object:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **kwargs)

        setattr(os, name, deadly)
        try:
            write_files(stick(folder), {"a.txt": SHEET})
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("before", [None, "old\n"])
def test_killed_at_any_step_it_leaves_no_half_file(before: str | None, tmp_path: Path) -> None:
    whole = "".join(f"{line}\n" for line in SHEET)
    steps = [("open", 1), ("fdopen", 1), ("fsync", 1), ("replace", 1), ("fsync", 2)]
    for name, point in steps:
        folder = tmp_path / f"{name}{point}"
        folder.mkdir()
        if before:
            (folder / "a.txt").write_text(before)
        assert killed(folder, name, point), name
        file = folder / "a.txt"
        told = file.read_text() if file.exists() else None
        assert told in (before, whole)
        write_files(stick(folder), {"a.txt": SHEET})
        assert {one.name: one.read_text() for one in folder.iterdir()} == {"a.txt": whole}


def test_the_children_that_are_not_killed_write_it(tmp_path: Path) -> None:
    """Else the test before this one would say nothing."""
    assert not killed(tmp_path, "fsync", 9)
    assert (tmp_path / "a.txt").exists()
