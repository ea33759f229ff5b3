"""Engines for tests: in this process and at once, or as given."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from functools import cache

from pi_app.app.seats import Thinker
from pi_app.games.all import ALL
from pi_app.players.contract import Player, Question
from pi_app.players.process import Advice, Reply, Trouble
from pi_app.rules.contract import AnyGame
from pi_app.words.sentences import Said


@cache
def known_player(game: str, player: str) -> Player:
    """One of Spotter's, made once: it has no memory."""
    equipment = ALL.find(game)
    return equipment.contender(player).make(equipment.rules)


class PromptThinker:
    """A player of Spotter's that answers before `ask` returns; all is pickled as for a process."""

    def __init__(self, game: AnyGame, player: str, tell: Callable[[Reply], None]) -> None:
        self._tell, self._player = tell, known_player(game.name, player)

    def ask(self, number: int, question: Question) -> None:
        asked: Question = pickle.loads(pickle.dumps(question))
        self._tell(Advice(number, pickle.loads(pickle.dumps(asked.put(self._player)))))

    def drop(self) -> None:
        """Nothing is under way."""

    def close(self) -> None:
        """Nothing is open."""


class SlowThinker:
    """One that says something only when it is made to; what it was asked is in `asked`."""

    def __init__(self, game: AnyGame, player: str, tell: Callable[[Reply], None]) -> None:
        self._tell = tell
        self._prompt = PromptThinker(game, player, tell)
        self.asked: list[tuple[int, Question]] = []
        self.dropped = self.closed = 0

    def ask(self, number: int, question: Question) -> None:
        self.asked.append((number, question))

    def drop(self) -> None:
        self.dropped += 1

    def close(self) -> None:
        self.closed += 1

    def answer(self) -> None:
        """It answers what it was asked last."""
        self._prompt.ask(*self.asked[-1])

    def fail(self, said: str, *, for_good: bool = True) -> None:
        """It does not answer this time; or is started again."""
        self._tell(Trouble(Said(said), self.asked[-1][0] if for_good else None))


def impostor(script: str) -> tuple[str, ...]:
    """The command of a player that is these statements of Python; `asker` is its connection."""
    return (sys.executable, "-c", _IMPOSTOR + script)


_IMPOSTOR = """
import os, subprocess, sys, time
from multiprocessing.connection import Connection
from pi_app.players.contract import *
from pi_app.players.process import FromPlayer
class Asker:
    def __init__(self, asked, answered):
        self.recv, self.recv_bytes = asked.recv, asked.recv_bytes
        self.send, self.send_bytes = answered.send, answered.send_bytes
        self.fileno = answered.fileno
        self.ends = asked, answered
    def close(self):
        for end in self.ends:
            end.close()
asker = Asker(
    Connection(int(sys.argv[1]), writable=False), Connection(int(sys.argv[2]), readable=False)
)
"""


def call_prompt(game: AnyGame, player: str, tell: Callable[[Reply], None]) -> Thinker:
    return PromptThinker(game, player, tell)


class Nobody:
    """A player that says at once that it is not there."""

    def __init__(self, _: AnyGame, player: str, tell: Callable[[Reply], None]) -> None:
        self._player, self._tell = player, tell

    def ask(self, number: int, question: Question) -> None:
        self._tell(Trouble(Said(f"Unknown player {self._player}"), number))

    def drop(self) -> None:
        """Nothing was asked."""

    def close(self) -> None:
        """Nothing is open."""
