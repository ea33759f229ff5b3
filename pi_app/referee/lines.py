"""Events, decisions and views as lines of JSON: as a match is stored, replayed and exported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Annotated, Any, TypeAlias

from msgspec import Meta

from pi_app.base.microseconds import LONGEST_MS, Us, ms, read_ms, write_ms
from pi_app.base.typed_json import JsonError, one_of, plain, read, read_object, there, write
from pi_app.base.values import dataclass
from pi_app.match.acts import OF_BOTH_BOARDS, OF_ENGINE, OF_FAR_SIDE, STORED, Act
from pi_app.match.clock import Clocks, SideTime
from pi_app.match.score import Cube, Score, Standing
from pi_app.match.turns import GameResult, MatchState, Phase
from pi_app.referee.controls import TAPS
from pi_app.referee.decision import Decision, DecisionError
from pi_app.referee.events import (
    Button,
    Caution,
    DeviceLost,
    Event,
    EventError,
    Found,
    LevelsRead,
    MachineActs,
    Picture,
    Rolled,
    SensorEdge,
    Start,
    Tap,
    Tick,
)
from pi_app.referee.view import ClockFace, View
from pi_app.rules.terms import Both, Die, Roll, RulesError, Side, read_roll
from pi_app.sensing.description import Sensor
from pi_app.sensing.levels import HIGHEST
from pi_app.words.texts import clean_name, quoted

_EVENTS: Mapping[str, type[Event]] = {
    "start": Start,
    "picture": Picture,
    "sensor": SensorEdge,
    "button": Button,
    "roll": Rolled,
    "tap": Tap,
    "machine": MachineActs,
    "caution": Caution,
    "levels": LevelsRead,
    "tick": Tick,
    "lost": DeviceLost,
    "found": Found,
}
"""The class of each event, by its key `event`. The other keys are its fields, with `ms`
for `us`."""
_TAGS: Mapping[type[Event], str] = {kind: tag for tag, kind in _EVENTS.items()}
_NEEDS: Mapping[tuple[type[Event], Act], str] = {
    (Tap, Act.CHOOSE): "play",
    (Tap, Act.SENSOR_OFF): "sensor",
    (Tap, Act.SENSOR_ON): "sensor",
    (Tap, Act.RESIGN): "points",
    (MachineActs, Act.PLAY): "play",
    (MachineActs, Act.RESIGN): "points",
    (MachineActs, Act.TAKE_BACK): "undone",
    (MachineActs, Act.CORRECT): "position",
}


def _words(acts: Iterable[Act], correct: str) -> Mapping[str, Act]:
    """Return the acts by their words in events.

    Five acts have another word in decisions, such as "accepted". Files contain both, so neither can
    change.
    """
    asked = {Act.RESIGN: "resign", Act.ACCEPT: "accept", Act.REFUSE: "refuse"}
    asked |= {Act.RESTORE: "restore", Act.CORRECT: correct}
    return {asked.get(act, act.value): act for act in acts}


_ACTS: Mapping[str, Mapping[str, Act]] = {
    "intent": _words(TAPS, "board is right"),
    "does": _words(OF_ENGINE | OF_FAR_SIDE | OF_BOTH_BOARDS, "correct"),
}
"""What taps and other sides may ask for, by the key and the word."""
_ASKED = {key: {act: word for word, act in acts.items()} for key, acts in _ACTS.items()}
LONGEST_MATCH = 999


def read_event(line: str) -> Event:
    """Read one line. Raises EventError, which names the place and the value."""
    try:
        fields = read_object(line)
        if "us" in fields:
            raise EventError("$.us is not known; write ms")
        fields["us"] = _moment(fields.pop("ms", None))
        if isinstance(dice := fields.get("dice"), str):
            fields["dice"] = read_roll(dice, 2 if len(dice) == 2 else 1)
        fields |= {key: _act(key, fields[key]) for key in _ACTS if key in fields}
        return _checked(one_of(fields, "event", _EVENTS))
    except (JsonError, RulesError) as error:
        raise EventError(str(error)) from None


def _moment(found: object) -> Us:
    try:
        return read_ms(found)
    except ValueError as error:
        raise EventError(f"$.ms is {quoted(found)}; {error}") from None


def _act(key: str, word: object) -> Act:
    acts = _ACTS[key]
    if not isinstance(word, str) or word not in acts:
        raise EventError(f"$.{key} is {quoted(word)}; it must be one of: {', '.join(sorted(acts))}")
    return acts[word]


def _checked(event: Event) -> Event:
    match event:
        case Start():
            match_to = event.match_to
            if match_to is not None and not 1 <= match_to <= LONGEST_MATCH:
                wanted = f"it must be a whole number 1 to {LONGEST_MATCH}, or null"
                raise EventError(f"$.match_to is {quoted(match_to)}; {wanted}")
            white, black = map(clean_name, event.players)
            options = dict(event.options)
            return replace(event, players=(white, black), options=options)
        case LevelsRead(levels=levels):
            for place, level in levels.items():
                if abs(level) > HIGHEST:
                    wanted = f"it must be -{HIGHEST} to {HIGHEST}"
                    raise EventError(f"$.levels.{place} is {quoted(level)}; {wanted}")
        case Tap(intent=does) | MachineActs(does=does):
            need = _NEEDS.get((type(event), does))
            if need and getattr(event, need) is None:
                key = "intent" if isinstance(event, Tap) else "does"
                raise EventError(f"{_ASKED[key][does]!r} needs the key {need!r}")
    return event


def write_event(event: Event) -> str:
    """Write the line that `read_event` reads, without a line break."""
    fields = {"ms": write_ms(event.us), "event": _TAGS[type(event)], **plain(event)}
    del fields["us"]
    match event:
        case Start():
            return write(fields)
        case Rolled():
            fields["dice"] = str(event.dice)
        case Picture():
            fields["closed"] = sorted(event.closed)
        case Tap():
            fields["intent"] = _ASKED["intent"][event.intent]
        case MachineActs():
            fields["does"] = _ASKED["does"][event.does]
    return write(there(fields))


_SHOWN = (
    *("phase", "to_act", "game", "position", "roll", "board", "play", "after", "confidence"),
    *("choices", "rule", "reason", "put_right", "sensors_off", "score", "match_to", "cube"),
    *("message", "hint"),
)
"""The fields of a view that its line has."""


def write_view(view: View) -> str:
    """Write the line that `spotter replay` prints after an event, without a line break."""
    shown = {name: getattr(view, name) for name in _SHOWN}
    clock = {"clock": _face(view.clock, view.us)} if view.clock else {}
    return write({"ms": write_ms(view.us), **shown, **clock})


def _face(face: ClockFace, us: Us) -> dict[str, object]:
    """Both sides' milliseconds, and whose clock runs."""
    left = {side.value: write_ms(face[side].left_at(us)) for side in Side}
    return {**left, "runs": face.holder if face.runs else None}


_Natural: TypeAlias = Annotated[int, Meta(ge=0, le=10**9)]
_Positive: TypeAlias = Annotated[int, Meta(ge=1, le=10**9)]
_Span: TypeAlias = Annotated[float, Meta(ge=0, le=LONGEST_MS)]


@dataclass(frozen=True, slots=True)
class _ThrowKeys:
    by: Side
    die: Annotated[int, Meta(ge=1, le=6)]


@dataclass(frozen=True, slots=True)
class _ResultKeys:
    points: _Natural
    name: str
    winner: Side | None = None


@dataclass(frozen=True, slots=True)
class _CubeKeys:
    value: Annotated[int, Meta(ge=1, le=1 << 62)]
    owner: Side | None = None
    offered: Side | None = None


@dataclass(frozen=True, slots=True)
class _TimeKeys:
    left: _Span
    spent: _Span = 0
    overtime: bool = False


@dataclass(frozen=True, slots=True)
class _ClockKeys(Both[_TimeKeys]):
    holder: Side | None = None


# Why the line of a decision has classes of its own: a file is flat, leaves out what is usual, and
# keeps its keys for good; a `Decision` nests what belongs together, and may be rearranged. These
# classes also bound the numbers, so that no file brings one with which the program cannot
# calculate. If `Decision` described the line, whoever renamed a field would lock old journals out.
@dataclass(frozen=True, slots=True, kw_only=True)
class _DecisionKeys:
    """The keys of a decision's line. A key with its default value is left out."""

    ms: float
    decided: Act
    by: Side | None = None
    dice: str | None = None
    typed: bool = False
    again: bool = False
    play: str | None = None
    confidence: Annotated[float, Meta(ge=0, le=1)] | None = None
    asked: bool = False
    undone: _Natural = 0
    warned: _Natural | None = None
    condoned: bool = False
    sensor: Sensor | None = None
    off: tuple[Sensor, ...] = ()
    phase: Phase
    to_act: Side
    position: str
    roll: str | None = None
    thrown: tuple[_ThrowKeys, ...] = ()
    starter: Side | None = None
    resignation: _Positive | None = None
    result: _ResultKeys | None = None
    game: _Positive
    score: Both[_Natural]
    cube: _CubeKeys
    crawford: bool = False
    crawford_played: bool = False
    replayed: _Natural = 0
    clock: _ClockKeys | None = None


_USUAL: Mapping[str, object] = {each.name: each.default for each in fields(_DecisionKeys)}


def read_decision(line: str) -> Decision:
    """Read one line. Raises DecisionError, which names the place and the value."""
    try:
        keys = read(line, _DecisionKeys)
        if keys.decided not in STORED:
            raise DecisionError(f"$.decided is {quoted(keys.decided.value)}, which is no decision")
        own = {
            "us": read_ms(keys.ms),
            "what": keys.decided,
            "state": _state(keys),
            "dice": _roll(keys.dice),
            "clocks": _clocks(keys.clock),
        }
    except ValueError as error:
        raise DecisionError(str(error)) from None
    return Decision(**_alike(keys, Decision) | own)


def _state(keys: _DecisionKeys) -> MatchState[str]:
    result, cube = keys.result, keys.cube
    standing = {
        "score": Score(*keys.score),
        "cube": Cube(cube.value, cube.owner, cube.offered),
        "game_number": keys.game,
    }
    own = {
        "standing": Standing(**_alike(keys, Standing) | standing),
        "roll": _roll(keys.roll),
        "thrown": tuple((throw.by, Die(throw.die)) for throw in keys.thrown),
        "result": GameResult(result.winner, result.points, result.name) if result else None,
    }
    return MatchState(**_alike(keys, MatchState) | own)


def _alike(keys: _DecisionKeys, kind: type[Any]) -> dict[str, Any]:
    """The values of all fields that have the same name in this class."""
    names = [each.name for each in fields(kind)]
    return {name: getattr(keys, name) for name in names if hasattr(keys, name)}


def _roll(text: str | None) -> Roll | None:
    """Read a roll; the empty text is the roll of a game without dice."""
    return None if text is None else read_roll(text, min(len(text), 2))


def _clocks(clock: _ClockKeys | None) -> Clocks | None:
    if clock is None:
        return None
    white, black = (SideTime(ms(each.left), ms(each.spent), each.overtime) for each in clock)
    return Clocks(white, black, clock.holder)


def write_decision(decision: Decision) -> str:
    """Write the line that `read_decision` reads, without a line break."""
    state, clocks = decision.state, decision.clocks
    standing = state.standing
    values: dict[str, object] = {
        "ms": write_ms(decision.us),
        "decided": decision.what,
        "by": decision.by,
        "dice": _text(decision.dice),
        "typed": decision.typed,
        "again": decision.again,
        "play": decision.play,
        "confidence": decision.confidence,
        "asked": decision.asked,
        "undone": decision.undone,
        "warned": decision.warned,
        "condoned": decision.condoned,
        "sensor": decision.sensor,
        "off": decision.off,
        "phase": state.phase,
        "to_act": state.to_act,
        "position": state.position,
        "roll": _text(state.roll),
        "thrown": tuple({"by": by, "die": die} for by, die in state.thrown),
        "starter": state.starter,
        "resignation": state.resignation,
        "result": state.result,
        "game": standing.game_number,
        "score": standing.score,
        "cube": standing.cube,
        "crawford": standing.crawford,
        "crawford_played": standing.crawford_played,
        "replayed": standing.replayed,
        "clock": clocks and {**_times(clocks), "holder": clocks.holder},
    }
    return write(
        there(plain({key: value for key, value in values.items() if value != _USUAL[key]}))
    )


def _text(roll: Roll | None) -> str | None:
    return None if roll is None else str(roll)


def _times(clocks: Clocks) -> dict[str, object]:
    """Both sides' milliseconds; zeros are left out."""
    return {
        side.value: {
            "left": write_ms(clocks[side].left),
            "spent": write_ms(clocks[side].spent) or None,
            "overtime": clocks[side].overtime or None,
        }
        for side in Side
    }
