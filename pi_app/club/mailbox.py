"""Letters that have come on another thread and wait for the loop, so many of each board at most."""

from __future__ import annotations

import threading
from collections import deque

from pi_app.club.linked.letters import LinkLetter
from pi_app.identifiers import BoardName

MOST_WAITING = 64
"""Of one board: twice as many as its window; what is dropped it sends again."""


class Mailbox:
    """May be used by several threads; nobody waits for long."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._letters: dict[BoardName, deque[LinkLetter]] = {}

    def put(self, sender: BoardName, letter: LinkLetter) -> bool:
        """Whether it is the first that waits, so that somebody should look."""
        with self._lock:
            was_empty = not self._letters
            waiting = self._letters.setdefault(sender, deque())
            if len(waiting) < MOST_WAITING:
                waiting.append(letter)
            return was_empty

    def emptied(self) -> list[tuple[BoardName, LinkLetter]]:
        """All that waits, in each board's order; it waits no more."""
        with self._lock:
            letters, self._letters = self._letters, {}
        return [(sender, letter) for sender, waiting in letters.items() for letter in waiting]
