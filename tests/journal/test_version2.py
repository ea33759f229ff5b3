"""A journal as an earlier Spotter of version 2 left it: every match goes on where it stood.

`kept.db` holds matches of all games, each broken off in another phase; `resumed.jsonl` is what that
Spotter showed when it resumed them, all but its words.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from known import GAMES, judge_again, load_board

from pi_app.devices.dice import Dice
from pi_app.journal import opening
from pi_app.journal import rows as schema
from pi_app.journal.archive import Archive
from pi_app.journal.opening import FILE, open_journal
from pi_app.match.turns import Phase
from pi_app.microseconds import Us
from pi_app.referee.decision import Decision, What
from pi_app.referee.events import Intent, MatchId, Tap
from pi_app.referee.lines import write_view
from pi_app.rules.terms import Side
from pi_app.session import Session

FOLDER = Path(__file__).parent / "version2"
SHOWN: list[dict[str, Any]] = [
    json.loads(line) for line in (FOLDER / "resumed.jsonl").read_text("utf-8").splitlines()
]
WORDS = ("message", "hint", "reason")
LATER = ("confidence",)
"""What a view has shown since."""
LATER_PHASES = {"resignation offered"}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(opening, "is_volatile", lambda folder: False)
    shutil.copy(FOLDER / "kept.db", tmp_path / FILE)
    return tmp_path


@contextmanager
def resumed(data: Path, number: MatchId) -> Iterator[Session]:
    opened = open_journal(data, judge_again)
    with closing(opened):
        start, latest = opened.journal.match(number).start, opened.journal.latest_game(number)
        opened.journal.resume(number)
        yield Session(load_board(start.board), start, opened.journal, Dice(), latest_game=latest)


def decisions(data: Path, number: MatchId) -> list[Decision]:
    with closing(Archive(data / FILE, judge_again)) as archive:
        return list(archive.decisions(number))


def test_every_game_is_there_in_most_phases() -> None:
    assert {shown["game"] for shown in SHOWN} == set(GAMES)
    assert {shown["phase"] for shown in SHOWN} == {phase.value for phase in Phase} - LATER_PHASES


@pytest.mark.parametrize(
    "shown", SHOWN, ids=lambda shown: f"{shown['match']}, {shown['game']}, {shown['phase']}"
)
def test_a_match_is_resumed_as_it_was(data: Path, shown: dict[str, Any]) -> None:
    with resumed(data, MatchId(shown["match"])) as session:
        view = {"match": shown["match"], **json.loads(write_view(session.view))}
    assert {key: value for key, value in view.items() if key not in WORDS + LATER} == shown


def test_the_file_as_it_was_stays_beside_it(data: Path) -> None:
    opened = open_journal(data, judge_again)
    assert opened.notices == ()
    opened.close()
    versions = [version(data / name) for name in (FILE, f"{FILE}.version-2")]
    assert versions == [schema.VERSION, 2]


def version(file: Path) -> int:
    with closing(schema.connect(str(file))) as db:
        return schema.version_of(db)


@pytest.mark.parametrize("game", list(GAMES))
def test_the_match_goes_on_and_what_was_kept_stays(data: Path, game: str) -> None:
    moving = next(s for s in SHOWN if s["phase"] == "moving" and s["game"] == game)
    number = MatchId(moving["match"])
    before = decisions(data, number)
    with resumed(data, number) as session:
        points = next(iter(session.view.resignations))
        session.handle(Tap(Us(session.view.us + 1), Intent.RESIGN, points=points))
    *kept, last = decisions(data, number)
    assert kept == before
    assert (last.what, last.by) == (What.RESIGNATION, Side(moving["to_act"]))


@pytest.mark.parametrize("later", [3, 4, 5])
def test_later_versions_differ_in_their_number_and_the_table_of_seals(
    data: Path, later: int
) -> None:
    opened = open_journal(data, judge_again)
    opened.close()
    with closing(schema.connect(str(data / FILE))) as db:
        db.execute("DROP TABLE seals")
        db.execute("DROP TABLE dates")
        db.execute(f"PRAGMA user_version = {later}")
    before = decisions(data, MatchId(1))
    open_journal(data, judge_again).close()
    kept_beside = version(data / f"{FILE}.version-{later}")
    assert (version(data / FILE), kept_beside) == (schema.VERSION, later)
    assert decisions(data, MatchId(1)) == before
    assert schema.VERSION == 7
