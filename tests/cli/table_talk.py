"""Two players at a Nannon board, as events: what they do depends on what the referee shows."""

from __future__ import annotations

import random

from pi_app.match.phases import Phase
from pi_app.microseconds import Us, ms
from pi_app.referee.decision import Decision
from pi_app.referee.effects import AskRoll, Keep
from pi_app.referee.events import (
    Button,
    Event,
    Picture,
    Press,
    Rolled,
    RollSource,
    SensorEdge,
    Start,
    Tick,
)
from pi_app.referee.referee import Referee
from pi_app.rules.registry import find_game
from pi_app.rules.terms import Roll, Side
from pi_app.sensing.description import Board, Sensor


class TalkTable:
    """Plays a match through a referee of its own; `events` is all that happened."""

    def __init__(self, board: Board, start: Start, seed: int = 1) -> None:
        self.referee = Referee(board, start)
        self.events: list[Event] = [start]
        self.decided: list[Decision] = []
        self._sensors = frozenset(board.sensors)
        self._chance = random.Random(seed)
        self._now = start.us

    def does(self, event: Event) -> None:
        """One event, and the roll that it may ask for."""
        self.events.append(event)
        for effect in self.referee.handle(event):
            if isinstance(effect, Keep):
                self.decided.append(effect.decision)
            if isinstance(effect, AskRoll):
                self.rolls(self._chance.randint(1, 6), effect.by)

    def after(self, time_ms: float) -> Us:
        """A time so much later."""
        self._now = ms(self._now / 1000 + time_ms)
        return self._now

    def rolls(self, face: int, by: Side, source: RollSource = RollSource.DEVICE) -> None:
        self.does(Rolled(self.after(1), Roll.of(face), by, source))

    def presses(self, press: Press = Press.SHORT) -> None:
        self.does(Button(self.after(400), press))

    def sets_up(self) -> None:
        view = self.referee.view
        closed = {Sensor(str(spot)) for spot, checkers in view.accepted.items() if checkers}
        self.does(Picture(self.after(1000), frozenset(closed & self._sensors)))

    def moves(self) -> None:
        """A legal play, HOME's first and then the lowest spot's: lift, hit, set down."""
        view = self.referee.view
        game = find_game(view.game)
        position = game.read_position(view.position)
        text = min(view.legal, key=lambda play: (not play.startswith("HOME"), play))
        play = game.read_play(position, text)
        for move in game.moves(position, play):
            self._feels(str(move.origin), False)
            if move.hit:
                self._feels(str(move.target), False)
            self._feels(str(move.target), True)
        self.does(Tick(self.after(500)))

    def goes_on(self) -> None:
        """Whatever the players would do next."""
        match self.referee.view.phase:
            case Phase.SET_UP:
                self.sets_up()
            case Phase.MOVING if self.referee.view.play is None:
                self.moves()
                self.presses()
            case _:
                self.presses()

    def goes_on_without_the_last_press(self) -> None:
        """The same, but a play that ends the game is left to count by itself."""
        view = self.referee.view
        if view.phase is not Phase.MOVING or not view.moves_exist:
            self.goes_on()
            return
        self.moves()
        game, after = find_game(view.game), self.referee.view.after
        if after is not None and game.outcome(game.read_position(after)):
            self.after(10_000)
        self.presses()

    def plays_until(self, phase: Phase, most: int = 2000) -> None:
        for _ in range(most):
            if self.referee.view.phase is phase:
                return
            self.goes_on()
        raise AssertionError(f"never came to {phase.value}")

    def _feels(self, spot: str, closed: bool) -> None:
        if Sensor(spot) in self._sensors:
            self.does(SensorEdge(self.after(200), Sensor(spot), closed))
