"""The page in the reader's language and in the colours of the screens."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape

from pi_app.words.sentences import Language, Sentence
from pi_app.words.texts import filled

WORDS: Mapping[str, Sentence] = {
    "boards": Sentence("Boards"),
    "standings": Sentence("Standings"),
    "none": Sentence("No board yet"),
    "away": Sentence("offline"),
    "unreadable": Sentence("Cannot show this board"),
    "chances": Sentence("Chance to win this game"),
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


def page(template: str, name: str, language: Language) -> str:
    """The page; `name` is an HTML lang code, here and below."""
    words = {key: language.say(_pattern(sentence)) for key, sentence in WORDS.items()}
    data = json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")
    return filled(template, {"language": escape(name), "words": data})


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
    return filled(template, {**values, "options": "".join(options), "checked": checked})
