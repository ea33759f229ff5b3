"""The settings on the screen: every one can be had there, and given every value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from known import FACES, load_board
from views import does, given, measure

from pi_app.base.microseconds import ms
from pi_app.boards import board_names
from pi_app.languages import load_language
from pi_app.screen.actions import Action, set_to, show_settings
from pi_app.screen.canvas import Drawing, Text
from pi_app.screen.compose import compose
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.user.commands import ChangeSetting
from pi_app.user.settings import SETTINGS, Bounds, Setting, Settings, Value

DIMMABLE = Shown(load_board("nannon-6"), FACES, boards=board_names(), brightness=60)
OFFERED = [one for one in SETTINGS.values() if one.label]


def page_of(shown: Shown, first: int = 0, size: tuple[int, int] = (800, 480)) -> Drawing[Action]:
    return compose(shown, Ui(Page.SETTINGS, first_setting=first), size, measure, ms(0))


def pages(shown: Shown, size: tuple[int, int] = (800, 480)) -> list[Drawing[Action]]:
    """All of them, as "Others" leads from one to the next and back to the first."""
    found, first = [], 0
    while True:
        found.append(page_of(shown, first, size))
        (others,) = (one.action for one in found[-1].targets if does(one.action, show_settings))
        ui, _ = others.act(Ui(Page.SETTINGS), shown, ms(0))
        first = ui.first_setting
        if first == 0:
            return found


def ways(shown: Shown, name: str) -> list[Action]:
    """The values that touches can set, from left to right."""
    actions = [target.action for page in pages(shown) for target in page.targets]
    return [one for one in actions if does(one, set_to) and one.given[0] == name]


def value_of(tap: Action) -> Any:
    """What a tap sets its setting to."""
    return tap.given[1]


def written(shown: Shown) -> set[str]:
    shapes = [shape for page in pages(shown) for shape in page.shapes]
    return {shape.text for shape in shapes if isinstance(shape, Text)}


def as_set(shown: Shown, name: str, value: Value) -> Shown:
    return replace(shown, settings=shown.settings.changed(name, value))


@pytest.mark.parametrize("size", [(640, 400), (800, 480), (1280, 800), (720, 1280)], ids=str)
def test_every_setting_stands_on_one_page(size: tuple[int, int]) -> None:
    actions = [target.action for page in pages(DIMMABLE, size) for target in page.targets]
    names = given(actions, set_to)
    assert {*names} == {one.name for one in OFFERED}
    assert all(names.count(one.name) == len(ways(DIMMABLE, one.name)) for one in OFFERED)


CHOSEN = [one for one in OFFERED if one.choices]


@pytest.mark.parametrize("setting", CHOSEN, ids=lambda setting: setting.name)
def test_taps_go_round_the_values_of_a_setting(setting: Setting) -> None:
    shown, seen = DIMMABLE, []
    for _ in setting.choices:
        value = setting.of(shown.settings)
        assert {setting.label, setting.choices[value]} <= written(shown)
        (tap,) = ways(shown, setting.name)
        _, (change,) = tap.act(Ui(Page.SETTINGS), shown, ms(0))
        assert isinstance(change, ChangeSetting)
        assert change.setting == setting.name
        seen.append(change.value)
        shown = as_set(shown, setting.name, change.value)
    assert set(seen) == set(setting.choices)
    assert shown.settings == Settings()


NUMBERS_THERE = [one for one in OFFERED if isinstance(one.can_be, Bounds)]


@pytest.mark.parametrize("setting", NUMBERS_THERE, ids=lambda setting: setting.name)
def test_a_number_is_taken_to_either_end_of_its_range(setting: Setting) -> None:
    assert isinstance(setting.can_be, Bounds)
    for way, end in enumerate((setting.can_be.low, setting.can_be.high)):
        shown = DIMMABLE
        for _ in range(12):
            shown = as_set(shown, setting.name, value_of(ways(shown, setting.name)[way]))
            shown = replace(shown, brightness=shown.settings.screen.brightness)
        assert setting.of(shown.settings) == end


def test_numbers_are_said_in_per_cent() -> None:
    loud = as_set(DIMMABLE, "sound.volume", 0.35)
    assert {"Volume", "35\u00a0%", "Brightness", "60\u00a0%"} <= written(loud)
    german = replace(loud, language=load_language("de"))
    assert {"Lautstärke", "Helligkeit"} <= written(german)


def test_a_display_that_cannot_be_dimmed_offers_no_brightness() -> None:
    fixed = replace(DIMMABLE, brightness=None)
    assert ways(fixed, "screen.brightness") == []
    assert "Brightness" not in written(fixed)


def test_a_display_that_others_have_dimmed_is_changed_from_what_it_is() -> None:
    assert DIMMABLE.settings.screen.brightness == 100
    assert [value_of(way) for way in ways(DIMMABLE, "screen.brightness")] == [50, 70]


def test_the_boards_that_travel_with_spotter_are_offered_and_ones_own() -> None:
    shown, seen = as_set(DIMMABLE, "board.name", "mine.toml"), []
    for _ in (*board_names(), "mine.toml"):
        (tap,) = ways(shown, "board.name")
        seen.append(value_of(tap))
        changed = replace(shown.settings, board=replace(shown.settings.board, name=seen[-1]))
        shown = replace(shown, settings=changed)
        assert seen[-1] in written(shown)
    assert seen[:-1] == list(board_names())


def test_a_page_that_has_become_empty_is_the_first_again() -> None:
    assert page_of(DIMMABLE, 99).targets == page_of(DIMMABLE).targets
