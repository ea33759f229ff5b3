"""Talking with a player: what is done when it dies, hangs or babbles, step by step, no process."""

from __future__ import annotations

import json

import pytest
from known import find_game

from pi_app.games.all import ALL
from pi_app.microseconds import Us, ms
from pi_app.players.contract import Situation
from pi_app.players.process import (
    ENDED,
    MOST_DROPPED,
    Advice,
    Conversation,
    Deadlines,
    Deed,
    Finish,
    Launch,
    Send,
    Trouble,
)
from pi_app.players.wire import MOST_OF_ANSWER, Question, answer, write_greeting
from pi_app.rules.terms import Roll, Side

GAME = find_game("nannon")
QUESTION = Question(Situation(GAME.start(Side.WHITE)), Roll.of(3))
GREETING = write_greeting("nannon", "random")
LIMITS = Deadlines(start=ms(2000), answer=ms(500))
DEAD = ENDED(status=3)


def right(number: int) -> bytes:
    return answer(ALL.find("nannon").contender("random").make(GAME), number, QUESTION, GAME)


def kinds(steps: list[Deed]) -> list[type[Deed]]:
    return [type(step) for step in steps]


def said(steps: list[Deed]) -> str:
    (trouble,) = [step for step in steps if isinstance(step, Trouble)]
    return trouble.said


@pytest.fixture
def talk() -> Conversation:
    return Conversation(GAME, "random", LIMITS)


@pytest.fixture
def ready(talk: Conversation) -> Conversation:
    assert talk.begin(Us(0)) == [Launch()]
    assert talk.hear(ms(100), GREETING) == []
    return talk


def asked(talk: Conversation, number: int = 1, at: Us = ms(1000)) -> Conversation:
    assert kinds(talk.ask(at, number, QUESTION)) == [Send]
    return talk


def test_a_question_is_sent_and_its_answer_told(ready: Conversation) -> None:
    (step,) = asked(ready).hear(ms(1100), right(1))
    assert isinstance(step, Advice)
    assert step.number == 1
    assert ready.due is None


def test_an_answer_may_come_in_any_pieces(ready: Conversation) -> None:
    asked(ready)
    steps = [step for byte in right(1) for step in ready.hear(ms(1100), bytes([byte]))]
    assert kinds(steps) == [Advice]


def test_what_is_asked_while_it_starts_is_sent_once_it_is_there(talk: Conversation) -> None:
    assert talk.ask(Us(0), 1, QUESTION) == [Launch()]
    assert talk.due == ms(2000)
    assert kinds(talk.hear(ms(300), GREETING)) == [Send]
    assert talk.due == ms(800)


def test_who_does_not_answer_in_time_is_started_again_and_asked_again(ready: Conversation) -> None:
    asked(ready)
    assert ready.advance(ms(1499)) == []
    steps = ready.advance(ms(1500))
    assert kinds(steps) == [Finish, Trouble, Launch]
    assert said(steps) == ("Restarting random: it did not answer within 0.5 s")
    assert kinds(ready.hear(ms(1600), GREETING)) == [Send]
    assert kinds(ready.hear(ms(1700), right(1))) == [Advice]


def test_after_two_tries_the_question_stays_without_an_answer(ready: Conversation) -> None:
    asked(ready)
    ready.advance(ms(1500))
    ready.hear(ms(1600), GREETING)
    steps = ready.advance(ms(2100))
    assert kinds(steps) == [Finish, Trouble]
    assert isinstance(steps[1], Trouble)
    assert steps[1].number == 1
    assert "gives no answer" in steps[1].said
    assert ready.due is None
    assert ready.ask(ms(3000), 2, QUESTION) == [Launch()]


def test_who_never_starts_is_left_alone_after_two_tries(talk: Conversation) -> None:
    assert talk.ask(Us(0), 1, QUESTION) == [Launch()]
    assert kinds(talk.gone(ms(10), DEAD)) == [Finish, Trouble, Launch]
    steps = talk.gone(ms(20), DEAD)
    assert kinds(steps) == [Finish, Trouble]
    assert said(steps) == ("random gives no answer: it exited with status 3")


def test_who_is_not_ready_in_time_is_told(talk: Conversation) -> None:
    talk.begin(Us(0))
    assert "it was not ready within 2 s" in said(talk.advance(ms(2000)))
    assert talk.advance(ms(60_000)) == []


def test_who_dies_unasked_comes_back_only_if_it_has_ever_answered(ready: Conversation) -> None:
    asked(ready).hear(ms(1100), right(1))
    assert kinds(ready.gone(ms(1200), DEAD)) == [Finish, Trouble, Launch]
    ready.hear(ms(1300), GREETING)
    assert kinds(ready.gone(ms(1400), DEAD)) == [Finish, Trouble]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"hello\n", "no line of JSON"),
        (b"\n", "no line of JSON"),
        (b'{"id": 9}\n', "what was not asked"),
        (b'{"id": 1, "unit": "score", "exact": false, "plays": []}\n', "leaves out"),
        (b"x" * (MOST_OF_ANSWER + 1), "more than 1024 KiB"),
    ],
)  # fmt: skip
def test_a_babbler_is_started_again(ready: Conversation, line: bytes, why: str) -> None:
    steps = asked(ready).hear(ms(1100), line)
    assert kinds(steps) == [Finish, Trouble, Launch]
    assert why in said(steps)


def test_who_speaks_unasked_is_a_babbler_too(ready: Conversation) -> None:
    steps = ready.hear(ms(1100), right(1) * 3)
    assert kinds(steps) == [Finish, Trouble]
    assert "it sent an answer to no question" in said(steps)


def test_an_answer_that_is_out_of_date_is_passed_over(ready: Conversation) -> None:
    asked(ready, 1)
    asked(ready, 2, at=ms(1100))
    assert ready.due == ms(1600)
    assert ready.hear(ms(1200), right(1)) == []
    assert kinds(ready.hear(ms(1300), right(2))) == [Advice]


def test_a_question_that_was_dropped_has_no_deadline(ready: Conversation) -> None:
    asked(ready).drop()
    assert ready.advance(ms(90_000)) == []
    assert ready.hear(ms(91_000), right(1)) == []
    asked(ready, 2, at=ms(92_000))


def test_who_owes_too_many_answers_is_started_again(ready: Conversation) -> None:
    for number in range(1, MOST_DROPPED + 2):
        asked(ready, number)
    steps = ready.ask(ms(1001), 99, QUESTION)
    assert kinds(steps) == [Finish, Trouble, Launch]
    (step,) = ready.hear(ms(1100), GREETING)
    assert isinstance(step, Send)
    assert json.loads(step.line)["id"] == 99


def test_what_a_process_said_before_it_was_ended_is_forgotten(ready: Conversation) -> None:
    steps = asked(ready).hear(ms(1100), b"nonsense\n" + GREETING + right(1) + b'{"id":')
    assert kinds(steps) == [Finish, Trouble, Launch]
    assert kinds(ready.hear(ms(1200), GREETING)) == [Send]
    assert kinds(ready.hear(ms(1300), right(1))) == [Advice]
