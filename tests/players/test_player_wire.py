"""Lines between Spotter and its players: read back as written, and nothing else is believed."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known import GAMES, find_game

from pi_app.games.all import ALL
from pi_app.match.score import Agreement, Cube, Score, Standing
from pi_app.players.contract import CubeOpinion, Opinion, Player, Situation, Unit
from pi_app.players.wire import (
    NonsenseError,
    Question,
    QuestionError,
    answer,
    check_greeting,
    read_answer,
    read_question,
    refuse,
    write_greeting,
    write_question,
)
from pi_app.rules.terms import Roll, Side

NANNON = find_game("nannon")
START = Situation(NANNON.start(Side.WHITE))
PLAYS = Question(START, Roll.of(3))
CUBE = Question(START, None)
AGREEMENT = Agreement(11, cube=True, crawford=True, tie_turns_cube=True)
STANDING = Standing(Score(3, 10), Cube(4, Side.BLACK, Side.BLACK), 7, False, True)


class Doubler:
    """A player with cube opinions only."""

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        raise AssertionError("nobody asks for plays")

    def weigh(self, situation: Situation) -> CubeOpinion:
        return CubeOpinion(Unit.MATCH, True, 0.7, 0.75, 0.8, 0.125)


def chance(game: str) -> Player:
    return ALL.find(game).contender("random").make(find_game(game))


@pytest.mark.parametrize("name", GAMES)
def test_questions_and_answers_of_every_game_are_read_back(name: str) -> None:
    game, player = find_game(name), chance(name)
    roll = Roll.of(*range(1, game.dice + 1))
    for agreement, standing in ((AGREEMENT, STANDING), (START.agreement, START.standing)):
        situation = Situation(game.start(Side.BLACK), agreement, standing)
        for made in (None, *game.plays(situation.position, roll)[:2]):
            question = Question(situation, roll, made)
            number, asked = read_question(game, write_question(game, 12, question))
            assert (number, asked) == (12, question)
        line = answer(player, number, question, game)
        assert read_answer(game, 12, question, line) == player.rate(question.situation, roll)


def test_the_cube_is_asked_about_without_a_roll() -> None:
    question = Question(Situation(NANNON.start(Side.BLACK), AGREEMENT, STANDING), None)
    assert read_question(NANNON, write_question(NANNON, 0, question)) == (0, question)
    line = answer(Doubler(), 0, question, NANNON)
    opinion = read_answer(NANNON, 0, question, line)
    assert isinstance(opinion, CubeOpinion)
    assert (opinion.double, opinion.take, opinion.exact) == (True, True, True)
    assert opinion.point == 0.125
    nothing = answer(chance("nannon"), 0, question, NANNON)
    assert read_answer(NANNON, 0, question, nothing) is None


def test_a_player_says_who_it_is() -> None:
    check_greeting(write_greeting("nannon", "exact"), "nannon", "exact")
    with pytest.raises(NonsenseError, match="greets"):
        check_greeting(write_greeting("nannon", "random"), "nannon", "exact")


GOOD: dict[str, Any] = {
    "id": 1,
    "unit": "points",
    "exact": True,
    "plays": [["HOME/3", 0.5], ["1/4", -0.5]],
}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"id": 2}, "not asked"),
        ({"unit": "bananas"}, "what it counts"),
        ({"unit": ["points"]}, "what it counts"),
        ({"exact": 1}, "what it counts"),
        ({"point": 0}, "a point is worth 0.0 to it"),
        ({"point": "1"}, "no worth"),
        ({"plays": None}, "its plays are"),
        ({"plays": ["HOME/3", "1/4"]}, "its plays are"),
        ({"plays": [["2/5", 0.5], ["1/4", 0]]}, "'2/5' is no legal play"),
        ({"plays": [["1/4", 0.5], ["1/4", 0]]}, "twice"),
        ({"plays": [[["1/4"], 0.5], ["1/4", 0]]}, "no legal play"),
        ({"plays": [["1/4", 0.5]]}, "leaves out 'HOME/3'"),
        ({"plays": [["HOME/3", "0.5"], ["1/4", 0]]}, "no worth"),
        ({"plays": [["HOME/3", True], ["1/4", 0]]}, "no worth"),
        ({"plays": [["HOME/3", 10**400], ["1/4", 0]]}, "no worth"),
        ({"plays": [["HOME/3", float("nan")], ["1/4", 0]]}, "no worth"),
        ({"plays": [["HOME/3", float("inf")], ["1/4", 0]]}, "no worth"),
        ({"error": "I am tired"}, "I am tired"),
    ],
)
def test_nonsense_is_named(changed: dict[str, Any], why: str) -> None:
    assert read_answer(NANNON, 1, PLAYS, json.dumps(GOOD).encode()) is not None
    with pytest.raises(NonsenseError, match=why):
        read_answer(NANNON, 1, PLAYS, json.dumps({**GOOD, **changed}).encode())


@pytest.mark.parametrize("line", [b"", b"hello", b"[]", b"3", b"[" * 100_000, b"\xff\xfe{}"])
def test_what_is_no_object_is_nonsense(line: bytes) -> None:
    with pytest.raises(NonsenseError, match="JSON"):
        read_answer(NANNON, 1, PLAYS, line)


def test_a_cube_without_its_worths_is_nonsense() -> None:
    with pytest.raises(NonsenseError, match="None is no worth"):
        read_answer(NANNON, 1, CUBE, b'{"id": 1, "unit": "points", "exact": false, "held": 0.5}')


def test_a_player_that_cannot_answer_says_so() -> None:
    with pytest.raises(NonsenseError, match="no such position"):
        read_answer(NANNON, 4, PLAYS, refuse(4, "no such\nposition".replace("\n", " ")))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"hello", "JSON"),
        (b"{}", "id is missing.*position is missing"),
        (b'{"id": 1, "position": "nonsense", "roll": "3"}', "nonsense"),
        (b'{"id": 1, "position": "1ww..bb1 w", "roll": "7"}', "roll '7'"),
        (b'{"id": 1, "position": "0..b.b.1 b", "roll": "3"}', "the game is over"),
        (b'{"id": 1, "position": "1ww..bb1 w", "depth": 3}', "depth"),
        (
            b'{"id": 1, "position": "1ww..bb1 w", "match": {"match_to": 3, "score": [3, 0]}}',
            "score",
        ),
        (b'{"id": 1, "position": "1ww..bb1 w", "match": {"owner": "me"}}', "owner"),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(line: bytes, why: str) -> None:
    with pytest.raises(QuestionError, match=why):
        read_question(NANNON, line)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=10,
)
KEYS = ("id", "unit", "exact", "plays", "held", "taken", "passed", "position", "roll", "match")


@settings(max_examples=50, deadline=None)
@given(table=st.dictionaries(st.sampled_from(KEYS), JSON), cut=st.integers(0, 40))
def test_whatever_comes_is_read_or_named_nonsense(table: dict[str, object], cut: int) -> None:
    whole = json.dumps({**GOOD, **table}).encode()
    for line in (whole, whole[:cut], whole[cut:]):
        for question in (PLAYS, CUBE):
            with suppress(NonsenseError):
                read_answer(NANNON, 1, question, line)
        with suppress(QuestionError):
            read_question(NANNON, line)
