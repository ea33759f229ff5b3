"""Nannon's exact player: every position solved, in unlimited play and at every score."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from enum import Enum
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import platformdirs

from pi_app.adding import added
from pi_app.files import read_text, replace_text
from pi_app.match.score import Agreement, Standing, worth
from pi_app.players.contract import Contender, CubeOpinion, Opinion, Rated, Situation, Unit
from pi_app.rules.contract import Opening
from pi_app.rules.nannon import CHECKERS, SPOTS, Nannon, NannonPosition, impossible
from pi_app.rules.terms import Play, Roll, Side

# Nannon as a graph: every position, seen by its mover, and what each die offers.
#
# The rules core makes it, so nothing here knows a rule. A position is White's to move; where Black
# is to move it is turned round and its colours change.

FACES = 6
ENDS = 2
"""A game ends by a win or by a NANNON."""

Offers: TypeAlias = tuple[tuple[int, ...], ...]
"""For each face of the die, the nodes that the mover's plays lead to."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Positions by number, those nearest to the end of the game first.

    `choices` has a row a position.  The numbers behind the last position are the ends: the mover
    has won, the mover has won a NANNON.
    """

    positions: tuple[NannonPosition, ...]
    numbers: Mapping[NannonPosition, int]
    choices: Sequence[Offers]
    paired: Sequence[Offers]
    """The same for two sides that are not alike: rows and numbers of the first side to move, then
    of the second, then the ends of the first, then of the second."""

    def __len__(self) -> int:
        return len(self.positions)

    def number(self, position: NannonPosition) -> int:
        """The number of a position that is not over, whoever is to move."""
        return self.numbers[seen_by_mover(position)]

    def end(self, points: int) -> int:
        """The number of a game that its mover has just won, for so many points."""
        return len(self) + points - 1


def seen_by_mover(position: NannonPosition) -> NannonPosition:
    """The position with White to move that is the same to its mover."""
    if position.mover is Side.WHITE:
        return position
    spots = tuple(owner and owner.other for owner in reversed(position.spots))
    return NannonPosition(spots, (position.home[1], position.home[0]), Side.WHITE)


def make_graph() -> Graph:
    """Every position that a board can show and that is not over, whether play leads to it or not.

    Half a second: what stands on a board may have been put there by hand.
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
    """A game's distance to its end: checkers not in SAFETY, then pips; texts break ties."""
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
"""Rounds end when no value changes by more."""
EVALUATIONS = 6
"""Evaluations of a choice before the next look at the clock."""
MOST_ROUNDS = 1000
"""More than enough; a game that never settles would be another game."""

Values: TypeAlias = list[float]

NO_DOUBLE = float("-inf")
"""The floor of a mover who may not double."""


def solve(
    choices: Sequence[Offers],
    ends: Sequence[float],
    floor: Values | None = None,
    guess: Values | None = None,
    precision: float = PRECISION,
) -> tuple[Values, Values]:
    """The rolled values and the values of all rows; `ends` are what the ends win their mover."""
    floor = floor or [NO_DOUBLE] * len(choices)
    # What follows a play is the other's to judge: an end is that much lost to him.
    values = [*(guess or [0.0] * len(choices)), *(-won for won in ends)]
    for _ in range(MOST_ROUNDS):
        chosen, change = _improve(choices, floor, values)
        if change <= precision:
            return _rolled(choices, values), values[: len(choices)]
        for _ in range(EVALUATIONS):
            _evaluate(chosen, floor, values)
    raise ArithmeticError(f"Nannon's values still change by {change} after {MOST_ROUNDS} rounds")


def residual(
    choices: Sequence[Offers], ends: Sequence[float], rolled: Values, floor: Values | None = None
) -> float:
    """The largest deviation of these rolled values from best play."""
    floor = floor or [NO_DOUBLE] * len(choices)
    values = [*map(max, rolled, floor), *(-won for won in ends)]
    again = _rolled(choices, values)
    return max(abs(one - other) for one, other in zip(rolled, again, strict=True))


def _improve(
    choices: Sequence[Offers], floor: Values, values: Values
) -> tuple[list[tuple[int, ...]], float]:
    """Every play chosen anew, the values with it; the choice, and the largest change."""
    worst = 0.0
    chosen = []
    for number, row in enumerate(choices):
        nodes = tuple([
            offer[0] if len(offer) == 1 else min(offer, key=values.__getitem__) for offer in row
        ])  # fmt: skip
        chosen.append(nodes)
        value = max(-added([values[node] for node in nodes]) / FACES, floor[number])
        worst = max(worst, abs(value - values[number]))
        values[number] = value
    return chosen, worst


def _evaluate(chosen: Sequence[tuple[int, ...]], floor: Values, values: Values) -> None:
    for number, (a, b, c, d, e, f) in enumerate(chosen):
        value = (values[a] + values[b] + values[c] + values[d] + values[e] + values[f]) / -FACES
        values[number] = value if value > floor[number] else floor[number]


def _rolled(choices: Iterable[Offers], values: Values) -> Values:
    return [
        -added([min([values[node] for node in offer]) for offer in row]) / FACES for row in choices
    ]


@dataclass(frozen=True, slots=True)
class Unlimited:
    """Rolled values in unlimited play, in points at a stake of one.

    `wins` counts every game once: the winner's chance less the loser's; `points` a NANNON twice,
    without a cube.  With the cube: `owned` by the mover, by the other (`theirs`), in the `middle`;
    `jacoby` in the middle where a NANNON counts twice only once the cube was turned.
    """

    wins: Values
    points: Values
    owned: Values
    theirs: Values
    middle: Values
    jacoby: Values


SINGLE = (1.0, 1.0)
NANNON = (1.0, 2.0)


def solve_unlimited(graph: Graph) -> Unlimited:
    """All of them; about a second."""
    wins, _ = solve(graph.choices, SINGLE)
    points, _ = solve(graph.choices, NANNON)
    owned, theirs = _solve_owned(graph)
    floor = doubled(theirs)
    middle, _ = solve(graph.choices, NANNON, floor)
    jacoby, _ = solve(graph.choices, SINGLE, floor)
    return Unlimited(wins, points, owned, theirs, middle, jacoby)


def doubled(theirs: Values) -> Values:
    """The value of doubling in unlimited play: twice that of the taken position, or one point."""
    return [min(2 * value, 1.0) for value in theirs]


def _solve_owned(graph: Graph) -> tuple[Values, Values]:
    """The cube on a side: one double leads to the same with the sides changed, at twice the stake.

    So the floor is made of the values themselves, until it stays.
    """
    size = len(graph)
    barred = [NO_DOUBLE] * size
    rolled, values = solve(graph.paired, NANNON * 2, precision=1e-3)
    precision = 1e-3
    for _ in range(MOST_ROUNDS):
        floor = [*doubled(rolled[size:]), *barred]
        before = rolled
        rolled, values = solve(graph.paired, NANNON * 2, floor, values, precision)
        change = max(abs(one - other) for one, other in zip(before, rolled, strict=True))
        if change <= PRECISION:
            return rolled[:size], rolled[size:]
        precision = max(PRECISION, min(precision, change / 10))
    raise ArithmeticError(f"Nannon's cube still changes values by {change}")


def faults(graph: Graph, values: Unlimited) -> float:
    """The largest deviation from `solve_unlimited`."""
    floor = doubled(values.theirs)
    barred = [NO_DOUBLE] * len(graph)
    return max(
        residual(graph.choices, SINGLE, values.wins),
        residual(graph.choices, NANNON, values.points),
        residual(graph.paired, NANNON * 2, [*values.owned, *values.theirs], [*floor, *barred]),
        residual(graph.choices, NANNON, values.middle, floor),
        residual(graph.choices, SINGLE, values.jacoby, floor),
    )


# Nannon in a match: what every score is worth, and every position at a score, with the cube.
#
# A score is how many points each side is away from the target. Values are the mover's chance to
# win the match less the other's. Scores are solved backward from the end: a game leads to scores
# with fewer points to go, which are known by then. Within a game the cube is solved from the
# highest stake that matters down to one: a stake that decides the match whoever wins is a game of
# its own, in which only winning counts.

MOST_AWAY = 21
"""The most points to go among known scores."""
DIFFERENCES = {difference: (6 - difference) / 15 for difference in range(1, 6)}
"""How likely each difference of two unlike dice is."""
TIE = 1 / 6
SCORE_PRECISION = 1e-12


class Terms(Enum):
    """The parts of an agreement that affect a score's value."""

    PLAIN = "no cube"
    CUBE = "cube"
    CRAWFORD = "cube, Crawford to come"
    CUBE_TIES = "cube turned by ties"
    CRAWFORD_TIES = "cube turned by ties, Crawford to come"

    @property
    def ties(self) -> bool:
        return self in (Terms.CUBE_TIES, Terms.CRAWFORD_TIES)

    @property
    def afterwards(self) -> Terms:
        return {Terms.CRAWFORD: Terms.CUBE, Terms.CRAWFORD_TIES: Terms.CUBE_TIES}.get(self, self)


Away: TypeAlias = tuple[int, int]
"""Points to go: the mover's, then the other's; or of the one who is asked about, then the other."""

Worth: TypeAlias = Mapping[Away, float]
"""What scores are worth before a game's opening throw, to the first of the two."""


class Stake(NamedTuple):
    """The cube: its value, and whether the first side owns it, or the second, or nobody."""

    value: int = 1
    first_owns: bool | None = None


@dataclass(frozen=True, slots=True)
class StakeValues:
    """StakeValues values of both sides and, where the one to move may double, what a double brings.

    First the positions with the first side to move, then those with the second, as in
    `Graph.paired`; `taken` is what is lost or won with a taken double, `cash` with a passed one.
    """

    rolled: Values
    values: Values
    taken: Values | None
    cash: tuple[float, float]


class ScoredGame:
    """One game of a match, begun at a score: every position of it, at every stake, when asked for.

    `worth` are the scores that it may lead to, `wins` the rolled values where only winning counts.
    `crawford`: nobody doubles in it.
    """

    def __init__(
        self, graph: Graph, wins: Values, terms: Terms, away: Away, worth: Worth, crawford: bool
    ) -> None:
        self._graph, self._away, self._worth = graph, away, worth
        self._decisive = [*wins, *wins]
        self._terms = terms
        self._live = terms is not Terms.PLAIN and not crawford
        self._solved: dict[Stake, StakeValues] = {}

    def at(self, stake: Stake) -> StakeValues:
        if stake not in self._solved:
            self._solved[stake] = self._solve(stake)
        return self._solved[stake]

    def worth_now(self) -> float:
        """What the score is worth to the first side, before the opening throw."""
        stake, chance, total = Stake(), 1.0, 0.0
        while self._terms.ties and self._may_double(stake):
            total += chance * (1 - TIE) * self._opened(stake)
            stake, chance = Stake(2 * stake.value), chance * TIE
        return total + chance * self._opened(stake)

    def _opened(self, stake: Stake) -> float:
        """Either side begins, as often."""
        values, size = self.at(stake).values, len(self._graph)
        return (opened(self._graph, values[size:]) - opened(self._graph, values[:size])) / 2

    def _may_double(self, stake: Stake) -> bool:
        return self._live and stake.value < max(self._away)

    def _solve(self, stake: Stake) -> StakeValues:
        cash = (self.won(stake.value, first=True), self.won(stake.value, first=False))
        ends = [
            self.won(points * stake.value, first) for first in (True, False) for points in (1, 2)
        ]
        choices, size = self._graph.paired, len(self._graph)
        if stake.value >= max(self._away):
            return StakeValues(self._decisive, self._decisive, None, cash)
        if not self._may_double(stake):
            rolled, values = solve(choices, ends, precision=SCORE_PRECISION)
            return StakeValues(rolled, values, None, cash)
        taken, floor = list[float](), list[float]()
        for first in (True, False):
            if stake.first_owns in (None, first):
                part = slice(None, size) if first else slice(size, None)
                more = self.at(Stake(2 * stake.value, not first)).rolled[part]
                most = cash[0 if first else 1]
                taken += more
                floor += [min(value, most) for value in more]
            else:
                taken += [NO_DOUBLE] * size
                floor += [NO_DOUBLE] * size
        guess = self.at(Stake(2 * stake.value, stake.first_owns is not True)).values
        rolled, values = solve(choices, ends, floor, guess, SCORE_PRECISION)
        return StakeValues(rolled, values, taken, cash)

    def won(self, points: int, first: bool) -> float:
        """The value of winning these points, which include the stake."""
        mine, other = self._away if first else self._away[::-1]
        if points >= mine:
            return 1.0
        return self._worth[mine - points, other]


def opened(graph: Graph, answers: Values) -> float:
    """A game's value for the side that begins; `answers` are the other's values."""
    game = Nannon()
    assert game.opening is Opening.DIFFERENCE
    start = game.start(Side.WHITE)
    return added(
        chance
        * max(-answers[graph.number(result)] for result in game.results(start, Roll.of(difference)))
        for difference, chance in DIFFERENCES.items()
    )


def game_at(
    graph: Graph, wins: Values, terms: Terms, away: Away, worths: Mapping[Terms, Worth]
) -> ScoredGame:
    """A game begun at this score; `worths` has the scores with fewer points to go."""
    crawford = terms is not terms.afterwards and 1 in away
    worth = worths[terms.afterwards if crawford else terms]
    return ScoredGame(graph, wins, terms, away, worth, crawford)


def solve_scores(
    graph: Graph, terms: Sequence[Terms], most: int
) -> Mapping[Terms, dict[Away, float]]:
    """The worth of every score up to so many points to go; `CUBE` comes before `CRAWFORD`.

    A fifth of a second for each cube of each score: to 3 points in seconds, to 21 in half an hour.
    """
    wins, _ = solve(graph.choices, SINGLE)
    worths: dict[Terms, dict[Away, float]] = {}
    for each in terms:
        worth = worths[each] = {}
        for total in range(2, 2 * most + 1):
            for mine in range(max(1, total - most), total // 2 + 1):
                value = game_at(graph, wins, each, (mine, total - mine), worths).worth_now()
                worth[mine, total - mine] = value
                worth[total - mine, mine] = -value
    return worths


# What of Nannon is solved once: unlimited play, kept in the user's cache, and the scores' worth.
#
# What is kept needs no version and no checksum: values are those of best play where one more round
# changes none of them, and every file is held to that. What is not is solved again.

KEPT = "nannon.json"
MOST_BYTES = 1024 * 1024
MOST_FAULT = 1e-11
"""The largest change by another round over stored values; damage of any kind changes more."""
SHIPPED = Path(__file__).parent / "scores.json"
DECIMALS = 12


def cache_folder() -> Path:
    """The cache of solved games."""
    return platformdirs.user_cache_path("spotter")


def recall(graph: Graph, folder: Path) -> Unlimited:
    """Unlimited play from the folder, or solved and kept there, if it can be."""
    file = folder / KEPT
    values = _read(graph, file)
    if values is None:
        values = solve_unlimited(graph)
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            replace_text(file, json.dumps(astuple(values)))
    return values


def _read(graph: Graph, file: Path) -> Unlimited | None:
    """The stored values; None if missing, damaged or of other rules."""
    try:
        lists = json.loads(read_text(file, MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(lists, list) or len(lists) != len(fields(Unlimited)):
        return None
    if not all(_is_values(values, len(graph)) for values in lists):
        return None
    kept = Unlimited(*lists)
    return kept if faults(graph, kept) <= MOST_FAULT else None


def _is_values(values: object, size: int) -> bool:
    return (
        isinstance(values, list)
        and len(values) == size
        and all(type(value) is float and math.isfinite(value) for value in values)
    )


def shipped_scores() -> Mapping[Terms, Worth]:
    """The worth of every score with up to 21 points to go, as it comes with Spotter."""
    return read_scores(SHIPPED.read_text(encoding="utf-8"))


def read_scores(text: str) -> Mapping[Terms, Worth]:
    worths: dict[Terms, dict[Away, float]] = {}
    for name, rows in json.loads(text).items():
        worth = worths[Terms(name)] = {}
        for mine, row in enumerate(rows, start=1):
            for other, value in enumerate(row, start=mine):
                worth[other, mine] = -value
                worth[mine, other] = value
    return worths


def write_scores(worths: Mapping[Terms, Worth], most: int = MOST_AWAY) -> str:
    """The text of a file: for each terms a row for each number of points to go, a line a row.

    A row begins with equal scores; what is on the other side of them is the same, lost.
    """
    tables = []
    for terms, table in worths.items():
        numbers = range(1, most + 1)
        rows = [_row([table[mine, other] for other in range(mine, most + 1)]) for mine in numbers]
        joined = ",\n".join(rows)
        tables.append(f"{json.dumps(terms.value)}: [\n{joined}\n]")
    return "{\n" + ",\n".join(tables) + "\n}\n"


def _row(values: Values) -> str:
    return json.dumps([round(value, DECIMALS) + 0.0 for value in values])


# The exact player of Nannon: every play and every use of the cube is the best there is.
#
# In unlimited play all is solved at first use and kept. In a match the worth of every score comes
# with Spotter, and the game at hand is solved when it is first asked about. With more than 21
# points to go it plays as in unlimited play, and says that this is not exact.

MOST_BOOKS = 64
"""Cached states of score and cube; one game of a match has ten."""
MOST_GAMES = 9
"""Cached scores of at most four megabytes each; a match to 3 has no more."""


@dataclass(frozen=True, slots=True)
class Book:
    """One state of score and cube, with every position's value for the side to move.

    `answers` with all actions and the ends behind them; `held` without a double; `taken` with its
    double taken, if it may double; `passed` with its double passed; `point` as in `Opinion`.
    """

    unit: Unit
    exact: bool
    answers: Mapping[Side, Values]
    held: Mapping[Side, Values]
    taken: Mapping[Side, Values]
    passed: Mapping[Side, float]
    point: float
    rated: dict[tuple[NannonPosition, Roll], Opinion]

    def told(self, value: float) -> float:
        """A value in its unit: in a match the chance of winning it."""
        return (1 + value) / 2 if self.unit is Unit.MATCH else value


class ExactNannon:
    """A `Player`; `folder` caches unlimited play."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder()
        self._rules = Nannon()
        self._books: dict[tuple[Agreement, Standing], Book] = {}
        self._games: dict[tuple[Terms, Away], ScoredGame] = {}

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        book = self._book(situation)
        key = (situation.position, roll)
        if key not in book.rated:
            book.rated[key] = self._rate(book, *key)
        return book.rated[key]

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        """The cube; None where the mover may not double."""
        book, side = self._book(situation), situation.position.mover
        number = self._graph.number(situation.position)
        if side not in book.taken:
            return None
        values = (book.held[side][number], book.taken[side][number], book.passed[side])
        held, taken, passed = map(book.told, values)
        return CubeOpinion(book.unit, book.exact, held, taken, passed, book.point)

    def _rate(self, book: Book, position: NannonPosition, roll: Roll) -> Opinion:
        answers = book.answers[position.mover.other]
        rated = [
            Rated(play, book.told(-answers[self._node(position, play)]))
            for play in self._rules.plays(position, roll)
        ]
        rated.sort(key=lambda one: -one.worth)
        return Opinion(book.unit, book.exact, tuple(rated), book.point)

    def _node(self, position: NannonPosition, play: Play) -> int:
        result = self._rules.after(position, play)
        outcome = self._rules.outcome(result)
        return self._graph.end(outcome.points) if outcome else self._graph.number(result)

    def _book(self, situation: Situation) -> Book:
        key = (situation.agreement, situation.standing)
        if key not in self._books:
            if len(self._books) >= MOST_BOOKS:
                self._books.clear()
            self._books[key] = self._open(*key)
        return self._books[key]

    def _open(self, agreement: Agreement, standing: Standing) -> Book:
        if agreement.match_to is None:
            return _unlimited(self._unlimited, agreement, standing, exact=True)
        away = (
            agreement.match_to - standing.score.white,
            agreement.match_to - standing.score.black,
        )
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
            {},
        )

    def _game(self, terms: Terms, away: Away) -> ScoredGame:
        if (terms, away) not in self._games:
            if len(self._games) >= MOST_GAMES:
                self._games.clear()
            made = game_at(self._graph, self._unlimited.wins, terms, away, self._scores)
            self._games[terms, away] = made
        return self._games[terms, away]

    @cached_property
    def _graph(self) -> Graph:
        return make_graph()

    @cached_property
    def _unlimited(self) -> Unlimited:
        return recall(self._graph, self._folder)

    @cached_property
    def _scores(self) -> Mapping[Terms, Worth]:
        return shipped_scores()


EXACT = Contender(
    "exact", "exact: every play and double the best there is", lambda _: ExactNannon()
)


def _terms(agreement: Agreement, standing: Standing) -> Terms:
    if not agreement.cube:
        return Terms.PLAIN
    if agreement.crawford and not standing.crawford_played:
        return Terms.CRAWFORD_TIES if agreement.tie_turns_cube else Terms.CRAWFORD
    return Terms.CUBE_TIES if agreement.tie_turns_cube else Terms.CUBE


def _unlimited(values: Unlimited, agreement: Agreement, standing: Standing, exact: bool) -> Book:
    """The value in points at the present stake."""
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
        {},
    )
