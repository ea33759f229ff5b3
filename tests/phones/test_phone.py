"""One phone as a screen: what its page is told, and what it may do."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from test_touchscreen import SHOWN
from views import measure

from pi_app.base.microseconds import ENDLESS, ms
from pi_app.base.typed_json import JsonError
from pi_app.cli.replay import BEFORE, opened
from pi_app.phones.keys import PhoneRole
from pi_app.phones.messages import Greeting, Looks, NewLooks, PageKey, PageTouch, read_message
from pi_app.phones.phone import MOST_INPUTS, MOST_SAID, PageNews, Phone
from pi_app.phones.sharing import MOST_WAITING, Exchange
from pi_app.screen.compose import compose
from pi_app.screen.ui import Page, PhoneLinks, Shown
from pi_app.user.commands import ForgetPhones, Output, Quit
from pi_app.user.settings import Settings

LOOKS = Looks(390, 800)
THUMB = 44
"""The least height of a button in points (Apple's Human Interface Guidelines)."""


class FollowedPage:
    """A page that follows a phone's messages, as the script does."""

    def __init__(
        self, role: PhoneRole = PhoneRole.PLAY, shown: Shown = SHOWN, looks: Looks = LOOKS
    ) -> None:
        self.given: list[Output] = []
        self.rounds = 0
        self.phone = Phone(role, looks, measure, self._give)
        self.shown, self.now = shown, 0
        self.elements: list[str] = []
        self.places: list[tuple[int, int, int, int, str]] = []
        self.said: list[str] = []
        self.number = 0

    def _give(self, outputs: tuple[Output, ...]) -> int:
        self.given.extend(outputs)
        return self.rounds + 1

    def step(self, passed: int = 500) -> PageNews | None:
        self.now += passed
        message = self.phone.show(self.shown, self.rounds, ms(self.now))
        if message:
            self.number = message["n"]
            if "cut" in message:
                start, count = message["cut"]
                self.elements[start : start + count] = message["new"]
            self.places = list(message.get("places", self.places))
            self.said += message.get("say", ())
        return message

    def tap(self, name: str) -> None:
        x, y, w, h, _ = next(place for place in self.places if place[4] == name)
        self.phone.hear(PageTouch(self.number, x + w // 2, y + h // 2))
        self.step()


def test_a_page_is_told_of_a_picture_once_and_then_of_nothing() -> None:
    page = FollowedPage()
    first = page.step()
    assert first is not None
    assert first["size"] == (390, 800)
    assert page.elements[0].startswith("<defs>")
    assert len(page.elements) == len(page.phone._shapes) + 1
    assert page.step() is None


def test_parts_of_pictures_make_the_same_as_whole_ones() -> None:
    page, rng = FollowedPage(), random.Random(3)
    page.step()
    for _ in range(60):
        page.tap(rng.choice([place[4] for place in page.places]))
        page.rounds += 1
        page.step()
        fresh = FollowedPage(shown=page.shown)
        fresh.phone._front._ui = page.phone._front.ui
        fresh.now = page.now
        fresh.step(0)
        assert page.elements == fresh.elements


def test_a_touch_goes_to_the_loop_and_the_next_waits_until_it_is_carried_out() -> None:
    page = FollowedPage()
    page.step()
    page.tap("Quit")
    assert page.given == [Quit()]
    page.tap("Quit")
    assert page.given == [Quit()]
    page.rounds += 1
    page.step()
    assert page.given == [Quit(), Quit()]


def test_a_touch_on_an_older_picture_is_ignored_where_it_meant_something_else() -> None:
    page = FollowedPage()
    page.step()
    old, (x, y, w, h, _) = page.number, next(one for one in page.places if one[4] == "Quit")
    page.tap("Settings")
    page.phone.hear(PageTouch(old, x + w // 2, y + h // 2))
    page.step(5000)
    page.phone.hear(PageTouch(9999, x + w // 2, y + h // 2))
    page.step(5000)
    assert page.given == []


def test_who_watches_sees_and_does_nothing() -> None:
    links = PhoneLinks("http://board/#play", "http://board/#watch")
    settings = Settings().changed("phones.on", True)
    page = FollowedPage(PhoneRole.WATCH, replace(SHOWN, phones=links, settings=settings))
    page.step()
    assert page.places == []
    for x in range(0, 390, 13):
        for y in range(0, 800, 13):
            page.phone.hear(PageTouch(page.number, x, y))
    for name in ("space", "return", "escape", "hold d"):
        page.phone.hear(PageKey(name))
    before = page.elements[:]
    page.step(5000)
    assert page.elements == before
    assert page.given == []


def test_who_watches_is_never_shown_how_to_play() -> None:
    links = PhoneLinks("http://board/#pppp", "http://board/#wwww", count=2)
    settings = Settings().changed("phones.on", True)
    for role, there in ((PhoneRole.PLAY, True), (PhoneRole.WATCH, False)):
        page = FollowedPage(role, replace(SHOWN, phones=links, settings=settings))
        page.phone._front._ui = replace(page.phone._front.ui, page=Page.PHONES)
        page.step()
        drawn = "".join(page.elements)
        assert ("pppp" in drawn) is there
        assert "wwww" in drawn


def test_many_touches_wait_for_nothing_and_are_bounded() -> None:
    page = FollowedPage()
    page.step()
    x, y, w, h, _ = next(one for one in page.places if one[4] == "Quit")
    for _ in range(10_000):
        page.phone.hear(PageTouch(page.number, x + w // 2, y + h // 2))
    assert len(page.phone._inputs) == MOST_INPUTS


def test_the_loop_gets_a_bounded_number_of_outputs() -> None:
    exchange = Exchange()
    for _ in range(10_000):
        exchange.give((ForgetPhones(),))
    assert len(exchange.take()) == MOST_WAITING
    assert exchange.take() == ()


def test_each_phone_has_its_own_language_theme_and_text() -> None:
    plain, other = FollowedPage(), FollowedPage(looks=Looks(390, 800, "contrast", "de", "large"))
    plain.step()
    other.step()
    assert "New match" in {place[4] for place in plain.places}
    assert "Neues Match" in {place[4] for place in other.places}
    assert plain.elements[1] != other.elements[1]
    assert plain.shown.language is SHOWN.language
    other.phone.look(Looks(844, 390, "dark", "xx", "huge"))
    message = other.step()
    assert message is not None
    assert message["size"] == (844, 390)
    assert "New match" in {place[4] for place in other.places}


def test_cues_go_with_the_next_picture_and_old_ones_are_dropped() -> None:
    page = FollowedPage()
    page.step()
    page.phone.sound("roll", ms(page.now))
    page.phone.sound("legal", ms(page.now))
    message = page.step()
    assert message is not None
    assert message["cues"] == ("roll", "legal")
    assert page.step() is None
    page.phone.sound("won", ms(page.now))
    assert page.step(3000) is None
    for _ in range(100):
        page.phone.sound("wrong", ms(page.now))
    message = page.step()
    assert message is not None
    assert len(message["cues"]) == MOST_SAID


def test_a_page_that_opens_is_read_out() -> None:
    page = FollowedPage()
    page.step()
    page.said.clear()
    page.tap("Rules")
    assert page.said
    assert all(place[4].strip() for place in page.places)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '{"t": "nothing"}',
        '{"t": "touch"}',
        '{"t": "touch", "n": 1, "x": "1", "y": 2}',
        '{"t": "touch", "n": 1, "x": 1, "y": 2, "z": 3}',
        '{"t": "key", "name": "f11"}',
        '{"t": "key", "name": "", "text": "abc"}',
        '{"t": "hello", "token": "' + "a" * 65 + '", "looks": {"w": 1, "h": 1}}',
        "[" * 1999,
        "\x00",
    ],
)
def test_nonsense_is_no_message(text: str) -> None:
    with pytest.raises(JsonError):
        read_message(text)


def test_sizes_are_kept_within_what_can_be_drawn() -> None:
    hello = read_message('{"t": "hello", "token": "a", "looks": {"w": -5, "h": 1000000}}')
    assert isinstance(hello, Greeting)
    assert hello.looks.size == (200, 4000)
    assert isinstance(read_message('{"t": "looks", "looks": {"w": 9, "h": 9}}'), NewLooks)


@pytest.mark.parametrize("size", [(390, 796), (760, 390)], ids=str)
@pytest.mark.parametrize("name", BEFORE)
def test_every_button_is_high_enough_for_a_thumb(name: str, size: tuple[int, int]) -> None:
    """What a phone of 390 × 844 points leaves for the page, standing and lying."""
    shown, ui = opened(name, SHOWN)
    picture = compose(shown, ui, size, measure, ENDLESS)
    least = THUMB if name != "sensors" else 40  # beside a board that needs the width
    assert [one for one in picture.targets if one.rect.h < least] == []
