"""What the sensors may show while a turn is made: every legal result, and every part of one.

A picture is packed into one whole number, four bits a spot, so that hundreds of results are held
against the sensors in a fraction of a millisecond.  The highest of the four bits is a guard: no
spot has more than five sensors, and two more count for checkers that may lie there in passing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import getitem
from typing import Generic, NewType, TypeVar

from pi_app.board.watch import Glimpse, Watch
from pi_app.rules.contract import Game
from pi_app.rules.terms import Move, Roll, Spot

P = TypeVar("P")
M = TypeVar("M")

Packed = NewType("Packed", int)
"""How many sensors of each spot are closed, four bits a spot."""

BITS = 4


@dataclass(frozen=True, slots=True)
class Result(Generic[M]):
    """A legal play, its moves, and how many sensors of each spot it leaves closed."""

    play: M
    moves: tuple[Move, ...]
    shown: Packed


@dataclass(frozen=True, slots=True)
class Stage:
    """How far a turn has come: the moves made, and what the sensors then show."""

    moves: tuple[Move, ...]
    shown: Packed
    slack: int = 0
    """What hit checkers add that still lie beside those that hit them."""


class Legal(Generic[P, M]):
    """The legal results of one position and roll; without a roll there are none."""

    def __init__(self, watch: Watch, game: Game[P, M], position: P, roll: Roll | None) -> None:
        self._game, self._position, self._roll = game, position, roll
        self._shifts = {spot: BITS * shift for shift, spot in enumerate(watch.spots)}
        self._weights = tuple(self._weigh(watch, spot) for spot in game.spots)
        self._roomy = {spot for spot in watch.spots if len(watch.sensors_of[spot]) > 1}
        self._guard = sum(1 << BITS * shift + BITS - 1 for shift in range(len(watch.spots)))
        self.base = Stage((), self.show(position))
        plays = game.plays(position, roll) if roll else ()
        positions = game.results(position, roll) if roll else ()
        self.results = tuple(
            Result(play, game.moves(position, play), self.show(after))
            for play, after in zip(plays, positions, strict=True)
        )

    @cached_property
    def most_moves(self) -> int:
        """How many checkers a legal play moves at most."""
        return max((len(result.moves) for result in self.results), default=0)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Every legal play as players write it."""
        return tuple(self._game.write_play(result.play) for result in self.results)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Every way the board may stand while the turn is made, the fewest moves first."""
        midways = self._game.midways(self._position, self._roll) if self._roll else ()
        parts = sorted(midways, key=lambda midway: len(midway.moves))
        return (
            self.base,
            *(self._stage(midway.moves, self.show(midway.position)) for midway in parts),
            *(self._stage(result.moves, result.shown) for result in self.results if result.moves),
        )

    def fitting(self, seen: Glimpse) -> tuple[Result[M], ...]:
        """The results that no believed sensor contradicts."""
        low, high = bounds(seen)
        return tuple(r for r in self.results if self._is_within(low, r.shown, high))

    def nearly_fitting(self, seen: Glimpse) -> tuple[Result[M], ...]:
        """The results that exactly one spot contradicts."""
        low, high = bounds(seen)
        return tuple(r for r in self.results if self._contradicting(low, r.shown, high) == 1)

    def covering(self, seen: Glimpse, extra: int = 0) -> Iterator[Stage]:
        """The stages that explain every closed sensor: what else they show is in a hand.

        `extra` sensors may be closed besides, packed.
        """
        low, _ = bounds(seen)
        for stage in self.stages:
            if self._is_at_most(low, stage.shown + stage.slack + extra):
                yield stage

    def differing(self, seen: Glimpse, most: int) -> Iterator[tuple[Stage, int, int]]:
        """The stages on the way that differ from what is seen, and by how much.

        The numbers of spots that show fewer and more than the stage, neither above `most`.
        """
        low, high = bounds(seen)
        for stage in self.stages:
            fewer = self._less(high, stage.shown).bit_count()
            more = self._less(stage.shown, low).bit_count()
            if max(fewer, more) <= most:
                yield stage, fewer, more

    def spread(self, shown: int) -> tuple[int, ...]:
        """A packed picture as numbers, in the order of the watched spots."""
        count = self._guard.bit_count()
        return tuple(shown >> BITS * shift & 7 for shift in range(count))

    def beyond(self, moves: tuple[Move, ...], done: tuple[Move, ...]) -> tuple[Move, ...] | None:
        """What is left of a play after a part of it; None if that is no part of it."""
        left = list(moves)
        for move in done:
            if move in left:
                left.remove(move)
                continue
            ways = (m for m in left if m.origin == move.origin and not move.hit)
            way = next((m for m in ways if self._game.passes(self._position, m, move.target)), None)
            if way is None:
                return None
            left[left.index(way)] = Move(move.target, way.target, way.hit, way.pins)
        return tuple(left)

    def shown_on(self, shown: int, spot: Spot) -> int:
        """How many sensors of a watched spot a packed picture has closed."""
        return shown >> self._shifts[spot] & 7

    def one_on(self, spot: Spot) -> int:
        """One closed sensor of a spot, packed; nothing for a spot that is not watched."""
        return 1 << self._shifts[spot] if spot in self._shifts else 0

    def _stage(self, moves: tuple[Move, ...], shown: Packed) -> Stage:
        hits = {move.target for move in moves if move.hit}
        return Stage(moves, shown, sum(self.one_on(spot) for spot in hits & self._roomy))

    def show(self, position: P) -> Packed:
        """What the sensors show of a position."""
        return Packed(sum(map(getitem, self._weights, self._game.counts(position))))

    def _weigh(self, watch: Watch, spot: Spot) -> tuple[int, ...]:
        """What each number of checkers on the spot adds to a packed picture."""
        most = len(watch.sensors_of.get(spot, ()))
        heights = range(2 * self._game.checkers_a_side + 1)
        return tuple(min(height, most) * self.one_on(spot) for height in heights)

    def _is_at_most(self, low: int, high: int) -> bool:
        return (high | self._guard) - low & self._guard == self._guard

    def _is_within(self, low: int, shown: int, high: int) -> bool:
        return self._is_at_most(low, shown) and self._is_at_most(shown, high)

    def _less(self, less: int, more: int) -> int:
        """The guards of the spots where `less` is less than `more`."""
        return ((less | self._guard) - more & self._guard) ^ self._guard

    def _contradicting(self, low: int, shown: int, high: int) -> int:
        return (self._less(shown, low) | self._less(high, shown)).bit_count()


def bounds(seen: Glimpse) -> tuple[Packed, Packed]:
    """The least and the most that may lie on each spot, as far as the believed sensors tell."""
    most = (closed + unseen for closed, unseen in zip(seen.closed, seen.unseen, strict=True))
    return pack(seen.closed), pack(most)


def pack(counts: Iterable[int]) -> Packed:
    """Numbers of up to seven, one for each watched spot."""
    return Packed(sum([count << BITS * shift for shift, count in enumerate(counts)]))


def onward(legal: Legal[P, M], stage: Stage, lifted: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """Where lifted checkers may go from a stage; where a lifted victim stood, its hitter may."""
    if not lifted:
        return ()
    left = (m for later in legal.stages for m in legal.beyond(later.moves, stage.moves) or ())
    targets = (m.target for m in left if m.origin in lifted or m.target in lifted)
    return tuple(dict.fromkeys(targets))


def rest_of(legal: Legal[P, M], stage: Stage) -> tuple[M, ...]:
    """The plays that go on from a stage."""
    results = legal.results
    return tuple(r.play for r in results if legal.beyond(r.moves, stage.moves) is not None)
