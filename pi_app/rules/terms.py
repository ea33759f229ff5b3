"""Terms that all games share: sides, rolls, spots, moves, outcomes, broken rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from itertools import combinations_with_replacement
from typing import Generic, NamedTuple, NewType, Self, TypeAlias, TypeVar

from pi_app.base.errors import GivenError
from pi_app.base.values import dataclass
from pi_app.words.sentences import Said, Sentence
from pi_app.words.texts import quoted

MOST_OF_POSITION = 130
"""The length of the longest position text, Cannon's, in characters."""

Die = NewType("Die", int)
"""The face of one die, 1 to 6; in Nannon's opening a difference, 1 to 5."""


class Side(Enum):
    """In Cannon, White is Light and Black is Dark."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Side:
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    @property
    def letter(self) -> str:
        """`w` or `b`, as in position texts."""
        return self.value[0]

    __hash__ = object.__hash__
    """By identity, which C computes: sides are dictionary keys everywhere, and Enum's own hash is
    slow."""


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Both(Generic[T]):
    """One value for each side: read `both[side]`, or unpack as White, Black."""

    white: T
    black: T

    @staticmethod
    def of(value: Callable[[Side], T]) -> Both[T]:
        return Both(value(Side.WHITE), value(Side.BLACK))

    def __getitem__(self, side: Side) -> T:
        return self.white if side is Side.WHITE else self.black

    def __iter__(self) -> Iterator[T]:
        yield self.white
        yield self.black

    def having(self, side: Side, value: T) -> Self:
        return replace(self, white=value) if side is Side.WHITE else replace(self, black=value)


class SpotKind(Enum):
    """What a spot is: a numbered point, a crossing of file and rank, or a place with a name."""

    POINT = "point"
    CROSSING = "crossing"
    BAR = "bar"
    """Where checkers that were hit wait to enter."""
    HOME = "home"
    """Where a side's checkers start."""
    SAFETY = "safety"
    """Where checkers have reached their goal."""
    OFF = "off"
    """Beside the board: checkers that were borne off or captured, or have not entered yet."""
    BOX = "box"
    """Away from the table, where checkers are kept between games."""

    __hash__ = object.__hash__


_WORDS = "|".join(
    kind.value for kind in SpotKind if kind not in (SpotKind.POINT, SpotKind.CROSSING)
)
_SPOT = re.compile(rf"([a-z]?)([1-9][0-9]{{0,2}})|({_WORDS})(?:\.(white|black))?", re.ASCII)


class Spot(NamedTuple):
    """A place for checkers, in any game: "4", "e4", "bar.black", "off".

    `number` is a point's number or a crossing's rank, from 1; `file` is a crossing's letter; `side`
    is its owner, None if both sides use it. A tuple, because spots are compared everywhere.
    """

    kind: SpotKind
    number: int = 0
    side: Side | None = None
    file: str = ""

    @classmethod
    def read(cls, text: str) -> Spot:
        """Raises TextError."""
        found = _SPOT.fullmatch(text)
        if not found:
            raise TextError(
                f"spot {quoted(text)}: write a number like 4, a crossing like e4, or one of "
                f"{_WORDS.replace('|', ', ')}, with .white or .black where it is one side's"
            )
        file, number, word, side = found.groups()
        if word:
            return cls(SpotKind(word), side=Side(side) if side else None)
        return cls(SpotKind.CROSSING if file else SpotKind.POINT, int(number), file=file)

    @property
    def name(self) -> str:
        """What its side calls it: "4", "e4", "bar"."""
        return f"{self.file}{self.number}" if self.number else self.kind.value

    def __str__(self) -> str:
        return f"{self.name}.{self.side.value}" if self.side else self.name

    def __repr__(self) -> str:
        return f"Spot.read({str(self)!r})"


Stack: TypeAlias = tuple[Side, ...]
"""The sides of the checkers on one spot, lowest first."""

Checkers: TypeAlias = Mapping[Spot, Stack]
"""The checkers on each spot."""


class RulesError(GivenError, ValueError):
    """A text or value that the rules reject. The message says what to write instead."""


class TextError(RulesError):
    """A text has another form than it should."""


class PositionError(RulesError):
    """A position that no board can show; `reasons` has every reason."""

    def __init__(self, text: str, reasons: tuple[str, ...]) -> None:
        self.text = text
        self.reasons = reasons
        self._what = f"position {quoted(text, MOST_OF_POSITION)}"
        super().__init__(f"{self._what}: " + "; ".join(reasons))

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(
            f"position {quoted(self.text, MOST_OF_POSITION)}: {reason}" for reason in self.reasons
        )


class IllegalPlayError(RulesError):
    """A play that can be read but is illegal here; `broken` is the rule."""

    def __init__(self, broken: Broken) -> None:
        self.broken = broken
        super().__init__(broken.reason)


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice of one turn, higher first; empty in games without dice."""

    dice: tuple[Die, ...]

    @classmethod
    def of(cls, *faces: int) -> Roll:
        """Return the roll of these faces, given in any order."""
        return cls(tuple(Die(face) for face in sorted(faces, reverse=True)))

    def __str__(self) -> str:
        return "".join(str(die) for die in self.dice)


def rolls_of(dice: int) -> Mapping[Roll, float]:
    """Return the probability of every roll of this many dice."""
    rolls = [Roll.of(*faces) for faces in combinations_with_replacement(range(1, 7), dice)]
    ways = {roll: max(1, len(set(roll.dice))) for roll in rolls}
    return {roll: number / sum(ways.values()) for roll, number in ways.items()}


def read_roll(text: str, dice: int) -> Roll:
    """Read "3", "31", or "" in a game without dice.

    Raises TextError unless `text` is exactly `dice` digits from 1 to 6.
    """
    if dice == 0 and text:
        raise TextError(f"roll {quoted(text)}: the game has no dice; leave the roll empty")
    if len(text) != dice or any(face not in "123456" for face in text):
        what = "one digit" if dice == 1 else f"{dice} digits"
        raise TextError(f"roll {quoted(text)}: write {what} from 1 to 6, like {'6431'[-dice:]}")
    return Roll.of(*(int(face) for face in text))


@dataclass(frozen=True, slots=True)
class Move:
    """One checker from one spot to another, as a hand moves it.

    `hit`: the checker on the target is sent away. `pins`: it stays beneath. Where a captured
    checker leaves a spot on which nobody lands, it is a move of its own, to the game's `hit_to`.
    """

    origin: Spot
    target: Spot
    hit: bool = False
    pins: bool = False


Play: TypeAlias = tuple[Move, ...]
"""All moves of a turn, in Spotter's own games; empty for a forfeit."""


@dataclass(frozen=True, slots=True)
class Example:
    """A position that illustrates a rule of the sheet, given by number, with a caption.

    `turn` is a roll and a legal play ("65: 24/13"), a roll and an attempt that breaks the rule
    ("52: 24/19?"), or a roll with which nothing can be played ("3:"). Without dice it has no roll
    ("d7-d6").
    """

    number: int
    caption: Sentence
    position: str
    turn: str = ""

    @property
    def roll(self) -> str:
        return self.turn.rpartition(":")[0]

    @property
    def play(self) -> str:
        return "" if self.attempt else self._made

    @property
    def attempt(self) -> str:
        return self._made[:-1] if self._made.endswith("?") else ""

    @property
    def _made(self) -> str:
        return self.turn.rpartition(":")[2].strip()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A game's rules in words: the title of the sheet, and the rules from 1 on.

    `examples` are in the order of the rules.
    """

    title: Sentence
    rules: tuple[Sentence, ...]
    examples: tuple[Example, ...] = ()


CITED = Sentence("{title}, rule {number}")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that a play can break: its identifier in files, its sentence, its sheet and number.

    `brief` is what a spoken warning says of it if nothing better is known of the attempt.
    """

    identifier: str
    sentence: Said
    sheet: Sheet
    number: int
    brief: Sentence | None = None

    @property
    def source(self) -> Said:
        """ "Backgammon, rule 6"."""
        return CITED(title=self.sheet.title(), number=self.number)


def rulebook(
    sheet: Sheet, rules: Mapping[str, tuple[int, Sentence]], brief: Mapping[str, Sentence]
) -> Mapping[str, Rule]:
    """Return the rules that can be broken, by identifier. Each is given by its number on the sheet
    and its sentence, and in a few words for speech."""
    return {
        name: Rule(name, sentence(), sheet, number, brief[name])
        for name, (number, sentence) in rules.items()
    }


@dataclass(frozen=True, slots=True)
class Broken:
    """The rule that an attempt breaks, and a sentence about this attempt.

    `heard` says it in a few words that need no "illegal" before them; None leaves it to the rule.
    """

    rule: Rule
    reason: Said
    heard: Said | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The winner (None for a tie), the points before the cube, and the result's name in files."""

    winner: Side | None
    points: int
    name: str
