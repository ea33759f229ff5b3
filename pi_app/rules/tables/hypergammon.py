"""Hypergammon: Backgammon with three checkers a side, by GNU Backgammon's rules."""

from __future__ import annotations

from dataclasses import replace

from pi_app.rules.tables.backgammon import BACKGAMMON, SHEET
from pi_app.rules.terms import Example, Sheet
from pi_app.words.sentences import Sentence

START = "-aaa------------------AAA- w"

EXAMPLES = (
    Example(1, Sentence("The start, and White's first move."), START, "65: 24/13"),
    Example(2, Sentence("A 3 and a 1, each by a checker of its own."), START, "31: 24/21 23/22"),
    Example(2, Sentence("A doublet is four moves."), START, "22: 24/20 23/19"),
    Example(
        3,
        Sentence("Two enemies hold the point of the 5: it is closed."),
        "--a----------------b--AAA- w",
        "52: 24/19?",
    ),
    Example(
        4,
        Sentence("The 4 hits a single checker, which goes to the bar."),
        "--aa----------------a-AAA- w",
        "42: 24/20* 23/21",
    ),
    Example(
        5,
        Sentence("The 6 is closed: White enters with the 2, then plays the 6."),
        "---a-------A-------b----AA w",
        "62: bar/23 24/18",
    ),
    Example(
        6,
        Sentence("Either number can be played but not both: play the higher."),
        "-B--b-------A-------a----- w",
        "53: 12/9?",
    ),
    Example(
        7,
        Sentence("A 6 and a 4 bear off from their own points."),
        "--A-A-A------------aa--a-- w",
        "64: 6/off 4/off",
    ),
    Example(
        7,
        Sentence("All points are lower: double 5 bears off from the highest."),
        "---AB--------------aa--a-- w",
        "55: 4/off(2) 3/off",
    ),
    Example(8, Sentence("Black has none off: a gammon, 2 points."), "-------------------aa--a-- b"),
)

HYPERGAMMON = replace(
    BACKGAMMON,
    name="hypergammon",
    title=Sentence("Hypergammon")(),
    sheet=Sheet(
        Sentence("Hypergammon"),
        (
            Sentence(
                "Each side moves from its own 24 to its own 1. It has only three checkers, on 24,"
                " 23 and 22; put the others away. The higher opening die plays both numbers."
            ),
            *SHEET.rules[1:],
        ),
        EXAMPLES,
    ),
    placed=((24, 1), (23, 1), (22, 1)),
    checkers_a_side=3,
    variation="HyperGammon (3)",
    graded=False,
)
