"""Backgammon positions as other programs write them: the GNU position ID and the XGID.

The position ID is 80 bits, in bytes from the lowest bit on: for the player who is not on roll and
then for the one who is, the checkers on each of his points 1 to 24 and on the bar as so many ones
and a zero.  Base64 without padding makes 14 characters of them.  It does not say who is on roll:
here a mover may follow, and White is taken otherwise.

An XGID is the position's text and nine numbers: cube, its owner, the turn (1 White, -1 Black), the
dice, and the match.  Only the position and the turn are read.
"""

from __future__ import annotations

import base64
import binascii
import re

from pi_app.rules.tables.men import BAR, CHECKERS, Men, TablesPosition, count, one, seen_by
from pi_app.rules.tables.position import read_position, write_position
from pi_app.rules.terms import PositionError, Side
from pi_app.texts import quoted

BYTES = 10
XGID = "XGID="
XGID_FIELDS = 10

_ID = re.compile(r"([A-Za-z0-9+/]{14})(?: ([wb]))?")


def is_gnubg_text(text: str) -> bool:
    """Whether a text is meant as an XGID or has the form of a position ID."""
    return text.startswith(XGID) or _ID.fullmatch(text) is not None


def read_id(text: str) -> TablesPosition:
    """Read an XGID, or a position ID with the mover behind it; raises PositionError."""
    if text.startswith(XGID):
        return _read_xgid(text)
    found = _ID.fullmatch(text)
    if not found:
        raise PositionError(text, ("a position ID is 14 characters, like 4HPwATDgc/ABMA",))
    return _read_position_id(text, found[1], Side.BLACK if found[2] == "b" else Side.WHITE)


def write_position_id(position: TablesPosition) -> str:
    """The 14 characters; the mover is not told by them."""
    bits, length = 0, 0
    for side in (position.mover.other, position.mover):
        for number in range(1, BAR + 1):
            there = count(position.men(side), number)
            bits |= (1 << there) - 1 << length
            length += there + 1
    return base64.b64encode(bits.to_bytes(BYTES, "little")).decode("ascii").rstrip("=")


def write_xgid(position: TablesPosition) -> str:
    """The XGID of the position, to be rolled for, in unlimited play with a centred cube."""
    board, mover = write_position(position, pins=False).split(" ")
    return f"{XGID}{board}:0:0:{1 if mover == 'w' else -1}:00:0:0:0:0:10"


def _read_position_id(text: str, characters: str, mover: Side) -> TablesPosition:
    try:
        raw = base64.b64decode(characters + "==", validate=True)
    except binascii.Error as error:
        raise PositionError(text, (f"this is no Base64: {error}",)) from None
    runs = f"{int.from_bytes(raw, 'little'):080b}"[::-1].split("0")
    enemy, own = (_men(runs[first : first + BAR]) for first in (0, BAR))
    if len(runs) < 2 * BAR or "1" in "".join(runs[2 * BAR :]) or min(enemy, own) < 0:
        reason = "these bits are not two times 25 counts of at most fifteen checkers together"
        raise PositionError(text, (reason,))
    position = seen_by(mover, own, enemy)
    return read_position(write_position(position, pins=False), pins=False)


def _men(runs: list[str]) -> Men:
    """The men of one side from the runs of ones; negative when there are too many."""
    standing = sum(len(run) for run in runs)
    if standing > CHECKERS:
        return -1
    men = sum(len(run) * one(number) for number, run in enumerate(runs, start=1))
    return men + CHECKERS - standing


def _read_xgid(text: str) -> TablesPosition:
    fields = text.removeprefix(XGID).split(":")
    reasons = []
    if len(fields) != XGID_FIELDS:
        reasons.append(f"it has {len(fields)} parts between colons; an XGID has {XGID_FIELDS}")
    turn = fields[3] if len(fields) > 3 else ""
    if turn not in ("1", "-1"):
        reasons.append(f"the turn is {quoted(turn)}; write 1 for White or -1 for Black")
    try:
        position = read_position(f"{fields[0]} {'b' if turn == '-1' else 'w'}", pins=False)
    except PositionError as error:
        reasons += error.reasons
    if reasons:
        raise PositionError(text, tuple(reasons))
    return position
