"""A resignation is offered for what a game can be lost for, and counts once it is accepted."""

from __future__ import annotations

import pytest
from any_table import AnyTable
from desk import Desk
from known import GAMES

from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import RollSource
from pi_app.referee.referee import Referee
from pi_app.rules.terms import Side
from pi_app.sensing.reading import BoardState

NAMES = {
    "nannon": ["single game", "NANNON"],
    "backgammon": ["single game", "gammon", "backgammon"],
    "nackgammon": ["single game", "gammon", "backgammon"],
    "hypergammon": ["single game", "gammon", "backgammon"],
    "portes": ["single game", "double win"],
    "fevga": ["single game", "double win"],
    "pin": ["mother", "single game", "gammon", "backgammon"],
    "plakoto": ["single game", "double win"],
    "cannon": ["single game"],
}


@pytest.mark.parametrize("game", NAMES)
def test_every_game_has_its_own_words(game: str) -> None:
    table = AnyTable(game, None)
    table.opens()
    assert list(table.view.resignations.values()) == NAMES[game]
    points, name = list(table.view.resignations.items())[-1]
    loser = table.view.to_act
    table.taps(Act.RESIGN, points=points)
    view = table.view
    assert view.resignation
    assert (view.phase, view.to_act) == (Phase.RESIGNATION_OFFERED, loser.other)
    assert (view.resignation.points, view.resignation.name) == (points, name)
    told = f"{view.player(loser)} offers to resign: {name}, {points:,} point"
    assert view.message.startswith(told)
    table.taps(Act.ACCEPT)
    assert table.view.score[loser.other] == points


def test_every_game_is_named() -> None:
    assert set(NAMES) == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_refused_the_turn_goes_on_as_it_was(game: str) -> None:
    table = AnyTable(game, 3)
    table.opens()
    before = table.view
    table.taps(Act.RESIGN, points=next(iter(before.resignations)))
    again = Referee(table.board, table.start, table.decided)
    assert again.view.resignation == table.view.resignation
    assert again.view.phase is Phase.RESIGNATION_OFFERED
    table.presses()
    after = table.view
    assert (after.phase, after.to_act, after.roll, after.position, after.legal, after.board) == (
        before.phase,
        before.to_act,
        before.roll,
        before.position,
        before.legal,
        before.board,
    )
    assert [each.what.value for each in table.decided[-2:]] == ["resignation", "refused"]


def offered() -> Desk:
    desk = Desk()
    desk.open("5", "3")
    desk.tap(Act.RESIGN, points=2)
    return desk


def test_a_short_press_gives_no_game_away_and_a_long_one_takes_it() -> None:
    desk = offered()
    assert desk.view.hint == "Ben: press to play on. Hold to accept, and win 2."
    assert desk.press().phase is Phase.MOVING
    desk.tap(Act.RESIGN, points=2)
    desk.wait(500)
    view = desk.hold()
    assert (view.phase, view.score.black) == (Phase.GAME_OVER, 2)


@pytest.mark.parametrize("press", [Desk.press, Desk.hold])
def test_while_the_board_is_amiss_a_press_answers_nothing(press: object) -> None:
    desk = offered()
    desk.lift("1", "2", "5", "6")
    desk.wait(2000)
    view = press(desk)  # type: ignore[operator]
    assert (view.phase, desk.kept) == (Phase.RESIGNATION_OFFERED, [])
    assert view.hint.endswith("Ada offers to resign. Tap Accept or Play on.")
    assert desk.tap(Act.ACCEPT).phase is Phase.GAME_OVER


def test_a_play_that_lies_there_is_still_there_once_it_is_refused() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    desk.wait(500)
    desk.tap(Act.RESIGN, points=1)
    view = desk.tap(Act.REFUSE)
    assert (view.board, view.play) == (BoardState.PLAYED, "2/4")
    assert desk.press().position == "1w..wbb1 b"


def test_only_the_side_that_is_asked_answers_with_its_button() -> None:
    desk = offered()
    assert desk.hold(Side.WHITE).phase is Phase.RESIGNATION_OFFERED
    desk.wait(500)
    assert desk.hold(Side.BLACK).phase is Phase.GAME_OVER


# Dice that were typed wrongly


def typed(first: str = "2") -> Desk:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    desk.roll(first, source=RollSource.TYPED)
    return desk


def test_typed_dice_are_changed_until_the_first_checker_moves() -> None:
    desk = typed()
    assert desk.view.typed
    view = desk.tap(Act.CHANGE_DICE)
    assert (view.phase, view.roll, view.dice, view.changing) == (Phase.TO_ROLL, None, 1, True)
    assert desk.kept == ["change dice"]
    assert Act.DOUBLE not in view.offers
    assert desk.press().phase is Phase.TO_ROLL
    assert desk.asked == []
    view = desk.roll("4", source=RollSource.TYPED)
    assert (view.phase, view.roll, view.changing) == (Phase.MOVING, "4", False)
    desk.lift("2")
    assert Act.CHANGE_DICE not in desk.view.offers
    assert desk.tap(Act.CHANGE_DICE).roll == "4"


def test_a_roll_of_the_machine_is_not_changed() -> None:
    desk = Desk()
    desk.stand("1ww..bb1 w", "2")
    assert not desk.view.typed
    assert Act.CHANGE_DICE not in desk.view.offers
    assert desk.tap(Act.CHANGE_DICE).roll == "2"


@pytest.mark.parametrize("second", [RollSource.TYPED, RollSource.DEVICE])
def test_an_opening_throw_is_changed_if_both_dice_were_typed(second: RollSource) -> None:
    desk = Desk()
    desk.set_up()
    desk.roll("5", source=RollSource.TYPED)
    assert Act.CHANGE_DICE in desk.view.offers
    desk.roll("3", source=second)
    may = second is RollSource.TYPED
    assert (Act.CHANGE_DICE in desk.view.offers) is may
    view = desk.tap(Act.CHANGE_DICE)
    assert (view.phase is Phase.OPENING_THROW) is may
    if may:
        assert (view.thrown, view.to_act) == ((), Side.WHITE)
        desk.roll("3", source=RollSource.TYPED)
        view = desk.roll("5", source=RollSource.TYPED)
        assert (view.to_act, view.roll, view.position) == (Side.BLACK, "2", "1ww..bb1 b")


def test_a_changed_roll_is_the_one_that_waits_after_a_takeback() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    desk.press()
    desk.roll("6", source=RollSource.TYPED)
    desk.tap(Act.CHANGE_DICE)
    desk.roll("3", source=RollSource.TYPED)
    desk.tap(Act.TAKE_BACK)
    waiting = desk.referee._match.history.waiting
    assert [(str(roll.roll), roll.by, roll.typed) for roll in waiting] == [("3", Side.BLACK, True)]
