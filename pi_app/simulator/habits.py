"""How often simulated people err, dither, double and take back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Temper:
    """How often people do what, as shares from 0 to 1.

    `tidy`: an opponent's checker that was displaced is put back before a legal play is made.
    """

    attempt: float = 0.04
    tidy: float = 0.99
    before_roll: float = 0.01
    early: float = 0.01
    twice: float = 0.02
    blind: float = 0.3
    other_play: float = 0.06
    adjust: float = 0.1
    take_back: float = 0.005
    double: float = 0.06
    take: float = 0.7
    resign: float = 0.004
    tap: float = 0.3
