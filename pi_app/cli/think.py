"""A player in its own process: `python -m pi_app.cli.think GAME PLAYER OPTION … ASKED ANSWERED`.

The options are those that were agreed on. It reads questions from the first file descriptor and
writes answers to the second, until the asking program ends; see `pi_app/players/process.py`.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection

from pi_app.cli.ending import Status, ended
from pi_app.games.all import ALL
from pi_app.players.contract import PlayerError
from pi_app.players.process import FromPlayer
from pi_app.rules.terms import TextError

KINDER = 10
"""The niceness of a player's process, so that it yields to the sensing."""


def main(game: str, name: str, *rest: str) -> int:
    *agreed, asked, answered = rest
    return ended(partial(_think, game, name, agreed, int(asked), int(answered)))


def _think(game: str, name: str, agreed: list[str], asked: int, answered: int) -> Status:
    with suppress(OSError):
        os.nice(KINDER)
    equipment = ALL.find(game)
    questions, answers = Connection(asked, writable=False), Connection(answered, readable=False)
    with questions, answers, suppress(EOFError, BrokenPipeError, ConnectionResetError):
        number = None
        try:
            player = equipment.contender(name).make(equipment.rules.under(agreed))
            answers.send(FromPlayer(number))
            while True:
                number, question = questions.recv()
                answers.send(FromPlayer(number, question.put(player)))
        except (PlayerError, TextError) as error:
            # Who asks starts it again.
            answers.send(FromPlayer(number, refused=str(error)))
    return Status.DONE


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
