"""Names that come from outside: each kind has one form and a longest length, checked here alone.

Such a name becomes part of a file's name, a topic, a row or a key, so it is checked before anything
is made of it.
"""

from __future__ import annotations

import re
from typing import NewType

from pi_app.base.errors import GivenError
from pi_app.words.texts import clean_name, one_line, quoted

BoardName = NewType("BoardName", str)
"""What a board is called at its club, and its account: small letters, digits and hyphens."""
MatchKey = NewType("MatchKey", str)
"""A match of one board for ever: its number in the journal, `@`, and when it began.

The number alone would come again on a board whose journal was lost.
"""
HIGHEST_NUMBER = 10**9
"""No match has so many decisions, and no journal so many matches."""
HASH_DIGITS = 64
MOST_OF_REMARK = 1000
BOARD_FORM = "[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?"
LINK_FORM = "[0-9a-f]{1,32}"
TOKEN_FORM = "[a-z0-9-]{0,32}"
MATCH_FORM = "([1-9][0-9]{0,8})@([ -~]{0,64})"
_HEXADECIMALS = frozenset("0123456789abcdef")


class IdentifierError(GivenError, ValueError):
    """A name that does not have the form of its kind; says which form that is."""


def board_name(text: str) -> BoardName:
    """Raises IdentifierError for what a topic cannot hold."""
    wanted = "its name can have small letters, digits and hyphens, 32 at most"
    return BoardName(_formed(BOARD_FORM, text, "board", wanted))


def match_key(number: int, began: str) -> MatchKey:
    """The key of a match of the journal; `began` is its wall time as kept."""
    return MatchKey(f"{number}@{began}")


def read_match_key(text: str) -> MatchKey:
    """The key of a match that another program names; raises IdentifierError."""
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
    """Whether a text is so many lower hexadecimals, which is the one way to write them here."""
    return len(text) == digits and _HEXADECIMALS.issuperset(text)


def _formed(form: str, text: str, what: str, wanted: str) -> str:
    if not re.fullmatch(form, text):
        raise IdentifierError(f"{what} {quoted(text)}; {wanted}")
    return text
