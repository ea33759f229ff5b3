"""A stored match on the board: each stop is a match up to its decision, of which nothing is
stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pi_app.app.session import Session
from pi_app.app.training import OFFERED, PRESS, SET_UP, judged_view
from pi_app.base.microseconds import Us
from pi_app.coach.retelling import Guesses, RetoldMatch
from pi_app.coach.study import Judged
from pi_app.coach.training import Coached, Graded
from pi_app.devices.dice import Dice
from pi_app.match.acts import Act
from pi_app.match.turns import OVER, Phase
from pi_app.referee.controls import is_slip
from pi_app.referee.decision import Decision
from pi_app.referee.effects import Cue
from pi_app.referee.events import (
    MACHINE,
    MACHINE_PLAYER,
    Button,
    Event,
    MachineActs,
    Press,
    Start,
)
from pi_app.referee.referee import OtherSide, Referee
from pi_app.referee.view import Retold, TourStep, View
from pi_app.rules.terms import RulesError, Side
from pi_app.sensing.description import Board
from pi_app.sensing.reading import BoardState
from pi_app.user.settings import CoachSettings
from pi_app.words.numbers import per_cent
from pi_app.words.sentences import Sentence, paragraph

STOP = Sentence("Decision {place} of {count}.")
GUESS = Sentence("Guess what {player} did here.")
SAME = Sentence("{player} did the same.")
OTHERWISE = Sentence("{player}: {made} ({cost}).")
TALLY = Sentence("Right: you {mine}, {player} {theirs}. {rating}.")
END = Sentence("End of the match.")
TO_FINISH = Sentence("Press to finish.")
DECIDES = frozenset({Act.PLAY, Act.ROLL, Act.DOUBLE, Act.TAKE, Act.PASS})
_RETOLD = "retold"
"""The name of the player of a side whose plays are known."""


class KnownPlay(OtherSide):
    """The side that made this play in the stored match."""

    def __init__(self, side: Side, play: str) -> None:
        self._side, self._play = side, play

    def decide(self, referee: Referee, us: Us) -> MachineActs | None:
        turn = referee.machine_turn
        if turn is None or turn.phase is not Phase.MOVING or turn.roll is None:
            return None
        game, before = referee.game, turn.position
        try:
            result = game.after(before, game.read_play(before, self._play))
        except RulesError:
            return MachineActs(us, self._side, Act.NOTHING)
        # A play may have been written with its moves in another order.
        plays = (p for p in game.plays(before, turn.roll) if game.after(before, p) == result)
        play = next(plays, None)
        if play is None:
            return MachineActs(us, self._side, Act.NOTHING)
        return MachineActs(us, self._side, Act.PLAY, game.write_play(before, play))


def start_of_stop(start: Start, match: RetoldMatch, place: int) -> Start:
    """The start of the match of one stop: the side of a play that is shown is played by itself."""
    stop = match.stops[place]
    if stop.side is match.guessed:
        return replace(start, options={**start.options, "commit": "button", "dice": "device"})
    seat = {MACHINE: stop.side.value, MACHINE_PLAYER: _RETOLD}
    return replace(start, options={**start.options, "commit": "settle", **seat})


class RetoldSession(Session):
    """One stop of a stored match. `start` comes from `start_of_stop`.

    A play that is shown counts as soon as it is made. `decision` is what hands or the button did;
    `is_asked`: the coach must grade it as a guess. `step` is how far to go on: 1 after a press, -1
    or 0 after a long one, None before.
    """

    def __init__(
        self,
        board: Board,
        start: Start,
        match: RetoldMatch,
        place: int,
        guesses: Guesses,
        coached: Callable[[], Coached],
    ) -> None:
        super().__init__(board, start, None, Dice())
        self.match, self.place, self.stop = match, place, match.stops[place]
        self.decision: Decision | None = None
        self.step: int | None = None
        self.is_asked = False
        self._before, self._coached = guesses, coached
        self._asked: View | None = None
        self._graded_seen = False
        self._led: tuple[object, View] | None = None
        if not self.is_guessed:
            super().oppose(KnownPlay(self.stop.side, self.stop.decision.play or ""))

    @property
    def is_guessed(self) -> bool:
        return self.stop.side is self.match.guessed

    @property
    def machine(self) -> None:
        """No engine plays; the known play is set up already."""
        return

    @property
    def guesses(self) -> Guesses:
        graded = self.graded
        return self._before.adding(self.stop.number, graded) if graded else self._before

    @property
    def graded(self) -> Graded | None:
        found = self._coached().graded
        return found if self.is_guessed and found and found.start == self.start else None

    @property
    def view(self) -> View:
        key = super().view, self.decision, self.graded, self._graded_seen
        if self._led is None or self._led[0] != key:
            self._led = key, self._shown()
        return self._led[1]

    @property
    def due(self) -> Us | None:
        return None if self.decision else super().due

    def hints(self, coach: CoachSettings) -> bool:
        return False

    def handle(self, event: Event) -> tuple[Cue, ...]:
        if self.decision:
            self._follow_press(event, self.decision.us)
            return ()
        if isinstance(event, Button) and event.press is Press.LONG and not self.is_guessed:
            self.step = -1
            return ()
        cues = super().handle(event)
        if self._asked is None and super().view.phase is not Phase.SET_UP:
            self._asked = super().view
        self.decision = next((one for one in self.decided if one.what in DECIDES), None)
        if self.decision and not self.is_guessed and not self._after:
            self.step = 1
        return cues

    def _follow_press(self, event: Event, at: Us) -> None:
        if not isinstance(event, Button) or is_slip(event.us, at):
            return
        if self.is_guessed and not self.graded:
            return
        if event.press is Press.LONG:
            self.step = 0 if self.is_guessed else -1
        elif self.is_guessed and not self._graded_seen and self._after:
            self._graded_seen = True
        else:
            self.step = 1

    @property
    def _after(self) -> tuple[str, ...]:
        """What happened next, to be read before a press leads on."""
        return (*self.stop.after, *((END(),) if self._is_last else ()))

    @property
    def _is_last(self) -> bool:
        return self.place == len(self.match.stops) - 1

    def _shown(self) -> View:
        if self.decision is None or self.step == 1:
            return self._asking()
        if self.is_guessed and not self._graded_seen:
            return self._judged()
        return self._continued()

    def _where(self, *, wrong: bool = False) -> Retold:
        stops, place = self.match.stops, self.place
        return Retold(
            self.match.match,
            place + 1,
            len(stops),
            stops[place - 1].number if place else None,
            None if self._is_last else stops[place + 1].number,
            self.stop.problem,
            guesses=self.match.guessed is not None,
            wrong=wrong,
        )

    def _asking(self) -> View:
        view = super().view
        where = STOP(place=self.place + 1, count=len(self.match.stops))
        view = replace(view, offers=view.offers & OFFERED, exercise=self._where(), machine=None)
        if view.phase is Phase.SET_UP:
            hint = paragraph(view.hint, where)
            return replace(view, tour=TourStep.SET_UP, message=SET_UP(), hint=hint)
        if self.is_guessed and view.phase is Phase.MOVING and view.board is BoardState.RESTING:
            view = replace(view, hint=GUESS(player=self._player(self.stop.side)))
        return replace(view, tour=TourStep.HANDS)

    def _judged(self) -> View:
        """The guess beside the best play, as in a training, and what was decided in the match."""
        asked, graded = self._asked, self.graded
        assert asked
        message, hint = self._verdict(graded)
        return replace(
            judged_view(self.game, asked, super().view.us, graded),
            exercise=self._where(wrong=graded is not None and graded.wrong),
            message=message,
            hint=hint,
            machine=None,
        )

    def _verdict(self, graded: Graded | None) -> tuple[str, str]:
        # A start waits for no page.
        from pi_app.screen.pages.coach import THINKING, rating_of, words_of  # noqa: PLC0415

        if graded is None:
            return THINKING(player="Spotter"), ""
        if graded.judged is None or graded.played is None:
            return graded.why, PRESS()
        player, guesses = self._player(self.stop.side), self.guesses
        mine, theirs = map(per_cent, guesses.right)
        rating = rating_of(guesses.rating)
        tally = TALLY(mine=mine, player=player, theirs=theirs, rating=rating)
        did = self._did(player, graded.judged, graded.played)
        return words_of(self.game, graded.judged), paragraph(did, tally)

    def _did(self, player: str, guess: Judged, played: Judged) -> str:
        if (guess.moment.what, guess.moment.result) == (played.moment.what, played.moment.result):
            return SAME(player=player)
        from pi_app.screen.pages.coach import NO_LOSS, TINY, cost_of, made_of  # noqa: PLC0415

        cost = NO_LOSS() if played.loss < TINY else cost_of(played, short=True)
        return OTHERWISE(player=player, made=made_of(self.game, played), cost=cost)

    def _continued(self) -> View:
        """What followed in the match."""
        view, (first, *rest) = super().view, self._after
        if self.is_guessed and self._asked:
            view = replace(self._asked, us=view.us)
        elif view.phase in OVER and self._asked:
            # The end of a game or match would offer what comes after it.
            now = replace(self._asked, us=view.us, position=view.position)
            view = replace(now, accepted=view.accepted, to_make=(), last_plays=view.last_plays)
        hint = paragraph(*rest, TO_FINISH() if self._is_last else PRESS())
        return replace(
            view,
            board=BoardState.RESTING,
            offers=frozenset(),
            tour=TourStep.JUDGED,
            exercise=self._where(),
            message=first,
            hint=hint,
            machine=None,
        )

    def _player(self, side: Side) -> str:
        return self.match.players[side is Side.BLACK]
