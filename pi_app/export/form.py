"""A form that the matches of a game can be written in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from pi_app.export.retold import Kept


class ExportForm(NamedTuple):
    """Its name, what writing it does in a few words, and the lines of a match begun at a time."""

    name: str
    says: str
    lines: Callable[[Kept, str], Iterator[str]]
