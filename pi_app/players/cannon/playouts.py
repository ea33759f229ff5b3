"""Plain Monte Carlo, the yardstick of the search: every play is tried, then both sides play by
chance to the end, except that a town that can be taken is.  `core/playouts.c` is the same in C.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from pi_app.players.cannon.node import MoversBoard, mixed, node_of, struck
from pi_app.rules.cannon.actions import SoldierChange
from pi_app.rules.cannon.position import CannonPosition

MOST_TURNS = 200
_WORD = (1 << 64) - 1


class _Lots:
    def __init__(self, seed: int) -> None:
        self._seed, self._drawn = seed, count()

    def draw(self, number: int) -> int:
        return (mixed(self._seed + next(self._drawn) & _WORD) >> 32) * number >> 32


def play_out(
    position: CannonPosition, actions: Sequence[SoldierChange], playouts: int
) -> tuple[int, ...]:
    """Games won less games lost of each action, of so many."""
    node = node_of(position)
    lots = _Lots(_seed_of(node))
    return tuple(
        -sum(_result(node.after(action), lots) for _ in range(playouts)) for action in actions
    )


def _seed_of(node: MoversBoard) -> int:
    seed = int(node.side.value == "black")
    for points in (node.own, node.foe):
        seed = mixed(seed ^ points & _WORD)
        seed = mixed(seed ^ points >> 64)
    return seed


def _result(node: MoversBoard, lots: _Lots) -> int:
    """1: who is to move wins; -1: loses; 0: it takes too long."""
    sign = 1
    for _ in range(MOST_TURNS):
        if not node.own_town:
            return -sign
        if struck(node.own, node.empty, node.side) & node.foe_town:
            return sign
        actions = node.actions()
        if not actions:
            return -sign
        node = node.after(actions[lots.draw(len(actions))])
        sign = -sign
    return 0
