"""The file of Hypergammon's solution: what every position is worth, made on this machine.

A *stand* is one side's checkers, as numbers of points to go, and has a number: stands are in order
of their pips. A position is two stands: that of the side on roll, and that of the side which has
just moved. The file has a head, a checksum of each row, and a row for each stand on roll: for each
stand that has just moved the values, then for each the chances. Each position is read from the disk
when it is asked for, and a row is checked when it is first used: nobody waits for 365 MB.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import IntEnum
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from struct import Struct
from typing import NamedTuple

from pi_app.players.contract import PlayerError
from pi_app.players.native import cache_folder
from pi_app.rules.tables.position import BAR, Men, one
from pi_app.words.sentences import Said, Sentence

CHECKERS = 3
"""A side's in Hypergammon; the same code solves the game with fewer."""
POINT = 1 << 29
"""So much is one point among the values."""
SURE = 65535
"""So much is certainty among the chances."""
SETTLED = 100
"""A solution is complete when no value changes by more than this, 0.0000002 points."""


class SolvedValue(IntEnum):
    """What is known of a position, to the side on roll, who may double first if there is a cube."""

    POINTS = 0
    """Without a cube, mean points."""
    WINS = 1
    """The same if every win counts 1."""
    MINE = 2
    """The side on roll owns the cube; mean points at a stake of 1."""
    THEIRS = 3
    """The other side owns the cube."""
    MIDDLE = 4
    """The cube is centred."""
    JACOBY = 5
    """The cube is centred, and until it is turned every win counts 1."""


MAGIC = b"SPOTHYP1"
HEAD = Struct("<8sIIII")
"""MAGIC, checkers, stands, passes, the greatest change of a value in the last one."""
CRC = Struct("<I")
VALUES = Struct(f"<{len(SolvedValue)}i")
CHANCES = Struct("<5H")
"""Win, gammon or more, backgammon, gammon lost or more, backgammon lost."""

TEMPORARY = ".part"
NOT_MADE = Sentence("Hypergammon is not solved here yet; run: spotter solve hypergammon")
NOT_FINISHED = Sentence(
    "Hypergammon's solution is not finished; continue with: spotter solve hypergammon"
)
DAMAGED = Sentence("{file} is damaged; make it again: spotter solve hypergammon --again")


@cache
def stands(checkers: int) -> Mapping[Men, int]:
    """The number of each stand, by its men."""
    some = sorted(combinations_with_replacement(range(BAR + 1), checkers), key=sum)
    return {sum(map(one, numbers)): number for number, numbers in enumerate(some)}


class RowSizes(NamedTuple):
    """The parts of a file with so many stands, in bytes."""

    stands: int

    @property
    def row(self) -> int:
        return self.stands * (VALUES.size + CHANCES.size)

    @property
    def rows_at(self) -> int:
        return HEAD.size + (self.stands + 1) * CRC.size

    @property
    def size(self) -> int:
        return self.rows_at + self.stands * self.row


class PassesDone(NamedTuple):
    """What the head says: how many passes were done, and the greatest change of a value in the last
    one. POINT stands for the change before the first."""

    passes: int
    change: int

    @property
    def is_complete(self) -> bool:
        return self.change <= SETTLED


class Known(NamedTuple):
    """What is known of one position; see `SolvedValue` and CHANCES."""

    values: tuple[int, ...]
    chances: tuple[int, ...]

    def worth(self, value: SolvedValue) -> float:
        return self.values[value] / POINT


def solution_file(checkers: int = CHECKERS) -> Path:
    return cache_folder() / f"hypergammon-{checkers}.solution"


def lacking(file: Path, checkers: int = CHECKERS) -> Said | None:
    """Why the file cannot be used; None if it can. Reads its head and length only."""
    try:
        with file.open("rb") as opened:
            head = opened.read(RowSizes(len(stands(checkers))).rows_at)
            length = os.fstat(opened.fileno()).st_size
    except OSError:
        return NOT_MADE()
    found = _head(head, length, checkers)
    if found is None:
        return DAMAGED(file=str(file))
    return None if found.is_complete else NOT_FINISHED()


def _head(head: bytes, length: int, checkers: int) -> PassesDone | None:
    """What it says; None if it is not the whole head of a file of this length."""
    shape = RowSizes(len(stands(checkers)))
    if len(head) != shape.rows_at or CRC.pack(zlib.crc32(head[: -CRC.size])) != head[-CRC.size :]:
        return None
    magic, own, count, passes, change = HEAD.unpack(head[: HEAD.size])
    if (magic, own, count, length) != (MAGIC, checkers, shape.stands, shape.size):
        return None
    return PassesDone(passes, change)


class SolvedGame:
    """An opened file. `found` is what its head says."""

    def __init__(self, file: Path, checkers: int = CHECKERS) -> None:
        """Raises PlayerError for a file that is missing, damaged in its head or of another game."""
        self._file, self._numbers = file, stands(checkers)
        self._shape = RowSizes(len(self._numbers))
        try:
            self._opened = file.open("rb", buffering=0)
        except FileNotFoundError:
            raise PlayerError(NOT_MADE()) from None
        except OSError as why:
            raise PlayerError(f"{file}: it cannot be read: {why}") from None
        length = os.fstat(self._opened.fileno()).st_size
        self._head = self._read(0, self._shape.rows_at)
        found = _head(self._head, length, checkers)
        if found is None:
            raise PlayerError(DAMAGED(file=str(file)))
        self.found = found
        self._checked = set[int]()

    def at(self, on_roll: Men, moved: Men) -> Known:
        """Raises PlayerError if its row is damaged."""
        number, other = self._numbers[on_roll], self._numbers[moved]
        start = self._row(number)
        values = start + other * VALUES.size
        chances = start + self._shape.stands * VALUES.size + other * CHANCES.size
        return Known(
            VALUES.unpack(self._read(values, VALUES.size)),
            CHANCES.unpack(self._read(chances, CHANCES.size)),
        )

    def rows(self) -> Iterator[bytes]:
        """Every row. Raises PlayerError at a damaged one."""
        for number in range(self._shape.stands):
            start = self._row(number)
            yield self._read(start, self._shape.row)

    def close(self) -> None:
        self._opened.close()

    def _read(self, start: int, size: int) -> bytes:
        """Raise PlayerError for what cannot be read: a mapping of the file would end Spotter."""
        try:
            some = os.pread(self._opened.fileno(), size, start)
        except OSError as why:
            raise PlayerError(f"{self._file}: it cannot be read: {why}") from None
        if len(some) < size:
            raise PlayerError(DAMAGED(file=str(self._file)))
        return some

    def _row(self, number: int) -> int:
        start = self._shape.rows_at + number * self._shape.row
        if number not in self._checked:
            (wanted,) = CRC.unpack_from(self._head, HEAD.size + number * CRC.size)
            if zlib.crc32(self._read(start, self._shape.row)) != wanted:
                raise PlayerError(DAMAGED(file=str(self._file)))
            self._checked.add(number)
        return start


def check_room(folder: Path, checkers: int = CHECKERS) -> None:
    """Raise PlayerError unless the file has room beside its predecessor."""
    needed, free = RowSizes(len(stands(checkers))).size, shutil.disk_usage(folder).free
    if free < needed:
        room = f"{needed // 10**6 + 1} MB are needed and {free // 10**6} MB are free"
        raise PlayerError(f"{folder}: {room}; make room")


def clear_leftovers(file: Path) -> None:
    """Remove what a killed writer left."""
    for left in file.parent.glob(f".{file.name}-*{TEMPORARY}"):
        with suppress(OSError):
            left.unlink()


def write_table(
    file: Path, rows: Iterator[bytes], found: PassesDone, checkers: int = CHECKERS
) -> None:
    """Write a whole file beside the old one, then replace that. Raises PlayerError; then the old
    file stays."""
    name = None
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-", suffix=TEMPORARY)
        count = len(stands(checkers))
        with os.fdopen(handle, "wb") as opened:
            opened.seek(RowSizes(count).rows_at)
            sums = list[bytes]()
            for row in rows:
                opened.write(row)
                sums.append(CRC.pack(zlib.crc32(row)))
            head = HEAD.pack(MAGIC, checkers, count, *found) + b"".join(sums)
            opened.seek(0)
            opened.write(head + CRC.pack(zlib.crc32(head)))
            opened.flush()
            os.fsync(opened.fileno())
        Path(name).replace(file)
    except OSError as why:
        raise PlayerError(f"{file}: it cannot be written: {why.strerror}") from None
    finally:
        if name:
            with suppress(OSError):
                Path(name).unlink()
