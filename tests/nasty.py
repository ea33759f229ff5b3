"""Malformed texts, and good ones damaged."""

from __future__ import annotations

import random

NASTY = (
    "",
    "nan",
    "-inf",
    "1e400",
    "9" * 400,
    "9" * 5000,
    "-1",
    "0.0001",
    "true",
    "null",
    "[]",
    "{}",
    "[" * 900,
    "[" * 3000,
    '{"a":' * 3000,
    "{a=" * 300,
    '"',
    "'''",
    "\\u0000",
    "\x00",
    "\x1b[2J",
    "\u202e",
    "\u2028",
    "\ufeff",
    "\ud800",
    "٣",
    "²",
    "/dev/zero",
    "../../etc/passwd.toml",
    "games = []",
    '"ludo"',
    "[[spot]]",
    "a." * 400,
    " " * 2000,
)
"""Bits that readers stumble over."""

_SIGNS = "\"'[]{}=,.:-#\\/\n 0123456789wbeLDx*(@"


def mutated(text: str, chance: random.Random) -> str:
    """A text with a few things changed, by chance."""
    for _ in range(chance.choice((1, 1, 2, 5))):
        text = chance.choice(_CHANGES)(text, chance)
    return text


def _cut(text: str, chance: random.Random) -> str:
    first, last = _span(text, chance)
    return text[:first] + text[last:]


def _double(text: str, chance: random.Random) -> str:
    first, last = _span(text, chance)
    return text[:last] + text[first:]


def _end(text: str, chance: random.Random) -> str:
    return text[: chance.randint(0, len(text))]


def _sign(text: str, chance: random.Random) -> str:
    place = chance.randint(0, len(text))
    return text[:place] + chance.choice(_SIGNS) + text[place + 1 :]


def _insert(text: str, chance: random.Random) -> str:
    place = chance.randint(0, len(text))
    return text[:place] + chance.choice(NASTY) + text[place:]


def _value(text: str, chance: random.Random) -> str:
    """One word of the text becomes a nasty one."""
    words = text.split(" ")
    words[chance.randrange(len(words))] = chance.choice(NASTY)
    return " ".join(words)


def _line(text: str, chance: random.Random) -> str:
    """One line goes, or goes elsewhere."""
    lines = text.split("\n")
    line = lines.pop(chance.randrange(len(lines)))
    if chance.random() < 0.5:
        lines.insert(chance.randint(0, len(lines)), line)
    return "\n".join(lines)


def _span(text: str, chance: random.Random) -> tuple[int, int]:
    first = chance.randint(0, len(text))
    return first, min(len(text), first + chance.choice((1, 3, 10, 100)))


_CHANGES = (_cut, _double, _end, _sign, _sign, _insert, _value, _value, _line)
