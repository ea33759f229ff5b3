"""Every change of a sealed record is found, and named where possible."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shares import one_in
from table_talk import NannonTable

from pi_app.__main__ import main
from pi_app.base.microseconds import Us
from pi_app.journal.archive import Archive
from pi_app.journal.disk import DamagedError
from pi_app.journal.opening import FILE, salvage
from pi_app.journal.store import Journal
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.events import MatchId, Start, Tap
from pi_app.seal.keys import (
    KEY_FILE,
    PublicKeyError,
    SealingKey,
    fits,
    is_weak,
    make_key,
    read_key,
    read_public,
)
from pi_app.seal.record import Seal, digest, header, read_seal, write_hashes, write_record
from pi_app.seal.verifying import MOST_SEALS, SealedRecordError, read_record

KEY = SealingKey(bytes(range(32)))
STRANGER = SealingKey(bytes(32))
WHEN = "2026-11-20 20:15"


def kept(
    path: Path, start: Start, decisions: Iterable[Decision], key: SealingKey = KEY
) -> tuple[str, ...]:
    """The record of a match as a journal keeps it, each decision on disk by itself."""
    with closing(Journal(path, key.seal)) as journal:
        number = journal.begin(start, WHEN)
        for decision in decisions:
            journal.decide(decision)
            journal.commit()
        return journal.record(number)


def over_table(match_to: int = 1, seed: int = 3) -> NannonTable:
    table = NannonTable(match_to, seed)
    table.plays_until(Phase.MATCH_OVER)
    return table


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    table = over_table()
    path = tmp_path_factory.mktemp("sealed") / FILE
    return write_record(kept(path, table.start, table.decided)).encode()


def faults(data: bytes, key: SealingKey | None = None) -> tuple[str, ...]:
    return read_record(data, key.public if key else None).faults


def is_found(data: bytes) -> bool:
    """Whether something is wrong with it: with a part, or with the whole."""
    try:
        return bool(faults(data))
    except SealedRecordError:
        return True


def edited(sealed: bytes, line: int, old: str, new: str) -> bytes:
    lines = sealed.decode().split("\n")
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "\n".join(lines).encode()


def test_what_was_sealed_is_as_it_was(sealed: bytes) -> None:
    record = read_record(sealed, KEY.public)
    assert record.faults == ()
    assert (record.match, record.began, record.sealed_by) == (1, WHEN, (KEY.public,))
    assert record.decisions[-1][1].state.phase is Phase.MATCH_OVER
    assert record.decisions[-1][0] == len(record.decisions)


def test_any_byte_that_is_another_is_found(sealed: bytes) -> None:
    for place in range(0, len(sealed), one_in(61)):
        for flip in (0x01, 0x20, 0x80):
            other = sealed[:place] + bytes([sealed[place] ^ flip]) + sealed[place + 1 :]
            assert is_found(other), (place, flip)


@settings(max_examples=60 // one_in(3))
@given(data=st.data())
def test_bytes_lost_added_or_another_are_found(sealed: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(sealed) - 1))
    end = data.draw(st.integers(start, min(len(sealed), start + 2000)))
    put = data.draw(st.binary(max_size=20))
    other = sealed[:start] + put + sealed[end:]
    assert (other == sealed) is not is_found(other)


@settings(max_examples=30 // one_in(3))
@given(data=st.data())
def test_the_line_of_a_changed_byte_is_named_wherever_it_is(
    sealed: bytes, data: st.DataObject
) -> None:
    lines = sealed.split(b"\n")
    number = data.draw(st.integers(0, len(lines) - 4))
    place = data.draw(st.integers(0, len(lines[number]) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b not in (lines[number][place], 10)))
    line = lines[number]
    lines[number] = line[:place] + bytes([byte]) + line[place + 1 :]
    (told,) = faults(b"\n".join(lines))
    assert told.startswith(f"line {number + 1}, ")
    assert told.endswith(", was changed")


@pytest.mark.parametrize(
    ("line", "old", "new", "told"),
    [
        (1, '"match": 1', '"match": 7', "line 1, the header, was changed"),
        (2, '"match_to": 1', '"match_to": 5', "line 2, the start, was changed"),
        (3, '"phase": "opening throw"', '"phase": "moving"', "line 3, decision 1, was changed"),
        (4, '"white": 0', '"white":0', "line 4, decision 2, was changed"),
    ],
)
def test_a_changed_line_is_named(sealed: bytes, line: int, old: str, new: str, told: str) -> None:
    assert faults(edited(sealed, line, old, new)) == (told,)


def test_lines_missing_doubled_moved_and_added_are_named(sealed: bytes) -> None:
    lines = sealed.split(b"\n")
    missing = b"\n".join(lines[:5] + lines[6:])
    assert faults(missing) == ("line 6 of those signed (decision 4) is missing",)
    doubled = b"\n".join([*lines[:6], lines[5], *lines[6:]])
    assert faults(doubled) == ("line 7 was added",)
    moved = b"\n".join([*lines[:5], lines[6], lines[5], *lines[7:]])
    assert any("was moved" in told for told in faults(moved))
    added = b"\n".join([*lines[:5], b'{"ms": 1}', *lines[5:]])
    assert faults(added) == ("line 6 was added",)
    assert "the end of the last line is missing" in faults(sealed[:-1])[0]


PATTERNS: list[Callable[[int], tuple[list[str], list[str]]]] = [
    # What is there, and what was signed
    lambda count: (["{}"] * count, ["{}", '{"a":1}'] * (count // 2)),
    lambda count: (["{}", "[]"] * (count // 2), ["[]", "{}"] * (count // 2)),
    lambda count: (["{}"] * count, ["{}"] * (count // 2)),
    lambda count: (["{}"] * (count // 2), ["{}"] * count),
    lambda count: ([f"[{n}]" for n in range(count)], [f"[{count - n}]" for n in range(count)]),
    lambda count: ([f"[{n}]" for n in range(count)], [f"[{n}]" for n in range(0, count, 2)]),
    lambda count: ([json.dumps({"a": "b" * 8000})] * (count // 100), ["{}"] * (count // 100)),
]


def hostile(lines: list[str], signed: list[str]) -> bytes:
    """A record whose seal is true for other lines than stand there."""
    head = [header(1, "x"), '{"ms": 0}']
    hashes = [digest(line) for line in (*head, *signed)]
    signature = KEY.seal([*head, *signed])
    return "".join(
        f"{line}\n" for line in (*head, *lines, write_hashes(hashes), signature)
    ).encode()


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_record_is_read_in_a_time_in_proportion_to_its_length(
    pattern: Callable[[int], tuple[list[str], list[str]]],
) -> None:
    def steps(count: int) -> int:
        """Calls and lines, counted: no clock is as steady."""
        data, taken = hostile(*pattern(count)), 0

        def step(*_: object) -> Any:
            nonlocal taken
            taken += 1
            return step

        before = sys.gettrace()
        sys.settrace(step)
        try:
            assert read_record(data).faults
        finally:
            sys.settrace(before)
        return taken

    assert steps(4000) < 5 * steps(1000)


def test_a_long_record_of_nonsense_is_read_in_a_moment() -> None:
    """Of 35 KB it took 0.8 s, of 70 KB 7 s, of 140 KB minutes."""
    data = hostile(*PATTERNS[0](20_000))
    before = time.process_time()
    assert len(read_record(data).faults) > 5000
    assert time.process_time() - before < 10


def test_a_record_has_no_end_of_seals() -> None:
    lines = [header(1, "x"), '{"ms": 0}']
    for _ in range(MOST_SEALS + 2):
        lines.append(KEY.seal(lines))
    lines.append(KEY.seal(lines))
    assert "one more earlier seal" in faults(write_record(lines).encode())[0]


SMALL_ORDER = [
    *("00" * 32, "01" + "00" * 31, "ec" + "ff" * 30 + "7f", "ed" + "ff" * 30 + "7f"),
    "ee" + "ff" * 30 + "7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
]
"""As libsodium lists them (ed25519_ref10, ge25519_has_small_order)."""


@pytest.mark.parametrize("key", SMALL_ORDER)
def test_keys_by_which_anybody_can_sign_are_refused(sealed: bytes, key: str) -> None:
    seal = read_seal(sealed.decode().split("\n")[-2])
    assert seal is not None
    high = f"{key[:62]}{int(key[62:], 16) | 0x80:02x}"
    for weak in (key, high):
        nothing = f"{'01' + '00' * 31}{'00' * 32}"
        other = sealed.replace(seal.key.encode(), weak.encode())
        other = other.replace(seal.signature.encode(), nothing.encode())
        assert "a key by which anybody can sign" in faults(other)[0]
        assert not fits(Seal(1, weak, nothing), b"anything")
        with pytest.raises(PublicKeyError, match="by which anybody can sign"):
            read_public(weak)
    assert not is_weak(KEY.public)


@pytest.mark.parametrize(
    "head",
    [
        '{"record": 1, "match": %s, "began": "x"}' % ("9" * 4000),
        '{"record": 1, "match": -1, "began": "x"}',
        '{"record": 1, "match": 1, "began": "%s"}' % ("x" * 65),
        '{"record": 1, "match": 1, "began": "\\u202e"}',
    ],
)
def test_the_name_of_a_match_has_a_form(sealed: bytes, head: str) -> None:
    lines = [head, *sealed.decode().split("\n")[1:-3]]
    data = write_record([*lines, KEY.seal(lines)]).encode()
    assert faults(data) == ("line 1, the header, cannot be read",)


def test_a_record_without_its_seal_or_its_hashes_is_none(sealed: bytes) -> None:
    lines = sealed.split(b"\n")
    without_seal = b"\n".join([*lines[:-2], b""])
    assert any("the seal, the last line, is missing" in told for told in faults(without_seal))
    without_hashes = b"\n".join([*lines[:-3], *lines[-2:]])
    assert "signs" in " ".join(faults(without_hashes)) or faults(without_hashes)
    with pytest.raises(SealedRecordError, match="it is no sealed record"):
        read_record(b"The quick brown fox\n")


def test_the_seal_itself_changed_is_told_apart(sealed: bytes) -> None:
    count = sealed.count(b"\n")
    seal = read_seal(sealed.decode().split("\n")[-2])
    assert seal is not None
    other = edited(sealed, count, seal.key, STRANGER.public)
    assert "the seal was changed, its key or its signature" in faults(other)[0]
    assert "the seal was changed: its key; every line is as" in faults(other, KEY)[0]
    fewer = edited(sealed, count, f'"lines": {seal.lines}', f'"lines": {seal.lines - 1}')
    assert faults(fewer)[0].startswith("the seal was changed: it says")
    first = sealed.decode().split("\n")[-3][13:77]
    wrong = edited(sealed, count - 1, first, "0" * 64)
    assert "the hash of line 1" in faults(wrong)[0]


def test_another_key_than_the_one_expected_is_told(sealed: bytes) -> None:
    (told,) = faults(sealed, STRANGER)
    assert told.startswith("the key is not the one expected")


def test_who_takes_the_end_back_seals_again_and_the_first_end_stays(tmp_path: Path) -> None:
    table = over_table()
    table.does(Tap(table.later(1000), Act.TAKE_BACK))
    between = len(table.decided)
    table.does(Tap(table.later(1000), Act.RESTORE))
    assert table.view.phase is Phase.MATCH_OVER
    lines = kept(tmp_path / FILE, table.start, table.decided)
    seals = [place for place, line in enumerate(lines) if read_seal(line)]
    assert seals == [between + 1, len(lines) - 1]
    data = write_record(lines).encode()
    assert faults(data, KEY) == ()
    without_first = write_record([line for i, line in enumerate(lines) if i != seals[0]])
    assert is_found(without_first.encode())


def test_a_match_gone_on_with_is_not_sealed_where_it_stands(tmp_path: Path) -> None:
    table = over_table()
    table.does(Tap(table.later(1000), Act.TAKE_BACK))
    lines = kept(tmp_path / FILE, table.start, table.decided)
    assert read_seal(lines[-1]) is None


DIES = """
import os, sys
from pathlib import Path
from typing import Any
from test_record import over_table
from pi_app.journal.store import Journal

def seal(lines):
    os._exit(9)

table = over_table()
journal = Journal(Path(sys.argv[1]), seal)
journal.begin(table.start, "now")
for decision in table.decided:
    journal.decide(decision)
    journal.commit()
"""


def test_killed_while_it_is_sealed_a_match_is_neither_over_nor_sealed(tmp_path: Path) -> None:
    path = tmp_path / FILE
    paths = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", DIES, str(path)],
        env={**os.environ, "PYTHONPATH": paths},
        check=False,
        timeout=60,
    )
    assert done.returncode == 9
    with closing(Archive(path)) as archive:
        assert not archive.match(MatchId(1)).is_over
        assert not any(map(read_seal, archive.record(MatchId(1))))


def test_without_a_usable_key_the_match_is_kept_unsealed_and_that_is_told(tmp_path: Path) -> None:
    table = over_table()
    path = tmp_path / FILE
    make_key(tmp_path)
    (tmp_path / KEY_FILE).unlink()
    with closing(Journal(path, lambda lines: read_key(tmp_path).seal(lines))) as j:
        j.begin(table.start, WHEN)
        for decision in table.decided:
            j.decide(decision)
        j.commit()
        assert "no key yet" in (j.unsealed or "")
        assert j.match(MatchId(1)).is_over


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with a sealed match in it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "spotter"
    folder.mkdir()
    table = over_table()
    kept(folder / FILE, table.start, table.decided, make_key(folder))
    return tmp_path


def test_from_the_board_to_anybody(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--key"]) == 0
    key = capsys.readouterr().out.strip()
    file, key_file = board / "match.sealed", board / "board.key"
    key_file.write_text(f"{key}\n")
    assert main(["export", "1", "--sealed", "-o", str(file)]) == 0
    assert main(["export", "1", "--sealed"]) == 0
    assert capsys.readouterr().out == file.read_text()
    for words in ([], ["--key", key], ["--key", str(key_file)]):
        assert main(["verify", str(file), *words]) == 0
        said = capsys.readouterr().out
        assert "Every decision follows from the one before it by the rules." in said
        assert key in said
        assert ("--key KEY compares it" in said) is (not words)
    assert main(["verify", str(file), "--key", STRANGER.public]) == 1
    assert "the key is not the one expected" in capsys.readouterr().out
    file.write_bytes(edited(file.read_bytes(), 2, "Ann", "Eve"))
    assert main(["verify", str(file)]) == 1
    assert "line 2, the start, was changed" in capsys.readouterr().out


def test_what_cannot_be_used_is_told_in_a_line(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = board / "plain.txt"
    plain.write_text("nothing\n")
    for words in ([str(plain)], [str(board / "none")], [str(board)], [str(plain), "--key", "x"]):
        assert main(["verify", *words]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("spotter: ")
    assert main(["export"]) == 2
    assert "the number of a match is missing" in capsys.readouterr().err


def test_a_signature_does_not_make_a_match_follow_the_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """False records sealed by a true key."""
    table = over_table()
    last = table.decided[-1]
    more = replace(last.state.standing.score, white=9)
    standing = replace(last.state.standing, score=more)
    made_up = [*table.decided[:-1], replace(last, state=replace(last.state, standing=standing))]
    file = tmp_path / "made-up.sealed"
    file.write_text(write_record(kept(tmp_path / FILE, table.start, made_up)))
    assert faults(file.read_bytes(), KEY) == ()
    assert main(["verify", str(file), "--key", KEY.public]) == 1
    said = capsys.readouterr().out
    assert f"decision {len(made_up)} (play) cannot be: standing is" in said


def test_a_seal_is_looked_after_as_decisions_are(tmp_path: Path) -> None:
    """A flipped bit in it is noticed, and out of a damaged file it is brought over."""
    table = over_table()
    lines = kept(tmp_path / FILE, table.start, table.decided)
    with closing(Journal(tmp_path / "other.db")) as journal:
        journal.restore(lambda db: salvage(tmp_path / FILE, db))
        assert journal.record(MatchId(1)) == lines
    with closing(Journal(tmp_path / FILE)) as journal:
        journal.restore(lambda db: db.execute("UPDATE seals SET line = replace(line, 'a', 'b')"))
        with pytest.raises(DamagedError, match="the seal of match 1 after decision"):
            journal.check(10)


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    first = make_key(tmp_path).public
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o777 == 0o600
    (tmp_path / KEY_FILE).chmod(0o644)
    assert make_key(tmp_path).public == first == read_key(tmp_path).public
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == [KEY_FILE]


def test_the_key_is_one_that_other_programs_read(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415
        Encoding,
        PublicFormat,
        load_pem_private_key,
    )

    public = make_key(tmp_path).public
    key = load_pem_private_key((tmp_path / KEY_FILE).read_bytes(), None)
    assert key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex() == public


def test_a_key_that_is_none_is_left_alone(tmp_path: Path, board: Path) -> None:
    (tmp_path / KEY_FILE).write_text("hello")
    with pytest.raises(Exception, match="it is no private key in PEM"):
        make_key(tmp_path)
    assert (tmp_path / KEY_FILE).read_text() == "hello"


def test_the_first_wall_time_of_a_decision_is_kept(sealed: bytes) -> None:
    """A record read again has the times of its decisions, in their order."""
    times = [decision.us for _, decision in read_record(sealed).decisions]
    assert times == sorted(times)
    assert times[-1] > Us(0)
