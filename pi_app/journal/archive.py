"""Kept matches, for reading; a match is its events, so reading them back is all there is."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NewType

from pi_app.errors import FailedError
from pi_app.match.phases import Phase
from pi_app.match.score import Score
from pi_app.referee.events import Event
from pi_app.referee.lines import EventError, read_event
from pi_app.referee.view import View

MatchId = NewType("MatchId", int)

SCHEMA_VERSION = 1
"""Kept in the file's user_version; a file of a later program is left alone."""


class JournalError(FailedError, RuntimeError):
    """A journal that cannot be read or written; says which file, why and what to do."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Where a match stands, for lists: what changes while it is played."""

    score: Score
    phase: Phase
    result: str | None = None

    @classmethod
    def of(cls, view: View) -> Summary:
        """The summary of what is shown."""
        return cls(view.score, view.phase, view.last_result)


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """One match of the list; `began` is the wall time it was begun at, as text."""

    number: MatchId
    began: str
    game: str
    players: tuple[str, str]
    match_to: int | None
    standing: Summary

    @property
    def is_over(self) -> bool:
        """Whether its last point has been played."""
        return self.standing.phase is Phase.MATCH_OVER


class Archive:
    """Reads the journal at `path`, even while another Spotter writes it.

    Raises JournalError when there is none, or when it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._trouble("opened"):
            self._db = self._open()
            try:
                version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
            except sqlite3.Error:
                self.close()
                raise
        if version == 0:
            self.close()
            raise _none_yet(path)
        if version > SCHEMA_VERSION:
            self.close()
            raise JournalError(
                f"{path} was written by a newer Spotter (journal version {version}, this one "
                f"knows {SCHEMA_VERSION}); update Spotter, or move the file away"
            )

    def matches(self) -> tuple[MatchSummary, ...]:
        """Every match, the oldest first."""
        with self._trouble("read"):
            return tuple(map(_summary_of, self._db.execute(f"{_SELECT} ORDER BY number")))

    def match(self, number: int) -> MatchSummary:
        """One match; raises JournalError naming the numbers there are."""
        for match in self.matches():
            if match.number == number:
                return match
        there = ", ".join(str(match.number) for match in self.matches()) or "none yet"
        raise JournalError(f"match {number} is not in {self.path}; there are: {there}")

    def unfinished(self) -> MatchId | None:
        """The newest match that is not over, or None."""
        return next((m.number for m in reversed(self.matches()) if not m.is_over), None)

    def events(self, number: MatchId) -> Iterator[Event]:
        """The events of a match in their order; raises JournalError at one that is damaged."""
        query = "SELECT place, line FROM events WHERE match = ? ORDER BY place"
        with self._trouble("read"):
            rows = self._db.execute(query, (number,)).fetchall()
        for place, line in rows:
            try:
                yield read_event(line)
            except EventError as error:
                raise JournalError(
                    f"{self.path}: event {place} of match {number} is damaged: {error}; "
                    f"the events before it are good"
                ) from error

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()

    def _open(self) -> sqlite3.Connection:
        if not self.path.exists():
            raise _none_yet(self.path)
        # In a folder that cannot be written, only an unchanging file can be read.
        mode = "mode=ro" if _is_writable(self.path.parent) else "immutable=1"
        return sqlite3.connect(f"{self.path.absolute().as_uri()}?{mode}", uri=True)

    @contextmanager
    def _trouble(self, done: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise JournalError(
                f"{self.path} cannot be {done}: {error}; {_remedy(error)}"
            ) from error


_SELECT = """SELECT number, began, game, white_name, black_name, match_to,
    white_score, black_score, phase, result FROM matches"""

_REMEDIES: Mapping[int, str] = MappingProxyType(
    {
        sqlite3.SQLITE_FULL: "free some space on the disk",
        sqlite3.SQLITE_READONLY: "make the file and its folder writable",
        sqlite3.SQLITE_CANTOPEN: "check the folder and who may write it",
        sqlite3.SQLITE_BUSY: "end the other program that writes it",
        sqlite3.SQLITE_LOCKED: "end the other program that writes it",
        sqlite3.SQLITE_IOERR: "check the disk or SD card",
        sqlite3.SQLITE_CORRUPT: "move the file away; Spotter then begins a new one",
        sqlite3.SQLITE_NOTADB: "move the file away; Spotter then begins a new one",
    }
)
"""What to do, by SQLite's primary result code."""


def primary_code(error: BaseException | None) -> int | None:
    """SQLite's primary result code of an error, or None when it is not SQLite's."""
    code = error.sqlite_errorcode if isinstance(error, sqlite3.DatabaseError) else None
    return None if code is None else code & 0xFF


def _none_yet(path: Path) -> JournalError:
    return JournalError(f"{path}: there is no journal yet; play a match first")


def _remedy(error: sqlite3.Error | OSError) -> str:
    return _REMEDIES.get(primary_code(error) or 0, "run: spotter doctor")


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK)


def _summary_of(
    row: tuple[int, str, str, str, str, int | None, int, int, str, str],
) -> MatchSummary:
    number, began, game, white_name, black_name, match_to, white, black, phase, result = row
    return MatchSummary(
        MatchId(number),
        began,
        game,
        (white_name, black_name),
        match_to,
        Summary(Score(white, black), Phase(phase), result),
    )
