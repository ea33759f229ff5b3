"""What a tap on the screen does: a table with a row for each intent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from pi_app.match.turns import ON_TIME, Act, Phase
from pi_app.referee.admission import choice_of, points_of, position_of
from pi_app.referee.button import is_slip
from pi_app.referee.decision import What
from pi_app.referee.events import Intent, Tap
from pi_app.referee.far import begin_next_game
from pi_app.referee.live_match import LiveMatch
from pi_app.sensing.reading import ALARMS, BoardState


def _resign(match: LiveMatch, tap: Tap) -> None:
    match.resign(points_of(match.turns.resignations(match.state), tap))


def _take_back(match: LiveMatch, tap: Tap) -> None:
    """Back before the play that the board shows undone, else before the last real play."""
    kept = match.take_back_to
    if kept is None or is_slip(tap.us, match.gone_back_at):
        return
    if match.far:
        match.propose(What.TAKE_BACK, undone=len(match.past) - kept)
    else:
        match.take_back(kept)


def _may_take_back(match: LiveMatch) -> bool:
    """A match that was lost on time is over: no play brings its time back."""
    result = match.state.result
    on_time = match.state.phase is Phase.MATCH_OVER and result and result.name == ON_TIME
    return match.take_back_to is not None and not on_time


def _restore(match: LiveMatch, tap: Tap) -> None:
    if is_slip(tap.us, match.gone_back_at):
        return
    if match.far:
        match.propose(What.RESTORED)
    else:
        match.restore()


def _may_change_dice(match: LiveMatch) -> bool:
    """Dice that players have typed, until the first checker moves."""
    return match.course.untyped is not None and match.board is BoardState.RESTING


def _board_is_right(match: LiveMatch, tap: Tap) -> None:
    attempt = match.hands.reading.attempt
    position = position_of(match.game, tap, match.state.position, attempt)
    if match.far:
        match.propose(What.CORRECTION, position=match.game.write_position(position))
    else:
        match.correct(position)


def _choose(match: LiveMatch, tap: Tap) -> None:
    match.choose(choice_of(match.game, tap, match.hands.reading.plays))


def _sensor_off(match: LiveMatch, tap: Tap) -> None:
    if tap.sensor is not None:
        match.set_aside(tap.sensor)


def _sensor_on(match: LiveMatch, tap: Tap) -> None:
    if tap.sensor is not None:
        match.bring_back(tap.sensor)


class TapRow(NamedTuple):
    """One intent: what it does, the act that the phase must know for it, and what else must be."""

    does: Callable[[LiveMatch, Tap], None]
    act: Act | None
    when: Callable[[LiveMatch], bool] = lambda _: True


TAPS: Mapping[Intent, TapRow] = MappingProxyType(
    {
        Intent.DOUBLE: TapRow(
            lambda match, _: match.double(), Act.DOUBLE, lambda match: match.may_double()
        ),
        Intent.TAKE: TapRow(lambda match, _: match.act(Act.TAKE), Act.TAKE),
        Intent.PASS: TapRow(lambda match, _: match.act(Act.PASS), Act.PASS),
        Intent.CHANGE_DICE: TapRow(
            lambda match, _: match.change_dice(), Act.CHANGE_DICE, _may_change_dice
        ),
        Intent.RESIGN: TapRow(_resign, Act.RESIGN),
        Intent.ACCEPT: TapRow(lambda match, _: match.act(Act.ACCEPT), Act.ACCEPT),
        Intent.REFUSE: TapRow(lambda match, _: match.refuse(), Act.REFUSE),
        Intent.NEXT_GAME: TapRow(lambda match, _: begin_next_game(match), Act.NEXT_GAME),
        Intent.TAKE_BACK: TapRow(_take_back, Act.TAKE_BACK, _may_take_back),
        Intent.RESTORE: TapRow(_restore, Act.RESTORE, lambda match: match.course.gone is not None),
        Intent.BOARD_IS_RIGHT: TapRow(_board_is_right, Act.CORRECT),
        Intent.SCREEN_IS_RIGHT: TapRow(
            lambda match, _: match.guide(), None, lambda match: match.board in ALARMS
        ),
        Intent.CHOOSE: TapRow(_choose, None, lambda match: match.board is BoardState.CHOOSE),
        Intent.SENSOR_OFF: TapRow(_sensor_off, None),
        Intent.SENSOR_ON: TapRow(_sensor_on, None),
    }
)
"""Every tap; one that is not offered does nothing."""


NEVER_FOR_MACHINE = (Intent.DOUBLE, Intent.RESIGN)
ANSWERING = (Intent.TAKE, Intent.PASS, Intent.ACCEPT, Intent.REFUSE)
NEVER_WHILE_IT_ROLLS = (
    Intent.DOUBLE,
    Intent.RESIGN,
    Intent.TAKE_BACK,
    Intent.RESTORE,
    Intent.BOARD_IS_RIGHT,
)
"""In a linked match, where dice that were asked for come from both boards."""


def offered(match: LiveMatch, intent: Intent) -> bool:
    """Whether the tap would change something now."""
    row = TAPS[intent]
    if match.state.to_act is match.machine and (
        intent in NEVER_FOR_MACHINE or (intent in ANSWERING and not match.silent)
    ):
        return False
    if match.far and match.awaiting_roll and intent in NEVER_WHILE_IT_ROLLS:
        return False
    if match.far and intent is Intent.BOARD_IS_RIGHT and match.state.phase is Phase.SET_UP:
        return False
    return (row.act is None or match.knows(row.act)) and row.when(match)


def offers(match: LiveMatch) -> frozenset[Intent]:
    """Which taps would change something now."""
    return frozenset(intent for intent in TAPS if offered(match, intent))


def obey_tap(match: LiveMatch, tap: Tap) -> None:
    """Do what the tap means.  Raises EventError where it says something that cannot be."""
    if offered(match, tap.intent):
        TAPS[tap.intent].does(match, tap)
