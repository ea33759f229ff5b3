"""Speech in the running program: views, pages and questions become sound, and never delay play."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Protocol

import platformdirs

from pi_app.base.microseconds import Us, ms
from pi_app.devices.voice import Espeak, Loudspeaker, Piper, Recorded, Synthesiser, Voice
from pi_app.referee.view import View
from pi_app.screen.ui import Shown
from pi_app.speech.aloud import aloud
from pi_app.speech.answers import Query, answer
from pi_app.speech.commentary import Commentary, Floor
from pi_app.speech.telling import Address, Manner
from pi_app.speech.utterance import Detail, Subject, Utterance
from pi_app.user.settings import Settings, SpeechSettings

if TYPE_CHECKING:
    from pi_app.screen.reading import ReadOut

STILL = ms(600)
"""The longest that the announcement of a roll waits for the dice on the screen to rest."""


class Speaks(Protocol):
    """What speaks a text; see `Voice`."""

    def say(self, text: str) -> None:
        """Speak this instead of the present text."""

    def hush(self) -> None:
        """Stop."""

    @property
    def sounds(self) -> bool:
        """Whether something is being spoken."""


class Speaking:
    """Everything that is spoken, in order. Without a voice there is silence."""

    def __init__(self, voice: Speaks | None, settings: Settings) -> None:
        self._voice = voice
        self._commentary = Commentary(_manner(settings.speech))
        self._floor = Floor()
        self._heard: ReadOut | None = None
        self._rolling_since: Us | None = None
        self._resumed = False

    def set(self, settings: SpeechSettings) -> None:
        """Follow the settings."""
        self._commentary.manner = _manner(settings)
        if self._commentary.manner.detail is Detail.OFF:
            self.be_silent()

    def begin(self, *, resumed: bool) -> None:
        """Another match begins: drop what was to be said about the last one."""
        self.be_silent()
        self._resumed = resumed
        self._commentary.hear(None, Us(0))

    def be_silent(self) -> None:
        self._floor.clear()
        if self._voice:
            self._voice.hush()

    def touch(self) -> None:
        """A key, a touch or a hand: stop a long reading."""
        if self._floor.reads:
            self.be_silent()

    @property
    def reads_pages(self) -> bool:
        """Whether the pages of the screen are read aloud too."""
        return self._commentary.manner.detail is Detail.ALL

    @property
    def due(self) -> Us | None:
        """When something is to be said although nothing happens."""
        return self._commentary.due

    def ask(self, question: Query | int, view: View | None, us: Us) -> None:
        """Answer a question at once, even while something else is being said."""
        manner = self._commentary.manner
        if question is Query.SILENCE:
            self.be_silent()
            return
        if question is Query.AGAIN and self._floor.last:
            said = Utterance(self._floor.last.text, Subject.ANSWER)
        else:
            said = answer(question, view, us, manner)
        self._begin(said, us)

    def announce(self, text: str, us: Us) -> None:
        """Say this at once, whatever the settings, because somebody waits for it."""
        self._begin(Utterance(text, Subject.ANSWER), us)

    def _begin(self, said: Utterance, us: Us) -> None:
        self.be_silent()
        self._floor.put(said, us)

    def follow(self, shown: Shown, heard: ReadOut | None, us: Us, *, rolling: bool) -> None:
        """Say what is new on the screen; `rolling`: dice still roll there."""
        said = self._commentary.hear(shown.view, us, resumed=self._resumed)
        if said:
            self._resumed = False
            self._floor.put(said, us)
        if heard:
            self._read(heard, us)
        self._heard = heard
        if self._voice and not self._waits(us, rolling=rolling):
            self._speak(self._voice, shown, us)

    def _waits(self, us: Us, *, rolling: bool) -> bool:
        """Whether to wait, because a roll is not announced before the dice on the screen rest."""
        if not rolling:
            self._rolling_since = None
            return False
        self._rolling_since = us if self._rolling_since is None else self._rolling_since
        return us < self._rolling_since + STILL

    def _read(self, heard: ReadOut, us: Us) -> None:
        """Read a page that was opened, or the place that keys have moved to."""
        before = self._heard
        opened = before is None or before.page is not heard.page
        changed = before is None or before.text != heard.text
        parts = [heard.text] if (opened or changed) and heard.text else []
        if heard.focused and (before is None or heard.focused != before.focused or opened):
            parts = [heard.focused, *parts]
        if parts:
            self._floor.put(Utterance(". ".join(parts), Subject.PAGE), us)

    def _speak(self, voice: Speaks, shown: Shown, us: Us) -> None:
        following = self._floor.take(us, sounds=voice.sounds)
        if following:
            voice.say(aloud(following.text, shown.spoken))


def _manner(settings: SpeechSettings) -> Manner:
    return Manner(Detail(settings.told), Address(settings.names))


def voices(settings: Settings) -> Sequence[Synthesiser]:
    """The synthesisers that the settings name, espeak-ng last."""
    speech = settings.speech
    espeak = Espeak(settings.screen.language, speech.rate)
    named = Path(speech.voice).expanduser()
    if speech.voice.endswith(".onnx"):
        cache = platformdirs.user_cache_path("spotter") / "speech"
        return Piper(named, speech.rate, cache), espeak
    if speech.voice != "espeak":
        return Recorded.of(named), espeak
    return (espeak,)


def open_voice(settings: Settings, loudspeaker: Loudspeaker) -> Voice:
    return Voice(loudspeaker, voices(settings), settings.speech.volume, monotonic)
