"""The tour on the screen: whole at every step, left at any time, and shown by itself only once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest
from known import BOARDS, FACES, GAMES, load_board
from newcomers import PLACES, Newcomer
from shares import paired, some
from test_layout import LARGE, SIZES, faults, told
from views import does, key_pressed, measure, view_of

from pi_app.base.microseconds import ENDLESS, ms
from pi_app.languages import LANGUAGES, load_language
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.panel.picture import Panel
from pi_app.referee.view import TourStep, View
from pi_app.screen.actions import Action, begin_tour, end_tour, open_page, press_button
from pi_app.screen.compose import FingerDown, compose, touched
from pi_app.screen.paint import Fonts
from pi_app.screen.ui import Page, Shown, Ui, see
from pi_app.sensing.description import Board
from pi_app.user.agreement import Form, new_match
from pi_app.user.commands import ChangeSetting, PlayTour
from pi_app.user.settings import Settings

NOW = ms(1234)
SEEN = ChangeSetting("screen.tour_seen", True)
NANNON = new_match(Form(match_to=None), GAMES.match("nannon"))
LEAVE = PlayTour()


@pytest.fixture(scope="module")
def fonts() -> Fonts:
    return Fonts()


def shown_of(name: str) -> tuple[Shown, Ui]:
    return Shown(load_board(BOARDS[name]), FACES), Ui(Page.TOUR, form=Form(game=name))


@cache
def views_of(board: str, game: str) -> Mapping[str, View]:
    """Every step of a tour, and what hands may do in the middle of it."""
    newcomer = Newcomer(load_board(board), game)
    views = {"set up": newcomer.view}
    newcomer.to(TourStep.ROLL if newcomer.game in DICED else TourStep.PLAY)
    views["roll"] = newcomer.view
    for step in (TourStep.PLAY, TourStep.PLAYED, TourStep.WRONG):
        newcomer.to(step)
        views[step.name.lower()] = newcomer.view
    newcomer.err()
    views["warned"] = newcomer.view
    newcomer.put_back()
    views["over"] = newcomer.view
    return views


DICED = frozenset(name for name, game in GAMES.items() if game.dice)


def doubled() -> View:
    newcomer = Newcomer(load_board("tables-24"), "backgammon")
    newcomer.to(TourStep.PLAYED)
    newcomer.press()
    newcomer.tap(Act.DOUBLE)
    assert newcomer.view.phase is Phase.DOUBLE_OFFERED
    return newcomer.view


def playing(view: View, settings: Settings | None = None) -> Shown:
    return Shown(load_board(BOARDS[view.game]), FACES, view, settings or Settings())


@pytest.mark.parametrize("name", GAMES)
def test_the_first_page_is_whole(name: str, fonts: Fonts) -> None:
    shown, ui = shown_of(name)
    for language, size in paired(3, sorted(LANGUAGES), SIZES):
        read = replace(shown, language=load_language(language))
        picture = compose(read, ui, size, fonts.measure, now=ENDLESS)
        assert faults(picture) == [], (language, size)


@pytest.mark.parametrize("place", some(PLACES, 2), ids=lambda place: f"{place[0].name}-{place[1]}")
def test_every_step_is_whole_and_told(place: tuple[Board, str], fonts: Fonts) -> None:
    board, game = place
    steps = views_of(board.name, game).items()
    for (name, view), language, size in paired(5, [*steps], sorted(LANGUAGES), SIZES):
        shown = replace(playing(view), language=load_language(language))
        picture = compose(shown, Ui(Page.PLAY), size, fonts.measure, now=ENDLESS)
        assert faults(picture) == [], (name, language, size)
        assert told(picture, shown.spoken.say(view.message)), (name, language, size)
        assert told(picture, shown.spoken.say(view.hint)), (name, language, size)


@pytest.mark.parametrize("size", LARGE, ids=str)
def test_every_step_is_whole_in_large_text(size: tuple[int, int], fonts: Fonts) -> None:
    large = Settings().changed("screen.text", "large")
    for view in (*views_of("tables-24", "backgammon").values(), doubled()):
        shown = playing(view, large)
        picture = compose(shown, Ui(Page.PLAY), size, fonts.measure, now=ENDLESS)
        assert faults(picture) == []
        assert told(picture, shown.spoken.say(view.message).replace("\u00a0", " "))


def actions(view: View) -> list[Action]:
    picture = compose(playing(view), Ui(Page.PLAY), (800, 480), measure, now=ENDLESS)
    return [target.action for target in picture.targets]


def test_it_is_left_by_one_touch_or_escape_at_every_step() -> None:
    for view in (*views_of("tables-24", "backgammon").values(), doubled()):
        (leave,) = (action for action in actions(view) if does(action, end_tour))
        ui, outputs = leave.act(Ui(Page.PLAY), playing(view), NOW)
        is_over = view.tour is TourStep.OVER
        assert (ui.page, outputs) == (Page.NEW_MATCH if is_over else Page.START, (LEAVE, SEEN))
        ui, outputs = key_pressed("escape", Ui(Page.PLAY), playing(view))
        assert (ui.page, outputs) == (Page.START, (LEAVE, SEEN))


def test_doubles_are_answered_in_the_tour_as_in_a_match() -> None:
    assert sum(action.given[:1] in ((Act.TAKE,), (Act.PASS,)) for action in actions(doubled())) == 2


def test_the_small_display_gives_no_illegal_move_as_a_play() -> None:
    view, panel = views_of("tables-24", "backgammon")["wrong"], Panel()
    unasked = replace(view, to_make=())
    assert panel.picture(view, ()).tobytes() == panel.picture(unasked, ()).tobytes()


def test_the_main_button_of_the_last_step_starts_a_match() -> None:
    assert press_button() in actions(views_of("nannon-6", "nannon")["played"])
    assert press_button() not in actions(views_of("nannon-6", "nannon")["over"])


def test_it_begins_or_is_skipped_with_one_key() -> None:
    shown, ui = shown_of("nannon")
    after, outputs = key_pressed("space", ui, shown)
    assert (after.page, outputs) == (Page.TOUR, (PlayTour(NANNON),))
    assert see(after, views_of("nannon-6", "nannon")["set up"], NOW).page is Page.PLAY
    after, outputs = key_pressed("escape", ui, shown)
    assert (after.page, outputs) == (Page.START, (SEEN,))


def test_the_form_of_the_next_match_keeps_nothing_of_the_tour() -> None:
    form = Form(("Ada", "Ben"), 5)
    ui = see(Ui(Page.TOUR, form=form), views_of("nannon-6", "nannon")["set up"], NOW)
    assert ui.form == form


def test_it_is_skipped_and_offered_again() -> None:
    shown, ui = shown_of("nannon")
    picture = compose(shown, ui, (800, 480), measure, NOW)
    (skip,) = (target for target in picture.targets if target.action == end_tour())
    assert begin_tour() in [target.action for target in picture.targets]
    ui, outputs = touched(picture, FingerDown(*skip.rect.centre), ui, shown, NOW)
    assert (ui.page, outputs) == (Page.START, (SEEN,))
    seen = replace(shown, settings=Settings().changed("screen.tour_seen", True))
    over = replace(view_of("nannon"), phase=Phase.MATCH_OVER)
    for view, page, offered in (
        (None, Page.START, True),
        (over, Page.MENU, True),
        (view_of("nannon"), Page.MENU, False),
    ):
        now = replace(seen, view=view)
        again = compose(now, Ui(page), (800, 480), measure, NOW)
        assert (open_page(Page.TOUR) in [target.action for target in again.targets]) is offered
        after, outputs = end_tour().act(Ui(Page.TOUR), now, NOW)
        assert (after.page, outputs) == (Page.PLAY if view else Page.START, ())


def test_speech_is_offered_where_it_can_be_turned_on(fonts: Fonts) -> None:
    shown, ui = shown_of("nannon")
    heard = replace(shown, settings=Settings().changed("speech.told", "all"))
    for now, offered in ((shown, True), (heard, False)):
        picture = compose(now, ui, (800, 480), fonts.measure, now=ENDLESS)
        assert told(picture, "To hear it spoken, hold the die button") is offered
