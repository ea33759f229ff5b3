"""The clocks as they are shown: a small value that stays the same while time runs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.microseconds import Us, ms
from pi_app.rules.terms import Both, Side

TENTHS = ms(10_000)
"""Below this tenths of a second are shown."""
LOW = ms(30_000)
"""Below this a side that has to act is short of time."""
SECOND, TENTH = ms(1000), ms(100)


@dataclass(frozen=True, slots=True)
class ClockHand:
    """What one side has left, and since when it is in overtime or not.

    While it runs, `falls` is when its flag falls; before its delay is over `left` stands.
    """

    left: Us
    overtime: bool = False
    falls: Us | None = None

    def left_at(self, us: Us) -> Us:
        """What is left at a moment of the match."""
        if self.falls is None:
            return self.left
        return Us(max(0, min(self.left, self.falls - us)))


@dataclass(frozen=True, slots=True)
class ClockFace(Both[ClockHand]):
    """Both clocks; `holder` has it, and it `runs` or stands with so much of the `delay` left."""

    holder: Side | None = None
    runs: bool = False
    delay: Us = Us(0)

    def delay_at(self, side: Side, us: Us) -> Us:
        """What is left of a side's delay at a moment of the match."""
        if side is not self.holder:
            return Us(0)
        hand = self[side]
        return self.delay if hand.falls is None else Us(max(0, hand.falls - hand.left - us))

    def at(self, us: Us) -> ClockFace:
        """What it shows at a moment of the match, to the second or tenth that is shown."""
        holder = self.holder or Side.WHITE
        white, black = (ClockHand(shown(hand.left_at(us)), hand.overtime) for hand in self)
        delay = Us(-(-self.delay_at(holder, us) // SECOND) * SECOND)
        return replace(self, white=white, black=black, delay=delay)


def shown(left: Us) -> Us:
    """A time as it is shown: rounded up, so that nothing is left when it shows nothing."""
    step = SECOND if left >= TENTHS else TENTH
    return Us(-(-left // step) * step)


def told(left: Us) -> str:
    """A time in figures: 1:02:05, 2:05, 0:30 or 9.8."""
    left = shown(left)
    if left < TENTHS:
        return f"{left // SECOND}.{left % SECOND // TENTH}"
    minutes, seconds = divmod(left // SECOND, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
