"""The archive of a club: what is new, what comes twice, what contradicts, what is missing."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.base.identifiers import board_name, match_key
from pi_app.base.microseconds import Us
from pi_app.club.archive import ClubArchive, ClubArchiveError
from pi_app.club.records import SEALED, Record, RecordId, Summary

HERE, THERE = board_name("here"), board_name("there")
FIRST, SECOND = match_key(1, "2026-11-23T20:00:00+01:00"), match_key(2, "2026-11-23T21:00:00+01:00")


def a_record(
    sequence: int, line: str | None = None, board: str = "here", match: str = FIRST
) -> Record:
    id_ = RecordId(board_name(board), match_key(*_parts(match)), sequence)
    return Record(id_, line if line is not None else f"line {sequence}")


def _parts(match: str) -> tuple[int, str]:
    number, _, began = match.partition("@")
    return int(number), began


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[ClubArchive]:
    archive = ClubArchive(tmp_path / "club" / "archive.db")
    yield archive
    archive.close()


def test_records_in_any_order_and_twice(archive: ClubArchive) -> None:
    added = archive.add([a_record(2), a_record(0), a_record(2)])
    assert added.new == (a_record(2), a_record(0))
    assert not added.contradicting
    assert archive.have(HERE).upto == {FIRST: 0}
    assert archive.add([a_record(1)]).new == (a_record(1),)
    assert archive.add([a_record(0), a_record(1), a_record(2)]).new == ()
    assert archive.have(HERE).upto == {FIRST: 2}
    assert archive.records(HERE, FIRST) == (a_record(0), a_record(1), a_record(2))
    assert archive.records(HERE, FIRST, after=1) == (a_record(2),)


def test_another_line_under_a_name_that_is_taken_changes_nothing_and_is_kept_aside(
    archive: ClubArchive,
) -> None:
    archive.add([a_record(0)])
    other = a_record(0, "forged")
    added = archive.add([other, a_record(1)])
    assert added.contradicting == (other,)
    assert added.new == (a_record(1),)
    archive.add([other])
    assert archive.records(HERE, FIRST) == (a_record(0), a_record(1))
    assert archive._rows("SELECT sequence, line FROM others") == [(0, "forged")]


def test_a_seal_is_no_decision(archive: ClubArchive) -> None:
    archive.add([a_record(0), a_record(1), a_record(SEALED + 1, "seal")])
    assert archive.have(HERE).upto == {FIRST: 1}
    assert archive.have(HERE).seals == {FIRST: 1}
    assert archive.latest(HERE) == Summary(RecordId(HERE, FIRST, 1), "line 0", "line 1")
    assert [record.id.is_seal for record in archive.records(HERE, FIRST)] == [False, False, True]


def test_boards_apart_and_the_newest_match_of_each(archive: ClubArchive) -> None:
    assert archive.latest(HERE) is None
    archive.add([a_record(0), a_record(1), a_record(4, board="there")])
    archive.add([a_record(0, match=SECOND)])
    assert archive.boards() == (HERE, THERE)
    assert archive.matches(HERE) == (FIRST, SECOND)
    assert archive.latest(HERE) == Summary(RecordId(HERE, SECOND, 0), "line 0", None)
    archive.add([a_record(1, match=SECOND)])
    assert archive.latest(HERE) == Summary(RecordId(HERE, SECOND, 1), "line 0", "line 1")
    assert archive.latest(THERE) is None, "its start is missing"
    assert archive.have(THERE).upto == {FIRST: -1}


@given(st.permutations(range(12)), st.integers(1, 12))
def test_up_to_where_nothing_is_missing(order: list[int], batch: int) -> None:
    archive = ClubArchive(Path(":memory:"))
    there: set[int] = set()
    for begin in range(0, 12, batch):
        archive.add([a_record(sequence) for sequence in order[begin : begin + batch]])
        there.update(order[begin : begin + batch])
        upto = archive.have(HERE).upto[FIRST]
        assert upto == min(set(range(13)) - there) - 1
    archive.close()


def test_it_is_all_there_after_it_was_closed_and_another_one_is_another(tmp_path: Path) -> None:
    file = tmp_path / "archive.db"
    before = ClubArchive(file)
    before.add([a_record(0)])
    had = before.have(HERE)
    before.close()
    after = ClubArchive(file)
    assert after.have(HERE) == had
    another = ClubArchive(tmp_path / "another.db")
    assert another.have(HERE).archive != had.archive
    assert file.stat().st_mode & 0o077 == 0


def test_a_batch_that_cannot_be_written_leaves_nothing(
    archive: ClubArchive, tmp_path: Path
) -> None:
    other = sqlite3.connect(tmp_path / "club" / "archive.db")
    other.execute(
        "CREATE TRIGGER full BEFORE INSERT ON records WHEN new.sequence = 1 "
        "BEGIN SELECT raise(ABORT, 'disk is full'); END"
    )
    with pytest.raises(
        ClubArchiveError, match=r"archive\.db cannot be written: disk is full; check"
    ):
        archive.add([a_record(0), a_record(1)])
    assert archive.boards() == ()
    other.execute("DROP TRIGGER full")
    assert len(archive.add([a_record(0), a_record(1)]).new) == 2
    other.close()


def test_a_file_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "archive.db"
    file.write_bytes(b"no database at all, and long enough to be looked at" * 20)
    with pytest.raises(ClubArchiveError, match="cannot be opened"):
        ClubArchive(file)


def test_how_old_a_record_is_counts_only_while_the_archive_is_open(tmp_path: Path) -> None:
    file, now = tmp_path / "archive.db", Us(5_000)

    def clock() -> Us:
        return now

    before = ClubArchive(file, clock)
    before.add([a_record(0), a_record(1)])
    now = Us(5_060)
    before.add([a_record(2), a_record(0, match=SECOND)])
    assert before.records(HERE, FIRST, aged=Us(60)) == (a_record(0), a_record(1))
    assert before.matches(HERE, aged=Us(60)) == (FIRST,)
    assert before.latest(HERE, aged=Us(60)) == Summary(a_record(1).id, "line 0", "line 1")
    assert before.latest(HERE) == Summary(a_record(0, match=SECOND).id, "line 0", None)
    assert before.records(HERE, FIRST, aged=Us(61)) == ()
    assert before.latest(HERE, aged=Us(61)) is None
    before.close()

    # Another start of the computer, a day later: its clock begins anew.
    now = Us(7)
    after = ClubArchive(file, clock)
    assert after.records(HERE, FIRST, aged=Us(60)) == (a_record(0), a_record(1))
    now = Us(66)
    assert after.matches(HERE, aged=Us(60)) == (FIRST,)
    now = Us(67)
    assert after.matches(HERE, aged=Us(60)) == (FIRST, SECOND)
    after.close()
