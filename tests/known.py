"""The games that Spotter has, those that tests add, and the boards they are played on.

A board is read once: it never changes, and reading one is dearer than what most tests do.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

from shares import some

from pi_app import boards
from pi_app.games.all import ALL
from pi_app.games.equipment import Compendium, Equipment
from pi_app.rules.contract import AnyGame
from pi_app.sensing.description import Board

GAMES = ALL.rules
FACES = ALL.faces
ALIKE = {"nackgammon": "backgammon", "plakoto": "pin"}
"""Games that differ in their start or in what a win counts share their cases."""
BOARDS = {game: ALL.boards[game] for game in GAMES}
"""The usual board of each game; ALL.boards has those of series too."""

FAMILIES = (
    *("nannon", "fevga", "cannon"),
    *some(("pin", "plakoto"), 2),
    *some(("backgammon", "nackgammon", "hypergammon", "portes"), 4),
)
"""A game of each family of rules, for what its family decides."""

TESTS = Path(__file__).parent


def outside_games() -> tuple[Equipment, ...]:
    """The games defined outside the program: EQUIPMENT of every package in tests/games/."""
    modules = sorted((TESTS / "games").glob("*/equipment.py"))
    return tuple(import_module(f"{one.parent.name}.equipment").EQUIPMENT for one in modules)


OUTSIDE = outside_games()
WITH_OUTSIDE = Compendium((*ALL.games, *OUTSIDE))


def case_file(name: str) -> Path:
    """Positions and rolls of a game, each with every position that a play leads to."""
    name = ALIKE.get(name, name)
    return TESTS / "cases" / f"{name}.jsonl" if name in GAMES else _outside(name) / "cases.jsonl"


def recorded_game(name: str) -> Path:
    """A whole game, play by play."""
    return TESTS / "rules/games" / f"{name}.txt" if name in GAMES else _outside(name) / "played.txt"


def _outside(name: str) -> Path:
    """The package of an outside game."""
    return TESTS / "games" / name.replace("-", "_")


def find_game(name: str) -> AnyGame:
    return GAMES.find(name)


@cache
def load_board(name: str) -> Board:
    return boards.load_board(name, GAMES)


def boards_of() -> dict[str, Board]:
    """The usual board of each game and series."""
    return {game: load_board(name) for game, name in ALL.boards.items()}
