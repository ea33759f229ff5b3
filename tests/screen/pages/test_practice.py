"""Puzzles on the screen: answered by one tap, with a verdict and the time it took."""

from __future__ import annotations

from dataclasses import replace

import pytest
from known import BOARDS, FACES, load_board
from views import given, measure

from pi_app.base.microseconds import ms
from pi_app.coach.practice import PuzzleKind, load_puzzles
from pi_app.screen.actions import (
    answer_puzzle,
    begin_quiz,
    begin_training,
    next_puzzle,
    open_page,
)
from pi_app.screen.canvas import Text
from pi_app.screen.compose import compose
from pi_app.screen.pages.places import play_places
from pi_app.screen.ui import Page, Shelf, Shown, Ui, puzzles_of, see
from pi_app.user.commands import Train

PUZZLES = load_puzzles()
SHOWN = Shown(load_board("tables-24"), FACES, puzzles=PUZZLES)
BEGUN, ANSWERED = ms(1000), ms(9400)


def begun(kind: PuzzleKind) -> Ui:
    ui, outputs = begin_quiz(kind).act(Ui(Page.PRACTICE), SHOWN, BEGUN)
    assert (ui.page, outputs) == (Page.PUZZLE, ())
    return ui


def words(shown: Shown, ui: Ui) -> str:
    picture = compose(shown, ui, (800, 480), measure, ms(0))
    said = " ".join(shape.text for shape in picture.shapes if isinstance(shape, Text))
    return said.replace("\u00a0", " ")


def offered(ui: Ui) -> list[str]:
    picture = compose(SHOWN, ui, (800, 480), measure, ms(0))
    return given([target.action for target in picture.targets], answer_puzzle)


@pytest.mark.parametrize("kind", PuzzleKind)
def test_a_puzzle_is_answered_with_one_tap_and_says_what_it_cost(kind: PuzzleKind) -> None:
    ui = begun(kind)
    assert ui.quiz
    puzzle = puzzles_of(SHOWN, kind)[ui.quiz.place]
    assert sorted(offered(ui)) == sorted(puzzle.answers)
    assert offered(ui) != [*puzzle.answers] or kind is not PuzzleKind.PLAY
    worst = [*puzzle.answers][-1]
    for answer in (puzzle.best, worst):
        then, _ = answer_puzzle(answer).act(ui, SHOWN, ANSWERED)
        right = puzzle.is_right(answer)
        assert ("Right" in words(SHOWN, then)) is right
        if puzzle.cost(answer) and kind is not PuzzleKind.PIPS:
            assert f"(−{puzzle.cost(answer):.3f})" in words(SHOWN, then)
        assert "8 s." in words(SHOWN, then)
        assert f"{int(right)} of 1 right." in words(SHOWN, then)
        assert offered(then) == []


def test_only_the_first_answer_counts() -> None:
    ui = begun(PuzzleKind.OPENING)
    assert ui.quiz
    puzzle = puzzles_of(SHOWN, PuzzleKind.OPENING)[ui.quiz.place]
    first, _ = answer_puzzle(puzzle.best).act(ui, SHOWN, ANSWERED)
    again, _ = answer_puzzle([*puzzle.answers][-1]).act(first, SHOWN, ms(20_000))
    assert again == first


def test_all_puzzles_of_a_kind_come_before_the_first_again_and_right_answers_are_counted() -> None:
    ui, seen = begun(PuzzleKind.TAKE), set[int]()
    some = puzzles_of(SHOWN, PuzzleKind.TAKE)
    for _ in some:
        assert ui.quiz
        seen.add(ui.quiz.place)
        ui, _ = answer_puzzle(some[ui.quiz.place].best).act(ui, SHOWN, ANSWERED)
        ui, _ = next_puzzle().act(ui, SHOWN, ANSWERED)
    assert ui.quiz
    assert seen == set(range(len(some)))
    assert (ui.quiz.right, ui.quiz.asked) == (len(some), len(some))


def test_an_answer_after_more_than_twenty_seconds_is_told_so() -> None:
    ui = begun(PuzzleKind.PIPS)
    assert ui.quiz
    best = puzzles_of(SHOWN, PuzzleKind.PIPS)[ui.quiz.place].best
    late, _ = answer_puzzle(best).act(ui, SHOWN, ms(22_500))
    assert "21 s; aim at 20." in words(SHOWN, late)
    quick, _ = answer_puzzle(best).act(ui, SHOWN, ms(20_900))
    assert "aim" not in words(SHOWN, quick)


def test_a_puzzle_is_played_on_the_board_by_whoever_played_last() -> None:
    ui = begun(PuzzleKind.BEAR_OFF)
    assert ui.quiz
    puzzle = puzzles_of(SHOWN, PuzzleKind.BEAR_OFF)[ui.quiz.place]
    for names, name in (((), "White"), (("Mia", "Ada"), "Mia")):
        shown = replace(SHOWN, shelf=Shelf((), names))
        picture = compose(shown, ui, (800, 480), measure, ms(0))
        assert begin_training(name, puzzle.position) in [one.action for one in picture.targets]
    _, outputs = begin_training("Mia", puzzle.position).act(ui, SHOWN, ANSWERED)
    assert outputs == (Train("Mia", puzzle.position),)


def test_pips_are_counted_on_the_screen_alone() -> None:
    picture = compose(SHOWN, begun(PuzzleKind.PIPS), (800, 480), measure, ms(0))
    assert given([target.action for target in picture.targets], begin_training) == []


@pytest.mark.parametrize("board", BOARDS.values())
def test_a_board_that_cannot_show_a_puzzle_does_not_offer_it(board: str) -> None:
    shown = Shown(load_board(board), FACES, puzzles=PUZZLES)
    ui, _ = open_page(Page.PRACTICE).act(Ui(), shown, BEGUN)
    picture = compose(shown, ui, (800, 480), measure, ms(0))
    kinds = given([target.action for target in picture.targets], begin_quiz)
    assert kinds == ([*PuzzleKind] if "backgammon" in shown.games.matches else [])
    assert "Your errors" in words(shown, ui)


def test_the_seconds_of_an_open_puzzle_run_and_stand_once_it_is_answered() -> None:
    ui = begun(PuzzleKind.PIPS)
    assert ui.quiz
    for seconds in (0, 7, 61):
        now = see(ui, None, ms(1999 + 1000 * seconds))
        assert f"go? {seconds} s." in words(SHOWN, now)
    (best, *_) = puzzles_of(SHOWN, PuzzleKind.PIPS)[ui.quiz.place].answers
    then, _ = answer_puzzle(best).act(ui, SHOWN, ANSWERED)
    assert see(then, None, ms(99_000)).quiz == then.quiz


def test_a_double_to_be_taken_or_passed_lies_on_the_board() -> None:
    picture = compose(SHOWN, begun(PuzzleKind.TAKE), (800, 480), measure, ms(0))
    board = play_places((800, 480)).board
    large = (one for one in picture.shapes if isinstance(one, Text) and one.size > 19)
    assert "2" in [one.text for one in large if board.holds(one.rect)]
