"""Sounds for the players; without a sound card there is silence, said once in the log."""

from __future__ import annotations

import logging
import os
import sys
from importlib import resources
from pathlib import Path
from typing import Protocol

from pi_app.referee.effects import Cue
from pi_app.threads import Worker

REST_S = 10.0
"""Seconds after the last cue until the sound card is closed; each cue is shorter than one."""


class _Playable(Protocol):
    def play(self) -> object: ...
    def set_volume(self, value: float) -> None: ...


class Speaker(Worker[Cue]):
    """Plays cues; `on` is the setting, `volume` is from 0 to 1.

    An open sound card wants new samples 43 times a second though nothing sounds.  So it is opened
    for a cue and closed after `REST_S`, by a thread of its own: either may take a while.
    """

    def __init__(self, *, on: bool = True, volume: float = 1.0) -> None:
        super().__init__("speaker")
        self.on, self._volume = on, volume
        self._sounds = _load()
        self.silent = not self._sounds
        """Whether there is no sound card."""
        if not self.silent:
            self.start()

    def set_volume(self, volume: float) -> None:
        self._volume = volume

    def play(self, cue: Cue) -> None:
        """Start a cue; never waits and never fails."""
        if self.on and not self.silent:
            self.ask(cue)

    def close(self) -> None:
        """Give the sound card back; may be called twice."""
        super().close()
        self.rest()
        self.silent = True

    def take(self, cue: Cue) -> None:
        self._sounds = self._sounds or _load()
        if sound := self._sounds.get(cue):
            sound.set_volume(self._volume)
            sound.play()

    @property
    def patience_s(self) -> float | None:
        return REST_S if self._sounds else None

    def rest(self) -> None:
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
