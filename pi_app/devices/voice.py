"""The voice: a synthesiser in a process of its own, or a folder of recorded words, and a cache.

It never delays the loop: a thread of its own renders the newest text and hands the sound to the
loudspeaker. A synthesiser that is missing, dies, hangs or makes no sound is reported and tried
again after a minute; until then the next one speaks, if there is one.
"""

from __future__ import annotations

import hashlib
import io
import re
import subprocess
import wave
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Condition, Thread
from typing import Protocol

from pi_app.base.values import dataclass

LONGEST_S = 3.0
"""Seconds that rendering a text may take; one sentence takes some milliseconds."""
REST_S = 60.0
"""Seconds until a synthesiser that failed is tried again."""
CACHE_BYTES = 50_000_000
"""The largest size of a cache; the sounds unused for longest are deleted first."""
LONGEST_TEXT = 1000
"""The longest text that is spoken, in letters."""


class VoiceError(Exception):
    """A text gave no sound; the message says why and what to do."""


class UnknownWordError(VoiceError):
    """A synthesiser that works cannot say this text."""


class Synthesiser(Protocol):
    """Turns a text into a sound."""

    def render(self, text: str, run: Callable[[Sequence[str], bytes], bytes]) -> bytes:
        """Return a WAV file with sound in it; `run` runs a command on an input. Raises
        VoiceError."""


class Loudspeaker(Protocol):
    """Plays one spoken sound at a time, independent of the cues."""

    def speak(self, sound: bytes, volume: float) -> None:
        """Play a WAV file instead of the present one."""

    def hush(self) -> None:
        """Fade the present one out."""

    @property
    def speaks(self) -> bool:
        """Whether a spoken sound is playing."""


@dataclass(frozen=True, slots=True)
class Espeak:
    """espeak-ng with its name for a language, at this many words a minute."""

    language: str
    rate: int
    program: str = "espeak-ng"

    def render(self, text: str, run: Callable[[Sequence[str], bytes], bytes]) -> bytes:
        manner = ("-v", self.language, "-s", str(self.rate), "-z")
        command = (self.program, *manner, "--stdin", "--stdout")
        return _whole(run(command, text.encode()), self.program)


@dataclass(frozen=True, slots=True)
class Piper:
    """Piper with a voice file (.onnx). Sounds rendered before come from the cache."""

    model: Path
    rate: int
    cache: Path
    program: str = "piper"

    def render(self, text: str, run: Callable[[Sequence[str], bytes], bytes]) -> bytes:
        key = hashlib.sha256(f"{self.model.name} {self.rate} {text}".encode()).hexdigest()[:32]
        kept = self.cache / f"{key}.wav"
        with suppress(OSError, VoiceError):
            sound = kept.read_bytes()
            if _whole(sound, kept.name) == sound:
                kept.touch()
                return sound
        slower = f"{USUAL_RATE / self.rate:.2f}"
        command = (self.program, "--model", str(self.model), "--length-scale", slower)
        sound = _whole(run((*command, "--output_file", "-"), text.encode()), self.program)
        with suppress(OSError):
            self.cache.mkdir(parents=True, exist_ok=True)
            unfinished = kept.with_suffix(".new")
            unfinished.write_bytes(sound)
            unfinished.replace(kept)
            _trim(self.cache)
        return sound


USUAL_RATE = 190
"""Words a minute of a Piper voice at its own speed, and Spotter's default."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A folder of WAV files, each named by its words: "no move.wav", "24.wav"."""

    sounds: Mapping[str, Path]

    @classmethod
    def of(cls, folder: Path) -> Recorded:
        """Read a folder. An unreadable one has no words."""
        with suppress(OSError):
            files = sorted(folder.glob("*.wav"))
            return cls({_plain(file.stem): file for file in files})
        return cls({})

    def render(self, text: str, run: Callable[[Sequence[str], bytes], bytes]) -> bytes:
        """Raises UnknownWordError unless every word was recorded."""
        return _chained([self.sounds[words].read_bytes() for words in self._parts(text)])

    def _parts(self, text: str) -> list[str]:
        """Divide the text into recorded phrases, the longest first."""
        words, parts = _plain(text).split(), list[str]()
        while words:
            for count in range(len(words), 0, -1):
                phrase = " ".join(words[:count])
                if phrase in self.sounds:
                    parts.append(phrase)
                    words = words[count:]
                    break
            else:
                raise UnknownWordError(f"no recording of {words[0]!r}")
        if not parts:
            raise UnknownWordError("nothing to read")
        return parts


def _plain(text: str) -> str:
    """The words without punctuation, in small letters."""
    return " ".join(re.findall(r"[\w'’-]+", text.casefold()))


def _chained(files: Sequence[bytes]) -> bytes:
    """Join WAV files. Raises VoiceError if their formats differ."""
    joined, form = io.BytesIO(), None
    try:
        with wave.open(joined, "wb") as target:
            for file in files:
                with wave.open(io.BytesIO(file)) as source:
                    if form is None:
                        form = source.getparams()[:3]
                        target.setparams(source.getparams())
                    if source.getparams()[:3] != form:
                        raise VoiceError("recordings differ in channels, width or rate")
                    target.writeframes(source.readframes(source.getnframes()))
    except (wave.Error, EOFError) as error:
        raise VoiceError(f"a recording is no WAV file: {error}") from error
    return _whole(joined.getvalue(), "the recording")


def _whole(sound: bytes, source: str) -> bytes:
    """Return the WAV file with its true lengths, which a program that writes to a pipe does not
    know.

    Raises VoiceError for anything else, and for a file without samples.
    """
    start = sound.find(b"data") + 8
    if not sound.startswith(b"RIFF") or start < 8:
        raise VoiceError(f"{source} gave no WAV file")
    size = len(sound) - start
    if not size:
        raise VoiceError(f"{source} gave no sound")
    length = (size + start - 8).to_bytes(4, "little")
    return sound[:4] + length + sound[8 : start - 4] + size.to_bytes(4, "little") + sound[start:]


def _why(error: Exception) -> str:
    return str(error) if isinstance(error, VoiceError) else f"{type(error).__name__}: {error}"


def _trim(folder: Path) -> None:
    """Delete the sounds unused for longest until the rest fits."""
    files = sorted(folder.glob("*.wav"), key=lambda file: file.stat().st_mtime, reverse=True)
    total = 0
    for file in files:
        total += file.stat().st_size
        if total > CACHE_BYTES:
            file.unlink(missing_ok=True)


@dataclass(slots=True)
class _Candidate:
    """A synthesiser, why it failed last ("" if it works), and until when it is not tried."""

    synthesiser: Synthesiser
    why: str = ""
    rests_until: float = 0.0


class Voice:
    """Speaks the newest text; `synthesisers` are tried in order.

    `trouble` is why a synthesiser does not speak, in one line, or None. `silent`: nothing could be
    heard of the last text.
    """

    def __init__(
        self,
        loudspeaker: Loudspeaker,
        synthesisers: Sequence[Synthesiser],
        volume: float,
        clock: Callable[[], float],
    ) -> None:
        self._loudspeaker, self._clock = loudspeaker, clock
        self._wake = Condition()
        self._text: str | None = None
        self._wanted = 0
        self._rendering = False
        self._closing = False
        self._process: subprocess.Popen[bytes] | None = None
        self.become(synthesisers, volume)
        self._thread = Thread(target=self._serve, name="voice", daemon=True)
        self._thread.start()

    def become(self, synthesisers: Sequence[Synthesiser], volume: float) -> None:
        """Use other synthesisers from now on."""
        with self._wake:
            self._tried, self._volume = tuple(map(_Candidate, synthesisers)), volume
            self.trouble: str | None = None
            self.silent = False

    def say(self, text: str) -> None:
        """Speak this instead of the present text. Never blocks."""
        with self._wake:
            self._interrupt()
            self._text = text[:LONGEST_TEXT]
            self._wake.notify()

    def hush(self) -> None:
        with self._wake:
            self._interrupt()

    @property
    def sounds(self) -> bool:
        """Whether a text is being rendered or spoken."""
        with self._wake:
            busy = self._busy
        return busy or self._loudspeaker.speaks

    @property
    def _busy(self) -> bool:
        return self._text is not None or self._rendering

    def close(self) -> None:
        """May be called twice."""
        with self._wake:
            self._closing = True
            self._interrupt()
            self._wake.notify()
        self._thread.join(LONGEST_S)

    def _interrupt(self) -> None:
        """Stop rendering the present text."""
        self._text = None
        self._wanted += 1
        if self._process:
            with suppress(OSError):
                self._process.kill()
        self._loudspeaker.hush()

    def _serve(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._closing or self._text is not None)
                if self._closing:
                    return
                text, self._text, self._rendering = self._text, None, True
                wanted = self._wanted
            try:
                if text:
                    self._speak(text, wanted)
            finally:
                with self._wake:
                    self._rendering = False
                    self._wake.notify_all()

    def _speak(self, text: str, wanted: int) -> None:
        """Render and play, unless something newer is wanted by then."""
        sound, unknown = None, ""
        for tried in self._tried:
            if self._clock() < tried.rests_until:
                continue
            try:
                sound = tried.synthesiser.render(text, self._run)
            except UnknownWordError as error:
                unknown = str(error)
            except Exception as error:  # whatever a foreign program does, play goes on
                if wanted != self._wanted:
                    return  # `_interrupt` may have killed it
                tried.why, tried.rests_until = _why(error), self._clock() + REST_S
            else:
                tried.why = ""
                break
        with self._wake:
            if wanted != self._wanted:
                return
            if sound:
                self._loudspeaker.speak(sound, self._volume)
            self.silent = sound is None
            reasons = (*(tried.why for tried in self._tried), unknown if self.silent else "")
            self.trouble = "; ".join(filter(None, reasons)) or None

    def _run(self, command: Sequence[str], given: bytes) -> bytes:
        """Return a command's output. Raises VoiceError if it is missing, fails or hangs."""
        name = command[0]
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        except OSError as error:
            raise VoiceError(f"{name} cannot be started: {error.strerror}") from error
        with self._wake:
            self._process = process
            if self._text is not None or self._closing:
                process.kill()  # something newer waits
        try:
            output, _ = process.communicate(given, timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise VoiceError(f"{name} did not answer within {LONGEST_S:.0f} s") from None
        finally:
            with self._wake:
                self._process = None
        if process.returncode:
            raise VoiceError(f"{name} ended with status {process.returncode}")
        return output
