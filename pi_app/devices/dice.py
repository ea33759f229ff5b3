"""Dice rolled with the operating system's entropy: all faces are equally likely, and no seed makes
them predictable."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from pi_app.base.microseconds import Us
from pi_app.referee.effects import AskRoll
from pi_app.referee.events import Rolled, RollSource
from pi_app.rules.terms import Roll

_FACES = 6


class Dice:
    """Rolls dice. A source other than the system's entropy is for tests and seeded play."""

    def __init__(self, source: random.Random | None = None) -> None:
        self._source = source or random.SystemRandom()

    def roll(self, dice: int) -> Roll:
        return Roll.of(*(self._source.randint(1, _FACES) for _ in range(dice)))

    def answer(self, asked: AskRoll, us: Us) -> Rolled:
        """Return the event that the referee asked for: a new roll, or the one that was shown
        before."""
        if asked.rolled:
            return replace(asked.rolled, us=us)
        return Rolled(us, self.roll(asked.dice), asked.by, RollSource.DEVICE)


class ChosenDice(Dice):
    """Dice whose faces are chosen, as for the tour."""

    def __init__(self, choose: Callable[[], Roll]) -> None:
        super().__init__()
        self._choose = choose

    def roll(self, dice: int) -> Roll:
        return self._choose()
