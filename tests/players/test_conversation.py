"""Talking with a player: what is done when it dies, hangs or babbles, step by step, no process."""

from __future__ import annotations

from dataclasses import replace
from math import nan

import pytest
from known import find_game
from thinkers import known_player

from pi_app.base.microseconds import Us, ms
from pi_app.players.contract import Answer, CubeOpinion, Question, Rated, Situation, Unit
from pi_app.players.process import (
    ENDED,
    MOST_DROPPED,
    Advice,
    Conversation,
    Deadlines,
    Finish,
    FromPlayer,
    Launch,
    ProcessStep,
    Send,
    Trouble,
)
from pi_app.rules.terms import Roll, Side

GAME = find_game("nannon")
SITUATION = Situation(GAME.start(Side.WHITE))
QUESTION = Question(SITUATION, Roll.of(3))
GREETING = FromPlayer(None)
LIMITS = Deadlines(start=ms(2000), answer=ms(500))
DEAD = ENDED(status=3)
RIGHT = known_player("nannon", "random").rate(SITUATION, Roll.of(3))
CUBE = CubeOpinion(Unit.MATCH, True, 0.7, 0.75, 0.8, 0.125)


def right(number: int) -> FromPlayer:
    return FromPlayer(number, RIGHT)


class EagerTalk:
    """A conversation whose steps are lists."""

    def __init__(self) -> None:
        self.talk = Conversation(GAME, "random", LIMITS)

    @property
    def due(self) -> Us | None:
        return self.talk.due

    def begin(self, us: Us) -> list[ProcessStep]:
        return list(self.talk.begin(us))

    def ask(self, us: Us, number: int, question: Question = QUESTION) -> list[ProcessStep]:
        return list(self.talk.ask(us, number, question))

    def drop(self) -> None:
        self.talk.drop()

    def hear(self, us: Us, told: FromPlayer) -> list[ProcessStep]:
        return list(self.talk.hear(us, told))

    def gone(self, us: Us) -> list[ProcessStep]:
        return list(self.talk.fail(us, DEAD))

    def advance(self, us: Us) -> list[ProcessStep]:
        return list(self.talk.advance(us))


def kinds(steps: list[ProcessStep]) -> list[type[ProcessStep]]:
    return [type(step) for step in steps]


def said(steps: list[ProcessStep]) -> str:
    (trouble,) = [step for step in steps if isinstance(step, Trouble)]
    return trouble.said


@pytest.fixture
def talk() -> EagerTalk:
    return EagerTalk()


@pytest.fixture
def ready(talk: EagerTalk) -> EagerTalk:
    assert talk.begin(Us(0)) == [Launch()]
    assert talk.hear(ms(100), GREETING) == []
    return talk


def asked(talk: EagerTalk, number: int = 1, at: Us = ms(1000)) -> EagerTalk:
    assert kinds(talk.ask(at, number)) == [Send]
    return talk


def test_a_question_is_sent_and_its_answer_told(ready: EagerTalk) -> None:
    (step,) = asked(ready).hear(ms(1100), right(1))
    assert isinstance(step, Advice)
    assert step.number == 1
    assert ready.due is None


def test_what_is_asked_while_it_starts_is_sent_once_it_is_there(talk: EagerTalk) -> None:
    assert talk.ask(Us(0), 1) == [Launch()]
    assert talk.due == ms(2000)
    assert kinds(talk.hear(ms(300), GREETING)) == [Send]
    assert talk.due == ms(800)


def test_who_does_not_answer_in_time_is_started_again_and_asked_again(ready: EagerTalk) -> None:
    asked(ready)
    assert ready.advance(ms(1499)) == []
    steps = ready.advance(ms(1500))
    assert kinds(steps) == [Finish, Trouble, Launch]
    assert said(steps) == ("Restarting random: it did not answer within 0.5 s")
    assert kinds(ready.hear(ms(1600), GREETING)) == [Send]
    assert kinds(ready.hear(ms(1700), right(1))) == [Advice]


def test_after_two_tries_the_question_stays_without_an_answer(ready: EagerTalk) -> None:
    asked(ready)
    ready.advance(ms(1500))
    ready.hear(ms(1600), GREETING)
    steps = ready.advance(ms(2100))
    assert kinds(steps) == [Finish, Trouble]
    assert isinstance(steps[1], Trouble)
    assert steps[1].number == 1
    assert "gives no answer" in steps[1].said
    assert ready.due is None
    assert ready.ask(ms(3000), 2) == [Launch()]


def test_who_never_starts_is_left_alone_after_two_tries(talk: EagerTalk) -> None:
    assert talk.ask(Us(0), 1) == [Launch()]
    assert kinds(talk.gone(ms(10))) == [Finish, Trouble, Launch]
    steps = talk.gone(ms(20))
    assert kinds(steps) == [Finish, Trouble]
    assert said(steps) == ("random gives no answer: it exited with status 3")


def test_who_is_not_ready_in_time_is_told(talk: EagerTalk) -> None:
    talk.begin(Us(0))
    assert "it was not ready within 2 s" in said(talk.advance(ms(2000)))
    assert talk.advance(ms(60_000)) == []


def test_who_dies_unasked_comes_back_only_if_it_has_ever_answered(ready: EagerTalk) -> None:
    asked(ready).hear(ms(1100), right(1))
    assert kinds(ready.gone(ms(1200))) == [Finish, Trouble, Launch]
    ready.hear(ms(1300), GREETING)
    assert kinds(ready.gone(ms(1400))) == [Finish, Trouble]


HOME, ONE = RIGHT.plays


@pytest.mark.parametrize(
    "opinion",
    [
        None,
        "play 2/5",
        CUBE,
        replace(RIGHT, plays=(HOME,)),
        replace(RIGHT, plays=(HOME, HOME)),
        replace(RIGHT, plays=(HOME, ONE, HOME)),
        replace(RIGHT, plays=(HOME, Rated(GAME.read_play(SITUATION.position, "2/5"), 1.0))),
        replace(RIGHT, plays=(HOME, Rated(ONE.play, nan))),
    ],
)
def test_a_babbler_is_started_again(ready: EagerTalk, opinion: Answer) -> None:
    steps = asked(ready).hear(ms(1100), FromPlayer(1, opinion))
    assert kinds(steps) == [Finish, Trouble, Launch]
    assert "its answer is invalid" in said(steps)


@pytest.mark.parametrize("opinion", [None, CUBE])
def test_the_cube_is_asked_about_without_a_roll(
    ready: EagerTalk, opinion: CubeOpinion | None
) -> None:
    ready.ask(ms(1000), 1, Question(SITUATION, None))
    assert ready.hear(ms(1100), FromPlayer(1, opinion)) == [Advice(1, opinion)]


def test_plays_are_no_answer_about_the_cube(ready: EagerTalk) -> None:
    ready.ask(ms(1000), 1, Question(SITUATION, None))
    assert "its answer is invalid" in said(ready.hear(ms(1100), right(1)))


def test_a_player_that_cannot_answer_says_why(ready: EagerTalk) -> None:
    steps = asked(ready).hear(ms(1100), FromPlayer(1, refused="no such\nposition"))
    assert "it reports: no such\\nposition" in said(steps)


def test_who_speaks_unasked_is_a_babbler_too(ready: EagerTalk) -> None:
    steps = ready.hear(ms(1100), right(1))
    assert kinds(steps) == [Finish, Trouble]
    assert "it sent an answer to no question" in said(steps)


def test_an_answer_that_is_out_of_date_is_passed_over(ready: EagerTalk) -> None:
    asked(ready, 1)
    asked(ready, 2, at=ms(1100))
    assert ready.due == ms(1600)
    assert ready.hear(ms(1200), right(1)) == []
    assert kinds(ready.hear(ms(1300), right(2))) == [Advice]


def test_a_question_that_was_dropped_has_no_deadline(ready: EagerTalk) -> None:
    asked(ready).drop()
    assert ready.advance(ms(90_000)) == []
    assert ready.hear(ms(91_000), right(1)) == []
    asked(ready, 2, at=ms(92_000))


def test_who_owes_too_many_answers_is_started_again(ready: EagerTalk) -> None:
    for number in range(1, MOST_DROPPED + 2):
        asked(ready, number)
    steps = ready.ask(ms(1001), 99)
    assert kinds(steps) == [Finish, Trouble, Launch]
    assert ready.hear(ms(1100), GREETING) == [Send(99, QUESTION)]
