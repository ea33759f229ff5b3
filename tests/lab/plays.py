"""Turns as people make them: which play, its checkers in what order and with what stops."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, IllegalPlayError, Move, Roll, Side, Spot, SpotKind
from pi_app.simulator.reeds import LyingCheckers, Piece, Piled

ONE_GO = 0.6
"""Share of multi-die moves without a stop."""
LOOKED_AT = 12
"""Plays compared when a player thinks."""
CARELESS = 0.2
"""Share of random plays."""
ARRIVED = (SpotKind.OFF, SpotKind.SAFETY)
ROW = 3
"""More checkers on one point are of ever less use."""
FEW = 3
"""A game of so few checkers a side ends by itself."""


@dataclass(frozen=True, slots=True)
class Way:
    """Where one checker goes in a turn: set down on each stop, the last for good.

    `passed` are spots it hits on without being set down there.
    """

    origin: Spot
    stops: tuple[Spot, ...]
    passed: tuple[Spot, ...] = ()

    @property
    def met(self) -> tuple[Spot, ...]:
        """Every spot where it can meet an enemy."""
        return (*self.passed, *self.stops)


def choose(game: AnyGame, position: Any, plays: tuple[Any, ...], rng: random.Random) -> Any:
    """A play at random; mostly one that wins, takes, brings checkers in, or stands well."""
    few = game.checkers_a_side <= FEW
    if few or len(plays) == 1 or rng.random() < CARELESS:
        return rng.choice(plays)
    for play in plays if not game.dice else ():
        outcome = game.outcome(game.after(position, play))
        if outcome and outcome.winner is game.mover(position):
            return play
    looked_at = rng.sample(plays, min(LOOKED_AT, len(plays)))
    return max(looked_at, key=lambda play: _worth(game, position, play))


def _worth(game: AnyGame, position: Any, play: Any) -> int:
    side, after = game.mover(position), game.after(position, play)
    stacks = game.checkers_at(after)
    if not game.dice:
        return len(stacks[game.hit_to(side.other)])
    own = [(spot, stack.count(side)) for spot, stack in stacks.items() if side in stack]
    arrived = sum(count for spot, count in own if spot.kind in ARRIVED)
    alone = sum(count == 1 for spot, count in own if spot.side is None)
    heaped = sum(max(0, count - ROW) ** 2 for spot, count in own if spot.side is None)
    return 4 * arrived - alone - heaped


def chained(moves: Sequence[Move]) -> list[Way]:
    """A way for each checker: one that hit and moved on is the same."""
    ways: list[Way] = []
    before: Move | None = None
    for move in moves:
        if before and before.hit and before.target == move.origin:
            ways[-1] = replace(ways[-1], stops=(*ways[-1].stops, move.target))
        else:
            ways.append(Way(move.origin, (move.target,)))
        before = move
    return ways


def ways_of(
    game: AnyGame, position: Any, roll: Roll, moves: Sequence[Move], rng: random.Random
) -> list[Way]:
    """The ways of a legal play in any order, with stops or in one go."""
    ways = chained(moves)
    doublet = len(set(roll.dice)) < len(roll.dice)
    steps = _single_steps(game, position, roll) if doublet or len(ways) == 1 else {}
    ways = [_stopping(way, _between(game, position, roll, way, steps), rng) for way in ways]
    rng.shuffle(ways)
    return ways


def entering_first(game: AnyGame, position: Any, ways: Sequence[Way]) -> list[Way]:
    """Checkers that were hit enter before others move."""
    bar = game.hit_to(game.mover(position))
    return sorted(ways, key=lambda way: way.origin != bar)


def in_disorder(game: AnyGame, position: Any, ways: Sequence[Way], rng: random.Random) -> list[Way]:
    """The legs of one checker in between those of others, and checkers that were hit enter last."""
    legs = [_legs(way) for way in ways]
    order = [number for number, of_one in enumerate(legs) for _ in of_one]
    rng.shuffle(order)
    bar = game.hit_to(game.mover(position))
    order.sort(key=lambda number: ways[number].origin == bar)
    waiting = [iter(of_one) for of_one in legs]
    return [next(waiting[number]) for number in order]


def _legs(way: Way) -> list[Way]:
    """A way for each stop; where the checker meets others on the way it is made in one."""
    if way.passed:
        return [way]
    return [Way(origin, (stop,)) for origin, stop in pairwise((way.origin, *way.stops))]


def victims_of(game: AnyGame, position: Any, moves: Sequence[Move]) -> Mapping[Spot, Spot]:
    """The spots where some moves hit, and where each checker goes that stands there."""
    stacks = game.checkers_at(position)
    return {
        move.target: game.hit_to(stacks[move.target][-1])
        for move in moves
        if move.hit and stacks[move.target]
    }


def _single_steps(game: AnyGame, position: Any, roll: Roll) -> dict[Spot, list[Spot]]:
    """From each spot, where one checker may be set down on its way without hitting there."""
    steps: dict[Spot, list[Spot]] = {}
    for midway in game.midways(position, roll):
        if len(midway.moves) == 1 and not midway.moves[0].hit:
            steps.setdefault(midway.moves[0].origin, []).append(midway.moves[0].target)
    return steps


def _between(
    game: AnyGame, position: Any, roll: Roll, way: Way, steps: Mapping[Spot, Sequence[Spot]]
) -> list[Spot]:
    """Those of a checker's single steps that it passes on its way, the nearest first."""

    def passed(before: Spot) -> list[Spot]:
        move = Move(way.origin, before)
        spots = steps.get(way.origin, ())
        return [spot for spot in spots if game.passes(position, roll, move, spot)]

    return sorted(passed(way.stops[-1]), key=lambda spot: len(passed(spot)))


def _stopping(way: Way, between: list[Spot], rng: random.Random) -> Way:
    in_one_go = rng.random() < ONE_GO
    if len(way.stops) > 1:
        return Way(way.origin, way.stops[-1:], way.stops[:-1]) if in_one_go else way
    if in_one_go or not between:
        return way
    chosen = [stop for stop in between if rng.random() < 1 / len(between)]
    return Way(way.origin, (*(chosen or between[:1]), *way.stops))


TRIES = 20
"""Moves tried for an error after half a turn."""


@dataclass(frozen=True, slots=True)
class Misplay:
    """Moves that are no legal play, and what they leave on the board."""

    moves: tuple[Move, ...]
    layout: Piled

    @property
    def hits(self) -> frozenset[Spot]:
        """The spots where a checker was taken away."""
        return frozenset(move.target for move in self.moves if move.hit)

    def __str__(self) -> str:
        return " ".join(f"{m.origin}/{m.target}{'*' * m.hit}" for m in self.moves)


def illegal_moves(game: AnyGame, position: Any, roll: Roll) -> tuple[Move, ...]:
    """Every way to move one checker, own or not, that is no part of a legal play now."""
    legal = set()
    parts = [game.moves(position, play) for play in game.plays(position, roll)]
    parts += [midway.moves for midway in game.midways(position, roll)]
    for moves in parts:
        legal |= {(move.origin, move.target) for move in moves}
        legal |= {(way.origin, way.stops[-1]) for way in chained(moves)}
    return tuple(
        move for move in every_move(game, position) if (move.origin, move.target) not in legal
    )


def every_move(game: AnyGame, position: Any) -> tuple[Move, ...]:
    """Every way to move one checker, own or not, legal or not."""
    stacks = game.checkers_at(position)
    return tuple(
        Move(origin, target, hit=_replaces(game, position, stacks, Move(origin, target)))
        for origin in game.spots
        if stacks[origin]
        for target in game.spots
        if origin != target
    )


class Mischief:
    """Random attempts at positions of one game; None if the kind does not exist."""

    def __init__(self, game: AnyGame, checkers: LyingCheckers, rng: random.Random) -> None:
        self._game, self._checkers, self._rng = game, checkers, rng

    def single(self, position: Any, roll: Roll) -> Misplay | None:
        """One checker moved that may not, so; or that may not move at all."""
        moves = [m for m in illegal_moves(self._game, position, roll) if self._is_free(m)]
        return self.misplay(position, (self._rng.choice(moves),)) if moves else None

    def half_right(self, position: Any, roll: Roll) -> Misplay | None:
        """A part of a legal play, plus a move that does not continue it."""
        midways = self._game.midways(position, roll)
        if not midways:
            return None
        midway, mover = self._rng.choice(midways), self._game.mover(position)
        stands = self._game.with_mover(midway.position, mover)
        legal = {self._game.counts(part.position) for part in midways}
        legal |= {self._game.counts(after) for after in self._game.results(position, roll)}
        for _ in range(TRIES):
            move = self._rng.choice(every_move(self._game, stands))
            after = self._after(stands, move)
            if after is not None and self._game.counts(after) not in legal:
                return self.misplay(position, (*midway.moves, move))
        return None

    def too_little(self, position: Any, roll: Roll) -> Misplay | None:
        """A part of a legal play, and no more."""
        midways = self._game.midways(position, roll)
        return self.misplay(position, self._rng.choice(midways).moves) if midways else None

    def before_roll(self, position: Any) -> Misplay | None:
        """A checker moved to a free place although the dice have not fallen."""
        moves = [
            move
            for move in every_move(self._game, position)
            if not move.hit
            and self._checkers.free(move.target)
            and self._is_free(move)
            and None not in self._places(move.origin)
        ]
        return self.misplay(position, (self._rng.choice(moves),)) if moves else None

    def misplay(self, position: Any, moves: tuple[Move, ...]) -> Misplay:
        """The board after these moves."""
        game = self._game
        layout = self._checkers.layout(game.checkers_at(position))
        homes = {side: game.hit_to(side) for side in Side}
        return Misplay(moves, done(layout, moves, game.mover(position), homes))

    def _after(self, position: Any, move: Move) -> Any:
        """The result of a single move of the mover, or None if it is illegal."""
        own = self._game.checkers_at(position)[move.origin]
        if self._game.mover(position) not in own:
            return None
        try:
            return self._game.attempted(position, (move,))
        except IllegalPlayError:
            return None

    def _is_free(self, move: Move) -> bool:
        """Whether the checker can be taken: a pinned one beneath others on top cannot."""
        mixed = len(set(self._checkers.at(move.origin))) > 1
        return not (mixed and None in self._places(move.origin))

    def _places(self, spot: Spot) -> set[object]:
        pieces = set(self._checkers.pieces(spot))
        return {place for piece in pieces for place in self._checkers.places(spot, piece)}


def done(layout: Piled, moves: Sequence[Move], mover: Side, homes: Mapping[Side, Spot]) -> Piled:
    """The board after the moves; a hit checker goes home."""
    found = dict(layout)
    for move in moves:
        there = found[move.origin]
        own = [piece for piece in there if piece.side is mover]
        piece = max(own, key=lambda piece: piece.height) if own else there[-1]
        found[move.origin] = _without(there, piece)
        enemies = [p for p in found[move.target] if p.side is not piece.side]
        if move.hit and enemies:
            found[move.target] = _without(found[move.target], enemies[-1])
            home = homes[enemies[-1].side]
            found[home] = (*found[home], enemies[-1])
        found[move.target] = (*found[move.target], piece)
    return found


def _without(pieces: tuple[Piece, ...], piece: Piece) -> tuple[Piece, ...]:
    index = pieces.index(piece)
    return (*pieces[:index], *pieces[index + 1 :])


def _replaces(game: AnyGame, position: Any, stacks: Checkers, move: Move) -> bool:
    """Whether an enemy makes way on the target: in this game such a move takes it away."""
    there = stacks[move.target]
    if not there or there[-1] in stacks[move.origin]:
        return False
    try:
        after = game.checkers_at(game.attempted(position, (move,)))
    except IllegalPlayError:
        return False
    return there[-1] not in after[move.target]
