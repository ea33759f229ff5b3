"""Spotter is killed again and again while people play: every decision survives.

Some touches since the last decision are lost; the board shows the rest.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from known import load_board
from lab.figures import Count, Figures
from lab.match_by_hands import MatchByHands, Plan
from shares import some

from pi_app.app.session import Session
from pi_app.devices.dice import Dice
from pi_app.journal.store import Journal
from pi_app.match.turns import Phase
from pi_app.referee.view import View
from pi_app.simulator.reeds import DEFAULT

SELDOM_S = 20
"""The longest run of Spotter."""


def stands(view: View) -> tuple[object, ...]:
    """The match's state without the hands."""
    return (view.phase, view.to_act, view.position, view.roll, view.score, view.cube, view.thrown)


class RestartedTable(MatchByHands):
    """A match in which Spotter is killed and restarted at moments drawn by the seed."""

    def __init__(self, plan: Plan, seed: str, figures: Figures, journal: Journal) -> None:
        super().__init__(plan, seed, figures, journal)
        self.restarts = 0
        self._journal = journal
        self._chance = random.Random(f"kill {seed}")
        self._kill_at = self._soon()

    def _drain(self) -> None:
        super()._drain()
        over = self._session.view.phase is Phase.MATCH_OVER
        if self._clock() >= self._kill_at and not self._queue and not over:
            self._kill_at = self._soon()
            self._restart()

    def _soon(self) -> int:
        return self._clock() + self._chance.randrange(SELDOM_S * 1_000_000)

    def _restart(self) -> None:
        self.restarts += 1
        if self._chance.random() < 0.5:
            self._session.close()
        before = self._session.view
        again = Journal(self._journal.path)
        self._journal.close()
        self._journal = again
        number = again.unfinished()
        assert number is not None
        start, latest = again.match(number).start, again.latest_game(number)
        again.resume(number)
        self._session = Session(
            self._plan.board, start, again, Dice(self._chance), frozenset(), latest
        )
        assert stands(self._session.view) == stands(before)
        self._tell(self._source.picture())

    def close(self) -> None:
        self._journal.close()


@pytest.mark.parametrize(
    ("game", "board", "matches", "match_to"),
    some(
        [
            ("nannon", "nannon-6", 3, 1),
            ("cannon", "cannon-10", 1, 1),
            ("tavli", "tables-24", 1, 3),
            ("backgammon", "tables-24", 1, 1),
        ],
        2,
    ),
)
def test_restarts_at_any_moment_lead_to_no_wrong_play(
    game: str, board: str, matches: int, match_to: int, tmp_path: Path
) -> None:
    figures, restarts = Figures(), 0
    plan = Plan(load_board(board), board, game, match_to, DEFAULT)
    for number in range(matches):
        journal = Journal(tmp_path / f"{number}.db")
        table = RestartedTable(plan, f"restarts {number}", figures, journal)
        table.play()
        table.close()
        restarts += table.restarts
    assert restarts > 5
    assert [figures.counts[count] for count in (Count.WRONG, Count.LOST, Count.STUCK)] == [0, 0, 0]
