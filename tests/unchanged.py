"""Test files that need not run again: nothing that they read has changed since they last passed.

A drawing, the firmware's behaviour, an engine's answer or a match by simulated hands takes seconds
to check and seldom changes. A file of these rooms is left out if it passed before and everything
that it can reach is as it was then: the modules that it imports, directly or not, all files of the
folders below, the locks, Python, and the tools on this computer. `.ci/run` leaves none out.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parent.parent
MACHINES = ("tests/hardware", "tests/firmware", "tests/players")
PLAY = (
    *("tests/app", "tests/coach", "tests/export", "tests/link", "tests/match", "tests/panel"),
    *("tests/referee", "tests/rules", "tests/screen", "tests/seal", "tests/sensing"),
    *("tests/simulator", "tests/speech", "tests/wall", "tests/words"),
)
"""Their time and rolls are arguments: the same code gives the same result."""
ROOMS = (*MACHINES, *PLAY)
FOLDERS = (
    *("hardware", "firmware", "pi_app/boards", "pi_app/players"),
    *("tests/boards", "tests/cases", "tests/games", "tests/rules/games", *MACHINES),
)
"""All their files are inputs of every test in the rooms."""
DATA = ("pi_app", "tests")
"""All their files but modules are inputs of every test in the rooms of play as well."""
COMMON = (
    *("pyproject.toml", "pi_app/requirements.lock", "tests/requirements.lock"),
    *("tests/conftest.py", "tests/unchanged.py"),
)
TOOLS = (
    *("make", "cc", "avr-gcc", "avr-size", "avr-objdump", "avr-nm", "gnubg", "/usr/games/gnubg"),
    *("Xvfb", "chromium", "espeak-ng"),
    *("/usr/include/simavr/sim_avr.h", "/usr/lib/avr/include/avr/io.h", "/usr/bin/python3"),
    *("/usr/lib/python3/dist-packages/pcbnew.py", "/usr/lib/python3/dist-packages/gmsh.py"),
)
NOT_FOLLOWED: Mapping[str, tuple[str, ...]] = {
    "pi_app/games": ("pi_app.screen", "pi_app.speech", "pi_app.export")
}
"""A game names its face and its export beside its rules and players; the machines' rooms use none
of them: `tests/test_unchanged.py` looks."""
NOTHING: Mapping[str, tuple[str, ...]] = {}
MADE = re.compile(r"/(?:__pycache__|build|\.\w[^/]*)(?:/|$)")
PASSED = "unchanged/passed"
"""In pytest's cache: the fingerprint of every file that passed."""
IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+([\w., \t]+))",
    re.MULTILINE,
)


class Unchanged:
    """A plugin that leaves out what is unchanged, and remembers what passes now."""

    def __init__(self, config: pytest.Config) -> None:
        assert config.cache is not None
        self._cache = config.cache
        self._now = fingerprints(config.getini("pythonpath"))
        self._passed: dict[str, str] = self._cache.get(PASSED, {})
        self.left_out = {file for file, now in self._now.items() if self._passed.get(file) == now}
        self._failed: dict[str, bool] = {}

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Called by xdist for each worker that it starts."""
        node.workerinput["unchanged"] = sorted(self.left_out)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.split("::")[0]
        if file in self._now:
            self._failed[file] = self._failed.get(file, False) or report.failed

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            passed = {file: self._now[file] for file, failed in self._failed.items() if not failed}
            failed = {file for file, failed in self._failed.items() if failed}
            kept = {file: now for file, now in self._passed.items() if file not in failed}
            self._cache.set(PASSED, kept | passed)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left_out:
            rooms = sorted({str(Path(file).parent) for file in self.left_out})
            terminalreporter.write_line(
                f"{len(self.left_out)} files of {', '.join(rooms)} left out: unchanged since they "
                "passed (RERUN=1 tests/run runs them)"
            )


def fingerprints(paths: Iterable[str]) -> dict[str, str]:
    """What each test file of the rooms can reach, as one hash."""
    where = [PROJECT / path for path in paths]
    common = hashlib.sha256()
    _add(common, (*map(PROJECT.joinpath, COMMON), *_files(FOLDERS)))
    for tool in TOOLS:
        common.update(f"{_state(tool)}\n".encode())
    drawn = [os.environ.get(name) for name in ("THOROUGH", "SEED")]
    common.update(f"{sys.version} {drawn}\n".encode())
    found = _told(MACHINES, Reach(where, NOT_FOLLOWED), common)
    _add(common, (file for file in _files(DATA) if file.suffix != ".py"))
    return found | _told(PLAY, Reach(where), common)


def _told(rooms: Iterable[str], reached: Reach, common: hashlib._Hash) -> dict[str, str]:
    found = {}
    for file in (file for room in rooms for file in sorted((PROJECT / room).rglob("test_*.py"))):
        own = common.copy()
        _add(own, sorted(reached.by(file)))
        found[str(file.relative_to(PROJECT))] = own.hexdigest()
    return found


def _add(told: hashlib._Hash, files: Iterable[Path]) -> None:
    for file in files:
        told.update(f"{file.relative_to(PROJECT)} {_hash(file)}\n".encode())


def _files(folders: Iterable[str]) -> Iterator[Path]:
    for folder in map(PROJECT.joinpath, folders):
        for file in sorted(folder.rglob("*")):
            if file.is_file() and not MADE.search(f"/{file.relative_to(PROJECT)}"):
                yield file


@cache
def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _state(tool: str) -> str:
    where = shutil.which(tool) or tool
    try:
        state = Path(where).stat()
    except OSError:
        return f"no {tool}"
    return f"{where} {state.st_size} {state.st_mtime_ns}"


class Reach:
    """The modules of this project that a file imports, directly or not; `paths` are searched.

    What begins with one of the names in `not_followed` is ignored in that folder's modules.
    """

    def __init__(
        self, paths: list[Path], not_followed: Mapping[str, tuple[str, ...]] = NOTHING
    ) -> None:
        self._paths = paths
        self._not_followed = not_followed
        self._direct: dict[Path, frozenset[Path]] = {}

    def by(self, file: Path) -> set[Path]:
        """The file itself and all that it reaches."""
        reached, left = {file}, [file]
        while left:
            found = self._imports(left.pop()) - reached
            reached |= found
            left += found
        return reached

    def _imports(self, file: Path) -> frozenset[Path]:
        if file not in self._direct:
            named = _named(file.read_text(encoding="utf-8"))
            skipped = self._not_followed.get(str(file.parent.relative_to(PROJECT)), ())
            self._direct[file] = frozenset(
                module
                for name in named
                if not name.startswith(skipped)
                for module in self._modules(name, file.parent)
            )
        return self._direct[file]

    def _modules(self, name: str, own: Path) -> Iterator[Path]:
        """The module of this name, and every package it lies in."""
        first, *rest = name.split(".")
        where = (own, *self._paths)
        # As Python has it, a folder without __init__.py is what is meant if there is nothing else.
        modules = (_module(path, first) for path in where)
        folders = (path / first for path in where if (path / first).is_dir())
        found = next(filter(None, modules), None) or next(folders, None)
        while found:
            if found.is_file():
                yield found
            inside = found.parent if found.name == "__init__.py" else found
            found = _module(inside, rest.pop(0)) if rest else None


@cache
def _module(folder: Path, name: str) -> Path | None:
    there = (folder / f"{name}.py", folder / name / "__init__.py")
    return next(filter(Path.is_file, there), None)


def _named(text: str) -> Iterator[str]:
    """All names that an import could mean: what is taken from a package may be a module of it."""
    for package, taken, several in IMPORT.findall(text):
        yield from re.findall(r"[\w.]+", several)
        if package:
            yield package
            yield from (f"{package}.{name}" for name in re.findall(r"\w+", taken))
