"""The journal as it goes over the wire: its lines by match, read while Spotter writes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pi_app.club.outbox import Content
from pi_app.club.records import SEALED, RecordId
from pi_app.identifiers import MatchKey, match_key, parts_of
from pi_app.journal import schema
from pi_app.journal.errors import told
from pi_app.journal.rows import Row, RowError, check_match, check_row


class LinesKept:
    """Reads the journal at `path`; used by one thread.  Raises JournalError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with told(path, "opened"):
            self._db = schema.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=1.0)
            self._has_seals = bool(
                self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'seals'").fetchone()
            )
        self._seen = -1

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()

    def changed(self) -> bool:
        """Whether anything was written since the last time; true the first time."""
        with told(self._path, "read"):
            seen, self._seen = (
                self._seen,
                self._db.execute("PRAGMA data_version").fetchone()[0],
            )
        return seen != self._seen

    def contents(self) -> tuple[Content, ...]:
        """How much there is of every match, the oldest first."""
        query = """SELECT number, began,
            (SELECT coalesce(max(place), 0) FROM decisions WHERE match = number)
            FROM matches ORDER BY number"""
        with told(self._path, "read"):
            rows = self._db.execute(query).fetchall()
            seals = self._seals()
        return tuple(
            Content(match_key(number, began), decisions, tuple(seals.get(number, ())))
            for number, began, decisions in rows
        )

    def standing(self, match: MatchKey) -> tuple[str, str | None] | None:
        """The start of a match and its newest decision; None where there is no such match."""
        number, _ = parts_of(match)
        with told(self._path, "read"):
            row = self._db.execute(
                "SELECT start FROM matches WHERE number = ?", (number,)
            ).fetchone()
            last = self._db.execute(
                "SELECT line FROM decisions WHERE match = ? ORDER BY place DESC LIMIT 1", (number,)
            ).fetchone()
        return (row[0], last[0] if last else None) if row else None

    def line(self, id_: RecordId) -> str | None:
        """A record's line; None where it is gone or damaged."""
        (number, _), place = parts_of(id_.match), id_.sequence
        with told(self._path, "read"):
            match = self._db.execute("SELECT * FROM matches WHERE number = ?", (number,)).fetchone()
            if match is None or match_key(match[0], match[1]) != id_.match:
                return None
            if place == 0:
                return _as_written(check_match, match)
            table = "decisions"
            if id_.is_seal:
                table, place = "seals", place - SEALED
            query = f"SELECT * FROM {table} WHERE match = ? AND place = ?"
            row = self._db.execute(query, (number, place)).fetchone()
        return _as_written(check_row, row) if row else None

    def _seals(self) -> dict[int, list[int]]:
        """The places of the seals of each match that has any."""
        found: dict[int, list[int]] = {}
        if self._has_seals:
            for match, place in self._db.execute("SELECT match, place FROM seals ORDER BY 1, 2"):
                found.setdefault(match, []).append(place)
        return found


def _as_written(check: Callable[[Row], None], row: Row) -> str | None:
    """The line of a row; None where it is damaged."""
    try:
        check(row)
    except RowError:
        return None
    return str(row[2])
