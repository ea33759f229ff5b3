"""Texts as they are spoken: notation becomes words, and no sign is left.

Numbers stay digits, because every voice reads them in its own language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from pi_app.words.sentences import COMMAS, Language, Sentence, joined

WAY = Sentence("{origin} to {target}")
TAKES = Sentence("{origin} takes {target}")
SHOT = Sentence("shot, {target}")
TOWN = Sentence("town, {target}")
HITS = Sentence("{way} hitting")
REPEATED: Mapping[str, Sentence] = {
    "2": Sentence("{way}, twice"),
    "3": Sentence("{way}, three times"),
    "4": Sentence("{way}, four times"),
}
"""The same move by several checkers."""
OFF = Sentence("{origin} off")
PLACES: Mapping[str, Sentence] = {
    "bar": Sentence("bar"),
    "home": Sentence("home"),
    "safety": Sentence("SAFETY"),
    "off": Sentence("off"),
}
"""Words in the text of a play, which is the same in every language."""
DOUBLES: Mapping[str, Sentence] = {
    "1": Sentence("double 1"),
    "2": Sentence("double 2"),
    "3": Sentence("double 3"),
    "4": Sentence("double 4"),
    "5": Sentence("double 5"),
    "6": Sentence("double 6"),
}
"""One by one, because some languages have a name for each."""
SCORE = Sentence("{ours} to {theirs}")
TIMES = Sentence("{count} times {what}")
PER_CENT = Sentence("{number} per cent")
MINUS = Sentence("minus {number}")
PLUS = Sentence("plus {number}")
PLUS_OR_MINUS = Sentence("plus or minus {number}")

ReadsSign: TypeAlias = Callable[["re.Match[str]", Language], str]

_STEP = r"\w+(?:/\w+\*?)+(?:\([234]\))?"
_MOVE = re.compile(r"(\w+)((?:/\w+\*?)+)(?:\(([234])\))?")


def aloud(text: str, language: Language) -> str:
    """Return a text in a language as a voice should read it."""
    said = language.say(text)
    for pattern, read in _READERS:
        said = pattern.sub(lambda found, read=read: read(found, language), said)  # type: ignore[misc]
    said = said.translate(_SIGNS)
    # A word in capitals would be spelt.
    said = re.sub(r"\b[^\W\d_]{4,}\b", lambda found: _unspelt(found[0]), said)
    said = re.sub(r"\s+", " ", said)
    # A sign that became a comma may stand beside another mark, or in front of nothing.
    said = re.sub(r" +([,.:;?!])", r"\1", said)
    return re.sub(r",(?=[,.:;?!])|^[,;: ]+|(?<=[.:;?!]),|[,;: ]+$", "", said).strip()


def _unspelt(word: str) -> str:
    return word.lower() if word.isupper() else word


def _play(found: re.Match[str], language: Language) -> str:
    """ "24/18 13/9*" as "24 to 18, 13 to 9 hitting"."""
    moves = tuple(_move(move, language) for move in _MOVE.finditer(found[0]))
    return language.say(joined(moves, COMMAS))


def _move(found: re.Match[str], language: Language) -> str:
    way, targets, count = _named(found[1]), found[2].split("/")[1:], found[3]
    for target in targets:
        place = target.rstrip("*")
        borne_off = place.casefold() == "off"
        step = OFF(origin=way) if borne_off else WAY(origin=way, target=_named(place))
        way = language.say(HITS(way=step) if target.endswith("*") else step)
    return language.say(REPEATED[count](way=way)) if count else way


def _named(place: str) -> str:
    return PLACES[place.casefold()]() if place.casefold() in PLACES else place


def _on_grid(found: re.Match[str], language: Language) -> str:
    sentence = TAKES if found[2] == "x" else WAY
    return language.say(sentence(origin=found[1], target=found[3]))


def _alone(found: re.Match[str], language: Language) -> str:
    return language.say((SHOT if found[1] == "x" else TOWN)(target=found[2]))


def _roll(found: re.Match[str], language: Language) -> str:
    first, second = found[1], found[2]
    return language.say(DOUBLES[first]()) if first == second else f"{first} {second}"


def _filled(sentence: Sentence, *names: str) -> ReadsSign:
    def read(found: re.Match[str], language: Language) -> str:
        return language.say(sentence(**dict(zip(names, found.groups(), strict=True))))

    return read


_READERS: tuple[tuple[re.Pattern[str], ReadsSign], ...] = (
    (re.compile(rf"{_STEP}(?: {_STEP})*"), _play),
    (re.compile(r"\bHOME\b"), lambda _, language: language.say(PLACES["home"]())),
    (re.compile(r"\b([a-z]\d{1,2})(-{1,3}|x)([a-z]\d{1,2})\b"), _on_grid),
    (re.compile(r"(?<!\w)([x@])([a-z]\d{1,2})\b"), _alone),
    (re.compile(r"(?<![\w-])([1-6])-([1-6])(?![\w-])"), _roll),
    (re.compile(r"(\d+)\s*–\s*(\d+)"), _filled(SCORE, "ours", "theirs")),
    (re.compile(r"(\w+)\s*×\s*(\w+)"), _filled(TIMES, "count", "what")),
    (re.compile(r"(\d+(?:[.,]\d+)?)\s*%"), _filled(PER_CENT, "number")),
    (re.compile(r"[−-](\d+(?:[.,]\d+)?)"), _filled(MINUS, "number")),
    (re.compile(r"\+\s*(\d+(?:[.,]\d+)?)"), _filled(PLUS, "number")),
    (re.compile(r"±\s*(\d+(?:[.,]\d+)?)"), _filled(PLUS_OR_MINUS, "number")),
)
"""The signs and how to read them. An entry is tried before those after it."""

_PAUSES = "·—–()[]<>=→←/|"
_SILENT = '*…"„“”«»_`\u00ad+#&$~^'
_SIGNS = str.maketrans(
    {
        **dict.fromkeys(_PAUSES, ", "),
        **dict.fromkeys(_SILENT, " "),
        "\u00a0": " ",
        "×": " ",
        # The Greek question mark looks like a semicolon, at which a voice would only pause.
        "\u037e": "?",
        "−": " ",
    }
)
