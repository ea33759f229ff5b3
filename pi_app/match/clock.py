"""The chess clock of a match, as values: the time left to each side, and the cost of a moment.

Sources: club practice; FIDE Laws, guidelines III.3 (delay and cumulative modes).

Simple delay: the reserve stops for a time whenever a side gets the clock. Bronstein: the reserve
runs at once, and at the end of the turn the used part of the delay comes back. Fischer: an
increment is added whenever a side gets the clock. Only the flag of the side with the clock can
fall, at the microsecond at which nothing is left.

An undo returns no time. After an interruption (a resignation refused, an undo, a redo) the turn
continues with the time it has used: without a new delay or increment, so that nobody gains time by
it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from pi_app.base.microseconds import Us
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

    `overtime` is granted once, when the flag first falls; with 0 the first flag loses.
    `runs_amiss`: the clock runs during corrections after a warning.
    """

    kind: ClockKind
    reserve: Us
    a_turn: Us = NOTHING
    overtime: Us = NOTHING
    runs_amiss: bool = True


@dataclass(frozen=True, slots=True)
class SideTime:
    """A side's time left, the time used in its latest turn, and whether it is in overtime."""

    left: Us
    spent: Us = NOTHING
    overtime: bool = False


@dataclass(frozen=True, slots=True)
class Clocks(Both[SideTime]):
    """Both sides' time, and who holds the clock: whose time runs while it runs."""

    holder: Side | None = None


def full(control: TimeControl) -> Clocks:
    """The clock before the first turn: nobody has it."""
    return Clocks(SideTime(control.reserve), SideTime(control.reserve))


def lasts(control: TimeControl, clocks: Clocks) -> Us | None:
    """Time until the holder's flag falls; None if nobody has the clock."""
    if clocks.holder is None:
        return None
    time = clocks[clocks.holder]
    return Us(_free(control, time) + time.left)


def run(control: TimeControl, clocks: Clocks, span: Us) -> Clocks:
    """The clocks after the holder's has run for so long, which is at most as long as it lasts."""
    if clocks.holder is None:
        return clocks
    time = clocks[clocks.holder]
    costs = max(0, span - _free(control, time))
    spent = replace(time, left=Us(max(0, time.left - costs)), spent=Us(time.spent + span))
    return clocks.having(clocks.holder, spent)


def hand_over(control: TimeControl, clocks: Clocks, to: Side | None, *, afresh: bool) -> Clocks:
    """Give the clock to a side, or with None to nobody; `afresh` starts a new turn."""
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
    """The holder's flag has fallen: its overtime begins, or by None the match is lost."""
    if clocks.holder is None or not control.overtime or clocks[clocks.holder].overtime:
        return None
    time = replace(clocks[clocks.holder], left=control.overtime, overtime=True)
    return clocks.having(clocks.holder, time)


def free(control: TimeControl, clocks: Clocks, side: Side) -> Us:
    """The rest of a side's delay in this turn, if it has the clock."""
    return _free(control, clocks[side]) if clocks.holder is side else NOTHING


def _free(control: TimeControl, time: SideTime) -> Us:
    if control.kind is not ClockKind.DELAY:
        return NOTHING
    return Us(max(0, control.a_turn - time.spent))


def _refund(control: TimeControl, clocks: Clocks, side: Side, way: int) -> Clocks:
    """Bronstein's refund at the end of a turn, negative if the turn continues."""
    time = clocks[side]
    gift = way * min(time.spent, control.a_turn)
    return clocks.having(side, replace(time, left=Us(time.left + gift)))
