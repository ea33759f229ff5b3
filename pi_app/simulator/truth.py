"""What really happens in a match, kept by the players and never asked of the product."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from pi_app.board.description import Sensor
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side, Spot
from pi_app.simulator.attempts import struck
from pi_app.simulator.checkers import Checkers


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that was made: the position before it, the roll and the play."""

    position: Any
    roll: Roll
    play: Any


class Truth:
    """Position, roll and past of the game as the players know them, and the play being made."""

    def __init__(self, game: AnyGame, checkers: Checkers) -> None:
        self._game, self._checkers = game, checkers
        self.dipped: Set[Spot] = frozenset()
        self.off: Set[Sensor] = frozenset()
        self.blind: frozenset[Sensor] = frozenset()
        self.roll: Roll | None = None
        self.doing: Any = None
        self.past: list[Turn] = []
        self.others: frozenset[str] = frozenset()
        self.position: Any = None
        self.begin()

    def begin(self) -> None:
        """A new game."""
        self.past.clear()
        self._stand(self._game.start(Side.WHITE))
        self.others = frozenset(self._game.write_position(self._game.start(side)) for side in Side)

    def opened(self, first: Side, roll: Roll) -> None:
        """The opening throw has decided."""
        self._stand(self._game.with_mover(self.position, first))
        self.roll = roll

    def rolled(self, roll: Roll) -> None:
        """The dice have fallen."""
        self.roll = roll

    def played(self, play: Any) -> None:
        """The play counts."""
        assert self.roll is not None
        self.past.append(Turn(self.position, self.roll, play))
        self._stand(self._game.after(self.position, play))

    def last_real(self) -> Turn | None:
        """The last turn that moved something: what a takeback goes to."""
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
        return self._game.write_position(self.position)

    @property
    def plays(self) -> tuple[Any, ...]:
        """What is legal now."""
        return self._game.plays(self.position, self.roll) if self.roll else ()

    def after(self, play: Any) -> str:
        """The position after a play."""
        return self._game.write_position(self._game.after(self.position, play))

    def stands(self, position: Any) -> bool:
        """Whether the checkers lie exactly so."""
        wanted = self._game.checkers_at(position)
        return all(self._checkers.at(spot) == wanted.get(spot, ()) for spot in self._checkers.spots)

    def may_show(self) -> frozenset[str]:
        """The positions that the product may take for accepted.

        While a play lies there complete it is that one; before, any that no sensor in use could
        tell from what the hands have done so far.
        """
        texts = {self.text, *self.others}
        if self.doing is not None and self.stands(self._game.after(self.position, self.doing)):
            return frozenset(texts | {self.after(self.doing)})
        return frozenset(texts | {self.after(play) for play in self.plays if self._seems(play)})

    def _seems(self, play: Any) -> bool:
        after = self._game.checkers_at(self._game.after(self.position, play))
        if (self._checkers.closed ^ self._checkers.show(after)) - self.off:
            return False
        hits = struck(self._game, self.position, play) - self.dipped
        return all(set(self._checkers.sensors_of(spot)) <= self.off for spot in hits)

    def _moved(self, turn: Turn) -> bool:
        return bool(self._game.moves(turn.position, turn.play))

    def _stand(self, position: Any) -> None:
        self.position = position
        self.roll = self.doing = None
        self.others = frozenset()
