"""Undetectable differences, computed from the checkers alone."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Any, NamedTuple

from lab.plays import Misplay
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, Roll, Side, Spot
from pi_app.sensing.description import Sensor
from pi_app.simulator.reeds import LyingCheckers, Piece, Piled


@dataclass(frozen=True, slots=True)
class Held:
    """A piece in the hand and where it was taken."""

    piece: Piece
    origin: Spot
    place: Sensor | None


class Trace:
    """The hands' acts since the last accepted position, and what a reed can know of them.

    `lifted` and `dropped` are the spots of lifts and drops, `unfelt` those where a reed missed a
    lift, `hasty` those of an exchange as fast as a sleeve. `held` is in the air.
    """

    def __init__(self) -> None:
        self.lifted: set[Spot] = set()
        self.dropped: set[Spot] = set()
        self.unfelt: set[Spot] = set()
        self.hasty: set[Spot] = set()
        self.held: list[Held] = []
        self._gone: list[Held] = []
        self._confused: list[Held] = []

    def forget(self) -> None:
        """A new accepted position: what was done before no longer matters."""
        for spots in (self.lifted, self.dropped, self.unfelt, self.hasty):
            spots.clear()
        self._gone.clear()
        self._confused.clear()

    def lift(self, held: Held, *, felt: bool) -> None:
        """A piece was taken."""
        self.lifted.add(held.origin)
        self.held.append(held)
        if not felt:
            self.unfelt.add(held.origin)

    def drop(self, held: Held, spot: Spot, *, felt: bool) -> None:
        """A piece was put down, perhaps where a reed is to feel it."""
        self.dropped.add(spot)
        self.held.remove(held)
        if not felt:
            self._gone.append(held)
        elif held in self._confused:
            self._confused.remove(held)

    def slide(self, origin: Spot, target: Spot) -> None:
        """A checker was moved without being lifted."""
        self.lifted.add(origin)
        self.dropped.add(target)

    def muddle(self, side: Side) -> None:
        """A single checker is now lifted and put back; others in the air might have hit it.

        So might those that were put where no reed is.
        """
        self._confused += [h for h in (*self.held, *self._gone) if h.piece.side is not side]

    @property
    def muddled(self) -> bool:
        """Whether no reed tells which checker was put where one was only set straight.

        It is told once those that were in the air are felt somewhere else.
        """
        return bool(self._confused)

    @property
    def dipped(self) -> set[Spot]:
        """Where a checker was taken and one was put."""
        return self.lifted & self.dropped


class Observed(NamedTuple):
    """The sensors' picture: checkers on each spot, and exchanges that do not show in it."""

    shown: tuple[int, ...]
    dips: frozenset[Spot]


def struck(game: AnyGame, position: Any, play: Any) -> set[Spot]:
    """The spots where a play hits."""
    return {move.target for move in game.moves(position, play) if move.hit}


def seems(
    checkers: LyingCheckers, closed: Set[Sensor], wanted: Piled, off: Set[Sensor] = frozenset()
) -> bool:
    """Whether no sensor in use contradicts that the checkers lie as wanted."""
    felt = closed - off
    for spot in checkers.spots:
        sides = [piece.side for piece in wanted.get(spot, ())]
        for expected, sensors in zip(
            checkers.counts(spot, sides), checkers.groups(spot), strict=True
        ):
            seen = sum(sensor in felt for sensor in sensors)
            unseen = sum(sensor in off for sensor in sensors)
            if not expected - unseen <= seen <= expected:
                return False
    return True


def looks_legal(
    game: AnyGame,
    position: Any,
    roll: Roll,
    attempt: Misplay,
    checkers: LyingCheckers,
    blind: Set[Sensor] = frozenset(),
) -> bool:
    """Whether the reeds see the same when this is done as after something legal.

    A checker that was replaced shows by its side, or by its spot having been open.  But one of the
    mover's own may as well have been adjusted, and so may any where the turn is forfeited.  Spots
    with a `blind` sensor tell nothing.
    """
    stacks = game.checkers_at(position)

    def observed(layout: Piled, hits: Set[Spot]) -> Observed:
        return _observed(checkers, layout, hits, blind)

    picture, dips = seen = observed(attempt.layout, replaced(game, position, attempt))
    if seen == observed(checkers.layout(stacks), set()):
        return True
    for play in game.plays(position, roll):
        after = checkers.layout(game.checkers_at(game.after(position, play)))
        shown, struck_there = observed(after, struck(game, position, play))
        if picture == shown and (not game.moves(position, play) or dips == struck_there):
            return True
    return False


def is_on_the_way(
    game: AnyGame,
    position: Any,
    roll: Roll,
    checkers: LyingCheckers,
    blind: Set[Sensor] = frozenset(),
) -> bool:
    """Whether the reeds show a legal result, or a part of one, with checkers still in the air.

    Nothing else tells what is in the air, or that a spot with a `blind` sensor is wrong.
    """
    mover = game.mover(position)
    spots = [s for s in checkers.spots if not set(checkers.sensors_of(s)) & blind]
    closed = checkers.closed
    seen = [sum(x in closed for x in own) for s in spots for own in checkers.groups(s)]
    before = game.checkers_at(position)
    parts = [part.position for part in game.midways(position, roll)]
    parts += game.results(position, roll)
    layouts = [before, *map(game.checkers_at, parts)]
    for stacks in (*layouts, *_with_victims_gone(game, position, roll)):
        shown = [count for s in spots for count in checkers.counts(s, stacks.get(s, ()))]
        # A hit checker may lie beside its hitter still, or be on its way to the bar.
        waiting = [
            bool(stacks.get(s, ())) and stacks[s][-1] is mover and mover.other in before.get(s, ())
            for s in spots
            for _ in checkers.groups(s)
        ]
        if all(few <= many + wait for few, many, wait in zip(seen, shown, waiting, strict=True)):
            return True
    return False


def _with_victims_gone(game: AnyGame, position: Any, roll: Roll) -> Iterator[Checkers]:
    """The accepted position with a checker that may be hit gone home before its hitter comes."""
    stacks = game.checkers_at(position)
    plays = game.plays(position, roll)
    for spot in {spot for play in plays for spot in struck(game, position, play) if stacks[spot]}:
        victim = stacks[spot][-1]
        home = game.hit_to(victim)
        yield {**stacks, spot: stacks[spot][:-1], home: (*stacks[home], victim)}


def look_alike(
    game: AnyGame,
    position: Any,
    attempts: tuple[Misplay, Misplay],
    checkers: LyingCheckers,
    blind: Set[Sensor] = frozenset(),
) -> bool:
    """Whether the reeds see the same of two attempts."""
    one, other = (
        _observed(checkers, attempt.layout, replaced(game, position, attempt), blind)
        for attempt in attempts
    )
    return one == other


def replaced(game: AnyGame, position: Any, attempt: Misplay) -> set[Spot]:
    """The spots where a checker of the opponent's makes way in an attempt."""
    mover, stacks = game.mover(position), game.checkers_at(position)
    return {spot for spot in attempt.hits if mover not in stacks[spot]}


def _observed(
    checkers: LyingCheckers, layout: Piled, hits: Set[Spot], blind: Set[Sensor]
) -> Observed:
    spots = [s for s in checkers.spots if not set(checkers.sensors_of(s)) & blind]
    sides = {spot: [piece.side for piece in layout.get(spot, ())] for spot in spots}
    shown = tuple(count for spot in spots for count in checkers.counts(spot, sides[spot]))
    felt = {s for s in hits if s in spots and checkers.places_of(s) and layout[s]}
    return Observed(shown, frozenset() if checkers.tells_sides else frozenset(felt))
