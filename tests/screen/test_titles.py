"""Every page says what it is."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from scenes import scenes
from views import measure

from pi_app.base.microseconds import ENDLESS
from pi_app.screen.canvas import Text
from pi_app.screen.compose import compose
from pi_app.screen.ui import Page

TITLES: Mapping[Page, tuple[str, str]] = {
    Page.ANALYSIS: ("analysis cannon", "Analysis"),
    Page.ASK: ("nannon-moving ask", "Ask"),
    Page.BOARDS: ("club boards", "Another board"),
    Page.CLUB: ("club", "Club"),
    Page.CODE: ("kept code", "QR codes"),
    Page.EDITOR: ("nannon-moving editor", "Enter the position"),
    Page.GAMES: ("new-match of ten games", "Which game?"),
    Page.HANDICAP: ("handicap of a family", "Start and handicap"),
    Page.HINT: ("hint nannon", "Hint"),
    Page.QUIT: ("quit", "Quit"),
    Page.LEAF: ("judged nannon 0", "Ann 6: 1/SAFETY"),
    Page.DELETE: ("kept match delete", "Delete"),
    Page.FILES: ("stick offered", "USB stick INTENSO"),
    Page.LEAVE_CLUB: ("club leave", "Leave the club"),
    Page.MATCH: ("kept match nannon", "Ann 2 – 0 Bea"),
    Page.MATCHES: ("kept none", "Matches"),
    Page.MENU: ("nannon-moving menu", "Menu"),
    Page.NEW_MATCH: ("nannon-moving new-match", "New match"),
    Page.OPPONENTS: ("opponents first", "Who plays Black?"),
    Page.PHONES: ("phones", "Phones"),
    Page.PLAYERS: ("kept players none", "Statistics"),
    Page.POSITION: ("position cannon", "Position"),
    Page.PRACTICE: ("practice due", "Train"),
    Page.PUZZLE: ("puzzle take", "Take or pass"),
    Page.RATINGS: ("ratings 1", "Errors by match: Ann"),
    Page.REPORT: ("report 0", "Report: Wilhelmina-Maria"),
    Page.RESIGN: ("backgammon-moving resign", "For how much?"),
    Page.RULES: ("nannon-moving rules", "Nannon"),
    Page.SAY: ("friends say", "Say to Ελένη"),
    Page.SENSORS: ("nannon-moving sensors", "Sensors"),
    Page.SETTINGS: ("nannon-moving settings", "Settings"),
    Page.SET_UP: ("nannon-moving set-up", "Which language?"),
    Page.SHEET: ("kept sheet nannon", "Score sheet"),
    Page.START: ("nannon-moving start", "Spotter"),
    Page.TAKE_BACK: ("take back", "to White's 6-5?"),
    Page.TOUR: ("nannon-moving tour", "Tour"),
    Page.TOURNAMENT: ("nannon-moving tournament", "Tournament match"),
    Page.TRAINING: ("training", "Training"),
    Page.TYPING: ("nannon-moving keyboard", "White's name"),
}
"""A scene of every page, and its title there; `test_wall_page` looks at the wall's."""


def test_every_page_has_its_title_looked_at() -> None:
    assert {*TITLES} == {*Page} - {Page.PLAY, Page.WALL}


@pytest.mark.parametrize("page", TITLES, ids=lambda page: page.value)
def test_a_page_says_its_title(page: Page) -> None:
    scene, title = TITLES[page]
    shown, ui = scenes()[scene]
    assert ui.page is page
    picture = compose(shown, ui, (800, 480), measure, ENDLESS)
    assert title in [shape.text for shape in picture.shapes if isinstance(shape, Text)]
