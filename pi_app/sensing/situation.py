"""One moment on the board: what is accepted, what is legal, what is seen and what was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from pi_app.microseconds import Us, ms
from pi_app.rules.contract import Game
from pi_app.rules.terms import Move, Roll, Side, Spot
from pi_app.sensing.description import Sensor
from pi_app.sensing.evidence import Evidence
from pi_app.sensing.legal import Legal, LegalResult, LegalStage
from pi_app.sensing.occupancy import Glimpse, Watch

P = TypeVar("P")
M = TypeVar("M")

HELD = 2
"""So many checkers a hand may hold besides those that the turn has moved; more were knocked off."""


@dataclass(frozen=True, slots=True)
class Patience:
    """The tracker's patience and caution.

    `debounce`: a reed has been steady.  `placed`: the hand has let go of a complete play.
    `grace`: a checker set down wrongly stays there.  `overlap`: a slid checker closes the next
    reed before it opens its own.  `brush`: a dip shorter than this was a sleeve, not a checker.
    `one_wrong_in`: by the noise model at most one play in so many that are taken without a question
    is not the one that was made.
    """

    debounce: Us = ms(5)
    placed: Us = ms(150)
    grace: Us = ms(1500)
    overlap: Us = ms(300)
    brush: Us = ms(80)
    one_wrong_in: int = 10_000


@dataclass(frozen=True)
class Situation(Generic[P, M]):
    """Everything a judgement is made of.

    `owners` is whose checker lies on top of each spot, `accepted` how many sensors of each spot
    the position closes.  `off` are the sensors not believed.  `exchanged` are spots where an
    exchange was put down to a takeback.  `insisted` counts the presses since the last change;
    `guided` tells that the players are being led back.
    """

    watch: Watch
    game: Game[P, M]
    times: Patience
    position: P
    roll: Roll | None
    legal: Legal[P, M]
    owners: Mapping[Spot, Side]
    accepted: tuple[int, ...]
    evidence: Evidence
    seen: Glimpse
    off: frozenset[Sensor]
    exchanged: frozenset[Spot]
    insisted: int
    guided: bool

    @cached_property
    def filled(self) -> tuple[Spot, ...]:
        """The spots that show more checkers than accepted."""
        return self.watch.fuller(self.accepted, self.seen)

    @cached_property
    def opened(self) -> tuple[Spot, ...]:
        """The spots that show fewer checkers than accepted."""
        return tuple(spot for spot in self.misfits(self.accepted) if spot not in self.filled)

    @cached_property
    def missing(self) -> tuple[Spot, ...]:
        """The same, a spot once for each checker that is missing."""
        return self.watch.lacking(self.accepted, self.seen)[0]

    @cached_property
    def extra(self) -> tuple[Spot, ...]:
        """The filled spots, once for each checker too many."""
        return self.watch.lacking(self.accepted, self.seen)[1]

    @property
    def knocked(self) -> bool:
        """Whether so many checkers are gone, or have come, that no hand did it in its turn."""
        most = self.legal.most_moves or 1
        return max(len(self.missing), len(self.extra)) >= most + HELD

    def lacking(self, stage: LegalStage[P]) -> tuple[tuple[Spot, ...], tuple[Spot, ...]]:
        """The spots that show fewer and more checkers than a stage, once for each checker."""
        return self.watch.lacking(self.legal.packing.spread(stage.shown), self.seen)

    def misfits(self, expected: tuple[int, ...]) -> tuple[Spot, ...]:
        """The spots whose believed sensors contradict expected counts."""
        return self.watch.misfits(expected, self.seen)

    def misfits_of(self, position: P) -> tuple[Spot, ...]:
        """The spots whose believed sensors contradict a position."""
        return self.misfits(self.legal.packing.spread(self.legal.show(position)))

    def is_own(self, spot: Spot) -> bool:
        """Whether the mover's checker lies on top of the spot in the accepted position."""
        return self.owners.get(spot) is self.game.mover(self.position)

    def is_blind(self, spot: Spot) -> bool:
        """Whether no sensor of the spot is believed; so are spots without sensors."""
        return self.watch.is_blind(spot, self.off)

    def is_hidden(self, spot: Spot) -> bool:
        """Whether a checker goes or comes there unseen; a sensor that is off is another matter."""
        return spot in self._hidden

    def _is_piled(self, spot: Spot) -> bool:
        """Whether the top checker of the spot lies higher than its sensors feel."""
        height = self.game.counts(self.position)[self.game.spots.index(spot)]
        return len(self.watch.sensors_of.get(spot, ())) < height

    @cached_property
    def _hidden(self) -> frozenset[Spot]:
        heights = zip(self.game.spots, self.game.counts(self.position), strict=True)
        return frozenset(spot for spot, height in heights if self.watch.is_hidden(spot, height))

    def brings_back(self, result: LegalResult[P, M]) -> tuple[Move, ...]:
        """The hits of a result whose target shows a checker in the end."""
        return tuple(
            move
            for move in result.moves
            if move.hit
            and not self.is_blind(move.target)
            and self.legal.packing.shown_on(result.shown, move.target)
        )

    def saw_hit(self, move: Move, moves: tuple[Move, ...]) -> bool:
        """Whether the hit was seen: the victim's place opened long enough, then the hitter came."""
        if self.evidence.longest_dip(move.target) < self.times.brush:
            return False
        origin = _way_start(move, moves)
        if self.is_blind(origin) or self._is_piled(origin) or origin not in self.opened:
            # While another checker is in the air, it may be that one that came and went.
            victims = {m.target for m in moves if m.hit}
            return not self.evidence.lifted_during_last_drop(move.target, victims)
        way = Move(origin, move.target)
        return self.arrived(move.target, origin) or any(
            # The hitter stood on the way, and the checker from the origin took its place.
            self.is_own(spot) and self.evidence.lacked(spot, move.target)
            for spot in {step.spot for step in self.evidence.steps}
            if self.game.passes(self.position, way, spot)
        )

    def struck(self, opened: tuple[Spot, ...]) -> tuple[Spot, ...]:
        """Spots whose single checker seems to have been replaced by one of the mover's."""
        lifted = [spot for spot in opened if spot in self.owners]
        theirs = self.game.mover(self.position).other
        return tuple(
            spot
            for spot in self._dipped(theirs)
            if spot not in opened
            and spot not in self.filled
            and (not lifted or any(self._came_from(origin, spot) for origin in lifted))
        )

    @cached_property
    def replaced(self) -> tuple[Spot, ...]:
        """Spots where an opponent's checker seems to have taken the place of a single own one."""
        lifted = [spot for spot in self.opened if spot in self.owners]
        return tuple(
            spot
            for spot in self._dipped(self.game.mover(self.position))
            if any(self._came_from(origin, spot) for origin in lifted)
        )

    def _dipped(self, side: Side) -> list[Spot]:
        """The spots where a single checker of the side may have been exchanged."""
        return [
            spot
            for spot, count in zip(self.watch.spots, self.accepted, strict=True)
            if count == 1
            and self.owners.get(spot) is side
            and self.evidence.longest_dip(spot) >= self.times.brush
        ]

    def arrived(self, target: Spot, origin: Spot) -> bool:
        """Whether the last drop on the target can be the checker lifted from the origin."""
        near = self.watch.are_near(target, origin)
        return self.evidence.carried(target, origin, self.times.overlap if near else Us(0))

    def _came_from(self, origin: Spot, target: Spot) -> bool:
        return self.owners[origin] is not self.owners[target] and self.arrived(target, origin)


def _way_start(move: Move, moves: tuple[Move, ...]) -> Spot:
    """Where the checker of a move began its turn: it may have hit on the way."""
    before = next((m for m in moves if m.target == move.origin and m.hit and m is not move), None)
    return _way_start(before, moves) if before else move.origin
