"""Backgammon: 24 points, fifteen checkers a side, two dice, and a doubling cube.

Source: sheet 002, and sheet 004 for what that one leaves out; cited by these numbers.

1. White moves from 24 to 1, Black from 1 to 24.  Each side starts with two checkers on its
   24-point, five on 13, three on 8, five on 6.  The higher opening die plays both numbers.
2. Each die moves one checker by its number; the same checker may go on.  A doublet is four moves.
3. A point with two or more enemies is closed.
4. A single enemy is hit: it goes to the bar.
5. Checkers on the bar enter first, in the enemy's home, on the point that the die names.
6. Both numbers, or all four, are played if there is a way; else the higher of two, if it can be.
   Who can move must; who cannot forfeits the turn.
7. With all fifteen at home a die bears off from its point, a die higher than every point in use
   from the highest; otherwise it moves a checker.
8. Fifteen off wins 1; a gammon, the loser has none off, 2; a backgammon, he also has a checker on
   the bar or in the winner's home, 3.  Then the game is over.
"""

from __future__ import annotations

from pi_app.rules.contract import Opening
from pi_app.rules.tables.game import TablesGame
from pi_app.rules.tables.men import OFF, TablesPosition, count, is_far_back, winner
from pi_app.rules.tables.rulebook import Why, rulebook
from pi_app.rules.terms import Outcome

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


BACKGAMMON = TablesGame(
    name="backgammon",
    title="Backgammon",
    book=rulebook("sheet 002", Why.PINNED),
    placed=START,
    outcome_of=_outcome_of,
    given_up=lambda _: (1, 2, 3),
    opening=Opening.HIGHER_PLAYS_BOTH,
    previous_winner_starts=False,
    has_cube=True,
    crawford=True,
    options=("jacoby",),
    has_ids=True,
)
