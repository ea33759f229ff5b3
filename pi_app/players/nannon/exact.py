"""Nannon's perfect player: every position solved, in unlimited play and at every score."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from pi_app.base.adding import added
from pi_app.base.values import dataclass
from pi_app.match.score import Agreement, Standing, worth
from pi_app.players.contract import (
    BARS,
    PERFECT,
    Chances,
    Contender,
    CubeOpinion,
    Opinion,
    Player,
    Situation,
    Unit,
    ranked,
)
from pi_app.rules.nannon import CHECKERS, SPOTS, Nannon, NannonPosition, impossible
from pi_app.rules.terms import Play, Roll, Side

# Nannon as a graph: every position, seen by its mover, and what each die offers.
#
# The rules core makes it, so nothing here knows a rule. A position is White's to move; where Black
# is to move it is turned round and its colours change.

FACES = 6
ENDS = 2
"""The ways to win: a plain win, and a NANNON."""

Offers: TypeAlias = tuple[tuple[int, ...], ...]
"""For each face of the die, the nodes that the mover's plays lead to."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Positions by number, those nearest to the end of the game first.

    `choices` has one row for each position. The numbers after the last position are finished games:
    the mover has won, the mover has won a NANNON.
    """

    positions: tuple[NannonPosition, ...]
    numbers: Mapping[NannonPosition, int]
    choices: Sequence[Offers]
    paired: Sequence[Offers]
    """The same for two sides with different values: rows and numbers of the side to move first,
    then of the other, then the ends of each."""

    def __len__(self) -> int:
        return len(self.positions)

    def number(self, position: NannonPosition) -> int:
        """Return the number of an unfinished position, whichever side moves."""
        return self.numbers[seen_by_mover(position)]

    def end(self, points: int) -> int:
        """Return the number of a game that the mover has just won for this many points."""
        return len(self) + points - 1


def seen_by_mover(position: NannonPosition) -> NannonPosition:
    """Return the equivalent position with White to move."""
    if position.mover is Side.WHITE:
        return position
    spots = tuple(owner and owner.other for owner in reversed(position.spots))
    return NannonPosition(spots, (position.home[1], position.home[0]), Side.WHITE)


def make_graph() -> Graph:
    """Number every unfinished position that a board can show, whether play leads to it or not.

    Positions may be set up by hand. It takes half a second.
    """
    game = Nannon()
    home = range(CHECKERS + 1)
    spots = product((None, *Side), repeat=SPOTS)
    boards = [
        position
        for placed, white, black in product(spots, home, home)
        if not impossible(position := NannonPosition(placed, (white, black), Side.WHITE))
        and not game.outcome(position)
    ]
    positions = tuple(sorted(boards, key=_distance))
    numbers = {position: number for number, position in enumerate(positions)}
    size = len(positions)

    def node(result: NannonPosition) -> int:
        outcome = game.outcome(result)
        return size + outcome.points - 1 if outcome else numbers[seen_by_mover(result)]

    choices = [
        tuple(
            tuple(sorted({node(to) for to in game.results(position, Roll.of(face))}))
            for face in range(1, FACES + 1)
        )
        for position in positions
    ]
    return Graph(positions, numbers, choices, _paired(choices))


def _distance(position: NannonPosition) -> tuple[int, int, str]:
    """Sort positions by distance to the end: checkers not in SAFETY, then pips; texts
    break ties."""
    steps = [
        SPOTS - index if owner is Side.WHITE else index + 1
        for index, owner in enumerate(position.spots)
        if owner
    ]
    home = sum(position.home)
    signs = "".join(owner.letter if owner else "." for owner in position.spots)
    return len(steps) + home, sum(steps) + (SPOTS + 1) * home, f"{signs}{position.home}"


def _paired(choices: Sequence[Offers]) -> Sequence[Offers]:
    size = len(choices)

    def moved(to: int, first: bool) -> int:
        """Positions become the other side's; the ends stay the mover's own."""
        if to >= size:
            return to + size + (0 if first else ENDS)
        return to + size if first else to

    return [
        tuple(tuple(moved(to, first) for to in offer) for offer in row)
        for first in (True, False)
        for row in choices
    ]


# Solving Nannon: what every position is worth to a mover who, like the other, plays at his best.
#
# Values are the mover's and zero-sum: what one side has the other lacks. A *rolled* value is that
# of a mover about to roll, whatever he might have done with the cube before; the *value* is the
# better of that and of doubling, which comes as a floor: the least that a mover gets who may
# double.
#
# Policy iteration: all plays are chosen anew, then the choice is evaluated a few times over, until
# nothing changes. Positions come nearest to the end first and new values are used at once, so that
# some forty rounds are exact to a float's last digits.

PRECISION = 1e-13
"""Iteration stops once no value changes by more than this."""
EVALUATIONS = 6
"""Evaluations of a choice before the clock is checked again."""
MOST_ROUNDS = 1000
"""Far more rounds than Nannon needs."""

Values: TypeAlias = list[float]

NO_DOUBLE = float("-inf")
"""The floor for a mover who may not double."""


def solve(
    choices: Sequence[Offers],
    ends: Sequence[float],
    floor: Values | None = None,
    guess: Values | None = None,
    precision: float = PRECISION,
) -> tuple[Values, Values]:
    """Return each row's value after the roll and before it, for the side to move.

    `ends` is the worth of finished games to their mover, `floor` what each row's mover can have by
    a double instead, `guess` values to begin with. Raises ArithmeticError for values that do not
    settle.
    """
    floor = floor or [NO_DOUBLE] * len(choices)
    # What follows a play is the other's to judge: an end is that much lost to him.
    values = [*(guess or [0.0] * len(choices)), *(-won for won in ends)]
    for _ in range(MOST_ROUNDS):
        chosen, change = _improve(choices, floor, values)
        if change <= precision:
            return rolled_values(choices, values), values[: len(choices)]
        for _ in range(EVALUATIONS):
            _evaluate(chosen, floor, values)
    raise ArithmeticError(f"Nannon's values still change by {change} after {MOST_ROUNDS} rounds")


def _improve(
    choices: Sequence[Offers], floor: Values, values: Values
) -> tuple[list[tuple[int, ...]], float]:
    """Choose every play anew. Return the choice and the largest change."""
    worst, worth = 0.0, values.__getitem__
    chosen = []
    for number, row in enumerate(choices):
        nodes = tuple([offer[0] if len(offer) == 1 else min(offer, key=worth) for offer in row])
        chosen.append(nodes)
        value = max(_summed(values, nodes) / -FACES, floor[number])
        worst = max(worst, abs(value - values[number]))
        values[number] = value
    return chosen, worst


def _summed(values: Values, nodes: tuple[int, ...]) -> float:
    """Sum from left to right, three times faster than `added`."""
    a, b, c, d, e, f = nodes
    return values[a] + values[b] + values[c] + values[d] + values[e] + values[f]


def _evaluate(chosen: Sequence[tuple[int, ...]], floor: Values, values: Values) -> None:
    for number, (a, b, c, d, e, f) in enumerate(chosen):
        value = (values[a] + values[b] + values[c] + values[d] + values[e] + values[f]) / -FACES
        values[number] = value if value > floor[number] else floor[number]


def rolled_values(choices: Iterable[Offers], values: Values) -> Values:
    """Return the mover's values before a roll, given the values of what can follow."""
    return [
        -added([min([values[node] for node in offer]) for offer in row]) / FACES for row in choices
    ]


def chances_of(choices: Sequence[Offers], values: Values) -> list[Chances]:
    """Return how games end for the mover of each row, then of each end, if both sides play by these
    values."""
    values = [*values, *(-points for points in NANNON)]
    chosen = [tuple([min(offer, key=values.__getitem__) for offer in row]) for row in choices]
    won, twice, lost_twice = ([0.0] * len(values) for _ in range(3))
    lost_twice[-1] = 1.0
    for _ in range(MOST_ROUNDS):
        before = [*twice, *won]
        for number, nodes in enumerate(chosen):
            won[number] = 1 - _summed(won, nodes) / FACES
            twice[number] = _summed(lost_twice, nodes) / FACES
            lost_twice[number] = _summed(twice, nodes) / FACES
        if max(abs(new - old) for new, old in zip((*twice, *won), before, strict=True)) < PRECISION:
            break
    return [
        Chances((win, two), (1 - win, lost))
        for win, two, lost in zip(won, twice, lost_twice, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Unlimited:
    """Rolled values in unlimited play, in points at a stake of one.

    `wins` counts every game once: the chance to win less the chance to lose. `points` counts a
    NANNON twice, without a cube. With a cube: `owned` by the mover, by the opponent (`theirs`), or
    centred (`middle`). `jacoby`: centred, where a NANNON counts twice only after the cube was
    turned.
    """

    wins: Values
    points: Values
    owned: Values
    theirs: Values
    middle: Values
    jacoby: Values


SINGLE = (1.0, 1.0)
NANNON = (1.0, 2.0)


def doubled(theirs: Values) -> Values:
    """Return the worth of doubling in unlimited play: twice that of the taken position, or one
    point."""
    return [min(2 * value, 1.0) for value in theirs]


# Nannon in a match: what every score is worth, and every position at a score, with the cube.
#
# A score is how many points each side is away from the target. Values are the mover's chance to
# win the match less the other's. Scores are solved backward from the end: a game leads to scores
# with fewer points to go, which are known by then. Within a game the cube is solved from the
# highest stake that matters down to one: a stake that decides the match whoever wins is a game of
# its own, in which only winning counts.

MOST_AWAY = 21
"""The most points to go for which scores are known."""
SCORE_PRECISION = 1e-12


class Terms(Enum):
    """The parts of an agreement that affect the worth of a score."""

    PLAIN = "no cube"
    CUBE = "cube"
    CRAWFORD = "cube, Crawford to come"
    CUBE_TIES = "cube turned by ties"
    CRAWFORD_TIES = "cube turned by ties, Crawford to come"

    @property
    def afterwards(self) -> Terms:
        return {Terms.CRAWFORD: Terms.CUBE, Terms.CRAWFORD_TIES: Terms.CUBE_TIES}.get(self, self)


Away: TypeAlias = tuple[int, int]
"""Points to go: first the mover's, or those of the side asked about, then the other's."""

Worth: TypeAlias = Mapping[Away, float]
"""What each score is worth to the first of the two sides, before a game's opening roll."""


class Stake(NamedTuple):
    """The cube: its value, and whether the first side, the second or nobody owns it."""

    value: int = 1
    first_owns: bool | None = None


class StakeValues(NamedTuple):
    """The values at one stake, for both sides as in `Graph.paired`.

    `taken` are those of a taken double, where anybody may double.
    """

    rolled: Values
    values: Values
    taken: Values | None = None


class ScoredGame:
    """One game of a match from a score on: every position at every stake, computed when asked for.

    `wins` are the rolled values if only winning counts; `worths` has the scores with fewer points
    to go. In the Crawford game nobody doubles.
    """

    def __init__(
        self, graph: Graph, wins: Values, terms: Terms, away: Away, worths: Mapping[Terms, Worth]
    ) -> None:
        crawford = terms is not terms.afterwards and 1 in away
        self._graph, self._away = graph, away
        self._worth = worths[terms.afterwards if crawford else terms]
        self._decisive = StakeValues([*wins, *wins], [*wins, *wins])
        self._live = terms is not Terms.PLAIN and not crawford
        self._solved: dict[Stake, StakeValues] = {}

    def at(self, stake: Stake) -> StakeValues:
        if stake not in self._solved:
            self._solved[stake] = self._solve(stake)
        return self._solved[stake]

    def may_double(self, stake: Stake) -> bool:
        return self._live and stake.value < max(self._away)

    def _solve(self, stake: Stake) -> StakeValues:
        if stake.value >= max(self._away):
            return self._decisive
        choices, size = self._graph.paired, len(self._graph)
        ends = [self.won(n * stake.value, first) for first in (True, False) for n in (1, 2)]
        if not self.may_double(stake):
            return StakeValues(*solve(choices, ends, precision=SCORE_PRECISION))
        taken, floor = list[float](), list[float]()
        for first in (True, False):
            more = [NO_DOUBLE] * size
            if stake.first_owns in (None, first):
                part = slice(None, size) if first else slice(size, None)
                more = self.at(Stake(2 * stake.value, not first)).rolled[part]
            taken += more
            most = self.won(stake.value, first)
            floor += [min(value, most) for value in more]
        guess = self.at(Stake(2 * stake.value, stake.first_owns is not True)).values
        return StakeValues(*solve(choices, ends, floor, guess, SCORE_PRECISION), taken)

    def won(self, points: int, first: bool) -> float:
        mine, other = self._away if first else self._away[::-1]
        if points >= mine:
            return 1.0
        return self._worth[mine - points, other]


# The exact player of Nannon: every play and every use of the cube is the best there is.
#
# Unlimited play and the worth of every score come with Spotter (`tests/nannon_scores.py` solves
# them); the game at hand of a match is solved when it is first asked about. With more than 21
# points to go it plays as in unlimited play, and says that this is not exact.

FOLDER = Path(__file__).parent

MOST_BOOKS = 64
"""The most states of score and cube that are cached; a game of a match has ten."""
MOST_GAMES = 9
"""The most scores that are cached, at most four megabytes each; a match to 3 has no more."""


@dataclass(frozen=True, slots=True)
class Book:
    """One state of score and cube: every position's value to the side to move.

    `answers` are the values with all cube actions; `held` without a double; `taken` after a taken
    double, if it may double; `passed` after a pass. `point` is as in `Opinion`.
    """

    unit: Unit
    exact: bool
    answers: Mapping[Side, Values]
    held: Mapping[Side, Values]
    taken: Mapping[Side, Values]
    passed: Mapping[Side, float]
    point: float

    def in_unit(self, value: float) -> float:
        """Convert a value to its unit; in a match to the chance of winning it."""
        return (1 + value) / 2 if self.unit is Unit.MATCH else value


class ExactNannon(Player):
    """Perfect plays and perfect cube decisions."""

    def __init__(self) -> None:
        self._rules, self._graph = Nannon(), make_graph()
        self._unlimited, self._scores = read_unlimited(), read_scores()
        self._book = lru_cache(MOST_BOOKS)(self._open)
        self._game = lru_cache(MOST_GAMES)(self._begin)

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        position = situation.position
        book = self._book(situation.agreement, situation.standing)
        answers = book.answers[position.mover.other]
        worths = {
            play: book.in_unit(-answers[self._node(position, play)])
            for play in self._rules.plays(position, roll)
        }
        chances = {play: self._chances[self._node(position, play)].across for play in worths}
        return ranked(book.unit, book.exact, worths, book.point, chances)

    @cached_property
    def _chances(self) -> list[Chances]:
        """The chances of each node, if both sides play for points without a cube."""
        return chances_of(self._graph.choices, self._unlimited.points)

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        """Weigh the cube; None if the mover may not double."""
        book, side = self._book(situation.agreement, situation.standing), situation.position.mover
        number = self._graph.number(situation.position)
        if side not in book.taken:
            return None
        values = (book.held[side][number], book.taken[side][number], book.passed[side])
        held, taken, passed = map(book.in_unit, values)
        chances = self._chances[number]
        return CubeOpinion(book.unit, book.exact, held, taken, passed, book.point, chances)

    def _node(self, position: NannonPosition, play: Play) -> int:
        result = self._rules.after(position, play)
        outcome = self._rules.outcome(result)
        return self._graph.end(outcome.points) if outcome else self._graph.number(result)

    def _open(self, agreement: Agreement, standing: Standing) -> Book:
        if agreement.match_to is None:
            return _unlimited(self._unlimited, agreement, standing, exact=True)
        white, black = (agreement.match_to - standing.score[side] for side in Side)
        away = (white, black)
        if max(away) > MOST_AWAY:
            return _unlimited(self._unlimited, agreement, standing, exact=False)
        return self._in_match(agreement, standing, away)

    def _in_match(self, agreement: Agreement, standing: Standing, away: Away) -> Book:
        """White is the first side."""
        terms, cube = _terms(agreement, standing), standing.cube
        game = self._game(terms, away)
        owner = None if cube.owner is None else cube.owner is Side.WHITE
        priced, size = game.at(Stake(cube.value, owner)), len(self._graph)
        part = {Side.WHITE: slice(None, size), Side.BLACK: slice(size, None)}

        def ends(side: Side) -> Values:
            return [-game.won(n * cube.value, side is Side.BLACK) for n in (1, 2)]

        free = [side for side in Side if priced.taken and cube.owner in (None, side)]
        return Book(
            Unit.MATCH,
            True,
            {side: [*priced.values[part[side]], *ends(side)] for side in Side},
            {side: priced.rolled[part[side]] for side in Side},
            {side: priced.taken[part[side]] for side in free} if priced.taken else {},
            {side: game.won(cube.value, side is Side.WHITE) for side in Side},
            sum(game.won(cube.value, first) for first in (True, False)) / 4,
        )

    def _begin(self, terms: Terms, away: Away) -> ScoredGame:
        return ScoredGame(self._graph, self._unlimited.wins, terms, away, self._scores)


def read_unlimited() -> Unlimited:
    return Unlimited(*json.loads((FOLDER / "unlimited.json").read_text("utf-8")))


def read_scores() -> Mapping[Terms, Worth]:
    """Read the worths of scores up to 21 points to go. Each row of the file begins with the equal
    score."""
    worths: dict[Terms, dict[Away, float]] = {}
    for name, rows in json.loads((FOLDER / "scores.json").read_text("utf-8")).items():
        worth = worths[Terms(name)] = {}
        for mine, row in enumerate(rows, start=1):
            for other, value in enumerate(row, start=mine):
                worth[other, mine] = -value
                worth[mine, other] = value
    return worths


EXACT = Contender(
    "exact",
    "exact: every play and double the best there is",
    lambda _: ExactNannon(),
    title=PERFECT(),
    bars=BARS,
)


def _terms(agreement: Agreement, standing: Standing) -> Terms:
    if not agreement.cube:
        return Terms.PLAIN
    if agreement.crawford and not standing.crawford_played:
        return Terms.CRAWFORD_TIES if agreement.tie_turns_cube else Terms.CRAWFORD
    return Terms.CUBE_TIES if agreement.tie_turns_cube else Terms.CUBE


def _unlimited(values: Unlimited, agreement: Agreement, standing: Standing, exact: bool) -> Book:
    cube, live = standing.cube, agreement.cube and not standing.crawford
    ends = NANNON if worth(agreement, standing, 2) == 2 else SINGLE
    floor = doubled(values.theirs)

    def held(side: Side) -> Values:
        if not live:
            return values.points if ends == NANNON else values.wins
        if cube.owner is None:
            return values.middle if ends == NANNON else values.jacoby
        return values.owned if cube.owner is side else values.theirs

    free = [side for side in Side if live and cube.owner in (None, side)]
    rolled = {side: held(side) for side in Side}
    played = {
        side: list(map(max, rolled[side], floor)) if side in free else rolled[side] for side in Side
    }
    return Book(
        Unit.POINTS,
        exact,
        {side: [*played[side], *(-won for won in ends)] for side in Side},
        rolled,
        {side: [2 * value for value in values.theirs] for side in free},
        dict.fromkeys(Side, 1.0),
        1.0,
    )
