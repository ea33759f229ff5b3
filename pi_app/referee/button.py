"""The die button: when a press counts, and what it does in each phase.

A press waits for bouncing reeds, and a slip of the finger does nothing: a second press right after
one that did something is the other half of a double press or the bounce of letting go, and would
roll for an opponent who may double, or take the double for him.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from pi_app.match.turns import Act, Phase
from pi_app.microseconds import Us, ms
from pi_app.referee.discretion import condone, rolls_by_itself
from pi_app.referee.events import Button, Press
from pi_app.referee.far import begin_next_game
from pi_app.referee.live_match import LiveMatch
from pi_app.sensing.reading import ALARMS, BoardState

PRESS_WAIT = ms(100)
"""A press waits so long at most for a bouncing reed."""
SLIP = ms(400)
"""Sooner after what did something, the same again is a slip and does nothing."""
LATE = ms(4000)
"""Sooner after the last play has counted by itself, a press was meant to hand that play over."""
ANSWER = ms(1000)
"""A press sooner after a question is the second half of a double one and no answer."""


class DieButton:
    """The presses that wait, in their order, and when the last of them did something."""

    def __init__(self) -> None:
        self._waiting: tuple[Button, ...] = ()
        self._done: Us | None = None

    @property
    def due(self) -> Us | None:
        """When the first press waits no longer."""
        return Us(self._waiting[0].us + PRESS_WAIT) if self._waiting else None

    @property
    def since(self) -> Us | None:
        """When the first press was that still waits."""
        return self._waiting[0].us if self._waiting else None

    def wait(self, press: Button) -> None:
        """A press that `obey` does when its time has come."""
        self._waiting = (*self._waiting, press)

    def obey(self, match: LiveMatch) -> bool:
        """Do what the presses mean that have waited long enough; whether there were any."""
        obeyed = False
        while press := self._ripe(match.now, match.hands.bouncing):
            obeyed, before = True, len(match.effects)
            slipped = is_slip(press.us, self._done) or _is_late(press.us, match.counted_at)
            if _is_heard(match, press) and not slipped:
                PRESSES.get(match.state.phase, {}).get(press.press, _nothing)(match)
            if len(match.effects) > before:
                self._done = press.us
        return obeyed

    def _ripe(self, now: Us, bouncing: bool) -> Button | None:
        """The next press to be obeyed now."""
        if not self._waiting or (bouncing and now < self._waiting[0].us + PRESS_WAIT):
            return None
        press, *waiting = self._waiting
        self._waiting = tuple(waiting)
        return press


def is_slip(us: Us, done: Us | None) -> bool:
    """Whether something is done again too soon to be meant."""
    return done is not None and us < done + SLIP


def _is_heard(match: LiveMatch, press: Button) -> bool:
    """Whether the press is of the side to act; for the machine either player presses, for what is
    not its own to decide.
    """
    state = match.state
    if state.to_act is not match.machine:
        return press.side in (None, state.to_act)
    doubles = state.phase is Phase.TO_ROLL and press.press is Press.LONG
    return not match.only_its_own and not doubles


def _is_late(us: Us, counted: Us | None) -> bool:
    """Whether a press was meant for the play that has just counted by itself."""
    return counted is not None and us < counted + LATE


# What a press does


def _nothing(match: LiveMatch) -> None:
    pass


def _ask_roll(match: LiveMatch) -> None:
    if match.rests():
        match.ask_roll()


def _take(match: LiveMatch) -> None:
    if match.rests():
        match.act(Act.TAKE)


def _pass(match: LiveMatch) -> None:
    if match.rests():
        match.act(Act.PASS)


def _accept(match: LiveMatch) -> None:
    if _is_in_order(match):
        match.act(Act.ACCEPT)


def _refuse(match: LiveMatch) -> None:
    if _is_in_order(match):
        match.refuse()


def _is_in_order(match: LiveMatch) -> bool:
    """Whether nothing is wrong on the board, where a play may lie; if not, a warning is given."""
    match.judge(hurry=True)
    return match.board not in ALARMS or not match.warn()


def _hand_over(match: LiveMatch) -> None:
    """A complete play is accepted, and rolled on where no double can be; else it is warned."""
    state, play = _handed_over(match)
    if play is not None:
        match.accept(play)
        if match.knows(Act.ROLL) and not match.may_double() and rolls_by_itself(match):
            match.ask_roll()
    elif state is not BoardState.CHOOSE and not condone(match):
        match.warn()


def _hand_over_doubled(match: LiveMatch) -> None:
    """A complete play is accepted and the next player doubles, where he may; else nothing."""
    _, play = _handed_over(match)
    after = match.turns.act(match.state, Act.PLAY, play) if play is not None else match.state
    human = after.to_act is not match.machine
    if human and after.phase is Phase.TO_ROLL and match.may_double(after):
        match.accept(play)
        match.double()
    else:
        match.judge()  # nothing was handed over


def _handed_over(match: LiveMatch) -> tuple[BoardState, Any]:
    """What the board shows, and the play that it is, if it is one."""
    match.judge(hurry=True)
    state = match.hands.reading.state
    return state, _shown_play(match) or _forfeited(match)


def _shown_play(match: LiveMatch) -> Any:
    """The play that the board shows; or the one that was asked about, pressed again for yes."""
    reading = match.hands.reading
    if reading.state is BoardState.PLAYED:
        return reading.plays[0]
    asked = reading.state is BoardState.CHOOSE and len(reading.plays) == 1
    if asked and match.now >= match.asked_at + ANSWER:
        after = match.game.after(match.state.position, reading.plays[0])
        return None if match.hands.misfits(after) else reading.plays[0]
    return None


def _forfeited(match: LiveMatch) -> Any:
    """The play of a turn in which nothing can move, if the board shows that nothing has.

    What looks like an illegal entry is asked about first; pressed again, the turn is passed.
    """
    results = match.hands.legal.results
    forfeit = next((result.play for result in results if not result.moves), None)
    if forfeit is None or match.hands.misfits(match.state.position):
        return None
    told = match.hands.reading.state in (*ALARMS, BoardState.CHOOSE)
    return forfeit if told or not match.warn() else None


PRESSES: Mapping[Phase, Mapping[Press, Callable[[LiveMatch], None]]] = MappingProxyType(
    {
        Phase.OPENING_THROW: {Press.SHORT: _ask_roll},
        Phase.TO_ROLL: {Press.SHORT: _ask_roll, Press.LONG: LiveMatch.double},
        Phase.DOUBLE_OFFERED: {Press.SHORT: _take, Press.LONG: _pass},
        # A press that was meant for something else must not give the game away.
        Phase.RESIGNATION_OFFERED: {Press.SHORT: _refuse, Press.LONG: _accept},
        Phase.MOVING: {Press.SHORT: _hand_over, Press.LONG: _hand_over_doubled},
        Phase.GAME_OVER: {Press.SHORT: begin_next_game},
    }
)
"""What a press does in each phase; any other does nothing."""
