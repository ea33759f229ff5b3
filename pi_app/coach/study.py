"""Stored matches judged: decisions, losses, marks, ratings, and the lesson from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field, replace
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from pi_app.base.adding import added
from pi_app.base.errors import FailedError
from pi_app.base.files import alone_in, read_text, replace_text
from pi_app.base.typed_json import JsonError, plain, read, typed, write
from pi_app.base.values import dataclass
from pi_app.coach.rollout import Rollout
from pi_app.export.retold import Kept, RetoldStep
from pi_app.match.acts import Act
from pi_app.match.score import Agreement, Cube, Standing, may_double
from pi_app.match.turns import Phase, first_roll
from pi_app.players.contract import (
    Answer,
    CubeOpinion,
    Opinion,
    Question,
    Rated,
    RollsOpinion,
    Situation,
    TrialsOpinion,
    Unit,
)
from pi_app.referee.events import MatchId, Start
from pi_app.referee.options import agree
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame, Games
from pi_app.rules.naming import name_players
from pi_app.rules.terms import Both, Die, Roll, RulesError, Side, read_roll, rolls_of
from pi_app.words.sentences import Sentence

# What an analysis comes to: marks for what was lost, and each player's figures.


class Mark(Enum):
    GOOD = "good"
    DOUBTFUL = "doubtful"
    ERROR = "error"
    BLUNDER = "blunder"


MARKED_FROM: Mapping[Mark, float] = {Mark.BLUNDER: 0.12, Mark.ERROR: 0.06, Mark.DOUBTFUL: 0.03}
"""The loss of normalised equity from which a decision has this mark; GNU Backgammon 1.07's defaults
for "very bad", "bad" and "doubtful"."""
ABOUT_CUBE = (Act.ROLL, Act.DOUBLE, Act.TAKE, Act.PASS, Act.BEAVER)
NOTHING = 1e-9
"""A loss below this is a rounding error."""
RATING = 500
"""The rating is the mean normalised loss of a decision times this, as usual in Backgammon."""


class Grade(Enum):
    """What a Backgammon player with a certain rating is called."""

    SUPERNATURAL = "supernatural"
    WORLD_CLASS = "world class"
    EXPERT = "expert"
    ADVANCED = "advanced"
    INTERMEDIATE = "intermediate"
    CASUAL = "casual player"
    BEGINNER = "beginner"


GRADED_BELOW: Mapping[Grade, float] = {
    Grade.SUPERNATURAL: 1.0,
    Grade.WORLD_CLASS: 2.5,
    Grade.EXPERT: 4.0,
    Grade.ADVANCED: 6.0,
    Grade.INTERMEDIATE: 9.0,
    Grade.CASUAL: 13.0,
}
"""The rating below which a player is called so: GNU Backgammon's overall rating, whose thresholds
of the loss a decision are 0.002, 0.005, 0.008, 0.012, 0.018 and 0.026 (`arThrsRating` in
`analysis.c` of 1.07; its manual, "Overall rating"). Everybody above is a beginner; GNU Backgammon
calls some of them "Awful!"."""


def grade_of(rating: float) -> Grade:
    found = (grade for grade, most in GRADED_BELOW.items() if rating < most)
    return next(found, Grade.BEGINNER)


class ErrorKind(Enum):
    """What a decision was about: a play, whether to double, or whether to take."""

    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"


KIND_OF: Mapping[Act, ErrorKind] = {
    Act.PLAY: ErrorKind.PLAY,
    Act.ROLL: ErrorKind.DOUBLE,
    Act.DOUBLE: ErrorKind.DOUBLE,
    Act.TAKE: ErrorKind.TAKE,
    Act.PASS: ErrorKind.TAKE,
    Act.BEAVER: ErrorKind.TAKE,
}


def mark_of(judged: Judged) -> Mark:
    lost = equity_of(judged)
    return next((mark for mark, least in MARKED_FROM.items() if lost > least), Mark.GOOD)


def equity_of(judged: Judged) -> float:
    """The normalised loss. If only the match chance is known, the least that it can be.

    That is its value in the last game of a match, where the chance goes from 0 to 1.
    """
    return 2 * judged.loss if judged.equity is None else judged.equity


@dataclass(frozen=True, slots=True)
class OfKind:
    """One player's figures for one kind of decision, as in `Errors`."""

    kind: ErrorKind
    decisions: int
    doubtful: int
    errors: int
    blunders: int
    loss: float
    equity: float | None

    @property
    def rating(self) -> float | None:
        """As in `Errors`, of these decisions alone."""
        return None if self.equity is None else RATING * self.equity / self.decisions


@dataclass(frozen=True, slots=True)
class Errors:
    """One player's figures in one unit.

    `loss` is the sum of all losses, `equity` the same in normalised equity, None if unknown. `luck`
    is None if not computed. `kinds` are those with at least one decision.
    """

    unit: Unit
    decisions: int
    doubtful: int
    errors: int
    blunders: int
    loss: float
    luck: float | None
    equity: float | None
    kinds: tuple[OfKind, ...] = ()

    @property
    def mean(self) -> float:
        return self.loss / self.decisions if self.decisions else 0.0

    @property
    def rating(self) -> float | None:
        """The performance rating, 0 is best; None if the equity is unknown."""
        if self.equity is None or not self.decisions:
            return None
        return RATING * self.equity / self.decisions


def blunders_first(analysis: Analysis) -> tuple[Judged, ...]:
    """The decisions that cost something, the largest loss first; equal losses in match order."""
    lost = (judged for judged in analysis.judged if judged.loss > NOTHING)
    return tuple(sorted(lost, key=lambda one: -equity_of(one)))


def errors_of(analysis: Analysis) -> Mapping[Side, tuple[Errors, ...]]:
    """Both players' figures in each unit that the judge used."""
    units = dict.fromkeys(judged.unit for judged in analysis.judged)
    return {side: tuple(_errors(analysis, side, unit) for unit in units) for side in Side}


def _errors(analysis: Analysis, side: Side, unit: Unit) -> Errors:
    own = [
        judged
        for judged in analysis.judged
        if judged.decided and judged.unit is unit and judged.moment.side is side
    ]
    luck = None
    if analysis.luck is not None:
        luck = added(
            one.luck for one in analysis.luck if one.unit is unit and one.cast.side is side
        )
    return Errors(
        unit,
        len(own),
        *_marks(own),
        _loss(own),
        luck,
        _together(own),
        tuple(kind for each in ErrorKind if (kind := _of_kind(own, each)).decisions),
    )


def _of_kind(own: list[Judged], kind: ErrorKind) -> OfKind:
    some = [judged for judged in own if KIND_OF[judged.moment.what] is kind]
    return OfKind(kind, len(some), *_marks(some), _loss(some), _together(some))


def _marks(some: list[Judged]) -> tuple[int, int, int]:
    """How many decisions are doubtful, errors and blunders."""
    marks = [mark_of(judged) for judged in some]
    return marks.count(Mark.DOUBTFUL), marks.count(Mark.ERROR), marks.count(Mark.BLUNDER)


def _loss(some: list[Judged]) -> float:
    return added(judged.loss for judged in some)


def _together(some: list[Judged]) -> float | None:
    """Their total cost in normalised equity; None if one is unknown."""
    known = [judged.equity for judged in some if judged.equity is not None]
    return added(known) if len(known) == len(some) else None


# What of a kept match can be judged: each play, each use of the cube, each roll of the dice.
#
# Only the game that counts is judged: what was taken back was never played.


@dataclass(frozen=True, slots=True)
class Dilemma:
    """A decision that can be judged.

    `number` counts the decisions of the match from 1, `turn` the plays of the game as its sheet
    does; `game` is the number of the game. `what` is a play, a double, a take, a pass, a beaver, or
    ROLL: rolling although a double was possible. `play` is what was played and `result` the
    position after it, None for the cube. `beavered`: it answers a beaver; `question` is about the
    double before it then, too.
    """

    number: int
    game: int
    turn: int
    side: Side
    what: Act
    question: Question
    play: Any = None
    result: Any = None
    beavered: bool = False


class CountedStep(NamedTuple):
    number: int
    turn: int
    step: RetoldStep


def moments(kept: Kept) -> Iterator[Dilemma]:
    """Yield every decision of a player. Raises EventError for no match.

    A play that is the only legal one is left out, and so is what today's rules cannot read.
    """
    _, options = agree(kept.start, kept.games)
    doubled: Standing | None = None
    for steps in counted(kept):
        if steps.step.decision.what is Act.DOUBLE:
            doubled = steps.step.before.standing
        with suppress(RulesError):
            moment = _moment(steps.step.game, options.agreement, steps, doubled)
            if moment:
                yield moment


@dataclass(frozen=True, slots=True)
class Cast:
    """A roll of a turn, or the opening roll; `number`, `game` and `turn` are as in `Dilemma`.

    `side` rolled, or begins the game. `roll` is what it then has to play, None if it rolls afresh.
    `others` is what else might have come: the question for each side that might be on roll, all as
    likely, with the likelihood of each of its rolls.
    """

    number: int
    game: int
    turn: int
    side: Side
    roll: Roll | None
    others: Mapping[Side, tuple[Question, Mapping[Roll, float]]]


def casts(kept: Kept) -> Iterator[Cast]:
    """Yield all rolls. Raises EventError for an invalid match."""
    _, options = agree(kept.start, kept.games)
    for number, turn, step in counted(kept):
        before, game, opens = step.before, step.game, _opens(step)
        if not before.position or not (opens or (step.decision.what is Act.ROLL and game.dice)):
            continue
        standing = step.after.standing
        with suppress(RulesError):
            position = game.read_position(before.position)
            others = {}
            for side in Side if opens else (before.to_act,):
                likely = _opening_rolls(game) if opens else rolls_of(game.dice)
                situation = Situation(game.with_mover(position, side), options.agreement, standing)
                others[side] = Question(situation, None, rolls=tuple(likely)), likely
            roll = step.after.roll if opens else step.decision.dice
            yield Cast(number, standing.game_number, turn, step.after.to_act, roll, others)


def _opens(step: RetoldStep) -> bool:
    """Whether it is the die that decides who begins."""
    return step.decision.what is Act.THROW and step.after.phase is not Phase.OPENING_THROW


def _opening_rolls(game: AnyGame) -> Mapping[Roll, float]:
    """The likelihood of each first roll of the side that begins."""
    found = dict[Roll, float]()
    for high, low in OPENING_DICE:
        roll = first_roll(game.opening, high, low)
        if roll is None:
            return rolls_of(game.dice)
        found[roll] = found.get(roll, 0.0) + 1 / len(OPENING_DICE)
    return found


OPENING_DICE = tuple((Die(high), Die(low)) for high in range(2, 7) for low in range(1, high))
"""The higher and the lower die of an opening roll, all as likely."""


def counted(kept: Kept) -> tuple[CountedStep, ...]:
    """All decisions except those that were undone or mistyped."""
    steps: list[CountedStep] = []
    gone: list[list[CountedStep]] = []
    played = 0
    for number, step in enumerate(kept.steps(), start=1):
        match step.decision.what:
            case Act.TAKE_BACK:
                gone.append(list(steps))
                del steps[_undone(steps, step) :]
            case Act.RESTORE if gone:
                steps = gone.pop()
            case Act.CHANGE_DICE:
                while steps and steps[-1].step.decision.what in (Act.ROLL, Act.THROW):
                    steps.pop()
            case Act.NEXT_GAME:
                played = 0
            case _:
                steps.append(CountedStep(number, played + 1, step))
                played += step.decision.what is Act.PLAY
    return tuple(steps)


def _undone(steps: list[CountedStep], step: RetoldStep) -> int:
    wanted = (step.after.position, step.after.roll)
    for place in range(len(steps) - 1, -1, -1):
        before = steps[place].step.before
        if (before.position, before.roll) == wanted and before.phase is Phase.MOVING:
            return place
    return len(steps)


def _moment(
    game: AnyGame, agreement: Agreement, told: CountedStep, doubled: Standing | None
) -> Dilemma | None:
    """`doubled` is the standing at the last double."""
    number, turn, step = told
    before, decision = step.before, step.decision
    standing, side = before.standing, before.to_act
    if not before.position:
        return None
    position = game.read_position(before.position)
    if decision.what in (Act.PLAY, Act.CORRECT):
        roll = before.roll if before.roll is not None else decision.dice
        results = game.results(position, roll) if roll is not None else ()
        result = _result(game, position, step)
        if roll is None or len(results) < 2 or result not in results:
            return None
        play = game.plays(position, roll)[results.index(result)]
        question = Question(Situation(position, agreement, standing), roll, play)
        game_number = standing.game_number
        return Dilemma(number, game_number, turn, side, Act.PLAY, question, play, result)
    beavered = standing.cube.offered is game.mover(position).other
    if decision.again or (beavered and doubled is None):
        # Whoever knows the dice decides nothing about the cube.
        return None
    if beavered and doubled:
        standing = doubled
    # A double is asked about as it stood before it was offered: it is one question with its answer.
    standing = replace(standing, cube=replace(standing.cube, offered=None))
    rolled = decision.what is Act.ROLL and before.phase is Phase.TO_ROLL
    free = rolled and may_double(agreement, standing, side) and not _wins(agreement, standing, side)
    if not free and decision.what not in (Act.DOUBLE, Act.TAKE, Act.PASS, Act.BEAVER):
        return None
    question, of_game = (
        Question(Situation(position, agreement, standing), None),
        standing.game_number,
    )
    return Dilemma(number, of_game, turn, side, decision.what, question, beavered=beavered)


def _wins(agreement: Agreement, standing: Standing, side: Side) -> bool:
    won = standing.score[side] + standing.cube.value
    return agreement.match_to is not None and won >= agreement.match_to


def _result(game: AnyGame, position: Any, step: RetoldStep) -> Any:
    """The position after a play. A correction to a legal result counts as that play."""
    if step.decision.what is Act.PLAY:
        return game.after(position, game.read_play(position, step.decision.play or ""))
    return game.read_position(step.after.position)


# A kept match judged by a player of the machine: what each decision cost, and the dice's luck.
#
# A `Study` says what it wants to know next and is told, so that whoever asks may ask in any way:
# at once on the command line, from a process that may die beside a match under way.

CLOSE = 0.16
"""Not doubling counts as a decision if a double is right or loses less normalised equity than this,
as in GNU Backgammon 1.07's "close or actual cube decisions"."""

ONLY_MARKS = Sentence("{player} counts neither points nor chances, so no loss is known")


MOST_RATED = 3
"""So many of the best plays are kept of each decision."""


class NoLossError(FailedError):
    """The player only ranks plays, so losses cannot be measured."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision, what it lost in the unit (0 or more), and the best plays.

    `cube` is what each cube action is worth. `decided`: it counts as a decision, which a roll does
    not if nobody would think of a double. `equity` is the loss in normalised equity, None if the
    player does not say what a point is worth. `rated` are the play made and the few best ones, the
    best first, if the player knows them.
    """

    moment: Dilemma
    unit: Unit
    exact: bool
    loss: float
    best: tuple[Any, ...] = ()
    cube: CubeOpinion | None = None
    decided: bool = True
    equity: float | None = None
    rated: tuple[Rated, ...] = ()

    @property
    def right(self) -> Act | None:
        """The correct cube action; None for a play."""
        if self.cube is None:
            return None
        if self.moment.beavered:
            return Act.TAKE if 2 * self.cube.taken >= -2 * self.cube.passed else Act.PASS
        if self.moment.what is Act.BEAVER and self.cube.taken < 0:
            return Act.BEAVER
        if self.moment.what in (Act.TAKE, Act.PASS, Act.BEAVER):
            return Act.TAKE if self.cube.take else Act.PASS
        return Act.DOUBLE if self.cube.double else Act.ROLL


@dataclass(frozen=True, slots=True)
class Lucky:
    """A roll, and how much better than the mean of all rolls it was."""

    cast: Cast
    unit: Unit
    luck: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """A match judged by `player`, in the order of the match.

    `unjudged` are cube decisions that the player knows nothing about, `unasked` decisions that it
    was not asked about yet; `left` questions are open, those about luck too. `luck` is None if not
    computed; `luck_by` estimated it.
    """

    player: str
    exact: bool
    judged: tuple[Judged, ...]
    unjudged: int = 0
    luck: tuple[Lucky, ...] | None = None
    luck_by: str = ""
    unasked: int = 0
    left: int = 0


@dataclass(slots=True)
class Study:
    """The progress of an analysis by `player`; `luck_by` estimates the luck, nobody if empty.

    Plays and the cube are asked about first, then all rolls.
    """

    player: str
    kept: Kept
    luck_by: str = ""
    moments: tuple[Dilemma, ...] = ()
    casts: tuple[Cast, ...] = ()
    _answers: dict[Question, Answer] = field(default_factory=dict)
    _wanted: list[Question] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.moments = tuple(moments(self.kept))
        asked = [moment.question for moment in self.moments]
        if self.luck_by:
            self.casts = tuple(casts(self.kept))
            asked += [question for cast in self.casts for question, _ in cast.others.values()]
        self._wanted = list(dict.fromkeys(asked))

    def game_of(self, question: Question) -> AnyGame:
        return self.kept.during(question.situation.standing)

    @property
    def question(self) -> Question | None:
        return self._wanted[len(self._answers)] if self.left else None

    @property
    def total(self) -> int:
        return len(self._wanted)

    @property
    def left(self) -> int:
        return len(self._wanted) - len(self._answers)

    def answer(self, answer: Answer) -> None:
        """Take the answer to the open question. Raises NoLossError if the player only
        ranks plays."""
        question = self.question
        assert question is not None
        if answer is not None and answer.unit is Unit.SCORE:
            raise NoLossError(ONLY_MARKS(player=self.player))
        self._answers[question] = answer

    def analysis(self) -> Analysis:
        """While questions are left: the decisions that are judged so far, without luck."""
        answers = [
            (moment, self._answers[moment.question])
            for moment in self.moments
            if moment.question in self._answers
        ]
        found = (judge(self.game_of(moment.question), moment, answer) for moment, answer in answers)
        judged = tuple(filter(None, found))
        known = [answer for _, answer in answers if answer is not None]
        casts = () if self.left else self.casts
        return Analysis(
            self.player,
            all(answer.exact for answer in known) and bool(known),
            judged,
            len(answers) - len(judged),
            tuple(map(self._lucky, casts)) if casts else None,
            self.luck_by if casts else "",
            len(self.moments) - len(answers),
            self.left,
        )

    def _lucky(self, cast: Cast) -> Lucky:
        means = dict[Side, float]()
        for side, (question, likely) in cast.others.items():
            opinion = self._answers[question]
            assert isinstance(opinion, RollsOpinion)
            means[side] = added(share * opinion.worths[roll] for roll, share in likely.items())
            if side is cast.side:
                unit, worths = opinion.unit, opinion.worths
        came = worths[cast.roll] if cast.roll else means[cast.side]
        whole = 1.0 if unit is Unit.MATCH else 0.0  # both sides' chances of the match, or points
        seen = [mean if side is cast.side else whole - mean for side, mean in means.items()]
        return Lucky(cast, unit, came - added(seen) / len(seen))


def judge(game: AnyGame, moment: Dilemma, answer: Answer) -> Judged | None:
    """Return what a decision cost by this answer to its question; None without an answer."""
    match answer:
        case Opinion():
            return _play(game, moment, answer)
        case CubeOpinion():
            return _cube(moment, answer)
        case RollsOpinion() | TrialsOpinion() | None:
            return None


def _play(game: AnyGame, moment: Dilemma, opinion: Opinion) -> Judged:
    position = moment.question.situation.position
    best = opinion.plays[0]
    made = next(
        (one for one in opinion.plays if game.after(position, one.play) == moment.result), None
    )
    # A play that the rules of today do not know cannot be weighed against the others.
    loss = 0.0 if made is None else best.worth - made.worth
    return Judged(
        moment,
        opinion.unit,
        opinion.exact,
        loss,
        opinion.best,
        decided=made is not None,
        equity=normalised(loss, opinion),
        rated=(made, *opinion.plays[:MOST_RATED]) if made else (),
    )


def lost_by(what: Act, cube: CubeOpinion, *, beavered: bool = False) -> float:
    """What a cube action costs, in the opinion's unit.

    A beaver is a take at twice the stake. `beavered`: it answers one; who passes loses the double.
    Both exist only in unlimited play, where worths are points.
    """
    if beavered:
        taken, passed = 2 * cube.taken, -2 * cube.passed
        return max(taken, passed) - (taken if what is Act.TAKE else passed)
    doubled = min(cube.taken, cube.passed)
    if what is Act.BEAVER:
        return 2 * cube.taken - min(doubled, 2 * cube.taken)
    most = max(cube.held, doubled)
    return {
        Act.ROLL: most - cube.held,
        Act.DOUBLE: most - doubled,
        Act.TAKE: cube.taken - doubled,
        Act.PASS: cube.passed - doubled,
    }[what]


def _cube(moment: Dilemma, cube: CubeOpinion) -> Judged:
    loss = lost_by(moment.what, cube, beavered=moment.beavered)
    behind = normalised(lost_by(Act.DOUBLE, cube), cube)
    decided = moment.what is not Act.ROLL or behind is None or behind < CLOSE
    equity = normalised(loss, cube)
    return Judged(moment, cube.unit, cube.exact, loss, cube=cube, decided=decided, equity=equity)


def normalised(loss: float, opinion: Opinion | CubeOpinion) -> float | None:
    """A loss in points of a plain game at the current stake; None if unknown."""
    point = 1.0 if opinion.unit is Unit.POINTS and opinion.point is None else opinion.point
    return None if point is None else loss / point


# The coach's output: a hint for the turn, an analysis, and figures by match.


@dataclass(frozen=True, slots=True)
class Hinted:
    """A hint: the question of a turn, and the player's opinion once it is `answered`. `position`
    and `roll` are the view's texts."""

    position: str
    roll: str | None
    player: str
    answer: Answer = None
    answered: bool = False
    question: Question | None = None

    def is_for(self, view: View) -> bool:
        """Whether the hint belongs to the position on the table."""
        return (self.position, self.roll) == (view.position, view.roll)


@dataclass(frozen=True, slots=True)
class Lesson:
    """Everything that the coach has found.

    `match` is being analysed and `done` of `total` questions are answered; or `analysis` is
    complete. `waiting` matches of the backlog are still to be analysed. `message` is the last
    problem, in one line. `rollout` is the last one, under way or not; positions of the games
    `played_on` can be rolled out.
    """

    hint: Hinted | None = None
    match: MatchId | None = None
    done: int = 0
    total: int = 0
    analysis: Analysis | None = None
    ratings: tuple[Rating, ...] = ()
    waiting: int = 0
    message: str = ""
    rollout: Rollout | None = None
    played_on: frozenset[str] = frozenset()

    def rollout_of(self, question: Question | None) -> Rollout | None:
        """The rollout of this question, if it is the last one."""
        told = self.rollout
        same = told and question and told.question == replace(question, made=None)
        return told if same else None


def question_of(start: Start, games: Games, view: View) -> Question | None:
    """The open decision of the player on the move, or None. Raises EventError for an impossible
    match, RulesError for a position of other rules."""
    series, options = agree(start, games)
    cube = Cube(view.cube.value, view.cube.owner)
    standing = Standing(view.score, cube, view.game_number, view.crawford, view.post_crawford)
    decided = view.in_series.decided if view.in_series else standing.decided
    standing = replace(standing, replayed=standing.decided - decided)
    game = series.at(decided)
    position = game.read_position(view.position)
    situation = Situation(position, options.agreement, standing)
    if view.phase is Phase.MOVING and view.roll is not None and view.moves_exist:
        roll = read_roll(view.roll, game.dice) if game.dice else Roll(())
        return Question(situation, roll)
    if view.beavered:
        return None
    free = may_double(options.agreement, standing, view.to_act)
    if view.phase is Phase.DOUBLE_OFFERED or (view.phase is Phase.TO_ROLL and free):
        return Question(situation, None)
    return None


def cost_of(
    game: AnyGame, answer: Answer, what: Act, position: Any, play: str | None
) -> float | None:
    """Return what a decision would lose in points of a single game, by the answer to its question.

    `play` is as `write_play` writes it. None if the answer does not tell.
    """
    if not isinstance(answer, (Opinion, CubeOpinion)) or answer.unit is Unit.SCORE:
        return None
    if isinstance(answer, CubeOpinion):
        loss = lost_by(what, answer) if what is not Act.PLAY else None
    else:
        made = (one.worth for one in answer.plays if game.write_play(position, one.play) == play)
        loss = next((answer.plays[0].worth - worth for worth in made), None)
    if loss is None:
        return None
    known = normalised(loss, answer)
    return 2 * loss if known is None else known


# The analyses' figures, match by match, in a file beside the journal.
#
# It is a cache: every line can be reckoned again from the match, so read and write errors are
# ignored.

FILE = "analyses.json"
MOST_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating(Errors):
    """One player's figures of one match, judged by `judge`; `began` is the local time as text."""

    match: int
    began: str
    game: str
    name: str
    against: str
    judge: str
    exact: bool


def by_game(kept: Kept, analysis: Analysis) -> Mapping[str, Analysis]:
    """The analysis of each game of a series by its name; of a match of one game the whole."""
    series = kept.series

    def is_of(game: AnyGame, made: Dilemma) -> bool:
        return series.at(made.question.situation.standing.decided) is game

    def rolled(game: AnyGame, cast: Cast) -> bool:
        question, _ = cast.others[cast.side]
        return series.at(question.situation.standing.decided) is game

    return {
        game.name: replace(
            analysis,
            judged=tuple(one for one in analysis.judged if is_of(game, one.moment)),
            luck=analysis.luck and tuple(one for one in analysis.luck if rolled(game, one.cast)),
        )
        for game in series.games
    }


def ratings_of(number: int, began: str, kept: Kept, analysis: Analysis) -> tuple[Rating, ...]:
    """Both players' ratings, in a series for each of its games."""
    names = Both(*map(str, name_players(kept.start.players, kept.game.side_names)))
    return tuple(
        typed(
            plain(errors)
            | {
                "match": number,
                "began": began,
                "game": game,
                "name": names[side],
                "against": names[side.other],
                "judge": analysis.player,
                "exact": analysis.exact,
            },
            Rating,
        )
        for game, own in by_game(kept, analysis).items()
        for side, each in errors_of(own).items()
        for errors in each
    )


def merged(old: Iterable[Rating], new: tuple[Rating, ...]) -> tuple[Rating, ...]:
    numbers = {rating.match for rating in new}
    kept = [rating for rating in old if rating.match not in numbers]
    return tuple(sorted((*kept, *new), key=lambda one: one.match))


def read_ratings(file: Path) -> tuple[Rating, ...]:
    """Read the file without damaged lines; empty if the file is missing."""
    found = list[Rating]()
    with suppress(OSError, ValueError):
        for line in read(read_text(file, MOST_BYTES), list[Any]):
            with suppress(JsonError):
                found.append(typed(line, Rating))
    return tuple(found)


def keep_ratings(file: Path, new: tuple[Rating, ...]) -> tuple[Rating, ...]:
    """Add ratings to the file and return all. Write errors are ignored."""
    every = merged(read_ratings(file), new)
    with suppress(OSError), alone_in(file.parent):
        every = merged(read_ratings(file), new)
        replace_text(file, write(every))
    return every
