"""No headline is false when it is shown: who knows what the hands do checks what each claims."""

from __future__ import annotations

import random

import pytest
from known import BOARDS, load_board
from lab.figures import Count, Figures
from lab.hands import draw_habits
from lab.match_by_hands import MatchByHands, Plan
from shares import one_in, some

from pi_app.match.turns import Phase
from pi_app.referee.view import View
from pi_app.sensing.noise import PUBLISHED
from pi_app.sensing.reading import BoardState
from pi_app.simulator.reeds import usual

PLAYS = 2000 // one_in(100)
MOST = 400 if one_in(2) > 1 else None
"""Plays by hands with other habits in each match, of which so many events."""


class CheckedMatch(MatchByHands):
    """A match in which each new headline is held against the checkers that truly lie there."""

    def __init__(self, plan: Plan, seed: str, figures: Figures) -> None:
        self.false: list[str] = []
        self._headline = ""
        super().__init__(plan, seed, figures)

    def _check(self, before: View) -> None:
        super()._check(before)
        view = self.view
        if view.message == self._headline or self._reeds.any_lying:
            return
        self._headline = view.message
        if view.phase is Phase.MOVING and view.board is BoardState.IN_HAND:
            self.false += self._falsehoods(view)

    def _falsehoods(self, view: View) -> list[str]:
        """Claims about checkers in the air or misplaced that are not true.

        A sensor reports a checker some milliseconds after it has moved, and one that rests while
        sliding over it.
        """
        checkers, game = self._hands.checkers, self._plan.board.games[self._plan.game]
        midway = game.checkers_at(game.attempted(game.read_position(view.position), view.moves))
        there = {spot: len(checkers.at(spot)) for spot in midway}
        said = f"{view.us}: {view.message} / {view.hint} at {view.position} {view.roll}"
        late = view.closed ^ checkers.closed
        lifted = (s for s in view.lifted if not late & set(checkers.sensors_of(s)))
        stray = (s for s in view.stray if not view.closed & set(checkers.sensors_of(s)))
        return [
            *(f"{spot} is no gap: {said}" for spot in lifted if there[spot] >= len(midway[spot])),
            *(f"{spot} is empty: {said}" for spot in stray if not there[spot]),
        ]


@pytest.mark.parametrize("game", some([*BOARDS], 4))
def test_no_headline_is_false_when_it_is_shown(game: str) -> None:
    figures, number = Figures(), 0
    while figures.counts[Count.PLAYS] < PLAYS:
        number += 1
        habits, noise = draw_habits(PUBLISHED, random.Random(f"{game} {number}"))
        plan = Plan(
            load_board(BOARDS[game]), BOARDS[game], game, 1, usual(noise), habits, noise=noise
        )
        table = CheckedMatch(plan, f"headlines {number}", figures)
        table.play(MOST)
        assert table.false == []
