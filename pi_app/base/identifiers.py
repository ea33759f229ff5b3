"""Names that come from outside: each kind has one form and a limited length, checked here only.

Such a name becomes part of a file name, a topic, a row or a key, so it is checked first.
"""

from __future__ import annotations

import re
from typing import NewType

from pi_app.base.errors import GivenError
from pi_app.words.texts import clean_name, one_line, quoted

BoardName = NewType("BoardName", str)
"""A board's name and account at its club: small letters, digits and hyphens."""
MatchKey = NewType("MatchKey", str)
"""A permanent identifier of a board's match: its number in the journal, `@`, and when it began.

The number alone could occur again on a board whose journal was lost.
"""
HIGHEST_NUMBER = 10**9
"""No match has this many decisions, and no journal this many matches."""
HASH_DIGITS = 64
MOST_OF_REMARK = 1000
BOARD_FORM = "[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?"
FRIEND_FORM = "~[0-9a-f]{16}"
"""How a board of no club is called here: no board of a club can have such a name."""
FAR_FORM = f"(?:{BOARD_FORM}|{FRIEND_FORM})"
LINK_FORM = "[0-9a-f]{1,32}"
TOKEN_FORM = "[a-z0-9-]{0,32}"
MATCH_FORM = "([1-9][0-9]{0,8})@([ -~]{0,64})"
_HEXADECIMALS = frozenset("0123456789abcdef")


class IdentifierError(GivenError, ValueError):
    """A name of the wrong form; says which form it must have."""


def board_name(text: str) -> BoardName:
    """Raises IdentifierError for a name that a topic cannot contain."""
    wanted = "its name can have small letters, digits and hyphens, 32 at most"
    return BoardName(_formed(BOARD_FORM, text, "board", wanted))


def far_board(text: str) -> BoardName:
    """The name of a board of the club, or of a friend's. Raises IdentifierError."""
    return BoardName(text) if is_friend(text) else board_name(text)


def is_friend(board: str) -> bool:
    """Whether this is the name of a friend's board."""
    return re.fullmatch(FRIEND_FORM, board) is not None


def match_key(number: int, began: str) -> MatchKey:
    """The key of a match in the journal; `began` is its stored wall time."""
    return MatchKey(f"{number}@{began}")


def read_match_key(text: str) -> MatchKey:
    """Read a match's key that another program sent. Raises IdentifierError."""
    wanted = "it is a number, @, and when it began"
    return MatchKey(_formed(MATCH_FORM, text, "match", wanted))


def parts_of(key: MatchKey) -> tuple[int, str]:
    number, _, began = key.partition("@")
    return int(number), began


def player_name(text: str) -> str:
    if not text or clean_name(text) != text:
        raise IdentifierError(f"{quoted(text)} is no name of a player; it has 1 to 40 letters")
    return text


def shortened(text: str) -> str:
    return one_line(text, MOST_OF_REMARK)


def is_hex(text: str, digits: int) -> bool:
    """Whether a text is exactly this many lower-case hexadecimal digits."""
    return len(text) == digits and _HEXADECIMALS.issuperset(text)


def _formed(form: str, text: str, what: str, wanted: str) -> str:
    if not re.fullmatch(form, text):
        raise IdentifierError(f"{what} {quoted(text)}; {wanted}")
    return text
