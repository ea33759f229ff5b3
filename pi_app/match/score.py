"""The score of a match, and the doubling cube."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.rules.terms import Both, Side

# The doubling cube as a value.


@dataclass(frozen=True, slots=True)
class Cube:
    """The stake, who owns the cube (None: in the middle), and who has offered a double."""

    value: int = 1
    owner: Side | None = None
    offered: Side | None = None

    @property
    def face(self) -> int:
        """The cube's face: 64 until a double is taken (Nannon)."""
        return 64 if self.value == 1 else self.value


# Points, the Crawford game, and what a game is worth.


@dataclass(frozen=True, slots=True)
class Score(Both[int]):
    """The points of either side."""

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
    """The agreed target (None: unlimited) and cube options.

    Each tie of opening dice turns the cube where `tie_turns_cube`, but no more than `most_ties`;
    None is no limit.
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
    """The match between games and within one: score, cube, which game, whether it is Crawford's."""

    score: Score
    cube: Cube
    game_number: int
    crawford: bool
    crawford_played: bool


def first_game(agreement: Agreement) -> Standing:
    """Nothing scored; a match to one point is its own Crawford game."""
    crawford = agreement.crawford and agreement.match_to == 1
    return Standing(Score(), Cube(), 1, crawford, crawford_played=False)


def may_double(agreement: Agreement, standing: Standing, side: Side) -> bool:
    """Whether a side may double before its roll (Nannon: a centred cube, or its owner). Not if the
    present stake already decides the match for either side."""
    free = standing.cube.owner in (None, side) and standing.cube.offered is None
    last = agreement.match_to is not None and (
        standing.score.least + standing.cube.value >= agreement.match_to
    )
    return agreement.cube and not standing.crawford and free and not last


def offer(standing: Standing, side: Side) -> Standing:
    return replace(standing, cube=replace(standing.cube, offered=side))


def beaver(standing: Standing) -> Standing:
    """The double is taken and doubled again at once by the taker, who keeps the cube."""
    taken = take(standing)
    return replace(taken, cube=replace(taken.cube, offered=taken.cube.owner))


def take(standing: Standing, *, beavered: bool = False) -> Standing:
    """The double is taken: the stake doubles and the taker owns the cube, or who beavered."""
    offerer = standing.cube.offered
    owner = offerer.other if offerer and not beavered else offerer
    return replace(standing, cube=Cube(standing.cube.value * 2, owner))


def turn_for_tie(agreement: Agreement, standing: Standing) -> Standing:
    """A tied opening throw turns the cube where that was agreed; it stays in the middle."""
    most = agreement.most_ties
    turned = most is not None and standing.cube.value >= 1 << most
    if turned or not agreement.tie_turns_cube or not agreement.cube or standing.crawford:
        return standing
    return replace(standing, cube=Cube(standing.cube.value * 2))


def win(standing: Standing, side: Side, points: int) -> Standing:
    """A game is won: its points times the stake *before* any double on offer."""
    cube = standing.cube
    score = standing.score.add(side, points * cube.value)
    return replace(standing, score=score, cube=replace(cube, offered=None))


def worth(agreement: Agreement, standing: Standing, points: int) -> int:
    """A game's points before the stake; by Jacoby only a cube that a player has turned makes more
    than one of them.

    Jacoby is for unlimited play: in a match every gammon counts.
    """
    plain = agreement.jacoby and agreement.match_to is None and standing.cube.owner is None
    return min(points, 1) if plain else points


def match_won(agreement: Agreement, standing: Standing) -> bool:
    return agreement.match_to is not None and standing.score.best >= agreement.match_to


def next_game(agreement: Agreement, standing: Standing) -> Standing:
    """A fresh cube; the Crawford game is the first in which someone needs one point."""
    played = standing.crawford_played or standing.crawford
    one_away = agreement.match_to is not None and standing.score.best == agreement.match_to - 1
    crawford = agreement.crawford and one_away and not played
    return Standing(standing.score, Cube(), standing.game_number + 1, crawford, played)
