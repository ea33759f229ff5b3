"""Scenes that were found at the table: a touch before something illegal, and hits under way."""

from __future__ import annotations

import pytest
from desk import Desk
from known import GAMES, TESTS

from pi_app.cli.replay import replayed
from pi_app.match.acts import Act
from pi_app.referee.effects import Cue
from pi_app.referee.events import Button, Press, SensorEdge
from pi_app.referee.view import View
from pi_app.rules.terms import Side
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState
from pi_app.words.sentences import ENGLISH, Numbering


def views_of(scenario: str) -> list[View]:
    file = TESTS / "scenarios" / f"{scenario}.jsonl"
    return [referee.view for _, referee in replayed(GAMES, str(file))]


@pytest.mark.parametrize("touched", ["1", "2", "5", "6"])
@pytest.mark.parametrize(("origin", "target"), [("2", "3"), ("1", "4"), ("5", "3"), ("6", "4")])
def test_a_touch_before_an_illegal_move_silences_no_warning(
    touched: str, origin: str, target: str
) -> None:
    """Two of five illegal moves after a touch raised no alarm at all, however long they lay."""
    desk = Desk()
    desk.open("5", "3")
    desk.lift(touched)
    desk.wait(300)
    desk.drop(touched)
    desk.wait(900)
    desk.lift(origin)
    desk.wait(400)
    desk.drop(target)
    view = desk.wait(1600)
    assert (view.board, bool(view.rule)) == (BoardState.WRONG, True)
    assert (view.put_right.fill, view.put_right.clear) == ((origin,), (target,))
    assert desk.cues == [Cue.WRONG]


def test_a_checker_that_is_only_lifted_is_a_hint_and_no_warning() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("5")
    view = desk.wait(60_000)
    assert (view.board, view.message, view.hint) == (
        BoardState.IN_HAND,
        "That is Ben's checker",
        "It is Ada's turn. Put it back on 5.",
    )
    assert desk.cues == []


def test_a_legal_play_after_an_earlier_touch_is_shown_as_complete() -> None:
    desk = Desk()
    desk.stand("0..b..w0 w", "6")
    desk.lift("6")
    desk.wait(400)
    desk.drop("6")
    desk.wait(900)
    desk.lift("6")
    assert desk.wait(300).board is BoardState.IN_HAND
    assert desk.wait(1300).play == "6/SAFETY"


def test_a_fast_hit_on_entering_is_never_told_wrong() -> None:
    """Its victim's reed was open for some 50 ms: it is taken or asked about."""
    desk = Desk()
    desk.stand("1.wbw.b1 w", "6")
    desk.lift("6")
    desk.wait(20)
    desk.drop("6")
    desk.wait(500)
    view = desk.press()
    assert view.choices == ("HOME/6*",) or view.position == "0.wbw.w2 b"


def test_a_hit_checker_in_the_hand_goes_to_the_bar_and_nothing_is_called_wrong() -> None:
    said = [
        (view.message, view.hint)
        for view in views_of("backgammon-two-blots")
        if view.board is BoardState.IN_HAND and view.us > 10_300_000
    ]
    assert said
    assert not [text for text, _ in said if text.startswith("No legal move")]
    assert "Ben's checker goes to the bar" in said[0]
    assert any(hint == "Ben's checker goes to the bar." for _, hint in said)


def test_the_warning_that_never_came_comes() -> None:
    assert views_of("warning-never-comes")[-1].board is BoardState.WRONG


def hits_entering(desk: Desk, pause_ms: int, early_ms: int) -> View:
    """The victim on 6 makes way for a checker from HOME, and a press comes early, then another."""
    before = desk.view.position
    desk.send(SensorEdge(desk.at(pause_ms), Sensor("6"), False))
    desk.wait(250)
    desk.send(SensorEdge(desk.at(150), Sensor("6"), True))
    view = desk.send(Button(desk.at(early_ms), Press.SHORT))
    if view.board is not BoardState.CHOOSE and view.position == before:
        desk.wait(300)
        desk.wait(1700)
        view = desk.press()
    return view


AT_ONCE = [(pause_ms, early_ms) for pause_ms in (8, 40, 120, 400) for early_ms in (2, 20, 90, 600)]


@pytest.mark.parametrize(("pause_ms", "early_ms"), AT_ONCE)
def test_hands_that_go_on_at_once_after_a_takeback_are_read(pause_ms: int, early_ms: int) -> None:
    """Found on the kernel: an entering hit was reported as wrong, and then another play was asked
    for."""
    desk = Desk()
    desk.stand("0b..w.w1 b", "1")
    desk.lift("1")
    desk.wait(800)
    desk.press()
    desk.tap(Act.TAKE_BACK)
    desk.send(SensorEdge(desk.at(300), Sensor("1"), True))
    view = hits_entering(desk, pause_ms, early_ms)
    assert view.choices == ("HOME/6*",) or view.position == "1b..w.b0 w"


@pytest.mark.parametrize(("pause_ms", "early_ms"), AT_ONCE)
def test_hands_that_go_on_at_once_after_putting_right_are_read(
    pause_ms: int, early_ms: int
) -> None:
    desk = Desk()
    desk.stand("1b..w.b0 w", "6")
    desk.lift("6")
    desk.drop("3")
    assert desk.wait(1600).board is BoardState.WRONG
    desk.lift("3")
    desk.send(SensorEdge(desk.at(100), Sensor("6"), True))
    view = hits_entering(desk, pause_ms, early_ms)
    assert view.choices == ("HOME/6*",) or view.position == "0b..w.w1 b"


def test_two_of_the_other_side_s_checkers_in_the_hand_are_named_as_such() -> None:
    desk = Desk(5, "backgammon", "tables-24")
    desk.show_accepted()
    for die in "16":
        desk.press()
        desk.roll(die)
    assert desk.view.to_act is Side.BLACK
    desk.lift("24.1", "24.2")
    for view in (desk.wait(8000), desk.press()):
        words = [ENGLISH.counting(Numbering.BLACK).say(text) for text in (view.message, view.hint)]
        assert words == ["Those are Ada's checkers", "It is Ben's turn. Put them back on 1."]
        assert not view.moves, "no arrow to where no sensor has felt a checker"
