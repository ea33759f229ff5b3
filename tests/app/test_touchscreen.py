"""The screen in the program's hands: what is painted when, and touches that come too fast."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from known import FACES, load_board
from views import CALM, make_view, measure

from pi_app.base.microseconds import ms
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import Button, Press, Start, Tap, Tick
from pi_app.referee.referee import Referee
from pi_app.screen.actions import Action, begin_match, open_page, press_button, type_letters, write
from pi_app.screen.canvas import Shape
from pi_app.screen.compose import FingerDown, Input, KeyPress, Resized
from pi_app.screen.front import ScreenFront
from pi_app.screen.theme import Theme
from pi_app.screen.ui import Page, Shown, TextField
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState
from pi_app.user.commands import NewMatch, Output
from pi_app.user.settings import Settings

BOARD = load_board("nannon-6")
MATCH = Referee(BOARD, Start(ms(0), "nannon", "nannon-6", 11, ("Ada", "Ben")))
SHOWN, IN_PLAY = Shown(BOARD, FACES), Shown(BOARD, FACES, MATCH.view)


class TouchedGlass:
    """A window that is touched by the test, and counts how often it is painted."""

    def __init__(self) -> None:
        self.size = (800, 480)
        self.measure = measure
        self.typing = False
        self.inputs: list[Input] = []
        self.painted = 0
        self.theme = Theme.DARK

    def draw(self, shapes: Iterable[Shape], theme: Theme) -> None:
        self.painted += 1
        self.theme = theme

    def poll(self, now: float) -> tuple[Input, ...]:
        inputs, self.inputs = tuple(self.inputs), []
        return inputs


class FrontDesk:
    """A front on glass, and a finger."""

    def __init__(self) -> None:
        self.glass = TouchedGlass()
        self.front = ScreenFront(self.glass)  # type: ignore[arg-type]
        self.front.draw(SHOWN, ms(0))

    def place(self, action: Action) -> FingerDown:
        targets = self.front._picture.targets
        place, *_ = (target.rect for target in targets if target.action == action)
        return FingerDown(*place.centre)

    def touches(self, touch: FingerDown, shown: Shown, time_ms: int) -> tuple[Output, ...]:
        self.glass.inputs = [touch]
        return self.front.poll(shown, ms(time_ms))

    def goes_to(self, page: Page) -> None:
        assert self.touches(self.place(open_page(page)), SHOWN, 500) == ()
        self.front.draw(SHOWN, ms(501))


def test_a_double_tap_on_roll_takes_nothing_back() -> None:
    """When the dice have fallen Done stands where the finger is, and takes no second tap."""
    to_roll = Shown(BOARD, FACES, make_view(phase=Phase.TO_ROLL, roll=None))
    rolled = Shown(BOARD, FACES, make_view())
    desk = FrontDesk()
    desk.front.draw(to_roll, ms(1))
    touch = desk.place(press_button())
    assert desk.touches(touch, to_roll, 1000) == (Button(ms(1000), Press.SHORT),)
    desk.front.draw(rolled, ms(1100))
    press = (Button(ms(1500), Press.SHORT),)
    for time_ms, outputs in ((1150, ()), (1499, ()), (1500, press)):
        assert desk.touches(touch, rolled, time_ms) == outputs
        assert desk.front._ui.page is Page.PLAY


def test_an_answer_that_has_just_come_under_the_finger_takes_no_touch() -> None:
    to_roll = Shown(BOARD, FACES, make_view(phase=Phase.TO_ROLL, roll=None))
    offers = CALM | {Act.CHOOSE}
    view = make_view(board=BoardState.CHOOSE, choices=("2/4",), offers=offers)
    asked, desk = Shown(BOARD, FACES, view), FrontDesk()
    desk.front.draw(to_roll, ms(1))
    touch = desk.place(press_button())
    desk.front.draw(asked, ms(1100))
    yes = Tap(ms(1500), Act.CHOOSE, play="2/4")
    for time_ms, outputs in ((1150, ()), (1499, ()), (1500, (yes,))):
        assert desk.touches(touch, asked, time_ms) == outputs


def test_a_button_that_only_changed_its_words_is_another() -> None:
    to_roll = Shown(BOARD, FACES, make_view(phase=Phase.TO_ROLL, roll=None))
    stuck = Shown(BOARD, FACES, make_view(legal=("forfeit",), moves_exist=False))
    desk = FrontDesk()
    desk.front.draw(to_roll, ms(1))
    touch = desk.place(press_button())
    desk.front.draw(stuck, ms(1000))
    assert desk.front._picture.at(touch.x, touch.y) == press_button()
    assert desk.touches(touch, stuck, 1399) == ()
    assert desk.touches(touch, stuck, 1400) == (Button(ms(1400), Press.SHORT),)


def test_what_stands_still_takes_every_touch_however_fast() -> None:
    desk = FrontDesk()
    desk.goes_to(Page.NEW_MATCH)
    desk.touches(desk.place(write(TextField.WHITE)), SHOWN, 1000)
    desk.front.draw(SHOWN, ms(1001))
    for number, letter in enumerate("Anna"):  # the keys have capitals first, then small letters
        desk.front.draw(SHOWN, ms(2000 + 20 * number))
        desk.touches(desk.place(type_letters(letter)), SHOWN, 2010 + 20 * number)
    assert desk.front._ui.typing.text == "Anna"


def test_two_touches_on_begin_begin_one_match() -> None:
    desk = FrontDesk()
    desk.goes_to(Page.NEW_MATCH)
    desk.glass.inputs = [desk.place(begin_match()), desk.place(begin_match())]
    (begun,) = desk.front.poll(SHOWN, ms(1000))
    assert isinstance(begun, NewMatch)
    # The match has begun, and the form that the second finger saw is gone.
    desk.front.draw(IN_PLAY, ms(1001))
    assert desk.front.poll(IN_PLAY, ms(1002)) == ()


def test_a_view_that_differs_only_in_its_time_is_not_painted_again() -> None:
    desk = FrontDesk()
    desk.front.draw(IN_PLAY, ms(1))
    painted = desk.glass.painted
    MATCH.handle(Tick(ms(5000)))
    later = Shown(BOARD, FACES, MATCH.view)
    assert later != IN_PLAY
    for time_ms in range(2, 50):
        desk.front.draw(later, ms(time_ms))
    assert desk.glass.painted == painted
    desk.front.draw(Shown(BOARD, FACES, MATCH.view, away=("OLED",)), ms(50))
    assert desk.glass.painted == painted + 1


def test_a_reed_that_chatters_paints_nothing_where_no_reed_is_shown() -> None:
    desk = FrontDesk()
    desk.front.draw(IN_PLAY, ms(1))
    painted = desk.glass.painted
    for time_ms in range(2, 50):
        closed = frozenset({Sensor("3")} if time_ms % 2 else ())
        desk.front.draw(replace(IN_PLAY, view=replace(MATCH.view, closed=closed)), ms(time_ms))
    assert desk.glass.painted == painted


def test_a_window_of_another_size_is_painted_though_nothing_is_new() -> None:
    desk = FrontDesk()
    painted = desk.glass.painted
    desk.glass.inputs = [Resized()]
    desk.front.poll(SHOWN, ms(1))
    desk.front.draw(SHOWN, ms(2))
    assert desk.glass.painted == painted + 1


# Keys ---------------------------------------------------------------------------------------


def keyed(desk: FrontDesk, shown: Shown, key: str, time_ms: int) -> tuple[Output, ...]:
    desk.glass.inputs = [KeyPress(key)]
    return desk.front.poll(shown, ms(time_ms))


def test_a_key_touches_nothing_that_has_just_come_under_the_focus() -> None:
    to_roll = Shown(BOARD, FACES, make_view(phase=Phase.TO_ROLL, roll=None))
    stuck = Shown(BOARD, FACES, make_view(legal=("forfeit",), moves_exist=False))
    desk = FrontDesk()
    desk.front.draw(to_roll, ms(1))
    assert keyed(desk, to_roll, "tab", 500) == ()
    desk.front.draw(stuck, ms(1000))
    assert keyed(desk, stuck, "return", 1399) == ()
    assert keyed(desk, stuck, "return", 1400) == (Button(ms(1400), Press.SHORT),)


def test_a_finger_and_a_window_of_another_size_let_the_focus_go() -> None:
    for known in (FingerDown(1, 1), Resized()):
        desk = FrontDesk()
        keyed(desk, SHOWN, "tab", 500)
        assert desk.front._ui.focused
        desk.glass.inputs = [known]
        desk.front.poll(SHOWN, ms(600))
        assert desk.front._ui.focused is None


def test_another_theme_is_painted_though_nothing_else_is_new() -> None:
    desk = FrontDesk()
    painted = desk.glass.painted
    for theme, times in (("dark", 0), ("light", 1), ("light", 1), ("contrast", 2)):
        settings = Settings().changed("screen.theme", theme)
        desk.front.draw(Shown(BOARD, FACES, settings=settings), ms(2))
        assert (desk.glass.painted - painted, desk.glass.theme) == (times, Theme(theme))
