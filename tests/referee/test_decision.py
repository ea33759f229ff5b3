"""A decision as a line and back, and a match that starts from it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace

import pytest
from any_table import AnyTable
from hypothesis import given
from hypothesis import strategies as some
from known import FAMILIES
from samples import DECISIONS
from shares import one_in

from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision, DecisionError
from pi_app.referee.events import EventError, Tap
from pi_app.referee.lines import read_decision, write_decision
from pi_app.referee.referee import Referee
from pi_app.referee.view import View

DECIDED = (
    "phase", "to_act", "position", "roll", "score", "cube", "match_to", "crawford", "game_number",
    "thrown", "last_result", "sensors_off", "resignations", "players",
)  # fmt: skip


def decided(view: View) -> dict[str, object]:
    """The part of a view that hands cannot change."""
    shown = asdict(view)
    legal = view.legal if view.phase is Phase.MOVING else ()
    return {name: shown[name] for name in DECIDED} | {"legal": legal}


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: decision.what.value)
def test_a_decision_comes_back_from_its_line(decision: Decision) -> None:
    assert read_decision(write_decision(decision)) == decision


STORED = (
    '{"ms": 11, "decided": "board set", "phase": "opening throw", "to_act": "white", '
    '"position": "1ww..bb1 w", "game": 1, "score": {"white": 0, "black": 0}, '
    '"cube": {"value": 1}}'
)
"""A line of a journal of version 6."""


def test_a_stored_line_is_what_it_always_was() -> None:
    assert write_decision(DECISIONS[0]) == STORED
    assert read_decision(STORED) == DECISIONS[0]
    assert not DECISIONS[0].state.standing.crawford_played


LINE = json.loads(write_decision(DECISIONS[8]))


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("ms", -1, "it must be a number of milliseconds from 0"),
        ("ms", "12", "$.ms is '12': Expected float"),
        ("decided", "sung", "$.decided is 'sung': Invalid enum value"),
        ("by", "green", "$.by is 'green': Invalid enum value"),
        ("phase", "match over?", "$.phase is 'match over?': Invalid enum value"),
        ("position", None, "$.position is None: Expected str, got null"),
        ("score", {"white": -1, "black": 0}, "$.score.white is -1: Expected int >= 0"),
        ("undone", 10**9 + 1, "$.undone is 1000000001: Expected int <= 1000000000"),
        ("cube", {"value": 0}, "$.cube.value is 0: Expected int >= 1"),
        ("result", {"points": 1}, "$.result.name is missing"),
        ("dice", "77", "roll '77': write 2 digits"),
        ("confidence", 1.5, "$.confidence is 1.5: Expected float <= 1.0"),
        ("confidence", "sure", "$.confidence is 'sure': Expected float | null"),
        ("asked", 1, "$.asked is 1: Expected bool"),
        ("more", 1, "$.more is not known"),
    ],
)
def test_a_line_that_is_no_decision_says_why(key: str, value: object, says: str) -> None:
    with pytest.raises(DecisionError) as caught:
        read_decision(json.dumps({**LINE, key: value}))
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "line", ["", "{", "[]", "null", "[" * 3000, '{"a":' * 3000, "9" * 5000, "\0", "NaN"]
)
def test_what_is_no_line_at_all_is_refused(line: str) -> None:
    with pytest.raises(DecisionError):
        read_decision(line)


JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(),
    lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner),
    max_leaves=5,
)


@given(some.sampled_from(sorted(LINE)), JSON)
def test_whatever_a_key_holds_it_is_read_or_refused(key: str, value: object) -> None:
    try:
        decision = read_decision(json.dumps({**LINE, key: value}))
    except DecisionError:
        return
    assert read_decision(write_decision(decision)) == decision


# A match that begins from its decisions


def latest(table: AnyTable) -> list[Decision]:
    begins = [n for n, each in enumerate(table.decided) if each.what is Act.NEXT_GAME]
    return table.decided[begins[-1] if begins else 0 :]


def resumed(table: AnyTable) -> Referee:
    return Referee(table.board, table.start, latest(table))


def goes_wild(table: AnyTable) -> None:
    """Plays, with an occasional double, undo, correction or resignation."""
    offers, view = table.view.offers, table.view
    wish = table.chance.random()
    if wish < 0.05 and Act.TAKE_BACK in offers:
        table.taps(Act.TAKE_BACK)
        table.shows(table.position)
    elif wish < 0.3 and Act.DOUBLE in offers:
        table.doubles(taken=table.chance.random() < 0.7)
    elif wish < 0.07 and view.phase is Phase.MOVING:
        table.corrects(view.position)
    elif wish < 0.08 and Act.RESIGN in offers:
        table.taps(Act.RESIGN, points=next(iter(view.resignations)))
    else:
        table.goes_on()


@pytest.mark.slow
@pytest.mark.parametrize("game", FAMILIES)
def test_after_every_decision_a_match_can_be_resumed_as_it_is(game: str) -> None:
    table = AnyTable(game, 3, seed=4)
    known = 0
    for _ in range(120 // one_in(3)):
        if table.view.phase is Phase.MATCH_OVER:
            break
        goes_wild(table)
        if len(table.decided) == known:
            continue
        known = len(table.decided)
        again = resumed(table)
        assert decided(again.view) == decided(table.view)
        assert (Act.TAKE_BACK in again.view.offers) == (Act.TAKE_BACK in table.view.offers)
    assert known > 15 // one_in(3)
    written = [write_decision(decision) for decision in table.decided]
    assert [read_decision(line) for line in written] == table.decided


def test_what_can_be_taken_back_can_be_taken_back_after_a_restart() -> None:
    table = AnyTable("nannon", 3, seed=2)
    while len([each for each in table.decided if each.what is Act.PLAY]) < 4:
        table.goes_on()
    again = resumed(table)
    for _ in range(4):
        for referee in (table.referee, again):
            referee.handle(Tap(table.later(), Act.TAKE_BACK))
        assert decided(again.view) == decided(table.view)


def test_a_takeback_keeps_the_roll_that_was_taken_back() -> None:
    table = AnyTable("backgammon", 3)
    table.opens("3", "1")
    table.plays("8/5 6/5")
    table.rolls = ["64"]
    table.presses()
    table.presses()
    assert table.view.roll == "64"
    table.taps(Act.TAKE_BACK)
    last = table.decided[-1]
    assert (last.what, str(last.dice), last.play) == (Act.TAKE_BACK, "64", "8/5 6/5")
    assert str(last.state.roll) == "31"


Replaced = Callable[[Decision], Decision]


@pytest.mark.parametrize(
    "change",
    [
        lambda last: replace(last, state=replace(last.state, position="nonsense")),
        lambda last: replace(last, what=Act.PLAY, play="nonsense"),
    ],
    ids=["position", "play"],
)
def test_decisions_that_this_match_cannot_have_made_are_refused(change: Replaced) -> None:
    table = AnyTable("nannon", 3)
    table.opens()
    *before, last = latest(table)
    with pytest.raises(EventError, match="nonsense"):
        Referee(table.board, table.start, [*before, change(last)])
