"""Nannon: six spots, three checkers a side, one die.

Source: "NANNON Rules" (nannon.com, 2004); cited by the numbers of its sheet.

A position's text is `1ww..bb1 w`: the checkers at White's HOME, the spots 1 to 6, the checkers at
Black's HOME, and the mover. The rest of each side's three checkers are in SAFETY.
"""

from __future__ import annotations

from collections.abc import Mapping

from pi_app.base.values import dataclass
from pi_app.rules.contract import JACOBY, TIE_TURNS_CUBE, Game, Opening
from pi_app.rules.naming import (
    OTHERS_PLACE,
    SINGLE_GAME,
    THATS_OTHERS,
    listed,
    name_move,
    name_outcomes,
    name_side,
    name_spot,
)
from pi_app.rules.terms import (
    Both,
    Broken,
    Checkers,
    Example,
    IllegalPlayError,
    Move,
    Outcome,
    Play,
    PositionError,
    Roll,
    Sheet,
    Side,
    Spot,
    SpotKind,
    Stack,
    TextError,
    rulebook,
)
from pi_app.words.sentences import OR, Listing, Said, Sentence
from pi_app.words.texts import quoted

SPOTS = 6
CHECKERS = 3
BOARD = tuple(Spot(SpotKind.POINT, number) for number in range(1, SPOTS + 1))
HOME: Mapping[Side, Spot] = {side: Spot(SpotKind.HOME, side=side) for side in Side}
SAFETY: Mapping[Side, Spot] = {side: Spot(SpotKind.SAFETY, side=side) for side in Side}

CROWDED = Sentence("spot {spot} holds {count} checkers, one at most")
HOLDS_OTHERS = Sentence("{side}'s HOME holds a checker of {other}")
TOO_MANY = Sentence(
    "{side} has {count} checkers ({home} at HOME and {board} on the board), three at most"
)
ALL_SAFE = Sentence("both sides have all three checkers in SAFETY; only one can win")


@dataclass(frozen=True, slots=True)
class NannonPosition:
    """The spots 1 to 6, the number of checkers at White's and Black's HOME, and the mover."""

    spots: tuple[Side | None, ...]
    home: tuple[int, int]
    mover: Side

    def at_home(self, side: Side) -> int:
        return self.home[side is Side.BLACK]

    def in_safety(self, side: Side) -> int:
        return CHECKERS - self.at_home(side) - self.spots.count(side)

    def holds_prime(self, index: int) -> bool:
        """Whether the checker at this index (spot less one) has a neighbour of its side."""
        neighbours = self.spots[max(index - 1, 0) : index] + self.spots[index + 1 : index + 2]
        return self.spots[index] in neighbours


def steps_of(side: Side, index: int) -> int:
    """Return the distance, 1 to 6, from this side's HOME to an index (spot number less one)."""
    return index + 1 if side is Side.WHITE else SPOTS - index


def index_of(side: Side, steps: int) -> int:
    """Return the index (spot number less one) at this distance from the side's HOME."""
    return steps - 1 if side is Side.WHITE else SPOTS - steps


def impossible(position: NannonPosition) -> list[Said]:
    reasons = []
    for side in Side:
        home, board = position.at_home(side), position.spots.count(side)
        if home + board > CHECKERS:
            who, count = name_side(side), home + board
            reasons.append(TOO_MANY(side=who, count=count, home=home, board=board))
    if not reasons and all(position.in_safety(side) == CHECKERS for side in Side):
        reasons.append(ALL_SAFE())
    return reasons


def _misspelt(text: str) -> list[str]:
    board, _, mover = text.partition(" ")
    reasons = []
    if mover not in ("w", "b"):
        reasons.append(f"the mover is {quoted(mover)}; end with ' w' or ' b'")
    if len(board) != SPOTS + 2:
        reasons.append(f"{quoted(board)} has {len(board)} characters; write HOME, six spots, HOME")
        return reasons
    for name, count in (("White", board[0]), ("Black", board[-1])):
        if count not in "0123":
            reasons.append(f"{name}'s HOME is {count!r}; write 0 to 3")
    for spot, sign in zip(BOARD, board[1:-1], strict=True):
        if sign not in "wb.":
            reasons.append(f"spot {spot} is {sign!r}; write w, b or .")
    return reasons


EXAMPLES = (
    Example(1, Sentence("The start: one at HOME, two on the board."), "1ww..bb1 w"),
    Example(
        2, Sentence("White rolled 5, Black 3: White plays the difference."), "1ww..bb1 w", "2: 2/4"
    ),
    Example(
        3, Sentence("With a 3 the checker at HOME enters on spot 3."), "1ww..bb1 w", "3: HOME/3"
    ),
    Example(
        4,
        Sentence("The 2 hits a single checker; it goes back to its HOME."),
        "1.w.b.w2 w",
        "2: 2/4*",
    ),
    Example(4, Sentence("Spots 5 and 6 are a prime: nobody lands there."), "1ww..bb1 w", "3: 2/5?"),
    Example(
        5,
        Sentence("Black's checker on 4 leaves with a 4, a 5 or a 6."),
        "1w.wb.b1 b",
        "5: 4/SAFETY",
    ),
    Example(
        6,
        Sentence("White has no move with a 3: the prime blocks it. White passes."),
        "1wwbbb.0 w",
        "3:",
    ),
    Example(
        7, Sentence("White has all three in SAFETY, Black none: a NANNON, 2 points."), "0..b.b.1 b"
    ),
)
SHEET = Sheet(
    Sentence("NANNON Rules"),
    (
        Sentence(
            "White enters below spot 1 and leaves past 6, Black the other way. Each side starts"
            " with one checker at HOME and one on each of its own first two spots."
        ),
        Sentence("Both roll; the higher die plays the difference."),
        Sentence(
            "A turn moves one checker by the whole die. From HOME a checker enters on "
            "the spot of its own side that the die names; it never leaves directly from "
            "HOME."
        ),
        Sentence(
            "A checker may land on an empty spot or hit a single enemy, which goes to "
            "its HOME. It may not land on its own side or on a prime: enemies on "
            "neighbouring spots of the board."
        ),
        Sentence(
            "A checker on the board may leave to SAFETY with a die that reaches past the last spot."
        ),
        Sentence("A player who can move must move; one who cannot passes."),
        Sentence("All three in SAFETY wins 1, or 2 (a NANNON) when the loser has none there."),
    ),
    EXAMPLES,
)


BROKEN: Mapping[str, tuple[int, Sentence]] = {
    "one-checker": (3, Sentence("A turn moves one checker.")),
    "not-your-checker": (3, Sentence("A player moves only his own checkers.")),
    "no-checker-there": (3, Sentence("A move begins where a checker stands.")),
    "home-enters-first": (3, Sentence("A checker at HOME enters the board before it leaves.")),
    "backward": (1, Sentence("White moves from 1 to 6, Black from 6 to 1.")),
    "wrong-distance": (3, Sentence("A checker moves the whole die, no more and no less.")),
    "own-checker": (4, Sentence("Only one checker stands on a spot.")),
    "prime": (4, Sentence("Checkers on neighbouring spots form a prime and cannot be hit.")),
    "safety-too-far": (5, Sentence("Leaving takes a die that reaches past the last spot.")),
    "must-move": (6, Sentence("A player with a legal move must move.")),
    "safety-is-final": (7, Sentence("A checker in SAFETY stays there.")),
}
"""The rules that can be broken: number on the sheet, and sentence."""
BRIEF: Mapping[str, Sentence] = {
    "one-checker": Sentence("one checker a turn"),
    "not-your-checker": Sentence("not your checker"),
    "no-checker-there": Sentence("no checker there"),
    "home-enters-first": Sentence("enter the board first"),
    "backward": Sentence("wrong direction"),
    "wrong-distance": Sentence("not this far"),
    "own-checker": Sentence("your own checker stands there"),
    "prime": Sentence("a prime holds that spot"),
    "safety-too-far": Sentence("safety is too far"),
    "must-move": Sentence("you must move"),
    "safety-is-final": Sentence("safe checkers stay"),
}
"""What a spoken warning says instead."""
BOOK = rulebook(SHEET, BROKEN, BRIEF)

SEVERAL_MOVED = Sentence("Only one checker a turn")
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
MOVED_SO_FAR = Sentence(
    "You moved {n} spot; the die shows {die}", "You moved {n} spots; the die shows {die}"
)
ENTERS_THERE = Sentence("With a {die} you enter on {spot}")
NEEDS_A_SIX = Sentence("{way} needs a 6; the die shows {die}")
NEEDS_MORE = Sentence("{way} needs a {needed} or more; the die shows {die}")


def own_checker(move: Move) -> Broken:
    return Broken(BOOK["own-checker"], OWN_STANDS(way=name_move(move), spot=name_spot(move.target)))


def nobody_on(spot: Spot) -> Broken:
    side = name_side(spot.side) if spot.side else ""
    reasons = {
        SpotKind.POINT: NOBODY_ON(spot=name_spot(spot)),
        SpotKind.HOME: NOBODY_AT_HOME(side=side),
        SpotKind.SAFETY: NOBODY_IN_SAFETY(side=side),
    }
    return Broken(BOOK["no-checker-there"], reasons[spot.kind])


def not_theirs(side: Side, spot: Spot) -> Broken:
    who, owner = name_side(side), name_side(side.other)
    reason = NOT_THEIRS(side=who, owner=owner, spot=name_spot(spot))
    return Broken(BOOK["not-your-checker"], reason, OTHERS_PLACE(owner=owner))


def _bad_origin(position: NannonPosition, move: Move) -> Broken | None:
    side, other = position.mover, position.mover.other
    if move.origin in SAFETY.values():
        return Broken(BOOK["safety-is-final"], STAYS_SAFE())
    if move.origin == HOME[side]:
        return None if position.at_home(side) else nobody_on(move.origin)
    whose = name_side(other)
    if move.origin == HOME[other]:
        reason = OTHERS_HOME(owner=whose, side=name_side(side))
        return Broken(BOOK["not-your-checker"], reason, THATS_OTHERS(owner=whose))
    owner = position.spots[BOARD.index(move.origin)]
    if owner is None:
        return nobody_on(move.origin)
    if owner is other:
        reason = OTHERS_CHECKER(spot=name_spot(move.origin), owner=whose, side=name_side(side))
        return Broken(BOOK["not-your-checker"], reason, THATS_OTHERS(owner=whose))
    return None


def _bad_way(position: NannonPosition, roll: Roll, move: Move) -> Broken | None:
    """Check the distance, then the target."""
    side, die = position.mover, roll.dice[0]
    start = 0 if move.origin == HOME[side] else steps_of(side, BOARD.index(move.origin))
    if move.target not in BOARD:
        return _bad_leave(side, die, start, move)
    index = BOARD.index(move.target)
    distance = steps_of(side, index) - start
    if distance <= 0:
        goes_back = WHITE_GOES_BACK if side is Side.WHITE else BLACK_GOES_BACK
        return Broken(BOOK["backward"], goes_back(way=name_move(move), side=name_side(side)))
    if distance != die:
        return _wrong_distance(side, die, None if start == 0 else distance, move)
    owner = position.spots[index]
    if owner is side:
        return own_checker(move)
    if owner and position.holds_prime(index):
        held = listed(_prime(position, index))
        reason = PRIME_HOLDS(way=name_move(move), owner=name_side(owner), spots=held)
        return Broken(BOOK["prime"], reason)
    return None


def _wrong_distance(side: Side, die: int, distance: int | None, move: Move) -> Broken:
    """Return the broken rule; a move from HOME can only be as long as the die."""
    if distance is None:
        spot, target = name_spot(BOARD[index_of(side, die)]), name_spot(move.target)
        heard = ENTERS_THERE(die=die, spot=spot)
        return Broken(BOOK["wrong-distance"], ENTERS_ON(spot=spot, die=die, target=target), heard)
    reason = IS_ANOTHER_DISTANCE[distance - 1](way=name_move(move), die=die)
    return Broken(BOOK["wrong-distance"], reason, MOVED_SO_FAR(n=distance, die=die))


def _bad_leave(side: Side, die: int, start: int, move: Move) -> Broken | None:
    way = name_move(move)
    if move.target in (HOME[side.other], SAFETY[side.other]):
        return not_theirs(side, move.target)
    if move.target == HOME[side]:
        return Broken(BOOK["backward"], ONLY_A_HIT(way=way))
    if start == 0:
        return Broken(BOOK["home-enters-first"], ENTER_FIRST(way=way))
    needed = SPOTS + 1 - start
    if die >= needed:
        return None
    if needed == SPOTS:
        return Broken(BOOK["safety-too-far"], NEEDS_A_SIX(way=way, die=die))
    return Broken(BOOK["safety-too-far"], NEEDS_MORE(way=way, needed=needed, die=die))


def _prime(position: NannonPosition, index: int) -> tuple[Spot, ...]:
    owner = position.spots[index]
    low, high = index, index
    while low > 0 and position.spots[low - 1] is owner:
        low -= 1
    while high < SPOTS - 1 and position.spots[high + 1] is owner:
        high += 1
    return BOARD[low : high + 1]


FORFEIT = "forfeit"
NOT_YOURS = BOOK["not-your-checker"]


class Nannon(Game[NannonPosition, Play]):
    name = "nannon"
    title = Sentence("Nannon")()
    aim = Sentence("The first with all three checkers in SAFETY wins.")()
    dice = 1
    opening = Opening.DIFFERENCE
    has_cube = True
    match_length = 11
    options = (TIE_TURNS_CUBE, JACOBY)
    sheet = SHEET
    rules = tuple(BOOK.values())
    outcome_names = name_outcomes(Sentence("win"), Sentence("NANNON"))
    fanfare = "NANNON"
    checkers_a_side = CHECKERS
    spots = (*BOARD, *HOME.values(), *SAFETY.values())

    def start(self, mover: Side) -> NannonPosition:
        white, black = Side.WHITE, Side.BLACK
        return NannonPosition((white, white, None, None, black, black), (1, 1), mover)

    def plays(self, position: NannonPosition, roll: Roll) -> tuple[Play, ...]:
        """Rules 3 to 6. A forfeit is the empty play."""
        if self.outcome(position):
            return ()
        ways = _legal_ways(position, roll.dice[0])
        return tuple((_move(position, *way),) for way in ways) or ((),)

    def attempted(self, position: NannonPosition, attempt: tuple[Move, ...]) -> NannonPosition:
        stacks = dict(self.checkers_at(position))
        for move in attempt:
            if not stacks[move.origin]:
                raise IllegalPlayError(nobody_on(move.origin))
            side, *rest = stacks[move.origin]
            stacks[move.origin] = tuple(rest)
            there = stacks[move.target]
            if move.target in BOARD and there == (side,):
                raise IllegalPlayError(own_checker(move))
            if move.target not in (*BOARD, HOME[side], SAFETY[side]):
                raise IllegalPlayError(not_theirs(side, move.target))
            if there == (side.other,):
                stacks[HOME[side.other]] += there
                there = ()
            stacks[move.target] = (*there, side)
        return _position(stacks, position.mover.other)

    def after(self, position: NannonPosition, play: Play) -> NannonPosition:
        """As in the contract, but twice as fast as `attempted`: the solver calls it for every
        position."""
        spots, home, side = list(position.spots), list(position.home), position.mover
        for move in play:
            home[side.other is Side.BLACK] += move.hit
            if move.origin.kind is SpotKind.HOME:
                home[side is Side.BLACK] -= 1
            else:
                spots[move.origin.number - 1] = None
            if move.target.kind is SpotKind.POINT:
                spots[move.target.number - 1] = side
        return NannonPosition(tuple(spots), (home[0], home[1]), side.other)

    def outcome(self, position: NannonPosition) -> Outcome | None:
        for side in (Side.WHITE, Side.BLACK):
            if side not in position.spots and position.at_home(side) == 0:
                shut_out = position.in_safety(side.other) == 0
                return Outcome(side, 2, "NANNON") if shut_out else Outcome(side, 1, "win")
        return None

    def resignations(self, position: NannonPosition, side: Side) -> Mapping[int, Said]:
        """A plain loss; also a NANNON (rule 7) while the side has no checker in SAFETY."""
        if position.in_safety(side):
            return {1: SINGLE_GAME}
        return {1: SINGLE_GAME, 2: self.outcome_names["NANNON"]}

    def explain(
        self, position: NannonPosition, roll: Roll, attempt: tuple[Move, ...]
    ) -> Broken | None:
        if len(attempt) > 1:
            foreign = (_bad_origin(position, move) for move in attempt)
            not_own = next((bad for bad in foreign if bad and bad.rule is NOT_YOURS), None)
            return not_own or Broken(BOOK["one-checker"], SEVERAL_MOVED())
        if attempt:
            return _bad_origin(position, attempt[0]) or _bad_way(position, roll, attempt[0])
        legal = self.plays(position, roll)
        if legal == ((),):
            return None
        ways = Listing(tuple(name_move(move) for (move,) in legal), OR)
        return Broken(BOOK["must-move"], WAYS(side=name_side(position.mover), ways=ways))

    def checkers_at(self, position: NannonPosition) -> Checkers:
        checkers: dict[Spot, Stack] = {
            spot: (owner,) if owner else ()
            for spot, owner in zip(BOARD, position.spots, strict=True)
        }
        for side in Side:
            checkers[HOME[side]] = (side,) * position.at_home(side)
            checkers[SAFETY[side]] = (side,) * position.in_safety(side)
        return checkers

    def hit_to(self, side: Side) -> Spot:
        return HOME[side]

    def position_of(self, checkers: Checkers, mover: Side) -> NannonPosition:
        stacks = [checkers.get(spot, ()) for spot in BOARD]
        reasons: list[Said] = [
            CROWDED(spot=str(spot), count=len(stack))
            for spot, stack in zip(BOARD, stacks, strict=True)
            if len(stack) > 1
        ]
        reasons += [
            HOLDS_OTHERS(side=name_side(side), other=name_side(side.other))
            for side in Side
            if side.other in checkers.get(HOME[side], ())
        ]
        position = _position(checkers, mover)
        if reasons := [*reasons, *impossible(position)]:
            raise PositionError(self.write_position(position), tuple(reasons))
        return position

    def impossible(self, position: NannonPosition, before: NannonPosition) -> tuple[str, ...]:
        return tuple(impossible(position))

    def read_position(self, text: str) -> NannonPosition:
        if misspelt := _misspelt(text):
            raise PositionError(text, tuple(misspelt))
        board, mover = text.split(" ")
        sides: dict[str, Side | None] = {"w": Side.WHITE, "b": Side.BLACK, ".": None}
        home = (int(board[0]), int(board[-1]))
        side = Side.WHITE if mover == "w" else Side.BLACK
        position = NannonPosition(tuple(sides[char] for char in board[1:-1]), home, side)
        if wrong := impossible(position):
            raise PositionError(text, tuple(wrong))
        return position

    def write_position(self, position: NannonPosition) -> str:
        spots = "".join(owner.letter if owner else "." for owner in position.spots)
        return f"{position.home[0]}{spots}{position.home[1]} {position.mover.letter}"

    def read_play(self, position: NannonPosition, text: str) -> Play:
        """Read `2/4`, `HOME/3*`, `5/SAFETY` or `forfeit`; the star may be left out."""
        if text.strip().lower() == FORFEIT:
            return ()
        names = [name.strip().upper() for name in text.removesuffix("*").split("/")]
        sources = {str(spot): spot for spot in BOARD} | {"HOME": HOME[position.mover]}
        targets = {str(spot): spot for spot in BOARD} | {"SAFETY": SAFETY[position.mover]}
        if len(names) != 2 or names[0] not in sources or names[1] not in targets:
            raise TextError(f"play {quoted(text)}: write 2/4, HOME/3*, 5/SAFETY or {FORFEIT}")
        origin, target = sources[names[0]], targets[names[1]]
        return (Move(origin, target, _hits(position, target)),)

    def write_play(self, position: NannonPosition, play: Play) -> str:
        """A star marks a hit."""
        if not play:
            return FORFEIT
        (move,) = play
        return f"{move.origin.name}/{move.target.name}{'*' * move.hit}".upper()

    def draw(self, position: NannonPosition) -> str:
        """Draw the board as White sees it: ○ is White, ● Black."""
        signs = {Side.WHITE: "○", Side.BLACK: "●", None: "·"}
        row = "  ".join(signs[owner] for owner in position.spots)
        home, safety = (
            Both(*(f"{signs[side] * count(side) or '-':<3}" for side in Side))
            for count in (position.at_home, position.in_safety)
        )
        return (
            f"Black SAFETY {safety.black}                      Black HOME   {home.black}\n"
            f"                  {row}\n"
            f"                  {'  '.join(map(str, BOARD))}\n"
            f"White HOME   {home.white}                      White SAFETY {safety.white}\n"
            f"{position.mover.value.capitalize()} to move"
        )


def _position(checkers: Checkers, mover: Side) -> NannonPosition:
    stacks = (checkers.get(spot, ()) for spot in BOARD)
    white, black = (len(checkers.get(HOME[side], ())) for side in Side)
    return NannonPosition(tuple(s[0] if s else None for s in stacks), (white, black), mover)


def _legal_ways(position: NannonPosition, die: int) -> list[tuple[int, int]]:
    """Rules 3 to 5: for each checker that may move, its steps from HOME before and after."""
    side, spots = position.mover, position.spots
    own = spots if side is Side.WHITE else spots[::-1]
    starts = [0] if position.at_home(side) else []
    starts += [steps for steps, owner in enumerate(own, start=1) if owner is side]
    ways = []
    for start in starts:
        end = start + die
        if end > SPOTS:
            legal = start > 0
        else:
            owner = own[end - 1]
            legal = owner is None or (
                owner is not side and not position.holds_prime(index_of(side, end))
            )
        if legal:
            ways.append((start, end))
    return ways


def _move(position: NannonPosition, start: int, end: int) -> Move:
    """Return the mover's move between two distances from HOME."""
    side = position.mover
    origin = BOARD[index_of(side, start)] if start else HOME[side]
    if end > SPOTS:
        return Move(origin, SAFETY[side])
    index = index_of(side, end)
    return Move(origin, BOARD[index], position.spots[index] is not None)


def _hits(position: NannonPosition, target: Spot) -> bool:
    return target in BOARD and position.spots[BOARD.index(target)] is position.mover.other
