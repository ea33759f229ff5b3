"""Every journal since 1.0 is brought up to date, and stays beside as it was.

`version6/kept.db` holds a match that is over and unsealed, one that is over and sealed, and one
that was begun while the clock was not set.  `every-phase.db` holds matches of all games, each
broken off in another phase; `every-phase.jsonl` is what the Spotter of then showed when it resumed
them, all but its words.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from known import load_board

from pi_app.app.session import Session
from pi_app.cli.matches import list_matches as run_matches
from pi_app.devices.dice import Dice
from pi_app.games.all import ALL
from pi_app.journal import opening
from pi_app.journal import rows as schema
from pi_app.journal.archive import Archive
from pi_app.journal.opening import FILE, open_journal
from pi_app.journal.rows import OLDEST, STEPS, VERSION
from pi_app.match.turns import Phase
from pi_app.referee.events import MatchId
from pi_app.referee.lines import write_view
from pi_app.seal.record import read_seal
from pi_app.words.wall_time import local_time

HERE = Path(__file__).parent
KEPT = {version: HERE / f"version{version}" / "kept.db" for version in range(OLDEST, VERSION)}
EVERY_PHASE = HERE / "version6" / "every-phase.db"
SHOWN: list[dict[str, Any]] = [
    json.loads(line) for line in EVERY_PHASE.with_suffix(".jsonl").read_text("utf-8").splitlines()
]
WORDS = ("message", "hint", "reason")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: False)
    folder = tmp_path / "spotter"
    folder.mkdir()
    return folder


def decided(data: Path) -> list[tuple[str, int]]:
    """Every match that is there, and how much was decided in it."""
    with closing(open_journal(data)) as opened:
        journal = opened.journal
        assert (journal.path, opened.notices) == (data / FILE, ())
        return [(m.began, len(tuple(journal.decisions(m.number)))) for m in journal.matches()]


def set_number(file: Path, said: int) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute(f"PRAGMA user_version = {said}")


def test_every_version_since_the_oldest_has_a_step_and_a_kept_journal() -> None:
    assert sorted(STEPS) == list(range(OLDEST, VERSION))
    assert all(file.is_file() for file in KEPT.values())


@pytest.mark.parametrize("version", KEPT)
def test_every_match_is_there_and_the_file_as_it_was_is_beside_it(data: Path, version: int) -> None:
    shutil.copy(KEPT[version], data / FILE)
    first = decided(data)
    assert [length for _, length in first] == [30, 48, 0]
    assert decided(data) == first
    for name, is_version in ((FILE, VERSION), (f"{FILE}.version-{version}", version)):
        with closing(schema.connect(str(data / name))) as db:
            assert schema.version_of(db) == is_version
            assert len(db.execute("SELECT * FROM matches").fetchall()) == len(first)


def test_seals_of_version_6_stay_and_what_was_not_dated_says_so(data: Path) -> None:
    shutil.copy(KEPT[6], data / FILE)
    with closing(open_journal(data)) as opened:
        matches = opened.journal.matches()
        assert [match.phase for match in matches] == [
            Phase.MATCH_OVER,
            Phase.MATCH_OVER,
            Phase.SET_UP,
        ]
        assert read_seal(opened.journal.record(MatchId(1))[-1]) is None
        assert read_seal(opened.journal.record(MatchId(2))[-1]) is not None
    assert [local_time(match.date) for match in matches[1:]] == [
        "2026-11-20 20:15",
        "date unknown",
    ]


def test_every_game_of_then_was_broken_off_in_every_phase() -> None:
    games = {"nannon", "backgammon", "portes", "pin", "cannon"}
    assert {shown["game"] for shown in SHOWN} == games
    assert {shown["phase"] for shown in SHOWN} == {phase.value for phase in Phase}


@pytest.mark.parametrize(
    "shown", SHOWN, ids=lambda shown: f"{shown['match']}, {shown['game']}, {shown['phase']}"
)
def test_a_match_of_version_6_is_resumed_as_it_was(data: Path, shown: dict[str, Any]) -> None:
    shutil.copy(EVERY_PHASE, data / FILE)
    number = MatchId(shown["match"])
    with closing(open_journal(data)) as opened:
        start, latest = opened.journal.match(number).start, opened.journal.latest_game(number)
        opened.journal.resume(number)
        board = load_board(start.board)
        session = Session(board, start, opened.journal, Dice(), latest_game=latest)
    assert without_words(json.loads(write_view(session.view))) == without_words(shown)


def without_words(view: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in view.items() if key not in (*WORDS, "match")}


@pytest.mark.parametrize("said", [*range(VERSION + 1), 77777, -5])
@pytest.mark.parametrize("version", KEPT)
def test_a_file_is_read_by_its_tables_where_its_number_is_another(
    data: Path, version: int, said: int
) -> None:
    shutil.copy(KEPT[version], data / FILE)
    whole = decided(data)
    shutil.rmtree(data)
    data.mkdir()
    shutil.copy(KEPT[version], data / FILE)
    set_number(data / FILE, said)
    assert decided(data) == whole
    set_number(data / FILE, said)
    assert decided(data) == whole


@pytest.mark.parametrize("version", KEPT)
def test_a_reader_changes_nothing(
    data: Path, version: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path(shutil.copy(KEPT[version], data / FILE))
    before = file.read_bytes()
    monkeypatch.setenv("XDG_DATA_HOME", str(data.parent))
    assert run_matches([], ALL) == 0
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()[1:]] == [
        "finished",
        "finished",
        "up",
    ]
    assert file.read_bytes() == before


@pytest.mark.parametrize("version", KEPT)
def test_a_copy_is_kept_before_anything_is_changed(
    data: Path, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(shutil.copy(KEPT[version], data / FILE))
    before = file.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pi_app.journal.store.copy_whole", full)
    with closing(open_journal(data)) as opened:
        (notice,) = opened.notices
    assert notice.startswith(f"This match is not saved: {file} cannot be opened: ")
    assert file.read_bytes() == before
    with closing(Archive(file)) as archive:
        assert len(archive.matches()) == 3
