"""Nannon's exact player, and the file in the user's cache that spares it the solving."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import platformdirs

from pi_app.files import read_text, replace_text
from pi_app.match.score import Agreement, Standing, worth
from pi_app.players.contract import Contender, CubeOpinion, Opinion, Rated, Situation, Unit
from pi_app.players.nannon.scores import (
    MOST_AWAY,
    Away,
    ScoredGame,
    Stake,
    Terms,
    Worth,
    game_at,
)
from pi_app.players.nannon.solving import (
    NANNON,
    SINGLE,
    Graph,
    Unlimited,
    Values,
    doubled,
    faults,
    make_graph,
    solve_unlimited,
)
from pi_app.rules.nannon.game import Nannon
from pi_app.rules.nannon.position import NannonPosition
from pi_app.rules.terms import Play, Roll, Side

# What of Nannon is solved once: unlimited play, kept in the user's cache, and the scores' worth.
#
# What is kept needs no version and no checksum: values are those of best play where one more round
# changes none of them, and every file is held to that. What is not is solved again.

KEPT = "nannon.json"
MOST_BYTES = 1024 * 1024
MOST_FAULT = 1e-11
"""So much may a round change of what is kept; damage of any kind changes more."""
SHIPPED = Path(__file__).parent / "scores.json"
DECIMALS = 12


def cache_folder() -> Path:
    """Where what can be solved again is kept."""
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
    """What is kept, or None where nothing is, or it is damaged or of other rules."""
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
    """The worths that `write_scores` wrote."""
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
"""So many states of score and cube are remembered; one game of a match has ten."""
MOST_GAMES = 9
"""So many scores are remembered, at most four megabytes each: a match to 3 has no more."""


@dataclass(frozen=True, slots=True)
class Book:
    """One state of score and cube: what every position is worth to a side that is to move.

    `answers` with all that the side may do, the ends behind; `held` when it rolls without a double;
    `taken` when its double is taken, if it may double; `passed` when it is passed; `point` is as in
    `Opinion`.
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
    """A `Player`; `folder` is where unlimited play is kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder()
        self._rules = Nannon()
        self._books: dict[tuple[Agreement, Standing], Book] = {}
        self._games: dict[tuple[Terms, Away], ScoredGame] = {}

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        """Every play, the best first."""
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
        """The game of this score."""
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
    """In points at the stake there is."""
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
