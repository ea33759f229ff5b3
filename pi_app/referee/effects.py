"""The referee's effects: what it wants done after an event."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from pi_app.base.values import dataclass
from pi_app.match.acts import Act
from pi_app.referee.decision import Decision
from pi_app.referee.events import Rolled
from pi_app.rules.terms import Side, Spot


class Cue(Enum):
    """A moment worth a sound."""

    ROLL = "roll"
    LEGAL = "legal"
    WRONG = "wrong"
    DOUBLE = "double"
    FANFARE = "fanfare"
    WON = "won"


@dataclass(frozen=True, slots=True)
class AskRoll:
    """Roll the dice for this side and answer with a `Rolled` event.

    `rolled` are the dice that the side was shown in this turn before an undo; they come again.
    """

    by: Side
    dice: int
    rolled: Rolled | None = None


@dataclass(frozen=True, slots=True)
class Sound:
    cue: Cue


@dataclass(frozen=True, slots=True)
class Keep:
    """A decision was made: store everything up to this event before showing it."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class Propose:
    """In a linked match, ask the other board to agree to this.

    An undo names how many plays it removes; a correction has the `position` on this board.
    """

    what: Act
    undone: int = 0
    position: str | None = None


@dataclass(frozen=True, slots=True)
class ReadLevels:
    """Read the levels of these spots' Hall sensors and answer with a `LevelsRead` event.

    Nothing waits for the answer.
    """

    spots: frozenset[Spot]


Effect: TypeAlias = AskRoll | Sound | Keep | Propose | ReadLevels
