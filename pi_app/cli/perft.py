"""`spotter perft GAME POSITION [DEPTH]`: how many positions turns lead to, to compare programs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.games.equipment import Compendium
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, TextError
from pi_app.words.texts import quoted

MOST_DEPTH = 6
NO_DICE = Roll(())


def run(argv: list[str], games: Compendium) -> int:
    """Print a count per roll, or per depth in a game without dice."""
    parser = Parser(
        "perft", "Count the distinct results of every roll; without dice, of so many turns."
    )
    parser.add_game(games.rules)
    parser.add_rest(
        "words",
        "POSITION [DEPTH]",
        "a position text; in a game without dice how many turns deep, 1 if left out",
    )
    arguments = parser.parse_args(argv)
    if not arguments.words:
        parser.error("a position text is missing")
    for line in _counts(games.rules[arguments.game], " ".join(arguments.words)):
        print(line, flush=True)
    return Status.DONE


def perft(game: AnyGame, position: Any, depth: int) -> int:
    """How many positions exactly `depth` turns lead to, counted once for each way there.

    For games without dice; a game that ends earlier is not counted.
    """
    results = game.results(position, NO_DICE)
    if depth == 1:
        return len(results)
    return sum(perft(game, result, depth - 1) for result in results)


def _counts(game: AnyGame, text: str) -> Iterator[str]:
    if game.dice:
        yield from _by_roll(game, game.read_position(text))
    else:
        yield from _by_depth(game, text)


def _by_roll(game: AnyGame, position: Any) -> Iterator[str]:
    total = 0
    for faces in combinations_with_replacement(range(1, 7), game.dice):
        roll = Roll.of(*faces)
        found = len(game.results(position, roll))
        total += found
        yield f"{roll} {found}"
    yield f"total {total}"


def _by_depth(game: AnyGame, text: str) -> Iterator[str]:
    board, _, last = text.rpartition(" ")
    given = last.isdecimal() and last.isascii()
    depth = int(last[:3]) if given else 1
    if not 1 <= depth <= MOST_DEPTH:
        raise TextError(f"depth {quoted(last)}: write a number from 1 to {MOST_DEPTH}")
    position = game.read_position(board if given else text)
    for turns in range(1, depth + 1):
        yield f"{turns} {perft(game, position, turns)}"
