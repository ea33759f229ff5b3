"""Whoever plays the side that nobody plays at this board."""

from __future__ import annotations

from collections.abc import Sequence

from pi_app.match.score import Agreement
from pi_app.microseconds import Us
from pi_app.referee.effects import Effect
from pi_app.referee.events import MachineActs, Rolled
from pi_app.referee.referee import Referee


class OtherSide:
    """A player of the machine, or another board. It never waits.

    One that `writes` sends letters about decisions once they are on the disk.
    """

    writes = False

    @property
    def due(self) -> Us | None:
        """When it has something to do next."""
        return None

    @property
    def trouble(self) -> str | None:
        """What is wrong with it, or waited for, in one line."""
        return None

    def warm(self, agreement: Agreement) -> None:
        """The match begins or goes on."""

    def decide(self, referee: Referee, us: Us) -> MachineActs | Rolled | None:
        """What it does now, if anything."""
        raise NotImplementedError

    def refuse(self, error: Exception) -> None:
        """What it decided cannot be."""
        raise error

    def learn(self, effects: Sequence[Effect]) -> None:
        """This has happened here."""

    def answer(self, *, yes: bool) -> None:
        """The people here agree to what it asked, or not."""

    def carry(self, us: Us, unkept: str | None) -> None:
        """Write and send letters, but none about what is `unkept`."""

    def close(self) -> None:
        """The match is over, or left."""
