"""Checks whether a sealed record is complete, and whether its decisions follow the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from pi_app.base.errors import GivenError
from pi_app.base.values import dataclass
from pi_app.match.acts import OF_ONE_SIDE, Act
from pi_app.match.terms import MatchTerms, PlayPolicy
from pi_app.match.turns import OF_TURNS, State, Turns, UnknownActError
from pi_app.referee.decision import Decision, DecisionError
from pi_app.referee.events import EventError, Start
from pi_app.referee.history import History
from pi_app.referee.lines import read_decision, read_event
from pi_app.referee.options import agree, turns_of
from pi_app.rules.contract import AnyGame, Games
from pi_app.rules.terms import Roll, RulesError
from pi_app.seal.keys import fits, is_weak
from pi_app.seal.record import Seal, digest, message, read_hashes, read_header, read_seal
from pi_app.words.texts import quoted

# Checks whether the decisions of a match follow from each other by the rules.
#
# A signature says that a record is the one that a board has made; whether what it tells is a match
# by the rules is another question, and is answered here by playing it again. Dice cannot be
# checked, nor can a board that players corrected: what they say is taken, and what must come of it
# compared.


class _CannotError(Exception):
    """Why a decision cannot follow from what came before it."""


def impossible(
    start: Start, decisions: Iterable[tuple[int, Decision]], games: Games
) -> Iterator[str]:
    """Describe each numbered decision that cannot follow from the one before it.

    Each is checked against the stored state before it, so that one error does not affect later
    decisions.
    """
    try:
        series, options = agree(start, games)
    except EventError as error:
        yield f"the start of the match: {error}"
        return
    turns = turns_of(series, options)
    history, us, expected = History(turns.begin()), start.us, 1
    for number, decision in decisions:
        named = f"decision {number} ({decision.what.value})"
        if number != expected:
            yield f"{named}: what was decided before it cannot be read"
            history = replace(history, plays=(), before_undo=None, waiting=())
        expected = number + 1
        if decision.us < us:
            yield f"{named} is of an earlier moment than the one before it"
        us = max(us, decision.us)
        try:
            state = _typed(turns.during(decision.state.standing).game, decision)
        except (_CannotError, RulesError) as error:
            yield f"{named} cannot be: {error}"
            continue
        try:
            play = _play(turns.game, options.terms, history, decision)
            faults = list(_faults(turns, history, decision, state, play))
        except (_CannotError, RulesError, UnknownActError) as error:
            play, faults = None, [str(error)]
        yield from (f"{named} cannot be: {why}" for why in faults)
        history = history.after(decision, state, play)
        turns = turns.during(state.standing)


def _typed(game: AnyGame, decision: Decision) -> State:
    """The state after a decision, with its position read."""
    position = game.read_position(decision.state.position)
    if game.write_position(position) != decision.state.position:
        raise _CannotError(
            f"its position {quoted(decision.state.position)} is not as it is written"
        )
    return replace(decision.state, position=position)


def _play(game: AnyGame, terms: MatchTerms, history: History, decision: Decision) -> Any:
    """The play that was made or chosen. It must be legal, or accepted under responsible moves."""
    if decision.what not in (Act.PLAY, Act.CHOSEN):
        return None
    if decision.play is None:
        raise _CannotError("it has no play")
    state = history.state
    if state.roll is None:
        raise _CannotError("nothing was rolled")
    if decision.condoned:
        if terms.policy is not PlayPolicy.RESPONSIBLE:
            raise _CannotError(f"it is condoned, and {terms.policy.value} were agreed on")
        return game.read_play(state.position, decision.play)
    for play in game.plays(state.position, state.roll):
        if game.write_play(state.position, play) == decision.play:
            return play
    position = game.write_position(state.position)
    raise _CannotError(f"play {quoted(decision.play)} is not legal for {state.roll} in {position}")


def _faults(
    turns: Turns, history: History, decision: Decision, state: State, play: Any
) -> Iterator[str]:
    before = history.state
    if decision.what in OF_ONE_SIDE and decision.by is not before.to_act:
        by = decision.by.value if decision.by else "nobody"
        yield f"by is {quoted(by)}, and {before.to_act.value} was to act"
    if decision.what in (Act.PLAY, Act.TAKE_BACK) and decision.dice != before.roll:
        yield f"dice are {quoted(str(decision.dice))}, and {quoted(str(before.roll))} lay there"
    after = before
    if decision.what in OF_TURNS:
        argument = _argument(turns, history, decision, state, play)
        after = turns.act(before, decision.what, argument)
    yield from _differences(turns, after, state)


def _argument(turns: Turns, history: History, decision: Decision, state: State, play: Any) -> Any:
    """The argument of a decision's act. Raises _CannotError if it is missing."""
    match decision.what:
        case Act.PLAY:
            return play
        case Act.RESIGN:
            if state.resignation not in turns.resignations(history.state):
                raise _CannotError(f"nobody can resign for {state.resignation} points here")
            return state.resignation
        case Act.CORRECT:
            return state.position
        case Act.DOUBLE if history.too_late and not history.doubles_again:
            raise _CannotError("whoever has seen the dice of a turn may not double")
    return _argument_from_history(turns, history, decision)


def _argument_from_history(turns: Turns, history: History, decision: Decision) -> Any:
    """The same for acts whose argument follows from earlier decisions; None if they need none."""
    match decision.what:
        case Act.THROW:
            return _roll(decision, 1).dice[0]
        case Act.ROLL:
            return _rolled(turns, history, decision)
        case Act.TAKE_BACK:
            return _taken_back(turns, history, decision)
        case Act.CHANGE_DICE:
            if history.untyped is None:
                raise _CannotError("no typed dice lay there")
            return history.untyped
        case Act.RESTORE:
            if history.before_undo is None:
                raise _CannotError("nothing was undone before it")
            return history.before_undo.state
    return None


def _roll(decision: Decision, count: int) -> Roll:
    if decision.dice is None or len(decision.dice.dice) != count:
        raise _CannotError(f"its dice are {quoted(str(decision.dice))}; {count} are rolled here")
    return decision.dice


def _rolled(turns: Turns, history: History, decision: Decision) -> Roll:
    roll = _roll(decision, turns.dice(history.state))
    shown = history.rolled
    if shown is not None and not shown.typed and shown.roll != roll:
        raise _CannotError(f"its dice are {roll}, and this turn had rolled {shown.roll} already")
    return roll


def _taken_back(turns: Turns, history: History, decision: Decision) -> State:
    undone = decision.undone
    if not 1 <= undone <= len(history.plays):
        raise _CannotError(f"it undoes {undone} plays, and {len(history.plays)} were made")
    made = history.plays[-undone]
    if turns.game.write_play(made.state.position, made.play) != decision.play:
        raise _CannotError(f"it undoes {quoted(str(decision.play))}, which is not what was played")
    state: State = made.state
    return state


def _differences(turns: Turns, wanted: State, found: State) -> Iterator[str]:
    """Every part in which the stored state differs from the decision's result."""
    for part in fields(wanted):
        real, must = getattr(found, part.name), getattr(wanted, part.name)
        if real != must:
            if part.name == "position":
                real = turns.during(found.standing).game.write_position(real)
                must = turns.during(wanted.standing).game.write_position(must)
            yield f"{part.name} is {_shown(real)}, and by the rules it is {_shown(must)}"


def _shown(value: object) -> str:
    return str(getattr(value, "value", value))


# Compares a sealed record with its seal and finds the changed lines.
#
# What the signature fits is what was signed: the lines themselves, or else the hashes written
# beside it, by which each line is then looked at. Where it fits neither, the seal itself is
# another. All of it takes a time in proportion to the length of the record, whoever made it.

MOST_SEALS = 64
"""The most ends of one match, because each seal is checked over all lines above it."""
FEWEST = 4
"""Header, start, hashes and seal."""


class SealedRecordError(GivenError, ValueError):
    """The file is no sealed record."""


@dataclass(frozen=True, slots=True)
class SealedRecord:
    """A checked file; `faults` is empty if every byte is as it was signed.

    `decisions` are the readable ones, each with its number; `start` is None if unreadable.
    `sealed_by` are the keys of its seals, the last seal's first.
    """

    match: int
    began: str
    start: Start | None
    decisions: tuple[tuple[int, Decision], ...]
    sealed_by: tuple[str, ...]
    faults: tuple[str, ...]


def read_record(data: bytes, key: str | None = None) -> SealedRecord:
    """Check a record with the key in it, or with the one that is expected.

    Raises SealedRecordError for a file that is no sealed record, SealError if nothing can be
    verified.
    """
    faults: list[str] = []
    lines = data.split(b"\n")
    if lines.pop():
        faults.append("the end of the last line is missing: the file was cut short or changed")
        lines = data.split(b"\n")
    texts = [line.decode("utf-8", "backslashreplace") for line in lines]
    seal = read_seal(texts[-1]) if texts else None
    if seal is None and (not texts or read_header(texts[0]) is None):
        what = "it is no sealed record: it has neither its first line nor a seal"
        raise SealedRecordError(f"{what}; spotter export NUMBER --sealed -o FILE writes one")
    body = lines[:-2]
    if seal is None:
        body, hashes = _unsealed(lines, texts)
        faults.append("the seal, the last line, is missing or cannot be read any more")
        faults += [] if hashes is None else _lines_changed(body, hashes)
    elif is_weak(seal.key):
        faults.append("the seal is by a key by which anybody can sign: it says nothing")
    elif len(lines) < FEWEST:
        faults.append("lines are missing: there is nothing but the seal")
    else:
        faults += _looked_at(body, read_hashes(texts[-2]), seal, key)
    if seal is not None and key is not None and seal.key != key:
        faults.append(f"the key is not the one expected: the seal is by {seal.key}, not by {key}")
    return _record(body, seal, faults)


def _unsealed(lines: list[bytes], texts: list[str]) -> tuple[list[bytes], tuple[str, ...] | None]:
    """The lines of a record whose seal is changed or missing, and its hashes."""
    for count, line in enumerate(reversed(texts[-2:]), start=1):
        hashes = read_hashes(line)
        if hashes is not None:
            return lines[:-count], hashes
    return lines, None


def _looked_at(
    body: list[bytes], hashes: tuple[str, ...] | None, seal: Seal, key: str | None
) -> Iterator[str]:
    """Yield the differences from the signed record."""
    # If the signature fits the lines, nothing was changed but perhaps the line of the hashes. If it
    # fits only the hashes, these are genuine and name the changed lines. The expected key is tried
    # last: only then a fit proves that the key in the seal was exchanged.
    actual = tuple(map(digest, body))
    if fits(seal, message(actual)):
        yield from _hashes_changed(actual, hashes)
        if seal.lines != len(body):
            yield f"the seal was changed: it says {seal.lines} lines, and it signs {len(body)}"
        yield from _earlier_seals(body, actual)
    elif hashes is not None and fits(seal, message(hashes)):
        yield from _lines_changed(body, hashes)
    elif key is not None and fits(seal, message(actual), key):
        yield "the seal was changed: its key; every line is as the expected key signed it"
    elif hashes == actual:
        yield (
            "the seal was changed, its key or its signature, or lines and their hashes together: "
            "the signature does not fit, though every line fits its hash"
        )
    else:
        yield "the signature fits neither the lines nor their hashes: the seal was changed too"
        if hashes is None:
            yield "the line of the hashes is missing or was changed"
        else:
            yield from _lines_changed(body, hashes)


def _hashes_changed(actual: tuple[str, ...], hashes: tuple[str, ...] | None) -> Iterator[str]:
    """Yield changed hashes of lines that are intact."""
    if hashes is None:
        yield "the line of the hashes is missing or was changed; all other lines are as signed"
    elif hashes != actual:
        pairs = enumerate(zip(hashes, actual, strict=False), start=1)
        wrong = [number for number, (pair, real) in pairs if pair != real]
        which = f"the hash of line {wrong[0]}" if wrong else "how many there are"
        yield f"the line of the hashes was changed: {which}; all other lines are as signed"


def _earlier_seals(body: list[bytes], actual: tuple[str, ...]) -> Iterator[str]:
    """Check that each end before a continuation was sealed."""
    seals = 0
    for place, line in enumerate(body):
        seal = read_seal(line.decode("utf-8", "replace"))
        if seal is None:
            continue
        seals += 1
        if seals > MOST_SEALS:
            yield f"line {place + 1} is one more earlier seal; there can be {MOST_SEALS}"
            return
        if not (seal.lines == place and fits(seal, message(actual[:place]))):
            yield f"line {place + 1}, an earlier seal, does not sign the lines above it"


def _lines_changed(body: list[bytes], hashes: Sequence[str]) -> Iterator[str]:
    """Yield changed, missing, doubled, moved and added lines, found by the signed hashes."""
    actual = [digest(line) for line in body]
    if len(actual) != len(hashes):
        for place in _surplus(hashes, actual):
            # Which decision it was, where no seal stands before it.
            number = f" (decision {place - 1})" if place > 1 else ""
            yield f"line {place + 1} of those signed{number} is missing"
        yield from (f"line {place + 1} was added" for place in _surplus(actual, hashes))
        return
    names, signed = _names(body), set(hashes)
    for place, (pair, real) in enumerate(zip(hashes, actual, strict=True)):
        if real != pair and real in signed:
            yield f"line {place + 1} was moved: it was signed elsewhere in the record"
        elif real != pair:
            yield f"line {place + 1}, {names[place]}, was changed"


def _surplus(these: Sequence[str], those: Sequence[str]) -> Iterator[int]:
    """Yield the places of what occurs more often in `these` than in `those`."""
    left = Counter(those)
    for place, each in enumerate(these):
        left[each] -= 1
        if left[each] < 0:
            yield place


def _names(body: list[bytes]) -> list[str]:
    names, number = ["the header", "the start"], 0
    for line in body[2:]:
        is_seal = read_seal(line.decode("utf-8", "replace")) is not None
        number += not is_seal
        names.append("an earlier seal" if is_seal else f"decision {number}")
    return names


def _record(body: list[bytes], seal: Seal | None, faults: list[str]) -> SealedRecord:
    """The readable part. A line that is signed but unreadable is a fault."""
    intact = not faults
    texts = [line.decode("utf-8", "replace") for line in body]
    found = read_header(texts[0]) if texts else None
    if found is None and intact:
        faults.append("line 1, the header, cannot be read")
    match, began = found or (0, "")
    start = None
    try:
        first = read_event(texts[1]) if len(texts) > 1 else None
        start = first if isinstance(first, Start) else None
    except EventError:
        pass
    if start is None and intact:
        faults.append("line 2 is no start of a match that this Spotter can read")
    decisions: list[tuple[int, Decision]] = []
    keys = [seal.key] if seal else []
    number = 0
    for place, text in enumerate(texts[2:], start=3):
        earlier = read_seal(text)
        if earlier:
            keys.append(earlier.key)
            continue
        number += 1
        try:
            decisions.append((number, read_decision(text)))
        except DecisionError as error:
            if intact:
                faults.append(f"line {place}, decision {number}, cannot be read: {error}")
    return SealedRecord(
        match, began, start, tuple(decisions), tuple(dict.fromkeys(keys)), tuple(faults)
    )
