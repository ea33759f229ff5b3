"""Training: costly decisions of matches, and collected positions, repeated until each is answered
right.

An exercise is a position in which a player must decide. It is repeated by S. Leitner's boxes (So
lernt man lernen, 1972): after a right answer in box 1 to 5 it rests for 1, 3, 7, 21 or 60 days and
goes to the next box; after a wrong answer it goes to the first box and is due at once. After a
right answer in the last box it is learned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from datetime import date, timedelta
from functools import reduce
from pathlib import Path

from pi_app.base.errors import GivenError
from pi_app.base.files import alone_in, damaged_name, read_text, replace_text, why
from pi_app.base.typed_json import JsonError, read, write
from pi_app.base.values import dataclass
from pi_app.coach.study import ABOUT_CUBE, Analysis, Dilemma, Judged, Mark, equity_of, mark_of
from pi_app.export.retold import Kept
from pi_app.match.acts import Act
from pi_app.match.origin import Problem
from pi_app.match.score import may_double, offer
from pi_app.match.turns import MatchState, Phase
from pi_app.players.contract import Question, Situation
from pi_app.referee.decision import Decision
from pi_app.referee.events import Start
from pi_app.referee.options import agree, of_one_game, problem_at, start_at
from pi_app.rules.contract import Games
from pi_app.rules.naming import name_players
from pi_app.rules.terms import Roll, Side, TextError
from pi_app.words.sentences import Sentence
from pi_app.words.texts import quoted

DAYS = (1, 3, 7, 21, 60)
"""How long an exercise rests after a right answer in each box."""
VERSION = 1
FILE = "training.json"
MOST_BYTES = 16 * 1024 * 1024

DAMAGED = Sentence("{path} was damaged ({why}) and was renamed to {aside}; training begins anew")
UNREADABLE = Sentence("{path} cannot be read ({why}); training is not saved")
NEWER = Sentence("{path} is of a newer Spotter; training is not saved")
UNWRITTEN = Sentence("Training is not saved: {why}")


@dataclass(frozen=True, slots=True)
class Exercise:
    """`position` is the text of a `Problem`; `box` counts from 0; `due` is a date (2026-03-01).

    `cost` is what the decision lost in normalised equity; None for a collected position. `note` is
    what its collection says of it.
    """

    position: str
    box: int = 0
    due: str = ""
    cost: float | None = None
    note: str = ""

    @property
    def game(self) -> str:
        return self.position.partition(" ")[0]

    @property
    def is_learned(self) -> bool:
        return self.box >= len(DAYS)

    def answered(self, today: date, *, right: bool) -> Exercise:
        if not right:
            return replace(self, box=0, due=today.isoformat())
        rests = DAYS[min(max(self.box, 0), len(DAYS) - 1)]
        return replace(self, box=self.box + 1, due=(today + timedelta(rests)).isoformat())

    def made_again(self, day: str) -> Exercise:
        """The mistake was made on this day; after the last right answer it counts as a wrong one.

        A match that was played before and is only analysed again changes nothing.
        """
        if not self.box or not day:
            return self
        try:
            due = date.fromisoformat(self.due)
        except ValueError:
            return self
        answered = due - timedelta(DAYS[min(self.box, len(DAYS)) - 1])
        return replace(self, box=0, due=day) if day > answered.isoformat() else self


@dataclass(frozen=True, slots=True)
class Training:
    """Every player's exercises by name, the longest unasked first."""

    players: Mapping[str, tuple[Exercise, ...]] = field(default_factory=dict)

    def adding(self, name: str, exercises: Iterable[Exercise], day: str = "") -> Training:
        """Add new exercises; known ones keep their boxes, unless the same mistake was made again:
        `day` is the date of the match, empty if unknown."""
        old = self.players.get(name, ())
        new = {one.position: one for one in exercises}
        known = {one.position for one in old}
        kept = tuple(one.made_again(day) if one.position in new else one for one in old)
        return self._having(
            name, (*kept, *(one for one in new.values() if one.position not in known))
        )

    def adding_each(self, found: Iterable[tuple[str, Exercise]], day: str = "") -> Training:
        """Add each exercise to the player of its name."""
        return reduce(lambda training, one: training.adding(one[0], one[1:], day), found, self)

    def answered(self, name: str, position: str, today: date, *, right: bool) -> Training:
        """Move the exercise to its new box, behind all others. An unknown position is added."""
        old = self.players.get(name, ())
        asked = next((one for one in old if one.position == position), Exercise(position))
        others = (one for one in old if one.position != position)
        return self._having(name, (*others, asked.answered(today, right=right)))

    def of(self, name: str, games: Iterable[str], costly: float) -> tuple[Exercise, ...]:
        """The exercises not yet learned, of these games; matches' only if they lost more than
        `costly`."""
        served = frozenset(games)
        return tuple(
            one
            for one in self.players.get(name, ())
            if not one.is_learned and one.game in served and (one.cost is None or one.cost > costly)
        )

    def _having(self, name: str, exercises: tuple[Exercise, ...]) -> Training:
        return Training({**self.players, name: exercises})


@dataclass(frozen=True, slots=True)
class Graded:
    """What the answer to an exercise cost, or in `why` the reason why that is unknown.

    `start` began the match in which it was answered. `played` is what was decided there in a stored
    match, if that was asked for too.
    """

    start: Start
    judged: Judged | None
    why: str = ""
    played: Judged | None = None

    @property
    def right(self) -> bool:
        return self.judged is not None and mark_of(self.judged) is Mark.GOOD

    @property
    def wrong(self) -> bool:
        return self.judged is not None and not self.right


@dataclass(frozen=True, slots=True)
class Coached:
    """What the coach knows of training: everybody's exercises, and the last answer.

    `trouble` says why training is not saved.
    """

    training: Training = field(default_factory=Training)
    graded: Graded | None = None
    trouble: str = ""


def day_of(began: str) -> str:
    """The date (2026-03-01) of the local time at which a match began, or empty."""
    return began[:10]


def due(exercises: Iterable[Exercise], today: date) -> tuple[Exercise, ...]:
    return tuple(one for one in exercises if one.due <= today.isoformat())


# From a match to exercises, and from an exercise to the question that it asks.


def exercises_of(kept: Kept, analysis: Analysis, me: str = "") -> Iterator[tuple[str, Exercise]]:
    """Yield the doubtful and worse decisions of each human, with his name; of an imported match
    only those of `me`, if that is known."""
    names = name_players(kept.start.players, kept.game.side_names)
    seat = agree(kept.start, kept.games)[1].machine
    for judged in analysis.judged:
        side = judged.moment.side
        if judged.moment.beavered or judged.moment.what is Act.BEAVER:
            continue  # no exercise offers a beaver
        stranger = me and kept.start.imported and str(names[side is side.BLACK]) != me
        costs = judged.decided and mark_of(judged) is not Mark.GOOD
        if costs and not stranger and not (seat and seat.side is side):
            state = _state_of(kept, judged.moment)
            problem = of_one_game(problem_at(kept.start, kept.series, state), kept.games)
            yield (
                str(names[side is side.BLACK]),
                Exercise(problem.text, cost=round(equity_of(judged), 4)),
            )


def _state_of(kept: Kept, moment: Dilemma) -> MatchState[str]:
    situation, roll = moment.question.situation, moment.question.roll
    game = kept.during(situation.standing)
    mover = game.mover(situation.position)
    position = game.write_position(situation.position)
    if moment.what is Act.PLAY:
        return MatchState(situation.standing, Phase.MOVING, mover, position, roll)
    if moment.what in (Act.TAKE, Act.PASS):
        offered = offer(situation.standing, mover)
        return MatchState(offered, Phase.DOUBLE_OFFERED, mover.other, position)
    return MatchState(situation.standing, Phase.TO_ROLL, mover, position)


def question_at(start: Start, games: Games) -> Question:
    """Return the question to decide where this match begins. Raises EventError."""
    game, options = agree(start, games)
    origin = options.origin
    assert origin
    standing = replace(origin.standing, cube=replace(origin.standing.cube, offered=None))
    roll = origin.roll if game.dice else Roll(())
    return Question(Situation(origin.position, options.agreement, standing), roll)


def decides(problem: Problem, games: Games) -> Side:
    """Return the side that must decide at this position. Raises RulesError if there is none."""
    series, options = agree(start_at(problem), games)
    state = options.origin
    if state is None or state.starter is None:
        raise TextError(f"{quoted(problem.text)}: an opening roll is no exercise")
    if offered := state.standing.cube.offered:
        return offered.other
    roll = state.roll if series.dice else Roll(())
    if roll is None and not may_double(options.agreement, state.standing, state.to_act):
        raise TextError(f"{quoted(problem.text)}: nobody may double here; give a roll")
    game = series.at(state.standing.decided)
    if roll is not None and len(game.results(state.position, roll)) < 2:
        raise TextError(f"{quoted(problem.text)}: there is nothing to choose")
    return state.to_act


def decided(start: Start, games: Games, decision: Decision) -> Dilemma | None:
    """Return the decision as one that can be judged; None if it does not answer the question."""
    question = question_at(start, games)
    position, standing = question.situation.position, question.situation.standing
    game = agree(start, games)[0].at(standing.decided)
    about = (Act.PLAY,) if question.roll is not None else ABOUT_CUBE
    if decision.what not in about or decision.by is None:
        return None
    play = result = None
    if decision.what is Act.PLAY:
        play = game.read_play(position, decision.play or "")
        result = game.after(position, play)
    return Dilemma(1, 1, 1, decision.by, decision.what, question, play, result)


# The file


class TrainingFile:
    """The training on disk; without a file it is kept in memory only.

    A damaged file is renamed. A file that cannot be read, or is of a newer Spotter, is not touched,
    nothing is stored, and `trouble` says so. Several processes may change it: the coach of the
    running program, and a command beside it.
    """

    def __init__(self, file: Path | None) -> None:
        self._file, self.trouble = file, ""
        self._stored = Training()
        self._unstored: list[Callable[[Training], Training]] = []
        if file:
            self._read(file)

    @property
    def training(self) -> Training:
        """What was last read, with the changes that could not be stored."""
        return reduce(lambda training, change: change(training), self._unstored, self._stored)

    def change(self, change: Callable[[Training], Training]) -> None:
        """Change what is on disk now. On return it is stored, or `trouble` says why not; then the
        next change tries again."""
        if self._file is None:
            self._stored = change(self._stored)
            return
        self._unstored.append(change)
        try:
            with alone_in(self._file.parent):
                self._change(self._file)
        except OSError as error:
            self.trouble = UNWRITTEN(why=why(error))

    def _change(self, file: Path) -> None:
        self._read(file)
        if self._file is None:
            return
        training = self.training
        replace_text(file, write({"version": VERSION, "players": training.players}))
        self._stored, self._unstored, self.trouble = training, [], ""

    def _read(self, file: Path) -> None:
        try:
            self._stored = read_training(read_text(file, MOST_BYTES))
        except FileNotFoundError:
            return
        except _NewerError:
            self._file, self.trouble = None, NEWER(path=str(file))
        except (JsonError, UnicodeDecodeError) as error:
            self._begin_anew(file, why(error))
        except (OSError, ValueError) as error:
            self._file, self.trouble = None, UNREADABLE(path=str(file), why=why(error))

    def _begin_anew(self, file: Path, damage: str) -> None:
        aside = damaged_name(file)
        try:
            file.rename(aside)
        except OSError as error:
            self._file, self.trouble = None, UNREADABLE(path=str(file), why=why(error))
        else:
            self.trouble = DAMAGED(path=str(file), why=damage, aside=str(aside))


class _NewerError(GivenError):
    """The file has a later version."""


def read_training(text: str) -> Training:
    """Raises JsonError for a damaged text, another GivenError for one of a later version."""
    found = read(text, dict[str, object])
    version = found.get("version")
    if isinstance(version, int) and version > VERSION:
        raise _NewerError(f"$.version is {quoted(version)}; update Spotter to read it")
    return Training(dict(read(text, _Stored).players))


@dataclass(frozen=True, slots=True)
class _Stored:
    version: int
    players: dict[str, tuple[Exercise, ...]]
