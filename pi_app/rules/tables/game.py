"""The tables games as one class: what makes one of them Backgammon, Portes or the Pin game is data.

What they share is in the other modules here, cited by the numbers of `rulebook`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pi_app.rules.contract import Game, Midway, Opening, Option
from pi_app.rules.tables import plays as tables_plays
from pi_app.rules.tables import position as tables_position
from pi_app.rules.tables import rulebook as tables_rulebook
from pi_app.rules.tables.position import (
    BAR,
    BAR_SPOTS,
    CHECKERS,
    OFF,
    OFF_SPOTS,
    POINT_SPOTS,
    SPOT,
    TablesPosition,
    is_between,
)
from pi_app.rules.tables.rulebook import Why
from pi_app.rules.terms import Broken, Move, Outcome, Play, Roll, Rule, Sheet, Side, Spot
from pi_app.words.sentences import Said, Sentence

GAME_OVER = Sentence("Game over")

_SPOTS = (*POINT_SPOTS, *BAR_SPOTS, *OFF_SPOTS)
_SPOTS_WITHOUT_BAR = (*POINT_SPOTS, *OFF_SPOTS)


@dataclass(frozen=True, eq=False)
class TablesGame(Game[TablesPosition, Play]):
    """A game of the family.

    `placed` are pairs of point and checkers, the same for both sides.  A game that `pins` single
    enemies hits none and has no bar.  `outcome_of` tells how a position ends the game, `given_up`
    for how many points a side may resign, which are those that it can still lose, and what that is
    called.  `has_ids`: the names that GNU Backgammon has for a position are read and drawn.
    """

    name: str
    title: Said
    sheet: Sheet
    book: Mapping[Why, Rule]
    placed: tuple[tuple[int, int], ...]
    outcome_of: Callable[[TablesPosition], Outcome | None]
    outcome_names: Mapping[str, Said]
    given_up: Callable[[TablesPosition, Side], Mapping[int, Said]]
    opening: Opening = Opening.HIGHER_ROLLS_AFRESH
    previous_winner_starts: bool = True
    has_cube: bool = False
    crawford: bool = False
    match_length: int = 11
    options: tuple[Option, ...] = ()
    pins: bool = False
    has_ids: bool = False

    dice = 2
    checkers_a_side = CHECKERS

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(self.book.values())

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The points, the bars if the game has them, and the trays."""
        return _SPOTS_WITHOUT_BAR if self.pins else _SPOTS

    def start(self, mover: Side) -> TablesPosition:
        """Rule 1."""
        return tables_position.start(mover, *self.placed)

    def with_mover(self, position: TablesPosition, mover: Side) -> TablesPosition:
        return position.with_mover(mover)

    def plays(self, position: TablesPosition, roll: Roll) -> tuple[Play, ...]:
        """Rules 2 to 7; a forfeit is the empty play."""
        if self.outcome_of(position):
            return ()
        return tables_plays.plays(position, roll, self.pins)

    def results(self, position: TablesPosition, roll: Roll) -> tuple[TablesPosition, ...]:
        if self.outcome_of(position):
            return ()
        return tables_plays.results(position, roll, self.pins)

    def midways(self, position: TablesPosition, roll: Roll) -> tuple[Midway[TablesPosition], ...]:
        if self.outcome_of(position):
            return ()
        return tables_plays.midways(position, roll, self.pins)

    def passes(self, position: TablesPosition, move: Move, spot: Spot) -> bool:
        return is_between(position.mover, spot, move.origin, move.target)

    def attempted(self, position: TablesPosition, attempt: tuple[Move, ...]) -> TablesPosition:
        """The result of moves that may be illegal. Raises IllegalPlayError for impossible ones."""
        return tables_rulebook.attempted(position, attempt, self.pins, self.book)

    def outcome(self, position: TablesPosition) -> Outcome | None:
        """Rule 8, and 9 in the Pin game."""
        return self.outcome_of(position)

    def resignations(self, position: TablesPosition, side: Side) -> Mapping[int, Said]:
        """The results that the side can still lose by."""
        return self.given_up(position, side)

    def explain(
        self, position: TablesPosition, roll: Roll, attempt: tuple[Move, ...]
    ) -> Broken | None:
        """The rule that stops the attempt at its furthest."""
        if self.outcome_of(position):
            return Broken(self.book[Why.OVER], GAME_OVER())
        return tables_rulebook.explain(position, roll, attempt, self.pins, self.book)

    def pips(self, position: TablesPosition, side: Side) -> int:
        return tables_position.pips(position.men(side))

    def checkers_at(self, position: TablesPosition) -> Mapping[Spot, tuple[Side, ...]]:
        """A pinned checker is the lowest on its point."""
        return tables_position.checkers_at(position, bars=not self.pins)

    def counts(self, position: TablesPosition) -> tuple[int, ...]:
        return tables_position.counts(position, bars=not self.pins)

    def hit_to(self, side: Side) -> Spot:
        """The bar; a box in games without hits."""
        return SPOT[side][OFF if self.pins else BAR]

    def position_of(self, checkers: Mapping[Spot, tuple[Side, ...]], mover: Side) -> TablesPosition:
        """The missing checkers are off."""
        return tables_position.place(checkers, mover, self.pins)

    def impossible(self, position: TablesPosition, before: TablesPosition) -> tuple[str, ...]:
        return tables_position.impossible(position, self.pins)

    def read_position(self, text: str) -> TablesPosition:
        """26 characters and the mover, pinned points in the Pin game, or an XGID or position ID."""
        if self.has_ids and tables_position.is_gnubg_text(text):
            return tables_position.read_id(text)
        return tables_position.read_position(text, self.pins)

    def write_position(self, position: TablesPosition) -> str:
        return tables_position.write_position(position, self.pins)

    def read_play(self, position: TablesPosition, text: str) -> Play:
        """Read `13/8 6/5*`, `bar/20`, `6/off(2)` or `forfeit`."""
        return tables_plays.read_play(position, text, self.pins)

    def write_play(self, play: Play) -> str:
        return tables_plays.write_play(play)

    def draw(self, position: TablesPosition) -> str:
        """The board as White sees it, with its IDs; a pinned checker is nearest the edge."""
        drawn = tables_position.draw(position, bars=not self.pins)
        if not self.has_ids:
            return drawn
        position_id, xgid = (
            tables_position.write_position_id(position),
            tables_position.write_xgid(position),
        )
        return f"{drawn}\nPosition ID {position_id}\n{xgid}"
