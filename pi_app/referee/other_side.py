"""The player of the side that is not played at this board."""

from __future__ import annotations

from collections.abc import Sequence

from pi_app.match.score import Agreement
from pi_app.microseconds import Us
from pi_app.referee.effects import Effect
from pi_app.referee.events import MachineActs, Rolled
from pi_app.referee.referee import Referee


class OtherSide:
    """A machine player or another board. It never waits.

    One that `writes` sends letters about decisions once they are on disk.
    """

    writes = False

    @property
    def due(self) -> Us | None:
        """When it has something to do next."""
        return None

    @property
    def trouble(self) -> str | None:
        """Its error, or what it waits for, in one line."""
        return None

    def warm(self, agreement: Agreement) -> None:
        """The match begins or goes on."""

    def decide(self, referee: Referee, us: Us) -> MachineActs | Rolled | None:
        """Its next act, if any."""
        return None

    def refuse(self, error: Exception) -> None:
        """Its decision was invalid."""
        raise error

    def learn(self, effects: Sequence[Effect]) -> None:
        """This has happened here."""

    def answer(self, *, yes: bool) -> None:
        """The players here answer its request."""

    def carry(self, us: Us, unkept: str | None) -> None:
        """Write and send letters, except about `unkept` decisions."""

    def close(self) -> None:
        """The match is over, or left."""
