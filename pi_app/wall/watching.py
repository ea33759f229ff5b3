"""What goes to the pages that are open: to each only the boards that it looks at, newest only.

A page that is slow is told later and of the newest alone, so that nothing piles up for it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from pi_app.identifiers import BoardName
from pi_app.languages import LANGUAGES, load_language
from pi_app.microseconds import Us
from pi_app.wall.standing import Teller
from pi_app.wall.wall import Spotlit, Wall
from pi_app.wall.words import delay_told

MOST_ON_A_PAGE = 60
PAUSE_S = 0.05
"""Between two messages to a page."""
BEAT_S = 10.0
"""After so long a silence something is sent, so that a line that is cut is noticed."""
SILENT_BEATS = 2.5
"""A page that has heard nothing for so many beats says that it has no connection."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A page's content: one board, or a number of boards from `first`."""

    board: str | None = None
    first: int = 0
    count: int = MOST_ON_A_PAGE

    def boards(self, there: tuple[BoardName, ...]) -> tuple[BoardName, ...]:
        if self.board is not None:
            return tuple(name for name in there if name == self.board)
        return there[self.first : self.first + self.count]


@dataclass(eq=False, slots=True)
class Watcher:
    """An open page; `changed` wakes it."""

    sight: Sight
    language: str
    stale: set[BoardName] = field(default_factory=set)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    there: tuple[BoardName, ...] | None = None
    """All boards when it was told last, None while everything is to be told anew."""


class Lookout:
    def __init__(
        self, wall: Wall, teller: Teller, clock: Callable[[], Us], beat_s: float = BEAT_S
    ) -> None:
        self.warnings = False
        self._beat_s = beat_s
        self.closed = False
        self._wall, self._teller, self._clock = wall, teller, clock
        self._languages = {name: load_language(name) for name in LANGUAGES}
        self._watchers: set[Watcher] = set()
        self._texts: dict[tuple[BoardName, str], tuple[Spotlit, str]] = {}

    def __len__(self) -> int:
        return len(self._watchers)

    def enter(self, watcher: Watcher) -> None:
        self._watchers.add(watcher)
        watcher.changed.set()

    def leave(self, watcher: Watcher) -> None:
        self._watchers.discard(watcher)

    def tell(self, boards: Iterable[BoardName]) -> None:
        there, changed = self._wall.boards, frozenset(boards)
        for watcher in self._watchers:
            stale = changed.intersection(watcher.sight.boards(there))
            watcher.stale |= stale
            if stale or there is not watcher.there:
                watcher.changed.set()

    def tell_all(self) -> None:
        """Send everything again after the delay or the warnings' switch has changed."""
        self._texts.clear()
        for watcher in self._watchers:
            watcher.there = None
            watcher.changed.set()

    def close(self) -> None:
        self.closed = True
        for watcher in self._watchers:
            watcher.changed.set()

    async def message(self, watcher: Watcher) -> str:
        with suppress(TimeoutError):
            await asyncio.wait_for(watcher.changed.wait(), self._beat_s)
        watcher.changed.clear()
        return self.news(watcher)

    def news(self, watcher: Watcher) -> str:
        """Everything the page has not seen yet, as one line of JSON."""
        there = self._wall.boards
        seen, known = watcher.sight.boards(there), watcher.sight.boards(watcher.there or ())
        stale = [name for name in seen if name in watcher.stale or name not in known]
        head = "" if there is watcher.there else f'"hall": {self._heading(watcher, seen, there)}, '
        watcher.there, watcher.stale = there, set()
        texts = ", ".join(self._text(name, watcher.language) for name in stale)
        return f'{{{head}"now": {self._clock() // 1000}, "boards": [{texts}]}}'

    def _heading(
        self, watcher: Watcher, seen: tuple[BoardName, ...], there: tuple[BoardName, ...]
    ) -> str:
        delay = self._wall.delay // 1_000_000
        told = delay_told(delay, self._languages[watcher.language]) if delay else ""
        heading = {
            "total": len(there),
            "boards": seen,
            "delay": told,
            "warnings": self.warnings,
            "silence": round(SILENT_BEATS * self._beat_s * 1000),
        }
        return json.dumps(heading)

    def _text(self, board: BoardName, language: str) -> str:
        """A board as JSON, encoded once per language."""
        place = self._wall.place(board) or Spotlit(board)
        kept = self._texts.get((board, language))
        if kept and kept[0] is place:
            return kept[1]
        text = json.dumps(self._fields(place, language))
        self._texts[board, language] = place, text
        return text

    def _fields(self, place: Spotlit, language: str) -> dict[str, object]:
        fields: dict[str, object] = {
            "board": place.board,
            "here": place.here,
            "match_key": place.match,
            "since": None if place.since is None else place.since // 1000,
            "unreadable": place.trouble is not None,
        }
        if place.stand is None:
            return fields
        fields |= self._teller.page(place.stand, self._languages[language])
        if self.warnings and place.stand.warning:
            fields["warning"] = place.stand.warning
        return fields
