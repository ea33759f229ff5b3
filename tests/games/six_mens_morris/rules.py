"""Six Men's Morris: sixteen points, six men a side, no dice; a mill takes an enemy's man.

Written for this sheet after the game's usual rules (H. J. R. Murray, A History of Board-Games Other
than Chess, 1952, chapter 3); without the flying that some play.

`6................6 w` is White's HOME count, the points from a1 to e5 row by row, Black's HOME
count, and the mover.  What is missing of six men a side was taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from pi_app.rules.contract import Game, Midway, Opening
from pi_app.rules.naming import SINGLE_GAME, name_move, name_outcomes, name_side, name_spot
from pi_app.rules.terms import (
    Broken,
    Checkers,
    Example,
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
from pi_app.words.sentences import Said, Sentence
from pi_app.words.texts import quoted

MEN = 6
FEWEST = 3
"""With fewer men a side has lost."""
ROWS = "a1 c1 e1", "b2 c2 d2", "a3 b3 d3 e3", "b4 c4 d4", "a5 c5 e5"
POINTS = tuple(Spot.read(name) for row in ROWS for name in row.split())
LINES = tuple(
    tuple(map(Spot.read, line.split()))
    for line in (
        *("a1 c1 e1", "a5 c5 e5", "a1 a3 a5", "e1 e3 e5"),
        *("b2 c2 d2", "b4 c4 d4", "b2 b3 b4", "d2 d3 d4"),
        *("c1 c2", "a3 b3", "d3 e3", "c4 c5"),
    )
)
MILLS = tuple(frozenset(line) for line in LINES if len(line) == 3)
STEPS: Mapping[Spot, frozenset[Spot]] = {
    point: frozenset(
        way[1 - way.index(point)] for line in LINES for way in pairwise(line) if point in way
    )
    for point in POINTS
}
HOME: Mapping[Side, Spot] = {side: Spot(SpotKind.HOME, side=side) for side in Side}
TAKEN: Mapping[Side, Spot] = {side: Spot(SpotKind.OFF, side=side) for side in Side}

OPEN = "4wb.w.....b......4 w"
MILL_TO_CLOSE = "4ww...bb.........4 w"
MOVING = "0wwbb.ww..bwb.bbw0 w"
SHEET = Sheet(
    Sentence("Six Men's Morris"),
    (
        Sentence("Two squares of eight points; each side has six men at HOME. White begins."),
        Sentence("While a side has men at HOME, its turn places one on an empty point."),
        Sentence("Then a turn moves one man along a line to the next point, if it is empty."),
        Sentence(
            "Three men in line on a side of a square are a mill. Who closes one takes an enemy's"
            " man off the board: none out of a mill, unless all stand in mills."
        ),
        Sentence("A side with fewer than three men, or without a move, loses."),
    ),
    (
        Example(1, Sentence("The start: all men at HOME."), "6................6 w"),
        Example(2, Sentence("White places a man on c2."), OPEN, "@c2"),
        Example(2, Sentence("Only one man stands on a point."), OPEN, "@c1?"),
        Example(3, Sentence("White moves along the line."), MOVING, "a3-b3"),
        Example(4, Sentence("The third man closes a mill: d2 is taken."), MILL_TO_CLOSE, "@e1xd2"),
        Example(4, Sentence("Who closes a mill must take a man."), MILL_TO_CLOSE, "@e1?"),
        Example(5, Sentence("Black has two men left: White wins."), "0www..bb....w....0 b"),
    ),
)


def _rule(identifier: str, number: int, sentence: Sentence) -> Rule:
    return Rule(identifier, sentence(), SHEET, number)


ONE_MAN = _rule("one-man", 2, Sentence("A turn places or moves one man."))
NOBODY = _rule("no-man-there", 2, Sentence("A move begins where a man stands."))
NOT_YOURS = _rule("not-your-man", 2, Sentence("A player places and moves only his own men."))
OCCUPIED = _rule("occupied", 2, Sentence("Only one man stands on a point."))
PLACE_FIRST = _rule("place-first", 2, Sentence("All men are placed before one moves."))
MUST_ACT = _rule("must-act", 3, Sentence("Nobody may pass."))
NOT_NEXT = _rule("not-next", 3, Sentence("A man moves to the next point of a line."))
STAYS = _rule("stays-on-board", 3, Sentence("A man leaves the board only when it is taken."))
MUST_TAKE = _rule("must-take", 4, Sentence("Who closes a mill takes a man."))
NO_MILL = _rule("no-mill", 4, Sentence("A man is taken only when a mill is closed."))
ONE_TAKEN = _rule("one-taken", 4, Sentence("A turn takes one man."))
IN_MILL = _rule("in-mill", 4, Sentence("A man in a mill is safe while another is not."))
FINAL = _rule("taken-is-final", 4, Sentence("A man that was taken does not return."))
OVER = _rule("game-over", 5, Sentence("The game ends with two men left, or without a move."))

SEVERAL_MOVED = Sentence("More than one man has moved; a turn places or moves one")
NOBODY_ON = Sentence("{way}: there is no man on {spot}")
OTHERS = Sentence("{way}: that is {owner}'s man; it is {side}'s turn")
STANDS_THERE = Sentence("{way}: a man stands on {spot} already")
STILL_AT_HOME = Sentence("{way}: {side} still has {count} to place")
NOBODY_PASSES = Sentence("{side} must play")
NO_LINE = Sentence("{way}: no line leads from {origin} to the next point {target}")
LEAVES = Sentence("{way}: a man leaves the board only when it is taken")
TAKES_NOBODY = Sentence("{way} closes a mill: take a man of {other}")
CLOSES_NOTHING = Sentence("{way}: no mill is closed, so {other}'s man stays")
TAKES_SEVERAL = Sentence("A mill takes one man, not {count}")
STANDS_IN_MILL = Sentence("{way}: that man stands in a mill; {other} has one outside")
COMES_BACK = Sentence("{way}: a man that was taken stays off")
ANOTHERS_TRAY = Sentence("{way}: that is {side}'s tray")
IS_OVER = Sentence("Game over")
CROWDED = Sentence("point {spot} holds {count} men, one at most")
TOO_MANY = Sentence("{side} has {count} men, six at most")
UNEVEN = Sentence("White has {white} to place and Black {black}; they place in turn")


@dataclass(frozen=True, slots=True)
class MorrisPosition:
    """Who stands on the points, White's and Black's men still to place, and the mover."""

    points: tuple[Side | None, ...]
    home: tuple[int, int]
    mover: Side

    def at_home(self, side: Side) -> int:
        return self.home[side is Side.BLACK]

    def taken(self, side: Side) -> int:
        return MEN - self.at_home(side) - self.points.count(side)

    def men(self, side: Side) -> frozenset[Spot]:
        return frozenset(p for p, owner in zip(POINTS, self.points, strict=True) if owner is side)

    @property
    def empty(self) -> tuple[Spot, ...]:
        return tuple(p for p, owner in zip(POINTS, self.points, strict=True) if not owner)


class SixMensMorris(Game[MorrisPosition, Play]):
    name = "six-mens-morris"
    title = SHEET.title()
    dice = 0
    opening = Opening.NO_THROW
    match_length = 3
    sheet = SHEET
    rules = (
        *(ONE_MAN, NOBODY, NOT_YOURS, OCCUPIED, PLACE_FIRST, MUST_ACT, NOT_NEXT, STAYS),
        *(MUST_TAKE, NO_MILL, ONE_TAKEN, IN_MILL, FINAL, OVER),
    )
    outcome_names = name_outcomes(Sentence("two men left"), Sentence("no move left"))
    checkers_a_side = MEN
    spots = (*POINTS, *HOME.values(), *TAKEN.values())

    def start(self, mover: Side) -> MorrisPosition:
        return MorrisPosition((None,) * len(POINTS), (MEN, MEN), mover)

    def plays(self, position: MorrisPosition, roll: Roll) -> tuple[Play, ...]:
        if self.outcome(position):
            return ()
        return tuple(
            (move, *taking) for move in _moves(position) for taking in _takings(position, move)
        )

    def midways(self, position: MorrisPosition, roll: Roll) -> tuple[Midway[MorrisPosition], ...]:
        """Of a play that takes: the own man has moved, or the other one is gone."""
        found: dict[MorrisPosition, Midway[MorrisPosition]] = {}
        for play in self.plays(position, roll):
            for move in play if len(play) > 1 else ():
                part = Midway((move,), self.attempted(position, (move,)))
                found.setdefault(part.position, part)
        return tuple(found.values())

    def attempted(self, position: MorrisPosition, attempt: tuple[Move, ...]) -> MorrisPosition:
        stacks = dict(self.checkers_at(position))
        for move in attempt:
            if not stacks[move.origin]:
                raise IllegalPlayError(_nobody(move))
            *rest, side = stacks[move.origin]
            stacks[move.origin] = tuple(rest)
            if move.target in STEPS and stacks[move.target]:
                raise IllegalPlayError(_occupied(move))
            if move.target.side is side.other:
                raise IllegalPlayError(_wrong_tray(move))
            stacks[move.target] = (*stacks[move.target], side)
        return _position(stacks, position.mover.other)

    def outcome(self, position: MorrisPosition) -> Outcome | None:
        for side in Side:
            if MEN - position.taken(side) < FEWEST:
                return Outcome(side.other, 1, "two men left")
        if any(_moves(position)):
            return None
        return Outcome(position.mover.other, 1, "no move left")

    def resignations(self, position: MorrisPosition, side: Side) -> Mapping[int, Said]:
        return {1: SINGLE_GAME}

    def explain(
        self, position: MorrisPosition, roll: Roll, attempt: tuple[Move, ...]
    ) -> Broken | None:
        """What was moved, then what was taken."""
        mover = position.mover
        if self.outcome(position):
            return Broken(OVER, IS_OVER())
        if not attempt:
            return Broken(MUST_ACT, NOBODY_PASSES(side=name_side(mover)))
        foes = position.men(mover.other)
        takings = [m for m in attempt if m.origin in foes and m.target == TAKEN[mover.other]]
        moves = [move for move in attempt if move not in takings]
        if not moves:
            return Broken(NO_MILL, _closes_nothing(mover, takings[0]))
        if len(moves) > 1:
            return Broken(ONE_MAN, SEVERAL_MOVED())
        (move,) = moves
        return (
            _bad_origin(position, move)
            or _bad_target(position, move)
            or _bad_way(position, move)
            or _bad_taking(position, move, takings)
        )

    def checkers_at(self, position: MorrisPosition) -> Checkers:
        board = {p: (o,) if o else () for p, o in zip(POINTS, position.points, strict=True)}
        home = {HOME[side]: (side,) * position.at_home(side) for side in Side}
        return {**board, **home, **{TAKEN[side]: (side,) * position.taken(side) for side in Side}}

    def hit_to(self, side: Side) -> Spot:
        return TAKEN[side]

    def position_of(self, checkers: Checkers, mover: Side) -> MorrisPosition:
        position = _position(checkers, mover)
        reasons = [
            CROWDED(spot=name_spot(spot), count=len(checkers[spot]))
            for spot in POINTS
            if len(checkers.get(spot, ())) > 1
        ]
        reasons += _impossible(position)
        if reasons:
            raise PositionError(self.write_position(position), tuple(reasons))
        return position

    def impossible(self, position: MorrisPosition, before: MorrisPosition) -> tuple[str, ...]:
        return tuple(_impossible(position))

    def read_position(self, text: str) -> MorrisPosition:
        board, _, mover = text.partition(" ")
        home, points = board[:1] + board[-1:], board[1:-1]
        signs = {"w": Side.WHITE, "b": Side.BLACK, ".": None}
        if not (
            len(points) == len(POINTS)
            and set(points) <= set(signs)
            and set(home) <= set("0123456")
            and mover in ("w", "b")
        ):
            what = f"write HOME, sixteen of w, b and ., HOME, and the mover: '6{'.' * 16}6 w'"
            raise PositionError(text, (what,))
        side = Side.WHITE if mover == "w" else Side.BLACK
        stand = tuple(signs[sign] for sign in points)
        position = MorrisPosition(stand, (int(home[0]), int(home[1])), side)
        if reasons := _impossible(position):
            raise PositionError(text, tuple(reasons))
        return position

    def write_position(self, position: MorrisPosition) -> str:
        points = "".join(owner.letter if owner else "." for owner in position.points)
        return f"{position.home[0]}{points}{position.home[1]} {position.mover.letter}"

    def read_play(self, position: MorrisPosition, text: str) -> Play:
        """Read `@c2`, `c1-c2`, and with a man taken `c1-c2xb4`."""
        way, _, taken = text.strip().partition("x")
        origin, _, target = way.replace("@", "-").partition("-")
        points = {str(point): point for point in POINTS}
        if {origin or target, target, taken or target} - points.keys():
            raise TextError(f"play {quoted(text)}: write @c2, c1-c2 or c1-c2xb4")
        moved = Move(points[origin] if origin else HOME[position.mover], points[target])
        other = TAKEN[position.mover.other]
        return (moved, Move(points[taken], other)) if taken else (moved,)

    def write_play(self, position: MorrisPosition, play: Play) -> str:
        move, *taking = play
        way = f"{move.origin}-{move.target}" if move.origin in STEPS else f"@{move.target}"
        return "x".join((way, *(str(gone.origin) for gone in taking)))

    def draw(self, position: MorrisPosition) -> str:
        signs = {Side.WHITE: "○", Side.BLACK: "●", None: "·"}
        at = {str(p): signs[o] for p, o in zip(POINTS, position.points, strict=True)}
        rows = ("5a───c───e", "4│ b─c─d │", "3a─b   d─e", "2│ b─c─d │", "1a───c───e")
        lines = ["".join(at.get(sign + row[0], sign) for sign in row) for row in rows]
        white, black = (f"{position.at_home(s)} to place, {position.taken(s)} taken" for s in Side)
        mover = position.mover.value.capitalize()
        board = (*(f"{line[0]} {line[1:]}" for line in lines), "  a b c d e")
        return "\n".join((*board, f"White {white}; Black {black}", f"{mover} to play"))


def _position(checkers: Checkers, mover: Side) -> MorrisPosition:
    stacks = (checkers.get(point, ()) for point in POINTS)
    white, black = (len(checkers.get(HOME[side], ())) for side in Side)
    return MorrisPosition(tuple(s[-1] if s else None for s in stacks), (white, black), mover)


def _moves(position: MorrisPosition) -> Iterator[Move]:
    """The mover's own part of a turn (rules 2 and 3)."""
    mover = position.mover
    if position.at_home(mover):
        yield from (Move(HOME[mover], point) for point in position.empty)
        return
    for point in POINTS:
        if point in position.men(mover):
            yield from (Move(point, target) for target in position.empty if target in STEPS[point])


def _takings(position: MorrisPosition, move: Move) -> Iterator[Play]:
    """What follows this move: a man that its mill takes (rule 4), else nothing."""
    if not _closes_mill(position, move):
        yield ()
        return
    prey = _prey(position)
    yield from ((Move(point, TAKEN[position.mover.other]),) for point in POINTS if point in prey)
    if not prey:
        yield ()


def _closes_mill(position: MorrisPosition, move: Move) -> bool:
    men = position.men(position.mover) - {move.origin} | {move.target}
    return any(move.target in mill and mill <= men for mill in MILLS)


def _prey(position: MorrisPosition) -> frozenset[Spot]:
    """The enemy's men that a mill may take."""
    men = position.men(position.mover.other)
    free = men - frozenset[Spot]().union(*(mill for mill in MILLS if mill <= men))
    return free or men


def _bad_origin(position: MorrisPosition, move: Move) -> Broken | None:
    mover, way = position.mover, name_move(move)
    home = HOME[mover]
    if move.origin in TAKEN.values():
        return Broken(FINAL, COMES_BACK(way=way))
    if move.origin == HOME[mover.other] or move.origin in position.men(mover.other):
        names = {"owner": name_side(mover.other), "side": name_side(mover)}
        return Broken(NOT_YOURS, OTHERS(way=way, **names))
    if move.origin in position.empty or (move.origin == home and not position.at_home(mover)):
        return _nobody(move)
    return None


def _bad_target(position: MorrisPosition, move: Move) -> Broken | None:
    if move.target.side is position.mover.other:
        return _wrong_tray(move)
    if move.target not in STEPS:
        return Broken(STAYS, LEAVES(way=name_move(move)))
    if move.target not in position.empty:
        return _occupied(move)
    return None


def _bad_way(position: MorrisPosition, move: Move) -> Broken | None:
    """Check a man who goes from the board to an empty point (rules 2 and 3)."""
    if move.origin in HOME.values():
        return None
    way, mover = name_move(move), position.mover
    if count := position.at_home(mover):
        return Broken(PLACE_FIRST, STILL_AT_HOME(way=way, side=name_side(mover), count=count))
    if move.target in STEPS[move.origin]:
        return None
    names = {"origin": name_spot(move.origin), "target": name_spot(move.target)}
    return Broken(NOT_NEXT, NO_LINE(way=way, **names))


def _bad_taking(position: MorrisPosition, move: Move, takings: list[Move]) -> Broken | None:
    """Check what was taken beside a legal move."""
    other, prey = name_side(position.mover.other), _prey(position)
    if not _closes_mill(position, move):
        return Broken(NO_MILL, _closes_nothing(position.mover, takings[0])) if takings else None
    if not takings:
        return Broken(MUST_TAKE, TAKES_NOBODY(way=name_move(move), other=other)) if prey else None
    if len(takings) > 1:
        return Broken(ONE_TAKEN, TAKES_SEVERAL(count=len(takings)))
    if takings[0].origin in prey:
        return None
    return Broken(IN_MILL, STANDS_IN_MILL(way=name_move(takings[0]), other=other))


def _closes_nothing(mover: Side, taking: Move) -> Said:
    return CLOSES_NOTHING(way=name_move(taking), other=name_side(mover.other))


def _nobody(move: Move) -> Broken:
    return Broken(NOBODY, NOBODY_ON(way=name_move(move), spot=name_spot(move.origin)))


def _occupied(move: Move) -> Broken:
    return Broken(OCCUPIED, STANDS_THERE(way=name_move(move), spot=name_spot(move.target)))


def _wrong_tray(move: Move) -> Broken:
    assert move.target.side
    return Broken(NOT_YOURS, ANOTHERS_TRAY(way=name_move(move), side=name_side(move.target.side)))


def _impossible(position: MorrisPosition) -> list[Said]:
    reasons = [
        TOO_MANY(side=name_side(side), count=MEN - position.taken(side))
        for side in Side
        if position.taken(side) < 0
    ]
    white, black = position.home
    return [*reasons, *([UNEVEN(white=white, black=black)] if abs(white - black) > 1 else [])]
