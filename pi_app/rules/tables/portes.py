"""Portes: backgammon without a cube, as it is played in Greece.

Source: sheet 004, cited by these numbers.

1. White moves from 24 to 1, Black from 1 to 24; the start is backgammon's.  The higher opening die
   rolls both dice afresh; later games are begun by the previous winner.
2. Each die moves one checker by its number; the same checker may go on.  A doublet is four moves.
3. A point with two or more enemies is closed.
4. A single enemy is hit: it goes to the bar.
5. Checkers on the bar enter first, in the enemy's home, on the point that the die names.
6. Both numbers, or all four, are played if there is a way; else the higher of two, if it can be.
   Who can move must; who cannot forfeits the turn.
7. With all fifteen at home a die bears off from its point, a die higher than every point in use
   from the highest; otherwise it moves a checker.
8. Fifteen off wins 1, or 2 if the loser has none off.  Then the game is over.
"""

from __future__ import annotations

from pi_app.rules.tables.backgammon import START
from pi_app.rules.tables.game import TablesGame
from pi_app.rules.tables.men import OFF, TablesPosition, count, winner
from pi_app.rules.tables.rulebook import Why, rulebook
from pi_app.rules.terms import Outcome


def _outcome_of(position: TablesPosition) -> Outcome | None:
    """Rule 8."""
    side = winner(position)
    if side is None:
        return None
    saved = count(position.men(side.other), OFF)
    return Outcome(side, 1, "win") if saved else Outcome(side, 2, "double win")


PORTES = TablesGame(
    name="portes",
    title="Portes",
    book=rulebook("sheet 004", Why.PINNED),
    placed=START,
    outcome_of=_outcome_of,
    given_up=lambda _: (1, 2),
)
