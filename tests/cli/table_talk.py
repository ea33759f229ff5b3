"""Two players at a Nannon board, as events: what they do depends on what the referee shows."""

from __future__ import annotations

from any_table import AnyTable

from pi_app.match.turns import Phase
from pi_app.referee.events import Rolled, RollSource, SensorEdge, Tick
from pi_app.rules.terms import Roll, Side
from pi_app.sensing.description import Sensor


class NannonTable(AnyTable):
    """A match of Nannon, every checker of it lifted and set down."""

    def __init__(self, match_to: int | None, seed: int = 1) -> None:
        super().__init__("nannon", match_to, seed)

    def types(self, face: int, by: Side) -> None:
        self.does(Rolled(self.later(1), Roll.of(face), by, RollSource.TYPED))

    def moves(self) -> None:
        """A legal play, HOME's first and then the lowest spot's: lift, hit, set down."""
        text = min(self.view.legal, key=lambda play: (not play.startswith("HOME"), play))
        play = self.game.read_play(self.position, text)
        for move in self.game.moves(self.position, play):
            self._feels(str(move.origin), False)
            if move.hit:
                self._feels(str(move.target), False)
            self._feels(str(move.target), True)
        self.does(Tick(self.later(500)))

    def goes_on(self) -> None:
        """Whatever the players would do next."""
        if self.view.phase is Phase.MOVING and self.view.play is None:
            self.moves()
            self.presses()
        else:
            super().goes_on()

    def goes_on_without_the_last_press(self) -> None:
        """The same, but a play that ends the game is left to count by itself."""
        if self.view.phase is not Phase.MOVING or not self.view.moves_exist:
            self.goes_on()
            return
        self.moves()
        after = self.view.after
        if after is not None and self.game.outcome(self.game.read_position(after)):
            self.later(10_000)
        self.presses()

    def plays_until(self, phase: Phase, most: int = 2000) -> None:
        for _ in range(most):
            if self.view.phase is phase:
                return
            self.goes_on()
        raise AssertionError(f"never came to {phase.value}")

    def _feels(self, spot: str, closed: bool) -> None:
        if spot in self.board.sensors:
            self.does(SensorEdge(self.later(200), Sensor(spot), closed))
