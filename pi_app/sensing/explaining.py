"""What the hands have tried, told from where the checkers lie in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Generic, TypeVar

from pi_app.rules.contract import Game
from pi_app.rules.terms import Broken, IllegalPlayError, Move, Roll, Side, Spot
from pi_app.sensing.legal import Legal
from pi_app.sensing.occupancy import Glimpse
from pi_app.sensing.placing import Placement, Placing

P = TypeVar("P")
M = TypeVar("M")

TRIED = 40
"""Ways to tell what was tried at most: an answer is due at once."""
MOST_PARTS = 12
"""Stages that an attempt may have begun with, the nearest to the picture."""
MOST_WAYS = 200
"""Ways to pair where checkers went from with where they went to, looked at altogether."""
MOST_MOVED = 6
"""More checkers of a side than this were not moved in one turn: no attempt explains them."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the hands have tried, the first `fine` moves legally, and what it breaks."""

    moves: tuple[Move, ...]
    fine: int
    broken: Broken | None


@dataclass(frozen=True, slots=True)
class Explainer(Generic[P, M]):
    """Tells what was tried from where the checkers lie in the end."""

    game: Game[P, M]
    position: P
    roll: Roll | None
    legal: Legal[P, M]
    placing: Placing
    place: Callable[[P], Placement]
    seen: Glimpse

    def explain(self, ending: Placement, strictly: bool) -> Attempt | None:
        """The attempt with the fewest moves beyond a legal part, or None if none explains it.

        Strictly, it must be one that the rules can carry out, ending there.  Without a roll nothing
        is broken: the caller knows that nothing may move.  Nor is it where another play was decided
        on than the legal one that was made.
        """
        ways = sorted(
            islice(self._ways(ending), MOST_WAYS), key=lambda way: (len(way[1]), len(way[0]))
        )
        for part, rest in ways[:TRIED]:
            moves = (*part, *rest)
            try:
                if strictly and self.place(self.game.attempted(self.position, moves)) != ending:
                    continue
                broken = self.game.explain(self.position, self.roll, moves) if self.roll else None
            except IllegalPlayError:
                continue
            if broken or not self.roll or self.legal.only is not None:
                return Attempt(moves, len(part) if rest else 0, broken)
        return None

    def _ways(self, ending: Placement) -> Iterator[tuple[tuple[Move, ...], tuple[Move, ...]]]:
        """A legal part and the moves from there."""
        differing = self.legal.differing(self.seen, most=2)
        near = sorted(differing, key=lambda found: max(found[1:]) + len(found[0].moves))
        stages = (stage for stage, *_ in near if stage.moves)
        for stage in chain((self.legal.base,), islice(stages, MOST_PARTS)):
            before = self.place(stage.position)
            for rest in self._moves(before, ending):
                yield stage.moves, rest

    def _moves(self, before: Placement, after: Placement) -> Iterator[tuple[Move, ...]]:
        """The moves that lead from one placement to another, in every pairing of spots."""
        gone: dict[Side, list[Spot]] = {side: [] for side in Side}
        come: dict[Side, list[Spot]] = {side: [] for side in Side}
        for spot, side, more in self.placing.differences(before, after):
            pieces = 1 if abs(more) == self.game.tallest else abs(more)
            (come if more > 0 else gone)[side] += [spot] * pieces
        mover = self.game.mover(self.position)
        hits = _hits(self.game, gone, come, mover) | _hits(self.game, gone, come, mover.other)
        if any(len(gone[side]) != len(come[side]) for side in Side):
            return
        if any(len(gone[side]) > MOST_MOVED for side in Side):
            return
        for own in _pairings(gone[mover], come[mover]):
            for foes in _pairings(gone[mover.other], come[mover.other]):
                moves = (*own, *foes)
                yield tuple(Move(o, t, hit=t in hits) for o, t in moves)


def _hits(
    game: Game[P, M], gone: dict[Side, list[Spot]], come: dict[Side, list[Spot]], side: Side
) -> set[Spot]:
    """The spots where a side's checker took the place of another, which went home; both are told
    by the hit alone.
    """
    home, hits = game.hit_to(side.other), set[Spot]()
    for spot in come[side]:
        if spot in gone[side.other] and home in come[side.other]:
            gone[side.other].remove(spot)
            come[side.other].remove(home)
            hits.add(spot)
    return hits


def _pairings(gone: list[Spot], come: list[Spot]) -> Iterator[tuple[tuple[Spot, Spot], ...]]:
    for targets in islice(_orders(come), TRIED):
        yield tuple(zip(gone, targets, strict=True))


def _orders(spots: Sequence[Spot]) -> Iterator[tuple[Spot, ...]]:
    """Every order of these spots once, made one by one."""
    if not spots:
        yield ()
    for first in dict.fromkeys(spots):
        rest = list(spots)
        rest.remove(first)
        for order in _orders(rest):
            yield first, *order
