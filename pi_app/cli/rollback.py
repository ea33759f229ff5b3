"""Which version of the Debian package runs; `spotter rollback` returns to the previous one.

The package also installs this file as /usr/bin/spotter, so it imports nothing else of Spotter and
works when the new version does not. Before an update the package's preinst script copies the
installed version to PREVIOUS. Until dpkg has replaced every file, UPDATING exists and the copy
runs.

A rollback needs no root: each user has a file that says which version he left. The next update has
another version number, so it is tried again. A new version is on trial: each start of a board is
counted, and ten seconds of play or a regular end pass the trial. After three starts that did
neither, the previous version runs. A version that has passed is never left automatically, because
then something else is wrong, such as a missing display.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pi_app.games.equipment import Compendium

INSTALLED = Path("usr/lib/spotter")
PREVIOUS = Path("var/lib/spotter/previous")
UPDATING = Path("var/lib/spotter/updating")
VERSION = "version"
"""The file in each version's folder with its number."""
ON_TRIAL, FAILED = "SPOTTER_ON_TRIAL", "SPOTTER_FAILED"
"""Environment variables for the program: the trial to pass, and the version that failed
its trial."""
MOST_STARTS = 3
MOST_OF_ERROR = 200
USUAL = frozenset({"play", "--fullscreen", "--kiosk", "--sim"})
"""With other arguments a start may fail because of them, so status 2 says nothing about the
version."""
NO_START = frozenset({"-h", "--help", "--version"})
DONE, ERROR, GIVEN, INTERRUPTED = 0, 1, 2, 130
"""As in pi_app.cli.ending."""


REASONS = ("", "failed", "asked")


@dataclass(frozen=True, slots=True)
class Trial:
    """What a user's starts of a version have shown; `left` is why it was left: one of REASONS."""

    version: str
    starts: int = 0
    passed: bool = False
    left: str = ""


@dataclass(frozen=True, slots=True)
class Package:
    """The package's files under `root`, and a user's file about its trial."""

    root: Path
    file: Path

    @property
    def installed(self) -> str:
        return self._version_in(INSTALLED)

    @property
    def previous(self) -> str:
        """The previous version; empty if there is none."""
        found = self._version_in(PREVIOUS)
        return "" if found == self.installed and not self.is_updating else found

    @property
    def is_updating(self) -> bool:
        return (self.root / UPDATING).exists()

    def _version_in(self, folder: Path) -> str:
        try:
            return (self.root / folder / VERSION).read_text(encoding="utf-8").strip()
        except OSError:
            return ""

    @property
    def trial(self) -> Trial:
        """The trial of the installed version. A damaged file, or one about another version, is
        ignored."""
        found = read_trial(self.file)
        return found if found and found.version == self.installed else Trial(self.installed)

    def note(self, trial: Trial) -> None:
        """Write the trial file atomically. Raises OSError."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.file.with_suffix(".new")
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(asdict(trial), file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.file)

    def choose(self, words: list[str]) -> tuple[Path, Mapping[str, str]]:
        """Choose the folder of the version to start, and variables for it, and count the start."""
        installed, previous = self.root / INSTALLED, self.root / PREVIOUS
        if self.is_updating and self.previous:
            return previous, {}
        trial = self.trial
        if not self.previous or (trial.passed and not trial.left):
            return installed, {}
        if not trial.left and _starts(words):
            failed = trial.starts >= MOST_STARTS
            trial = replace(trial, starts=trial.starts + 1, left="failed" if failed else "")
            with suppress(OSError):
                self.note(trial)
            if not failed:
                return installed, {ON_TRIAL: str(self.file)}
        if trial.left == "failed":
            return previous, {FAILED: trial.version}
        return (previous if trial.left else installed), {}


def _starts(words: list[str]) -> bool:
    """Whether these arguments start a board."""
    is_play = not words or words[0] == "play" or words[0].startswith("-")
    return is_play and NO_START.isdisjoint(words)


def read_trial(file: Path) -> Trial | None:
    """Read a trial's file; None if it cannot be read or is damaged."""
    with suppress(OSError, ValueError, TypeError, RecursionError):
        found = Trial(**json.loads(file.read_text(encoding="utf-8")))
        kinds = zip(astuple(found), (str, int, bool, str), strict=True)
        if all(type(value) is kind for value, kind in kinds) and found.left in REASONS:
            return found
    return None


def pass_trial(file: Path) -> None:
    """The running version has started well."""
    trial = read_trial(file)
    if trial:
        with suppress(OSError):
            Package(Path("/"), file).note(replace(trial, starts=0, passed=True))


def run(argv: list[str], _games: Compendium) -> int:
    """`spotter rollback` from a checkout, or through `spotter help rollback`."""
    return roll_back(argv, package_of(Path(__file__)))


def package_of(program: Path) -> Package:
    """The package that this file belongs to; outside a package, the computer's installed one."""
    for folder in program.resolve().parents:
        if (folder / INSTALLED / VERSION).exists():
            return Package(folder, state_file())
    return Package(Path("/"), state_file())


def state_file() -> Path:
    state = Path(os.environ.get("XDG_STATE_HOME") or "~/.local/state")
    with suppress(RuntimeError):  # nobody knows the home
        state = state.expanduser()
    return state / "spotter" / "trial.json"


def roll_back(argv: list[str], package: Package) -> int:
    parser = argparse.ArgumentParser(
        "spotter rollback", description="Use the version before the last update again."
    )
    parser.add_argument("--undo", action="store_true", help="use the installed version again")
    undo = parser.parse_args(argv).undo
    new, old, trial = package.installed, package.previous, package.trial
    if not old:
        print("spotter: no version is stored to go back to", file=sys.stderr)
        return ERROR
    try:
        package.note(Trial(new, passed=trial.passed) if undo else replace(trial, left="asked"))
    except OSError as error:
        print(f"spotter: {package.file}: {error.strerror}", file=sys.stderr)
        return ERROR
    hint = "" if undo else f"; spotter rollback --undo uses {new} again"
    print(f"Spotter {new if undo else old} runs from the next start on{hint}")
    with suppress(OSError):
        restart = ["systemctl", "--user", "try-restart", "spotter.service"]
        subprocess.run(restart, check=False, stderr=subprocess.DEVNULL)
    return DONE


def main(argv: list[str], package: Package, start: Callable[[], int]) -> int:
    """Start the chosen version. Return its exit status."""
    if argv[:1] == ["rollback"]:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        return roll_back(argv[1:], package)
    folder, variables = package.choose(argv)
    # Its packages stand before the distribution's; engines run in processes of their own.
    sys.path[:1] = [str(folder)]
    os.environ.update(variables, PYTHONPATH=str(folder))
    if FAILED in variables:
        said = f"{variables[FAILED]} failed to start {MOST_STARTS} times; {package.previous} runs"
        print(f"spotter: {said}; to try again: spotter rollback --undo", file=sys.stderr)
    try:
        status, is_broken = start(), False
    except Exception as error:  # of a version that is broken
        text = str(error).splitlines()[0] if str(error) else ""
        print(f"spotter: {type(error).__name__}: {text:.{MOST_OF_ERROR}}", file=sys.stderr)
        status, is_broken = ERROR, True
    has_failed = ON_TRIAL in variables and _has_failed(package, status, argv)
    if package.previous and (is_broken or has_failed):
        print(f"spotter: spotter rollback uses {package.previous} again", file=sys.stderr)
    return status


def _has_failed(package: Package, status: int, words: list[str]) -> bool:
    """Note what a counted start has shown, and return whether the version failed.

    A regular end passes the trial. An end by Ctrl-C, or because of wrong arguments, says nothing.
    """
    trial = package.trial
    if trial.passed:
        return False
    says_nothing = status == INTERRUPTED or (status == GIVEN and not USUAL.issuperset(words))
    if status == DONE:
        trial = replace(trial, starts=0, passed=True)
    elif says_nothing and trial.starts:
        trial = replace(trial, starts=trial.starts - 1)
    with suppress(OSError):
        package.note(trial)
    return not says_nothing and status != DONE
