"""What gives way to what: {ms, what is put or sounds, what begins}."""

from __future__ import annotations

import pytest

from pi_app.base.microseconds import ms
from pi_app.speech.commentary import Floor
from pi_app.speech.utterance import Rank, Subject, Utterance

SUBJECTS = {
    "warning": Subject.WARNING,
    "cube": Subject.CUBE,
    "question": Subject.QUESTION,
    "roll": Subject.ROLL,
    "play": Subject.PLAY,
    "hand": Subject.HAND,
    "page": Subject.PAGE,
    "answer": Subject.ANSWER,
}

SCENES = {
    "a warning interrupts a roll": "0 roll: roll, 100 warning: warning",
    "a roll waits for a warning": "0 warning: warning, 100 roll: -, 1500 silence: roll",
    "what waits too long is dropped": "0 warning: warning, 100 play: -, 2200 silence: -",
    "of one rank the newest is said": "0 roll: roll, 1 play a: -, 2 play b: -, 900 silence: play b",
    "an equal rank does not interrupt": "0 roll: roll, 100 roll b: -, 900 silence: roll b",
    "the same is not said twice": "0 roll: roll, 900 silence: -, 1000 roll: -",
    "what is asked for may be the same": "0 answer: answer, 900 silence: -, 1000 answer: answer",
    "a reading gives way to anything": "0 page: page, 100 hand: hand",
    "a reading gives way to the next": "0 page a: page a, 100 page b: page b",
    "a question gives way to the next": "0 question a: question a, 90 question b: question b",
    "a question waits for the cube": "0 cube: cube, 100 question: -, 900 silence: question",
    "higher first": "0 warning: warning, 50 hand: -, 60 cube: -, 900 silence: cube",
}


@pytest.mark.parametrize("name", SCENES)
def test_turn(name: str) -> None:
    turn, sounds = Floor(), False
    for step in SCENES[name].split(", "):
        act, _, expected = step.partition(": ")
        time_ms, _, what = act.partition(" ")
        now = ms(float(time_ms))
        if what == "silence":
            sounds = False
        else:
            turn.put(Utterance(what, SUBJECTS[what.split()[0]]), now)
        begun = turn.take(now, sounds=sounds)
        sounds = sounds or begun is not None
        assert (begun.text if begun else "-") == expected, step


def test_a_match_that_begins_empties_the_queue() -> None:
    turn = Floor()
    turn.put(Utterance("old", Subject.ROLL), ms(0))
    turn.clear()
    assert turn.take(ms(0), sounds=False) is None


def test_every_subject_has_its_rank() -> None:
    assert Subject.WARNING.rank > Subject.CUBE.rank > Subject.ROLL.rank > Subject.PLAY.rank
    assert Subject.PLAY.rank > Subject.HAND.rank > Subject.PAGE.rank is Rank.READING
