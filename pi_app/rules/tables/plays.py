"""Plays of the tables games: from steps to moves of the hand, and as players write them.

A play is a tuple of moves, none for a forfeit.  A checker that moves on makes one move, unless it
hits on the way: then it stops there, for the hand must.  `13/8 6/5*`, `bar/20`, `6/off(2)`,
`24/20*/14`; the star stands where an enemy was alone, whether it is hit or pinned.  In files the
points have White's numbers, for people those of the play's own side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from itertools import combinations, groupby, pairwise
from types import MappingProxyType

from pi_app.rules.contract import Midway
from pi_app.rules.tables.men import (
    BAR,
    BAR_SPOTS,
    NUMBER,
    OFF,
    OFF_SPOTS,
    POINT_SPOTS,
    SPOT,
    TablesPosition,
    count,
)
from pi_app.rules.tables.turns import Step, after_states, field_of, longest, stepped
from pi_app.rules.terms import Move, Play, Roll, Side, Spot, SpotKind, TextError
from pi_app.sentences import Written
from pi_app.texts import quoted

FORFEIT = "forfeit"

_NAMES: Mapping[Spot, tuple[str, str]] = MappingProxyType(
    {
        **{spot: (spot.name, spot.name) for spot in (*BAR_SPOTS, *OFF_SPOTS)},
        **{spot: (str(spot.number), str(NUMBER[Side.BLACK][spot])) for spot in POINT_SPOTS},
    }
)
"""What White and Black call the spots."""

_TOKEN = re.compile(r"(bar|\d{1,2})((?:/(?:off|\d{1,2})\*?)+)(?:\(([2-4])\))?")


def plays(position: TablesPosition, roll: Roll, pins: bool) -> tuple[Play, ...]:
    """One play for each result; a forfeit is the empty play."""
    found: dict[int, Play] = {}
    blots = _blots(position)
    for lines in longest(field_of(position, pins), roll):
        for node in lines.nodes:
            if node[0] not in found:
                found[node[0]] = _play(position.mover, lines.steps(node), blots, pins)
    return tuple(found.values())


def midways(position: TablesPosition, roll: Roll, pins: bool) -> tuple[Midway[TablesPosition], ...]:
    """Every part of a legal turn that leaves a die to play, whatever comes first."""
    field = field_of(position, pins)
    made: dict[tuple[Step, ...], int | None] = {(): field.state}
    for lines in longest(field, roll):
        for node in lines.nodes:
            steps = lines.steps(node)
            for size in range(1, len(steps)):
                for part in combinations(steps, size):
                    if part not in made:
                        before = made[part[:-1]]
                        made[part] = None if before is None else stepped(field, before, part[-1])
    del made[()]
    found: dict[int, tuple[Step, ...]] = {}
    for part, state in made.items():
        if state is not None:
            found.setdefault(state, part)
    blots = _blots(position)
    ways = (_play(position.mover, part, blots, pins) for part in found.values())
    return tuple(map(Midway, ways, after_states(position, field, found, pins)))


def _play(side: Side, steps: Sequence[Step], standing: Set[int], pins: bool) -> Play:
    """The play that consists of these steps, from back to front; `standing` are the blots."""
    blots = set(standing)
    ways: list[list[int]] = []
    for origin, target in steps:
        for way in ways:
            if way[-1] == origin:
                way.append(target)
                break
        else:
            ways.append([origin, target])
    ways.sort(reverse=True)
    names = SPOT[side]
    play: list[Move] = []
    for way in ways:
        start = way[0]
        for target in way[1:]:
            struck = target in blots
            if target == way[-1] or (struck and not pins):
                blots.discard(target)
                play.append(_move(names[start], names[target], struck, pins))
                start = target
    return tuple(play)


@cache
def _move(origin: Spot, target: Spot, struck: bool, pins: bool) -> Move:
    return Move(origin, target, hit=struck and not pins, pins=struck and pins)


def _marked(position: TablesPosition, moves: Iterable[Move], pins: bool) -> Play:
    """The same moves with `hit` or `pins` as they come one after the other."""
    blots = _blots(position)
    play = []
    for move in moves:
        number = NUMBER[position.mover].get(move.target, OFF)
        struck = number in blots
        blots.discard(number)
        play.append(_move(move.origin, move.target, struck, pins))
    return tuple(play)


def _blots(position: TablesPosition) -> set[int]:
    """The mover's numbers of the points where an enemy is alone and free."""
    side = position.mover
    free = position.men(side.other) - position.pinned(side.other)
    own = position.men(side)
    return {n for n in range(1, BAR) if count(free, BAR - n) == 1 and not count(own, n)}


def write_play(play: Play) -> str:
    """The text that read_play takes; people read it as its side counts."""
    if not play:
        return FORFEIT
    ways: tuple[list[str], list[str]] = ([], [])
    for _, same in groupby(_ways(play), key=lambda way: way[0].replace("*", "")):
        first, *more = same
        times = f"({len(more) + 1})" if more else ""
        for texts, text in zip(ways, first, strict=True):
            texts.append(text + times)
    white, black = map(" ".join, ways)
    return Written.of(white, white, black, white if _is_whites(play[0]) else black, by_board=False)


def _is_whites(move: Move) -> bool:
    """Whether a legal move is White's, who goes down."""
    number = NUMBER[Side.WHITE]
    return number.get(move.origin, OFF) > number.get(move.target, BAR)


def _ways(play: Play) -> list[tuple[str, str]]:
    """White's and Black's text for each checker; one that hit and moved on is one."""
    ways: list[tuple[str, str]] = []
    for before, move in zip((None, *play), play, strict=False):
        star = "*" if move.hit or move.pins else ""
        goes_on = before and before.hit and before.target == move.origin
        white, black = ways.pop() if goes_on else _NAMES[move.origin]
        to_white, to_black = _NAMES[move.target]
        ways.append((f"{white}/{to_white}{star}", f"{black}/{to_black}{star}"))
    return ways


def read_play(position: TablesPosition, text: str, pins: bool) -> Play:
    """Read a play, legal or not; stars may be left out.  Raises TextError."""
    if text.strip().lower() == FORFEIT:
        return ()
    moves: list[Move] = []
    for token in text.lower().split():
        found = _TOKEN.fullmatch(token)
        way = _way(position.mover, found, not pins) if found else None
        if way is None or found is None:
            example = "13/8 6/5*, 6/off(2)" if pins else "13/8 6/5*, bar/20, 6/off(2)"
            raise TextError(
                f"play {quoted(text)}: {quoted(token)} is no move; write {example} or {FORFEIT}"
            )
        moves += way * int(found[3] or 1)
    if not moves:
        raise TextError(f"play {quoted(text)}: nothing is written; write 13/8 6/5* or {FORFEIT}")
    return _marked(position, moves, pins)


def _way(side: Side, found: re.Match[str], bars: bool) -> list[Move] | None:
    """The moves of one token, or None if a spot in it is not on the board."""
    names = [found[1], *found[2].replace("*", "").split("/")[1:]]
    spots = [_spot(side, name) for name in names]
    inside = all(spot in NUMBER[side] for spot in spots) and "off" not in names[:-1]
    if not inside or (names[0] == "bar" and not bars):
        return None
    return [Move(origin, target) for origin, target in pairwise(spots)]


def _spot(side: Side, name: str) -> Spot:
    own = {"bar": SPOT[side][BAR], "off": SPOT[side][OFF]}
    return own.get(name) or Spot(SpotKind.POINT, int(name))
