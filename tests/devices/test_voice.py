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


def counted(folder: Path, name: str, lines: str) -> tuple[Path, Callable[[], int]]:
    """A shell script, and how often it was started."""
    calls = folder / f"{name}.calls"
    calls.touch()
    started = program(folder, name, f"echo >>{calls}\n{lines}")
    return started, lambda: len(calls.read_text().splitlines())


class Ready:
    """A synthesiser that always makes ten samples, at once."""

    def render(self, text: str, run: Callable[[Sequence[str], bytes], bytes]) -> bytes:
        return sound(10)


def test_a_missing_synthesiser_is_reported() -> None:
    told = VoiceBench(Espeak("en", 190, "no-such-program"))
    told.say("one")
    told.voice.close()
    assert told.voice.trouble == "no-such-program cannot be started: No such file or directory"
    assert told.voice.silent


@pytest.mark.parametrize(
    ("lines", "longest_s", "why"),
    [
        ("exec sleep 1000", 0.2, "did not answer within 0 s"),
        ("exit 3", 30, "ended with status 3"),
        ("true", 30, "gave no WAV file"),
        ("echo no sound", 30, "gave no WAV file"),
        ("cat {empty}", 30, "gave no sound"),
    ],
)
def test_one_that_fails_rests_for_a_minute_and_is_reported_though_another_speaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: str, longest_s: float, why: str
) -> None:
    monkeypatch.setattr(voice, "LONGEST_S", longest_s)
    (empty := tmp_path / "empty.wav").write_bytes(sound(0))
    failing, calls = counted(tmp_path, "piper", lines.format(empty=empty))
    piper = Piper(Path("en.onnx"), 190, tmp_path / "cache", str(failing))
    told = VoiceBench(piper, Ready())
    for text in ("one", "two", "one"):
        told.say(text)
    assert [frames(file) for file, _ in told.speakers.spoken] == [10, 10, 10]
    assert calls() == 1
    assert told.voice.trouble == f"{failing} {why}"
    assert not told.voice.silent
    told.now = voice.REST_S
    told.say("one")
    assert calls() == 2
    told.voice.close()
    assert list(tmp_path.glob("cache/*")) == [], "nothing of it is stored"


def test_one_that_works_again_is_no_longer_reported(tmp_path: Path) -> None:
    lines = f"[ -e {tmp_path}/good.wav ] && cat {tmp_path}/good.wav"
    failing, _ = counted(tmp_path, "piper", lines)
    told = VoiceBench(Scripted(failing), Ready())
    told.say("one")
    (tmp_path / "good.wav").write_bytes(sound(20))
    told.say("two")
    assert told.voice.trouble == f"{failing} ended with status 1"
    told.now = voice.REST_S
    told.say("three")
    told.voice.close()
    assert told.voice.trouble is None
    assert [frames(file) for file, _ in told.speakers.spoken] == [10, 10, 20]


def test_all_that_fail_are_reported_and_nothing_sounds(tmp_path: Path) -> None:
    dying = [Scripted(program(tmp_path, name, "exit 3")) for name in ("one", "two")]
    told = VoiceBench(*dying)
    told.say("anything")
    told.voice.close()
    assert told.voice.trouble == "; ".join(f"{each.program} ended with status 3" for each in dying)
    assert told.voice.silent


def test_another_voice_forgets_the_troubles_of_the_last() -> None:
    told = VoiceBench(Espeak("en", 190, "no-such-program"))
    told.say("one")
    told.voice.become([Ready()], 1.0)
    assert told.voice.trouble is None
    told.say("two")
    told.voice.close()
    assert told.speakers.spoken == [(sound(10), 1.0)]


def test_one_that_was_interrupted_does_not_rest(tmp_path: Path) -> None:
    """The first text would take for ever; it is killed for the second one."""
    pipe = tmp_path / "started"
    os.mkfifo(pipe)
    (tmp_path / "good.wav").write_bytes(sound(10))
    lines = f'read -r text\n[ "$text" = slow ] && echo go >{pipe} && exec sleep 1000\n'
    either = Scripted(program(tmp_path, "either", f"{lines}cat {tmp_path}/good.wav"))
    unasked, calls = counted(tmp_path, "unasked", "exit 1")
    told = VoiceBench(either, Scripted(unasked))
    told.voice.say("slow\n")
    pipe.read_text()
    told.say("quick\n")
    told.voice.close()
    assert (told.voice.trouble, calls()) == (None, 0)
    assert len(told.speakers.spoken) == 1


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


@pytest.mark.parametrize(
    "damaged", [b"", b"RIFF", sound(0), sound(10)[:-4]], ids=["empty", "head", "silent", "cut"]
)
def test_a_damaged_sound_in_the_cache_is_rendered_again(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "good.wav").write_bytes(sound(10))
    good = program(tmp_path, "good", f"cat {tmp_path}/good.wav")
    piper = Piper(Path("en.onnx"), 190, tmp_path / "cache", str(good))
    for _ in range(2):
        told = VoiceBench(piper)
        told.say("Ada to roll.")
        told.voice.close()
        (stored,) = tmp_path.glob("cache/*.wav")
        assert [frames(file) for file, _ in told.speakers.spoken] == [10]
        assert stored.read_bytes() == sound(10)
        stored.write_bytes(damaged)


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
    assert told.voice.trouble == "no recording of '17'"
    told.say("Ada: no move.")
    told.voice.close()
    assert [frames(file) for file, _ in told.speakers.spoken] == [3, 13, 3]
    assert told.voice.trouble is None


def test_a_word_that_was_not_recorded_costs_the_recordings_no_rest(tmp_path: Path) -> None:
    """Another voice says that sentence, as the page promises; nothing is wrong."""
    (folder := tmp_path / "words").mkdir()
    (folder / "Ada.wav").write_bytes(sound(1))
    told = VoiceBench(Recorded.of(folder), Ready())
    told.say("Ben")
    assert (told.voice.trouble, told.voice.silent) == (None, False)
    told.say("Ada")
    told.voice.close()
    assert [frames(file) for file, _ in told.speakers.spoken] == [10, 1]


def test_recordings_of_different_rates_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(sound(1))
    (tmp_path / "b.wav").write_bytes(sound(1, rate=44100))
    with pytest.raises(VoiceError, match="differ in channels"):
        Recorded.of(tmp_path).render("a b", lambda *_: b"")
