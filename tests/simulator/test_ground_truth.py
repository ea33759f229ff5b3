"""The true events, and whether reeds can detect them."""

from __future__ import annotations

import pytest
from handwork import Handwork
from lab.ground_truth import Truth
from lab.observability import Held
from lab.plays import entering_first, victims_of, ways_of

from pi_app.rules.contract import Series
from pi_app.rules.terms import Roll, Side, Spot
from pi_app.sensing.description import Sensor
from pi_app.simulator.reeds import NONE, Faults, Piece


class Witness(Handwork):
    """Hands at a board, and one who knows what they do."""

    def __init__(
        self, game: str, board: str, seed: int, text: str, *dice: int, faults: Faults = NONE
    ) -> None:
        super().__init__(game, board, seed, faults=faults)
        self.truth = Truth(Series.of(self.game), self.hands, frozenset())
        self.set_to(text)
        self.truth.position = self.game.read_position(text)
        self.truth.rolled(Roll.of(*dice))

    def play(self, text: str) -> None:
        """Play what leads to a position."""
        game, before = self.game, self.truth.position
        assert self.truth.roll
        (play,) = (play for play in self.truth.plays if self.truth.after(play) == text)
        moves = game.moves(before, play)
        ways = entering_first(game, before, ways_of(game, before, self.truth.roll, moves, self.rng))
        self.truth.doing = play
        self.do(self.hands.turn(ways, game.mover(before), victims_of(game, before, moves)))


@pytest.mark.parametrize("seed", range(5))
def test_a_hit_that_leaves_the_picture_is_clear_once_it_was_felt(seed: int) -> None:
    desk = Witness("nannon", "nannon-6", seed, "2w..b..2 w", 4)
    assert not desk.truth.is_clear
    desk.play("1w..w..3 b")
    assert desk.truth.is_clear
    assert desk.truth.may_show() >= {"1w..w..3 b"}
    assert "2....w.2 b" not in desk.truth.may_show()


HIGH = "-----DE-------------a----- w"


def test_above_the_last_reed_nothing_is_clear() -> None:
    desk = Witness("portes", "tables-24-thrifty", 1, HIGH, 6, 5)
    desk.play("-----CD-------------a----- b")
    assert not desk.truth.is_clear


def test_what_one_play_alone_shows_is_clear() -> None:
    desk = Witness("portes", "tables-24-thrifty", 1, HIGH, 3, 2)
    desk.play("---AADC-------------a----- b")
    assert desk.truth.is_clear


def test_while_a_reed_misses_a_checker_nothing_is_clear() -> None:
    deaf = frozenset(map(Sensor, ("3.1", "3.2", "3.3")))
    desk = Witness("portes", "tables-24-thrifty", 1, HIGH, 3, 2, faults=Faults(dead=deaf))
    desk.play("---AADC-------------a----- b")
    assert not desk.truth.is_clear
    desk.truth.off = deaf
    assert desk.truth.is_clear


def test_where_nothing_can_be_played_the_untouched_board_is_clear() -> None:
    desk = Witness("nannon", "nannon-6", 1, "2w.bb..1 w", 3)
    assert desk.truth.is_clear


def test_an_idle_press_makes_no_play() -> None:
    desk = Witness("portes", "tables-24-thrifty", 1, HIGH, 6, 5)
    assert len(desk.truth.may_show() - desk.truth.others) > 1
    desk.truth.idle = True
    assert desk.truth.may_show() - desk.truth.others == {HIGH}


def test_an_idle_press_may_forestall_the_only_play_if_no_reed_can_see_it() -> None:
    only = "-G--------------------acd- w", "-E--------------------acd- b"
    desk = Witness("portes", "tables-24", 1, only[0], 6, 1)
    desk.truth.idle = True
    assert desk.truth.may_show() - desk.truth.others == set(only)


def test_who_hit_is_not_told_while_two_hands_are_over_the_board() -> None:
    desk = Witness("backgammon", "tables-24", 1, "-A--A--b-----------a------ w", 2, 1)
    hands, trace = desk.hands, desk.hands.trace
    held = hands.lift(Spot.read("4"))
    desk.do(hands.adjust(Spot.read("1")))
    assert not trace.muddled  # nobody hits his own
    desk.do(hands.adjust(Spot.read("7")))
    assert not trace.muddled  # nor two
    desk.do(hands.adjust(Spot.read("19")))
    assert trace.muddled
    hands.drop(Spot.read("2"), held)
    assert not trace.muddled


def test_what_lies_where_no_reed_is_may_have_hit_for_the_rest_of_the_turn() -> None:
    desk = Witness("backgammon", "tables-24", 1, "-A--A--------------a------ w", 4, 1)
    hands, trace = desk.hands, desk.hands.trace
    hands.drop(Spot.read("off.white"), hands.lift(Spot.read("4")))
    desk.do(hands.adjust(Spot.read("19")))
    assert trace.muddled
    hands.drop(Spot.read("off.white"), hands.lift(Spot.read("1")))
    assert trace.muddled
    trace.forget()
    assert not trace.muddled


def test_a_checker_that_no_reed_felt_going_is_noted() -> None:
    desk = Witness("nannon", "nannon-6", 1, "2w..b..2 w", 4)
    desk.hands.trace.lift(Held(Piece(Side.BLACK), Spot.read("4"), Sensor("4")), felt=False)
    desk.play("1w..w..3 b")
    assert desk.hands.trace.unfelt == {Spot.read("4")}
    assert not desk.truth.is_clear
