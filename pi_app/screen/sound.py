"""Sounds for the players. Without a sound card there is silence, logged once."""

from __future__ import annotations

import io
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import resources
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from pi_app.base.threads import Worker
from pi_app.base.values import dataclass
from pi_app.referee.effects import Cue

if TYPE_CHECKING:
    from pygame.mixer import Sound

REST_S = 10.0
"""Seconds after the last sound until the card is closed; every sound is shorter."""
WAKE_S = 2.0
"""HDMI displays and Bluetooth loudspeakers lose up to this many seconds at the start of
a stream."""
RENEW_S = 300.0
"""Seconds after which a card that stays open is opened again, because SDL does not notice that it
is gone."""


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A spoken sound as a WAV file, or silence instead of one."""

    sound: bytes = b""
    volume: float = 1.0


@dataclass(frozen=True, slots=True)
class _Wake:
    """Open the card before there is anything to play."""


VOICE_CHANNEL = 0
FADE_MS = 20


class Speaker(Worker[Cue | _Spoken | _Wake]):
    """Plays cues; `on` is the setting, `volume` is from 0 to 1.

    An open sound card asks for samples 43 times a second even in silence. So a thread opens it for
    a cue and closes it after REST_S; either may take a while. During a match or speech it stays
    open, because a sink that falls asleep would lose the next sound. With `waits` it is first
    opened for the first sound, so that a start without a display imports no pygame.
    """

    def __init__(
        self,
        *,
        on: bool = True,
        volume: float = 1.0,
        clock: Callable[[], float] = monotonic,
        waits: bool = False,
    ) -> None:
        super().__init__("speaker")
        self.on, self._volume, self._clock = on, volume, clock
        self._stays_open = False
        self._sounds: dict[Cue, Sound] = {}
        if not waits:
            self._open()
        self.silent = not (may_sound() if waits else self._sounds)
        """Whether there is no sound card."""
        self._to_speak = 0
        if not self.silent:
            self.start()

    def set_volume(self, volume: float) -> None:
        self._volume = volume

    def stay_open(self, wanted: bool) -> None:
        """Keep the card open from now on, or no longer. Never waits."""
        if wanted is not self._stays_open:
            self._stays_open = wanted
            if wanted and not self.silent:
                self.ask(_Wake())

    def play(self, cue: Cue) -> None:
        """Start a cue. Never waits and never fails."""
        if self.on and not self.silent:
            self.ask(cue)

    def speak(self, sound: bytes, volume: float) -> None:
        """Play a WAV file instead of the one being spoken. The setting of cues does not matter."""
        self._utter_soon(_Spoken(sound, volume))

    def hush(self) -> None:
        """Fade out the speech."""
        self._utter_soon(_Spoken())

    @property
    def speaks(self) -> bool:
        """Whether something is being spoken or about to be."""
        if self._to_speak or not self._sounds:
            return self._to_speak > 0
        import pygame  # noqa: PLC0415, see _load

        with suppress(pygame.error):
            return bool(pygame.mixer.Channel(VOICE_CHANNEL).get_busy())
        return False

    def close(self) -> None:
        """Release the sound card. May be called twice."""
        super().close()
        self._shut()
        self.silent = True

    def take(self, wish: Cue | _Spoken | _Wake) -> None:
        if wish != _Spoken() and not self._sounds:
            self._open()
        if isinstance(wish, _Spoken):
            self._utter(wish)
            self._to_speak -= 1
        elif isinstance(wish, Cue) and (sound := self._sounds.get(wish)):
            sound = self._delayed(sound) if self._stays_open else sound
            sound.set_volume(self._volume)
            sound.play()

    def _utter_soon(self, spoken: _Spoken) -> None:
        if not self.silent:
            self._to_speak += 1
            self.ask(spoken)

    def _utter(self, spoken: _Spoken) -> None:
        if not self._sounds:
            return
        import pygame  # noqa: PLC0415, see _load

        channel = pygame.mixer.Channel(VOICE_CHANNEL)
        try:
            if not spoken.sound:
                channel.fadeout(FADE_MS)
                return
            sound = self._delayed(pygame.mixer.Sound(file=io.BytesIO(spoken.sound)))
            sound.set_volume(spoken.volume)
            channel.set_volume(1.0)  # a sound that ends a fade keeps the lowered volume
            channel.play(sound)
        except pygame.error as error:
            logging.getLogger(__name__).warning("nothing is spoken: %s", error)

    def _delayed(self, sound: Sound) -> Sound:
        """The sound after as much silence as the sink still needs to wake up."""
        import pygame  # noqa: PLC0415, see _load

        missing_s = self._opened + WAKE_S - self._clock()
        if missing_s <= 0:
            return sound
        rate, bits, channels = pygame.mixer.get_init()
        silence = bytes(round(missing_s * rate) * channels * abs(bits) // 8)
        return pygame.mixer.Sound(buffer=silence + sound.get_raw())

    @property
    def patience_s(self) -> float | None:
        return REST_S if self._sounds else None

    def rest(self) -> None:
        """Close the sound card, or open it again, unless a long text is still being spoken."""
        if self.speaks:
            return
        if not self._stays_open:
            self._shut()
        elif self._clock() >= self._opened + RENEW_S:
            self._shut()
            self._open()

    def _open(self) -> None:
        self._sounds = _load()
        self._opened = self._clock()

    def _shut(self) -> None:
        if self._sounds:
            import pygame  # noqa: PLC0415, see _load

            self._sounds = {}
            pygame.mixer.quit()


def _load() -> dict[Cue, Sound]:
    if not may_sound():
        logging.getLogger(__name__).warning("no sound card; play continues in silence")
        return {}
    import pygame  # noqa: PLC0415, the mixer takes hold of the sound card

    folder = resources.files("pi_app.screen") / "sounds"
    if not pygame.mixer:
        # pygame's placeholder for a missing library; using it would print a warning.
        logging.getLogger(__name__).warning(
            "no sound: %s; play continues in silence; sudo apt install libglib2.0-0 may fix it",
            getattr(pygame.mixer, "reason", "pygame has no mixer"),
        )
        return {}
    try:
        pygame.mixer.init(frequency=22050, channels=1, buffer=512)
        pygame.mixer.set_reserved(VOICE_CHANNEL + 1)
        sounds: dict[Cue, Sound] = {}
        for cue in Cue:
            with resources.as_file(folder / f"{cue.value}.wav") as path:
                sounds[cue] = pygame.mixer.Sound(str(path))
    except (RuntimeError, OSError) as error:
        logging.getLogger(__name__).warning("no sound: %s; play continues in silence", error)
        return {}
    return sounds


def may_sound() -> bool:
    """Whether there is a sound card; without one ALSA prints pages of errors."""
    elsewhere = any(name in os.environ for name in ("SDL_AUDIODRIVER", "PULSE_SERVER"))
    return elsewhere or not sys.platform.startswith("linux") or Path("/dev/snd").is_dir()
