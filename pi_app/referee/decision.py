"""The decisions of a match: they are stored, resumed from and replayed.

A touch records what a sensor, a button or a finger did. Its meaning is judged once, when it
happens. A decision is that meaning with the state after it, so nothing is ever judged again: a
match resumes from its last decision and is replayed from all of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from enum import Enum
from types import MappingProxyType

from pi_app.match.clock import Clocks, SideTime
from pi_app.match.score import Cube, Score, Standing
from pi_app.match.turns import Act, GameResult, MatchState, Phase
from pi_app.microseconds import LONGEST_MS, Us, ms, read_ms, write_ms
from pi_app.referee.lines import EventError
from pi_app.rules.terms import Die, Roll, RulesError, Side, read_roll
from pi_app.sensing.description import Sensor
from pi_app.strict import Reader

SUREST = Decimal("0.999999999")
"""Certainty is never asked for: this is the strictest setting."""


class What(Enum):
    """The kinds of decisions."""

    BOARD_SET = "board set"
    OPENING_THROW = "opening throw"
    ROLL = "roll"
    CHANGE_DICE = "change dice"
    CHOSEN = "chosen"
    """The machine's play, before a hand makes it on the board."""
    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    RESIGNATION = "resignation"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    CORRECTION = "correction"
    TAKE_BACK = "take back"
    RESTORED = "restored"
    NEXT_GAME = "next game"
    SENSOR_OFF = "sensor off"
    SENSOR_ON = "sensor on"
    OVERTIME = "overtime"
    """A flag has fallen for the first time."""
    FLAG = "flag"
    """A flag has fallen, and the match is lost."""
    RESUMED = "resumed"
    """A match with a clock resumes; no time ran meanwhile."""


KEPT_AS: Mapping[Act, What] = MappingProxyType(
    {
        Act.BOARD_SET: What.BOARD_SET,
        Act.THROW: What.OPENING_THROW,
        Act.ROLL: What.ROLL,
        Act.PLAY: What.PLAY,
        Act.DOUBLE: What.DOUBLE,
        Act.TAKE: What.TAKE,
        Act.PASS: What.PASS,
        Act.CHANGE_DICE: What.CHANGE_DICE,
        Act.RESIGN: What.RESIGNATION,
        Act.ACCEPT: What.ACCEPTED,
        Act.REFUSE: What.REFUSED,
        Act.CORRECT: What.CORRECTION,
        Act.TAKE_BACK: What.TAKE_BACK,
        Act.RESTORE: What.RESTORED,
        Act.NEXT_GAME: What.NEXT_GAME,
        Act.OVERTIME: What.OVERTIME,
        Act.FLAG: What.FLAG,
    }
)
"""The kind of decision of each act."""

OF_ONE_SIDE = frozenset(
    {
        What.OPENING_THROW,
        What.ROLL,
        What.CHOSEN,
        What.PLAY,
        What.DOUBLE,
        What.TAKE,
        What.PASS,
        What.RESIGNATION,
        What.ACCEPTED,
        What.REFUSED,
        What.OVERTIME,
        What.FLAG,
    }
)
"""Decisions of the side to act; others may come from anyone at the table."""


class DecisionError(EventError):
    """A line that is no decision, or a decision that a match cannot have made; says why."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, and the state of the match after it.

    `by` is the side that rolled, played, doubled, answered or resigned; None if either player may
    have touched the screen. `dice` are those rolled, removed by a takeback, or mistyped. `again`:
    dice that were shown, or a double that was taken, before a takeback. `play` is the play made,
    chosen by the machine, or undone; `undone` is how many plays a takeback undid. `off` are the
    sensors turned off from now on. `state` has the position as text.

    `confidence` is the probability that the sensors give a play, in the steps of `stated`; it is
    None if a player was `asked`, and if nothing could move. `warned` counts the warnings of the
    side to act since the previous decision. `condoned`: the play was illegal and the opponent let
    it stand under responsible moves. `clocks` are both sides' times after it, in a match with a
    clock.
    """

    us: Us
    what: What
    state: MatchState[str]
    by: Side | None = None
    dice: Roll | None = None
    typed: bool = False
    play: str | None = None
    undone: int = 0
    sensor: Sensor | None = None
    off: tuple[Sensor, ...] = ()
    confidence: float | None = None
    asked: bool = False
    again: bool = False
    warned: int | None = None
    condoned: bool = False
    clocks: Clocks | None = None


def stated(confidence: float) -> float:
    """A confidence as it is shown and kept: rounded down to nine decimals, and below 1."""
    return float(min(Decimal(repr(confidence)).quantize(SUREST, ROUND_FLOOR), SUREST))


def write_decision(decision: Decision) -> str:
    """The line that read_decision reads, without a line break; absent values are left out."""
    state = decision.state
    standing, result = state.standing, state.result
    cube = standing.cube
    fields = {
        "ms": write_ms(decision.us),
        "decided": decision.what.value,
        "by": _side(decision.by),
        "dice": _dice(decision.dice),
        "typed": decision.typed or None,
        "again": decision.again or None,
        "play": decision.play,
        "confidence": decision.confidence,
        "asked": decision.asked or None,
        "undone": decision.undone or None,
        "warned": decision.warned,
        "condoned": decision.condoned or None,
        "sensor": decision.sensor,
        "off": list(decision.off) or None,
        "phase": state.phase.value,
        "to_act": state.to_act.value,
        "position": state.position,
        "roll": _dice(state.roll),
        "thrown": [{"by": by.value, "die": die} for by, die in state.thrown] or None,
        "starter": _side(state.starter),
        "resignation": state.resignation,
        "result": result
        and _there(winner=_side(result.winner), points=result.points, name=result.name),
        "game": standing.game_number,
        "score": {"white": standing.score.white, "black": standing.score.black},
        "cube": _there(value=cube.value, owner=_side(cube.owner), offered=_side(cube.offered)),
        "crawford": standing.crawford or None,
        "crawford_played": standing.crawford_played or None,
        "clock": _write_clocks(decision.clocks) if decision.clocks else None,
    }
    return json.dumps(_there(**fields), ensure_ascii=False)


def read_decision(line: str) -> Decision:
    """Read one line; raises DecisionError that names every key at fault."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DecisionError(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise DecisionError("no JSON object; a decision is {…}")
    try:
        us = read_ms(fields.pop("ms", None))
    except ValueError as error:
        raise DecisionError(f"ms: {error}") from None
    reader = Reader(fields)
    decision = Decision(
        us,
        What(reader.choice("decided", [what.value for what in What])),
        _read_state(reader),
        _read_side(reader, "by"),
        _read_roll(reader, "dice"),
        reader.take("typed", bool, False),
        reader.take("play", str) if reader.has("play") else None,
        reader.whole("undone", 0, _MOST, 0),
        Sensor(reader.take("sensor", str)) if reader.has("sensor") else None,
        tuple(Sensor(name) for name in reader.words("off", ())),
        reader.number("confidence", 0.0, 1.0) if reader.has("confidence") else None,
        reader.take("asked", bool, False),
        reader.take("again", bool, False),
        reader.whole("warned", 0, _MOST) if reader.has("warned") else None,
        reader.take("condoned", bool, False),
        _read_clocks(reader.table("clock")) if reader.has("clock") else None,
    )
    reader.done()
    if reader.faults:
        raise DecisionError("; ".join(reader.faults))
    return decision


_MOST = 10**9
_DOUBLINGS = 64


def _read_state(reader: Reader) -> MatchState[str]:
    return MatchState(
        _read_standing(reader),
        Phase(reader.choice("phase", [phase.value for phase in Phase])),
        _read_side(reader, "to_act", needed=True) or Side.WHITE,
        reader.take("position", str),
        _read_roll(reader, "roll"),
        tuple(_read_throw(throw) for throw in reader.tables("thrown")),
        _read_result(reader.table("result")) if reader.has("result") else None,
        _read_side(reader, "starter"),
        reader.whole("resignation", 1, _MOST) if reader.has("resignation") else None,
    )


def _read_standing(reader: Reader) -> Standing:
    score, cube = reader.table("score"), reader.table("cube")
    standing = Standing(
        Score(score.whole("white", 0, _MOST), score.whole("black", 0, _MOST)),
        Cube(
            cube.whole("value", 1, 1 << _DOUBLINGS),
            _read_side(cube, "owner"),
            _read_side(cube, "offered"),
        ),
        reader.whole("game", 1, _MOST),
        reader.take("crawford", bool, False),
        reader.take("crawford_played", bool, False),
    )
    score.done()
    cube.done()
    return standing


def _read_result(reader: Reader) -> GameResult:
    result = GameResult(
        _read_side(reader, "winner"), reader.whole("points", 0, _MOST), reader.take("name", str)
    )
    reader.done()
    return result


def _read_throw(reader: Reader) -> tuple[Side, Die]:
    by = _read_side(reader, "by", needed=True) or Side.WHITE
    throw = (by, Die(reader.whole("die", 1, 6)))
    reader.done()
    return throw


def _read_side(reader: Reader, key: str, needed: bool = False) -> Side | None:
    if not needed and not reader.has(key):
        return None
    return Side(reader.choice(key, [side.value for side in Side]))


def _read_roll(reader: Reader, key: str) -> Roll | None:
    """The empty text is the roll of a game without dice."""
    if not reader.has(key):
        return None
    text = reader.take(key, str)
    try:
        return read_roll(text, min(len(text), 2))
    except RulesError as error:
        reader.fault(key, str(error))
        return None


def _side(side: Side | None) -> str | None:
    return side.value if side else None


def _dice(roll: Roll | None) -> str | None:
    return None if roll is None else str(roll)


def _there(**fields: object) -> dict[str, object]:
    return {key: value for key, value in fields.items() if value is not None}


def _write_clocks(clocks: Clocks) -> dict[str, object]:
    """Both clocks in milliseconds; zeros are left out."""
    holder = {"holder": clocks.holder.value} if clocks.holder else {}
    return {"white": _write_time(clocks.white), "black": _write_time(clocks.black), **holder}


def _read_clocks(reader: Reader) -> Clocks:
    """The clocks of a table; errors are added to the reader's faults."""
    white, black = _read_time(reader.table("white")), _read_time(reader.table("black"))
    sides = [side.value for side in Side]
    holder = Side(reader.choice("holder", sides)) if reader.has("holder") else None
    reader.done()
    return Clocks(white, black, holder)


def _write_time(time: SideTime) -> dict[str, object]:
    spent = {"spent": write_ms(time.spent)} if time.spent else {}
    overtime = {"overtime": True} if time.overtime else {}
    return {"left": write_ms(time.left), **spent, **overtime}


def _read_time(reader: Reader) -> SideTime:
    time = SideTime(
        _span(reader, "left"),
        _span(reader, "spent") if reader.has("spent") else Us(0),
        reader.take("overtime", bool, False),
    )
    reader.done()
    return time


def _span(reader: Reader, key: str) -> Us:
    return ms(reader.number(key, 0, LONGEST_MS))
