"""Events and views as lines of JSON: the form in which a match is kept, replayed and disputed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from pi_app.errors import GivenError
from pi_app.microseconds import Us, read_ms, write_ms
from pi_app.referee.events import (
    Button,
    DeviceLost,
    Event,
    Found,
    Intent,
    MachineAct,
    MachineActs,
    Picture,
    Press,
    Rolled,
    RollSource,
    SensorEdge,
    Start,
    Tap,
    Tick,
)
from pi_app.referee.view import View
from pi_app.rules.terms import RulesError, Side, read_roll
from pi_app.sensing.description import Sensor
from pi_app.words.texts import clean_name, quoted

Fields: TypeAlias = dict[str, object]


class EventError(GivenError, ValueError):
    """A line that is no event; says which key, the value and what would do."""


_NEEDS: Mapping[Intent, str] = MappingProxyType(
    {
        Intent.CHOOSE: "play",
        Intent.SENSOR_OFF: "sensor",
        Intent.SENSOR_ON: "sensor",
        Intent.RESIGN: "points",
    }
)
_DEED_KEYS: Mapping[MachineAct, str] = MappingProxyType(
    {
        MachineAct.PLAY: "play",
        MachineAct.RESIGN: "points",
        MachineAct.TAKE_BACK: "undone",
        MachineAct.CORRECT: "position",
    }
)
_KINDS: Mapping[str, type] = MappingProxyType(
    {"play": str, "points": int, "undone": int, "position": str}
)
_TAP_KEYS: Mapping[str, type] = MappingProxyType(
    {"play": str, "position": str, "sensor": str, "points": int}
)


def read_event(line: str) -> Event:
    """Read one line; raises EventError that names the key and its value."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise EventError(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise EventError(f"{quoted(fields)} is no JSON object; write {{…}}")
    us, name = _time(fields), _text(fields, "event")
    if name not in _READERS:
        raise EventError(f"event {quoted(name)} is not known; known are: {', '.join(_READERS)}")
    event = _READERS[name](us, fields)
    if fields:
        raise EventError(f"keys {', '.join(map(quoted, fields))} are not known in event {name!r}")
    return event


def write_event(event: Event) -> str:
    """The line that read_event takes, without its line break."""
    return json.dumps({"ms": write_ms(event.us), **_fields_of(event)}, ensure_ascii=False)


def write_view(view: View) -> str:
    """The line that `spotter replay` prints after an event, without its line break."""
    return json.dumps(
        {
            "ms": write_ms(view.us),
            "phase": view.phase.value,
            "to_act": view.to_act.value,
            "game": view.game,
            "position": view.position,
            "roll": view.roll,
            "board": view.board.value,
            "play": view.play,
            "after": view.after,
            "confidence": view.confidence,
            "choices": view.choices,
            "rule": view.rule,
            "reason": view.reason,
            "put_right": {"fill": view.put_right.fill, "clear": view.put_right.clear},
            "sensors_off": view.sensors_off,
            "score": {"white": view.score.white, "black": view.score.black},
            "match_to": view.match_to,
            "cube": {
                "value": view.cube.value,
                "owner": view.cube.owner.value if view.cube.owner else None,
                "offered": view.cube.offered.value if view.cube.offered else None,
            },
            "message": view.message,
            "hint": view.hint,
            **({"clock": _clock(view)} if view.clock else {}),
        },
        ensure_ascii=False,
    )


def _clock(view: View) -> Fields:
    """Both sides' milliseconds, and whose clock runs."""
    face = view.clock
    if face is None:
        return {}
    left = {side.value: write_ms(face[side].left_at(view.us)) for side in Side}
    return {**left, "runs": face.holder.value if face.holder and face.runs else None}


def _take(fields: Fields, key: str, kind: type) -> object:
    if key not in fields:
        raise EventError(f"key {quoted(key)} is missing")
    value = fields.pop(key)
    if type(value) is not kind:
        raise EventError(f"{key} is {quoted(value)}; it must be a {kind.__name__}")
    return value


def _text(fields: Fields, key: str) -> str:
    return str(_take(fields, key, str))


def _word(fields: Fields, key: str, words: list[str]) -> str:
    value = _text(fields, key)
    if value not in words:
        raise EventError(f"{key} is {quoted(value)}; it must be one of: {', '.join(words)}")
    return value


def _time(fields: Fields) -> Us:
    value = fields.pop("ms", None)
    try:
        return read_ms(value)
    except ValueError as error:
        raise EventError(f"ms is {quoted(value)}; {error}") from None


def _start(us: Us, fields: Fields) -> Start:
    players = _take(fields, "players", list)
    match_to = fields.pop("match_to", None)
    options = fields.pop("options", {})
    if (
        not isinstance(players, list)
        or len(players) != 2
        or any(type(p) is not str for p in players)
    ):
        raise EventError(f"players is {quoted(players)}; it must be two names")
    if match_to is not None and (type(match_to) is not int or not 1 <= match_to <= 999):
        wanted = "it must be a whole number 1 to 999, or null"
        raise EventError(f"match_to is {quoted(match_to)}; {wanted}")
    if not isinstance(options, dict):
        raise EventError(f"options is {quoted(options)}; it must be an object")
    return Start(
        us,
        _text(fields, "game"),
        _text(fields, "board"),
        match_to,
        (clean_name(players[0]), clean_name(players[1])),
        MappingProxyType(options),
    )


def _picture(us: Us, fields: Fields) -> Picture:
    closed = _take(fields, "closed", list)
    if not isinstance(closed, list) or any(type(name) is not str for name in closed):
        raise EventError(f"closed is {quoted(closed)}; it must be a list of sensor names")
    return Picture(us, frozenset(Sensor(name) for name in closed))


def _sensor(us: Us, fields: Fields) -> SensorEdge:
    return SensorEdge(us, Sensor(_text(fields, "sensor")), bool(_take(fields, "closed", bool)))


def _button(us: Us, fields: Fields) -> Button:
    press = Press(_word(fields, "press", [press.value for press in Press]))
    side = Side(_word(fields, "side", _SIDES)) if fields.get("side") is not None else None
    fields.pop("side", None)
    return Button(us, press, side)


def _rolled(us: Us, fields: Fields) -> Rolled:
    dice = _text(fields, "dice")
    try:
        roll = read_roll(dice, 2 if len(dice) == 2 else 1)
    except RulesError as error:
        raise EventError(f"dice: {error}") from None
    by = Side(_word(fields, "by", _SIDES))
    return Rolled(us, roll, by, RollSource(_word(fields, "source", [s.value for s in RollSource])))


def _tap(us: Us, fields: Fields) -> Tap:
    intent = Intent(_word(fields, "intent", [intent.value for intent in Intent]))
    if intent in _NEEDS and fields.get(_NEEDS[intent]) is None:
        raise EventError(f"tap {intent.value!r} needs the key {_NEEDS[intent]!r}")
    given = {key: fields.pop(key) for key in _TAP_KEYS if key in fields}
    for key, value in given.items():
        if value is not None and type(value) is not _TAP_KEYS[key]:
            raise EventError(f"{key} is {quoted(value)}; it must be a {_TAP_KEYS[key].__name__}")
    return Tap(us, intent, **given)  # type: ignore[arg-type]


def _machine(us: Us, fields: Fields) -> MachineActs:
    by = Side(_word(fields, "by", _SIDES))
    act = MachineAct(_word(fields, "does", [act.value for act in MachineAct]))
    needs = _DEED_KEYS.get(act)
    told = {needs: _take(fields, needs, _KINDS[needs])} if needs else {}
    return MachineActs(us, by, act, **told)  # type: ignore[arg-type]


def _tick(us: Us, _fields: Fields) -> Tick:
    return Tick(us)


def _lost(us: Us, fields: Fields) -> DeviceLost:
    return DeviceLost(us, _text(fields, "device"))


def _found(us: Us, fields: Fields) -> Found:
    return Found(us, _text(fields, "device"))


_SIDES = [side.value for side in Side]
_READERS: Mapping[str, Callable[[Us, Fields], Event]] = MappingProxyType(
    {
        "start": _start,
        "picture": _picture,
        "sensor": _sensor,
        "button": _button,
        "roll": _rolled,
        "tap": _tap,
        "machine": _machine,
        "tick": _tick,
        "lost": _lost,
        "found": _found,
    }
)


def _fields_of(event: Event) -> Fields:  # noqa: C901, PLR0911, one case an event
    match event:
        case Start():
            return {
                "event": "start",
                "game": event.game,
                "board": event.board,
                "match_to": event.match_to,
                "players": list(event.players),
                "options": dict(event.options),
            }
        case Picture():
            return {"event": "picture", "closed": sorted(event.closed)}
        case SensorEdge():
            return {"event": "sensor", "sensor": event.sensor, "closed": event.closed}
        case Button():
            side = {"side": event.side.value} if event.side else {}
            return {"event": "button", "press": event.press.value, **side}
        case Rolled():
            return {
                "event": "roll",
                "dice": str(event.dice),
                "by": event.by.value,
                "source": event.source.value,
            }
        case Tap():
            needs: Fields = {
                "play": event.play,
                "position": event.position,
                "sensor": event.sensor,
                "points": event.points,
            }
            given = {key: value for key, value in needs.items() if value is not None}
            return {"event": "tap", "intent": event.intent.value, **given}
        case MachineActs():
            deed: Fields = {
                "play": event.play,
                "points": event.points,
                "undone": event.undone,
                "position": event.position,
            }
            told = {key: value for key, value in deed.items() if value is not None}
            return {"event": "machine", "by": event.by.value, "does": event.act.value, **told}
        case Tick():
            return {"event": "tick"}
        case DeviceLost():
            return {"event": "lost", "device": event.device}
        case Found():
            return {"event": "found", "device": event.device}
