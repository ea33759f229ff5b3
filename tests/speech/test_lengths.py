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
from pi_app.referee.speech import ILLEGAL
from pi_app.rules.cannon import THATS_OTHERS as OTHERS_PIECE
from pi_app.rules.naming import OTHERS_PLACE, THATS_OTHERS
from pi_app.rules.nannon import ENTERS_THERE, MOVED_SO_FAR
from pi_app.rules.tables.game import ONLY_LEFT, POINT_HELD, SO_FAR
from pi_app.rules.terms import Roll
from pi_app.speech.aloud import aloud
from pi_app.speech.telling import BACK, BACK_TO_SPOT, DONE, ROLLED, TO_SPOT
from pi_app.words.sentences import paragraph

RATE = 190
LONGEST_S = 4.0
"""Of a warning, whose two sentences are 0.4 s apart, and of a doublet in two ways."""
BRIEF = {rule.identifier: rule.brief for game in GAMES.values() for rule in game.rules}
RULES = sorted(BRIEF)


def warning(rule: str) -> str:
    """The longest of its kind."""
    brief = BRIEF[rule]
    assert brief, f"{rule} has no few words for speech"
    return told(ILLEGAL(why=brief()))


def told(why: str) -> str:
    return paragraph(DONE(what=why), BACK(target=TO_SPOT(spot="24")))


OF_ATTEMPTS = {
    "far": told(SO_FAR(n=17, dice="6-4")),
    "doublet": told(SO_FAR(n=17, dice="6-6")),
    "left": told(ONLY_LEFT(n=17, dice="6")),
    "held": told(POINT_HELD(enemy="Wilma", point="24")),
    "others": told(THATS_OTHERS(owner="Wilma")),
    "others place": told(OTHERS_PLACE(owner="Wilma")),
    "others piece": told(OTHERS_PIECE(owner="Wilma")),
    "steps": paragraph(DONE(what=MOVED_SO_FAR(n=5, die=6)), BACK_TO_SPOT(spot="5")),
    "enters": told(ENTERS_THERE(die=5, spot="5")),
}
"""What is said of an attempt itself."""
TEXTS = (
    {rule: warning(rule) for rule in RULES}
    | OF_ATTEMPTS
    | {
        "roll": ROLLED(player="Wilhelmina", roll=str(Roll.of(6, 6))),
        "play": DONE(what="24/18 13/9*"),
        "both": DONE(what="8/5*(2) 6/3(2)"),
    }
)


def syllables(text: str) -> int:
    """About as many as are spoken: groups of vowels; a figure has about two."""
    words = re.sub(r"\d", " aba ", text)
    plain = unicodedata.normalize("NFD", words.casefold())
    return len(re.findall(r"(?:[aeiouyαεηιουω]\u0308?\u0301?)+", plain))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_warning_has_too_many_syllables(language: str) -> None:
    counts = {name: syllables(aloud(t, load_language(language))) for name, t in TEXTS.items()}
    assert max(counts.values()) <= 20, max(counts, key=lambda name: counts[name])


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("espeak-ng"), reason="needs espeak-ng")
@pytest.mark.parametrize("language", LANGUAGES)
def test_espeak_takes_no_longer_than_the_target(language: str) -> None:
    def run(command: object, given: bytes) -> bytes:
        return subprocess.run(command, input=given, capture_output=True, check=True).stdout  # type: ignore[call-overload, no-any-return]

    voice, took = Espeak(language, RATE), dict[str, float]()
    for name, text in TEXTS.items():
        with wave.open(io.BytesIO(voice.render(aloud(text, load_language(language)), run))) as file:
            took[name] = file.getnframes() / file.getframerate()
    assert max(took.values()) <= LONGEST_S, sorted(took.items(), key=lambda one: -one[1])[:8]
