"""The tour: whole everywhere, left at any time, and shown unasked only once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from known import BOARDS, FACES, GAMES, load_board
from test_layout import SIZES, faults, told
from views import key_pressed, measure, view_of

from pi_app.agreement import Form
from pi_app.commands import ChangeSetting
from pi_app.languages import LANGUAGES, load_language
from pi_app.microseconds import ENDLESS, ms
from pi_app.screen.actions import end_tour, turn_to
from pi_app.screen.compose import FingerDown, compose, touched
from pi_app.screen.pages.rules import leaves_for, reason_of
from pi_app.screen.paint import Fonts
from pi_app.screen.ui import Bookmark, Page, Shown, Ui
from pi_app.settings import Settings

NOW = ms(1234)
SEEN = ChangeSetting("screen.tour_seen", True)


@pytest.fixture(scope="module")
def fonts() -> Fonts:
    return Fonts()


def shown_of(name: str) -> tuple[Shown, Ui]:
    return Shown(load_board(BOARDS[name]), FACES), Ui(Page.TOUR, form=Form(game=name))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("name", GAMES)
def test_every_leaf_is_whole(name: str, language: str, size: tuple[int, int], fonts: Fonts) -> None:
    shown, ui = shown_of(name)
    shown = replace(shown, language=load_language(language))
    for number, leaf in enumerate(leaves_for(GAMES[name])):
        ui = replace(ui, bookmark=Bookmark(number))
        picture = compose(shown, ui, size, fonts.measure, now=ENDLESS)
        assert faults(picture) == []
        for text in (leaf.title(), leaf.text(), leaf.caption):
            assert told(picture, shown.language.say(text))


@pytest.mark.parametrize("name", GAMES)
def test_it_is_short_and_says_what_spotter_says_of_a_wrong_move(name: str) -> None:
    assert 5 <= len(leaves_for(GAMES[name])) <= 7
    assert reason_of(GAMES[name])


@pytest.mark.parametrize("name", GAMES)
def test_doubling_is_told_where_there_is_a_cube(name: str) -> None:
    captions = " ".join(leaf.caption for leaf in leaves_for(GAMES[name]))
    assert ("double" in captions) is GAMES[name].has_cube


def test_it_is_read_to_its_end_with_one_key_or_left_with_another() -> None:
    shown, ui = shown_of("nannon")
    for leaf in range(1, len(leaves_for(GAMES["nannon"]))):
        ui, outputs = key_pressed("space", ui, shown)
        assert (ui.page, ui.bookmark.leaf, outputs) == (Page.TOUR, leaf, ())
    for key in ("space", "escape"):
        after, outputs = key_pressed(key, ui, shown)
        assert (after.page, outputs) == (Page.START, (SEEN,))


def test_it_is_skipped_and_taken_again_from_the_start_and_the_menu() -> None:
    shown, ui = shown_of("nannon")
    picture = compose(shown, ui, (800, 480), measure, NOW)
    (skip,) = (target for target in picture.targets if target.action == end_tour())
    ui, outputs = touched(picture, FingerDown(*skip.rect.centre), ui, shown, NOW)
    assert (ui.page, outputs) == (Page.START, (SEEN,))
    seen = replace(shown, settings=Settings().changed("screen.tour_seen", True))
    playing = replace(seen, view=view_of("nannon"))
    for now, page in ((seen, Page.START), (playing, Page.MENU)):
        again = compose(now, Ui(page), (800, 480), measure, NOW)
        assert turn_to(Page.TOUR) in [target.action for target in again.targets]
        after, outputs = end_tour().act(Ui(Page.TOUR), now, NOW)
        assert (after.page, outputs) == (Page.PLAY if now.view else Page.START, ())
