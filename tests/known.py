"""The games that Spotter has, for tests that want one, and the boards they are played on.

A board is read once: it never changes, and reading one is dearer than what most tests do.
"""

from functools import cache
from pathlib import Path

from pi_app import boards
from pi_app.games.all import ALL
from pi_app.rules.contract import AnyGame
from pi_app.sensing.description import Board

GAMES = ALL.rules
FACES = ALL.faces
BOARDS = {game.rules.name: game.board for game in ALL.games}

TESTS = Path(__file__).parent


def case_file(name: str) -> Path:
    """Positions and rolls of a game, each with every position that a play leads to."""
    return _kept("cases", f"{name}.jsonl")


def recorded_game(name: str) -> Path:
    """A whole game, play by play."""
    return _kept("rules/games", f"{name}.txt")


def _kept(folder: str, file: str) -> Path:
    """In the folder of Spotter's own games, or beside the game that is defined in tests."""
    own = TESTS / folder / file
    return own if own.is_file() else TESTS / "games" / file


def find_game(name: str) -> AnyGame:
    return GAMES.find(name)


@cache
def load_board(name: str) -> Board:
    return boards.load_board(name, GAMES)


def boards_of() -> dict[str, Board]:
    """The usual board of each game."""
    return {game: load_board(name) for game, name in BOARDS.items()}
