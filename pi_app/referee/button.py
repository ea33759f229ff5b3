"""When a press of the die button counts: it waits for bouncing reeds, and a slip of the finger does
nothing.

A second press right after one that did something is the other half of a double press or the bounce
of letting go: it would roll for an opponent who may double, or take the double for him.
"""

from __future__ import annotations

from pi_app.microseconds import Us, ms
from pi_app.referee.events import Button

PRESS_WAIT = ms(100)
"""A press waits so long at most for a bouncing reed."""
SLIP = ms(400)
"""Sooner after what did something, the same again is a slip and does nothing."""
LATE = ms(4000)
"""Sooner after the last play has counted by itself, a press was meant to hand that play over."""


class DieButton:
    """The presses that wait, in their order, and when the last things were done."""

    def __init__(self) -> None:
        self._waiting: tuple[Button, ...] = ()
        self._done: Us | None = None
        self._counted: Us | None = None

    @property
    def due(self) -> Us | None:
        """When the first press waits no longer."""
        return Us(self._waiting[0].us + PRESS_WAIT) if self._waiting else None

    def wait(self, press: Button) -> None:
        """A press that `ripe` gives back when its time has come."""
        self._waiting = (*self._waiting, press)

    def ripe(self, now: Us, bouncing: bool) -> Button | None:
        """The next press to be obeyed now."""
        if not self._waiting or (bouncing and now < self._waiting[0].us + PRESS_WAIT):
            return None
        press, *waiting = self._waiting
        self._waiting = tuple(waiting)
        return press

    def did(self, press: Button) -> None:
        """The press did something."""
        self._done = press.us

    def counted(self, us: Us | None) -> None:
        """When the play that ended a game has counted without a press; None once that is past."""
        self._counted = us

    def is_slip(self, press: Button) -> bool:
        """Whether another press did something just before."""
        return is_slip(press.us, self._done)

    def is_late(self, press: Button) -> bool:
        """Whether the press was meant for the play that has just counted by itself."""
        return self._counted is not None and press.us < self._counted + LATE


def is_slip(us: Us, done: Us | None) -> bool:
    """Whether something is done again too soon to be meant."""
    return done is not None and us < done + SLIP
