"""Backgammon (24 points, fifteen checkers a side, two dice, a doubling cube), and Nackgammon.

Source: a sheet without a title, which covers bearing off, scoring and doubling; for the rest, the
sheet of Portes. Nackgammon, by Nack Ballard, starts with four checkers on 24 and 23.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pi_app.rules.contract import OF_MONEY, Opening
from pi_app.rules.naming import SINGLE_GAME, name_outcomes
from pi_app.rules.tables.game import TWO_TO_SEVEN, UP_TO_SEVEN, WON, TablesGame, borne_off, can_lose
from pi_app.rules.terms import Example, Sheet
from pi_app.words.sentences import Sentence

SHEET = Sheet(
    Sentence("Backgammon"),
    (
        Sentence(
            "Each side moves from its own 24 to its own 1. It starts with two checkers on 24,"
            " five on 13, three on 8, five on 6. The higher opening die plays both"
            " numbers."
        ),
        *TWO_TO_SEVEN,
        Sentence(
            "All checkers off wins 1; a gammon, the loser has none off, 2; a backgammon, he also"
            " has a checker on the bar or in the winner's home, 3. Then the game is over."
        ),
    ),
    (*UP_TO_SEVEN, Example(8, Sentence("Black has none off: a gammon, 2 points."), WON)),
)
GAMMON = Sentence("gammon")
FAR_BACK = Sentence("backgammon")
START = ((24, 2), (13, 5), (8, 3), (6, 5))


BACKGAMMON = TablesGame(
    name="backgammon",
    title=Sentence("Backgammon")(),
    sheet=SHEET,
    placed=START,
    outcome_of=partial(borne_off, ("win", "gammon", "backgammon")),
    outcome_names=name_outcomes(Sentence("win"), GAMMON, FAR_BACK),
    given_up=partial(can_lose, (SINGLE_GAME, GAMMON(), FAR_BACK())),
    opening=Opening.HIGHER_PLAYS_BOTH,
    previous_winner_starts=False,
    has_cube=True,
    crawford=True,
    options=OF_MONEY,
    variation="Backgammon",
    graded=True,
)


LONGER_START = ((24, 2), (23, 2), (13, 4), (8, 3), (6, 4))
LONGER_SHEET = Sheet(
    Sentence("Nackgammon"),
    (
        Sentence(
            "Each side moves from its own 24 to its own 1. It starts with two checkers on 24,"
            " two on 23, four on 13, three on 8, four on 6. The higher opening die plays both"
            " numbers."
        ),
        *SHEET.rules[1:],
    ),
    (
        replace(SHEET.examples[0], position="-bb---D-C---dD---c-d---BB- w"),
        *SHEET.examples[1:],
    ),
)
NACKGAMMON = replace(
    BACKGAMMON,
    name="nackgammon",
    title=Sentence("Nackgammon")(),
    sheet=LONGER_SHEET,
    placed=LONGER_START,
    variation="NackGammon",
)
