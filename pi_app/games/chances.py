"""How likely each side wins a game, by Spotter's own players that answer at once."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from pi_app.base.adding import added
from pi_app.base.errors import SpotterError
from pi_app.games.equipment import Compendium
from pi_app.players.contract import Chances, Player, Situation
from pi_app.rules.terms import Both, Roll, Side, rolls_of

PLAYERS = ("network", "exact")
"""Those that know chances. A game without either has none."""
MOST_KEPT = 2_000
"""The most positions whose chances are kept."""


class WinChances:
    """Asks about one position at a time, and keeps the newest answers."""

    def __init__(self, games: Compendium) -> None:
        self._games = games
        self._player = lru_cache(len(games.games))(self._made)
        self.of = lru_cache(MOST_KEPT)(self._of)
        """Both sides' chances, 0 to 1, to win this position of the named game by plays for points:
        after a roll those of its best play, without one the mean over all rolls, which asks up to
        21 times and takes about 10 ms with the core in C. None if unknown."""

    def _made(self, name: str) -> Player:
        """Raises LookupError."""
        equipment = self._games.find(name)
        quick = [one for one in PLAYERS if one in equipment.contenders]
        return equipment.contenders[quick[0]].make(equipment.rules)

    def _of(self, name: str, text: str, rolled: Roll | None) -> Both[float] | None:
        # A position of another board may be one that no play leads to.
        with suppress(SpotterError, ValueError, LookupError):
            player, game = self._player(name), self._games.find(name).rules
            position = game.read_position(text)
            rolls = {rolled: 1.0} if rolled else rolls_of(game.dice)
            found = [(share, _best(player, position, roll)) for roll, share in rolls.items()]
            ours = added(share * best.won[0] for share, best in found)
            theirs = added(share * best.lost[0] for share, best in found)
            return Both(ours, theirs) if game.mover(position) is Side.WHITE else Both(theirs, ours)
        return None


def _best(player: Player, position: object, roll: Roll) -> Chances:
    """Those of the best play. Raises LookupError if the player knows none."""
    best = player.rate(Situation(position), roll).plays[0]
    if best.chances is None:
        raise LookupError("no chances")
    return best.chances
