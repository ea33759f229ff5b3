"""What was accepted last, and what is told of it and of what may come of it.

A view is made after every event, and a turn has many.  What does not change with them is found
once, when it is first asked for, and kept with the value that it is told of; the next accepted
position is another value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pi_app.match.turns import Turns
from pi_app.referee.course import Course
from pi_app.referee.speech import tell_result
from pi_app.referee.view import BackTo, LastPlay
from pi_app.referee.wording import EARLIER
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, Move, Outcome, Side
from pi_app.words.sentences import Said


@dataclass(frozen=True, eq=False)
class Placed:
    """A position and what is told of it."""

    game: AnyGame
    position: Any

    @cached_property
    def text(self) -> str:
        """As it is written."""
        return self.game.write_position(self.position)

    @cached_property
    def checkers(self) -> Checkers:
        """What stands on each spot; every spot is a key."""
        return self.game.checkers_at(self.position)

    @cached_property
    def pips(self) -> tuple[int, int] | None:
        """White's and Black's pips to go, or None where nobody counts them."""
        white, black = (self.game.pips(self.position, side) for side in Side)
        return None if white is None or black is None else (white, black)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game has ended so, if it has."""
        return self.game.outcome(self.position)


@dataclass(frozen=True, eq=False)
class Accepted:
    """Where a match between these players stands; all that follows from its course alone."""

    turns: Turns
    course: Course
    players: tuple[str, str]
    _placed: dict[tuple[Callable[..., Any], Any], Placed] = field(default_factory=dict, init=False)

    @cached_property
    def here(self) -> Placed:
        """The accepted position."""
        return Placed(self.turns.game, self.course.state.position)

    def after(self, play: Any) -> Placed:
        """The position after a legal play."""
        return self._led(self.turns.game.after, play)

    def midway(self, moves: tuple[Move, ...]) -> Placed:
        """The position after moves; raises IllegalPlayError where no checker can make them."""
        return self._led(self.turns.game.attempted, moves)

    def _led(self, leads: Callable[[Any, Any], Any], made: Any) -> Placed:
        placed = self._placed.get((leads, made))
        if placed is None:
            placed = Placed(self.turns.game, leads(self.course.state.position, made))
            self._placed[leads, made] = placed
        return placed

    @cached_property
    def resignations(self) -> Mapping[int, Said]:
        """For how many points the side to act may resign, and what each is called."""
        return self.turns.resignations(self.course.state)

    @cached_property
    def last_moved(self) -> int | None:
        """The number of the last play of the game that moved anything: it was no forfeit."""
        game, plays = self.turns.game, enumerate(self.course.past)
        moved = [number for number, past in plays if game.moves(past.state.position, past.play)]
        return moved[-1] if moved else None

    @cached_property
    def last_turn(self) -> BackTo | None:
        """That play's turn."""
        return None if self.last_moved is None else self.turn(self.last_moved)

    def turn(self, number: int) -> BackTo:
        """Where a takeback before the play of this number would lead.

        A turn is called by its roll, or by its play where nobody rolls.
        """
        past, game = self.course.past[number], self.turns.game
        made = "-".join(str(past.state.roll or "")) or game.write_play(past.play)
        side = self.players[past.state.to_act is Side.BLACK]
        return BackTo(EARLIER(side=side, play=made), len(self.course.past) - number)

    @cached_property
    def last_play(self) -> LastPlay | None:
        """The play before in this game, unless the board has been corrected since."""
        if not self.course.past:
            return None
        past, game = self.course.past[-1], self.turns.game
        before, play, side = past.state.position, past.play, past.state.to_act
        if game.after(before, play) != game.with_mover(self.here.position, side.other):
            return None
        moves = game.moves(before, play)
        text = game.write_play(play) if moves else ""
        return LastPlay(side, text, moves, game.checkers_at(before))

    @cached_property
    def last_result(self) -> str | None:
        """How the last game ended, in one sentence."""
        return tell_result(self.course.state.result, self.players, self.turns.game.outcome_names)
