"""A legal play lies there and somebody holds another checker for long: nobody is warned of that.

It was lifted after the target was felt, or lands where no sensor feels it, so no sensor tells that
it went there. Wherever one does tell, the same picture is a warning.
"""

from __future__ import annotations

import pytest
from hand_scenes import FULL, THRIFTY, Scenes, Setup, amiss

DEEP = Setup(THRIFTY, "fevga", "-Ac-a--B-B-BaCA-bB--b-bdB- b", "21")
FIRST = Setup(THRIFTY, "fevga", "--------a---n-----------O- w", "51")
BRUSHED = Setup(THRIFTY, "fevga", "--b-a--C-B-BbC--bBA-b-bdB- b", "64")
SLID = Setup(THRIFTY, "fevga", "-Ab-bb-b-AcabBaCB--A--A-D- b", "52")
CHAINED = Setup(THRIFTY, "fevga", "-Ab--cd--a-Ac-Aa-DC-Ba--C- b", "52")
PACKED = Setup(THRIFTY, "plakoto", "-BCCBAC------b-bb-c-a-b-c- w 18", "65")
FACING = Setup(FULL, "plakoto", "-B-A-bC-C-BC---A----b--ed- b 8,11", "43")

HELD: Scenes = {
    "the opponent's, though a play with a hidden origin filled the same point": (
        DEEP,
        "0 12.1 ^, 500 22.3 v, 570 10.1 v, 770 7.2 ^, 2400: in hand, 2700 7.2 v, 3000: 12/10 23/22",
    ),
    "the opponent's, for the second time": (
        FIRST,
        "0 8.1 ^, 1500 8.1 v, 3000 18.1 v, 3200 8.1 ^, 4900: in hand, 5300 8.1 v, 5600: 24/18",
    ),
    "one that a sleeve had brushed before": (
        BRUSHED,
        "0 12.1 ^, 2500 16.2 ^, 2510 16.2 v, 2700 2.3 v, 2870 16.2 ^, 4500: in hand",
    ),
    "one over which another had been slid": (
        SLID,
        "0 12.2 ^, 270 9.3 v, 310 9.3 ^, 1680 7.3 v, 2900 9.1 ^, 4500: in hand",
    ),
    "one that could go on from a point on its way": (
        CHAINED,
        "0 4.1 v, 460 15.1 ^, 2100: in hand",
    ),
    "one that could land on the play's own, full point": (
        PACKED,
        "0 5.3 v, 1 6.3 ^, 142 5.3 ^, 1250 1.3 v, 1880 5.1 ^, 3500: in hand",
    ),
    "one that could land on a full point elsewhere": (
        FACING,
        "0 5.2 ^, 1200 12.1 v, 1740 20.2 ^, 3300: in hand",
    ),
}


@pytest.mark.parametrize("name", HELD)
def test_nobody_is_warned(name: str) -> None:
    assert amiss(*HELD[name]) == []


TOLD: Scenes = {
    "the opponent's checker was lifted before the point was filled": (
        DEEP,
        "0 12.1 ^, 500 10.1 v, 1000 7.2 ^, 1600 22.3 v, 3200: wrong not-your-checker",
    ),
    "the same after a touch": (
        DEEP,
        "0 7.2 ^, 300 7.2 v, 800 12.1 ^, 1300 10.1 v, 1800 7.2 ^, 2400 22.3 v, "
        "4000: wrong not-your-checker",
    ),
    "another slid over the spot that it had left": (
        DEEP,
        "0 12.1 ^, 500 10.1 v, 1000 7.2 ^, 1600 22.3 v, 1700 7.2 v, 1850 7.2 ^, "
        "3500: wrong not-your-checker",
    ),
    "a checker was pushed to the next point and felt there first": (
        Setup(THRIFTY, "fevga", "-ADCE--------ec-dab-B----- w", "31"),
        "0 1.2 v, 8800 1.3 v, 8890 2.3 ^, 10500: wrong die-used",
    ),
    "a sensor felt it land": (
        SLID,
        "0 9.1 ^, 600 7.3 v, 2300: wrong not-your-checker",
    ),
    "its landing was not felt, but the button was pressed": (
        FACING,
        "0 5.2 ^, 1200 12.1 v, 1740 20.2 ^, 3300: in hand, 3400 press: wrong die-used",
    ),
    "a checker of the full board": (
        Setup(FULL, "portes", "-b----E-C---eE---c-e----B- w", "43"),
        "0 8.3 ^, 500 5.1 v, 900 6.5 ^, 1500 9.1 v, 3200: wrong",
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_the_sensors_tell_is_said(name: str) -> None:
    assert amiss(*TOLD[name]) == []
