"""The coach: asks a machine player for hints and whole analyses, on a thread.

The loop asks and reads `lesson`; nothing waits for a player. Questions are asked one at a time,
hints before analyses. A player that dies is restarted or given up, which is reported in one line.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from pi_app.app.seats import CallThinker, Thinker
from pi_app.coach.study import (
    Hinted,
    Lesson,
    Study,
    keep_ratings,
    question_of,
    ratings_of,
    read_ratings,
)
from pi_app.errors import SpotterError
from pi_app.export.retold import Kept
from pi_app.games.equipment import Compendium
from pi_app.players.contract import Question
from pi_app.players.process import Advice, Reply, Trouble, call_process
from pi_app.referee.events import MatchId, Start
from pi_app.referee.view import View
from pi_app.threads import Worker
from pi_app.words.sentences import Sentence

NOTHING_TO_CHOOSE = Sentence("Nothing to choose")
NOTHING_TO_JUDGE = Sentence("Nothing played in this match yet")
IDLE_S = 60.0
"""A player not asked for this long is stopped, to free its memory."""


@dataclass(frozen=True, slots=True)
class HintWish:
    start: Start
    view: View


@dataclass(frozen=True, slots=True)
class AnalysisWish:
    number: MatchId
    began: str
    kept: Kept


class NothingAskedError(SpotterError):
    """There is nothing to ask a player about."""


Inbox: TypeAlias = HintWish | AnalysisWish | Reply


class Coaching(Worker[Inbox]):
    """The program's coach; `lesson` holds its results so far.

    `file` stores the figures of analyses.
    """

    def __init__(
        self, games: Compendium, file: Path | None = None, call: CallThinker = call_process
    ) -> None:
        super().__init__("coach")
        self.lesson = Lesson(ratings=read_ratings(file) if file else ())
        self._games, self._file, self._call = games, file, call
        self._player: Thinker | None = None
        self._who: tuple[str, str] | None = None
        self._number = 0
        self._hinting: tuple[str, Question] | None = None
        self._wish: AnalysisWish | None = None
        self._study: Study | None = None

    @property
    def patience_s(self) -> float | None:
        return IDLE_S if self._player else None

    def rest(self) -> None:
        if not self._hinting and not self._study:
            self._dismiss()

    def close(self) -> None:
        super().close()
        self._dismiss()

    def take(self, got: Inbox) -> None:
        try:
            match got:
                case HintWish():
                    self._hint(got)
                case AnalysisWish():
                    self._analyse(got)
                case Advice(number) if number == self._number:
                    self._hear(got)
                case Trouble():
                    self._fail(got)
            self._go_on()
        except SpotterError as error:
            if isinstance(got, HintWish):
                self.lesson = replace(self.lesson, hint=None)
            else:
                self._study = None
            self.lesson = replace(self.lesson, told=error.said)

    def _hint(self, wish: HintWish) -> None:
        question = question_of(wish.start, self._games.rules, wish.view)
        if question is None:
            raise NothingAskedError(NOTHING_TO_CHOOSE())
        name = self._games.find(wish.start.game).adviser.name
        self._hinting = wish.start.game, question
        hinted = Hinted(wish.view.position, wish.view.roll, name)
        self.lesson = replace(self.lesson, hint=hinted, told="")

    def _analyse(self, wish: AnalysisWish) -> None:
        if self._is_known(wish):
            return
        adviser = self._games.find(wish.kept.start.game).adviser
        self._study = None
        study = Study(adviser.name, wish.kept)
        self.lesson = replace(
            self.lesson, match=wish.number, done=0, total=study.total, analysis=None, told=""
        )
        if not study.moments:
            raise NothingAskedError(NOTHING_TO_JUDGE())
        self._wish, self._study = wish, study

    def _is_known(self, wish: AnalysisWish) -> bool:
        known = self._wish
        same = known and (known.number, known.kept.decisions) == (wish.number, wish.kept.decisions)
        return bool(same and (self._study or self.lesson.analysis))

    def _hear(self, advice: Advice) -> None:
        if self._hinting:
            self._hinting = None
            if self.lesson.hint:
                hint = replace(self.lesson.hint, answer=advice.opinion, answered=True)
                self.lesson = replace(self.lesson, hint=hint, told="")
        elif self._study and self._study.question:
            self._study.answer(advice.opinion)
            done = self._study.total - self._study.left
            self.lesson = replace(self.lesson, done=done, total=self._study.total)

    def _fail(self, trouble: Trouble) -> None:
        """What is told is shown until the next wish or hint."""
        self.lesson = replace(self.lesson, told=trouble.said)
        if trouble.number is None or trouble.number != self._number:
            return
        if self._hinting:
            self._hinting = None
            self.lesson = replace(self.lesson, hint=None)
        else:
            self._study = None

    def _go_on(self) -> None:
        study = self._study
        if study and not study.left:
            self._finish(study)
            study = None
        if self._hinting:
            self._put(*self._hinting)
        elif study and study.question:
            self._put(study.kept.start.game, study.question)

    def _finish(self, study: Study) -> None:
        assert self._wish
        analysis, ratings = study.analysis(), self.lesson.ratings
        self._study = None
        if self._file:
            found = ratings_of(self._wish.number, self._wish.began, study.kept, analysis)
            ratings = keep_ratings(self._file, found)
        self.lesson = replace(self.lesson, analysis=analysis, ratings=ratings)

    def _put(self, game: str, question: Question) -> None:
        equipment = self._games.find(game)
        who = game, equipment.adviser.name
        if self._who != who:
            self._dismiss()
        if self._player is None:
            self._player = self._call(equipment.rules, who[1], self._wishes.put)
            self._who = who
        self._number += 1
        self._player.ask(self._number, question)

    def _dismiss(self) -> None:
        player, self._player, self._who = self._player, None, None
        if player:
            with suppress(OSError):
                player.close()
