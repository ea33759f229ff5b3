"""Reading a command's words: what cannot be read is one line, like every other error."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from pi_app.errors import GivenError
from pi_app.rules.contract import Games
from pi_app.texts import one_line, quoted

_MOST_OF_MESSAGE = 200
MOST_TIMES = 100


class UsageError(GivenError):
    """Words that a command cannot read; says which, and where to read more."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are raised as UsageError; options may stand between other words."""

    def __init__(self, command: str, description: str, **more: Any) -> None:
        super().__init__(prog=f"spotter {command}".strip(), description=description, **more)
        self._takes_rest = False

    def add_rest(self, name: str, metavar: str, says: str) -> None:
        """All further words, options or not: a position may begin with a dash."""
        self._takes_rest = True
        self.add_argument(name, nargs=argparse.REMAINDER, metavar=metavar, help=says)

    def parse_args(  # type: ignore[override]  # of the overloads only this is used
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """What was given; raises UsageError.

        Before Python 3.12 plain parsing rejects the words of a list that follow an option.
        """
        parse = self.parse_known_args if self._takes_rest else self.parse_known_intermixed_args
        given, left = parse(args, namespace)
        if left:
            self.error(
                f"{quoted(left[0])} is not known{nearest(left[0], self._option_string_actions)}"
            )
        return given

    def error(self, message: str) -> NoReturn:
        """One line, without the usage."""
        raise UsageError(f"{one_line(message, _MOST_OF_MESSAGE)}; see: {self.prog} --help")

    def add_game(self, games: Games) -> None:
        """The name of one of these games is the next word."""
        names = ", ".join(games)
        self.add_argument("game", choices=games, metavar="GAME", help=f"one of: {names}")


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of an error: which known word was probably meant, empty where none is near."""
    found = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {found[0]}?" if found else ""


def whole(low: int, high: int) -> Callable[[str], int]:
    """The reader of a whole number within bounds."""

    def read(text: str) -> int:
        is_short = text.isascii() and text.isdecimal() and len(text) <= len(str(high))
        if not (is_short and low <= int(text) <= high):
            reason = f"{quoted(text)} is no whole number from {low} to {high}"
            raise argparse.ArgumentTypeError(reason)
        return int(text)

    return read


def times(text: str) -> float:
    """How many times as often: a number from 0 to 100; raises ArgumentTypeError for another."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= MOST_TIMES:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no number from 0 to {MOST_TIMES}")
    return number
