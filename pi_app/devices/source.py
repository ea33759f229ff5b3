"""What the program needs of a board with sensors, whatever carries their signals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from pi_app.devices.presses import DEBOUNCE, LONG
from pi_app.errors import FailedError
from pi_app.microseconds import Us
from pi_app.referee.effects import Cue
from pi_app.referee.events import Event, Picture
from pi_app.rules.terms import Spot

SENSORS = "sensors"
"""What a board's sensors are called when they are lost or found."""

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
    """A device that cannot be used: `what` says which and why, `mend` what to do about it."""

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
