"""The games Spotter knows, by name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from pi_app.rules.cannon.game import THREE_SLIDES, Cannon
from pi_app.rules.contract import AnyGame
from pi_app.rules.nannon.game import Nannon
from pi_app.rules.tables.backgammon import BACKGAMMON
from pi_app.rules.tables.pin import PIN_GAME
from pi_app.rules.tables.portes import PORTES
from pi_app.rules.terms import TextError
from pi_app.texts import quoted

_ALL: tuple[AnyGame, ...] = (
    Nannon(),
    BACKGAMMON,
    PORTES,
    PIN_GAME,
    Cannon(),
)

GAMES: Mapping[str, AnyGame] = MappingProxyType({game.name: game for game in _ALL})
"""Every game, by its name; a new game is one file and one word here."""

_UNDER_OPTIONS: Mapping[tuple[str, str], AnyGame] = MappingProxyType(
    {("cannon", THREE_SLIDES): Cannon(three_slides=True)}
)
"""The options that change what is legal."""


def find_game(name: str, options: Collection[str] = ()) -> AnyGame:
    """The game of this name, played under the options that were agreed on.

    An option that changes no rule of the game changes nothing.  Raises TextError that lists the
    names there are.
    """
    if name not in GAMES:
        raise TextError(f"game {quoted(name)} is not known; choose one of: {', '.join(GAMES)}")
    changed = (_UNDER_OPTIONS.get((name, option)) for option in options)
    return next((game for game in changed if game), GAMES[name])
