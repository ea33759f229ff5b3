"""The games Spotter knows, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pi_app.rules.backgammon import Backgammon
from pi_app.rules.cannon import Cannon
from pi_app.rules.contract import AnyGame
from pi_app.rules.nannon import Nannon
from pi_app.rules.pin import Pin
from pi_app.rules.portes import Portes
from pi_app.rules.terms import TextError

_ALL: tuple[AnyGame, ...] = (
    Nannon(),
    Backgammon(),
    Portes(),
    Pin(),
    Cannon(),
)

GAMES: Mapping[str, AnyGame] = MappingProxyType({game.name: game for game in _ALL})
"""Every game, by its name; a new game is one file and one word here."""


def find_game(name: str) -> AnyGame:
    """The game of this name; raises TextError that lists the names there are."""
    if name not in GAMES:
        raise TextError(f"game {name!r} is not known; choose one of: {', '.join(GAMES)}")
    return GAMES[name]
