"""Puzzles that come with Spotter, answered by a tap: a position, possible answers, and their worth.

Spotter's own network found and judged them: `tests/lab/run puzzles` makes the file again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from importlib import resources

from pi_app.base.typed_json import plain, read, write
from pi_app.base.values import dataclass
from pi_app.coach.study import MARKED_FROM, Mark

FILE = "puzzles.jsonl"


class PuzzleKind(Enum):
    OPENING = "opening"
    PLAY = "play"
    BEAR_OFF = "bear-off"
    TAKE = "take"
    PIPS = "pips"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """`position` is the text of a `Problem` in which White decides.

    `answers` are plays, "take" and "pass", or numbers of pips. Each has its worth to White in
    points, the best first; a wrong number is worth 1 less than the right one.
    """

    kind: PuzzleKind
    position: str
    answers: Mapping[str, float]

    @property
    def game(self) -> str:
        return self.position.partition(" ")[0]

    @property
    def best(self) -> str:
        return next(iter(self.answers))

    def cost(self, answer: str) -> float:
        return self.answers[self.best] - self.answers[answer]

    def is_right(self, answer: str) -> bool:
        """Whether it costs so little that an analysis would not mark it."""
        return self.cost(answer) <= MARKED_FROM[Mark.DOUBTFUL]


@dataclass(frozen=True, slots=True)
class _StoredPuzzle:
    kind: PuzzleKind
    position: str
    answers: dict[str, float]


def read_puzzles(text: str) -> Iterator[Puzzle]:
    """Read lines of JSON. Raises JsonError."""
    for line in text.splitlines():
        found = read(line, _StoredPuzzle)
        yield Puzzle(found.kind, found.position, found.answers)


def write_puzzles(puzzles: Iterable[Puzzle]) -> str:
    return "".join(f"{write(plain(puzzle))}\n" for puzzle in puzzles)


def load_puzzles() -> tuple[Puzzle, ...]:
    """Return the puzzles that come with Spotter."""
    text = (resources.files("pi_app.coach") / FILE).read_text("utf-8")
    return tuple(read_puzzles(text))
