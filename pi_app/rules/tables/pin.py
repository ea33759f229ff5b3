"""The Pin game: nobody is hit, a single checker is held where it stands.

Source: sheet 001, cited by these numbers.

1. White moves from 24 to 1, Black from 1 to 24; all fifteen start on the own 24-point.  The higher
   opening die rolls afresh; later games are begun by the previous winner.
2. Each die moves one checker by its number; the same checker may go on.  A doublet is four moves.
3. A point is closed to me with two or more enemies, or one on top of a pinned checker of mine.
4. Landing on a single enemy pins it: it cannot move until every enemy has left the point.
5. There is no bar.
6. Both numbers, or all four, are played if there is a way; else the higher of two, if it can be.
   Who can move must; who cannot forfeits the turn.
7. Bearing off is backgammon's; a pinned checker at home is home, and one that stands farther back
   forbids the use of a higher die.
8. Fifteen off wins the pips that the loser still needs; twice if he has none off; three times if
   he also has a checker in the winner's home.
9. The mother is the last checker on a start point.  When a turn leaves it pinned its owner loses 2,
   unless the pinner has checkers on his own start: then play goes on until he has none there.
   If both mothers are pinned the game is a tie.
"""

from __future__ import annotations

from collections.abc import Mapping

from pi_app.rules.contract import Midway, Opening
from pi_app.rules.tables import explain as tables_explain
from pi_app.rules.tables import hands as tables_hands
from pi_app.rules.tables import plays as tables_plays
from pi_app.rules.tables import position as tables_position
from pi_app.rules.tables import turns as tables_turns
from pi_app.rules.tables.men import (
    BAR,
    CHECKERS,
    HOME,
    OFF,
    OFF_SPOTS,
    POINT_SPOTS,
    SPOT,
    TablesPosition,
    above,
    count,
    is_between,
    one,
    pips,
    start,
    winner,
)
from pi_app.rules.tables.plays import Play
from pi_app.rules.tables.rulebook import Why, rulebook
from pi_app.rules.terms import Broken, Move, Outcome, Roll, Side, Spot

MOTHER = 24
MOTHER_POINTS = 2
BOOK = rulebook("sheet 001", Why.BAR_FIRST, Why.ON_THE_WAY)


class Pin:
    """The Pin game as a `Game[Position, Play]`."""

    name = "pin"
    title = "The Pin game"
    side_names = ("White", "Black")
    dice = 2
    opening = Opening.HIGHER_ROLLS_AFRESH
    previous_winner_starts = True
    has_cube = False
    crawford = False
    options: tuple[str, ...] = ()
    rules = tuple(BOOK.values())
    checkers_a_side = CHECKERS
    spots = (*POINT_SPOTS, *OFF_SPOTS)

    def start(self, mover: Side) -> TablesPosition:
        """Rule 1."""
        return start(mover, (MOTHER, CHECKERS))

    def mover(self, position: TablesPosition) -> Side:
        """Whose turn it is."""
        return position.mover

    def with_mover(self, position: TablesPosition, mover: Side) -> TablesPosition:
        """The same checkers with another mover."""
        return position.with_mover(mover)

    def plays(self, position: TablesPosition, roll: Roll) -> tuple[Play, ...]:
        """Rules 2 to 7; a forfeit is the empty play."""
        if self.outcome(position):
            return ()
        return tables_plays.plays(position, roll, pins=True)

    def results(self, position: TablesPosition, roll: Roll) -> tuple[TablesPosition, ...]:
        """The positions after every play."""
        if self.outcome(position):
            return ()
        return tables_turns.results(position, roll, pins=True)

    def midways(self, position: TablesPosition, roll: Roll) -> tuple[Midway[TablesPosition], ...]:
        """Turns under way."""
        if self.outcome(position):
            return ()
        return tables_plays.midways(position, roll, pins=True)

    def passes(self, position: TablesPosition, move: Move, spot: Spot) -> bool:
        """Whether the spot lies between."""
        return is_between(position.mover, spot, move.origin, move.target)

    def after(self, position: TablesPosition, play: Play) -> TablesPosition:
        """The position after a play."""
        return self.attempted(position, play)

    def attempted(self, position: TablesPosition, attempt: tuple[Move, ...]) -> TablesPosition:
        """The same for moves that may be illegal; raises IllegalPlayError for impossible ones."""
        return tables_hands.attempted(position, attempt, pins=True, book=BOOK)

    def moves(self, position: TablesPosition, play: Play) -> tuple[Move, ...]:
        """A play is its moves."""
        return play

    def outcome(self, position: TablesPosition) -> Outcome | None:
        """Rules 8 and 9."""
        side = winner(position)
        return _won(side, position.men(side.other)) if side else _mothers(position)

    def resign_points(self, position: TablesPosition, side: Side) -> tuple[int, ...]:
        """What rules 8 and 9 would give now: the pips once, twice or thrice, or the mother."""
        men = position.men(side)
        times = (1,) if count(men, OFF) else (1, 2, 3)
        mother = {MOTHER_POINTS} if count(men, MOTHER) else set[int]()
        return tuple(sorted({*mother, *(factor * pips(men) for factor in times)}))

    def explain(
        self, position: TablesPosition, roll: Roll, attempt: tuple[Move, ...]
    ) -> Broken | None:
        """The rule that stops the attempt where it gets farthest."""
        if self.outcome(position):
            return Broken(BOOK[Why.OVER], "The game is over")
        return tables_explain.explain(position, roll, attempt, pins=True, book=BOOK)

    def pips(self, position: TablesPosition, side: Side) -> int:
        """The pips that the side still needs."""
        return pips(position.men(side))

    def checkers_at(self, position: TablesPosition) -> Mapping[Spot, tuple[Side, ...]]:
        """Every point and what is off."""
        return tables_position.checkers_at(position, bars=False)

    def counts(self, position: TablesPosition) -> tuple[int, ...]:
        """The same as numbers."""
        return tables_position.counts(position, bars=False)

    def hit_to(self, side: Side) -> Spot:
        """Nothing is hit here; its box would be the place."""
        return SPOT[side][OFF]

    def position_of(self, checkers: Mapping[Spot, tuple[Side, ...]], mover: Side) -> TablesPosition:
        """The position with these checkers; off is what is missing."""
        return tables_position.place(checkers, mover, pins=True)

    def impossible(self, position: TablesPosition, before: TablesPosition) -> tuple[str, ...]:
        """Every reason why no board can show a position."""
        return tables_position.impossible(position, pins=True)

    def read_position(self, text: str) -> TablesPosition:
        """Read 26 characters, a mover, and the pinned points or `-`."""
        return tables_position.read_position(text, pins=True)

    def write_position(self, position: TablesPosition) -> str:
        """The text that read_position takes."""
        return tables_position.write_position(position, pins=True)

    def read_play(self, position: TablesPosition, text: str) -> Play:
        """Read `13/8 6/5*`, `6/off(2)` or `forfeit`."""
        return tables_plays.read_play(position, text, pins=True)

    def write_play(self, play: Play) -> str:
        """The text that read_play takes."""
        return tables_plays.write_play(play)

    def draw(self, position: TablesPosition) -> str:
        """The board as White sees it; a pinned checker lies nearest the edge."""
        return tables_position.draw(position, bars=False)


def _won(side: Side, loser: int) -> Outcome:
    if count(loser, OFF):
        return Outcome(side, pips(loser), "win")
    # The winner's home are the points from 19 as the loser counts.
    if loser & above(BAR - HOME - 1):
        return Outcome(side, 3 * pips(loser), "backgammon")
    return Outcome(side, 2 * pips(loser), "gammon")


def _mothers(position: TablesPosition) -> Outcome | None:
    """Rule 9."""
    if not (position.white_pinned | position.black_pinned) & one(MOTHER):
        return None
    held = [side for side in Side if count(position.pinned(side), MOTHER)]
    if len(held) > 1:
        return Outcome(None, 0, "tie")
    for side in held:
        if not count(position.men(side.other), MOTHER):
            return Outcome(side.other, MOTHER_POINTS, "mother")
    return None
