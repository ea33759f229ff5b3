"""Every board of the club as the wall may show it now: what is told is held back for a while.

The delay is kept here, on the server, so that nobody can look ahead.  Pure but for the teller's
pictures: the time is an argument.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from pi_app.club.records import Presence, Record, RecordId, Summary
from pi_app.identifiers import BoardName, MatchKey
from pi_app.microseconds import Us
from pi_app.wall.standing import Stand, StandError, Teller

News: TypeAlias = Record | Summary | Presence

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


class _HeldBack(NamedTuple):
    """What was told when; `aged`: it may have been told long before."""

    since: Us
    news: News
    aged: bool


class Wall:
    """The boards, each with what may be shown of it; not safe for threads."""

    def __init__(self, teller: Teller, delay: Us = Us(0)) -> None:
        self._teller = teller
        self._delay = delay
        self._places: dict[BoardName, Spotlit] = {}
        self._sorted: tuple[BoardName, ...] = ()
        self._held: deque[_HeldBack] = deque()
        self._ahead = defaultdict[tuple[BoardName, MatchKey], deque[int]](deque)
        """The sequences of each match that are held back."""
        self._newest: dict[BoardName, RecordId] = {}
        self._unaged: dict[tuple[BoardName, MatchKey], Us] = {}
        self.refused = 0
        """So many messages could not be shown."""

    @property
    def delay(self) -> Us:
        """How long everything is held back."""
        return self._delay

    def hold_back(self, delay: Us) -> None:
        """From now on everything is held back so long; what was shown stays."""
        self._delay = min(max(delay, Us(0)), LONGEST_DELAY)

    @property
    def boards(self) -> tuple[BoardName, ...]:
        """Every board there is, by name; the same value until there is another."""
        if len(self._sorted) != len(self._places):
            self._sorted = tuple(sorted(self._places, key=_by_number))
        return self._sorted

    def place(self, board: str) -> Spotlit | None:
        """One board, or None."""
        return self._places.get(BoardName(board))

    def found(self, summaries: Iterable[Summary], now: Us) -> None:
        """What the archive had at the start: when it came nobody knows, so it may be new."""
        for summary in summaries:
            self._unaged[summary.id.board, summary.id.match] = now
            self.hear(summary, now, aged=True)

    def hear(self, news: News, now: Us, *, aged: bool = False) -> None:
        """Take what was told; it is shown by `show` once it is old enough."""
        if not isinstance(news, Presence):
            if news.id.is_seal:
                return
            newest = self._newest.get(news.id.board)
            if newest and newest.match == news.id.match and news.id.sequence < newest.sequence:
                return
            if isinstance(news, Record):
                if not newest or newest.match != news.id.match:
                    # Its summary comes after it; until that is shown nobody replays it.
                    self._unaged.setdefault((news.id.board, news.id.match), now)
                    return
                if newest == news.id:
                    return
            self._newest[news.id.board] = news.id
            self._ahead[news.id.board, news.id.match].append(news.id.sequence)
        self._held.append(_HeldBack(now, news, aged))

    @property
    def due(self) -> Us | None:
        """When `show` has something to do next."""
        return Us(self._held[0].since + self._delay) if self._held else None

    def show(self, now: Us) -> frozenset[BoardName]:
        """Show what is old enough; the boards that have changed."""
        changed = set[BoardName]()
        while self._held and self._held[0].since + self._delay <= now:
            held = self._held.popleft()
            news = held.news
            self._show(news, None if held.aged else now)
            changed.add(news.board if isinstance(news, Presence) else self._let_go(news))
        return frozenset(changed)

    def shown_until(self, board: BoardName, match: MatchKey, now: Us) -> int | None:
        """The last sequence of a match that may be shown; None where all of it may."""
        since = self._unaged.get((board, match))
        if since is not None and since + self._delay > now:
            return -1
        held = self._ahead.get((board, match))
        return held[0] - 1 if held else None

    def _let_go(self, news: Record | Summary) -> BoardName:
        """It is held back no more."""
        match = news.id.board, news.id.match
        self._ahead[match].popleft()
        if not self._ahead[match]:
            del self._ahead[match]
        return news.id.board

    def _show(self, news: News, now: Us | None) -> None:
        board = news.board if isinstance(news, Presence) else news.id.board
        if board not in self._places and len(self._places) >= MOST_BOARDS:
            self.refused += 1
            return
        place = self._places.get(board, Spotlit(board))
        self._places[board] = self._after(place, news, now)

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


def _by_number(board: BoardName) -> tuple[str, int, str]:
    """table-2 before table-10."""
    stem = board.rstrip("0123456789")
    return stem, int(board[len(stem) :] or 0), board
