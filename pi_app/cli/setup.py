"""`spotter setup`: system changes that the owner must agree to, and `--undo` to reverse them."""

from __future__ import annotations

import getpass
import json
import shlex
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import platformdirs

from pi_app.base.errors import FailedError, GivenError
from pi_app.base.files import read_text, replace_text, why
from pi_app.base.typed_json import read
from pi_app.base.values import dataclass
from pi_app.boards import load_board
from pi_app.cli.arguments import Parser
from pi_app.cli.doctor import FAST_I2C_HZ, GROUPS, Machine, read_groups
from pi_app.cli.ending import Status
from pi_app.export.codes import code_of, in_blocks
from pi_app.games.equipment import Compendium
from pi_app.journal.opening import data_folder
from pi_app.phones.keys import kept_tokens
from pi_app.phones.phones import page_for
from pi_app.user.settings import config_file, load_settings, save_settings
from pi_app.words.texts import quoted

CommandWords = tuple[str, ...]
Runs = Callable[[CommandWords], tuple[int, str]]
"""Runs a command: its exit status and its output."""

AUTOSTART = "usr/share/spotter/autostart.desktop"
SERVICE = "usr/lib/systemd/user/spotter.service"
LINGER = "var/lib/systemd/linger"
"""A file in it for each user whose services run without a log-in."""
SERVICE_LINK = "systemd/user/default.target.wants/spotter.service"
DESKTOPS = ("usr/share/wayland-sessions", "usr/share/xsessions")
CONFIG = ("boot/firmware/config.txt", "boot/config.txt")
COPY = ".before-spotter"
"""The suffix of a copy beside config.txt, with which a card that does not boot can be repaired on
another computer."""
MOVED = "DO NOT EDIT"
"""Raspberry Pi OS has moved the file; the old place has only this text."""
SPEED = "i2c_arm_baudrate"
BEGINS, ENDS = "# Spotter begins", "# Spotter ends"
RESTORE = f"""same() {{ [ "$(sed /i2c_arm/d "$1")" = "$(sed /i2c_arm/d "$2")" ]; }}
if same "$1" "$1{COPY}"; then mv "$1{COPY}" "$1"; else rm -f "$1{COPY}"; fi"""
"""Restores the file exactly, unless somebody has changed more since."""
FASTER = f"\\n{BEGINS}\\n[all]\\ndtparam={SPEED}={FAST_I2C_HZ}\\n{ENDS}\\n"
RECORD = "setup.json"
START = "start by"
ALL_SET_UP, NOTHING = "all is set up", "nothing to undo"


class SetupError(FailedError):
    """A command failed, or the record of changes cannot be used."""


class ForgetfulError(FailedError):
    """Changes would be lost at reboot."""


class AsRootError(GivenError):
    """It was started as root, so settings and groups would be root's."""


@dataclass(frozen=True, slots=True)
class SystemChange:
    """Commands that change one thing, and the command that undoes it, even if nothing
    was changed."""

    name: str
    """Its name in the record."""
    why: str
    do: tuple[CommandWords, ...]
    undo: CommandWords


@dataclass(frozen=True, slots=True)
class SetupUser:
    """Whose changes are made: the machine, the user, and two of his folders."""

    machine: Machine
    user: str
    config: Path
    state: Path
    run: Runs
    alone: bool = False
    """Whether the machine has no display: it then starts without a log-in."""

    @property
    def record(self) -> Path:
        return self.state / RECORD

    def noted(self) -> list[SystemChange]:
        """The changes made, oldest first. Raises SetupError."""
        if not self.record.exists():
            return []
        known = {change.name: change for change, _ in possible(self)}
        try:
            names = read(read_text(self.record), list[str])
        except (OSError, ValueError) as error:
            reason = why(error) if isinstance(error, OSError) else "it is damaged"
            raise SetupError(f"{self.record}: {reason}; delete it to begin anew") from None
        for name in names:
            if name not in known:
                reason = f"{quoted(name)} is no change that Spotter makes here"
                raise SetupError(f"{self.record}: {reason}; delete it to begin anew")
        return [known[name] for name in names]

    def note(self, changes: Sequence[SystemChange]) -> None:
        try:
            if changes:
                self.state.mkdir(parents=True, exist_ok=True)
                replace_text(self.record, json.dumps([change.name for change in changes]))
            else:
                self.record.unlink(missing_ok=True)
        except OSError as error:
            raise SetupError(f"{self.record}: {why(error)}") from None


def needed(desk: SetupUser) -> Iterator[SystemChange]:
    """What is still to be changed."""
    return (change for change, is_needed in possible(desk) if is_needed)


def possible(desk: SetupUser) -> Iterator[tuple[SystemChange, bool]]:
    """Yield every change that Spotter makes on this machine, and whether it is still to be made.

    The record names changes; the commands always come from here.
    """
    if desk.machine.is_pi:
        yield from _bus(desk)
        yield from _groups(desk)
    has_desktop = any((desk.machine.root / name).is_dir() for name in DESKTOPS) and not desk.alone
    change, is_needed = _start(desk, AUTOSTART, "autostart/spotter.desktop", "with the desktop")
    yield change, is_needed and has_desktop
    change, is_needed = _start(desk, SERVICE, SERVICE_LINK, "at the log-in on the console")
    yield change, is_needed and desk.machine.is_pi and not has_desktop
    yield _unattended(desk), desk.alone and not (desk.machine.root / LINGER / desk.user).exists()


def _groups(desk: SetupUser) -> Iterator[tuple[SystemChange, bool]]:
    members = read_groups(desk.machine.read("etc/group"))
    for group in GROUPS:
        join = ("sudo", "usermod", "-aG", group, desk.user)
        leave = ("sudo", "usermod", "-rG", group, desk.user)
        change = SystemChange(f"group {group}", "for pins, ports or displays", (join,), leave)
        yield change, desk.user not in members.get(group, {desk.user})


def _start(desk: SetupUser, file: str, name: str, when: str) -> tuple[SystemChange, bool]:
    entry, link = desk.machine.root / file, desk.config / name
    make = (("mkdir", "-p", str(link.parent)), ("ln", "-s", str(entry), str(link)))
    change = SystemChange(f"{START} {link.parent.name}", when, make, ("rm", "-f", str(link)))
    return change, entry.exists() and not link.exists() and not link.is_symlink()


def _unattended(desk: SetupUser) -> SystemChange:
    """Let systemd start the user's services when the machine starts."""
    do, undone = (("sudo", "loginctl", f"{way}-linger", desk.user) for way in ("enable", "disable"))
    return SystemChange(f"{START} power", "without a log-in", (do,), undone)


def _bus(desk: SetupUser) -> Iterator[tuple[SystemChange, bool]]:
    texts = {name: desk.machine.read(name) for name in CONFIG}
    config = next((name for name, text in texts.items() if text and MOVED not in text), None)
    is_off = desk.run(("raspi-config", "nonint", "get_i2c")) == (0, "1")
    is_slow = config is not None and SPEED not in texts[config]
    file = str(desk.machine.root / config) if config else ""
    if config:
        copy = ("sudo", "cp", "-n", file, file + COPY)
        back = ("sudo", "sh", "-c", RESTORE, "sh", file)
        yield SystemChange("copy", f"{file}{COPY}", (copy,), back), is_off or is_slow
    turn = ("sudo", "raspi-config", "nonint", "do_i2c")
    yield SystemChange("I2C", "on, for the OLED", ((*turn, "0"),), (*turn, "1")), is_off
    if config:
        add = ("sudo", "sh", "-c", f'printf "{FASTER}" >>"$1"', "sh", file)
        drop = ("sudo", "sed", "-i", f"/^{BEGINS}$/,/^{ENDS}$/d", file)
        yield SystemChange("I2C speed", f"{FAST_I2C_HZ}, for the OLED", (add,), drop), is_slow


def check_root(machine: Machine) -> None:
    """Raises ForgetfulError on a system that loses changes at reboot."""
    if "\noverlay / " in f"\n{machine.read('proc/mounts')}":
        raise ForgetfulError(
            "the system forgets every change at reboot (overlay on /); run: "
            "sudo raspi-config nonint do_overlayfs 1, reboot, and run spotter setup again"
        )


def set_up(desk: SetupUser, wanted: list[SystemChange]) -> None:
    """Make the changes; each is recorded before it begins. Raises SetupError."""
    for change in wanted:
        print(f"{change.name:<24}{change.why}")
        desk.note([*(noted for noted in desk.noted() if noted != change), change])
        for command in change.do:
            if failure := _failure(desk, command):
                remedy = "fix it and run spotter setup again, or spotter setup --undo"
                raise SetupError(f"{failure}; {remedy}")


def undo(desk: SetupUser) -> None:
    """Undo every change, the newest first; stop at the first that fails. Raises SetupError."""
    left = desk.noted()
    if not left:
        print(NOTHING)
    while left:
        if failure := _failure(desk, left[-1].undo):
            raise SetupError(f"{failure}; fix it and run spotter setup --undo again")
        print(shlex.join(left.pop().undo))
        desk.note(left)


def _failure(desk: SetupUser, command: CommandWords) -> str:
    """Run the command. Return why it failed, or an empty text."""
    status, output = desk.run(command)
    return f"{shlex.join(command)}: {output or f'status {status}'}" if status else ""


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
        args.no_display,
    )
    check_root(desk.machine)
    if args.board is not None:
        load_board(args.board, games.rules)
    wanted = [one for one in needed(desk) if not (args.no_autostart and one.name.startswith(START))]
    if args.dry_run:
        planned = "\n".join(map(shlex.join, _planned(desk, wanted, args.undo)))
        print(planned or (NOTHING if args.undo else ALL_SET_UP))
        return Status.DONE
    if args.undo:
        undo(desk)
        return Status.DONE
    _choose(args)
    set_up(desk, wanted)
    print("reboot to finish" if wanted else ALL_SET_UP)
    return Status.DONE


def _choose(args: Namespace) -> None:
    """Store the board, and what the screen is, in the settings; print the address for phones,
    and on a terminal its QR code."""
    before = settings = load_settings()
    if args.board is not None:
        settings = settings.changed("board.name", args.board)
        print(f"{'board':<12}{args.board}, in {config_file()}")
    if args.no_display:
        settings = settings.changed("screen.display", "none")
    if args.phones or args.no_display:
        settings = settings.changed("phones.on", True)
        address = page_for(kept_tokens(data_folder()).play, settings.phones.port)
        print(f"{'phones':<12}{address or 'no network yet; run spotter setup again in one'}")
        if address and sys.stdout.isatty():
            print(*in_blocks(code_of(address)), sep="\n")
    if settings != before:
        save_settings(settings)


def _planned(desk: SetupUser, wanted: list[SystemChange], undone: bool) -> list[CommandWords]:
    if undone:
        return [change.undo for change in reversed(desk.noted())]
    return [command for change in wanted for command in change.do]


def _parser() -> Parser:
    says = "Turn on I2C, join the hardware's groups and start with the desktop or without, by sudo."
    parser = Parser("setup", says)
    parser.takes("--board", "NAME", "the board you have, or its .toml file")
    parser.flag("--phones", "let phones of the same network be screens, and print their address")
    parser.flag("--no-display", "phones are the only screens; start without a log-in")
    parser.flag("--no-autostart", "leave out the autostart")
    parser.flag("--dry-run", "print every command, change nothing")
    parser.flag("--undo", "undo every change but the settings")
    return parser


def _run(command: CommandWords) -> tuple[int, str]:
    """A missing program gives a shell's exit status; sudo asks on the terminal."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        return 127, why(error)
    return done.returncode, done.stdout.strip()
