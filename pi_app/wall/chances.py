"""Each side's chance to win the game on the table, for pages whose operator allows it."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from pi_app.games.chances import WinChances
from pi_app.games.equipment import Compendium
from pi_app.match.turns import Phase
from pi_app.rules.terms import Both
from pi_app.wall.standing import Stand

OPEN = (Phase.TO_ROLL, Phase.DOUBLE_OFFERED, Phase.MOVING)


class WinOdds:
    """Asks on a thread of its own, so that no page waits for another's position, and only about
    boards that somebody looks at."""

    def __init__(self, games: Compendium) -> None:
        self._chances = WinChances(games)
        self._thread = ThreadPoolExecutor(1, "wall-chances")

    async def of(self, stand: Stand) -> Both[float] | None:
        """Both sides' chances to win this game, 0 to 1; None if unknown or decided."""
        state = stand.state
        if state.phase not in OPEN:
            return None
        rolled = state.roll if state.phase is Phase.MOVING else None
        find = partial(self._chances.of, stand.game.name, state.position, rolled)
        return await asyncio.get_running_loop().run_in_executor(self._thread, find)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
