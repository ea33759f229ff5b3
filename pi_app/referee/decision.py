"""The decisions of a match: they are stored, resumed from and replayed.

A touch records what a sensor, a button or a finger did. Its meaning is judged once, when it
happens. A decision is that meaning with the state after it. Nothing is judged twice: a match
resumes from its last decision and is replayed from all of them.
"""

from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal

from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.match.acts import Act
from pi_app.match.clock import Clocks
from pi_app.match.turns import MatchState
from pi_app.referee.events import EventError
from pi_app.rules.terms import Roll, Side
from pi_app.sensing.description import Sensor

SUREST = Decimal("0.999999999")
"""The strictest setting; no play is ever required to be certain."""


class DecisionError(EventError):
    """A line that is no decision, or a decision that this match cannot have made."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, and the state of the match after it.

    `by` is the side that rolled, played, doubled, answered or resigned; None if either player may
    have done it. `dice` are those rolled, mistyped, or removed by an undo. `again`: dice that were
    shown before an undo, or a double that was taken before one. `play` is the play made, chosen by
    the machine, or undone; `undone` counts the plays that an undo removed. `off` are the sensors
    turned off from now on. `state` has the position as text.

    `confidence` is the probability of a play by the sensors, rounded by `stated`; None if a player
    was `asked` or nothing could move. `warned` counts the warnings of the side to act since the
    previous decision. `condoned`: the play was illegal and the opponent accepted it under
    responsible moves. `clocks` are both sides' times after it, in a match with a clock.
    """

    us: Us
    what: Act
    state: MatchState[str]
    by: Side | None = None
    dice: Roll | None = None
    typed: bool = False
    play: str | None = None
    undone: int = 0
    sensor: Sensor | None = None
    off: tuple[Sensor, ...] = ()
    confidence: float | None = None
    asked: bool = False
    again: bool = False
    warned: int | None = None
    condoned: bool = False
    clocks: Clocks | None = None


def stated(confidence: float) -> float:
    """Round a confidence as it is shown and stored: down to nine decimals, and below 1."""
    return float(min(Decimal(repr(confidence)).quantize(SUREST, ROUND_FLOOR), SUREST))
