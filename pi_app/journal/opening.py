"""Opens the journal: locks, migrates and repairs it, with messages for people."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import platformdirs

from pi_app import __version__
from pi_app.base.files import damaged_name
from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.journal import rows as schema
from pi_app.journal.backup import Backup, backup_of, suspicion_of
from pi_app.journal.disk import (
    CANNOT_BE,
    RUN_DOCTOR,
    DamagedError,
    JournalError,
    OtherVersionError,
    is_volatile,
)
from pi_app.journal.lock import InstanceLock
from pi_app.journal.rows import Row, RowError, check_row, read_match, read_row
from pi_app.journal.store import MEMORY, Journal
from pi_app.journal.update import keep_before_update, step_back
from pi_app.referee.events import MatchId
from pi_app.seal.keys import SealError, make_key
from pi_app.seal.record import Sealer
from pi_app.words.sentences import COMMAS, Listing, Sentence

# Recovers the readable part of a damaged journal or a backup into a new one.


def salvage(source: Path, into: sqlite3.Connection) -> int:
    """Copy the intact part of a file into a journal. Return the number of its matches. An existing
    match gets its missing rows if it is the same match. A journal too old to be opened is ignored.
    No content of the file raises an error; sqlite3.Error means that `into` cannot be written."""
    with closing(schema.connect(schema.TEMPORARY)) as good:
        try:
            log = source.with_name(f"{source.name}-wal")
            mode = "mode=ro" if log.exists() else "immutable=1"
            with closing(schema.connect(f"{source.absolute().as_uri()}?{mode}")) as old:
                if schema.version_of(old) < schema.OLDEST:
                    return 0
                _read(old, good)
        except (sqlite3.Error, OSError, RowError):
            return 0
        with schema.transaction(into):
            return _add(good, into)


def _read(old: sqlite3.Connection, good: sqlite3.Connection) -> None:
    """Fill a new journal with the intact rows of a file."""
    schema.make_tables(good)
    for row in _rows(old, "SELECT * FROM matches ORDER BY number"):
        try:
            number = read_match(row).number
        except RowError:
            continue
        schema.insert(good, "matches", row, "IGNORE")
        for table, check in _CHECKS.items():
            _add_good(good, table, check, _of_match(old, table, number))
    # Pages that changed places hold rows that cannot be found by their match.
    with suppress(sqlite3.Error):
        _add_good(good, "decisions", read_row, old.execute("SELECT * FROM decisions"))


def _check_touch(row: Row) -> None:
    if not (isinstance(row[1], int) and isinstance(row[2], str)):
        raise RowError("it is no text at a place")


_CHECKS: Mapping[str, Callable[[Row], object]] = {
    "touches": _check_touch,
    "decisions": read_row,
    "seals": check_row,
    "dates": check_row,
}
"""The function that finds faults of a row, for each table."""


def _add_good(
    good: sqlite3.Connection, table: str, check: Callable[[Row], object], rows: Iterable[Row]
) -> None:
    for row in rows:
        with suppress(RowError):
            check(row)
            schema.insert(good, table, row, "IGNORE")


def _of_match(old: sqlite3.Connection, table: str, match: object) -> Iterator[Row]:
    order = "match" if table == "dates" else "place"
    return _rows(old, f"SELECT * FROM {table} WHERE match = ? ORDER BY {order}", match)


def _rows(old: sqlite3.Connection, query: str, *values: object) -> Iterator[Row]:
    """Yield the rows from the first to where they cannot be read, and from the last
    back to there."""
    for order in ("", " DESC"):
        with suppress(sqlite3.Error):
            yield from old.execute(query + order, values)
            return


def _add(good: sqlite3.Connection, into: sqlite3.Connection) -> int:
    matches = 0
    for row in good.execute("SELECT * FROM matches ORDER BY number").fetchall():
        schema.insert(into, "matches", row, "IGNORE")
        there = into.execute("SELECT * FROM matches WHERE number = ?", row[:1]).fetchone()
        if there != row:
            continue
        matches += 1
        for table in _CHECKS:
            for part in good.execute(f"SELECT * FROM {table} WHERE match = ?", row[:1]):
                schema.insert(into, table, part, "IGNORE")
    return matches


def incomplete(db: sqlite3.Connection) -> list[MatchId]:
    """The matches with missing decisions."""
    query = """SELECT match FROM decisions GROUP BY match
        HAVING count(*) < max(place) ORDER BY match"""
    return [MatchId(row[0]) for row in db.execute(query).fetchall()]


# Opening the journal so that play can begin whatever the disk and the file are like.
#
# A damaged file is set aside, never deleted, and what can be read of it goes into a new one; where
# nothing can be written, a match is played without being kept. All of it is told.

FILE = "matches.db"
LOCK = "spotter.lock"

NOT_KEPT = Sentence("This match is not saved: {trouble}")
NOT_SEALED = Sentence("Matches are not sealed: {trouble}")
FORGOTTEN = Sentence(
    "{folder} is lost at reboot; turn the overlay file system off (sudo "
    "raspi-config nonint do_overlayfs 1) or set XDG_DATA_HOME to a real disk"
)
WAS_DAMAGED = Sentence("{path} was damaged ({why}) and was renamed to {aside}; {begun}")
BEGUN_EMPTY = Sentence("a new journal was started")
BEGUN = Sentence(
    "the new journal has the 1 readable match", "the new journal has the {n} readable matches"
)
BEGUN_IN_PART = Sentence(
    "the new journal has the 1 readable match; incomplete: {matches}",
    "the new journal has the {n} readable matches; incomplete: {matches}",
)
MATCH = Sentence("match {number}")
LOST = Sentence("{path} lost matches up to {match}")
GIVEN_BACK = Sentence("{path} lost matches up to {match}; all restored from {backup}")
GIVEN_BACK_IN_PART = Sentence("{path} lost matches up to {match}; some restored from {backup}")

PATIENCE_S = 0.5
"""Seconds that a start spends on checking the file; the backup's thread checks the rest."""

_COMPANIONS = ("", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Opened:
    """A journal that can be written, with notices and locks."""

    journal: Journal
    notices: tuple[str, ...]
    lock: InstanceLock | None
    backup: Backup | None = None

    @property
    def alarms(self) -> tuple[str, ...]:
        """Problems found since it was opened."""
        troubles = (self.backup.trouble if self.backup else None, self.journal.unsealed)
        return tuple(trouble for trouble in troubles if trouble)

    def close(self) -> None:
        if self.backup is not None:
            self.backup.stop()
        self.journal.close()
        if self.lock is not None:
            self.lock.close()


def data_folder() -> Path:
    """The folder of matches: $XDG_DATA_HOME/spotter, by default ~/.local/share/spotter."""
    return platformdirs.user_data_path("spotter")


def open_journal(folder: Path) -> Opened:
    """Open the journal of a data folder for this program alone.

    Raises AlreadyRunningError; any other problem becomes a notice.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = InstanceLock(folder / LOCK)
    except OSError as error:
        return _unkept(
            CANNOT_BE["written"](path=str(folder), why=str(error), remedy=RUN_DOCTOR()), None
        )
    path = folder / FILE
    seal, unsealed = _sealer(folder)
    try:
        keep_before_update(path, __version__)
        journal, notices, whole = _open_readable(path, seal)
    except JournalError as error:
        return _unkept(error.said, lock)
    notices += unsealed
    if is_volatile(folder):
        notices += (FORGOTTEN(folder=str(folder)),)
    backup = journal.backup = Backup(path, doubtful=not whole)
    return Opened(journal, notices, lock, backup)


def open_to_store(folder: Path) -> Opened:
    """Open the journal to store something in it. Raises JournalError where nothing can be stored,
    and AlreadyRunningError."""
    opened = open_journal(folder)
    if opened.journal.path == MEMORY:
        opened.close()
        raise JournalError(opened.notices[0])
    return opened


def last_time(opened: Opened) -> Us:
    """The time of the last stored event of an unfinished match, from which the clock continues."""
    journal = opened.journal
    try:
        return max(map(journal.last_us, journal.all_unfinished()), default=Us(0))
    except JournalError:
        # Resuming says what is wrong with it; a new match can begin at any time.
        return Us(0)


def open_unkept(folder: Path, why: str) -> Opened:
    """A journal that stores nothing but locks the data folder. Raises AlreadyRunningError."""
    lock = None
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        lock = InstanceLock(folder / LOCK)
    return _unkept(why, lock)


def _unkept(trouble: str, lock: InstanceLock | None) -> Opened:
    return Opened(Journal(MEMORY), (NOT_KEPT(trouble=trouble),), lock)


def _sealer(folder: Path) -> tuple[Sealer | None, tuple[str, ...]]:
    """The sealer, whose key is made at the first start; or the reason why there is none."""
    try:
        return make_key(folder).seal, ()
    except SealError as error:
        return None, (NOT_SEALED(trouble=error.said),)


def _open_readable(path: Path, seal: Sealer | None) -> tuple[Journal, tuple[str, ...], bool]:
    """As `_open`; a journal of a newer Spotter is replaced by the copy from before the update."""
    try:
        return _open(path, seal)
    except OtherVersionError:
        stepped = step_back(path)
        if stepped is None:
            raise
    journal, notices, whole = _open(path, seal)
    return journal, (stepped, *notices), whole


def _open(path: Path, seal: Sealer | None) -> tuple[Journal, tuple[str, ...], bool]:
    """The journal, its messages, and whether the rest of the check can wait for the next backup."""
    suspect = suspicion_of(path)
    left_open = _was_left_open(path)
    try:
        journal = Journal(path, seal)
        with _closed_on_error(journal):
            whole = journal.check(math.inf if suspect.exists() else PATIENCE_S)
            notices = _put_back(journal)
    except DamagedError as error:
        why = error.why
    else:
        return journal, notices, whole or not left_open
    fresh = _salvaged(path)
    aside = _move_aside(path)
    fresh.rename(path)
    suspect.unlink(missing_ok=True)
    journal = Journal(path, seal)
    notice = WAS_DAMAGED(path=str(path), why=why, aside=str(aside), begun=_begun_anew(journal))
    return journal, (notice,), True


def _was_left_open(path: Path) -> bool:
    """Whether the last writer ended without closing the file. A reader leaves only an empty log."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size > 0
    except OSError:
        return False


@contextmanager
def _closed_on_error(journal: Journal) -> Iterator[None]:
    """Close the file on an error, so that another can replace it."""
    try:
        yield
    except JournalError:
        journal.close()
        raise


def _salvaged(path: Path) -> Path:
    """An intact journal, with what can be read of the damaged one and of the backup.

    If the disk is full the damaged file stays where it is until the next start.
    """
    fresh = path.with_name(f"{path.name}.fresh")
    for companion in _COMPANIONS:
        fresh.with_name(fresh.name + companion).unlink(missing_ok=True)
    journal = Journal(fresh)
    try:
        for source in (path, backup_of(path)):
            journal.restore(partial(salvage, source))
    finally:
        journal.close()
    return fresh


def _begun_anew(journal: Journal) -> str:
    lost, read = journal.acknowledge_losses(), len(journal.matches())
    if not read:
        return BEGUN_EMPTY()
    holes = sorted({*journal.restore(incomplete), *([lost.match] if lost else [])})
    if not holes:
        return BEGUN(n=read)
    return BEGUN_IN_PART(
        n=read, matches=Listing(tuple(MATCH(number=str(hole)) for hole in holes), COMMAS)
    )


def _put_back(journal: Journal) -> tuple[str, ...]:
    """Add what the backup has to a file that has lost entries."""
    lost = journal.lacks()
    if lost is None:
        journal.acknowledge_losses()
        return ()
    backup = backup_of(journal.path)
    read = journal.restore(partial(salvage, backup))
    still = journal.acknowledge_losses()
    if not read:
        return (LOST(path=str(journal.path), match=str(lost.match)),)
    back = GIVEN_BACK_IN_PART if still else GIVEN_BACK
    return (back(path=str(journal.path), match=str(lost.match), backup=str(backup)),)


def _move_aside(path: Path) -> Path:
    aside = damaged_name(path)
    for companion in _COMPANIONS:
        old = path.with_name(path.name + companion)
        if old.exists():
            old.rename(aside.with_name(aside.name + companion))
    return aside
