"""News of boards that wait until they are old enough, in bounded memory."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from pi_app.club.records import Presence, Record, Summary
from pi_app.identifiers import BoardName
from pi_app.microseconds import Us

News: TypeAlias = Record | Summary | Presence

MOST_OF_BOARD = 4 << 20
"""Letters of one board's news that are held back; an hour of play takes a quarter of it."""
MOST_IN_ALL = 256 << 20
"""Of all boards' news."""
EACH = 200
"""What a message counts besides its texts."""


class HeldNews(NamedTuple):
    """News with its time; `aged` if it may be much older."""

    since: Us
    news: News
    aged: bool = False


class Holding:
    """What every board has told and may not be shown yet.

    Whoever tells too much has its newest news replaced by those that come: what is shown next and
    how the board stands in the end stay, and what lies between is skipped.
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
        """Store it. Returns False if older news of the same board was dropped for it."""
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
        """The time of the oldest item."""
        return self._order[0][0] if self._order else None

    def take(self, until: Us) -> Iterator[HeldNews]:
        """Remove and return everything up to `until`, oldest first."""
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


def board_of(news: News) -> BoardName:
    return news.board if isinstance(news, Presence) else news.id.board


def _size(news: News) -> int:
    match news:
        case Presence():
            return EACH
        case Record():
            return EACH + len(news.line)
        case Summary():
            texts = (news.start, news.decision, news.warning)
            return EACH + sum(len(text) for text in texts if text)
