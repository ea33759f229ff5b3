"""A kept match judged by a player of the machine: what each decision cost, and the dice's luck.

A `Study` says what it wants to know next and is told, so that whoever asks may ask in any way: at
once on the command line, from a process that may die beside a match under way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

from pi_app.coach.moments import Cast, Dilemma, casts, moments
from pi_app.errors import FailedError
from pi_app.export.retold import Kept
from pi_app.players.contract import CubeOpinion, Opinion, Unit
from pi_app.players.wire import Question
from pi_app.referee.decision import What
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll
from pi_app.sentences import Sentence

Answer: TypeAlias = Opinion | CubeOpinion | None
"""What a player says to a question; None where it knows nothing of cubes."""

FACES = 6
CLOSE = 0.16
"""Who rolls has decided something where a double costs less normalised equity, or is right.

So GNU Backgammon 1.07 counts its "close or actual cube decisions".
"""

ONLY_MARKS = Sentence(
    "{player} counts marks of its own, which are neither points nor chances: no loss can be told;"
    " ask another player"
)


class NoLossError(FailedError):
    """A player whose worths mean nothing besides comparing plays."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A moment, what it cost in the unit, at least 0, and the plays that none is better than.

    About the cube `cube` is what each way is worth; `decided`: it counts as a decision, which a
    roll does not where nobody would think of a double.  `equity` is the loss in normalised equity,
    points of a plain game at the stake; None where the player does not tell what a point is worth.
    """

    moment: Dilemma
    unit: Unit
    exact: bool
    loss: float
    best: tuple[Any, ...] = ()
    cube: CubeOpinion | None = None
    decided: bool = True
    equity: float | None = None

    @property
    def right(self) -> What | None:
        """What would have been right about the cube; None for a play."""
        if self.cube is None:
            return None
        if self.moment.what in (What.TAKE, What.PASS):
            return What.TAKE if self.cube.take else What.PASS
        return What.DOUBLE if self.cube.double else What.ROLL


@dataclass(frozen=True, slots=True)
class Lucky:
    """A roll and by how much it was better for its thrower than the mean of all rolls."""

    cast: Cast
    unit: Unit
    luck: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """A match judged by `player`, in the order of the match.

    `unjudged` are the decisions about the cube that the player knows nothing of.  `luck` is None
    where it was not reckoned.
    """

    player: str
    exact: bool
    judged: tuple[Judged, ...]
    unjudged: int = 0
    luck: tuple[Lucky, ...] | None = None


@dataclass(slots=True)
class Study:
    """How far the judging of a match is.

    `with_luck`: whether the dice's luck is reckoned, which asks for every roll of each turn; by
    None only where the player is exact, whose answers cost next to nothing.
    """

    player: str
    kept: Kept
    with_luck: bool | None = None
    moments: tuple[Dilemma, ...] = ()
    casts: tuple[Cast, ...] = ()
    _answers: dict[Question, Answer] = field(default_factory=dict)
    _wanted: list[Question] = field(default_factory=list)
    _game: AnyGame = field(init=False)

    def __post_init__(self) -> None:
        self._game = self.kept.game
        self.moments = tuple(moments(self.kept))
        self._want(moment.question for moment in self.moments)
        if self.with_luck or (self.with_luck is None and not self._wanted):
            self._want_luck()

    @property
    def question(self) -> Question | None:
        """What is to be asked next; None once all is known."""
        return self._wanted[len(self._answers)] if self.left else None

    @property
    def total(self) -> int:
        """How many questions there are, as far as is known yet."""
        return len(self._wanted)

    @property
    def left(self) -> int:
        """How many of them have no answer yet."""
        return len(self._wanted) - len(self._answers)

    def answer(self, answer: Answer) -> None:
        """What the player says to the question; raises NoLossError for a player of marks."""
        question = self.question
        assert question is not None
        if answer is not None and answer.unit is Unit.SCORE:
            raise NoLossError(ONLY_MARKS(player=self.player))
        self._answers[question] = answer
        sure = answer is not None and answer.exact
        if self.with_luck is None and not self.casts and sure:
            self._want_luck()

    def analysis(self) -> Analysis:
        """What has come of it; all questions are answered."""
        judged = tuple(found for moment in self.moments if (found := self._judged(moment)))
        known = [answer for answer in self._answers.values() if answer is not None]
        return Analysis(
            self.player,
            all(answer.exact for answer in known) and bool(known),
            judged,
            len(self.moments) - len(judged),
            tuple(map(self._lucky, self.casts)) if self.casts else None,
        )

    def _want_luck(self) -> None:
        self.casts = tuple(casts(self.kept))
        self._want(
            Question(cast.question.situation, roll)
            for cast in self.casts
            for roll, _ in rolls_of(self._game)
        )

    def _want(self, questions: Iterator[Question]) -> None:
        self._wanted = list(dict.fromkeys((*self._wanted, *questions)))

    def _judged(self, moment: Dilemma) -> Judged | None:
        match self._answers[moment.question]:
            case Opinion() as opinion:
                return _play(self._game, moment, opinion)
            case CubeOpinion() as opinion:
                return _cube(moment, opinion)
            case None:
                return None

    def _lucky(self, cast: Cast) -> Lucky:
        worths = {}
        for roll, _ in rolls_of(self._game):
            opinion = self._answers[Question(cast.question.situation, roll)]
            assert isinstance(opinion, Opinion)
            worths[roll] = opinion.plays[0].worth
            unit = opinion.unit
        mean = sum(weight * worths[roll] for roll, weight in rolls_of(self._game))
        assert cast.question.roll is not None
        return Lucky(cast, unit, worths[cast.question.roll] - mean)


def rolls_of(game: AnyGame) -> tuple[tuple[Roll, float], ...]:
    """Every roll of a turn and how likely it is."""
    faces = combinations_with_replacement(range(1, FACES + 1), game.dice)
    return tuple(
        (Roll.of(*dice), (1 if len(set(dice)) == 1 else len(dice)) / FACES**game.dice)
        for dice in faces
    )


def _play(game: AnyGame, moment: Dilemma, opinion: Opinion) -> Judged:
    position = moment.question.situation.position
    most = opinion.plays[0].worth
    made = next(
        (one.worth for one in opinion.plays if game.after(position, one.play) == moment.result),
        None,
    )
    # A play that the rules of today do not know cannot be weighed against the others.
    loss = 0.0 if made is None else most - made
    equity, decided = normalised(loss, opinion), made is not None
    return Judged(
        moment, opinion.unit, opinion.exact, loss, opinion.best, decided=decided, equity=equity
    )


def _cube(moment: Dilemma, cube: CubeOpinion) -> Judged:
    doubled = min(cube.taken, cube.passed)
    most = max(cube.held, doubled)
    loss = {
        What.ROLL: most - cube.held,
        What.DOUBLE: most - doubled,
        What.TAKE: cube.taken - doubled,
        What.PASS: cube.passed - doubled,
    }[moment.what]
    behind = normalised(most - doubled, cube)
    decided = moment.what is not What.ROLL or behind is None or behind < CLOSE
    equity = normalised(loss, cube)
    return Judged(moment, cube.unit, cube.exact, loss, cube=cube, decided=decided, equity=equity)


def normalised(loss: float, opinion: Opinion | CubeOpinion) -> float | None:
    """A loss in points of a plain game at the stake; None where they are unknown."""
    point = 1.0 if opinion.unit is Unit.POINTS and opinion.point is None else opinion.point
    return None if point is None else loss / point
