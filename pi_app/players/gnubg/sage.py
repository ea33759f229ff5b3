"""Open Sage (`bgsage`), a younger engine of backgammon, as a player where it is installed.

Its licence, MPL-2.0, lets it be loaded into the process that thinks.  It is asked what GNU
Backgammon is asked and answers in the same form, its plays as boards.  Its plies count from one:
that is its network alone.  Its table of match equity ends at 25 points to go, and so do its
questions.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from pi_app.extras import to_install
from pi_app.players.contract import Contender, PlayerError
from pi_app.players.gnubg.asking import nonsense
from pi_app.players.gnubg.player import EngineLevel, EnginePlayer, Facing, seen_from
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.position import BAR, CHECKERS, POINTS, TablesPosition, count, one, read_id
from pi_app.rules.terms import Side
from pi_app.sentences import Said, Sentence

PACKAGE = "bgsage"
MOST_AWAY = 25
OWNERS = {-1: "centered", 0: "opponent", 1: "player"}
MISSING = Sentence("bgsage is not installed; run: {command}")


def missing() -> Said | None:
    """Why it cannot be asked, if it cannot."""
    return None if find_spec(PACKAGE) else MISSING(command=to_install(PACKAGE))


class Sage:
    """An `Engine` in this process; `plies` is how far it looks, from 1."""

    def __init__(self, plies: int) -> None:
        self._plies = plies
        lack = missing()
        if lack:
            raise PlayerError(lack)
        try:
            self._package: Any = importlib.import_module(PACKAGE)
            self._native: Any = importlib.import_module(f"{PACKAGE}.analyzer").bgbot_cpp
        except Exception as error:
            raise PlayerError(f"bgsage cannot be loaded: {error}") from None

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The answer; raises PlayerError where there is none."""
        try:
            return self._answer(question)
        except Exception as error:
            raise PlayerError(f"bgsage says: {type(error).__name__}: {error}") from None

    def _answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        board = board_of(read_id(question["position"]))
        cube, terms = question["cube"], _terms(question["cube"])
        ends = None
        if cube["matchto"]:
            match = (terms["away1"], terms["away2"], cube["cube"], terms["is_crawford"])
            ends = [self._native.eq2mwc(end, *match) for end in (-1.0, 1.0)]
        told = {"position": question["position"], "ends": ends}
        if not question["dice"]:
            weighed = self._cubeful.cube_action(board, **terms)
            equities = [weighed.optimal_equity, weighed.equity_nd]
            equities += [weighed.equity_dt, weighed.equity_dp]
            return {**told, "equities": equities, "odds": weighed.probs.to_list()}
        engine = self._cubeful if question["cubeful"] else self._cubeless
        plays = engine.checker_play(board, *question["dice"], **terms).moves
        listed = [
            [play.board, int(play.eval_level.split("-")[0]), play.equity, play.probs.to_list()]
            for play in plays
        ]
        return {**told, "plays": listed}

    @cached_property
    def _cubeful(self) -> Any:
        return self._analyzer(cubeful=True)

    @cached_property
    def _cubeless(self) -> Any:
        return self._analyzer(cubeful=False)

    def _analyzer(self, *, cubeful: bool) -> Any:
        level = f"{self._plies}ply"
        return self._package.BgBotAnalyzer(eval_level=level, cubeful=cubeful, parallel_threads=1)


class SagePlayer(EnginePlayer):
    """The same player, whose engine tells its plays as boards."""

    def _after(self, board: TablesPosition, play: object) -> Facing:
        if not isinstance(play, list) or len(play) != BAR + 1:
            raise nonsense(play)
        points = list(enumerate(play))[1:BAR]
        own = play[BAR] * one(BAR) + sum(n * one(point) for point, n in points if n > 0)
        other = play[0] * one(BAR) + sum(-n * one(BAR - point) for point, n in points if n < 0)
        off = [CHECKERS - sum(count(men, n) for n in range(1, BAR + 1)) for men in (own, other)]
        return seen_from(TablesPosition(own + off[0], other + off[1], Side.WHITE), Side.WHITE)


def board_of(position: TablesPosition) -> list[int]:
    """As the engine has it: the other's bar, the mover's points from 1, and his bar.

    The other's men on points are negative.
    """
    points = range(1, POINTS + 1)
    own, other = position.men(position.mover), position.men(position.mover.other)
    middle = [count(own, point) - count(other, BAR - point) for point in points]
    return [count(other, BAR), *middle, count(own, BAR)]


def _terms(cube: Mapping[str, Any]) -> dict[str, Any]:
    to_go = [cube["matchto"] - points for points in cube["score"]]
    other, mine = (min(MOST_AWAY, points) for points in to_go)
    return {
        "cube_value": cube["cube"],
        "cube_owner": OWNERS[cube["cubeowner"]],
        "away1": mine,
        "away2": other,
        "is_crawford": bool(cube["crawford"]),
        "jacoby": bool(cube["jacoby"]),
        "beaver": False,
    }


def _contender(plies: int) -> Contender:
    def make(game: AnyGame) -> SagePlayer:
        return SagePlayer(game, EngineLevel(plies), Sage(plies))

    says = f"Open Sage at {plies} ply" if plies == 1 else f"Open Sage at {plies} plies"
    return Contender(f"bgsage-{plies}", says, make, missing=missing)


SAGE_PLAYERS = (_contender(2), _contender(1))
"""The stronger first."""
