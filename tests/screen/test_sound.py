"""Sounds as they leave the program, and where there is no sound: no card, or no mixer."""

from __future__ import annotations

import array
import io
import logging
import threading
import warnings
import wave
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pygame
import pytest
from pty_scanner import until
from sounds import RATE

from pi_app.referee.effects import Cue
from pi_app.screen import sound as card
from pi_app.screen.sound import Speaker


class NoMixer:
    """pygame's replacement for a mixer whose libraries are missing (libglib, SDL_mixer)."""

    reason = "ImportError: libgthread-2.0.so.0"

    def __bool__(self) -> bool:
        return False

    def __getattr__(self, name: str) -> object:
        warnings.warn("use mixer: libgthread-2.0.so.0", RuntimeWarning, stacklevel=2)
        raise NotImplementedError("mixer module not available (ImportError: libgthread-2.0.so.0)")


@pytest.mark.parametrize("card", ["there is a card", "there is none"])
def test_without_a_mixer_play_goes_on_and_ends_in_silence(
    card: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pygame, "mixer", NoMixer())
    monkeypatch.setattr("pi_app.screen.sound.may_sound", lambda: card == "there is a card")
    with caplog.at_level(logging.WARNING), warnings.catch_warnings():
        warnings.simplefilter("error")  # the line of the log is enough
        speaker = Speaker()
    assert speaker.silent
    (line,) = caplog.messages
    assert "play continues in silence" in line
    assert ("apt install" in line) == (card == "there is a card")
    speaker.play(Cue.WRONG)
    speaker.close()
    speaker.close()


SILENT_CHANNEL = {
    "set_reserved": lambda _: None,
    "Channel": lambda _: SimpleNamespace(get_busy=lambda: False),
}


def test_what_was_opened_is_closed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    sound = SimpleNamespace(play=lambda: done.append("play"), set_volume=lambda volume: None)
    mixer = SimpleNamespace(
        init=lambda **_: done.append("init"),
        Sound=lambda path: sound,
        quit=lambda: done.append("quit"),
        **SILENT_CHANNEL,
    )
    monkeypatch.setattr(pygame, "mixer", mixer)
    monkeypatch.setattr("pi_app.screen.sound.may_sound", lambda: True)
    speaker = Speaker()
    speaker.play(Cue.WRONG)
    speaker.close()
    speaker.close()
    assert done == ["init", "play", "quit"]


def test_a_card_that_nothing_sounds_on_is_closed_and_opened_again_for_the_next_cue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done, shut, played = list[str](), threading.Event(), threading.Event()
    sound = SimpleNamespace(play=played.set, set_volume=lambda volume: done.append(f"{volume}"))
    mixer = SimpleNamespace(
        init=lambda **_: done.append("init"),
        Sound=lambda path: sound,
        quit=shut.set,
        **SILENT_CHANNEL,
    )
    monkeypatch.setattr(pygame, "mixer", mixer)
    monkeypatch.setattr("pi_app.screen.sound.may_sound", lambda: True)
    monkeypatch.setattr("pi_app.screen.sound.REST_S", 0.01)
    speaker = Speaker(volume=0.5)
    assert shut.wait(10)
    assert not speaker.silent
    speaker.play(Cue.WRONG)
    assert played.wait(10)
    speaker.close()
    assert done == ["init", "init", "0.5"]


# The samples that leave the program: SDL's driver "disk" writes them to a file, twenty times
# faster than a sound card would play them.

LOUD = 9000


class DiskCard:
    """A sound card that writes to a file; opened anew, it begins a new one."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.now = 0.0

    def samples(self) -> array.array[int]:
        content = self.file.read_bytes()
        return array.array("h", content[: len(content) // 2 * 2])

    def plays_on(self, seconds: float = 1.0) -> None:
        """Wait until so much more has left the program."""
        before = len(self.samples())
        until(lambda: len(self.samples()) >= before + seconds * RATE)

    def sounds(self) -> int:
        """Wait for the first sample that is not silent; its place."""
        until(lambda: any(self.samples()))
        return next(place for place, value in enumerate(self.samples()) if value)


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DiskCard]:
    pygame.mixer.quit()
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(tmp_path / "card"))
    monkeypatch.setenv("SDL_DISKAUDIODELAY", "1")
    yield DiskCard(tmp_path / "card")
    pygame.mixer.quit()


def tone(seconds: float) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(array.array("h", [LOUD] * round(seconds * RATE)).tobytes())
    return buffer.getvalue()


@pytest.mark.parametrize("what", ["cue", "words"])
def test_the_first_sound_waits_until_the_sink_is_awake(disk: DiskCard, what: str) -> None:
    speaker = Speaker(clock=lambda: disk.now)
    speaker.stay_open(True)
    if what == "cue":
        speaker.play(Cue.WRONG)
    else:
        speaker.speak(tone(0.1), 1.0)
    first = disk.sounds()
    disk.plays_on()
    speaker.close()
    heard = sum(value != 0 for value in disk.samples())
    assert first >= card.WAKE_S * RATE
    assert heard > 0.09 * RATE, "all of it"


@pytest.mark.parametrize("open_s", [card.WAKE_S / 2, card.WAKE_S, 100])
def test_a_card_that_has_been_open_costs_no_more_than_the_rest_of_the_silence(
    disk: DiskCard, open_s: float
) -> None:
    speaker = Speaker(clock=lambda: disk.now)
    speaker.stay_open(True)
    disk.now = open_s
    speaker.speak(tone(10), 1.0)
    disk.sounds()
    spoken = pygame.mixer.Channel(card.VOICE_CHANNEL).get_sound()
    assert spoken is not None
    assert spoken.get_length() == pytest.approx(10 + max(0, card.WAKE_S - open_s))
    speaker.close()


def test_a_card_stays_open_in_quiet_and_closes_when_it_need_not(
    disk: DiskCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(card, "REST_S", 0.01)
    speaker = Speaker(clock=lambda: disk.now)
    until(lambda: not pygame.mixer.get_init())
    speaker.stay_open(True)
    until(pygame.mixer.get_init)
    disk.plays_on(10)
    assert len(disk.samples()) > 10 * RATE, "one stream, never opened anew"
    speaker.stay_open(False)
    speaker.hush()
    until(lambda: not pygame.mixer.get_init())
    speaker.close()


def test_a_card_that_was_lost_is_found_again_in_quiet(
    disk: DiskCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(card, "REST_S", 0.01)
    disk.file.symlink_to("/dev/full")  # no write succeeds, and SDL gives the card up
    speaker = Speaker(clock=lambda: disk.now)
    speaker.stay_open(True)
    disk.file.unlink()
    disk.now = card.RENEW_S
    until(disk.file.exists)
    speaker.speak(tone(0.1), 1.0)
    assert disk.sounds() >= card.WAKE_S * RATE
    speaker.close()


def test_a_long_text_is_spoken_to_its_end_and_at_its_own_volume(
    disk: DiskCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card is closed only when it rests, however long that takes."""
    monkeypatch.setattr(card, "REST_S", 0.001)
    speaker = Speaker(on=False, volume=0.5, clock=lambda: disk.now)
    speaker.speak(tone(20), 0.25)
    disk.sounds()
    until(lambda: not pygame.mixer.get_init())
    speaker.hush()
    speaker.close()
    heard = [value for value in disk.samples() if value]
    assert (len(heard), set(heard)) == (20 * RATE, {LOUD // 4})


def test_words_that_end_a_fade_are_as_loud_as_the_first(
    disk: DiskCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sounds that are kept, as by a cache, leave the lowered volume on the channel."""
    kept, make = list[pygame.mixer.Sound](), pygame.mixer.Sound

    def keep(**how: object) -> pygame.mixer.Sound:
        kept.append(make(**how))
        return kept[-1]

    speaker = Speaker(clock=lambda: disk.now)
    disk.now = card.WAKE_S
    monkeypatch.setattr(pygame.mixer, "Sound", keep)
    for _ in range(40):
        speaker.speak(tone(5), 1.0)
        disk.plays_on(0.1)
        speaker.hush()
        disk.plays_on(0.03)
    before = len(disk.samples())
    speaker.speak(tone(0.5), 1.0)
    disk.plays_on()
    speaker.close()
    assert max(disk.samples()[before:]) == LOUD
