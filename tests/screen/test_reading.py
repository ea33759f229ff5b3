"""The screen by ear: every place that can be touched has a name, in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scenes import scene_in, scenes
from shares import some
from views import measure

from pi_app.base.microseconds import ENDLESS, Us
from pi_app.languages import LANGUAGES, load_language
from pi_app.screen.compose import KeyPress, compose, pressed, reading_order
from pi_app.screen.reading import heard
from pi_app.screen.ui import Focus, Page, Shown, Ui
from pi_app.speech.aloud import aloud
from pi_app.words.sentences import ENGLISH

SIZE = (800, 480)
NOW = Us(ENDLESS)


def places(shown: Shown, ui: Ui) -> list[str | None]:
    """What is said of every place of a page, in reading order."""
    picture = compose(shown, ui, SIZE, measure, NOW)
    return [
        heard(picture, replace(ui, focus=Focus(ui.page, at)), shown.spoken).focused
        for at in reading_order(picture)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_has_a_name(language: str) -> None:
    known = load_language(language)
    for name in some([*scenes()], 4):
        shown, ui = scenes()[name]
        for label in places(replace(shown, language=known), ui):
            assert label, name
            assert aloud(label, known), (name, label)


@pytest.mark.parametrize("page", ["menu", "settings", "new-match", "rules", "start", "sensors"])
def test_a_page_is_read_from_its_title_on(page: str) -> None:
    shown, ui = scenes()[page] if page in scenes() else scene_in("nannon-moving", page)
    picture = compose(shown, ui, SIZE, measure, NOW)
    text = heard(picture, ui, ENGLISH).text
    assert text
    assert len(text) < 700


def test_the_play_page_leaves_the_words_to_the_match() -> None:
    shown, ui = scene_in("nannon-moving")
    assert ui.page is Page.PLAY
    assert heard(compose(shown, ui, SIZE, measure, NOW), ui, ENGLISH).text == ""


def test_a_game_is_chosen_and_begun_with_two_keys_by_ear() -> None:
    """Page down steps, page up touches; the player listens until the name is the one he wants."""
    shown, ui = scenes()["new-match"]
    for wanted in ("3", "Begin"):
        for _ in range(60):
            picture = compose(shown, ui, SIZE, measure, NOW)
            if heard(picture, ui, ENGLISH).focused == wanted:
                break
            ui, _ = pressed(picture, KeyPress("page down"), ui, shown, NOW)
        picture = compose(shown, ui, SIZE, measure, NOW)
        assert heard(picture, ui, ENGLISH).focused == wanted
        ui, outputs = pressed(picture, KeyPress("page up"), ui, shown, NOW)
    assert outputs[0].match_to == 3  # type: ignore[union-attr]
