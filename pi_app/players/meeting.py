"""Matches between two players: games by the product's own table of turns, and their statistics."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import NamedTuple

from pi_app.base.values import dataclass
from pi_app.match.acts import Act
from pi_app.match.turns import GameResult, Phase, State, Turns
from pi_app.players.contract import ROUNDING, CubeOpinion, Player, Situation
from pi_app.rules.terms import Die, Roll, Side

STANDARD_ERRORS = 1.959963984540054
"""95 % of a normal distribution lie within this many standard errors of its mean."""
MOST_ACTS = 1_000_000
"""The most acts of a game or match with dice."""
FEWEST = 30
"""With this many games the distribution of their mean is close enough to normal."""
FACES = 6
DRAWN = 6
"""Random plays at the start of a game without dice, because players without randomness would repeat
the same game."""
MOST_PLAYS = 300
"""The most turns of a game without dice; then it counts as a tie."""


class EndlessError(RuntimeError):
    """A game that does not end."""


class Interval(NamedTuple):
    """A mean and its 95 % interval; None if unknown."""

    mean: float
    low: float | None
    high: float | None


@dataclass(slots=True)
class Sample:
    """The results of games or matches for the first of two players."""

    won: int = 0
    tied: int = 0
    lost: int = 0
    points: int = 0
    squares: int = 0

    def add(self, points: int) -> None:
        self.won += points > 0
        self.tied += points == 0
        self.lost += points < 0
        self.points += points
        self.squares += points * points

    @property
    def games(self) -> int:
        return self.won + self.tied + self.lost

    @property
    def share(self) -> Interval:
        """The share of wins, ties counting half, with Wilson's interval, which also holds at 0 and
        1."""
        number, z = self.games, STANDARD_ERRORS
        share = (self.won + self.tied / 2) / number
        middle = (share + z * z / (2 * number)) / (1 + z * z / number)
        spread = z * math.sqrt(share * (1 - share) / number + (z / (2 * number)) ** 2)
        half = spread / (1 + z * z / number)
        return Interval(share, max(0.0, middle - half), min(1.0, middle + half))

    @property
    def mean_points(self) -> Interval:
        """The mean points a game, losses negative. Few games, or equal ones, give no interval."""
        number = self.games
        mean = self.points / number
        spread = self.squares - number * mean * mean
        if number < FEWEST or spread <= ROUNDING * self.squares:
            return Interval(mean, None, None)
        half = STANDARD_ERRORS * math.sqrt(spread / (number - 1) / number)
        return Interval(mean, mean - half, mean + half)


def play_out(turns: Turns, players: Mapping[Side, Player], lots: random.Random) -> GameResult:
    """Play a game, or a match if a target was agreed, to its end. Return the last game's result.

    Plays that a player rates equal are chosen at random. Raises EndlessError.
    """
    state, plays = turns.begin(), 0
    for _ in range(MOST_ACTS):
        if state.result and (state.phase is Phase.MATCH_OVER or not turns.agreement.match_to):
            return state.result
        if turns.game.dice == 0 and plays == MOST_PLAYS:
            return GameResult(None, 0, "given up")
        plays = 0 if state.phase is Phase.SET_UP else plays + (state.phase is Phase.MOVING)
        if turns.game.dice == 0 and state.phase is Phase.MOVING and plays <= DRAWN:
            drawn = lots.choice(turns.game.plays(state.position, Roll(())))
            state = turns.act(state, Act.PLAY, drawn)
        else:
            state = _go_on(turns, state, players, lots)
    raise EndlessError(f"the game is not over after {MOST_ACTS} acts")


def _go_on(
    turns: Turns, state: State, players: Mapping[Side, Player], lots: random.Random
) -> State:
    match state.phase:
        case Phase.SET_UP:
            return turns.act(state, Act.BOARD_SET)
        case Phase.OPENING_THROW:
            return turns.act(state, Act.THROW, Die(lots.randint(1, FACES)))
        case Phase.TO_ROLL if _doubles(turns, state, players[state.to_act]):
            return turns.act(state, Act.DOUBLE)
        case Phase.TO_ROLL:
            faces = (lots.randint(1, FACES) for _ in range(turns.game.dice))
            return turns.act(state, Act.ROLL, Roll.of(*faces))
        case Phase.GAME_OVER:
            return turns.act(state, Act.NEXT_GAME)
    return _answered(turns, state, players[state.to_act], lots)


def _answered(turns: Turns, state: State, player: Player, lots: random.Random) -> State:
    if state.roll is None:
        weighed = _weighed(turns, state, player)
        return turns.act(state, Act.TAKE if weighed is None or weighed.take else Act.PASS)
    situation = Situation(state.position, turns.agreement, state.standing)
    rated = player.rate(situation, state.roll)
    return turns.act(state, Act.PLAY, lots.choice(rated.best))


def _doubles(turns: Turns, state: State, player: Player) -> bool:
    if not turns.may_double(state, state.to_act):
        return False
    opinion = _weighed(turns, state, player)
    return opinion is not None and opinion.double


def _weighed(turns: Turns, state: State, player: Player) -> CubeOpinion | None:
    return player.weigh(Situation(state.position, turns.agreement, state.standing))


def meet(turns: Turns, first: Player, second: Player, number: int, seed: str) -> int:
    """Play the game of this number, from 1. Return the points of the first player.

    He is White in odd games. A match counts one point. Without dice two consecutive games use the
    same random plays, so that both players start from the same position.
    """
    white = number % 2 == 1
    drawn = number if turns.game.dice else (number + 1) // 2
    sides = {Side.WHITE: first if white else second, Side.BLACK: second if white else first}
    result = play_out(turns, sides, random.Random(f"{seed}/{drawn}"))
    if result.winner is None:
        return 0
    points = 1 if turns.agreement.match_to else result.points
    return points if (result.winner is Side.WHITE) is white else -points
