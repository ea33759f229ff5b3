"""Switching the computer off, restarting and updating it from the screen."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pi_app.app.computer import NO_PACKAGE, UPDATED, OwnComputer, run_here
from pi_app.devices.stick import NO_STICK
from pi_app.user.commands import ComputerWish

PASSWORD = "sudo: a password is required"
Answers = Callable[[tuple[str, ...]], tuple[int, str]]


class AskedComputer:
    """A computer whose commands are only noted, and answered as a test says."""

    def __init__(self, root: Path, answers: Answers) -> None:
        self.ran: list[tuple[str, ...]] = []
        self.woken = 0
        self._answers = answers
        self._computer = OwnComputer(self._wake, self._run, root)

    def _wake(self) -> None:
        self.woken += 1

    def _run(self, command: tuple[str, ...]) -> tuple[int, str]:
        self.ran.append(command)
        return self._answers(command)

    def asked(self, wish: ComputerWish) -> str:
        """What players are told once the wish is done."""
        self._computer.ask(wish)
        self._computer.close()
        return self._computer.said


@pytest.mark.parametrize(
    ("wish", "way"), [(ComputerWish.OFF, "poweroff"), (ComputerWish.RESTART, "reboot")], ids=str
)
def test_systemd_is_asked_and_then_sudo(wish: ComputerWish, way: str, tmp_path: Path) -> None:
    computer = AskedComputer(tmp_path, lambda command: (0, ""))
    assert computer.asked(wish) == "One moment …"
    assert computer.ran == [("systemctl", "--no-ask-password", way)]
    computer = AskedComputer(tmp_path, lambda command: (int(command[0] != "sudo"), "not allowed"))
    assert computer.asked(wish) == "One moment …"
    assert computer.ran[1:] == [("sudo", "-n", "systemctl", way)]
    computer = AskedComputer(tmp_path, lambda command: (1, PASSWORD))
    assert computer.asked(wish) == f"That failed: {PASSWORD}"
    assert computer.woken


def test_the_newest_package_of_the_stick_is_installed(tmp_path: Path) -> None:
    folder = stick(tmp_path)
    for age, name in enumerate(("spotter_1.10.0_arm64.deb", "spotter_1.9.0_arm64.deb", "b.deb")):
        (folder / name).write_bytes(b"")
        os.utime(folder / name, (0, 1_000 - age))
    file = str(folder / "spotter_1.10.0_arm64.deb")
    named = ("dpkg-deb", "--field", file, "Package")
    computer = AskedComputer(tmp_path, lambda command: (0, "spotter"))
    assert computer.asked(ComputerWish.UPDATE) == UPDATED()
    assert computer.ran == [named, ("sudo", "-n", "apt-get", "install", "-y", file)]
    computer = AskedComputer(
        tmp_path, lambda one: (0, "spotter") if one == named else (100, PASSWORD)
    )
    assert computer.asked(ComputerWish.UPDATE) == f"That failed: {PASSWORD}"


@pytest.mark.parametrize("answer", [(0, "other"), (2, "not a Debian format archive")], ids=str)
def test_another_package_under_spotter_s_name_is_not_installed(
    answer: tuple[int, str], tmp_path: Path
) -> None:
    (stick(tmp_path) / "spotter_2.0.0_arm64.deb").write_bytes(b"")
    computer = AskedComputer(tmp_path, lambda command: answer)
    assert computer.asked(ComputerWish.UPDATE) == "spotter_2.0.0_arm64.deb is no package of Spotter"
    assert len(computer.ran) == 1


def test_without_a_package_nothing_is_run(tmp_path: Path) -> None:
    computer = AskedComputer(tmp_path, lambda command: (0, ""))
    assert computer.asked(ComputerWish.UPDATE) == NO_STICK()
    stick(tmp_path)
    computer = AskedComputer(tmp_path, lambda command: (0, ""))
    assert computer.asked(ComputerWish.UPDATE) == NO_PACKAGE()
    assert computer.ran == []


def test_a_command_tells_its_last_line_and_a_missing_one_what_is_missing() -> None:
    assert run_here(("sh", "-c", "echo one; echo two >&2; exit 3")) == (3, "two")
    assert run_here(("true",)) == (0, "status 0")
    assert run_here(("no-such-program-here",))[0] == 127


def stick(root: Path) -> Path:
    """The folder of a mounted stick."""
    (root / "proc" / "self").mkdir(parents=True, exist_ok=True)
    (root / "proc" / "self" / "mounts").write_text("/dev/sda1 /media/pi/STICK vfat rw 0 0\n")
    folder = root / "media" / "pi" / "STICK"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
