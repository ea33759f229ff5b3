"""Three in a row, as somebody outside would add it: its rules, its drawing and its board.

Each side has five checkers beside the board; a turn sets one of them on an empty crossing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pi_app.games.equipment import Equipment
from pi_app.rules.contract import Midway, Opening
from pi_app.rules.naming import WHITE_AND_BLACK, name_outcomes, name_side
from pi_app.rules.terms import (
    Broken,
    Checkers,
    IllegalPlayError,
    Move,
    Outcome,
    Play,
    PositionError,
    Roll,
    Rule,
    Sheet,
    Side,
    Spot,
    SpotKind,
    Stack,
    TextError,
)
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Drawn, Marks
from pi_app.screen.canvas import Canvas
from pi_app.screen.editing import Editing, single
from pi_app.screen.face import Face
from pi_app.screen.pieces import checker
from pi_app.screen.shapes import Disc, Rect
from pi_app.screen.theme import PIT, TEAL, VERMILION
from pi_app.sensing.description import Board
from pi_app.sentences import Sentence

BOARD = Path(__file__).parent / "three-9.toml"
CHECKERS = 5
ROWS = tuple(tuple(Spot(SpotKind.CROSSING, row, file=file) for file in "abc") for row in (3, 2, 1))
CROSSINGS = tuple(spot for row in ROWS for spot in row)
TRAYS = {side: Spot(SpotKind.OFF, side=side) for side in Side}
LINES = (
    *ROWS,
    *zip(*ROWS, strict=True),
    tuple(ROWS[n][n] for n in range(3)),
    tuple(ROWS[n][2 - n] for n in range(3)),
)
SIGNS = {None: ".", Side.WHITE: "w", Side.BLACK: "b"}

SHEET = Sheet(
    Sentence("Three in a Row"),
    (
        Sentence("A turn sets one of the own checkers on an empty crossing, where it stays."),
        Sentence("Three own checkers in a row win; a full board is a tie."),
    ),
)


def _rule(identifier: str, number: int, sentence: Sentence) -> Rule:
    return Rule(identifier, sentence(), SHEET, number)


ONE = _rule("one-checker", 1, Sentence("A turn sets one checker."))
STAYS = _rule("stays", 1, Sentence("A checker on the board stays there."))
YOURS = _rule("not-yours", 1, Sentence("A player sets only his own checkers."))
EMPTY = _rule("not-empty", 1, Sentence("A checker is set on an empty crossing."))
MUST = _rule("must-set", 1, Sentence("Who has a checker left must set it."))
OVER = _rule("over", 2, Sentence("The game is over."))


@dataclass(frozen=True, slots=True)
class ThreePosition:
    """Who stands on each of the crossings, and the mover."""

    owners: tuple[Side | None, ...]
    mover: Side

    def left(self, side: Side) -> int:
        """How many checkers the side has beside the board."""
        return CHECKERS - self.owners.count(side)


class ThreeInARow:
    """The game as a `Game[ThreePosition, Play]`."""

    name = "three"
    title = Sentence("Three in a row")()
    side_names = WHITE_AND_BLACK
    dice = 0
    opening = Opening.NO_THROW
    previous_winner_starts = False
    has_cube = False
    crawford = False
    options = ()
    sheet = SHEET
    rules = (ONE, STAYS, YOURS, EMPTY, MUST, OVER)
    outcome_names = name_outcomes(Sentence("three in a row"), Sentence("tie"))
    fanfare = "three in a row"
    checkers_a_side = CHECKERS
    tallest = 1
    spots = (*CROSSINGS, *TRAYS.values())

    def under(self, agreed: Collection[str]) -> ThreeInARow:
        return self

    def start(self, mover: Side) -> ThreePosition:
        return ThreePosition((None,) * len(CROSSINGS), mover)

    def mover(self, position: ThreePosition) -> Side:
        return position.mover

    def with_mover(self, position: ThreePosition, mover: Side) -> ThreePosition:
        return replace(position, mover=mover)

    def plays(self, position: ThreePosition, roll: Roll) -> tuple[Play, ...]:
        if self.outcome(position):
            return ()
        if not position.left(position.mover):
            return ((),)
        tray = TRAYS[position.mover]
        owned = zip(CROSSINGS, position.owners, strict=True)
        return tuple((Move(tray, spot),) for spot, owner in owned if owner is None)

    def results(self, position: ThreePosition, roll: Roll) -> tuple[ThreePosition, ...]:
        return tuple(self.after(position, play) for play in self.plays(position, roll))

    def midways(self, position: ThreePosition, roll: Roll) -> tuple[Midway[ThreePosition], ...]:
        return ()

    def passes(self, position: ThreePosition, move: Move, spot: Spot) -> bool:
        return False

    def after(self, position: ThreePosition, play: Play) -> ThreePosition:
        return self.attempted(position, play)

    def moves(self, position: ThreePosition, play: Play) -> tuple[Move, ...]:
        return play

    def outcome(self, position: ThreePosition) -> Outcome | None:
        stands = dict(zip(CROSSINGS, position.owners, strict=True))
        for line in LINES:
            owner = stands[line[0]]
            if owner and all(stands[spot] is owner for spot in line):
                return Outcome(owner, 1, "three in a row")
        return None if None in position.owners else Outcome(None, 0, "tie")

    def resign_points(self, position: ThreePosition, side: Side) -> tuple[int, ...]:
        return (1,)

    def explain(
        self, position: ThreePosition, roll: Roll, attempt: tuple[Move, ...]
    ) -> Broken | None:
        return next(self._breaks(position, attempt), None)

    def attempted(self, position: ThreePosition, attempt: tuple[Move, ...]) -> ThreePosition:
        stacks = {spot: list(stack) for spot, stack in self.checkers_at(position).items()}
        for move in attempt:
            if not stacks[move.origin]:
                raise IllegalPlayError(Broken(YOURS, Sentence("Nothing is there")()))
            side = stacks[move.origin].pop()
            if move.target in CROSSINGS and stacks[move.target]:
                raise IllegalPlayError(Broken(EMPTY, Sentence("It is not empty")()))
            if move.target == TRAYS[side.other]:
                raise IllegalPlayError(Broken(YOURS, Sentence("That is the other's tray")()))
            stacks[move.target].append(side)
        owners = tuple(stacks[spot][0] if stacks[spot] else None for spot in CROSSINGS)
        return ThreePosition(owners, position.mover.other)

    def pips(self, position: ThreePosition, side: Side) -> None:
        return None

    def checkers_at(self, position: ThreePosition) -> Mapping[Spot, Stack]:
        owned = zip(CROSSINGS, position.owners, strict=True)
        standing: dict[Spot, Stack] = {spot: (owner,) if owner else () for spot, owner in owned}
        return standing | {tray: (side,) * position.left(side) for side, tray in TRAYS.items()}

    def counts(self, position: ThreePosition) -> tuple[int, ...]:
        return tuple(len(stack) for stack in self.checkers_at(position).values())

    def hit_to(self, side: Side) -> Spot:
        return TRAYS[side]

    def position_of(self, checkers: Checkers, mover: Side) -> ThreePosition:
        owners = tuple(checkers[spot][0] if checkers[spot] else None for spot in CROSSINGS)
        return self._checked(ThreePosition(owners, mover))

    def impossible(self, position: ThreePosition, before: ThreePosition) -> tuple[str, ...]:
        return tuple(
            f"{name_side(side)} has more than {CHECKERS} checkers"
            for side in Side
            if position.left(side) < 0
        )

    def read_position(self, text: str) -> ThreePosition:
        """Read `w.b/.../... b`: the rows from 3 to 1, and the mover."""
        board, _, letter = text.partition(" ")
        owners = {sign: owner for owner, sign in SIGNS.items()}
        signs = board.replace("/", "")
        if [len(row) for row in board.split("/")] != [3, 3, 3] or set(signs) - set(owners):
            raise TextError(f"position {text!r}: write three rows like w.b/.../... b")
        if letter not in ("w", "b"):
            raise TextError(f"position {text!r}: end it in w or b, who is to move")
        mover = Side.WHITE if letter == "w" else Side.BLACK
        return self._checked(ThreePosition(tuple(owners[sign] for sign in signs), mover))

    def write_position(self, position: ThreePosition) -> str:
        signs = "".join(SIGNS[owner] for owner in position.owners)
        return f"{signs[:3]}/{signs[3:6]}/{signs[6:]} {position.mover.letter}"

    def read_play(self, position: ThreePosition, text: str) -> Play:
        if text == "forfeit":
            return ()
        found = [spot for spot in CROSSINGS if str(spot) == text]
        if not found:
            raise TextError(f"play {text!r}: write a crossing like b2, or forfeit")
        return (Move(TRAYS[position.mover], found[0]),)

    def write_play(self, play: Play) -> str:
        return " ".join(str(move.target) for move in play) or "forfeit"

    def draw(self, position: ThreePosition) -> str:
        return self.write_position(position).replace("/", "\n").replace(" ", "\nto move: ")

    def _breaks(self, position: ThreePosition, attempt: tuple[Move, ...]) -> Iterator[Broken]:
        who, must = name_side(position.mover), Sentence("{who} sets a checker")
        if self.outcome(position):
            yield Broken(OVER, Sentence("The game is over")())
        if not attempt and position.left(position.mover):
            yield Broken(MUST, must(who=who))
        for move in attempt[:1]:
            if move.origin in CROSSINGS:
                yield Broken(STAYS, Sentence("What is on {spot} stays")(spot=str(move.origin)))
            if move.origin != TRAYS[position.mover]:
                yield Broken(YOURS, Sentence("It is {who}'s turn")(who=who))
            if move.target not in CROSSINGS:
                yield Broken(MUST, must(who=who))
            elif position.owners[CROSSINGS.index(move.target)]:
                yield Broken(EMPTY, Sentence("{spot} is not empty")(spot=str(move.target)))
        if attempt[1:]:
            yield Broken(ONE, Sentence("A turn sets one checker")())

    def _checked(self, position: ThreePosition) -> ThreePosition:
        if reasons := self.impossible(position, position):
            raise PositionError(self.write_position(position), reasons)
        return position


def draw_three(
    canvas: Canvas[Action], rect: Rect, board: Board, marks: Marks, *, turned: bool
) -> Drawn:
    """Three rows of pits, and a tray a side."""
    left, middle, right = rect.columns((1, 3, 1), canvas.px(8))
    order = CROSSINGS[::-1] if turned else CROSSINGS
    cells = dict(zip(order, middle.grid(3, 3, canvas.px(6)), strict=True))
    ends = (right, left) if turned else (left, right)
    cells |= dict(zip(TRAYS.values(), ends, strict=True))
    for spot, cell in cells.items():
        radius = min(cell.w, cell.h) // 2 - canvas.px(4)
        edge = VERMILION if spot in marks.clear else TEAL if spot in marks.fill else None
        canvas.add(Disc(cell.centre, radius, PIT, edge, canvas.px(3) if edge else 0))
        for side in marks.standing.get(spot, ())[-1:]:
            canvas.add(*checker(cell.centre, radius * 8 // 10, side))
    return Drawn(cells, middle)


THREE = Equipment(
    ThreeInARow(),
    Face(
        draw_three,
        Editing(single, SpotKind.OFF, Sentence("Tap a crossing until it shows what is there.")),
        tall=True,
    ),
    board=str(BOARD),
)
