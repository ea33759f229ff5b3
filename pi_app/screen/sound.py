"""Sounds for the players; without a sound card there is silence, said once in the log."""

from __future__ import annotations

import logging
import os
import sys
from importlib import resources
from pathlib import Path
from typing import Protocol

from pi_app.referee.effects import Cue


class _Playable(Protocol):
    def play(self) -> object:
        """Start playing and return at once."""

    def set_volume(self, value: float) -> None:
        """How loud, from 0 to 1."""


class Speaker:
    """Plays cues; `on` is the setting, `volume` is from 0 to 1."""

    def __init__(self, *, on: bool = True, volume: float = 1.0) -> None:
        self.on = on
        self._sounds = _load()
        self.set_volume(volume)

    @property
    def silent(self) -> bool:
        """Whether there is no sound card."""
        return not self._sounds

    def set_volume(self, volume: float) -> None:
        """How loud, from 0 to 1."""
        for sound in self._sounds.values():
            sound.set_volume(volume)

    def play(self, cue: Cue) -> None:
        """Start a cue; never waits and never fails."""
        sound = self._sounds.get(cue)
        if self.on and sound is not None:
            sound.play()

    def close(self) -> None:
        """Give the sound card back; may be called twice."""
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
        # What pygame puts there when a library is missing; using it would print its own warning.
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
    """Whether it is worth trying: without a card ALSA writes pages of complaint."""
    elsewhere = any(name in os.environ for name in ("SDL_AUDIODRIVER", "PULSE_SERVER"))
    return elsewhere or not sys.platform.startswith("linux") or Path("/dev/snd").is_dir()
