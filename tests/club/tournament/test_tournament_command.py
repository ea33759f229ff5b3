"""A tournament at the command line: from the list of players to the CSV, killed in between."""

from __future__ import annotations

import csv
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from table_talk import NannonTable

from pi_app.__main__ import main
from pi_app.base.identifiers import board_name
from pi_app.club.tournament.model import (
    Reported,
    System,
    Tournament,
    TournamentError,
    load,
    read_lines,
    save,
    write_lines,
)
from pi_app.club.tournament.pairing import paired
from pi_app.club.tournament.results import Played, result_of, source_of, taken, write_key
from pi_app.club.tournament.standings import as_csv
from pi_app.journal.store import Journal
from pi_app.match.turns import Phase
from pi_app.referee.events import FarSeat
from pi_app.rules.terms import Side
from pi_app.seal.keys import SealingKey
from pi_app.seal.record import write_record
from pi_app.words.wall_time import written

Says = Callable[..., list[str]]


@pytest.fixture
def says(capsys: pytest.CaptureFixture[str]) -> Says:
    """The lines that a tournament's action prints, its exit status being 0."""

    def act(*words: object) -> list[str]:
        status = main(["tournament", *map(str, words)])
        told = capsys.readouterr()
        assert status == 0, told.err
        return told.out.splitlines()

    return act


@pytest.fixture
def refuses(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The one line of an action that cannot be done."""

    def act(*words: object) -> str:
        assert main(["tournament", *map(str, words)]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        (line,) = told.err.splitlines()
        return line

    return act


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "open.tournament"


def over(white: str, black: str, match_to: int = 1, seed: int = 3) -> NannonTable:
    """A match of these two that is over."""
    table = NannonTable(match_to, seed)
    table.plays_until(Phase.MATCH_OVER)
    table.start = replace(table.start, players=(white, black))
    return table


PAIRED = "2026-11-27T19:00:00+00:00"


def sealed(folder: Path, table: NannonTable, key: SealingKey, began: str = "") -> Path:
    """Its record, in a file; begun after the round was paired."""
    began = began or written(datetime.now(UTC))
    name = "-".join(table.start.players)
    with closing(Journal(folder / f"{name}.db", key.seal)) as journal:
        number = journal.begin(table.start, began)
        for decision in table.decided:
            journal.decide(decision)
        journal.commit()
        record = folder / f"{name}.sealed"
        record.write_text(write_record(journal.record(number)))
    return record


BOARDS_KEY = SealingKey(bytes(range(1, 33)))
STRANGERS_KEY = SealingKey(bytes(range(2, 34)))


def keys_of(folder: Path, key: SealingKey) -> Path:
    """An organiser's folder of the boards' keys, with that of one board."""
    keys = folder / "keys"
    keys.mkdir(exist_ok=True)
    (keys / "board-4.key").write_text(write_key(board_name("board-4"), key.public))
    return keys


def test_an_evening_of_four(file: Path, tmp_path: Path, says: Says) -> None:
    says("new", file, "Thursday", "Ada", "Ben", "Cid", "Dot", "--to", 1, "--rounds", 2)
    told = says("pair", file)
    assert told[0] == "Round 1"
    assert [line.split()[1:3] for line in told[2:]] == [["Ada", "Cid"], ["Ben", "Dot"]]
    # Black is called otherwise at the board: capitals do not matter.
    record = sealed(tmp_path, over("cid", "ADA"), BOARDS_KEY)
    keys = keys_of(tmp_path, BOARDS_KEY)
    (told_once,) = says("take", file, record, "--keys", keys)
    assert told_once.startswith(f"table 1: {record}, sealed by board-4 (cid")
    (again,) = says("take", file, record, "--keys", keys)
    assert again.endswith("was taken before; nothing is changed")
    says("confirm", file)
    says("result", file, 2, "0-1", "--note", "clock not used")
    shown = says("show", file)
    assert shown[0] == "Thursday: swiss, 4 players, matches to 1"
    won = result_of(over("cid", "ada").decided)
    assert won is not None
    best = {"Dot", "Cid" if won.winner is Side.WHITE else "Ada"}
    assert {line.split()[1] for line in shown[-4:-2]} == best
    second = says("pair", file)
    assert {second[2].split()[1], second[2].split()[2]} == best
    rows = [*csv.reader(io.StringIO("\n".join(says("export", file, "results"))))]
    assert rows[0][:4] == ["round", "table", "first", "second"]
    assert [row[6] for row in rows[1:]] == ["confirmed", "confirmed", "open", "open"]
    assert rows[2][8] == "clock not used"
    target = tmp_path / "standings.csv"
    says("export", file, "standings", "-o", target)
    assert target.read_text().splitlines()[0].startswith("place,player,points")


def test_a_record_that_was_changed_gives_no_result(
    file: Path, tmp_path: Path, says: Says, refuses: Callable[..., str]
) -> None:
    says("new", file, "Open", "Ada", "Cid")
    says("pair", file)
    record = sealed(tmp_path, over("Ada", "Cid"), BOARDS_KEY)
    text = record.read_text()
    record.write_text(text.replace('"players": ["Ada", "Cid"]', '"players": ["Cid", "Ada"]'))
    assert "line 2, the start, was changed" in refuses("take", file, record)
    assert load(file).current[0].result is None


@pytest.mark.parametrize("knows", [True, False])
def test_what_no_known_board_has_sealed_is_refused_and_its_key_is_said(
    file: Path, tmp_path: Path, says: Says, knows: bool
) -> None:
    """A key is made in a second, and seals what anybody likes."""
    says("new", file, "Open", "Ada", "Cid")
    says("pair", file)
    forged = sealed(tmp_path, over("Ada", "Cid"), STRANGERS_KEY)
    keys = ["--keys", keys_of(tmp_path, BOARDS_KEY)] if knows else []
    (told,) = says("take", file, forged, *keys)
    assert f"sealed by the key {STRANGERS_KEY.public}, which is no known board's" in told
    assert "--unproven" in told
    assert load(file).current[0].result is None
    (told,) = says("take", file, forged, *keys, "--unproven")
    assert told.startswith(f"table 1: {forged}, sealed by an unknown key")
    assert load(file).current[0].result is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no keys"),
        ("board-4", "neither 64 hexadecimals nor a file"),
        (f"Board! {BOARDS_KEY.public}", "board 'Board!'"),
        (f"board-4 {'00' * 32}", "by which anybody can sign"),
    ],
)
def test_a_file_of_keys_that_is_none(
    file: Path, tmp_path: Path, says: Says, refuses: Callable[..., str], text: str, said: str
) -> None:
    says("new", file, "Open", "Ada", "Cid")
    keys = tmp_path / "boards.key"
    keys.write_text(text)
    assert said in refuses("take", file, tmp_path / "x.sealed", "--keys", keys)


def test_what_does_not_belong_to_a_table_is_told_and_changes_nothing() -> None:
    standing = paired(Tournament("Open", System.SWISS, 0, 1).joined(["Ada", "Ben", "Cid", "Dot"]))
    standing = standing.dated(datetime.fromisoformat(PAIRED))

    def told(table: NannonTable, source: str = "one", began: str = PAIRED) -> str:
        played = Played(source, "here", began, table.start, table.decided)
        same, (line,) = taken(standing, [played])
        assert same == standing
        return line

    good = over("Ada", "Cid")
    assert "player 'Eve' is not in this tournament" in told(over("Ada", "Eve"))
    assert "they do not meet in round 1" in told(over("Ada", "Ben"))
    assert "was played to 3, and here it is to 1" in told(over("Ada", "Cid", match_to=3))
    unfinished = over("Ada", "Cid")
    del unfinished.decided[-1]
    assert "is not over yet" in told(unfinished)
    for began, why in (
        ("2026-11-27T18:59:59+00:00", ", before round 1 was paired, 2026-11-"),
        ("2026-11-27T19:59:59+01:00", ", before round 1 was paired"),
        ("1970-01-01T00:07:00+00:00", "it is not known when it began"),
        ("yesterday", "it is not known when it began"),
    ):
        assert why in told(good, began=began)
        assert "result FILE TABLE takes it all the same" in told(good, began=began)
    played = Played("one", "board 4, match 2", PAIRED, good.start, good.decided)
    standing, (line,) = taken(standing, [played])
    assert line.startswith("table 1: board 4, match 2 (Ada – Cid)")
    assert "was taken before; nothing is changed" in told(good)
    assert "table 1 has a result already" in told(good, source="other")
    other = replace(good.start, players=("Cid", "Ada"))
    again, (line,) = taken(standing, [Played("one", "here", PAIRED, other, good.decided)])
    assert (again, "differs now" in line) == (standing, True)


def test_several_matches_that_fit_a_table_are_listed_and_none_is_taken() -> None:
    names = ["Ada", "Ben", "Cid", "Dot"]
    standing = paired(Tournament("Open", System.SWISS, 0, 1).joined(names))
    standing = standing.dated(datetime.fromisoformat(PAIRED))
    one, other = over("Ada", "Cid"), over("Ben", "Dot")
    matches = [
        Played("a", "board 4, match 2", PAIRED, one.start, one.decided),
        Played("b", "board 5, match 1", PAIRED, one.start, one.decided),
        Played("c", "board 6, match 1", PAIRED, other.start, other.decided),
        Played("b", "b.sealed", PAIRED, one.start, one.decided),
    ]
    after, lines = taken(standing, matches)
    assert [pairing.result is None for pairing in after.current] == [True, False]
    assert lines[0].startswith("table 1: 2 matches fit, and none is taken")
    assert [line.split(" (")[0] for line in lines[1:]] == [
        "table 1: board 4, match 2",
        "table 1: board 5, match 1",
        "table 1: b.sealed",
        "table 2: board 6, match 1",
    ]


def test_both_records_of_a_linked_match_are_one_match() -> None:
    table = over("Ada", "Cid")
    seats = [FarSeat(side, f"town-{n}", "f00d").seat for n, side in enumerate(Side, start=1)]
    starts = [replace(table.start, options=dict(seat.options)) for seat in seats]
    sources = [source_of(n, PAIRED, start) for n, start in enumerate(starts, start=1)]
    standing = paired(Tournament("Open", System.SWISS, 0, 1).joined(["Ada", "Cid"]))
    standing = standing.dated(datetime.fromisoformat(PAIRED))
    matches = [
        Played(source, f"board {source}", PAIRED, start, table.decided)
        for source, start in zip(sources, starts, strict=True)
    ]
    after, lines = taken(standing, matches)
    assert after.current[0].result is not None
    assert len(lines) == 2
    again, (line,) = taken(after, matches[1:])
    assert (again, "was taken before; nothing is changed" in line) == (after, True)


def test_a_round_of_an_earlier_spotter_takes_nothing_by_itself(file: Path) -> None:
    table = over("Ada", "Cid")
    standing = paired(Tournament("Open", System.SWISS, 0, 1).joined(["Ada", "Cid"]))
    save(file, standing)
    played = Played("a", "here", PAIRED, table.start, table.decided)
    same, (line,) = taken(load(file), [played])
    assert same == standing
    assert "it is not stored when round 1 was paired; result FILE TABLE takes it" in line


def test_yesterdays_match_is_not_tonights_result(file: Path, tmp_path: Path, says: Says) -> None:
    record = sealed(tmp_path, over("Ada", "Cid"), BOARDS_KEY, "2026-11-20T20:15:00+01:00")
    keys = keys_of(tmp_path, BOARDS_KEY)
    says("new", file, "Thursday", "Ada", "Cid")
    says("pair", file)
    (line,) = says("take", file, record, "--keys", keys)
    assert "before round 1 was paired" in line
    assert load(file).current[0].result is None


def test_who_won_is_whom_the_record_says() -> None:
    table = over("Ada", "Cid")
    ending = result_of(table.decided)
    assert ending is not None
    score = table.decided[-1].state.standing.score
    assert ending.points == (score.white, score.black)
    assert ending.winner is (Side.WHITE if score.white else Side.BLACK)
    assert result_of(table.decided[:-1]) is None


def test_a_director_corrects_and_what_stood_there_is_told(file: Path, says: Says) -> None:
    says("new", file, "Open", "Ada", "Cid", "--system", "elimination")
    says("pair", file)
    says("result", file, 1, "7-3")
    says("result", file, 1, "0-0", "--winner", "cid", "--note", "Ada went home")
    result = load(file).current[0].result
    assert result == Reported(
        (0, 0), "Cid", confirmed=True, note="Ada went home; was 7–3, won by Ada"
    )
    assert says("show", file)[-1] == "Cid has won"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["dance"], "argument ACTION: invalid choice: 'dance' (choose from 'new', 'join'"),
        (["show", "{none}"], "spotter tournament new FILE begins a tournament"),
        (["new", "{file}", "Open"], "is there already; give another name"),
        (["join", "{file}", "ada"], "player 'ada' is there already"),
        (["join", "{file}", "  "], "is no name"),
        (["leave", "{file}", "Eve"], "player 'Eve' is not in this tournament; join adds one"),
        (["pair", "{file}"], "round 1 is not complete: table 1"),
        (["result", "{file}", "2", "7-3"], "table 2 is not in this round of 1"),
        (["result", "{file}", "1", "7:3"], "'7:3' is no result; write 7-3"),
        (["result", "{file}", "1", "3-3"], "equal points name no winner; give --winner PLAYER"),
        (["confirm", "{file}", "1"], "has no result yet; give it: spotter tournament result"),
        (["take", "{file}", "{none}"], "give a file of spotter export --sealed"),
        (["new", "{none}", "X", "--system", "elimination", "--rounds", "3"], "--rounds is for a"),
        (["join", "{file}", "--from", "{none}"], "give a file of names"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(
    file: Path, says: Says, refuses: Callable[..., str], words: list[str], told: str
) -> None:
    says("new", file, "Open", "Ada", "Ben")
    says("pair", file)
    before = file.read_bytes()
    none = file.with_name("none")
    assert told in refuses(*(word.format(file=file, none=none) for word in words))
    assert file.read_bytes() == before


def test_the_file_is_read_as_it_was_written(file: Path) -> None:
    standing = paired(Tournament("Öpen", System.SWISS, 3, None).joined(["Ada", "Ben", "Çid"]))
    standing = standing.with_result(1, Reported((7, 3), standing.current[0].first, "x", note="n"))
    standing = standing.left("Ben")
    save(file, standing)
    assert load(file) == standing
    assert read_lines("\n".join(write_lines(standing))) == standing


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nonsense", "line 2: not JSON"),
        ("[1]", r"line 2: \[1\] is no JSON object"),
        ('{"player": 7}', r"line 2: \$.player is 7: Expected str"),
        ('{"round": 3, "first": "Ada"}', r"line 2: \$.round is 3"),
        ('{"round": 1, "first": "Ada", "winner": "Bo", "points": [1, 2]}', "winner must be one"),
    ],
)
def test_a_file_that_somebody_edited_is_told_by_its_line(line: str, told: str) -> None:
    head = '{"tournament": 1, "name": "Open", "system": "swiss", "rounds": 3}'
    with pytest.raises(TournamentError, match=told):
        read_lines(f"{head}\n{line}")
    with pytest.raises(TournamentError, match="no beginning of a tournament"):
        read_lines('{"player": "Ada"}')


def test_a_name_is_no_formula() -> None:
    assert as_csv(("player",), [("=1+1",), ("Ada, B.",)]) == 'player\n\'=1+1\n"Ada, B."\n'


WRITES = """
import sys
from pathlib import Path
from pi_app.club.tournament.model import System, Tournament
from pi_app.club.tournament.model import save
standing = Tournament("Open", System.SWISS, 0, None)
number = 0
while True:
    number += 1
    if number < 400:
        standing = standing.joined([f"P{number}"])
    save(Path(sys.argv[1]), standing)
    print(number, flush=True)
"""


def test_killed_at_any_moment_the_file_is_whole(file: Path) -> None:
    for kill in range(4):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITES, str(file)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert writer.stdout is not None
        for _ in range(20 + 17 * kill):
            told = writer.stdout.readline()
        time.sleep(0.0007 * kill)
        writer.send_signal(signal.SIGKILL)
        writer.wait(10)
        writer.stdout.close()
        assert len(load(file).entrants) >= min(int(told), 399)
