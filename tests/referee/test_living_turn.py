"""A living turn and a finished game in the view: dice left, the rest of a play, the one before."""

from __future__ import annotations

from typing import Any

import pytest
from known import GAMES, find_game, load_board
from scenes import FILES

from pi_app.base.microseconds import Us, ms
from pi_app.cli.replay import replayed
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import Picture, Rolled, RollSource, SensorEdge, Start, Tap, Tick
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.referee.view_of import unused
from pi_app.rules.terms import Die, Roll, Side, Spot
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState


class Seat:
    """A referee in the middle of a match on the tables board, and a hand."""

    def __init__(self, name: str, roll: str, position: str = "", board: str = "tables-24") -> None:
        self.game, self.board, self.now = find_game(name), load_board(board), 0.0
        start = Start(self.later(), name, board, None, ("Ada", "Ben"), {})
        self.referee = Referee(self.board, start)
        placed = self.game.read_position(position) if position else self.game.start(Side.WHITE)
        text = self.game.write_position(placed)
        self.say(Picture(self.later(), self.board.closed_by(self.game.checkers_at(placed))))
        self.say(Tap(self.later(), Act.CORRECT, position=text))
        if roll:
            dice = Roll.of(*map(int, roll))
            self.say(Rolled(self.later(), dice, Side.WHITE, RollSource.TYPED))

    def later(self, by: float = 1000) -> Us:
        self.now += by
        return ms(self.now)

    def say(self, event: Any) -> None:
        self.referee.handle(event)

    def lifts(self, *sensors: str) -> View:
        return self._moves(sensors, closed=False)

    def sets(self, *sensors: str) -> View:
        return self._moves(sensors, closed=True)

    def _moves(self, sensors: tuple[str, ...], *, closed: bool) -> View:
        for sensor in sensors:
            self.say(SensorEdge(self.later(), Sensor(sensor), closed))
            self.say(Tick(self.later(400)))
        return self.referee.view


def test_a_part_of_a_play_uses_its_die_and_says_where_the_rest_may_go() -> None:
    seat = Seat("backgammon", "64")
    assert seat.referee.view.dice_left == (6, 4)
    seat.lifts("13.5")
    view = seat.sets("7.1")
    assert (view.board, view.part, view.dice_left) == (BoardState.IN_HAND, "13/7", (4,))
    assert set(view.onward) == {Spot.read(text) for text in ("20", "9", "4", "3", "2")}
    assert view.pips == (161, 167)
    assert view.message == "13/7 — and a 4"


def test_a_doublet_has_four_dice() -> None:
    seat = Seat("backgammon", "11")
    assert seat.referee.view.dice_left == (1, 1, 1, 1)
    seat.lifts("8.3")
    view = seat.sets("7.1")
    assert view.dice_left == (1, 1, 1)
    assert view.message == "8/7 — and 3 × 1"


@pytest.mark.parametrize(
    ("dice", "part", "left"),
    [
        ((6, 1), "4/off", (1,)),
        ((6, 5), "4/off", (6,)),
        ((6, 1), "2/1", (6,)),
        ((2, 2, 2, 2), "4/2(2)", (2, 2)),
        ((2, 1), "4/1", ()),
    ],
)
def test_the_lowest_dice_that_reach_so_far_are_used(
    dice: tuple[int, ...], part: str, left: tuple[int, ...]
) -> None:
    game = find_game("backgammon")
    position = game.read_position("-BBBB------------------cl- w")
    done = game.moves(position, game.read_play(position, part))
    assert unused(game, position, tuple(map(Die, dice)), done) == left


def test_a_whole_play_leaves_no_die_and_no_target() -> None:
    seat = Seat("backgammon", "64")
    seat.lifts("24.2")
    view = seat.sets("14.1")
    assert (view.play, view.dice_left, view.onward) == ("24/14", (), ())


def test_a_checker_set_where_none_may_go_while_another_is_lifted_is_drawn_and_told() -> None:
    """It took ten seconds until anything was said, and a press until the checker was drawn."""
    seat = Seat("backgammon", "64")
    seat.lifts("24.2", "13.5")
    view = seat.sets("21.1")
    wrong = Spot.read("21")
    assert view.board is BoardState.IN_HAND
    assert view.standing[wrong] == (Side.WHITE,)
    assert view.stray == (wrong,)
    assert view.message == "No legal move to 21"
    assert view.hint == "Lift it off 21 again."
    assert len(view.standing[Spot.read("24")]) == 1
    assert len(view.standing[Spot.read("13")]) == 4


def test_a_checker_where_it_may_go_is_no_stray() -> None:
    seat = Seat("backgammon", "64")
    seat.lifts("24.2", "13.5")
    assert seat.sets("18.1").stray == ()


def test_what_was_lifted_and_set_in_a_disturbed_board_is_drawn_each_once() -> None:
    seat = Seat("backgammon", "64")
    seat.lifts("6.5", "6.4", "8.3", "1.2", "1.1")
    view = seat.sets("3.1", "3.2")
    seat.say(Tick(seat.later(3000)))
    view = seat.referee.view
    assert view.board is BoardState.DISTURBED
    counts = {text: len(view.standing[Spot.read(text)]) for text in ("6", "8", "1", "3")}
    assert counts == {"6": 3, "8": 2, "1": 0, "3": 2}


def test_both_towns_are_towns_before_they_are_accepted() -> None:
    seat = Seat("cannon", "", board="cannon-10")
    view = seat.sets("e10", "e1")
    assert view.standing[Spot.read("e10")] == (Side.WHITE,) * 2
    assert view.standing[Spot.read("e1")] == (Side.BLACK,) * 2


def ended(name: str) -> View:
    *_, (_, referee) = replayed(GAMES, str(FILES[name]))
    return referee.view


@pytest.mark.parametrize("name", ["portes-moving", "pin-moving", "backgammon-moving"])
def test_the_opening_throw_stays_shown_through_the_first_turn(name: str) -> None:
    assert len(ended(name).thrown) == 2


def test_the_opening_throw_goes_with_the_first_play() -> None:
    view = ended("backgammon-to-roll")
    assert view.thrown == ()
    assert view.last_play
    assert view.last_play.play


def test_the_play_before_is_of_this_game_and_of_this_board() -> None:
    view = ended("backgammon-to-roll")
    assert view.last_play
    assert view.last_play.side is view.to_act.other
    assert ended("backgammon-set-up").last_play is None


def test_a_game_that_is_over_says_what_it_was() -> None:
    view = ended("cannon-game-over")
    assert view.phase is Phase.GAME_OVER
    assert view.tale
    assert view.tale.turns == 2
    assert view.tale.lasted
    assert view.tale.thrown == ((0, 0), (0, 0))
    assert ended("cannon-moving").tale is None
