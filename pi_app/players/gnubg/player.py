"""GNU Backgammon as a player of Backgammon and of Portes, at several levels.

Its plays are told apart by what then stands on the board, and must be exactly the legal ones.  With
a cube its own equities are taken, in a match as the chance of winning it.  Without one, and so in
Portes, what counts are its five odds: a game won is worth what the rules here say.  Portes' moves
are backgammon's; inside its search the engine still counts the odd triple game.

A weaker level looks no ply ahead and misjudges: by a normal deviate that belongs to the position,
so that the same question has the same answer.  Not chosen: the engine's own noise, which on a PC is
nearly seven times its measure off the mean when it is to be repeatable (1.07 adds up signed bytes
where it means unsigned ones).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

from pi_app.players.contract import (
    Contender,
    CubeOpinion,
    Opinion,
    PlayerError,
    Rated,
    Situation,
    Unit,
)
from pi_app.players.gnubg.asking import Inquiry, nonsense, read_numbers
from pi_app.players.gnubg.child import Gnubg, command, missing
from pi_app.players.gnubg.plain import Odds, most_points
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.position import Men, TablesPosition
from pi_app.rules.terms import Roll, RulesError, Side
from pi_app.words.texts import quoted

BEHIND = 1e-6
"""Points that a play comes behind those at which the engine has looked deeper, at the least."""

DOUBTFUL = 0.03
"""Points: a play that costs no more is not worth a closer look."""

Facing: TypeAlias = tuple[Men, Men]


class Looked(NamedTuple):
    """How many plies ahead a position was looked at, and what it is worth."""

    plies: int
    worth: float


@dataclass(frozen=True, slots=True)
class EngineLevel:
    """How far it looks ahead, in plies, and by how many points it misjudges a position.

    The misjudgement is a standard deviation, at a stake of one.
    """

    plies: int
    error: float = 0.0


class Engine(Protocol):
    """What answers the questions of `Inquiry` as `inside.py` tells it."""

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The answer; raises PlayerError where there is none."""


class EnginePlayer:
    """A `Player`; raises PlayerError for what the engine does not answer."""

    def __init__(self, game: AnyGame, level: EngineLevel, engine: Engine) -> None:
        self._game, self._level, self._engine = game, level, engine
        self._most = most_points(game)

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        position: TablesPosition = situation.position
        asked = Inquiry(self._game, situation, position.mover)
        plays = {
            seen_from(self._game.after(position, play), position.mover): play
            for play in self._game.plays(position, roll)
        }
        if (here := seen_from(position, position.mover)) in plays:
            worth, point = self._left(asked, here, self._level.plies)
            worths = {here: worth}
        else:
            after = None if made is None else self._game.after(position, made)
            seen = None if after is None else seen_from(after, position.mover)
            worths, point = self._compared(asked, roll, seen)
        if worths.keys() != plays.keys():
            where = f"{self._game.write_position(position)} with {roll}"
            raise PlayerError(f"the engine's plays are not the legal ones: {where}")
        rated = [Rated(plays[after], asked.told(worth)) for after, worth in worths.items()]
        rated.sort(key=lambda one: -one.worth)
        return Opinion(asked.unit, False, tuple(rated), point)

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        """The cube; None where none was agreed on."""
        asked = Inquiry(self._game, situation, situation.position.mover)
        if not asked.cubeful:
            return None
        told = self._ask(asked.question(situation.position, self._level.plies))
        _, held, taken, passed = read_numbers(told.get("equities"), 4)
        error = self._error(seen_from(situation.position, asked.side))
        held, taken, passed = (
            asked.told(asked.counted(told, way))
            for way in (held + error, taken + 2 * error, passed)
        )
        return CubeOpinion(asked.unit, False, held, taken, passed, asked.spread(told))

    def _compared(
        self, asked: Inquiry, roll: Roll, made: Facing | None
    ) -> tuple[dict[Facing, float], float]:
        """What each position after a play is worth, by the engine's list of them; and a point."""
        position = asked.situation.position
        question = {
            **asked.question(position, self._level.plies),
            "dice": list(roll.dice),
            "wide": made is not None,
        }
        told = self._ask(question)
        listed = {
            after: Looked(
                plies, asked.counted(told, equity) if asked.cubeful else self._mean(asked, odds)
            )
            for after, plies, equity, odds in self._listed(told, position)
        }
        spread = asked.spread(told)
        if self._level.error:
            worths = {
                after: worth + spread * self._error(after) for after, (_, worth) in listed.items()
            }
            return worths, spread
        if made in listed:
            listed |= self._closely(asked, listed, made, spread * DOUBTFUL)
        return _deepest_first(listed, spread * BEHIND), spread

    def _closely(
        self, asked: Inquiry, listed: Mapping[Facing, Looked], made: Facing, doubtful: float
    ) -> dict[Facing, Looked]:
        """The play that was made looked at as deeply as the best, as the engine's analysis does.

        Where the list is no deeper because all but one play fell behind at once, that is enough
        for a play that costs little; else both are looked at in full.
        """
        best = max(listed, key=lambda after: listed[after])
        plies, most = listed[best]
        if plies < self._level.plies and most - listed[made].worth > doubtful:
            plies = self._level.plies
        return {
            after: Looked(plies, self._left(asked, after, plies)[0])
            for after in (made, best)
            if listed[after].plies < plies and not self._game.outcome(_faced(after))
        }

    def _listed(
        self, told: Mapping[str, Any], position: TablesPosition
    ) -> Iterator[tuple[Facing, int, float, Odds]]:
        """The engine's plays, read on the board as their mover sees it."""
        board = TablesPosition(*seen_from(position, position.mover), Side.WHITE)
        plays = told.get("plays")
        for play in plays if isinstance(plays, list) else [plays]:
            match play:
                case [told_play, int(plies), float() | int() as equity, list(odds)]:
                    (worth,) = read_numbers([equity], 1)
                    after = self._after(board, told_play)
                    yield after, plies, worth, Odds(*read_numbers(odds, 5))
                case _:
                    raise nonsense(play)

    def _after(self, board: TablesPosition, play: object) -> Facing:
        """What stands after a play that the engine tells as players write it."""
        try:
            after = self._game.after(board, self._game.read_play(board, str(play)))
        except RulesError:
            raise nonsense(play) from None
        return seen_from(after, Side.WHITE)

    def _left(self, asked: Inquiry, after: Facing, plies: int) -> tuple[float, float]:
        """What it is worth to have left a position, the other side to roll; and a point."""
        other = Inquiry(self._game, asked.situation, asked.side.other)
        told = self._ask(other.question(_faced(after, asked.side), plies))
        point = other.spread(told)
        if not asked.cubeful:
            return self._mean(asked, Odds(*read_numbers(told.get("odds"), 5)).turned), point
        equity, *_ = read_numbers(told.get("equities"), 4)
        worth = other.counted(told, equity)
        return 1 - worth if asked.unit is Unit.MATCH else -worth, point

    def _mean(self, asked: Inquiry, odds: Odds) -> float:
        return odds.worth(asked.ends, self._most)

    def _ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        told = self._engine.ask(question)
        if told.get("position") != question["position"]:
            raise PlayerError(f"the engine answers what was not asked: {quoted(told)}")
        return told

    def _error(self, seen: Facing) -> float:
        """By how many points it misjudges a position, always by the same; never one that is won."""
        if not self._level.error or self._game.outcome(_faced(seen)):
            return 0.0
        return random.Random(f"{seen}").gauss(0, self._level.error)


def seen_from(position: TablesPosition, side: Side) -> Facing:
    """The men of this side and those of the other: the position as one of them sees it."""
    return position.men(side), position.men(side.other)


def _faced(seen: Facing, side: Side = Side.WHITE) -> TablesPosition:
    """The position of this side who sees it, the other side to roll."""
    own, other = seen
    white, black = (own, other) if side is Side.WHITE else (other, own)
    return TablesPosition(white, black, side.other)


def _deepest_first(listed: Mapping[Facing, Looked], step: float) -> dict[Facing, float]:
    """What each play is worth; what was not looked at as deeply as the rest comes behind it."""
    deepest = max((plies for plies, _ in listed.values()), default=0)
    least = min((worth for plies, worth in listed.values() if plies == deepest), default=0.0)
    return {
        after: worth if plies == deepest else min(worth, least - step)
        for after, (plies, worth) in listed.items()
    }


def _contender(name: str, says: str, level: EngineLevel) -> Contender:
    def make(game: AnyGame) -> EnginePlayer:
        return EnginePlayer(game, level, Gnubg(command()))

    return Contender(name, says, make, advises=not level.error, missing=missing)


def _misjudging(name: str, error: float) -> Contender:
    says = (
        "GNU Backgammon looking no ply ahead, which misjudges each position by chance,"
        f" by {error:g} points (standard deviation)"
    )
    return _contender(name, says, EngineLevel(0, error))


GNUBG_PLAYERS = (
    _contender("gnubg-2", "GNU Backgammon looking two plies ahead", EngineLevel(2)),
    _contender("gnubg-1", "GNU Backgammon looking one ply ahead", EngineLevel(1)),
    _contender("gnubg-0", "GNU Backgammon looking no ply ahead", EngineLevel(0)),
    _misjudging("gnubg-advanced", 0.03),
    _misjudging("gnubg-intermediate", 0.08),
    _misjudging("gnubg-beginner", 0.12),
)
"""The strongest first.

The engine's own levels of these names misjudge the chance to win by half as much, which is the
same: a chance of p is worth 2p - 1 points.
"""
