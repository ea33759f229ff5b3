"""The journal's content, read without Spotter."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


def decisions(file: Path | None = None) -> list[dict[str, Any]]:
    """The newest match's decisions as JSON; the file is only read."""
    with closing(sqlite3.connect(f"{(file or journal()).as_uri()}?mode=ro", uri=True)) as db:
        rows = db.execute(
            "SELECT line FROM decisions WHERE match = (SELECT max(number) FROM matches)"
            " ORDER BY place"
        )
        return [json.loads(line) for (line,) in rows]


def journal() -> Path:
    """Where it is."""
    return Path(os.environ["XDG_DATA_HOME"], "spotter", "matches.db")
