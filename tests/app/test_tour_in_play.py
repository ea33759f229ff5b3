"""The tour played by hands, right and wrong, on every board with every game."""

from __future__ import annotations

import random

import pytest
from known import OUTSIDE, WITH_OUTSIDE, load_board
from newcomers import PLACES, Newcomer
from shares import paired, some

from pi_app import boards
from pi_app.base.microseconds import ms
from pi_app.games.equipment import Equipment
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import Press, Tap
from pi_app.referee.view import TourStep
from pi_app.rules.terms import read_roll
from pi_app.sensing.description import Board
from pi_app.sensing.reading import BoardState


@pytest.fixture
def newcomer(request: pytest.FixtureRequest) -> Newcomer:
    return Newcomer(*request.param)


def somewhere(start: int) -> pytest.MarkDecorator:
    """A third of the places; each test begins at another one, so that all are visited."""
    turned = PLACES[start:] + PLACES[:start]
    return pytest.mark.parametrize("newcomer", some(turned, 3), ids=name_of, indirect=True)


def name_of(place: tuple[Board, str]) -> str:
    return f"{place[0].name}-{place[1]}"


@somewhere(0)
def test_who_does_what_is_said_is_through_in_two_minutes(newcomer: Newcomer) -> None:
    newcomer.to(TourStep.WRONG)
    assert newcomer.view.last_play
    newcomer.err()
    assert (newcomer.step, newcomer.view.board) == (TourStep.HANDS, BoardState.WRONG)
    assert newcomer.view.reason == newcomer.view.message, "the warning of a match"
    newcomer.put_back()
    assert newcomer.step is TourStep.OVER
    assert newcomer.presses <= 4
    assert newcomer.moves == 3
    assert newcomer.now < ms(120_000)


@somewhere(1)
def test_the_words_and_arrows_are_about_the_move_that_is_asked_for(newcomer: Newcomer) -> None:
    newcomer.to(TourStep.PLAY)
    (move,) = newcomer.view.to_make
    newcomer.make((move,))
    assert newcomer.view.moves
    assert newcomer.view.moves[-1].target == move.target
    assert not newcomer.view.to_make, "it is made"
    newcomer.to(TourStep.WRONG)
    (move,) = newcomer.view.to_make
    assert move.target.name in newcomer.view.hint or newcomer.view.counting
    newcomer.err()
    assert newcomer.view.moves == (move,)
    assert not newcomer.view.to_make


@somewhere(2)
def test_a_wrong_move_too_early_is_the_warning_that_was_to_come(newcomer: Newcomer) -> None:
    newcomer.to(TourStep.PLAY)
    play = newcomer.view.to_make
    shows = newcomer.practice._tour._demonstration(newcomer.view)
    roll = read_roll(newcomer.view.roll or "", WITH_OUTSIDE.rules[newcomer.game].dice)
    newcomer.make((next(shows.illegal(roll)),))
    newcomer.wait(2000)
    assert newcomer.view.board is BoardState.WRONG
    newcomer.put_back()
    assert (newcomer.step, newcomer.view.to_make) == (TourStep.PLAY, play)
    newcomer.make(play)
    newcomer.press()
    assert newcomer.step is TourStep.OVER
    assert TourStep.WRONG not in newcomer.steps


@somewhere(0)
def test_another_legal_play_will_do(newcomer: Newcomer) -> None:
    newcomer.to(TourStep.PLAY)
    game, view = WITH_OUTSIDE.rules[newcomer.game], newcomer.view
    position, roll = game.read_position(view.position), read_roll(view.roll or "", game.dice)
    plays = [game.moves(position, play) for play in game.plays(position, roll)]
    other = next((play for play in plays if len(play) == 1 and play != view.to_make), plays[0])
    newcomer.make(other)
    assert newcomer.step is TourStep.PLAYED
    newcomer.to(TourStep.OVER)


@somewhere(1)
def test_a_legal_play_in_place_of_the_wrong_one_is_told_so_and_counts(newcomer: Newcomer) -> None:
    newcomer.to(TourStep.WRONG)
    game, view = WITH_OUTSIDE.rules[newcomer.game], newcomer.view
    position, roll = game.read_position(view.position), read_roll(view.roll or "", game.dice)
    plays = [game.moves(position, play) for play in game.plays(position, roll)]
    newcomer.make(next(play for play in plays if len(play) == 1 and not play[0].hit))
    assert newcomer.step is TourStep.PLAYED
    assert "Put it back for an illegal move" in newcomer.view.hint
    newcomer.press()
    assert newcomer.step in (TourStep.ROLL, TourStep.WRONG)
    newcomer.to(TourStep.OVER)


@somewhere(2)
def test_presses_before_their_time_harm_nothing(newcomer: Newcomer) -> None:
    newcomer.press()
    assert newcomer.step is TourStep.SET_UP
    newcomer.to(TourStep.PLAY)
    newcomer.press()
    newcomer.wait(5000)
    newcomer.to(TourStep.WRONG)
    newcomer.press()
    newcomer.to(TourStep.OVER)


@somewhere(0)
def test_an_undone_play_is_asked_for_again(newcomer: Newcomer) -> None:
    newcomer.to(TourStep.WRONG)
    newcomer.tap(Act.TAKE_BACK)
    assert newcomer.view.note, "what was undone"
    newcomer.to(TourStep.PLAY)
    newcomer.to(TourStep.OVER)


@pytest.mark.parametrize(("board", "game"), [("nannon-6", "nannon"), ("tables-24", "backgammon")])
def test_a_double_in_the_middle_is_answered_first(board: str, game: str) -> None:
    newcomer = Newcomer(load_board(board), game)
    newcomer.to(TourStep.PLAYED)
    newcomer.press()
    newcomer.press(Press.LONG)
    assert (newcomer.view.phase, newcomer.step) == (Phase.DOUBLE_OFFERED, TourStep.HANDS)
    newcomer.press()
    assert newcomer.view.cube.value == 2
    newcomer.to(TourStep.OVER)


@pytest.mark.parametrize(("newcomer", "seed"), paired(41, PLACES, range(20)), indirect=["newcomer"])
def test_whatever_was_done_the_words_lead_to_the_end(newcomer: Newcomer, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(30):
        newcomer.play_about(chance)
        if chance.random() < 0.2:
            newcomer.to(chance.choice([TourStep.OVER, newcomer.step]))
    newcomer.to(TourStep.OVER)


def test_a_board_with_a_dead_sensor_is_shown_what_it_can_see() -> None:
    board = load_board("nannon-6")
    newcomer = Newcomer(board, "nannon")
    newcomer.to(TourStep.PLAY)
    (move,) = newcomer.view.to_make
    dead = board.place(move.target).reeds[0].name
    newcomer._tell(Tap(newcomer.now, Act.SENSOR_OFF, sensor=dead))
    newcomer.wait(500)
    newcomer.to(TourStep.OVER)


@pytest.mark.parametrize("game", OUTSIDE, ids=lambda one: str(one.rules.name))
def test_where_every_move_is_legal_the_tour_shows_a_play_alone(game: Equipment) -> None:
    board = boards.load_board(game.board, WITH_OUTSIDE.rules)
    newcomer = Newcomer(board, game.rules.name)
    newcomer.to(TourStep.OVER)
    assert newcomer.view.last_play
    assert TourStep.WRONG not in newcomer.steps
