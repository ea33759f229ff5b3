"""How commands read their words: arguments, options of a match, and files of events."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from pi_app.devices.clock import MatchClock
from pi_app.devices.gpio import GpioBoard
from pi_app.devices.scanner import Listener, ScannerBoard
from pi_app.devices.scanner_port import PortCarrier, SerialPort, find_port
from pi_app.devices.source import Put, SensorSource, Timing
from pi_app.errors import GivenError
from pi_app.match.clock import ClockKind
from pi_app.match.terms import (
    FRIENDLY,
    MOST_SECONDS,
    PRESETS,
    AgreedDice,
    ClockTerms,
    MatchTerms,
    PlayPolicy,
)
from pi_app.microseconds import ms
from pi_app.rules.contract import Games
from pi_app.sensing.description import Board
from pi_app.settings import Settings
from pi_app.words.texts import one_line, quoted

# Reading a command's words: what cannot be read is one line, like every other error.

_MOST_OF_MESSAGE = 200


class UsageError(GivenError):
    """The command's words cannot be read. The message says which, and where to read more."""


class Parser(argparse.ArgumentParser):
    """Raises UsageError instead of exiting. Options may stand between other words."""

    def __init__(
        self, command: str, description: str, program: str = "spotter", **more: Any
    ) -> None:
        super().__init__(prog=f"{program} {command}".strip(), description=description, **more)
        self._takes_rest = False

    def add_rest(self, name: str, metavar: str, says: str) -> None:
        """Take all further words, options or not: a position may begin with a dash."""
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
        """Leave out the usage: an error is one line."""
        raise UsageError(f"{one_line(message, _MOST_OF_MESSAGE)}; see: {self.prog} --help")

    def add_game(self, games: Games) -> None:
        names = ", ".join(games)
        self.add_argument("game", choices=games, metavar="GAME", help=f"one of: {names}")


def nearest(word: str, known: Iterable[str]) -> str:
    """Suggest the closest known word, as the end of an error; empty if none is close."""
    found = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {found[0]}?" if found else ""


def whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        is_short = text.isascii() and text.isdecimal() and len(text) <= len(str(high))
        if not (is_short and low <= int(text) <= high):
            reason = f"{quoted(text)} is no whole number from {low} to {high}"
            raise argparse.ArgumentTypeError(reason)
        return int(text)

    return read


# `--clock`, `--policy` and the rest: what a tournament lays down, on the command line.

FORM = "KIND,RESERVE[/point][,TURN[,OVERTIME]]"
FIELDS = 4
POLICIES = {policy.value.split()[0]: policy for policy in PlayPolicy}


def add_terms(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--clock",
        type=read_clock,
        metavar="CLOCK",
        help=f"with --match: {', '.join(PRESETS)}, or {FORM} in seconds, as delay,120/point,12,60",
    )
    parser.add_argument(
        "--policy",
        choices=POLICIES,
        help="with --match: legal warns of illegal plays, responsible does not",
    )
    parser.add_argument("--locked", action="store_true", help="with --match: no hints, no coach")
    parser.add_argument(
        "--dice",
        choices=[dice.value for dice in AgreedDice if dice is not AgreedDice.AS_SET],
        help="with --match: who rolls, whatever the settings say",
    )


def terms_of(args: argparse.Namespace) -> MatchTerms:
    """Options that are not given keep the friendly defaults."""
    terms = replace(FRIENDLY, clock=args.clock) if args.clock else FRIENDLY
    if args.policy:
        terms = replace(terms, policy=POLICIES[args.policy])
    if args.dice:
        terms = replace(terms, dice=AgreedDice(args.dice))
    return replace(terms, locked=args.locked)


def read_clock(text: str) -> ClockTerms:
    """Read a preset's name or a clock written out."""
    if text in PRESETS:
        return PRESETS[text].clock
    kind, *numbers = text.split(",")
    kinds = [kind.value for kind in ClockKind if kind is not ClockKind.NONE]
    if kind not in kinds or not 1 <= len(numbers) < FIELDS:
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} is none of {', '.join(PRESETS)}, and not {FORM};"
            f" KIND is {', '.join(kinds)}"
        )
    reserve, slash, point = numbers[0].partition("/")
    if slash and point != "point":
        raise argparse.ArgumentTypeError(f"{quoted(numbers[0])}: write {reserve}/point")
    a_turn, overtime = (_seconds(number, 0) for number in (*numbers[1:], "0", "0")[:2])
    return ClockTerms(
        ClockKind(kind), _seconds(reserve, 1), bool(slash), a_turn=a_turn, overtime=overtime
    )


def _seconds(text: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text[:9]) <= MOST_SECONDS):
        wanted = f"a whole number of seconds from {least} to {MOST_SECONDS}"
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not {wanted}")
    return int(text)


# Opening the real board for the commands that need it.


def open_source(
    board: Board, factory: Any, settings: Settings, clock: MatchClock, put: Put
) -> SensorSource:
    """Open the board's pins and its scanner, if it has one. Raises DeviceError without pins."""
    timing = replace(timing_of(settings), stamp=clock.stamped)
    if board.scanner is None:
        return GpioBoard(board, factory, clock, put, timing)

    def connect() -> SerialPort:
        return SerialPort(find_port(settings.scanner.port))

    def carry(listener: Listener) -> PortCarrier:
        return PortCarrier(listener, connect, clock)

    return ScannerBoard(board, factory, clock, put, carry, timing)


def timing_of(settings: Settings) -> Timing:
    return Timing(ms(settings.times.long_press_ms), ms(settings.times.debounce_ms))
