"""From an earlier version of the journal to today's.

Every version since 6, which Spotter 1.0 began with, is brought up to date one step at a time.  A
version that comes gets its step here, and a journal of the version before it a test.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from types import MappingProxyType

from pi_app.journal.rows import DATES, VERSION, transaction, version_of

STEPS: Mapping[int, tuple[str, ...]] = MappingProxyType({6: (DATES,)})
"""The statements that lead from each version to the next."""


def migrate(db: sqlite3.Connection) -> None:
    """Migrate a journal of an earlier version, completely or not at all."""
    with transaction(db):
        for version in range(version_of(db), VERSION):
            for statement in STEPS[version]:
                db.execute(statement)
        db.execute(f"PRAGMA user_version = {VERSION}")
