"""Cannon: a hundred points, fifteen soldiers and a town a side, no dice.

Source: "CANNON" by David Whitcher; cited by the numbers of its `rulebook`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache

from pi_app.rules.cannon.actions import (
    SoldierChange,
    actions,
    can_step,
    has_slid_enough,
    slid_after,
)
from pi_app.rules.cannon.position import (
    LIGHT_AND_DARK,
    NOWHERE,
    OFF,
    PIECES,
    POINT,
    POINTS,
    SOLDIERS,
    SPOT,
    STARTING,
    TOWN_HEIGHT,
    TOWN_POINTS,
    Army,
    CannonPosition,
    Points,
    checkers_at,
    counts,
    course,
    draw,
    each,
    impossible,
    name_side,
    place,
    read_position,
    write_position,
    write_slid,
)
from pi_app.rules.cannon.rulebook import (
    MUST_ACT,
    NOBODY,
    OFF_BOARD,
    ONE_ACTION,
    OVER,
    RULES,
    SHEET,
    unmade,
    why_not,
)
from pi_app.rules.contract import Game, Opening, Option
from pi_app.rules.naming import SINGLE_GAME, name_move, name_outcomes, name_spot
from pi_app.rules.terms import (
    Broken,
    IllegalPlayError,
    Move,
    Outcome,
    Play,
    PositionError,
    Roll,
    Side,
    Spot,
    TextError,
)
from pi_app.words.sentences import Said, Sentence, Written
from pi_app.words.texts import quoted

FORFEIT = "forfeit"
THREE_SLIDES = Option("three slides", Sentence("No fourth slide in a row"))
"""The tournament option, rule 9."""
LONGEST = 3
"""Points from the origin to the target of a slide; no action goes farther."""

_POINT = "[a-j](?:10|[1-9])"
_MOVE = re.compile(rf"({_POINT})(?:-{{1,3}}|x)({_POINT})")
_SHOT = re.compile(rf"x({_POINT})")
_TOWN = re.compile(rf"@({_POINT})")

TOWN_TAKEN = Sentence("The game is over: {side}'s town was taken")
CANNOT_ACT = Sentence("The game is over: {side} cannot act")
SEVERAL_MOVED = Sentence("More than one piece has moved; a turn is one action")
NOBODY_PASSES = Sentence("{side} must act; nobody may pass")
CANNOT_BE_TAKEN = Sentence("No piece can be taken from {spot}")
TOWN_AT, SHOT_AT = Sentence("town at {point}"), Sentence("shot at {point}")
TO_ITS_BOX = Sentence("{side}'s pieces leave the board to {side}'s box")


class Cannon(Game[CannonPosition, Play]):
    """`three_slides` turns the tournament rule on (rule 9).

    A play is one move of the hand: a shot takes the enemy to its box, a town comes out of its own.
    It is none at all only while the mover waits for the other side's town.
    """

    name = "cannon"
    title = Sentence("Cannon")()
    side_names = LIGHT_AND_DARK
    dice = 0
    opening = Opening.NO_THROW
    match_length = 3
    options = (THREE_SLIDES,)
    sheet = SHEET
    rules = RULES
    outcome_names = name_outcomes(Sentence("town taken"), Sentence("no action left"))
    checkers_a_side = PIECES
    tallest = TOWN_HEIGHT
    spots = (*POINTS, *OFF.values())

    def __init__(self, three_slides: bool = False) -> None:
        self._three_slides = three_slides

    def under(self, agreed: Collection[str]) -> Cannon:
        """With three slides at most, if that was agreed on (rule 9)."""
        return Cannon(three_slides=THREE_SLIDES.name in agreed)

    def start(self, mover: Side) -> CannonPosition:
        """Rule 1: the soldiers stand, the mover places the first town."""
        light, dark = (Army(STARTING[side], NOWHERE) for side in Side)
        return CannonPosition(light, dark, mover)

    def plays(self, position: CannonPosition, roll: Roll) -> tuple[Play, ...]:
        """Rules 1 to 7, and 9 where it holds; one play for each point that can be shot at."""
        if position.placing:
            return _town_plays(position)
        return tuple((_move(position, action),) for action in self._actions(position))

    def results(self, position: CannonPosition, roll: Roll) -> tuple[CannonPosition, ...]:
        """The position after each play, without making the plays."""
        if position.placing or self._three_slides:
            return tuple(self.after(position, play) for play in self.plays(position, roll))
        return tuple(_results(position, self._actions(position)))

    def attempted(self, position: CannonPosition, attempt: tuple[Move, ...]) -> CannonPosition:
        """The same for moves that may be illegal; raises IllegalPlayError for impossible ones.

        A town that was moved may stand where no position text may have it.
        """
        before = position
        for move in attempt:
            side, lifted, is_town = _lifted(position, move)
            position = _dropped(position, side, lifted, is_town, move)
        slid = slid_after(before, attempt, position) if self._three_slides else ()
        return replace(position, mover=before.mover.other, slid=slid)

    def outcome(self, position: CannonPosition) -> Outcome | None:
        """Rule 8."""
        if position.taken:
            return Outcome(position.taken.other, 1, "town taken")
        if not (position.placing or can_step(position) or self._actions(position)):
            return Outcome(position.mover.other, 1, "no action left")
        return None

    def resignations(self, position: CannonPosition, side: Side) -> Mapping[int, Said]:
        """Rule 8: a game is a game."""
        return {1: SINGLE_GAME}

    def explain(
        self, position: CannonPosition, roll: Roll, attempt: tuple[Move, ...]
    ) -> Broken | None:
        """The first rule broken, in the order a referee would see it."""
        if position.taken:
            return Broken(OVER, TOWN_TAKEN(side=name_side(position.taken)))
        if len(attempt) > 1:
            return Broken(ONE_ACTION, SEVERAL_MOVED())
        if attempt:
            return why_not(position, attempt[0])
        if position.placing is position.mover.other:
            return None
        name = name_side(position.mover)
        if self.outcome(position):
            return Broken(OVER, CANNOT_ACT(side=name))
        return Broken(MUST_ACT, NOBODY_PASSES(side=name))

    def checkers_at(self, position: CannonPosition) -> Mapping[Spot, tuple[Side, ...]]:
        """Every point, and each side's box; a town counts as two, one on the other."""
        return checkers_at(position)

    def counts(self, position: CannonPosition) -> tuple[int, ...]:
        """The same as numbers."""
        return counts(position)

    def hit_to(self, side: Side) -> Spot:
        """Its box."""
        return OFF[side]

    def position_of(self, checkers: Mapping[Spot, tuple[Side, ...]], mover: Side) -> CannonPosition:
        """The position with these pieces; the boxes hold what is missing."""
        return place(checkers, mover)

    def impossible(self, position: CannonPosition, before: CannonPosition) -> tuple[str, ...]:
        """Every reason why no board can show a position; no town is taken before it is placed."""
        return impossible(position, before)

    def read_position(self, text: str) -> CannonPosition:
        """Read rows 10 to 1 and the mover, and the cannons that slid last where rule 9 holds."""
        position = read_position(text)
        if position.slid and not self._three_slides:
            counted = " ".join(write_slid(slid) for slid in position.slid)
            reason = f"slides count under the tournament rule only; leave out {quoted(counted)}"
            raise PositionError(text, (reason,))
        return position

    def write_position(self, position: CannonPosition) -> str:
        """The text that read_position takes."""
        return write_position(position)

    def read_play(self, position: CannonPosition, text: str) -> Play:
        """Read `b4-b5` (as many dashes as points), `b4xc5`, a shot `xe7`, a town `@e10`."""
        written = text.strip().lower()
        mover, foe = position.mover, position.army(position.mover.other)
        if written == FORFEIT:
            return ()
        if town := _TOWN.fullmatch(written):
            return (Move(OFF[mover], Spot.read(town[1])),)
        if shot := _SHOT.fullmatch(written):
            return (Move(Spot.read(shot[1]), OFF[mover.other]),)
        if move := _MOVE.fullmatch(written):
            target = Spot.read(move[2])
            return (Move(Spot.read(move[1]), target, bool(POINT[target] & foe.pieces)),)
        raise TextError(f"play {quoted(text)}: write b4-b5, b4xc5, a shot as xe7 or a town as @e10")

    def write_play(self, play: Play) -> str:
        """The text that read_play takes: step b4-b5, retreat b4--b2, slide b4---b7.

        People read "town at e10", "shot at h3", and one dash in every move.
        """
        if not play:
            return FORFEIT
        (move,) = play
        return _written(move)

    def draw(self, position: CannonPosition) -> str:
        """The board as Dark sees it."""
        return draw(position)

    def _actions(self, position: CannonPosition) -> list[SoldierChange]:
        if position.taken:
            return []
        found = actions(position)
        if not self._three_slides:
            return found
        return [a for a in found if not has_slid_enough(position, _move(position, a))]


def _town_plays(position: CannonPosition) -> tuple[Play, ...]:
    side = position.mover
    if position.placing is not side:
        return ((),)
    return tuple((Move(OFF[side], SPOT[point]),) for point in each(TOWN_POINTS[side]))


def _results(position: CannonPosition, found: list[SoldierChange]) -> Iterator[CannonPosition]:
    """The positions after actions that no rule counts."""
    side = position.mover
    other = side.other
    own, foe = position.army(side), position.army(other)
    soldiers, town = own.soldiers, own.town
    for changed, lost in found:
        moved = Army(Points(soldiers ^ changed), town) if changed else own
        left = foe.without(lost) if lost else foe
        if side is Side.WHITE:
            yield CannonPosition(moved, left, other)
        else:
            yield CannonPosition(left, moved, other)


def _move(position: CannonPosition, action: SoldierChange) -> Move:
    """An action as the hand makes it."""
    changed, lost = action
    if not changed:
        return Move(SPOT[lost], OFF[position.mover.other])
    origin = changed & position.army(position.mover).soldiers
    return Move(SPOT[origin], SPOT[changed ^ origin], bool(lost))


@cache
def _written(move: Move) -> str:
    """There are few moves, and turn after turn tells the same ones."""
    if move.origin in OFF.values():
        return _told(f"@{move.target}", TOWN_AT(point=name_spot(move.target)))
    if move.target in OFF.values():
        return _told(f"x{move.origin}", SHOT_AT(point=name_spot(move.origin)))
    if move.hit:
        return f"{move.origin}x{move.target}"
    return _told(f"{move.origin}{'-' * _dashes(move)}{move.target}", name_move(move))


def _told(text: str, words: Said) -> Written:
    """A play of a file, told the same by everybody: the points are those of the board."""
    return Written.of(text, words, words, words, by_board=True)


def _dashes(move: Move) -> int:
    way = course(POINT[move.origin], POINT[move.target])
    return min(way[1], LONGEST) if way else 1


def _lifted(position: CannonPosition, move: Move) -> tuple[Side, Army, bool]:
    """Whose piece the hand takes, the rest of the army, and whether it is the town."""
    point = POINT.get(move.origin, NOWHERE)
    for side in Side:
        army = position.army(side)
        if move.origin == OFF[side]:
            if not army.town:
                return side, army, True
            if army.soldiers.bit_count() < SOLDIERS:
                return side, army, False
        if point & army.pieces:
            return side, army.without(point), bool(point & army.town)
    raise IllegalPlayError(Broken(NOBODY, CANNOT_BE_TAKEN(spot=name_spot(move.origin))))


def _dropped(
    position: CannonPosition, side: Side, lifted: Army, is_town: bool, move: Move
) -> CannonPosition:
    """The position once the piece that was lifted is set down; an enemy there is gone."""
    point = POINT.get(move.target, NOWHERE)
    if point & lifted.pieces:
        raise IllegalPlayError(unmade(move))
    if not point and move.target != OFF[side]:
        raise IllegalPlayError(Broken(OFF_BOARD, TO_ITS_BOX(side=name_side(side))))
    soldiers, town = (NOWHERE, point) if is_town else (point, NOWHERE)
    army = Army(Points(lifted.soldiers | soldiers), Points(lifted.town | town))
    left = position.army(side.other).without(point)
    light, dark = (army, left) if side is Side.WHITE else (left, army)
    return CannonPosition(light, dark, position.mover)
