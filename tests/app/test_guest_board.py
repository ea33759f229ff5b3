"""The board of a friend without one, and what his page or a broker can send it."""

from __future__ import annotations

import errno
import json
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pi_app.app import guest
from pi_app.app.guest import NO_TICKET, GuestBoard, GuestBoards, PageDice, PageNumbers
from pi_app.base.microseconds import Us, ms
from pi_app.club.friends import Friend
from pi_app.club.linked.meeting import MeetingRole, pact_of
from pi_app.games.all import ALL
from pi_app.journal.opening import Opened
from pi_app.phones.messages import PageKey, PageTouch
from pi_app.phones.phone import PageNews, Phone
from pi_app.screen.ui import Shown
from pi_app.user.commands import Phrase, SayFar

LOOKS = {"w": 390, "h": 844}
PATIENCE_S = 30.0


class GuestPage:
    """A page that shows every picture, and keeps what it sends, as a broker can."""

    def __init__(self, folder: Path) -> None:
        self.heard: list[dict[str, Any]] = []
        self.ticket = NO_TICKET
        self.said: list[Phrase] = []
        self.board = GuestBoard(folder, "Ann", ALL, lambda _: None, self._hear, self.said.append)

    def _hear(self, message: bytes) -> bool:
        news = json.loads(zlib.decompress(message, wbits=-zlib.MAX_WBITS))
        self.ticket = bytes.fromhex(news.get("ticket", self.ticket.hex()))
        self.heard.append(news)
        return True

    def say(self, t: str, **more: object) -> bytes:
        message = self.ticket + json.dumps({"t": t, **more}).encode()
        self.board.page(message)
        return message

    def open(self) -> None:
        before = len(self.heard)
        self.say("hello", token="", looks=LOOKS)
        self.until(lambda: any("role" in news for news in self.heard[before:]))

    def until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < end
            time.sleep(0.01)

    def answered(self) -> None:
        """Everything that was said has been read."""
        before = len(self.heard)
        self.say("here")
        self.until(lambda: {} in self.heard[before:])


@pytest.fixture
def page(tmp_path: Path) -> Iterator[GuestPage]:
    made = GuestPage(tmp_path)
    try:
        yield made
    finally:
        made.board.close()


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> list[PageTouch | PageKey]:
    """The touches and keys that reached the board."""
    reached: list[PageTouch | PageKey] = []
    monkeypatch.setattr(Phone, "hear", lambda _, message: reached.append(message))
    return reached


def test_what_a_broker_repeats_from_before_moves_nothing(
    page: GuestPage, moved: list[PageTouch | PageKey]
) -> None:
    page.open()
    recorded = page.say("key", name="return"), page.say("touch", n=1, x=9, y=9)
    page.answered()
    assert moved == [PageKey("return"), PageTouch(1, 9, 9)]
    page.open()
    for message in recorded:
        page.board.page(message)
    page.answered()
    assert len(moved) == 2
    page.say("key", name="space")
    page.answered()
    assert moved[2:] == [PageKey("space")]


def test_a_page_that_stays_is_given_new_tickets_and_never_interrupted(
    page: GuestPage, moved: list[PageTouch | PageKey], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest, "TICKET_FOR", 5)
    page.open()
    recorded = page.say("key", name="return")
    for _ in range(20):
        page.say("key", name="space")
        page.answered()
    assert moved == [PageKey("return"), *[PageKey("space")] * 20]
    page.board.page(recorded)
    page.answered()
    assert len(moved) == 21


def test_a_page_that_sends_without_end_is_drawn_no_more_often(
    page: GuestPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.open()
    shows, show = list[Us](), Phone.show

    def counted(phone: Phone, shown: Shown, done: int, now: Us) -> PageNews | None:
        shows.append(now)
        return show(phone, shown, done, now)

    monkeypatch.setattr(Phone, "show", counted)
    for number in range(60):
        page.say("hello", token="", looks={**LOOKS, "w": 300 + number})
        page.say("key", name="space")
    page.until(lambda: sum("role" in news for news in page.heard) == 61)
    assert all(after - before >= guest.FRAME for before, after in pairwise(shows))
    page.until(lambda: page.heard[-1].get("size", [0])[0] == 359)


def test_commitments_that_nobody_asked_for_take_no_memory() -> None:
    numbers, link = PageNumbers(), "0" * 32
    for first in range(0, 640, 64):
        numbers.hear(PageDice(link, 0, first, ("1" * 64,) * 64))
    assert numbers.commitments(range(16)) is None
    numbers.hear(PageDice(link, 0, 16, ("2" * 64,) * 16))
    assert numbers.commitments(range(16)) is None
    numbers.hear(PageDice(link, 0, 0, ("3" * 64,) * 16))
    numbers.hear(PageDice(link, 0, 0, ("4" * 64,) * 16))
    assert numbers.commitments(range(16)) == ("3" * 64,) * 16
    assert not numbers._hashes.keys() - range(16)


def test_a_phrase_goes_both_ways_and_is_shown_for_a_while(
    page: GuestPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest, "SAID_FOR", ms(300))
    page.open()
    page.board._give((SayFar(Phrase.WELL_PLAYED),))
    page.say("key", name="space")
    page.until(lambda: page.said == [Phrase.WELL_PLAYED])
    page.board.say(Phrase.THANKS)
    phrase = "Ann: Thanks for the match"
    page.until(lambda: phrase in page.board._shown().notices)
    page.until(lambda: phrase not in page.board._shown().notices)


class GuestsOfMany(GuestBoards):
    """Boards of friends whose pages show nothing."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ALL, self._ignore, lambda _, __: True, self._ignore)

    @staticmethod
    def _ignore(_board: object, _said: object) -> None:
        pass

    @staticmethod
    def friend(number: int) -> Friend:
        return Friend(pact_of(bytes([number]) * 32, MeetingRole.SHOWS), f"friend {number}", True)

    def hear(self, number: int) -> GuestBoard | None:
        """The board of a friend whose page has said something."""
        friend = self.friend(number)
        self.page(friend, NO_TICKET + b"{}")
        return self._boards.get(friend.board)


@pytest.fixture
def guests(tmp_path: Path) -> Iterator[GuestsOfMany]:
    made = GuestsOfMany(tmp_path)
    try:
        yield made
    finally:
        made.close()


def test_pages_that_are_open_do_not_interrupt_each_other(
    guests: GuestsOfMany, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest, "MOST_GUESTS", 3)
    before = [guests.hear(number) for number in range(3)]
    assert guests.hear(3) is None
    assert [guests.hear(number) for number in range(3)] == before
    assert all(board and board.is_open for board in before)


def test_a_page_takes_the_place_of_one_that_is_closed(
    guests: GuestsOfMany, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest, "MOST_GUESTS", 3)
    before = [guests.hear(number) for number in range(3)]
    closed = before[1]
    assert closed
    closed._last_page_s -= guest.GONE / 1e6
    assert guests.hear(3)
    assert guests._boards.keys() == {guests.friend(number).board for number in (0, 2, 3)}


def test_a_disk_that_fails_ends_a_guests_board_in_silence(
    guests: GuestsOfMany, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_: Path) -> Opened:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(guest, "open_to_store", fails)
    ended = list[threading.ExceptHookArgs]()
    monkeypatch.setattr(threading, "excepthook", ended.append)
    board = guests.hear(0)
    assert board
    board._thread.join(PATIENCE_S)
    assert ended == []
    assert "no board for a guest: No space left on device" in caplog.text
    assert not board.is_open
