"""The game under way, told from its decisions: where a match is resumed, and what can be undone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pi_app.match.phases import OVER
from pi_app.match.score import next_game
from pi_app.match.turns import MatchState, Turns
from pi_app.microseconds import Us
from pi_app.referee.decision import Decision, DecisionError, What
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Die, RulesError, Side
from pi_app.sensing.description import Sensor

Throw: TypeAlias = tuple[tuple[Side, Die], ...]
"""Who threw what, one die a player."""


@dataclass(frozen=True, slots=True)
class Past:
    """A state of this game and the play that was accepted from it."""

    state: MatchState[Any]
    play: Any


@dataclass(frozen=True, slots=True)
class Course:
    """Where a match stands, the plays of this game that can be taken back, the throw on show."""

    state: MatchState[Any]
    past: tuple[Past, ...] = ()
    thrown: Throw = ()
    off: tuple[Sensor, ...] = ()
    us: Us = Us(0)


def course_of(game: AnyGame, turns: Turns, decisions: Iterable[Decision]) -> Course:
    """Where a match stands after the decisions of its latest game, or after the last of them.

    What the first of them undid or played is not asked: no game begins with a play.
    Raises DecisionError for one that this game cannot have made.
    """
    course = None
    for decision in decisions:
        try:
            course = _after(game, turns, course, decision)
        except RulesError as error:
            raise DecisionError(f"{decision.what.value} at {decision.us} µs: {error}") from None
    return course or Course(turns.begin())


def _after(game: AnyGame, turns: Turns, course: Course | None, decision: Decision) -> Course:
    past, thrown = (course.past, course.thrown) if course else ((), ())
    match decision.what:
        case What.SHOWN:
            return Course(_from_shown(turns, decision.state), us=decision.us)
        case What.NEXT_GAME:
            past = ()
        case What.PLAY if course and decision.play is not None:
            play = game.read_play(course.state.position, decision.play)
            past = (*past, Past(course.state, play))
        case What.TAKE_BACK:
            past = past[: max(len(past) - decision.undone, 0)]
        case _:
            pass
    state = replace(decision.state, position=game.read_position(decision.state.position))
    return Course(state, past, throw_after(thrown, decision), decision.off, decision.us)


def throw_after(thrown: Throw, decision: Decision) -> Throw:
    """The opening throw that is on show after a decision; the first play takes it away."""
    match decision.what:
        case What.OPENING_THROW if decision.by and decision.dice:
            first = () if len(thrown) == 2 else thrown
            return (*first, (decision.by, decision.dice.dice[0]))
        case What.PLAY | What.TAKE_BACK | What.NEXT_GAME:
            return ()
        case _:
            return thrown


def _from_shown(turns: Turns, shown: MatchState[str]) -> MatchState[Any]:
    """Nobody kept where the checkers stood: the game begins anew, at the score that was shown."""
    over = shown.phase in OVER
    return turns.begin(next_game(turns.agreement, shown.standing) if over else shown.standing)
