"""Legal plays as people make them: in some order, with other hands about, and not always tidily."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from lab.arranging import arrange
from lab.attention import Attention
from lab.fidgets import Occasion, in_turn
from lab.hands import Script
from lab.observability import struck
from lab.ways import Way, choose, entering_first, in_disorder, victims_of, ways_of
from pi_app.rules.terms import Move, Spot, SpotKind
from pi_app.sensing.noise import Noise

NOTHING: Mapping[Occasion, Script] = MappingProxyType({})


class Playing:
    """What people play, and how it comes to lie on the board."""

    def __init__(self, attention: Attention, rng: random.Random) -> None:
        self._attention, self._rng = attention, rng
        self._game, self._truth, self._hands = attention.game, attention.truth, attention.hands

    def choose(self) -> Any:
        """A legal play."""
        return choose(self._game, self._truth.position, self._truth.plays, self._rng)

    def change_mind(self, tidy: float) -> Script:
        """Perhaps another play is made first, and undone or mended into the one that counts."""
        if len(self._truth.plays) > 1 and self._hands.happens(Noise.CHANGE_OF_MIND):
            yield from self.make(self.choose())
            yield self._hands.between(100, 1800)
            hits = any(struck(self._game, self._truth.position, p) for p in self._truth.plays)
            if self._hands.chance(tidy if hits else 0.5):
                yield from arrange(self._hands, self._truth.layout)
                yield self._hands.between(0, 1000)

    def make(self, play: Any, fidgets: Mapping[Occasion, Script] = NOTHING) -> Script:
        """From wherever the checkers lie to where the play leaves them."""
        if self._truth.stands(self._truth.position):
            position = self._truth.position
            moves = self._game.moves(position, play)
            victims = dict(victims_of(self._game, position, moves))
            then = [fidgets[Occasion.IN_THE_AIR]] if Occasion.IN_THE_AIR in fidgets else []
            astray: Mapping[Spot, Spot] = {}
            if self._truth.doing is not None:
                then += [self._press_early()] if self._hands.happens(Noise.EARLY_PRESS) else []
                astray = self._astray(victims)
            yield from self._hands.turn(
                self._ways(moves),
                self._game.mover(position),
                {**victims, **astray},
                in_turn(then) if then else None,
                fidgets.get(Occasion.BETWEEN),
            )
            self._truth.astray = bool(astray)
        if not self._truth.astray:
            yield from self.put(play)
        yield self._hands.between(0, 150)

    def put(self, play: Any) -> Script:
        """Every checker to where the play leaves it."""
        self._truth.astray = False
        after = self._game.after(self._truth.position, play)
        yield from arrange(self._hands, self._truth.layout_of(after))

    def _ways(self, moves: Sequence[Move]) -> list[Way]:
        position, roll = self._truth.position, self._truth.roll
        assert roll is not None
        ways = ways_of(self._game, position, roll, moves, self._rng)
        if self._hands.happens(Noise.DISORDER):
            return in_disorder(self._game, position, ways, self._rng)
        return entering_first(self._game, position, ways)

    def _astray(self, victims: Mapping[Spot, Spot]) -> Mapping[Spot, Spot]:
        """The hits whose checker is put where those lie that are borne off, and not on the bar."""
        trays = {spot.side: spot for spot in self._game.spots if spot.kind is SpotKind.OFF}
        astray = {
            spot: trays[home.side]
            for spot, home in victims.items()
            if home.kind is SpotKind.BAR and self._hands.happens(Noise.ASTRAY)
        }
        self._truth.excused = self._truth.excused or bool(astray)
        return astray

    def _press_early(self) -> Script:
        """Who is asked about the very play that he is making has said yes."""
        doing, view = self._truth.doing, self._attention.view
        if view.choices == (self._game.write_play(doing),):
            self._truth.others |= {self._truth.after(doing)}
        self._truth.excused, self._attention.meant = True, False
        yield from self._attention.press()
        yield self._hands.between(100, 1500)
