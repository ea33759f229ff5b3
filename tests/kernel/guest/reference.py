"""Nannon once more, from its rule sheet alone: what the tests hold Spotter to.

A position is its text, `1ww..bb1 w`: White's checkers at HOME, spots 1 to 6, Black's checkers at
HOME and who moves.  A state is what a view or a kept decision says of the match, as JSON has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

Fields: TypeAlias = Mapping[str, Any]
Plays: TypeAlias = dict["Move | None", str]

SPOTS = "123456"
HOME, SAFETY = "HOME", "SAFETY"
START = "1ww..bb1"
CHECKERS = 3
SIDES = {"w": "white", "b": "black"}
FOE = {"w": "b", "b": "w", "white": "black", "black": "white"}


class Move(NamedTuple):
    """One checker by one die, as players write it: 2/4, HOME/3*, 5/SAFETY."""

    origin: str
    target: str
    hit: bool = False

    def __str__(self) -> str:
        return f"{self.origin}/{self.target}{'*' * self.hit}"


class Position(NamedTuple):
    """The checkers and whose turn it is."""

    spots: str
    home: Mapping[str, int]
    mover: str

    @classmethod
    def read(cls, text: str) -> Position:
        """A position of its text."""
        checkers, mover = text.split()
        return cls(checkers[1:-1], {"w": int(checkers[0]), "b": int(checkers[-1])}, mover)

    def __str__(self) -> str:
        return f"{self.home['w']}{self.spots}{self.home['b']} {self.mover}"

    @property
    def standing(self) -> set[str]:
        """The spots with a checker on them."""
        return {spot for spot, there in zip(SPOTS, self.spots, strict=True) if there != "."}

    def on_board(self, side: str) -> set[str]:
        """The spots with this side's checkers."""
        return {spot for spot, there in zip(SPOTS, self.spots, strict=True) if there == side}

    def at(self, spot: str) -> str:
        """Who stands on a spot: `w`, `b`, or `.` for nobody and beside the board."""
        return self.spots[SPOTS.index(spot)] if spot in SPOTS else "."

    def safe(self, side: str) -> int:
        """How many checkers are in SAFETY."""
        return CHECKERS - self.home[side] - self.spots.count(side)

    def is_prime(self, spot: str) -> bool:
        """Whether the checker on this spot has one of its side beside it (rule 4)."""
        place = SPOTS.index(spot)
        beside = self.spots[max(place - 1, 0) : place] + self.spots[place + 1 : place + 2]
        return self.spots[place] in beside

    def after(self, move: Move | None) -> Position:
        """The position after a move, or after a turn that is forfeited."""
        if move is None:
            return self._replace(mover=FOE[self.mover])
        spots, home, side = dict(zip(SPOTS, self.spots, strict=True)), dict(self.home), self.mover
        if move.origin == HOME:
            home[side] -= 1
        else:
            spots[move.origin] = "."
        if move.target != SAFETY:
            if move.hit:
                home[FOE[side]] += 1
            spots[move.target] = side
        return Position("".join(spots.values()), home, FOE[side])


def plays(text: str, die: int) -> Plays:
    """Each legal play of a turn, and the position it leads to (rules 3 to 6)."""
    position = Position.read(text)
    legal = {move: str(position.after(move)) for move in _moves(position, die)}
    return dict(legal) or {None: str(position.after(None))}


def _moves(position: Position, die: int) -> Iterator[Move]:
    way = SPOTS if position.mover == "w" else SPOTS[::-1]
    own = position.on_board(position.mover)
    origins = [HOME] if position.home[position.mover] else []
    for origin in [*origins, *(spot for spot in way if spot in own)]:
        steps = die + (0 if origin == HOME else 1 + way.index(origin))
        if steps > len(way):
            yield Move(origin, SAFETY)
            continue
        target = way[steps - 1]
        there = position.at(target)
        if there == "." or (there == FOE[position.mover] and not position.is_prime(target)):
            yield Move(origin, target, there != ".")


def won(text: str) -> tuple[str, int] | None:
    """The winner, all of whose checkers are in SAFETY, and the points before the cube (rule 7)."""
    position = Position.read(text)
    for side, name in SIDES.items():
        if position.safe(side) == CHECKERS:
            return name, 1 if position.safe(FOE[side]) else 2
    return None


# The match

_STATE = ("phase", "to_act", "position", "roll", "score")


def state_of(fields: Fields) -> dict[str, Any]:
    """What a view or a decision says of the match."""
    cube = fields["cube"]
    told = {key: fields.get(key) for key in _STATE}
    return {**told, "cube": tuple(map(cube.get, ("value", "owner", "offered")))}


def faults(decisions: Sequence[Fields]) -> list[str]:
    """What is wrong in the decisions of a match, each judged by those before it."""
    return [
        f"{index}: {decisions[index - 1]} → {decisions[index]}"
        for index in range(1, len(decisions))
        if not follows(decisions[:index], decisions[index])
    ]


def follows(earlier: Sequence[Fields], new: Fields) -> bool:
    """Whether a decision may be made after these, and leads to where it says."""
    old, now = state_of(earlier[-1]), state_of(new)
    match new["decided"]:
        case "play":
            return _is_play(old, new)
        case "chosen":
            return old == now and new["play"] in map(_name, plays(old["position"], _die(old)))
        case "opening throw":
            return _is_throw(earlier[-1], new)
        case "roll":
            rolled = {**old, "phase": "moving", "roll": new["dice"]}
            return old["phase"] == "to roll" and now == rolled and 1 <= _die(now) <= len(SPOTS)
        case "double" | "take" | "pass":
            return _is_cube_action(old, new)
        case "resignation":
            offered = {**old, "phase": "resignation offered", "to_act": FOE[new["by"]]}
            return old["to_act"] == new["by"] and now == offered
        case "accepted":
            return old["to_act"] == new["by"] and _is_won(old, new, new["by"], earlier[-1]["resignation"])
        case "refused":
            return now == state_of(earlier[-2])
        case "take back":
            past = [state_of(before) for before in earlier if before["game"] == new["game"]]
            return now["phase"] == "moving" and now in past
        case "next game":
            return _is_next_game(earlier[-1], new)
        case "flag":
            return old["to_act"] == new["by"] and now["phase"] == "match over"
        case "board set":
            return old["phase"] == "set up" and now == {**old, "phase": "opening throw"}
        case "resumed":
            return old == now
    return False


def _name(move: Move | None) -> str:
    return str(move) if move else "forfeit"


def _die(state: Fields) -> int:
    return int(state["roll"])


def _is_play(old: Fields, new: Fields) -> bool:
    led = {_name(move): after for move, after in plays(old["position"], _die(old)).items()}
    after = led.get(new["play"])
    if old["phase"] != "moving" or new["position"] != after or new["by"] != old["to_act"]:
        return False
    if result := won(after):
        return _is_won(old, new, *result)
    turned = {**old, "phase": "to roll", "to_act": FOE[old["to_act"]], "roll": None}
    return state_of(new) == {**turned, "position": after}


def _is_won(old: Fields, new: Fields, winner: str, points: int) -> bool:
    """The game ends with so many points times the cube for the winner."""
    score = {**old["score"], winner: old["score"][winner] + points * old["cube"][0]}
    return new["phase"] in ("game over", "match over") and new["score"] == score


def _is_throw(last: Fields, new: Fields) -> bool:
    """Both throw one die; the higher moves the difference, a tie is thrown again (rule 2)."""
    old, now, die = state_of(last), state_of(new), int(new["dice"])
    first = last.get("thrown") or []
    if old["phase"] != "opening throw" or not 1 <= die <= len(SPOTS):
        return False
    if len(first) != 1:
        return now["phase"] == "opening throw" and now["roll"] is None
    other = first[0]
    if die == other["die"]:
        return now["phase"] == "opening throw" and now["roll"] is None
    higher = new["by"] if die > other["die"] else other["by"]
    return {**now, "cube": None} == {
        **old,
        "phase": "moving",
        "to_act": higher,
        "roll": str(abs(die - other["die"])),
        "position": f"{START} {higher[0]}",
        "cube": None,
    }


def _is_cube_action(old: Fields, new: Fields) -> bool:
    """Rule 9."""
    value, owner, offered = old["cube"]
    by, now = new["by"], state_of(new)
    if by != old["to_act"]:
        return False
    if new["decided"] == "double":
        doubled = {"phase": "double offered", "to_act": FOE[by], "cube": (value, owner, by)}
        may = old["phase"] == "to roll" and owner in (None, by) and not offered
        return may and now == {**old, **doubled}
    if old["phase"] != "double offered" or offered != FOE[by]:
        return False
    if new["decided"] == "take":
        return now == {**old, "phase": "to roll", "to_act": offered, "cube": (2 * value, by, None)}
    return _is_won(old, new, offered, 1)


def _is_next_game(last: Fields, new: Fields) -> bool:
    afresh = new["phase"] in ("set up", "opening throw") and new["cube"]["value"] == 1
    start = new["position"].split()[0] == START and new["score"] == last["score"]
    return last["phase"] == "game over" and new["game"] == last["game"] + 1 and afresh and start
