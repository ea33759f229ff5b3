"""Positions as other programs write them: XGID, and GNU Backgammon's position ID and match ID.

An XGID is the position, the exponent of the cube (its base 2 logarithm), its owner, the turn (1
White, -1 Black), the dice, White's and Black's points, Crawford (in a match) or Jacoby, the match
length and the greatest exponent of the cube. Dice `00` are not rolled yet; `D` is a double that
waits for its answer.

A match ID is 72 bits; in each byte the lowest bit comes first. GNU Backgammon's manual describes
all but the last bit, which says that there is no Jacoby rule. Player 1 is White.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass

from pi_app.match.origin import Problem, read_origin
from pi_app.match.score import Agreement
from pi_app.rules.contract import JACOBY, AnyGame
from pi_app.rules.tables.ids import XGID
from pi_app.rules.tables.position import USUAL, write_position
from pi_app.rules.terms import Side, TextError
from pi_app.words.texts import quoted

OWNERS: Mapping[str, Side | None] = {"1": Side.WHITE, "0": None, "-1": Side.BLACK}
TO_ROLL, DOUBLED = "00", "D"
LARGEST = 10
"""The greatest exponent of the cube that an XGID allows."""
_GNU = re.compile(r"([A-Za-z0-9+/]{14})(?::([A-Za-z0-9+/]{12})| ([wb]))?(?: ([1-6]{2}))?")
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
        """Read an ID, perhaps with a roll after it; None for another form. Raises RulesError."""
        if text.startswith(XGID):
            xgid, _, roll = text.partition(" ")
            return self._xgid(xgid, roll)
        found = _GNU.fullmatch(text)
        return found and self._gnu(found)

    def write(self, problem: Problem) -> str:
        """Write the XGID; empty before an opening roll. Raises RulesError."""
        options, target = problem.options, problem.match_to
        crawford = options.get("crawford", True) and target is not None
        cube = options.get("cube", True)
        agreement = Agreement(target, cube, crawford, tie_turns_cube=False)
        state = read_origin(problem.origin, self.game, agreement)
        if state.starter is None:
            return ""
        standing = state.standing
        owner = next(key for key, side in OWNERS.items() if side is standing.cube.owner)
        jacoby = target is None and options.get(JACOBY.name, False)
        fields = (
            write_position(state.position, USUAL).split(" ")[0],
            standing.cube.value.bit_length() - 1,
            owner,
            1 if state.to_act is Side.WHITE else -1,
            DOUBLED if standing.cube.offered else str(state.roll or TO_ROLL),
            *standing.score,
            int(standing.crawford or jacoby),
            target or 0,
            LARGEST if cube else 0,
        )
        return XGID + ":".join(map(str, fields))

    def _xgid(self, text: str, roll: str) -> Problem:
        position = self.game.read_position(text)
        _, power, owner, _, dice, white, black, rule, target, largest = text.split(":")
        if owner not in OWNERS:
            raise TextError(f"{quoted(text)}: the cube's owner is 1, 0 or -1")
        told = {
            "roll": roll or (dice if dice not in (TO_ROLL, DOUBLED) else ""),
            "doubled": "yes" if dice == DOUBLED else "",
            **_standing(text, (power, white, black, target), OWNERS[owner], crawford=rule == "1"),
        }
        jacoby = target == "0" and rule in ("1", "3")
        return self._problem(position, told, int(target), jacoby=jacoby, cube=largest != "0")

    def _gnu(self, found: re.Match[str]) -> Problem:
        position_id, match_id, mover, roll = found.groups()
        if match_id is None:
            position = self.game.read_position(f"{position_id} {mover or 'w'}")
            return self._problem(position, {"roll": roll or ""}, 0)
        power, owner, on_roll, crawford, _, _, doubled, _, first, second, *rest = _bits(match_id)
        target, black, white, plain = rest
        position = self.game.read_position(f"{position_id} {'w' if on_roll else 'b'}")
        side = {0: Side.BLACK, 1: Side.WHITE}.get(owner)
        numbers = tuple(map(str, (power, white, black, target)))
        told = {
            "roll": roll or (f"{first}{second}" if first else ""),
            "doubled": "yes" if doubled else "",
            **_standing(found[0], numbers, side, crawford=bool(crawford)),
        }
        return self._problem(position, told, target, jacoby=not target and not plain)

    def _problem(
        self,
        position: object,
        told: Mapping[str, str],
        target: int,
        *,
        jacoby: bool = False,
        cube: bool = True,
    ) -> Problem:
        fields = (f"{key}={value}" for key, value in told.items() if value)
        origin = " ".join((self.game.write_position(position), *fields))
        options = {JACOBY.name: True} if jacoby and cube else {}
        return Problem(
            self.game.name, target or None, origin, options | ({} if cube else {"cube": False})
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
    one_away = target and max(white, black) == target - 1
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
