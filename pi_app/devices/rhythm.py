"""Blinking and beeping as functions of time, so that no light and no beep needs a thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType

from pi_app.referee.effects import Cue
from pi_app.referee.events import Ms

BLINK_MS = 250
"""How long a blinking light is on, and how long off."""

BEEPS: Mapping[Cue, tuple[int, ...]] = MappingProxyType(
    {
        Cue.ROLL: (30,),
        Cue.LEGAL: (60,),
        Cue.WRONG: (250, 100, 250),
        Cue.DOUBLE: (80, 80, 80),
        Cue.NANNON: (80, 60, 80, 60, 300),
        Cue.WON: (400,),
    }
)
"""How each cue sounds on a buzzer with one tone: milliseconds on, off, on …"""


@dataclass(frozen=True, slots=True)
class Blink:
    """A light that blinks from `start` on, beginning with light."""

    start: Ms

    def is_on(self, ms: Ms) -> bool:
        """Whether it is lit."""
        return self._half(ms) % 2 == 0

    def next_change(self, ms: Ms) -> Ms:
        """When it next changes."""
        return Ms(self.start + (self._half(ms) + 1) * BLINK_MS)

    def _half(self, ms: Ms) -> int:
        return int((ms - self.start) // BLINK_MS)


@dataclass(frozen=True, slots=True)
class Beep:
    """A beep from `start` on, of lengths in milliseconds: on, off, on …"""

    start: Ms
    lengths: tuple[int, ...]

    def is_on(self, ms: Ms) -> bool:
        """Whether it sounds."""
        ended = sum(end <= ms for end in self._ends())
        return ended < len(self.lengths) and ended % 2 == 0

    def next_change(self, ms: Ms) -> Ms | None:
        """When it next changes; None once it is over."""
        return next((Ms(end) for end in self._ends() if end > ms), None)

    def _ends(self) -> tuple[float, ...]:
        return tuple(self.start + end for end in accumulate(self.lengths))
