"""What is said between Spotter and a player in a process of its own: lines of JSON, both ways.

The player first says who it is: `{"game": …, "player": …}`.  Then each question has a number, and
its answer the same one:

    {"id": 7, "position": "1ww..bb1 w", "roll": "3", "match": {…}}
    {"id": 7, "unit": "points", "exact": true, "point": 1.0, "plays": [["1/4", 0.21], …]}

`made` in a question is the play whose worth is wanted most.  Without a roll it is the cube that is
asked about, and `held`, `taken` and `passed` are answered, or nothing: `{"id": 7}`.  What cannot be
answered has an `error`, in the greeting's place too where the player cannot be had.  Nothing here
touches a process: bytes in, values out.  Answers are not believed: what is not legal, not complete
or no number is nonsense.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from pi_app.errors import GivenError
from pi_app.match.score import Agreement, Cube, Score, Standing
from pi_app.players.contract import CubeOpinion, Opinion, Player, Rated, Situation, Unit
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, RulesError, Side, read_roll
from pi_app.strict import Reader
from pi_app.words.texts import one_line, quoted

MOST_OF_ANSWER = 1024 * 1024
"""Bytes of a line: a thousand plays of a doublet have a tenth of that."""
MOST_OF_REFUSAL = 160
"""Characters of a player's reason that are told."""
MOST_POINTS = 10**6
"""Of a match or a stake."""
MOST_WORTH = 10**12
_SIDES = {side.value: side for side in Side}
NOBODY = "nobody"
CUBE = ("held", "taken", "passed")


class NonsenseError(ValueError):
    """An invalid message of a player or its asker."""


class RefusedError(NonsenseError):
    """A player says itself that it cannot answer, and why."""


class QuestionError(GivenError):
    """A question that cannot be answered; says every reason."""


@dataclass(frozen=True, slots=True)
class Question:
    """A situation, with the roll that is to be played, or None where it is about the cube.

    `made` is the play whose worth is wanted, judged as closely as the best; None where none was.
    """

    situation: Situation
    roll: Roll | None
    made: Any = None

    def put(self, player: Player) -> Opinion | CubeOpinion | None:
        """Ask a player."""
        if self.roll is None:
            return player.weigh(self.situation)
        return player.rate(self.situation, self.roll, self.made)


def write_greeting(game: str, player: str) -> bytes:
    """The player's greeting."""
    return _line({"game": game, "player": player})


def check_greeting(line: bytes, game: str, player: str) -> None:
    """Raise NonsenseError unless this is the greeting of that player; it may refuse instead."""
    told = _object(line)
    _check_refused(told)
    if told != {"game": game, "player": player}:
        raise NonsenseError(f"it greets with {quoted(line)}")


def write_question(game: AnyGame, number: int, question: Question) -> bytes:
    situation = question.situation
    standing, cube = situation.standing, situation.standing.cube
    agreed = {
        name: value for name, value in asdict(situation.agreement).items() if value is not None
    }
    match = {
        **agreed,
        "score": [standing.score.white, standing.score.black],
        "value": cube.value,
        "owner": cube.owner.value if cube.owner else NOBODY,
        "offered": cube.offered.value if cube.offered else NOBODY,
        "game": standing.game_number,
        "in_crawford": standing.crawford,
        "crawford_played": standing.crawford_played,
    }
    asked: dict[str, object] = {"id": number, "position": game.write_position(situation.position)}
    if question.roll is not None:
        asked["roll"] = str(question.roll)
    if question.made is not None:
        asked["made"] = game.write_play(question.made)
    return _line({**asked, "match": match})


def read_question(game: AnyGame, line: bytes) -> tuple[int, Question]:
    """A question and its number; raises QuestionError with every reason against it."""
    try:
        table = _object(line)
    except NonsenseError as error:
        raise QuestionError(str(error)) from None
    reader = Reader(table)
    number = reader.whole("id", 0, 2**53)
    position_text = reader.take("position", str)
    roll_text = reader.take("roll", str) if reader.has("roll") else None
    made_text = reader.take("made", str) if reader.has("made") else None
    agreement, standing = _read_match(reader.table("match"))
    reader.done()
    if reader.faults:
        raise QuestionError("; ".join(reader.faults))
    try:
        position = game.read_position(position_text)
        roll = None if roll_text is None else read_roll(roll_text, game.dice)
    except RulesError as error:
        raise QuestionError(str(error)) from None
    if game.outcome(position):
        raise QuestionError(f"position {quoted(position_text)}: the game is over")
    situation = Situation(position, agreement, standing)
    return number, Question(situation, roll, _read_made(game, position, roll, made_text))


def _read_made(game: AnyGame, position: Any, roll: Roll | None, text: str | None) -> Any:
    """The legal play of this text; None where there is no text."""
    if text is None:
        return None
    plays = () if roll is None else game.plays(position, roll)
    for play in plays:
        if game.write_play(play) == text:
            return play
    raise QuestionError(f"made {quoted(text)}: it is no legal play of this roll")


def _read_match(reader: Reader) -> tuple[Agreement, Standing]:
    switches = {
        field.name: reader.take(field.name, bool, default=False)
        for field in fields(Agreement)
        if field.name != "match_to"
    }
    match_to = reader.whole("match_to", 1, MOST_POINTS) if reader.has("match_to") else None
    score = reader.take("score", list, [0, 0])
    if len(score) != 2 or not all(type(n) is int and 0 <= n < (match_to or 1e9) for n in score):
        reader.fault("score", f"is {quoted(score)}; give two whole numbers below the target")
        score = [0, 0]
    cube = Cube(
        reader.whole("value", 1, MOST_POINTS, 1),
        _SIDES.get(reader.choice("owner", (NOBODY, *_SIDES), NOBODY)),
        _SIDES.get(reader.choice("offered", (NOBODY, *_SIDES), NOBODY)),
    )
    standing = Standing(
        Score(*score),
        cube,
        reader.whole("game", 1, MOST_POINTS, 1),
        reader.take("in_crawford", bool, default=False),
        reader.take("crawford_played", bool, default=False),
    )
    reader.done()
    return Agreement(match_to, **switches), standing


def answer(player: Player, number: int, question: Question, game: AnyGame) -> bytes:
    told: dict[str, object] = {"id": number}
    opinion = question.put(player)
    if opinion is None:
        return _line(told)
    told |= {"unit": opinion.unit.value, "exact": opinion.exact}
    if opinion.point is not None:
        told["point"] = opinion.point
    if isinstance(opinion, CubeOpinion):
        told |= {"held": opinion.held, "taken": opinion.taken, "passed": opinion.passed}
    else:
        told["plays"] = [[game.write_play(rated.play), rated.worth] for rated in opinion.plays]
    return _line(told)


def refuse(number: int, why: str) -> bytes:
    """The reply to a question that the player cannot answer."""
    return _line({"id": number, "error": one_line(why)})


def read_answer(
    game: AnyGame, number: int, question: Question, line: bytes
) -> Opinion | CubeOpinion | None:
    """The opinion that a line tells; raises NonsenseError."""
    told = _object(line)
    if told.pop("id", None) != number:
        raise NonsenseError(f"it answers what was not asked: {quoted(line)}")
    _check_refused(told)
    if question.roll is None and not told:
        return None
    unit, exact, point = (told.pop(name, None) for name in ("unit", "exact", "point"))
    if unit not in [each.value for each in Unit] or type(exact) is not bool:
        raise NonsenseError(f"it does not say what it counts: {quoted(line)}")
    if point is not None and (point := _worth(point)) <= 0:
        raise NonsenseError(f"a point is worth {quoted(point)} to it")
    if question.roll is None:
        held, taken, passed = (_worth(told.pop(name, None)) for name in CUBE)
        return CubeOpinion(Unit(unit), exact, held, taken, passed, point)
    plays = _plays(game, question, told.pop("plays", None))
    return Opinion(Unit(unit), exact, plays, point)


def number_of(line: bytes) -> int | None:
    """The number of the question that a line answers; None where it has none."""
    number = _object(line).get("id")
    return number if type(number) is int else None


def _plays(game: AnyGame, question: Question, told: object) -> tuple[Rated, ...]:
    """Every legal play, once; raises NonsenseError for more, less or others."""
    assert question.roll is not None
    legal = {game.write_play(p): p for p in game.plays(question.situation.position, question.roll)}
    if not isinstance(told, list) or not all(isinstance(p, list) and len(p) == 2 for p in told):
        raise NonsenseError(f"its plays are {quoted(told)}")
    rated = []
    for text, worth in told:
        if not isinstance(text, str) or text not in legal:
            raise NonsenseError(f"{quoted(text)} is no legal play, or comes twice")
        rated.append(Rated(legal.pop(text), _worth(worth)))
    if legal:
        raise NonsenseError(f"it leaves out {quoted(next(iter(legal)))}")
    return tuple(sorted(rated, key=lambda one: -one.worth))


def _worth(value: object) -> float:
    # As Python's json reads numbers: a whole one may be longer than any float.
    if isinstance(value, float) and math.isfinite(value):
        return value
    if type(value) is int and abs(value) <= MOST_WORTH:
        return float(value)
    raise NonsenseError(f"{quoted(value)} is no worth")


def _check_refused(told: Mapping[str, Any]) -> None:
    if "error" in told:
        raise RefusedError(one_line(str(told["error"]), MOST_OF_REFUSAL))


def _object(line: bytes) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        raise NonsenseError(f"it is no line of JSON: {quoted(line)}") from None
    if not isinstance(told, dict):
        raise NonsenseError(f"it is no object of JSON: {quoted(line)}")
    return told


def _line(told: Mapping[str, object]) -> bytes:
    return json.dumps(told, allow_nan=False).encode() + b"\n"
