"""The chess clock of a match, as values: what each side has left, and what a moment costs.

Sources: the customs of clubs; FIDE Laws, guidelines III.3 (delay and cumulative modes).

Simple delay: the reserve stands for so long each time a side gets the clock.  Bronstein: it runs at
once, and as much of that as the turn took comes back when the clock is handed over.  Fischer: so
much is added each time a side gets the clock.  Nobody's flag falls but that of the side that holds
the clock, at the very microsecond at which nothing is left.

Time that was spent stays spent.  A side that gets the clock back in a turn that was interrupted (a
resignation refused, a takeback, its undoing) goes on with what it has used in its latest turn: no
new delay and no new increment, so that nobody gains time by offering or taking back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from pi_app.microseconds import Us
from pi_app.rules.terms import Both, Side

NOTHING = Us(0)


class ClockKind(Enum):
    """What happens to the reserve in a turn."""

    NONE = "none"
    """There is no clock."""
    PLAIN = "plain"
    DELAY = "delay"
    BRONSTEIN = "bronstein"
    FISCHER = "fischer"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How a match is timed: each side's reserve, and a turn's delay or increment.

    `overtime` is what the first expiry gives, once; with none the first one loses.  `runs_amiss`:
    the clock runs while the board is put right after a warning.
    """

    kind: ClockKind
    reserve: Us
    a_turn: Us = NOTHING
    overtime: Us = NOTHING
    runs_amiss: bool = True


@dataclass(frozen=True, slots=True)
class SideTime:
    """What a side has left, what it has used in its latest turn, and whether it is in overtime."""

    left: Us
    spent: Us = NOTHING
    overtime: bool = False


@dataclass(frozen=True, slots=True)
class Clocks(Both[SideTime]):
    """Both sides' time, and who holds the clock: whose time runs while it runs."""

    holder: Side | None = None


def full(control: TimeControl) -> Clocks:
    """Before the first turn: nobody holds the clock."""
    return Clocks(SideTime(control.reserve), SideTime(control.reserve))


def lasts(control: TimeControl, clocks: Clocks) -> Us | None:
    """How long the holder's clock can run before its flag falls; None where nobody holds it."""
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
    """The clock goes to a side, or by None to nobody; `afresh` begins a new turn of that side's."""
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
    """What is left of a side's delay in this turn, if it holds the clock."""
    return _free(control, clocks[side]) if clocks.holder is side else NOTHING


def _free(control: TimeControl, time: SideTime) -> Us:
    if control.kind is not ClockKind.DELAY:
        return NOTHING
    return Us(max(0, control.a_turn - time.spent))


def _refund(control: TimeControl, clocks: Clocks, side: Side, way: int) -> Clocks:
    """Bronstein's gift at the end of a turn, or taken again because the turn goes on."""
    time = clocks[side]
    gift = way * min(time.spent, control.a_turn)
    return clocks.having(side, replace(time, left=Us(time.left + gift)))
