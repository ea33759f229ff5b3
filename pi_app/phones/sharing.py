"""What the loop and the phones' thread hand each other: what is shown, and what was touched."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from threading import Lock

from pi_app.base.microseconds import Us
from pi_app.screen.ui import Shown
from pi_app.user.commands import Output

MOST_WAITING = 200
"""The most outputs that wait for the loop; it takes them 20 times a second."""


class Exchange:
    """Belongs to both threads. Neither ever waits for the other."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._outputs: deque[Output] = deque()
        self._rounds = 0
        self._shown: tuple[Shown, int] | None = None

    @property
    def shown(self) -> tuple[Shown, int] | None:
        """What is shown, and the round of the loop after which it was."""
        return self._shown

    def show(self, shown: Shown, now: Us) -> bool:
        """Show this from now on. Return whether it differs, of a running clock only its digits."""
        seen = replace(shown, view=shown.view.at(now)) if shown.view else shown
        before, self._shown = self._shown, (seen, self._rounds)
        return before != self._shown

    def take(self) -> tuple[Output, ...]:
        """Return all outputs; what is shown next will have carried them out."""
        if not self._outputs:
            return ()
        with self._lock:
            taken = tuple(self._outputs)
            self._outputs.clear()
            self._rounds += 1
        return taken

    def give(self, outputs: tuple[Output, ...]) -> int:
        """Hand outputs to the loop. Return the round after which they are carried out; they are
        dropped if too many wait."""
        with self._lock:
            if len(self._outputs) + len(outputs) <= MOST_WAITING:
                self._outputs.extend(outputs)
            return self._rounds + bool(self._outputs)
