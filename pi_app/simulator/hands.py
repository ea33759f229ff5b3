"""How hands handle checkers: scripts that lift, carry, slide, brush, put back and think.

A script is a generator that says how many milliseconds it waits for; between two waits it acts on
the true checkers.  It knows nothing of what the product makes of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pi_app.rules.terms import Move, Side, Spot
from pi_app.simulator.checkers import Checkers, box
from pi_app.simulator.reeds import SimulatedReeds

Script: TypeAlias = Generator[float, None, None]
Stacks: TypeAlias = Mapping[Spot, tuple[Side, ...]]

SWAP_MS = 120.0
"""Nobody takes a checker off a spot and puts another one there faster."""
REACH_MS = 350.0
"""Nobody lets go of one checker and lifts another one faster with the same hand."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How often hands do what, as shares from 0 to 1."""

    slide: float = 0.3
    brush: float = 0.15
    think: float = 0.06
    fast: float = 0.25
    rest: float = 0.06
    rock: float = 0.05


class Hands:
    """A pair of hands over the checkers; `clock` tells the time in ms."""

    def __init__(
        self,
        checkers: Checkers,
        reeds: SimulatedReeds,
        rng: random.Random,
        clock: Callable[[], float],
        habits: Habits,
    ) -> None:
        self._checkers, self._reeds = checkers, reeds
        self._rng, self._clock, self._habits = rng, clock, habits
        self.lifted: set[Spot] = set()
        self.dipped: set[Spot] = set()
        self.holding = 0

    def forget(self) -> None:
        """A new accepted position: what was lifted before no longer matters."""
        self.lifted.clear()
        self.dipped.clear()

    def chance(self, share: float) -> bool:
        """True so often."""
        return self._rng.random() < share

    def between(self, low: float, high: float) -> float:
        """A wait of some milliseconds, as a clock tells them."""
        return round(self._rng.uniform(low, high), 1)

    def lift(self, spot: Spot, *, slid: bool = False) -> Side:
        """Take the top checker of a spot."""
        self.lifted.add(spot)
        self.holding += 1
        return self._checkers.lift(self._clock(), spot, slid=slid)

    def drop(self, spot: Spot, side: Side, *, slid: bool = False) -> None:
        """Put a checker down."""
        if spot in self.lifted:
            self.dipped.add(spot)
        self.holding -= 1
        self._checkers.drop(self._clock(), spot, side, slid=slid)

    def nudge(self, spot: Spot) -> Script:
        """Rock the checker of a spot, or tap the empty spot."""
        for sensor in self._checkers.sensors_of(spot):
            self._reeds.nudge(self._clock(), sensor)
        yield self.between(60, 200)

    def adjust(self, spot: Spot) -> Script:
        """J'adoube: lift a checker, own or enemy, and put it back; perhaps after long thought."""
        side = self.lift(spot)
        yield from self._hold()
        self.drop(spot, side)
        yield self.between(REACH_MS, 900)

    def move(self, move: Move, victim_to: Spot | None, then: Script | None = None) -> Script:
        """One move as a hand makes it; `then` is done with the checker in the air."""
        if victim_to is None and then is None and self._touching(move) and self.chance(0.5):
            yield from self._push(move)
            return
        victim = self.lift(move.target) if victim_to and self.chance(0.5) else None
        if victim and victim_to and self.chance(0.3):
            yield self.between(SWAP_MS, 600)
            self.drop(victim_to, victim)
            victim_to = None
        yield self.between(0, 400) if victim else 0.0
        side = self.lift(move.origin)
        yield from self._carry(move, then)
        if victim_to and not victim:
            victim = self.lift(move.target)
            yield self.between(SWAP_MS, 900)
        elif victim:
            yield SWAP_MS
        self.drop(move.target, side, slid=self.chance(self._habits.rock))
        if victim and victim_to:
            yield self.between(50, 1500)
            self.drop(victim_to, victim)

    def arrange(self, wanted: Stacks) -> Script:
        """Bring the board to what is wanted, one checker at a time, in any order."""
        while step := self._next_step(wanted):
            yield from self._transfer(*step)

    def _transfer(self, origin: Spot, target: Spot) -> Script:
        side = self.lift(origin)
        yield self.between(SWAP_MS, 800)
        self.drop(target, side)
        yield self.between(REACH_MS, 500)

    def _next_step(self, wanted: Stacks) -> tuple[Spot, Spot] | None:
        """A checker that lies wrongly and a free place for it; or its box, to make room."""
        spots = self._shuffled(self._checkers.spots)
        wrong = [s for s in spots if not _is_prefix(self._checkers.at(s), wanted.get(s, ()))]
        for origin in wrong:
            side = self._checkers.at(origin)[-1]
            for target in spots:
                stack = self._checkers.at(target)
                if target != origin and _is_prefix((*stack, side), wanted.get(target, ())):
                    return origin, target
        return (wrong[0], box(self._checkers.at(wrong[0])[-1])) if wrong else None

    def _shuffled(self, spots: Iterable[Spot]) -> list[Spot]:
        mixed = list(spots)
        self._rng.shuffle(mixed)
        return mixed

    def _hold(self) -> Script:
        """A checker in the air: mostly short, at times for seconds of thought."""
        if self.chance(self._habits.think):
            yield self.between(1500, 6000)
        elif self.chance(self._habits.fast):
            yield self.between(SWAP_MS, 250)
        else:
            yield self.between(250, 1300)

    def _carry(self, move: Move, then: Script | None) -> Script:
        """With the checker in the hand: over other spots, past neighbours, thinking."""
        if self.chance(self._habits.slide):
            yield from self._slide(move)
        yield from self._hold()
        if self.chance(self._habits.brush):
            yield from self._brush(move)
        if then is not None:
            yield from then

    def _slide(self, move: Move) -> Script:
        """Over the empty spots in between; seldom the checker rests on one for a moment."""
        for spot in self._path(move):
            sensor = self._checkers.top_sensor(spot, free=True)
            if sensor is None or self._checkers.at(spot):
                continue
            length = self.between(20, 150)
            if self.chance(self._habits.rest):
                length = self.between(200, 1000)
            self._reeds.dip(self._clock(), sensor, length)
            yield length + self.between(10, 200)

    def _brush(self, move: Move) -> Script:
        """A sleeve moves a checker off its reed for some milliseconds."""
        for spot in self._shuffled(self._checkers.spots)[:2]:
            sensor = self._checkers.top_sensor(spot)
            if sensor is not None and spot not in (move.origin, move.target):
                length = self.between(10, 60)
                self._reeds.dip(self._clock(), sensor, length)
                yield length + self.between(5, 100)

    def _push(self, move: Move) -> Script:
        """Slid to the next spot: its reed may close before the own one opens."""
        side = self._checkers.at(move.origin)[-1]
        self.lifted.add(move.origin)
        self._checkers.drop(self._clock(), move.target, side, slid=True)
        yield self.between(10, 200)
        self._checkers.lift(self._clock(), move.origin, slid=True)

    def _touching(self, move: Move) -> bool:
        """Whether two single spots lie next to each other in the row and the target is free."""
        row = self._row()
        if move.origin not in row or move.target not in row or self._checkers.at(move.target):
            return False
        apart = abs(row.index(move.origin) - row.index(move.target)) == 1
        return apart and len(self._checkers.at(move.origin)) == 1

    def _path(self, move: Move) -> list[Spot]:
        """The sensed spots between origin and target, in the order of the description."""
        row = self._row()
        ends = [row.index(spot) for spot in (move.origin, move.target) if spot in row]
        if len(ends) < 2:
            return []
        between = row[min(ends) + 1 : max(ends)]
        return between if ends[0] < ends[1] else between[::-1]

    def _row(self) -> list[Spot]:
        return [spot for spot in self._checkers.spots if self._checkers.sensors_of(spot)]


def _is_prefix(stack: tuple[Side, ...], wanted: tuple[Side, ...]) -> bool:
    return stack == wanted[: len(stack)]
