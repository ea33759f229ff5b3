"""The rules that the tables games share, by the numbers under which their own sheets tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from pi_app.rules.naming import Counting, listed, name_move, name_side, name_spot, name_way
from pi_app.rules.tables.plays import (
    BLOT,
    Field,
    Order,
    after_states,
    field_of,
    longest,
    plays,
    results,
    write_play,
)
from pi_app.rules.tables.position import (
    ALL_MEN,
    BAR,
    BAR_SPOTS,
    HOME,
    MEN_BITS,
    NUMBER,
    OFF,
    OFF_SPOTS,
    POINTS,
    SPOT,
    TablesPosition,
    above,
    count,
    numbers,
    one,
    seen_by,
)
from pi_app.rules.terms import (
    Broken,
    Example,
    IllegalPlayError,
    Move,
    Roll,
    Rule,
    Sheet,
    Side,
    Spot,
)
from pi_app.words.sentences import Said, Sentence, on_board


class Why(Enum):
    """The identifier of the rule that an attempt breaks."""

    OVER = "game-over"
    NOT_YOURS = "not-your-checker"
    NOBODY = "no-checker-there"
    BACKWARD = "backward"
    DISTANCE = "wrong-distance"
    USED = "die-used"
    HELD = "point-held"
    ON_THE_WAY = "hit-on-the-way"
    PINNED = "pinned"
    BAR_FIRST = "bar-first"
    MUST_MOVE = "must-move"
    BOTH = "both-dice"
    HIGHER = "higher-die"
    NOT_HOME = "not-all-home"
    FARTHER = "farther-back"
    FINAL = "off-is-final"


_BROKEN: Mapping[Why, tuple[int, Sentence]] = MappingProxyType(
    {
        Why.NOT_YOURS: (1, Sentence("A player moves only his own checkers.")),
        Why.NOBODY: (1, Sentence("A move begins where a checker stands.")),
        Why.BACKWARD: (1, Sentence("Each side moves from its own 24 to its own 1.")),
        Why.DISTANCE: (
            2,
            Sentence("A checker moves by the number on a die, or by several in turn."),
        ),
        Why.USED: (2, Sentence("Each die is played once, a doublet four times.")),
        Why.HELD: (3, Sentence("A point that the enemy holds is closed.")),
        Why.ON_THE_WAY: (4, Sentence("A checker that lands on a single enemy hits it.")),
        Why.PINNED: (4, Sentence("A pinned checker stays until every enemy has left the point.")),
        Why.BAR_FIRST: (5, Sentence("Checkers on the bar enter first.")),
        Why.MUST_MOVE: (6, Sentence("A player with a legal move must move.")),
        Why.BOTH: (
            6,
            Sentence("Both numbers, or all four of a doublet, are played if that is possible."),
        ),
        Why.HIGHER: (
            6,
            Sentence("If either number can be played but not both, the higher must be."),
        ),
        Why.NOT_HOME: (7, Sentence("Bearing off waits until all fifteen checkers are home.")),
        Why.FARTHER: (7, Sentence("A higher die bears off only from the highest point.")),
        Why.FINAL: (7, Sentence("A checker that is off stays off.")),
        Why.OVER: (8, Sentence("No moves after the game is won.")),
    }
)

EACH_DIE = Sentence(
    "Each die moves one checker by its number; one checker may use several dice. "
    "A doublet is four moves."
)
CLOSED = Sentence("A point with two or more enemies is closed.")
HIT = Sentence("A single enemy is hit: it goes to the bar.")
ENTER_FIRST = Sentence(
    "Checkers on the bar enter first, in the enemy's home, on the point that the die names."
)
ALL_DICE = Sentence(
    "Play both numbers, or all four, if possible; else the higher of two, if "
    "possible. A player who can move must move; one who cannot passes."
)
BEARING_OFF = Sentence(
    "With all fifteen at home, a die bears off from its point. A die higher than "
    "every occupied point bears off from the highest; otherwise a die moves a "
    "checker."
)


def rulebook(sheet: Sheet, *absent: Why) -> Mapping[Why, Rule]:
    """A game's rules by what breaks them, without the absent ones."""
    return MappingProxyType(
        {
            why: Rule(why.value, sentence(), sheet, number)
            for why, (number, sentence) in _BROKEN.items()
            if why not in absent
        }
    )


START = "-b----E-C---eE---c-e----B- w"

UP_TO_SEVEN = (
    Example(1, Sentence("The start, and White's first move."), START, roll="65", play="24/13"),
    Example(
        2,
        Sentence("A 3 and a 1, each by a checker of its own."),
        START,
        roll="31",
        play="8/5 6/5",
    ),
    Example(
        2,
        Sentence("A doublet is four moves."),
        START,
        roll="22",
        play="13/11(2) 6/4(2)",
    ),
    Example(
        3,
        Sentence("Five enemies hold the point of the 5: it is closed."),
        START,
        roll="52",
        attempt="24/19",
    ),
    Example(
        4,
        Sentence("The 4 hits a single checker, which goes to the bar."),
        "-b----E-C---eE---b-ea---B- w",
        roll="42",
        play="24/20* 13/11",
    ),
    Example(
        5,
        Sentence("The 6 is closed: White enters with the 2, then plays the 6."),
        "-b----E-C---eE---c-e----AA w",
        roll="62",
        play="bar/23 24/18",
    ),
    Example(
        6,
        Sentence("Either number can be played but not both: play the higher."),
        "-EEDb-------A------eec---- w",
        roll="53",
        attempt="12/9",
    ),
    Example(
        7,
        Sentence("A 6 and a 4 bear off from their own points."),
        "-BBBBBB-----------dea--e-- w",
        roll="64",
        play="6/off 4/off",
    ),
    Example(
        7,
        Sentence("All points are lower: double 5 bears off from the highest."),
        "-BCBB-------------dea--e-- w",
        roll="55",
        play="4/off(2) 3/off(2)",
    ),
)
WON = "------------------dea--e-- b"
"""White has borne off all fifteen, Black none."""


NOBODY_ON = Sentence("No checker stands on {spot}")
NOBODY_ON_BAR = Sentence("No checker stands on the bar")
NOBODY_OFF = Sentence("No checker stands off the board")
NOT_THEIRS = Sentence("No checker of {side}'s goes to {owner}'s {spot}")


def attempted(
    position: TablesPosition, attempt: tuple[Move, ...], pins: bool, book: Mapping[Why, Rule]
) -> TablesPosition:
    """What stands after the moves, the mover changed.

    The mover's farthest goes first, for another move may begin where it ends.  A single enemy is
    hit or pinned; on more enemies both sides stand together.
    Raises IllegalPlayError for a checker that is not there or a tray of the other side.
    """
    number = NUMBER[position.mover]
    for move in sorted(attempt, key=lambda move: -number.get(move.origin, OFF)):
        side = _lifted(position, move.origin, book)
        target = NUMBER[side].get(move.target)
        if target is None:
            raise IllegalPlayError(Broken(book[Why.NOT_YOURS], not_theirs(side, move.target)))
        position = _carried(position, side, NUMBER[side][move.origin], target, pins)
    return position.with_mover(position.mover.other)


def _lifted(position: TablesPosition, origin: Spot, book: Mapping[Why, Rule]) -> Side:
    """The side of the checker that a hand lifts here: the mover's if possible."""
    for side in (position.mover, position.mover.other):
        number = NUMBER[side].get(origin)
        if number is not None and count(position.men(side), number):
            return side
    raise IllegalPlayError(Broken(book[Why.NOBODY], nobody_on(position.mover, origin)))


def nobody_on(mover: Side, spot: Spot) -> Said:
    """The error for a move from an empty place."""
    if spot in BAR_SPOTS:
        return NOBODY_ON_BAR()
    if spot in OFF_SPOTS:
        return NOBODY_OFF()
    return NOBODY_ON(spot=name_spot(spot, Counting(POINTS, mover)))


def not_theirs(side: Side, spot: Spot) -> Said:
    """The error for a move to the opponent's bar or tray."""
    return NOT_THEIRS(side=name_side(side), owner=name_side(side.other), spot=name_spot(spot))


def _carried(
    position: TablesPosition, side: Side, origin: int, target: int, pins: bool
) -> TablesPosition:
    own, own_pinned = position.men(side), position.pinned(side)
    enemy, enemy_pinned = position.men(side.other), position.pinned(side.other)
    own -= one(origin)
    if count(own_pinned, origin):
        own_pinned -= one(origin)
    elif not count(own, origin) and count(enemy_pinned, BAR - origin):
        enemy_pinned -= one(BAR - origin)
    meets = count(enemy, BAR - target) if OFF < target < BAR else 0
    if meets == 1 and not count(own, target):
        if pins:
            enemy_pinned += one(BAR - target)
        else:
            enemy += one(BAR) - one(BAR - target)
    own += one(target)
    moved = seen_by(side, own, enemy, own_pinned, enemy_pinned)
    return moved.with_mover(position.mover)


MUST_MOVE = Sentence("{side} must move, such as {play}")
ONLY_A_HIT = Sentence("{way}: only a hit does that")
GOES_BACK = Sentence("{way} goes back; {side} moves from {first} to {last}")
STAYS_OFF = Sentence("A checker that is off stays off")
IS_PINNED = Sentence("{side}'s checker on {point} is pinned by {enemy}")
OTHERS_CHECKER = Sentence("The checker on {point} is {owner}'s; it is {side}'s turn")
OTHERS_ON_BAR = Sentence("The checker on the bar is {owner}'s; it is {side}'s turn")
NO_SECOND = Sentence("No second checker of his own stands on {spot}")
BAR_FIRST = Sentence("{side} must enter from the bar first")
NOT_HOME = Sentence("{way}: not all are home, one stands on {point}")
FARTHER_BACK = Sentence("{way} with a {die}: a checker stands farther back, on {point}")
PINS_THERE = Sentence("{way}: {enemy} pins a checker on {point}, which closes it")
HOLDS = Sentence(
    "{way}: {enemy} holds {point} with {n} checker",
    "{way}: {enemy} holds {point} with {n} checkers",
)
NEEDS_MORE_THAN_LEFT = Sentence(
    "{way} needs {n} pip; only {dice} is left", "{way} needs {n} pips; only {dice} is left"
)
NEEDS_A_DIE = Sentence(
    "{way} needs {n} pip; no die is left", "{way} needs {n} pips; no die is left"
)
NEEDS_OTHER_DICE = Sentence(
    "{way} needs {n} pip; the dice show {dice}", "{way} needs {n} pips; the dice show {dice}"
)
HITS_ON_THE_WAY = Sentence("A single enemy on the way is hit; it goes to the bar")
BOTH_DICE = Sentence("Play both dice: the {die} is unused")
HIGHER_DIE = Sentence("Play the higher die: the {die}")
OF_A_DOUBLET = (
    Sentence("Play two {die}s: {missing} unused"),
    Sentence("Play three {die}s: {missing} unused"),
    Sentence("Play four {die}s: {missing} unused"),
)
"""By how many can be played, from two on: where one can, whoever moved has played it."""
MISSING = (Sentence("one"), Sentence("two"), Sentence("three"))


@dataclass(frozen=True, slots=True)
class TriedWay:
    """A move to be completed: its current place, its origin and its target."""

    now: int
    origin: int
    target: int


@dataclass(slots=True)
class Search:
    """The states reached at the end of an attempt, and the fault met furthest on."""

    ends: list[tuple[int, Order]] = field(default_factory=list)
    depth: int = -1
    fault: Broken | None = None

    def note(self, depth: int, fault: Broken) -> None:
        """Keep the furthest fault; of equals the first."""
        if depth > self.depth:
            self.depth, self.fault = depth, fault


@dataclass(frozen=True, slots=True)
class TriedTurn:
    """The turn against which an attempt is judged."""

    position: TablesPosition
    roll: Roll
    pins: bool
    book: Mapping[Why, Rule]
    field: Field

    @property
    def side(self) -> Side:
        return self.position.mover

    @property
    def dice(self) -> Order:
        """All dice to play, a doublet's four times."""
        dice = self.roll.dice
        return dice if len(set(dice)) > 1 else dice * 2

    @property
    def counting(self) -> Counting:
        return Counting(POINTS, self.side)

    def broken(self, why: Why, reason: Said) -> Broken:
        return Broken(self.book[why], reason)


def explain(
    position: TablesPosition,
    roll: Roll,
    attempt: tuple[Move, ...],
    pins: bool,
    book: Mapping[Why, Rule],
) -> Broken | None:
    """The rule that the attempt breaks, or None if it is legal."""
    turn = TriedTurn(position, roll, pins, book, field_of(position, pins))
    if not attempt:
        return _nothing_moved(turn)
    fault = next((fault for move in attempt if (fault := _never(turn, move, attempt))), None)
    if fault:
        return fault
    number = NUMBER[turn.side]
    try:
        left = attempted(position, attempt, pins, book)
    except IllegalPlayError as error:
        return error.broken
    search = Search()
    ways = [TriedWay(number[m.origin], number[m.origin], number[m.target]) for m in attempt]
    _follow(turn, search, turn.field.state, turn.dice, ways)
    return _judged(turn, search, left)


def _nothing_moved(turn: TriedTurn) -> Broken | None:
    first = plays(turn.position, turn.roll, turn.pins)[0]
    if not first:
        return None
    reason = MUST_MOVE(side=name_side(turn.side), play=on_board(write_play(first)))
    return turn.broken(Why.MUST_MOVE, reason)


def _never(turn: TriedTurn, move: Move, attempt: tuple[Move, ...]) -> Broken | None:
    """Faults that no dice could cure: the checker's side or direction."""
    fault = _bad_origin(turn, move.origin, any(move.origin == other.target for other in attempt))
    if fault:
        return fault
    side = turn.side
    target = NUMBER[side].get(move.target)
    if target is None:
        return turn.broken(Why.NOT_YOURS, not_theirs(side, move.target))
    if target == BAR:
        return turn.broken(Why.BACKWARD, ONLY_A_HIT(way=name_move(move, turn.counting)))
    if target >= NUMBER[side][move.origin]:
        way, first, last = name_move(move, turn.counting), _at(turn, POINTS), _at(turn, 1)
        reason = GOES_BACK(way=way, side=name_side(side), first=first, last=last)
        return turn.broken(Why.BACKWARD, reason)
    return None


def _bad_origin(turn: TriedTurn, origin: Spot, arrives: bool) -> Broken | None:
    """Check the origin; a checker that arrives in the same turn may move on."""
    side, position = turn.side, turn.position
    if origin in OFF_SPOTS:
        return turn.broken(Why.FINAL, STAYS_OFF())
    number = NUMBER[side].get(origin)
    if number is not None and (count(position.men(side), number) or arrives):
        if count(position.pinned(side), number):
            point, enemy = name_spot(origin, turn.counting), name_side(side.other)
            reason = IS_PINNED(side=name_side(side), point=point, enemy=enemy)
            return turn.broken(Why.PINNED, reason)
        return None
    theirs = NUMBER[side.other].get(origin)
    if theirs is not None and count(position.men(side.other), theirs):
        return turn.broken(Why.NOT_YOURS, _others(turn, origin))
    return turn.broken(Why.NOBODY, nobody_on(side, origin))


def _others(turn: TriedTurn, origin: Spot) -> Said:
    owner, side = name_side(turn.side.other), name_side(turn.side)
    if origin in BAR_SPOTS:
        return OTHERS_ON_BAR(owner=owner, side=side)
    return OTHERS_CHECKER(point=name_spot(origin, turn.counting), owner=owner, side=side)


def _follow(turn: TriedTurn, search: Search, state: int, dice: Order, ways: list[TriedWay]) -> None:
    """Try every use of the dice, farthest checker first."""
    open_ways = sorted((way for way in ways if way.now != way.target), key=lambda way: -way.now)
    if not open_ways:
        search.ends.append((state, dice))
        return
    way, *others = open_ways
    depth = len(turn.dice) - len(dice)
    useful = list(_useful(way, dice))
    if not useful:
        search.note(depth, _distance(turn, way, dice))
    for die, rest in useful:
        fault = _step_fault(turn, state, way, die)
        if fault:
            search.note(depth, fault)
            continue
        now = max(way.now - die, OFF)
        moved = _stepped(state, way.now, now)
        _follow(turn, search, moved, rest, [TriedWay(now, way.origin, way.target), *others])


def _useful(way: TriedWay, dice: Order) -> Iterator[tuple[int, Order]]:
    """Each die that leaves a distance the others can cover, with those others."""
    for index, die in enumerate(dice):
        rest = dice[:index] + dice[index + 1 :]
        if die not in dice[:index] and _reaches(max(way.now - die, OFF), way.target, rest):
            yield die, rest


def _reaches(now: int, target: int, dice: Order) -> bool:
    """Whether some of the dice cover the distance, bearing off included."""
    if now <= target:
        return now == target
    return any(
        _reaches(max(now - die, OFF), target, dice[:index] + dice[index + 1 :])
        for index, die in enumerate(dice)
    )


def _stepped(state: int, origin: int, target: int) -> int:
    """The state after one step, which hits a single enemy."""
    state += one(target) - one(origin)
    blot = one(BAR - target) << MEN_BITS
    alone = target > OFF and state >> MEN_BITS and count(state >> MEN_BITS, BAR - target) == 1
    return state + (one(BAR) << MEN_BITS) - blot if alone else state


def _step_fault(turn: TriedTurn, state: int, way: TriedWay, die: int) -> Broken | None:
    """What stops a checker from moving by one die."""
    own = state & ALL_MEN
    # A hand that takes more checkers than there are would go on with the enemy's beneath.
    if not count(own, way.now):
        return turn.broken(Why.NOBODY, NO_SECOND(spot=_at(turn, way.now)))
    if count(own, BAR) and way.now != BAR:
        return turn.broken(Why.BAR_FIRST, BAR_FIRST(side=name_side(turn.side)))
    if way.now > die:
        return _held(turn, way, way.now - die)
    if own & above(HOME):
        reason = NOT_HOME(way=_whole(turn, way), point=_at(turn, numbers(own)[0]))
        return turn.broken(Why.NOT_HOME, reason)
    if way.now < die and own & above(way.now):
        back = _at(turn, numbers(own)[0])
        reason = FARTHER_BACK(way=_whole(turn, way), die=die, point=back)
        return turn.broken(Why.FARTHER, reason)
    return None


def _held(turn: TriedTurn, way: TriedWay, number: int) -> Broken | None:
    if turn.field.landing[number] <= BLOT:
        return None
    whole, enemy, point = _whole(turn, way), name_side(turn.side.other), _at(turn, number)
    if count(turn.position.pinned(turn.side), number):
        return turn.broken(Why.HELD, PINS_THERE(way=whole, enemy=enemy, point=point))
    there = count(turn.position.men(turn.side.other), BAR - number)
    return turn.broken(Why.HELD, HOLDS(way=whole, enemy=enemy, point=point, n=there))


def _distance(turn: TriedTurn, way: TriedWay, dice: Order) -> Broken:
    """No remaining dice cover this distance."""
    far, whole = way.now - way.target, _whole(turn, way)
    if not dice:
        return turn.broken(Why.USED, NEEDS_A_DIE(way=whole, n=far))
    if dice != turn.dice and _reaches(way.now, way.target, turn.dice):
        return turn.broken(Why.USED, NEEDS_MORE_THAN_LEFT(way=whole, n=far, dice=listed(dice)))
    reason = NEEDS_OTHER_DICE(way=whole, n=far, dice=listed(turn.roll.dice))
    return turn.broken(Why.DISTANCE, reason)


def _judged(turn: TriedTurn, search: Search, left: TablesPosition) -> Broken | None:
    """All moves were possible: report a missing one, if any."""
    if not search.ends:
        return search.fault
    legal = results(turn.position, turn.roll, turn.pins)
    states = [state for state, _ in search.ends]
    reached = after_states(turn.position, turn.field, states, turn.pins)
    if left in reached and left in legal:
        return None
    if left not in reached:
        return turn.broken(Why.ON_THE_WAY, HITS_ON_THE_WAY())
    unused = next(dice for (_, dice), end in zip(search.ends, reached, strict=True) if end == left)
    return _unused(turn, unused)


def _unused(turn: TriedTurn, unused: Order) -> Broken:
    lines = longest(turn.field, turn.roll)[0]
    most = len(lines.steps(lines.nodes[0]))
    high, low = turn.roll.dice
    if high == low:
        missing = MISSING[most - (len(turn.dice) - len(unused)) - 1]
        return turn.broken(Why.BOTH, OF_A_DOUBLET[most - 2](die=high, missing=missing()))
    if most > 1:
        return turn.broken(Why.BOTH, BOTH_DICE(die=unused[0]))
    return turn.broken(Why.HIGHER, HIGHER_DIE(die=high))


def _whole(turn: TriedTurn, way: TriedWay) -> Said:
    spots = SPOT[turn.side]
    return name_way(spots[way.origin], spots[way.target], turn.counting)


def _at(turn: TriedTurn, number: int) -> str:
    return name_spot(SPOT[turn.side][number], turn.counting)
