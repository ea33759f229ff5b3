"""One list of verbs: whose they are, and the words that files have for them."""

from __future__ import annotations

import json

import pytest

from pi_app.match.acts import OF_BOTH_BOARDS, OF_ENGINE, OF_FAR_SIDE, OF_ONE_SIDE, STORED, Act
from pi_app.match.turns import OF_TURNS
from pi_app.referee.controls import TAPS
from pi_app.referee.decision import DecisionError
from pi_app.referee.events import EventError, MachineActs, Tap
from pi_app.referee.lines import read_decision, read_event, write_event

DECIDED = """board set, opening throw, roll, change dice, chosen, play, double, take, pass, beaver,
resignation, accepted, refused, correction, take back, restored, next game, sensor off, sensor on,
overtime, flag, resumed"""
TAPPED = """double, take, pass, beaver, choose, another, board is right, screen is right, take back,
restore, change dice, sensor off, sensor on, resign, accept, refuse, next game"""
TOLD = """play, roll, hold, double, take, pass, accept, refuse, nothing, resign, next game, take
back, restore, correct"""
"""The words in journals and files of events since 1.0: they never change."""
NEEDED = {"play": "6/4", "sensor": "1", "points": 1, "undone": 1, "position": "1ww..bb1 w"}
LINE = {
    **{"ms": 1, "phase": "moving", "to_act": "white", "position": "1ww..bb1 w", "game": 1},
    **{"score": {"white": 0, "black": 0}, "cube": {"value": 1}},
}


def words(text: str) -> list[str]:
    return [word.replace("\n", " ") for word in text.replace(",\n", ", ").split(", ")]


def tap_line(word: str) -> str:
    needed = {key: value for key, value in NEEDED.items() if key != "undone"}
    return json.dumps({"ms": 1, "event": "tap", "intent": word, **needed})


def told_line(word: str) -> str:
    needed = {key: value for key, value in NEEDED.items() if key != "sensor"}
    return json.dumps({"ms": 1, "event": "machine", "by": "white", "does": word, **needed})


@pytest.mark.parametrize("word", words(TAPPED))
def test_a_tap_is_read_and_written_with_its_word(word: str) -> None:
    event = read_event(tap_line(word))
    assert isinstance(event, Tap)
    assert json.loads(write_event(event))["intent"] == word


@pytest.mark.parametrize("word", words(TOLD))
def test_another_sides_act_is_read_and_written_with_its_word(word: str) -> None:
    event = read_event(told_line(word))
    assert isinstance(event, MachineActs)
    assert json.loads(write_event(event))["does"] == word


@pytest.mark.parametrize("word", words(DECIDED))
def test_a_decision_is_read_by_its_word(word: str) -> None:
    assert read_decision(json.dumps({**LINE, "decided": word})).what is Act(word)


def test_the_words_are_all_that_there_are() -> None:
    assert {read_event(tap_line(word)).intent for word in words(TAPPED)} == set(TAPS)  # type: ignore[union-attr]
    assert set(map(Act, words(DECIDED))) == STORED
    assert len(words(TOLD)) == len(OF_ENGINE | OF_FAR_SIDE | OF_BOTH_BOARDS)


@pytest.mark.parametrize("word", sorted(act.value for act in set(Act) - STORED))
def test_what_is_only_asked_for_is_no_decision(word: str) -> None:
    with pytest.raises(DecisionError, match=rf"\$\.decided is '{word}', which is no decision"):
        read_decision(json.dumps({**LINE, "decided": word}))


@pytest.mark.parametrize("word", ["resignation", "chosen", "flag", "hold", "correct"])
def test_an_act_that_nobody_taps_is_refused(word: str) -> None:
    with pytest.raises(EventError, match=rf"\$\.intent is '{word}'; it must be one of: accept, "):
        read_event(tap_line(word))


@pytest.mark.parametrize("word", ["beaver", "board is right", "choose", "flag"])
def test_an_act_of_no_other_side_is_refused(word: str) -> None:
    with pytest.raises(EventError, match=rf"\$\.does is '{word}'; it must be one of: accept, "):
        read_event(told_line(word))


def test_who_may_do_what() -> None:
    assert OF_TURNS < STORED
    assert OF_ONE_SIDE <= STORED
    assert OF_BOTH_BOARDS | {Act.BOARD_SET, Act.CHANGE_DICE} == OF_TURNS - OF_ONE_SIDE
    assert not OF_BOTH_BOARDS & (OF_ENGINE | OF_FAR_SIDE)
    assert Act.BEAVER not in OF_ENGINE | OF_FAR_SIDE
