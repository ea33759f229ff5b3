"""What of a kept match can be judged: each play, each use of the cube, each roll of the dice.

Only the game that counts is judged: what was taken back was never played.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pi_app.export.retold import Kept, RetoldStep
from pi_app.match.phases import Phase
from pi_app.match.score import Agreement, may_double
from pi_app.players.contract import Situation
from pi_app.players.wire import Question
from pi_app.referee.decision import What
from pi_app.referee.options import agree
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import RulesError, Side


@dataclass(frozen=True, slots=True)
class Dilemma:
    """A decision that can be judged.

    `number` counts the decisions of the match from 1, `turn` the plays of the game as its sheet
    does; `game` is which of the match's it belongs to.
    `what` is a play, a double, a take, a pass, or ROLL: rolled where a double could be offered.
    `play` is what was played and `result` the position after it, None where it is about the cube.
    """

    number: int
    game: int
    turn: int
    side: Side
    what: What
    question: Question
    play: Any = None
    result: Any = None


@dataclass(frozen=True, slots=True)
class Cast:
    """A roll that was thrown in a turn; an opening throw is none."""

    number: int
    game: int
    side: Side
    question: Question


class CountedStep(NamedTuple):
    """A decision that counts, its number in the match and the number of its game's play."""

    number: int
    turn: int
    step: RetoldStep


def moments(kept: Kept) -> Iterator[Dilemma]:
    """Everything that a player chose; raises EventError for no match.

    A play that is the only legal one is no choice.  What an earlier Spotter kept without positions,
    and what today's rules cannot read, is left out.
    """
    game, options = agree(kept.start, kept.games)
    for told in counted(kept):
        with suppress(RulesError):
            moment = _moment(game, options.agreement, told)
            if moment:
                yield moment


def casts(kept: Kept) -> Iterator[Cast]:
    """Every roll that counts; raises EventError for no match."""
    game, options = agree(kept.start, kept.games)
    for number, _, step in counted(kept):
        if step.decision.what is What.ROLL and step.decision.dice and step.before.position:
            with suppress(RulesError):
                position = game.read_position(step.before.position)
                standing = step.before.standing
                question = Question(
                    Situation(position, options.agreement, standing), step.decision.dice
                )
                yield Cast(number, standing.game_number, step.before.to_act, question)


def counted(kept: Kept) -> tuple[CountedStep, ...]:
    """The decisions that count: without what was taken back or mistyped."""
    told: list[CountedStep] = []
    gone: list[list[CountedStep]] = []
    played = 0
    for number, step in enumerate(kept.steps(), start=1):
        match step.decision.what:
            case What.TAKE_BACK:
                gone.append(list(told))
                del told[_undone(told, step) :]
            case What.RESTORED if gone:
                told = gone.pop()
            case What.CHANGE_DICE:
                while told and told[-1].step.decision.what in (What.ROLL, What.OPENING_THROW):
                    told.pop()
            case What.NEXT_GAME:
                played = 0
            case _:
                told.append(CountedStep(number, played + 1, step))
                played += step.decision.what is What.PLAY
    return tuple(told)


def _undone(told: list[CountedStep], step: RetoldStep) -> int:
    """Where the play stands that a takeback goes back before."""
    wanted = (step.after.position, step.after.roll)
    for place in range(len(told) - 1, -1, -1):
        before = told[place].step.before
        if (before.position, before.roll) == wanted and before.phase is Phase.MOVING:
            return place
    return len(told)


def _moment(game: AnyGame, agreement: Agreement, told: CountedStep) -> Dilemma | None:
    number, turn, step = told
    before, decision = step.before, step.decision
    standing, side = before.standing, before.to_act
    if not before.position:
        return None
    position = game.read_position(before.position)
    if decision.what in (What.PLAY, What.CORRECTION):
        roll = before.roll if before.roll is not None else decision.dice
        results = game.results(position, roll) if roll is not None else ()
        result = _result(game, position, step)
        if roll is None or len(results) < 2 or result not in results:
            return None
        play = game.plays(position, roll)[results.index(result)]
        question = Question(Situation(position, agreement, standing), roll)
        game_number = standing.game_number
        return Dilemma(number, game_number, turn, side, What.PLAY, question, play, result)
    if decision.again:
        return None  # whoever knows the dice decides nothing about the cube
    # A double is asked about as it stood before it was offered: it is one question with its answer.
    standing = replace(standing, cube=replace(standing.cube, offered=None))
    rolled = decision.what is What.ROLL and before.phase is Phase.TO_ROLL
    free = rolled and may_double(agreement, standing, side)
    if not free and decision.what not in (What.DOUBLE, What.TAKE, What.PASS):
        return None
    question = Question(Situation(position, agreement, standing), None)
    return Dilemma(number, standing.game_number, turn, side, decision.what, question)


def _result(game: AnyGame, position: Any, step: RetoldStep) -> Any:
    """The position after a play; a board that was corrected to a legal one was played so."""
    if step.decision.what is What.PLAY:
        return game.after(position, game.read_play(position, step.decision.play or ""))
    return game.read_position(step.after.position)
