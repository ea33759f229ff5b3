"""The machine as a player at the board: what it is to decide, and what becomes of its decision.

Nothing here thinks.  Whoever asks a player of the machine's looks at `machine_turn` and answers
with a `MachineActs` event, so that a match told from its events is the same match.  Until the
machine has chosen, nothing may move in its turn; from then on its play is the only legal one, and
the hands make it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pi_app.match.score import Agreement, Standing
from pi_app.match.turns import Act, Phase
from pi_app.referee.events import MachineAct, MachineActs
from pi_app.referee.lines import EventError
from pi_app.referee.live_match import LiveMatch
from pi_app.rules.terms import Roll
from pi_app.sensing.reading import BoardState
from pi_app.words.texts import quoted


@dataclass(frozen=True, slots=True)
class MachineTurn:
    """What the machine is to decide, in a phase.

    With `weighs` it may double before it rolls.  `resignation` is what it is offered, before the
    stake; `most` is the most that the rules let the other lose.
    """

    phase: Phase
    position: Any
    roll: Roll | None
    agreement: Agreement
    standing: Standing
    weighs: bool
    resignation: int | None
    most: int


def machine_turn(match: LiveMatch) -> MachineTurn | None:
    """What the machine is to decide now, if it is anything."""
    state = match.state
    if state.to_act is not match.machine or match.silent or match.awaiting_roll:
        return None
    throws = state.phase in (Phase.OPENING_THROW, Phase.TO_ROLL) and not match.held
    if not (match.choosing or match.only_its_own or throws):
        return None
    loses = match.game.resignations(state.position, state.to_act.other)
    return MachineTurn(
        state.phase,
        state.position,
        state.roll,
        match.turns.agreement,
        state.standing,
        match.only_its_own and state.phase is Phase.TO_ROLL,
        state.resignation,
        max(loses, default=0),
    )


def obey_machine(match: LiveMatch, told: MachineActs) -> None:
    """Do what the machine has decided, if it is its to decide now.

    Raises EventError for a play that is not legal.
    """
    turn = machine_turn(match)
    if turn is not None and told.by is match.machine and (turn.phase, told.act) in _DEEDS:
        _DEEDS[turn.phase, told.act](match, told)


def _play(match: LiveMatch, told: MachineActs) -> None:
    state, game = match.state, match.game
    legal = game.plays(state.position, state.roll or Roll(()))
    plays = {game.write_play(play): play for play in legal}
    if told.play not in plays:
        raise EventError(f"play {quoted(told.play)} is not legal; legal are: {', '.join(plays)}")
    match.choose_for_machine(plays[told.play])


def _roll(match: LiveMatch, _: MachineActs) -> None:
    if match.board is BoardState.RESTING:
        match.ask_roll()


def _hold(match: LiveMatch, _: MachineActs) -> None:
    match.held = True


def _nothing(match: LiveMatch, _: MachineActs) -> None:
    match.do_without_machine()


def _refuse(match: LiveMatch, _: MachineActs) -> None:
    match.refuse()


def _answer(act: Act) -> Callable[[LiveMatch, MachineActs], None]:
    return lambda match, _: match.act(act)


_THINKS = (
    Phase.TO_ROLL,
    Phase.DOUBLE_OFFERED,
    Phase.RESIGNATION_OFFERED,
    Phase.MOVING,
)
_DEEDS: Mapping[tuple[Phase, MachineAct], Callable[[LiveMatch, MachineActs], None]] = (
    MappingProxyType(
        {
            (Phase.OPENING_THROW, MachineAct.ROLL): _roll,
            (Phase.OPENING_THROW, MachineAct.HOLD): _hold,
            (Phase.TO_ROLL, MachineAct.ROLL): _roll,
            (Phase.TO_ROLL, MachineAct.HOLD): _hold,
            (Phase.TO_ROLL, MachineAct.DOUBLE): lambda match, _: match.double(),
            (Phase.DOUBLE_OFFERED, MachineAct.TAKE): _answer(Act.TAKE),
            (Phase.DOUBLE_OFFERED, MachineAct.PASS): _answer(Act.PASS),
            (Phase.RESIGNATION_OFFERED, MachineAct.ACCEPT): _answer(Act.ACCEPT),
            (Phase.RESIGNATION_OFFERED, MachineAct.REFUSE): _refuse,
            (Phase.MOVING, MachineAct.PLAY): _play,
            **{(phase, MachineAct.NOTHING): _nothing for phase in _THINKS},
        }
    )
)
"""What the machine may do in each phase; anything else does nothing."""
