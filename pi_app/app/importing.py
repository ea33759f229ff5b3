"""Matches of other programs: read, verified by the rules and stored beside those played here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from pi_app.base.errors import GivenError
from pi_app.base.values import dataclass
from pi_app.export.match_files import read_match_file
from pi_app.export.retold import Kept
from pi_app.journal.archive import Archive
from pi_app.referee.decision import Decision
from pi_app.referee.events import IMPORTED, MatchId, Start
from pi_app.rules.contract import Games
from pi_app.words.wall_time import written

NOON = "T12:00"
"""The time of a match of which only the day is known."""
_KEY_DIGITS = 32

StoreMatch: TypeAlias = Callable[[Start, str, Iterable[Decision]], MatchId]
"""Stores a match that began at a wall time, on disk at once. Raises JournalError."""


@dataclass(frozen=True, slots=True)
class FileRead:
    """What a file brought: the match, None if nothing could be read; `known`: it was stored before.

    `faults` say what could not be read.
    """

    number: MatchId | None
    players: tuple[str, str] = ("", "")
    known: bool = False
    faults: tuple[str, ...] = ()


class MatchImport:
    """Stores each match once, however often and in whatever form its file is read."""

    def __init__(self, known: Mapping[str, MatchId], store: StoreMatch, games: Games) -> None:
        self._known, self._store, self._games = dict(known), store, games

    @classmethod
    def into(cls, archive: Archive, store: StoreMatch, games: Games) -> MatchImport:
        return cls(archive.imported(), store, games)

    def take(self, file: Path) -> FileRead:
        """Read a file and store its match. Raises JournalError."""
        try:
            kept, faults, day = read_match_file(file, self._games)
        except GivenError as error:
            return FileRead(None, faults=(str(error),))
        key, players = key_of(kept), kept.start.players
        if key in self._known:
            return FileRead(self._known[key], players, known=True, faults=faults)
        start = replace(kept.start, options={**kept.start.options, IMPORTED: key})
        began = f"{day}{NOON}" if day else written(datetime.now().astimezone())
        self._known[key] = number = self._store(start, began, kept.decisions)
        return FileRead(number, players, faults=faults)


def key_of(kept: Kept) -> str:
    """Return what identifies a match: who played what for how much, whatever file format it came
    in."""
    start, lines = kept.start, sha256()
    lines.update(repr((start.game, start.match_to, start.players)).encode())
    for one in kept.decisions:
        lines.update(repr((one.what.value, str(one.dice), one.play)).encode())
    return lines.hexdigest()[:_KEY_DIGITS]
