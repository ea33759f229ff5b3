"""The contract of an engine: what every player of the machine answers, in any game.

A player is a value without memory and without randomness: the same question has the same answer.
The caller chooses at random among equally good plays, and runs the player in a process of its own
(`process.py`) where nobody may wait.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from pi_app.base.errors import FailedError
from pi_app.base.values import dataclass
from pi_app.match.score import Agreement, Standing, first_game
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll
from pi_app.words.sentences import Said, Sentence

UNLIMITED = Agreement(match_to=None, cube=False, crawford=False, tie_turns_cube=False, jacoby=False)
"""Unlimited play without a cube, so that each game counts by itself."""


class Unit(Enum):
    """The unit of a worth."""

    POINTS = "points"
    """The mover's mean points per game at the present stake."""
    MATCH = "match"
    """The mover's chance to win the match, 0 to 1."""
    SCORE = "score"
    """The engine's own marks, which only rank plays."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A position in a match, seen from the mover."""

    position: Any
    agreement: Agreement = UNLIMITED
    standing: Standing = first_game(UNLIMITED)


@dataclass(frozen=True, slots=True)
class Chances:
    """How the game will end for the mover: `won` are the chances of each kind of win or a better
    one, `lost` those of each kind of loss or a worse one, in the order of the game's
    `outcome_names`.

    The first of `won` is the chance to win. If it and the first of `lost` add up to less than 1,
    the rest is a tie.
    """

    won: tuple[float, ...]
    lost: tuple[float, ...]

    @property
    def across(self) -> Chances:
        """The same chances as the other side sees them."""
        return Chances(self.lost, self.won)


@dataclass(frozen=True, slots=True)
class Rated:
    """A legal play and its worth to the mover; `chances` if the player knows them.

    `plies` is how deeply this play was searched, as its player counts: 2 are called one ply deeper
    than 1. None if the player does not search by plies.
    """

    play: Any
    worth: float
    chances: Chances | None = None
    plies: int | None = None


@dataclass(frozen=True, slots=True)
class Opinion:
    """Every legal play, the best first; `exact`: the worths are proven, not estimated.

    `point` is half the difference between winning and losing a single game at this stake, in the
    unit. Worths divided by it are normalised equities, as GNU Backgammon has them. None if unknown.
    """

    unit: Unit
    exact: bool
    plays: tuple[Rated, ...]
    point: float | None = None

    @property
    def best(self) -> tuple[Any, ...]:
        """The plays that are best, within rounding."""
        most = self.plays[0].worth
        return tuple(rated.play for rated in self.plays if rated.worth >= most - ROUNDING)


ROUNDING = 1e-11


def ranked(
    unit: Unit,
    exact: bool,
    worths: Mapping[Any, float],
    point: float | None,
    chances: Mapping[Any, Chances] = {},
    plies: Mapping[Any, int] = {},
) -> Opinion:
    """Return the opinion with these worths."""
    rated = (
        Rated(play, worth, chances.get(play), plies.get(play)) for play, worth in worths.items()
    )
    return Opinion(unit, exact, tuple(sorted(rated, key=lambda one: -one.worth)), point)


@dataclass(frozen=True, slots=True)
class CubeOpinion:
    """The cube before the mover's roll: what each action is worth to him.

    `held`: he rolls without doubling. `taken`: he doubles and the opponent takes. `passed`: the
    opponent passes, which he does if taking costs him more. `point` is as in `Opinion`; `chances`
    are those before the roll, if the player knows them.
    """

    unit: Unit
    exact: bool
    held: float
    taken: float
    passed: float
    point: float | None = None
    chances: Chances | None = None

    @property
    def take(self) -> bool:
        return self.taken <= self.passed + ROUNDING

    @property
    def double(self) -> bool:
        return min(self.taken, self.passed) > self.held + ROUNDING


@dataclass(frozen=True, slots=True)
class RollsOpinion:
    """What each roll is worth to the mover if he plays it as well as the player can."""

    unit: Unit
    exact: bool
    worths: Mapping[Roll, float]


@dataclass(frozen=True, slots=True)
class RolloutGames:
    """Games that both sides play on after a play, or before the roll if `play` is None.

    They are `games` games, whose numbers count on from `first`. `seed` and its number draw the
    rolls of a game, whatever the play. Each is judged after `turns` turns, if it has not ended.
    """

    play: Any
    seed: str
    first: int
    games: int
    turns: int


@dataclass(frozen=True, slots=True)
class TrialsOpinion:
    """What each of the games came to for the mover, and the mean of its chances.

    The luck of the rolls is taken off, as far as the player can judge it. `point` is as in
    `Opinion`.
    """

    unit: Unit
    worths: tuple[float, ...]
    chances: Chances
    point: float | None = None
    exact: bool = False


Answer: TypeAlias = Opinion | CubeOpinion | RollsOpinion | TrialsOpinion | None
"""A player's answer; None if it has no opinion about the cube."""


class Player(Protocol):
    """A player of one game. Its class inherits this one for `foresee`."""

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        """Rate every play of a roll. The game must not be over.

        `made` is a play that somebody made; it is searched as deeply as the best.
        """

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        """Weigh the cube, if the mover may double or has doubled and waits for the answer.

        None if the player does not know cubes: then it never doubles and always takes.
        """

    def foresee(self, situation: Situation, rolls: Sequence[Roll]) -> RollsOpinion:
        """Rate these rolls, at least one. The game must not be over."""
        best = {roll: self.rate(situation, roll) for roll in rolls}
        worths = {roll: opinion.plays[0].worth for roll, opinion in best.items()}
        (unit,) = {opinion.unit for opinion in best.values()}
        return RollsOpinion(unit, all(opinion.exact for opinion in best.values()), worths)

    def play_on(self, situation: Situation, roll: Roll | None, trials: RolloutGames) -> Answer:
        """Play games on. None if the player does not, as most."""
        return None


@dataclass(frozen=True, slots=True)
class Question:
    """A situation with the roll to be played, or None for a question about the cube.

    `made` is a play whose worth is wanted, searched as deeply as the best; None if there is none.
    If there are `rolls`, the question is what each of them is worth; if there are `trials`, what
    these games come to.
    """

    situation: Situation
    roll: Roll | None
    made: Any = None
    rolls: tuple[Roll, ...] = ()
    trials: RolloutGames | None = None

    def put(self, player: Player) -> Answer:
        if self.trials:
            return player.play_on(self.situation, self.roll, self.trials)
        if self.rolls:
            return player.foresee(self.situation, self.rolls)
        if self.roll is None:
            return player.weigh(self.situation)
        return player.rate(self.situation, self.roll, self.made)


class PlayerError(FailedError):
    """A player that is not available here, or cannot answer."""


BARS = 8
"""The most bars of strength."""


PERFECT = Sentence("Perfect")
"""The title of an exact player."""


@dataclass(frozen=True, slots=True)
class Rival:
    """What people see of an engine that plays a side: `title` is its name for them, `bars` its
    strength from 0 to BARS, `rating` a measured figure as text, if there is one."""

    name: str
    title: str
    bars: int
    rating: str = ""


@dataclass(frozen=True, slots=True)
class Contender:
    """A player that a game offers: its name, a short description, and the function that makes it.

    `advises`: its opinion is good enough for hints. `missing`: why it is not available here and
    what to do, or None; then `make` raises PlayerError with the same text. `weaker`: why it plays
    less well here than it could, likewise, in English. `title`, `bars` and `rating` are a rival's.
    `quick` is the name of the player that estimates luck in its place, because luck needs every
    roll of each turn; its own if empty. `plays_on`: it plays games on for a rollout. `program`: the
    path of a program outside Spotter that it asks.
    """

    name: str
    says: str
    make: Callable[[AnyGame], Player]
    advises: bool = True
    missing: Callable[[], Said | None] = lambda: None
    weaker: Callable[[], str | None] = lambda: None
    title: str = ""
    bars: int = 0
    rating: str = ""
    quick: str = ""
    plays_on: bool = False
    program: Callable[[], str | None] = lambda: None

    @property
    def rival(self) -> Rival:
        return Rival(self.name, self.title or self.name, self.bars, self.rating)


@dataclass(frozen=True, slots=True)
class Solution:
    """What every position of a game is worth, in a file that is made on this machine.

    `file` is its path, `lacking` why that file is no solution, None if it is one. `make` makes or
    finishes it with a number of processor cores, or makes it again, tells the steps done and all
    steps, and returns how often it went over all positions. It raises PlayerError.
    """

    file: Callable[[], Path]
    lacking: Callable[[Path], Said | None]
    make: Callable[[Path, int, Callable[[int, int], None], bool], int]
