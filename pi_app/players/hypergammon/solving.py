"""Solving Hypergammon: every position's value, in C, pass by pass until nothing changes.

A pass works out all positions anew, those nearest to the end first. Within a layer of positions
with as many pips nothing depends on the order, so several threads share it and the result is the
same for any number of them. Values are whole numbers, so it is the same on every machine.
"""

from __future__ import annotations

import fcntl
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from pi_app.players.contract import PlayerError, Solution
from pi_app.players.hypergammon.table import (
    CHANCES,
    CHECKERS,
    POINT,
    SETTLED,
    VALUES,
    PassesDone,
    RowSizes,
    SolvedGame,
    check_room,
    clear_leftovers,
    lacking,
    solution_file,
    stands,
    write_table,
)
from pi_app.players.native import CoreError, NativeCore, cache_folder

DECLARED = """
void *spotter_hypergammon_open(int32_t);
void spotter_hypergammon_close(void *);
int32_t spotter_hypergammon_stands(const void *);
int32_t spotter_hypergammon_layers(const void *);
void spotter_hypergammon_judge(void *, int32_t, int32_t, int32_t, bool);
int32_t spotter_hypergammon_keep(void *, int32_t, int32_t, int32_t, bool);
void spotter_hypergammon_write(const void *, int32_t, int32_t *, uint16_t *);
void spotter_hypergammon_read(void *, int32_t, const int32_t *, const uint16_t *);
"""
NATIVE = NativeCore("hypergammon", Path(__file__).parent / "core")
BESIDE = 40 * 10**6
"""The bytes of memory that solving needs beside those of the file."""
MEMORY = Path("/proc/meminfo")
STORED_EVERY_S = 600.0
"""How often an unfinished solution is stored."""
SLOWEST = 0.7
"""About the share of a change that the next pass still makes."""

TellSteps = Callable[[int, int], None]
"""Called with the layers that are done and about how many there will be."""


class Solver:
    """The positions and what is known of them so far.

    Raises PlayerError if there is too little memory or no C compiler.
    """

    def __init__(self, cores: int, checkers: int = CHECKERS) -> None:
        self._check_memory(RowSizes(len(stands(checkers))).size + BESIDE)
        try:
            self._ffi, self._library = NATIVE.open(cache_folder(), DECLARED)
        except CoreError as error:
            raise PlayerError(f"Hypergammon cannot be solved here: {error}") from None
        opened = self._library.spotter_hypergammon_open(checkers)
        if opened == self._ffi.NULL:
            raise PlayerError("Hypergammon cannot be solved here: too little memory")
        self._solution = self._ffi.gc(opened, self._library.spotter_hypergammon_close)
        self._cores, self._threads = cores, ThreadPoolExecutor(cores)
        self.stands = self._library.spotter_hypergammon_stands(opened)
        self.layers = self._library.spotter_hypergammon_layers(opened)
        self.found = PassesDone(0, POINT)

    @staticmethod
    def _check_memory(needed: int) -> None:
        with suppress(OSError, ValueError, IndexError):
            lines = MEMORY.read_text(encoding="ascii").splitlines()
            (free,) = (int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
            if free * 1024 < needed:
                raise PlayerError(
                    f"Hypergammon needs {needed // 10**6} MB of memory and "
                    f"{free * 1024 // 10**6} MB are free; close other programs"
                )

    def resume(self, rows: Iterable[bytes], found: PassesDone) -> None:
        """Begin with what an unfinished file has."""
        size = self.stands * VALUES.size
        for stand, row in enumerate(rows):
            values = self._ffi.from_buffer("int32_t[]", row[:size])
            chances = self._ffi.from_buffer("uint16_t[]", row[size:])
            self._library.spotter_hypergammon_read(self._solution, stand, values, chances)
        self.found = found

    def passed(self, after_layer: Callable[[int], None]) -> None:
        """Do one more pass, which may be interrupted between layers."""
        races, changes = self.found.passes == 0, list[int]()
        for layer in range(self.layers):
            changes.append(self.work_out(layer, races=races))
            after_layer(layer + 1)
        self.found = PassesDone(self.found.passes + 1, max(changes))

    def work_out(self, layer: int, *, races: bool) -> int:
        """Work out a layer anew, and return the greatest change of a value. Races are exact after
        the first pass."""
        self._each_part(self._library.spotter_hypergammon_judge, layer, races)
        changes: list[int] = self._each_part(self._library.spotter_hypergammon_keep, layer, races)
        return max(changes)

    def row(self, stand: int) -> bytes:
        values = self._ffi.new("int32_t[]", self.stands * VALUES.size // 4)
        chances = self._ffi.new("uint16_t[]", self.stands * CHANCES.size // 2)
        self._library.spotter_hypergammon_write(self._solution, stand, values, chances)
        return bytes(self._ffi.buffer(values)) + bytes(self._ffi.buffer(chances))

    def rows(self) -> Iterator[bytes]:
        return map(self.row, range(self.stands))

    def close(self) -> None:
        self._threads.shutdown()

    def _each_part(self, work: Callable[..., Any], layer: int, races: bool) -> list[Any]:
        def part(number: int) -> Any:
            return work(self._solution, layer, number, self._cores, races)

        return list(self._threads.map(part, range(self._cores)))


def passes_left(change: int) -> int:
    """About how many passes are still to come."""
    return max(1, math.ceil(math.log(SETTLED / change) / math.log(SLOWEST))) if change else 0


def solve(
    file: Path,
    cores: int,
    tell: TellSteps = lambda _, __: None,
    seconds: Callable[[], float] = time.monotonic,
    checkers: int = CHECKERS,
    *,
    again: bool = False,
) -> PassesDone:
    """Make the file, or finish an unfinished one; with `again` make it whatever is there.

    What is done is stored every STORED_EVERY_S by the clock `seconds`, and when it is interrupted.
    A finished solution is replaced only once the new one is finished. Raises PlayerError; then a
    file that was there stays.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with _alone(file.parent):
            clear_leftovers(file)
            return _solve(file, cores, tell, seconds, checkers, again=again)
    except OSError as error:
        raise PlayerError(f"{error.filename or file.parent}: {error.strerror}") from None


def _solve(
    file: Path,
    cores: int,
    tell: TellSteps,
    seconds: Callable[[], float],
    checkers: int,
    *,
    again: bool,
) -> PassesDone:
    check_room(file.parent, checkers)
    is_solved = lacking(file, checkers) is None
    solver = Solver(cores, checkers)
    stored, stored_at = solver.found, seconds()
    try:
        if file.exists() and not again:
            with closing(SolvedGame(file, checkers)) as table:
                solver.resume(table.rows(), table.found)
            stored = solver.found
        while not solver.found.is_complete:
            solver.passed(partial(_tell_steps, tell, solver, solver.found))
            is_due = seconds() - stored_at > STORED_EVERY_S and not is_solved
            if is_due and not solver.found.is_complete:
                write_table(file, solver.rows(), solver.found, checkers)
                stored, stored_at = solver.found, seconds()
    finally:
        # After Ctrl-C the threads may still work on a layer.
        solver.close()
        if solver.found != stored and (solver.found.is_complete or not is_solved):
            write_table(file, solver.rows(), solver.found, checkers)
    return solver.found


def _tell_steps(tell: TellSteps, solver: Solver, before: PassesDone, layer: int) -> None:
    done, left = before.passes * solver.layers, passes_left(before.change) * solver.layers
    tell(done + layer, done + left)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let no other process solve the game in this folder meanwhile. Raises PlayerError if one
    does."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise PlayerError("Hypergammon is being solved already") from None
    finally:
        os.close(handle)


def _made(file: Path, cores: int, tell: TellSteps, again: bool) -> int:
    return solve(file, cores, tell, again=again).passes


SOLUTION = Solution(solution_file, lacking, _made)
