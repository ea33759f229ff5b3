"""What is said: sentences with names and arguments, and the languages that say them.

A `Sentence` is written in English, the source, with a place in braces for each argument; it stands
under a name of its own where it is used, and every other language has it in its catalogue.  A
`Said` is a sentence with its arguments.  It is its own English text, so that logs, files and tests
need nothing else, and remembers what it was made of, so that a `Language` can say it again.

A play or a point is `Written`: it is the text of files, and remembers how people read it, for in
some games either side has numbers of its own.  A `Language` goes by one `Numbering` of them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import accumulate
from string import Formatter
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

COUNTED = "n"
"""The argument that chooses between a sentence and its plural."""


class Joint(NamedTuple):
    """How a list is written: between its parts, before the last, and for those left out."""

    between: Sentence
    last: Sentence
    more: Sentence


class Listing(NamedTuple):
    """An argument that is several; cut after `most` parts or `longest` letters, never to none."""

    parts: tuple[Argument, ...]
    joint: Joint
    most: int = 1000
    longest: int = 10_000


class Wordings(NamedTuple):
    """An argument in the first of several wordings that has so many letters or fewer, or the last.

    What is long in one language may be short in another: each chooses for itself.
    """

    wordings: tuple[str, ...]
    longest: int


Argument: TypeAlias = "str | int | Listing | Wordings"
"""What fills a place of a sentence; a `Said` among them is said in the same language."""


class Numbering(Enum):
    """By whose numbers points are told, where each side counts them from its own end."""

    MOVER = "mover"
    """The mover's, points and plays: so a sheet is written."""
    WHITE = "white"
    """Points as White numbers them, who sits before this board; plays as their mover does."""
    BLACK = "black"
    """The same as Black numbers them."""
    ENGRAVED = "engraved"
    """White's, points and plays: they are cut into the wood."""


class Written(str):
    """A play or a point: the text of files, and what people read for it.

    `white`, `black` and `mover` are that by each side's numbers and by the mover's; `by_board`: it
    is told by the board's numbers, else by the mover's wherever each side has its own.
    """

    __slots__ = ("black", "by_board", "mover", "white")

    white: str
    black: str
    mover: str
    by_board: bool

    @classmethod
    def of(cls, text: str, white: str, black: str, mover: str, by_board: bool) -> Written:
        """A text of a file and its readings."""
        written = cls(text)
        written.white, written.black, written.mover = white, black, mover
        written.by_board = by_board
        return written

    def __reduce__(self) -> tuple[Callable[..., Written], tuple[str, str, str, str, bool]]:
        """What copies and other processes make it of again."""
        return Written.of, (str(self), self.white, self.black, self.mover, self.by_board)

    def read(self, numbering: Numbering) -> str:
        """What people read who go by these numbers."""
        if numbering is Numbering.ENGRAVED:
            return self.white
        if numbering is Numbering.MOVER or not self.by_board:
            return self.mover
        return self.white if numbering is Numbering.WHITE else self.black


class Said(str):
    """A sentence with its arguments: the English text itself, and what it was made of."""

    __slots__ = ("arguments", "sentence")

    sentence: Sentence
    arguments: Mapping[str, Argument]

    @classmethod
    def of(cls, sentence: Sentence, arguments: Mapping[str, Argument]) -> Said:
        """Fill the sentence's places."""
        said = cls(ENGLISH.fill(sentence, arguments))
        said.sentence, said.arguments = sentence, MappingProxyType({**arguments})
        return said

    def __reduce__(self) -> tuple[Callable[..., Said], tuple[Sentence, dict[str, Argument]]]:
        """What copies and other processes make it of again."""
        return Said.of, (self.sentence, dict(self.arguments))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the catalogue, in English; `plural` is taken unless the argument `n` is 1.

    Calling it fills its places; an argument that it lacks or has no place for is a TypeError.
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
        """The sentence about these."""
        if arguments.keys() != self.places:
            places = ", ".join(sorted(self.places)) or "nothing"
            raise TypeError(f"sentence {self.text!r} takes {places}; given: {', '.join(arguments)}")
        return Said.of(self, arguments)


def worded(text: str, words: Mapping[str, str]) -> str:
    """The same with other words for some sentences in it: for sides, say, their players."""
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


def on_board(text: str) -> str:
    """The same told by the board's numbers, where it would be by the mover's."""
    if not isinstance(text, Written):
        return text
    return Written.of(text, text.white, text.black, text.mover, by_board=True)


def as_sentence(text: str) -> str:
    """A text of a file of data; a catalogue has those of the files that travel with Spotter."""
    # Looked up, the empty text would be the catalogue's own head.
    return Sentence(text=text.replace("{", "{{").replace("}", "}}"))() if text else text


class Language:
    """Says sentences: `one` and `many` look a text, or a text and its plural, up in a catalogue."""

    def __init__(self, one: Callable[[str], str], many: Callable[[str, str, int], str]) -> None:
        self._one, self._many = one, many
        self._numbering = Numbering.MOVER

    def counting(self, numbering: Numbering) -> Language:
        """The same language by these numbers."""
        other = copy.copy(self)
        other._numbering = numbering
        return other

    def say(self, text: str) -> str:
        """The text in this language; what is no sentence (a name, a number) stays as it is."""
        if isinstance(text, Written):
            return self.say(text.read(self._numbering))
        return self.fill(text.sentence, text.arguments) if isinstance(text, Said) else text

    def fill(self, sentence: Sentence, arguments: Mapping[str, Argument]) -> str:
        """The sentence with its arguments in this language."""
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
        return str(value)

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
"""What everything is written in: every text is its own translation."""

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


def joined(parts: Sequence[str], joint: Joint) -> str:
    """What stands side by side in one text, empty parts left out."""
    there = tuple(part for part in parts if part)
    if len(there) < 2:
        return there[0] if there else ""
    return _SEVERAL(sentences=Listing(there, joint))


def paragraph(*sentences: str) -> str:
    """Whole sentences one after another, empty ones left out."""
    return joined(sentences, PARAGRAPH)


def fitting(*wordings: str, longest: int) -> str:
    """The first wording that has so many letters or fewer in the language it is said in."""
    if len(wordings) == 1:
        return wordings[0]
    return _SEVERAL(sentences=Wordings(wordings, longest))
