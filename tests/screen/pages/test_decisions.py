"""A decision is read as a table; errors are those of one player, one after the other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from coaches import hint_scenes, judged, lesson_scenes
from known import FACES, load_board
from scenes import shown_in
from shelves import shelf_of

from pi_app.base.microseconds import ENDLESS, Us
from pi_app.coach.study import Lesson, Mark, mark_of
from pi_app.languages import load_language
from pi_app.referee.events import MatchId
from pi_app.referee.speech import MACHINE
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action, roll_out, show_errors_of, show_leaf
from pi_app.screen.canvas import Drawing, Text
from pi_app.screen.compose import compose
from pi_app.screen.pages.coach import leaf_of
from pi_app.screen.pages.matches import errors_whose
from pi_app.screen.paint import Fonts
from pi_app.screen.ui import Browsing, Page, Shown, Ui
from pi_app.user.commands import RollOut

SIZE, FONTS = (800, 480), Fonts()


def drawn(shown: Shown, ui: Ui) -> Drawing[Action]:
    return compose(shown, ui, SIZE, FONTS.measure, ENDLESS)


def words(picture: Drawing[Action]) -> list[str]:
    return [shape.text for shape in picture.shapes if isinstance(shape, Text)]


def of_match() -> tuple[Shown, Lesson]:
    lesson, opened = judged("backgammon")
    shelf = replace(shelf_of("backgammon"), opened=opened)
    return Shown(load_board("tables-24"), FACES, shelf=shelf, lesson=lesson), lesson


def test_an_analysis_names_the_worst_decisions_their_players_and_what_each_was() -> None:
    text = words(drawn(*dict(lesson_scenes())["analysis later"]))
    first = text.index("4-1: 24/23 7/3* · best 24/23 24/20")
    assert text[first + 1 : first + 4] == ["Ann · game 1, play 4", "0.682 points", "blunder"]


def test_a_blunder_is_a_table_of_the_best_play_and_the_one_made() -> None:
    text = words(drawn(*dict(lesson_scenes())["judged backgammon 0"]))
    for cell in (
        *("Blunder −4.557 points", "best · 2 plies", "+0.300", "24/20 23/21*(2)"),
        *("played · 1 ply", "−4.257"),
    ):
        assert cell in text
    assert text.count("wins\u00a061.2\u00a0%\u00a0(20.9;\u00a01.2)") == 2


def test_a_rollout_stands_in_the_table_with_its_interval_and_can_be_stopped() -> None:
    scenes = dict(lesson_scenes())
    picture = drawn(*scenes["rolled out 0"])
    said = words(picture)
    assert any(text.startswith("rollout +0.287 ± 0.014") for text in said)
    does = roll_out(None, True).does
    number = next(one.action.given[0] for one in picture.targets if one.action.does is does)
    assert isinstance(number, int)
    assert roll_out(number, False) in [target.action for target in picture.targets]
    shown, ui = scenes["rolled out 0"]
    assert shown.lesson
    begins = drawn(replace(shown, lesson=replace(shown.lesson, rollout=None)), ui)
    assert roll_out(number, True) in [target.action for target in begins.targets]
    _, outputs = roll_out(number, True).act(ui, shown, Us(0))
    assert outputs == (RollOut(number, True),)


@pytest.mark.parametrize(
    ("scene", "begins"),
    [("offered", True), ("running", False), ("stopped", True), ("complete", None)],
)
def test_a_hint_can_be_rolled_out_and_the_rollout_stopped(scene: str, begins: bool | None) -> None:
    picture = drawn(*dict(hint_scenes(shown_in))[f"hint rollout {scene}"])
    actions = [target.action for target in picture.targets]
    assert [way for way in (True, False) if roll_out(None, way) in actions] == (
        [] if begins is None else [begins]
    )
    said = words(picture)
    rolled = scene != "offered"
    assert ("+0.287 ± 0.014 points" in " ".join(said)) is rolled
    assert any(text.startswith("Rollout: ") for text in said) is rolled


def test_its_figures_have_the_language_s_own_form() -> None:
    shown, ui = dict(lesson_scenes())["judged backgammon 0"]
    text = " ".join(words(drawn(replace(shown, language=load_language("de")), ui)))
    assert "61,2" in text
    assert "(20,9;\u00a01,2)" in text
    assert "−4,557" in text


@pytest.mark.parametrize("side", Side)
def test_a_touch_on_a_player_lists_only_his_errors(side: Side) -> None:
    shown, _ = of_match()
    ui = Ui(Page.ANALYSIS, browsing=Browsing(match=MatchId(1)))
    touch = next(t for t in drawn(shown, ui).targets if t.action == show_errors_of(side))
    ui, _ = touch.action.act(ui, shown, Us(0))
    name, other = ("Ann", "Bea") if side is Side.WHITE else ("Bea", "Ann")
    listed = [text for text in words(drawn(shown, ui)) if "game 1, play" in text]
    assert listed
    assert all(name in text and other not in text for text in listed)
    again = next(t for t in drawn(shown, ui).targets if t.action == show_errors_of(*Side))
    assert again.action.act(ui, shown, Us(0))[0].browsing.whose == (Side.WHITE, Side.BLACK)


def test_against_a_machine_the_errors_are_the_human_s() -> None:
    _, opened = judged("backgammon")
    ui = Ui(Page.ANALYSIS, browsing=Browsing(match=MatchId(1)))
    assert errors_whose(opened, ui) == tuple(Side)
    match = replace(opened.match, players=("Ann", MACHINE))
    assert errors_whose(replace(opened, match=match), ui) == (Side.WHITE,)


def test_from_an_error_one_touch_leads_to_the_next_error_of_the_same_player() -> None:
    shown, lesson = of_match()
    opened = shown.shelf.opened
    assert opened
    assert lesson.analysis
    costly = (one for one in lesson.analysis.judged if mark_of(one) is not Mark.GOOD)
    blacks = {leaf_of(opened, one) for one in costly if one.moment.side is Side.BLACK}
    first, second, third, *_ = sorted(blacks)
    browsing = Browsing(match=MatchId(1), leaf=second, whose=(Side.BLACK,))
    picture = drawn(shown, Ui(Page.LEAF, browsing=browsing, analysed=True))
    ways = [target.action for target in picture.targets]
    assert show_leaf(first) in ways
    assert show_leaf(third) in ways
    assert f"error 2 of {len(blacks)}" in " ".join(words(picture))
    replay = drawn(shown, Ui(Page.LEAF, browsing=browsing))
    assert show_leaf(third) not in [target.action for target in replay.targets]
    assert "error 2" not in " ".join(words(replay))


def test_the_curve_is_of_one_game_and_one_engine() -> None:
    text = " ".join(words(drawn(*dict(lesson_scenes())["ratings 0"])))
    assert "best PR" in text
    assert "gnubg" in text


@pytest.mark.parametrize("scene", ["hint backgammon", "hint cube points"])
def test_a_hint_shows_score_and_cube(scene: str) -> None:
    text = words(drawn(*dict(hint_scenes(shown_in))[scene]))
    assert "64" in text
    assert "Ada 0 – 0 Ben · 11-point match" in text


def test_an_analysis_under_way_says_how_far_it_is_in_a_sentence_of_its_own() -> None:
    text = " ".join(words(drawn(*dict(lesson_scenes())["analysis asking"])))
    assert "Spotter is analysing … 120 of 1,234. Training asks your errors again." in text
