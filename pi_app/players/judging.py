"""Players who look one turn ahead and judge what then stands on the board; the simplest of all.

`random` judges everything alike, so that lots decide.  The greedy ones of the tables games add up
marks, which are written down below and nowhere learned: a yardstick for better players.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from pi_app.players.contract import Contender, CubeOpinion, Opinion, Situation, Unit, ranked
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.position import BAR, HOME, OFF, Men, TablesPosition, count, numbers, pips
from pi_app.rules.terms import Outcome, Roll, Side

Appraisal: TypeAlias = Callable[[Any, Side], float]
"""The value of an unfinished position for the side that has just played."""

WON = 1e6
"""Appraisal of a point won: more than of everything else together."""


class Appraiser:
    """A `Player` by marks; it has no word on the cube."""

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
    """Appraisal of one greedy player.

    `struck`: an enemy on the bar, or pinned; `off`: an own checker borne off.  `point`: a point
    held by two or more own checkers, or by one on top of an enemy; `home_point`: more for one in
    the own home board.  `blot`: an own checker alone, with an enemy still before it.  `pip`: a pip
    that is left to go; `behind`: an own checker on the bar or in the enemy's home board.
    """

    struck: float
    off: float
    point: float
    home_point: float
    blot: float
    pip: float
    behind: float = 0


PINNER = Weights(struck=100, off=10, point=3, home_point=0, blot=-2, pip=0)
"""Pins whenever it can, else bears off, else holds points, else leaves few alone."""
HITTER = Weights(struck=20, off=12, point=4, home_point=3, blot=-3, pip=-0.1)
"""Hits whenever it can, else bears off, then holds points, rather at home, and leaves few alone."""


SPREAD, AHEAD = 2, 3
"""Marks of Fevga for a point held, and more for one in the enemy's way as he leaves his start."""


def runs(position: TablesPosition, side: Side) -> float:
    """Bears off, then holds many points, rather before the enemy's start."""
    own = position.men(side)
    held = numbers(own)
    ahead = sum(HOME < number <= 2 * HOME for number in held)
    return 12 * count(own, OFF) + SPREAD * len(held) + AHEAD * ahead - 0.1 * pips(own)


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
    """Points held, those of them at home, and checkers alone that an enemy may still strike."""
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


RANDOM = Contender(
    "random",
    "any legal play, all as likely; never doubles, takes every double",
    lambda game: Appraiser(game, lambda *_: 0.0),
    advises=False,
)
PINNER_PLAYER = Contender(
    "greedy",
    "pins whenever it can, else bears off, else holds points, else leaves few checkers alone",
    lambda game: Appraiser(game, marks_of(PINNER)),
)
HITTER_PLAYER = Contender(
    "greedy",
    "hits whenever it can, else bears off, holds points and leaves few checkers alone",
    lambda game: Appraiser(game, marks_of(HITTER)),
)
RUNNER_PLAYER = Contender(
    "greedy",
    "bears off, then holds many points, rather those before the enemy's start",
    lambda game: Appraiser(game, runs),
)
