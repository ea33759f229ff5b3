"""Events and views as text: both ways, and every bad line named."""

from __future__ import annotations

import json

import pytest
from desk import Desk
from hypothesis import given
from hypothesis import strategies as st

from pi_app.base.microseconds import ms
from pi_app.referee.controls import TAPS
from pi_app.referee.events import (
    Button,
    DeviceLost,
    Event,
    EventError,
    Found,
    Picture,
    Press,
    Rolled,
    RollSource,
    SensorEdge,
    Start,
    Tap,
    Tick,
)
from pi_app.referee.lines import read_event, write_event, write_view
from pi_app.rules.terms import Roll, Side
from pi_app.sensing.description import Sensor
from pi_app.words.texts import clean_name

MS = ms(5)
NAMES = st.text(max_size=12)
EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(Tick, st.just(MS)),
    st.builds(DeviceLost, st.just(MS), NAMES),
    st.builds(Found, st.just(MS), NAMES),
    st.builds(SensorEdge, st.just(MS), NAMES.map(Sensor), st.booleans()),
    st.builds(Picture, st.just(MS), st.frozensets(NAMES.map(Sensor))),
    st.builds(Button, st.just(MS), st.sampled_from(Press), st.sampled_from([None, *Side])),
    st.builds(
        Rolled,
        st.just(MS),
        st.lists(st.integers(1, 6), min_size=1, max_size=2).map(lambda faces: Roll.of(*faces)),
        st.sampled_from(Side),
        st.sampled_from(RollSource),
    ),
    st.builds(
        Tap,
        st.just(MS),
        st.sampled_from(list(TAPS)),
        NAMES,
        NAMES,
        NAMES.map(Sensor),
        st.integers(),
    ),
    st.builds(
        Start,
        st.just(MS),
        NAMES,
        NAMES,
        st.one_of(st.none(), st.integers(1, 999)),
        st.tuples(NAMES.map(clean_name), NAMES.map(clean_name)),
        st.dictionaries(NAMES, st.one_of(st.booleans(), st.integers(), NAMES)),
    ),
)


@given(EVENTS)
def test_every_event_round_trips_on_one_line(event: Event) -> None:
    line = write_event(event)
    assert "\n" not in line
    assert read_event(line) == event


BAD = {
    "hello": "not JSON",
    "[1]": "no JSON object",
    '{"event": "tick"}': "ms is None",
    '{"ms": -1, "event": "tick"}': "ms is -1",
    '{"ms": "1", "event": "tick"}': "ms is '1'",
    '{"ms": true, "event": "tick"}': "ms is True",
    '{"ms": NaN, "event": "tick"}': "not JSON",
    '{"ms": 1}': "$.event is None",
    '{"ms": 1, "event": "dance"}': "$.event is 'dance'; it must be one of: start, picture",
    '{"ms": 1, "event": "tick", "why": 2}': "$.why is not known",
    '{"ms": 1, "event": "sensor", "sensor": "4"}': "$.closed is missing",
    '{"ms": 1, "event": "sensor", "sensor": "4", "closed": 1}': "$.closed is 1: Expected bool",
    '{"ms": 1, "event": "sensor", "sensor": 4, "closed": true}': "$.sensor is 4: Expected str",
    '{"ms": 1, "event": "picture", "closed": "4"}': "closed is '4'",
    '{"ms": 1, "event": "button", "press": "soft"}': "$.press is 'soft': Invalid enum value",
    '{"ms": 1, "event": "button", "press": "long", "side": "red"}': "side is 'red'",
    '{"ms": 1, "event": "roll", "dice": "7", "by": "white", "source": "device"}': "roll '7'",
    '{"ms": 1, "event": "roll", "dice": "3", "by": "me", "source": "device"}': "by is 'me'",
    '{"ms": 1, "event": "roll", "dice": "3", "by": "white", "source": "hat"}': "source is 'hat'",
    '{"ms": 1, "event": "tap", "intent": "dance"}': "intent is 'dance'",
    '{"ms": 1, "event": "tap", "intent": "choose"}': "needs the key 'play'",
    '{"ms": 1, "event": "tap", "intent": "resign", "points": "1"}': "points is '1'",
    '{"ms": 1, "event": "lost"}': "$.device is missing",
    '{"ms": 0, "event": "start", "game": "nannon", "board": "b", "players": ["A"]}': (
        "players is ['A']: Expected array of length 2"
    ),
    '{"ms": 0, "event": "start", "game": "nannon", "board": "b", "players": ["A", "B"],'
    ' "match_to": 0}': "match_to is 0",
    '{"ms": 0, "event": "start", "game": "nannon", "board": "b", "players": ["A", "B"],'
    ' "options": []}': "options is []",
}


def test_players_names_are_cleaned() -> None:
    names = ["\u202eAnn\x1b[31m\n", "x" * 99]
    start = Start(MS, "nannon", "nannon-6", 5, ("", ""))
    event = read_event(json.dumps({**json.loads(write_event(start)), "players": names}))
    assert isinstance(event, Start)
    assert event.players == ("Ann[31m", "x" * 40)


def test_nested_json_is_named_as_all_bad_lines_are() -> None:
    for line in ("[" * 60_000, '{"ms":' * 10_000, "9" * 5000):
        with pytest.raises(EventError, match="not JSON: "):
            read_event(line)


@pytest.mark.parametrize("line", BAD)
def test_a_bad_line_is_named(line: str) -> None:
    with pytest.raises(EventError) as error:
        read_event(line)
    assert BAD[line] in str(error.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"cub": True}, "options.cub = True is not known; known here: cube, crawford"),
        ({"cube": 1}, "options.cube is 1; it must be true or false"),
        ({"commit": "never"}, "choose one of: button, settle"),
        ({"grace_ms": 5}, "from 300 to 10000"),
        ({"one_wrong_in": 1e6}, "options.one_wrong_in is 1000000.0; it must be a whole number"),
        ({"one_wrong_in": True}, "options.one_wrong_in is True; it must be a whole number"),
        ({"one_wrong_in": 10**10}, "it must be from 1000 to 1000000000"),
    ],
)
def test_bad_options_are_named(options: dict[str, bool | int | str], said: str) -> None:
    with pytest.raises(EventError) as error:
        Desk(11, "nannon", "nannon-6", **options)
    assert said in str(error.value)


def test_a_view_has_exactly_the_keys_that_are_promised() -> None:
    view = json.loads(write_view(Desk().view))
    assert list(view) == [
        *("ms", "phase", "to_act", "game", "position", "roll", "board", "play", "after"),
        *("confidence", "choices", "rule", "reason", "put_right", "sensors_off", "score"),
        *("match_to", "cube", "message", "hint"),
    ]
    assert view["put_right"] == {"fill": ["1", "2", "5", "6"], "clear": []}
    assert view["cube"] == {"value": 1, "owner": None, "offered": None}
    assert view["score"] == {"white": 0, "black": 0}


def test_jacoby_is_for_unlimited_play() -> None:
    with pytest.raises(EventError, match=r"jacoby is true; it is for unlimited play"):
        Desk(match_to=5, jacoby=True)
    assert Desk(match_to=None, jacoby=True).view.match_to is None
