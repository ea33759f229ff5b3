"""Nannon's sheet, its rules, and which of them an attempt breaks."""

from __future__ import annotations

from pi_app.rules.naming import listed, name_move, name_side, name_spot
from pi_app.rules.nannon.position import (
    BOARD,
    HOME,
    SAFETY,
    SPOTS,
    NannonPosition,
    index_of,
    steps_of,
)
from pi_app.rules.terms import Broken, Example, Move, Roll, Rule, Sheet, Side, Spot
from pi_app.words.sentences import OR, Listing, Sentence

EXAMPLES = (
    Example(1, Sentence("The start: one at HOME, two on the board."), "1ww..bb1 w"),
    Example(
        2,
        Sentence("White threw 5 and Black 3: White plays the difference."),
        "1ww..bb1 w",
        roll="2",
        play="2/4",
    ),
    Example(
        3,
        Sentence("With a 3 the checker at HOME enters on spot 3."),
        "1ww..bb1 w",
        roll="3",
        play="HOME/3",
    ),
    Example(
        4,
        Sentence("The 2 hits a single checker; it goes back to its HOME."),
        "1.w.b.w2 w",
        roll="2",
        play="2/4*",
    ),
    Example(
        4,
        Sentence("Spots 5 and 6 are a prime: nobody lands there."),
        "1ww..bb1 w",
        roll="3",
        attempt="2/5",
    ),
    Example(
        5,
        Sentence("Black's checker on 4 leaves with a 4, a 5 or a 6."),
        "1w.wb.b1 b",
        roll="5",
        play="4/SAFETY",
    ),
    Example(
        6,
        Sentence("White cannot move a 3: the prime stops all of it, and the turn is forfeited."),
        "1wwbbb.0 w",
        roll="3",
    ),
    Example(
        7,
        Sentence("White has all three in SAFETY, Black none: a NANNON, 2 points."),
        "0..b.b.1 b",
    ),
)
SHEET = Sheet(
    Sentence("NANNON Rules"),
    (
        Sentence(
            "White enters below spot 1 and leaves past 6, Black the other way. Each side starts"
            " with one checker at HOME and one on each of its own first two spots."
        ),
        Sentence("Both throw; the higher plays the difference."),
        Sentence(
            "A turn is one checker by the whole die. From HOME a checker enters on the own spot"
            " that the die names; it never leaves from HOME directly."
        ),
        Sentence(
            "A checker may land on an empty spot or hit a single enemy, which goes to its HOME. It"
            " may not land on an own checker or on a prime: enemies on neighbouring spots of the"
            " board."
        ),
        Sentence(
            "A checker on the board may leave to SAFETY with a die that reaches past the last spot."
        ),
        Sentence("Who can move must; who cannot forfeits the turn."),
        Sentence("All three in SAFETY wins 1, or 2 (a NANNON) when the loser has none there."),
    ),
    EXAMPLES,
)


def _rule(identifier: str, number: int, sentence: Sentence) -> Rule:
    return Rule(identifier, sentence(), SHEET, number)


ONE_CHECKER = _rule("one-checker", 3, Sentence("A turn moves one checker."))
NOT_YOURS = _rule("not-your-checker", 3, Sentence("A player moves only his own checkers."))
NOBODY = _rule("no-checker-there", 3, Sentence("A move begins where a checker stands."))
HOME_ENTERS = _rule(
    "home-enters-first", 3, Sentence("A checker at HOME enters the board before it leaves.")
)
BACKWARD = _rule("backward", 1, Sentence("White moves from 1 to 6, Black from 6 to 1."))
DISTANCE = _rule(
    "wrong-distance", 3, Sentence("A checker moves the whole die, no more and no less.")
)
OWN_CHECKER = _rule("own-checker", 4, Sentence("Only one checker stands on a spot."))
PRIME = _rule(
    "prime", 4, Sentence("Checkers on neighbouring spots form a prime and cannot be hit.")
)
SAFETY_FAR = _rule(
    "safety-too-far", 5, Sentence("Leaving takes a die that reaches past the last spot.")
)
MUST_MOVE = _rule("must-move", 6, Sentence("A player with a legal move must move."))
FINAL = _rule("safety-is-final", 7, Sentence("A checker in SAFETY stays there."))

RULES = (
    ONE_CHECKER,
    NOT_YOURS,
    NOBODY,
    HOME_ENTERS,
    BACKWARD,
    DISTANCE,
    OWN_CHECKER,
    PRIME,
    SAFETY_FAR,
    MUST_MOVE,
    FINAL,
)


SEVERAL_MOVED = Sentence("More than one checker has moved; a turn moves one")
STAYS_SAFE = Sentence("A checker in SAFETY stays there")
NOBODY_ON = Sentence("No checker stands on {spot}")
NOBODY_AT_HOME = Sentence("{side} has no checker at HOME")
NOBODY_IN_SAFETY = Sentence("{side} has no checker in SAFETY")
OTHERS_HOME = Sentence("{owner}'s HOME stays as it is: {side} moves")
OTHERS_CHECKER = Sentence("The checker on {spot} is {owner}'s; it is {side}'s turn")
OWN_STANDS = Sentence("{way}: a checker of the same side stands on {spot}")
NOT_THEIRS = Sentence("No checker of {side}'s goes to {owner}'s {spot}")
WAYS = Sentence("{side} must move: {ways}")
WHITE_GOES_BACK = Sentence("{way} goes back; {side} moves from 1 to 6")
BLACK_GOES_BACK = Sentence("{way} goes back; {side} moves from 6 to 1")
PRIME_HOLDS = Sentence("{way}: {owner}'s prime holds {spots}")
ENTERS_ON = Sentence("HOME enters on {spot} with a {die}, not on {target}")
IS_ANOTHER_DISTANCE = (
    Sentence("{way} is one spot; the die shows {die}"),
    Sentence("{way} is two spots; the die shows {die}"),
    Sentence("{way} is three spots; the die shows {die}"),
    Sentence("{way} is four spots; the die shows {die}"),
    Sentence("{way} is five spots; the die shows {die}"),
)
ONLY_A_HIT = Sentence("{way}: only a hit sends a checker HOME")
ENTER_FIRST = Sentence("{way}: a checker must enter the board first")
NEEDS_A_SIX = Sentence("{way} needs a 6; the die shows {die}")
NEEDS_MORE = Sentence("{way} needs a {needed} or more; the die shows {die}")


def why_not(position: NannonPosition, roll: Roll, attempt: tuple[Move, ...]) -> Broken | None:
    """The first rule that moves break, in the order a referee would see it."""
    if len(attempt) > 1:
        return Broken(ONE_CHECKER, SEVERAL_MOVED())
    (move,) = attempt
    return _bad_origin(position, move) or _bad_way(position, roll, move)


def must_move(side: Side, legal: tuple[tuple[Move, ...], ...]) -> Broken:
    """Nothing was moved, and these plays are legal."""
    ways = Listing(tuple(name_move(move) for (move,) in legal), OR)
    return Broken(MUST_MOVE, WAYS(side=name_side(side), ways=ways))


def own_checker(move: Move) -> Broken:
    """A checker of the same side stands on the target."""
    return Broken(OWN_CHECKER, OWN_STANDS(way=name_move(move), spot=name_spot(move.target)))


def nobody_on(spot: Spot) -> Broken:
    """A move began on an empty spot."""
    return Broken(NOBODY, NOBODY_ON(spot=name_spot(spot)))


def nobody_at_home(side: Side) -> Broken:
    """A move began at an empty HOME."""
    return Broken(NOBODY, NOBODY_AT_HOME(side=name_side(side)))


def nobody_in_safety(side: Side) -> Broken:
    """A move began in an empty SAFETY."""
    return Broken(NOBODY, NOBODY_IN_SAFETY(side=name_side(side)))


def not_theirs(side: Side, spot: Spot) -> Broken:
    """A checker went to the other side's HOME or SAFETY."""
    who, owner = name_side(side), name_side(side.other)
    return Broken(NOT_YOURS, NOT_THEIRS(side=who, owner=owner, spot=name_spot(spot)))


def _bad_origin(position: NannonPosition, move: Move) -> Broken | None:
    side, other = position.mover, position.mover.other
    if move.origin in SAFETY.values():
        return Broken(FINAL, STAYS_SAFE())
    if move.origin == HOME[side]:
        return None if position.at_home(side) else nobody_at_home(side)
    if move.origin == HOME[other]:
        return Broken(NOT_YOURS, OTHERS_HOME(owner=name_side(other), side=name_side(side)))
    owner = position.spots[BOARD.index(move.origin)]
    if owner is None:
        return nobody_on(move.origin)
    if owner is other:
        spot, whose = name_spot(move.origin), name_side(other)
        return Broken(NOT_YOURS, OTHERS_CHECKER(spot=spot, owner=whose, side=name_side(side)))
    return None


def _bad_way(position: NannonPosition, roll: Roll, move: Move) -> Broken | None:
    """Distance first, then what stands on the target."""
    side, die = position.mover, roll.dice[0]
    start = 0 if move.origin == HOME[side] else steps_of(side, BOARD.index(move.origin))
    if move.target not in BOARD:
        return _bad_leave(side, die, start, move)
    index = BOARD.index(move.target)
    distance = steps_of(side, index) - start
    if distance <= 0:
        goes_back = WHITE_GOES_BACK if side is Side.WHITE else BLACK_GOES_BACK
        return Broken(BACKWARD, goes_back(way=name_move(move), side=name_side(side)))
    if distance != die:
        return _wrong_distance(side, die, None if start == 0 else distance, move)
    owner = position.spots[index]
    if owner is side:
        return own_checker(move)
    if owner and position.holds_prime(index):
        held = listed(_prime(position, index))
        reason = PRIME_HOLDS(way=name_move(move), owner=name_side(owner), spots=held)
        return Broken(PRIME, reason)
    return None


def _wrong_distance(side: Side, die: int, distance: int | None, move: Move) -> Broken:
    """A checker moved another distance than the die shows; from HOME it has none."""
    if distance is None:
        spot, target = name_spot(BOARD[index_of(side, die)]), name_spot(move.target)
        return Broken(DISTANCE, ENTERS_ON(spot=spot, die=die, target=target))
    return Broken(DISTANCE, IS_ANOTHER_DISTANCE[distance - 1](way=name_move(move), die=die))


def _bad_leave(side: Side, die: int, start: int, move: Move) -> Broken | None:
    way = name_move(move)
    if move.target in (HOME[side.other], SAFETY[side.other]):
        return not_theirs(side, move.target)
    if move.target == HOME[side]:
        return Broken(BACKWARD, ONLY_A_HIT(way=way))
    if start == 0:
        return Broken(HOME_ENTERS, ENTER_FIRST(way=way))
    needed = SPOTS + 1 - start
    if die >= needed:
        return None
    if needed == SPOTS:
        return Broken(SAFETY_FAR, NEEDS_A_SIX(way=way, die=die))
    return Broken(SAFETY_FAR, NEEDS_MORE(way=way, needed=needed, die=die))


def _prime(position: NannonPosition, index: int) -> tuple[Spot, ...]:
    """The spots of the prime around `index`."""
    owner = position.spots[index]
    low, high = index, index
    while low > 0 and position.spots[low - 1] is owner:
        low -= 1
    while high < SPOTS - 1 and position.spots[high + 1] is owner:
        high += 1
    return BOARD[low : high + 1]
