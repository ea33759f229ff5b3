"""The checkers as they truly lie, and the reeds that feel them."""

from __future__ import annotations

from collections.abc import Mapping

from pi_app.board.description import Board, Sensor
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side, Spot
from pi_app.simulator.reeds import SimulatedReeds


def box(side: Side) -> Spot:
    """Where a side's checkers lie before the first game: beside the board."""
    return Spot(f"box.{side.value}")


class Checkers:
    """One truth about a simulated board; it knows no rules and hinders nobody."""

    def __init__(self, board: Board, game: AnyGame, reeds: SimulatedReeds) -> None:
        self._reeds = reeds
        self._sensors: Mapping[Spot, tuple[Sensor, ...]] = {
            place.spot: tuple(reed.name for reed in place.reeds) for place in board.places
        }
        self._stacks: dict[Spot, list[Side]] = {spot: [] for spot in game.spots}
        for side in Side:
            self._stacks[box(side)] = [side] * game.checkers_a_side

    def at(self, spot: Spot) -> tuple[Side, ...]:
        """What lies on a spot, the lowest first."""
        return tuple(self._stacks[spot])

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Every place a checker can lie, the boxes included."""
        return tuple(self._stacks)

    @property
    def closed(self) -> frozenset[Sensor]:
        """The sensors that lie under a checker."""
        return closed_under(self._sensors, self._stacks)

    def show(self, checkers: Mapping[Spot, tuple[Side, ...]]) -> frozenset[Sensor]:
        """The sensors that these checkers would lie over."""
        return closed_under(self._sensors, checkers)

    def sensors_of(self, spot: Spot) -> tuple[Sensor, ...]:
        """The sensors of a spot; none for trays."""
        return self._sensors.get(spot, ())

    def top_sensor(self, spot: Spot, *, free: bool = False) -> Sensor | None:
        """The sensor under the top checker, or (`free`) under the next one to come."""
        sensors, place = self.sensors_of(spot), len(self._stacks[spot]) - (not free)
        return sensors[place] if 0 <= place < len(sensors) else None

    def lift(self, ms: float, spot: Spot, *, slid: bool = False) -> Side:
        """Take the top checker; raises IndexError where none lies."""
        sensor = self.top_sensor(spot)
        side = self._stacks[spot].pop()
        if sensor is not None:
            self._reeds.take(ms, sensor, slid=slid)
        return side

    def drop(self, ms: float, spot: Spot, side: Side, *, slid: bool = False) -> None:
        """Put a checker down, on top of what lies there."""
        sensor = self.top_sensor(spot, free=True)
        self._stacks[spot].append(side)
        if sensor is not None:
            self._reeds.put(ms, sensor, slid=slid)


def closed_under(
    sensors: Mapping[Spot, tuple[Sensor, ...]], stacks: Mapping[Spot, list[Side] | tuple[Side, ...]]
) -> frozenset[Sensor]:
    """The sensors that lie under checkers."""
    return frozenset(
        name for spot, names in sensors.items() for name in names[: len(stacks.get(spot, ()))]
    )
