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

from collections.abc import Mapping

from pi_app.rules.contract import Midway, Opening
from pi_app.rules.tables import explain as tables_explain
from pi_app.rules.tables import hands as tables_hands
from pi_app.rules.tables import plays as tables_plays
from pi_app.rules.tables import position as tables_position
from pi_app.rules.tables import turns as tables_turns
from pi_app.rules.tables.ids import is_gnubg_text, read_id, write_position_id, write_xgid
from pi_app.rules.tables.men import (
    BAR,
    BAR_SPOTS,
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
    pips,
    start,
    winner,
)
from pi_app.rules.tables.plays import Play
from pi_app.rules.tables.rulebook import Why, rulebook
from pi_app.rules.terms import Broken, Move, Outcome, Roll, Side, Spot

START = ((24, 2), (13, 5), (8, 3), (6, 5))
BOOK = rulebook("sheet 002", Why.PINNED)


class Backgammon:
    """Backgammon as a `Game[Position, Play]`."""

    name = "backgammon"
    title = "Backgammon"
    side_names = ("White", "Black")
    dice = 2
    opening = Opening.HIGHER_PLAYS_BOTH
    previous_winner_starts = False
    has_cube = True
    crawford = True
    options = ("jacoby",)
    rules = tuple(BOOK.values())
    checkers_a_side = CHECKERS
    spots = (*POINT_SPOTS, *BAR_SPOTS, *OFF_SPOTS)

    def start(self, mover: Side) -> TablesPosition:
        """Rule 1."""
        return start(mover, *START)

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
        return tables_plays.plays(position, roll, pins=False)

    def results(self, position: TablesPosition, roll: Roll) -> tuple[TablesPosition, ...]:
        """The positions after every play."""
        if self.outcome(position):
            return ()
        return tables_turns.results(position, roll, pins=False)

    def midways(self, position: TablesPosition, roll: Roll) -> tuple[Midway[TablesPosition], ...]:
        """Turns under way."""
        if self.outcome(position):
            return ()
        return tables_plays.midways(position, roll, pins=False)

    def passes(self, position: TablesPosition, move: Move, spot: Spot) -> bool:
        """Whether the spot lies between."""
        return is_between(position.mover, spot, move.origin, move.target)

    def after(self, position: TablesPosition, play: Play) -> TablesPosition:
        """The position after a play."""
        return self.attempted(position, play)

    def attempted(self, position: TablesPosition, attempt: tuple[Move, ...]) -> TablesPosition:
        """The same for moves that may be illegal; raises IllegalPlayError for impossible ones."""
        return tables_hands.attempted(position, attempt, pins=False, book=BOOK)

    def moves(self, position: TablesPosition, play: Play) -> tuple[Move, ...]:
        """A play is its moves."""
        return play

    def outcome(self, position: TablesPosition) -> Outcome | None:
        """Rule 8."""
        side = winner(position)
        return _won(side, position.men(side.other)) if side else None

    def resign_points(self, position: TablesPosition, side: Side) -> tuple[int, ...]:
        """A win, a gammon or a backgammon."""
        return (1, 2, 3)

    def explain(
        self, position: TablesPosition, roll: Roll, attempt: tuple[Move, ...]
    ) -> Broken | None:
        """The rule that stops the attempt where it gets farthest."""
        if self.outcome(position):
            return Broken(BOOK[Why.OVER], "The game is over")
        return tables_explain.explain(position, roll, attempt, pins=False, book=BOOK)

    def pips(self, position: TablesPosition, side: Side) -> int:
        """The pips that the side still needs."""
        return pips(position.men(side))

    def checkers_at(self, position: TablesPosition) -> Mapping[Spot, tuple[Side, ...]]:
        """Every point, both bars and what is off."""
        return tables_position.checkers_at(position, bars=True)

    def counts(self, position: TablesPosition) -> tuple[int, ...]:
        """The same as numbers."""
        return tables_position.counts(position, bars=True)

    def hit_to(self, side: Side) -> Spot:
        """The bar."""
        return SPOT[side][BAR]

    def position_of(self, checkers: Mapping[Spot, tuple[Side, ...]], mover: Side) -> TablesPosition:
        """The position with these checkers; off is what is missing."""
        return tables_position.place(checkers, mover, pins=False)

    def impossible(self, position: TablesPosition, before: TablesPosition) -> tuple[str, ...]:
        """Every reason why no board can show a position."""
        return tables_position.impossible(position, pins=False)

    def read_position(self, text: str) -> TablesPosition:
        """Read 26 characters and a mover, an XGID, or a GNU Backgammon position ID."""
        if is_gnubg_text(text):
            return read_id(text)
        return tables_position.read_position(text, pins=False)

    def write_position(self, position: TablesPosition) -> str:
        """The text of 26 characters and the mover."""
        return tables_position.write_position(position, pins=False)

    def read_play(self, position: TablesPosition, text: str) -> Play:
        """Read `13/8 6/5*`, `bar/20`, `6/off(2)` or `forfeit`."""
        return tables_plays.read_play(position, text, pins=False)

    def write_play(self, play: Play) -> str:
        """The text that read_play takes."""
        return tables_plays.write_play(play)

    def draw(self, position: TablesPosition) -> str:
        """The board, and the names that other programs have for the position."""
        ids = f"Position ID {write_position_id(position)}\n{write_xgid(position)}"
        return f"{tables_position.draw(position, bars=True)}\n{ids}"


def _won(side: Side, loser: int) -> Outcome:
    if count(loser, OFF):
        return Outcome(side, 1, "win")
    # The winner's home are the points from 19 as the loser counts; the bar lies beyond.
    if loser & above(BAR - HOME - 1):
        return Outcome(side, 3, "backgammon")
    return Outcome(side, 2, "gammon")
