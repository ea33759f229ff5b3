"""A rollout: the best plays of a position are played on many times and compared.

The network plays both sides by one ply, and judges each game after some turns. The luck of the
rolls is taken off each game, so that few games tell much. All plays meet the same rolls, which a
seed draws. There is no cube; in a match the chance of winning it counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

from pi_app.base.values import dataclass
from pi_app.players.contract import Answer, Chances, Question, RolloutGames, TrialsOpinion, Unit
from pi_app.players.meeting import FEWEST, STANDARD_ERRORS

GAMES, TURNS, SEED = 360, 10, "1"
"""The defaults: how many games of each play are played, for how many turns, by which seed."""
PLAYS = 3
"""The most plays that are compared by default."""
BATCH = 12
"""Games that are asked for at once, a tenth of a second on a PC: so long a hint may wait."""


@dataclass(frozen=True, slots=True)
class RolledOut:
    """What came of a play, None for a position before the roll.

    `worth` is the mean of its games in the unit. The mean of endless games lies within `half` of
    it with 95 %, None while there are too few games to tell.
    """

    play: Any
    games: int
    worth: float
    half: float | None
    chances: Chances


@dataclass(frozen=True, slots=True)
class Rollout:
    """A rollout so far, by `player`: each of its `plays` that has games, the best first.

    `wanted` games of each play complete it; it is `stopped` if it was ended before that, and
    `refused` if its player plays no games on.
    """

    player: str
    question: Question
    plays: int
    wanted: int
    turns: int
    seed: str
    unit: Unit = Unit.POINTS
    lines: tuple[RolledOut, ...] = ()
    stopped: bool = False
    refused: bool = False

    @property
    def games(self) -> int:
        """How many games each play has at least."""
        return min(line.games for line in self.lines) if len(self.lines) == self.plays else 0

    @property
    def runs(self) -> bool:
        return not self.stopped and self.games < self.wanted

    def line_of(self, play: Any) -> RolledOut | None:
        return next((line for line in self.lines if line.play == play), None)


@dataclass(slots=True)
class _GameSums:
    """The games of a play so far: their mean, and the sum of the squared distances from it.

    B. P. Welford's recurrence (Technometrics, 1962) takes each game once and loses no digits.
    """

    games: int = 0
    mean: float = 0.0
    squares: float = 0.0
    won: list[float] = field(default_factory=list)
    lost: list[float] = field(default_factory=list)

    def add(self, opinion: TrialsOpinion) -> None:
        for worth in opinion.worths:
            self.games += 1
            before = worth - self.mean
            self.mean += before / self.games
            self.squares += before * (worth - self.mean)
        games = len(opinion.worths)
        self.won = _sums(self.won, opinion.chances.won, games)
        self.lost = _sums(self.lost, opinion.chances.lost, games)

    def line(self, play: Any) -> RolledOut:
        number, half = self.games, None
        if number >= FEWEST:
            half = STANDARD_ERRORS * math.sqrt(self.squares / (number - 1) / number)
        won, lost = (tuple(each / number for each in kind) for kind in (self.won, self.lost))
        return RolledOut(play, number, self.mean, half, Chances(won, lost))


def _sums(sums: Sequence[float], shares: Sequence[float], games: int) -> list[float]:
    before = sums or [0.0] * len(shares)
    return [old + games * share for old, share in zip(before, shares, strict=True)]


class RolloutOfPlays:
    """A rollout under way. It says what it wants to know next, as a `Study` does.

    `plays` are compared; without a roll there is one, None.
    """

    def __init__(
        self,
        player: str,
        question: Question,
        plays: Sequence[Any],
        *,
        games: int = GAMES,
        turns: int = TURNS,
        seed: str = SEED,
    ) -> None:
        self.state = Rollout(player, replace(question, made=None), len(plays), games, turns, seed)
        self._sums = {play: _GameSums() for play in plays}

    @property
    def question(self) -> Question | None:
        """The next games: of the play that has the fewest. None if there is nothing more to ask."""
        if not self.state.runs:
            return None
        play, sums = min(self._sums.items(), key=lambda each: each[1].games)
        first = sums.games
        games = min(BATCH, self.state.wanted - first)
        trials = RolloutGames(play, self.state.seed, first, games, self.state.turns)
        return replace(self.state.question, trials=trials)

    def answer(self, question: Question, answer: Answer) -> None:
        """Take the answer to the open question; None means that the player plays no games on."""
        if not isinstance(answer, TrialsOpinion) or question.trials is None:
            self.state = replace(self.state, stopped=True, refused=True)
            return
        self._sums[question.trials.play].add(answer)
        lines = [sums.line(play) for play, sums in self._sums.items() if sums.games]
        lines.sort(key=lambda line: -line.worth)
        self.state = replace(self.state, unit=answer.unit, lines=tuple(lines))

    def stop(self) -> None:
        self.state = replace(self.state, stopped=True)

    def is_like(self, other: RolloutOfPlays) -> bool:
        """Whether both compare the same plays by the same games."""

        def about(one: RolloutOfPlays) -> tuple[object, ...]:
            known = replace(one.state, unit=Unit.POINTS, lines=(), stopped=False, refused=False)
            return known, frozenset(one._sums)

        return about(self) == about(other)

    def going_on(self) -> RolloutOfPlays:
        """Continue after a stop. Return this rollout."""
        self.state = replace(self.state, stopped=False, refused=False)
        return self
