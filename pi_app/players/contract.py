"""What every player of the machine's answers, whatever the game: the one interface of engines.

A player is a value without memory and without chance: the same question has the same answer.  Who
asks draws lots among plays that are alike, and asks in a process of its own (`process.py`) where
nobody may wait.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

from pi_app.base.errors import FailedError
from pi_app.match.score import Agreement, Standing, first_game
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll
from pi_app.words.sentences import Said

UNLIMITED = Agreement(match_to=None, cube=False, crawford=False, tie_turns_cube=False, jacoby=False)
"""Unlimited play without a cube: every game by itself."""


class Unit(Enum):
    """The unit of a value."""

    POINTS = "points"
    """Points a game at the stake there is: what the mover wins on the mean."""
    MATCH = "match"
    """The mover's chance of winning the match, 0 to 1."""
    SCORE = "score"
    """The player's own marks, which compare plays and mean nothing besides."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A position in a match; the mover is who is asked about."""

    position: Any
    agreement: Agreement = UNLIMITED
    standing: Standing = first_game(UNLIMITED)  # noqa: RUF009, a frozen value


@dataclass(frozen=True, slots=True)
class Chances:
    """How the game will end for the mover: the chance of each kind of win or a better one, and of
    each kind of loss or a worse one, in the order of the game's `outcome_names`.

    The first of `won` is his chance to win.  Where both first ones are less than all, it may be a
    tie.
    """

    won: tuple[float, ...]
    lost: tuple[float, ...]

    @property
    def across(self) -> Chances:
        """The same for the other side."""
        return Chances(self.lost, self.won)


@dataclass(frozen=True, slots=True)
class Rated:
    """A legal play and what it is worth to its mover; `chances` where the player has any."""

    play: Any
    worth: float
    chances: Chances | None = None


@dataclass(frozen=True, slots=True)
class Opinion:
    """Every legal play, the best first; `exact`: proven, no estimate.

    `point` is half of what winning a plain game at this stake instead of losing it changes, in the
    unit: normalised equities are counted in it, as GNU Backgammon does.  None where unknown.
    """

    unit: Unit
    exact: bool
    plays: tuple[Rated, ...]
    point: float | None = None

    @property
    def best(self) -> tuple[Any, ...]:
        """The plays that none is better than, within a rounding."""
        most = self.plays[0].worth
        return tuple(rated.play for rated in self.plays if rated.worth >= most - ROUNDING)


ROUNDING = 1e-11


def ranked(
    unit: Unit,
    exact: bool,
    worths: Mapping[Any, float],
    point: float | None,
    chances: Mapping[Any, Chances] = MappingProxyType({}),
) -> Opinion:
    """The opinion with these plays' worths, the best first."""
    rated = (Rated(play, worth, chances.get(play)) for play, worth in worths.items())
    return Opinion(unit, exact, tuple(sorted(rated, key=lambda one: -one.worth)), point)


@dataclass(frozen=True, slots=True)
class CubeOpinion:
    """The cube before the mover's roll, as the mover sees it: what each way is worth to him.

    `held`: he rolls without doubling; `taken`: he doubles and the other takes; `passed`: the other
    passes.  The other takes where that costs him no more than passing.  `point` is as in `Opinion`;
    `chances` are those before the roll, where the player has any.
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


Answer: TypeAlias = Opinion | CubeOpinion | None
"""A player's answer to a question; None without cube advice."""


class Player(Protocol):
    """A player of one game."""

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        """Every play of a roll; the game is not over.

        `made` is a play that somebody made: it is looked at as closely as the best.
        """

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        """The cube, where the mover may double or has done so and waits for the answer.

        None of a player who knows nothing of cubes: he never doubles and always takes.
        """


@dataclass(frozen=True, slots=True)
class Question:
    """A situation, with the roll that is to be played, or None where it is about the cube.

    `made` is the play whose worth is wanted, judged as closely as the best; None where none was.
    """

    situation: Situation
    roll: Roll | None
    made: Any = None

    def put(self, player: Player) -> Answer:
        if self.roll is None:
            return player.weigh(self.situation)
        return player.rate(self.situation, self.roll, self.made)


class PlayerError(FailedError):
    """A player that cannot be had here, or that cannot answer."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A player that a game offers: its name, what it is in a few words, and how it is made.

    `advises`: what it says is worth telling somebody who asks for a hint.  `missing`: why it cannot
    be had here, and what to do, or None; then `make` raises PlayerError, which says the same.
    `weaker`: why it plays less well here than it could, likewise, in English.
    """

    name: str
    says: str
    make: Callable[[AnyGame], Player]
    advises: bool = True
    missing: Callable[[], Said | None] = lambda: None
    weaker: Callable[[], str | None] = lambda: None
