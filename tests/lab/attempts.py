"""What people do that is no legal play: a checker moved wrongly, half a turn, too little."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lab.ways import chained
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, IllegalPlayError, Move, Roll, Side, Spot
from pi_app.simulator.checkers import LyingCheckers, Piece, Piled

TRIES = 20
"""So many moves are tried to go wrong after half a turn."""


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
        for target in game.spots
        if stacks[origin] and origin != target
    )


class Mischief:
    """Attempts at positions of one game, chosen by `rng`; None where there is none of the kind."""

    def __init__(self, game: AnyGame, checkers: LyingCheckers, rng: random.Random) -> None:
        self._game, self._checkers, self._rng = game, checkers, rng

    def single(self, position: Any, roll: Roll) -> Misplay | None:
        """One checker moved that may not, so; or that may not move at all."""
        moves = [m for m in illegal_moves(self._game, position, roll) if self._is_free(m)]
        return self.misplay(position, (self._rng.choice(moves),)) if moves else None

    def half_right(self, position: Any, roll: Roll) -> Misplay | None:
        """A part of a legal play, and one move more that does not go on from it."""
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
        """What these moves leave on the board."""
        game = self._game
        layout = self._checkers.layout(game.checkers_at(position))
        homes = {side: game.hit_to(side) for side in Side}
        return Misplay(moves, done(layout, moves, game.mover(position), homes))

    def _after(self, position: Any, move: Move) -> Any:
        """What the rules say of a single move of the mover's, or None if he cannot make it."""
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
    """What the moves leave on the board; a checker that is hit goes home."""
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
