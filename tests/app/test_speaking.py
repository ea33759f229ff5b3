"""The program speaks: what, when, and never instead of playing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_app import NEW, AppBench

from pi_app.app.coaching import Coaching
from pi_app.match.turns import Phase
from pi_app.referee.events import Button, Press
from pi_app.screen.reading import ReadOut
from pi_app.screen.ui import Page
from pi_app.speech.answers import Query
from pi_app.user.commands import ChangeSetting, SayAloud
from pi_app.user.settings import Settings


class FakeVoice:
    """A voice that remembers what it was given; it speaks until the test ends it."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.sounds = False
        self.trouble: str | None = None
        self.silent = False
        self.hushed = 0
        self.volume = 0.0

    def say(self, text: str) -> None:
        self.said.append(text)

    def hush(self) -> None:
        self.hushed += 1
        self.sounds = False

    def become(self, voices: object, volume: float) -> None:
        self.volume = volume

    def close(self) -> None:
        pass


class SpokenBench(AppBench):
    def __init__(self, folder: Path, told: str = "all", coaching: Coaching | None = None) -> None:
        self.mouth = FakeVoice()
        settings = Settings().changed("speech.told", told)
        super().__init__(folder, settings=settings, voice=self.mouth, coaching=coaching)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SpokenBench]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    bench = SpokenBench(tmp_path)
    yield bench
    bench.kill()


def opened(bench: AppBench) -> None:
    """A match in its first turn: White has a 2."""
    bench.touch(NEW)
    bench.set_up()
    for _ in range(2):
        bench.press()


def test_a_turn_is_told_from_the_roll_to_the_accepted_play(bench: SpokenBench) -> None:
    opened(bench)
    assert bench.mouth.said[-2:] == ["Ada: 5.", "Ben: 3. Ada to start. Ada: 2."]
    bench.reed("2", False)
    bench.reed("4", True)
    bench.after(400)
    before = len(bench.mouth.said)
    bench.press()
    assert bench.mouth.said[before:] == ["2 to 4. Ben to roll."]


def test_a_warning_comes_with_the_screens_and_interrupts(bench: SpokenBench) -> None:
    opened(bench)
    bench.reed("2", False)
    bench.reed("3", True)
    bench.mouth.sounds = True  # a reading of the hand is still under way
    before = len(bench.mouth.said)
    bench.after(1300)
    assert "You moved 1 spot; the die shows 2. Back to spot 2." not in bench.mouth.said[before:]
    bench.after(400)
    assert bench.mouth.said[-1] == "You moved 1 spot; the die shows 2. Back to spot 2."


def test_a_roll_waits_until_the_dice_on_the_screen_lie_still(bench: SpokenBench) -> None:
    bench.touch(NEW)
    bench.set_up()
    bench.front.rolling = True
    bench.press()
    assert "Ada: 5." not in bench.mouth.said
    bench.after(250)
    bench.front.rolling = False
    bench.after(100)
    assert bench.mouth.said[-1] == "Ada: 5."


def test_with_speech_off_nothing_is_said_but_what_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    bench = SpokenBench(tmp_path, told="off")
    opened(bench)
    assert bench.mouth.said == []
    bench.touch(SayAloud(Query.DICE))
    assert bench.mouth.said == ["Left: 2."]
    for _ in range(2):
        bench.queue.put(Button(bench.clock(), Press.SHORT))
        bench.after(100)
    assert bench.mouth.said == ["Left: 2."], "a double press is often a slip"
    bench.kill()


def test_questions_never_change_the_match(bench: SpokenBench) -> None:
    opened(bench)
    before = bench.view
    for question in (*Query, 1, 30):
        bench.touch(SayAloud(question))
    assert bench.view.timeless() == before.timeless()


def test_a_double_press_says_the_last_words_again(bench: SpokenBench) -> None:
    opened(bench)
    said = bench.mouth.said[-1]
    bench.after(500)
    bench.queue.put(Button(bench.clock(), Press.SHORT))
    bench.after(50)
    bench.queue.put(Button(bench.clock(), Press.SHORT))
    bench.after(100)
    assert bench.mouth.said[-1] == said


def test_silence_is_at_once(bench: SpokenBench) -> None:
    opened(bench)
    bench.mouth.sounds = True
    hushed = bench.mouth.hushed
    bench.touch(SayAloud(Query.SILENCE))
    assert bench.mouth.hushed > hushed


def test_before_a_match_a_long_press_turns_speech_on_and_off(bench: SpokenBench) -> None:
    bench.touch(Button(bench.clock(), Press.LONG))
    assert bench.front.shown
    assert bench.front.shown.settings.speech.told == "off"
    bench.touch(Button(bench.clock(), Press.LONG))
    assert bench.front.shown.settings.speech.told == "all"


def test_pages_and_places_are_read(bench: SpokenBench) -> None:
    bench.front.heard = ReadOut(Page.START, "Spotter", None)
    bench.after(100)
    bench.front.heard = ReadOut(Page.START, "Spotter", "New match")
    bench.after(100)
    bench.front.heard = ReadOut(Page.SETTINGS, "Settings", "Colours dark")
    bench.after(100)
    assert bench.mouth.said == ["Spotter", "New match", "Colours dark. Settings"]


def test_what_a_press_brings_to_the_same_page_is_read_though_the_place_is_another(
    bench: SpokenBench,
) -> None:
    """As the code for a friend: a press on Show a code leads to another button of the same page."""
    bench.after(100)
    bench.front.heard = ReadOut(Page.BOARDS, "No friends yet", "Show a code")
    bench.after(100)
    bench.front.heard = ReadOut(Page.BOARDS, "561. scene. consider. smile", "Stop waiting")
    bench.after(100)
    assert bench.mouth.said[-1] == "Stop waiting. 561. scene. consider. smile"


def test_a_reading_gives_way_to_the_next_place(bench: SpokenBench) -> None:
    bench.front.heard = ReadOut(Page.RULES, "A long text", None)
    bench.after(100)
    bench.mouth.sounds = True
    bench.front.heard = ReadOut(Page.RULES, "A long text", "Next")
    bench.after(100)
    assert bench.mouth.said[-1] == "Next"


def test_a_resumed_match_is_silent_about_its_past(bench: SpokenBench, tmp_path: Path) -> None:
    opened(bench)
    bench.kill()
    again = SpokenBench(tmp_path)
    again.after(100)
    again.press()
    again.set_up()
    assert again.view.phase is Phase.MOVING
    assert again.mouth.said[0] == "Game 1. Ada to move. Press to confirm."
    assert not any("Ben: 3" in said for said in again.mouth.said)
    again.opened.close()
    again.source.close()


def test_a_voice_in_trouble_is_told_on_the_screen(bench: SpokenBench) -> None:
    bench.mouth.trouble = "espeak-ng cannot be started: No such file or directory"
    bench.mouth.silent = True
    opened(bench)
    assert bench.notices[-1].startswith("Speech is silent: espeak-ng cannot")
    assert bench.view.phase is Phase.MOVING, "play goes on"
    bench.mouth.silent = False
    bench.after(100)
    assert bench.notices[-1].startswith("Another voice speaks: espeak-ng cannot")


def test_the_voice_follows_the_settings(bench: SpokenBench) -> None:
    bench.touch(ChangeSetting("speech.volume", 0.3))
    assert bench.mouth.volume == 0.3


def test_the_sound_card_stays_open_within_a_match_and_while_speech_is_on(tmp_path: Path) -> None:
    bench = SpokenBench(tmp_path, "off")
    bench.after(100)
    assert not bench.speaker.stays_open
    bench.touch(ChangeSetting("speech.told", "rolls"))
    assert bench.speaker.stays_open
    bench.touch(ChangeSetting("speech.told", "off"))
    assert not bench.speaker.stays_open
    opened(bench)
    assert bench.speaker.stays_open
    bench.touch(ChangeSetting("sound.on", False))
    assert not bench.speaker.stays_open, "nothing sounds in this match"
    bench.kill()
