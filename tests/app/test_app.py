"""The program's loop, on mock pins and SDL's dummy display: from a reed's edge to the picture."""

from __future__ import annotations

import errno
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from known import FACES, load_board
from PIL.Image import Image
from spots import spots

from pi_app.app.coaching import Coaching
from pi_app.app.librarian import Librarian
from pi_app.app.loop import App
from pi_app.app.seats import MachinePlayers
from pi_app.app.services import Devices, Services
from pi_app.base.microseconds import Us, ms
from pi_app.devices.backlight import Backlight
from pi_app.devices.dice import Dice
from pi_app.devices.gpio import GpioBoard
from pi_app.devices.oled import Oled, OledDevice
from pi_app.devices.source import SENSORS
from pi_app.journal.opening import Opened, open_journal
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.effects import Cue
from pi_app.referee.events import (
    Button,
    DeviceLost,
    Event,
    Found,
    MatchId,
    Picture,
    Press,
    Tap,
    Tick,
)
from pi_app.referee.view import View
from pi_app.rules.terms import Roll
from pi_app.screen.reading import ReadOut
from pi_app.screen.sound import Speaker
from pi_app.screen.ui import Shown
from pi_app.sensing.reading import BoardState
from pi_app.user.commands import ChangeSetting, NewMatch, Output, Quit, Rematch, Resume
from pi_app.user.settings import Settings

BOARD = load_board("nannon-6")
PIN = {reed.name: reed.line for place in BOARD.places for reed in place.reeds}


class SetClock:
    """A clock that tests advance."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> Us:
        return ms(self.now)


class FrontPlayers:
    """A Front with scripted touches that records the views it shows."""

    def __init__(self) -> None:
        self.wanted: list[Output] = []
        self.shown: Shown | None = None
        self.fullscreen = False
        self.moving = self.rolling = False
        self.heard: ReadOut | None = None

    def poll(self, shown: Shown, now: Us) -> tuple[Output, ...]:
        wanted, self.wanted = tuple(self.wanted), []
        return wanted

    def draw(self, shown: Shown, now: Us) -> None:
        self.shown = shown

    def set_fullscreen(self, fullscreen: bool) -> None:
        self.fullscreen = fullscreen

    def close(self) -> None:
        pass


class Loud(Speaker):
    """A speaker that remembers."""

    def __init__(self) -> None:
        self.on, self.volume, self.silent = True, 1.0, False
        self.played: list[Cue] = []
        self.stays_open = False

    def stay_open(self, wanted: bool) -> None:
        self.stays_open = wanted

    def set_volume(self, volume: float) -> None:
        self.volume = volume

    def play(self, cue: Cue) -> None:
        self.played.append(cue)


class OledGlass:
    """An OLED that remembers."""

    def __init__(self) -> None:
        self.pictures: list[Image] = []

    def show(self, picture: Image) -> None:
        self.pictures.append(picture)

    def close(self) -> None:
        pass


class FiveThenThree(Dice):
    """Dice that roll 5 and 3 first, then twos."""

    def __init__(self) -> None:
        super().__init__()
        self._faces = [5, 3]

    def roll(self, dice: int) -> Roll:
        return Roll.of(self._faces.pop(0) if self._faces else 2)


class AppBench:
    """An app whose devices all remember, and words for what happens to it."""

    def __init__(
        self,
        folder: Path,
        queue: SimpleQueue[Event] | None = None,
        settings: Settings | None = None,
        backlight: Backlight | None = None,
        librarian: Librarian | None = None,
        players: MachinePlayers | None = None,
        voice: Any = None,
        coaching: Coaching | None = None,
    ) -> None:
        self.clock, self.queue = SetClock(), queue or SimpleQueue[Event]()
        self.factory = MockFactory()
        self.source = GpioBoard(BOARD, self.factory, self.clock, self.queue.put)
        self.front, self.speaker, self.oled = FrontPlayers(), Loud(), OledGlass()
        self.opened: Opened = open_journal(folder)
        self.watched: list[View] = []
        devices = Devices(
            self.source,
            self.front,
            self.speaker,
            self.oled,
            FiveThenThree(),
            (self.watched.append,),
            backlight,
            voice=voice,
        )
        players = players or MachinePlayers()
        services = Services(self.opened, librarian, coaching, players=players)
        self.app = App(
            BOARD,
            "nannon-6",
            FACES,
            settings or Settings(),
            self.clock,
            self.queue,
            devices,
            services,
        )

    @property
    def view(self) -> View:
        assert self.front.shown is not None
        assert self.front.shown.view is not None
        return self.front.shown.view

    @property
    def notices(self) -> tuple[str, ...]:
        return self.front.shown.notices if self.front.shown else ()

    def after(self, time_ms: int) -> View | None:
        """Time passes, a step every 50 ms."""
        for _ in range(time_ms // 50):
            self.clock.now += 50
            self.app.step()
        return self.front.shown.view if self.front.shown else None

    def reed(self, sensor: str, closed: bool) -> None:
        self.drive(sensor, closed)
        self.after(200)

    def drive(self, sensor: str, closed: bool) -> None:
        """The pin's level alone: no time passes."""
        pin = self.factory.pin(PIN[sensor])  # type: ignore[index]
        (pin.drive_low if closed else pin.drive_high)()

    def touch(self, output: Output) -> None:
        self.front.wanted.append(output)
        self.after(100)

    def press(self) -> None:
        """Not sooner after another than people press."""
        self.after(400)
        self.touch(Button(self.clock(), Press.SHORT))

    def set_up(self) -> None:
        for sensor in ("1", "2", "5", "6"):
            self.reed(sensor, True)

    def kill(self) -> None:
        """After kill -9: the journal's file stays, and the system frees its lock."""
        self.source.close()
        self.opened.close()


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppBench]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    bench = AppBench(tmp_path)
    yield bench
    bench.kill()


NEW = NewMatch("nannon", ("Ada", "Ben"), 11, {"cube": True})


def test_from_a_reed_to_the_picture(bench: AppBench) -> None:
    bench.touch(NEW)
    assert (bench.view.phase, bench.view.roll) == (Phase.SET_UP, None)
    bench.set_up()
    for _ in range(2):
        bench.press()
    assert (bench.view.phase, bench.view.roll) == (Phase.MOVING, "2")
    bench.reed("2", False)
    assert not bench.view.targets, "nothing is said of what has not been steady for a while"
    bench.after(400)
    assert bench.view.targets == spots("4")
    assert bench.factory.pin(BOARD.place(bench.view.targets[0]).light).state == 1
    bench.reed("4", True)
    bench.after(200)
    assert (bench.view.board, bench.view.play) == (BoardState.PLAYED, "2/4")
    assert bench.speaker.played[-1] is Cue.LEGAL
    before = len(bench.oled.pictures)
    bench.press()
    assert bench.view.phase is Phase.TO_ROLL
    assert len(bench.oled.pictures) > before


def test_a_match_keeps_how_sure_its_plays_must_be(bench: AppBench) -> None:
    bench.touch(ChangeSetting("play.one_wrong_in", 20_000))
    bench.touch(NEW)
    assert bench.opened.journal.match(1).start.options["one_wrong_in"] == 20_000


def test_each_view_is_told_once_as_it_is_shown(bench: AppBench) -> None:
    bench.after(100)
    assert bench.watched == []
    bench.touch(NEW)
    bench.after(300)
    assert bench.watched[-1] == bench.view
    assert all(one != other for one, other in pairwise(bench.watched))


def test_a_game_that_the_board_does_not_serve_is_told(bench: AppBench) -> None:
    bench.touch(NewMatch("pin", ("Ada", "Ben"), 11))
    assert bench.front.shown is not None
    assert bench.front.shown.view is None
    (notice,) = bench.front.shown.notices
    assert notice == "board 'nannon-6' has no 'pin'; it has: nannon"


def test_a_match_without_names_is_offered_again_in_the_players_language(
    bench: AppBench, tmp_path: Path
) -> None:
    bench.touch(NewMatch("nannon", ("White", "Black"), 11))
    bench.kill()
    again = AppBench(tmp_path)
    again.touch(ChangeSetting("screen.language", "de"))
    shown = again.front.shown
    assert shown is not None
    assert shown.resumable is not None
    assert shown.language.say(shown.resumable) == "Weiß 0 – 0 Schwarz"


def test_a_match_goes_on_where_it_was_killed(bench: AppBench, tmp_path: Path) -> None:
    bench.touch(NEW)
    bench.set_up()
    for _ in range(2):
        bench.press()
    bench.reed("2", False)
    before = bench.view
    bench.kill()
    again = AppBench(tmp_path)
    again.clock.now = bench.clock.now
    for sensor in ("1", "5", "6"):
        again.reed(sensor, True)
    assert again.front.shown is not None
    assert again.front.shown.resumable == "Ada 0 – 0 Ben"
    again.touch(Resume())
    assert (again.view.phase, again.view.roll, again.view.position) == (
        before.phase,
        before.roll,
        before.position,
    )
    # The checker is still in the hand, and the play goes on from there.
    again.reed("4", True)
    again.after(200)
    assert again.view.play == "2/4"
    again.kill()


def test_a_rematch_is_the_same_match_anew_and_leaves_none_that_is_played(bench: AppBench) -> None:
    bench.touch(NewMatch("nannon", ("Ada", "Ben"), 1, {"cube": True, "jacoby": False}))
    bench.set_up()
    bench.touch(Rematch())
    assert bench.view.phase is Phase.OPENING_THROW
    for _ in range(2):
        bench.press()
    for intent in (Act.RESIGN, Act.ACCEPT):
        bench.touch(Tap(bench.clock(), intent, points=1))
    over = bench.view
    assert (over.phase, over.score.best) == (Phase.MATCH_OVER, 1)
    first = bench.opened.journal.match(MatchId(1)).start
    bench.touch(Rematch())
    assert bench.view.phase is Phase.OPENING_THROW
    again = bench.opened.journal.match(MatchId(2)).start
    assert replace(again, us=first.us) == first


def test_a_press_resumes_too(bench: AppBench, tmp_path: Path) -> None:
    bench.touch(NEW)
    bench.kill()
    again = AppBench(tmp_path)
    again.after(50)
    again.queue.put(Button(ms(100), Press.SHORT))
    again.after(100)
    assert again.view.phase is Phase.SET_UP
    again.kill()


@pytest.mark.parametrize(("later_ms", "thrown"), [(0, 0), (150, 0), (399, 0), (400, 1)])
def test_the_second_half_of_the_press_that_resumes_throws_nothing(
    bench: AppBench, tmp_path: Path, later_ms: int, thrown: int
) -> None:
    bench.touch(NEW)
    bench.set_up()
    assert bench.view.phase is Phase.OPENING_THROW
    bench.kill()
    again = AppBench(tmp_path)
    again.clock.now = bench.clock.now
    again.set_up()
    resumes = again.clock.now + 10
    for at in (resumes, resumes + later_ms):
        again.queue.put(Button(ms(at), Press.SHORT))
    again.after(600)
    assert len(again.view.thrown) == thrown
    again.kill()


def test_a_lost_edge_is_made_good_by_reading_all_sensors_now_and_then(bench: AppBench) -> None:
    bench.touch(NEW)
    pin = bench.factory.pin(PIN["1"])  # type: ignore[index]
    bench.source._reeds["1"].when_activated = None  # type: ignore[index]
    pin.drive_low()
    bench.after(4500)
    assert "1" in bench.view.closed


def test_a_hit_while_all_sensors_are_read_is_not_lost(
    bench: AppBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop is held up between its edges and its reading: the whole hit waits in the queue."""
    bench.touch(NEW)
    bench.set_up()
    for _ in range(2):
        bench.press()
    bench.reed("2", False)
    bench.reed("4", True)
    for _ in range(2):
        bench.press()
    assert (bench.view.position, bench.view.roll) == ("1w..wbb1 b", "2")
    read, hit = bench.source.picture, iter((("6", False), ("4", False), ("4", True)))

    def held_up() -> Picture:
        for sensor, closed in hit:
            bench.drive(sensor, closed)
            bench.clock.now += 130
        return read()

    monkeypatch.setattr(bench.source, "picture", held_up)
    bench.after(2500)
    assert (bench.view.board, bench.view.play) == (BoardState.PLAYED, "6/4*")


def test_settings_are_changed_saved_and_obeyed(bench: AppBench, tmp_path: Path) -> None:
    bench.touch(ChangeSetting("sound.volume", 0.3))
    assert (bench.speaker.volume, bench.speaker.played) == (0.3, [Cue.LEGAL]), "to be heard"
    bench.touch(ChangeSetting("sound.on", False))
    bench.touch(ChangeSetting("screen.fullscreen", True))
    assert (bench.speaker.on, bench.front.fullscreen) == (False, True)
    saved = (tmp_path / "config" / "spotter" / "settings.toml").read_text()
    assert "on = false" in saved
    assert "fullscreen = true" in saved


def test_settings_that_cannot_be_saved_are_told(bench: AppBench, tmp_path: Path) -> None:
    (tmp_path / "config").write_text("in the way")
    bench.touch(ChangeSetting("sound.on", False))
    assert bench.front.shown is not None
    assert "cannot be written" in bench.front.shown.notices[-1]
    assert not bench.speaker.on


def test_the_language_changes_at_once_on_the_screen_and_the_oled(bench: AppBench) -> None:
    bench.touch(NEW)
    before = bench.oled.pictures[-1]
    bench.touch(ChangeSetting("screen.language", "de"))
    assert bench.front.shown is not None
    assert bench.front.shown.language.say(bench.view.message) == "Partie 1 aufstellen"
    assert bench.view.message == "Set up game 1", "what is kept and replayed is English"
    assert bench.oled.pictures[-1].tobytes() != before.tobytes()
    bench.touch(ChangeSetting("screen.language", "en"))
    assert bench.oled.pictures[-1].tobytes() == before.tobytes()


def test_typed_dice_are_waited_for(bench: AppBench) -> None:
    bench.touch(ChangeSetting("play.dice", "typed"))
    bench.touch(NEW)
    bench.set_up()
    bench.press()
    assert bench.view.thrown == ()
    assert bench.view.awaiting_roll


# Devices that do not answer ------------------------------------------------------------------


def away(bench: AppBench) -> tuple[str, ...]:
    bench.after(50)
    assert bench.front.shown is not None
    return bench.front.shown.away


def test_an_oled_that_is_missing_at_the_start_is_told_before_and_in_a_match(
    bench: AppBench,
) -> None:
    tried = threading.Event()

    def connect() -> OledDevice:
        tried.set()
        raise OSError(errno.ENODEV, "nobody at 0x3C")

    oled = Oled(connect, bench.clock, bench.queue.put)
    assert tried.wait(5)
    oled.close()
    assert away(bench) == ("OLED",)
    bench.touch(NEW)
    bench.set_up()
    assert away(bench) == ("OLED",)
    bench.queue.put(Found(bench.clock(), "OLED"))
    assert away(bench) == ()


def test_a_device_lost_before_a_restart_is_no_trouble_after_it(
    bench: AppBench, tmp_path: Path
) -> None:
    bench.touch(NEW)
    # Journals were kept in which a match's events tell that its OLED went away.
    bench.opened.journal.touch(DeviceLost(bench.clock(), "OLED"))
    bench.queue.put(DeviceLost(bench.clock(), "OLED"))
    bench.queue.put(DeviceLost(bench.clock(), SENSORS))
    bench.set_up()
    bench.kill()
    again = AppBench(tmp_path)
    again.clock.now = bench.clock.now
    again.touch(Resume())
    assert again.view.phase is Phase.OPENING_THROW
    assert away(again) == ()
    again.kill()


def test_what_differs_only_in_its_time_is_not_drawn_again(bench: AppBench) -> None:
    bench.touch(NEW)
    bench.set_up()
    lit: list[object] = []
    bench.source.lights = lambda *spots: lit.append(spots)  # type: ignore[method-assign]
    bench.after(100)
    before = len(bench.oled.pictures)
    for _ in range(20):
        bench.queue.put(Tick(bench.clock()))
        bench.after(50)
    assert bench.view.us > 1000
    assert len(bench.oled.pictures) == before
    assert lit == []


class IdleQueue(SimpleQueue[Event]):
    """A queue on which nothing is put for a minute of the bench's clock, the loop's last."""

    bench: AppBench
    waits = 0

    def get(self, block: bool = True, timeout: float | None = None) -> Event:
        assert timeout is not None
        self.waits += 1
        self.bench.clock.now += round(timeout * 1000)
        if self.bench.clock.now >= 60_000:
            self.bench.app.stop()
        raise Empty


@pytest.mark.parametrize(("display", "most"), [("auto", 21), ("none", 11)])
def test_an_idle_loop_wakes_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, display: str, most: int
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    queue = IdleQueue()
    bench = queue.bench = AppBench(tmp_path, queue, Settings().changed("screen.display", display))
    bench.app.run()
    bench.kill()
    assert queue.waits <= most * 60


def test_quitting_ends_the_loop(bench: AppBench) -> None:
    bench.front.wanted.append(Quit())
    bench.app.run()


def test_stopping_from_a_signal_ends_the_loop(bench: AppBench) -> None:
    bench.app.stop()
    bench.app.run()


def test_a_reed_that_chatters_is_told_once_and_draws_nothing_more(bench: AppBench) -> None:
    bench.touch(NEW)
    bench.set_up()
    pin = bench.factory.pin(PIN["3"])  # type: ignore[index]

    def chatter(seconds: int) -> int:
        before = len(bench.oled.pictures)
        for _ in range(seconds * 10):
            for act in (pin.drive_low, pin.drive_high):
                act()
                bench.after(50)
        return len(bench.oled.pictures) - before

    chatter(5)
    (told,) = bench.view.chattering
    assert told == "3"
    assert chatter(30) == 0
    bench.after(5000)
    assert [*bench.view.chattering] == []
