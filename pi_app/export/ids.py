"""Positions as other programs write them: XGID, OGID, GNU Backgammon's position ID and match ID.

An XGID is the position, the power of the cube, its owner, the turn (1 White, -1 Black), the dice,
White's and Black's points, Crawford (in a match) or a sum of Jacoby (1) and beavers (2), the points
to win and, often left out, the greatest power of the cube.  Dice `00` are still to be rolled, `D`
is a double that waits for its answer, `B` a beaver.

A match ID is 72 bits, in bytes from the lowest bit on: GNU Backgammon's manual has all but the
last, which says that there is no Jacoby rule; player 1 is White.

An OGID has White's checkers and Black's, a letter each for its point (0 to 9, a for 10; White moves
from 1 up), three letters for the cube (owner, power, O for a double on offer), the dice, who played
last (or doubled), the state, both points and the length, with C in the Crawford game.

All are found anywhere in a text: programs copy them between boards, scores and analyses.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping

from pi_app.base.values import dataclass
from pi_app.match.origin import Problem, read_origin
from pi_app.match.score import Agreement
from pi_app.match.turns import State, Turns
from pi_app.rules.contract import BEAVERS, JACOBY, AnyGame
from pi_app.rules.tables.ids import XGID
from pi_app.rules.tables.position import BAR, USUAL, write_position
from pi_app.rules.terms import Side, TextError
from pi_app.words.texts import quoted

OWNERS: Mapping[str, Side | None] = {"1": Side.WHITE, "0": None, "-1": Side.BLACK}
TO_ROLL, DOUBLED, BEAVERED = "00", "D", "B"
LARGEST = 10
"""The greatest power of the cube, unless an XGID says another."""
_ROLL = r"(?:[ ]+([1-6]{2}))?(?![\w/+])"
_XGID = re.compile(
    r"(?:XGID\s*[=:]?\s*)?(?<![-A-Za-z])([-A-Oa-o]{26})"
    r":([-+\w]*(?::[-+\w]*){6,8})" + _ROLL,
    re.IGNORECASE,
)
_CLAIMED = re.compile(r"XGID=", re.IGNORECASE)
_GNU = re.compile(
    r"(?:(?:position[ -]?id|gnubgid)\s*[:=]?\s*)(?P<named>[A-Za-z0-9+/]{14})(?![A-Za-z0-9+/])"
    r"(?:(?::|\s+match[ -]?id\s*[:=]?\s*)(?P<its>[A-Za-z0-9+/]{12}))?"
    r"|(?<![A-Za-z0-9+/])(?P<both>[A-Za-z0-9+/]{14}):(?P<match>[A-Za-z0-9+/]{12})"
    r"|^[ \t]*(?P<bare>[A-Za-z0-9+/]{14})(?=[ \t]*$|[ ][wb]\b|[ ][1-6]{2}\b|[ \t]*\#)",
    re.IGNORECASE | re.MULTILINE,
)
_AFTER_GNU = re.compile(r"(?:[ ]([wb]))?(?:[ ]([1-6]{2}))?(?!\w)")
_OGID = re.compile(
    r"(?:OGID\s*[=:]?\s*)?(?<![\w:])([0-9a-q]{0,15}):([0-9a-q]{0,15}):([WBND?])(\d)([NOTP])"
    r":([1-6]{2})?:([WB])(?::(\w{0,3})(?::(\d{1,4}):(\d{1,4}):(\d{1,4})([LCG]?)\d{0,4}(?::\d*){0,2})?)?"
    + _ROLL
)
_OWNER = {"W": Side.WHITE, "B": Side.BLACK, "N": None, "D": None, "?": None}
_DEAD_CUBE, _BEFORE_OPENING = "D", "IW"
_NUMBER = re.compile(r"[0-9]{1,4}")
_PARTS = (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1)
"""Bits of each field of a match ID: the cube's exponent and owner, who rolls, Crawford, the state
of the game, who decides, doubled, resigned, two dice, the match length, both players' points, no
Jacoby."""


@dataclass(frozen=True, slots=True)
class Ids:
    """Reads and writes the IDs of one game."""

    game: AnyGame

    def read(self, text: str) -> Problem | None:
        """The first position in a text of another program; a roll may follow its ID.

        None for a text without one. Raises RulesError.
        """
        return next((problem for _, problem in self.found(text)), None)

    def found(self, text: str) -> Iterator[tuple[int, Problem]]:
        """Yield all positions of other programs in a text, each with its place.

        Position and match ID beside an XGID of the same position do not count. Raises RulesError.
        """
        forms = ((_XGID, self._xgid), (_OGID, self._ogid), (_GNU, self._gnu))
        there = sorted(
            (
                (one.start(), rank, one, read)
                for rank, (look, read) in enumerate(forms)
                for one in look.finditer(text)
            ),
            key=lambda each: each[:2],
        )
        known = {one.start() for _, _, one, _ in there}
        for other in _CLAIMED.finditer(text):
            if other.start() not in known:
                raise TextError(f"{quoted(text[other.start() :].split(maxsplit=1)[0])}: {_NO_XGID}")
        told: set[str] = set()
        boards: set[str] = set()
        for place, _, one, read in there:
            problem = read(one)
            copied = one.groupdict().get("named") and problem.position in boards
            if problem.text not in told and not copied:
                told.add(problem.text)
                boards.add(problem.position)
                yield place, problem

    def write(self, problem: Problem) -> str:
        """Write the XGID; empty before an opening roll. Raises RulesError."""
        options, target = problem.options, problem.match_to
        crawford = bool(options.get("crawford", True)) and target is not None
        cube = bool(options.get("cube", True))
        beavers = bool(options.get(BEAVERS.name, False))
        agreement = Agreement(target, cube, crawford, tie_turns_cube=False, beavers=beavers)
        state = read_origin(problem.origin, Turns(self.game, agreement))
        if state.starter is None:
            return ""
        standing = state.standing
        owner = next(key for key, side in OWNERS.items() if side is standing.cube.owner)
        money = bool(options.get(JACOBY.name)) + 2 * beavers
        fields = (
            write_position(state.position, USUAL).split(" ")[0],
            standing.cube.value.bit_length() - 1,
            owner,
            1 if state.to_act is Side.WHITE else -1,
            self._dice(state),
            *standing.score,
            int(standing.crawford) if target else money,
            target or 0,
            LARGEST if cube else 0,
        )
        return XGID + ":".join(map(str, fields))

    def _dice(self, state: State) -> str:
        offered = state.standing.cube.offered
        if offered is None:
            return str(state.roll or TO_ROLL)
        return DOUBLED if offered is self.game.mover(state.position) else BEAVERED

    def _xgid(self, found: re.Match[str]) -> Problem:
        text, fields = found[0], found[2].split(":")
        if len(fields) not in (8, 9):
            raise TextError(f"{quoted(text)}: {_NO_XGID}")
        power, owner, turn, dice, white, black, rule, target, largest = (*fields, str(LARGEST))[:9]
        if owner not in OWNERS or turn not in ("1", "-1"):
            raise TextError(f"{quoted(text)}: the cube's owner is 1, 0 or -1, the turn 1 or -1")
        dice = dice[:1].upper() if dice[:1].isalpha() else dice
        if not rule.isdecimal() or dice == "R":
            raise TextError(f"{quoted(text)}: {_NO_XGID}")
        position = self.game.read_position(f"{found[1]} {'w' if turn == '1' else 'b'}")
        side, doubled = OWNERS[owner], {DOUBLED: "yes", BEAVERED: "beaver"}.get(dice, "")
        if dice == BEAVERED and side is None and power.isdecimal():
            power, side = (
                str(int(power) + 1),
                OWNERS[turn.removeprefix("-") if turn < "0" else "-1"],
            )
        told = {
            "roll": found[3] or ("" if doubled or dice == TO_ROLL else dice),
            "doubled": doubled,
            **_standing(text, (power, white, black, target), side, crawford=rule == "1"),
        }
        money = int(rule) if target == "0" else 0
        return self._problem(
            position,
            told,
            int(target),
            jacoby=bool(money & 1),
            beavers=bool(money & 2),
            cube=largest != "0",
        )

    def _ogid(self, found: re.Match[str]) -> Problem:
        """HedgeHog, OpenGammon and GammonView publish no description of these fields; this is what
        their programs write. Points are counted from White's bar, 0, to Black's, p; q is off. The
        fifth field is whoever acted last."""
        men = (("A", found[1]), ("a", found[2]))
        _, _, owner, power, action, dice, last, state, *numbers, rule, roll = found.groups()
        white, black, target = (number or "0" for number in numbers)
        board = ["-"] * (BAR + 1)
        for first, letters in men:
            for letter in letters:
                place = BAR - int(letter, BAR + 2)
                if place >= 0:
                    now = board[place]
                    board[place] = first if now == "-" else chr(ord(now) + 1)
        # Whoever played last is not to move; but a double is offered by its player, and before the
        # opening roll White counts as to move.
        doubled = action == "O"
        actor = _OWNER[last] or Side.WHITE
        mover = actor if doubled else actor.other
        if state == _BEFORE_OPENING and not dice:
            mover = Side.WHITE
        position = self.game.read_position(
            f"{''.join(board)} {'w' if mover is Side.WHITE else 'b'}"
        )
        told = {
            "roll": roll or dice or "",
            "doubled": "yes" if doubled else "",
            **_standing(
                found[0], (power, white, black, target), _OWNER[owner], crawford=rule == "C"
            ),
        }
        return self._problem(position, told, int(target), cube=owner != _DEAD_CUBE)

    def _gnu(self, found: re.Match[str]) -> Problem:
        position_id = found["named"] or found["both"] or found["bare"]
        match_id = found["its"] or found["match"]
        after = _AFTER_GNU.match(found.string, found.end())
        mover, roll = after.groups() if after else (None, None)
        if match_id is None:
            position = self.game.read_position(f"{position_id} {mover or 'w'}")
            return self._problem(position, {"roll": roll or ""}, 0)
        power, owner, on_roll, crawford, _, _, doubled, _, first, second, *rest = _bits(match_id)
        target, black, white, plain = rest
        position = self.game.read_position(f"{position_id} {'w' if on_roll else 'b'}")
        side = {0: Side.BLACK, 1: Side.WHITE}.get(owner)
        numbers = tuple(map(str, (power, white, black, target)))
        fields = {
            "roll": roll or (f"{first}{second}" if first else ""),
            "doubled": "yes" if doubled else "",
            **_standing(found[0], numbers, side, crawford=bool(crawford)),
        }
        return self._problem(position, fields, target, jacoby=not target and not plain)

    def _problem(
        self,
        position: object,
        told: Mapping[str, str],
        target: int,
        *,
        jacoby: bool = False,
        beavers: bool = False,
        cube: bool = True,
    ) -> Problem:
        roll = "".join(sorted(told["roll"], reverse=True))
        fields = (f"{key}={value}" for key, value in {**told, "roll": roll}.items() if value)
        origin = " ".join((self.game.write_position(position), *fields))
        options = {
            option.name: True
            for option, on in ((JACOBY, jacoby), (BEAVERS, beavers))
            if on and cube
        }
        return Problem(
            self.game.name, target or None, origin, options | ({} if cube else {"cube": False})
        )


_NO_XGID = (
    "this is no XGID; write XGID= and 26 letters of the board, the cube, its owner, the turn, the "
    "dice, both points, the rule and the length, with colons between"
)


def _standing(
    text: str, numbers: tuple[str, ...], owner: Side | None, *, crawford: bool
) -> Mapping[str, str]:
    """The fields of a score and a cube, from the cube's exponent, both sides' points and the match
    length."""
    if not all(map(_NUMBER.fullmatch, numbers)):
        raise TextError(f"{quoted(text)}: the cube and the points are whole numbers")
    power, white, black, target = map(int, numbers)
    if power > 2 * LARGEST:
        raise TextError(f"{quoted(text)}: a cube of 2 to the power of {power} is too large")
    one_away = target > 1 and max(white, black) == target - 1
    return {
        "score": f"{white}-{black}" if white or black else "",
        "cube": str(1 << power) if power else "",
        "owner": owner.value if owner else "",
        "crawford": "played" if one_away and not crawford else "",
    }


def _bits(match_id: str) -> tuple[int, ...]:
    left, parts = int.from_bytes(base64.b64decode(match_id), "little"), list[int]()
    for width in _PARTS:
        parts.append(left & (1 << width) - 1)
        left >>= width
    return tuple(parts)
