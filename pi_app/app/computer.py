"""The computer that Spotter runs on: switched off, restarted or updated from the screen.

A board without a display has no keyboard either, so a phone must be able to do what otherwise needs
a terminal.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from pi_app.base.files import why
from pi_app.base.threads import Worker
from pi_app.devices.stick import HERE, NO_STICK, find_stick
from pi_app.user.commands import ComputerWish
from pi_app.words.sentences import Sentence
from pi_app.words.texts import one_line

LONGEST_S = 900.0
"""An update on a slow card takes minutes."""
PACKAGES = "spotter_*.deb"

ONE_MOMENT = Sentence("One moment …")
UPDATING = Sentence("Spotter is being updated. That takes some minutes; leave the stick in.")
UPDATED = Sentence("The update is installed. Restart to use it.")
NO_PACKAGE = Sentence("There is no file spotter_….deb on the USB stick")
OTHER_PACKAGE = Sentence("{file} is no package of Spotter")
FAILED = Sentence("That failed: {why}")

RunsCommand = Callable[[tuple[str, ...]], tuple[int, str]]
"""Runs a command: its exit status and the last line of its output."""


def run_here(command: tuple[str, ...]) -> tuple[int, str]:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=LONGEST_S,
            check=False,
        )
    except OSError as error:
        return 127, why(error)
    except subprocess.TimeoutExpired:
        return 124, f"{command[0]} does not end"
    lines = done.stdout.strip().splitlines()
    return done.returncode, one_line(lines[-1]) if lines else f"status {done.returncode}"


class OwnComputer(Worker[ComputerWish]):
    """Carries out wishes about the computer. `said` tells players what became of the last one.

    `run` runs a command; `root` is the root of the file system, where the USB stick is looked for.
    Commands never ask for a password: where they need one they fail, and `said` gives the reason.
    """

    def __init__(
        self, wake: Callable[[], None], run: RunsCommand = run_here, root: Path = HERE
    ) -> None:
        super().__init__("computer")
        self._wake, self._run, self._root = wake, run, root
        self.said = ""

    def ask(self, wish: ComputerWish) -> None:
        if not self._thread.is_alive():
            self.start()
        super().ask(wish)

    def take(self, wish: ComputerWish) -> None:
        match wish:
            case ComputerWish.OFF:
                self._switch("poweroff")
            case ComputerWish.RESTART:
                self._switch("reboot")
            case ComputerWish.UPDATE:
                self._update()

    def _switch(self, verb: str) -> None:
        """Run a verb of systemctl: as this user, whom systemd allows it at the computer itself, and
        if that fails by sudo."""
        self._say(ONE_MOMENT())
        for allowed in (("systemctl", "--no-ask-password"), ("sudo", "-n", "systemctl")):
            status, said = self._run((*allowed, verb))
            if not status:
                return
        self._say(FAILED(why=said))

    def _update(self) -> None:
        """Install the newest package on the USB stick."""
        stick = find_stick(self._root)
        if stick is None:
            self._say(NO_STICK())
            return
        try:
            packages = sorted(stick.folder.glob(PACKAGES), key=lambda file: file.stat().st_mtime)
        except OSError as error:
            self._say(FAILED(why=why(error)))
            return
        if not packages:
            self._say(NO_PACKAGE())
            return
        newest = packages[-1]
        if self._run(("dpkg-deb", "--field", str(newest), "Package")) != (0, "spotter"):
            self._say(OTHER_PACKAGE(file=one_line(newest.name)))
            return
        self._say(UPDATING())
        status, said = self._run(("sudo", "-n", "apt-get", "install", "-y", str(newest)))
        self._say(FAILED(why=said) if status else UPDATED())

    def _say(self, said: str) -> None:
        self.said = said
        self._wake()
