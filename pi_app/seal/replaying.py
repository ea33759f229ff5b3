"""Whether the decisions of a match can follow from each other by the rules.

A signature says that a record is the one that a board has made; whether what it tells is a match by
the rules is another question, and is answered here by playing it again.  Dice cannot be checked,
nor can a board that players corrected: what they say is taken, and what must come of it compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from pi_app.match.phases import Act
from pi_app.match.terms import MatchTerms, PlayPolicy
from pi_app.match.turns import State, Turns, UnknownActError
from pi_app.referee.course import Course
from pi_app.referee.decision import KEPT_AS, OF_ONE_SIDE, Decision, What
from pi_app.referee.events import Start
from pi_app.referee.lines import EventError
from pi_app.referee.options import agree
from pi_app.rules.contract import AnyGame, Games
from pi_app.rules.terms import Roll, RulesError
from pi_app.texts import quoted

ACT_OF: Mapping[What, Act] = MappingProxyType({what: act for act, what in KEPT_AS.items()})


class _CannotError(Exception):
    """Why a decision cannot follow from what was before it."""


def impossible(
    start: Start, decisions: Iterable[tuple[int, Decision]], games: Games
) -> Iterator[str]:
    """Of each numbered decision that cannot follow from the one before it: which, and why.

    Judged from what stands there after it, one that is wrong makes the next ones no worse.
    """
    try:
        game, options = agree(start, games)
    except EventError as error:
        yield f"the start of the match: {error}"
        return
    turns = Turns(game, options.agreement)
    course, us, expected = Course(turns.begin()), start.us, 1
    for number, decision in decisions:
        named = f"decision {number} ({decision.what.value})"
        if number != expected:
            yield f"{named}: what was decided before it cannot be read"
            course = replace(course, past=(), gone=None, waiting=())
        expected = number + 1
        if decision.us < us:
            yield f"{named} is of an earlier moment than the one before it"
        us = max(us, decision.us)
        try:
            state = _typed(game, decision)
            play = _play(game, options.terms, course, decision)
            told = list(_faults(game, turns, course, decision, state, play))
        except (_CannotError, RulesError, UnknownActError) as error:
            told = [str(error)]
            state, play = None, None
        yield from (f"{named} cannot be: {why}" for why in told)
        if state is None:
            state = _readable(game, decision)
        if state is not None:
            course = course.after(decision, state, play)


def _typed(game: AnyGame, decision: Decision) -> State:
    """The match after a decision, its position read; of what was only shown nobody kept one."""
    if decision.what is What.SHOWN:
        return replace(decision.state, position=game.start(decision.state.to_act))
    position = game.read_position(decision.state.position)
    if game.write_position(position) != decision.state.position:
        raise _CannotError(
            f"its position {quoted(decision.state.position)} is not as it is written"
        )
    return replace(decision.state, position=position)


def _readable(game: AnyGame, decision: Decision) -> State | None:
    try:
        return _typed(game, decision)
    except (_CannotError, RulesError):
        return None


def _play(game: AnyGame, terms: MatchTerms, course: Course, decision: Decision) -> Any:
    """The play that was made or chosen, which must be legal, or condoned where that was agreed."""
    if decision.what not in (What.PLAY, What.CHOSEN):
        return None
    if decision.play is None:
        raise _CannotError("it has no play")
    state = course.state
    if state.roll is None:
        raise _CannotError("nothing was rolled")
    if decision.condoned:
        if terms.policy is not PlayPolicy.RESPONSIBLE:
            raise _CannotError(f"it is condoned, and {terms.policy.value} were agreed on")
        return game.read_play(state.position, decision.play)
    for play in game.plays(state.position, state.roll):
        if game.write_play(play) == decision.play:
            return play
    position = game.write_position(state.position)
    raise _CannotError(f"play {quoted(decision.play)} is not legal for {state.roll} in {position}")


def _faults(
    game: AnyGame, turns: Turns, course: Course, decision: Decision, state: State, play: Any
) -> Iterator[str]:
    before = course.state
    if decision.what in OF_ONE_SIDE and decision.by is not before.to_act:
        by = decision.by.value if decision.by else "nobody"
        yield f"by is {quoted(by)}, and {before.to_act.value} was to act"
    act = ACT_OF.get(decision.what)
    if decision.what in (What.PLAY, What.TAKE_BACK) and decision.dice != before.roll:
        yield f"dice are {quoted(str(decision.dice))}, and {quoted(str(before.roll))} lay there"
    if decision.what is What.SHOWN:
        return
    if decision.what is What.RESIGNED:
        yield from _resigned(turns, before, state)
    elif act is None:
        yield from _differences(game, before, state)
    else:
        after = turns.act(before, act, _argument(turns, course, decision, state, play))
        yield from _differences(game, after, state)


def _argument(turns: Turns, course: Course, decision: Decision, state: State, play: Any) -> Any:
    """What the act of a decision was done with; raises _CannotError where there is none."""
    match decision.what:
        case What.PLAY:
            return play
        case What.RESIGNATION:
            if state.resignation not in turns.resignations(course.state):
                raise _CannotError(f"nobody can resign for {state.resignation} points here")
            return state.resignation
        case What.CORRECTION:
            return state.position
        case What.DOUBLE if course.too_late and not course.doubles_again:
            raise _CannotError("whoever has seen the dice of a turn may not double")
    return _told_by_course(turns, course, decision)


def _told_by_course(turns: Turns, course: Course, decision: Decision) -> Any:
    """The same where it depends on what was before it; None for what needs nothing."""
    match decision.what:
        case What.OPENING_THROW:
            return _roll(decision, 1).dice[0]
        case What.ROLL:
            return _rolled(turns, course, decision)
        case What.TAKE_BACK:
            return _taken_back(turns, course, decision)
        case What.CHANGE_DICE:
            if course.untyped is None:
                raise _CannotError("no typed dice lay there")
            return course.untyped
        case What.RESTORED:
            if course.gone is None:
                raise _CannotError("nothing was taken back before it")
            return course.gone.state
    return None


def _roll(decision: Decision, count: int) -> Roll:
    if decision.dice is None or len(decision.dice.dice) != count:
        raise _CannotError(f"its dice are {quoted(str(decision.dice))}; {count} are thrown here")
    return decision.dice


def _rolled(turns: Turns, course: Course, decision: Decision) -> Roll:
    roll = _roll(decision, turns.dice(course.state))
    shown = course.rolled
    if shown is not None and not shown.typed and shown.roll != roll:
        raise _CannotError(f"its dice are {roll}, and this turn had rolled {shown.roll} already")
    return roll


def _taken_back(turns: Turns, course: Course, decision: Decision) -> State:
    undone = decision.undone
    if not 1 <= undone <= len(course.past):
        raise _CannotError(f"it undoes {undone} plays, and {len(course.past)} were made")
    past = course.past[-undone]
    if turns.game.write_play(past.play) != decision.play:
        raise _CannotError(f"it undoes {quoted(str(decision.play))}, which is not what was played")
    state: State = past.state
    return state


def _resigned(turns: Turns, before: State, state: State) -> Iterator[str]:
    """An earlier Spotter kept offer and answer as one."""
    for points in turns.resignations(before):
        if turns.act(turns.act(before, Act.RESIGN, points), Act.ACCEPT) == state:
            return
    yield "no resignation leads to what stands after it"


def _differences(game: AnyGame, wanted: State, found: State) -> Iterator[str]:
    """Every part of the match that is not what must come of the decision."""
    for part in fields(wanted):
        real, must = getattr(found, part.name), getattr(wanted, part.name)
        if real != must:
            if part.name == "position":
                real, must = game.write_position(real), game.write_position(must)
            yield f"{part.name} is {_told(real)}, and by the rules it is {_told(must)}"


def _told(value: object) -> str:
    return str(getattr(value, "value", value))
