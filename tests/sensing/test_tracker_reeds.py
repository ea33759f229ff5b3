"""Messages about things that reeds miss, misread or see of two checkers at once."""

from __future__ import annotations

import pytest
from hand_scenes import (
    BLOT,
    BLOTS,
    ENTERING,
    FULL,
    FULL_54,
    HIGH,
    HUNTED,
    PINS,
    PINS_THRIFTY,
    SIX,
    SOLDIERS_MET,
    THRIFTY,
    THRIFTY_54,
    Scenes,
    Setup,
    amiss,
)

SHIFTED: Scenes = {
    "a checker to another place of its point": (
        FULL_54,
        "0 8.3 ^, 400 8.4 v: resting, 3000: resting",
    ),
    "a checker pushed: its new place closes first": (
        FULL_54,
        "0 8.4 v, 100 8.3 ^: resting, 3000: resting",
    ),
    "a whole point set straight": (
        FULL_54,
        "0 17.3 ^, 300 17.5 v: resting, 900 17.2 ^, 1200 17.4 v: resting, 3000: resting, "
        "3500 8.3 ^, 4000 3.1 v, 4400 6.5 ^, 4900 2.1 v, 5200: 8/3 6/2",
    ),
    "a blot right before it is hit": (
        FULL_54,
        "0 4.1 ^, 300 4.2 v, 900 8.3 ^, 1400 4.2 ^, 1800 4.2 v, 2300 bar.black.1 v, "
        "2900 8.2 ^, 3400 3.1 v, 3700: 8/4* 8/3",
    ),
    "the same where no sensor sees the bar": (
        THRIFTY_54,
        "0 4.1 ^, 300 4.2 v, 900 8.3 ^, 1400 4.2 ^, 1800 4.2 v, 2900 8.2 ^, 3400 3.1 v, "
        "3700: 8/4* 8/3",
    ),
    "the hitter right after it has hit": (
        THRIFTY_54,
        "0 8.3 ^, 400 4.1 ^, 900 4.1 v, 1500 4.1 ^, 1900 4.3 v, 2900 8.2 ^, 3400 3.1 v, "
        "3700: 8/4* 8/3",
    ),
    "the victim is pushed aside by its hitter": (
        FULL_54,
        "0 8.3 ^, 400 4.1 ^, 450 4.3 v, 700 4.1 v, 2500: in hand, 3000 4.3 ^, "
        "3500 bar.black.1 v, 4000 8.2 ^, 4400 3.1 v, 4700: 8/4* 8/3",
    ),
    "a blot that could be hit, while the checker in the air goes elsewhere": (
        THRIFTY_54,
        "0 8.3 ^, 400 4.1 ^, 800 4.2 v, 2600: in hand, 3000 3.1 v, 4000 2.1 v, 4300: 8/3 6/2",
    ),
    "a checker on the bar before it enters": (
        Setup(FULL, "backgammon", ENTERING, "61"),
        "0 bar.white.1 ^, 400 bar.white.2 v: resting, 900 bar.white.2 ^, 1500 18.1 v, 1800: bar/18",
    ),
    "a checker that has just moved": (
        FULL_54,
        "0 24.2 ^, 500 15.1 v, 800: 24/15, 1500 15.1 ^, 1900 15.2 v, 2200: 24/15",
    ),
}

TWO_AT_ONCE: Scenes = {
    "two blots are hit and go to the bar in one go": (
        Setup(FULL, "backgammon", BLOTS, "54"),
        "0 8.3 ^, 400 4.1 ^, 900 4.1 v, 1500 8.2 ^, 1900 3.1 ^, 2400 3.1 v, 4500: in hand, "
        "5000 bar.black.1 v, 5020 bar.black.2 v, 5300: 8/4* 8/3*",
    ),
    "both blots into one hand first": (
        Setup(FULL, "backgammon", BLOTS, "54"),
        "0 4.1 ^, 400 3.1 ^, 3000: in hand, 3500 8.3 ^, 3900 3.1 v, 4400 8.2 ^, 4900 4.1 v, "
        "5500 bar.black.1 v, 5520 bar.black.2 v, 5800: 8/4* 8/3*",
    ),
    "the same where no sensor sees the bar": (
        Setup(THRIFTY, "backgammon", BLOTS, "54"),
        "0 4.1 ^, 400 3.1 ^, 3000: in hand, 3500 8.3 ^, 3900 3.1 v, 4400 8.2 ^, 4900 4.1 v, "
        "5200: 8/4* 8/3*",
    ),
    "a hitter in each hand": (
        Setup(THRIFTY, "backgammon", BLOTS, "54"),
        "0 8.3 ^, 100 8.2 ^, 700 4.1 ^, 800 3.1 ^, 1300 4.1 v, 1400 3.1 v, 1700: 8/4* 8/3*",
    ),
    "a checker in each hand, lifted and set down together": (
        FULL_54,
        "0 24.2 ^, 3 13.5 ^, 700 8.4 v, 704 20.1 v, 1000: 24/20 13/8",
    ),
    "a hit with one hand and a move with the other": (
        FULL_54,
        "0 8.3 ^, 200 24.2 ^, 700 4.1 ^, 800 19.1 ^, 860 19.1 v, 900 bar.black.1 v, "
        "1200 4.1 v, 1500 24.2 v, 2100 8.2 ^, 2500 3.1 v, 2800: 8/4* 8/3",
    ),
    "a hit and on, by one checker": (
        Setup(FULL, "backgammon", BLOT, "41"),
        "0 8.3 ^, 500 4.1 ^, 900 4.1 v, 1400 4.1 ^, 1900 3.1 v, 3500: in hand, "
        "4000 bar.black.1 v, 4300: 8/4*/3",
    ),
    "a hit in passing, where no sensor sees the bar": (
        Setup(THRIFTY, "backgammon", BLOT, "41"),
        "0 4.1 ^, 500 8.3 ^, 1200 3.1 v, 1500: 8/4*/3",
    ),
    "two are borne off together": (
        Setup(FULL, "backgammon", "-BBBCCB-------------g----- w", "65"),
        "0 6.2 ^, 20 5.3 ^, 2000: 6/off 5/off or in hand, 2100 press: 6/off 5/off",
    ),
    "two enter together": (
        Setup(FULL, "backgammon", "-a--a-E-C---eE---c-e-----B w", "41"),
        "0 bar.white.1 ^, 10 bar.white.2 ^, 800 24.1 v, 820 21.1 v, 1100: bar/24 bar/21",
    ),
    "the one that enters hits and goes on thrice": (
        Setup(FULL, "backgammon", HUNTED, "55"),
        "0 bar.white.1 ^, 400 20.1 ^, 900 20.1 v, 1400 bar.black.1 v, 1900 20.1 ^, "
        "2300 15.1 v, 2800 15.1 ^, 3300 10.1 v, 3800 10.1 ^, 4300 5.1 v, 4600: bar/20*/5",
    ),
}

BESIDE: Scenes = {
    "the hitter is set down beside its victim, which is then taken away": (
        FULL_54,
        "0 8.3 ^, 500 4.2 v, 3000: in hand, 3500 4.1 ^, 6000: in hand, 6500 bar.black.1 v, "
        "7000 8.2 ^, 7400 3.1 v, 7700: 8/4* 8/3",
    ),
    "the same where no sensor sees the bar": (
        THRIFTY_54,
        "0 8.3 ^, 500 4.2 v, 3000: in hand, 3500 4.1 ^, 4500 8.2 ^, 5000 3.1 v, 5300: 8/4* 8/3",
    ),
    "and the victim stays there": (
        FULL_54,
        "0 8.3 ^, 500 4.2 v, 1500 8.2 ^, 2000 3.1 v, 5000: in hand, "
        "5100 press: wrong or disturbed or asks 8/4* 8/3, 6000 4.1 ^, 6500 bar.black.1 v, "
        "6800: 8/4* 8/3",
    ),
    "two hitters beside one victim": (
        Setup(FULL, "backgammon", BLOT, "22"),
        "0 6.5 ^, 400 4.2 v, 900 6.4 ^, 1300 4.3 v, 3500: in hand, 4000 4.1 ^, "
        "4500 bar.black.1 v, 5000 24.2 ^, 5400 22.1 v, 5800 24.1 ^, 6200 22.2 v, "
        "6500: 24/22(2) 6/4*(2)",
    ),
    "a pin: the checker beneath stays": (
        PINS,
        "0 20.1 ^, 500 15.2 v, 1000 12.1 ^, 1500 8.1 v, 1800: 20/15* 12/8",
    ),
    "a pin: the checker beneath is lifted and set down again": (
        PINS,
        "0 20.1 ^, 400 15.1 ^, 900 15.1 v, 1300 15.2 v, 1800 12.1 ^, 2300 8.1 v, 2600: 20/15* 12/8",
    ),
    "a pin: the one that pins takes the place, the other is set beside it": (
        PINS_THRIFTY,
        "0 15.1 ^, 300 20.1 ^, 700 15.1 v, 1200 15.2 v, 1800 12.1 ^, 2300 8.1 v, 2600: 20/15* 12/8",
    ),
    "nobody is hit in the game of pins: a blot that vanishes is in a hand": (
        PINS,
        "0 20.1 ^, 400 15.1 ^, 900 15.1 v, 1800 12.1 ^, 2300 8.1 v, 5000: in hand, "
        "5500 15.2 v, 5800: 20/15* 12/8",
    ),
}

HIGH_STACKS: Scenes = {
    "from the hidden top, twice": (
        Setup(FULL, "backgammon", HIGH, "21"),
        "0 5.1 v, 2000: in hand or 8/5 or asks 8/5, 3000 4.1 v, 3300: 6/5 6/4",
    ),
    "from the hidden top, and on to another hidden top": (
        Setup(FULL, "backgammon", HIGH, "21"),
        "0 7.1 v, 2000: in hand or 8/7 8/6 or asks 8/7 8/6, 3000 press: 8/7 8/6 or asks 8/7 8/6",
    ),
    "the top one is held while the one beneath it is moved": (
        Setup(FULL, "backgammon", HIGH, "21"),
        "0 6.5 ^, 600 5.1 v, 1000 6.5 v, 1800 4.1 v, 2100: 6/5 6/4",
    ),
    "the sixth of a point, on five sensors": (
        Setup(FULL, "backgammon", "-a--a-F-B---eE---c-e----B- w", "41"),
        "0 5.1 v, 900 6.5 ^, 1500 2.1 v, 1800: 6/5 6/2",
    ),
    "four on three sensors: the fourth hits, then another leaves": (
        Setup(THRIFTY, "backgammon", "-a--a-D-D---eE---c-e----B- w", "54"),
        "0 4.1 ^, 700 4.1 v, 1500 8.3 ^, 2000 3.1 v, 2300: 8/4* 8/3 or asks 8/4* 8/3, "
        "2400 press: 8/4* 8/3 or asks 8/4* 8/3",
    ),
    "the hidden fourth hits, the board lies still, and another joins it": (
        Setup(THRIFTY, "portes", "-aEBC-B-a--------bA-bcbdAA b", "41"),
        "0 24.1 ^, 600 24.1 v, 2000: resting, 3000 20.2 ^, 3500 24.2 v, 3800: 20/24* 23/24",
    ),
    "on top of five, and nothing but a lift is seen": (
        Setup(FULL, "backgammon", BLOT, "21"),
        "0 8.3 ^, 900 24.2 ^, 1300 23.1 v, 1800: 24/23 8/6 or in hand, "
        "2000 press: 24/23 8/6 or asks 24/23 8/6",
    ),
    "borne off from the hidden top": (
        Setup(FULL, "backgammon", "-BBBB-G-------------o----- w", "65"),
        "0 1.3 v, 1500: 6/1 6/off or in hand or asks 6/1 6/off, "
        "1600 press: 6/1 6/off or asks 6/1 6/off",
    ),
    "a whole play that no sensor sees is asked about at the second press": (
        Setup(THRIFTY, "backgammon", "-AABDDC-----------------o- w", "54"),
        "0 press: resting or asks 5/off 4/off or wrong, 1000 press: asks 5/off 4/off",
    ),
    "the only legal play, which no sensor sees, is taken at the first press": (
        Setup(FULL, "backgammon", "-G--------------------acd- w", "61"),
        "2000: resting, 2100 press: 1/off(2)",
    ),
    "the only legal play hits, and only a sleeve may have been felt": (
        Setup(SIX, "nannon", "1w....w2 b", "1"),
        "0 6 ^, 40 6 v, 2000: resting, 2100 press: asks HOME/6*",
    ),
    "no sensor on the bar: enters with a hit": (
        Setup(THRIFTY, "backgammon", HUNTED, "51"),
        "0 20.1 ^, 600 20.1 v, 1500 5.1 v, 1800: bar/20* 6/5",
    ),
    "a hit from the hidden top of a stack": (
        THRIFTY_54,
        "0 4.1 ^, 600 4.1 v, 900: resting or 13/4* or asks 13/4*, 1500 press: 13/4* or asks 13/4*",
    ),
    "from one hidden top to another, and half of it is seen": (
        THRIFTY_54,
        "0 9.1 v, 2500: 13/9 13/8 or in hand, 2600 press: 13/9 13/8 or asks 13/9 13/8",
    ),
    "the same, and the opponent sets a blot straight that a hidden one could have hit": (
        THRIFTY_54,
        "0 9.1 v, 500 1.1 ^, 1000 1.1 v, 2500: asks also 13/9 13/8 or in hand, "
        "2600 press: asks also 13/9 13/8",
    ),
    "a third checker on a bar of two": (
        Setup(FULL, "backgammon", "b----aE-C---eE---c-d----B- w", "31"),
        "0 8.3 ^, 400 5.1 ^, 900 5.1 v, 1500 6.5 ^, 2000 5.2 v, 2300: 8/5* 6/5",
    ),
}

SOLDIERS: Scenes = {
    "the taker first": (
        SOLDIERS_MET,
        "0 a6 ^, 400 b6 ^, 900 b6 v, 1200: a6xb6",
    ),
    "the one that is taken first": (
        SOLDIERS_MET,
        "0 b6 ^, 2500: in hand, 3000 a6 ^, 3500 b6 v, 3800: a6xb6",
    ),
    "a shot, and the hand is quiet": (
        SOLDIERS_MET,
        "0 h3 ^, 1000: xh3 or in hand, 3000 press: xh3",
    ),
    "a slide: the last of a cannon to its front": (
        SOLDIERS_MET,
        "0 h8 ^, 500 h5 v, 800: h8---h5",
    ),
    "a step too far": (
        SOLDIERS_MET,
        "0 j9 ^, 500 j7 v, 2500: wrong, 3000 j7 ^, 3500 j8 v, 3800: j9-j8",
    ),
    "a sleeve over a row of soldiers while one is moved": (
        SOLDIERS_MET,
        "0 j9 ^, 200 h8 ^, 210 i8 ^, 260 h8 v, 270 i8 v, 600 j8 v, 900: j9-j8",
    ),
    "one of the opponent's is moved": (
        SOLDIERS_MET,
        "0 i4 ^, 500 i5 v, 2500: wrong, 3000 i5 ^, 3500 i4 v: resting",
    ),
    "two could be taken and both were touched": (
        SOLDIERS_MET,
        "0 a6 ^, 400 b6 ^, 900 b6 v, 1200 b5 ^, 1700 b5 v, 2000: asks also a6xb6 or in hand, "
        "2100 press: asks also a6xb6",
    ),
    "the opponent touches one before it is taken, and another meanwhile": (
        SOLDIERS_MET,
        "0 a6 ^, 10 b6 ^, 410 b6 v, 420 b6 ^, 430 b5 ^, 830 b5 v, 840 b6 v, "
        "1140: asks also a6xb6 or in hand, 1200 press: asks also a6xb6",
    ),
}

FAILING: Scenes = {
    "a dead sensor on the target, set aside": (
        FULL_54,
        "0 aside 2.1, 100 13.5 ^, 500 8.4 v, 900 6.5 ^, "
        "1500: 13/8 6/2 or in hand or asks 13/8 6/2, 1600 press: 13/8 6/2 or asks 13/8 6/2",
    ),
    "a dead sensor on the origin, set aside": (
        FULL_54,
        "0 aside 13.5, 100 13.5 ^, 5000 13.4 ^, 5500 8.4 v, 6000 6.5 ^, 6500 2.1 v, 6800: 13/8 6/2",
    ),
    "a dead sensor on the bar, set aside": (
        FULL_54,
        "0 aside bar.black.1, 0 8.3 ^, 400 4.1 ^, 800 4.1 v, 1500 8.2 ^, 2000 3.1 v, "
        "2300: 8/4* 8/3",
    ),
    "a dead sensor under the blot, set aside": (
        FULL_54,
        "0 aside 4.1, 1 4.1 ^: resting, 1000 8.3 ^, 1800 bar.black.1 v, 2500 8.2 ^, "
        "3000 3.1 v, 3300: 8/4* 8/3 or asks 8/4* 8/3 or in hand, "
        "3400 press: 8/4* 8/3 or asks 8/4* 8/3",
    ),
    "dead sensors under the blot and on the bar, both set aside": (
        FULL_54,
        "0 aside 4.1 bar.black.1, 1 4.1 ^: resting, 1000 8.3 ^, 2500 8.2 ^, 3000 3.1 v, "
        "3300: 8/4* 8/3 or asks 8/4* 8/3 or in hand, 3400 press: 8/4* 8/3 or asks 8/4* 8/3",
    ),
    "a sensor that opens seconds late": (
        FULL_54,
        "0 3.1 v, 1200 8.3 ^, 1900 6.5 ^, 2300 2.1 v, 2600: 8/3 6/2",
    ),
    "a checker beside its sensor, straightened seconds later": (
        FULL_54,
        "0 13.5 ^, 500 8.4 v, 900 6.5 ^, 8000: in hand, 8100 2.1 v, 8400: 13/8 6/2",
    ),
    "a stuck sensor under the blot": (
        FULL_54,
        "0 8.3 ^, 900 bar.black.1 v, 1500 8.2 ^, 2000 3.1 v, "
        "2300: 8/4* 8/3 or asks 8/4* 8/3 or in hand, 2400 press: 8/4* 8/3 or asks 8/4* 8/3",
    ),
    "two sensors miss a closing": (
        FULL_54,
        "0 8.3 ^, 900 6.5 ^, 4000: in hand, "
        "4100 press: asks 8/3 6/2 or wrong or disturbed or in hand, "
        "4600 press: asks 8/3 6/2 or wrong or disturbed or in hand",
    ),
}


@pytest.mark.parametrize(
    ("setup", "steps"),
    [
        pytest.param(*scene, id=name)
        for scenes in (
            SHIFTED,
            TWO_AT_ONCE,
            BESIDE,
            HIGH_STACKS,
            SOLDIERS,
            FAILING,
        )
        for name, scene in scenes.items()
    ],
)
def test_whatever_the_reeds_miss_the_right_thing_is_said(setup: Setup, steps: str) -> None:
    assert amiss(setup, steps) == []
