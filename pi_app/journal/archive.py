"""Reads a journal: its matches, their decisions, and the tally beside the file."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from pi_app.base.files import PRIVATE, is_there
from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.journal import rows as schema
from pi_app.journal.disk import (
    NO_PLAIN_FILE,
    DamagedError,
    JournalError,
    NoMatchError,
    OtherVersionError,
    disk_errors,
)
from pi_app.journal.rows import (
    Begun,
    Row,
    RowError,
    check_row,
    read_date,
    read_match,
    read_row,
    read_touch,
)
from pi_app.match.acts import Act
from pi_app.match.score import Score
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.events import IMPORTED, Event, MatchId, Start
from pi_app.seal.record import header
from pi_app.words.sentences import Sentence

# The tally notes the last write beside the journal: a file with less has lost entries.
#
# The note is made after each commit and never forced to the disk by itself. A power cut may leave
# it behind the journal, which is no loss, but never before it.

SUFFIX = ".last"
_WIDTH = 20


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest decision of a journal: its match and its number there; 0 before the first."""

    match: MatchId
    place: int


class Tally:
    """The note of the last write, beside the journal at `path`. Write errors are ignored."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + SUFFIX)

    def read(self) -> Newest | None:
        """The last note; None if it is missing or unreadable."""
        try:
            text = self._path.read_bytes()[: 3 * _WIDTH].decode("ascii")
        except (OSError, UnicodeDecodeError):
            return None
        found = re.fullmatch(rf" *([0-9]{{1,{_WIDTH}}}) +([0-9]{{1,{_WIDTH}}})\n", text)
        return Newest(MatchId(int(found[1])), int(found[2])) if found else None

    def write(self, newest: Newest) -> None:
        """Write the note completely or not at all."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        with suppress(OSError):
            file = os.open(self._path, flags, PRIVATE)
            try:
                note = f"{newest.match:>{_WIDTH}} {newest.place:>{_WIDTH}}\n"
                os.pwrite(file, note.encode("ascii"), 0)
            finally:
                os.close(file)


# Kept matches, for reading: their decisions are the truth, their touches the evidence.

T = TypeVar("T")
NEWER = Sentence(
    "{path} was written by a newer Spotter (journal version {version}, this one knows {known}); "
    "update Spotter, or move the file away"
)
OLDER = Sentence(
    "{path} was written before Spotter 1.0 (journal version {version}); move the "
    "file away to start a new journal"
)
GONE_OR_EMPTY = Sentence(
    "{path} is missing or empty but had matches up to {match}; start spotter to restore the backup"
)
NONE_YET = Sentence("{path}: no journal yet; play a match first")

_MOST_NUMBER = 1 << 62
MOST_NAMED = 10
"""The most existing matches that an error about a missing one names."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """One match of the list; `date` is the corrected wall time of its start, as text.

    `began` is the uncorrected time by the clock of that day; it identifies the match.
    """

    number: MatchId
    began: str
    start: Start
    score: Score
    phase: Phase
    date: str

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.MATCH_OVER


def _any(start: Start) -> bool:
    """Whether the match was played here; nobody continues a match of another program."""
    return not start.imported


class Archive:
    """Reads the journal at `path`, even while another Spotter writes it.

    A file of an earlier version is read as if it were migrated. Raises JournalError if the file is
    missing or unreadable.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with disk_errors(path, "opened"):
            self._db = self._open()

    @property
    def has_matches(self) -> bool:
        return bool(self._rows("SELECT 1 FROM matches LIMIT 1"))

    def matches(self) -> tuple[MatchSummary, ...]:
        """All matches, oldest first. Raises DamagedError, which names the damaged one."""
        rows = self._rows("SELECT * FROM matches ORDER BY number")
        return tuple(self._summary(row) for row in rows)

    def match(self, number: int) -> MatchSummary:
        """Raises NoMatchError, which names the existing numbers."""
        wanted = number if abs(number) < _MOST_NUMBER else -1
        rows = self._rows("SELECT * FROM matches WHERE number = ?", wanted)
        if rows:
            return self._summary(rows[0])
        numbers = self._rows("SELECT number FROM matches ORDER BY number")
        there = [str(row[0]) for row in numbers] or ["none yet"]
        if len(there) > MOST_NAMED:
            there[MOST_NAMED - 1 : -1] = ["…"]
        raise NoMatchError(f"match {number} is not in {self.path}; there are: {', '.join(there)}")

    def imported(self) -> Mapping[str, MatchId]:
        """The numbers of the matches of other programs, by what identifies them."""
        starts = map(
            self._begun, self._rows("SELECT * FROM matches WHERE instr(start, ?)", IMPORTED)
        )
        return {one.start.imported: one.number for one in starts if one.start.imported}

    def unfinished(self, playable: Callable[[Start], bool] = _any) -> MatchId | None:
        """The newest unfinished match that can be played; None if there is none."""
        return next(self.all_unfinished(playable), None)

    def all_unfinished(self, playable: Callable[[Start], bool] = _any) -> Iterator[MatchId]:
        """Yield every unfinished match that can be played, the newest first."""
        for row in self._rows("SELECT * FROM matches ORDER BY number DESC"):
            begun = self._begun(row)
            if playable(begun.start):
                last = self._last(begun.number)
                if last is None or last.state.phase is not Phase.MATCH_OVER:
                    yield begun.number

    def decisions(self, number: MatchId) -> Iterator[Decision]:
        """The decisions of a match, in order. Raises DamagedError at a damaged one."""
        query = "SELECT * FROM decisions WHERE match = ? ORDER BY place"
        return (self._decision(row) for row in self._rows(query, number))

    def record(self, number: MatchId) -> tuple[str, ...]:
        """The lines that a seal covers: header, start, decisions, and the seals among them, each
        exactly as it was written. The last line is a seal if the match was sealed at this point.
        Raises DamagedError, and NoMatchError for an unknown match."""
        begun = self.match(number)
        ((start,),) = self._rows("SELECT start FROM matches WHERE number = ?", number)
        lines = [header(number, begun.began), str(start)]
        # A seal comes after the decision whose place it has.
        query = """SELECT match, place, line, sum, 0 AS kind FROM decisions WHERE match = ?
            UNION ALL SELECT match, place, line, sum, 1 FROM seals WHERE match = ?
            ORDER BY place, kind"""
        for *row, _ in self._rows(query, number, number):
            self._read(f"decision {row[1]} of match {number}", check_row, tuple(row))
            lines.append(str(row[2]))
        return tuple(lines)

    def latest_game(self, number: MatchId) -> tuple[Decision, ...]:
        """The decisions of the latest game, as far back as none is missing."""
        query = "SELECT * FROM decisions WHERE match = ? ORDER BY place DESC"
        latest: list[Decision] = []
        before = None
        with disk_errors(self.path, "read"):
            for row in self._db.execute(query, (number,)):
                decision = self._decision(row)
                if before not in (None, row[1]):
                    break
                before = row[1] - 1
                latest.append(decision)
                if decision.what is Act.NEXT_GAME:
                    break
        return tuple(reversed(latest))

    def touches(self, number: MatchId) -> Iterator[Event]:
        """The start of a match and its stored touches."""
        start = self.match(number).start
        yield start
        query = "SELECT place, line FROM touches WHERE match = ? ORDER BY place"
        for place, line in self._rows(query, number):
            event = self._read(f"touch {place} of match {number}", read_touch, line)
            if event != start:
                yield event

    def has_all_touches(self, number: MatchId) -> bool:
        """Whether all touches of a match are stored."""
        query = """SELECT count(*), coalesce(max(place), 0),
            EXISTS (SELECT 1 FROM decisions WHERE match = ?) FROM touches WHERE match = ?"""
        ((count, newest, decided),) = self._rows(query, number, number)
        return count == newest and bool(count or not decided)

    def last_us(self, number: MatchId) -> Us:
        last = self._last(number)
        times = [last.us] if last else []
        query = "SELECT line FROM touches WHERE match = ? ORDER BY place DESC LIMIT 1"
        for row in self._rows(query, number):
            # Damaged touches are skipped.
            with suppress(RowError):
                times.append(read_touch(row[0]).us)
        return max(times, default=Us(0))

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()

    def _open(self) -> sqlite3.Connection:
        if not is_there(self.path):
            raise self._none_yet()
        if not self.path.is_file():
            raise JournalError(NO_PLAIN_FILE(path=str(self.path)))
        version = self._version()
        if version == 0:
            raise self._none_yet()
        db = self._connected()
        return db if version == schema.VERSION else self._brought_up_to_date(db)

    def _version(self) -> int:
        """The file's version, 0 for an empty one. Raises OtherVersionError.

        A file of another version is not touched: not even a log is created beside it.
        """
        with closing(self._connected(briefly=True)) as db:
            try:
                version = schema.version_of(db)
            except RowError as error:
                raise DamagedError(self.path, str(error)) from error
        path, known = str(self.path), schema.VERSION
        if version > known:
            raise OtherVersionError(NEWER(path=path, version=version, known=known))
        if 0 < version < schema.OLDEST:
            raise OtherVersionError(OLDER(path=path, version=version))
        return version

    def _connected(self, *, briefly: bool = False) -> sqlite3.Connection:
        """A connection for reading. With `briefly` it creates no log beside a file that has none.

        In a folder that cannot be written, only a file without a log can be read.
        """
        place = self.path.absolute().as_uri()
        log = self.path.with_name(f"{self.path.name}-wal")
        has_log = log.exists() and log.stat().st_size
        is_writable = _is_writable(self.path.parent)
        if not has_log and (briefly or not is_writable):
            return schema.connect(f"{place}?immutable=1")
        if is_writable:
            return schema.connect(f"{place}?mode=ro")
        with TemporaryDirectory() as folder:
            for file in (self.path, log):
                shutil.copy(file, folder)
            with closing(schema.connect(str(Path(folder) / self.path.name))) as copied:
                return _in_memory(copied)

    def _brought_up_to_date(self, old: sqlite3.Connection) -> sqlite3.Connection:
        """A temporary migrated copy, because readers change no file."""
        with closing(old):
            db = _in_memory(old)
        schema.migrate(db)
        return db

    def _none_yet(self) -> JournalError:
        newest = Tally(self.path).read()
        if newest and newest.match:
            return JournalError(GONE_OR_EMPTY(path=str(self.path), match=str(newest.match)))
        return JournalError(NONE_YET(path=str(self.path)))

    def _rows(self, query: str, *values: object) -> list[Row]:
        with disk_errors(self.path, "read"):
            return self._db.execute(query, values).fetchall()

    def _last(self, number: MatchId) -> Decision | None:
        query = "SELECT * FROM decisions WHERE match = ? ORDER BY place DESC LIMIT 1"
        rows = self._rows(query, number)
        return self._decision(rows[0]) if rows else None

    def _begun(self, row: Row) -> Begun:
        return self._read(f"match {row[0]}", read_match, row)

    def _summary(self, row: Row) -> MatchSummary:
        begun = self._begun(row)
        number, last = begun.number, self._last(begun.number)
        score, phase = Score(), Phase.SET_UP
        if last is not None:
            score, phase = last.state.standing.score, last.state.phase
        date = self._date(number) or begun.began
        return MatchSummary(number, begun.began, begun.start, score, phase, date)

    def _date(self, number: MatchId) -> str | None:
        """The corrected time of the match's start; None if it was not corrected."""
        rows = self._rows("SELECT * FROM dates WHERE match = ?", number)
        what = f"the date of match {number}"
        return self._read(what, read_date, rows[0]).began if rows else None

    def _decision(self, row: Row) -> Decision:
        return self._read(f"decision {row[1]} of match {row[0]}", read_row, row)

    def _read(self, what: str, read: Callable[[Row], T], row: object) -> T:
        try:
            return read(row)  # type: ignore[arg-type]
        except RowError as error:
            raise DamagedError(self.path, f"{what}: {error}") from error


def _in_memory(db: sqlite3.Connection) -> sqlite3.Connection:
    copy = schema.connect(schema.TEMPORARY)
    db.backup(copy)
    return copy


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK)
