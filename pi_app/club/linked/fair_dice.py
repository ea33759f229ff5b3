"""Dice from two secrets, one per board: nobody can choose them, and everybody can check them.

For throw k (from 0, in a match) each board has a secret of 32 bytes: the HMAC-SHA256 of the link,
the side and k, with a key from the system's entropy that never leaves the board. Its commitment is
the SHA-256 of the link, the side, k and the secret; the side in it keeps anyone from returning the
other board's commitment as his own. A board reveals a secret only when it holds the other's
commitment.

The dice are read from the bytes of SHA-256(link, k, White's secret, Black's secret, block), block
0, 1, …: a byte b below 252 gives 1 + b mod 6, a larger one is skipped. As 252 is 42 times 6, all
faces are equally likely if one of the two secrets is random.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from hashlib import sha256
from itertools import count, islice

from pi_app.rules.terms import Roll, Side

FACES = 6
_FAIR = 256 - 256 % FACES
_TAG = "spotter dice 1"


def secret(key: bytes, link: str, side: Side, throw: int) -> str:
    """A board's number of a throw, 64 hexadecimal digits."""
    return hmac.new(key, _bytes(link, side.value, throw), sha256).hexdigest()


def commitment(link: str, side: Side, throw: int, number: str) -> str:
    """The commitment to a number, 64 hexadecimal digits."""
    return sha256(_bytes("commit", link, side.value, throw, number)).hexdigest()


def dice_of(link: str, throw: int, white: str, black: str, dice: int) -> Roll:
    """The dice of a throw, from both secrets."""
    return Roll.of(*islice(_faces(link, throw, white, black), dice))


def _faces(link: str, throw: int, white: str, black: str) -> Iterator[int]:
    for block in count():
        for byte in sha256(_bytes("dice", link, throw, white, black, block)).digest():
            if byte < _FAIR:
                yield 1 + byte % FACES


def _bytes(*words: str | int) -> bytes:
    """No word has a line break, so no two lists of words are alike."""
    return "\n".join((_TAG, *map(str, words))).encode("ascii")
