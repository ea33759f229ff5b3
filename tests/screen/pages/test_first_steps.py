"""The set-up of a first start: four steps, by touch and by two buttons, and then the tour."""

from __future__ import annotations

from dataclasses import replace

import pytest
from known import FACES, load_board
from test_focus import TwoButtons

from pi_app.app.loop import Inspection
from pi_app.base.microseconds import ENDLESS, Us, ms
from pi_app.referee.events import Button, Press, SensorEdge
from pi_app.screen.canvas import Disc, Text
from pi_app.screen.compose import compose
from pi_app.screen.pages.first_start import CHECK, LANGUAGE, STEPS, TRIAL, open_step
from pi_app.screen.paint import Fonts
from pi_app.screen.theme import TEAL, VERMILION
from pi_app.screen.ui import Bookmark, Fitness, Inspected, Page, Shown, TrialPart, Ui
from pi_app.sensing.description import Sensor
from pi_app.user.commands import ChangeSetting, Inspect
from pi_app.user.settings import Settings

BOARD = load_board("nannon-6")
SHOWN = Shown(BOARD, FACES, boards=("nannon-6", "tables-24"))


class FreshOwner(TwoButtons):
    """Of a board that is fresh."""

    @property
    def shown(self) -> Shown:
        return replace(super().shown, boards=SHOWN.boards)


def at(step: int) -> Ui:
    return Ui(Page.SET_UP, bookmark=Bookmark(step))


def texts(shown: Shown, step: int) -> str:
    picture = compose(shown, at(step), (800, 480), Fonts().measure, ENDLESS)
    return " | ".join(shape.text for shape in picture.shapes if isinstance(shape, Text))


def lamps(shown: Shown, step: int) -> list[object]:
    picture = compose(shown, at(step), (800, 480), Fonts().measure, ENDLESS)
    lit = (shape.fill for shape in picture.shapes if isinstance(shape, Disc))
    return [colour for colour in lit if colour in (TEAL, VERMILION)]


def test_two_buttons_go_through_all_of_it_to_the_tour() -> None:
    hand = FreshOwner(ui=at(LANGUAGE))
    assert hand.chooses("Deutsch") == (ChangeSetting("screen.language", "de"),)
    hand.chooses("Next")
    assert hand.chooses("tables-24") == (ChangeSetting("board.name", "tables-24"),)
    assert hand.chooses("Next") == (Inspect.STOP, Inspect.CHECK)
    assert hand.chooses("Again") == (Inspect.STOP, Inspect.CHECK)
    assert hand.chooses("Next") == (Inspect.STOP, Inspect.LOOK)
    assert hand.chooses("Previous") == (Inspect.STOP, Inspect.CHECK)
    hand.chooses("Next")
    assert hand.chooses("Next") == (Inspect.STOP,)
    assert (hand.ui.page, hand.ui.bookmark.leaf) == (Page.TOUR, 0)


@pytest.mark.parametrize("step", range(STEPS))
def test_every_step_can_be_skipped_and_all_of_them(step: int) -> None:
    hand = FreshOwner(ui=at(step))
    hand.presses("return")
    assert (hand.ui.page is Page.TOUR) is (step == STEPS - 1)
    if step:
        hand = FreshOwner(ui=at(step))
        hand.presses("backspace")
        assert hand.ui.bookmark.leaf == step - 1
    hand = FreshOwner(ui=at(step))
    hand.presses("escape")
    assert hand.ui.page is Page.TOUR


def test_another_board_needs_a_new_start() -> None:
    other = replace(SHOWN, settings=Settings().changed("board.name", "tables-24"))
    assert "tables-24 counts from the next start on" in texts(other, 1)
    assert "next start" not in texts(SHOWN, 1)


def test_the_check_shows_faults_and_the_remedy() -> None:
    found = (("sound", Fitness.WELL), ("storage", Fitness.ILL), ("Python", Fitness.ILL))
    shown = replace(SHOWN, health=found, away=("OLED",))
    assert lamps(shown, CHECK).count(VERMILION) == 2, "storage and OLED"
    assert lamps(shown, CHECK).count(TEAL) == 2, "sensors and sound"
    assert "spotter doctor" in texts(shown, CHECK)
    assert "spotter doctor" not in texts(SHOWN, CHECK)


def test_the_trial_turn_lights_what_was_seen() -> None:
    inspection = Inspection(BOARD)
    one, two = Sensor("1"), Sensor("2")
    inspection.handle(SensorEdge(ms(1), two, True))
    assert inspection.shown.parts == frozenset(), "nothing was taken away before"
    inspection.handle(SensorEdge(ms(2), one, False))
    inspection.handle(SensorEdge(ms(3), one, True))
    assert inspection.shown.parts == {TrialPart.LIFTED}, "it bounced"
    inspection.handle(SensorEdge(ms(4), two, True))
    inspection.handle(Button(ms(5), Press.SHORT))
    assert inspection.shown.parts == {*TrialPart}
    seen = Inspected(frozenset(), parts=frozenset({TrialPart.LIFTED}))
    assert lamps(replace(SHOWN, inspected=seen), TRIAL).count(TEAL) == 1
    assert lamps(SHOWN, TRIAL).count(TEAL) == 0


def test_a_step_after_the_last_is_the_tour() -> None:
    ui, outputs = open_step(STEPS).act(at(TRIAL), SHOWN, Us(0))
    assert (ui.page, outputs) == (Page.TOUR, (Inspect.STOP,))
