"""The voice: real synthesisers and those that die, hang or are missing."""

from __future__ import annotations

import io
import os
import shutil
import stat
import wave
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event as Signal

import pytest

from pi_app.devices import voice
from pi_app.devices.voice import (
    Espeak,
    Piper,
    Recorded,
    Synthesiser,
    Voice,
    VoiceError,
)

needs_espeak = pytest.mark.skipif(not shutil.which("espeak-ng"), reason="needs espeak-ng")
WAIT_S = 30


def sound(samples: int, rate: int = 22050) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(b"\1\0" * samples)
    return buffer.getvalue()


class Speakers:
    """A loudspeaker that remembers, and lets others wait for the next sound."""

    def __init__(self) -> None:
        self.spoken: list[tuple[bytes, float]] = []
        self.hushed = 0
        self.speaks = False
        self.heard = Signal()

    def speak(self, sound: bytes, volume: float) -> None:
        self.spoken.append((sound, volume))
        self.heard.set()

    def hush(self) -> None:
        self.hushed += 1


class Scripted:
    """A synthesiser that runs a program of the test."""

    def __init__(self, program: Path) -> None:
        self.program = program

    def render(self, text: str, run: Callable[[Sequence[str], bytes], bytes]) -> bytes:
        return run((str(self.program),), text.encode())


class VoiceBench:
    """A voice whose clock the test sets."""

    def __init__(self, *synthesisers: Synthesiser) -> None:
        self.now = 0.0
        self.speakers = Speakers()
        self.voice = Voice(self.speakers, synthesisers, 0.5, lambda: self.now)

    def say(self, text: str) -> None:
        """Say it and wait until it was rendered."""
        self.speakers.heard.clear()
        self.voice.say(text)
        with self.voice._wake:
            self.voice._wake.wait_for(lambda: not self.voice._busy, WAIT_S)


def program(folder: Path, name: str, lines: str) -> Path:
    """A shell script."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def frames(file: bytes) -> int:
    with wave.open(io.BytesIO(file)) as opened:
        return int(opened.getnframes())


@needs_espeak
@pytest.mark.parametrize("language", ["en", "de"])
def test_espeak_speaks_a_sentence(language: str) -> None:
    told = VoiceBench(Espeak(language, 190))
    told.say("Ada: double 5.")
    told.voice.close()
    assert told.voice.trouble is None
    ((file, volume),) = told.speakers.spoken
    assert 0.5 * 22050 < frames(file) < 3 * 22050
    assert volume == 0.5


@needs_espeak
def test_a_faster_voice_is_shorter() -> None:
    slow, fast = VoiceBench(Espeak("en", 120)), VoiceBench(Espeak("en", 300))
    for told in (slow, fast):
        told.say("Ada: 24 18, 13 9. Ben to roll.")
        told.voice.close()
    assert frames(fast.speakers.spoken[0][0]) < 0.6 * frames(slow.speakers.spoken[0][0])


def test_a_missing_synthesiser_is_reported_once_and_tried_again_after_a_minute() -> None:
    told = VoiceBench(Espeak("en", 190, "no-such-program"))
    told.say("one")
    assert told.voice.trouble == "no-such-program cannot be started: No such file or directory"
    told.voice.trouble = None
    told.say("two")
    assert told.voice.trouble is None, "within the minute it is not tried"
    told.now = voice.REST_S
    told.say("three")
    assert told.voice.trouble is not None
    told.voice.close()


def test_one_that_dies_gives_way_to_the_next(tmp_path: Path) -> None:
    dying = Scripted(program(tmp_path, "dying", "exit 3"))
    good = tmp_path / "good.wav"
    good.write_bytes(sound(10))
    told = VoiceBench(dying, Scripted(program(tmp_path, "good", f"cat {good}")))
    told.say("anything")
    told.voice.close()
    assert frames(told.speakers.spoken[0][0]) == 10


def test_one_that_dies_alone_is_reported(tmp_path: Path) -> None:
    told = VoiceBench(Scripted(program(tmp_path, "dying", "exit 3")))
    told.say("anything")
    told.voice.close()
    assert told.voice.trouble == f"{tmp_path}/dying ended with status 3"


def test_one_that_hangs_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice, "LONGEST_S", 0.2)
    told = VoiceBench(Scripted(program(tmp_path, "hanging", "exec sleep 1000")))
    told.say("anything")
    told.voice.close()
    assert told.voice.trouble == f"{tmp_path}/hanging did not answer within 0 s"


def test_a_new_text_ends_the_rendering_of_the_last(tmp_path: Path) -> None:
    """The first would take for ever."""
    pipe, good = tmp_path / "started", tmp_path / "good.wav"
    os.mkfifo(pipe)
    good.write_bytes(sound(10))
    lines = f'read -r text\n[ "$text" = slow ] && echo go >{pipe} && exec sleep 1000\ncat {good}'
    told = VoiceBench(Scripted(program(tmp_path, "either", lines)))
    told.voice.say("slow\n")
    pipe.read_text()
    told.say("quick\n")
    assert told.speakers.heard.wait(WAIT_S)
    told.voice.close()
    assert [frames(file) for file, _ in told.speakers.spoken] == [10]


def test_nothing_sounds_after_silence_was_asked_for(tmp_path: Path) -> None:
    pipe, good = tmp_path / "started", tmp_path / "good.wav"
    os.mkfifo(pipe)
    good.write_bytes(sound(10))
    told = VoiceBench(Scripted(program(tmp_path, "late", f"echo go >{pipe}\ncat {good}")))
    told.voice.say("anything")
    told.voice.hush()
    told.voice.close()
    assert told.speakers.spoken == []


def test_what_piper_has_rendered_once_comes_from_the_cache(tmp_path: Path) -> None:
    good, calls = tmp_path / "good.wav", tmp_path / "calls"
    good.write_bytes(sound(10))
    piper = program(tmp_path, "piper", f'echo "$@" >>{calls}\ncat {good}')
    told = VoiceBench(Piper(Path("en.onnx"), 190, tmp_path / "cache", str(piper)))
    for _ in range(3):
        told.say("Ada to roll.")
    told.say("Ben to roll.")
    told.voice.close()
    assert len(told.speakers.spoken) == 4
    lines = calls.read_text().splitlines()
    assert lines == ["--model en.onnx --length-scale 1.00 --output_file -"] * 2


def test_the_cache_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice, "CACHE_BYTES", 5000)
    good = tmp_path / "good.wav"
    good.write_bytes(sound(500))
    piper = program(tmp_path, "piper", f"cat {good}")
    told = VoiceBench(Piper(Path("en.onnx"), 190, tmp_path / "cache", str(piper)))
    for number in range(8):
        told.say(str(number))
    told.voice.close()
    sizes = [file.stat().st_size for file in (tmp_path / "cache").glob("*.wav")]
    assert 0 < sum(sizes) <= 5000


def test_recorded_words_are_put_together(tmp_path: Path) -> None:
    for name, samples in {"Ada": 1, "no move": 2, "24": 4, "18": 8, "no": 100}.items():
        (tmp_path / f"{name}.wav").write_bytes(sound(samples))
    told = VoiceBench(Recorded.of(tmp_path))
    told.say("Ada: no move.")
    told.say("Ada: 24 18.")
    told.say("Ada: 24 17.")
    told.voice.close()
    assert [frames(file) for file, _ in told.speakers.spoken] == [3, 13]
    assert told.voice.trouble == "no recording of '17'"


def test_recordings_of_different_rates_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(sound(1))
    (tmp_path / "b.wav").write_bytes(sound(1, rate=44100))
    with pytest.raises(VoiceError, match="differ in channels"):
        Recorded.of(tmp_path).render("a b", lambda *_: b"")
