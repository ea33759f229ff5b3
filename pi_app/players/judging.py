"""The simplest players: they look one turn ahead and judge the position after each play.

`random` judges all positions alike, so that it plays at random. The greedy players of the tables
games add up marks, given below and tuned nowhere. They are a yardstick for better players.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from pi_app.players.contract import (
    Contender,
    CubeOpinion,
    Opinion,
    Player,
    Situation,
    Unit,
    ranked,
)
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.position import BAR, HOME, OFF, Men, TablesPosition, count, numbers, pips
from pi_app.rules.terms import Outcome, Roll, Side
from pi_app.words.sentences import Sentence

Appraisal: TypeAlias = Callable[[Any, Side], float]
"""Returns the worth of an unfinished position to the side that has just played."""

WON = 1e6
"""The worth of a point won; it outweighs everything else."""


class Appraiser(Player):
    """A `Player` by marks. It has no opinion about the cube."""

    def __init__(self, game: AnyGame, marks: Appraisal) -> None:
        self._game, self._marks = game, marks

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        game, position = self._game, situation.position
        side = game.mover(position)
        worths = {
            play: self._worth(game.after(position, play), side)
            for play in game.plays(position, roll)
        }
        return ranked(Unit.SCORE, False, worths, None)

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        return None

    def _worth(self, result: Any, side: Side) -> float:
        outcome: Outcome | None = self._game.outcome(result)
        if outcome is None:
            return self._marks(result, side)
        if outcome.winner is None:
            return 0.0
        return WON * outcome.points * (1 if outcome.winner is side else -1)


BEHIND = range(BAR - HOME, BAR + 1)


class Weights(NamedTuple):
    """The marks of one greedy player.

    `struck`: an enemy on the bar, or pinned. `off`: an own checker borne off. `point`: a point held
    by two or more own checkers, or by one on top of an enemy; `home_point`: the same in the home
    board, in addition. `blot`: a single own checker with an enemy still to pass it. `pip`: a pip to
    go. `behind`: an own checker on the bar or in the enemy's home board.
    """

    struck: float
    off: float
    point: float
    home_point: float
    blot: float
    pip: float
    behind: float = 0


PINNER = Weights(struck=100, off=10, point=3, home_point=0, blot=-2, pip=0)
"""Pins when it can, else bears off, else holds points, else leaves few blots."""
HITTER = Weights(struck=20, off=12, point=4, home_point=3, blot=-3, pip=-0.1)
"""Hits when it can, else bears off, then holds points, preferably at home, and leaves few blots."""


class RunningWeights(NamedTuple):
    """Appraisal of one greedy player of Fevga.

    `off`: an own checker borne off.  `point`: a point held; `ahead`: more for one in the enemy's
    way as he leaves his start.  `pip`: a pip that is left to go.
    """

    off: float
    point: float
    ahead: float
    pip: float


RUNNER = RunningWeights(off=12, point=2, ahead=3, pip=-0.1)
"""Bears off, then holds many points, rather before the enemy's start."""


def running_marks_of(weights: RunningWeights) -> Appraisal:
    def marks(position: TablesPosition, side: Side) -> float:
        own = position.men(side)
        held = numbers(own)
        ahead = sum(HOME < number <= 2 * HOME for number in held)
        return (
            weights.off * count(own, OFF)
            + weights.point * len(held)
            + weights.ahead * ahead
            + weights.pip * pips(own)
        )

    return marks


def marks_of(weights: Weights) -> Appraisal:
    def marks(position: TablesPosition, side: Side) -> float:
        own, enemy = position.men(side), position.men(side.other)
        held, at_home, blots = _standing(own, enemy, position.pinned(side))
        struck = count(enemy, BAR) + sum(_counts(position.pinned(side.other)))
        return (
            weights.struck * struck
            + weights.off * count(own, OFF)
            + weights.point * held
            + weights.home_point * at_home
            + weights.blot * blots
            + weights.pip * pips(own)
            + weights.behind * sum(count(own, number) for number in BEHIND)
        )

    return marks


def _standing(own: Men, enemy: Men, pinned: Men) -> tuple[int, int, int]:
    """The points held, those of them at home, and single checkers that an enemy may still hit or
    pin."""
    held = at_home = blots = 0
    # Who has n to go stands on my 25 - n, and goes on to what has more to go than that.
    rearmost = BAR - max(numbers(enemy), default=0)
    for number in numbers(own):
        if number == BAR or count(pinned, number):
            continue
        if count(own, number) > 1 or count(enemy, BAR - number):
            held += 1
            at_home += number <= HOME
        elif number > rearmost:
            blots += 1
    return held, at_home, blots


def _counts(men: Men) -> list[int]:
    return [count(men, number) for number in numbers(men)]


BY_CHANCE, BY_RULES = Sentence("Any legal play"), Sentence("Simple rules")
RANDOM = Contender(
    "random",
    "any legal play, all as likely; never doubles, takes every double",
    lambda game: Appraiser(game, lambda *_: 0.0),
    advises=False,
    title=BY_CHANCE(),
)
PINNER_PLAYER = Contender(
    "greedy",
    "pins whenever it can, else bears off, else holds points, else leaves few checkers alone",
    lambda game: Appraiser(game, marks_of(PINNER)),
    title=BY_RULES(),
    bars=2,
)
HITTER_PLAYER = Contender(
    "greedy",
    "hits whenever it can, else bears off, holds points and leaves few checkers alone",
    lambda game: Appraiser(game, marks_of(HITTER)),
    title=BY_RULES(),
    bars=2,
)
RUNNER_PLAYER = Contender(
    "greedy",
    "bears off, then holds many points, rather those before the enemy's start",
    lambda game: Appraiser(game, running_marks_of(RUNNER)),
    title=BY_RULES(),
    bars=1,
)
