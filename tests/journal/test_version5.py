"""A journal as a Spotter of version 5 left it: its matches are there, and none of them is sealed.

`kept.db` holds a match of Nannon to 1 that is over, and one to 3 of which a game is played.
"""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from known import judge_again, load_board

from pi_app.__main__ import main
from pi_app.devices.dice import Dice
from pi_app.journal import opening
from pi_app.journal import rows as schema
from pi_app.journal.opening import FILE, open_journal
from pi_app.match.turns import Phase
from pi_app.microseconds import Us
from pi_app.referee.events import Button, Intent, MatchId, Picture, Press, Tap, Tick
from pi_app.seal.record import read_seal
from pi_app.session import Session

KEPT = Path(__file__).parent / "version5" / "kept.db"
OVER, GOES_ON = MatchId(1), MatchId(2)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "spotter"
    folder.mkdir()
    shutil.copy(KEPT, folder / FILE)
    return folder


def test_everything_is_there_and_the_file_as_it_was_beside_it(data: Path) -> None:
    with closing(open_journal(data, judge_again)) as opened:
        assert opened.notices == ()
        found = [(match.number, match.phase) for match in opened.journal.matches()]
        assert found == [(OVER, Phase.MATCH_OVER), (GOES_ON, Phase.GAME_OVER)]
        counted = [len(tuple(opened.journal.decisions(number))) for number, _ in found]
    assert counted == [30, 30]
    with closing(schema.connect(str(data / f"{FILE}.version-5"))) as db:
        assert schema.version_of(db) == 5


def test_what_ended_then_cannot_be_sealed_any_more(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_journal(data, judge_again).close()
    assert main(["export", str(OVER), "--sealed"]) == 1
    assert "match 1 was not sealed when it ended" in capsys.readouterr().err
    assert main(["export", str(GOES_ON), "--sealed"]) == 1
    assert "match 2 is not over" in capsys.readouterr().err


def test_a_match_that_goes_on_is_sealed_when_it_ends(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(open_journal(data, judge_again)) as opened:
        journal = opened.journal
        start, latest = journal.match(GOES_ON).start, journal.latest_game(GOES_ON)
        journal.resume(GOES_ON)
        session = Session(load_board(start.board), start, journal, Dice(), latest_game=latest)
        _resign_until_over(session)
        assert read_seal(journal.record(GOES_ON)[-1]) is not None
    file = tmp_path / "match.sealed"
    assert main(["export", str(GOES_ON), "--sealed", "-o", str(file)]) == 0
    assert main(["verify", str(file)]) == 0, capsys.readouterr().out


def _resign_until_over(session: Session) -> None:
    """Whoever is to act gives each game up as soon as it has begun."""
    for _ in range(100):
        view = session.view
        now = Us(view.us + 1_000_000)
        match view.phase:
            case Phase.MATCH_OVER:
                return
            case Phase.GAME_OVER:
                session.handle(Tap(now, Intent.NEXT_GAME))
            case Phase.SET_UP:
                closed = frozenset(load_board(session.start.board).sensors)
                spots = {"1", "2", "5", "6"}
                session.handle(Picture(now, frozenset(s for s in closed if s in spots)))
                session.handle(Tick(Us(now + 1_000_000)))
            case Phase.RESIGNATION_OFFERED:
                session.handle(Tap(now, Intent.ACCEPT))
            case _ if Intent.RESIGN in view.offers:
                points = next(iter(view.resignations))
                session.handle(Tap(now, Intent.RESIGN, points=points))
            case _:
                session.handle(Button(now, Press.SHORT))
    raise AssertionError(f"it did not end: {session.view}")
