"""A game inside the tests: three in a row, with its own board and drawing.

Nine spots and five checkers a side, which enter one by one and stay. Unlike Spotter's own games, it
starts with an empty board and can end with a full one that nobody has won.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pi_app.games.equipment import Equipment
from pi_app.rules.contract import Game, Opening
from pi_app.rules.naming import (
    SINGLE_GAME,
    name_move,
    name_outcomes,
    name_side,
    name_spot,
)
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
    TextError,
)
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Drawn, Marks
from pi_app.screen.boards.single import SpotDrawing
from pi_app.screen.canvas import (
    Align,
    Box,
    Canvas,
    Curve,
    Disc,
    Pen,
    Rect,
    Size,
    around,
    square_in,
)
from pi_app.screen.face import Editing, Face, single
from pi_app.screen.pieces import checker
from pi_app.screen.theme import FELT, FELT_TEXT, PIT, SPOT_EDGE, TEAL, VERMILION, WOOD
from pi_app.sensing.description import Board
from pi_app.words.sentences import Said, Sentence
from pi_app.words.texts import quoted

CHECKERS = 5
GRID = tuple(Spot(SpotKind.POINT, number) for number in range(1, 10))
HOME: Mapping[Side, Spot] = {side: Spot(SpotKind.HOME, side=side) for side in Side}
ROWS = tuple(
    frozenset(spots)
    for spots in (
        *(range(first, first + 3) for first in (0, 3, 6)),
        *(range(first, 9, 3) for first in (0, 1, 2)),
        (0, 4, 8),
        (2, 4, 6),
    )
)

SHEET = Sheet(
    Sentence("Three in a Row"),
    (
        Sentence("Nine spots, five checkers a side; all begin at HOME, and White begins."),
        Sentence("A turn brings one of the player's own checkers from HOME to an empty spot."),
        Sentence("A checker on the board stays where it is."),
        Sentence("Three of a side in a row win; a full board without such a row is a tie."),
    ),
)


def _rule(identifier: str, number: int, sentence: Sentence) -> Rule:
    return Rule(identifier, sentence(), SHEET, number)


ONE_CHECKER = _rule("one-checker", 2, Sentence("A turn places one checker."))
NOT_YOURS = _rule("not-your-checker", 2, Sentence("A player places only his own checkers."))
NOBODY = _rule("no-checker-there", 2, Sentence("A checker is taken where one is."))
TAKEN = _rule("taken-spot", 2, Sentence("Only one checker stands on a spot."))
MUST_PLACE = _rule("must-place", 2, Sentence("Nobody may pass."))
STAYS = _rule("stays", 3, Sentence("What was placed stays."))
OVER = _rule("game-over", 4, Sentence("After three in a row or a full board the game is over."))

SEVERAL_MOVED = Sentence("More than one checker has moved; a turn places one")
NOBODY_THERE = Sentence("{way}: there is no checker on {spot}")
OTHERS = Sentence("{way}: that is {owner}'s checker; it is {side}'s turn")
STANDS_THERE = Sentence("{way}: a checker stands on {spot} already")
LEAVES = Sentence("{way}: what stands on {spot} stays there")
ANOTHERS_HOME = Sentence("{way}: only {side}'s own checkers lie at {side}'s HOME")
NOBODY_PASSES = Sentence("{side} must place a checker")
IS_OVER = Sentence("Game over")
UNEVEN = Sentence("on the board are White {white} and Black {black}; they place in turn")
TOO_MANY = Sentence("{side} has {count} checkers on the board, five at most")
TWO_ROWS = Sentence("both sides have three in a row; only one can")
CROWDED = Sentence("spot {spot} holds {count} checkers, one at most")


@dataclass(frozen=True, slots=True)
class GridPosition:
    """Who stands on spots 1 to 9, and the mover."""

    spots: tuple[Side | None, ...]
    mover: Side

    def has_row(self, side: Side) -> bool:
        own = {index for index, owner in enumerate(self.spots) if owner is side}
        return any(row <= own for row in ROWS)


class ThreeInARow(Game[GridPosition, Play]):
    name = "three-in-a-row"
    title = SHEET.title()
    dice = 0
    opening = Opening.NO_THROW
    match_length = 5
    sheet = SHEET
    rules = (ONE_CHECKER, NOT_YOURS, NOBODY, TAKEN, MUST_PLACE, STAYS, OVER)
    outcome_names = name_outcomes(Sentence("three in a row"), Sentence("tie"))
    checkers_a_side = CHECKERS
    spots = (*GRID, *HOME.values())

    def start(self, mover: Side) -> GridPosition:
        return GridPosition((None,) * 9, mover)

    def plays(self, position: GridPosition, roll: Roll) -> tuple[Play, ...]:
        if self.outcome(position):
            return ()
        home, stands = HOME[position.mover], zip(GRID, position.spots, strict=True)
        return tuple((Move(home, spot),) for spot, owner in stands if owner is None)

    def attempted(self, position: GridPosition, attempt: tuple[Move, ...]) -> GridPosition:
        stacks = dict(self.checkers_at(position))
        for move in attempt:
            if not stacks[move.origin]:
                reason = NOBODY_THERE(way=name_move(move), spot=name_spot(move.origin))
                raise IllegalPlayError(Broken(NOBODY, reason))
            side = stacks[move.origin][-1]
            stacks[move.origin] = stacks[move.origin][:-1]
            if move.target == HOME[side.other] or (move.target in GRID and stacks[move.target]):
                raise IllegalPlayError(_bad_target(move, side))
            stacks[move.target] = (*stacks[move.target], side)
        return _position(stacks, position.mover.other)

    def outcome(self, position: GridPosition) -> Outcome | None:
        winner = next((side for side in Side if position.has_row(side)), None)
        if winner:
            return Outcome(winner, 1, "three in a row")
        return None if None in position.spots else Outcome(None, 0, "tie")

    def resignations(self, position: GridPosition, side: Side) -> Mapping[int, Said]:
        return {1: SINGLE_GAME}

    def explain(
        self, position: GridPosition, roll: Roll, attempt: tuple[Move, ...]
    ) -> Broken | None:
        if self.outcome(position):
            return Broken(OVER, IS_OVER())
        if len(attempt) > 1:
            return Broken(ONE_CHECKER, SEVERAL_MOVED())
        if not attempt:
            return Broken(MUST_PLACE, NOBODY_PASSES(side=name_side(position.mover)))
        return _why_not(self.checkers_at(position), position.mover, attempt[0])

    def checkers_at(self, position: GridPosition) -> Checkers:
        board = {s: (o,) if o else () for s, o in zip(GRID, position.spots, strict=True)}
        rest = {HOME[side]: (side,) * (CHECKERS - position.spots.count(side)) for side in Side}
        return {**board, **rest}

    def hit_to(self, side: Side) -> Spot:
        return HOME[side]

    def position_of(self, checkers: Mapping[Spot, tuple[Side, ...]], mover: Side) -> GridPosition:
        position = _position(checkers, mover)
        reasons = [
            CROWDED(spot=name_spot(spot), count=len(checkers[spot]))
            for spot in GRID
            if len(checkers.get(spot, ())) > 1
        ]
        reasons += _impossible(position)
        if reasons:
            raise PositionError(self.write_position(position), tuple(reasons))
        return position

    def impossible(self, position: GridPosition, before: GridPosition) -> tuple[str, ...]:
        return tuple(_impossible(position))

    def read_position(self, text: str) -> GridPosition:
        letters = {"w": Side.WHITE, "b": Side.BLACK, ".": None}
        board, _, mover = text.partition(" ")
        if len(board) != 9 or set(board) - set(letters) or mover not in ("w", "b"):
            what = "write nine of w, b and . for spots 1 to 9, and the mover: 'w...b.... w'"
            raise PositionError(text, (what,))
        side = Side.WHITE if mover == "w" else Side.BLACK
        position = GridPosition(tuple(letters[char] for char in board), side)
        if reasons := _impossible(position):
            raise PositionError(text, tuple(reasons))
        return position

    def write_position(self, position: GridPosition) -> str:
        board = "".join(owner.letter if owner else "." for owner in position.spots)
        return f"{board} {position.mover.letter}"

    def read_play(self, position: GridPosition, text: str) -> Play:
        spots = {f"@{spot}": spot for spot in GRID}
        if text.strip() not in spots:
            raise TextError(f"play {quoted(text)}: write @ and the spot, like @5")
        return (Move(HOME[position.mover], spots[text.strip()]),)

    def write_play(self, position: GridPosition, play: Play) -> str:
        (move,) = play
        return f"@{move.target}"

    def draw(self, position: GridPosition) -> str:
        signs = {Side.WHITE: "○", Side.BLACK: "●", None: "·"}
        row = [signs[owner] for owner in position.spots]
        lines = (" ".join(row[first : first + 3]) for first in (6, 3, 0))
        return "\n".join((*lines, f"{position.mover.value.capitalize()} to place"))


def _position(checkers: Checkers, mover: Side) -> GridPosition:
    stacks = (checkers.get(spot, ()) for spot in GRID)
    return GridPosition(tuple(stack[-1] if stack else None for stack in stacks), mover)


def _why_not(stacks: Checkers, side: Side, move: Move) -> Broken | None:
    """The first rule that a move breaks: what was taken, then where it was set down."""
    way, spot = name_move(move), name_spot(move.origin)
    if not stacks[move.origin]:
        return Broken(NOBODY, NOBODY_THERE(way=way, spot=spot))
    if stacks[move.origin][-1] is side.other:
        owner = name_side(side.other)
        return Broken(NOT_YOURS, OTHERS(way=way, owner=owner, side=name_side(side)))
    if move.origin in GRID:
        return Broken(STAYS, LEAVES(way=way, spot=spot))
    if move.target in GRID and not stacks[move.target]:
        return None
    return _bad_target(move, side)


def _bad_target(move: Move, side: Side) -> Broken:
    way, spot = name_move(move), name_spot(move.target)
    if move.target in GRID:
        return Broken(TAKEN, STANDS_THERE(way=way, spot=spot))
    return Broken(NOT_YOURS, ANOTHERS_HOME(way=way, side=name_side(side.other)))


def _impossible(position: GridPosition) -> list[Said]:
    white, black = (position.spots.count(side) for side in Side)
    counted = zip(Side, (white, black), strict=True)
    many = [TOO_MANY(side=name_side(s), count=n) for s, n in counted if n > CHECKERS]
    uneven = [UNEVEN(white=white, black=black)] if abs(white - black) > 1 else []
    both = [TWO_ROWS()] if all(map(position.has_row, Side)) else []
    return [*many, *uneven, *both]


WORDS = Pen(Size.SMALL, FELT_TEXT, bold=True, align=Align.CENTRE)


def draw_grid(
    canvas: Canvas[Action], rect: Rect, board: Board, marks: Marks, *, turned: bool
) -> Drawn:
    """Three by three pits between the trays of HOME; see `DrawBoard`."""
    felt = rect.inset(canvas.px(6))
    canvas.add(Box(rect, WOOD, canvas.px(12)), Box(felt, FELT, canvas.px(7)))
    shares = (2, 5, 2) if canvas.upright else (1, 4, 1)
    low, field, high = felt.inset(canvas.px(8)).columns(shares, canvas.px(10))
    cells = square_in(field).grid(3, 3, canvas.px(6))
    upwards = [cells[column + 3 * row] for row in (2, 1, 0) for column in range(3)]
    spots = dict(zip(GRID, upwards[::-1] if turned else upwards, strict=True))
    trays = dict(zip(HOME.values(), (high, low) if turned else (low, high), strict=True))
    drawing = _Grid(canvas, board, marks, spots, trays, cells[0].h * 32 // 100)
    for spot, cell in spots.items():
        pit = Disc(drawing.centre(spot), drawing.radius + canvas.px(3), PIT, SPOT_EDGE, 1)
        canvas.add(pit)
        drawing.spot(spot)
        canvas.text(cell.rows((4, 1), 0)[1], str(spot), WORDS)
    for side, tray in zip(Side, trays.values(), strict=True):
        _draw_home(canvas, tray, marks, side)
    drawing.arrows()
    # Over the pits of the middle row, above their numbers.
    band = Rect(field.x, cells[3].y, field.w, cells[3].h * 3 // 5)
    return Drawn(drawing.places, around(field.centre, canvas.px(27)), band)


class _Grid(SpotDrawing):
    def path(self, move: Move, done: float) -> Curve:
        return self.straight(move, done)


def _draw_home(canvas: Canvas[Action], tray: Rect, marks: Marks, side: Side) -> None:
    wrong, right = HOME[side] in marks.clear, HOME[side] in (*marks.fill, *marks.targets)
    edge = VERMILION if wrong else TEAL if right else None
    canvas.add(Box(tray, PIT, canvas.px(8), edge, canvas.px(4) if edge else 0))
    label, room = tray.inset(canvas.px(4)).rows((1, 7), canvas.px(2))
    canvas.text(label, name_side(side), WORDS)
    cells = room.rows((1,) * CHECKERS, canvas.px(4))
    for cell, owner in zip(cells, marks.standing.get(HOME[side], ()), strict=False):
        canvas.add(*checker(cell.centre, min(cell.w, cell.h) // 2, owner))


EQUIPMENT = Equipment(
    ThreeInARow(),
    Face(
        draw_grid,
        Editing(single, SpotKind.HOME, Sentence("Tap a spot until it matches the board.")),
    ),
    board=str(Path(__file__).with_name("board.toml")),
)
