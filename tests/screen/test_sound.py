"""Sounds where there is no sound: no card, and a pygame whose mixer cannot be loaded."""

from __future__ import annotations

import logging
import threading
import warnings
from types import SimpleNamespace

import pygame
import pytest

from pi_app.referee.effects import Cue
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
    monkeypatch.setattr("pi_app.screen.sound._may_sound", lambda: card == "there is a card")
    with caplog.at_level(logging.WARNING), warnings.catch_warnings():
        warnings.simplefilter("error")  # the line of the log is enough
        speaker = Speaker()
    assert speaker.silent
    (line,) = caplog.messages
    assert "play goes on in silence" in line
    assert ("apt install" in line) == (card == "there is a card")
    speaker.play(Cue.WRONG)
    speaker.close()
    speaker.close()


SILENT_CHANNEL = {
    "set_reserved": lambda _: None,
    "Channel": lambda _: SimpleNamespace(get_busy=lambda: False),
}


def test_a_long_text_is_spoken_to_its_end_and_at_its_own_volume(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The card is closed only when it rests, however long that takes."""
    done, shut = list[str](), threading.Event()
    busy = iter([True, True, True, False])

    def is_busy() -> bool:
        done.append("busy")
        return next(busy, False)

    channel = SimpleNamespace(
        get_busy=is_busy,
        play=lambda sound: done.append("speak"),
        fadeout=lambda time: done.append("fade"),
    )
    mixer = SimpleNamespace(
        init=lambda **_: None,
        Sound=lambda path="", file=None: SimpleNamespace(
            set_volume=lambda volume: done.append(f"at {volume}")
        ),
        quit=shut.set,
        set_reserved=lambda _: None,
        Channel=lambda _: channel,
    )
    monkeypatch.setattr(pygame, "mixer", mixer)
    monkeypatch.setattr("pi_app.screen.sound._may_sound", lambda: True)
    monkeypatch.setattr("pi_app.screen.sound.REST_S", 0.01)
    speaker = Speaker(on=False, volume=0.5)
    speaker.speak(b"RIFF", 0.3)
    assert shut.wait(10)
    speaker.close()
    assert done.index("at 0.3") < done.index("speak")
    assert done.count("busy") >= 4
    speaker.hush()
    assert "fade" not in done, "nothing is spoken any more"


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
    monkeypatch.setattr("pi_app.screen.sound._may_sound", lambda: True)
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
    monkeypatch.setattr("pi_app.screen.sound._may_sound", lambda: True)
    monkeypatch.setattr("pi_app.screen.sound.REST_S", 0.01)
    speaker = Speaker(volume=0.5)
    assert shut.wait(10)
    assert not speaker.silent
    speaker.play(Cue.WRONG)
    assert played.wait(10)
    speaker.close()
    assert done == ["init", "init", "0.5"]
