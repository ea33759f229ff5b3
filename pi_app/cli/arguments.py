"""How commands read their arguments, and open the board that these name."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

from pi_app.base.errors import GivenError
from pi_app.base.microseconds import ms
from pi_app.devices.clock import MatchClock
from pi_app.devices.gpio import GpioBoard
from pi_app.devices.source import Put, SensorSource, Timing
from pi_app.games.equipment import Compendium
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
from pi_app.sensing.description import Board
from pi_app.user.settings import Settings
from pi_app.words.texts import one_line, quoted

if TYPE_CHECKING:
    from pi_app.devices.scanner import Listener
    from pi_app.devices.scanner_port import SerialPort

Read: TypeAlias = Callable[[str], Any]
_MOST_OF_MESSAGE = 200


class UsageError(GivenError):
    """The command's arguments cannot be read."""


class Parser(argparse.ArgumentParser):
    """Raises UsageError, of one line, instead of exiting. Options may stand between arguments."""

    def __init__(
        self, command: str, description: str, program: str = "spotter", **more: Any
    ) -> None:
        super().__init__(prog=f"{program} {command}".strip(), description=description, **more)
        self._takes_rest = False

    def takes(
        self,
        name: str,
        metavar: str | tuple[str, ...] | None,
        says: str,
        read: Read = str,
        default: Any = None,
        **more: Any,
    ) -> None:
        """Add an argument, or with dashes an option, whose text is converted by `read`."""
        self.add_argument(name, metavar=metavar, help=says, type=read, default=default, **more)

    def flag(self, name: str, says: str) -> None:
        self.add_argument(name, action="store_true", help=says)

    def add_game(self, games: Collection[str]) -> None:
        self.takes("game", "GAME", f"one of: {', '.join(games)}", choices=games)

    def add_player(self) -> None:
        self.takes("--player", "NAME", "the engine; by default the strongest")

    def add_json(self) -> None:
        self.flag("--json", "print one object of JSON")

    def add_rest(self, name: str, metavar: str, says: str) -> None:
        """Take everything that follows, options or not: a position may begin with a dash."""
        self._takes_rest = True
        self.add_argument(name, nargs=argparse.REMAINDER, metavar=metavar, help=says)

    def parse_args(  # type: ignore[override]  # of the overloads only this is used
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Raises UsageError.

        Before Python 3.12 argparse rejects items of a list that follow an option.
        """
        parse = self.parse_known_args if self._takes_rest else self.parse_known_intermixed_args
        given, left = parse(args, namespace)
        if left:
            self.error(
                f"{quoted(left[0])} is not known{nearest(left[0], self._option_string_actions)}"
            )
        return given

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{one_line(message, _MOST_OF_MESSAGE)}; see: {self.prog} --help")


Words: TypeAlias = argparse.Namespace
DoesPart: TypeAlias = Callable[[Words, Compendium], Iterable[str]]


class Part(NamedTuple):
    """One action of a command: a function that yields lines to print, and its arguments."""

    says: str
    act: DoesPart
    words: Callable[[Parser], None] = lambda _: None


def run_action(
    command: str,
    says: str,
    actions: Mapping[str, Part],
    argv: list[str],
    games: Compendium,
    first: Callable[[Parser], None] = lambda _: None,
) -> None:
    """Run one of a command's actions; `first` adds arguments that each action takes
    before its own."""
    if not argv or argv[0] not in actions:
        lines = [f"  {name:<9} {action.says}" for name, action in actions.items()]
        overview = Parser(
            command,
            says,
            epilog="\n".join([f"spotter {command} ACTION --help tells more:", *lines]),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            usage=f"spotter {command} ACTION …",
        )
        overview.takes("action", "ACTION", "one of those below", choices=actions)
        overview.parse_args(argv[:1])
    name, *words = argv
    parser = Parser(f"{command} {name}", f"{actions[name].says.capitalize()}.")
    first(parser)
    actions[name].words(parser)
    for line in actions[name].act(parser.parse_args(words), games):
        print(line, flush=True)


def nearest(word: str, known: Iterable[str]) -> str:
    """Suggest the closest known word, as the end of an error message; empty if none is close."""
    found = difflib.get_close_matches(word, list(known), n=1)
    return f"; perhaps {found[0]}" if found else ""


def whole(low: int, high: int, what: str = "", otherwise: str = "") -> Callable[[str], int]:
    """Return a reader of numbers of `what`; its errors also name what may be given `otherwise`."""

    def read(text: str) -> int:
        is_short = text.isascii() and text.isdecimal() and len(text) <= len(str(high))
        if not (is_short and low <= int(text) <= high):
            reason = f"{quoted(text)} is no whole number{what} from {low} to {high}{otherwise}"
            raise argparse.ArgumentTypeError(reason)
        return int(text)

    return read


FORM = "KIND,RESERVE[/point][,TURN[,OVERTIME]]"
FIELDS = 4
POLICIES = {policy.value.split()[0]: policy for policy in PlayPolicy}


def add_terms(parser: Parser) -> None:
    """Add the options of a tournament match; the default is friendly play."""
    clocks = f"{', '.join(PRESETS)}, or {FORM} in seconds, as delay,120/point,12,60"
    parser.takes("--clock", "CLOCK", f"with --match: {clocks}", read_clock, FRIENDLY.clock)
    says = "with --match: legal warns of illegal plays, responsible does not"
    parser.takes("--policy", None, says, default="legal", choices=POLICIES)
    parser.flag("--locked", "with --match: no hints, no coach")
    as_set, *dice = (dice.value for dice in AgreedDice)
    says = "with --match: who rolls, whatever the settings say"
    parser.takes("--dice", None, says, default=as_set, choices=dice)


def terms_of(args: argparse.Namespace) -> MatchTerms:
    policy, dice = POLICIES[args.policy], AgreedDice(args.dice)
    return replace(FRIENDLY, clock=args.clock, policy=policy, dice=dice, locked=args.locked)


def read_clock(text: str) -> ClockTerms:
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
    first, second, *_ = (*numbers[1:], "0", "0")
    turn, overtime = _seconds(0)(first), _seconds(0)(second)
    return ClockTerms(ClockKind(kind), _seconds(1)(reserve), bool(slash), turn, overtime)


def _seconds(least: int) -> Callable[[str], int]:
    return whole(least, MOST_SECONDS, " of seconds")


def open_source(
    board: Board, factory: Any, settings: Settings, clock: MatchClock, put: Put
) -> SensorSource:
    """Open the board's pins and its scanner, if it has one. Raises DeviceError without pins."""
    timing = replace(timing_of(settings), stamp=clock.stamped)
    if board.scanner is None:
        return GpioBoard(board, factory, clock, put, timing)
    from pi_app.devices.scanner import ScannerBoard  # noqa: PLC0415, most boards have none
    from pi_app.devices.scanner_port import PortCarrier  # noqa: PLC0415

    def carry(listener: Listener) -> PortCarrier:
        return PortCarrier(listener, partial(open_scanner, settings), clock)

    return ScannerBoard(board, factory, clock, put, carry, timing)


def open_scanner(settings: Settings) -> SerialPort:
    """Raises DeviceError."""
    from pi_app.devices.scanner_port import SerialPort, find_port  # noqa: PLC0415, see open_source

    return SerialPort(find_port(settings.scanner.port))


def timing_of(settings: Settings) -> Timing:
    return Timing(ms(settings.times.long_press_ms), ms(settings.times.debounce_ms))
