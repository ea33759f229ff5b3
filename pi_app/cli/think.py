"""`spotter think GAME PLAYER`: a player in a process of its own, asked and answering line by line.

The program starts its players so; what the lines say is in `pi_app/players/wire.py`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress

from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.files import bounded_lines, why
from pi_app.games.equipment import Compendium
from pi_app.players.contract import PlayerError
from pi_app.players.wire import QuestionError, answer, read_question, refuse, write_greeting

KINDER = 10
"""By so much a player gives way to what watches the board, as `nice` counts."""


def run(argv: list[str], games: Compendium) -> int:
    """Answer the lines of standard input one by one."""
    parser = Parser(
        "think", "Answer questions about plays and the cube, lines of JSON, by a player."
    )
    parser.add_game(games.rules)
    parser.add_argument("player", metavar="PLAYER", help="one of those that spotter arena names")
    args = parser.parse_args(argv)
    equipment = games.find(args.game)
    contender = equipment.contender(args.player)
    with suppress(OSError):
        os.nice(KINDER)
    try:
        player = contender.make(equipment.rules)
    except PlayerError as error:
        _say(refuse(0, str(error)))
        raise
    _say(write_greeting(args.game, args.player))
    status = Status.DONE
    for line in _lines():
        try:
            number, question = read_question(equipment.rules, line.encode())
        except QuestionError as error:
            status = Status.GIVEN
            _say(refuse(0, str(error)))
            continue
        try:
            _say(answer(player, number, question, equipment.rules))
        except PlayerError as error:
            # Who asks starts it again.
            _say(refuse(number, str(error)))
            raise
    return status


def _lines() -> Iterator[str]:
    """The lines as they come; raises QuestionError at one that is too long or no text."""
    try:
        yield from filter(str.strip, bounded_lines(sys.stdin.buffer))
    except ValueError as error:
        raise QuestionError(f"a line of standard input: {why(error)}") from None


def _say(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
