"""Short and long presses of a die button, made from its raw edges and their times.

A short press is told when the button is let go before the long time; a long one the moment that
time is reached with the button still down, and its release then tells nothing.
"""

from __future__ import annotations

from pi_app.referee.events import Ms, Press

LONG_MS = 1000
DEBOUNCE_MS = 5


class Presses:
    """One button; `down` is its state at the start, and a press under way by then does not count.

    A change counts once the contact has been steady for `debounce_ms`; it then counts from its
    last edge on, so debouncing never makes a press longer or shorter.
    """

    def __init__(
        self, long_ms: float = LONG_MS, debounce_ms: float = DEBOUNCE_MS, down: bool = False
    ) -> None:
        self._long_ms = long_ms
        self._debounce_ms = debounce_ms
        self._raw = self._steady = down
        self._changed = Ms(0)
        self._began: Ms | None = None

    @property
    def due(self) -> Ms | None:
        """When `advance` may tell something next; None while the button rests."""
        if self._raw != self._steady:
            return Ms(self._changed + self._debounce_ms)
        return None if self._began is None else Ms(self._began + self._long_ms)

    def edge(self, ms: Ms, down: bool) -> Press | None:
        """Take one raw edge; gives back the press that was complete before it."""
        press = self.advance(ms)
        if down != self._raw:
            self._raw, self._changed = down, ms
        return press

    def advance(self, ms: Ms) -> Press | None:
        """Let time pass up to `ms`; gives back the press that has become complete."""
        if self._raw != self._steady and ms >= self._changed + self._debounce_ms:
            self._steady = self._raw
            if not self._steady:
                return self._ended(Press.SHORT)
            self._began = self._changed
        held = self._steady and self._raw
        if held and self._began is not None and ms >= self._began + self._long_ms:
            return self._ended(Press.LONG)
        return None

    def _ended(self, press: Press) -> Press | None:
        told = self._began is not None
        self._began = None
        return press if told else None
