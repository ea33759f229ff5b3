"""The games that Spotter has, for tests that want one, and the boards they are played on.

A board is read once: it never changes, and reading one is dearer than what most tests do.
"""

from functools import cache

from pi_app import boards
from pi_app.games.all import ALL
from pi_app.rejudging import Rejudging
from pi_app.rules.contract import AnyGame
from pi_app.sensing.description import Board

GAMES = ALL.rules
FACES = ALL.faces
BOARDS = {game.rules.name: game.board for game in ALL.games}
judge_again = Rejudging(GAMES)


def find_game(name: str) -> AnyGame:
    return GAMES.find(name)


@cache
def load_board(name: str) -> Board:
    return boards.load_board(name, GAMES)
