"""Blinking and beeping as functions of time, so that no light and no beep needs a thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType

from pi_app.microseconds import Us, ms
from pi_app.referee.effects import Cue

BLINK = ms(250)
"""How long a blinking light is on, and how long off."""

BEEPS: Mapping[Cue, tuple[int, ...]] = MappingProxyType(
    {
        Cue.ROLL: (30,),
        Cue.LEGAL: (60,),
        Cue.WRONG: (250, 100, 250),
        Cue.DOUBLE: (80, 80, 80),
        Cue.FANFARE: (80, 60, 80, 60, 300),
        Cue.WON: (400,),
    }
)
"""How each cue sounds on a buzzer with one tone: milliseconds on, off, on …"""


@dataclass(frozen=True, slots=True)
class Blink:
    """A light that blinks from `start` on, beginning with light."""

    start: Us

    def is_on(self, us: Us) -> bool:
        return self._half(us) % 2 == 0

    def next_change(self, us: Us) -> Us:
        return Us(self.start + (self._half(us) + 1) * BLINK)

    def _half(self, us: Us) -> int:
        return (us - self.start) // BLINK


@dataclass(frozen=True, slots=True)
class Beep:
    """A beep from `start` on, of lengths in milliseconds: on, off, on …"""

    start: Us
    lengths: tuple[int, ...]

    def is_on(self, us: Us) -> bool:
        ended = sum(end <= us for end in self._ends())
        return ended < len(self.lengths) and ended % 2 == 0

    def next_change(self, us: Us) -> Us | None:
        """When it next changes; None once it is over."""
        return next((end for end in self._ends() if end > us), None)

    def _ends(self) -> tuple[Us, ...]:
        return tuple(Us(self.start + ms(end)) for end in accumulate(self.lengths))
