"""A simulated board for one mouse: checkers that are dragged, a die button, lights that are read.

To be made after the board's inputs have been opened, for opening pulls every pin up.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from pi_app.board.description import Board
from pi_app.rules.registry import find_game
from pi_app.rules.terms import Side, Spot
from pi_app.simulator.checkers import Checkers, box
from pi_app.simulator.faults import DEFAULT, Faults
from pi_app.simulator.reeds import Agenda, Contacts, SimulatedReeds


class SimulatedTable:
    """The board, its checkers and what the mouse does to them; times are those of the match.

    Edges fall due with time: call `advance` before the program takes its events.
    """

    def __init__(
        self, board: Board, factory: Any, rng: random.Random, faults: Faults = DEFAULT
    ) -> None:
        self.board = board
        self.held: Side | None = None
        self.button_down = False
        self._origin: Spot | None = None
        self._over: Spot | None = None
        self._agenda = Agenda()
        self._reeds = SimulatedReeds(board, factory, self._agenda, faults, rng)
        self._game = find_game(board.games[0])
        self._checkers = Checkers(board, self._game, self._reeds)
        self._lights = {
            place.spot: factory.pin(place.light)
            for place in board.places
            if place.light is not None
        }
        buttons: dict[str, Any] = {str(b.pin): factory.pin(b.pin) for b in board.buttons}
        self._buttons = Contacts(buttons, self._agenda, faults.bounce_ms, rng)
        self.set_out(0)

    @property
    def standing(self) -> Mapping[Spot, tuple[Side, ...]]:
        """What lies on each spot, the checker in the hand excepted."""
        return {spot: self._checkers.at(spot) for spot in self._checkers.spots}

    @property
    def lit(self) -> frozenset[Spot]:
        """The spots whose light is on."""
        return frozenset(spot for spot, pin in self._lights.items() if pin.state)

    @property
    def lying(self) -> frozenset[Spot]:
        """The spots whose reed does not show what lies there: nudge them."""
        lying = set(self._reeds.lying)
        return frozenset(p.spot for p in self.board.places if {r.name for r in p.reeds} & lying)

    def advance(self, ms: float) -> bool:
        """Play the edges that are due by now; whether there were any."""
        due = self._agenda.due
        self._agenda.run(ms)
        return due is not None and due <= ms

    def set_out(self, ms: float) -> None:
        """Every checker to where a game begins."""
        self._let_go(ms)
        for spot in self._game.spots:
            while self._checkers.at(spot):
                side = self._checkers.lift(ms, spot)
                self._checkers.drop(ms, box(side), side)
        start = self._game.checkers_at(self._game.start(Side.WHITE))
        for spot, stack in start.items():
            for side in stack:
                self._checkers.lift(ms, box(side))
                self._checkers.drop(ms, spot, side)

    def take(self, ms: float, spot: Spot) -> None:
        """Take the top checker of a spot into the hand; nothing where none lies."""
        if self.held is None and self._checkers.at(spot):
            self.held, self._origin = self._checkers.lift(ms, spot), spot

    def hover(self, ms: float, spot: Spot | None) -> None:
        """The hand is over a spot, or between spots: a held checker closes a free spot's reed."""
        if spot == self._over or self.held is None:
            return
        self._leave(ms)
        self._over = spot
        sensor = self._checkers.top_sensor(spot, free=True) if spot else None
        if sensor is not None:
            self._reeds.put(ms, sensor, slid=True)

    def put(self, ms: float, spot: Spot | None) -> None:
        """Set the held checker down; where there is no room it goes back to where it was."""
        if self.held is None or self._origin is None:
            return
        self.hover(ms, spot)
        target = spot if spot is not None and self._has_room(spot) else self._origin
        if target != self._over:
            self._leave(ms)
        self._over = None
        self._checkers.drop(ms, target, self.held)
        self.held = self._origin = None

    def nudge(self, ms: float, spot: Spot) -> None:
        """Rock what lies on a spot."""
        for sensor in self._checkers.sensors_of(spot):
            self._reeds.nudge(ms, sensor)

    def button(self, ms: float, down: bool, side: Side | None = None) -> None:
        """The die button goes down or up; `side` on boards with a button a side."""
        if down is self.button_down:
            return
        self.button_down = down
        pins = [str(b.pin) for b in self.board.buttons if side is None or b.side in (None, side)]
        self._buttons.switch(ms, pins[0], down)

    def _has_room(self, spot: Spot) -> bool:
        sensors = self._checkers.sensors_of(spot)
        return not sensors or len(self._checkers.at(spot)) < len(sensors)

    def _leave(self, ms: float) -> None:
        """The held checker goes off the reed that it hovers over."""
        sensor = self._checkers.top_sensor(self._over, free=True) if self._over else None
        if sensor is not None:
            self._reeds.take(ms, sensor, slid=True)
        self._over = None

    def _let_go(self, ms: float) -> None:
        if self.held is not None:
            self.put(ms, None)
