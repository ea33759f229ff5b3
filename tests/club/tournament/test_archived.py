"""Results from what boards have sent: put together, verified, and the same match as in its file."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from known import GAMES
from table_talk import NannonTable

from pi_app.__main__ import main
from pi_app.base.identifiers import BoardName, MatchKey, match_key
from pi_app.base.typed_json import JsonError
from pi_app.club.archive import ClubArchive
from pi_app.club.line import LinesKept
from pi_app.club.records import (
    SEALED,
    Record,
    RecordId,
    read_message,
    write_message,
)
from pi_app.club.tournament.model import System, Tournament, load, save
from pi_app.club.tournament.pairing import paired
from pi_app.club.tournament.results import Played, Roster, Skipped, archived, taken
from pi_app.journal.store import MEMORY, Journal
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import Tap
from pi_app.seal.keys import SealingKey
from pi_app.seal.record import read_seal

BOARD = BoardName("board-4")
WHEN = "2026-11-20T20:15:00+01:00"
PAIRED = datetime(2026, 11, 20, 19, 10, tzinfo=UTC)
SEALS = 500_000_000
KEY = SealingKey(bytes(32))


class SentRecords:
    """One board's records in the archive: start, decisions, then the seals."""

    def __init__(self, lines: Sequence[str]) -> None:
        told = [line for line in lines[1:] if read_seal(line) is None]
        seals = [line for line in lines if read_seal(line) is not None]
        key = match_key(1, WHEN)
        numbered = [*enumerate(told), *enumerate(seals, start=SEALS)]
        self.sent = [Record(RecordId(BOARD, key, at), line) for at, line in numbered]

    def told(self, roster: Roster | None = None) -> list[Played | Skipped]:
        with closing(ClubArchive(MEMORY)) as archive:
            archive.add(self.sent)
            known = (roster or Roster()).with_archive(archive)
            return [*archived(archive, GAMES, known)]

    def played(self) -> list[Played]:
        return [each for each in self.told() if isinstance(each, Played)]


@pytest.fixture
def lines(tmp_path: Path) -> tuple[str, ...]:
    """A match whose end was undone and came again: it has two seals."""
    table = NannonTable(1, 3)
    table.plays_until(Phase.MATCH_OVER)
    table.does(Tap(table.later(1000), Act.TAKE_BACK))
    table.does(Tap(table.later(1000), Act.RESTORE))
    start = replace(table.start, players=("Ada", "Cid"))
    with closing(Journal(tmp_path / "a.db", KEY.seal)) as journal:
        number = journal.begin(start, WHEN)
        for decision in table.decided:
            journal.decide(decision)
            journal.commit()
        return journal.record(number)


@pytest.fixture
def standing() -> Tournament:
    return paired(Tournament("Open", System.SWISS, 0, 1).joined(["Ada", "Cid"])).dated(PAIRED)


def test_a_match_that_came_whole_gives_its_result(
    lines: tuple[str, ...], standing: Tournament
) -> None:
    (played,) = SentRecords(lines).played()
    assert (played.where, played.fault) == ("board board-4, match 1", "")
    after, (told,) = taken(standing, [played])
    assert told.startswith("table 1: board board-4, match 1 (Ada – Cid)")
    result = after.current[0].result
    assert result is not None
    assert not result.confirmed
    again, (told,) = taken(after, [played])
    assert (again, "was taken before" in told) == (after, True)


def test_what_a_board_sends_of_its_journal_is_the_sealed_record(
    lines: tuple[str, ...], tmp_path: Path
) -> None:
    with closing(LinesKept(tmp_path / "a.db")) as kept, closing(ClubArchive(MEMORY)) as archive:
        (content,) = kept.contents()
        assert len(content.seals) == 2
        places = (*range(content.decisions + 1), *(SEALED + place for place in content.seals))
        ids = [RecordId(BOARD, content.match, place) for place in places]
        archive.add(Record(id_, kept.line(id_) or "") for id_ in ids)
        (played,) = archived(archive, GAMES, Roster().with_archive(archive))
    assert isinstance(played, Played)
    assert (played.where, played.fault) == ("board board-4, match 1", "")
    assert len(played.decisions) == content.decisions


def test_a_directors_command_takes_it_from_the_archive(
    lines: tuple[str, ...],
    standing: Tournament,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, kept = tmp_path / "open.txt", tmp_path / "club.db"
    save(file, standing)
    with closing(ClubArchive(kept)) as archive:
        archive.add(SentRecords(lines).sent)
    assert main(["tournament", "take", str(file), "--archive", str(kept)]) == 0
    assert capsys.readouterr().out.startswith("table 1: board board-4, match 1 (Ada – Cid)")
    result = load(file).current[0].result
    assert result is not None
    assert not result.confirmed
    for words, told in (
        ((), "give sealed records, or --archive FILE"),
        (("--archive", tmp_path / "none.db"), "none.db is not there"),
        (("--archive", file), "cannot be"),
    ):
        assert main(["tournament", "take", str(file), *map(str, words)]) in (1, 2)
        (line,) = capsys.readouterr().err.splitlines()
        assert told in line


def test_a_match_of_which_something_is_missing_is_not_over_yet(
    lines: tuple[str, ...], standing: Tournament
) -> None:
    archive = SentRecords(lines)
    del archive.sent[9]
    (played,) = archive.played()
    assert len(played.decisions) == 8
    assert played.where.endswith("not all of it has come")
    same, (told,) = taken(standing, [played])
    assert (same, "is not over yet" in told) == (standing, True)
    archive.sent = [each for each in archive.sent if each.id.sequence]
    assert archive.played() == []


def test_a_line_that_is_another_is_told_and_gives_nothing(
    lines: tuple[str, ...], standing: Tournament
) -> None:
    archive = SentRecords(lines)
    first = archive.sent[1]
    archive.sent[1] = replace(first, line=first.line.replace('"game": 1', '"game": 2'))
    (played,) = archive.played()
    assert played.fault
    assert taken(standing, [played])[0] == standing


def test_a_match_without_a_seal_is_told_to_be_so_and_needs_a_yes(
    lines: tuple[str, ...], standing: Tournament
) -> None:
    archive = SentRecords(lines)
    archive.sent = [each for each in archive.sent if each.id.sequence < SEALS]
    (played,) = archive.played()
    assert played.where == "board board-4, match 1, not sealed"
    assert "nobody has sealed how it ended" in taken(standing, [played])[1][0]
    (unproven,) = archive.told(Roster(takes_unproven=True))
    assert isinstance(unproven, Played)
    assert "not sealed" in unproven.where
    assert taken(standing, [unproven])[0] != standing


def test_an_end_after_the_last_seal_needs_a_yes_too(lines: tuple[str, ...]) -> None:
    archive = SentRecords(lines)
    (played,) = archive.played()
    assert played.fault == ""
    archive.sent = archive.sent[:-1]
    (played,) = archive.played()
    assert played.where == "board board-4, match 1, not sealed to its end"
    assert "nobody has sealed how it ended" in played.fault


def test_a_match_that_is_under_way_needs_no_seal(lines: tuple[str, ...]) -> None:
    archive = SentRecords(lines)
    archive.sent = archive.sent[:9]
    (played,) = archive.played()
    assert played.fault == ""


def test_a_seal_by_another_key_than_the_boards_is_refused(
    lines: tuple[str, ...], standing: Tournament
) -> None:
    archive = SentRecords(lines)
    stranger = Roster({"ab" * 32: BOARD})
    (played,) = archive.told(stranger)
    assert isinstance(played, Played)
    same, (told,) = taken(standing, [played])
    assert same == standing
    assert f"sealed by the key {KEY.public}, which is no known board's" in told
    elsewhere = Roster({KEY.public: BoardName("board-9"), "ab" * 32: BOARD})
    (played,) = archive.told(elsewhere)
    assert isinstance(played, Played)
    assert "which is the board board-9's" in played.fault


POISON = [
    f"{'9' * 5000}@x",
    "0@x",
    "-1@x",
    "1",
    "1@" + "x" * 500,
    "٣@x",
    "",
]


@pytest.mark.parametrize("match", POISON)
def test_a_poisoned_record_is_told_and_stands_in_nobodys_way(
    match: str,
    lines: tuple[str, ...],
    standing: Tournament,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An archive of an earlier Spotter may contain it."""
    good = SentRecords(lines).sent
    bad = Record(RecordId(BoardName("a"), MatchKey(match), 0), good[0].line)
    file, kept = tmp_path / "open.txt", tmp_path / "club.db"
    save(file, standing)
    with closing(ClubArchive(kept)) as archive:
        archive.add([bad, *good])
    assert main(["tournament", "take", str(file), "--archive", str(kept)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert "cannot be read" in first
    assert second.startswith("table 1: board board-4, match 1 (Ada – Cid)")
    with pytest.raises(JsonError, match="match"):
        read_message(write_message(bad), Record)


def test_what_nobody_thought_of_stands_in_nobodys_way(
    lines: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise ZeroDivisionError("nobody thought of it")

    monkeypatch.setattr("pi_app.club.tournament.results.impossible", stumble)
    (skipped,) = SentRecords(lines).told()
    assert isinstance(skipped, Skipped)
    assert "nobody thought of it" in skipped.why
