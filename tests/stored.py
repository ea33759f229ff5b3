"""Matches in a journal, as if they had been played here."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from any_table import AnyTable

from pi_app.journal.store import Journal

BEGAN = "2026-03-01T20:15"


def store(path: Path, *tables: AnyTable) -> None:
    """Add what was decided at each table to the journal at `path`."""
    with closing(Journal(path)) as journal:
        for table in tables:
            journal.begin(table.start, BEGAN)
            for decision in table.decided:
                journal.decide(decision)
            journal.commit()
