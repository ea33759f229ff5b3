"""The search in C: built once from `core/`, kept in the user's cache, and asked by way of cffi.

Whoever sets Spotter up runs `python -m pi_app.players.cannon.building`; where nobody has, it is
built when it is first asked for, in a few seconds.  Its name tells of which sources and for which
machine it is, so another Spotter's is never taken.  cffi's ABI mode was chosen over a compiled
extension: it needs neither Python's headers nor an installation that can be written to.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import platformdirs

from pi_app.rules.cannon import START, Cannon, CannonPosition, SoldierChange
from pi_app.rules.terms import Side
from pi_app.words.texts import one_line

SOURCES = Path(__file__).parent / "core"
FLAGS = ("-std=c11", "-O2", "-fPIC", "-shared")
BUILD_S = 120
COMPILERS = ("cc", "gcc", "clang")
MOST_SAID = 200
MENDED_BY = "sudo apt install gcc libc6-dev"
SLOWER = "Cannon is played by a slower search in Python, less deep: {why}"
REFUSALS = MappingProxyType(
    {-1: "it takes this for no position", -2: "it takes an action for illegal", -3: "no memory"}
)
_WORD = (1 << 64) - 1
DECLARED = """
typedef struct { uint64_t low, high; } cannon_points;
typedef struct { cannon_points soldiers[2], town[2]; int32_t mover; } cannon_position;
typedef struct { cannon_points changed, lost; } cannon_action;
typedef struct { int32_t depth; int64_t nodes; int32_t milliseconds; } cannon_limits;
typedef struct {
    int32_t best, depth, rated_depth; int64_t nodes; int32_t worths[320];
} cannon_findings;
int64_t spotter_cannon_perft(const cannon_position *, int32_t);
int32_t spotter_cannon_search(const cannon_position *, const int32_t *, const cannon_action *,
                              int32_t, const cannon_limits *, cannon_findings *);
"""
_CHECK = (2, 1740)
"""Turns from START, and to how many positions they lead: what an opened core must know."""


class CannonMarks(NamedTuple):
    """The evaluation: what each counts, in hundredths of a soldier; the enemy's counts against."""

    soldier: int
    step: int
    """A way to step to an empty point."""
    advance: int
    """A row from the own edge, of each soldier."""
    ring: int
    """A soldier at most two points from the enemy's town."""
    guard: int
    """A soldier at most two points from the own town."""
    threat: int
    """An enemy soldier that could be taken."""
    tempo: int
    """Being to move."""


MARKS = CannonMarks(soldier=100, step=2, advance=2, ring=10, guard=9, threat=12, tempo=5)
WIN = 100_000
WON = WIN - 1000
"""Worths beyond are a win, or a loss, in so many turns as are missing from WIN."""


class Limits(NamedTuple):
    """When a search ends: turns deep, nodes, and time, which alone lets an answer differ."""

    depth: int
    nodes: int
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Searched:
    """The result of a search.

    The best action's value is that of `depth` turns (deeper if a deeper search was cut short after
    finding it). The others were proven no better at that depth; their own value is from
    `rated_depth` turns, at least a hundredth below the best.
    """

    worths: tuple[int, ...]
    best: int
    depth: int
    rated_depth: int
    nodes: int


class CoreError(Exception):
    """The search in C is not to be had; says why in a few words."""


class Core:
    """The search in C, opened."""

    def __init__(self, file: Path) -> None:
        try:
            from cffi import FFI  # noqa: PLC0415, only who plays Cannon needs it
        except ImportError:
            raise CoreError("cffi is not installed") from None
        self._ffi = FFI()
        self._ffi.cdef(DECLARED)
        try:
            self._library: Any = self._ffi.dlopen(str(file))
        except OSError as error:
            raise CoreError(f"{file}: {one_line(str(error), MOST_SAID)}") from None
        if not self._is_ours():
            # While it is open its name stands for it, whatever is built in its place.
            self._ffi.dlclose(self._library)
            raise CoreError(f"{file} is not this Spotter's")

    def _is_ours(self) -> bool:
        turns, found = _CHECK
        try:
            return self.perft(Cannon().read_position(START), turns) == found
        except AttributeError:
            return False

    def search(
        self, position: CannonPosition, actions: Sequence[SoldierChange], limits: Limits
    ) -> Searched:
        """Rate these legal actions of a position with both towns, in hundredths."""
        told = self._ffi.new("cannon_findings *")
        status = self._library.spotter_cannon_search(
            self._position(position),
            self._ffi.new("int32_t[]", MARKS),
            self._actions(actions),
            len(actions),
            self._ffi.new("cannon_limits *", tuple(limits)),
            told,
        )
        self._check(status)
        worths = tuple(self._ffi.unpack(told.worths, len(actions)))
        return Searched(worths, told.best, told.depth, told.rated_depth, told.nodes)

    def perft(self, position: CannonPosition, depth: int) -> int:
        """The number of results, as `spotter perft` counts."""
        found: int = self._library.spotter_cannon_perft(self._position(position), depth)
        self._check(found)
        return found

    def _position(self, position: CannonPosition) -> Any:
        armies = position.light, position.dark
        soldiers = [_parted(army.soldiers) for army in armies]
        towns = [_parted(army.town) for army in armies]
        return self._ffi.new(
            "cannon_position *", (soldiers, towns, int(position.mover is Side.BLACK))
        )

    def _actions(self, actions: Sequence[SoldierChange]) -> Any:
        parted = [(_parted(changed), _parted(lost)) for changed, lost in actions]
        return self._ffi.new("cannon_action[]", parted)

    @staticmethod
    def _check(status: int) -> None:
        if status < 0:
            raise CoreError(REFUSALS.get(status, f"it ended with {status}"))


def cache_folder() -> Path:
    return platformdirs.user_cache_path("spotter")


def open_core(folder: Path) -> Core:
    """Open the installed library, or the folder's, building it if needed. Raises CoreError."""
    name = name_of_core()
    installed, file = SOURCES / name, folder / name
    if installed.is_file():
        return Core(installed)
    if file.is_file():
        with suppress(CoreError):
            return Core(file)
    build(file)
    return Core(file)


def name_of_core(machine: str | None = None) -> str:
    """By its sources, how they are compiled, and the machine if not this one; raises CoreError."""
    try:
        texts = [file.read_bytes() for file in sorted(SOURCES.glob("*.[ch]"))]
    except OSError as error:
        raise CoreError(f"{SOURCES}: {error.strerror}") from None
    told = " ".join((*FLAGS, machine or platform.machine(), platform.libc_ver()[0])).encode()
    return f"cannon-{hashlib.sha256(b'|'.join((told, *texts))).hexdigest()[:16]}.so"


def build(file: Path) -> None:
    """Compile the sources; whoever looks sees all of the file or none.  Raises CoreError."""
    compiler = _compiler()
    sources = [str(source) for source in sorted(SOURCES.glob("*.c"))]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=".cannon-") as folder:
            made = Path(folder) / file.name
            done = subprocess.run(
                [*compiler, *FLAGS, "-o", str(made), *sources],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=BUILD_S,
                check=False,
            )
            if done.returncode != 0:
                said = done.stderr.decode("utf-8", "replace")
                raise CoreError(f"{compiler[0]} failed: {one_line(said, MOST_SAID)}")
            made.replace(file)
    except subprocess.TimeoutExpired:
        raise CoreError(f"{compiler[0]} took more than {BUILD_S} s") from None
    except OSError as error:
        raise CoreError(f"{error.filename or file.parent}: {error.strerror}") from None


def _compiler() -> Sequence[str]:
    """The compiler's words: $CC, or the first there is."""
    if asked := shlex.split(os.environ.get("CC", "")):
        return asked
    found = next(filter(None, map(shutil.which, COMPILERS)), None)
    if found is None:
        raise CoreError(f"there is no C compiler; {MENDED_BY}")
    return [found]


def _parted(points: int) -> tuple[int, int]:
    return points & _WORD, points >> 64


def main() -> int:
    """Build it where it is not yet; say in a line why it cannot be."""
    try:
        open_core(cache_folder())
    except CoreError as error:
        print(SLOWER.format(why=error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
