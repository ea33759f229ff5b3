"""A simulated board for one mouse: checkers to drag, a die button, and lights.

Create it after the board's inputs were opened, because opening pulls every pin up.
"""

from __future__ import annotations

import random
from typing import Any

from pi_app.base.microseconds import Us, ms
from pi_app.referee.view import View
from pi_app.rules.terms import Move, RulesError, Side, Spot
from pi_app.sensing.description import Board, Sensor
from pi_app.simulator.reeds import (
    DEFAULT,
    DriveCell,
    Faults,
    LyingCheckers,
    Piece,
    SimulatedReeds,
    box,
)

SWAP = ms(150)
"""How long a hand takes to remove a hit checker, and again to set down its own."""
LEAST_PRESS = ms(100)
"""The shortest press that a finger makes, longer than any setting of the debounce."""


class SimulatedTable:
    """The board, its checkers and what the mouse does with them; times are those of the match.

    `in_hand` is the piece that the mouse holds. A spot may be given with one of its places, by its
    reed's name. `reeds` feel the checkers. Edges become due with time: call `advance` before the
    program takes its events.
    """

    def __init__(
        self,
        board: Board,
        factory: Any,
        rng: random.Random,
        faults: Faults = DEFAULT,
        drive_cell: DriveCell | None = None,
    ) -> None:
        self.board = board
        self.button_down = False
        self.in_hand: Piece | None = None
        self._from: tuple[Spot, Sensor | None] | None = None
        self._over: Sensor | None = None
        self._pressed = Us(0)
        self.reeds = SimulatedReeds(board, factory, faults, rng, drive_cell)
        self._match: object = None
        self._game = board.games.first
        self._stand = self._game.checkers_at(self._game.start(Side.WHITE))
        self.checkers = LyingCheckers(board, self._game, self.reeds)
        self._lights = {
            place.spot: factory.pin(place.light)
            for place in board.places
            if place.light is not None
        }
        self.set_out(Us(0))

    @property
    def lit(self) -> frozenset[Spot]:
        return frozenset(spot for spot, pin in self._lights.items() if pin.state)

    @property
    def lying(self) -> frozenset[Sensor]:
        """The sensors that disagree with the checker there; nudge it."""
        return frozenset(self.reeds.lying)

    def advance(self, us: Us) -> None:
        self.reeds.agenda.run(us)

    def follow(self, us: Us, view: View) -> None:
        """Set the checkers out when a match begins or resumes.

        A game that this board does not have changes nothing.
        """
        if view.game not in self.board.games:
            return
        self._game, self._stand = self.board.games[view.game], view.accepted
        match = (view.game, view.players, view.match_to, view.tour is None)
        if match != self._match:
            self._match = match
            self.set_out(us)

    def set_out(self, us: Us) -> None:
        self._let_go(us)
        for spot in self.checkers.spots:
            for piece in self.checkers.pieces(spot):
                place = self.checkers.places(spot, piece)[-1]
                self.checkers.lift(us, spot, piece, place)
        self.checkers = LyingCheckers(self.board, self._game, self.reeds)
        for spot, pieces in self.checkers.layout(self._stand).items():
            for piece in pieces:
                self.checkers.lift(us, box(piece.side), piece, None)
                self.checkers.drop(us, spot, piece, self._place_on(spot, None))

    def take(self, us: Us, spot: Spot, place: Sensor | None = None) -> None:
        """Pick up the checker on a place, or the topmost one. Does nothing on an empty place."""
        pieces = self.checkers.pieces(spot)
        if self.in_hand is not None or not pieces:
            return
        on_top, on_place = self.checkers.on_top(spot), place and self.checkers.lying_on.get(place)
        piece = on_top[-1] if on_top else on_place or pieces[-1]
        places = self.checkers.places(spot, piece)
        place = place if place in places else places[-1]
        self.checkers.lift(us, spot, piece, place)
        self.in_hand, self._from = piece, (spot, place)

    def hover(self, us: Us, spot: Spot | None, place: Sensor | None = None) -> None:
        """Move the hand. A held checker closes the reed of a free place below it."""
        over = self._place_on(spot, place) if spot else None
        if over == self._over or self.in_hand is None:
            return
        self._leave(us)
        self._over = over
        if over is not None:
            self.reeds.put(us, self.checkers.closed_by(self.in_hand, over), slid=True)

    def put(self, us: Us, spot: Spot | None, place: Sensor | None = None) -> None:
        """Set the held checker down; a checker that it hits is removed first.

        From a full place it returns to its origin.
        """
        if self.in_hand is None or self._from is None:
            return
        self.hover(us, spot, place)
        landing = self._take_away(us, spot)
        if spot is not None and self._has_room(spot):
            target, place = spot, self._place_on(spot, place)
        else:
            target, place = self._from
        if place != self._over:
            self._leave(us)
        self._over = None
        self.checkers.drop(landing, target, self.in_hand, place)
        self.in_hand = self._from = None

    def _take_away(self, us: Us, spot: Spot | None) -> Us:
        """Move the enemies that the held checker hits to where they go. Return when it can land."""
        if spot is None or (home := self._sent_to(spot)) is None:
            return us
        for piece in self.checkers.pieces(spot):
            self.checkers.lift(us, spot, piece, self.checkers.places(spot, piece)[-1])
            self.checkers.drop(Us(us + SWAP), home, piece, self._place_on(home, None))
        self.advance(us)  # the reed opens before the checker that hits closes it again
        return Us(us + 2 * SWAP)

    def _sent_to(self, spot: Spot) -> Spot | None:
        """Where the enemies on a spot go if the held checker lands there; None if they stay."""
        if self.in_hand is None or self._from is None or self._from[0] not in self._game.spots:
            return None
        side, origin = self.in_hand.side, self._from[0]
        stacks = {one: self.checkers.at(one) for one in self._game.spots}
        there = stacks.get(spot, ())
        if not there or side in there:
            return None
        stacks[origin] += (side,) * self.in_hand.height
        try:
            position = self._game.position_of(stacks, side)
            after = self._game.attempted(position, (Move(origin, spot),))
        except RulesError:
            return None
        stays = side.other in self._game.checkers_at(after)[spot]
        return None if stays else self._game.hit_to(side.other)

    def nudge(self, us: Us, spot: Spot, place: Sensor | None = None) -> None:
        for reed in self.board.place(spot).reeds:
            for sensor in reed.sensors if place in (None, reed.name) else ():
                self.reeds.nudge(us, sensor)

    def button(self, us: Us, down: bool, side: Side | None = None) -> None:
        """Press or release the die button; `side` for boards with a button per side.

        A click whose ends arrive together is as long as a finger's shortest press.
        """
        if down is self.button_down:
            return
        self.button_down = down
        if down:
            self._pressed = us
            self.reeds.press(us, True, side)
            self.advance(us)
        else:
            self.reeds.press(max(us, Us(self._pressed + LEAST_PRESS)), False, side)

    def _place_on(self, spot: Spot, place: Sensor | None) -> Sensor | None:
        """This place if it is free, otherwise the nearest free one on the spot."""
        free, places = self.checkers.free(spot), self.checkers.places_of(spot)
        if not free:
            return None
        wanted = places.index(place) if place in places else 0
        return min(free, key=lambda place: abs(places.index(place) - wanted))

    def _has_room(self, spot: Spot) -> bool:
        return len(self.checkers.places_of(spot)) != 1 or bool(self.checkers.free(spot))

    def _leave(self, us: Us) -> None:
        if self._over is not None and self.in_hand is not None:
            self.reeds.take(us, self.checkers.closed_by(self.in_hand, self._over), slid=True)
        self._over = None

    def _let_go(self, us: Us) -> None:
        if self.in_hand is not None:
            self.put(us, None)
