"""Hands over a board in virtual time."""

from __future__ import annotations

import random

from known import find_game, load_board
from lab.hands import Habits, Hands, Script, arrange, stands

from pi_app.base.microseconds import Us, ms
from pi_app.devices.gpio import open_factory
from pi_app.referee.events import Event
from pi_app.sensing.noise import PUBLISHED, Noise, NoiseModel
from pi_app.simulator.reeds import NONE, Faults, LyingCheckers, Piled, SimulatedReeds
from pi_app.simulator.source import open_simulated

OFTEN = Habits(think=0.3, fast=0.3, gap=0.5)
RESTLESS = PUBLISHED.but(
    {Noise.SLIDE: 0.8, Noise.BRUSH: 0.8, Noise.REST: 0.4, Noise.ROCK: 0.5, Noise.PUSH: 0.5}
)


class Handwork:
    """A board, its true checkers, and hands that do all they can."""

    def __init__(
        self,
        game: str,
        board: str,
        seed: int,
        habits: Habits = OFTEN,
        noise: NoiseModel = RESTLESS,
        faults: Faults = NONE,
    ) -> None:
        self.now = Us(0)
        self.game, self.board = find_game(game), load_board(board)
        self.rng = random.Random(seed)
        self.heard: list[Event] = []
        factory = open_factory("mock")
        devices = open_simulated(self.board, factory, lambda: self.now, self.heard.append)
        self._source = devices.source
        self.reeds = SimulatedReeds(self.board, factory, faults, self.rng, devices.drive_cell)
        self.checkers = LyingCheckers(self.board, self.game, self.reeds)
        self.hands = Hands(
            self.board, self.checkers, self.reeds, self.rng, lambda: self.now, habits, noise
        )

    def do(self, script: Script) -> None:
        """Let the hands do it, and the reeds come to rest."""
        for wait in script:
            self.wait(wait)
        self.wait(ms(500))

    def wait(self, wait: Us) -> None:
        """Let time pass."""
        end = Us(self.now + wait)
        while (due := self._next()) is not None and due <= end:
            self.now = max(self.now, due)
            self.reeds.agenda.run(self.now)
            self._source.advance(self.now)
        self.now = end

    def set_to(self, text: str) -> None:
        """Bring the board to a position."""
        self.do(arrange(self.hands, self._layout(text)))
        assert self.shows(text)
        self.hands.trace.forget()

    def shows(self, text: str) -> bool:
        """Whether the checkers lie so, and the reeds tell where."""
        seen = self._source.picture().closed == self.checkers.closed
        return seen and stands(self.checkers, self._layout(text))

    def _layout(self, text: str) -> Piled:
        return self.checkers.layout(self.game.checkers_at(self.game.read_position(text)))

    def _next(self) -> Us | None:
        times = (self.reeds.agenda.due, self._source.due)
        return min((time for time in times if time is not None), default=None)
