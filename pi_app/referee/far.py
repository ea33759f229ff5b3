"""The other board of a linked match: its side is a seat like the machine's, played by somebody far.

What is decided there arrives as `MachineActs` and `Rolled` events.  A play is chosen by it and made
by the hands here, like the machine's; in its turn nothing else can be done here for it.  What needs
both boards (a takeback, its undoing, a correction) is only proposed by a tap, and comes back as an
event once both have agreed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from pi_app.match.turns import Act, Phase
from pi_app.referee.decision import What
from pi_app.referee.events import MachineAct, MachineActs
from pi_app.referee.lines import EventError
from pi_app.referee.live_match import LiveMatch
from pi_app.rules.terms import PositionError, Roll, RulesError
from pi_app.words.texts import quoted


def obey_far(match: LiveMatch, told: MachineActs) -> None:
    """Do what the other board, or both together, have decided.

    Raises EventError for what cannot be here and now; then nothing has changed.
    """
    deed = _DEEDS.get((match.state.phase, told.act)) or _AGREED.get(told.act)
    if deed is None or (told.act not in _AGREED and match.state.to_act is not told.by):
        here = match.state.phase.value
        raise EventError(f"{told.by.value} cannot {told.act.value!r} in the phase {here!r}")
    deed(match, told)


def begin_next_game(match: LiveMatch) -> None:
    """The next game, once the board has agreed that may begin it."""
    if match.far and match.state.to_act is match.machine:
        match.propose(What.NEXT_GAME)
    else:
        match.next_game()


def _play(match: LiveMatch, told: MachineActs) -> None:
    state, game = match.state, match.game
    legal = game.plays(state.position, state.roll or Roll(()))
    plays = {game.write_play(play): play for play in legal}
    if told.play not in plays:
        raise EventError(f"play {quoted(told.play)} is not legal; legal are: {', '.join(plays)}")
    play = plays[told.play]
    if game.moves(state.position, play):
        match.choose_for_machine(play)
    else:
        match.accept(play)


def _double(match: LiveMatch, _: MachineActs) -> None:
    if not match.may_double():
        raise EventError(f"{match.state.to_act.value} may not double")
    match.double()


def _resign(match: LiveMatch, told: MachineActs) -> None:
    allowed = match.turns.resignations(match.state)
    if told.points is None or told.points not in allowed:
        raise EventError(f"points is {told.points!r}; resign {' or '.join(map(str, allowed))}")
    match.resign(told.points)


def _waits(match: LiveMatch, _: MachineActs) -> None:
    match.awaiting_roll = True


def _answer(act: Act) -> Callable[[LiveMatch, MachineActs], None]:
    return lambda match, _: match.act(act)


def _take_back(match: LiveMatch, told: MachineActs) -> None:
    undone = told.undone or 0
    if not match.knows(Act.TAKE_BACK) or not 1 <= undone <= len(match.past):
        raise EventError(f"{undone} plays cannot be taken back of {len(match.past)}")
    match.take_back(len(match.past) - undone)


def _restore(match: LiveMatch, _: MachineActs) -> None:
    if not match.knows(Act.RESTORE) or match.course.gone is None:
        raise EventError("there is no takeback to undo")
    match.restore()


def _correct(match: LiveMatch, told: MachineActs) -> None:
    before = match.state.position
    try:
        position = match.game.read_position(told.position or "")
        if reasons := match.game.impossible(position, before):
            raise PositionError(told.position or "", reasons)
    except RulesError as error:
        raise EventError(str(error)) from None
    if not match.knows(Act.CORRECT) or match.state.phase is Phase.SET_UP:
        raise EventError(f"nothing is corrected in the phase {match.state.phase.value!r}")
    # Where it was asked for it stands so; the hands on the other board are led to it.
    match.correct(position, guide=told.by is match.machine)


_DEEDS: Mapping[tuple[Phase, MachineAct], Callable[[LiveMatch, MachineActs], None]] = (
    MappingProxyType(
        {
            (Phase.OPENING_THROW, MachineAct.ROLL): _waits,
            (Phase.TO_ROLL, MachineAct.ROLL): _waits,
            (Phase.TO_ROLL, MachineAct.DOUBLE): _double,
            (Phase.TO_ROLL, MachineAct.RESIGN): _resign,
            (Phase.MOVING, MachineAct.RESIGN): _resign,
            (Phase.DOUBLE_OFFERED, MachineAct.TAKE): _answer(Act.TAKE),
            (Phase.DOUBLE_OFFERED, MachineAct.PASS): _answer(Act.PASS),
            (Phase.RESIGNATION_OFFERED, MachineAct.ACCEPT): _answer(Act.ACCEPT),
            (Phase.RESIGNATION_OFFERED, MachineAct.REFUSE): lambda match, _: match.refuse(),
            (Phase.MOVING, MachineAct.PLAY): _play,
        }
    )
)
"""What one side decides, and the other board follows."""
_AGREED: Mapping[MachineAct, Callable[[LiveMatch, MachineActs], None]] = MappingProxyType(
    {
        MachineAct.NEXT_GAME: lambda match, _: (
            match.next_game() if match.knows(Act.NEXT_GAME) else None
        ),
        MachineAct.TAKE_BACK: _take_back,
        MachineAct.RESTORE: _restore,
        MachineAct.CORRECT: _correct,
    }
)
"""What both boards do together; whoever tells it has asked both."""
