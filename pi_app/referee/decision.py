"""The decisions of a match: they are stored, resumed from and replayed.

A touch records what a sensor, a button or a finger did. Its meaning is judged once, when it
happens. A decision is that meaning with the state after it. Nothing is judged twice: a match
resumes from its last decision and is replayed from all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from enum import Enum
from types import MappingProxyType

from pi_app.base.microseconds import Us
from pi_app.match.clock import Clocks
from pi_app.match.turns import Act, MatchState
from pi_app.referee.events import EventError
from pi_app.rules.terms import Roll, Side
from pi_app.sensing.description import Sensor

SUREST = Decimal("0.999999999")
"""The strictest setting; no play is ever required to be certain."""


class What(Enum):
    BOARD_SET = "board set"
    OPENING_THROW = "opening throw"
    ROLL = "roll"
    CHANGE_DICE = "change dice"
    CHOSEN = "chosen"
    """The machine's play, before somebody makes it on the board."""
    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    BEAVER = "beaver"
    RESIGNATION = "resignation"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    CORRECTION = "correction"
    TAKE_BACK = "take back"
    RESTORED = "restored"
    NEXT_GAME = "next game"
    SENSOR_OFF = "sensor off"
    SENSOR_ON = "sensor on"
    OVERTIME = "overtime"
    """A flag has fallen for the first time."""
    FLAG = "flag"
    """A flag has fallen, and the match is lost."""
    RESUMED = "resumed"
    """A match with a clock continues; no time ran during the break."""


KEPT_AS: Mapping[Act, What] = MappingProxyType(
    {
        Act.BOARD_SET: What.BOARD_SET,
        Act.THROW: What.OPENING_THROW,
        Act.ROLL: What.ROLL,
        Act.PLAY: What.PLAY,
        Act.DOUBLE: What.DOUBLE,
        Act.TAKE: What.TAKE,
        Act.PASS: What.PASS,
        Act.BEAVER: What.BEAVER,
        Act.CHANGE_DICE: What.CHANGE_DICE,
        Act.RESIGN: What.RESIGNATION,
        Act.ACCEPT: What.ACCEPTED,
        Act.REFUSE: What.REFUSED,
        Act.CORRECT: What.CORRECTION,
        Act.TAKE_BACK: What.TAKE_BACK,
        Act.RESTORE: What.RESTORED,
        Act.NEXT_GAME: What.NEXT_GAME,
        Act.OVERTIME: What.OVERTIME,
        Act.FLAG: What.FLAG,
    }
)
"""The kind of decision of each act."""

OF_ONE_SIDE = frozenset(
    {
        What.OPENING_THROW,
        What.ROLL,
        What.CHOSEN,
        What.PLAY,
        What.DOUBLE,
        What.TAKE,
        What.PASS,
        What.BEAVER,
        What.RESIGNATION,
        What.ACCEPTED,
        What.REFUSED,
        What.OVERTIME,
        What.FLAG,
    }
)
"""Decisions of the side to act; all others may come from anyone at the table."""


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
    what: What
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
