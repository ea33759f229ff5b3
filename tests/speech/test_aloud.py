"""Notation as words: no sign is ever read out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from catalogues import sentences
from known import GAMES, case_file
from shares import one_in

import pi_app
from pi_app.languages import LANGUAGES, load_language
from pi_app.rules.terms import read_roll
from pi_app.speech.aloud import aloud
from pi_app.speech.telling import DID_ONE_ENTER
from pi_app.words.sentences import ENGLISH, Numbering, Sentence

SPOKEN = re.compile(r"[\w .,:;?!'’{}-]*")
"""Letters, figures and the marks that a voice pauses at."""
LANGUAGE = {name: load_language(name) for name in LANGUAGES}

READ = {
    "24/18 13/9*": (
        "24 to 18, 13 to 9 hitting",
        "24 auf 18, 13 auf 9 mit Schlagen",
        "24 στο 18, 13 στο 9 με χτύπημα",
    ),
    "8/5(2)": ("8 to 5, twice", "8 auf 5, zweimal", "8 στο 5, δύο φορές"),
    "bar/20*/14": (
        "bar to 20 hitting to 14",
        "Bar auf 20 mit Schlagen auf 14",
        "μπάρα στο 20 με χτύπημα στο 14",
    ),
    "6/off(3)": ("6 off, three times", "6 raus, dreimal", "6 μάζεμα, τρεις φορές"),
    "HOME/4*": ("home to 4 hitting", "Heim auf 4 mit Schlagen", "σπίτι στο 4 με χτύπημα"),
    "c5xd5": ("c5 takes d5", "c5 schlägt d5", "c5 παίρνει d5"),
    "c5---c8": ("c5 to c8", "c5 auf c8", "c5 στο c8"),
    "xh3": ("shot, h3", "Schuss auf h3", "βολή, h3"),
    "6-6": ("double 6", "Pasch 6", "εξάρες"),
    "4-4": ("double 4", "Pasch 4", "ντόρτια"),
    "6-4": ("6 4", "6 4", "6 4"),
    "Ada 3 – 5 Ben": ("Ada 3 to 5 Ben", "Ada 3 zu 5 Ben", "Ada 3 προς 5 Ben"),
    "−0.031 (best)": ("minus 0.031, best", "minus 0.031, best", "μείον 0.031, best"),
    "8/4* — and a 5": (
        "8 to 4 hitting, and a 5",
        "8 auf 4 mit Schlagen, and a 5",
        "8 στο 4 με χτύπημα, and a 5",
    ),
    "OLED · 40 %": ("oled, 40 per cent", "oled, 40 Prozent", "oled, 40 τοις εκατό"),
}


@pytest.mark.parametrize("text", READ)
def test_notation_becomes_words(text: str) -> None:
    for language, expected in zip(("en", "de", "el"), READ[text], strict=True):
        said, wanted = aloud(text, LANGUAGE[language]).casefold(), expected.casefold()
        assert said == wanted


def test_a_greek_question_sounds_like_one() -> None:
    assert aloud(DID_ONE_ENTER(), LANGUAGE["el"]) == "Μπήκε πούλι? Πάτησε για όχι."


@pytest.mark.parametrize("game", GAMES)
def test_every_play_of_the_cases_is_read_without_a_sign(game: str) -> None:
    rules = GAMES[game]
    with case_file(game).open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][:: one_in(16)]
    for row in rows:
        position = rules.read_position(row["position"])
        for play in rules.plays(position, read_roll(row["roll"], rules.dice)):
            for language in LANGUAGE.values():
                for numbering in (Numbering.MOVER, Numbering.ENGRAVED):
                    text = aloud(rules.write_play(position, play), language.counting(numbering))
                    assert SPOKEN.fullmatch(text), text
                    assert not re.search(r"\d\d\d|[a-z]\d-", text), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_can_be_read(language: str) -> None:
    for _, texts in sentences(Path(pi_app.__file__).parent):
        for text in texts:
            spoken = Sentence(text)
            said = spoken(**dict.fromkeys(spoken.places, "7"))
            assert SPOKEN.fullmatch(aloud(said, LANGUAGE[language])), text


def test_a_word_in_capitals_is_not_spelt() -> None:
    assert aloud("NANNON, QR", ENGLISH) == "nannon, QR"
