"""GNU Backgammon as a player of Backgammon and Portes, at several levels.

Its plays are identified by the positions that they lead to, and must be exactly the legal ones.
With a cube its own equities count, in a match as the chance to win it. Without a cube, and so in
Portes, its five odds count: a won game is worth what the rules here say. Portes has backgammon's
moves, but inside its search the engine also counts backgammons, which Portes does not have.

A weaker level looks no ply ahead and misjudges each position by a normal deviate that depends only
on the position, so that the same question has the same answer. The engine's own deterministic noise
was not chosen: in version 1.07 its mean is off by nearly seven standard deviations, because it adds
up bytes as signed instead of unsigned.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import subprocess
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple, TextIO, TypeAlias, TypeVar

from pi_app.base.adding import added
from pi_app.base.typed_json import JsonError, read
from pi_app.base.values import dataclass
from pi_app.match.score import Agreement, Standing, worth
from pi_app.players.contract import (
    Chances,
    Contender,
    CubeOpinion,
    Opinion,
    Player,
    PlayerError,
    RollsOpinion,
    Situation,
    Unit,
    ranked,
)
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.ids import write_position_id
from pi_app.rules.tables.position import Men, TablesPosition, seen_by
from pi_app.rules.terms import Roll, RulesError, Side
from pi_app.words.sentences import Said, Sentence
from pi_app.words.texts import one_line, quoted

# What a game without a cube is worth: by the points of its ends, or the chance of the match.
#
# Tables of match equity are made for matches with a cube. Without one the chance at every score
# follows from how games end between equals, who both play as well as GNU Backgammon does.

MOST_AWAY = 64
"""The engine's limit of points to go. A longer match is treated as one with this many."""

Ends: TypeAlias = Callable[[int], float]
"""The worth of winning this many points before the stake; negative points are losses."""


class Odds(NamedTuple):
    """The chances to win, to win two points or more, to win three, to lose two or more, and to lose
    three."""

    win: float
    win_two: float
    win_three: float
    lose_two: float
    lose_three: float

    @property
    def turned(self) -> Odds:
        lost = (self.lose_two, self.lose_three)
        return Odds(1 - self.win, *lost, self.win_two, self.win_three)

    def shares(self, most: int) -> Mapping[int, float]:
        found = {
            1: self.win - self.win_two,
            2: self.win_two,
            -1: 1 - self.win - self.lose_two,
            -2: self.lose_two,
        }
        if most < 3:
            return found
        found |= {2: self.win_two - self.win_three, 3: self.win_three}
        return found | {-2: self.lose_two - self.lose_three, -3: self.lose_three}

    def chances(self, most: int) -> Chances:
        won = (self.win, self.win_two, self.win_three)
        lost = (1 - self.win, self.lose_two, self.lose_three)
        return Chances(won[:most], lost[:most])

    def worth(self, ends: Ends, most: int) -> float:
        return added(share * ends(points) for points, share in self.shares(most).items())


STARTER = Odds(0.5254, 0.1492, 0.0068, 0.1257, 0.0053)
"""The chances of the side that rolls first, by GNU Backgammon 1.07 at two plies."""


def most_points(game: AnyGame) -> int:
    return max(game.resignations(game.start(Side.WHITE), Side.WHITE))


def away(target: int, standing: Standing, side: Side) -> int:
    """Return how many points a side has to go, at most MOST_AWAY."""
    return min(MOST_AWAY, target - standing.score[side])


def ends_of(game: AnyGame, agreement: Agreement, standing: Standing, side: Side) -> Ends:
    target = agreement.match_to
    if target is None:
        return lambda n: worth(agreement, standing, abs(n)) * (1 if n > 0 else -1)
    mine, other = (away(target, standing, each) for each in (side, side.other))
    stake = standing.cube.value
    chances = match_chances(most_points(game), game.previous_winner_starts)

    def ends(points: int) -> float:
        if points > 0:
            return chances(mine - points * stake, other, True)
        return chances(mine, other + points * stake, False)

    return ends


@cache
def match_chances(most: int, winner_starts: bool) -> Callable[[int, int, bool], float]:
    """Return a function that gives the chance to win a match by what each side has to go, and
    whether the side asked about starts.

    If each game has an opening roll, who starts makes no difference.
    """
    for_starter = STARTER.shares(most)
    known: dict[tuple[int, int, bool], float] = {}

    def share(points: int, starts: bool) -> float:
        first, second = for_starter[points], for_starter[-points]
        if not winner_starts:
            return (first + second) / 2
        return first if starts else second

    def chance(mine: int, other: int, starts: bool) -> float:
        if mine <= 0 or other <= 0:
            return float(mine <= 0)
        key = (mine, other, starts)
        if key not in known:
            known[key] = added(
                share(n, starts) * chance(mine - n, other, True)
                + share(-n, starts) * chance(mine, other - n, False)
                for n in range(1, most + 1)
            )
        return known[key]

    return chance


# GNU Backgammon's process, which is asked line by line and ends with the one who asks.
#
# It is free software under the GPL and only ever a program of its own: `inside.py` is handed to it
# as a file, and the rest is lines of JSON. It sees a home of its own, so that no file of the user's
# is read or written. What it answers is not believed: it ends well after most errors.

PLACES = os.pathsep.join((os.defpath, "/usr/games", "/usr/local/games"))
"""Folders to search after the user's PATH; Debian installs the engine with the games."""
INSIDE = Path(__file__).parent / "inside.py"
START_S = 30.0
ANSWER_S = 60.0
MOST_OF_LINE = 1024 * 1024

MISSING = Sentence("GNU Backgammon is not installed; run: sudo apt install gnubg")


def program() -> str | None:
    return shutil.which("gnubg") or shutil.which("gnubg", path=PLACES)


def missing() -> Said | None:
    return None if program() else MISSING()


def command() -> tuple[str, ...]:
    """Raises PlayerError if the engine is missing."""
    found = program()
    if found is None:
        raise PlayerError(MISSING())
    return (found, "--tty", "--quiet", "--no-rc", "--python", str(INSIDE))


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The answer of `inside.py`, described there."""

    position: str = ""
    ends: tuple[float, float] | None = None
    plays: tuple[tuple[str, int, float, Odds], ...] = ()
    equities: tuple[float, float, float, float] | None = None
    odds: Odds | None = None
    best: tuple[float | None, ...] = ()
    error: str = ""
    ready: bool = False


class Gnubg:
    """The process of GNU Backgammon; it ends at the first question that fails."""

    def __init__(
        self, command: Sequence[str], start_s: float = START_S, answer_s: float = ANSWER_S
    ) -> None:
        ours, theirs = socket.socketpair()
        home = tempfile.mkdtemp(prefix="spotter-gnubg-")
        try:
            with theirs:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    env={
                        "HOME": home,
                        "PATH": os.environ.get("PATH", os.defpath),
                        "LC_ALL": "C.UTF-8",
                        "SPOTTER_CHANNEL": str(theirs.fileno()),
                    },
                )
        except OSError as error:
            ours.close()
            shutil.rmtree(home, ignore_errors=True)
            raise PlayerError(
                f"GNU Backgammon cannot be started: {command[0]}: {error.strerror}"
            ) from None
        self.pid, self._answer_s = process.pid, answer_s
        self._socket, self._lines = ours, ours.makefile("rw", encoding="utf-8", newline="\n")
        # At the latest when this program ends.
        self.end = weakref.finalize(self, _end, process, ours, self._lines, home)
        self._hear(start_s, "; is it built with Python?")

    def ask(self, question: Mapping[str, object]) -> EngineAnswer:
        """Return the answer. Raises PlayerError and ends the process if there is none."""
        with suppress(OSError, ValueError):  # it has ended, which is heard next
            self._lines.write(json.dumps(question) + "\n")
            self._lines.flush()
        return self._hear(self._answer_s)

    def _hear(self, patience_s: float, suspicion: str = "") -> EngineAnswer:
        try:
            return self._read(patience_s, suspicion)
        except PlayerError:
            self.end()
            raise

    def _read(self, patience_s: float, suspicion: str) -> EngineAnswer:
        try:
            self._socket.settimeout(patience_s)
            line = self._lines.readline(MOST_OF_LINE)
        except TimeoutError:
            late = f"GNU Backgammon did not answer within {patience_s:g} s"
            raise PlayerError(late) from None
        except (OSError, ValueError):
            line = ""
        if not line:
            raise PlayerError(f"GNU Backgammon has ended{suspicion}")
        try:
            answer = read(line, EngineAnswer)
        except JsonError:
            raise nonsense(line) from None
        if answer.error:
            raise PlayerError(f"GNU Backgammon says: {one_line(answer.error, 100)}")
        return answer


def _end(process: subprocess.Popen[bytes], ours: socket.socket, lines: TextIO, home: str) -> None:
    process.kill()
    process.wait()
    with suppress(OSError):  # what it was still to be told
        lines.close()
    ours.close()
    shutil.rmtree(home, ignore_errors=True)


# What the engine is asked about a situation, and how its answers count.
#
# The side asked about is always player 1. Equities are points at a stake of one, in a match as far
# as a plain game lost or won takes it: -1 to 1 are the two chances that `ends` of the answer tell.

MOST_STAKE = 256
"""In a match of 64 points every larger stake decides the match too."""


@dataclass(frozen=True)
class Inquiry:
    """A situation as one side sees it."""

    game: AnyGame
    situation: Situation
    side: Side

    @property
    def cubeful(self) -> bool:
        """Whether there is a cube: then the engine's equities count, else its odds."""
        return self.situation.agreement.cube and self.game.has_cube

    @property
    def unit(self) -> Unit:
        return Unit.POINTS if self.situation.agreement.match_to is None else Unit.MATCH

    @cached_property
    def ends(self) -> Ends:
        return ends_of(self.game, self.situation.agreement, self.situation.standing, self.side)

    def question(self, position: TablesPosition, plies: int) -> dict[str, Any]:
        return {
            "position": write_position_id(position),
            "dice": None,
            "cube": self._cube(),
            "plies": plies,
            "cubeful": self.cubeful,
        }

    def counted(self, answer: EngineAnswer, equity: float) -> float:
        """Convert an equity of an answer to the unit. Raises PlayerError."""
        if self.unit is Unit.POINTS:
            return equity
        lost, won = known(answer.ends)
        return lost + (equity + 1) / 2 * (won - lost)

    def limited(self, worth: float) -> float:
        """Limit a worth to its range, because the engine rounds chances to seven digits."""
        return worth if self.unit is Unit.POINTS else min(1.0, max(0.0, worth))

    def spread(self, answer: EngineAnswer) -> float:
        """Return the worth of one point at a stake of one. Raises PlayerError."""
        if self.unit is Unit.POINTS:
            return 1.0
        if self.cubeful:
            return self.counted(answer, 1) - self.counted(answer, 0)
        return (self.ends(1) - self.ends(-1)) / 2

    def _cube(self) -> dict[str, Any]:
        agreement, standing = self.situation.agreement, self.situation.standing
        sides = (self.side.other, self.side)
        target = agreement.match_to
        to_go = [away(target, standing, side) for side in sides] if target else [0, 0]
        # Without a cube it is as in the Crawford game: nobody doubles, and gammons count.  Where
        # both have a point to go the engine knows no such game: no cube counts anyway.
        dead = max(to_go) > 1 and (standing.crawford or (not self.cubeful and 1 in to_go))
        owner = standing.cube.owner if self.cubeful else None
        return {
            "cube": self._stake(),
            "cubeowner": -1 if owner is None else sides.index(owner),
            "move": 1,
            "matchto": max(to_go),
            "score": [max(to_go) - points for points in to_go],
            "crawford": int(dead),
            "jacoby": int(agreement.jacoby and self.cubeful and target is None),
            "beavers": 0,
            "bgv": 0,
        }

    def _stake(self) -> int:
        """A power of two. In unlimited play only whether the cube was turned matters."""
        cube = self.situation.standing.cube
        if not self.cubeful:
            return 1
        if self.unit is Unit.POINTS:
            return 1 if cube.owner is None else 2
        return min(MOST_STAKE, 1 << cube.value.bit_length() - 1)


T = TypeVar("T")


def known(value: T | None) -> T:
    """Return a part of an answer that must be there. Raises PlayerError if it is None."""
    if value is None:
        raise nonsense(value)
    return value


def nonsense(given: object) -> PlayerError:
    return PlayerError(f"GNU Backgammon answers nonsense: {quoted(given)}")


# The player: plays rated and the cube weighed by the engine's answers.

BEHIND = 1e-6
"""Points by which a less deeply searched play is placed behind the deeper ones, at least."""

DOUBTFUL = 0.03
"""A play that loses no more points than this need not be searched more deeply."""

SeenMen: TypeAlias = tuple[Men, Men]


class Looked(NamedTuple):
    """The worth of a position to the side that left it, its search depth in plies, and its odds."""

    plies: int
    worth: float
    odds: Odds


@dataclass(frozen=True, slots=True)
class EngineLevel:
    """The search depth in plies, and the standard deviation of the misjudgement, in points at a
    stake of one."""

    plies: int
    error: float = 0.0


class EnginePlayer(Player):
    """Raises PlayerError for questions that the engine does not answer."""

    def __init__(self, game: AnyGame, level: EngineLevel, engine: Gnubg) -> None:
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
            looked, point = self._left(asked, here, self._level.plies)
            listed = {here: looked}
        else:
            after = None if made is None else self._game.after(position, made)
            seen = None if after is None else seen_from(after, position.mover)
            listed, point = self._compared(asked, roll, seen)
        if listed.keys() != plays.keys():
            where = f"{self._game.write_position(position)} with {roll}"
            raise PlayerError(f"the engine's plays are not the legal ones: {where}")
        rated = {plays[after]: asked.limited(one.worth) for after, one in listed.items()}
        chances = {plays[after]: one.odds.chances(self._most) for after, one in listed.items()}
        plies = {plays[after]: one.plies for after, one in listed.items()}
        return ranked(asked.unit, False, rated, point, chances, plies)

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        asked = Inquiry(self._game, situation, situation.position.mover)
        if not asked.cubeful:
            return None
        answer = self._ask(asked.question(situation.position, self._level.plies))
        _, held, taken, passed = known(answer.equities)
        error = self._error(seen_from(situation.position, asked.side))
        held, taken, passed = (
            asked.limited(asked.counted(answer, way))
            for way in (held + error, taken + 2 * error, passed)
        )
        chances = known(answer.odds).chances(self._most)
        return CubeOpinion(asked.unit, False, held, taken, passed, asked.spread(answer), chances)

    def foresee(self, situation: Situation, rolls: Sequence[Roll]) -> RollsOpinion:
        """Ask about all rolls at once where the engine's own equities count."""
        asked = Inquiry(self._game, situation, situation.position.mover)
        if not asked.cubeful or self._level.error:
            return super().foresee(situation, rolls)
        question = asked.question(situation.position, self._level.plies)
        answer = self._ask({**question, "rolls": [roll.dice for roll in rolls], "wide": False})
        if len(answer.best) != len(rolls):
            raise nonsense(answer.best)
        worths = {
            roll: self.rate(situation, roll).plays[0].worth
            if equity is None
            else asked.limited(asked.counted(answer, equity))
            for roll, equity in zip(rolls, answer.best, strict=True)
        }
        return RollsOpinion(asked.unit, False, worths)

    def _compared(
        self, asked: Inquiry, roll: Roll, made: SeenMen | None
    ) -> tuple[dict[SeenMen, Looked], float]:
        position = asked.situation.position
        question = {
            **asked.question(position, self._level.plies),
            "dice": list(roll.dice),
            "wide": made is not None,
        }
        answer = self._ask(question)
        listed = {
            after: Looked(
                plies,
                asked.counted(answer, equity) if asked.cubeful else self._mean(asked, odds),
                odds,
            )
            for after, plies, equity, odds in self._listed(answer, position)
        }
        spread = asked.spread(answer)
        if self._level.error:
            misled = {
                after: one._replace(worth=one.worth + spread * self._error(after))
                for after, one in listed.items()
            }
            return misled, spread
        if made in listed:
            listed |= self._closely(asked, listed, made, spread * DOUBTFUL)
        return _deepest_first(listed, spread * BEHIND), spread

    def _closely(
        self, asked: Inquiry, listed: Mapping[SeenMen, Looked], made: SeenMen, doubtful: float
    ) -> dict[SeenMen, Looked]:
        """Search the play that was made as deeply as the best, as the engine's analysis does.

        If only one play was searched deeply, a made play that loses little needs no deeper search;
        otherwise both are searched fully.
        """
        best = max(listed, key=lambda after: listed[after])
        plies, most, _ = listed[best]
        if plies < self._level.plies and most - listed[made].worth > doubtful:
            plies = self._level.plies
        return {
            after: self._left(asked, after, plies)[0]
            for after in (made, best)
            if listed[after].plies < plies and not self._game.outcome(_faced(after))
        }

    def _listed(
        self, answer: EngineAnswer, position: TablesPosition
    ) -> Iterator[tuple[SeenMen, int, float, Odds]]:
        """Yield the engine's plays as positions, as their mover sees them."""
        board = TablesPosition(*seen_from(position, position.mover), Side.WHITE)
        for play, plies, equity, odds in answer.plays:
            yield self._after(board, play), plies, equity, odds

    def _after(self, board: TablesPosition, play: str) -> SeenMen:
        """The position after a play in the engine's notation."""
        try:
            after = self._game.after(board, self._game.read_play(board, play))
        except RulesError:
            raise nonsense(play) from None
        return seen_from(after, Side.WHITE)

    def _left(self, asked: Inquiry, after: SeenMen, plies: int) -> tuple[Looked, float]:
        """The worth of leaving a position to the opponent, and the worth of a point."""
        other = Inquiry(self._game, asked.situation, asked.side.other)
        answer = self._ask(other.question(_faced(after, asked.side), plies))
        point, odds = other.spread(answer), known(answer.odds).turned
        if not asked.cubeful:
            return Looked(plies, self._mean(asked, odds), odds), point
        equity, *_ = known(answer.equities)
        worth = other.counted(answer, equity)
        return Looked(plies, 1 - worth if asked.unit is Unit.MATCH else -worth, odds), point

    def _mean(self, asked: Inquiry, odds: Odds) -> float:
        return odds.worth(asked.ends, self._most)

    def _ask(self, question: Mapping[str, Any]) -> EngineAnswer:
        answer = self._engine.ask(question)
        if answer.position != question["position"]:
            raise PlayerError(f"the engine answers what was not asked: {quoted(answer)}")
        return answer

    def _error(self, seen: SeenMen) -> float:
        """The misjudgement of a position in points, always the same; 0 if the game is won."""
        if not self._level.error or self._game.outcome(_faced(seen)):
            return 0.0
        return random.Random(f"{seen}").gauss(0, self._level.error)


def seen_from(position: TablesPosition, side: Side) -> SeenMen:
    """Return the men of this side and of the other."""
    return position.men(side), position.men(side.other)


def _faced(seen: SeenMen, side: Side = Side.WHITE) -> TablesPosition:
    """Return the position that this side sees, with the other side on roll."""
    return seen_by(side, *seen).with_mover(side.other)


def _deepest_first(listed: Mapping[SeenMen, Looked], step: float) -> dict[SeenMen, Looked]:
    """Order plays so that less deeply searched ones come last."""
    deepest = max((one.plies for one in listed.values()), default=0)
    least = min((one.worth for one in listed.values() if one.plies == deepest), default=0.0)
    return {
        after: one if one.plies == deepest else one._replace(worth=min(one.worth, least - step))
        for after, one in listed.items()
    }


QUICK = "gnubg-0"
"""Estimates luck for all levels, as in the engine's own analysis."""
PLIES = Sentence("GNU Backgammon, {plies}-ply")
MISJUDGES = Sentence("GNU Backgammon, {level}")


def _contender(name: str, says: str, level: EngineLevel, title: str, bars: int) -> Contender:
    def make(game: AnyGame) -> EnginePlayer:
        return EnginePlayer(game, level, Gnubg(command()))

    return Contender(
        name,
        says,
        make,
        advises=not level.error,
        missing=missing,
        title=title,
        bars=bars,
        quick=QUICK,
        program=program,
    )


def _looking(name: str, ahead: str, plies: int, bars: int) -> Contender:
    says = f"GNU Backgammon looking {ahead} ahead"
    return _contender(name, says, EngineLevel(plies), PLIES(plies=plies), bars)


def _misjudging(name: str, error: float, level: str, bars: int) -> Contender:
    says = (
        "GNU Backgammon looking no ply ahead, which misjudges each position by chance,"
        f" by {error:g} points (standard deviation)"
    )
    return _contender(name, says, EngineLevel(0, error), MISJUDGES(level=level), bars)


GNUBG_PLAYERS = (
    _looking("gnubg-2", "two plies", 2, bars=8),
    _looking("gnubg-1", "one ply", 1, bars=7),
    _looking(QUICK, "no ply", 0, bars=7),
    _misjudging("gnubg-advanced", 0.03, Sentence("advanced")(), 6),
    _misjudging("gnubg-intermediate", 0.08, Sentence("intermediate")(), 5),
    _misjudging("gnubg-beginner", 0.12, Sentence("beginner")(), 4),
)
"""The strongest first.

The engine's own levels of these names misjudge the chance to win by half as much, which is the
same: a chance of p is worth 2p - 1 points.
"""
