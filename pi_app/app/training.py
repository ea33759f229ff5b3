"""Training on the board: each exercise is a match, up to its decision, of which nothing
is stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pi_app.app.session import Session
from pi_app.base.microseconds import Us
from pi_app.coach.study import Judged
from pi_app.coach.training import DAYS, Coached, Exercise, Graded, decided
from pi_app.devices.dice import Dice
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.controls import is_slip
from pi_app.referee.decision import Decision
from pi_app.referee.effects import Cue
from pi_app.referee.events import Button, Event, Press, Start
from pi_app.referee.view import Drilled, LastPlay, TourStep, View
from pi_app.rules.contract import BEAVERS, AnyGame
from pi_app.rules.terms import Move
from pi_app.sensing.description import Board
from pi_app.sensing.reading import BoardState
from pi_app.user.settings import CoachSettings
from pi_app.words.sentences import Sentence, paragraph

OFFERED = frozenset(
    {
        *(Act.DOUBLE, Act.TAKE, Act.PASS, Act.CHOOSE, Act.SCREEN_IS_RIGHT),
        *(Act.SENSOR_OFF, Act.SENSOR_ON),
    }
)
"""What can be tapped before the decision."""
SET_UP = Sentence("Set up this position")
LEFT = Sentence("Training of {player}: the last exercise.", "Training of {player}: {n} exercises.")
COMES_BACK = Sentence("It comes back tomorrow.", "It comes back in {n} days.")
LEARNED = Sentence("You have learned it.")
AGAIN_TODAY = Sentence("Due again today. Hold to try again.")
PRESS = Sentence("Press for the next.")


class Drill(Session):
    """One exercise of the player of this name; `left` are due, including this one.

    `decision` is the answer; `is_asked`: the coach must grade it. After the grade a press makes it
    `done`; after a wrong answer a long press asks `again`. After the decision hands may do what
    they like.
    """

    def __init__(
        self,
        board: Board,
        start: Start,
        name: str,
        exercise: Exercise,
        left: int,
        coached: Callable[[], Coached],
    ) -> None:
        usual: dict[str, bool | str] = {"commit": "button", "dice": "device", BEAVERS.name: False}
        options = {**start.options, **usual}
        super().__init__(board, replace(start, options=options), None, Dice())
        self.name, self.exercise = name, exercise
        self.decision: Decision | None = None
        self.done = self.again = self.is_asked = False
        self._games, self._coached, self._left = board.games, coached, left
        self._asked: View | None = None
        self._led: tuple[object, View] | None = None

    @property
    def view(self) -> View:
        key = super().view, self.decision, self.graded
        if self._led is None or self._led[0] != key:
            self._led = key, self._judged() if self.decision else self._asking()
        return self._led[1]

    @property
    def graded(self) -> Graded | None:
        found = self._coached().graded
        return found if found and found.start == self.start else None

    @property
    def due(self) -> Us | None:
        return None if self.decision else super().due

    def hints(self, coach: CoachSettings) -> bool:
        return False

    def handle(self, event: Event) -> tuple[Cue, ...]:
        if self.decision:
            self._follow_press(event, self.decision.us)
            return ()
        cues = super().handle(event)
        if self._asked is None and super().view.phase is not Phase.SET_UP:
            self._asked = super().view
        answers = (one for one in self.decided if decided(self.start, self._games, one))
        self.decision = next(answers, None)
        return cues

    def _follow_press(self, event: Event, at: Us) -> None:
        if isinstance(event, Button) and self.graded and not is_slip(event.us, at):
            self.done = True
            self.again = event.press is Press.LONG and not self.graded.right

    def _asking(self) -> View:
        view = super().view
        view = replace(view, offers=view.offers & OFFERED, exercise=Drilled(self._left))
        if view.phase is not Phase.SET_UP:
            return replace(view, tour=TourStep.HANDS)
        hint = paragraph(view.hint, LEFT(player=self.name, n=self._left))
        return replace(view, tour=TourStep.SET_UP, message=SET_UP(), hint=hint)

    def _judged(self) -> View:
        asked, graded = self._asked, self.graded
        assert asked
        message, hint = self._verdict(graded)
        return replace(
            judged_view(self.game, asked, super().view.us, graded),
            exercise=Drilled(self._left, wrong=graded is not None and graded.wrong),
            message=message,
            hint=hint,
        )

    def _verdict(self, graded: Graded | None) -> tuple[str, str]:
        # A start waits for no page.
        from pi_app.screen.pages.coach import THINKING, words_of  # noqa: PLC0415

        if graded is None:
            return THINKING(player="Spotter"), ""
        if graded.judged is None:
            return graded.why, PRESS()
        message = words_of(self.game, graded.judged)
        if not graded.right:
            return message, paragraph(self.exercise.note, AGAIN_TODAY())
        box = min(self.exercise.box, len(DAYS) - 1)
        learned = box == len(DAYS) - 1
        when = LEARNED() if learned else COMES_BACK(n=DAYS[box])
        return message, paragraph(self.exercise.note, when)


def judged_view(game: AnyGame, asked: View, us: Us, graded: Graded | None) -> View:
    """The view of the decision with the play that was made and, as arrows, the best one."""
    judged = graded.judged if graded else None
    return replace(
        asked,
        us=us,
        board=BoardState.RESTING,
        offers=frozenset(),
        last_plays=_played(game, asked, judged),
        to_make=_best_moves(game, judged),
        tour=TourStep.JUDGED,
    )


def _played(game: AnyGame, asked: View, judged: Judged | None) -> tuple[LastPlay, ...]:
    if judged is None or judged.moment.play is None:
        return ()
    moment, roll = judged.moment, "-".join(asked.roll or "")
    position, play = moment.question.situation.position, moment.play
    moves, text = game.moves(position, play), game.write_play(position, play)
    return (LastPlay(moment.side, text, moves, asked.accepted, roll),)


def _best_moves(game: AnyGame, judged: Judged | None) -> tuple[Move, ...]:
    """None for the cube."""
    if judged is None or not judged.best:
        return ()
    return game.moves(judged.moment.question.situation.position, judged.best[0])
