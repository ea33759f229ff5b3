"""A stored match retold: each decision with the state before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from pi_app.base.values import dataclass
from pi_app.match.score import Standing
from pi_app.match.terms import MatchTerms
from pi_app.match.turns import OVER, MatchState
from pi_app.referee.decision import Decision
from pi_app.referee.events import Start
from pi_app.referee.options import agree, turns_of
from pi_app.rules.contract import AnyGame, Games, Series
from pi_app.rules.terms import Roll


@dataclass(frozen=True, slots=True)
class RetoldStep:
    """A decision and the match state before it."""

    before: MatchState[str]
    decision: Decision
    game: AnyGame
    """The game that is played before it, under the agreed options."""

    @property
    def after(self) -> MatchState[str]:
        return self.decision.state

    @property
    def ends_game(self) -> bool:
        return self.after.phase in OVER and self.before.phase not in OVER


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored match: its start, its decisions and the known games."""

    start: Start
    decisions: Iterable[Decision]
    games: Games

    @property
    def series(self) -> Series:
        """What is played, with the agreed options. Raises EventError for an unknown game."""
        return agree(self.start, self.games)[0]

    @property
    def game(self) -> AnyGame:
        """The first game."""
        return self.series.first

    def during(self, standing: Standing) -> AnyGame:
        """The game that is played at this standing."""
        return self.series.at(standing.decided)

    @property
    def terms(self) -> MatchTerms:
        """The agreed terms besides the game's options. Raises EventError if they are invalid."""
        return agree(self.start, self.games)[1].terms

    def opening(self) -> MatchState[str]:
        turns = turns_of(*agree(self.start, self.games))
        state: MatchState[Any] = turns.begin()
        return replace(state, position=turns.game.write_position(state.position))

    def steps(self) -> Iterator[RetoldStep]:
        before, series = self.opening(), self.series
        for decision in self.decisions:
            yield RetoldStep(before, decision, series.at(before.standing.decided))
            before = decision.state


def dice(roll: Roll | None) -> str:
    """Empty for a game without dice."""
    return str(roll or "")


class ExportForm(NamedTuple):
    """A format for matches: its name, a few words about it for the help, and the function that
    makes the lines of a match; it takes the time at which the match began."""

    name: str
    says: str
    lines: Callable[[Kept, str], Iterator[str]]
