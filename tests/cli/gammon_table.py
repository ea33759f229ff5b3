"""Players of a Backgammon match, who note what a `.mat` file of it should tell."""

from __future__ import annotations

from typing import Any

from any_table import AnyTable

from pi_app.export.mat import mat_lines
from pi_app.match.acts import Act
from pi_app.match.turns import OVER, Phase
from pi_app.rules.tables.ids import write_position_id

BEGAN = "2026-03-01T20:15"

MatEntry = tuple[str, str, str | None, str | None]
"""The act, the side, the roll, and the position ID before it."""


class GammonMatch(AnyTable):
    """A Backgammon match; `told` lists the expected entries of each game."""

    def __init__(self, match_to: int | None, seed: int = 1, **options: bool) -> None:
        super().__init__("backgammon", match_to, seed, **options)
        self.told: list[list[MatEntry]] = [[]]
        self._undo: dict[tuple[str, str | None], int] = {}

    @property
    def roll(self) -> str | None:
        return self.view.roll

    def lines(self) -> list[str]:
        return list(mat_lines(self.kept, BEGAN))

    def notes(self, what: str, dice: str | None = None) -> None:
        identifier = write_position_id(self.position) if dice else None
        self.told[-1].append((what, self.view.to_act.value, dice, identifier))

    def plays_to(self, after: Any) -> None:
        self._undo[(self.view.position, self.roll)] = len(self.told[-1])
        self.notes("move", self.roll)
        known = len(self.decided)
        super().plays_to(after)
        self.told[-1] += [
            (each.what.value, each.by.value, None, None)
            for each in self.decided[known:]
            # What was offered and taken before a takeback comes again with its roll.
            if each.by and each.again and each.what in (Act.DOUBLE, Act.TAKE)
        ]

    def presses(self, *press: Any) -> None:
        if self.view.phase is Phase.MOVING and not self.view.moves_exist:
            self.notes("move", self.roll)
        if self.view.phase is Phase.GAME_OVER:
            self.told.append([])
            self._undo = {}
        super().presses(*press)

    def doubles(self, taken: bool) -> None:
        self.notes("double")
        self.taps(Act.DOUBLE)
        self.notes("take" if taken else "drop")
        self.taps(Act.TAKE if taken else Act.PASS)

    def doubles_after(self, play: str, taken: bool) -> None:
        self.plays(play)
        self.doubles(taken)

    @property
    def may_take_back(self) -> bool:
        return Act.TAKE_BACK in self.view.offers and bool(self._undo)

    def takes_back(self) -> None:
        self.taps(Act.TAKE_BACK)
        del self.told[-1][self._undo[(self.view.position, self.roll)] :]
        self.shows(self.position)

    def plays_on(self, until: int) -> None:
        """Play at random until the game has this many entries or ends."""
        while len(self.told[-1]) < until and self.view.phase not in OVER:
            self.goes_on()

    def rolls_next(self) -> None:
        """Continue until somebody is to roll."""
        self.plays_until(Phase.TO_ROLL)

    def plays_until(self, phase: Phase) -> None:
        while self.view.phase not in (phase, *OVER):
            self.goes_on()
