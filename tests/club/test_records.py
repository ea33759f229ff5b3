"""Messages of the wire, both ways, and what is no message of ours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.base.identifiers import IdentifierError, board_name, match_key
from pi_app.base.typed_json import JsonError
from pi_app.club.records import (
    Have,
    Record,
    RecordId,
    Summary,
    Topic,
    letter_topic,
    read_message,
    write_message,
)

TABLE_7 = board_name("table-7")
KEY = match_key(12, "2026-11-23T01:12:14+00:00")
LINES = st.text().filter(str.isprintable)


@given(LINES, st.integers(0, 10**9))
def test_a_record_is_read_as_it_was_written(line: str, sequence: int) -> None:
    record = Record(RecordId(TABLE_7, KEY, sequence), line)
    assert read_message(write_message(record), Record) == record


@given(LINES, st.none() | LINES, st.none() | LINES)
def test_a_summary_too(start: str, decision: str | None, warning: str | None) -> None:
    summary = Summary(RecordId(TABLE_7, KEY, 3), start, decision, warning)
    assert read_message(write_message(summary), Summary) == summary


@given(st.from_regex("[0-9a-z-]{0,32}", fullmatch=True), st.integers(-1, 10**9))
def test_what_the_archive_has_too(archive: str, upto: int) -> None:
    have = Have(archive, {KEY: upto, match_key(13, KEY): -1}, {KEY: 2}, "session")
    assert read_message(write_message(have), Have) == have


@pytest.mark.parametrize("upto", [b"7", b'{"1@x": -2}', b'{"1@x": "a"}', b'{"1@x": true}'])
def test_what_no_archive_can_have(upto: bytes) -> None:
    with pytest.raises(JsonError, match="upto"):
        read_message(b'{"archive": "a", "session": "s", "seals": {}, "upto": ' + upto + b"}", Have)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (b"", "not JSON"),
        (b"[]", "no JSON object"),
        (b"\xff", "not JSON"),
        (b'{"board": "a", "match": "1@x", "sequence": -1, "line": ""}', "sequence"),
        (b'{"board": "a/#", "match": "1@x", "sequence": 1, "line": ""}', "board"),
        (b'{"board": "a", "match": "1@x", "sequence": 1, "line": "", "more": 1}', "more"),
        (b" " * 70_000, "70000 bytes"),
    ],
)
def test_what_is_no_record_is_refused_with_a_reason(message: bytes, said: str) -> None:
    with pytest.raises(JsonError, match=said):
        read_message(message, Record)


@pytest.mark.parametrize("name", ["", "A", "a b", "a+", "#", "-a", "a-", "a" * 33, "ä"])
def test_a_name_that_no_topic_can_hold(name: str) -> None:
    with pytest.raises(IdentifierError, match="small letters"):
        board_name(name)


def test_a_board_writes_under_its_own_name_alone() -> None:
    assert Topic.RECORD.of(TABLE_7) == "spotter/1/table-7/record"
    assert letter_topic(TABLE_7, board_name("table-8")) == "spotter/1/table-7/letter/table-8"
