"""What the touches of a kept match mean to the referee of today.

The journal asks once, when a file comes from a Spotter that kept touches alone; a match whose
decisions are kept is never judged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pi_app.boards import load_board
from pi_app.referee.decision import Decision
from pi_app.referee.effects import Keep
from pi_app.referee.events import Event, Intent, Start, Tap
from pi_app.referee.lines import EventError
from pi_app.referee.referee import Referee
from pi_app.rules.contract import Games
from pi_app.strict import ConfigError


@dataclass(frozen=True, slots=True)
class Rejudging:
    """The referee of today as a `Judge` of old matches of these games."""

    games: Games

    def __call__(self, start: Start, touches: Iterable[Event]) -> Iterator[Decision]:
        """Every decision that the touches after `start` lead to; none where it cannot be."""
        try:
            referee = Referee(load_board(start.board, self.games), start)
        except (EventError, ConfigError):
            return
        for event in touches:
            try:
                effects = referee.handle(event)
                if isinstance(event, Tap) and event.intent is Intent.RESIGN:
                    # Nobody had to accept a resignation then.
                    effects += referee.handle(Tap(event.us, Intent.ACCEPT))
            except EventError:
                continue  # it was refused when it happened, too
            yield from (effect.decision for effect in effects if isinstance(effect, Keep))
