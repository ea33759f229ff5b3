"""A match of each game in the real window: touches on its screen, hands over its board."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from guests import Guests, paint_seldom
from known import BOARDS, GAMES
from shares import some

from pi_app.base.microseconds import ms
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.controls import TAPS
from pi_app.screen.actions import send
from pi_app.screen.ui import Page
from pi_app.user.commands import Resume
from pi_app.user.settings import SETTINGS

XVFB = shutil.which("Xvfb")
STEPS, MOST_ROUNDS = 20, 60
SHORT = {"backgammon": 9, "portes": 3, "pin": 13, "cannon": 4}
"""Seeds of games that are soon over: any other will do, and takes longer."""
pytestmark = pytest.mark.skipif(XVFB is None, reason="no Xvfb; tests/run installs it")


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """An X server without a screen."""
    assert XVFB
    reads, writes = os.pipe()
    command = [XVFB, "-displayfd", str(writes), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writes], stderr=subprocess.DEVNULL)
    os.close(writes)
    with os.fdopen(reads) as told:
        number = told.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(10)


@pytest.fixture
def folder(display: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The journal's folder of guests at that display."""
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "journal"


@pytest.fixture
def seldom_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    paint_seldom(monkeypatch)


@pytest.mark.usefixtures("seldom_painted")
@pytest.mark.parametrize("game", some([*GAMES], 7))
def test_a_match_is_played_from_the_first_touch_to_the_last_point(folder: Path, game: str) -> None:
    with closing(Guests(folder, SHORT.get(game, 3))) as guests:
        guests.begin(game, "1")
        table = guests.room.window.table
        assert table.board.name == BOARDS[game]
        guests.finish()
        view = guests.view
        assert view.phase is Phase.MATCH_OVER
        assert max(view.score.white, view.score.black) >= 1
        standing = {spot: on for spot, on in view.accepted.items() if on}
        assert {spot: len(table.checkers.at(spot)) for spot in standing} == {
            spot: len(on) for spot, on in standing.items()
        }
        journal = guests.opened.journal
        assert journal.unfinished() is None
        assert journal.match(1).score == view.score


def test_the_tour_is_played_from_the_first_touch_to_the_form_of_a_match(folder: Path) -> None:
    with closing(Guests(folder, seed=1)) as guests:
        guests.take_tour()
        assert guests.picture.page is Page.NEW_MATCH
        assert guests.app._session is None
        assert not guests.opened.journal.has_matches
        assert guests.now < ms(120_000)
        guests.begin("nannon", "3")
        assert guests.view.phase is Phase.OPENING_THROW, "its checkers are set out anew"


def explore_until(guests: Guests, done: Callable[[], bool]) -> None:
    """One match after another, some steps of each."""
    for _ in range(MOST_ROUNDS):
        if done():
            return
        guests.begin(guests.missed or "nannon", "3")
        guests.explore(STEPS)


OPENED_ELSEWHERE = {Page.SET_UP, Page.ASK, Page.SAY, Page.DELETE, Page.REPORT, Page.QUIT}
"""The first start has the first, whoever plays by ear the second, tests/app/test_by_ear.py, friends
far away the third, imported matches the fourth, test_stick_in_the_window.py, analysed ones the
fifth, tests/screen/pages/test_report_page.py, and a real board the sixth,
tests/phones/test_phone_pages.py."""
PUZZLES = ("Best play", "Back", "Bearing off", "Back", "Take or pass", "Back", "Pip count", "Back")
FIRST_PAGE = (
    *("Train", *PUZZLES, "Opening rolls", "answer_puzzle", "Next", "Back", "Your errors", "Back"),
    *("Opponents", "Back", "Two players", "Back", "Against Spotter", "Back"),
    *("Train", "Take or pass", "On the board", "End training"),
)
"""Ways of the start page, which a match under way does not have."""


@pytest.mark.slow
@pytest.mark.usefixtures("seldom_painted")
def test_every_button_is_pressed(folder: Path) -> None:
    # Hands that do nothing but play leave nothing to choose, and they play no money session.
    never = {Act.CHOOSE, Act.ANOTHER, Act.CORRECT, Act.BEAVER}
    asked = {intent.value for intent in TAPS.keys() - never}
    with closing(Guests(folder, seed=3)) as guests:
        for label in ("Tour", "Skip", "Tour", "Begin", "End the tour"):
            guests.touch(guests.labels()[label])
        for label in FIRST_PAGE:
            guests.touch(guests.labels()[label])
        guests.begin("nannon", "3", typed=True)
        for label in ("Menu", "Club wall"):  # Whoever leaves the club has none.
            guests.touch(guests.labels()[label])
        guests.look_at_hint()
        guests.explore(STEPS)
        for game in GAMES:
            guests.begin(game, "3")
            guests.explore(STEPS)
        explore_until(guests, lambda: "Statistics" in guests.seen)
        guests.look_again("Statistics", until="Errors by match")
        for answer in (Act.REFUSE, Act.ACCEPT):
            guests.resign(answer)
        for answer in (Act.TAKE, Act.PASS):
            guests.double(answer)
        explore_until(guests, lambda: "More settings" in guests.seen)
        guests.turn_to("More settings", 2)
        explore_until(guests, lambda: not guests.left and asked <= guests.pressed)
        assert guests.left == []
        guests.quit()
    assert "Quit" in guests.pressed
    assert guests.pages | OPENED_ELSEWHERE == set(Page)
    assert asked <= guests.pressed
    assert {"Accept the board", "Use this position"} <= guests.pressed
    settings = {setting.name for setting in SETTINGS.values() if setting.label}
    assert settings - {"screen.brightness"} <= {label.split(" ")[0] for label in guests.pressed}


def test_a_match_is_gone_on_with_from_the_first_page(folder: Path) -> None:
    with closing(Guests(folder, seed=3)) as guests:
        guests.begin("nannon", "3")
        for _ in range(4):
            guests.play()
        left = guests.view
        guests.quit()
    with closing(Guests(folder, seed=4)) as guests:
        assert guests.touch_what(lambda action: action == send(Resume()))
        assert (guests.view.position, guests.view.phase) == (left.position, left.phase)
