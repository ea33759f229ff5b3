"""Hands at a real board beyond plain plays, and the message at each moment."""

from __future__ import annotations

import pytest
from hand_scenes import (
    BLOT,
    CLOSED,
    ENTERING,
    FULL,
    FULL_54,
    NOT_THROWN,
    SIX,
    SOLDIERS_MET,
    THRIFTY,
    THRIFTY_54,
    Scenes,
    Setup,
    amiss,
)

OTHER_HAND: Scenes = {
    "the opponent sets a blot straight before the play": (
        FULL_54,
        "0 4.1 ^, 600 4.1 v: resting, 800: resting, 2000 8.3 ^, 2500 3.1 v, 3200 6.5 ^, "
        "3600 2.1 v, 3900: 8/3 6/2",
    ),
    "a blot that could be hit, while a checker is in the air": (
        FULL_54,
        "0 8.3 ^, 400 4.1 ^, 900 4.1 v, 2500: in hand, 2600 3.1 v, 3200 6.5 ^, 3600 2.1 v, "
        "3900: 8/3 6/2",
    ),
    "the same where no sensor sees the bar": (
        THRIFTY_54,
        "0 8.3 ^, 400 4.1 ^, 900 4.1 v, 2500: in hand, 2600 3.1 v, 3600 2.1 v, 3900: 8/3 6/2",
    ),
    "a blot after the play is complete": (
        THRIFTY_54,
        "0 8.3 ^, 600 3.1 v, 1600 2.1 v, 1900: 8/3 6/2, 2500 1.1 ^, 2900 1.1 v, 3200: 8/3 6/2",
    ),
    "a stack before the roll": (
        Setup(FULL, "backgammon", BLOT, NOT_THROWN),
        "0 12.5 ^, 6000: in hand, 6300 12.5 v: resting, 6600: resting",
    ),
    "the only blot in reach, while another checker goes elsewhere": (
        Setup(SIX, "nannon", "0ww.b..1 w", "2"),
        "0 1 ^, 300 4 ^, 700 4 v, 1500: in hand, 1600 3 v, 1900: 1/3",
    ),
    "a blot that could be hit by entering, and then another play": (
        Setup(SIX, "nannon", "1w..b..1 w", "4"),
        "0 4 ^, 500 4 v, 2000 1 ^, 2400 5 v, 2700: 1/5 or asks 1/5",
    ),
    "a blot that could be hit wrongly; then another play, past sleeves": (
        Setup(SIX, "nannon", "1w...bb1 b", "2"),
        "0 5 ^, 480 5 v, 868 1 ^, 1143 1 v, 1902 4 v, 1907 5 ^, 1941 4 ^, 5423 1 ^, 5445 1 v, "
        "5527 6 ^, 5578 6 v, 5592 3 v, 7192: 5/3",
    ),
    "a soldier that could be taken, while the taker is in the air": (
        SOLDIERS_MET,
        "0 h6 ^, 400 g6 ^, 900 g6 v, 2000 h5 v, 2300: h6-h5",
    ),
    "a soldier that could be shot is lifted for a while": (
        SOLDIERS_MET,
        "0 h3 ^, 900 h3 v: resting, 1200: resting, 2000 h6 ^, 2500 h5 v, 2800: h6-h5",
    ),
    "the opponent's own half of the board, by sleeve": (
        FULL_54,
        "0 12.5 ^, 5 17.3 ^, 10 19.5 ^, 50 19.5 v, 55 17.3 v, 60 12.5 v: resting, 2000: resting",
    ),
    "the opponent lifts a checker for seconds, nothing is played": (
        FULL_54,
        "0 12.5 ^, 4000: in hand, 4500 12.5 v: resting",
    ),
    "a blot before the roll, where a hidden checker could have hit": (
        Setup(THRIFTY, "backgammon", BLOT, NOT_THROWN),
        "0 4.1 ^, 500 4.1 v: resting, 800: resting, 900 roll 54: resting, 2000: resting, "
        "2100 8.3 ^, 2500 3.1 v, 3600 2.1 v, 3900: 8/3 6/2",
    ),
    "the same where one that enters could have hit": (
        Setup(SIX, "nannon", "1w..b..1 w", NOT_THROWN),
        "0 4 ^, 500 4 v, 900 roll 4: resting, 3000: resting, 3100 press: asks HOME/4* or HOME/4*",
    ),
}

ASTRAY: Scenes = {
    "a hit checker is put on the tray and then on the bar": (
        FULL_54,
        "0 4.1 ^, 600 8.3 ^, 1100 4.1 v, 1900 13.5 ^, 2400 8.3 v, 2700: in hand, "
        "6000: in hand, 7000 bar.black.1 v, 7300: 13/4*",
    ),
    "a hit checker is put on the other side's bar": (
        FULL_54,
        "0 8.3 ^, 600 4.1 ^, 1100 4.1 v, 1500 bar.white.1 v, 1900 8.2 ^, 2400 3.1 v, "
        "6000: wrong or disturbed or asks 8/4* 8/3 or in hand, "
        "6100 press: wrong or disturbed or asks 8/4* 8/3, 7000 bar.white.1 ^, "
        "7300 bar.black.1 v, 7600: 8/4* 8/3",
    ),
    "where no sensor sees the bar a tray is as good": (
        THRIFTY_54,
        "0 8.3 ^, 600 4.1 ^, 1100 4.1 v, 1900 8.2 ^, 2400 3.1 v, 2700: 8/4* 8/3",
    ),
    "a checker borne off is put on the bar": (
        Setup(FULL, "backgammon", "-BBBCDA-------------g----- w", "61"),
        "0 6.1 ^, 600 bar.white.1 v, 3000: wrong or disturbed or in hand, 3500 bar.white.1 ^, "
        "4000 2.2 ^, 4400 1.3 v, 4700: in hand, 5100: 6/off 2/1",
    ),
}

ORDER: Scenes = {
    "moves first, enters last": (
        Setup(FULL, "backgammon", ENTERING, "61"),
        "0 13.5 ^, 500 7.1 v, 4000: in hand, 4500 bar.white.1 ^, 5000 24.2 v, 5300: bar/24 13/7",
    ),
    "moves first and presses before entering": (
        Setup(FULL, "backgammon", ENTERING, "61"),
        "0 13.5 ^, 500 7.1 v, 2000 press: wrong bar-first, 4500 bar.white.1 ^, 5000 24.2 v, "
        "5300: bar/24 13/7",
    ),
    "moves first, enters last, from a bar without a sensor": (
        Setup(THRIFTY, "backgammon", ENTERING, "61"),
        "0 7.1 v, 4000: in hand, 5000 24.2 v, 5300: bar/24 13/7",
    ),
    "bears off before the last checker is home": (
        Setup(FULL, "backgammon", "-BBBCBAA------------g----- w", "61"),
        "0 6.1 ^, 900 7.1 ^, 1400 6.1 v, 1700: 7/off",
    ),
    "hits with the second die first": (
        FULL_54,
        "0 6.5 ^, 400 2.1 v, 900 6.4 ^, 1300 1.1 ^, 1700 1.1 v, 2000 bar.black.1 v, 2300: 6/2 6/1*",
    ),
    "sets the checker down on the way that only the other die could reach": (
        Setup(FULL, "backgammon", BLOT, "61"),
        "0 24.2 ^, 500 18.1 v, 2500: in hand, 3000 18.1 ^, 3500 17.4 v, 6000: wrong, "
        "6500 17.4 ^, 7000 23.1 v, 7500 24.1 ^, 8000 18.1 v, 8300: 24/23 24/18",
    ),
    "takes the hit checker away last of all": (
        FULL_54,
        "0 8.3 ^, 500 4.2 v, 1500 8.2 ^, 2000 3.1 v, 4000: in hand, 4500 4.1 ^, "
        "5000 bar.black.1 v, 5300: 8/4* 8/3",
    ),
    "takes the blot away and plays the other die first": (
        FULL_54,
        "0 4.1 ^, 500 bar.black.1 v, 3000: in hand, 3500 8.3 ^, 4000 3.1 v, 6000: in hand, "
        "6500 8.2 ^, 7000 4.1 v, 7300: 8/4* 8/3",
    ),
}

BEFORE_THE_ROLL: Scenes = {
    "the whole turn": (
        Setup(FULL, "backgammon", BLOT, NOT_THROWN),
        "0 24.2 ^, 500 20.1 v, 900 13.5 ^, 1400 8.4 v, 5000: wrong or disturbed or in hand, "
        "5500 roll 54: 24/20 13/8 or in hand, 5800: 24/20 13/8",
    ),
    "the whole turn, with a hit": (
        Setup(FULL, "backgammon", BLOT, NOT_THROWN),
        "0 8.3 ^, 500 4.1 ^, 900 4.1 v, 1400 bar.black.1 v, 1900 8.2 ^, 2300 3.1 v, "
        "5500 roll 54: 8/4* 8/3 or in hand, 5800: 8/4* 8/3",
    ),
    "the whole turn, with a hit, where no sensor sees the bar": (
        Setup(THRIFTY, "backgammon", BLOT, NOT_THROWN),
        "0 8.3 ^, 500 4.1 ^, 900 4.1 v, 1900 8.2 ^, 2300 3.1 v, "
        "5500 roll 54: 8/4* 8/3 or in hand, 5800: 8/4* 8/3",
    ),
    "half of the turn, and half after it": (
        Setup(FULL, "backgammon", BLOT, NOT_THROWN),
        "0 24.2 ^, 500 20.1 v, 700 roll 54: in hand, 3000: in hand, 3500 13.5 ^, 4000 8.4 v, "
        "4300: 24/20 13/8",
    ),
    "a turn for another roll": (
        Setup(FULL, "backgammon", BLOT, NOT_THROWN),
        "0 24.2 ^, 500 20.1 v, 900 13.5 ^, 1400 8.4 v, 2000 roll 43: wrong or in hand, 5000: wrong",
    ),
    "a step": (
        Setup(SIX, "nannon", "1ww..bb1 w", NOT_THROWN),
        "0 2 ^, 400 4 v, 900 roll 2: 2/4 or in hand, 1200: 2/4",
    ),
    "a step of another length": (
        Setup(SIX, "nannon", "1ww..bb1 w", NOT_THROWN),
        "0 2 ^, 400 4 v, 900 roll 1: wrong or in hand, 3000: wrong, 3500 4 ^, 3900 3 v, 4200: 2/3",
    ),
    "a hit": (
        Setup(SIX, "nannon", "0ww.b..1 w", NOT_THROWN),
        "0 2 ^, 300 4 ^, 700 4 v, 1900 roll 2: 2/4* or in hand 2/4 or in hand, 2200: 2/4*",
    ),
    "checkers into each hand before the roll, and the turn after it": (
        Setup(FULL, "backgammon", BLOT, NOT_THROWN),
        "0 24.2 ^, 300 13.5 ^, 1000: in hand, 1500 roll 54: in hand, 1900 20.1 v, 2200 8.4 v, "
        "2500: 24/20 13/8",
    ),
    "a checker moved before the roll and put back after it": (
        Setup(FULL, "backgammon", BLOT, NOT_THROWN),
        "0 24.2 ^, 500 20.1 v, 2500: wrong or disturbed, 3000 roll 62: wrong or in hand, "
        "5000: wrong, 5500 20.1 ^, 6000 24.2 v: resting, 6300: resting",
    ),
}

ADJUSTED: Scenes = {
    "an own checker in the middle of a doublet": (
        Setup(FULL, "backgammon", BLOT, "22"),
        "0 13.5 ^, 500 11.1 v, 900 6.5 ^, 1500 6.5 v, 2000 13.4 ^, 2500 11.2 v, 3000 24.2 ^, "
        "3500 22.1 v, 4000 24.1 ^, 4500 22.2 v, 4800: 24/22(2) 13/11(2)",
    ),
    "an enemy stack in the middle of a doublet with a hit": (
        Setup(FULL, "backgammon", BLOT, "22"),
        "0 6.5 ^, 400 4.1 ^, 900 4.1 v, 1200 bar.black.1 v, 1900 12.5 ^, 2500 12.5 v, "
        "3000 6.4 ^, 3500 4.2 v, 4000 13.5 ^, 4400 11.1 v, 5000 13.4 ^, 5500 11.2 v, "
        "5800: 13/11(2) 6/4*(2)",
    ),
    "an enemy blot that could be hit, in the middle of a doublet": (
        Setup(FULL, "backgammon", BLOT, "22"),
        "0 13.5 ^, 500 11.1 v, 1000 4.1 ^, 1600 4.1 v, 2000 13.4 ^, 2500 11.2 v, 3000 24.2 ^, "
        "3500 22.1 v, 4000 24.1 ^, 4500 22.2 v, 4800: 24/22(2) 13/11(2)",
    ),
    "the same where no sensor sees the bar": (
        Setup(THRIFTY, "backgammon", BLOT, "22"),
        "0 24.2 ^, 500 22.1 v, 1000 4.1 ^, 1600 4.1 v, 2000 24.1 ^, 2500 22.2 v, 3500 11.1 v, "
        "4500 11.2 v, 6000: 24/22(2) 13/11(2)",
    ),
    "an own checker with another one in the air": (
        FULL_54,
        "0 24.2 ^, 400 13.5 ^, 1000 13.5 v, 3000: in hand, 3300 15.1 v, 3600: 24/15",
    ),
    "a checker is lifted, thought about and put back": (
        FULL_54,
        "0 24.2 ^, 20000: in hand, 20500 24.2 v: resting, 23000: resting",
    ),
    "ten checkers are straightened, then a play": (
        FULL_54,
        "0 12.5 ^, 300 12.5 v, 600 12.4 ^, 900 12.4 v, 1200 17.3 ^, 1500 17.4 v, 1800 19.5 ^, "
        "2100 19.5 v, 2400 1.1 ^, 2700 1.1 v, 3000 6.5 ^, 3300 6.5 v, 3600 13.5 ^, "
        "3900 13.5 v, 4200 8.3 ^, 4500 8.3 v, 4800 24.2 ^, 5100 24.2 v: resting, 5400 4.1 ^, "
        "5700 4.1 v: resting, 6000 24.2 ^, 6500 15.1 v, 6800: 24/15",
    ),
    "sleeves over every blot while a checker is in the air": (
        FULL_54,
        "0 24.2 ^, 200 1.1 ^, 210 4.1 ^, 250 1.1 v, 270 4.1 v, 800 20.1 v, 1500 24.1 ^, "
        "1800 24.1 v, 2300 8.3 ^, 2800 3.1 v, 3100: 24/20 8/3",
    ),
}

MINDS: Scenes = {
    "a complete play is undone and another one made": (
        FULL_54,
        "0 24.2 ^, 500 20.1 v, 900 13.5 ^, 1400 8.4 v, 1700: 24/20 13/8, 2500 20.1 ^, "
        "3000 24.2 v, 3500 13.4 ^, 4000 9.1 v, 4300: 13/9 13/8",
    ),
    "a hit is undone": (
        FULL_54,
        "0 8.3 ^, 400 4.1 ^, 800 bar.black.1 v, 1200 4.1 v, 3000: in hand, 3500 4.1 ^, "
        "4000 8.3 v, 4400 bar.black.1 ^, 4900 4.1 v: resting, 6000: resting",
    ),
    "a hit is undone and made again": (
        THRIFTY_54,
        "0 8.3 ^, 400 4.1 ^, 1200 4.1 v, 3500 4.1 ^, 4000 8.3 v, 4900 4.1 v: resting, "
        "6000 8.3 ^, 6400 4.1 ^, 7200 4.1 v, 8000 8.2 ^, 8500 3.1 v, 8800: 8/4* 8/3",
    ),
    "a hit is undone and a step made": (
        Setup(SIX, "nannon", "0ww.b..1 w", "2"),
        "0 2 ^, 300 4 ^, 800 4 v, 1100: 2/4*, 1500 4 ^, 1900 2 v, 2400 4 v: resting, "
        "2700: resting, 3000 1 ^, 3500 3 v, 3800: 1/3",
    ),
    "pressed in the middle of a muddle that nobody has been shown as a play": (
        Setup(SIX, "nannon", "0.ww.b.1 w", "3"),
        "0 3 ^, 1203 6 v, 1708 6 ^, 2200 3 v, 3188 4 v, 3190 2 ^, 4250 4 ^, 5713 5 ^, 5764 5 v, "
        "5837 3 ^, 5866 3 v, 6229 press: asks 2/5*",
    ),
    "pressed with the second checker still in the hand": (
        FULL_54,
        "0 24.2 ^, 500 20.1 v, 900 13.5 ^, "
        "1200 press: wrong or disturbed or in hand or asks also 24/20 13/8, 1600 8.4 v, "
        "1900: 24/20 13/8",
    ),
    "pressed with the first checker in the hand, which goes back": (
        FULL_54,
        "0 24.2 ^, 300 press: wrong or disturbed or in hand, 900 24.2 v: resting, 2000: resting",
    ),
    "pressed with a checker in the hand that has rested on its way, after a sleeve over a blot": (
        Setup(THRIFTY, "backgammon", "-A-bC-C-B--C--b---abAbbdB- w", "61"),
        "0 6.2 ^, 523 5.1 v, 953 24.1 ^, 954 22.3 v, 1632 22.3 ^, 1679 9.3 v, 2203 9.3 ^, "
        "2346 10.2 v, 2386 10.2 ^, 2885 18.1 ^, 2944 18.1 v, 2971 4.1 ^, 2986 4.1 v, "
        "5298 press: asks 24/18* 6/5",
    ),
    "a rest of a second on a wrong place": (
        FULL_54,
        "0 13.5 ^, 500 11.1 v, 1600 11.1 ^, 2000 8.4 v, 2600 6.5 ^, 3000 2.1 v, 3300: 13/8 6/2",
    ),
}

TAKEN_BACK: Scenes = {
    "a hit is put back by hand, taken back, and made again": (
        FULL_54,
        "0 8.3 ^, 400 4.1 ^, 900 4.1 v, 1400 bar.black.1 v, 1900 8.2 ^, 2300 3.1 v, "
        "2600: 8/4* 8/3, 2700 accept 8/4* 8/3: resting, 5000 3.1 ^, 5500 8.2 v, 6000 4.1 ^, "
        "6500 8.3 v, 7000 bar.black.1 ^, 7500 4.1 v, 9500: wrong or disturbed, 9600 back: resting, "
        "9900: resting, 10000 8.3 ^, 10400 4.1 ^, 10900 4.1 v, 11400 bar.black.1 v, 11900 8.2 ^, "
        "12300 3.1 v, 12600: 8/4* 8/3",
    ),
    "the same where no sensor sees the bar": (
        THRIFTY_54,
        "0 8.3 ^, 400 4.1 ^, 900 4.1 v, 1900 8.2 ^, 2300 3.1 v, 2600: 8/4* 8/3, "
        "2700 accept 8/4* 8/3: resting, 5000 3.1 ^, 5500 8.2 v, 6000 4.1 ^, 6500 8.3 v, "
        "7500 4.1 v, 9500: wrong or disturbed, 9600 back: resting, 9900: resting, 10000 8.3 ^, "
        "10400 4.1 ^, 10900 4.1 v, 11900 8.2 ^, 12300 3.1 v, 12600: 8/4* 8/3",
    ),
    "a hit is taken back, put back by hand, and another play made": (
        FULL_54,
        "0 8.3 ^, 400 4.1 ^, 900 4.1 v, 1400 bar.black.1 v, 1900 8.2 ^, 2300 3.1 v, "
        "2600: 8/4* 8/3, 2700 accept 8/4* 8/3: resting, 5000 back: disturbed, 5200: disturbed, "
        "6000 3.1 ^: disturbed, 6500 8.2 v: disturbed, 7000 4.1 ^: disturbed, "
        "7500 8.3 v: disturbed, 8000 bar.black.1 ^: disturbed, 8500 4.1 v: resting, "
        "9000: resting, 9100 24.2 ^, 9600 15.1 v, 9900: 24/15",
    ),
    "two hits are taken back one after the other, and the hand begins again and presses": (
        Setup(THRIFTY, "portes", "aDDCBA---A--------a--bddc- b", "54"),
        "0 5.1 ^, 100 accept bar/5*/9*, 200 back: disturbed, 1000 5.1 v: resting, "
        "2000 9.1 ^, 3000 9.1 v, 6000 5.1 ^, 6300 9.1 ^, 6358 9.1 v, "
        "6900 press: asks also bar/5*/9* or in hand",
    ),
    "a hit on six spots": (
        Setup(SIX, "nannon", "0ww.b..1 w", "2"),
        "0 2 ^, 300 4 ^, 800 4 v, 1100: 2/4*, 1200 accept 2/4*: resting, 3000 back: disturbed, "
        "4000 4 ^: disturbed, 4500 2 v: disturbed or in hand, 5000 4 v: resting, 6000: resting, "
        "6500 2 ^, 6800 4 ^, 7300 4 v, 7600: 2/4*",
    ),
    "a hit on entering, which leaves the board looking the same": (
        Setup(SIX, "nannon", "1w..b..1 w", "4"),
        "0 4 ^, 500 4 v: resting, 800: HOME/4*, 900 accept HOME/4*: resting, "
        "3000 back: resting or disturbed, 5000 4 ^: in hand or disturbed, "
        "5500 4 v: resting, 7000: resting, 8000 4 ^, 8500 4 v, 8800: HOME/4* or asks HOME/4*",
    ),
    "the same put back by hand, taken back, and made again": (
        Setup(SIX, "nannon", "1w..b..1 w", "4"),
        "0 4 ^, 500 4 v: resting, 800: HOME/4*, 900 accept HOME/4*: resting, "
        "3000 4 ^, 3700 4 v: resting, 7000 back: resting, 9000 4 ^, 9500 4 v, 9800: HOME/4*",
    ),
    "the same after a turn in which nothing could move": (
        Setup(SIX, "nannon", "1w..b..1 w", "4"),
        "0 4 ^, 500 4 v: resting, 800: HOME/4*, 900 accept HOME/4* then forfeit: resting, "
        "3000 4 ^, 3700 4 v: resting, 7000 back: resting, 9000 4 ^, 9500 4 v, 9800: HOME/4*",
    ),
    "the same put back and made again without a pause": (
        Setup(SIX, "nannon", "1.b..wb0 w", "2"),
        "0 2 ^, 224 2 v: resting, 380: HOME/2*, 460 accept HOME/2*: resting, 1924 back: resting, "
        "1931 2 ^: in hand, 2331 2 v: resting, 2341 2 ^, 2590 2 v: resting, 2800: HOME/2*, "
        "4590 press: HOME/2*",
    ),
    "the same put back without a pause, and pressed": (
        Setup(SIX, "nannon", "1.b..wb0 w", "2"),
        "0 2 ^, 224 2 v: resting, 380: HOME/2*, 460 accept HOME/2*: resting, 1924 back: resting, "
        "1931 2 ^: in hand, 2331 2 v: resting, 2400 press: resting or wrong, "
        "4000 press: wrong or asks 5/SAFETY",
    ),
}

TOLD: Scenes = {
    "the enemy's town is moved, and the button pressed at once": (
        SOLDIERS_MET,
        "0 e1 ^, 221 e5 v, 1168 press: wrong not-your-piece",
    ),
    "an illegal hit is told": (
        Setup(FULL, "backgammon", BLOT, "61"),
        "0 13.5 ^, 400 4.1 ^, 800 bar.black.1 v, 1200 4.1 v, 3000: wrong wrong-distance",
    ),
    "the opponent's checker is moved": (
        FULL_54,
        "0 12.5 ^, 500 11.1 v, 2500: wrong not-your-checker, 3000 11.1 ^, 3500 12.5 v: resting",
    ),
    "an illegal move is put back, a legal one made": (
        FULL_54,
        "0 13.5 ^, 500 10.1 v, 2500: wrong wrong-distance, 3000 10.1 ^, 3300 9.1 v, "
        "3800 13.4 ^, 4200 8.4 v, 4500: 13/9 13/8",
    ),
    "a knocked board, put back in any order": (
        FULL_54,
        "0 12.5 ^, 3 12.4 ^, 6 13.5 ^, 9 13.4 ^, 12 8.3 ^, 15 17.3 ^, 3000: disturbed, "
        "4000 8.3 v, 4500 17.3 v, 5000 13.4 v, 5500 13.5 v, 6000 12.4 v, 6500 12.5 v: resting, "
        "8000: resting",
    ),
}

FORFEITED: Scenes = {
    "an own checker is adjusted in a forfeited turn": (
        Setup(FULL, "backgammon", CLOSED, "65"),
        "0 13.5 ^, 500 13.4 ^, 900 13.4 v, 1300 13.5 v: resting, 3000: resting",
    ),
    "the opponent adjusts where nobody may enter": (
        Setup(SIX, "nannon", "3..bb..0 w", "3"),
        "0 3 ^, 700 3 v: resting, 2000: resting, 2500 press: resting or asks forfeit",
    ),
    "a checker of a closed point": (
        Setup(FULL, "backgammon", CLOSED, "65"),
        "0 24.2 ^, 700 24.2 v: resting, 1000: resting",
    ),
    "a checker that cannot enter is tried and put back": (
        Setup(FULL, "backgammon", CLOSED, "65"),
        "0 bar.white.1 ^, 500 20.3 v, 2500: wrong point-held, 3000 20.3 ^, "
        "3500 bar.white.1 v: resting, 5000: resting",
    ),
}


@pytest.mark.parametrize(
    ("setup", "steps"),
    [
        pytest.param(*scene, id=name)
        for scenes in (
            OTHER_HAND,
            ASTRAY,
            ORDER,
            BEFORE_THE_ROLL,
            ADJUSTED,
            MINDS,
            TAKEN_BACK,
            TOLD,
            FORFEITED,
        )
        for name, scene in scenes.items()
    ],
)
def test_whatever_the_hands_do_the_right_thing_is_said(setup: Setup, steps: str) -> None:
    assert amiss(setup, steps) == []


def test_what_is_said_otherwise_is_noticed() -> None:
    assert amiss(FULL_54, "0 8.3 ^: resting, 900: in hand") == ["0 8.3 ^: in hand, not resting"]
    with pytest.raises(AssertionError, match="nobody does that"):
        amiss(FULL_54, "0 sneeze")
