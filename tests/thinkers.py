"""Engines for tests: in this process and at once, or as given."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from pi_app.app.seats import Thinker
from pi_app.games.all import ALL
from pi_app.players.contract import Player
from pi_app.players.process import Advice, Reply, Trouble
from pi_app.players.wire import (
    Question,
    answer,
    read_answer,
    read_question,
    write_question,
)
from pi_app.rules.contract import AnyGame
from pi_app.words.sentences import Said


@cache
def known_player(game: str, player: str) -> Player:
    """One of Spotter's, made once: it has no memory."""
    equipment = ALL.find(game)
    return equipment.contender(player).make(equipment.rules)


class PromptThinker:
    """A player of Spotter's, asked over the real wire and answering before `ask` returns."""

    def __init__(self, game: AnyGame, player: str, tell: Callable[[Reply], None]) -> None:
        self._game, self._tell = game, tell
        self._player = known_player(game.name, player)

    def ask(self, number: int, question: Question) -> None:
        asked, read = read_question(self._game, write_question(self._game, number, question))
        line = answer(self._player, asked, read, self._game)
        self._tell(Advice(number, read_answer(self._game, number, question, line)))

    def drop(self) -> None:
        """Nothing is under way."""

    def close(self) -> None:
        """Nothing is open."""


class SlowThinker:
    """One that says something only when it is made to; what it was asked is in `asked`."""

    def __init__(self, game: AnyGame, player: str, tell: Callable[[Reply], None]) -> None:
        self._game, self._tell = game, tell
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


def call_prompt(game: AnyGame, player: str, tell: Callable[[Reply], None]) -> Thinker:
    return PromptThinker(game, player, tell)
