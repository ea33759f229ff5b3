"""How long it takes to say what must be short."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import unicodedata
import wave

import pytest
from known import GAMES

from pi_app.devices.voice import Espeak
from pi_app.languages import LANGUAGES, load_language
from pi_app.rules.terms import Roll
from pi_app.speech.aloud import aloud
from pi_app.speech.telling import BACK_TO, DONE, ILLEGAL, ROLLED
from pi_app.words.sentences import COMMAS, joined

RATE = 190
LONGEST_S, LONGEST_PLAY_S = 3.6, 4.0
"""Of a warning, and of a doublet in two ways."""
BRIEF = {rule.identifier: rule.brief for game in GAMES.values() for rule in game.rules}
RULES = sorted(BRIEF)


def warning(rule: str) -> str:
    """The longest of its kind."""
    brief = BRIEF[rule]
    assert brief, f"{rule} has no few words for speech"
    why = brief(roll="6-4") if brief.places else brief()
    return joined((ILLEGAL(why=why), BACK_TO(spot="24")), COMMAS)


TEXTS = {rule: warning(rule) for rule in RULES} | {
    "roll": ROLLED(player="Wilhelmina", roll=str(Roll.of(6, 6))),
    "play": DONE(what="24/18 13/9*"),
    "doublet": DONE(what="8/5*(2) 6/3(2)"),
}


def syllables(text: str) -> int:
    """About as many as are spoken: groups of vowels; a figure has about two."""
    words = re.sub(r"\d", " aba ", text)
    plain = unicodedata.normalize("NFD", words.casefold())
    return len(re.findall(r"(?:[aeiouyαεηιουω]\u0308?\u0301?)+", plain))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_warning_has_too_many_syllables(language: str) -> None:
    counts = {name: syllables(aloud(t, load_language(language))) for name, t in TEXTS.items()}
    assert max(counts.values()) <= 20, max(counts, key=lambda name: counts[name])


@pytest.mark.skipif(not shutil.which("espeak-ng"), reason="needs espeak-ng")
@pytest.mark.parametrize("language", LANGUAGES)
def test_espeak_takes_no_longer_than_the_target(language: str) -> None:
    def run(command: object, given: bytes) -> bytes:
        return subprocess.run(command, input=given, capture_output=True, check=True).stdout  # type: ignore[call-overload, no-any-return]

    voice, took = Espeak(language, RATE), dict[str, float]()
    for name, text in TEXTS.items():
        with wave.open(io.BytesIO(voice.render(aloud(text, load_language(language)), run))) as file:
            took[name] = file.getnframes() / file.getframerate()
    plays = ("play", "doublet")
    assert max(took[name] for name in plays) <= LONGEST_PLAY_S
    assert max(took[rule] for rule in RULES) <= LONGEST_S, sorted(
        took.items(), key=lambda one: -one[1]
    )[:8]
