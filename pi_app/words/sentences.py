"""Sentences with arguments, and the languages that say them.

A `Sentence` is the English text, with a place in braces for each argument. It has a name in the
module that uses it; other languages translate it in a catalogue. A `Said` is a sentence with its
arguments. It is a `str` with the English text, which is enough for logs, files and tests; a
`Language` translates it from its parts.

A play or a point is `Written`: a `str` with the text of files, plus the texts that people read. In
some games each side counts the points from its own end. A `Language` uses one `Numbering`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import accumulate
from string import Formatter
from typing import NamedTuple, TypeAlias

COUNTED = "n"
"""This argument chooses between singular and plural."""


class Joint(NamedTuple):
    """How to join a list: between two parts, before the last part, and for parts left out."""

    between: Sentence
    last: Sentence
    more: Sentence


class Listing(NamedTuple):
    """A list as an argument; cut to `most` parts and `longest` letters, but at least one part."""

    parts: tuple[Argument, ...]
    joint: Joint
    most: int = 1000
    longest: int = 10_000


class Wordings(NamedTuple):
    """An argument in several wordings: the first with at most `longest` letters, else the last.

    Each language chooses for itself, because lengths differ.
    """

    wordings: tuple[str, ...]
    longest: int


Argument: TypeAlias = "str | int | Listing | Wordings"
"""What fills a place of a sentence. A `Said` among them is translated too, and a whole number is
written in groups. What a number only names, such as a match, is given as text."""


class Numbering(Enum):
    """Whose numbers points have, in games where each side counts from its own end."""

    MOVER = "mover"
    """The mover's numbers for points and plays, as on a score sheet."""
    WHITE = "white"
    """White's numbers for points, the mover's for plays."""
    BLACK = "black"
    """Black's numbers for points, the mover's for plays."""
    ENGRAVED = "engraved"
    """White's numbers for points and plays, as engraved on the board."""


class Written(str):
    """A play or a point: the text in files, and the texts that people read.

    `white`, `black` and `mover` are the text with each side's numbers and with the mover's. With
    `by_board` the board's numbers count, otherwise the mover's.
    """

    __slots__ = ("black", "by_board", "mover", "white")

    white: str
    black: str
    mover: str
    by_board: bool

    @classmethod
    def of(cls, text: str, white: str, black: str, mover: str, by_board: bool) -> Written:
        written = cls(text)
        written.white, written.black, written.mover = white, black, mover
        written.by_board = by_board
        return written

    def __reduce__(self) -> tuple[Callable[..., Written], tuple[str, str, str, str, bool]]:
        """For copies and other processes."""
        return Written.of, (str(self), self.white, self.black, self.mover, self.by_board)

    def read(self, numbering: Numbering) -> str:
        """The text with these numbers."""
        if numbering is Numbering.ENGRAVED:
            return self.white
        if numbering is Numbering.MOVER or not self.by_board:
            return self.mover
        return self.white if numbering is Numbering.WHITE else self.black


class Said(str):
    """A sentence with its arguments, as English text."""

    __slots__ = ("arguments", "sentence")

    sentence: Sentence
    arguments: Mapping[str, Argument]

    @classmethod
    def of(cls, sentence: Sentence, arguments: Mapping[str, Argument]) -> Said:
        said = cls(ENGLISH.fill(sentence, arguments))
        said.sentence, said.arguments = sentence, {**arguments}
        return said

    def __reduce__(self) -> tuple[Callable[..., Said], tuple[Sentence, dict[str, Argument]]]:
        """For copies and other processes."""
        return Said.of, (self.sentence, dict(self.arguments))


@dataclass(frozen=True, slots=True)
class Sentence:
    """An English sentence of the catalogue. `plural` is used unless the argument `n` is 1.

    Calling it fills its places. Raises TypeError for a missing or unknown argument.
    """

    text: str
    plural: str | None = None
    places: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        texts = (self.text, self.plural or "")
        names = {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}
        counted = {COUNTED} if self.plural is not None else set[str]()
        object.__setattr__(self, "places", frozenset(names | counted))

    def __call__(self, **arguments: Argument) -> Said:
        if arguments.keys() != self.places:
            places = ", ".join(sorted(self.places)) or "nothing"
            raise TypeError(f"sentence {self.text!r} takes {places}; given: {', '.join(arguments)}")
        return Said.of(self, arguments)


def worded(text: str, words: Mapping[str, str]) -> str:
    """Replace some sentences in a text, such as sides by their players' names."""
    if not isinstance(text, Said):
        return text
    if not text.arguments:
        return words.get(text, text)
    said = {name: _worded(value, words) for name, value in text.arguments.items()}
    return Said.of(text.sentence, said)


def _worded(value: Argument, words: Mapping[str, str]) -> Argument:
    if isinstance(value, str):
        return worded(value, words)
    if isinstance(value, Listing):
        return value._replace(parts=tuple(_worded(part, words) for part in value.parts))
    if isinstance(value, Wordings):
        return value._replace(wordings=tuple(worded(text, words) for text in value.wordings))
    return value


def as_sentence(text: str) -> str:
    """A text from a data file as a sentence. The catalogue has those of files that come with
    Spotter."""
    # The empty text would find the catalogue's header.
    return Sentence(text=text.replace("{", "{{").replace("}", "}}"))() if text else text


class Language:
    """Translates sentences. `one` and `many` look up a text, or a text with its plural."""

    def __init__(self, one: Callable[[str], str], many: Callable[[str, str, int], str]) -> None:
        self._one, self._many = one, many
        self._numbering = Numbering.MOVER

    def counting(self, numbering: Numbering) -> Language:
        other = copy.copy(self)
        other._numbering = numbering
        return other

    def say(self, text: str) -> str:
        """Translate a text. Names and numbers, which are no sentences, stay as they are."""
        if isinstance(text, Written):
            return self.say(text.read(self._numbering))
        if not isinstance(text, Said):
            return text
        # A sentence's own letters are English.
        return str(text) if self is ENGLISH else self.fill(text.sentence, text.arguments)

    def fill(self, sentence: Sentence, arguments: Mapping[str, Argument]) -> str:
        if sentence.plural is None:
            pattern = self._one(sentence.text)
        else:
            number = arguments[COUNTED]
            pattern = self._many(
                sentence.text, sentence.plural, number if isinstance(number, int) else 0
            )
        return pattern.format(**{name: self._word(value) for name, value in arguments.items()})

    def _word(self, value: Argument) -> str:
        if isinstance(value, str):
            return self.say(value)
        if isinstance(value, Listing):
            return self._listed(value)
        if isinstance(value, Wordings):
            *longer, shortest = value.wordings
            said = (text for text in map(self.say, longer) if len(text) <= value.longest)
            return next(said, "") or self.say(shortest)
        return str(value) if abs(value) < 1000 else self.say(grouped(value))

    def _listed(self, listing: Listing) -> str:
        words = [self._word(part) for part in listing.parts[: listing.most]]
        ends = accumulate(len(word) + 2 for word in words)
        kept = max(1, sum(end <= listing.longest for end in ends))
        left = len(listing.parts) - kept
        between, last, more = listing.joint
        text = words[0] if words else ""
        for index, word in enumerate(words[1:kept], 2):
            joint = last if index == len(listing.parts) else between
            text = self.fill(joint, {"first": text, "next": word})
        return self.fill(more, {"first": text, COUNTED: left}) if left > 0 else text


ENGLISH = Language(lambda text: text, lambda text, plural, n: text if n == 1 else plural)
"""The source language: every text is its own translation."""

_COMMA = Sentence("{first}, {next}")
AND = Joint(_COMMA, Sentence("{first} and {next}"), Sentence("{first} and {n} more"))
OR = Joint(_COMMA, Sentence("{first} or {next}"), Sentence("{first} or {n} more"))
COMMAS = Joint(_COMMA, _COMMA, Sentence("{first}, {n} more"))
_THEN = Sentence("{first}; {next}")
SEMICOLONS = Joint(_THEN, _THEN, Sentence("{first}; and {n} more"))
_SPACE = Sentence("{first} {next}")
_DOT = Sentence("{first} · {next}")
_OTHERS = Sentence("{first} · {n} more")
PARAGRAPH = Joint(_SPACE, _SPACE, _OTHERS)
DOTTED = Joint(_DOT, _DOT, _OTHERS)
_SEVERAL = Sentence("{sentences}")
_GROUPED = Sentence("{thousands},{rest}")


def grouped(number: int) -> str:
    """A whole number in groups of three digits: "12,345"."""
    if abs(number) < 1000:
        return str(number)
    thousands, rest = divmod(abs(number), 1000)
    return _GROUPED(thousands=grouped(thousands if number > 0 else -thousands), rest=f"{rest:03}")


def joined(parts: Sequence[str], joint: Joint) -> str:
    there = tuple(part for part in parts if part)
    if len(there) < 2:
        return there[0] if there else ""
    return _SEVERAL(sentences=Listing(there, joint))


def paragraph(*sentences: str) -> str:
    """Join whole sentences, leaving out empty ones."""
    return joined(sentences, PARAGRAPH)


def fitting(*wordings: str, longest: int) -> str:
    """The first wording with at most `longest` letters in the language that says it."""
    if len(wordings) == 1:
        return wordings[0]
    return _SEVERAL(sentences=Wordings(wordings, longest))
