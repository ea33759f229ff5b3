"""Dice thrown by the operating system's entropy: every face alike, no seed, nothing to predict."""

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
    """Throws dice; another source than the system's entropy is for tests and seeded play."""

    def __init__(self, source: random.Random | None = None) -> None:
        self._source = source or random.SystemRandom()

    def roll(self, dice: int) -> Roll:
        return Roll.of(*(self._source.randint(1, _FACES) for _ in range(dice)))

    def answer(self, asked: AskRoll, us: Us) -> Rolled:
        """The event that answers the referee's asking: a fresh roll, or the one that was shown."""
        if asked.rolled:
            return replace(asked.rolled, us=us)
        return Rolled(us, self.roll(asked.dice), asked.by, RollSource.DEVICE)


class ChosenDice(Dice):
    """Dice that are not thrown."""

    def __init__(self, choose: Callable[[], Roll]) -> None:
        super().__init__()
        self._choose = choose

    def roll(self, dice: int) -> Roll:
        return self._choose()
