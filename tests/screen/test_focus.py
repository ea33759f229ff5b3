"""Everything by keys: the focus reaches each place that a finger can touch, and touches it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from known import BOARDS, FACES, GAMES, load_board
from scenes import scenes
from shares import by_last
from test_touch import Toucher, at_table, to_roll
from views import TABLES, given, measure, view_of

from pi_app.base.microseconds import ENDLESS, ms
from pi_app.match.acts import Act
from pi_app.referee.events import Button, Press, Rolled, RollSource, Tap
from pi_app.rules.terms import Roll, Side
from pi_app.screen.actions import (
    Action,
    accept_position,
    begin_match,
    intend,
    open_page,
    press_button,
    tap_spot,
)
from pi_app.screen.canvas import Box, Drawing, Rect
from pi_app.screen.compose import KeyPress, compose, pressed, reading_order, ring
from pi_app.screen.ui import Focus, Page, Shown, Ui
from pi_app.user.commands import ChangeSetting, NewMatch, Output
from pi_app.user.settings import Settings

SIZES = [(640, 400), (800, 480), (720, 1280)]
NEXT, CHOOSES = "page down", "page up"


def picture_of(shown: Shown, ui: Ui, size: tuple[int, int] = (800, 480)) -> Drawing[Action]:
    return compose(shown, ui, size, measure, ENDLESS)


def visited(shown: Shown, ui: Ui, key: str, size: tuple[int, int]) -> list[Action]:
    """The focused places, press by press, for one round."""
    found: list[Action] = []
    places: list[tuple[int, int]] = []
    picture = picture_of(shown, ui, size)
    while True:
        ui, outputs = pressed(picture, KeyPress(key), ui, shown, ms(0))
        assert outputs == ()
        assert ui.focused is not None
        if ui.focused in places:
            assert ui.focused == places[0]
            return found
        picture = picture_of(shown, ui, size)
        action = picture.at(*ui.focused)
        assert action is not None
        places.append(ui.focused)
        found.append(action)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_one_key_reaches_all_that_can_be_touched(size: tuple[int, int]) -> None:
    for name in by_last(23, [*scenes()], SIZES)[size]:
        shown, ui = scenes()[name]
        there = {repr(target.action) for target in picture_of(shown, ui, size).targets}
        assert {repr(action) for action in visited(shown, ui, NEXT, size)} == there, name


@pytest.mark.parametrize("name", ["nannon-moving menu", "backgammon-moving editor", "nannon-wrong"])
def test_the_way_back_is_the_way_there_turned_round(name: str) -> None:
    shown, ui = scenes()[name]
    there = visited(shown, ui, "tab", (800, 480))
    assert visited(shown, ui, "back tab", (800, 480)) == there[::-1]


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("start", open_page(Page.NEW_MATCH)),
        ("new-match", begin_match()),
        ("nannon-to-roll", press_button()),
        ("nannon-played", press_button()),
        ("nannon-wrong", intend(Act.SCREEN_IS_RIGHT)),
        ("nannon-double", intend(Act.TAKE)),
        ("backgammon-moving editor", accept_position()),
    ],
)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_focus_begins_at_the_main_button(
    size: tuple[int, int], name: str, action: Action
) -> None:
    shown, ui = scenes()[name]
    picture = picture_of(shown, ui, size)
    for key in ("tab", NEXT, "right", "down"):
        after, _ = pressed(picture, KeyPress(key), ui, shown, ms(0))
        assert after.focused
        assert picture.at(*after.focused) == action


def test_without_a_main_button_the_focus_begins_at_the_first_place() -> None:
    shown, ui = Toucher(ui=Ui(Page.SETTINGS)).shown, Ui(Page.SETTINGS)
    picture = picture_of(shown, ui)
    after, _ = pressed(picture, KeyPress(NEXT), ui, shown, ms(0))
    assert after.focused == reading_order(picture)[0]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_focus_is_seen_in_the_window_around_its_place(size: tuple[int, int]) -> None:
    for name in by_last(23, [*scenes()], SIZES)[size]:
        assert_every_focus_is_seen(*scenes()[name], size)


def assert_every_focus_is_seen(shown: Shown, ui: Ui, size: tuple[int, int]) -> None:
    bare = picture_of(shown, ui, size)
    for place in reading_order(bare):
        focused = replace(ui, focus=Focus(ui.page, place))
        shapes = picture_of(shown, focused, size).shapes[len(bare.shapes) :]
        drawn = [shape.rect for shape in shapes if isinstance(shape, Box)]
        assert len(drawn) == len(shapes) == 8
        target = bare.target(*place)
        assert target
        assert all(Rect(0, 0, *size).holds(rect) for rect in drawn)
        assert all(rect.inset(-9).overlaps(target.rect) for rect in drawn)
        assert not any(rect.contains(*place) for rect in drawn)


def test_every_spot_of_every_board_is_reached_in_the_editor() -> None:
    for game in GAMES:
        shown, ui = scenes()[f"{game}-moving editor"]
        reached = visited(shown, ui, NEXT, (800, 480))
        spots = {*given(reached, tap_spot)}
        assert spots == set(FACES[game].editing.spots(load_board(BOARDS[game]).games[game]))


def test_arrows_go_to_what_lies_there() -> None:
    hand = Toucher(ui=Ui(Page.SETTINGS))
    order = reading_order(picture_of(hand.shown, hand.ui))
    seen = []
    for key in ("down", "right", "down", "left", "up", "up", "left"):
        hand.presses(key)
        assert hand.ui.focused
        seen.append(order.index(hand.ui.focused))
    assert seen == [0, 1, 3, 2, 0, 0, 0], "the first is where a key begins; at the edge it stays"


# Choosing -----------------------------------------------------------------------------------


class TwoButtons(Toucher):
    """A player with two buttons: next and select."""

    def goes_to(self, label: str) -> None:
        """Press until the focus is on the place with these words."""
        picture = picture_of(self.shown, self.ui)
        for _ in picture.targets:
            self.presses(NEXT)
            assert self.ui.focused
            means = picture.means(*self.ui.focused)
            if isinstance(means, tuple) and means[0] == label:
                return
        raise AssertionError(f"{label} is not to be had")

    def chooses(self, label: str) -> tuple[Output, ...]:
        self.goes_to(label)
        return self.presses(CHOOSES)


def test_two_buttons_begin_a_match_and_set_what_can_be_set() -> None:
    hand = TwoButtons()
    assert hand.chooses("Settings") == ()
    hand.presses(NEXT)
    assert hand.presses(CHOOSES) == (ChangeSetting("screen.theme", "light"),)
    assert hand.ui.focused, "the same once more is one press"
    assert hand.presses(CHOOSES) == (ChangeSetting("screen.theme", "light"),)
    hand.chooses("Back")
    hand.chooses("New match")
    (begun,) = hand.chooses("Begin")
    assert isinstance(begun, NewMatch)


def test_two_buttons_play() -> None:
    hand = TwoButtons(to_roll())
    assert hand.presses(CHOOSES) == (Button(ms(1234), Press.SHORT),), "the die button"
    (double,) = hand.chooses("Double to\u00a02")
    assert isinstance(double, Tap)
    assert double.intent is Act.DOUBLE
    assert hand.presses(CHOOSES) == (Button(ms(1234), Press.SHORT),), "it is the die button again"
    hand.chooses("Menu")
    hand.chooses("Resign")
    hand.chooses("1\u00a0point: single game")
    (resigned,) = hand.chooses("Yes, resign")
    assert isinstance(resigned, Tap)
    assert resigned.intent is Act.RESIGN


@pytest.mark.parametrize("key", ["return", "space", "page up"])
def test_a_key_means_the_die_button_until_the_focus_is_moved(key: str) -> None:
    hand = TwoButtons(to_roll())
    assert hand.presses(key) == (Button(ms(1234), Press.SHORT),)
    hand.goes_to("Menu")
    assert hand.presses(key) == ()
    assert hand.ui.page is Page.MENU


def test_escape_lets_the_focus_go_before_it_opens_the_menu() -> None:
    hand = at_table()
    hand.presses("tab")
    hand.presses("escape")
    assert (hand.ui.focused, hand.ui.page) == (None, Page.PLAY)
    hand.presses("escape")
    assert hand.ui.page is Page.MENU


def test_a_place_that_has_gone_is_not_pressed_and_neither_is_the_die() -> None:
    """Somebody who was about to choose is not to roll instead."""
    shown, nowhere = at_table().shown, (1, 400)
    ui = Ui(Page.PLAY, focus=Focus(Page.PLAY, nowhere))
    picture = picture_of(shown, ui)
    assert picture.at(*nowhere) is None
    assert ring(picture, ui) == ()
    after, outputs = pressed(picture, KeyPress(CHOOSES), ui, shown, ms(0))
    assert (after.focus, outputs) == (None, ())
    found, _ = pressed(picture, KeyPress(NEXT), ui, shown, ms(0))
    assert found.focused in reading_order(picture)


def test_dice_are_typed_one_after_the_other_from_where_the_focus_is() -> None:
    typed = Settings().changed("play.dice", "typed")
    shown = Shown(load_board(TABLES), FACES, view_of("backgammon"), typed)
    ui = Ui(Page.PLAY)
    told: list[tuple[bool, tuple[Output, ...]]] = []
    for key in ("tab", "return", "return"):
        ui, outputs = pressed(picture_of(shown, ui), KeyPress(key), ui, shown, ms(0))
        told.append((ui.focused is not None, outputs))
    thrown = Rolled(ms(0), Roll.of(1, 1), Side.WHITE, RollSource.TYPED)
    assert told == [(True, ()), (True, ()), (False, (thrown,))]


def test_a_space_is_a_space_while_a_name_is_typed() -> None:
    hand = Toucher(ui=Ui(Page.TYPING))
    hand.presses("tab")  # the main button
    hand.presses("tab")
    hand.presses("return")
    hand.presses("space", " ")
    assert hand.ui.typing.text == "Q "


def test_without_a_focus_return_takes_what_was_typed() -> None:
    hand = Toucher(ui=Ui(Page.TYPING))
    hand.presses("", "A")
    hand.presses("return")
    assert (hand.ui.page, hand.ui.form.players[0]) == (Page.NEW_MATCH, "A")


def test_a_focus_is_of_its_page() -> None:
    ui = Ui(Page.MENU, focus=Focus(Page.PLAY, (10, 10)))
    assert ui.focused is None
    assert ring(picture_of(at_table().shown, Ui(Page.PLAY)), ui) == ()
