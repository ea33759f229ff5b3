"""Nannon: six spots, three checkers a side, one die.

Source: sheet 000, "NANNON Rules" (nannon.com, 2004); rules below are cited by these numbers.

1. White enters below spot 1 and leaves past 6, Black the other way.  Each side starts with one
   checker at HOME and one on each of its own first two spots.
2. Both throw; the higher plays the difference.
3. A turn is one checker by the whole die.  From HOME a checker enters on the own spot that the
   die names; it never leaves from HOME directly.
4. A checker may land on an empty spot or hit a single enemy, which goes to its HOME.  It may not
   land on an own checker or on a prime: enemies on neighbouring spots of the board.
5. A checker on the board may leave to SAFETY with a die that reaches past the last spot.
6. Who can move must; who cannot forfeits the turn.
7. All three in SAFETY wins 1, or 2 (a NANNON) when the loser has none there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from pi_app.rules.contract import Midway, Opening
from pi_app.rules.nannon_position import (
    BOARD,
    CHECKERS,
    HOME,
    SAFETY,
    SPOTS,
    NannonPosition,
    impossible,
    name_side,
    name_spot,
    place,
    read_position,
    write_position,
)
from pi_app.rules.terms import (
    Broken,
    IllegalPlayError,
    Move,
    Outcome,
    Roll,
    Rule,
    Side,
    Spot,
    TextError,
)
from pi_app.texts import quoted

FORFEIT = "forfeit"
Play: TypeAlias = tuple[Move, ...]
"""One move, or none when the turn is forfeited."""


def _rule(name: str, number: int, sentence: str) -> Rule:
    return Rule(name, sentence, f"sheet 000, rule {number}")


ONE_CHECKER = _rule("one-checker", 3, "A turn moves one checker.")
NOT_YOURS = _rule("not-your-checker", 3, "A player moves only his own checkers.")
NOBODY = _rule("no-checker-there", 3, "A move begins where a checker stands.")
HOME_ENTERS = _rule("home-enters-first", 3, "A checker at HOME enters the board before it leaves.")
BACKWARD = _rule("backward", 1, "White moves from 1 to 6, Black from 6 to 1.")
DISTANCE = _rule("wrong-distance", 3, "A checker moves the whole die, no more and no less.")
OWN_CHECKER = _rule("own-checker", 4, "Only one checker stands on a spot.")
PRIME = _rule("prime", 4, "Checkers on neighbouring spots form a prime and cannot be hit.")
SAFETY_FAR = _rule("safety-too-far", 5, "Leaving takes a die that reaches past the last spot.")
MUST_MOVE = _rule("must-move", 6, "A player with a legal move must move.")
FINAL = _rule("safety-is-final", 7, "A checker in SAFETY stays there.")

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

_NUMBERS = ("no spot", "one spot", "two spots", "three spots", "four spots", "five spots")


def _steps(side: Side, index: int) -> int:
    """How far a checker at this index has come from HOME, 1 to 6."""
    return index + 1 if side is Side.WHITE else SPOTS - index


def _index(side: Side, steps: int) -> int:
    return steps - 1 if side is Side.WHITE else SPOTS - steps


class Nannon:
    """Nannon as a `Game[Position, Play]`."""

    name = "nannon"
    title = "Nannon"
    side_names = ("White", "Black")
    dice = 1
    opening = Opening.DIFFERENCE
    previous_winner_starts = False
    has_cube = True
    crawford = False
    options = ("a tie turns the cube", "jacoby")
    rules = RULES
    checkers_a_side = CHECKERS
    spots = (*BOARD, *HOME.values(), *SAFETY.values())

    def start(self, mover: Side) -> NannonPosition:
        """Rule 1."""
        white, black = Side.WHITE, Side.BLACK
        return NannonPosition((white, white, None, None, black, black), (1, 1), mover)

    def mover(self, position: NannonPosition) -> Side:
        """Whose turn it is."""
        return position.mover

    def with_mover(self, position: NannonPosition, mover: Side) -> NannonPosition:
        """The same checkers with another mover."""
        return replace(position, mover=mover)

    def plays(self, position: NannonPosition, roll: Roll) -> tuple[Play, ...]:
        """Rules 3 to 6; a forfeit is the empty play."""
        if self.outcome(position):
            return ()
        ways = _legal_ways(position, roll.dice[0])
        return tuple((_move(position, *way),) for way in ways) or ((),)

    def results(self, position: NannonPosition, roll: Roll) -> tuple[NannonPosition, ...]:
        """The position after each play; no two are alike."""
        if self.outcome(position):
            return ()
        ways = _legal_ways(position, roll.dice[0])
        if not ways:
            return (NannonPosition(position.spots, position.home, position.mover.other),)
        return tuple([_moved(position, *way) for way in ways])

    def midways(self, position: NannonPosition, roll: Roll) -> tuple[Midway[NannonPosition], ...]:
        """None: a turn is one move (rule 3)."""
        return ()

    def passes(self, position: NannonPosition, move: Move, spot: Spot) -> bool:
        """Never: a turn is one die (rule 3)."""
        return False

    def after(self, position: NannonPosition, play: Play) -> NannonPosition:
        """The position after a play; a hit checker goes to its HOME (rule 4)."""
        return self.attempted(position, play)

    def attempted(self, position: NannonPosition, attempt: tuple[Move, ...]) -> NannonPosition:
        """The same for moves that may be illegal; raises IllegalPlayError for impossible ones."""
        spots, home = list(position.spots), list(position.home)
        for move in attempt:
            side = _lift(spots, home, position, move.origin)
            if move.target in BOARD:
                index = BOARD.index(move.target)
                victim = spots[index]
                if victim is side:
                    raise IllegalPlayError(_own_checker(move))
                if victim is not None:
                    home[victim is Side.BLACK] += 1
                spots[index] = side
            elif move.target == HOME[side]:
                home[side is Side.BLACK] += 1
            elif move.target != SAFETY[side]:
                raise IllegalPlayError(
                    Broken(NOT_YOURS, f"{name_spot(move.target)} is not {name_side(side)}'s")
                )
        return NannonPosition(tuple(spots), (home[0], home[1]), position.mover.other)

    def moves(self, position: NannonPosition, play: Play) -> tuple[Move, ...]:
        """A play is its moves."""
        return play

    def outcome(self, position: NannonPosition) -> Outcome | None:
        """Rule 7."""
        for side in (Side.WHITE, Side.BLACK):
            if side not in position.spots and position.at_home(side) == 0:
                shut_out = position.in_safety(side.other) == 0
                return Outcome(side, 2, "NANNON") if shut_out else Outcome(side, 1, "win")
        return None

    def resign_points(self, position: NannonPosition, side: Side) -> tuple[int, ...]:
        """A win, or a NANNON (rule 7)."""
        return (1, 2)

    def explain(
        self, position: NannonPosition, roll: Roll, attempt: tuple[Move, ...]
    ) -> Broken | None:
        """The first rule broken, in the order a referee would see it."""
        if not attempt:
            legal = self.plays(position, roll)
            return None if legal == ((),) else _must_move(position.mover, legal)
        if len(attempt) > 1:
            return Broken(ONE_CHECKER, "More than one checker has moved; a turn moves one")
        (move,) = attempt
        return _bad_origin(position, move) or _bad_way(position, roll, move)

    def pips(self, position: NannonPosition, side: Side) -> None:
        """Nobody counts pips in Nannon."""

    def checkers_at(self, position: NannonPosition) -> Mapping[Spot, tuple[Side, ...]]:
        """Every spot, HOME and SAFETY with the checkers on it."""
        checkers: dict[Spot, tuple[Side, ...]] = {
            spot: (owner,) if owner else ()
            for spot, owner in zip(BOARD, position.spots, strict=True)
        }
        for side in Side:
            checkers[HOME[side]] = (side,) * position.at_home(side)
            checkers[SAFETY[side]] = (side,) * position.in_safety(side)
        return checkers

    def counts(self, position: NannonPosition) -> tuple[int, ...]:
        """The same as numbers."""
        board = tuple(int(owner is not None) for owner in position.spots)
        return (*board, *map(position.at_home, Side), *map(position.in_safety, Side))

    def hit_to(self, side: Side) -> Spot:
        """Its HOME (rule 4)."""
        return HOME[side]

    def position_of(self, checkers: Mapping[Spot, tuple[Side, ...]], mover: Side) -> NannonPosition:
        """The position with these checkers; SAFETY is what is missing."""
        return place(checkers, mover)

    def impossible(self, position: NannonPosition, before: NannonPosition) -> tuple[str, ...]:
        """Every reason why no board can show a position."""
        return tuple(impossible(position))

    def read_position(self, text: str) -> NannonPosition:
        """Read `1ww..bb1 w`: White's HOME, spots 1 to 6, Black's HOME, the mover."""
        return read_position(text)

    def write_position(self, position: NannonPosition) -> str:
        """The text that read_position takes."""
        return write_position(position)

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

    def write_play(self, play: Play) -> str:
        """The text that read_play takes; a star for a hit."""
        if not play:
            return FORFEIT
        (move,) = play
        return f"{name_spot(move.origin)}/{name_spot(move.target)}{'*' * move.hit}"

    def draw(self, position: NannonPosition) -> str:
        """The board as White sees it; ○ is White, ● Black."""
        signs = {Side.WHITE: "○", Side.BLACK: "●", None: "·"}
        row = "  ".join(signs[owner] for owner in position.spots)
        ends = {
            side: [
                f"{signs[side] * position.at_home(side) or '-':<3}",
                f"{signs[side] * position.in_safety(side) or '-':<3}",
            ]
            for side in Side
        }
        white, black = ends[Side.WHITE], ends[Side.BLACK]
        return (
            f"Black SAFETY {black[1]}                      Black HOME   {black[0]}\n"
            f"                  {row}\n"
            f"                  {'  '.join(map(str, BOARD))}\n"
            f"White HOME   {white[0]}                      White SAFETY {white[1]}\n"
            f"{position.mover.value.capitalize()} to move"
        )


def _legal_ways(position: NannonPosition, die: int) -> list[tuple[int, int]]:
    """Rules 3 to 5: each checker that may move, how far it has come and how far it comes."""
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
                owner is not side and not position.holds_prime(_index(side, end))
            )
        if legal:
            ways.append((start, end))
    return ways


def _move(position: NannonPosition, start: int, end: int) -> Move:
    """The move between these steps of the mover's."""
    side = position.mover
    origin = BOARD[_index(side, start)] if start else HOME[side]
    if end > SPOTS:
        return Move(origin, SAFETY[side])
    index = _index(side, end)
    return Move(origin, BOARD[index], position.spots[index] is not None)


def _moved(position: NannonPosition, start: int, end: int) -> NannonPosition:
    """The position after that move, the mover changed."""
    side, spots = position.mover, list(position.spots)
    white, black = position.home
    if start:
        spots[_index(side, start)] = None
    elif side is Side.WHITE:
        white -= 1
    else:
        black -= 1
    if end <= SPOTS:
        index = _index(side, end)
        if spots[index] is Side.WHITE:
            white += 1
        elif spots[index] is Side.BLACK:
            black += 1
        spots[index] = side
    return NannonPosition(tuple(spots), (white, black), side.other)


def _hits(position: NannonPosition, target: Spot) -> bool:
    return target in BOARD and position.spots[BOARD.index(target)] is position.mover.other


def _lift(spots: list[Side | None], home: list[int], before: NannonPosition, origin: Spot) -> Side:
    """Take a checker from its spot or HOME; from SAFETY nothing need be taken."""
    if origin in BOARD:
        index = BOARD.index(origin)
        side, spots[index] = spots[index], None
        if side is None:
            raise IllegalPlayError(Broken(NOBODY, f"No checker stands on {origin}"))
        return side
    side = next(side for side in Side if origin in (HOME[side], SAFETY[side]))
    if origin == SAFETY[side]:
        if before.in_safety(side) == 0:
            raise IllegalPlayError(Broken(NOBODY, f"{name_side(side)} has no checker in SAFETY"))
    elif home[side is Side.BLACK] == 0:
        raise IllegalPlayError(Broken(NOBODY, f"{name_side(side)} has no checker at HOME"))
    else:
        home[side is Side.BLACK] -= 1
    return side


def _way(move: Move) -> str:
    return f"{name_spot(move.origin)} → {name_spot(move.target)}"


def _own_checker(move: Move) -> Broken:
    return Broken(OWN_CHECKER, f"{_way(move)}: a checker of the same side stands on {move.target}")


def _must_move(side: Side, legal: tuple[Play, ...]) -> Broken:
    ways = " or ".join(_way(move) for (move,) in legal)
    return Broken(MUST_MOVE, f"{name_side(side)} must move: {ways}")


def _bad_origin(position: NannonPosition, move: Move) -> Broken | None:
    side = position.mover
    if move.origin in SAFETY.values():
        return Broken(FINAL, "A checker in SAFETY stays there")
    if move.origin == HOME[side]:
        empty = position.at_home(side) == 0
        return Broken(NOBODY, f"{name_side(side)} has no checker at HOME") if empty else None
    if move.origin == HOME[side.other]:
        return Broken(
            NOT_YOURS, f"{name_side(side.other)}'s HOME stays as it is: {name_side(side)} moves"
        )
    owner = position.spots[BOARD.index(move.origin)]
    if owner is None:
        return Broken(NOBODY, f"No checker stands on {move.origin}")
    if owner is not side:
        why = (
            f"The checker on {move.origin} is {name_side(owner)}'s; it is {name_side(side)}'s turn"
        )
        return Broken(NOT_YOURS, why)
    return None


def _bad_way(position: NannonPosition, roll: Roll, move: Move) -> Broken | None:
    """Distance first, then what stands on the target."""
    side, die = position.mover, roll.dice[0]
    start = 0 if move.origin == HOME[side] else _steps(side, BOARD.index(move.origin))
    if move.target not in BOARD:
        return _bad_leave(side, die, start, move)
    index = BOARD.index(move.target)
    distance = _steps(side, index) - start
    if distance <= 0:
        return Broken(BACKWARD, f"{_way(move)} goes back; {name_side(side)} moves {_course(side)}")
    if distance != die:
        return Broken(DISTANCE, _wrong_distance(side, die, start, distance, move))
    owner = position.spots[index]
    if owner is side:
        return _own_checker(move)
    if owner and position.holds_prime(index):
        held = _prime(position, index)
        return Broken(PRIME, f"{_way(move)}: {name_side(owner)}'s prime holds {held}")
    return None


def _course(side: Side) -> str:
    return "from 1 to 6" if side is Side.WHITE else "from 6 to 1"


def _wrong_distance(side: Side, die: int, start: int, distance: int, move: Move) -> str:
    if start == 0:
        return f"HOME enters on {BOARD[_index(side, die)]} with a {die}, not on {move.target}"
    return f"{_way(move)} is {_NUMBERS[distance]}; the die shows {die}"


def _bad_leave(side: Side, die: int, start: int, move: Move) -> Broken | None:
    if move.target in (HOME[side.other], SAFETY[side.other]):
        whose = f"{name_side(side.other)}'s {name_spot(move.target)}"
        return Broken(NOT_YOURS, f"No checker of {name_side(side)}'s goes to {whose}")
    if move.target == HOME[side]:
        return Broken(BACKWARD, f"{_way(move)}: only a hit sends a checker HOME")
    if start == 0:
        return Broken(HOME_ENTERS, "HOME → SAFETY: a checker must enter the board first")
    needed = SPOTS + 1 - start
    if die < needed:
        return Broken(SAFETY_FAR, f"{_way(move)} needs {_at_least(needed)}; the die shows {die}")
    return None


def _at_least(die: int) -> str:
    return "a 6" if die == SPOTS else f"a {die} or more"


def _prime(position: NannonPosition, index: int) -> str:
    """The spots of the prime around `index`: "5 and 6", "4, 5 and 6"."""
    owner = position.spots[index]
    low, high = index, index
    while low > 0 and position.spots[low - 1] is owner:
        low -= 1
    while high < SPOTS - 1 and position.spots[high + 1] is owner:
        high += 1
    *most, last = map(str, BOARD[low : high + 1])
    return f"{', '.join(most)} and {last}"
