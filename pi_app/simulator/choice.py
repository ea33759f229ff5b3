"""Which legal play simulated people make: any, but so that games come to an end."""

from __future__ import annotations

import random
from typing import Any

from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import SpotKind

LOOKED_AT = 12
"""So many plays are compared when a player thinks about it."""
CARELESS = 0.2
"""So often any play will do."""
ARRIVED = (SpotKind.OFF, SpotKind.SAFETY)
ROW = 3
"""More checkers on one point are of ever less use."""
FEW = 3
"""A game of so few checkers a side ends by itself."""


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
