"""Every board of the club as the wall may show it now: messages are held back for a while.

The delay is on the server, so that nobody can look ahead. Pure but for the teller's pictures: the
time is an argument.
"""

from __future__ import annotations

import asyncio
import heapq
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import field, replace
from typing import NamedTuple

from pi_app.base.identifiers import BoardName, MatchKey
from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.club.records import News, Presence, Record, RecordId, Summary, board_of
from pi_app.languages import LANGUAGES, load_language
from pi_app.wall.standing import Stand, StandError, Teller
from pi_app.wall.words import delay_words

MOST_OF_BOARD = 4 << 20
"""The most characters of one board's messages held back; an hour of play has a quarter of it."""
MOST_IN_ALL = 256 << 20
"""The same for all boards together."""
EACH = 200
"""What a message counts besides its texts."""


class HeldNews(NamedTuple):
    """A message with its time; `aged` if it may be much older."""

    since: Us
    news: News
    aged: bool = False


class Holding:
    """The messages of every board that may not be shown yet, in bounded memory.

    If a board sends too much, each new message replaces its newest one. So what is shown next and
    how the board finally stands are kept, and what is between is skipped.
    """

    def __init__(self, of_board: int = MOST_OF_BOARD, in_all: int = MOST_IN_ALL) -> None:
        self._of_board, self._in_all = of_board, in_all
        self._queues: dict[BoardName, deque[HeldNews]] = {}
        self._sizes: dict[BoardName, int] = {}
        self._total = 0
        self._order: list[tuple[Us, BoardName]] = []
        """A heap: each board with when its oldest news were told."""

    @property
    def size(self) -> int:
        return self._total

    def put(self, held: HeldNews) -> bool:
        """Store a message. Return False if it replaced one of the same board."""
        board, size = board_of(held.news), _size(held.news)
        queue = self._queues.setdefault(board, deque())
        if not queue:
            heapq.heappush(self._order, (held.since, board))
        full = (
            self._sizes.get(board, 0) + size > self._of_board or self._total + size > self._in_all
        )
        # The oldest always stays: whoever tells without a pause is still shown.
        if full and len(queue) > 1:
            self._count(board, -_size(queue.pop().news))
            queue.append(held)
            self._count(board, size)
            return False
        queue.append(held)
        self._count(board, size)
        return True

    @property
    def first(self) -> Us | None:
        return self._order[0][0] if self._order else None

    def take(self, until: Us) -> Iterator[HeldNews]:
        """Remove and yield everything up to `until`, oldest first."""
        while self._order and self._order[0][0] <= until:
            _, board = heapq.heappop(self._order)
            queue = self._queues[board]
            held = queue.popleft()
            self._count(board, -_size(held.news))
            if queue:
                heapq.heappush(self._order, (queue[0].since, board))
            else:
                del self._queues[board], self._sizes[board]
            yield held

    def _count(self, board: BoardName, size: int) -> None:
        self._sizes[board] = self._sizes.get(board, 0) + size
        self._total += size


def _size(news: News) -> int:
    match news:
        case Presence():
            return EACH
        case Record():
            return EACH + len(news.line)
        case Summary():
            texts = (news.start, news.decision, news.warning)
            return EACH + sum(len(text) for text in texts if text)


# What is shown of each board.

MOST_BOARDS = 5_000
"""More accounts than any club has; messages of further boards are ignored."""
LONGEST_DELAY = Us(3_600_000_000)
"""An hour."""


@dataclass(frozen=True, slots=True)
class Spotlit:
    """One board on the wall.

    `since` is when its newest decision was shown, None if its age is unknown. `trouble` is why its
    messages cannot be shown.
    """

    board: BoardName
    here: bool = True
    match: MatchKey | None = None
    stand: Stand | None = None
    since: Us | None = None
    trouble: str | None = None


class Wall:
    """All boards and what may be shown of them. Not thread-safe."""

    def __init__(self, teller: Teller, delay: Us = Us(0), holding: Holding | None = None) -> None:
        self._teller = teller
        self._delay = delay
        self._places: dict[BoardName, Spotlit] = {}
        self._sorted: tuple[BoardName, ...] = ()
        self._held = Holding() if holding is None else holding
        self._newest: dict[BoardName, RecordId | None] = {}
        """The newest decision that each board has told, shown or not."""
        self._skipping: set[BoardName] = set()
        self.refused = 0
        """So many messages could not be shown."""

    @property
    def delay(self) -> Us:
        return self._delay

    def hold_back(self, delay: Us) -> None:
        """Change the delay. Boards already shown stay."""
        self._delay = min(max(delay, Us(0)), LONGEST_DELAY)

    @property
    def boards(self) -> tuple[BoardName, ...]:
        """All boards by name. The value is the same object until a board is added."""
        if len(self._sorted) != len(self._places):
            self._sorted = tuple(sorted(self._places, key=_by_number))
        return self._sorted

    def place(self, board: str) -> Spotlit | None:
        return self._places.get(BoardName(board))

    def found(self, summaries: Iterable[Summary], since: Us) -> None:
        """Take summaries from the archive, received at `since` or earlier."""
        for summary in summaries:
            self.hear(summary, since, aged=True)

    def hear(self, news: News, now: Us, *, aged: bool = False) -> str | None:
        """Take a message; `show` shows it once it is old enough.

        Return a line for the operator, at most one for each board.
        """
        board = board_of(news)
        if board not in self._newest and len(self._newest) >= MOST_BOARDS:
            self.refused += 1
            return None
        newest = self._newest.setdefault(board, None)
        if not isinstance(news, Presence):
            if not _is_newer(news, newest):
                return None
            self._newest[board] = news.id
        if self._held.put(HeldNews(now, news, aged)) or board in self._skipping:
            return None
        self._skipping.add(board)
        return f"board {board} tells more than can be held back: the wall skips some of it"

    @property
    def due(self) -> Us | None:
        first = self._held.first
        return None if first is None else Us(first + self._delay)

    def show(self, now: Us) -> frozenset[BoardName]:
        """Show what is old enough. Return the boards that changed."""
        changed = set[BoardName]()
        for held in self._held.take(Us(now - self._delay)):
            board = board_of(held.news)
            place = self._places.get(board, Spotlit(board))
            self._places[board] = self._after(place, held.news, None if held.aged else now)
            changed.add(board)
        return frozenset(changed)

    def _after(self, place: Spotlit, news: News, now: Us | None) -> Spotlit:
        if isinstance(news, Presence):
            return replace(place, here=news.is_here)
        before = place.stand if place.match == news.id.match else None
        if isinstance(news, Record):
            if before is None:
                return place
            news = Summary(news.id, "", news.line)
        fresh = before is None or news.id.sequence > before.sequence
        try:
            stand = self._teller.stand(news, before)
        except StandError as error:
            self.refused += 1
            return replace(place, trouble=str(error))
        since = now if fresh else place.since
        return Spotlit(place.board, place.here, news.id.match, stand, since)


def _is_newer(news: Record | Summary, newest: RecordId | None) -> bool:
    """Whether a page may have to show it: no seal, and nothing older than the newest record.

    A match is shown from its first summary on, which has its start. The same decision is sent again
    only with another warning.
    """
    if news.id.is_seal:
        return False
    if newest is None or newest.match != news.id.match:
        return isinstance(news, Summary)
    if isinstance(news, Summary):
        return news.id.sequence >= newest.sequence
    return news.id.sequence > newest.sequence


def _by_number(board: BoardName) -> tuple[str, int, str]:
    """Sorts table-2 before table-10."""
    stem = board.rstrip("0123456789")
    return stem, int(board[len(stem) :] or 0), board


# What goes to the pages that are open: to each only the boards that it looks at, newest only.
#
# A page that is slow is told later and of the newest alone, so that nothing piles up for it.

MOST_ON_A_PAGE = 60
PAUSE_S = 0.05
"""The least number of seconds between two messages to a page."""
BEAT_S = 10.0
"""After this many silent seconds something is sent, so that a broken connection is noticed."""
SILENT_BEATS = 2.5
"""A page that hears nothing for this many beats says that it has no connection."""


@dataclass(eq=False, slots=True)
class Watcher:
    """An open page of one board, or of several from `first` on; `changed` wakes it."""

    language: str
    board: str | None = None
    first: int = 0
    count: int = MOST_ON_A_PAGE
    stale: set[BoardName] = field(default_factory=set)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    there: tuple[BoardName, ...] | None = None
    """All boards when it was last told; None if everything is to be sent again."""

    def boards(self, there: tuple[BoardName, ...]) -> tuple[BoardName, ...]:
        if self.board is not None:
            return tuple(name for name in there if name == self.board)
        return there[self.first : self.first + self.count]


class Lookout:
    def __init__(
        self, wall: Wall, teller: Teller, clock: Callable[[], Us], beat_s: float = BEAT_S
    ) -> None:
        self.warnings = self.chances = False
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
            stale = changed.intersection(watcher.boards(there))
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
        seen, known = watcher.boards(there), watcher.boards(watcher.there or ())
        stale = [name for name in seen if name in watcher.stale or name not in known]
        head = "" if there is watcher.there else f'"hall": {self._heading(watcher, seen, there)}, '
        watcher.there, watcher.stale = there, set()
        texts = ", ".join(self._text(name, watcher.language) for name in stale)
        return f'{{{head}"now": {self._clock() // 1000}, "boards": [{texts}]}}'

    def _heading(
        self, watcher: Watcher, seen: tuple[BoardName, ...], there: tuple[BoardName, ...]
    ) -> str:
        delay = self._wall.delay // 1_000_000
        text = delay_words(delay, self._languages[watcher.language]) if delay else ""
        heading = {
            "total": len(there),
            "boards": seen,
            "delay": text,
            "warnings": self.warnings,
            "chances": self.chances,
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
