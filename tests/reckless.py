"""Reckless players: touches and keys by chance, while Spotter is stopped and started again.

The journal is a real one.  Whatever they do nothing ends in a traceback, no match that was begun is
lost, and the match that was left goes on exactly as it was.  `python tests/reckless.py [SEED]
[TOUCHES]` does it a hundred thousand times.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attacks import Fingers, Monkey
from known import GAMES, judge_again, load_board

from pi_app.boards import board_names
from pi_app.journal.opening import Opened, open_journal
from pi_app.match.phases import Phase
from pi_app.referee.events import MatchId, Picture
from pi_app.referee.options import agree
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import read_roll
from pi_app.screen.commands import NewMatch, Resume
from pi_app.screen.compose import FingerDown, KeyPress
from pi_app.screen.paint import Input
from pi_app.sensing.description import Board
from pi_app.touchscreen import ScreenFront

MOST_AT_A_TIME = 400
"""Touches between two starts of Spotter."""
BLIND = 0.2
"""The share of touches that are aimed at nothing."""


class AimedFingers(Fingers):
    """Fingers that mostly find a button; `front` is what they touch."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self.front: ScreenFront | None = None

    def _inputs(self) -> Iterator[Input]:
        targets = self.front._picture.targets if self.front else ()
        for known in super()._inputs():
            if isinstance(known, KeyPress):
                yield KeyPress(known.name, self._chance.choice(("", "1", "4", "x", "ß")))
            elif targets and self._chance.random() > BLIND:
                yield FingerDown(*self._chance.choice(targets).rect.centre)
            else:
                yield known


def stands(view: View) -> tuple[object, ...]:
    """All of a match that outlives a stop; what hands do just then the board itself tells."""
    agreed = (view.game, view.players, view.match_to, view.with_cube, view.game_number)
    score = (view.score, view.cube, view.crawford, view.result)
    turn = (view.phase, view.to_act, view.position, view.roll, view.thrown)
    return (*agreed, *score, *turn, view.accepted, view.sensors_off)


def game_agreed_on(opened: Opened) -> AnyGame:
    """The game that is being played, under the options of its match."""
    number = opened.journal._match
    assert number is not None
    return agree(opened.journal.match(number).start, GAMES)[0]


class Reckless(Monkey):
    """Players who touch whatever there is, and now and then move checkers as the rules allow."""

    def __init__(self, board: Board, opened: Opened, chance: random.Random) -> None:
        fingers, self._opened = AimedFingers(chance), opened
        super().__init__(board, opened, chance, fingers)
        fingers.front = self.front

    @property
    def view(self) -> View | None:
        session = self._app._session
        return session.view if session else None

    def resume(self) -> None:
        self._app.obey(Resume())

    def begin(self) -> None:
        """There are so many pages that chance alone seldom finds the way into a match."""
        self._app.obey(NewMatch(self._board.games.first.name, ("Ada", "Ben"), 3))

    def leave(self) -> None:
        if self._app._session:
            self._app._session.close()

    def _hands(self) -> None:
        view = self.view
        if view and view.phase is Phase.MOVING and self._chance.random() < 0.7:
            game = game_agreed_on(self._opened)
            position = game.read_position(view.position)
            plays = game.plays(position, read_roll(view.roll or "", game.dice))
            after = game.after(position, self._chance.choice(plays))
            self.checkers.closed = self._board.closed_by(game.checkers_at(after))
            self._queue.put(Picture(self.checkers.now, self.checkers.closed))
        elif view and self._chance.random() < 0.8:
            self.checkers.closed = self._board.closed_by(view.accepted)
            self._queue.put(Picture(self.checkers.now, self.checkers.closed))
        else:
            super()._hands()


def run(folder: Path, board: Board, chance: random.Random, touches: int) -> tuple[int, int]:
    """So many touches; how many starts that took, and how many matches were begun."""
    done, starts = 0, 0
    left: View | None = None
    begun: dict[int, tuple[str, tuple[str, str]]] = {}
    while done < touches:
        opened = open_journal(folder, judge_again)
        assert opened.alarms == (), opened.alarms
        check_kept(opened, begun)
        players = Reckless(board, opened, chance)
        if left is not None and left.phase is not Phase.MATCH_OVER:
            players.checkers.now = left.us
            players.checkers.closed = left.closed
            players.resume()
            assert players.view is not None, "the match that was left is not offered"
            assert stands(players.view) == stands(left), differences(players.view, left)
        else:
            players.begin()
        players.goes_on(chance.randrange(1, MOST_AT_A_TIME))
        done, starts = done + players.fingers.touches, starts + 1
        left = players.view or left
        for number in range(len(begun) + 1, opened.journal._newest + 1):
            begun[number] = told(opened, number)
        if chance.random() < 0.5:
            players.leave()
        opened.close()
    return starts, len(begun)


def differences(came: View, left: View) -> str:
    """What is not as it was left."""
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
