"""Nannon once more, from its rule sheet alone: what the tests hold Spotter to.

A position is its text, `1ww..bb1 w`: White's checkers at HOME, spots 1 to 6, Black's checkers at
HOME and who moves.  A state is what a view or a kept decision says of the match, as JSON has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

StateFields: TypeAlias = Mapping[str, Any]
Plays: TypeAlias = dict["OneMove | None", str]

SPOTS = "123456"
HOME, SAFETY = "HOME", "SAFETY"
START = "1ww..bb1"
CHECKERS = 3
SIDES = {"w": "white", "b": "black"}
FOE = {"w": "b", "b": "w", "white": "black", "black": "white"}


class OneMove(NamedTuple):
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

    def after(self, move: OneMove | None) -> Position:
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
    legal: Plays = {move: str(position.after(move)) for move in _moves(position, die)}
    return legal or {None: str(position.after(None))}


def _moves(position: Position, die: int) -> Iterator[OneMove]:
    way = SPOTS if position.mover == "w" else SPOTS[::-1]
    own = position.on_board(position.mover)
    origins = [HOME] if position.home[position.mover] else []
    for origin in [*origins, *(spot for spot in way if spot in own)]:
        steps = die + (0 if origin == HOME else 1 + way.index(origin))
        if steps > len(way):
            yield OneMove(origin, SAFETY)
            continue
        target = way[steps - 1]
        there = position.at(target)
        if there == "." or (there == FOE[position.mover] and not position.is_prime(target)):
            yield OneMove(origin, target, there != ".")


def won(text: str) -> tuple[str, int] | None:
    """The winner, all of whose checkers are in SAFETY, and the points before the cube (rule 7)."""
    position = Position.read(text)
    for side, name in SIDES.items():
        if position.safe(side) == CHECKERS:
            return name, 1 if position.safe(FOE[side]) else 2
    return None


# The match

_STATE = ("phase", "to_act", "position", "roll", "score")


def state_of(fields: StateFields) -> dict[str, Any]:
    cube = fields["cube"]
    told = {key: fields.get(key) for key in _STATE}
    return {**told, "cube": tuple(map(cube.get, ("value", "owner", "offered")))}


def faults(decisions: Sequence[StateFields]) -> list[str]:
    """The faults in a match's decisions, each judged by those before it."""
    return [
        f"{index}: {decisions[index - 1]} → {decisions[index]}"
        for index in range(1, len(decisions))
        if not follows(decisions[:index], decisions[index])
    ]


def follows(earlier: Sequence[StateFields], new: StateFields) -> bool:
    """Whether a decision may be made after these, and leads to where it says."""
    judge = _JUDGES.get(new["decided"])
    return judge is not None and judge(earlier, new)


def _is_play(earlier: Sequence[StateFields], new: StateFields) -> bool:
    old = state_of(earlier[-1])
    if old["phase"] != "moving" or new["by"] != old["to_act"]:
        return False
    after = _led(old).get(new["play"], "")
    if new["position"] == after and (result := won(after)):
        return _is_won(old, new, *result)
    turned = {"phase": "to roll", "to_act": FOE[old["to_act"]], "roll": None, "position": after}
    return state_of(new) == {**old, **turned}


def _is_chosen(earlier: Sequence[StateFields], new: StateFields) -> bool:
    old = state_of(earlier[-1])
    return old == state_of(new) and new["play"] in _led(old)


def _led(old: StateFields) -> dict[str, str]:
    """Each legal play as it is written, and where it leads."""
    led = plays(old["position"], int(old["roll"]))
    return {str(move) if move else "forfeit": after for move, after in led.items()}


def _is_won(old: StateFields, new: StateFields, winner: str, points: int) -> bool:
    """End the game with points times the cube for the winner."""
    score = {**old["score"], winner: old["score"][winner] + points * old["cube"][0]}
    return new["phase"] in ("game over", "match over") and new["score"] == score


def _is_throw(earlier: Sequence[StateFields], new: StateFields) -> bool:
    """Both roll one die; the higher moves the difference, a tie rolls again (rule 2)."""
    old, now, die = state_of(earlier[-1]), state_of(new), int(new["dice"])
    first = earlier[-1].get("thrown") or []
    if old["phase"] != "opening throw" or not 1 <= die <= len(SPOTS):
        return False
    if len(first) != 1 or first[0]["die"] == die:
        return now["phase"] == "opening throw" and now["roll"] is None
    other = first[0]
    higher = new["by"] if die > other["die"] else other["by"]
    opened = {
        "phase": "moving",
        "to_act": higher,
        "roll": str(abs(die - other["die"])),
        "position": f"{START} {higher[0]}",
    }
    return now == {**old, **opened}


def _is_roll(earlier: Sequence[StateFields], new: StateFields) -> bool:
    old = state_of(earlier[-1])
    rolled = {**old, "phase": "moving", "roll": new["dice"]}
    return old["phase"] == "to roll" and state_of(new) == rolled and new["dice"] in SPOTS


def _is_double(earlier: Sequence[StateFields], new: StateFields) -> bool:
    """Before rolling, who has access to the cube may double (rule 9)."""
    old, by = state_of(earlier[-1]), new["by"]
    value, owner, offered = old["cube"]
    may = old["phase"] == "to roll" and by == old["to_act"] and owner in (None, by) and not offered
    doubled = {"phase": "double offered", "to_act": FOE[by], "cube": (value, owner, by)}
    return may and state_of(new) == {**old, **doubled}


def _is_answer(earlier: Sequence[StateFields], new: StateFields) -> bool:
    """Refused, the offerer wins the stake before the double; taken, he rolls (rule 9)."""
    old, by = state_of(earlier[-1]), new["by"]
    value, _, offered = old["cube"]
    if old["phase"] != "double offered" or by != old["to_act"] or offered != FOE[by]:
        return False
    if new["decided"] == "pass":
        return _is_won(old, new, offered, 1)
    taken = {"phase": "to roll", "to_act": offered, "cube": (2 * value, by, None)}
    return state_of(new) == {**old, **taken}


def _is_resignation(earlier: Sequence[StateFields], new: StateFields) -> bool:
    old = state_of(earlier[-1])
    offered = {**old, "phase": "resignation offered", "to_act": FOE[new["by"]]}
    return old["to_act"] == new["by"] and state_of(new) == offered


def _is_accepted(earlier: Sequence[StateFields], new: StateFields) -> bool:
    old, points = state_of(earlier[-1]), earlier[-1]["resignation"]
    return old["to_act"] == new["by"] and _is_won(old, new, new["by"], points)


def _is_refused(earlier: Sequence[StateFields], new: StateFields) -> bool:
    offer = max(i for i, one in enumerate(earlier) if one["decided"] == "resignation")
    return state_of(new) == state_of(earlier[offer - 1])


def _is_taken_back(earlier: Sequence[StateFields], new: StateFields) -> bool:
    """To a turn of this game that had its roll on the table."""
    past = [state_of(before) for before in earlier if before["game"] == new["game"]]
    return new["phase"] == "moving" and state_of(new) in past


def _is_next_game(earlier: Sequence[StateFields], new: StateFields) -> bool:
    last = earlier[-1]
    afresh = new["phase"] in ("set up", "opening throw") and new["cube"]["value"] == 1
    start = new["position"].split()[0] == START and new["score"] == last["score"]
    return last["phase"] == "game over" and new["game"] == last["game"] + 1 and afresh and start


def _is_board_set(earlier: Sequence[StateFields], new: StateFields) -> bool:
    old = state_of(earlier[-1])
    return old["phase"] == "set up" and state_of(new) == {**old, "phase": "opening throw"}


def _is_flag(earlier: Sequence[StateFields], new: StateFields) -> bool:
    return bool(earlier[-1]["to_act"] == new["by"] and new["phase"] == "match over")


def _is_the_same(earlier: Sequence[StateFields], new: StateFields) -> bool:
    return state_of(new) == state_of(earlier[-1])


_JUDGES: Mapping[str, Callable[[Sequence[StateFields], StateFields], bool]] = {
    "board set": _is_board_set,
    "opening throw": _is_throw,
    "roll": _is_roll,
    "chosen": _is_chosen,
    "play": _is_play,
    "double": _is_double,
    "take": _is_answer,
    "pass": _is_answer,
    "resignation": _is_resignation,
    "accepted": _is_accepted,
    "refused": _is_refused,
    "take back": _is_taken_back,
    "next game": _is_next_game,
    "flag": _is_flag,
    "resumed": _is_the_same,
}
