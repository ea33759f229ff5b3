"""The interface of a board with sensors, and presses from a button's edges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from pi_app.base.errors import FailedError
from pi_app.base.microseconds import Us, ms
from pi_app.referee.effects import Cue
from pi_app.referee.events import Event, Picture, Press
from pi_app.rules.terms import Spot

# Short and long presses of a die button, made from its raw edges and their times.
#
# A short press is told when the button is let go before the long time; a long one the moment that
# time is reached with the button still down, and its release then tells nothing, nor does what
# bounces after it.

LONG = ms(1000)
DEBOUNCE = ms(5)
LET_GO = ms(400)
"""A press that begins sooner after a long press is ignored: the finger slipped off."""


class Presses:
    """One button; `down` is its state at the start, and a press that is already held then does not
    count.

    A change counts once the contact has been steady for `debounce`, with the time of its last edge,
    so debouncing changes no press's length.
    """

    def __init__(self, long: Us = LONG, debounce: Us = DEBOUNCE, down: bool = False) -> None:
        self._long = long
        self._debounce = debounce
        self._raw = self._steady = down
        self._changed = Us(0)
        self._began: Us | None = None
        self._held_long = False
        self._let_go: Us | None = None
        self.completed = Us(0)
        """When the press that was told last was complete."""

    @property
    def due(self) -> Us | None:
        """When `advance` may tell something next; None while the button rests."""
        if self._raw != self._steady:
            return Us(self._changed + self._debounce)
        return None if self._began is None else Us(self._began + self._long)

    def edge(self, us: Us, down: bool) -> Press | None:
        """Take one raw edge; gives back the press that was complete before it."""
        press = self.advance(us)
        if down != self._raw:
            self._raw, self._changed = down, us
        return press

    def advance(self, us: Us) -> Press | None:
        """Let time pass up to `us`; gives back the press that has become complete."""
        if self._raw != self._steady and us >= self._changed + self._debounce:
            self._steady = self._raw
            if not self._steady:
                if self._held_long:
                    self._held_long, self._let_go = False, self._changed
                return self._ended(Press.SHORT, Us(self._changed + self._debounce))
            slipped = self._let_go is not None and self._changed < self._let_go + LET_GO
            self._began = None if slipped else self._changed
        held = self._steady and self._raw
        if held and self._began is not None and us >= self._began + self._long:
            self._held_long = True
            return self._ended(Press.LONG, Us(self._began + self._long))
        return None

    def _ended(self, press: Press, at: Us) -> Press | None:
        told = self._began is not None
        self.completed = at
        self._began = None
        return press if told else None


# The interface of a board with sensors, independent of its wiring.

SENSORS = "sensors"
"""The device name of a board's sensors in lost and found events."""

Clock: TypeAlias = Callable[[], Us]
Stamp: TypeAlias = Callable[[float], Us]
"""When, on the match's clock, the kernel saw an edge; it is given the seconds of the kernel's."""
Put: TypeAlias = Callable[[Event], None]
"""Takes an event into the one queue; called from any thread."""


@dataclass(frozen=True, slots=True)
class Timing:
    """When a press is long, how long a contact must be steady, and what tells when an edge was.

    Without `stamp` an edge was when its callback comes.
    """

    long_press: Us = LONG
    debounce: Us = DEBOUNCE
    stamp: Stamp | None = None


USUAL = Timing()


class DeviceError(FailedError, RuntimeError):
    """A device that cannot be used: `what` says which and why, `mend` is the remedy."""

    def __init__(self, what: str, mend: str) -> None:
        self.what = what
        self.mend = mend
        super().__init__(f"{what}; {mend}")


class SensorSource(Protocol):
    """A board's sensors, buttons, lights and buzzer.

    Edges of sensors are put on the queue by themselves; everything that takes time (a press
    held long, a blinking light, a beep) happens in `advance`, called by the program's loop.
    """

    def picture(self) -> Picture:
        """The state of all sensors now, read afresh; raises DeviceError when they are out of reach.

        To be called once at start and now and then: a switch that is closed at start makes no
        edge, and an edge can be lost.
        """

    def lights(self, lit: frozenset[Spot], blinking: frozenset[Spot]) -> None:
        """Light these spots: steady where a checker may go, blinking what to put right."""

    def beep(self, cue: Cue) -> None:
        """Start a short beep; a new one replaces the one that sounds."""

    @property
    def due(self) -> Us | None:
        """When `advance` has something to do next; None while nothing is under way."""

    def advance(self, us: Us) -> None:
        """Let time pass up to `us`: presses are put on the queue, lights and buzzer switched."""

    def status(self) -> tuple[str, ...]:
        """How the board's electronics are, in short lines for people; empty when all is well."""

    def close(self) -> None:
        """Let go of everything that was opened; may be called twice."""
