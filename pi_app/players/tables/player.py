"""Players of the tables games that ask a network: one ply, two, and weaker ones.

One ply: what stands after each own play is judged.  Two: of the best few the mean over the other's
21 rolls, each answered with what is then judged best for him.  Plays are weighed without the cube,
at a match score by the chance of winning the match; the cube by `cubes`.  All of it is estimated.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from operator import mul
from pathlib import Path

from pi_app.match.score import may_double
from pi_app.players.contract import Contender, CubeOpinion, Opinion, Player, Rated, Situation
from pi_app.players.tables.cubes import Owner, Prospects, worth_of
from pi_app.players.tables.network import EndChances, Network, load
from pi_app.players.tables.stakes import Stakes, Ways, stakes_of
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
CLUB, BEGINNER = 0.2, 0.6
"""Noise of the weaker players, as a share of what a game is worth on the mean."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How well a player plays: `noise` is how much a play may seem better or worse than it is.

    It is a share of what a game is worth on the mean, the same for the same position and roll.
    """

    plies: int = 1
    examined: int = EXAMINED
    noise: float = 0.0


@dataclass(frozen=True, slots=True)
class Payoffs:
    """What is at stake for each side, and the worth of each end to whoever is on roll."""

    stakes: Stakes
    ends: dict[Side, tuple[float, ...]]


class NetworkPlayer:
    """A `Player` of a tables game."""

    def __init__(self, game: AnyGame, network: Network, strength: Strength) -> None:
        self._game, self._network, self._strength = game, network, strength

    def rate(self, situation: Situation, roll: Roll) -> Opinion:
        """Every play, the best first."""
        game, position, strength = self._game, situation.position, self._strength
        table = self._table(situation)
        plays, results = game.plays(position, roll), game.results(position, roll)
        worths = [self._worth(table, result) for result in results]
        if strength.plies > 1 and len(plays) > 1:
            worths = self._deeper(table, results, worths)
        if strength.noise:
            worths = [
                worth + strength.noise * self._mean_points * _shift(result, roll)
                for worth, result in zip(worths, results, strict=True)
            ]
        told = table.stakes.told
        rated = [Rated(play, told(worth)) for play, worth in zip(plays, worths, strict=True)]
        rated.sort(key=lambda one: -one.worth)
        return Opinion(table.stakes.unit, False, tuple(rated))

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
        worths = (
            worth_of(prospects, value, owner),
            worth_of(prospects, 2 * value, Owner.THEIRS),
            prospects.passed(value),
        )
        return CubeOpinion(stakes.unit, False, *map(stakes.told, worths))

    def _worth(self, table: Payoffs, result: TablesPosition) -> float:
        """What a result is worth to who has just played."""
        side = result.mover.other
        outcome = self._game.outcome(result)
        if outcome is not None:
            points = 0 if outcome.winner is None else outcome.points
            return table.stakes.won[side](points if outcome.winner is side else -points)
        return -weighed(self._judge(result), table.ends[result.mover])

    def _deeper(
        self, table: Payoffs, results: tuple[TablesPosition, ...], worths: list[float]
    ) -> list[float]:
        """The worths of the best few by two plies; none of the others seems better than those."""
        order = sorted(range(len(results)), key=lambda index: -worths[index])
        few = order[: self._strength.examined]
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

    @cached_property
    def _ways(self) -> Ways:
        points = self._network.points
        if self._game.name == PORTES.name:
            points = tuple(min(point, PORTES_MOST) for point in points)
        return Ways(points, self._network.shares)

    @cached_property
    def _mean_points(self) -> float:
        """What a game is worth on the mean, whoever wins it."""
        return weighed(self._ways.points, self._ways.shares)

    def _prospects(self, situation: Situation) -> Prospects:
        side, ends = situation.position.mover, self._judge(situation.position)
        signs, points = self._ways.signs, self._ways.points
        chance = sum(end for end, sign in zip(ends, signs, strict=True) if sign > 0)
        known = dict[int, Stakes]()

        def won(cube: int, points: float) -> float:
            if cube not in known:
                known[cube] = self._stakes(situation, cube)
            return known[cube].won[side](points)

        def mean(cube: int, wanted: int, total: float) -> float:
            if not total:
                return won(cube, wanted)
            parts = zip(ends, signs, points, strict=True)
            return sum(e * won(cube, s * p) for e, s, p in parts if s == wanted) / total

        def useful(whose: Side, cube: int) -> bool:
            target = situation.agreement.match_to
            return target is None or situation.standing.score.of(whose) + cube < target

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
    """Who has borne off a checker loses one point at most."""
    lost, won = ends[:3], ends[3:]
    if own_off:
        lost = (0.0, 0.0, sum(lost))
    if opp_off:
        won = (sum(won), 0.0, 0.0)
    return (*lost, *won)


def weighed(worths: Iterable[float], chances: Iterable[float]) -> float:
    """The mean of worths that have these chances."""
    return sum(map(mul, worths, chances), 0.0)


def _shift(result: TablesPosition, roll: Roll) -> float:
    """From -1 to 1, by nothing but the result and the roll, the greater the less likely."""
    told = f"{result.white:x} {result.black:x} {result.mover.letter} {roll}".encode()
    low, high = divmod(zlib.crc32(told), 1 << 16)
    return (low + high) / ((1 << 16) - 1) - 1


def network_path(name: str) -> Path:
    """Where the weights of a game are; they come with Spotter."""
    return Path(__file__).parent / f"{name}.net"


def _maker(network: str, strength: Strength) -> Callable[[AnyGame], Player]:
    return lambda game: NetworkPlayer(game, load(network_path(network)), strength)


def contenders(network: str) -> tuple[Contender, ...]:
    """The players by one network, the strongest first."""
    return (
        Contender(
            "network-2",
            f"a trained network, two plies: its best {EXAMINED} plays against every answer",
            _maker(network, Strength(plies=2)),
        ),
        Contender("network", "a trained network, one ply", _maker(network, Strength())),
        Contender(
            "club",
            f"the network, with every play seeming better or worse by up to {CLUB:.0%} of a game",
            _maker(network, Strength(noise=CLUB)),
            advises=False,
        ),
        Contender(
            "beginner",
            f"the same by up to {BEGINNER:.0%} of a game",
            _maker(network, Strength(noise=BEGINNER)),
            advises=False,
        ),
    )
