"""The report: every figure of `spotter report` on a page, and exercises by a tap."""

from __future__ import annotations

from dataclasses import replace

import pytest
from coaches import lesson_scenes
from scenes import scenes

from pi_app.base.microseconds import ENDLESS
from pi_app.coach.report import costliest, reports
from pi_app.screen.actions import begin_training, show_report
from pi_app.screen.canvas import Text
from pi_app.screen.compose import compose
from pi_app.screen.pages.coach import rating_of
from pi_app.screen.paint import Fonts
from pi_app.screen.ui import Browsing, Page, Shown, Ui
from pi_app.user.commands import Train

SIZE = (800, 480)


@pytest.fixture(scope="module")
def fonts() -> Fonts:
    return Fonts()


def whole() -> tuple[Shown, str]:
    shown = dict(lesson_scenes())["report 0"][0]
    return shown, shown.shelf.players[0].name


def texts_from(shown: Shown, row: int, fonts: Fonts) -> str:
    ui = Ui(Page.REPORT, browsing=Browsing(row=row))
    picture = compose(shown, ui, SIZE, fonts.measure, now=ENDLESS)
    return " ".join(shape.text for shape in picture.shapes if isinstance(shape, Text))


def test_every_row_of_the_report_is_on_the_page(fonts: Fonts) -> None:
    shown, name = whole()
    assert shown.lesson
    said = " ".join(texts_from(shown, row, fonts) for row in range(0, 30, 3))
    found = tuple(reports(shown.lesson.ratings, name))
    assert len(found) == 2
    for one in found:
        for row in (one.total, *one.months, *one.kinds, *one.opponents):
            assert row.rating is not None
            assert rating_of(row.rating) in said
            assert f"{row.blunders} / {row.errors} / {row.decisions}" in said
        assert all(month.name in said for month in one.months)
    for words in ("Plays", "6 to play", "Take or pass", "Double or roll", "\u22120.410"):
        assert words in said, said


def test_a_tap_on_what_cost_most_begins_its_exercise(fonts: Fonts) -> None:
    shown, name = whole()
    exercises = costliest(shown.coached.training, name, "nannon", 10)
    assert [one.cost for one in exercises] == [0.41, 0.32, 0.2]
    taps = set()
    for row in range(0, 30, 3):
        ui = Ui(Page.REPORT, browsing=Browsing(row=row))
        picture = compose(shown, ui, SIZE, fonts.measure, now=ENDLESS)
        taps |= {target.action for target in picture.targets}
    for one in exercises:
        action = begin_training(name, one.position)
        assert action in taps
        assert action.act(Ui(), shown, ENDLESS)[1] == (Train(name, one.position),)


def test_the_ratings_lead_to_it_and_during_a_match_nothing_is_trained(fonts: Fonts) -> None:
    shown, _ = whole()
    ratings = compose(shown, Ui(Page.RATINGS), SIZE, fonts.measure, now=ENDLESS)
    assert show_report() in {target.action for target in ratings.targets}
    playing = replace(shown, view=scenes()["nannon-moving"][0].view)
    for row in range(0, 30, 3):
        ui = Ui(Page.REPORT, browsing=Browsing(row=row))
        picture = compose(playing, ui, SIZE, fonts.measure, now=ENDLESS)
        assert not [one for one in picture.targets if one.action.does is begin_training("").does]
