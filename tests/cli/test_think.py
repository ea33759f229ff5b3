"""A player in a process of its own: questions come in, answers go out."""

from __future__ import annotations

import os
from contextlib import suppress
from multiprocessing import Pipe

import pytest
from known import GAMES, find_game

from pi_app.cli.think import main
from pi_app.match.score import Agreement, Cube, Score, Standing
from pi_app.players.contract import CubeOpinion, Opinion, PlayerError, Question, Situation, Unit
from pi_app.players.gnubg import player as gnubg
from pi_app.players.process import FromPlayer
from pi_app.rules.terms import Roll, Side

AGREEMENT = Agreement(11, cube=True, crawford=True, tie_turns_cube=True)
STANDING = Standing(Score(3, 10), Cube(4, Side.BLACK), 7, False, True)


@pytest.fixture(autouse=True)
def _as_fast_as_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.nice", lambda by: by)


def answered_by(game: str, player: str, *questions: Question) -> list[FromPlayer]:
    """All that the player says to these questions, numbered from 1."""
    asked, asks = Pipe(duplex=False)
    answers, answered = Pipe(duplex=False)
    with asked, answers:
        with asks:
            for number, question in enumerate(questions, 1):
                asks.send((number, question))
        with answered:
            ends = (str(os.dup(end.fileno())) for end in (asked, answered))
            assert main(game, player, *ends) == 0
        told = list[FromPlayer]()
        with suppress(EOFError):
            while True:
                told.append(answers.recv())
        return told


@pytest.mark.parametrize("name", GAMES)
def test_questions_of_every_game_are_answered_one_by_one(name: str) -> None:
    game = find_game(name)
    roll = Roll.of(*range(1, game.dice + 1))
    situation = Situation(game.start(Side.BLACK), AGREEMENT, STANDING)
    plays = game.plays(situation.position, roll)
    made = Question(situation, roll, plays[0])
    ready, first, cube, again = answered_by(
        name, "random", Question(situation, roll), Question(situation, None), made
    )
    assert ready == FromPlayer(None)
    assert isinstance(first.opinion, Opinion)
    assert {rated.play for rated in first.opinion.plays} == set(plays)
    assert cube == FromPlayer(2, None)
    assert again == FromPlayer(3, first.opinion)


def test_the_cube_is_asked_about_without_a_roll() -> None:
    start = Situation(find_game("nannon").start(Side.BLACK), AGREEMENT, STANDING)
    _, told = answered_by("nannon", "exact", Question(start, None))
    assert isinstance(told.opinion, CubeOpinion)
    assert (told.opinion.unit, told.opinion.exact) == (Unit.MATCH, True)


def test_a_player_that_is_not_there_says_so_instead_of_being_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gnubg, "program", lambda: None)
    (told,) = answered_by("backgammon", "gnubg-0")
    assert told.number is None
    assert "not installed" in told.refused


def test_a_question_that_a_player_cannot_answer_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PlayerError("I am tired")

    monkeypatch.setattr(Question, "put", refuse)
    start = Situation(find_game("nannon").start(Side.WHITE))
    told = answered_by("nannon", "random", *2 * [Question(start, Roll.of(3))])
    assert told == [FromPlayer(None), FromPlayer(1, refused="I am tired")]
