"""Nannon: six spots, three checkers a side, one die.

Source: "NANNON Rules" (nannon.com, 2004); cited by the numbers of its `rulebook`.
"""

from __future__ import annotations

from collections.abc import Mapping

from pi_app.rules.contract import JACOBY, TIE_TURNS_CUBE, Game, Opening
from pi_app.rules.naming import SINGLE_GAME, name_outcomes
from pi_app.rules.nannon.position import (
    BOARD,
    CHECKERS,
    HOME,
    SAFETY,
    SPOTS,
    NannonPosition,
    impossible,
    index_of,
    place,
    read_position,
    write_position,
)
from pi_app.rules.nannon.rulebook import (
    RULES,
    SHEET,
    must_move,
    nobody_at_home,
    nobody_in_safety,
    nobody_on,
    not_theirs,
    own_checker,
    why_not,
)
from pi_app.rules.terms import (
    Broken,
    IllegalPlayError,
    Move,
    Outcome,
    Play,
    Roll,
    Side,
    Spot,
    TextError,
)
from pi_app.words.sentences import Said, Sentence
from pi_app.words.texts import quoted

FORFEIT = "forfeit"


class Nannon(Game[NannonPosition, Play]):
    name = "nannon"
    title = Sentence("Nannon")()
    dice = 1
    opening = Opening.DIFFERENCE
    has_cube = True
    match_length = 11
    options = (TIE_TURNS_CUBE, JACOBY)
    sheet = SHEET
    rules = RULES
    outcome_names = name_outcomes(Sentence("win"), Sentence("NANNON"))
    fanfare = "NANNON"
    checkers_a_side = CHECKERS
    spots = (*BOARD, *HOME.values(), *SAFETY.values())

    def start(self, mover: Side) -> NannonPosition:
        """Rule 1."""
        white, black = Side.WHITE, Side.BLACK
        return NannonPosition((white, white, None, None, black, black), (1, 1), mover)

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

    def attempted(self, position: NannonPosition, attempt: tuple[Move, ...]) -> NannonPosition:
        """The same for moves that may be illegal; raises IllegalPlayError for impossible ones."""
        spots, home = list(position.spots), list(position.home)
        for move in attempt:
            side = _lift(spots, home, position, move.origin)
            if move.target in BOARD:
                index = BOARD.index(move.target)
                victim = spots[index]
                if victim is side:
                    raise IllegalPlayError(own_checker(move))
                if victim is not None:
                    home[victim is Side.BLACK] += 1
                spots[index] = side
            elif move.target == HOME[side]:
                home[side is Side.BLACK] += 1
            elif move.target != SAFETY[side]:
                raise IllegalPlayError(not_theirs(side, move.target))
        return NannonPosition(tuple(spots), (home[0], home[1]), position.mover.other)

    def outcome(self, position: NannonPosition) -> Outcome | None:
        """Rule 7."""
        for side in (Side.WHITE, Side.BLACK):
            if side not in position.spots and position.at_home(side) == 0:
                shut_out = position.in_safety(side.other) == 0
                return Outcome(side, 2, "NANNON") if shut_out else Outcome(side, 1, "win")
        return None

    def resignations(self, position: NannonPosition, side: Side) -> Mapping[int, Said]:
        """A win, or a NANNON (rule 7) while no checker of the side's is in SAFETY."""
        if position.in_safety(side):
            return {1: SINGLE_GAME}
        return {1: SINGLE_GAME, 2: self.outcome_names["NANNON"]}

    def explain(
        self, position: NannonPosition, roll: Roll, attempt: tuple[Move, ...]
    ) -> Broken | None:
        """The first rule broken, in the order a referee would see it."""
        if attempt:
            return why_not(position, roll, attempt)
        legal = self.plays(position, roll)
        return None if legal == ((),) else must_move(position.mover, legal)

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
        return f"{move.origin.name}/{move.target.name}{'*' * move.hit}".upper()

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
                owner is not side and not position.holds_prime(index_of(side, end))
            )
        if legal:
            ways.append((start, end))
    return ways


def _move(position: NannonPosition, start: int, end: int) -> Move:
    """The move between these steps of the mover's."""
    side = position.mover
    origin = BOARD[index_of(side, start)] if start else HOME[side]
    if end > SPOTS:
        return Move(origin, SAFETY[side])
    index = index_of(side, end)
    return Move(origin, BOARD[index], position.spots[index] is not None)


def _moved(position: NannonPosition, start: int, end: int) -> NannonPosition:
    """The position after that move, the mover changed."""
    side, spots = position.mover, list(position.spots)
    white, black = position.home
    if start:
        spots[index_of(side, start)] = None
    elif side is Side.WHITE:
        white -= 1
    else:
        black -= 1
    if end <= SPOTS:
        index = index_of(side, end)
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
            raise IllegalPlayError(nobody_on(origin))
        return side
    side = next(side for side in Side if origin in (HOME[side], SAFETY[side]))
    if origin == SAFETY[side]:
        if before.in_safety(side) == 0:
            raise IllegalPlayError(nobody_in_safety(side))
    elif home[side is Side.BLACK] == 0:
        raise IllegalPlayError(nobody_at_home(side))
    else:
        home[side is Side.BLACK] -= 1
    return side
