"""The journal when Spotter is updated, and when an update is undone.

The first start of a newer Spotter copies the journal as it is to `matches.db.before-1.1.0`, named
after the newer version. If the newer Spotter migrates the journal to a version that the earlier one
cannot read, and players return to the earlier one, that uses the copy and sets the newer journal
aside.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

from pi_app.journal import rows as schema
from pi_app.journal.archive import SUFFIX
from pi_app.journal.backup import backup_of, copy_whole
from pi_app.journal.disk import disk_errors
from pi_app.journal.rows import RowError
from pi_app.words.sentences import Sentence

STEPPED_BACK = Sentence(
    "The matches played with the newer Spotter are kept in {newer}; this one has those from before "
    "the update"
)
_BEFORE = "before-"


def keep_before_update(path: Path, version: str) -> None:
    """Copy an intact journal at the first start of a newer Spotter. Write errors are ignored."""
    note = path.with_name(f"{path.name}.spotter")
    before = _text(note)
    if before == version or (path.exists() and not _is_readable(path)):
        return
    with suppress(sqlite3.Error, OSError):
        if path.exists() and _numbers(before) < _numbers(version):
            _keep(path, path.with_name(f"{path.name}.{_BEFORE}{version}"))
        fresh = note.with_name(f"{note.name}.new")
        fresh.write_text(f"{version}\n", encoding="ascii")
        fresh.replace(note)


def _keep(path: Path, copy: Path) -> None:
    """Make the copy and delete older ones."""
    with closing(schema.connect(f"{path.absolute().as_uri()}?mode=rw")) as db:
        copy_whole(db, copy)
    for other in _copies(path):
        if other != copy:
            other.unlink()


def step_back(path: Path) -> str | None:
    """Replace a journal that is too new by the copy from before the update.

    Return a message, or None if no copy can be read. Raises JournalError.
    """
    copy = next(filter(_is_readable, _copies(path)), None)
    if copy is None:
        return None
    names = (path.with_name(f"{path.name}.newer-{number}") for number in count(1))
    newer = next(name for name in names if not name.exists())
    with disk_errors(path, "written"):
        with closing(schema.connect(f"{path.absolute().as_uri()}?mode=rw")) as db:
            copy_whole(db, newer)
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        # They are about the newer journal, and this one would be repaired by them.
        for file in (path.with_name(path.name + SUFFIX), backup_of(path)):
            file.unlink(missing_ok=True)
        with closing(schema.connect(f"{copy.absolute().as_uri()}?immutable=1")) as db:
            copy_whole(db, path)
    return STEPPED_BACK(newer=str(newer))


def _copies(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.{_BEFORE}*"))


def _is_readable(file: Path) -> bool:
    try:
        with closing(schema.connect(f"{file.absolute().as_uri()}?immutable=1")) as db:
            return schema.OLDEST <= schema.version_of(db) <= schema.VERSION
    except (sqlite3.Error, RowError):
        return False


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, to compare; empty for none."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
