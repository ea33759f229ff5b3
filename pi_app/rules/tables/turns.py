"""The legal turns of the tables games, and plays as players write them.

Any legal turn can be made from back to front: what must be done first (entering, coming home,
clearing the higher points) is at the back, and no move in front frees a checker behind it. So each
doublet's set of moves is found once, and two dice need one pass for each order. If a game restricts
steps, a move in front can free a checker behind it, so its turns are searched in any order.

A play is a tuple of moves, empty for a forfeit. A checker that uses two dice makes one move, unless
it hits on the way: then the hand must stop there, and it makes two. The text is `13/8 6/5*`,
`bar/20`, `6/off(2)` or `24/20*/14`; a star marks a hit or a pin. Files have White's numbers, people
read those of the player.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from functools import cache
from itertools import combinations, groupby, pairwise
from typing import NamedTuple, TypeAlias

from pi_app.rules.contract import Midway
from pi_app.rules.tables.position import (
    ALL_MEN,
    BAR,
    BLOT,
    CLOSED,
    HOME,
    MEN_BITS,
    OFF,
    OPEN,
    Field,
    Paths,
    Restriction,
    TablesPosition,
    Variant,
    above,
    count,
    numbers,
    one,
    seen_by,
)
from pi_app.rules.terms import Die, Move, Play, Roll, Side, Spot, SpotKind, TextError
from pi_app.words.sentences import Written
from pi_app.words.texts import quoted

FACES = 6

Order: TypeAlias = tuple[Die, ...]
"""The dice in the order in which they are played; a doublet has four."""


Trail: TypeAlias = tuple[int, int, "Trail | None"]
"""A node of the search: the state, the index of the point last moved from, and the node before."""


Step: TypeAlias = tuple[int, int]
"""One checker by one die: the numbers of its origin and target."""


class Lines(NamedTuple):
    """All turns of the most dice in one order of the dice, by their final states."""

    order: Order
    points: tuple[int, ...]
    nodes: list[Trail]

    def steps(self, node: Trail) -> list[Step]:
        """Return the turn that ends at this node: origin and target for each die."""
        origins = []
        _, index, before = node
        while before:
            origins.append(self.points[index])
            _, index, before = before
        return [
            (origin, max(origin - die, OFF))
            for origin, die in zip(reversed(origins), self.order, strict=False)
        ]


Mask: TypeAlias = tuple[int, int, int, int, int]
"""One step as numbers: a checker that must be there, checkers that must not, what is added to the
state; an enemy that may stand on the target, and what is added if it does."""

_NEVER: Mask = (0, 0, 0, 0, 0)


def _step(origin: int, die: int, across: Sequence[int] | None) -> Mask:
    """The mask of one step; `across` is given if the step can hit a blot."""
    target = max(origin - die, OFF)
    shift = one(target) - one(origin)
    if target:
        barred = one(BAR) * 15 if origin < BAR else 0
    else:
        barred = above(HOME if origin == die else origin)
    if across is None:
        return one(origin) * 15, barred, shift, 0, shift
    blot = one(across[target])
    return one(origin) * 15, barred, shift, blot << MEN_BITS, shift + (one(BAR) - blot << MEN_BITS)


def _masks(across: Sequence[int] | None) -> tuple[tuple[Mask, ...], ...]:
    """The masks of a step, by die and origin."""
    return tuple(
        tuple(_step(origin, die, across) for origin in range(BAR + 1)) if die else ()
        for die in range(FACES + 1)
    )


_QUIET = _masks(None)


@cache
def _striking(paths: Paths) -> tuple[tuple[Mask, ...], ...]:
    return _masks(paths.across)


def field_of(position: TablesPosition, variant: Variant) -> Field:
    """The position as its mover sees it."""
    side = position.mover
    own, enemy = position.men(side), position.men(side.other)
    # What stands on number 0 is off: landing there meets nobody; 25 is only left.
    landing = f"{OPEN}{variant.paths.enemies(enemy)[1:BAR]}{OPEN}"
    if variant.bars:
        return Field(variant, own | enemy << MEN_BITS, landing)
    if not variant.pins:
        return Field(variant, own, landing.replace(BLOT, CLOSED))
    meets = list(landing.replace(BLOT, OPEN))
    for number in numbers(position.pinned(side)):
        meets[number] = CLOSED
    return Field(variant, own, "".join(meets))


def results(position: TablesPosition, roll: Roll, variant: Variant) -> tuple[TablesPosition, ...]:
    """Return the positions after all legal turns, each once; with no legal move, that after a
    forfeit."""
    field = field_of(position, variant)
    return tuple(after_states(position, field, legal_ends(field, roll)))


def legal_ends(field: Field, roll: Roll) -> dict[int, None]:
    """Return the final states of all legal turns, in the order of `results`."""
    return dict.fromkeys(node[0] for lines in longest(field, roll) for node in lines.nodes)


def after_states(
    position: TablesPosition, field: Field, states: Iterable[int]
) -> list[TablesPosition]:
    """Return the positions of these final states, with the mover changed."""
    mover, other = position.mover, position.mover.other
    if field.variant.pins:
        return _pinned(position, field, states)
    if not field.variant.bars:
        enemy = position.men(other)
        return [seen_by(mover, own, enemy).with_mover(other) for own in states]
    if mover is Side.WHITE:
        return [TablesPosition(state & ALL_MEN, state >> MEN_BITS, other) for state in states]
    return [TablesPosition(state >> MEN_BITS, state & ALL_MEN, other) for state in states]


def _pinned(position: TablesPosition, field: Field, states: Iterable[int]) -> list[TablesPosition]:
    """The same for the Pin game: a single enemy is pinned where a checker of the mover stands."""
    mover, enemy = position.mover, position.men(position.mover.other)
    across = field.variant.paths.across
    alone = [
        (one(number) * 15, one(across[number]))
        for number in range(1, BAR)
        if enemy >> 4 * across[number] & 15 == 1 and field.landing[number] == OPEN
    ]
    own_pinned, other = position.pinned(mover), mover.other
    found = []
    for own in states:
        pinned = sum([blot for here, blot in alone if own & here])
        if mover is Side.WHITE:
            found.append(TablesPosition(own, enemy, other, own_pinned, pinned))
        else:
            found.append(TablesPosition(enemy, own, other, pinned, own_pinned))
    return found


def longest(field: Field, roll: Roll) -> list[Lines]:
    """Return the turns that use as many dice as possible, and the higher die if only one can be
    used.

    A forfeit is a line without steps.
    """
    dice = roll.dice
    orders = [dice, dice[::-1]] if len(set(dice)) > 1 else [dice * 2]
    points = _points(field, orders[0])
    striking = _striking(field.variant.paths)
    steps = {die: _steps(points, field.landing, die, striking[die]) for die in dice}
    if field.variant.on_steps:
        walks = [_stroll(field, points, [steps[die] for die in order]) for order in orders]
    else:
        walks = [_walk(field.state, [steps[die] for die in order]) for order in orders]
    if field.variant.on_ends:
        walks = _allowed(field, walks)
    most = max(len(walk) for walk in walks)
    lines = [
        Lines(order, points, walk[-1])
        for order, walk in zip(orders, walks, strict=True)
        if len(walk) == most
    ]
    return lines if most > 2 else lines[:1]


def stepped(field: Field, state: int, step: Step) -> int | None:
    """The state after one more step; None if no checker stands at its origin."""
    origin, target = step
    if not state & one(origin) * 15:
        return None
    state += one(target) - one(origin)
    blot = one(field.variant.paths.across[target]) << MEN_BITS
    if target and state & blot and field.landing[target] == BLOT:
        state += (one(BAR) << MEN_BITS) - blot
    return state


def _points(field: Field, order: Order) -> tuple[int, ...]:
    """All points a checker may leave during the turn, farthest first."""
    standing = numbers(field.state)
    doublet = order[0] == order[-1]
    ways = tuple(order[0] * times for times in range(1, 4)) if doublet else order
    reached = {number - way for number in standing for way in ways if number > way}
    # What stands on a closed point is pinned there.
    points = [number for number in reached.union(standing) if field.landing[number] <= BLOT]
    return tuple(sorted(points, reverse=True))


def _steps(points: tuple[int, ...], landing: str, die: Die, striking: Sequence[Mask]) -> list[Mask]:
    """The step from each point by this die; an impossible mask if the target is closed."""
    steps = []
    quiet = _QUIET[die]
    for origin in points:
        meets = landing[origin - die] if origin > die else OPEN
        if meets == OPEN:
            steps.append(quiet[origin])
        else:
            steps.append(striking[origin] if meets == BLOT else _NEVER)
    return steps


def _walk(state: int, steps_by_die: list[list[Mask]]) -> list[list[Trail]]:
    """Return the nodes after each die, until there are none."""
    layers: list[list[Trail]] = [[(state, 0, None)]]
    for steps in steps_by_die:
        layer: list[Trail] = []
        for node in layers[-1]:
            state, first, _ = node
            for index, (here, barred, shift, blot, strike) in enumerate(steps[first:], first):
                if state & here and not state & barred:
                    layer.append((state + (strike if state & blot else shift), index, node))
        if not layer:
            break
        layers.append(layer)
    return layers


def _stroll(
    field: Field, points: tuple[int, ...], steps_by_die: list[list[Mask]]
) -> list[list[Trail]]:
    """As `_walk`, but in any order, because a move in front may free a checker behind it."""
    layers: list[list[Trail]] = [[(field.state, 0, None)]]
    for steps in steps_by_die:
        layer: dict[int, Trail] = {}
        for node in layers[-1]:
            state = node[0]
            for index, (here, barred, shift, blot, strike) in enumerate(steps):
                if state & here and not state & barred and not broken(field, state, points[index]):
                    left = state + (strike if state & blot else shift)
                    layer.setdefault(left, (left, index, node))
        if not layer:
            break
        layers.append([*layer.values()])
    return layers


def broken(field: Field, state: int, origin: int) -> Restriction | None:
    """Return the restriction that forbids a step from this number; None if it is allowed."""
    for rule in field.variant.on_steps:
        if rule.breaks(field, state & ALL_MEN, origin):
            return rule
    return None


def _allowed(field: Field, walks: list[list[list[Trail]]]) -> list[list[list[Trail]]]:
    """Return the walks without forbidden final states.

    A shorter turn counts too: one die is enough if using both leads to a forbidden final state.
    """
    rules = field.variant.on_ends
    while True:
        kept = [[_ends(field, rules, layer) for layer in walk] for walk in walks]
        for walk in kept:
            while walk and not walk[-1]:
                walk.pop()
        if any(kept):
            return kept
        rules = rules[:-1]


def _ends(field: Field, rules: tuple[Restriction, ...], layer: list[Trail]) -> list[Trail]:
    return [
        node
        for node in layer
        if not any(rule.breaks(field, node[0] & ALL_MEN, OFF) for rule in rules)
    ]


FORFEIT = "forfeit"

_TOKEN = re.compile(r"(bar|\d{1,2})((?:/(?:off|\d{1,2})\*?)+)(?:\(([2-4])\))?")


def plays(position: TablesPosition, roll: Roll, variant: Variant) -> tuple[Play, ...]:
    """Return one play for each result; a forfeit is empty."""
    found: dict[int, Play] = {}
    blots = _blots(position, variant)
    for lines in longest(field_of(position, variant), roll):
        for node in lines.nodes:
            if node[0] not in found:
                found[node[0]] = _play(position.mover, lines.steps(node), blots, variant)
    return tuple(found.values())


def play_to(position: TablesPosition, roll: Roll, end: int, variant: Variant) -> Play | None:
    """The legal play whose last state is `end`, or None."""
    for lines in longest(field_of(position, variant), roll):
        for node in lines.nodes:
            if node[0] == end:
                steps, blots = lines.steps(node), _blots(position, variant)
                return _play(position.mover, steps, blots, variant)
    return None


def midways(
    position: TablesPosition, roll: Roll, variant: Variant
) -> tuple[Midway[TablesPosition], ...]:
    """Return all parts of legal turns after which a die is left, in any order of moves."""
    field = field_of(position, variant)
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
    blots = _blots(position, variant)
    ways = (_play(position.mover, part, blots, variant) for part in found.values())
    return tuple(map(Midway, ways, after_states(position, field, found)))


def _play(side: Side, steps: Sequence[Step], standing: Set[int], variant: Variant) -> Play:
    """Return the play of these steps; `standing` are the numbers of the enemy's blots."""
    blots, pins = set(standing), variant.pins
    ways: list[list[int]] = []
    for origin, target in steps:
        for way in ways:
            if way[-1] == origin:
                way.append(target)
                break
        else:
            ways.append([origin, target])
    ways.sort(reverse=True)
    names = variant.paths.spots[side]
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


def _marked(position: TablesPosition, moves: Iterable[Move], variant: Variant) -> Play:
    """Set `hit` or `pins` on each move, in order."""
    blots = _blots(position, variant)
    play = []
    for move in moves:
        number = variant.paths.numbers[position.mover].get(move.target, OFF)
        struck = number in blots
        blots.discard(number)
        play.append(_move(move.origin, move.target, struck, variant.pins))
    return tuple(play)


def _blots(position: TablesPosition, variant: Variant) -> set[int]:
    """Return the mover's numbers of the points on which a single enemy can be hit or pinned."""
    if not (variant.bars or variant.pins):
        return set()
    side, across = position.mover, variant.paths.across
    free = position.men(side.other) - position.pinned(side.other)
    own = position.men(side)
    return {n for n in range(1, BAR) if count(free, across[n]) == 1 and not count(own, n)}


def write_play(play: Play, mover: Side, paths: Paths) -> str:
    """Write a play with White's numbers for files, and with the mover's for people."""
    if not play:
        return FORFEIT
    ways: tuple[list[str], list[str]] = ([], [])
    for _, same in groupby(_ways(play, paths), key=lambda way: way[0].replace("*", "")):
        first, *more = same
        times = f"({len(more) + 1})" if more else ""
        for texts, text in zip(ways, first, strict=True):
            texts.append(text + times)
    white, black = map(" ".join, ways)
    return Written.of(white, white, black, white if mover is Side.WHITE else black, by_board=False)


def _ways(play: Play, paths: Paths) -> list[tuple[str, str]]:
    """Return White's and Black's text of each checker's way; a hit does not divide it."""
    ways: list[tuple[str, str]] = []
    for before, move in zip((None, *play), play, strict=False):
        star = "*" if move.hit or move.pins else ""
        goes_on = before and before.hit and before.target == move.origin
        white, black = ways.pop() if goes_on else paths.names[move.origin]
        to_white, to_black = paths.names[move.target]
        ways.append((f"{white}/{to_white}{star}", f"{black}/{to_black}{star}"))
    return ways


def read_play(position: TablesPosition, text: str, variant: Variant) -> Play:
    """Read a play, legal or not; stars are optional. Raises TextError."""
    if text.strip().lower() == FORFEIT:
        return ()
    moves: list[Move] = []
    for token in text.lower().split():
        found = _TOKEN.fullmatch(token)
        way = _way(position.mover, found, variant) if found else None
        if way is None or found is None:
            example = "13/8 6/5*, bar/20, 6/off(2)" if variant.bars else "13/8 6/5*, 6/off(2)"
            raise TextError(
                f"play {quoted(text)}: {quoted(token)} is no move; write {example} or {FORFEIT}"
            )
        moves += way * int(found[3] or 1)
    if not moves:
        raise TextError(f"play {quoted(text)}: nothing is written; write 13/8 6/5* or {FORFEIT}")
    return _marked(position, moves, variant)


def _way(side: Side, found: re.Match[str], variant: Variant) -> list[Move] | None:
    spots = variant.paths.spots[side]
    own = {"bar": spots[BAR], "off": spots[OFF]}
    names = [found[1], *found[2].replace("*", "").split("/")[1:]]
    stops = [own.get(name) or Spot(SpotKind.POINT, int(name)) for name in names]
    inside = all(stop in spots for stop in stops) and "off" not in names[:-1]
    if not inside or (names[0] == "bar" and not variant.bars):
        return None
    return [Move(origin, target) for origin, target in pairwise(stops)]
