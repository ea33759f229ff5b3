"""Why a turn of a tables game is illegal.

An attempt is legal if its moves, in some order and by some use of the dice, are a turn whose
result is among the legal ones.  So moves may come in any order, and one move may use several dice.
Otherwise the way that gets farthest tells which rule stops it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pi_app.rules.tables.hands import attempted, nobody_on
from pi_app.rules.tables.men import (
    ALL_MEN,
    BAR,
    HOME,
    MEN_BITS,
    NUMBER,
    OFF,
    SPOT,
    TablesPosition,
    above,
    count,
    name_side,
    numbers,
    one,
)
from pi_app.rules.tables.plays import plays, write_play
from pi_app.rules.tables.rulebook import Why
from pi_app.rules.tables.turns import BLOT, Field, Order, after_states, field_of, longest, results
from pi_app.rules.terms import Broken, IllegalPlayError, Move, Roll, Rule, Side, Spot, SpotKind

COUNTS = ("none", "one", "two", "three", "four")


@dataclass(frozen=True, slots=True)
class TriedWay:
    """A move still to be finished: where its checker is now, where it began, where it goes."""

    now: int
    origin: int
    target: int


@dataclass(slots=True)
class Search:
    """The ways through an attempt: states reached at its end, and the fault met farthest on."""

    ends: list[tuple[int, Order]] = field(default_factory=list)
    depth: int = -1
    fault: Broken | None = None

    def note(self, depth: int, fault: Broken) -> None:
        """Keep the fault that comes farthest; of equals the first."""
        if depth > self.depth:
            self.depth, self.fault = depth, fault


@dataclass(frozen=True, slots=True)
class TriedTurn:
    """A turn that an attempt is held against."""

    position: TablesPosition
    roll: Roll
    pins: bool
    book: Mapping[Why, Rule]
    field: Field

    @property
    def side(self) -> Side:
        """Whose turn it is."""
        return self.position.mover

    @property
    def dice(self) -> Order:
        """Every die there is to play, a doublet's four times."""
        dice = self.roll.dice
        return dice if len(set(dice)) > 1 else dice * 2

    def broken(self, why: Why, reason: str) -> Broken:
        """The rule and the sentence."""
        return Broken(self.book[why], reason)


def explain(
    position: TablesPosition,
    roll: Roll,
    attempt: tuple[Move, ...],
    pins: bool,
    book: Mapping[Why, Rule],
) -> Broken | None:
    """The rule that the attempt breaks, or None when it is a legal play of a game that goes on."""
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
    why = f"{name_side(turn.side)} must move, for instance {write_play(first)}"
    return turn.broken(Why.MUST_MOVE, why)


def _never(turn: TriedTurn, move: Move, attempt: tuple[Move, ...]) -> Broken | None:
    """What no dice could make good: whose checker, and which way."""
    fault = _bad_origin(turn, move.origin, any(move.origin == other.target for other in attempt))
    if fault:
        return fault
    side = turn.side
    target = NUMBER[side].get(move.target)
    if target is None:
        why = f"No checker of {name_side(side)}'s goes to {name_side(side.other)}'s"
        return turn.broken(Why.NOT_YOURS, f"{why} {move.target.name}")
    if target == BAR:
        return turn.broken(
            Why.BACKWARD, f"{_arrow(move.origin, move.target)}: only a hit does that"
        )
    if target >= NUMBER[side][move.origin]:
        course = "from 24 to 1" if side is Side.WHITE else "from 1 to 24"
        why = f"{_arrow(move.origin, move.target)} goes back; {name_side(side)} moves {course}"
        return turn.broken(Why.BACKWARD, why)
    return None


def _bad_origin(turn: TriedTurn, origin: Spot, arrives: bool) -> Broken | None:
    """What is wrong with taking a checker here; one that arrives in the same turn may go on."""
    side, position = turn.side, turn.position
    if origin.kind is SpotKind.OFF:
        return turn.broken(Why.FINAL, "A checker that is off stays off")
    number = NUMBER[side].get(origin)
    if number is not None and (count(position.men(side), number) or arrives):
        if count(position.pinned(side), number):
            enemy = name_side(side.other)
            return turn.broken(
                Why.PINNED, f"{name_side(side)}'s checker on {origin} is pinned by {enemy}"
            )
        return None
    theirs = NUMBER[side.other].get(origin)
    if theirs is not None and count(position.men(side.other), theirs):
        whose = f"The checker on {_on(origin)} is {name_side(side.other)}'s"
        return turn.broken(Why.NOT_YOURS, f"{whose}; it is {name_side(side)}'s turn")
    return turn.broken(Why.NOBODY, nobody_on(origin))


def _follow(turn: TriedTurn, search: Search, state: int, dice: Order, ways: list[TriedWay]) -> None:
    """Try every use of the dice, the farthest checker first."""
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
    """Each different die that leaves a distance which the others can make up, and those others."""
    for index, die in enumerate(dice):
        rest = dice[:index] + dice[index + 1 :]
        if die not in dice[:index] and _reaches(max(way.now - die, OFF), way.target, rest):
            yield die, rest


def _reaches(now: int, target: int, dice: Order) -> bool:
    """Whether some of the dice add up to the way from here to there, at the end perhaps beyond."""
    if now <= target:
        return now == target
    return any(
        _reaches(max(now - die, OFF), target, dice[:index] + dice[index + 1 :])
        for index, die in enumerate(dice)
    )


def _stepped(state: int, origin: int, target: int) -> int:
    """The state after one step; a single enemy, if the state has enemies, is hit."""
    state += one(target) - one(origin)
    blot = one(BAR - target) << MEN_BITS
    alone = target > OFF and state >> MEN_BITS and count(state >> MEN_BITS, BAR - target) == 1
    return state + (one(BAR) << MEN_BITS) - blot if alone else state


def _step_fault(turn: TriedTurn, state: int, way: TriedWay, die: int) -> Broken | None:
    """What stops one checker from moving by one die."""
    own = state & ALL_MEN
    # A hand that takes more checkers than there are would go on with the enemy's beneath.
    if not count(own, way.now):
        where = _at(turn, way.now)
        return turn.broken(Why.NOBODY, f"No second checker of his own stands on {where}")
    if count(own, BAR) and way.now != BAR:
        return turn.broken(Why.BAR_FIRST, f"{name_side(turn.side)} must enter from the bar first")
    if way.now > die:
        return _held(turn, way, way.now - die)
    if own & above(HOME):
        where = _at(turn, numbers(own)[0])
        why = f"{_text(turn, way)}: not all are home, one stands on {where}"
        return turn.broken(Why.NOT_HOME, why)
    if way.now < die and own & above(way.now):
        where = _at(turn, numbers(own)[0])
        why = f"{_text(turn, way)} with a {die}: a checker stands farther back, on {where}"
        return turn.broken(Why.FARTHER, why)
    return None


def _held(turn: TriedTurn, way: TriedWay, number: int) -> Broken | None:
    if turn.field.landing[number] <= BLOT:
        return None
    enemy, where = name_side(turn.side.other), _at(turn, number)
    if count(turn.position.pinned(turn.side), number):
        held = f"{enemy} pins a checker on {where}, which closes it"
    else:
        there = count(turn.position.men(turn.side.other), BAR - number)
        held = f"{enemy} holds {where} with {there} checkers"
    return turn.broken(Why.HELD, f"{_text(turn, way)}: {held}")


def _distance(turn: TriedTurn, way: TriedWay, dice: Order) -> Broken:
    """No dice left make up this distance."""
    far = way.now - way.target
    what = f"{_text(turn, way)} needs {far} {'pip' if far == 1 else 'pips'}"
    if dice != turn.dice and _reaches(way.now, way.target, turn.dice):
        left = f"only {_listed(dice)} is left" if dice else "no die is left"
        return turn.broken(Why.USED, f"{what}; {left}")
    if not dice:
        return turn.broken(Why.USED, f"{what}; no die is left")
    return turn.broken(Why.DISTANCE, f"{what}; the dice show {_listed(turn.roll.dice)}")


def _judged(turn: TriedTurn, search: Search, left: TablesPosition) -> Broken | None:
    """All moves could be made; what is missing, if anything."""
    if not search.ends:
        return search.fault
    legal = results(turn.position, turn.roll, turn.pins)
    states = [state for state, _ in search.ends]
    reached = after_states(turn.position, turn.field, states, turn.pins)
    if left in reached and left in legal:
        return None
    if left not in reached:
        why = "A single enemy on the way is hit; it goes to the bar"
        return turn.broken(Why.ON_THE_WAY, why)
    unused = next(dice for (_, dice), end in zip(search.ends, reached, strict=True) if end == left)
    return _unused(turn, unused)


def _unused(turn: TriedTurn, unused: Order) -> Broken:
    lines = longest(turn.field, turn.roll)[0]
    most = len(lines.steps(lines.nodes[0]))
    high, low = turn.roll.dice
    if high == low:
        missing = most - (len(turn.dice) - len(unused))
        can = "All four" if most == len(turn.dice) else f"{COUNTS[most].capitalize()} of the four"
        why = f"{can} {high}s can be played; this leaves {COUNTS[missing]} of them unused"
        return turn.broken(Why.BOTH, why)
    if most > 1:
        why = f"Both dice can be played; this leaves the {unused[0]} unused"
        return turn.broken(Why.BOTH, why)
    return turn.broken(
        Why.HIGHER, f"Only one die can be played, and the higher must be: the {high}"
    )


def _arrow(origin: Spot, target: Spot) -> str:
    return f"{origin.name} → {target.name}"


def _text(turn: TriedTurn, way: TriedWay) -> str:
    return f"{_at(turn, way.origin)} → {_at(turn, way.target)}"


def _at(turn: TriedTurn, number: int) -> str:
    return SPOT[turn.side][number].name


def _on(spot: Spot) -> str:
    return "the bar" if spot.kind is SpotKind.BAR else str(spot)


def _listed(dice: Order) -> str:
    """The dice as words: "6 and 4", "3"."""
    return " and ".join(str(die) for die in dice)
