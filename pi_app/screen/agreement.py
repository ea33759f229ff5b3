"""What players agree on before a match: the game, their names, and the options it offers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pi_app.rules.contract import AnyGame
from pi_app.rules.registry import find_game
from pi_app.screen.commands import NewMatch
from pi_app.screen.ui import Form
from pi_app.sensing.description import Board
from pi_app.sentences import Sentence
from pi_app.texts import clean_name

LABELS: Mapping[str, Sentence] = MappingProxyType(
    {
        "cube": Sentence("Doubling cube"),
        "crawford": Sentence("Crawford rule"),
        "jacoby": Sentence("Jacoby rule"),
        "a tie turns the cube": Sentence("A tie turns the cube"),
        "three slides": Sentence("No fourth slide in a row"),
    }
)
"""A match's options and how the screen calls them."""


def chosen_game(form: Form, board: Board) -> AnyGame:
    """The form's game where the board serves it, else the first that it serves."""
    return find_game(form.game if form.game in board.games else board.games[0])


def player_names(form: Form, game: AnyGame) -> tuple[str, str]:
    """The players' names; who has given none is called as his side."""
    (white, black), (first, second) = form.players, game.side_names
    return clean_name(white) or first, clean_name(black) or second


def offered(form: Form, game: AnyGame) -> Mapping[str, bool]:
    """The options that make sense for this game to this target, and whether they are on."""
    endless = form.match_to is None
    names = [*(("cube",) if game.has_cube else ())]
    if game.has_cube and not endless:
        names.append("crawford")
    names += [name for name in game.options if name != "jacoby" or endless]
    usual = {"cube": game.has_cube, "crawford": game.crawford}
    return {name: bool(form.options.get(name, usual.get(name, False))) for name in names}


def agreed(form: Form, game: AnyGame) -> Mapping[str, bool]:
    """The options to play by: Jacoby's rule is about the cube and falls with it."""
    options = offered(form, game)
    kept = {name: on for name, on in options.items() if name != "jacoby" or options["cube"]}
    return MappingProxyType(kept)


def new_match(form: Form, game: AnyGame) -> NewMatch:
    """The match of this game that the form describes."""
    players = player_names(form, game)
    return NewMatch(game.name, players, form.match_to, agreed(form, game))
