"""The coach: it asks a machine player for hints and whole analyses, on a thread.

The loop asks and reads `lesson`; nothing waits for a player. Questions are asked one at a time of
one process, so that all cores but one are free for play: hints first, then the analysis that was
asked for, then the rollout, then the backlog. A player that dies is restarted or given up, which
is reported in one line.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias

from pi_app.app.backlog import AnalysisWish, Backlog
from pi_app.app.seats import CallThinker, Thinker
from pi_app.app.session import Session
from pi_app.base.errors import SpotterError
from pi_app.base.microseconds import Us
from pi_app.base.threads import Worker
from pi_app.base.values import dataclass
from pi_app.coach.answers import FILE as ANSWERS
from pi_app.coach.answers import KeptAnswers
from pi_app.coach.rollout import PLAYS, RolloutOfPlays
from pi_app.coach.study import (
    Analysis,
    Hinted,
    Judged,
    Lesson,
    Study,
    cost_of,
    judge,
    keep_ratings,
    question_of,
    ratings_of,
    read_ratings,
)
from pi_app.coach.training import FILE as TRAINING
from pi_app.coach.training import (
    Coached,
    Graded,
    TrainingFile,
    day_of,
    decided,
    exercises_of,
    question_at,
)
from pi_app.games.equipment import Compendium
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.players.contract import Answer, Contender, Opinion, Question, Unit
from pi_app.players.process import Advice, Reply, Trouble, call_process
from pi_app.referee.controls import PRESSES
from pi_app.referee.decision import Decision
from pi_app.referee.events import Button, Caution, Event, MatchId, Start, Tap, far_seat
from pi_app.referee.options import agree
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame, Series
from pi_app.user.commands import RollOut
from pi_app.words.sentences import Sentence

NOTHING_TO_CHOOSE = Sentence("Nothing to choose")
NOTHING_TO_JUDGE = Sentence("Nothing played in this match yet")
NO_ADVICE = Sentence("{player} cannot say what that costs")
IDLE_S = 60.0
"""A player not asked for this long is stopped, to free its memory."""


@dataclass(frozen=True, slots=True)
class HintWish:
    start: Start
    view: View


@dataclass(frozen=True, slots=True)
class BacklogWish:
    """Analyse all stored matches, or stop that; `me` is the owner's name in imported matches."""

    on: bool
    me: str = ""


JUDGED = frozenset({Act.PLAY, Act.DOUBLE, Act.TAKE, Act.PASS})
"""Acts of which the tutor speaks up."""


@dataclass(frozen=True, slots=True)
class ExerciseWish:
    """Find the best answer to the exercise at which this match begins."""

    start: Start


@dataclass(frozen=True, slots=True)
class AnsweredExercise:
    """The exercise of a player that a decision answers, and the day."""

    name: str
    position: str
    today: date


@dataclass(frozen=True, slots=True)
class GradeWish:
    """Say what a decision cost; store when its exercise comes back, if it answers one.

    `played` is what was decided there in a stored match, to be judged beside it.
    """

    start: Start
    decision: Decision
    exercise: AnsweredExercise | None = None
    played: Decision | None = None


class NothingAskedError(SpotterError):
    """There is nothing to ask a player about."""


Inbox: TypeAlias = (
    HintWish | AnalysisWish | BacklogWish | ExerciseWish | GradeWish | RollOut | Reply
)


class Coaching(Worker[Inbox]):
    """The program's coach; `lesson` and `coached` hold its results so far.

    `file` stores the figures of analyses; the training and the engines' answers are beside it.
    """

    def __init__(
        self,
        games: Compendium,
        file: Path | None = None,
        call: CallThinker = call_process,
        backlog: Backlog | None = None,
    ) -> None:
        super().__init__("coach")
        played_on = frozenset(name for name in games.faces if games.roller(name))
        self.lesson = Lesson(ratings=read_ratings(file) if file else (), played_on=played_on)
        self._games, self._file, self._call = games, file, call
        self._player: Thinker | None = None
        self._who: tuple[str, ...] | None = None
        self._number = 0
        self._answers = KeptAnswers(file and file.with_name(ANSWERS))
        self._asking: tuple[AnyGame, Contender, Question] | None = None
        self._file_of_training = TrainingFile(file and file.with_name(TRAINING))
        self.coached = self._now_coached()
        self._exercise: Start | None = None
        self._thought: tuple[Answer, str] | None = None
        self._closer: Question | None = None
        self._grading: GradeWish | None = None
        self._hinting: tuple[AnyGame, Question] | None = None
        self._hint_of: AnyGame | None = None
        self._rollout: tuple[AnyGame, RolloutOfPlays] | None = None
        self._wish: AnalysisWish | None = None
        self._study: Study | None = None
        self._backlog, self._works = backlog, BacklogWish(on=False)
        self._background: tuple[AnalysisWish, Study] | None = None

    @property
    def patience_s(self) -> float | None:
        return IDLE_S if self._player or self._works.on else None

    def rest(self) -> None:
        if self._works.on and not self._background:
            # Matches have been finished or imported since.
            self._next_of_backlog()
            self._go_on()
        thinks = self._exercise and self._thought is None
        working = self._hinting or self._study or self._rolls_out or self._background
        if not working and not thinks:
            self._dismiss()

    def close(self) -> None:
        super().close()
        self._dismiss()
        self._answers.close()

    def take(self, got: Inbox) -> None:
        if isinstance(got, Advice) and got.number != self._number:
            return  # of a question that is asked no longer
        try:
            self._take(got)
            self._go_on()
        except SpotterError as error:
            self._drop(got, error)

    def _take(self, got: Inbox) -> None:
        match got:
            case HintWish():
                self._hint(got)
            case AnalysisWish():
                self._analyse(got)
            case ExerciseWish(start):
                self._exercise, self._thought, self._grading = start, None, None
                self._closer = None
            case GradeWish():
                self._grading = got
            case RollOut():
                self._roll_out(got)
            case BacklogWish():
                self._works = got
                self._next_of_backlog()
            case Advice():
                if self._asking:
                    self._answers.keep(*self._asking, got.opinion)
                self._hear(got)
            case Trouble():
                self._fail(got)

    def _drop(self, got: Inbox, error: SpotterError) -> None:
        if isinstance(got, HintWish):
            self.lesson = replace(self.lesson, hint=None)
        elif isinstance(got, ExerciseWish):
            self._thought = None, error.said
        elif self._study or isinstance(got, AnalysisWish):
            self._study = None
        else:
            self._give_up()
        self.lesson = replace(self.lesson, message=error.said)

    def _hint(self, wish: HintWish) -> None:
        question = question_of(wish.start, self._games.rules, wish.view)
        if question is None:
            raise NothingAskedError(NOTHING_TO_CHOOSE())
        name = self._games.judge(wish.view.game).name
        series = agree(wish.start, self._games.rules)[0]
        if self.lesson.hint and self.lesson.rollout_of(self.lesson.hint.question):
            self._stop_rollout()
        self._hint_of = _game_at(series, question)
        self._hinting = self._hint_of, question
        hinted = Hinted(wish.view.position, wish.view.roll, name, question=question)
        self.lesson = replace(self.lesson, hint=hinted, message="")

    def _roll_out(self, wish: RollOut) -> None:
        """Begin a rollout in place of the last one, continue that, or stop it."""
        self._stop_rollout()
        asked = self._candidates(wish.decision) if wish.on else None
        if asked is None:
            return
        game, question, plays = asked
        if contender := self._games.roller(game.name):
            last = self._rollout and self._rollout[1]
            new = RolloutOfPlays(contender.name, question, plays)
            self._rollout = game, last.going_on() if last and last.is_like(new) else new
            self.lesson = replace(self.lesson, rollout=self._rollout[1].state)

    def _candidates(self, decision: int | None) -> tuple[AnyGame, Question, list[Any]] | None:
        """The plays to be compared, and their game; None if there is nothing to compare."""
        hint, analysis = self.lesson.hint, self.lesson.analysis
        if decision is None:
            if hint and hint.question and isinstance(hint.answer, Opinion) and self._hint_of:
                plays = [one.play for one in hint.answer.plays[:PLAYS]]
                return self._hint_of, hint.question, plays
            return None
        every = analysis.judged if analysis else ()
        judged = next((one for one in every if one.moment.number == decision), None)
        if judged is None or not judged.rated or self._wish is None:
            return None
        question = judged.moment.question
        made, *best = (one.play for one in judged.rated)
        game = self._wish.kept.during(question.situation.standing)
        return game, question, list(dict.fromkeys((*best, made)))

    def _stop_rollout(self) -> None:
        if self._rollout:
            self._rollout[1].stop()
            self.lesson = replace(self.lesson, rollout=self._rollout[1].state)

    @property
    def _rolls_out(self) -> bool:
        return self._rollout is not None and self._rollout[1].state.runs

    def _analyse(self, wish: AnalysisWish) -> None:
        if self._is_known(wish):
            return
        self._study = None
        study = self._new_study(wish)
        self.lesson = replace(
            self.lesson, match=wish.number, done=0, total=study.total, analysis=None, message=""
        )
        if not study.moments:
            raise NothingAskedError(NOTHING_TO_JUDGE())
        self._wish, self._study = wish, study

    def _new_study(self, wish: AnalysisWish) -> Study:
        game = wish.kept.game.name
        return Study(self._games.judge(game).name, wish.kept, self._games.quick(game).name)

    def _is_known(self, wish: AnalysisWish) -> bool:
        known = self._wish
        same = known and (known.number, known.kept.decisions) == (wish.number, wish.kept.decisions)
        return bool(same and (self._study or self.lesson.analysis))

    def _hear(self, advice: Advice) -> None:
        if self._hinting:
            self._hinting = None
            if self.lesson.hint:
                hint = replace(self.lesson.hint, answer=advice.opinion, answered=True)
                self.lesson = replace(self.lesson, hint=hint, message="")
        elif self._exercise and self._thought is None:
            self._thought = advice.opinion, NO_ADVICE(player=self._who[1] if self._who else "")
        elif self._study and self._study.question:
            self._study.answer(advice.opinion)
            done = self._study.total - self._study.left
            self.lesson = replace(self.lesson, done=done, total=self._study.total)
        elif self._rolls_out:
            self._play_on(advice.opinion)
        elif self._background and self._background[1].question:
            self._background[1].answer(advice.opinion)

    def _play_on(self, answer: Answer) -> None:
        """Take some games of the rollout."""
        assert self._rollout
        under_way = self._rollout[1]
        if asked := under_way.question:
            under_way.answer(asked, answer)
        self.lesson = replace(self.lesson, rollout=under_way.state)

    def _fail(self, trouble: Trouble) -> None:
        """Show the problem until the next wish or hint."""
        self.lesson = replace(self.lesson, message=trouble.said)
        if trouble.number is None or trouble.number != self._number:
            return
        if self._hinting:
            self._hinting = None
            self.lesson = replace(self.lesson, hint=None)
        elif self._exercise and self._thought is None:
            self._thought = None, trouble.said
        elif self._study:
            self._study = None
        elif self._rolls_out:
            self._stop_rollout()
        else:
            self._give_up()

    def _go_on(self) -> None:
        study = self._study
        if study and not study.left:
            self._finish(study)
            study = None
        if self._background and not self._background[1].left:
            self._store(*self._background)
            self._next_of_backlog()
        if self._exercise and self._thought and self._grading:
            self._look_closer(self._grading, *self._thought)
        if self._hinting:
            self._put(*self._hinting)
        elif self._exercise and self._thought is None:
            series = agree(self._exercise, self._games.rules)[0]
            question = self._closer or question_at(self._exercise, self._games.rules)
            self._put(_game_at(series, question), question)
        elif study and study.question:
            self._put_once(study.game_of(study.question), study.question)
        elif self._rollout and (asked := self._rollout[1].question):
            self._put_once(self._rollout[0], asked)
        elif self._background:
            _, behind = self._background
            if asked := behind.question:
                self._put_once(behind.game_of(asked), asked)

    def _finish(self, study: Study) -> None:
        assert self._wish
        self._study = None
        analysis = self._store(self._wish, study)
        self.lesson = replace(self.lesson, analysis=analysis)

    def _store(self, wish: AnalysisWish, study: Study) -> Analysis:
        """Keep the ratings of an analysis, and its exercises."""
        analysis = study.analysis()
        if self._file:
            rated = ratings_of(wish.number, wish.began, study.kept, analysis)
            self.lesson = replace(self.lesson, ratings=keep_ratings(self._file, rated))
        found, day = tuple(exercises_of(study.kept, analysis, self._works.me)), day_of(wish.began)
        if found:
            self._file_of_training.change(lambda training: training.adding_each(found, day))
        self.coached = replace(self._now_coached(), graded=self.coached.graded)
        return analysis

    def _next_of_backlog(self) -> None:
        """Begin with the next match of the backlog that has anything to judge."""
        self._background, backlog, left = None, self._backlog, tuple[MatchId, ...]()
        if backlog and self._works.on:
            with suppress(SpotterError):
                left = backlog.left(self.lesson.ratings)
        for place, number in enumerate(left):
            assert backlog
            self.lesson = replace(self.lesson, waiting=len(left) - place)
            try:
                wish = backlog.wish(number)
                study = self._new_study(wish)
            except SpotterError:
                backlog.give_up(number)
                continue
            if study.moments:
                self._background = wish, study
                return
            backlog.give_up(number)
        self.lesson = replace(self.lesson, waiting=0)

    def _give_up(self) -> None:
        """Leave out the match of the backlog that an engine cannot judge."""
        if self._backlog and self._background:
            self._backlog.give_up(self._background[0].number)
            self._next_of_backlog()

    def _look_closer(self, wish: GradeWish, answer: Answer, why: str) -> None:
        """Judge a play as closely as an analysis does: what was thought of beforehand may not have
        searched it as deeply as the best."""
        moment = decided(wish.start, self._games.rules, wish.decision)
        estimated = isinstance(answer, Opinion) and not answer.exact
        if self._closer is None and moment and moment.what is Act.PLAY and estimated:
            self._closer, self._thought = replace(moment.question, made=moment.play), None
        else:
            self._grade(wish, answer, why)

    def _grade(self, wish: GradeWish, answer: Answer, why: str) -> None:
        """Judge the answer. The exercise is stored in its new box before the verdict is shown."""
        self._exercise = self._thought = self._grading = self._closer = None
        judged = self._judged(wish.start, wish.decision, answer)
        played = self._judged(wish.start, wish.played, answer) if wish.played else None
        graded = Graded(wish.start, judged, "" if judged else why, played)
        if judged and (known := wish.exercise):
            self._file_of_training.change(
                lambda training: training.answered(
                    known.name, known.position, known.today, right=graded.right
                )
            )
        self.coached = replace(self._now_coached(), graded=graded)

    def _judged(self, start: Start, decision: Decision, answer: Answer) -> Judged | None:
        """What a decision cost by this answer; None if it says nothing of that."""
        moment = decided(start, self._games.rules, decision)
        if moment is None or answer is None or answer.unit is Unit.SCORE:
            return None
        series = agree(start, self._games.rules)[0]
        return judge(_game_at(series, moment.question), moment, answer)

    def _now_coached(self) -> Coached:
        file = self._file_of_training
        return Coached(file.training, None, file.trouble)

    def _put_once(self, game: AnyGame, question: Question) -> None:
        """Put a question whose answer is kept; one that was answered already is not put again."""
        contender = self._asked(game.name, question)
        if known := self._answers.find(game, contender, question):
            self._number, self._asking = self._number + 1, None
            self._wishes.put(Advice(self._number, known))
        else:
            self._put(game, question)
            self._asking = game, contender, question

    def _put(self, game: AnyGame, question: Question) -> None:
        self._asking = None
        who = game.name, self._asked(game.name, question).name, *game.agreed
        if self._who != who:
            self._dismiss()
        if self._player is None:
            self._player = self._call(game, who[1], self._wishes.put)
            self._who = who
        self._number += 1
        self._player.ask(self._number, question)

    def _asked(self, game: str, question: Question) -> Contender:
        """The player for this question."""
        if question.trials and (player := self._games.roller(game)):
            return player
        return self._games.quick(game) if question.rolls else self._games.judge(game)

    def _dismiss(self) -> None:
        player, self._player, self._who = self._player, None, None
        if player:
            with suppress(OSError):
                player.close()


def _game_at(series: Series, question: Question) -> AnyGame:
    return series.at(question.situation.standing.decided)


class Tutor:
    """Has each decision judged as soon as it is open, and warns before a costly one counts.

    Nothing waits for the coach: a press that comes before the judgement counts at once.
    """

    def __init__(self, coaching: Coaching) -> None:
        self._coaching = coaching
        self._asked: object = None

    def follow(self, start: Start, view: View) -> None:
        """Ask, once, about the decision that is open now."""
        question = (start, view.game_number, view.position, view.roll, view.cube.value)
        if question != self._asked and _is_open(view):
            self._asked = question
            self._coaching.ask(HintWish(start, view))

    def heed(self, event: Event, session: Session, least: float) -> tuple[Event, ...]:
        """Return the event; if it loses more than `least`, a caution instead, or before it if the
        play counts by itself."""
        view, counts_at = session.view, session.counts_at
        by_itself = counts_at is not None and counts_at <= event.us
        what = Act.PLAY if by_itself else _done_by(event, view)
        hint = self._coaching.lesson.hint
        cautions = view.caution is None and _is_open(view)
        if what is None or hint is None or not hint.is_for(view) or not cautions:
            return (event,)
        position = session.game.read_position(hint.position)
        cost = cost_of(session.game, hint.answer, what, position, view.play)
        if cost is None or cost <= least:
            return (event,)
        if counts_at is not None and by_itself:
            return Caution(Us(counts_at - 1), cost), event
        return (Caution(event.us, cost),)


def _is_open(view: View) -> bool:
    """Whether a player here has a choice that can be judged."""
    seat = view.machine
    if seat and (far_seat(seat) or seat.side is view.to_act):
        return False
    if view.phase is Phase.TO_ROLL:
        return Act.DOUBLE in view.offers
    if view.phase is Phase.DOUBLE_OFFERED:
        return not view.beavered
    return len(view.legal) > 1


def _done_by(event: Event, view: View) -> Act | None:
    match event:
        case Button(press=press, side=side) if side in (None, view.to_act):
            row = PRESSES.get((view.phase, press))
            act = row.act if row else None
            # The first hold only asks, and the press after it beavers, of which nobody judges.
            beavers = Act.BEAVER in view.offers and (act is Act.TAKE) is view.declining
            if beavers or (act is Act.PLAY and view.play is None):
                return None
        case Tap(intent=act) if act in view.offers:
            pass
        case _:
            return None
    return act if act in JUDGED else None
