"""Every threshold of the tracker: half of it or twice as much changes what is said."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from functools import partial
from typing import NamedTuple

import pytest
from calls import calls
from hand_scenes import (
    BLOT,
    FULL,
    FULL_54,
    PINS,
    SIX,
    SOLDIERS_MET,
    THRIFTY,
    THRIFTY_54,
    Setup,
    amiss,
)
from human import Human

from pi_app.rules.terms import Spot, read_roll
from pi_app.sensing.debounce import Touch
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import Patience, Thresholds

HALF, TWICE = 0.5, 2
STACKS_32 = "-b----E-C---eB---c-e----B- w"
POINT_1, POINT_20 = Spot.read("1"), Spot.read("20")


class Decided(NamedTuple):
    """A scene that comes out otherwise where a threshold is half or twice as much."""

    threshold: str
    factor: float
    setup: Setup
    steps: str


SCENES = {
    "one that was hardly touched is offered beside two that were": Decided(
        "asked",
        HALF,
        SOLDIERS_MET,
        "0 c5 ^, 400 b5 ^, 900 b5 v, 1000 d5 ^, 1500 d5 v, 1600 b4 ^, 1650 b4 v, "
        "2500 press: asks also c5xb4",
    ),
    "a hit that nobody felt is not offered beside the play": Decided(
        "asked", TWICE, THRIFTY_54, "0 9.1 v, 2500, 2600 press: asks only 13/9 13/8"
    ),
    "who presses again has borne off though a reed has opened elsewhere": Decided(
        "insists",
        HALF,
        Setup(THRIFTY, "backgammon", "-FD--d--------b--------fc- w", "31"),
        "0 20.2 v, 2500: wrong, 2600 press: wrong, 3300 press: asks 2/off 1/off",
    ),
    "a checker that was lifted a second ago has not been borne off yet": Decided(
        "lands",
        HALF,
        Setup(SIX, "nannon", "0..b..w0 w", "6"),
        "0 6 ^, 1000: in hand",
    ),
    "one that was lifted two seconds ago has": Decided(
        "lands",
        TWICE,
        Setup(SIX, "nannon", "0..b..w0 w", "6"),
        "0 6 ^, 2000: 6/SAFETY",
    ),
    "two checkers that no reed feels are not believed at the second press": Decided(
        "insists",
        TWICE,
        FULL_54,
        "0 8.3 ^, 900 6.5 ^, 4100 press, 4600 press: wrong or disturbed or in hand",
    ),
    "a checker moved where it may not go is told, though a legal one hangs in the air": Decided(
        "lingers",
        HALF,
        Setup(SIX, "nannon", "0.wb..b0 w", "2"),
        "0 2 ^, 250 6 ^, 500 6 v, 3000: wrong",
    ),
    "a blot that vanished under a pin may be in a hand for seconds": Decided(
        "lingers",
        TWICE,
        PINS,
        "0 20.1 ^, 400 15.1 ^, 900 15.1 v, 1800 12.1 ^, 2300 8.1 v, 5000: in hand",
    ),
    "a play is taken though its checker could have hit the blot that was touched": Decided(
        "illegal",
        HALF,
        Setup(SIX, "nannon", "0ww.b..1 w", "2"),
        "0 1 ^, 300 4 ^, 700 4 v, 1600 3 v, 1900: 1/3",
    ),
    "who strikes too fast for any reed is not asked before he presses": Decided(
        "illegal", TWICE, SOLDIERS_MET, "0 a6 ^, 2500: in hand"
    ),
    "a hand holds two checkers while a third has moved": Decided(
        "held", HALF, Setup(SIX, "nannon", "1ww..bb1 w", "2"), "0 1 ^, 200 2 ^, 500 4 v, 5000"
    ),
    "three checkers off at once are no turn": Decided(
        "held",
        TWICE,
        Setup(SIX, "nannon", "0.b.w.w0 w", "5"),
        "0 6 ^, 250 2 ^, 500 4 ^, 3000: disturbed",
    ),
    "a wrong move after one of many parts of the turn is still found": Decided(
        "candidates",
        HALF,
        Setup(THRIFTY, "backgammon", "-b--a-EaC---cD---cCd--a--- w", "44"),
        "0 2.1 v, 250 12.1 ^, 290 12.1 v, 540 4.1 ^, 790 8.3 ^, 1040 9.1 v, 1290 4.1 v, "
        "1540 13.2 ^, 1790 9.2 v, 2040 19.2 ^, 2290 8.3 v, 4790, 4890 press, "
        "5590 press: wrong not-your-checker",
    ),
    "a hit is known after many touches elsewhere": Decided(
        "touches",
        HALF,
        THRIFTY_54,
        "0 8.3 ^, 400 4.1 ^, 900 4.1 v, "
        + "".join(f"{1000 + 100 * n} 10.1 v, {1050 + 100 * n} 10.1 ^, " for n in range(20))
        + "4000 8.2 ^, 4400 3.1 v, 4700: 8/4* 8/3",
    ),
}


def with_factor(threshold: str, factor: float) -> Patience:
    usual = getattr(Thresholds(), threshold)
    return Patience(thresholds=replace(Thresholds(), **{threshold: type(usual)(usual * factor)}))


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_that_the_threshold_decides(name: str) -> None:
    held = SCENES[name]
    assert amiss(held.setup, held.steps) == []
    assert amiss(held.setup, held.steps, with_factor(held.threshold, held.factor)) != []


def held_after(quiet_ms: float, times: Patience) -> bool:
    """Whether a lifted checker is mentioned after this time."""
    human = Human(SIX, "nannon", random.Random(1), times=times)
    human.stand(human.game.read_position("1ww..bb1 w"), read_roll("2", 1))
    human.tracker.see(Touch(human.us, human.reeds[human.game.spots[1]][0], closed=False))
    human.wait(quiet_ms)
    return bool(human.reading.held)


def test_words_wait_for_300_ms_of_stillness() -> None:
    assert not held_after(200, Patience())
    assert held_after(400, Patience())
    assert held_after(200, with_factor("steady", HALF))
    assert not held_after(400, with_factor("steady", TWICE))


def may_go_on_after(wait_ms: float, times: Patience) -> bool:
    """Whether a press so long after a lift, which may be a whole play, may have come too early."""
    human = Human(THRIFTY, "backgammon", random.Random(1), times=times)
    human.stand(human.game.read_position(STACKS_32), read_roll("32", 2))
    human.tracker.see(Touch(human.us, Sensor("13.2"), closed=False))
    human.wait(wait_ms)
    return human.tracker.may_go_on(human.us)


def test_a_press_within_two_and_a_half_seconds_of_a_lift_may_be_early() -> None:
    assert may_go_on_after(2400, Patience())
    assert not may_go_on_after(2600, Patience())
    assert not may_go_on_after(2400, with_factor("hasty", HALF))
    assert may_go_on_after(2600, with_factor("hasty", TWICE))


MOST_CALLS = 20_000
"""Function calls for one touch, however long a checker is played about with; 10 600 today."""
MOST_CALLS_OF_WRONG = 62_000
"""For what is wrong among the most parts of a turn; 57 400 today, some 5 ms on a PC."""


def most_calls_of_a_blot_played_with(times: Patience) -> int:
    """The dearest of 300 touches while another checker is in the air."""
    human = Human(FULL, "backgammon", random.Random(1), times=times)
    human.stand(human.game.read_position(BLOT), read_roll("54", 2))

    def touch(sensor: str, closed: bool, after_ms: int) -> None:
        human.wait(after_ms)
        human.tracker.see(Touch(human.us, Sensor(sensor), closed))
        human.wait(0)

    touch("8.3", False, 10)
    return max(
        calls(partial(touch, "4.1", closed, 60 + 30 * closed))
        for _ in range(150)
        for closed in (False, True)
    )


@pytest.mark.slow
def test_a_checker_that_is_played_with_slows_nothing_down() -> None:
    assert most_calls_of_a_blot_played_with(Patience()) < MOST_CALLS
    assert most_calls_of_a_blot_played_with(with_factor("touches", TWICE)) > MOST_CALLS


def calls_of_what_is_wrong(times: Patience) -> int:
    """A double 1 in the Pin game has the most parts: a checker goes from 20 to 1."""
    human = Human(THRIFTY, "pin", random.Random(1), times=times)
    position = human.game.read_position("-h----b-b-A--B--a---ABABF- w 10,22")
    human.stand(position, read_roll("11", 2))
    human.drop(POINT_1, human.lift(POINT_20))
    return calls(partial(human.wait, 2000))


def test_the_work_of_one_judgement_is_bounded() -> None:
    assert calls_of_what_is_wrong(Patience()) < MOST_CALLS_OF_WRONG
    assert calls_of_what_is_wrong(with_factor("candidates", TWICE)) > MOST_CALLS_OF_WRONG


def test_every_threshold_is_held_from_both_sides() -> None:
    held = {(scene.threshold, scene.factor) for scene in SCENES.values()}
    elsewhere = {("steady", HALF), ("steady", TWICE), ("touches", TWICE), ("candidates", TWICE)}
    elsewhere |= {("hasty", HALF), ("hasty", TWICE)}
    named = {field.name for field in fields(Thresholds)}
    assert held | elsewhere == {(name, factor) for name in named for factor in (HALF, TWICE)}
    assert len(named) <= 10
