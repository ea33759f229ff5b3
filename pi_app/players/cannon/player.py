"""Cannon's players, by level.

A level is a number of nodes, not a time, so that the same question has the same answer on a fast
computer and on a slow one. Time ends a search only if a computer is too slow even for that.

The search is in C, in `core/`.
"""

from __future__ import annotations

import hashlib
import math
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

from pi_app.base.values import dataclass
from pi_app.players.contract import Contender, CubeOpinion, Opinion, Player, Situation, Unit, ranked
from pi_app.players.native import CoreError, NativeCore, OpenedCore, cache_folder
from pi_app.rules.cannon import (
    NOWHERE,
    OFF,
    POINT,
    Army,
    CannonPosition,
    SoldierChange,
    actions,
    beside,
    results_of,
)
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Play, Roll, Side
from pi_app.words.sentences import Sentence

NATIVE = NativeCore("cannon", Path(__file__).parent / "core")
SLOWER = "Cannon is played by a slower search in Python, less deep: {why}"
REFUSALS: Mapping[int, str] = {
    -1: "it takes this for no position",
    -2: "it takes an action for illegal",
    -3: "no memory",
}
_WORD = (1 << 64) - 1
DECLARED = """
typedef struct { uint64_t low, high; } cannon_points;
typedef struct { cannon_points soldiers[2], town[2]; int32_t mover; } cannon_position;
typedef struct { cannon_points changed, lost; } cannon_action;
typedef struct { int32_t depth; int64_t nodes; int32_t milliseconds; } cannon_limits;
typedef struct {
    int32_t best, depth, rated_depth; int64_t nodes; int32_t worths[320];
} cannon_findings;
int64_t spotter_cannon_perft(const cannon_position *, int32_t);
int32_t spotter_cannon_search(const cannon_position *, const int32_t *, const cannon_action *,
                              int32_t, const cannon_limits *, cannon_findings *);
"""


class CannonMarks(NamedTuple):
    """The evaluation: what each feature counts, in hundredths of a soldier. The enemy's are
    subtracted."""

    soldier: int
    step: int
    """A possible step to an empty point."""
    advance: int
    """Each row that a soldier is away from its own edge."""
    ring: int
    """A soldier at most two points from the enemy's town."""
    guard: int
    """A soldier at most two points from the own town."""
    threat: int
    """An enemy soldier that could be captured."""
    tempo: int
    """Being to move."""


MARKS = CannonMarks(soldier=100, step=2, advance=2, ring=10, guard=9, threat=12, tempo=5)
WIN = 100_000
WON = WIN - 1000
"""A worth above this is a win (below its negative a loss); the difference to WIN is in how many
turns."""


class Limits(NamedTuple):
    """When a search ends: its depth in turns, its nodes, and its time. Only time can change an
    answer."""

    depth: int
    nodes: int
    milliseconds: int


class Searched(NamedTuple):
    """The result of a search, with worths in hundredths of a soldier.

    The best action's worth is from `depth` turns (or more, if a deeper search was stopped after
    finding it). The other actions were proven no better at that depth; their worths are from
    `rated_depth` turns, and at least a hundredth below the best.
    """

    worths: tuple[int, ...]
    best: int
    depth: int
    rated_depth: int
    nodes: int


class CannonCore:
    """The search in C."""

    def __init__(self, opened: OpenedCore) -> None:
        self._ffi, self._library = opened

    def search(
        self, position: CannonPosition, actions: Sequence[SoldierChange], limits: Limits
    ) -> Searched:
        """Rate these legal actions of a position with both towns, in hundredths."""
        found = self._ffi.new("cannon_findings *")
        status = self._library.spotter_cannon_search(
            self._position(position),
            self._ffi.new("int32_t[]", MARKS),
            self._actions(actions),
            len(actions),
            self._ffi.new("cannon_limits *", tuple(limits)),
            found,
        )
        self._check(status)
        worths = tuple(self._ffi.unpack(found.worths, len(actions)))
        return Searched(worths, found.best, found.depth, found.rated_depth, found.nodes)

    def perft(self, position: CannonPosition, depth: int) -> int:
        """The number of results, as `spotter perft` counts."""
        found: int = self._library.spotter_cannon_perft(self._position(position), depth)
        self._check(found)
        return found

    def _position(self, position: CannonPosition) -> Any:
        armies = position.light, position.dark
        soldiers = [_parted(army.soldiers) for army in armies]
        towns = [_parted(army.town) for army in armies]
        return self._ffi.new(
            "cannon_position *", (soldiers, towns, int(position.mover is Side.BLACK))
        )

    def _actions(self, actions: Sequence[SoldierChange]) -> Any:
        parted = [(_parted(changed), _parted(lost)) for changed, lost in actions]
        return self._ffi.new("cannon_action[]", parted)

    @staticmethod
    def _check(status: int) -> None:
        if status < 0:
            raise CoreError(REFUSALS.get(status, f"it ended with {status}"))


def _parted(points: int) -> tuple[int, int]:
    return points & _WORD, points >> 64


HUNDREDTHS = 100
MOST_MS = 5000
"""Half the time that a player has to answer."""
CAPTURES_DEEP = 4
SLOW_NODES = 20_000
"""The most nodes that Python searches: a second and a half on a PC."""


@dataclass(frozen=True, slots=True)
class Level:
    """A player's strength: depth in turns, most nodes, and the largest error, in hundredths of a
    soldier."""

    depth: int
    nodes: int
    mistakes: int = 0

    def limits(self, slow: bool, shares: int = 1) -> Limits:
        nodes = min(self.nodes, SLOW_NODES) if slow else self.nodes
        return Limits(self.depth, max(1, nodes // shares), max(1, MOST_MS // shares))


class Searcher(Player):
    """Searches; worths are in soldiers, and a win is worth 1000.

    The best play's worth is that of the deepest search. Each other play's is from a shallower
    search of its own, at least a hundredth below, because the deeper search found it no better.
    Under the tournament rule it plays no fourth slide, but its search does not know that rule.
    """

    def __init__(self, game: AnyGame, level: Level, core: CannonCore | None) -> None:
        self._game, self._level = game, level
        self._slow = core is None
        self._search = core.search if core else search

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        position = situation.position
        plays = self._game.plays(position, roll)
        worths = {
            play: self._mistaken(position, play, worth) / HUNDREDTHS
            for play, worth in zip(plays, self._worths(position, plays, 1), strict=True)
        }
        return ranked(Unit.SCORE, False, worths, None)

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        return None

    def _worths(
        self, position: CannonPosition, plays: Sequence[Play], shares: int
    ) -> Sequence[int]:
        """Return every play's worth in hundredths; placing a town is rated by what can follow."""
        if not position.placing:
            limits = self._level.limits(self._slow, shares)
            actions = [action_of(position, play) for play in plays]
            return self._search(position, actions, limits).worths
        worths = []
        for play in plays:
            after = self._game.after(position, play)
            answers = self._game.plays(after, Roll(()))
            worths.append(-max(self._worths(after, answers, shares * len(plays)), default=-WIN))
        return worths

    def _mistaken(self, position: CannonPosition, play: Play, worth: int) -> int:
        """Return the worth as this level sees it. Wins and losses are recognised."""
        if not self._level.mistakes or abs(worth) >= WON:
            return worth
        text = f"{self._game.write_position(position)} {self._game.write_play(position, play)}"
        drawn = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
        return worth + (2 * drawn * self._level.mistakes >> 64) - self._level.mistakes


class _UsedUpError(Exception):
    """The limit of nodes or time is reached."""


@dataclass
class _Negamax:
    """A plain alpha-beta search, for computers without a C compiler. It follows captures to their
    end."""

    most_nodes: float = math.inf
    end: float = math.inf
    nodes: int = 0

    def value(
        self, position: CannonPosition, depth: int, alpha: int = -WIN, beta: int = WIN, ply: int = 1
    ) -> int:
        self.nodes += 1
        if self.nodes >= self.most_nodes or time.monotonic() >= self.end:
            raise _UsedUpError
        own, foe = (position.army(side) for side in (position.mover, position.mover.other))
        found = actions(position)
        if any(lost & foe.town for _, lost in found):
            return WIN - ply - 1
        if depth > 0:
            best = -WIN + ply
        else:
            best = _marks(own, foe) - _marks(foe, own)
            found = [each for each in found if each[1]] if depth > -CAPTURES_DEEP else []
        found.sort(key=lambda each: not each[1])
        for after in results_of(position, found):
            if best >= beta:
                break
            best = max(best, -self.value(after, depth - 1, -beta, -max(alpha, best), ply + 1))
        return best


def _marks(own: Army, foe: Army) -> int:
    guards, ring = (own.soldiers & beside(beside(town)) for town in (own.town, foe.town))
    counted = own.soldiers.bit_count(), guards.bit_count(), ring.bit_count()
    return sum(map(mul, counted, (MARKS.soldier, MARKS.guard, MARKS.ring)))


def search(position: CannonPosition, asked: Sequence[SoldierChange], limits: Limits) -> Searched:
    """The same as `CannonCore.search`. It always searches one turn, and more within the limits."""
    tree = _Negamax()
    end = time.monotonic() + 0.001 * limits.milliseconds
    worths, deep = list[int](), 0
    for depth in range(1, limits.depth + 1):
        try:
            worths = [_worth(tree, position, action, depth) for action in asked]
        except _UsedUpError:
            break
        deep, tree.most_nodes, tree.end = depth, limits.nodes, end
        if abs(max(worths)) >= WON:
            break
    best = worths.index(max(worths))
    found = (min(worth, worths[best] - (number != best)) for number, worth in enumerate(worths))
    return Searched(tuple(found), best, deep, deep, tree.nodes)


def _worth(tree: _Negamax, position: CannonPosition, action: SoldierChange, depth: int) -> int:
    if action[1] & position.army(position.mover.other).town:
        return WIN - 1
    (after,) = results_of(position, [action])
    return -tree.value(after, depth - 1)


def action_of(position: CannonPosition, play: Play) -> SoldierChange:
    """Convert a play of a soldier or cannon to the points that change."""
    (move,) = play
    if move.target == OFF[position.mover.other]:
        return NOWHERE, POINT[move.origin]
    target = POINT[move.target]
    return POINT[move.origin] | target, target if move.hit else NOWHERE


def open_core(folder: Path) -> CannonCore:
    """Raises CoreError."""
    return CannonCore(NATIVE.open(folder, DECLARED))


@cache
def core_in(folder: Path) -> CannonCore | None:
    """The search in C; None if it cannot be had, which is logged once."""
    try:
        return open_core(folder)
    except CoreError as error:
        print(f"spotter: {SLOWER.format(why=error)}", file=sys.stderr)
        return None


def _weaker() -> str | None:
    try:
        open_core(cache_folder())
    except CoreError as error:
        return SLOWER.format(why=error)
    return None


def _searcher(number: int, says: str) -> Contender:
    level = LEVELS[number - 1]

    def make(game: AnyGame) -> Player:
        return Searcher(game, level, core_in(cache_folder()))

    advises = not level.mistakes
    title = LEVEL(number=number)
    name = f"level-{number}"
    return Contender(name, says, make, advises, weaker=_weaker, title=title, bars=number)


LEVEL = Sentence("Level {number}")
LEVELS = (
    Level(depth=1, nodes=2_000, mistakes=150),
    Level(depth=2, nodes=10_000, mistakes=60),
    Level(depth=2, nodes=10_000),
    Level(depth=4, nodes=40_000),
    Level(depth=60, nodes=50_000),
    Level(depth=60, nodes=600_000),
)
"""The weakest first."""
CANNON_PLAYERS = (
    _searcher(6, "600 000 positions a play, some eight turns deep"),
    _searcher(5, "50 000 positions a play, some six turns deep"),
    _searcher(4, "four turns deep"),
    _searcher(3, "two turns deep"),
    _searcher(2, "two turns deep, and mistaken by six tenths of a soldier at most"),
    _searcher(1, "a beginner: one turn deep, and mistaken by a soldier and a half at most"),
)
"""The strongest first."""
