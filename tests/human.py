"""A hand over a tracker on a board with several places a spot, for turns of several moves."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from known import case_file, find_game, load_board

from pi_app.base.microseconds import Us, ms
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Move, Roll, Side, Spot, SpotKind, read_roll
from pi_app.sensing.debounce import Touch
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.occupancy import SensedSpots
from pi_app.sensing.reading import Patience, Reading
from pi_app.sensing.tracker import Tracker

PATIENCE = Patience()
BRUSH_MS, STEP_MS = 40, 250


@cache
def cases(game: str) -> tuple[tuple[Any, Roll], ...]:
    """The positions and rolls of the game's case file."""
    rules = find_game(game)
    with case_file(game).open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return tuple(
        (rules.read_position(row["position"]), read_roll(row["roll"], rules.dice)) for row in rows
    )


@dataclass
class Human:
    """Checkers that truly lie somewhere, and a tracker that sees only the reeds.

    Each spot has a list of what lies on its places (None: a free place) and what lies higher.
    """

    board_name: str
    game_name: str
    rng: random.Random
    tracker: Tracker = field(init=False)
    us: Us = Us(0)
    times: Patience = PATIENCE
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.board: Board = load_board(self.board_name)
        self.game: AnyGame = find_game(self.game_name)
        self.reeds = {p.spot: tuple(r.name for r in p.reeds) for p in self.board.places}
        self.places: dict[Spot, list[Side | None]] = {}
        self.higher: dict[Spot, list[Side]] = {}
        position = self.game.start(Side.WHITE)
        self.tracker = Tracker(SensedSpots(self.board), self.game, self.times, position)

    @property
    def reading(self) -> Reading:
        return self.tracker.reading

    def stand(self, position: Any, roll: Roll) -> None:
        """The board stands like this, all is forgotten, the roll is on the table."""
        self.position, self.roll = position, roll
        for spot, stack in self.game.checkers_at(position).items():
            pieces = stack[:1] if self.game.tallest > 1 and not spot.side else stack
            room = len(self.reeds.get(spot, ()))
            low: list[Side | None] = list(pieces[:room])
            self.places[spot] = low + [None] * (room - len(low))
            self.higher[spot] = list(pieces[room:])
        shut = {
            self.reeds[spot][index]
            for spot, row in self.places.items()
            for index, side in enumerate(row)
            if side
        }
        for sensor in sorted(self.tracker.closed ^ shut):
            self.tracker.see(Touch(self.us, sensor, sensor in shut))
        self.tracker.expect(position, roll)
        self.said = []
        self.wait(5000)

    def shows(self, position: Any) -> tuple[int, ...]:
        """How many sensors of each spot the position closes."""
        checkers = self.game.checkers_at(position)
        return tuple(
            min(len(checkers.get(spot, ())), len(reeds)) for spot, reeds in self.reeds.items()
        )

    def wait(self, time_ms: float) -> None:
        self.us = Us(self.us + ms(time_ms))
        self.tracker.update(self.us)

    def lift(self, spot: Spot, side: Side | None = None) -> Side:
        """Take a checker (of this side) from the spot: the highest, or any of the row."""
        self.said.append(f"lift {spot}")
        if self.higher[spot] and side in (None, self.higher[spot][-1]):
            return self.higher[spot].pop()
        row = self.places[spot]
        own = [i for i, lies in enumerate(row) if lies and side in (None, lies)]
        index = self.rng.choice(own[-2:])
        taken, row[index] = row[index], None
        assert taken
        self._see(self.reeds[spot][index], False)
        return taken

    def drop(self, spot: Spot, side: Side) -> None:
        """Put a checker on a free place of the spot, else on top."""
        self.said.append(f"drop {spot}")
        row = self.places[spot]
        free = [index for index, lies in enumerate(row) if lies is None]
        if not free:
            self.higher[spot].append(side)
            return
        index = free[0] if self.rng.random() < 0.8 else self.rng.choice(free)
        row[index] = side
        self._see(self.reeds[spot][index], True)

    def adjust(self, spot: Spot) -> None:
        """J'adoube: lift a checker and put it back, perhaps on another place of the spot."""
        self.said.append(f"adjust {spot}")
        side = self.lift(spot)
        self.drop(spot, side)

    def brush(self, sensor: Sensor) -> None:
        """A sleeve over one reed."""
        self.said.append(f"brush {sensor}")
        shut = sensor in self.tracker.closed
        self._see(sensor, not shut)
        self._see(sensor, shut, BRUSH_MS)

    def fidget(self) -> None:
        """Occasional noise of hands."""
        chance = self.rng.random()
        full = [spot for spot, row in self.places.items() if any(row) and not self.higher[spot]]
        if chance < 0.04 and full:
            self.adjust(self.rng.choice(full))
        elif chance < 0.12:
            self.brush(self.rng.choice(self.board.sensors))

    def make(self, moves: tuple[Move, ...]) -> None:
        """Make the moves in a human order."""
        for group in self._groups(moves):
            held = []
            for move in group:
                self.fidget()
                if move.hit and self.rng.random() < 0.4:
                    self.take_victim(move)
                held.append((move, self.lift(move.origin, self._side(move))))
            for move, side in held:
                self.set_down(move, side)

    def set_down(self, move: Move, side: Side) -> None:
        foe = side.other
        beneath = move.hit and foe in self.places[move.target]
        # Nobody piles up checkers over one that must go.
        roomy = self.places[move.target].count(None) > 1
        if beneath and roomy and self.rng.random() < 0.3:
            self.drop(move.target, side)
            self.take_victim(move)
            return
        if beneath:
            self.take_victim(move)
        self.drop(move.target, side)

    def take_victim(self, move: Move) -> None:
        foe = self._side(move).other
        victim = self.lift(move.target, foe)
        self.drop(self.game.hit_to(victim), victim)

    def _side(self, move: Move) -> Side:
        if move.target.kind is SpotKind.OFF and move.target.side:
            return move.target.side
        return self.game.mover(self.position)

    def _groups(self, moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
        """The moves one by one or two at once, in any order that checkers allow."""
        left = list(moves)
        while left:
            able = [m for m in left if not self._waits_for(m, left)]
            first = self.rng.choice(able)
            left.remove(first)
            others = [m for m in able if m is not first and m.target != first.target]
            if others and self.rng.random() < 0.2:
                second = self.rng.choice(others)
                left.remove(second)
                yield first, second
            else:
                yield (first,)

    def _waits_for(self, move: Move, left: list[Move]) -> bool:
        """A checker continues from the spot where it hit; only a checker that is there can be
        lifted."""
        before = any(m.target == move.origin and m is not move for m in left)
        return before and self.game.mover(self.position) not in (
            *self.places[move.origin],
            *self.higher[move.origin],
        )

    def _see(self, sensor: Sensor, closed: bool, after_ms: float = STEP_MS) -> None:
        self.us = Us(self.us + ms(after_ms))
        self.tracker.see(Touch(self.us, sensor, closed))
        self.tracker.update(self.us)
