"""The chess clock of a match as immutable values: each side's time left, and what a span of time
costs.

Sources: club practice; FIDE Laws, guidelines III.3 (delay and cumulative modes).

Simple delay: at the start of a turn the reserve waits for the delay. Bronstein: the reserve runs at
once, and the used part of the delay is returned at the end of the turn. Fischer: each turn adds an
increment. Only the flag of the side that holds the clock can fall, at the microsecond at which
nothing is left.

An undo returns no time. After an interruption (a declined resignation, an undo, a redo) the turn
continues with the time it has used and gets no new delay or increment, so nobody gains time by
interrupting.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.rules.terms import Both, Side

NOTHING = Us(0)


class ClockKind(Enum):
    """How a turn uses the reserve."""

    NONE = "none"
    """There is no clock."""
    PLAIN = "plain"
    DELAY = "delay"
    BRONSTEIN = "bronstein"
    FISCHER = "fischer"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Each side's reserve, and a turn's delay or increment.

    `overtime` is granted once, when the flag first falls; with 0 the first fall loses the match.
    `runs_while_correcting`: the clock also runs while a player corrects the board after a warning.
    """

    kind: ClockKind
    reserve: Us
    a_turn: Us = NOTHING
    overtime: Us = NOTHING
    runs_while_correcting: bool = True


@dataclass(frozen=True, slots=True)
class SideTime:
    """A side's time left, the time used in its latest turn, and whether it is in overtime."""

    left: Us
    spent: Us = NOTHING
    overtime: bool = False


@dataclass(frozen=True, slots=True)
class Clocks(Both[SideTime]):
    """Both sides' time; `holder` is the side whose time runs, None if nobody's does."""

    holder: Side | None = None


def full(control: TimeControl) -> Clocks:
    """Return the clocks before the first turn: full reserves, and no holder."""
    return Clocks(SideTime(control.reserve), SideTime(control.reserve))


def lasts(control: TimeControl, clocks: Clocks) -> Us | None:
    """Return the time until the holder's flag falls; None without a holder."""
    if clocks.holder is None:
        return None
    time = clocks[clocks.holder]
    return Us(_free(control, time) + time.left)


def run(control: TimeControl, clocks: Clocks, span: Us) -> Clocks:
    """Take `span` off the holder's time. `span` must not be longer than `lasts`."""
    if clocks.holder is None:
        return clocks
    time = clocks[clocks.holder]
    costs = max(0, span - _free(control, time))
    spent = replace(time, left=Us(max(0, time.left - costs)), spent=Us(time.spent + span))
    return clocks.having(clocks.holder, spent)


def hand_over(control: TimeControl, clocks: Clocks, to: Side | None, *, afresh: bool) -> Clocks:
    """Give the clock to a side, or to nobody with None; `afresh` starts a new turn."""
    if clocks.holder is to:
        return clocks
    if clocks.holder is not None and control.kind is ClockKind.BRONSTEIN:
        clocks = _refund(control, clocks, clocks.holder, 1)
    clocks = replace(clocks, holder=to)
    if to is None:
        return clocks
    if afresh:
        gains = control.a_turn if control.kind is ClockKind.FISCHER else 0
        time = clocks[to]
        return clocks.having(to, replace(time, left=Us(time.left + gains), spent=NOTHING))
    return _refund(control, clocks, to, -1) if control.kind is ClockKind.BRONSTEIN else clocks


def expire(control: TimeControl, clocks: Clocks) -> Clocks | None:
    """Begin the holder's overtime after its flag fell; None if it has none, and so loses."""
    if clocks.holder is None or not control.overtime or clocks[clocks.holder].overtime:
        return None
    time = replace(clocks[clocks.holder], left=control.overtime, overtime=True)
    return clocks.having(clocks.holder, time)


def free(control: TimeControl, clocks: Clocks, side: Side) -> Us:
    """Return the rest of a side's delay in this turn; 0 unless it holds the clock."""
    return _free(control, clocks[side]) if clocks.holder is side else NOTHING


def _free(control: TimeControl, time: SideTime) -> Us:
    if control.kind is not ClockKind.DELAY:
        return NOTHING
    return Us(max(0, control.a_turn - time.spent))


def _refund(control: TimeControl, clocks: Clocks, side: Side, way: int) -> Clocks:
    """Return Bronstein's refund at the end of a turn; take it back (`way` -1) if the turn
    continues."""
    time = clocks[side]
    gift = way * min(time.spent, control.a_turn)
    return clocks.having(side, replace(time, left=Us(time.left + gift)))
