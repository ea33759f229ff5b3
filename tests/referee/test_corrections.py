"""Whatever becomes the accepted position without a play is one that the game knows."""

from __future__ import annotations

import pytest
from desk import Desk

from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import EventError


def table(game: str, board: str) -> Desk:
    desk = Desk(7, game, board)
    desk.show_accepted()
    return desk


def cannon_with_lights_town() -> Desk:
    desk = table("cannon", "cannon-10")
    desk.move("+e10")
    desk.press()
    assert desk.view.message == "Ben places the town"
    return desk


def test_cannon_is_not_won_by_a_town_that_was_never_placed() -> None:
    desk = cannon_with_lights_town()
    desk.move("-a4", "+a5")
    before = desk.view
    with pytest.raises(EventError, match=r"Dark has no town; .*before Dark has placed it"):
        desk.tap(Act.CORRECT)
    assert desk.view.position == before.position
    assert desk.view.phase is Phase.MOVING


def test_neither_is_it_by_a_position_that_says_so() -> None:
    desk = cannon_with_lights_town()
    moved = (
        "....O...../.o.o.o.o.o/.o.o.o.o.o/.o.o.o.o.o/........../x........./..x.x.x.x./x.x.x.x.x."
    )
    with pytest.raises(EventError, match="before Dark has placed it"):
        desk.tap(Act.CORRECT, position=f"{moved}/x.x.x.x.x./.......... L")
    assert desk.view.phase is Phase.MOVING


def test_a_soldier_that_moves_before_any_town_is_no_position() -> None:
    desk = table("cannon", "cannon-10")
    desk.move("-b7", "+b6")
    with pytest.raises(EventError, match="neither side has a town"):
        desk.tap(Act.CORRECT)


def test_a_town_in_the_corner_is_no_position() -> None:
    desk = table("cannon", "cannon-10")
    assert desk.move("+j10").hint.startswith("Lift it off j10 again.")
    with pytest.raises(EventError, match="Light's town is on j10; it stands on b10 to i10"):
        desk.tap(Act.CORRECT)
    assert desk.move("-j10", "+i10").message == "Ada: town on i10"


def test_in_the_pin_game_nobody_comes_to_the_bar() -> None:
    desk = table("pin", "tables-24")
    for die in (5, 3):
        desk.press()
        desk.roll(str(die))
    desk.press()
    desk.roll("64")
    desk.move("+bar.white.1")
    with pytest.raises(EventError, match="White's bar holds a checker; this game has no bar"):
        desk.tap(Act.CORRECT)


def test_what_nothing_explains_needs_a_position() -> None:
    desk = table("nannon", "nannon-6")
    with pytest.raises(EventError, match="the sensors do not tell it"):
        desk.tap(Act.CORRECT)
    assert desk.tap(Act.CORRECT, position="1w.w.bb1 b").position == "1w.w.bb1 b"


def test_a_town_that_was_placed_may_have_been_taken() -> None:
    desk = cannon_with_lights_town()
    desk.move("+e1")
    desk.press()
    taken = desk.view.position.replace("X", ".").replace("o", ".", 1)
    view = desk.tap(Act.CORRECT, position=taken)
    assert view.last_result == "Ada wins 1 point: town taken"
