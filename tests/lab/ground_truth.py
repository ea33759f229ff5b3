"""The true course of a match, recorded by the players, independent of the product."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from lab.hands import Hands, stands
from lab.observability import seems, struck
from pi_app.rules.contract import Series
from pi_app.rules.terms import Roll, Side, Spot
from pi_app.sensing.description import Sensor
from pi_app.simulator.reeds import Piled


@dataclass(frozen=True, slots=True)
class TrueTurn:
    """A turn that was made: the position before it, the roll and the play."""

    position: Any
    roll: Roll
    play: Any


class Truth:
    """Position, roll and past of the game as the players know them, and the play being made.

    `excused`: what the product says just now comes of something that was done on purpose, and
    `misled`: perhaps of a reed that was wrong in this turn.  `off` are the sensors that the players
    have set aside, `blind` those that never tell the truth.
    `idle`: the button is pressed though nothing has been played.  `astray`: but for a hit checker
    that lies on the wrong tray, the play lies there.  `only` is the machine's play in its turn.
    """

    def __init__(self, series: Series, hands: Hands, blind: frozenset[Sensor]) -> None:
        self._series, self._decided, self.game = series, 0, series.first
        self._trace, self._checkers = hands.trace, hands.checkers
        self.excused, self.misled = True, False
        self.idle = self.astray = False
        self.off: Set[Sensor] = frozenset()
        self.blind = blind
        self.roll: Roll | None = None
        self.doing: Any = None
        self.only: Any = None
        self.past: list[TrueTurn] = []
        self.others: frozenset[str] = frozenset()
        self.position: Any = None
        self.begin(Side.WHITE)

    def won(self, winner: Side | None) -> None:
        """A game was won, or tied: of a series the next one follows, after a tie the same again."""
        self._decided += winner is not None
        self.game = self._series.at(self._decided)

    @property
    def starts(self) -> frozenset[str]:
        """Every position with which a game can begin."""
        return frozenset(
            game.write_position(game.start(side)) for game in self._series.games for side in Side
        )

    def begin(self, first: Side) -> None:
        """A new game."""
        self.past.clear()
        self._stand(self.game.start(first))
        self.others = frozenset(self.game.write_position(self.game.start(side)) for side in Side)

    def opened(self, first: Side, roll: Roll | None) -> None:
        """After the opening roll, which decides who begins and perhaps with which dice."""
        self._stand(self.game.with_mover(self.position, first))
        self.roll = roll

    def rolled(self, roll: Roll) -> None:
        """The dice have fallen."""
        self.roll = roll

    def played(self, play: Any) -> None:
        """The play counts."""
        assert self.roll is not None
        self.past.append(TrueTurn(self.position, self.roll, play))
        self._stand(self.game.after(self.position, play))

    def last_real(self) -> TrueTurn | None:
        """The last turn that moved something, to which an undo returns."""
        return next((turn for turn in reversed(self.past) if self._moved(turn)), None)

    def took_back(self) -> None:
        """Back before the last turn that moved something."""
        while True:
            turn = self.past.pop()
            if self._moved(turn):
                self._stand(turn.position)
                self.roll = turn.roll
                return

    @property
    def text(self) -> str:
        """The accepted position."""
        return self.game.write_position(self.position)

    @property
    def plays(self) -> tuple[Any, ...]:
        if self.only is not None:
            return (self.only,)
        return self.game.plays(self.position, self.roll) if self.roll else ()

    def after(self, play: Any) -> str:
        """The position after a play."""
        return self.game.write_position(self.game.after(self.position, play))

    @property
    def layout(self) -> Piled:
        """Where the pieces of the accepted position lie."""
        return self.layout_of(self.position)

    def layout_of(self, position: Any) -> Piled:
        """Where the pieces of a position lie."""
        return self._checkers.layout(self.game.checkers_at(position))

    def stands(self, position: Any) -> bool:
        """Whether the checkers lie exactly so."""
        return stands(self._checkers, self.layout_of(position))

    @property
    def lies(self) -> bool:
        """Whether the play that is being made lies there complete."""
        return self.doing is not None and self._is_made(self.doing)

    def ends(self, play: Any) -> bool:
        """Whether the game is over after a play."""
        return self.game.outcome(self.game.after(self.position, play)) is not None

    def may_show(self) -> frozenset[str]:
        """The positions that the product may accept. While a complete play lies there and every
        reed feels it, only that one; otherwise every position that the sensors in use cannot tell
        from the hands' acts."""
        texts = {self.text, *self.others}
        if self.idle:
            return frozenset(texts | self._forced_unseen)
        if self.doing is not None and self.astray:
            texts.add(self.after(self.doing))
        if self.doing is not None and self._is_made(self.doing):
            texts.add(self.after(self.doing))
            unfelt = self._trace.unfelt & struck(self.game, self.position, self.doing)
            if not unfelt and self._all_felt:
                return frozenset(texts)
        return frozenset(texts | {self.after(play) for play in self.plays if self._seems(play)})

    @property
    def is_clear(self) -> bool:
        """Whether the reeds leave no doubt, given that the turn is done.

        Each feels what lies there.  One legal result fits what they show, and they do not look as
        if nothing had been played; or nothing can be played, and they show that.  What is lifted
        and put is compared, not in which order: a clever product may know what is called a doubt
        here.
        """
        if not self._all_felt:
            return False
        plays = [play for play in self.plays if self.game.moves(self.position, play)]
        if not plays:
            return self._shows(self.layout)
        hits = struck(self.game, self.position, self.doing) if self.doing is not None else set()
        untouched = not hits & self._dipped and self._shows(self.layout)
        if untouched or self._trace.muddled:
            return False
        return len({self.after(p) for p in plays if self._seems(p)}) == 1

    def _seems(self, play: Any) -> bool:
        after = self.layout_of(self.game.after(self.position, play))
        if not self._shows(after):
            return False
        if self._checkers.tells_sides:
            return True
        hits = struck(self.game, self.position, play) - self._trace.dipped
        hits = {spot for spot in hits if after[spot]}
        return all(set(self._checkers.sensors_of(spot)) <= self.off for spot in hits)

    @property
    def _forced_unseen(self) -> frozenset[str]:
        """The only legal play if no reed can see it: a press takes it even before it is made."""
        if len(self.plays) > 1 or not self._shows(self.layout):
            return frozenset()
        return frozenset(self.after(play) for play in self.plays if self._seems(play))

    def _is_made(self, play: Any) -> bool:
        """Whether a play lies there complete."""
        return self.stands(self.game.after(self.position, play))

    @property
    def _all_felt(self) -> bool:
        """Whether no reed in use misses a checker or stays closed after one."""
        return not (self._checkers.felt ^ self._checkers.closed) - self.off

    @property
    def _dipped(self) -> set[Spot]:
        """Where the reeds saw a checker go and another come, or the same."""
        there = self._trace.dipped - self._trace.unfelt - self._trace.hasty
        return {spot for spot in there if self._checkers.sensors_of(spot)}

    def _shows(self, layout: Piled) -> bool:
        """Whether checkers that lie so would show what the reeds do, be some deaf or not."""
        pictures = (self._checkers.closed, self._checkers.felt)
        return any(seems(self._checkers, closed, layout, self.off) for closed in pictures)

    def _moved(self, turn: TrueTurn) -> bool:
        return bool(self.game.moves(turn.position, turn.play))

    def _stand(self, position: Any) -> None:
        self.position = position
        self.roll = self.doing = self.only = None
        self.idle = self.astray = False
        self.others = frozenset()
