"""The family of tables games: one class, `TablesGame`, whose values are the games.

A rule's number here is its number on each game's own sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import NamedTuple

from pi_app.base.values import dataclass
from pi_app.rules.contract import Game, Midway, Opening, Option
from pi_app.rules.naming import (
    OTHERS_PLACE,
    THATS_OTHERS,
    Counting,
    Facing,
    listed,
    name_move,
    name_roll,
    name_side,
    name_spot,
    name_way,
)
from pi_app.rules.tables import ids, turns
from pi_app.rules.tables import position as tables_position
from pi_app.rules.tables.position import (
    AGAINST,
    ALL_MEN,
    BAR,
    BAR_SPOTS,
    BLOT,
    CHECKERS,
    HOME,
    OFF,
    OFF_SPOTS,
    POINT_SPOTS,
    POINTS,
    Encounter,
    Field,
    Men,
    Paths,
    Restriction,
    TablesPosition,
    Variant,
    above,
    count,
    in_contact,
    is_far_back,
    is_stop,
    numbers,
    one,
    seen_by,
    winner,
)
from pi_app.rules.tables.turns import Order, after_states, longest, stepped
from pi_app.rules.terms import (
    Broken,
    Checkers,
    Example,
    IllegalPlayError,
    Move,
    Outcome,
    Play,
    Roll,
    Rule,
    Sheet,
    Side,
    Spot,
    rulebook,
)
from pi_app.words.sentences import Said, Sentence

BROKEN: Mapping[str, tuple[int, Sentence]] = {
    "not-your-checker": (1, Sentence("A player moves only his own checkers.")),
    "no-checker-there": (1, Sentence("A move begins where a checker stands.")),
    "backward": (1, Sentence("Each side moves from its own 24 to its own 1.")),
    "wrong-distance": (
        2,
        Sentence("A checker moves by the number on a die, or by several in turn."),
    ),
    "die-used": (2, Sentence("Each die is played once, a doublet four times.")),
    "point-held": (3, Sentence("A point that the enemy holds is closed.")),
    "hit-on-the-way": (4, Sentence("A checker that lands on a single enemy hits it.")),
    "pinned": (4, Sentence("A pinned checker stays until every enemy has left the point.")),
    "bar-first": (5, Sentence("Checkers on the bar enter first.")),
    "must-move": (6, Sentence("A player with a legal move must move.")),
    "both-dice": (
        6,
        Sentence("Both numbers, or all four of a doublet, are played if that is possible."),
    ),
    "higher-die": (6, Sentence("If either number can be played but not both, the higher must be.")),
    "not-all-home": (7, Sentence("Bearing off waits until all checkers are home.")),
    "farther-back": (7, Sentence("A higher die bears off only from the highest point.")),
    "off-is-final": (7, Sentence("A checker that is off stays off.")),
    "game-over": (8, Sentence("No moves after the game is won.")),
}
"""The rules that can be broken: number on the sheet, and sentence."""
BRIEF: Mapping[str, Sentence] = {
    "not-your-checker": Sentence("not your checker"),
    "no-checker-there": Sentence("no checker there"),
    "backward": Sentence("wrong direction"),
    "wrong-distance": Sentence("not this far"),
    "die-used": Sentence("no die is left for it"),
    "point-held": Sentence("that point is closed"),
    "hit-on-the-way": Sentence("a checker is hit on the way"),
    "pinned": Sentence("that checker is pinned"),
    "bar-first": Sentence("enter from the bar first"),
    "must-move": Sentence("you must move"),
    "both-dice": Sentence("play both dice"),
    "higher-die": Sentence("play the higher die"),
    "not-all-home": Sentence("not all are home"),
    "farther-back": Sentence("others stand farther back"),
    "off-is-final": Sentence("what is off stays off"),
    "game-over": Sentence("the game is over"),
}
"""What a spoken warning says instead."""

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
    "With all checkers at home, a die bears off from its point. A die higher than "
    "every occupied point bears off from the highest; otherwise a die moves a "
    "checker."
)
TWO_TO_SEVEN = (EACH_DIE, CLOSED, HIT, ENTER_FIRST, ALL_DICE, BEARING_OFF)
"""The rules 2 to 7 of games in which checkers are hit."""

START = "-b----E-C---eE---c-e----B- w"

UP_TO_SEVEN = (
    Example(1, Sentence("The start, and White's first move."), START, "65: 24/13"),
    Example(2, Sentence("A 3 and a 1, each by a checker of its own."), START, "31: 8/5 6/5"),
    Example(2, Sentence("A doublet is four moves."), START, "22: 13/11(2) 6/4(2)"),
    Example(
        3, Sentence("Five enemies hold the point of the 5: it is closed."), START, "52: 24/19?"
    ),
    Example(
        4,
        Sentence("The 4 hits a single checker, which goes to the bar."),
        "-b----E-C---eE---b-ea---B- w",
        "42: 24/20* 13/11",
    ),
    Example(
        5,
        Sentence("The 6 is closed: White enters with the 2, then plays the 6."),
        "-b----E-C---eE---c-e----AA w",
        "62: bar/23 24/18",
    ),
    Example(
        6,
        Sentence("Either number can be played but not both: play the higher."),
        "-EEDb-------A------eec---- w",
        "53: 12/9?",
    ),
    Example(
        7,
        Sentence("A 6 and a 4 bear off from their own points."),
        "-BBBBBB-----------dea--e-- w",
        "64: 6/off 4/off",
    ),
    Example(
        7,
        Sentence("All points are lower: double 5 bears off from the highest."),
        "-BCBB-------------dea--e-- w",
        "55: 4/off(2) 3/off(2)",
    ),
)
WON = "------------------dea--e-- b"
"""A position in which White has borne off all fifteen and Black none."""


ABSENT: Mapping[Encounter, tuple[str, ...]] = {
    Encounter.HIT: ("pinned",),
    Encounter.PIN: ("bar-first", "hit-on-the-way"),
    Encounter.BLOCK: ("bar-first", "hit-on-the-way", "pinned"),
}
"""The identifiers of rules that a game with this encounter does not have."""

NOBODY_ON = Sentence("No checker stands on {spot}")
NOBODY_ON_BAR = Sentence("No checker stands on the bar")
NOBODY_OFF = Sentence("No checker stands off the board")
NOT_THEIRS = Sentence("No checker of {side}'s goes to {owner}'s {spot}")


def _lifted(position: TablesPosition, origin: Spot, paths: Paths, book: Mapping[str, Rule]) -> Side:
    """Return the side of the checker that is lifted: the mover's, if it has one there."""
    for side in (position.mover, position.mover.other):
        number = paths.numbers[side].get(origin)
        if number is not None and count(position.men(side), number):
            return side
    raise IllegalPlayError(
        Broken(book["no-checker-there"], nobody_on(position.mover, origin, paths))
    )


def nobody_on(mover: Side, spot: Spot, paths: Paths) -> Said:
    if spot in BAR_SPOTS:
        return NOBODY_ON_BAR()
    if spot in OFF_SPOTS:
        return NOBODY_OFF()
    return NOBODY_ON(spot=name_spot(spot, Counting(POINTS, mover, paths.facing)))


def not_theirs(side: Side, spot: Spot) -> Said:
    return NOT_THEIRS(side=name_side(side), owner=name_side(side.other), spot=name_spot(spot))


def _carried(
    position: TablesPosition, side: Side, origin: int, target: int, variant: Variant
) -> TablesPosition:
    across, encounter = variant.paths.across, variant.encounter
    own, own_pinned = position.men(side), position.pinned(side)
    enemy, enemy_pinned = position.men(side.other), position.pinned(side.other)
    own -= one(origin)
    if count(own_pinned, origin):
        own_pinned -= one(origin)
    elif not count(own, origin) and count(enemy_pinned, across[origin]):
        enemy_pinned -= one(across[origin])
    meets = count(enemy, across[target]) if OFF < target < BAR else 0
    if meets == 1 and not count(own, target):
        if encounter is Encounter.PIN:
            enemy_pinned += one(across[target])
        elif encounter is Encounter.HIT:
            enemy += one(BAR) - one(across[target])
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
SO_FAR = Sentence("{n} pip; the dice are {dice}", "{n} pips; the dice are {dice}")
ONLY_LEFT = Sentence("{n} pip; only {dice} is left", "{n} pips; only {dice} is left")
POINT_HELD = Sentence("{enemy} holds {point}")
HITS_ON_THE_WAY = Sentence("A single enemy on the way is hit; it goes to the bar")
BOTH_DICE = Sentence("Play both dice: the {die} is unused")
HIGHER_DIE = Sentence("Play the higher die: the {die}")
OF_A_DOUBLET = (
    Sentence("Play two {die}s: {missing} unused"),
    Sentence("Play three {die}s: {missing} unused"),
    Sentence("Play four {die}s: {missing} unused"),
)
"""Item n is for a doublet of which n + 2 dice can be played; with one, any move has played it."""
MISSING = (Sentence("one"), Sentence("two"), Sentence("three"))


@dataclass(frozen=True, slots=True)
class TriedWay:
    """A move that is being completed: where its checker is now, its origin and its target."""

    now: int
    origin: int
    target: int


@dataclass(slots=True)
class Search:
    """The states that an attempt can end in, and the fault found after the most moves."""

    ends: list[tuple[int, Order]] = field(default_factory=list)
    depth: int = -1
    fault: Broken | None = None

    def note(self, depth: int, fault: Broken) -> None:
        """Keep the fault found deepest; of two at the same depth, the first."""
        if depth > self.depth:
            self.depth, self.fault = depth, fault


class TriedTurn(NamedTuple):
    """The turn that an attempt is compared with. `dice` are all it has, a doublet's four times.

    A tuple, because the search reads its fields constantly.
    """

    position: TablesPosition
    roll: Roll
    book: Mapping[str, Rule]
    field: Field
    side: Side
    paths: Paths
    dice: Order
    counting: Counting

    @classmethod
    def of(
        cls, position: TablesPosition, roll: Roll, book: Mapping[str, Rule], field: Field
    ) -> TriedTurn:
        side, paths = position.mover, field.variant.paths
        dice = roll.dice if len(set(roll.dice)) > 1 else roll.dice * 2
        counting = Counting(POINTS, side, paths.facing)
        return cls(position, roll, book, field, side, paths, dice, counting)

    def broken(self, why: str, reason: Said, heard: Said | None = None) -> Broken:
        return Broken(self.book[why], reason, heard)

    def restricted(self, rule: Restriction, **words: Said) -> Broken:
        words |= {"side": name_side(self.side), "enemy": name_side(self.side.other)}
        reason = rule.reason(**{place: words[place] for place in rule.reason.places})
        return self.broken(rule.identifier, reason)


def _nothing_moved(turn: TriedTurn) -> Broken | None:
    first = turns.plays(turn.position, turn.roll, turn.field.variant)[0]
    if not first:
        return None
    written = turns.write_play(first, turn.side, turn.paths)
    reason = MUST_MOVE(side=name_side(turn.side), play=written)
    return turn.broken("must-move", reason)


def _never(turn: TriedTurn, move: Move, attempt: tuple[Move, ...]) -> Broken | None:
    """Return a fault that no dice could cure: a wrong side's checker or a wrong direction."""
    fault = _bad_origin(turn, move.origin, any(move.origin == other.target for other in attempt))
    if fault:
        return fault
    side, number = turn.side, turn.paths.numbers[turn.side]
    target = number.get(move.target)
    if target is None:
        heard = OTHERS_PLACE(owner=name_side(side.other))
        return turn.broken("not-your-checker", not_theirs(side, move.target), heard)
    if target == BAR:
        return turn.broken("backward", ONLY_A_HIT(way=name_move(move, turn.counting)))
    if target >= number[move.origin]:
        way, first, last = name_move(move, turn.counting), _at(turn, POINTS), _at(turn, 1)
        reason = GOES_BACK(way=way, side=name_side(side), first=first, last=last)
        return turn.broken("backward", reason)
    return None


def _bad_origin(turn: TriedTurn, origin: Spot, arrives: bool) -> Broken | None:
    """Check the origin. A checker may have arrived there earlier in the same turn."""
    side, position, numbers = turn.side, turn.position, turn.paths.numbers
    if origin in OFF_SPOTS:
        return turn.broken("off-is-final", STAYS_OFF())
    number = numbers[side].get(origin)
    if number is not None and (count(position.men(side), number) or arrives):
        if count(position.pinned(side), number):
            point, enemy = name_spot(origin, turn.counting), name_side(side.other)
            reason = IS_PINNED(side=name_side(side), point=point, enemy=enemy)
            return turn.broken("pinned", reason)
        return None
    theirs = numbers[side.other].get(origin)
    if theirs is not None and count(position.men(side.other), theirs):
        heard = THATS_OTHERS(owner=name_side(side.other))
        return turn.broken("not-your-checker", _others(turn, origin), heard)
    return turn.broken("no-checker-there", nobody_on(side, origin, turn.paths))


def _others(turn: TriedTurn, origin: Spot) -> Said:
    owner, side = name_side(turn.side.other), name_side(turn.side)
    if origin in BAR_SPOTS:
        return OTHERS_ON_BAR(owner=owner, side=side)
    return OTHERS_CHECKER(point=name_spot(origin, turn.counting), owner=owner, side=side)


def _follow(turn: TriedTurn, search: Search, state: int, dice: Order, ways: list[TriedWay]) -> None:
    """Try every order of dice, farthest checker first; in any order if steps are restricted."""
    open_ways = sorted((way for way in ways if way.now != way.target), key=lambda way: -way.now)
    if not open_ways:
        search.ends.append((state, dice))
    tried = open_ways if turn.field.variant.on_steps else open_ways[:1]
    for index, way in enumerate(tried):
        _step_by(turn, search, state, dice, way, open_ways[:index] + open_ways[index + 1 :])


def _step_by(
    turn: TriedTurn,
    search: Search,
    state: int,
    dice: Order,
    way: TriedWay,
    others: list[TriedWay],
) -> None:
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
        moved = stepped(turn.field, state, (way.now, now))
        assert moved is not None
        _follow(turn, search, moved, rest, [TriedWay(now, way.origin, way.target), *others])


def _useful(way: TriedWay, dice: Order) -> Iterator[tuple[int, Order]]:
    for index, die in enumerate(dice):
        rest = dice[:index] + dice[index + 1 :]
        if die not in dice[:index] and _reaches(max(way.now - die, OFF), way.target, rest):
            yield die, rest


def _reaches(now: int, target: int, dice: Order) -> bool:
    if now <= target:
        return now == target
    return any(
        _reaches(max(now - die, OFF), target, dice[:index] + dice[index + 1 :])
        for index, die in enumerate(dice)
    )


def _step_fault(turn: TriedTurn, state: int, way: TriedWay, die: int) -> Broken | None:
    """Return what stops a checker from moving by one die; None if nothing does."""
    own = state & ALL_MEN
    # A hand that takes more checkers than there are would go on with the enemy's beneath.
    if not count(own, way.now):
        return turn.broken("no-checker-there", NO_SECOND(spot=_at(turn, way.now)))
    if rule := turns.broken(turn.field, state, way.now):
        return turn.restricted(rule, way=_whole(turn, way))
    if count(own, BAR) and way.now != BAR:
        return turn.broken("bar-first", BAR_FIRST(side=name_side(turn.side)))
    if way.now > die:
        return _held(turn, way, way.now - die)
    return _stays_on(turn, own, way, die)


def _stays_on(turn: TriedTurn, own: Men, way: TriedWay, die: int) -> Broken | None:
    """Return what stops a checker from being borne off by a die; None if nothing does."""
    if own & above(HOME):
        reason = NOT_HOME(way=_whole(turn, way), point=_at(turn, numbers(own)[0]))
        return turn.broken("not-all-home", reason)
    if way.now < die and own & above(way.now):
        back = _at(turn, numbers(own)[0])
        reason = FARTHER_BACK(way=_whole(turn, way), die=die, point=back)
        return turn.broken("farther-back", reason)
    return None


def _held(turn: TriedTurn, way: TriedWay, number: int) -> Broken | None:
    if turn.field.landing[number] <= BLOT:
        return None
    whole, enemy, point = _whole(turn, way), name_side(turn.side.other), _at(turn, number)
    if count(turn.position.pinned(turn.side), number):
        return turn.broken("point-held", PINS_THERE(way=whole, enemy=enemy, point=point))
    there = count(turn.position.men(turn.side.other), turn.paths.across[number])
    reason = HOLDS(way=whole, enemy=enemy, point=point, n=there)
    return turn.broken("point-held", reason, POINT_HELD(enemy=enemy, point=point))


def _distance(turn: TriedTurn, way: TriedWay, dice: Order) -> Broken:
    """Report that no remaining dice add up to this distance."""
    far, whole = way.now - way.target, _whole(turn, way)
    if not dice:
        return turn.broken("die-used", NEEDS_A_DIE(way=whole, n=far))
    if dice != turn.dice and _reaches(way.now, way.target, turn.dice):
        left = listed(dice)
        reason = NEEDS_MORE_THAN_LEFT(way=whole, n=far, dice=left)
        return turn.broken("die-used", reason, ONLY_LEFT(n=far, dice=left))
    reason = NEEDS_OTHER_DICE(way=whole, n=far, dice=listed(turn.roll.dice))
    heard = SO_FAR(n=far, dice=name_roll(str(turn.roll)))
    return turn.broken("wrong-distance", reason, heard)


def _judged(turn: TriedTurn, search: Search, left: TablesPosition) -> Broken | None:
    """All moves were possible. Report a missing move or a forbidden final position, if any."""
    if not search.ends:
        return search.fault
    legal = turns.legal_ends(turn.field, turn.roll)
    states = [state for state, _ in search.ends]
    reached = after_states(turn.position, turn.field, states)
    if any(end == left and state in legal for state, end in zip(states, reached, strict=True)):
        return None
    if left not in reached:
        return turn.broken("hit-on-the-way", HITS_ON_THE_WAY())
    if fault := _forbidden_end(turn, left, legal):
        return fault
    unused = next(dice for (_, dice), end in zip(search.ends, reached, strict=True) if end == left)
    return _unused(turn, unused)


def _forbidden_end(turn: TriedTurn, left: TablesPosition, legal: Iterable[int]) -> Broken | None:
    """Return the restriction that this final position breaks. One that every legal turn breaks is
    waived."""
    for rule in turn.field.variant.on_ends:
        ends = (rule.breaks(turn.field, state & ALL_MEN, OFF) for state in legal)
        if rule.breaks(turn.field, left.men(turn.side), OFF) and not all(ends):
            return turn.restricted(rule)
    return None


def _unused(turn: TriedTurn, unused: Order) -> Broken:
    lines = longest(turn.field, turn.roll)[0]
    most = len(lines.steps(lines.nodes[0]))
    high, low = turn.roll.dice
    if high == low:
        missing = MISSING[most - (len(turn.dice) - len(unused)) - 1]
        return turn.broken("both-dice", OF_A_DOUBLET[most - 2](die=high, missing=missing()))
    if most > 1:
        return turn.broken("both-dice", BOTH_DICE(die=unused[0]))
    return turn.broken("higher-die", HIGHER_DIE(die=high))


def _whole(turn: TriedTurn, way: TriedWay) -> Said:
    spots = turn.paths.spots[turn.side]
    return name_way(spots[way.origin], spots[way.target], turn.counting)


def _at(turn: TriedTurn, number: int) -> str:
    return name_spot(turn.paths.spots[turn.side][number], turn.counting)


GAME_OVER = Sentence("Game over")

_SPOTS = (*POINT_SPOTS, *BAR_SPOTS, *OFF_SPOTS)
_SPOTS_WITHOUT_BAR = (*POINT_SPOTS, *OFF_SPOTS)


def lost_games(loser: Men) -> int:
    """Return how many single games a loss with these checkers counts: 1, 2 or 3 (rule 8)."""
    if count(loser, OFF):
        return 1
    return 3 if is_far_back(loser) else 2


def borne_off(names: tuple[str, ...], position: TablesPosition) -> Outcome | None:
    """Rule 8: the result once a side has borne off everything. `names` are those of losses that
    count 1, 2 and, in games that have it, 3."""
    side = winner(position)
    if side is None:
        return None
    points = min(len(names), lost_games(position.men(side.other)))
    return Outcome(side, points, names[points - 1])


def can_lose(names: tuple[Said, ...], position: TablesPosition, side: Side) -> Mapping[int, Said]:
    """Return the losses that rule 8 still allows; after one checker is off only a single game."""
    most = lost_games(position.men(side))
    # A checker that has passed all of the winner's is never hit again.
    if most == 2 and in_contact(position):
        most = 3
    return dict(enumerate(names[:most], start=1))


@dataclass(frozen=True, eq=False)
class TablesGame(Game[TablesPosition, Play]):
    """A game of the tables family.

    `placed` are pairs of point and checkers, by each side's own numbers. `encounter` says what
    happens to a single enemy, `paths` which way each side goes. `on_steps`, `on_ends` and
    `optional` are further restrictions: of a step, of a turn's final position, and of the latter
    under an option. `lacking` is how far the first checker must still go before others may move.
    `outcome_of` returns the result of a position, `given_up` what a side may
    resign. `variation` is GNU Backgammon's name of the game; with one, its position IDs and XGIDs
    are read and drawn.
    """

    name: str
    title: Said
    sheet: Sheet
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
    encounter: Encounter = Encounter.HIT
    paths: Paths = AGAINST
    checkers_a_side: int = CHECKERS
    on_steps: tuple[Restriction, ...] = ()
    on_ends: tuple[Restriction, ...] = ()
    optional: tuple[tuple[Option, Restriction], ...] = ()
    lacking: Callable[[Men], int] = lambda _: 0
    agreed: tuple[str, ...] = ()
    variation: str = ""
    graded: bool = False

    aim = Sentence("The first who has borne off all checkers wins.")()
    dice = 2

    @cached_property
    def variant(self) -> Variant:
        a_side, on_steps, on_ends = self.checkers_a_side, self.on_steps, self.on_ends
        return Variant(self.encounter, self.paths, a_side, on_steps, on_ends)

    def under(self, agreed: Collection[str]) -> TablesGame:
        own = {option.name: rule for option, rule in self.optional if option.name in agreed}
        ends = (*self.on_ends, *own.values())
        return replace(self, on_ends=ends, agreed=tuple(own)) if own else self

    @cached_property
    def book(self) -> Mapping[str, Rule]:
        absent, own = ABSENT[self.encounter], (*self.on_steps, *self.on_ends)
        shared = {why: BROKEN[why] for why in BROKEN if why not in absent}
        rules = shared | {rule.identifier: (rule.number, rule.sentence) for rule in own}
        brief = {**BRIEF, **{rule.identifier: rule.brief for rule in own}}
        return rulebook(self.sheet, rules, brief)

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(self.book.values())

    @property
    def spots(self) -> tuple[Spot, ...]:
        return _SPOTS if self.variant.bars else _SPOTS_WITHOUT_BAR

    @property
    def facing(self) -> Facing:
        return self.paths.facing

    def start(self, mover: Side) -> TablesPosition:
        return tables_position.start(mover, *self.placed)

    def with_mover(self, position: TablesPosition, mover: Side) -> TablesPosition:
        return position.with_mover(mover)

    def plays(self, position: TablesPosition, roll: Roll) -> tuple[Play, ...]:
        """Rules 2 to 7. A forfeit is the empty play."""
        if self.outcome_of(position):
            return ()
        return turns.plays(position, roll, self.variant)

    def results(self, position: TablesPosition, roll: Roll) -> tuple[TablesPosition, ...]:
        if self.outcome_of(position):
            return ()
        return turns.results(position, roll, self.variant)

    def midways(self, position: TablesPosition, roll: Roll) -> tuple[Midway[TablesPosition], ...]:
        if self.outcome_of(position):
            return ()
        return turns.midways(position, roll, self.variant)

    def passes(self, position: TablesPosition, roll: Roll, move: Move, spot: Spot) -> bool:
        return is_stop(self.paths, position.mover, roll, (move.origin, spot, move.target))

    def attempted(self, position: TablesPosition, attempt: tuple[Move, ...]) -> TablesPosition:
        """As in the contract.

        The farthest checker moves first, because another move may begin where it ends. A single
        enemy is hit or pinned; on two or more enemies both sides stand together. Raises
        IllegalPlayError for a checker that is not there, or a move to the other side's tray.
        """
        number = self.paths.numbers[position.mover]
        for move in sorted(attempt, key=lambda move: -number.get(move.origin, OFF)):
            side = _lifted(position, move.origin, self.paths, self.book)
            own = self.paths.numbers[side]
            target = own.get(move.target)
            if target is None:
                reason = not_theirs(side, move.target)
                raise IllegalPlayError(Broken(self.book["not-your-checker"], reason))
            position = _carried(position, side, own[move.origin], target, self.variant)
        return position.with_mover(position.mover.other)

    def outcome(self, position: TablesPosition) -> Outcome | None:
        return self.outcome_of(position)

    def resignations(self, position: TablesPosition, side: Side) -> Mapping[int, Said]:
        return self.given_up(position, side)

    def explain(
        self, position: TablesPosition, roll: Roll, attempt: tuple[Move, ...]
    ) -> Broken | None:
        if self.outcome_of(position):
            return Broken(self.book["game-over"], GAME_OVER())
        field = turns.field_of(position, self.variant)
        turn = TriedTurn.of(position, roll, self.book, field)
        if not attempt:
            return _nothing_moved(turn)
        for move in attempt:
            if fault := _never(turn, move, attempt):
                return fault
        try:
            left = self.attempted(position, attempt)
        except IllegalPlayError as error:
            return error.broken
        number, search = self.paths.numbers[turn.side], Search()
        ways = [TriedWay(number[m.origin], number[m.origin], number[m.target]) for m in attempt]
        _follow(turn, search, field.state, turn.dice, ways)
        return _judged(turn, search, left)

    def pips(self, position: TablesPosition, side: Side) -> int:
        return tables_position.pips(position.men(side))

    def first_lacks(self, position: TablesPosition, side: Side) -> int:
        return self.lacking(position.men(side))

    def checkers_at(self, position: TablesPosition) -> Checkers:
        """All points, bars and trays. A pinned checker is the lowest on its point."""
        return tables_position.checkers_at(position, self.variant)

    def counts(self, position: TablesPosition) -> tuple[int, ...]:
        return tables_position.counts(position, self.variant)

    def counts_of(self, position: TablesPosition, side: Side) -> tuple[int, ...]:
        return tables_position.counts_of(position, side, self.variant)

    def hit_to(self, side: Side) -> Spot:
        return self.paths.spots[side][BAR if self.variant.bars else OFF]

    def position_of(self, checkers: Checkers, mover: Side) -> TablesPosition:
        return tables_position.place(checkers, mover, self.variant)

    def impossible(self, position: TablesPosition, before: TablesPosition) -> tuple[str, ...]:
        return tables_position.impossible(position, self.variant)

    def read_position(self, text: str) -> TablesPosition:
        """Read 26 characters and the mover, in the Pin game also the pinned points; or an XGID or
        position ID."""
        position = ids.read_id(text, self.checkers_a_side) if self.variation else None
        return position or tables_position.read_position(text, self.variant)

    def write_position(self, position: TablesPosition) -> str:
        return tables_position.write_position(position, self.variant)

    def read_play(self, position: TablesPosition, text: str) -> Play:
        return turns.read_play(position, text, self.variant)

    def write_play(self, position: TablesPosition, play: Play) -> str:
        return turns.write_play(play, position.mover, self.paths)

    def draw(self, position: TablesPosition) -> str:
        """Draw the board as White sees it, with its IDs. A pinned checker is nearest the edge."""
        drawn = tables_position.draw(position, self.variant)
        if not self.variation:
            return drawn
        return f"{drawn}\nPosition ID {ids.write_position_id(position)}"
