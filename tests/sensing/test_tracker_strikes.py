"""Hits that are struck, that come from where none is seen, or that wait in the air for a while."""

from __future__ import annotations

import pytest
from hand_scenes import (
    BLOT,
    BLOTS,
    ENTERING,
    FULL,
    FULL_54,
    HUNTED,
    SIX,
    SOLDIERS_MET,
    THRIFTY,
    THRIFTY_54,
    Scenes,
    Setup,
    amiss,
)

FASTER_THAN_A_SLEEVE: Scenes = {
    "a blot is struck off its point, and no sensor is on the bar": (
        THRIFTY_54,
        "0 8.3 ^, 400 4.1 ^, 460 4.1 v, 1500 8.2 ^, 1900 3.1 v, "
        "2200: 8/4* 8/3 or asks 8/4* 8/3 or in hand, 2900 press: 8/4* 8/3 or asks 8/4* 8/3",
    ),
    "two blots struck one after the other": (
        Setup(THRIFTY, "backgammon", BLOTS, "54"),
        "0 8.3 ^, 400 4.1 ^, 460 4.1 v, 1500 8.2 ^, 1900 3.1 ^, 1950 3.1 v, "
        "2250: 8/4* 8/3* or asks 8/4* 8/3* or in hand, 3000 press: 8/4* 8/3* or asks 8/4* 8/3*",
    ),
    "struck within 60 ms, where another play is legal too": (
        Setup(SIX, "nannon", "0ww.b..1 w", "2"),
        "0 2 ^, 400 4 ^, 460 4 v, 3000: in hand or asks 2/4*, 3100 press: 2/4* or asks 2/4*",
    ),
    "struck so fast that no reed opens": (
        Setup(SIX, "nannon", "0ww.b..1 w", "2"),
        "0 2 ^, 3000: in hand, 3100 press: asks 2/4* or 2/4*",
    ),
    "a soldier strikes so fast that no reed opens": (
        SOLDIERS_MET,
        "0 a6 ^, 2500: in hand, 2600 press: asks also a6xb6",
    ),
    "a sleeve over the blot, and the hand goes on to another point": (
        THRIFTY_54,
        "0 8.3 ^, 300 4.1 ^, 360 4.1 v, 600 3.1 v, 1700 2.1 v, 2000: 8/3 6/2",
    ),
    "the checker that enters strikes a blot, no sensor on the bar": (
        Setup(THRIFTY, "backgammon", HUNTED, "51"),
        "0 20.1 ^, 60 20.1 v, 1500 5.1 v, 1800: bar/20* 6/5 or asks bar/20* 6/5 or in hand, "
        "2000 press: bar/20* 6/5 or asks bar/20* 6/5",
    ),
    "the same, so fast that no reed opens": (
        Setup(THRIFTY, "backgammon", HUNTED, "51"),
        "1500 5.1 v, 1800: bar/20* 6/5 or asks bar/20* 6/5 or in hand, "
        "3200 press: bar/20* 6/5 or asks bar/20* 6/5",
    ),
    "struck from the hidden top of a stack": (
        THRIFTY_54,
        "0 4.1 ^, 60 4.1 v, 900: resting, 1500 press: asks 13/4* or resting, "
        "2500 press: asks 13/4*",
    ),
    "struck in Portes": (
        Setup(THRIFTY, "portes", BLOT, "54"),
        "0 8.3 ^, 400 4.1 ^, 460 4.1 v, 1500 8.2 ^, 1900 3.1 v, "
        "2900 press: 8/4* 8/3 or asks 8/4* 8/3",
    ),
    "a hitter strikes a blot off its point, and the blot goes to the bar": (
        FULL_54,
        "0 8.3 ^, 400 4.1 ^, 460 4.1 v, 900 bar.black.1 v, 1500 8.2 ^, 1900 3.1 v, 2200: 8/4* 8/3",
    ),
    "a blot that goes to the bar is struck after entering": (
        Setup(FULL, "backgammon", ENTERING, "41"),
        "0 bar.white.1 ^, 500 24.2 v, 1000 8.3 ^, 1400 4.1 ^, 1450 4.1 v, "
        "1700 bar.black.1 v, 2000: bar/24 8/4*",
    ),
    "struck on entering, and the board looks as before": (
        Setup(SIX, "nannon", "1w..b..1 w", "4"),
        "0 4 ^, 60 4 v, 2000: resting, 2100 press: asks HOME/4* or HOME/4*",
    ),
    "a soldier is struck": (
        SOLDIERS_MET,
        "0 a6 ^, 400 b6 ^, 450 b6 v, 2500: in hand or asks a6xb6, 2600 press: a6xb6 or asks a6xb6",
    ),
}
"""A hit in 60 ms is one in a hundred: rarer than a sleeve, but likelier than an idle press."""

NEVER_TAKEN_WRONGLY: Scenes = {
    "a hit is undone, and another one comes from a hidden top": (
        Setup(THRIFTY, "backgammon", "aaEC-aE---a-------AA---ch- w", "61"),
        "250 18.1 ^, 500 12.1 v, 750 1.1 ^, 1000 1.1 v, 3250 1.1 ^, 3500 1.1 v, "
        "3750 12.1 ^, 4000 18.1 v: resting, 6250 5.1 ^, 6500 18.1 ^, 6750 5.1 v, "
        "7000 12.1 v, 7300: asks also 18/12 6/5* or 18/12 6/5* or in hand, "
        "7400 press: asks also 18/12 6/5* or 18/12 6/5*",
    ),
    "the hitter leaves a point of which one sensor is set aside": (
        Setup(THRIFTY, "portes", "-ba-A-F-E---aa-aaa-fBA-a-- w", "52"),
        "0 aside 4.2 1.1, 250 4.1 ^, 500 2.1 ^, 750 2.1 v, 1000 16.1 ^, 1250 21.1 ^, "
        "1500 16.1 v, 1800: asks 21/16* 4/2* or 21/16* 4/2* or in hand, "
        "1900 press: asks 21/16* 4/2* or 21/16* 4/2*",
    ),
    "two are struck, one of them from a hidden top": (
        Setup(THRIFTY, "backgammon", "-aBaaaD-C-A-eCA--a-cAa--a- b", "52"),
        "250 5.1 ^, 500 10.1 ^, 560 10.1 v, 810 14.1 ^, 870 14.1 v, "
        "1170: in hand or asks also 5/10* 12/14*, 1270 press: asks also 5/10* 12/14*",
    ),
    "one is struck from a hidden top, where another play needs no hit": (
        Setup(THRIFTY, "backgammon", "-b--A-D-C---eE---c-e---AA- b", "51"),
        "250 1.1 ^, 500 24.1 ^, 560 24.1 v, 810 2.1 v, "
        "1170: in hand or asks also 1/2 19/24*, 1270 press: asks also 1/2 19/24*",
    ),
    "the same in Portes, and the hitter is seen to leave": (
        Setup(THRIFTY, "portes", "-D-B--DAa---A-----aB-dcfA- b", "51"),
        "250 18.1 ^, 500 24.1 ^, 560 24.1 v, "
        "1170: in hand or asks also 18/24*, 1270 press: asks also 18/24*",
    ),
}
"""The hits that were made explain what was seen; another play leaves a dip to a sleeve, or is as
likely: then it is asked which.
"""

IN_THE_AIR: Scenes = {
    "the hitter in the air, the other die from a hidden top": (
        Setup(FULL, "portes", "-ba-A-F-E---aa-aaa-fBA-a-- w", "52"),
        "250 15.1 ^, 500 bar.black.1 v, 2750 20.1 ^, 4000 4.2 v, 6000: in hand, "
        "7250 15.1 v, 7550: 20/15* 6/4",
    ),
    "victim and hitter in the air, and one has entered": (
        Setup(THRIFTY, "backgammon", "aaEa--AcaCB---A-a-ac--BAc- b", "31"),
        "250 6.1 ^, 2500 3.1 ^, 2750 1.2 v, 5000: in hand, 5100 6.1 v, "
        "5400: bar/1 3/6* or asks bar/1 3/6* or in hand, "
        "6000 press: bar/1 3/6* or asks bar/1 3/6*",
    ),
    "the same in Portes": (
        Setup(THRIFTY, "portes", "-BF-aba-A-a--aaaB--A-A-AgA w", "32"),
        "250 14.1 ^, 2500 16.1 ^, 4750 22.1 v, 6900: in hand, 7000 14.2 v, "
        "7300: bar/22 16/14* or asks bar/22 16/14* or in hand, "
        "8000 press: bar/22 16/14* or asks bar/22 16/14*",
    ),
}
"""Hit checkers wait on the bar or in a hand while the other die is played: nothing is wrong."""


@pytest.mark.parametrize(
    ("setup", "steps"),
    [
        pytest.param(*scene, id=name)
        for scenes in (FASTER_THAN_A_SLEEVE, NEVER_TAKEN_WRONGLY, IN_THE_AIR)
        for name, scene in scenes.items()
    ],
)
def test_whoever_is_hit_the_right_thing_is_said(setup: Setup, steps: str) -> None:
    assert amiss(setup, steps) == []
