"""`spotter replay FILE|-`: events in, the view after each of them out, line by line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import BinaryIO

from pi_app.boards import load_board
from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.errors import GivenError
from pi_app.files import bounded_lines, open_plain, why
from pi_app.games.equipment import Compendium
from pi_app.microseconds import Us
from pi_app.referee.events import Event, Start, Tick
from pi_app.referee.lines import EventError, read_event, write_view
from pi_app.referee.referee import Referee
from pi_app.rules.contract import Games
from pi_app.words.texts import quoted


class ReplayError(GivenError):
    """Events that cannot be replayed. The message names file, line and reason."""


def run(argv: list[str], games: Compendium) -> int:
    """Raises ReplayError at the first bad event."""
    parser = Parser(
        "replay", "Feed the events of FILE to a fresh referee and print the view after each."
    )
    parser.add_argument("file", metavar="FILE", help="JSON lines of events, or - for the input")
    for _, referee in replayed(games.rules, parser.parse_args(argv).file):
        print(write_view(referee.view), flush=True)
    return Status.DONE


def replayed(games: Games, name: str, until: Us | None = None) -> Iterator[tuple[Event, Referee]]:
    """Each event of a file, or of the input (-), and the referee after it.

    With `until`, later ones are left out and time passes up to it.  Raises ReplayError.
    """
    referee: Referee | None = None
    with nullcontext(sys.stdin.buffer) if name == "-" else _opened(name) as stream:
        lines = bounded_lines(stream)
        for number in count(1):
            try:
                if (line := next(lines, None)) is None:
                    break
                if not line.strip():
                    continue
                event = read_event(line)
                if until is not None and event.us > until:
                    break
                referee = step(games, referee, event)
            except ValueError as error:
                where = "input" if name == "-" else name
                raise ReplayError(f"{where}, line {number}: {why(error)}") from error
            yield event, referee
    if referee and until is not None:
        event = Tick(until)
        yield event, step(games, referee, event)


def _opened(name: str) -> BinaryIO:
    try:
        return open_plain(Path(name))
    except (OSError, ValueError) as error:
        wanted = "give a file of events, a line of JSON each"
        raise ReplayError(f"{quoted(name)} cannot be read: {why(error)}; {wanted}") from None


def step(games: Games, referee: Referee | None, event: Event) -> Referee:
    """The first event creates the referee. Raises EventError or ConfigError."""
    if referee:
        referee.handle(event)
        return referee
    if not isinstance(event, Start):
        raise EventError("a match begins with the event 'start'")
    return Referee(load_board(event.board, games), event)
