"""The page in the reader's language and in the colours of the screens."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape

from pi_app.languages import LANGUAGES
from pi_app.screen import theme
from pi_app.screen.theme import Colour, Theme
from pi_app.words.sentences import Language, Sentence

WORDS: Mapping[str, Sentence] = {
    "boards": Sentence("Boards"),
    "standings": Sentence("Standings"),
    "none": Sentence("No board yet"),
    "away": Sentence("offline"),
    "unreadable": Sentence("Cannot show this board"),
    "replay": Sentence("Replay"),
    "live": Sentence("Live"),
    "noStandings": Sentence("No standings"),
    "noReplay": Sentence("Cannot replay this match"),
    "colours": Sentence("Colours"),
    "warnings": Sentence("Warnings"),
    "aloud": Sentence("Read aloud"),
    "lost": Sentence("No connection: this page may be old"),
    "page": Sentence("Page {page} of {pages}"),
    "delayed": Sentence("delayed by {delay}"),
    "play": Sentence("Run"),
    "pause": Sentence("Pause"),
    "first": Sentence("To the start"),
    "last": Sentence("To the end"),
    "before": Sentence("Step back"),
    "after": Sentence("Step forward"),
    "step": Sentence("Step"),
    "pageBefore": Sentence("Previous page"),
    "pageAfter": Sentence("Next page"),
    "described": Sentence("{board}: {white} against {black}"),
}
"""The page's own texts, by the names that its script uses."""

OPERATOR_TITLE = Sentence("Wall operator")
HOLD_BACK = Sentence("Delay")
SHOW_WARNINGS = Sentence("Show warnings")
APPLY = Sentence("Apply")
AT_ONCE = Sentence("none")
SECONDS = Sentence("{n} second", "{n} seconds")
MINUTES = Sentence("{n} minute", "{n} minutes")
KEY_IN_THE_OPEN = Sentence(
    "Anyone who knows this address controls the wall, and it is sent "
    "unencrypted: use it only in a network that you trust."
)
FIGURES = Sentence("{boards} boards, {watching} pages open, {refused} messages rejected")

_COLOURS: Mapping[str, Colour] = {
    "ground": theme.GROUND,
    "band": theme.BAND,
    "key": theme.KEY,
    "edge": theme.EDGE,
    "ivory": theme.IVORY,
    "dim": theme.DIM,
    "ink": theme.INK,
    "amber": theme.AMBER,
    "teal": theme.TEAL,
    "vermilion": theme.VERMILION,
    "warning": theme.WARNING,
    "warning-text": theme.WARNING_TEXT,
    "white-face": theme.WHITE_FACE,
    "white-rim": theme.WHITE_RIM,
    "black-face": theme.BLACK_FACE,
    "black-rim": theme.BLACK_RIM,
    "die": theme.DIE_FACE,
    "wood": theme.WOOD,
}


def language_of(accepted: str) -> str:
    """The first language of an Accept-Language header that Spotter has, otherwise English."""
    asked = (part.split(";")[0].strip().lower()[:2] for part in accepted[:200].split(","))
    return next((name for name in asked if name in LANGUAGES), "en")


def theme_of(text: str | None) -> Theme:
    return next((one for one in Theme if one.value == text), Theme.DARK)


def colours() -> str:
    return "\n".join(f':root[data-theme="{one.value}"] {{ {_properties(one)} }}' for one in Theme)


def _properties(one: Theme) -> str:
    rows = ((name, colour.rgb(one)) for name, colour in _COLOURS.items())
    return " ".join("--{}: rgb({}, {}, {});".format(name, *rgb) for name, rgb in rows)


def page(template: str, name: str, language: Language) -> str:
    """The page; `name` is an HTML lang code, here and below."""
    words = {key: language.say(_pattern(sentence)) for key, sentence in WORDS.items()}
    data = json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")
    return _filled(template, {"language": escape(name), "words": data})


def _filled(template: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], template)


def _pattern(sentence: Sentence) -> str:
    """A sentence with placeholders that the page's script fills."""
    names = ("page", "pages", "delay", "board", "white", "black")
    there = {name: f"{{{name}}}" for name in names if f"{{{name}}}" in sentence.text}
    return sentence(**there)


def delay_words(seconds: int, language: Language) -> str:
    if not seconds:
        return language.say(AT_ONCE())
    if seconds % 60:
        return language.say(SECONDS(n=seconds))
    return language.say(MINUTES(n=seconds // 60))


def operator_page(
    template: str,
    name: str,
    language: Language,
    delay: int,
    figures: Mapping[str, int],
    *,
    warnings: bool,
) -> str:
    """The operator's form; `delay` is in seconds."""
    choices = sorted({0, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, delay})
    options = (
        f'<option value="{one}"{" selected" * (one == delay)}>'
        f"{escape(delay_words(one, language))}</option>"
        for one in choices
    )
    said = {
        "language": name,
        "title": language.say(OPERATOR_TITLE()),
        "delay": language.say(HOLD_BACK()),
        "warnings": language.say(SHOW_WARNINGS()),
        "apply": language.say(APPLY()),
        "figures": language.say(FIGURES(**figures)),
        "open": language.say(KEY_IN_THE_OPEN()),
    }
    values = {key: escape(text) for key, text in said.items()}
    checked = " checked" * warnings
    return _filled(template, {**values, "options": "".join(options), "checked": checked})
