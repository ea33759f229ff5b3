"""Former errors of the tracker, each class a behaviour with its reason."""

from __future__ import annotations

import pytest
from hand_scenes import BLOTS, FULL, FULL_54, THRIFTY, THRIFTY_54, Scenes, Setup, amiss

UNDONE: Scenes = {
    "a hit is undone, where no sensor sees the bar, and another play is made": (
        THRIFTY_54,
        "0 8.3 ^, 400 4.1 ^, 1200 4.1 v, 3000: in hand, 3500 4.1 ^, 4000 8.3 v, "
        "4900 4.1 v: resting, 6000: resting or asks also 13/4*, 6500 24.2 ^, 7000 15.1 v, "
        "7300: 24/15",
    ),
}
"""Everything seen is explained by the hit and its undoing."""

STRUCK_FAST: Scenes = {
    "a blot is struck so fast that no reed opens, and goes to the bar": (
        FULL_54,
        "0 8.3 ^, 900 bar.black.1 v, 1500 8.2 ^, 1900 3.1 v, 2200: 8/4* 8/3",
    ),
}
"""The picture, the victim on the bar included, is that of one legal play and of nothing else."""

ON_THE_TRAY: Scenes = {
    "a hit by one checker with both dice": (
        FULL_54,
        "0 8.3 ^, 600 4.1 ^, 1100 4.1 v, 1900 13.5 ^, 2400 8.3 v, 6000: in hand, "
        "6100 press: asks 13/4* or in hand, 6600 press: asks 13/4*, 7000 bar.black.1 v, "
        "7300: 13/4*",
    ),
    "the second of two": (
        Setup(FULL, "backgammon", BLOTS, "54"),
        "0 8.3 ^, 600 4.1 ^, 1100 4.1 v, 1500 bar.black.1 v, 1900 8.2 ^, 2400 3.1 ^, "
        "2900 3.1 v, 6000: in hand, 6100 press: asks 8/4* 8/3* or in hand, "
        "6600 press: asks 8/4* 8/3*, 7000 bar.black.2 v, 7300: 8/4* 8/3*",
    ),
}
"""The victim may be in the hand still, lie astray, or beside its reed: no rule was broken."""

EAGER: Scenes = {
    "the opponent takes the hit checker off the bar": (
        FULL_54,
        "0 8.3 ^, 400 4.1 ^, 900 4.1 v, 1300 bar.black.1 v, 1800 8.2 ^, 2300 3.1 v, "
        "2600: 8/4* 8/3, 3000 bar.black.1 ^, 5000: in hand or 8/4* 8/3, "
        "5100 press: 8/4* 8/3 or asks 8/4* 8/3 or in hand, 5600 bar.black.1 v, "
        "5900: 8/4* 8/3",
    ),
    "the opponent lifts another checker": (
        FULL_54,
        "0 8.3 ^, 400 3.1 v, 900 6.5 ^, 1300 2.1 v, 1600: 8/3 6/2, 2000 12.5 ^, "
        "4000: in hand or 8/3 6/2, 4100 press: 8/3 6/2 or asks 8/3 6/2 or in hand, "
        "5600 12.5 v, 5900: 8/3 6/2",
    ),
}
"""A checker in the air is never wrong, and the play was seen before."""

FAILING: Scenes = {
    "dead on the target": (
        FULL_54,
        "0 13.5 ^, 500 8.4 v, 900 6.5 ^, 4000: in hand, "
        "4100 press: asks 13/8 6/2 or in hand, 4600 press: asks 13/8 6/2",
    ),
    "dead on the bar": (
        FULL_54,
        "0 8.3 ^, 400 4.1 ^, 800 4.1 v, 1500 8.2 ^, 2000 3.1 v, 5000: in hand, "
        "5100 press: asks 8/4* 8/3 or in hand, 5600 press: asks 8/4* 8/3",
    ),
    "stuck on the origin": (
        FULL_54,
        "0 3.1 v, 900 6.5 ^, 1300 2.1 v, 4000: in hand or wrong or disturbed or asks 8/3 6/2, "
        "4100 press: asks 8/3 6/2 or in hand, 4600 press: asks 8/3 6/2",
    ),
}
"""A press may find the checker still in the hand; after another one the sensor has failed."""

MANY_IN_THE_AIR: Scenes = {
    "two victims and two hitters in the air": (
        Setup(THRIFTY, "backgammon", "-HC-Ba--a-a-aAaa-aaA---dc- w", "52"),
        "250 13.1 ^, 500 17.1 ^, 750 19.1 ^, 1000 8.1 ^, 3000: in hand, 3250 8.1 v, "
        "3500 17.1 v, 3800: 19/17* 13/8* or asks 19/17* 13/8*",
    ),
}
"""The hit ones wait in a hand and the hitters are in the air: nothing was knocked off."""


@pytest.mark.parametrize(
    ("setup", "steps"),
    [
        pytest.param(*scene, id=name)
        for scenes in (UNDONE, STRUCK_FAST, ON_THE_TRAY, EAGER, FAILING, MANY_IN_THE_AIR)
        for name, scene in scenes.items()
    ],
)
def test_what_was_once_wrong_is_right(setup: Setup, steps: str) -> None:
    assert amiss(setup, steps) == []
