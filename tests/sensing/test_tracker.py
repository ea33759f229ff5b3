"""The tracker as tables of {ms, lift or drop, what it says}, on positions as they look."""

from __future__ import annotations

import pytest
from known import load_board

from pi_app.base.microseconds import ms
from pi_app.rules.nannon import Nannon, NannonPosition
from pi_app.rules.terms import read_roll
from pi_app.sensing.debounce import Touch
from pi_app.sensing.description import Sensor
from pi_app.sensing.occupancy import SensedSpots
from pi_app.sensing.reading import BoardState, Patience
from pi_app.sensing.tracker import Tracker

GAME = Nannon()
LIFT, DROP, WAIT = "lift", "drop", "wait"

# Each row: ms, what happens, where, and what is said then: a state, or a play as text.
SCENARIOS: dict[str, tuple[tuple[str, str], list[tuple[int, str, str, str]]]] = {
    "a plain move": (
        ("1ww..bb1 w", "2"),
        [(0, LIFT, "2", "in hand"), (400, DROP, "4", "in hand"), (550, WAIT, "", "2/4")],
    ),
    "re-targeted before the button": (
        ("1ww..bb1 w", "2"),
        [
            (0, LIFT, "2", "in hand"),
            (400, DROP, "4", "in hand"),
            (600, WAIT, "", "2/4"),
            (900, LIFT, "4", "in hand"),
            (1200, DROP, "2", "resting"),
            (1500, LIFT, "1", "in hand"),
            (1900, DROP, "3", "in hand"),
            (2100, WAIT, "", "1/3"),
        ],
    ),
    "j'adoube of an own checker": (
        ("1ww..bb1 w", "2"),
        [(0, LIFT, "2", "in hand"), (9000, WAIT, "", "in hand"), (9500, DROP, "2", "resting")],
    ),
    "a hit, mover first": (
        ("0.w.b..1 w", "2"),
        [
            (0, LIFT, "2", "in hand"),
            (300, LIFT, "4", "in hand"),
            (700, DROP, "4", "in hand"),
            (900, WAIT, "", "2/4*"),
        ],
    ),
    "a hit, victim first": (
        ("0.w.b..1 w", "2"),
        [
            (0, LIFT, "4", "in hand"),
            (5000, WAIT, "", "in hand"),
            (5300, LIFT, "2", "in hand"),
            (5700, DROP, "4", "in hand"),
            (5900, WAIT, "", "2/4*"),
        ],
    ),
    "the attacker alone in the air is no hit": (
        ("0.w.b..1 w", "2"),
        [(0, LIFT, "2", "in hand"), (10_000, WAIT, "", "in hand")],
    ),
    "a victim touched before the attacker is lifted is no hit": (
        ("0.w.b..1 w", "2"),
        [
            (0, LIFT, "4", "in hand"),
            (300, DROP, "4", "resting"),
            (900, LIFT, "2", "in hand"),
            (3000, WAIT, "", "in hand"),
        ],
    ),
    "a sleeve that brushes the victim is no hit": (
        ("0.w.b..1 w", "2"),
        [
            (0, LIFT, "2", "in hand"),
            (300, LIFT, "4", "in hand"),
            (340, DROP, "4", "in hand"),
            (3000, WAIT, "", "in hand"),
        ],
    ),
    "a checker slid on to the victim's spot": (
        ("0.w.b..1 w", "1"),
        [
            (0, LIFT, "2", "in hand"),
            (200, DROP, "3", "in hand"),
            (400, WAIT, "", "2/3"),
        ],
    ),
    "entering with a hit leaves the picture as it was": (
        ("1...b..1 w", "4"),
        [(0, LIFT, "4", "in hand"), (400, DROP, "4", "resting"), (600, WAIT, "", "HOME/4*")],
    ),
    "entering with a hit while another checker is in the air is not believed": (
        ("1.w.b..1 w", "4"),
        [
            (0, LIFT, "2", "in hand"),
            (300, LIFT, "4", "in hand"),
            (700, DROP, "4", "in hand"),
            (1000, DROP, "2", "resting"),
            (3000, WAIT, "", "resting"),
        ],
    ),
    "leaving the board is a lift and nothing else": (
        ("0....w.1 w", "3"),
        [(0, LIFT, "5", "in hand"), (1450, WAIT, "", "in hand"), (1500, WAIT, "", "5/SAFETY")],
    ),
    "a wrong spot is told after the grace": (
        ("1ww..bb1 w", "2"),
        [
            (0, LIFT, "2", "in hand"),
            (400, DROP, "3", "in hand"),
            (1890, WAIT, "", "in hand"),
            (1901, WAIT, "", "wrong"),
        ],
    ),
    "the legal play is taken from the wrong state": (
        ("1ww..bb1 w", "2"),
        [
            (0, LIFT, "2", "in hand"),
            (400, DROP, "3", "in hand"),
            (2000, WAIT, "", "wrong"),
            (2100, LIFT, "3", "in hand"),
            (2400, DROP, "4", "in hand"),
            (2600, WAIT, "", "2/4"),
        ],
    ),
    "a legal play with another checker in the air is not wrong": (
        ("1ww..bb1 w", "2"),
        [
            (0, LIFT, "1", "in hand"),
            (200, LIFT, "2", "in hand"),
            (500, DROP, "4", "in hand"),
            (5000, WAIT, "", "in hand"),
            (5300, DROP, "1", "in hand"),
            (5500, WAIT, "", "2/4"),
        ],
    ),
    "a knocked board": (
        ("1ww..bb1 w", "2"),
        [
            (0, LIFT, "1", "in hand"),
            (1, LIFT, "2", "in hand"),
            (2, LIFT, "5", "in hand"),
            (1600, WAIT, "", "disturbed"),
            (1800, DROP, "1", "in hand"),
            (1900, DROP, "2", "in hand"),
            (2000, DROP, "5", "resting"),
        ],
    ),
}


def say(tracker: Tracker, position: NannonPosition) -> str:
    reading = tracker.reading
    if reading.state is BoardState.PLAYED:
        return GAME.write_play(position, reading.plays[0])
    return str(reading.state.value)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario(name: str) -> None:
    (text, dice), rows = SCENARIOS[name]
    position = GAME.read_position(text)
    tracker = Tracker(SensedSpots(load_board("nannon-6")), GAME, Patience(), position)
    for number, sign in enumerate(text[1:7], start=1):
        if sign != ".":
            tracker.see(Touch(ms(-10_000), Sensor(str(number)), True))
    tracker.expect(position, read_roll(dice, 1))
    for time_ms, what, spot, said in rows:
        if what != WAIT:
            tracker.see(Touch(ms(time_ms), Sensor(spot), what == DROP))
        tracker.update(ms(time_ms))
        assert say(tracker, position) == said, (time_ms, what, spot)


def test_due_names_the_moments_when_quiet_alone_may_change_what_is_said() -> None:
    position = GAME.read_position("1ww..bb1 w")
    tracker = Tracker(SensedSpots(load_board("nannon-6")), GAME, Patience(), position)
    tracker.see(Touch(ms(100), Sensor("1"), True))
    assert tracker.due(ms(100)) == ms(250)
    assert tracker.due(ms(250)) == ms(400)
    assert tracker.due(ms(400)) == ms(1600)
    assert tracker.due(ms(1600)) is None
