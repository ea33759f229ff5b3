"""Who may come in: a token for playing and one for watching, kept until somebody forgets them."""

from __future__ import annotations

import secrets
from contextlib import suppress
from enum import Enum
from hmac import compare_digest
from pathlib import Path

from pi_app.base.files import read_text, replace_text
from pi_app.base.typed_json import JsonError, read, write
from pi_app.base.values import dataclass

FILE = "phones.json"
TOKEN_BYTES = 15
"""120 random bits, 20 letters: nobody guesses them, and with the longest address they still fit a
QR code of 29 modules, which an OLED of 64 rows shows with two points a module."""


class PhoneRole(Enum):
    PLAY = "play"
    WATCH = "watch"


@dataclass(frozen=True, slots=True)
class Tokens:
    play: str
    watch: str

    @staticmethod
    def new() -> Tokens:
        return Tokens(secrets.token_urlsafe(TOKEN_BYTES), secrets.token_urlsafe(TOKEN_BYTES))

    def role_of(self, token: str) -> PhoneRole | None:
        """The role that a token gives. Takes equally long for every token of the same length."""
        given = token.encode("utf-8", "replace")
        plays = compare_digest(given, self.play.encode())
        watches = compare_digest(given, self.watch.encode())
        return PhoneRole.PLAY if plays else PhoneRole.WATCH if watches else None


def kept_tokens(folder: Path) -> Tokens:
    """Return the tokens of a data folder, or new ones, which are kept if the disk allows it."""
    with suppress(OSError, ValueError, JsonError):
        tokens = read(read_text(folder / FILE), Tokens)
        if min(len(tokens.play), len(tokens.watch)) >= TOKEN_BYTES and tokens.play != tokens.watch:
            return tokens
    return forget(folder)


def forget(folder: Path) -> Tokens:
    """Make new tokens, so that nobody who knows the old ones comes in."""
    tokens = Tokens.new()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        replace_text(folder / FILE, write(tokens))
    return tokens
