"""A player's statistics from stored matches, added up from decisions without judging again."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from typing import TypeAlias

from pi_app.base.microseconds import Us, ms
from pi_app.base.values import dataclass
from pi_app.export.retold import Kept, RetoldStep
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.events import MACHINE, MACHINE_PLAYER, Start
from pi_app.rules.terms import Both, Side
from pi_app.words.sentences import Sentence

FACES = 6
FEWEST = 5 * FACES
"""With fewer dice, five for each face, the statistic does not follow the chi-square
distribution."""
SELDOM, HARDLY = 0.05, 0.001


class Fairness(Enum):
    TOO_FEW = "too few"
    EVEN = "even"
    SELDOM = "seldom"
    HARDLY = "hardly"


WORDS: Mapping[Fairness, Sentence] = {
    Fairness.TOO_FEW: Sentence("too few rolls"),
    Fairness.EVEN: Sentence("fair"),
    Fairness.SELDOM: Sentence("unusual"),
    Fairness.HARDLY: Sentence("unlikely"),
}


def chi_square(counts: Sequence[int]) -> float:
    """The chi-square statistic against equal counts; 0 for no rolls."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected if expected else 0.0


def chance_of(counts: Sequence[int]) -> float:
    """The probability that fair dice fall at least as unevenly."""
    return chance_beyond(chi_square(counts))


def chance_beyond(chi: float) -> float:
    """The tail of the chi-square distribution with five degrees of freedom, in closed form."""
    half = chi / 2
    rest = math.exp(-half) * math.sqrt(half / math.pi) * (2 + half * 4 / 3)
    return math.erfc(math.sqrt(half)) + rest


def judge_dice(counts: Sequence[int]) -> Fairness:
    if sum(counts) < FEWEST:
        return Fairness.TOO_FEW
    chance = chance_of(counts)
    if chance >= SELDOM:
        return Fairness.EVEN
    return Fairness.SELDOM if chance >= HARDLY else Fairness.HARDLY


PAUSE = ms(15 * 60_000)
"""A longer time between two decisions counts as this long, because the board was left alone."""

Faces: TypeAlias = tuple[int, ...]
"""The count of each face of a die, from 1 to 6."""
NO_DICE: Faces = (0,) * FACES
Names: TypeAlias = tuple[str | None, str | None]
"""The names of White and Black; None for unnamed players, who get no statistics."""


@dataclass(frozen=True, slots=True)
class Totals:
    """One player's matches, added up; figures of several matches are added with +.

    `over` are the matches that were played to their end; `plays` and `time` are both players' in
    those. `points` and `against` are from all finished games. `rolled` are the dice that Spotter
    rolled for the player, `typed` the player's own. `taken_back` are the player's turns that were
    played again after an undo. `warned` is how often Spotter warned the player of an illegal
    position, `watched` in how many of his plays warnings were counted.
    """

    matches: int = 0
    over: int = 0
    won: int = 0
    points: int = 0
    against: int = 0
    plays: int = 0
    time: Us = Us(0)
    rolled: Faces = NO_DICE
    typed: Faces = NO_DICE
    taken_back: int = 0
    warned: int = 0
    watched: int = 0

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.matches + other.matches,
            self.over + other.over,
            self.won + other.won,
            self.points + other.points,
            self.against + other.against,
            self.plays + other.plays,
            Us(self.time + other.time),
            _both(self.rolled, other.rolled),
            _both(self.typed, other.typed),
            self.taken_back + other.taken_back,
            self.warned + other.warned,
            self.watched + other.watched,
        )

    @property
    def mean_plays(self) -> float:
        """Mean plays of both players in a finished match; 0 without any."""
        return self.plays / self.over if self.over else 0.0

    @property
    def mean_minutes(self) -> float:
        """Mean minutes of a finished match; 0 without any."""
        return self.time / self.over / ms(60_000) if self.over else 0.0


def people(start: Start, sides: tuple[str, str]) -> Names:
    """The humans' names; an unnamed one is called by his side. None for the machine."""
    machine = start.options.get(MACHINE)
    white, black = (
        name if name != called and side.value != machine else None
        for name, called, side in zip(start.players, sides, Side, strict=True)
    )
    return white, black


def names_counted(start: Start, sides: tuple[str, str]) -> Names:
    """The name under which each side's figures count. Each machine player has its own."""
    names, machine = people(start, sides), start.options.get(MACHINE)
    white, black = (
        f"{called} ({start.options.get(MACHINE_PLAYER)})" if side.value == machine else name
        for name, called, side in zip(names, start.players, Side, strict=True)
    )
    return white, black


def figures_of(kept: Kept) -> Both[Totals]:
    """Both sides' figures for one match. Raises EventError for an invalid match."""
    state, steps = kept.opening(), tuple(kept.steps())
    before = state.standing.score  # what a match that began at a position brought with it
    if steps:
        state = steps[-1].after
    over, score = state.phase is Phase.MATCH_OVER, state.standing.score
    plays = sum(step.decision.what is Act.PLAY for step in steps)
    return Both.of(
        lambda side: Totals(
            matches=1,
            over=int(over),
            won=int(over and score[side] > score[side.other]),
            points=score[side] - before[side],
            against=score[side.other] - before[side.other],
            plays=plays if over else 0,
            time=_time(steps) if over else Us(0),
            rolled=_faces(steps, side, typed=False),
            typed=_faces(steps, side, typed=True),
            taken_back=sum(_takes_back(step, side) for step in steps),
            warned=sum(_warnings(step, side) or 0 for step in steps),
            watched=sum(
                step.decision.what is Act.PLAY and _warnings(step, side) is not None
                for step in steps
            ),
        )
    )


def by_name(played: Iterable[tuple[Names, Both[Totals]]]) -> Mapping[str, Totals]:
    """Every player's totals, the one with most matches first."""
    found = defaultdict[str, Totals](Totals)
    for names, figures in played:
        for name, totals in zip(names, figures, strict=True):
            if name is not None:
                found[name] += totals
    ordered = sorted(found.items(), key=lambda one: (-one[1].matches, one[0]))
    return dict(ordered)


def _both(mine: Faces, theirs: Faces) -> Faces:
    return tuple(one + other for one, other in zip(mine, theirs, strict=True))


def _time(steps: Iterable[RetoldStep]) -> Us:
    times = [step.decision.us for step in steps]
    return Us(sum(min(PAUSE, later - earlier) for earlier, later in pairwise(times)))


def _faces(steps: Iterable[RetoldStep], side: Side, *, typed: bool) -> Faces:
    """Count each die once: not again after an undo, and not if it was mistyped."""
    thrown = list[Decision]()
    for step in steps:
        decision = step.decision
        if decision.what is Act.CHANGE_DICE:
            del thrown[-2 if step.after.phase is Phase.OPENING_THROW else -1 :]
        elif decision.what in (Act.THROW, Act.ROLL) and not decision.again:
            thrown.append(decision)
    counts = [0] * FACES
    for decision in thrown:
        if decision.by is side and decision.typed is typed and decision.dice:
            for die in decision.dice.dice:
                counts[die - 1] += 1
    return tuple(counts)


def _takes_back(step: RetoldStep, side: Side) -> bool:
    return step.decision.what is Act.TAKE_BACK and step.after.to_act is side


def _warnings(step: RetoldStep, side: Side) -> int | None:
    """Warnings of the side to act; None in records without that count."""
    return step.decision.warned if step.before.to_act is side else None
