"""A player in a process of its own, asked and answering line by line.

Spotter starts it: `python -m pi_app.cli.think GAME PLAYER`.  What the lines say is in
`pi_app/players/wire.py`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from pi_app.cli.ending import Status, ended
from pi_app.files import bounded_lines, why
from pi_app.games.all import ALL
from pi_app.players.contract import Player, PlayerError
from pi_app.players.wire import QuestionError, answer, read_question, refuse, write_greeting
from pi_app.rules.terms import TextError

KINDER = 10
"""By so much a player gives way to what watches the board, as `nice` counts."""


def main(game: str, name: str) -> int:
    """Answer each line of standard input by the player `name`."""
    return ended(partial(_think, game, name))


def _think(game: str, name: str) -> Status:
    with suppress(OSError):
        os.nice(KINDER)
    equipment = ALL.find(game)
    try:
        player: Player = equipment.contender(name).make(equipment.rules)
    except (PlayerError, TextError) as error:
        _say(refuse(0, str(error)))
        raise
    _say(write_greeting(game, name))
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
    """Raises QuestionError for a line that is too long or not text."""
    try:
        yield from filter(str.strip, bounded_lines(sys.stdin.buffer))
    except ValueError as error:
        raise QuestionError(f"a line of standard input: {why(error)}") from None


def _say(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
