"""The sounds: how they are made, and how they are played."""

from __future__ import annotations

import io
import logging
import math
import os
import struct
import sys
import wave
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import MappingProxyType
from typing import Protocol

from pi_app.referee.effects import Cue

# The sounds, made from sine waves and noise: `python -m pi_app.screen.sound` rewrites the files.
#
# Mono, 22050 Hz, 16 bit. The noise comes from a counter, so that every run gives the same bytes.

RATE = 22050
_LOUD = 0.55 * 32767


@dataclass(frozen=True, slots=True)
class Note:
    """A tone from `start` on; times in seconds, pitch in Hz (0 is a click of noise)."""

    start: float
    length: float
    pitch: float
    volume: float = 1.0


SCORES: Mapping[Cue, tuple[Note, ...]] = MappingProxyType(
    {
        Cue.ROLL: tuple(
            Note(start, 0.05, 0, volume)
            for start, volume in ((0, 0.9), (0.07, 0.7), (0.13, 0.8), (0.2, 0.5), (0.3, 0.35))
        ),
        Cue.LEGAL: (Note(0, 0.12, 660, 0.6), Note(0.09, 0.2, 880, 0.6)),
        Cue.WRONG: (Note(0, 0.18, 233, 0.9), Note(0.2, 0.3, 175, 0.9)),
        Cue.DOUBLE: (
            Note(0, 0.18, 523, 0.7),
            Note(0.16, 0.18, 523, 0.7),
            Note(0.32, 0.3, 784, 0.7),
        ),
        Cue.FANFARE: tuple(
            Note(0.13 * step, 0.32, pitch, 0.6)
            for step, pitch in enumerate((523, 659, 784, 1047, 1319))
        ),
        Cue.WON: tuple(
            Note(0.15 * step, 0.35, pitch, 0.6) for step, pitch in enumerate((523, 659, 784))
        ),
    }
)
"""The file of each cue."""


def sound(cue: Cue) -> bytes:
    """The WAV file of a cue."""
    notes = SCORES[cue]
    count = round(RATE * max(note.start + note.length for note in notes))
    mixed = [0.0] * count
    for note in notes:
        first = round(note.start * RATE)
        for index, value in enumerate(_samples(note)):
            if first + index < count:
                mixed[first + index] += value
    frames = b"".join(
        struct.pack("<h", round(_LOUD * max(-1.0, min(1.0, value)))) for value in mixed
    )
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(frames)
    return buffer.getvalue()


def _samples(note: Note) -> Iterator[float]:
    """A tone with two overtones that dies away softly, or a knock of noise."""
    count = round(note.length * RATE)
    for index in range(count):
        time, left = index / RATE, 1 - index / count
        attack = min(1.0, time / 0.004)
        value = _tone(note.pitch, time) if note.pitch else _noise(index)
        yield note.volume * attack * left**2 * value


def _tone(pitch: float, time: float) -> float:
    turn = 2 * math.pi * pitch * time
    return 0.75 * math.sin(turn) + 0.18 * math.sin(2 * turn) + 0.07 * math.sin(3 * turn)


def _noise(index: int) -> float:
    """From -1 to 1, changing every few samples, as wood knocks lower than hiss."""
    return ((index // 5 * 1103515245 + 12345) >> 8) % 2001 / 1000 - 1


def main() -> None:
    folder = Path(__file__).parent / "sounds"
    for cue in Cue:
        (folder / f"{cue.value}.wav").write_bytes(sound(cue))


# Sounds for the players; without a sound card there is silence, said once in the log.

REST_S = 10.0
"""Seconds after the last cue until the sound card is closed; each cue is shorter than one."""


class _Playable(Protocol):
    def play(self) -> object:
        """Start playing and return at once."""

    def set_volume(self, value: float) -> None:
        """The volume, from 0 to 1."""


class Speaker:
    """Plays cues; `on` is the setting, `volume` is from 0 to 1.

    An open sound card wants new samples 43 times a second though nothing sounds.  So it is opened
    for a cue and closed after `REST_S`, by a thread of its own: either may take a while.
    """

    def __init__(self, *, on: bool = True, volume: float = 1.0) -> None:
        self.on, self._volume = on, volume
        self._sounds = _load()
        self.silent = not self._sounds
        """Whether there is no sound card."""
        self._cues: SimpleQueue[Cue | None] = SimpleQueue()
        self._thread: Thread | None = None
        if not self.silent:
            self._thread = Thread(target=self._serve, name="speaker", daemon=True)
            self._thread.start()

    def set_volume(self, volume: float) -> None:
        """The volume, from 0 to 1."""
        self._volume = volume

    def play(self, cue: Cue) -> None:
        """Start a cue; never waits and never fails."""
        if self.on and self._thread:
            self._cues.put(cue)

    def close(self) -> None:
        """Give the sound card back; may be called twice."""
        if self._thread:
            self._cues.put(None)
            self._thread.join()
            self._thread, self.silent = None, True

    def _serve(self) -> None:
        """Play the queued cues."""
        while True:
            try:
                cue = self._cues.get(timeout=REST_S if self._sounds else None)
            except Empty:
                self._shut()
                continue
            if cue is None:
                self._shut()
                return
            self._sounds = self._sounds or _load()
            if sound := self._sounds.get(cue):
                sound.set_volume(self._volume)
                sound.play()

    def _shut(self) -> None:
        import pygame  # noqa: PLC0415, see _load

        if self._sounds:
            self._sounds = {}
            pygame.mixer.quit()


def _load() -> dict[Cue, _Playable]:
    import pygame  # noqa: PLC0415, the mixer takes hold of the sound card

    folder = resources.files("pi_app.screen") / "sounds"
    if not _may_sound():
        logging.getLogger(__name__).warning("no sound card; play goes on in silence")
        return {}
    if not pygame.mixer:
        # pygame's placeholder for a missing library; using it would print a warning.
        logging.getLogger(__name__).warning(
            "no sound: %s; play goes on in silence; sudo apt install libglib2.0-0 may mend it",
            getattr(pygame.mixer, "reason", "pygame has no mixer"),
        )
        return {}
    try:
        pygame.mixer.init(frequency=22050, channels=1, buffer=512)
        sounds: dict[Cue, _Playable] = {}
        for cue in Cue:
            with resources.as_file(folder / f"{cue.value}.wav") as path:
                sounds[cue] = pygame.mixer.Sound(str(path))
    except (RuntimeError, OSError) as error:
        logging.getLogger(__name__).warning("no sound: %s; play goes on in silence", error)
        return {}
    return sounds


def _may_sound() -> bool:
    """Whether to try sound: without a card ALSA prints pages of errors."""
    elsewhere = any(name in os.environ for name in ("SDL_AUDIODRIVER", "PULSE_SERVER"))
    return elsewhere or not sys.platform.startswith("linux") or Path("/dev/snd").is_dir()


if __name__ == "__main__":
    main()
