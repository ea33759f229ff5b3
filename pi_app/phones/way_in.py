"""How a phone gets in where nobody sees the QR code: the address and a short code, said aloud."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hmac import compare_digest
from threading import Lock
from urllib.parse import urlsplit

from pi_app.base.microseconds import Us, ms
from pi_app.words.sentences import COMMAS, Sentence, joined

DIGITS = 6
VALID = ms(600_000)
MOST_TRIES = 10
"""A guesser finds a code in ten tries with a chance of 1 in 100 000."""
PAUSE = ms(10_000)
"""Time after the start: a phone that has the token connects by itself, and nothing is said."""
AGAIN = ms(60_000)
"""Time between two repetitions."""
MOST_REPEATS = 2

WAY_IN = Sentence("To play with a phone, open {address} in its browser. The code is {code}.")
ADDRESS = Sentence("{a}, point, {b}, point, {c}, point, {d}, colon, {port}")


def say_way_in(page: str, code: str) -> str:
    """Say a code and the address of a page digit by digit; the host must be an IPv4 address."""
    place = urlsplit(page)
    a, b, c, d = (" ".join(part) for part in (place.hostname or "").split("."))
    address = ADDRESS(a=a, b=b, c=c, d=d, port=" ".join(str(place.port)))
    return WAY_IN(address=address, code=joined(tuple(code), COMMAS))


class SpokenCode:
    """A code that lets one phone in, within ten minutes and ten tries. There is none until `new`.

    The loop's thread makes codes, the phones' thread tries them.
    """

    def __init__(self, clock: Callable[[], Us]) -> None:
        self._clock, self._lock = clock, Lock()
        self._digits, self._until, self._tries = "", Us(0), 0
        self.is_in_use = False
        """Whether a code was ever made, so that a phone without a token is asked for it."""

    def new(self) -> str:
        """Make a code; the one before is no longer valid."""
        digits = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
        with self._lock:
            self._digits, self._until = digits, Us(self._clock() + VALID)
            self._tries, self.is_in_use = MOST_TRIES, True
        return digits

    def present(self) -> str | None:
        """The code that is said without a request: the first one, then the same until it is no
        longer valid, then None."""
        with self._lock:
            if self.is_in_use:
                return self._digits if self._is_valid else None
        return self.new()

    def opens(self, typed: str) -> bool:
        """Use up a try; the right code uses up all. Takes equally long for all codes of six digits,
        so that its time tells nothing."""
        given = typed.encode("utf-8", "replace")
        with self._lock:
            right = compare_digest(given, self._digits.encode()) and self._is_valid
            self._tries = 0 if right else max(0, self._tries - 1)
        return right

    def drop(self) -> None:
        """Make the code invalid."""
        with self._lock:
            self._tries = 0

    @property
    def _is_valid(self) -> bool:
        return self._tries > 0 and self._clock() < self._until


class Repeats:
    """When Spotter says the way in without a request.

    It says it PAUSE after the start and MOST_REPEATS times more, and stops when a phone comes.
    """

    def __init__(self) -> None:
        self._due: Us | None = None
        self._left = 1 + MOST_REPEATS

    def are_due(self, us: Us, *, is_open: bool, has_come: bool) -> bool:
        """Whether to say it now. `is_open`: a phone could come; `has_come`: one is there."""
        if has_come:
            self._left = 0
        if not is_open or not self._left:
            return False
        if self._due is None:
            self._due = Us(us + PAUSE)
        if us < self._due:
            return False
        self._due, self._left = Us(us + AGAIN), self._left - 1
        return True

    def begin(self, us: Us) -> None:
        """Count anew, because somebody asked for it and it is said now."""
        self._due, self._left = Us(us + AGAIN), MOST_REPEATS
