"""Backgammon: 24 points, fifteen checkers a side, two dice, and a doubling cube.

Source: a sheet whose title is lost; it tells of bearing off, scoring and doubling.  For what it
leaves out the sheet of Portes.
"""

from __future__ import annotations

from collections.abc import Mapping

from pi_app.rules.contract import JACOBY, Opening
from pi_app.rules.naming import SINGLE_GAME, name_outcomes
from pi_app.rules.tables.game import TablesGame
from pi_app.rules.tables.position import OFF, TablesPosition, count, in_contact, is_far_back, winner
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
    Sentence("Backgammon"),
    (
        Sentence(
            "Each side moves from its own 24 to its own 1. It starts with two checkers on 24,"
            " five on 13, three on 8, five on 6. The higher opening die plays both"
            " numbers."
        ),
        EACH_DIE,
        CLOSED,
        HIT,
        ENTER_FIRST,
        ALL_DICE,
        BEARING_OFF,
        Sentence(
            "Fifteen off wins 1; a gammon, the loser has none off, 2; a backgammon, he also has a"
            " checker on the bar or in the winner's home, 3. Then the game is over."
        ),
    ),
    (*UP_TO_SEVEN, Example(8, Sentence("Black has none off: a gammon, 2 points."), WON)),
)
GAMMON = Sentence("gammon")
FAR_BACK = Sentence("backgammon")
START = ((24, 2), (13, 5), (8, 3), (6, 5))


def _outcome_of(position: TablesPosition) -> Outcome | None:
    """Rule 8."""
    side = winner(position)
    if side is None:
        return None
    loser = position.men(side.other)
    if count(loser, OFF):
        return Outcome(side, 1, "win")
    return Outcome(side, 3, "backgammon") if is_far_back(loser) else Outcome(side, 2, "gammon")


def _given_up(position: TablesPosition, side: Side) -> Mapping[int, Said]:
    """The results still possible under rule 8: with a checker off only a single game."""
    men = position.men(side)
    if count(men, OFF):
        return {1: SINGLE_GAME}
    lost = {1: SINGLE_GAME, 2: GAMMON()}
    # A checker that has passed all of the winner's is never hit again.
    far = is_far_back(men) or in_contact(position)
    return lost | {3: FAR_BACK()} if far else lost


BACKGAMMON = TablesGame(
    name="backgammon",
    title=Sentence("Backgammon")(),
    sheet=SHEET,
    book=rulebook(SHEET, Why.PINNED),
    placed=START,
    outcome_of=_outcome_of,
    outcome_names=name_outcomes(Sentence("win"), GAMMON, FAR_BACK),
    given_up=_given_up,
    opening=Opening.HIGHER_PLAYS_BOTH,
    previous_winner_starts=False,
    has_cube=True,
    crawford=True,
    options=(JACOBY,),
    has_ids=True,
)
