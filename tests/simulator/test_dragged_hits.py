"""A checker that is dragged onto an enemy: the rules say whether the enemy leaves, and where to."""

from __future__ import annotations

import random
from dataclasses import replace
from queue import SimpleQueue
from typing import Any

import pytest
from known import GAMES, boards_of, find_game, load_board
from scenes import view_in

from pi_app.base.microseconds import Us, ms
from pi_app.devices.gpio import open_factory
from pi_app.referee.events import Event, SensorEdge
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, Move, Side, Spot, rolls_of
from pi_app.sensing.description import Board, Sensor
from pi_app.simulator.reeds import NONE
from pi_app.simulator.source import open_simulated
from pi_app.simulator.tabletop import SWAP, SimulatedTable

TABLES = load_board("tables-24")
BLOT = "-b--a-E-C---dE---c-e----B- w"
"""Black has one checker on 4, two on 1."""


class DraggingRoom:
    """A board with checkers as in a position, one mouse, and the edges that its reeds make."""

    def __init__(self, board: Board, game: str, position: Any) -> None:
        self.now = Us(0)
        self.queue = SimpleQueue[Event]()
        factory = open_factory("mock")
        devices = open_simulated(board, factory, lambda: self.now, self.queue.put)
        self.source, self._board, self._game = devices.source, board, find_game(game)
        self.table = SimulatedTable(board, factory, random.Random(1), NONE, devices.drive_cell)
        view = view_in(f"{game}-moving")
        standing = self._game.checkers_at(position)
        self.table.follow(self.now, replace(view, accepted=standing))
        self.wait(50)
        self.edges()

    def wait(self, time_ms: int) -> None:
        for _ in range(time_ms):
            self.now = Us(self.now + ms(1))
            self.table.advance(self.now)
            self.source.advance(self.now)

    def edges(self) -> list[tuple[str, bool]]:
        seen = []
        while not self.queue.empty():
            event = self.queue.get()
            if isinstance(event, SensorEdge):
                seen.append((str(event.sensor), event.closed))
        return seen

    def drag(self, origin: str, target: str) -> None:
        self.table.take(self.now, Spot.read(origin))
        self.wait(50)
        self.table.put(self.now, Spot.read(target))
        self.wait(500)

    @property
    def lying(self) -> dict[Spot, list[str]]:
        return sides({spot: self.table.checkers.at(spot) for spot in self._game.spots})


def sides(checkers: Checkers) -> dict[Spot, list[str]]:
    return {spot: sorted(side.value for side in stack) for spot, stack in checkers.items()}


def meetings(game: AnyGame, wanted: int) -> list[tuple[Any, tuple[Move, ...], Any]]:
    """Positions of random play, the moves of a legal play that meets an enemy, and its result.

    In Fevga nobody meets an enemy: any play will do.
    """
    rng, found = random.Random(3), list[tuple[Any, tuple[Move, ...], Any]]()
    position, rolls = game.start(Side.WHITE), tuple(rolls_of(game.dice))
    while len(found) < wanted:
        roll = rng.choice(rolls)
        plays = game.plays(position, roll)
        for play in plays:
            moves = game.moves(position, play)
            if game.name == "fevga" or any(move.hit or move.pins for move in moves):
                found.append((position, moves, game.after(position, play)))
                break
        position = game.after(position, rng.choice(plays))
        if game.outcome(position):
            position = game.start(Side.WHITE)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_dragged_moves_alone_leave_the_board_as_the_rules_say(name: str) -> None:
    game = find_game(name)
    for position, moves, after in meetings(game, 12):
        room = DraggingRoom(boards_of()[name], name, position)
        for move in moves:
            room.drag(str(move.origin), str(move.target))
        assert room.lying == sides(game.checkers_at(after)), (moves, game.draw(position))
        room.source.close()


def backgammon(text: str) -> DraggingRoom:
    game = find_game("backgammon")
    return DraggingRoom(TABLES, "backgammon", game.read_position(text))


def test_the_reeds_see_the_victim_leave_before_the_other_checker_lands() -> None:
    room = backgammon(BLOT)
    room.table.take(room.now, Spot.read("8"), Sensor("8.3"))
    room.wait(50)
    room.edges()
    start = room.now
    room.table.put(room.now, Spot.read("4"), Sensor("4.1"))
    room.wait(500)
    assert room.edges() == [("4.1", False), ("bar.black.1", True), ("4.1", True)]
    assert room.now - start > 2 * SWAP


def test_a_checker_beside_the_place_of_the_victim_hits_too() -> None:
    room = backgammon(BLOT)
    room.table.take(room.now, Spot.read("8"), Sensor("8.3"))
    room.table.hover(room.now, Spot.read("4"), Sensor("4.3"))
    room.table.put(room.now, Spot.read("4"), Sensor("4.3"))
    room.wait(500)
    assert room.lying[Spot.read("4")] == ["white"]
    assert room.lying[Spot.read("bar.black")] == ["black"]


def test_two_enemies_stay_where_they_are() -> None:
    room = backgammon(BLOT)
    room.drag("8", "1")
    assert room.lying[Spot.read("1")] == ["black", "black", "white"]


def test_a_checker_that_returns_to_its_place_hits_nobody() -> None:
    room = backgammon(BLOT)
    before = room.lying
    room.drag("8", "8")
    assert room.lying == before
