"""Hypergammon's perfect player, where the game was solved on this machine.

Unlimited play is exact, without a cube, with one and by the Jacoby rule, and so is a game of a
match that decides it whoever wins. At other scores each play is weighed by how games end when both
sides play for points, which is known exactly, and by what each end is worth at the score; the cube
follows the networks' formulas. Such worths are estimates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from pi_app.match.score import may_double, worth
from pi_app.players.contract import (
    BARS,
    PERFECT,
    Contender,
    CubeOpinion,
    Opinion,
    PlayerError,
    Situation,
    Unit,
    ranked,
)
from pi_app.players.hypergammon.table import (
    SURE,
    Known,
    SolvedGame,
    SolvedValue,
    lacking,
    solution_file,
)
from pi_app.players.tables.player import (
    FEW,
    ROLLS,
    EndChances,
    Network,
    NetworkPlayer,
    Strength,
    load,
    network_path,
)
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.position import TablesPosition
from pi_app.rules.terms import Outcome, Roll, Side


class ExactHypergammon(NetworkPlayer):
    """Plays and doubles perfectly in unlimited play; at most scores of a match it estimates.

    `table` is the solution, `network` gives the formulas for the cube at a score.
    """

    def __init__(self, game: AnyGame, table: SolvedGame, network: Network) -> None:
        self._known = table
        super().__init__(game, replace(network, shares=self._shares(game)), Strength())

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        position = situation.position
        if self._value(situation, position.mover) is None:
            return super().rate(situation, roll, made)
        plays, results = self._game.plays(position, roll), self._game.results(position, roll)
        table, worths = self._table(situation), list(self._worths(situation, results))
        chances = [one.chances for one in self._left(table, results)]
        return ranked(
            table.stakes.unit,
            True,
            dict(zip(plays, map(table.stakes.in_unit, worths), strict=True)),
            self._point(table.stakes),
            dict(zip(plays, chances, strict=True)),
        )

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        """Weigh the cube; None if the mover may not double."""
        if situation.agreement.match_to is not None:
            return super().weigh(situation)
        position, standing = situation.position, situation.standing
        undecided = replace(standing, cube=replace(standing.cube, offered=None))
        if not may_double(situation.agreement, undecided, position.mover):
            return None
        return CubeOpinion(
            Unit.POINTS,
            True,
            held=self._held(situation),
            taken=2 * self._at(position).worth(SolvedValue.THEIRS),
            passed=1.0,
            point=1.0,
            chances=self._chances(self._ends(self._at(position))),
        )

    def _held(self, situation: Situation) -> float:
        """The mean over the rolls of what the best play leaves."""
        best = [
            times * max(self._worths(situation, self._game.results(situation.position, roll)))
            for roll, times in ROLLS
        ]
        return sum(best) / sum(times for _, times in ROLLS)

    def _worths(self, situation: Situation, results: Sequence[TablesPosition]) -> Iterable[float]:
        """What each result is worth to the side that has just moved."""
        side = situation.position.mover
        value = self._value(situation, side.other)
        assert value is not None
        for result in results:
            if outcome := self._game.outcome(result):
                yield _won(outcome, value, side)
            else:
                yield -self._at(result).worth(value)

    def _value(self, situation: Situation, side: Side) -> SolvedValue | None:
        """Return the kind of value that holds for this side on roll. None at a score that the
        solution does not cover."""
        agreement, standing = situation.agreement, situation.standing
        if agreement.match_to is not None:
            away = agreement.match_to - standing.score.least
            return SolvedValue.WINS if away <= standing.cube.value else None
        single = worth(agreement, standing, 2) == 1
        if not agreement.cube:
            return SolvedValue.WINS if single else SolvedValue.POINTS
        if standing.cube.owner is None:
            return SolvedValue.JACOBY if single else SolvedValue.MIDDLE
        return SolvedValue.MINE if standing.cube.owner is side else SolvedValue.THEIRS

    def _judge(self, positions: Sequence[TablesPosition]) -> list[EndChances]:
        return [self._ends(self._at(position)) for position in positions]

    def _at(self, position: TablesPosition) -> Known:
        mover = position.mover
        return self._known.at(position.men(mover), position.men(mover.other))

    def _ends(self, known: Known) -> EndChances:
        """From a backgammon lost to one won."""
        won, gammon, most, lost_gammon, lost_most = (chance / SURE for chance in known.chances)
        lost = 1 - won - lost_gammon
        ends = (lost_most, lost_gammon - lost_most, lost, won - gammon, gammon - most, most)
        return tuple(max(end, 0.0) for end in ends)

    def _shares(self, game: AnyGame) -> tuple[float, ...]:
        """How often a game ends how, for a side that begins as often as not."""
        start = game.start(Side.WHITE)
        ends = self._ends(self._known.at(start.white, start.black))
        return tuple((one + other) / 2 for one, other in zip(ends, reversed(ends), strict=True))


def _won(outcome: Outcome, value: SolvedValue, side: Side) -> float:
    points = 1 if value in (SolvedValue.WINS, SolvedValue.JACOBY) else outcome.points
    return float(points if outcome.winner is side else -points)


def _made(game: AnyGame) -> ExactHypergammon:
    """Raises PlayerError, also if the solution is not finished: its values are not exact yet."""
    if lacks := lacking(solution_file()):
        raise PlayerError(lacks)
    return ExactHypergammon(game, SolvedGame(solution_file()), load(network_path(FEW)))


EXACT = Contender(
    "exact",
    "exact where it can be: every play of unlimited play the best there is, from a solution",
    _made,
    missing=lambda: lacking(solution_file()),
    title=PERFECT(),
    bars=BARS,
)
