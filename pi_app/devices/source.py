"""The interface of a board with sensors; and presses, made from a button's edges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from pi_app.base.errors import FailedError
from pi_app.base.microseconds import Us, ms
from pi_app.base.values import dataclass
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
"""A press that begins this soon after a long press is ignored, because the finger slipped off."""


class Presses:
    """The presses of one button; `down` is its state at the start. A press that is held at the
    start does not count.

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
        """When `advance` may return something; None while the button is at rest."""
        if self._raw != self._steady:
            return Us(self._changed + self._debounce)
        return None if self._began is None else Us(self._began + self._long)

    def edge(self, us: Us, down: bool) -> Press | None:
        """Take one raw edge. Return the press that was complete before it."""
        press = self.advance(us)
        if down != self._raw:
            self._raw, self._changed = down, us
        return press

    def advance(self, us: Us) -> Press | None:
        """Let time pass. Return the press that has become complete."""
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
        began = self._began is not None
        self.completed = at
        self._began = None
        return press if began else None


# The interface of a board with sensors, independent of its wiring.

SENSORS = "sensors"
"""The name of a board's sensors in lost and found events."""

Clock: TypeAlias = Callable[[], Us]
Stamp: TypeAlias = Callable[[float], Us]
"""Converts the kernel's seconds of an edge to the match's clock."""
Put: TypeAlias = Callable[[Event], None]
"""Puts an event on the queue; called from any thread."""


@dataclass(frozen=True, slots=True)
class Timing:
    """When a press is long, how long a contact must be steady, and the conversion of edges' times.

    Without `stamp` an edge has the time of its callback.
    """

    long_press: Us = LONG
    debounce: Us = DEBOUNCE
    stamp: Stamp | None = None


USUAL = Timing()


class DeviceError(FailedError, RuntimeError):
    """A device that cannot be used: `what` says which and why, `remedy` what to do."""

    def __init__(self, what: str, remedy: str) -> None:
        self.what = what
        self.remedy = remedy
        super().__init__(f"{what}; {remedy}")


class SensorSource(Protocol):
    """A board's sensors, buttons, lights and buzzer.

    It puts edges of sensors on the queue by itself. Everything that takes time (a long press, a
    blinking light, a beep) happens in `advance`, which the program's loop calls.
    """

    def picture(self) -> Picture:
        """Read the state of all sensors now. Raises DeviceError if they cannot be read.

        Call it at the start and now and then: a switch that is closed at the start makes no edge,
        and an edge can be lost.
        """

    def read_levels(self, spots: frozenset[Spot]) -> None:
        """Put a `LevelsRead` event of these spots' places on the queue soon, if this board can."""

    def lights(self, lit: frozenset[Spot], blinking: frozenset[Spot]) -> None:
        """Light these spots: steady where a checker may go, blinking where something is wrong."""

    def beep(self, cue: Cue) -> None:
        """Start a short beep; it replaces one that still sounds."""

    @property
    def due(self) -> Us | None:
        """When `advance` has something to do next; None if there is nothing."""

    def advance(self, us: Us) -> None:
        """Let time pass: put presses on the queue, switch lights and buzzer."""

    def status(self) -> tuple[str, ...]:
        """The state of the board's electronics, in short lines for people; empty if all is well."""

    def close(self) -> None:
        """Release everything that was opened; may be called twice."""
