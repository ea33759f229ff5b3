"""A form that the matches of a game can be written in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from pi_app.export.retold import Kept
from pi_app.rules.contract import Games


class ExportForm(NamedTuple):
    """Its name, what writing it does in a few words, and the lines of a match begun at a time.

    `read` is a match again from such a text, if it can be read; it raises GivenError.
    """

    name: str
    says: str
    lines: Callable[[Kept, str], Iterator[str]]
    read: Callable[[str, Games], Kept] | None = None
