"""Sides that are not played at this board: by the machine, or by people at another board.

Nothing here thinks. `machine_turn` says what the machine must decide, and the answer arrives as a
`MachineActs` event, so replaying the events gives the same match. Until the machine has chosen, no
play is legal in its turn; afterwards only the chosen one is, and somebody at the board makes it.
The other board of a linked match decides in the same way. Undo, redo and correction need both
boards: a tap only proposes them, and an event does them once both have agreed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from pi_app.base.values import dataclass
from pi_app.match.acts import OF_BOTH_BOARDS, OF_ENGINE, OF_FAR_SIDE, Act
from pi_app.match.score import Agreement, Standing
from pi_app.match.turns import SHOWN, Phase
from pi_app.referee.events import EventError, MachineActs, Tap
from pi_app.referee.match import LiveMatch
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Move, PositionError, Roll, RulesError
from pi_app.sensing.reading import BoardState
from pi_app.words.texts import quoted


@dataclass(frozen=True, slots=True)
class MachineTurn:
    """The decision that the engine must make.

    `weighs`: it may double before it rolls. `resignation` is what the opponent offers to lose,
    before the stake; `most` is the most that he can still lose.
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
    state = match.state
    if not match.machines_turn or match.turn.silent or match.turn.awaiting_roll:
        return None
    throws = state.phase in (Phase.OPENING_THROW, Phase.TO_ROLL) and not match.turn.held
    if not (match.choosing or match.only_its_own or throws):
        return None
    loses = match.game.resignations(state.position, state.to_act.other)
    return MachineTurn(
        state.phase,
        state.position,
        state.roll,
        match.agreed.turns.agreement,
        state.standing,
        match.only_its_own and state.phase is Phase.TO_ROLL,
        state.resignation,
        max(loses, default=0),
    )


def obey_machine(match: LiveMatch, asked: MachineActs) -> None:
    """Do what the machine has decided, if it is its turn to decide.

    Raises EventError for a play that is not legal.
    """
    asks = machine_turn(match) is not None and asked.by is match.agreed.machine
    if asks and asked.does in OF_ENGINE and _is_open(match, asked.does):
        OTHER_SIDE[asked.does](match, asked)


def obey_far(match: LiveMatch, asked: MachineActs) -> None:
    """Do what the other board, or both together, have decided.

    Raises EventError for what is impossible here and now, and changes nothing.
    """
    alone = asked.does in OF_FAR_SIDE and asked.by is match.state.to_act
    if not (asked.does in OF_BOTH_BOARDS or (alone and _is_open(match, asked.does))):
        here = SHOWN[match.state.phase]
        raise EventError(
            f"{asked.does.value!r} by {asked.by.value} cannot be in the phase {here!r}"
        )
    OTHER_SIDE[asked.does](match, asked)


def _is_open(match: LiveMatch, act: Act) -> bool:
    """Whether the phase has the act: who is to roll or to throw a die may also wait with it."""
    if act in (Act.ROLL, Act.HOLD):
        return match.dice > 0
    if act is Act.NOTHING:
        return match.state.phase is not Phase.OPENING_THROW
    return match.knows(act)


def _play(match: LiveMatch, asked: MachineActs) -> None:
    state, game = match.state, match.game
    legal = game.plays(state.position, state.roll or Roll(()))
    plays = {game.write_play(state.position, play): play for play in legal}
    if asked.play not in plays:
        raise EventError(f"play {quoted(asked.play)} is not legal; legal are: {', '.join(plays)}")
    play = plays[asked.play]
    if game.moves(state.position, play):
        match.choose_for_machine(play)
    else:
        match.accept(play)


def _answer(act: Act) -> Callable[[LiveMatch, MachineActs], None]:
    return lambda match, _: match.act(act)


def _roll(match: LiveMatch, _: MachineActs) -> None:
    if match.far:
        match.turn.awaiting_roll = True  # the dice come from both boards
    elif match.board is BoardState.RESTING:
        match.ask_roll()


def _hold(match: LiveMatch, _: MachineActs) -> None:
    match.turn.held = True


def points_of(allowed: Collection[int], asked: Tap | MachineActs) -> int:
    """Return the points that a resignation offers, which must be among those `allowed`."""
    if asked.points is None or asked.points not in allowed:
        raise EventError(f"points is {asked.points!r}; resign {' or '.join(map(str, allowed))}")
    return asked.points


def position_of(
    game: AnyGame, asked: Tap | MachineActs, before: Any, attempt: tuple[Move, ...]
) -> Any:
    """Return the position on the board: the given one, else that of the likeliest attempt."""
    if asked.position is None and not attempt:
        raise EventError("position is missing and the sensors do not tell it; write it out")
    try:
        if asked.position is not None:
            position = game.read_position(asked.position)
        else:
            position = game.attempted(before, attempt)
        if reasons := game.impossible(position, before):
            raise PositionError(game.write_position(position), reasons)
    except RulesError as error:
        raise EventError(str(error)) from None
    return position


def begin_next_game(match: LiveMatch) -> None:
    """Begin the next game, once the board that may begin it has."""
    if match.far and match.machines_turn:
        match.propose(Act.NEXT_GAME)
    else:
        match.next_game()


def _double(match: LiveMatch, _: MachineActs) -> None:
    if match.far and not match.may_double():
        raise EventError(f"{match.state.to_act.value} may not double")
    match.double()


def _resign(match: LiveMatch, asked: MachineActs) -> None:
    allowed = match.resignations
    match.resign(points_of(allowed, asked))


def _take_back(match: LiveMatch, asked: MachineActs) -> None:
    undone = asked.undone or 0
    if not match.knows(Act.TAKE_BACK) or not 1 <= undone <= len(match.table.earlier):
        raise EventError(f"{undone} plays cannot be undone of {len(match.table.earlier)}")
    match.take_back(len(match.table.earlier) - undone)


def _restore(match: LiveMatch, _: MachineActs) -> None:
    if not match.knows(Act.RESTORE) or match.history.before_undo is None:
        raise EventError("there is no undo to redo")
    match.restore()


def _correct(match: LiveMatch, asked: MachineActs) -> None:
    position = position_of(match.game, asked, match.state.position, ())
    if not match.knows(Act.CORRECT) or match.state.phase is Phase.SET_UP:
        raise EventError(f"nothing is corrected in the phase {SHOWN[match.state.phase]!r}")
    # Where it was asked for it stands so; the hands on the other board are led to it.
    match.correct(position, guide=asked.by is match.agreed.machine)


def _next_game(match: LiveMatch, _: MachineActs) -> None:
    if match.knows(Act.NEXT_GAME):
        match.next_game()


OTHER_SIDE: Mapping[Act, Callable[[LiveMatch, MachineActs], None]] = {
    Act.ROLL: _roll,
    Act.HOLD: _hold,
    Act.PLAY: _play,
    Act.DOUBLE: _double,
    Act.TAKE: _answer(Act.TAKE),
    Act.PASS: _answer(Act.PASS),
    Act.RESIGN: _resign,
    Act.ACCEPT: _answer(Act.ACCEPT),
    Act.REFUSE: lambda match, _: match.refuse(),
    Act.NOTHING: lambda match, _: match.do_without_machine(),
    Act.TAKE_BACK: _take_back,
    Act.RESTORE: _restore,
    Act.CORRECT: _correct,
    Act.NEXT_GAME: _next_game,
}
"""Each act of a side that is not played here; `acts` says which of them whose are."""
