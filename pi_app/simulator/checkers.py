"""The checkers as they truly lie, each on a place of its spot, and the reeds that feel them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pi_app.microseconds import Us
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, Side, Spot, SpotKind
from pi_app.sensing.description import Board, Sensor
from pi_app.simulator.reeds import SimulatedReeds


@dataclass(frozen=True, slots=True)
class Piece:
    """What a hand takes: a checker, or a tall piece, which counts as several."""

    side: Side
    height: int = 1


Piled: TypeAlias = Mapping[Spot, tuple[Piece, ...]]


@dataclass(frozen=True, slots=True)
class _Lying:
    """A piece and the place it lies on; none on top of others and where nothing is sensed."""

    piece: Piece
    place: Sensor | None


def box(side: Side) -> Spot:
    """Where a side's checkers lie before the first game: beside the board."""
    return Spot(SpotKind.BOX, side=side)


class LyingCheckers:
    """One truth about a simulated board; it knows no rules and hinders nobody.

    A place is named by its sensor.  Once every place of a spot is taken, checkers lie on top.
    """

    def __init__(self, board: Board, game: AnyGame, reeds: SimulatedReeds) -> None:
        self._reeds = reeds
        self._tall = game.tallest
        self._sensors: Mapping[Spot, tuple[Sensor, ...]] = {
            place.spot: tuple(reed.name for reed in place.reeds) for place in board.places
        }
        self._lying: dict[Spot, list[_Lying]] = {spot: [] for spot in (*game.spots, *self._sensors)}
        for side in Side:
            tall = [Piece(side, self._tall)] if self._tall > 1 else []
            flat = [Piece(side)] * (game.checkers_a_side - sum(piece.height for piece in tall))
            self._lying[box(side)] = [_Lying(piece, None) for piece in (*flat, *tall)]

    def at(self, spot: Spot) -> tuple[Side, ...]:
        """What lies on a spot as games count it, what came first first."""
        return tuple(p.side for p in self.pieces(spot) for _ in range(p.height))

    def pieces(self, spot: Spot) -> tuple[Piece, ...]:
        """The pieces on a spot, what came first first."""
        return tuple(lying.piece for lying in self._lying[spot])

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Every place a checker can lie, the boxes included."""
        return tuple(self._lying)

    @property
    def closed(self) -> frozenset[Sensor]:
        """The sensors that lie under a checker."""
        stacks = self._lying.values()
        return frozenset(lying.place for stack in stacks for lying in stack if lying.place)

    @property
    def felt(self) -> frozenset[Sensor]:
        """The sensors that feel a checker, or never open: what a perfect product can know."""
        return self._reeds.closed

    def sensors_of(self, spot: Spot) -> tuple[Sensor, ...]:
        """The sensors of a spot, a place each; none for trays."""
        return self._sensors.get(spot, ())

    def free(self, spot: Spot) -> tuple[Sensor, ...]:
        """The places of a spot where nothing lies, the first nearest to the rail."""
        taken = {lying.place for lying in self._lying[spot]}
        return tuple(sensor for sensor in self.sensors_of(spot) if sensor not in taken)

    def places(self, spot: Spot, piece: Piece) -> tuple[Sensor | None, ...]:
        """The places that such a piece can be taken from: what lies on top goes first."""
        lie = [lying.place for lying in self._lying[spot] if lying.piece == piece]
        return (None,) if None in lie else tuple(lie)

    @property
    def lying_on(self) -> Mapping[Sensor, Piece]:
        """What lies on each place that is taken."""
        every = (lying for stack in self._lying.values() for lying in stack)
        return {lying.place: lying.piece for lying in every if lying.place}

    def on_top(self, spot: Spot) -> tuple[Piece, ...]:
        """The pieces on top of others, or on a tray, what came first first."""
        return tuple(lying.piece for lying in self._lying[spot] if lying.place is None)

    def layout(self, stacks: Checkers) -> Piled:
        """Checkers as games count them, as pieces; a tall one not on the board is in its box."""
        if self._tall == 1:
            return {spot: tuple(map(Piece, stack)) for spot, stack in stacks.items()}
        found = {
            spot: self._sensed(stack) for spot, stack in stacks.items() if self.sensors_of(spot)
        }
        standing = {piece for pieces in found.values() for piece in pieces if piece.height > 1}
        for spot in stacks.keys() - found.keys():
            found[spot] = self._boxed(stacks[spot], standing)
        return found

    def lift(
        self, us: Us, spot: Spot, piece: Piece, place: Sensor | None, *, slid: bool = False
    ) -> bool:
        """Take a piece from a place, and whether a reed felt it; ValueError where none such lies.

        It is also true of what no reed is there to feel: on top of others, or on a tray.
        """
        stack = self._lying[spot]
        stack.reverse()
        try:
            stack.remove(_Lying(piece, place))
        finally:
            stack.reverse()
        return place is None or self._reeds.take(us, place, slid=slid)

    def drop(
        self, us: Us, spot: Spot, piece: Piece, place: Sensor | None, *, slid: bool = False
    ) -> None:
        """Put a piece down on a free place, or on top of what lies there."""
        self._lying[spot].append(_Lying(piece, place))
        if place is not None:
            self._reeds.put(us, place, slid=slid)

    def slip_under(self, spot: Spot) -> None:
        """What was dropped last counts as having been there first."""
        stack = self._lying[spot]
        stack.insert(0, stack.pop())

    def _sensed(self, stack: tuple[Side, ...]) -> tuple[Piece, ...]:
        if len(stack) == self._tall:
            return (Piece(stack[0], self._tall),)
        return tuple(map(Piece, stack))

    def _boxed(self, stack: tuple[Side, ...], standing: set[Piece]) -> tuple[Piece, ...]:
        tall = [Piece(side, self._tall) for side in dict.fromkeys(stack)]
        waiting = [piece for piece in tall if piece not in standing]
        flat = len(stack) - self._tall * len(waiting)
        return (*(Piece(side) for side in stack[:flat]), *waiting)
