"""From a touch or a key to what goes out: whole small stories."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from known import FACES, load_board
from scenes import scene_in
from views import CALM, make_view, measure

from pi_app.base.microseconds import ms
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import Button, Press, Rolled, RollSource, Tap
from pi_app.referee.view import BackTo, View
from pi_app.rules.terms import Roll, Side, Spot
from pi_app.screen.actions import (
    Action,
    accept_position,
    begin_match,
    change_mover,
    count_tray,
    enter,
    intend,
    look_at,
    open_page,
    set_target,
    set_to,
    start_edit,
    tap_spot,
    toggle,
    type_letters,
    write,
)
from pi_app.screen.canvas import Disc, Text
from pi_app.screen.compose import FingerDown, KeyPress, compose, pressed, touched
from pi_app.screen.pages.places import play_places
from pi_app.screen.ui import Page, Shown, TextField, Ui, see
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState
from pi_app.user.agreement import CRAWFORD, USUAL, Form
from pi_app.user.commands import ChangeSetting, NewMatch, Output, Quit, Resume
from pi_app.user.settings import Settings

BOARD = load_board("nannon-6")
SIZE = (800, 480)
MS = ms(1234)
STILL = ms(400)
"""When dice that fell at the start have come to rest."""


@dataclass
class Toucher:
    """A player at the screen."""

    view: View | None = None
    ui: Ui = field(default_factory=Ui)
    settings: Settings = field(default_factory=Settings)
    resumable: str | None = None

    def __post_init__(self) -> None:
        self.ui = see(self.ui, self.view, ms(0))

    @property
    def shown(self) -> Shown:
        return Shown(BOARD, FACES, self.view, self.settings, resumable=self.resumable)

    def taps(self, label: str) -> tuple[Output, ...]:
        """Touch the button with this label, or else the middle of the words."""
        picture = compose(self.shown, self.ui, SIZE, measure, STILL)
        named = (one.rect for one in picture.targets if (label, one.action) == one.means)
        written = (s.rect for s in picture.shapes if isinstance(s, Text) and s.text == label)
        place = next(named, None) or next(written)
        touch = FingerDown(*place.centre)
        self.ui, outputs = touched(picture, touch, self.ui, self.shown, MS)
        return outputs

    def does(self, action: Action) -> tuple[Output, ...]:
        """Touch the place of an action, which must be on the screen."""
        picture = compose(self.shown, self.ui, SIZE, measure, STILL)
        (target,) = (target for target in picture.targets if target.action == action)
        touch = FingerDown(*target.rect.centre)
        self.ui, outputs = touched(picture, touch, self.ui, self.shown, MS)
        return outputs

    def presses(self, name: str, text: str = "") -> tuple[Output, ...]:
        picture = compose(self.shown, self.ui, SIZE, measure, STILL)
        self.ui, outputs = pressed(picture, KeyPress(name, text), self.ui, self.shown, MS)
        return outputs


def at_table(**changes: Any) -> Toucher:
    return Toucher(make_view(**changes), Ui())


def to_roll(**changes: Any) -> View:
    offers = CALM | {Act.DOUBLE}
    return make_view(phase=Phase.TO_ROLL, roll=None, offers=offers, **changes)


# A match begins -----------------------------------------------------------------------------


def test_a_match_is_begun_by_tapping_alone() -> None:
    hand = Toucher()
    assert hand.taps("New match") == ()
    hand.does(write(TextField.WHITE))
    for letter in ("A", "d", "a"):
        hand.does(type_letters(letter))
    hand.taps("Done")
    hand.does(set_target(5))
    hand.does(toggle(CRAWFORD))
    (match,) = hand.taps("Begin")
    assert match == NewMatch(
        "nannon",
        ("Ada", "Black"),
        5,
        {"cube": True, "crawford": True, "a tie turns the cube": False},
    )
    hand.ui = see(hand.ui, make_view(), ms(0))
    assert hand.ui.page is Page.PLAY


def test_names_can_be_typed_with_real_keys() -> None:
    hand = Toucher(ui=Ui(Page.NEW_MATCH))
    hand.does(write(TextField.BLACK))
    for letter in "Zoë X":
        hand.presses("space" if letter == " " else "", letter)
    hand.presses("backspace")
    hand.presses("return")
    assert hand.ui.form.players == ("", "Zoë")
    assert hand.ui.page is Page.NEW_MATCH


def test_any_number_of_points_can_be_typed() -> None:
    hand = Toucher(ui=Ui(Page.NEW_MATCH))
    hand.taps("other")
    for digit in "15x":
        hand.presses("", digit)
    hand.taps("Done")
    assert hand.ui.form.match_to == 15


@pytest.mark.parametrize(("typed", "points"), [("0", 1), ("9999", 999), ("", USUAL)])
def test_points_stay_within_what_a_match_can_be(typed: str, points: int) -> None:
    hand = Toucher(ui=Ui(Page.NEW_MATCH))
    hand.does(write(TextField.TARGET))
    hand.presses("", typed)
    hand.presses("return")
    assert hand.ui.form.match_to == points


def test_an_unlimited_match_has_no_target() -> None:
    hand = Toucher(ui=Ui(Page.NEW_MATCH, form=Form(match_to=7)))
    hand.taps("unlimited")
    (match,) = hand.does(begin_match())
    assert isinstance(match, NewMatch)
    assert match.match_to is None


def test_a_name_ends_where_the_form_does() -> None:
    hand = Toucher(ui=Ui(Page.NEW_MATCH))
    hand.does(write(TextField.WHITE))
    hand.presses("", "x" * 40)
    hand.does(enter())
    assert hand.ui.form.players[0] == "x" * 16


def test_a_match_left_can_be_gone_on_with() -> None:
    hand = Toucher(resumable="Ada 3 – 5 Ben, 11-point match")
    assert hand.taps("Resume Ada 3 – 5 Ben, 11-point match") == (Resume(),)
    assert hand.taps("Quit") == (Quit(),)


# A turn -------------------------------------------------------------------------------------


def test_the_roll_button_is_a_short_press() -> None:
    hand = Toucher(to_roll())
    assert hand.taps("Roll: Ada") == (Button(MS, Press.SHORT),)
    assert hand.presses("space") == (Button(MS, Press.SHORT),)
    assert hand.presses("return") == (Button(MS, Press.SHORT),)


def test_d_held_is_a_long_press() -> None:
    assert Toucher(to_roll()).presses("hold d") == (Button(MS, Press.LONG),)


def test_on_a_board_with_two_buttons_the_press_is_that_of_the_side_to_act() -> None:
    sided = replace(BOARD, buttons=tuple(replace(BOARD.buttons[0], side=side) for side in Side))
    shown = Shown(sided, FACES, to_roll(to_act=Side.BLACK))
    picture = compose(shown, Ui(Page.PLAY), SIZE, measure, ms(0))
    _, outputs = pressed(picture, KeyPress("space"), Ui(Page.PLAY), shown, MS)
    assert outputs == (Button(MS, Press.SHORT, Side.BLACK),)


@pytest.mark.parametrize(
    ("view", "label", "tap"),
    [
        (to_roll(), "Double to\u00a02", Tap(MS, Act.DOUBLE)),
        (make_view(board=BoardState.WRONG), "Guide", Tap(MS, Act.SCREEN_IS_RIGHT)),
        (
            make_view(board=BoardState.WRONG, suspects=("4",)),
            "Sensor 4 off",
            Tap(MS, Act.SENSOR_OFF, sensor=Sensor("4")),
        ),
        (
            make_view(
                board=BoardState.CHOOSE, choices=("HOME/2", "2/4"), offers=CALM | {Act.CHOOSE}
            ),
            "Yes",
            Tap(MS, Act.CHOOSE, play="HOME/2"),
        ),
        (
            make_view(phase=Phase.GAME_OVER, offers=frozenset({Act.NEXT_GAME})),
            "Next game",
            Tap(MS, Act.NEXT_GAME),
        ),
    ],
)
def test_a_button_sends_its_tap(view: View, label: str, tap: Tap) -> None:
    assert Toucher(view).taps(label) == (tap,)


def test_a_touch_beside_everything_does_nothing() -> None:
    shown, ui = scene_in("nannon-moving")
    picture = compose(shown, ui, SIZE, measure, ms(0))
    assert touched(picture, FingerDown(400, 200), ui, shown, MS) == (ui, ())


def test_typed_dice_make_a_roll_of_the_side_to_act() -> None:
    hand = Toucher(to_roll(to_act=Side.BLACK), settings=Settings().changed("play.dice", "black"))
    rolled = Rolled(MS, Roll.of(4), Side.BLACK, RollSource.TYPED)
    assert hand.presses("", "4") == (rolled,)


def test_digits_do_nothing_where_spotter_throws() -> None:
    hand = Toucher(to_roll(to_act=Side.WHITE), settings=Settings().changed("play.dice", "black"))
    assert hand.presses("", "4") == ()


# The menu -----------------------------------------------------------------------------------


def test_every_button_of_the_menu_has_its_place_whatever_is_possible() -> None:
    places = []
    for offers in (CALM, CALM | {Act.RESTORE, Act.CHANGE_DICE}, frozenset[Act]()):
        shown = Shown(BOARD, FACES, make_view(offers=offers))
        picture = compose(shown, Ui(Page.MENU), SIZE, measure, ms(0))
        places.append({s.text: s.rect for s in picture.shapes if isinstance(s, Text)})
    assert places[0] == places[1] == places[2]
    assert {"Undo", "Resign", "Quit"} <= places[0].keys()


def test_resigning_is_asked_twice() -> None:
    hand = at_table()
    hand.taps("Menu")
    hand.taps("Resign")
    assert hand.taps("2\u00a0points: NANNON") == ()
    assert hand.taps("Yes, resign") == (Tap(MS, Act.RESIGN, points=2),)
    assert hand.ui.page is Page.PLAY


@pytest.mark.parametrize(
    ("plays", "question"),
    [(1, "Undo Black's 6-1?"), (3, "Undo 3 plays to Black's 6-1?")],
)
@pytest.mark.parametrize("from_menu", [False, True])
def test_a_takeback_says_how_far_and_asks(from_menu: bool, plays: int, question: str) -> None:
    hand = at_table(back_to=BackTo("Black's 6-1", plays))
    if from_menu:
        hand.taps("Menu")
    assert hand.taps("Undo") == ()
    picture = compose(hand.shown, hand.ui, SIZE, measure, ms(0))
    assert question in " ".join(s.text for s in picture.shapes if isinstance(s, Text))
    assert hand.taps("Keep it") == ()
    assert hand.ui.page is Page.PLAY
    hand.taps("Undo")
    assert hand.taps("Yes, undo") == (Tap(MS, Act.TAKE_BACK),)
    assert hand.ui.page is Page.PLAY


@pytest.mark.parametrize("page", [Page.TAKE_BACK, Page.RESIGN])
def test_a_question_leaves_the_board_in_sight(page: Page) -> None:
    hand = at_table(back_to=BackTo("Black's 6-1", 1))
    playing = compose(hand.shown, hand.ui, SIZE, measure, STILL)
    asking = compose(hand.shown, replace(hand.ui, page=page), SIZE, measure, STILL)
    board = play_places(SIZE).board
    on_board = [
        {s for s in picture.shapes if isinstance(s, Disc) and board.contains(*s.centre)}
        for picture in (playing, asking)
    ]
    assert on_board[0] == on_board[1] != set()


def test_a_takeback_that_leads_elsewhere_by_now_does_nothing() -> None:
    hand = at_table(back_to=BackTo("Black's 6-1", 1))
    hand.taps("Undo")
    yes = intend(Act.TAKE_BACK, back_to=BackTo("Black's 6-1", 1))
    hand.view = make_view(back_to=BackTo("White's 6-1", 2))
    assert yes.act(hand.ui, hand.shown, MS) == (hand.ui, ())


def test_the_question_goes_with_what_could_be_taken_back() -> None:
    hand = at_table()
    hand.taps("Undo")
    offers = CALM - {Act.TAKE_BACK}
    assert see(hand.ui, make_view(back_to=None, offers=offers), ms(10)).page is Page.PLAY


def test_not_resigning_leads_back() -> None:
    hand = at_table()
    hand.taps("Menu")
    hand.taps("Resign")
    hand.taps("1\u00a0point: single game")
    assert hand.taps("No, play on") == ()
    assert hand.ui.resigning is None
    assert hand.ui.page is Page.PLAY


def test_sensors_are_set_aside_and_used_again_without_leaving_their_page() -> None:
    hand = at_table(sensors_off=("3",))
    hand.taps("Menu")
    hand.taps("Sensors")
    hand.ui, _ = look_at(Sensor("4")).act(hand.ui, hand.shown, MS)
    assert hand.taps("Turn off") == (Tap(MS, Act.SENSOR_OFF, sensor=Sensor("4")),)
    hand.ui, _ = look_at(Sensor("3")).act(hand.ui, hand.shown, MS)
    assert hand.taps("Turn on") == (Tap(MS, Act.SENSOR_ON, sensor=Sensor("3")),)
    assert hand.ui.page is Page.SENSORS
    assert (hand.taps("Back to the match"), hand.ui.page) == ((), Page.PLAY)


def test_turning_the_board_shows_it_turned() -> None:
    hand = at_table()
    hand.presses("escape")
    turning = hand.does(set_to("screen.turned", True, look=True))
    assert turning == (ChangeSetting("screen.turned", True),)
    assert hand.ui.page is Page.PLAY


def test_escape_opens_the_menu_and_closes_it() -> None:
    hand = at_table()
    pages = []
    for _ in range(2):
        hand.presses("escape")
        pages.append(hand.ui.page)
    assert pages == [Page.MENU, Page.PLAY]


def test_f11_asks_for_the_full_screen() -> None:
    assert at_table().presses("f11") == (ChangeSetting("screen.fullscreen", True),)


# The board is right -------------------------------------------------------------------------


def test_the_board_as_described_becomes_the_position() -> None:
    hand = at_table(board=BoardState.WRONG, closed=frozenset("1256"))
    hand.does(start_edit())
    hand.does(tap_spot(Spot.read("2")))  # White becomes Black
    hand.does(tap_spot(Spot.read("2")))  # and is gone
    hand.does(tap_spot(Spot.read("3")))
    hand.does(count_tray(Spot.read("home.black"), Side.BLACK, -1))
    hand.does(change_mover())
    (tap,) = hand.does(accept_position())
    assert tap == Tap(MS, Act.CORRECT, position="1w.w.bb0 b")
    assert hand.ui.page is Page.PLAY


def test_an_impossible_board_stays_open_with_every_reason() -> None:
    hand = at_table(board=BoardState.WRONG, closed=frozenset("1256"))
    hand.does(start_edit())
    for _ in range(3):
        hand.does(count_tray(Spot.read("home.white"), Side.WHITE, 1))
    hand.does(tap_spot(Spot.read("3")))
    hand.does(tap_spot(Spot.read("3")))
    hand.does(tap_spot(Spot.read("4")))
    hand.does(tap_spot(Spot.read("4")))
    assert hand.does(accept_position()) == ()
    assert hand.ui.page is Page.EDITOR
    assert hand.ui.edit
    assert len(hand.ui.edit.reasons) == 2


# Views that come ----------------------------------------------------------------------------


def test_an_open_page_survives_a_new_view() -> None:
    hand = at_table()
    hand.does(open_page(Page.MENU))
    assert see(hand.ui, make_view(closed=frozenset({"1"})), ms(10)).page is Page.MENU


def test_resigning_closes_when_the_game_is_over() -> None:
    ui = replace(see(Ui(), make_view(), ms(0)), page=Page.RESIGN)
    assert see(ui, make_view(phase=Phase.GAME_OVER), ms(10)).page is Page.PLAY


def test_without_a_match_the_start_is_shown() -> None:
    ui = see(Ui(), make_view(), ms(0))
    assert see(ui, None, ms(10)).page is Page.START
