"""Positions of Backgammon as other programs write them: position IDs and XGIDs.

GNU Backgammon's position ID is 80 bits in Base64 without padding, 14 characters; in each byte the
lowest bit comes first. The player who is not on roll comes first, then the player on roll. Each of
their points 1 to 24 and their bar is written as one 1 bit per checker, followed by a 0 bit. The ID
does not say who is on roll, so a mover may follow it here; the default is White. An XGID is a
position and nine numbers. Only the number for the turn is read (1 White, -1 Black).
"""

from __future__ import annotations

import base64
import binascii
import re

from pi_app.rules.tables.position import (
    BAR,
    USUAL,
    Men,
    TablesPosition,
    Variant,
    count,
    one,
    read_position,
    seen_by,
    write_position,
)
from pi_app.rules.terms import PositionError, Side
from pi_app.words.texts import quoted

BYTES = 10
XGID = "XGID="
XGID_FIELDS = 10

_ID = re.compile(r"([A-Za-z0-9+/]{14})(?: ([wb]))?")


def read_id(text: str, a_side: int) -> TablesPosition | None:
    """Read an XGID, or a position ID with or without a mover; None for other texts.

    Raises PositionError.
    """
    if text.startswith(XGID):
        return _read_xgid(text, a_side)
    found = _ID.fullmatch(text)
    mover = Side.BLACK if found and found[2] == "b" else Side.WHITE
    return found and _read_position_id(text, found[1], mover, a_side)


def write_position_id(position: TablesPosition) -> str:
    """Write the 14 characters of the position ID, which does not contain the mover."""
    bits, length = 0, 0
    for side in (position.mover.other, position.mover):
        for number in range(1, BAR + 1):
            there = count(position.men(side), number)
            bits |= (1 << there) - 1 << length
            length += there + 1
    return base64.b64encode(bits.to_bytes(BYTES, "little")).decode("ascii").rstrip("=")


def _read_position_id(text: str, characters: str, mover: Side, a_side: int) -> TablesPosition:
    try:
        raw = base64.b64decode(characters + "==", validate=True)
    except binascii.Error as error:
        raise PositionError(text, (f"this is no Base64: {error}",)) from None
    runs = f"{int.from_bytes(raw, 'little'):080b}"[::-1].split("0")
    enemy, own = (_men(runs[first : first + BAR], a_side) for first in (0, BAR))
    if len(runs) < 2 * BAR or "1" in "".join(runs[2 * BAR :]) or min(enemy, own) < 0:
        reason = f"these bits are not two times 25 counts of at most {a_side} checkers together"
        raise PositionError(text, (reason,))
    position = seen_by(mover, own, enemy)
    return read_position(write_position(position, USUAL), Variant(a_side=a_side))


def _men(runs: list[str], a_side: int) -> Men:
    """Count one side's checkers from runs of ones; a negative count if there are too many."""
    standing = sum(len(run) for run in runs)
    if standing > a_side:
        return -1
    men = sum(len(run) * one(number) for number, run in enumerate(runs, start=1))
    return men + a_side - standing


def _read_xgid(text: str, a_side: int) -> TablesPosition:
    fields = text.removeprefix(XGID).split(":")
    reasons = []
    if len(fields) != XGID_FIELDS:
        reasons.append(f"it has {len(fields)} parts between colons; an XGID has {XGID_FIELDS}")
    turn = fields[3] if len(fields) > 3 else ""
    if turn not in ("1", "-1"):
        reasons.append(f"the turn is {quoted(turn)}; write 1 for White or -1 for Black")
    try:
        board = f"{fields[0]} {'b' if turn == '-1' else 'w'}"
        position = read_position(board, Variant(a_side=a_side))
    except PositionError as error:
        reasons += error.reasons
    if reasons:
        raise PositionError(text, tuple(reasons))
    return position
