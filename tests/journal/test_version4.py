"""A journal as a Spotter of version 4 left it: what was decided is there, and warnings are unknown.

`kept.db` holds a game of Backgammon that was given up at the second offer, after a takeback that
was undone and a double that was taken; and one of Nannon, its dice typed wrongly at first, in
which a resignation waits for its answer.
"""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from known import GAMES, judge_again, load_board

from pi_app.devices.dice import Dice
from pi_app.export.retold import Kept
from pi_app.export.statistics import figures_of
from pi_app.journal import opening
from pi_app.journal.opening import FILE, open_journal
from pi_app.match.turns import Phase
from pi_app.microseconds import Us
from pi_app.referee.decision import What
from pi_app.referee.events import Intent, MatchId, Tap
from pi_app.session import Session

KEPT = Path(__file__).parent / "version4" / "kept.db"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: False)
    shutil.copy(KEPT, tmp_path / FILE)
    return tmp_path


def test_everything_that_was_decided_is_there(data: Path) -> None:
    with closing(open_journal(data, judge_again)) as opened:
        assert opened.notices == ()
        numbers = [match.number for match in opened.journal.matches()]
        there = {one.what for number in numbers for one in opened.journal.decisions(number)}
    later = {What.RESTORED, What.CHANGE_DICE, What.RESIGNATION, What.REFUSED, What.ACCEPTED}
    assert later <= there


def test_of_its_plays_nobody_knows_the_warnings(data: Path) -> None:
    with closing(open_journal(data, judge_again)) as opened:
        start = opened.journal.match(MatchId(1)).start
        kept = Kept(start, tuple(opened.journal.decisions(MatchId(1))), GAMES)
        assert all(not totals.watched and not totals.warned for totals in figures_of(kept).values())


def test_a_resignation_that_waits_is_answered(data: Path) -> None:
    number = MatchId(2)
    with closing(open_journal(data, judge_again)) as opened:
        start, latest = opened.journal.match(number).start, opened.journal.latest_game(number)
        opened.journal.resume(number)
        board = load_board(start.board)
        session = Session(board, start, opened.journal, Dice(), latest_game=latest)
        assert session.view.phase is Phase.RESIGNATION_OFFERED
        session.handle(Tap(Us(session.view.us + 1), Intent.REFUSE))
        assert session.view.phase is not Phase.RESIGNATION_OFFERED
