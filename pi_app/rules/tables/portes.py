"""Portes: Greek backgammon, without a cube.

Source: a sheet without a title.
"""

from __future__ import annotations

from functools import partial

from pi_app.rules.naming import SINGLE_GAME, name_outcomes
from pi_app.rules.tables.backgammon import START
from pi_app.rules.tables.game import TWO_TO_SEVEN, UP_TO_SEVEN, WON, TablesGame, borne_off, can_lose
from pi_app.rules.terms import Example, Sheet
from pi_app.words.sentences import Sentence

SHEET = Sheet(
    Sentence("Portes as played in Greece"),
    (
        Sentence(
            "Each side moves from its own 24 to its own 1, starting as in backgammon. "
            "The higher opening die rolls both dice again; the winner starts the next "
            "game."
        ),
        *TWO_TO_SEVEN,
        Sentence("Fifteen off wins 1, or 2 if the loser has none off. Then the game is over."),
    ),
    (*UP_TO_SEVEN, Example(8, Sentence("Black has none off: 2 points."), WON)),
)


DOUBLE = Sentence("double win")

PORTES = TablesGame(
    name="portes",
    title=Sentence("Portes")(),
    sheet=SHEET,
    placed=START,
    outcome_of=partial(borne_off, ("win", "double win")),
    outcome_names=name_outcomes(Sentence("win"), DOUBLE),
    given_up=partial(can_lose, (SINGLE_GAME, DOUBLE())),
    match_length=7,
)
