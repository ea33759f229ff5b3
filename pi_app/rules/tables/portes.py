"""Portes: backgammon without a cube, as it is played in Greece.

Source: a sheet without a title.
"""

from __future__ import annotations

from collections.abc import Mapping

from pi_app.rules.naming import SINGLE_GAME, name_outcomes
from pi_app.rules.tables.backgammon import START
from pi_app.rules.tables.game import TablesGame
from pi_app.rules.tables.position import OFF, TablesPosition, count, winner
from pi_app.rules.tables.rulebook import (
    ALL_DICE,
    BEARING_OFF,
    CLOSED,
    EACH_DIE,
    ENTER_FIRST,
    HIT,
    UP_TO_SEVEN,
    WON,
    Why,
    rulebook,
)
from pi_app.rules.terms import Example, Outcome, Sheet, Side
from pi_app.words.sentences import Said, Sentence

SHEET = Sheet(
    Sentence("Portes as played in Greece"),
    (
        Sentence(
            "Each side moves from its own 24 to its own 1, starting as in backgammon. "
            "The higher opening die rolls both dice again; the winner starts the next "
            "game."
        ),
        EACH_DIE,
        CLOSED,
        HIT,
        ENTER_FIRST,
        ALL_DICE,
        BEARING_OFF,
        Sentence("Fifteen off wins 1, or 2 if the loser has none off. Then the game is over."),
    ),
    (*UP_TO_SEVEN, Example(8, Sentence("Black has none off: 2 points."), WON)),
)


def _outcome_of(position: TablesPosition) -> Outcome | None:
    """Rule 8."""
    side = winner(position)
    if side is None:
        return None
    saved = count(position.men(side.other), OFF)
    return Outcome(side, 1, "win") if saved else Outcome(side, 2, "double win")


def _given_up(position: TablesPosition, side: Side) -> Mapping[int, Said]:
    """The results still possible under rule 8."""
    if count(position.men(side), OFF):
        return {1: SINGLE_GAME}
    return {1: SINGLE_GAME, 2: Sentence("double win")()}


PORTES = TablesGame(
    name="portes",
    title=Sentence("Portes")(),
    sheet=SHEET,
    book=rulebook(SHEET, Why.PINNED),
    placed=START,
    outcome_of=_outcome_of,
    outcome_names=name_outcomes(Sentence("win"), Sentence("double win")),
    given_up=_given_up,
    match_length=7,
)
