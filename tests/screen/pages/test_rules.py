"""The rules on the screen: every leaf whole and readable, turned by touch and by keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from known import BOARDS, FACES, GAMES, OUTSIDE, WITH_OUTSIDE, boards_of, load_board
from shares import paired
from test_layout import SIZES, faults, told
from views import key_pressed, measure, view_of

from pi_app.base.microseconds import ENDLESS, ms
from pi_app.boards import load_board as load_any
from pi_app.games.equipment import Equipment
from pi_app.languages import LANGUAGES, load_language
from pi_app.screen.actions import Action, turn_to
from pi_app.screen.canvas import Disc, Drawing, Text, unit_of
from pi_app.screen.compose import FingerDown, compose, touched
from pi_app.screen.pages.rules import leaves_of
from pi_app.screen.paint import Fonts
from pi_app.screen.theme import VERMILION
from pi_app.screen.ui import Bookmark, Page, Shown, Ui
from pi_app.user.agreement import Form

NOW = ms(1234)
READABLE = 19
"""Pixels at 800 x 480."""


@pytest.fixture(scope="module")
def fonts() -> Fonts:
    return Fonts()


def shown_of(name: str, *, playing: bool = True) -> Shown:
    view = view_of(name) if playing else None
    return Shown(load_board(BOARDS[name]), FACES, view)


@pytest.mark.parametrize(
    ("name", "language", "size"), paired(3, [*GAMES], sorted(LANGUAGES), SIZES), ids=str
)
def test_every_rule_fits_its_leaf_and_can_be_read(
    name: str, language: str, size: tuple[int, int], fonts: Fonts
) -> None:
    shown = replace(shown_of(name), language=load_language(language))
    sheet = GAMES[name].sheet
    for number, leaf in enumerate(leaves_of(GAMES[name])):
        ui = Ui(Page.RULES, bookmark=Bookmark(number))
        picture = compose(shown, ui, size, fonts.measure, now=ENDLESS)
        assert faults(picture) == []
        rule = shown.language.say(sheet.rules[leaf.number - 1]())
        assert leaf.example
        caption = shown.language.say(leaf.example.caption())
        for text in (f"{leaf.number}. {rule}", caption):
            assert told(picture, text)
            assert size_of(picture, text) >= int(READABLE * unit_of(size))


def size_of(picture: Drawing[Action], text: str) -> int:
    """The number of a text's first line."""
    lines = [shape for shape in picture.shapes if isinstance(shape, Text)]
    said = [line for line in lines if text.startswith(line.text) and " " in line.text]
    return min(line.size for line in said)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_not_legal_has_a_cross_and_what_is_has_none(name: str) -> None:
    for number, leaf in enumerate(leaves_of(GAMES[name])):
        ui = Ui(Page.RULES, bookmark=Bookmark(number))
        picture = compose(shown_of(name), ui, (800, 480), measure, now=ENDLESS)
        rings = [one for one in picture.shapes if isinstance(one, Disc) and one.edge == VERMILION]
        assert leaf.example
        assert bool(rings) is bool(leaf.example.attempt)


@pytest.mark.parametrize("page", [Page.RULES, Page.TOUR], ids=str)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("board", sorted(set(BOARDS.values())))
def test_a_game_of_another_board_that_is_at_hand_is_drawn_on_its_own(
    board: str, game: str, page: Page
) -> None:
    shown = Shown(load_board(board), FACES, boards_of=boards_of())
    ui = Ui(page, form=Form(game=game), bookmark=Bookmark(0, Page.NEW_MATCH))
    at_home = replace(shown, board=load_board(BOARDS[game]))
    here, there = (compose(one, ui, (800, 480), measure, now=ENDLESS) for one in (shown, at_home))
    assert here.shapes == there.shapes


def test_leaves_are_turned_by_touch() -> None:
    shown, ui = shown_of("nannon"), Ui(Page.RULES)
    seen = []
    for _ in leaves_of(GAMES["nannon"]):
        seen.append(ui.bookmark.leaf)
        picture = compose(shown, ui, (800, 480), measure, NOW)
        onward = [t for t in picture.targets if t.action == turn_to(Page.RULES, seen[-1] + 1, None)]
        if onward:
            ui, _ = touched(picture, FingerDown(*onward[0].rect.centre), ui, shown, NOW)
    assert seen == list(range(len(leaves_of(GAMES["nannon"]))))
    assert onward == []


def test_leaves_are_turned_by_keys() -> None:
    shown, ui = shown_of("nannon"), Ui(Page.RULES)
    for key, leaf in (("space", 1), ("return", 2), ("backspace", 1), ("space", 2)):
        ui, outputs = key_pressed(key, ui, shown)
        assert (ui.page, ui.bookmark.leaf, outputs) == (Page.RULES, leaf, ())
    last = len(leaves_of(GAMES["nannon"])) - 1
    for bookmark, key in ((Bookmark(), "backspace"), (Bookmark(last), "space")):
        at_end = Ui(Page.RULES, bookmark=bookmark)
        assert key_pressed(key, at_end, shown) == (at_end, ())
    assert key_pressed("escape", ui, shown)[0].page is Page.PLAY


@pytest.mark.parametrize("game", ["backgammon", "portes", "pin"])
def test_they_are_those_of_the_game_on_the_form_and_lead_back_to_it(game: str) -> None:
    shown = shown_of("backgammon")
    ui = Ui(Page.NEW_MATCH, form=Form(game=game))
    ui, _ = turn_to(Page.RULES, after=Page.NEW_MATCH).act(ui, shown, NOW)
    picture = compose(shown, ui, (800, 480), measure, NOW)
    assert told(picture, GAMES[game].title)
    back = picture.targets[0]
    assert touched(picture, FingerDown(*back.rect.centre), ui, shown, NOW)[0].page is Page.NEW_MATCH


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", OUTSIDE, ids=lambda game: game.rules.name)
def test_an_outside_game_has_rules_and_a_tour_with_examples_or_without(
    game: Equipment, size: tuple[int, int], fonts: Fonts
) -> None:
    board = load_any(game.board, WITH_OUTSIDE.rules)
    shown = Shown(board, WITH_OUTSIDE.faces, language=load_language("de"))
    for page in (Page.RULES, Page.TOUR):
        for leaf in range(7):
            ui = Ui(page, bookmark=Bookmark(leaf))
            picture = compose(shown, ui, size, fonts.measure, now=ENDLESS)
            assert faults(picture) == []


def test_the_form_of_a_series_shows_the_rules_of_all_its_games_in_turn() -> None:
    shown = Shown(load_board("tables-24"), FACES, boards_of=boards_of())
    for order in (("portes", "plakoto", "fevga"), ("fevga", "portes")):
        form = Form(game="tavli", order=order)
        titles, leaf = list[str](), 0
        while True:
            ui = Ui(Page.RULES, form=form, bookmark=Bookmark(leaf, Page.NEW_MATCH))
            picture = compose(shown, ui, (800, 480), measure, now=ENDLESS)
            texts = {shape.text for shape in picture.shapes if isinstance(shape, Text)}
            (title,) = texts & {str(GAMES[name].title) for name in order}
            titles.append(title)
            onward = turn_to(Page.RULES, leaf + 1, Page.NEW_MATCH)
            if not any(target.action == onward for target in picture.targets):
                break
            leaf += 1
        assert list(dict.fromkeys(titles)) == [str(GAMES[name].title) for name in order]
        assert len(titles) == sum(len(leaves_of(GAMES[name])) for name in order)
