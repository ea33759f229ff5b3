"""What is said: sentences with names and arguments, and the languages that say them.

A `Sentence` is written in English, the source, with a place in braces for each argument; it stands
under a name of its own where it is used, and every other language has it in its catalogue.  A
`Said` is a sentence with its arguments.  It is its own English text, so that logs, files and tests
need nothing else, and remembers what it was made of, so that a `Language` can say it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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


Argument: TypeAlias = "str | int | Listing"
"""What fills a place of a sentence; a `Said` among them is said in the same language."""


class Said(str):
    """A sentence with its arguments: the English text itself, and what it was made of."""

    __slots__ = ("arguments", "sentence")

    sentence: Sentence
    arguments: Mapping[str, Argument]

    @classmethod
    def of(cls, sentence: Sentence, arguments: Mapping[str, Argument]) -> Said:
        """Fill the sentence's places."""
        said = cls(ENGLISH.fill(sentence, arguments))
        said.sentence, said.arguments = sentence, MappingProxyType(dict(arguments))
        return said


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
        object.__setattr__(self, "places", frozenset(names))

    def __call__(self, **arguments: Argument) -> Said:
        """The sentence about these."""
        counted = {COUNTED} if self.plural is not None else set[str]()
        if self.places | counted != arguments.keys():
            places = ", ".join(sorted(self.places | counted)) or "nothing"
            raise TypeError(f"sentence {self.text!r} takes {places}; given: {', '.join(arguments)}")
        return Said.of(self, arguments)


class Language:
    """Says sentences: `one` and `many` look a text, or a text and its plural, up in a catalogue."""

    def __init__(self, one: Callable[[str], str], many: Callable[[str, str, int], str]) -> None:
        self._one, self._many = one, many

    def say(self, text: str) -> str:
        """The text in this language; what is no sentence (a name, a play) stays as it is."""
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
        if isinstance(value, Listing):
            return self._listed(value)
        return self.say(value) if isinstance(value, str) else str(value)

    def _listed(self, listing: Listing) -> str:
        words = [self._word(part) for part in listing.parts]
        kept, length = 0, 0
        for word in words[: listing.most]:
            length += len(word) + 2
            if kept and length > listing.longest:
                break
            kept += 1
        if not words:
            return ""
        between, last, more = listing.joint
        cut = len(words) > kept
        text = words[0]
        for index, word in enumerate(words[1:kept], 2):
            joint = last if index == kept and not cut else between
            text = self.fill(joint, {"first": text, "next": word})
        return self.fill(more, {"first": text, COUNTED: len(words) - kept}) if cut else text


def _as_it_is(text: str) -> str:
    return text


def _counted(text: str, plural: str, number: int) -> str:
    return text if number == 1 else plural


ENGLISH = Language(_as_it_is, _counted)
"""The source itself."""

_COMMA = Sentence("{first}, {next}")
AND = Joint(_COMMA, Sentence("{first} and {next}"), Sentence("{first} and {n} more"))
OR = Joint(_COMMA, Sentence("{first} or {next}"), Sentence("{first} or {n} more"))
_SPACE = Sentence("{first} {next}")
PARAGRAPH = Joint(_SPACE, _SPACE, Sentence("{first} The rest is marked."))
_SEVERAL = Sentence("{sentences}")


def paragraph(*sentences: str, longest: int = 10_000) -> str:
    """Whole sentences one after another, empty ones left out; as many as fit into so many letters.

    Where some do not fit, the board marks what they would have said.
    """
    there = tuple(sentence for sentence in sentences if sentence)
    if len(there) < 2:
        return "".join(there[:1]) if not there else there[0]
    return _SEVERAL(sentences=Listing(there, PARAGRAPH, longest=longest))
