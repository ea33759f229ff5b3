"""The screen and the OLED in other languages: nothing that is said escapes the catalogue."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from clubhouses import NAMES_OF_CLUB
from known import GAMES
from scenes import (
    ADDRESS,
    IN_USE,
    LONG_NAMES,
    NO_PASSWORD,
    NOTICES,
    TOKENS,
    scene_in,
    scenes,
    shown_in,
)
from shelves import FAULT, SAVED_AS

from pi_app.base.microseconds import ENDLESS
from pi_app.boards import board_names
from pi_app.languages import LANGUAGES, load_language
from pi_app.panel.picture import Panel
from pi_app.screen.canvas import Text
from pi_app.screen.compose import compose
from pi_app.screen.ui import Shown, Ui
from pi_app.words.sentences import Language, Said

_PLACE = r"(?:HOME|SAFETY|bar|off|[a-j]?\d+)"
NOTATION = re.compile(
    rf"(?:forfeit|[@x]?{_PLACE}(?:(?:/|-+|x){_PLACE})*\*?(?:\(\d\))?"
    rf"(?:/{_PLACE}\*?(?:\(\d\))?)*| )+"
)
"""Plays and spots as files and players of every language write them."""
POSITION = re.compile(rf"XGID=|(?:{'|'.join(GAMES)}) |\S+\.(?:mat|txt|sgf)$")
"""The beginning of a position in one line, for other programs; or the name of a match's file."""
NAMES = {
    *("Nannon", "Cannon", "Backgammon", "Portes"),
    *board_names(),
    *("Spotter", "OLED", "Ada", "Ben", "Max", "Eva", "Ada 3 – 5 Ben"),
    *LANGUAGES.values(),
    *LONG_NAMES,
    *NOTICES,
    *("exact", "gnubg"),
    *("Ann", "Bea", "Annemarie", "INTENSO", f"{SAVED_AS}.txt", f"{SAVED_AS}.mat"),
    "No space left on device",
    IN_USE,
    NO_PASSWORD,
    ADDRESS,
    *TOKENS,
    FAULT,
    "ABC",
    "ÄÉÑ",
    *NAMES_OF_CLUB,
}


class Overhearing(Language):
    """A made-up language, every sentence in «…»; keeps what was to be said and is no sentence."""

    def __init__(self) -> None:
        super().__init__(
            lambda text: f"«{text}»", lambda text, plural, n: f"«{text if n == 1 else plural}»"
        )
        self.plain: set[str] = set()

    def say(self, text: str) -> str:
        if not isinstance(text, Said):
            self.plain.add(text)
        return super().say(text)

    @property
    def escaped(self) -> set[str]:
        """Messages without names, numbers, letters and plays."""
        # What begins with « was a sentence before it was put into a row with others.
        plain = {text for text in self.plain if not text.startswith("«")}
        words = {text for text in plain if re.search(r"[^\W\d_]{2}", text)}
        return {
            text
            for text in words - NAMES
            if not (NOTATION.fullmatch(text) or POSITION.match(text) or _is_cut_name(text))
        }


def _is_cut_name(text: str) -> bool:
    """The beginning of a name that was too long."""
    return text.endswith("…") and any(name.startswith(text[:-1]) for name in NAMES)


def measure(text: str, size: int, bold: bool) -> tuple[int, int]:
    return len(text) * size * (6 if bold else 5) // 10, size * 12 // 10


def drawn(shown: Shown, ui: Ui, language: Language, size: tuple[int, int]) -> list[str]:
    shapes = compose(replace(shown, language=language), ui, size, measure, ENDLESS).shapes
    return [shape.text for shape in shapes if isinstance(shape, Text)]


def test_every_text_of_every_screen_is_a_sentence_a_name_or_a_number() -> None:
    for name, (shown, ui) in scenes().items():
        language = Overhearing()
        drawn(shown, ui, language, (800, 480))
        assert language.escaped == set(), name


def test_every_text_of_the_oled_is_a_sentence_a_name_or_a_number() -> None:
    for name, (shown, _) in scenes().items():
        language = Overhearing()
        Panel(language).picture(shown.view, shown.away)
        assert language.escaped == set(), name


def test_what_escapes_is_noticed() -> None:
    language = Overhearing()
    shown, ui = scene_in("nannon-moving")
    assert shown.view
    assert "«Menu»" in drawn(shown, ui, language, (800, 480))
    for text in ("White rolls", "Menu", "plays 13/8", "Sensor 4 off"):
        language.say(text)
    for text in ("13/8*(2) 6/5*", "bar/21*/18", "HOME/2", "xh3", "e4-e6", "@e10", "7", "e4", "A"):
        language.say(text)
    assert language.escaped == {"White rolls", "Menu", "plays 13/8", "Sensor 4 off"}


# German and Greek ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scene", "message", "hint"),
    [
        ("nannon-set-up", "Partie 1 aufstellen", "Ada: 2. Räume 3."),
        ("nannon-moving", "Ada zieht 2", "Möglich: 1/3 oder 2/4."),
        ("nannon-played", "Ada zieht 2/4", "Bestätige mit dem Würfelknopf."),
        (
            "nannon-double",
            "Ben verdoppelt auf\u00a02",
            "Ada: drücken = annehmen. Halten = ablehnen (−1).",
        ),
        ("backgammon-in-hand", "Ada: von 24", "Möglich: 14, 18 oder 20."),
    ],
)
def test_a_match_in_german(scene: str, message: str, hint: str) -> None:
    german, view = load_language("de"), shown_in(scene).view
    assert view
    assert (german.say(view.message), german.say(view.hint)) == (message, hint)


def test_who_gave_no_name_is_called_as_his_side_in_german_too() -> None:
    shown, ui = scene_in("cannon-unnamed")
    assert {"Hell", "Dunkel"} <= set(drawn(shown, ui, load_language("de"), (1280, 800)))


def test_the_buttons_are_german_too() -> None:
    shown, ui = scene_in("nannon-wrong")
    texts = drawn(shown, ui, load_language("de"), (1280, 800))
    said = " ".join(texts)
    assert all(
        label in said for label in ("Schritt für Schritt zurück", "Brett übernehmen", "Menü")
    )


@pytest.mark.parametrize(
    ("scene", "message", "hint"),
    [
        ("nannon-set-up", "Στήσε παρτίδα 1", "Ada: 2. Άδειασε: 3."),
        ("nannon-moving", "Ada παίζει 2", "Επιτρέπονται: 1/3 ή 2/4."),
        (
            "nannon-double",
            "Ben διπλασιάζει στα\u00a02",
            "Ada: πάτησε για δέχομαι. Κράτησε για αρνούμαι (−1).",
        ),
        ("backgammon-in-hand", "Ada: από 24", "Επιτρέπονται: 14, 18 ή 20."),
    ],
)
def test_a_match_in_greek(scene: str, message: str, hint: str) -> None:
    """A name stands where it needs no other case, as a subject or before a colon."""
    greek, view = load_language("el"), shown_in(scene).view
    assert view
    assert (greek.say(view.message), greek.say(view.hint)) == (message, hint)
