"""The score of a match, and the doubling cube."""

from __future__ import annotations

from dataclasses import replace

from pi_app.base.values import dataclass
from pi_app.rules.terms import Both, Side

# The doubling cube as a value.


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube: the stake, its owner (None: centred), and the side that has offered a
    double."""

    value: int = 1
    owner: Side | None = None
    offered: Side | None = None

    @property
    def face(self) -> int:
        """The number on top; before the first double a centred cube shows 64."""
        return 64 if self.value == 1 else self.value


# Points, the Crawford game, and what a game is worth.


@dataclass(frozen=True, slots=True)
class Score(Both[int]):
    """Each side's points."""

    white: int = 0
    black: int = 0

    def add(self, side: Side, points: int) -> Score:
        return self.having(side, self[side] + points)

    @property
    def best(self) -> int:
        return max(self)

    @property
    def least(self) -> int:
        return min(self)


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreed match length (None: unlimited) and scoring options.

    `tie_turns_cube`: each tied opening roll doubles the stake, at most `most_ties` times; None is
    no limit.
    """

    match_to: int | None
    cube: bool
    crawford: bool
    tie_turns_cube: bool
    jacoby: bool = False
    most_ties: int | None = None
    beavers: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """A match apart from its position: score, cube, the number of the game, the Crawford game.

    `replayed` counts the ties in a series, after each of which the same game is played again.
    """

    score: Score
    cube: Cube
    game_number: int
    crawford: bool
    crawford_played: bool
    replayed: int = 0

    @property
    def decided(self) -> int:
        """How many games of a series somebody had won before this one."""
        return self.game_number - 1 - self.replayed


def first_game(agreement: Agreement) -> Standing:
    """Return the standing at the start; a match to one point has only a Crawford game."""
    crawford = agreement.crawford and agreement.match_to == 1
    return Standing(Score(), Cube(), 1, crawford, crawford_played=False)


def may_double(agreement: Agreement, standing: Standing, side: Side) -> bool:
    """Whether a side may double before its roll: the cube is centred or its own (Nannon), this is
    not the Crawford game, and the present stake does not decide the match for either side anyway.
    """
    free = standing.cube.owner in (None, side) and standing.cube.offered is None
    last = agreement.match_to is not None and (
        standing.score.least + standing.cube.value >= agreement.match_to
    )
    return agreement.cube and not standing.crawford and free and not last


def offer(standing: Standing, side: Side) -> Standing:
    return replace(standing, cube=replace(standing.cube, offered=side))


def beaver(standing: Standing) -> Standing:
    """The taker doubles at once and keeps the cube; the doubler answers."""
    taken = take(standing)
    return replace(taken, cube=replace(taken.cube, offered=taken.cube.owner))


def take(standing: Standing, *, beavered: bool = False) -> Standing:
    """The double is taken: the stake doubles. The taker owns the cube; after a beaver the one who
    beavered does."""
    offerer = standing.cube.offered
    owner = offerer.other if offerer and not beavered else offerer
    return replace(standing, cube=Cube(standing.cube.value * 2, owner))


def turn_for_tie(agreement: Agreement, standing: Standing) -> Standing:
    """Double the stake after a tied opening roll, if agreed; the cube stays centred."""
    most = agreement.most_ties
    turned = most is not None and standing.cube.value >= 1 << most
    if turned or not agreement.tie_turns_cube or not agreement.cube or standing.crawford:
        return standing
    return replace(standing, cube=Cube(standing.cube.value * 2))


def win(standing: Standing, side: Side, points: int) -> Standing:
    """Add a won game to the score: its points times the stake before any double on offer."""
    cube = standing.cube
    score = standing.score.add(side, points * cube.value)
    return replace(standing, score=score, cube=replace(cube, offered=None))


def worth(agreement: Agreement, standing: Standing, points: int) -> int:
    """Return a game's points before the stake. By the Jacoby rule a gammon counts one point until a
    player has turned the cube.

    Jacoby applies to unlimited play only; in a match every gammon counts.
    """
    plain = agreement.jacoby and agreement.match_to is None and standing.cube.owner is None
    return min(points, 1) if plain else points


def match_won(agreement: Agreement, standing: Standing) -> bool:
    return agreement.match_to is not None and standing.score.best >= agreement.match_to


def next_game(agreement: Agreement, standing: Standing, *, again: bool = False) -> Standing:
    """Return the standing of the next game, with a centred cube.

    The Crawford game is the first game in which a side needs one point. `again`: a game of a
    series was tied.
    """
    played = standing.crawford_played or standing.crawford
    one_away = agreement.match_to is not None and standing.score.best == agreement.match_to - 1
    crawford = agreement.crawford and one_away and not played
    number, replayed = standing.game_number + 1, standing.replayed + again
    return Standing(standing.score, Cube(), number, crawford, played, replayed)
