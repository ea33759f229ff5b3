"""`spotter setup`: the changes that need a decision, which --undo takes back."""

from __future__ import annotations

import getpass
import json
import shlex
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import platformdirs

from pi_app.boards import load_board
from pi_app.cli.arguments import Parser
from pi_app.cli.doctor import FAST_I2C_HZ, GROUPS, Machine, read_groups
from pi_app.cli.ending import Status
from pi_app.errors import FailedError, GivenError
from pi_app.files import read_text, replace_text, why
from pi_app.games.equipment import Compendium
from pi_app.settings import config_file, load_settings, save_settings

CommandWords = tuple[str, ...]
Runs = Callable[[CommandWords], tuple[int, str]]
"""Runs a command: its exit status and its output."""

AUTOSTART = "usr/share/spotter/autostart.desktop"
SERVICE = "usr/lib/systemd/user/spotter.service"
SERVICE_LINK = "systemd/user/default.target.wants/spotter.service"
DESKTOPS = ("usr/share/wayland-sessions", "usr/share/xsessions")
CONFIG = ("boot/firmware/config.txt", "boot/config.txt")
COPY = ".before-spotter"
"""A card that does not boot is repaired on another computer, by this copy beside config.txt."""
MOVED = "DO NOT EDIT"
"""Raspberry Pi OS has moved the file; where it was there are only these words."""
SPEED = "i2c_arm_baudrate"
BEGINS, ENDS = "# Spotter begins", "# Spotter ends"
RESTORE = f"""same() {{ [ "$(sed /i2c_arm/d "$1")" = "$(sed /i2c_arm/d "$2")" ]; }}
if same "$1" "$1{COPY}"; then mv "$1{COPY}" "$1"; else rm -f "$1{COPY}"; fi"""
"""To the byte, unless somebody has changed more since."""
FASTER = f"\\n{BEGINS}\\n[all]\\ndtparam={SPEED}={FAST_I2C_HZ}\\n{ENDS}\\n"
RECORD = "setup.json"


class SetupError(FailedError):
    """A command failed, or the record cannot be used."""


class ForgetfulError(FailedError):
    """What is changed is lost at reboot."""


class AsRootError(GivenError):
    """Settings and groups would be root's."""


@dataclass(frozen=True, slots=True)
class SystemChange:
    """Commands that change one thing, and those that take it back."""

    name: str
    why: str
    do: tuple[CommandWords, ...]
    undo: tuple[CommandWords, ...]


@dataclass(frozen=True, slots=True)
class SetupUser:
    """Where the user's changes are made: the machine, the user, and two folders of his."""

    machine: Machine
    user: str
    config: Path
    state: Path
    run: Runs

    @property
    def record(self) -> Path:
        return self.state / RECORD

    def noted(self) -> list[list[CommandWords]]:
        """The commands that take back each change, oldest first. Raises SetupError."""
        if not self.record.exists():
            return []
        try:
            kept = json.loads(read_text(self.record))
            return [[tuple(map(str, command)) for command in undo] for undo in kept]
        except (OSError, ValueError, TypeError) as error:
            told = why(error) if isinstance(error, OSError) else "it is damaged"
            raise SetupError(f"{self.record}: {told}; delete it to begin anew") from None

    def note(self, undone: list[list[CommandWords]]) -> None:
        try:
            self.state.mkdir(parents=True, exist_ok=True)
            replace_text(self.record, json.dumps(undone))
        except OSError as error:
            raise SetupError(f"{self.record}: {why(error)}") from None


def needed(desk: SetupUser) -> Iterator[SystemChange]:
    """What is still to be changed."""
    if desk.machine.is_pi:
        yield from _bus(desk)
        members = read_groups(desk.machine.read("etc/group"))
        for group in GROUPS:
            if desk.user not in members.get(group, {desk.user}):
                join = ("sudo", "usermod", "-aG", group, desk.user)
                leave = ("sudo", "gpasswd", "-d", desk.user, group)
                yield SystemChange(
                    "group", f"{group}, for pins, ports or displays", (join,), (leave,)
                )
    if any((desk.machine.root / name).is_dir() for name in DESKTOPS):
        yield from _start(desk, AUTOSTART, "autostart/spotter.desktop", "with the desktop")
    elif desk.machine.is_pi:
        yield from _start(desk, SERVICE, SERVICE_LINK, "at the log-in on the console")


def _start(desk: SetupUser, file: str, name: str, when: str) -> Iterator[SystemChange]:
    entry, link = desk.machine.root / file, desk.config / name
    if entry.exists() and not link.exists() and not link.is_symlink():
        make = (("mkdir", "-p", str(link.parent)), ("ln", "-s", str(entry), str(link)))
        yield SystemChange("start", when, make, (("rm", "-f", str(link)),))


def _bus(desk: SetupUser) -> Iterator[SystemChange]:
    texts = {name: desk.machine.read(name) for name in CONFIG}
    config = next((name for name, text in texts.items() if text and MOVED not in text), None)
    is_off = desk.run(("raspi-config", "nonint", "get_i2c")) == (0, "1")
    is_slow = config is not None and SPEED not in texts[config]
    file = str(desk.machine.root / config) if config else ""
    if config and (is_off or is_slow):
        copy = ("sudo", "cp", "-n", file, file + COPY)
        back = ("sudo", "sh", "-c", RESTORE, "sh", file)
        yield SystemChange("copy", f"{file}{COPY}", (copy,), (back,))
    if is_off:
        turn = ("sudo", "raspi-config", "nonint", "do_i2c")
        yield SystemChange("I2C", "on, for the OLED", ((*turn, "0"),), ((*turn, "1"),))
    if is_slow:
        add = ("sudo", "sh", "-c", f'printf "{FASTER}" >>"$1"', "sh", file)
        drop = ("sudo", "sed", "-i", f"/^{BEGINS}$/,/^{ENDS}$/d", file)
        yield SystemChange("I2C speed", f"{FAST_I2C_HZ}, for the OLED", (add,), (drop,))


def check_root(machine: Machine) -> None:
    """Raises ForgetfulError on a system that forgets what is written."""
    if "\noverlay / " in f"\n{machine.read('proc/mounts')}":
        raise ForgetfulError(
            "the system forgets every change at reboot (overlay on /); run: "
            "sudo raspi-config nonint do_overlayfs 1, reboot, and run spotter setup again"
        )


def set_up(desk: SetupUser, wanted: list[SystemChange]) -> None:
    """Make the changes, each noted before it is begun. Raises SetupError."""
    for change in wanted:
        print(f"{change.name:<12}{change.why}")
        desk.note([*desk.noted(), list(change.undo)])
        for command in change.do:
            status, told = desk.run(command)
            if status:
                raise SetupError(
                    f"{shlex.join(command)}: {told or f'status {status}'}; mend it and run "
                    "spotter setup again, or spotter setup --undo"
                )


def take_back(desk: SetupUser) -> None:
    """Take every change back, the newest first; what is gone already stays gone."""
    noted = desk.noted()
    while noted:
        for command in noted.pop():
            status, told = desk.run(command)
            print(shlex.join(command) + (f": {told or f'status {status}'}" if status else ""))
        desk.note(noted)
    desk.record.unlink(missing_ok=True)


def run(argv: list[str], games: Compendium) -> int:
    args = _parser().parse_args(argv)
    if getpass.getuser() == "root":
        raise AsRootError("run spotter setup as the user who plays, without sudo; it asks for sudo")
    desk = SetupUser(
        Machine(),
        getpass.getuser(),
        platformdirs.user_config_path(),
        platformdirs.user_state_path("spotter"),
        _run,
    )
    check_root(desk.machine)
    if args.board is not None:
        load_board(args.board, games.rules)
    wanted = [one for one in needed(desk) if args.autostart or one.name != "start"]
    if args.dry_run:
        planned = reversed(desk.noted()) if args.undo else (one.do for one in wanted)
        print("\n".join(shlex.join(command) for commands in planned for command in commands))
        return Status.DONE
    if args.undo:
        take_back(desk)
        return Status.DONE
    if args.board is not None:
        settings = load_settings()
        save_settings(replace(settings, board=replace(settings.board, name=args.board)))
        print(f"{'board':<12}{args.board}, in {config_file()}")
    set_up(desk, wanted)
    print("reboot to finish" if wanted else "all is set up")
    return Status.DONE


def _parser() -> Parser:
    parser = Parser(
        "setup", "Turn on I2C, join the hardware's groups and start with the desktop, by sudo."
    )
    parser.add_argument("--board", metavar="NAME", help="the board you have, or its .toml file")
    parser.add_argument(
        "--no-autostart", dest="autostart", action="store_false", help="leave out the autostart"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print every command, change nothing"
    )
    parser.add_argument("--undo", action="store_true", help="take back every change but the board")
    return parser


def _run(command: CommandWords) -> tuple[int, str]:
    """A missing program has the status of a shell; sudo asks on the terminal."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        return 127, why(error)
    return done.returncode, done.stdout.strip()
