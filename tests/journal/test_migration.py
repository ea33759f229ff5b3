"""Journals of version 1 as two versions of Spotter left them: what was shown is what is kept."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest
from known import judge_again, load_board

from pi_app.cli.matches import run as run_matches
from pi_app.devices.dice import Dice
from pi_app.games.all import ALL
from pi_app.journal import opening
from pi_app.journal.archive import Archive
from pi_app.journal.migration import Judge
from pi_app.journal.opening import FILE, open_journal
from pi_app.journal.rows import VERSION
from pi_app.match.score import Cube, Score
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision, What
from pi_app.referee.events import Event, MatchId, Start
from pi_app.rules.terms import Side
from pi_app.session import Session

FOLDER = Path(__file__).parent / "version1"
"""`moving` and `double-offered` were kept by the last Spotter of version 1.  `earlier` was kept by
an early one, and the trackers since have judged one or two of its three matches otherwise."""


def otherwise(start: Start, touches: Iterable[Event]) -> Iterator[Decision]:
    """A referee that makes of the same touches something else, as any later one may."""
    return judge_again(start, islice(touches, 300))


@pytest.fixture(autouse=True)
def lasting_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: False)


def shown(file: Path) -> list[tuple[object, ...]]:
    """What the matches of a file of version 1 were shown as."""
    with closing(sqlite3.connect(f"{file.as_uri()}?immutable=1", uri=True)) as db:
        query = "SELECT number, began, white_score, black_score, phase FROM matches"
        return db.execute(query).fetchall()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "spotter"


def keep(name: str, data: Path) -> Path:
    data.mkdir()
    shutil.copy(FOLDER / f"{name}.db", data / FILE)
    return data / FILE


@pytest.mark.parametrize("name", ["moving", "double-offered", "earlier"])
def test_every_match_stands_as_it_was_shown(name: str, data: Path) -> None:
    file = keep(name, data)
    before, content = shown(file), file.read_bytes()
    for _ in range(2):
        opened = open_journal(data, judge_again)
        assert [
            (m.number, m.began, m.score.white, m.score.black, m.phase.value)
            for m in opened.journal.matches()
        ] == before
        opened.close()
    assert shown(data / f"{FILE}.version-1") == before
    assert sqlite3.connect(file).execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert len(content) > 0


def resumed(data: Path, judge: Judge = judge_again) -> Session:
    opened = open_journal(data, judge)
    number = opened.journal.unfinished()
    assert number is not None
    start, latest = opened.journal.match(number).start, opened.journal.latest_game(number)
    opened.journal.resume(number)
    session = Session(load_board(start.board), start, opened.journal, Dice(), latest_game=latest)
    opened.close()
    return session


def test_a_match_in_progress_goes_on_with_score_cube_roll_and_position(data: Path) -> None:
    keep("moving", data)
    view = resumed(data).view
    assert (view.phase, view.to_act, view.roll) == (Phase.MOVING, Side.BLACK, "1")
    assert (view.score, view.cube) == (Score(2, 0), Cube(2, Side.WHITE))
    assert view.position == "1.bww.b1 b"
    assert view.game_number == 2


def test_a_double_on_offer_is_still_on_offer(data: Path) -> None:
    keep("double-offered", data)
    view = resumed(data).view
    assert (view.phase, view.to_act, view.roll) == (Phase.DOUBLE_OFFERED, Side.BLACK, None)
    assert (view.score, view.cube) == (Score(3, 0), Cube(4, Side.WHITE, Side.WHITE))
    assert view.position == "-b--B-DAC---cC--ac-c-b-aB- w"


def test_where_touches_are_judged_otherwise_today_what_was_shown_wins(data: Path) -> None:
    file = keep("earlier", data)
    opened = open_journal(data, otherwise)
    assert opened.notices == (
        f"{file}: judged otherwise today and left as shown: match 1, match 2, match 3; the file as "
        f"it was is {file}.version-1",
    )
    journal = opened.journal
    assert [d.what for d in journal.decisions(MatchId(2))] == [What.SHOWN]
    assert len(list(journal.touches(MatchId(2)))) > 400
    assert journal.has_all_touches(MatchId(2))
    opened.close()
    assert open_journal(data, otherwise).notices == ()


def test_a_game_whose_position_nobody_kept_begins_anew_at_its_score(data: Path) -> None:
    keep("earlier", data)
    view = resumed(data, otherwise).view
    assert (view.phase, view.score, view.position) == (Phase.SET_UP, Score(3, 0), "1ww..bb1 w")


def test_a_reader_changes_nothing(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = keep("earlier", data)
    before = file.read_bytes()
    monkeypatch.setenv("XDG_DATA_HOME", str(data.parent))
    assert run_matches([], ALL) == 0
    assert [line.split()[-2:] for line in capsys.readouterr().out.splitlines()[1:]] == [
        ["1–4", "over"],
        ["2–3", "over"],
        ["3–0", "moving"],
    ]
    assert file.read_bytes() == before


def spoil(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM events WHERE match = 2",
        "UPDATE events SET line = x'ff00' WHERE match = 2 AND place = 1",
        "UPDATE matches SET phase = 'singing' WHERE number = 2",
        "UPDATE matches SET white_score = 'many' WHERE number = 2",
    ],
    ids=["no events", "no start", "unknown phase", "no score"],
)
def test_a_match_that_cannot_be_read_is_told_and_the_others_come_over(
    data: Path, statement: str
) -> None:
    file = keep("moving", data)
    spoil(file, statement)
    opened = open_journal(data, judge_again)
    assert opened.notices == (
        f"{file}: not readable: match 2; the file as it was is {file}.version-1",
    )
    assert [match.number for match in opened.journal.matches()] == [1, 3]
    opened.close()


@pytest.mark.parametrize(
    "line", ["'{}'", "x'80'", "CAST(x'80ff' AS TEXT)", "char(0)", "'" + "[" * 3000 + "'"]
)
def test_a_match_with_a_damaged_event_stands_as_it_was_shown(data: Path, line: str) -> None:
    file = keep("moving", data)
    spoil(file, f"UPDATE events SET line = {line} WHERE place = 20")
    opened = open_journal(data, judge_again)
    (notice,) = opened.notices
    assert "left as shown: match 1, match 2, match 3" in notice
    assert opened.journal.match(1).score == Score(3, 2)
    opened.close()


def test_a_copy_is_kept_before_anything_is_changed(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = keep("moving", data)
    before = file.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pi_app.journal.store.copy_whole", full)
    opened = open_journal(data, judge_again)
    (notice,) = opened.notices
    assert notice.startswith(f"This match is not kept: {file} cannot be opened: ")
    opened.close()
    assert shown(file) == shown(FOLDER / "moving.db")
    assert file.read_bytes() == before
    archive = Archive(file, judge_again)
    assert len(archive.matches()) == 3
    archive.close()
