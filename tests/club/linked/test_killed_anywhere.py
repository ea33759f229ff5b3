"""A board is killed at any of its steps on the disk and on the wire; the match goes on."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import linked_boards
import pytest
from linked_boards import LinkedBoard, LinkedMatch, LossyWire
from shares import some

from pi_app.club import far_player
from pi_app.journal.store import Journal
from pi_app.rules.terms import Side


class KilledError(BaseException):
    """Nothing of a program that is killed can catch this."""


class MortalWire(LossyWire):
    """Before a board's letter leaves, the board may be killed."""

    def __init__(self, dies: Callable[[Side], None]) -> None:
        super().__init__(random.Random("the wire"))
        self._dies = dies

    def _put(self, to: Side, message: bytes) -> None:
        self._dies(to.other)
        super()._put(to, message)


class MortalMatch(LinkedMatch):
    """The board `victim` is killed before its step `place`, if it has so many: a letter or a
    decision that is written, or a message that is sent."""

    def __init__(
        self, folder: Path, victim: Side, place: int, patch: pytest.MonkeyPatch, game: str
    ) -> None:
        self.steps_made, self.kills, self._began = 0, 0, False
        self._victim, self._place = victim, place
        append, commit = far_player._append, Journal.commit

        def appended(path: Path, *rest: Any) -> None:
            self._step_of(victim if path.parent == self._folder else victim.other)
            append(path, *rest)

        def committed(journal: Journal) -> None:
            self._step_of(victim if journal.path.parent == self._folder else victim.other)
            commit(journal)

        self._folder = folder / linked_boards.NAMES[victim]
        super().__init__(folder, game, 1, seed="any", wire=MortalWire(self._step_of))
        patch.setattr(far_player, "_append", appended)
        patch.setattr(Journal, "commit", committed)
        self._began = True

    def _step_of(self, side: Side) -> None:
        if side is not self._victim or not self._began:
            return
        self.steps_made += 1
        if self.steps_made - 1 == self._place:
            raise KilledError

    def step(self) -> None:
        for board in self.boards.values():
            self._mortally(board)
        self.wire.deliver(self.boards)

    def _mortally(self, board: LinkedBoard) -> None:
        try:
            board.acts()
        except KilledError:
            self.kills += 1
            board.killed()


NEVER = 1_000_000


@pytest.mark.slow
@pytest.mark.parametrize("victim", Side)
@pytest.mark.parametrize("game", ["nannon", "backgammon"])
def test_a_board_is_killed_between_any_two_steps_of_play(
    game: str, victim: Side, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linked_boards, "TIRED", 20)
    with monkeypatch.context() as patch:
        whole = MortalMatch(tmp_path / "whole", victim, NEVER, patch, game)
        whole.play()
    assert whole.steps_made > 60
    for place in some(range(whole.steps_made), 20 if game == "nannon" else 200):
        with monkeypatch.context() as patch:
            match = MortalMatch(tmp_path / str(place), victim, place, patch, game)
            match.play()
        assert match.kills == 1, place
        assert match.white.far.talk.objection is match.black.far.talk.objection is None, place
        assert match.white.record == match.black.record, place
        for board in match.boards.values():
            board.journal.close()
