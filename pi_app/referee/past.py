"""The plays of a game so far, found by the pictures that they were made from."""

from __future__ import annotations

from collections import defaultdict
from typing import TypeAlias

from pi_app.referee.course import Past
from pi_app.sensing.occupancy import Glimpse

ReedCounts: TypeAlias = tuple[int, ...]
"""How many sensors of each watched spot a position closes."""


class Pasts:
    """All of them in their order, with the latest for each picture at hand.

    However long a game is, finding one costs the same: pictures are grouped by the spots of which
    every sensor is believed, and those of a group differ on the few others only.
    """

    def __init__(self) -> None:
        self._all: list[tuple[Past, ReedCounts]] = []
        self._unseen: ReedCounts = ()
        self._groups: dict[ReedCounts, dict[ReedCounts, int]] = defaultdict(dict)

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, number: int) -> Past:
        return self._all[number][0]

    def add(self, past: Past, shown: ReedCounts) -> None:
        """One more play, made from a position that is shown so."""
        self._group(shown, len(self._all))
        self._all.append((past, shown))

    def cut(self, number: int) -> None:
        """Forget the play of this number and all after it."""
        del self._all[number:]
        self._regroup(self._unseen)

    def latest(self, seen: Glimpse) -> int | None:
        """The number of the last play made from a position that no believed sensor contradicts."""
        if seen.unseen != self._unseen:
            self._regroup(seen.unseen)
        found = self._groups.get(self._sure(seen.closed), {})
        fitting = (number for shown, number in found.items() if _fits(shown, seen))
        return max(fitting, default=None)

    def _regroup(self, unseen: ReedCounts) -> None:
        self._unseen = unseen
        self._groups.clear()
        for number, (_, shown) in enumerate(self._all):
            self._group(shown, number)

    def _group(self, shown: ReedCounts, number: int) -> None:
        self._groups[self._sure(shown)][shown] = number

    def _sure(self, counts: ReedCounts) -> ReedCounts:
        """The counts of the spots of which every sensor is believed."""
        if not any(self._unseen):
            return counts
        return tuple(n for n, unseen in zip(counts, self._unseen, strict=True) if not unseen)


def _fits(shown: ReedCounts, seen: Glimpse) -> bool:
    rows = zip(shown, seen.closed, seen.unseen, strict=True)
    return all(closed <= count <= closed + unseen for count, closed, unseen in rows)
