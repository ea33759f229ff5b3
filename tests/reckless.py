"""Reckless players: random touches and keys while Spotter is stopped and restarted.

The journal is real. Nothing may end in a traceback, no match may be lost, and the open match
resumes exactly. `python tests/reckless.py [SEED] [TOUCHES]` makes a hundred thousand touches.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path

from known import load_board
from monkeys import Monkey

from pi_app.boards import board_names
from pi_app.journal.opening import Opened, open_journal
from pi_app.match.turns import Phase
from pi_app.referee.events import MatchId
from pi_app.referee.view import View
from pi_app.sensing.description import Board
from pi_app.user.commands import Resume

MOST_AT_A_TIME = 400
"""Touches between two starts of Spotter."""


def stands(view: View) -> tuple[object, ...]:
    """The state of a match that survives a stop; the board shows the rest."""
    agreed = (view.game, view.players, view.match_to, view.with_cube, view.game_number)
    score = (view.score, view.cube, view.crawford, view.result)
    turn = (view.phase, view.to_act, view.position, view.roll, view.thrown)
    return (*agreed, *score, *turn, view.accepted, view.sensors_off)


class Reckless(Monkey):
    """Players who touch whatever there is, and leave."""

    def resume(self, number: MatchId) -> None:
        self._app.obey(Resume(number))

    def leave(self) -> None:
        if self._app._session:
            self._app._session.close()


def run(folder: Path, board: Board, chance: random.Random, touches: int) -> tuple[int, int]:
    """Make a number of touches; returns the starts and the matches begun."""
    done, starts = 0, 0
    left: View | None = None
    number = MatchId(0)
    begun: dict[int, tuple[str, tuple[str, str]]] = {}
    while done < touches:
        opened = open_journal(folder)
        assert opened.alarms == (), opened.alarms
        check_kept(opened, begun)
        players = Reckless(board, opened, chance)
        if left is not None and left.phase is not Phase.MATCH_OVER:
            players.now = left.us
            players.resume(number)
            players.checkers.closed = left.closed
            assert players.view is not None, "the match that was left is not offered"
            assert stands(players.view) == stands(left), differences(players.view, left)
        else:
            players.begin()
        players.goes_on(chance.randrange(1, MOST_AT_A_TIME))
        done, starts = done + players.fingers.touches, starts + 1
        # The tour begins where no match is to be continued, and leaves none.
        left = None if players.view is None or players.view.tour else players.view
        number = opened.journal.writing or number
        for one in range(len(begun) + 1, opened.journal._newest + 1):
            begun[one] = told(opened, one)
        if chance.random() < 0.5:
            players.leave()
        players.close()
        opened.close()
    return starts, len(begun)


def differences(came: View, left: View) -> str:
    """The differences to the state before."""
    pairs = zip(stands(left), stands(came), strict=True)
    return "; ".join(f"{was} is now {now}" for was, now in pairs if was != now)


def told(opened: Opened, number: int) -> tuple[str, tuple[str, str]]:
    start = opened.journal.match(MatchId(number)).start
    return start.game, start.players


def check_kept(opened: Opened, begun: dict[int, tuple[str, tuple[str, str]]]) -> None:
    """Every match that was begun is there, and as it was agreed on."""
    for number, agreed in begun.items():
        assert told(opened, number) == agreed


def main(seed: str, touches: int) -> None:
    """All games in turn, a few thousand touches at a time."""
    done = 0
    while done < touches:
        for name in board_names():
            some = min(2500, touches - done)
            if some <= 0:
                break
            with tempfile.TemporaryDirectory(prefix="spotter-reckless-") as folder:
                os.environ["XDG_CONFIG_HOME"] = folder
                chance = random.Random(f"{seed} {name} {done}")
                starts, begun = run(Path(folder) / "spotter", load_board(name), chance, some)
            done += some
            print(f"{done} touches; on {name} {starts} starts and {begun} matches", flush=True)


if __name__ == "__main__":
    main(
        sys.argv[1] if len(sys.argv) > 1 else "1",
        int(sys.argv[2]) if len(sys.argv) > 2 else 100_000,
    )
