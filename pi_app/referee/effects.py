"""The referee's effects: requests to the outside after an event."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from pi_app.referee.decision import Decision, What
from pi_app.referee.events import Rolled
from pi_app.rules.terms import Side


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
    """Throw the dice for this side and answer with a `Rolled` event.

    `rolled` is what the side has shown in this turn already, before a takeback: that comes again.
    """

    by: Side
    dice: int
    rolled: Rolled | None = None


@dataclass(frozen=True, slots=True)
class Sound:
    cue: Cue


@dataclass(frozen=True, slots=True)
class Keep:
    """Something was decided: everything up to this event must be on disk before it is shown."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class Propose:
    """In a linked match: a request that the other board must agree to.

    A takeback undoes this many plays; a correction has the `position` on this board.
    """

    what: What
    undone: int = 0
    position: str | None = None


Effect: TypeAlias = AskRoll | Sound | Keep | Propose
