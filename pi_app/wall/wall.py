"""Every board of the club as the wall may show it now: what is told is held back for a while.

The delay is kept here, on the server, so that nobody can look ahead.  Pure but for the teller's
pictures: the time is an argument.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pi_app.club.records import Presence, Record, RecordId, Summary
from pi_app.identifiers import BoardName, MatchKey
from pi_app.microseconds import Us
from pi_app.wall.holding import HeldNews, Holding, News, board_of
from pi_app.wall.standing import Stand, StandError, Teller

MOST_BOARDS = 5_000
"""More accounts than any club has; what others tell is not shown."""
LONGEST_DELAY = Us(3_600_000_000)
"""An hour."""


@dataclass(frozen=True, slots=True)
class Spotlit:
    """One board on the wall.

    `since` is when its newest decision was shown, None where it is not known how old that is.
    `trouble` is why what it tells cannot be shown.
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
        """Take what was told; it is shown by `show` once it is old enough.

        Returns a line for whoever looks after the wall, once a board.
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
        """Show what is old enough. Returns the changed boards."""
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
    """Whether a page may have to show it: seals and what is behind the newest it need not.

    A match is shown from its first summary on, which tells its start; the same decision is told
    once more only with another warning.
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
