"""Makes the sounds from sine waves and noise: `python tests/sounds.py` rewrites the files.

Mono, 22050 Hz, 16 bit.  The noise comes from a counter, so that every run gives the same bytes.
"""

from __future__ import annotations

import io
import math
import struct
import wave
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pi_app
from pi_app.referee.effects import Cue

RATE = 22050
_LOUD = 0.55 * 32767
FOLDER = Path(pi_app.__file__).parent / "screen" / "sounds"


@dataclass(frozen=True, slots=True)
class Note:
    """A tone from `start` on; times in seconds, pitch in Hz (0 is a click of noise)."""

    start: float
    length: float
    pitch: float
    volume: float = 1.0


SCORES: Mapping[Cue, tuple[Note, ...]] = {
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
    for cue in Cue:
        (FOLDER / f"{cue.value}.wav").write_bytes(sound(cue))


if __name__ == "__main__":
    main()
