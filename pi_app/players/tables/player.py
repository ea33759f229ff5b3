"""Players of the tables games that ask a network: one ply, two, and those who go by rules of thumb.

One ply: what stands after each own play is judged.  Two: of the best few the mean over the other's
21 rolls, each answered with what is then judged best for him.  Plays are weighed without the cube,
at a match score by the chance of winning the match; the cube by `cubes`.  All of it is estimated.

A weaker level sees what the network sees and adds what rules of thumb say: hit, hold points, above
all at home, leave no checker alone or behind, bear off, run.  How much each rule counts is drawn by
lot for every position and roll, always the same for the same; the weaker the level, the more they
all count.  Not chosen: worths that are wrong by chance, to whom any foolish play may seem the best.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import mul
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pi_app.adding import added
from pi_app.match.score import may_double
from pi_app.players.contract import Contender, CubeOpinion, Opinion, Player, Rated, Situation, Unit
from pi_app.players.judging import Weights, marks_of
from pi_app.players.tables.cubes import Owner, Prospects, Stakes, Ways, stakes_of, worth_of
from pi_app.players.tables.network import PINNING, EndChances, Network, load
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.portes import PORTES
from pi_app.rules.tables.position import OFF, TablesPosition, count
from pi_app.rules.terms import Roll, Side

FACES = 6
ROLLS = tuple(
    (Roll.of(high, low), 1 if high == low else 2)
    for high in range(1, FACES + 1)
    for low in range(1, high + 1)
)
"""Every roll and how many of 36 it is."""
PORTES_MOST = 2.0
BACKGAMMON_ENDS = 6
EXAMINED = 8
HITTING = "backgammon"
"""The network of the games in which single checkers are hit."""
THUMB = Weights(
    struck=0.2, off=0.06, point=0.05, home_point=0.06, blot=-0.07, pip=-0.004, behind=-0.05
)
"""The rules' values, as shares of a plain game."""
LEAST_THUMB, MOST_THUMB = -0.5, 1.5
"""The range of the random factor of each rule: mostly for it, sometimes against."""
WEAKER = ("advanced", "club", "casual", "beginner")
LEVELS: Mapping[str, tuple[float, ...]] = MappingProxyType(
    {HITTING: (1.5, 3.3, 5.0, 9.0), PINNING: (1.5, 3.0, 4.5, 6.0)}
)
"""The weight of rules of thumb for weaker players, by network."""


@dataclass(frozen=True, slots=True)
class Strength:
    """A player's strength: `thumb` is the weight of rules of thumb beside the network."""

    plies: int = 1
    examined: int = EXAMINED
    thumb: float = 0.0


@dataclass(frozen=True, slots=True)
class Payoffs:
    """The stake of each side, and the value of each end for the side on roll."""

    stakes: Stakes
    ends: dict[Side, tuple[float, ...]]


class NetworkPlayer:
    """A `Player` of a tables game."""

    def __init__(self, game: AnyGame, network: Network, strength: Strength) -> None:
        self._game, self._network, self._strength = game, network, strength

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        game, position, strength = self._game, situation.position, self._strength
        table = self._table(situation)
        plays, results = game.plays(position, roll), game.results(position, roll)
        worths = [self._worth(table, result) for result in results]
        if strength.plies > 1 and len(plays) > 1:
            examined = set[int]() if made is None else {results.index(game.after(position, made))}
            worths = self._deeper(table, results, worths, examined)
        if strength.thumb:
            shifts = self._by_thumb(position, roll, results)
            scale = strength.thumb * self._plain(table.stakes)
            worths = [worth + scale * shift for worth, shift in zip(worths, shifts, strict=True)]
        told = table.stakes.told
        rated = [Rated(play, told(worth)) for play, worth in zip(plays, worths, strict=True)]
        rated.sort(key=lambda one: -one.worth)
        return Opinion(table.stakes.unit, False, tuple(rated), self._point(table.stakes))

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        """The cube; None where the game has none or the mover may not double."""
        standing, side = situation.standing, situation.position.mover
        open_cube = replace(standing, cube=replace(standing.cube, offered=None))
        if not self._game.has_cube or not may_double(situation.agreement, open_cube, side):
            return None
        prospects = self._prospects(situation)
        value = standing.cube.value
        owner = Owner.MIDDLE if standing.cube.owner is None else Owner.MINE
        stakes = self._stakes(situation)
        held, taken, passed = (
            stakes.told(worth_of(prospects, value, owner)),
            stakes.told(worth_of(prospects, 2 * value, Owner.THEIRS)),
            stakes.told(prospects.passed(value)),
        )
        return CubeOpinion(stakes.unit, False, held, taken, passed, self._point(stakes))

    def _worth(self, table: Payoffs, result: TablesPosition) -> float:
        side = result.mover.other
        outcome = self._game.outcome(result)
        if outcome is not None:
            points = 0 if outcome.winner is None else outcome.points
            return table.stakes.won[side](points if outcome.winner is side else -points)
        return -weighed(self._judge(result), table.ends[result.mover])

    def _deeper(
        self,
        table: Payoffs,
        results: tuple[TablesPosition, ...],
        worths: list[float],
        wanted: set[int],
    ) -> list[float]:
        """The worths of the best few, and of those wanted, by two plies; no other seems better."""
        order = sorted(range(len(results)), key=lambda index: -worths[index])
        few = wanted.union(order[: self._strength.examined])
        deeper = {index: self._answered(table, results[index]) for index in few}
        least = min(deeper.values())
        return [deeper.get(index, min(worth, least)) for index, worth in enumerate(worths)]

    def _answered(self, table: Payoffs, result: TablesPosition) -> float:
        """The mean over the other's rolls of what his best answer leaves."""
        if self._game.outcome(result) is not None:
            return self._worth(table, result)
        total = 0.0
        for roll, times in ROLLS:
            answers = self._game.results(result, roll)
            total -= times * max([self._worth(table, answer) for answer in answers])
        return total / FACES**2

    def _judge(self, position: TablesPosition) -> EndChances:
        mover, other = position.mover, position.mover.other
        own, opp = position.men(mover), position.men(other)
        ends = self._network.judge(own, opp, position.pinned(mover), position.pinned(other))
        if len(ends) == BACKGAMMON_ENDS and (count(own, OFF) or count(opp, OFF)):
            return _possible(ends, bool(count(own, OFF)), bool(count(opp, OFF)))
        return ends

    def _table(self, situation: Situation) -> Payoffs:
        stakes = self._stakes(situation)
        return Payoffs(
            stakes,
            {
                side: tuple(
                    [
                        won(sign * points)
                        for points, sign in zip(self._ways.points, self._ways.signs, strict=True)
                    ]
                )
                for side, won in stakes.won.items()
            },
        )

    def _stakes(self, situation: Situation, cube: int | None = None) -> Stakes:
        return stakes_of(situation.agreement, situation.standing, self._ways, cube)

    def _by_thumb(
        self, position: TablesPosition, roll: Roll, results: tuple[TablesPosition, ...]
    ) -> list[float]:
        """Each result's loss to the best one by rules of thumb; wins are recognised."""
        lots = random.Random(f"{self._game.write_position(position)} {roll}")
        marks = marks_of(Weights(*(mark * lots.uniform(LEAST_THUMB, MOST_THUMB) for mark in THUMB)))
        told = [marks(result, position.mover) for result in results]
        most = max(told)
        return [
            0.0 if self._game.outcome(result) else mark - most
            for mark, result in zip(told, results, strict=True)
        ]

    def _point(self, stakes: Stakes) -> float:
        return self._plain(stakes) / (2 if stakes.unit is Unit.MATCH else 1)

    def _plain(self, stakes: Stakes) -> float:
        """Half of what a plain game changes: one for a point, in the Pin game one for the mean."""
        plain = self._mean_points if self._network.pins else 1.0
        won = stakes.won[Side.WHITE]
        return (won(plain) - won(-plain)) / 2

    @cached_property
    def _ways(self) -> Ways:
        points = self._network.points
        if self._game.name == PORTES.name:
            points = tuple(min(point, PORTES_MOST) for point in points)
        return Ways(points, self._network.shares)

    @cached_property
    def _mean_points(self) -> float:
        return weighed(self._ways.points, self._ways.shares)

    def _prospects(self, situation: Situation) -> Prospects:
        side, ends = situation.position.mover, self._judge(situation.position)
        signs, points = self._ways.signs, self._ways.points
        chance = added(end for end, sign in zip(ends, signs, strict=True) if sign > 0)
        known = dict[int, Stakes]()

        def won(cube: int, points: float) -> float:
            if cube not in known:
                known[cube] = self._stakes(situation, cube)
            return known[cube].won[side](points)

        def mean(cube: int, wanted: int, total: float) -> float:
            if not total:
                return won(cube, wanted)
            parts = zip(ends, signs, points, strict=True)
            return added(e * won(cube, s * p) for e, s, p in parts if s == wanted) / total

        def useful(whose: Side, cube: int) -> bool:
            target = situation.agreement.match_to
            return target is None or situation.standing.score[whose] + cube < target

        return Prospects(
            chance,
            won=lambda cube: mean(cube, 1, chance),
            lost=lambda cube: mean(cube, -1, 1 - chance),
            passed=lambda cube: won(cube, 1),
            passing=lambda cube: won(cube, -1),
            useful=lambda cube: useful(side, cube),
            theirs=lambda cube: useful(side.other, cube),
        )


def _possible(ends: EndChances, own_off: bool, opp_off: bool) -> EndChances:
    """The possible losses: one point at most after bearing off."""
    lost, won = ends[:3], ends[3:]
    if own_off:
        lost = (0.0, 0.0, added(lost))
    if opp_off:
        won = (added(won), 0.0, 0.0)
    return (*lost, *won)


def weighed(worths: Iterable[float], chances: Iterable[float]) -> float:
    return added(map(mul, worths, chances))


def network_path(name: str) -> Path:
    return Path(__file__).parent / f"{name}.net"


def _maker(network: str, strength: Strength) -> Callable[[AnyGame], Player]:
    return lambda game: NetworkPlayer(game, load(network_path(network)), strength)


def contenders(network: str) -> tuple[Contender, ...]:
    return (
        Contender(
            "network-2",
            f"a trained network, two plies: its best {EXAMINED} plays against every answer",
            _maker(network, Strength(plies=2)),
        ),
        Contender("network", "a trained network, one ply", _maker(network, Strength())),
        *(_weaker(network, *level) for level in zip(WEAKER, LEVELS[network], strict=True)),
    )


def _weaker(network: str, name: str, thumb: float) -> Contender:
    return Contender(
        name,
        f"the network and {thumb:g} times what rules of thumb say, of each by lot more or less",
        _maker(network, Strength(thumb=thumb)),
        advises=False,
    )
