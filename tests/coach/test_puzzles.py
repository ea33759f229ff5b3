"""The puzzles that come with Spotter: each can be asked, and its maker makes it again."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from lab.puzzles import COUNTS, SEED, made_of

from pi_app.base.typed_json import JsonError
from pi_app.coach.practice import (
    Puzzle,
    PuzzleKind,
    load_puzzles,
    read_puzzles,
    write_puzzles,
)
from pi_app.coach.training import decides
from pi_app.games.all import ALL
from pi_app.match.origin import read_problem
from pi_app.rules.tables.backgammon import BACKGAMMON
from pi_app.rules.terms import Side, read_roll

PUZZLES = load_puzzles()
OF_PLAYS = (PuzzleKind.OPENING, PuzzleKind.PLAY, PuzzleKind.BEAR_OFF)


def test_there_are_more_than_a_hundred_of_all_kinds_and_none_twice() -> None:
    assert Counter(one.kind for one in PUZZLES) == COUNTS
    assert len({(one.kind, one.position) for one in PUZZLES}) == len(PUZZLES) >= 100


def test_every_puzzle_has_different_answers_and_only_the_first_costs_nothing() -> None:
    for one in PUZZLES:
        assert len(one.answers) >= 2
        worths = list(one.answers.values())
        assert worths == sorted(worths, reverse=True)
        assert one.is_right(one.best)
        if one.kind is not PuzzleKind.OPENING:
            assert not one.is_right([*one.answers][1]), one


def test_white_decides_and_every_answer_is_legal() -> None:
    for one in PUZZLES:
        problem = read_problem(one.position, ALL.rules)
        position = BACKGAMMON.read_position(problem.position)
        if one.kind is PuzzleKind.PIPS:
            assert one.best == str(BACKGAMMON.pips(position, Side.WHITE))
            continue
        assert decides(problem, ALL.rules) is Side.WHITE
        if one.kind is PuzzleKind.TAKE:
            assert {*one.answers} == {"take", "pass"}
            continue
        plays = [BACKGAMMON.read_play(position, answer) for answer in one.answers]
        legal = BACKGAMMON.results(position, read_roll(problem.roll, 2))
        results = [BACKGAMMON.after(position, play) for play in plays]
        assert {*results} <= {*legal}
        assert len({*results}) == len(results)


def test_the_openings_are_the_fifteen_rolls_without_doublets() -> None:
    rolls = [one.position.rpartition("=")[2] for one in PUZZLES if one.kind is PuzzleKind.OPENING]
    assert len({*rolls}) == 15
    assert all(roll[0] > roll[1] for roll in rolls)
    best = {one.position[-2:]: one.best for one in PUZZLES if one.kind is PuzzleKind.OPENING}
    # Found in every book of openings.
    assert (best["31"], best["42"], best["61"]) == ("8/5 6/5", "8/4 6/4", "13/7 8/7")


@pytest.mark.parametrize("kind", PuzzleKind)
def test_the_maker_makes_them_again(kind: PuzzleKind) -> None:
    """The first ones of each kind; another processor may round the last digit otherwise."""
    first = [one for one in PUZZLES if one.kind is kind][:3]
    again = list(islice(made_of(kind, SEED, ALL), len(first)))
    assert [(one.position, [*one.answers]) for one in again] == [
        (one.position, [*one.answers]) for one in first
    ]
    for one, other in zip(again, first, strict=True):
        assert one.answers == pytest.approx(other.answers, abs=0.0015)


def test_puzzles_are_written_as_they_are_read() -> None:
    text = write_puzzles(PUZZLES)
    assert tuple(read_puzzles(text)) == PUZZLES
    with pytest.raises(JsonError):
        list(read_puzzles('{"kind": "riddle", "position": "", "answers": {}}'))


def test_a_small_cost_is_right_and_a_larger_one_is_not() -> None:
    answers = {"a": 0.5, "b": 0.48, "c": 0.46}
    one = Puzzle(PuzzleKind.PLAY, "backgammon x", answers)
    assert [one.is_right(answer) for answer in answers] == [True, True, False]
    assert one.cost("c") == pytest.approx(0.04)
