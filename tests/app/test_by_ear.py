"""The whole of Spotter with two keys, the die button and an ear: nobody looks at the screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from known import GAMES
from test_speaking import SpokenBench
from test_touchscreen import TouchedGlass

from pi_app.app.linking import Linking
from pi_app.app.membership import Club
from pi_app.base.identifiers import BoardName
from pi_app.club.friends import FRIENDS, FriendBook, Friends
from pi_app.club.line import Access, Broker
from pi_app.club.linked.meeting import LASTS
from pi_app.match.turns import Phase
from pi_app.phones.phones import Phones
from pi_app.referee.events import Button, Press
from pi_app.screen.compose import KeyPress
from pi_app.screen.front import ScreenFront
from pi_app.screen.ui import PhoneLinks

MOST_STEPS = 80
"""Places on the longest page, and some more."""


class Ear(SpokenBench):
    """Steps from place to place until the wanted one is said, and touches it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.glass, self.presses = TouchedGlass(), 0
        front = ScreenFront(self.glass)  # type: ignore[arg-type]
        self.app._devices = replace(self.app._devices, front=front)
        self.after(100)

    def key(self, name: str) -> None:
        self.glass.inputs = [KeyPress(name)]
        self.presses += 1
        self.after(500)

    def choose(self, wanted: str) -> None:
        for _ in range(MOST_STEPS):
            self.key("page down")
            if self.mouth.said[-1].split(". ")[0] == wanted:
                self.key("page up")
                return
        raise AssertionError(f"{wanted} is never said: {self.mouth.said[-MOST_STEPS:]}")

    def button(self, press: Press = Press.SHORT) -> None:
        self.after(600)
        self.queue.put(Button(self.clock(), press))
        self.after(900)  # until the dice on the screen lie still

    @property
    def phase(self) -> Phase:
        session = self.app._session
        assert session
        return session.view.phase


@pytest.fixture
def ear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ear]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    ear = Ear(tmp_path)
    yield ear
    ear.kill()


def test_who_only_hears_asks_how_a_phone_gets_in(ear: Ear, tmp_path: Path) -> None:
    phones = Phones(tmp_path, ear.clock, lambda: None)
    ear.app._devices = replace(ear.app._devices, phones=phones)
    ear.app._settings = ear.app._settings.changed("phones.on", True)
    phones._links = PhoneLinks("http://10.0.0.5:8090/#secret", "http://10.0.0.5:8090/#other")
    for name in ("Settings", "Phones", "Say the address"):
        ear.choose(name)
    assert "open 1 0, point, 0, point, 0, point, 5, colon, 8 0 9 0" in ear.mouth.said[-1]
    assert phones._code.is_in_use


def begun(ear: Ear) -> None:
    """A match from the start page to the first roll."""
    ear.choose("New match")
    ear.choose("Begin")
    ear.set_up()
    for _ in range(2):
        ear.button()
    assert ear.phase is Phase.MOVING


def test_from_the_start_page_to_an_undone_play(ear: Ear) -> None:
    begun(ear)
    assert "White: 2." in ear.mouth.said[-1]
    ear.reed("2", False)
    ear.reed("4", True)
    ear.after(400)
    ear.button()
    assert ear.mouth.said[-1].startswith("2 to 4.")
    ear.choose("Menu")
    ear.choose("Undo")
    assert any("Undo" in said for said in ear.mouth.said[-2:])
    ear.choose("Yes, undo")
    ear.after(500)
    assert any(said.startswith("Undone: 2 to 4") for said in ear.mouth.said[-3:])


def test_an_illegal_play_is_put_right_by_ear(ear: Ear) -> None:
    begun(ear)
    ear.reed("2", False)
    ear.reed("3", True)
    ear.after(1700)
    assert ear.mouth.said[-1] == "You moved 1 spot; the die shows 2. Back to spot 2."
    ear.choose("Guide me back")
    assert any("Clear 3." in said for said in ear.mouth.said[-2:]), ear.mouth.said
    ear.reed("3", False)
    ear.after(500)
    assert any("1 checker on 2." in said for said in ear.mouth.said[-2:])
    ear.reed("2", True)
    ear.after(500)
    assert ear.mouth.said[-1].endswith("The board is right.")


def test_everything_can_be_asked_for_from_the_menu(ear: Ear) -> None:
    begun(ear)
    ear.choose("Menu")
    ear.choose("Ask")
    ear.choose("Score")
    assert ear.mouth.said[-1].startswith("White 0, Black 0, to 11.")
    ear.choose("Whose turn")
    assert ear.mouth.said[-1] == "White to move. Press to confirm."


def test_settings_rules_and_statistics_are_read(ear: Ear) -> None:
    ear.choose("Settings")
    assert any(said.endswith("Settings") or "Settings" in said for said in ear.mouth.said[-3:])
    ear.key("escape")
    ear.choose("Rules")
    assert len(ear.mouth.said[-1]) > 40
    ear.key("escape")
    ear.choose("Matches")
    assert ear.mouth.said[-1]


PRESS_S = 1.2
"""Seconds from a press to the next: a name is said in half a second, and heard, and decided on."""


@pytest.mark.slow
def test_a_friends_code_is_entered_by_ear(ear: Ear, tmp_path: Path) -> None:
    """By two keys alone, before the code ends; two to four letters of a word, and it is offered."""
    nowhere = Access((Broker("localhost", 9),))
    friends = Friends(nowhere, FriendBook(tmp_path / FRIENDS))
    friends.load_words()
    club = Club(ear.opened.journal, GAMES)
    club.friends = friends
    club.linking = Linking(tmp_path / "links", BoardName("friend"), lambda *_: None, GAMES)
    ear.app._services = replace(ear.app._services, club=club)
    for step in ("New match", "Play a friend", "I have a code", "123", "5", "6", "1", "ABC"):
        ear.choose(step)
    for letters, word in (("sce", "scene"), ("cons", "consider"), ("smi", "smile")):
        ear.choose("space")
        for letter in letters:
            ear.choose(letter)
        ear.choose(word)
    ear.choose("Done")
    assert friends.met
    assert str(friends.met.code) == "561 scene consider smile"
    ear.after(500)
    assert "Waiting for the friend" in ear.mouth.said[-1]
    assert ear.presses * PRESS_S < LASTS / 1e6
    friends.close()


def test_a_code_is_read_word_by_word(ear: Ear, tmp_path: Path) -> None:
    friends = Friends(Access((Broker("localhost", 9),)), FriendBook(tmp_path / FRIENDS))
    club = Club(ear.opened.journal, GAMES)
    club.friends = friends
    club.linking = Linking(tmp_path / "links", BoardName("friend"), lambda *_: None, GAMES)
    ear.app._services = replace(ear.app._services, club=club)
    for step in ("New match", "Play a friend", "Show a code"):
        ear.choose(step)
    ear.after(500)
    assert friends.met
    assert ". ".join(str(friends.met.code).split()) in ear.mouth.said[-1]
    friends.close()
