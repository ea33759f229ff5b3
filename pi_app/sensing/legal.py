"""The legal turns: every result and every part of one, with the sensors that it closes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from pi_app.base.values import dataclass
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Move, Roll, Spot
from pi_app.sensing.occupancy import Packed, Packing, SeenCounts


@dataclass(frozen=True, slots=True)
class LegalResult:
    """A legal play, its moves, the position after it, and the sensors that position closes."""

    play: Any
    moves: tuple[Move, ...]
    position: Any
    shown: Packed


@dataclass(frozen=True, slots=True)
class LegalStage:
    """Part of a turn: the moves made, the position, and the sensors it closes."""

    moves: tuple[Move, ...]
    position: Any
    shown: Packed


class Legal:
    """The legal results of one position and roll; without a roll there are none.

    If one play is already decided, it is the `only` result, and only its parts are stages.
    """

    def __init__(
        self, packing: Packing, game: AnyGame, position: Any, roll: Roll | None, only: Any = None
    ) -> None:
        self.packing, self.only = packing, only
        self._game, self._position, self._roll = game, position, roll
        self.base = LegalStage((), position, self.show(position))
        plays = game.plays(position, roll) if roll else ()
        positions = game.results(position, roll) if roll else ()
        wanted = None if only is None else game.after(position, only)
        results = [
            LegalResult(play, game.moves(position, play), after, self.show(after))
            for play, after in zip(plays, positions, strict=True)
        ]
        self.results = tuple(r for r in results if wanted is None or r.position == wanted)
        self.others = () if wanted is None else tuple(r for r in results if r.position != wanted)
        self._stops: dict[tuple[Move, Spot], bool] = {}
        self._onward: dict[tuple[Move, ...], tuple[Move, ...]] = {}

    @cached_property
    def most_moves(self) -> int:
        return max((len(result.moves) for result in self.results), default=0)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """All legal plays as players write them."""
        game, position = self._game, self._position
        return tuple(game.write_play(position, result.play) for result in self.results)

    @cached_property
    def stages(self) -> tuple[LegalStage, ...]:
        """All parts of legal plays, fewest moves first."""
        midways = self._game.midways(self._position, self._roll) if self._roll else ()
        if self.only is not None:
            midways = tuple(midway for midway in midways if self._leads_on(midway.moves))
        parts = sorted(midways, key=lambda midway: len(midway.moves))
        return (
            self.base,
            *(LegalStage(part.moves, part.position, self.show(part.position)) for part in parts),
            *(LegalStage(r.moves, r.position, r.shown) for r in self.results if r.moves),
        )

    def show(self, position: Any) -> Packed:
        """Return how many sensors a position closes, by count."""
        return self.packing.show(position)

    def fitting(self, seen: SeenCounts) -> tuple[LegalResult, ...]:
        """The results that no trusted sensor contradicts."""
        low, high = seen.bounds
        return tuple(r for r in self.results if self._fits(low, r.shown, high))

    def nearly_fitting(self, seen: SeenCounts) -> tuple[LegalResult, ...]:
        """The results that exactly one count contradicts."""
        low, high = seen.bounds
        return tuple(r for r in self.results if self._contradicting(low, r.shown, high) == 1)

    def differing(self, seen: SeenCounts, most: int) -> Iterator[tuple[LegalStage, int, int]]:
        """Yield (stage, missing, extra): how many counts are lower and higher than the stage's.

        Both are at most `most`.
        """
        low, high = seen.bounds
        for stage in self.stages:
            fewer = self.packing.less(high, stage.shown)
            more = self.packing.less(stage.shown, low)
            if max(fewer, more) <= most:
                yield stage, fewer, more

    def beyond(self, moves: tuple[Move, ...], done: tuple[Move, ...]) -> tuple[Move, ...] | None:
        """Return the moves of a play after this part of it; None if it is not a part of it."""
        left = list(moves)
        for move in done:
            if move in left:
                left.remove(move)
                continue
            ways = (m for m in left if m.origin == move.origin and not move.hit)
            way = next((m for m in ways if self._may_stop(m, move.target)), None)
            if way is None:
                return None
            left[left.index(way)] = Move(move.target, way.target, way.hit, way.pins)
        return tuple(left)

    def _may_stop(self, move: Move, spot: Spot) -> bool:
        """Whether this move may stop on a spot on its way."""
        known = self._stops.get((move, spot))
        if known is None:
            roll = self._roll
            known = roll is not None and self._game.passes(self._position, roll, move, spot)
            self._stops[move, spot] = known
        return known

    def onward(self, stage: LegalStage) -> tuple[Move, ...]:
        """Return every remaining move of a play after this part, in one step or several."""
        known = self._onward.get(stage.moves)
        if known is None:
            first = stage.moves[0].origin if stage.moves else None
            left = (
                self.beyond(later.moves, stage.moves) or ()
                for later in self.stages
                if first is None or any(move.origin == first for move in later.moves)
            )
            known = tuple(dict.fromkeys(move for moves in left for move in moves))
            self._onward[stage.moves] = known
        return known

    def _leads_on(self, done: tuple[Move, ...]) -> bool:
        """Whether these moves are part of a legal result."""
        return any(self.beyond(result.moves, done) is not None for result in self.results)

    def _fits(self, low: Packed, shown: Packed, high: Packed) -> bool:
        return self.packing.is_at_most(low, shown) and self.packing.is_at_most(shown, high)

    def _contradicting(self, low: Packed, shown: Packed, high: Packed) -> int:
        return self.packing.less(shown, low) + self.packing.less(high, shown)


def rest_of(legal: Legal, stage: LegalStage) -> tuple[Any, ...]:
    """The plays that continue a stage."""
    results = legal.results
    return tuple(r.play for r in results if legal.beyond(r.moves, stage.moves) is not None)
