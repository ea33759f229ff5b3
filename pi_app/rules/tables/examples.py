"""Positions that show the rules of the tables games in which checkers are hit.

White is to move in all of them, and no caption counts points, so that it is true whatever numbers
the players go by.
"""

from __future__ import annotations

from pi_app.rules.terms import Example
from pi_app.sentences import Sentence

START = "-b----E-C---eE---c-e----B- w"

UP_TO_SEVEN = (
    Example(1, Sentence("The start, and White's first move."), START, roll="65", play="24/13"),
    Example(
        2,
        Sentence("A 3 and a 1, each by a checker of its own."),
        START,
        roll="31",
        play="8/5 6/5",
    ),
    Example(
        2,
        Sentence("A doublet is four moves."),
        START,
        roll="22",
        play="13/11(2) 6/4(2)",
    ),
    Example(
        3,
        Sentence("Five enemies stand where the 5 would lead: the point is closed."),
        START,
        roll="52",
        attempt="24/19",
    ),
    Example(
        4,
        Sentence("The 4 hits a single checker, which goes to the bar."),
        "-b----E-C---eE---b-ea---B- w",
        roll="42",
        play="24/20* 13/11",
    ),
    Example(
        5,
        Sentence("The 6 finds a closed point, so White enters with the 2 and then plays the 6."),
        "-b----E-C---eE---c-e----AA w",
        roll="62",
        play="bar/23 24/18",
    ),
    Example(
        6,
        Sentence("Either number can be played, but not both: it must be the higher."),
        "-EEDb-------A------eec---- w",
        roll="53",
        attempt="12/9",
    ),
    Example(
        7,
        Sentence("A 6 and a 4 bear off from their own points."),
        "-BBBBBB-----------dea--e-- w",
        roll="64",
        play="6/off 4/off",
    ),
    Example(
        7,
        Sentence("No checker stands so high: double 5 bears off from the highest points."),
        "-BCBB-------------dea--e-- w",
        roll="55",
        play="4/off(2) 3/off(2)",
    ),
)
WON = "------------------dea--e-- b"
"""White has borne off all fifteen, Black none."""
