"""Cannon's search in Python, where no compiler is: `core/search.c` node by node, some 300 times
slower.  Change both; the tests hold them to the same plays, worths and numbers of nodes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from pi_app.players.cannon.node import CannonMarks, MoversBoard, evaluate, mixed, node_of, struck
from pi_app.rules.cannon.actions import SoldierChange
from pi_app.rules.cannon.board import ROWS, WIDTH, each
from pi_app.rules.cannon.position import CannonPosition
from pi_app.rules.terms import Side

WIN = 100_000
WON = WIN - 1000
"""Worths beyond are a win, or a loss, in so many turns as are missing from WIN."""
INFINITE = WIN + 1
MOST_PLY = 64
CLOCK_EVERY = 1024
FIRST_BITS, LAST_BITS = 12, 20
TURN_KEY = 256
_RANK_TABLE, _RANK_SHOT, _RANK_CAPTURE, _RANK_KILLER = 1 << 60, 1 << 51, 1 << 50, 1 << 48
_UPPER, _LOWER, _EXACT = range(3)
_DANGER_DEPTH, _LAST_DEPTH = -1, -4


class Limits(NamedTuple):
    """When a search ends: turns deep, nodes, and time, which alone lets an answer differ."""

    depth: int
    nodes: int
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Searched:
    """What was found of the actions that were asked about.

    The best one's worth is that of `depth` turns (deeper, where a deeper search was cut short after
    it had found it).  The others were found no better so deep; their own worth is that of
    `rated_depth` turns, at least a hundredth below the best.
    """

    worths: tuple[int, ...]
    best: int
    depth: int
    rated_depth: int
    nodes: int


SearchFunction: TypeAlias = Callable[
    [CannonPosition, Sequence[SoldierChange], CannonMarks, Limits], Searched
]


class _TableEntry(NamedTuple):
    key: int
    depth: int
    value: int
    bound: int
    action: int


def soldier_keys() -> dict[Side, dict[int, int]]:
    """Zobrist's: a number for each side's soldier on each point."""
    return {
        side: {1 << bit: mixed(128 * index + bit) for bit in range(WIDTH * len(ROWS))}
        for index, side in enumerate((Side.WHITE, Side.BLACK))
    }


class _UsedUpError(Exception):
    """The nodes, or the time, are used up."""


@dataclass
class _TreeSearch:
    marks: CannonMarks
    mask: int
    keys: dict[Side, dict[int, int]] = field(default_factory=soldier_keys)
    turn: int = mixed(TURN_KEY)
    table: dict[int, _TableEntry] = field(default_factory=dict)
    killers: list[list[int]] = field(default_factory=lambda: [[0, 0] for _ in range(MOST_PLY + 1)])
    history: dict[Side, dict[int, int]] = field(default_factory=lambda: {s: {} for s in Side})
    nodes: int = 0
    most_nodes: float = float("inf")
    end: float = float("inf")

    def key_of(self, node: MoversBoard) -> int:
        key = 0 if node.side is Side.WHITE else self.turn
        for side, soldiers in ((node.side, node.own), (node.side.other, node.foe)):
            for point in each(soldiers):
                key ^= self.keys[side][point]
        return key

    def key_after(self, key: int, node: MoversBoard, action: SoldierChange) -> int:
        changed, lost = action
        key ^= self.turn
        if changed:
            origin, own = changed & node.own, self.keys[node.side]
            key ^= own[origin] ^ own[changed ^ origin]
        return key ^ self.keys[node.side.other][lost] if lost else key

    def order(self, actions: list[SoldierChange], first: int, side: Side, ply: int) -> list[int]:
        """The numbers of the actions, the most promising first; alike ones stay in their order."""
        one, two = self.killers[ply]
        history = self.history[side]

        def rank(number: int) -> int:
            changed, lost = actions[number]
            if number == first:
                return _RANK_TABLE
            if lost:
                return _RANK_CAPTURE if changed else _RANK_SHOT
            if changed == one:
                return 2 * _RANK_KILLER
            return _RANK_KILLER if changed == two else history.get(changed, 0)

        return sorted(range(len(actions)), key=rank, reverse=True)

    def reward(self, action: SoldierChange, side: Side, ply: int, depth: int) -> None:
        changed, lost = action
        if lost or depth < 1:
            return
        killers = self.killers[ply]
        if killers[0] != changed:
            killers[:] = changed, killers[0]
        self.history[side][changed] = self.history[side].get(changed, 0) + depth * depth

    def settle(
        self,
        node: MoversBoard,
        key: int,
        depth: int,
        window: tuple[int, int],
        ply: int,
        standing: int,
    ) -> int:
        """Only what takes a soldier, or nothing."""
        alpha, beta = window
        is_hopeless = standing + 2 * self.marks.soldier <= alpha
        if standing >= beta or is_hopeless or depth <= _LAST_DEPTH or ply >= MOST_PLY:
            return standing
        alpha, best = max(alpha, standing), standing
        actions = node.strikes()
        for number in self.order(actions, -1, node.side, ply):
            action = actions[number]
            after = self.key_after(key, node, action)
            value = -self.explore(node.after(action), after, depth - 1, -beta, -alpha, ply + 1)
            best = max(best, value)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return best

    def try_action(
        self,
        after: MoversBoard,
        key: int,
        depth: int,
        less: int,
        window: tuple[int, int],
        ply: int,
        is_first: bool,
    ) -> int:
        alpha, beta = window
        if is_first:
            return -self.explore(after, key, depth, -beta, -alpha, ply)
        value = -self.explore(after, key, depth - less, -alpha - 1, -alpha, ply)
        if less and value > alpha:
            value = -self.explore(after, key, depth, -alpha - 1, -alpha, ply)
        if alpha < value < beta:
            value = -self.explore(after, key, depth, -beta, -alpha, ply)
        return value

    def explore(
        self, node: MoversBoard, key: int, depth: int, alpha: int, beta: int, ply: int
    ) -> int:
        self.count()
        empty = node.empty
        own_strikes = struck(node.own, empty, node.side)
        if own_strikes & node.foe_town:
            return WIN - ply - 1
        foe_strikes = struck(node.foe, empty, node.side.other)
        in_danger = bool(foe_strikes & node.own_town)
        if (depth < 1 and not (in_danger and depth > _DANGER_DEPTH)) or ply >= MOST_PLY:
            standing = evaluate(node, self.marks, empty, own_strikes, foe_strikes)
            return self.settle(node, key, depth, (alpha, beta), ply, standing)
        first = -1
        entry = self.table.get(key & self.mask)
        if entry and entry.key == key:
            first = entry.action
            value = _told_value(entry.value, ply)
            if entry.depth >= depth and (
                entry.bound == _EXACT
                or (value >= beta if entry.bound == _LOWER else value <= alpha)
            ):
                return value
        actions = node.actions()
        if not actions:
            return ply - WIN
        return self.branch(node, key, actions, first, depth, (alpha, beta), ply, in_danger)

    def branch(
        self,
        node: MoversBoard,
        key: int,
        actions: list[SoldierChange],
        first: int,
        depth: int,
        window: tuple[int, int],
        ply: int,
        in_danger: bool,
    ) -> int:
        alpha, beta = window
        floor, best, best_action = alpha, -INFINITE, -1
        for i, number in enumerate(self.order(actions, first, node.side, ply)):
            action = actions[number]
            # Late quiet actions are looked at one turn less deep, and in full if they surprise.
            less = int(depth >= 3 and i >= 4 and not action[1] and not in_danger)
            after = self.key_after(key, node, action)
            value = self.try_action(
                node.after(action), after, depth - 1, less, (alpha, beta), ply + 1, i == 0
            )
            if value > best:
                best, best_action = value, number
            alpha = max(alpha, value)
            if alpha >= beta:
                self.reward(action, node.side, ply, depth)
                break
        bound = _LOWER if best >= beta else _EXACT if best > floor else _UPPER
        kept = _TableEntry(key, depth, _kept_value(best, ply), bound, best_action)
        self.table[key & self.mask] = kept
        return best

    def count(self) -> None:
        self.nodes += 1
        is_late = self.nodes % CLOCK_EVERY == 0 and time.monotonic() >= self.end
        if self.nodes >= self.most_nodes or is_late:
            raise _UsedUpError


def _kept_value(value: int, ply: int) -> int:
    """Wins are kept as seen from the position itself, not from the root."""
    return value + ply if value >= WON else value - ply if value <= -WON else value


def _told_value(value: int, ply: int) -> int:
    return value - ply if value >= WON else value + ply if value <= -WON else value


@dataclass
class _Root:
    search: _TreeSearch
    node: MoversBoard
    actions: Sequence[SoldierChange]
    limits: Limits
    key: int
    begun: float

    def value(self, number: int, depth: int, alpha: int, is_first: bool) -> int:
        action = self.actions[number]
        if action[1] & self.node.foe_town:
            return WIN - 1
        after = self.search.key_after(self.key, self.node, action)
        window = (alpha, INFINITE)
        return self.search.try_action(
            self.node.after(action), after, depth - 1, 0, window, 1, is_first
        )

    def deepen(self, order: list[int], depth: int, value: int) -> tuple[int, bool]:
        """One depth, the best to the front; the value so far, and whether it was finished."""
        alpha, best, finished = -INFINITE, -1, True
        try:
            for i, number in enumerate(tuple(order)):
                found = self.value(number, depth, alpha, i == 0)
                if found > alpha:
                    alpha, best = found, number
        except _UsedUpError:
            finished = False
        if best < 0 or (not finished and best == order[0]):
            return value, finished
        order.remove(best)
        order.insert(0, best)
        return alpha, finished

    def find_best(self) -> tuple[int, int, int]:
        """The best action, its value, and how deep."""
        order, value, deep = list(range(len(self.actions))), 0, 0
        for depth in range(1, self.limits.depth + 1):
            value, finished = self.deepen(order, depth, value)
            if not finished:
                break
            deep = depth
            if abs(value) >= WON:
                break
            self.search.most_nodes = self.limits.nodes
            self.search.end = self.begun + 0.0008 * self.limits.milliseconds
        return order[0], value, deep

    def rate_rest(self, deep: int) -> tuple[list[int], int]:
        """One turn deep in any case, then as deep as a quarter of the nodes goes."""
        search = self.search
        search.most_nodes = search.end = float("inf")
        worths, rated = self.rate_all(1), 1
        search.most_nodes = search.nodes + self.limits.nodes // 4
        search.end = self.begun + 0.001 * self.limits.milliseconds
        try:
            # Odd or even as the best, so that the same side has the last word.
            for depth in range(2 + deep % 2, deep + 1, 2):
                worths, rated = self.rate_all(depth), depth
        except _UsedUpError:
            pass
        return worths, rated

    def rate_all(self, depth: int) -> list[int]:
        return [self.value(i, depth, -INFINITE, True) for i in range(len(self.actions))]


def search(
    position: CannonPosition, actions: Sequence[SoldierChange], marks: CannonMarks, limits: Limits
) -> Searched:
    """What these legal actions of a position with both towns are worth, in hundredths."""
    node = node_of(position)
    bits = FIRST_BITS
    while bits < LAST_BITS and 1 << bits < limits.nodes // 2:
        bits += 1
    tree = _TreeSearch(marks, (1 << bits) - 1)
    root = _Root(tree, node, actions, limits, tree.key_of(node), time.monotonic())
    best, value, deep = root.find_best()
    found, rated = root.rate_rest(deep)
    worths = [min(worth, value - 1) for worth in found]
    worths[best] = value
    return Searched(tuple(worths), best, deep, rated, tree.nodes)
