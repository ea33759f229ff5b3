"""The kept matches as they are found for the screen, from real journals of every version."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from any_table import AnyTable
from known import GAMES, load_board
from small_matches import double_passed

from pi_app.__main__ import main
from pi_app.app.librarian import Librarian, is_playable
from pi_app.base.microseconds import ms
from pi_app.devices.stick import Stick
from pi_app.export.retold import Kept
from pi_app.export.statistics import by_name, figures_of
from pi_app.games.all import ALL
from pi_app.journal import opening
from pi_app.journal.archive import Archive
from pi_app.journal.opening import FILE
from pi_app.journal.store import Journal
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import MatchId, Start
from pi_app.screen.ui import Shelf
from pi_app.user.agreement import Form
from pi_app.user.commands import Fetch, Wanted

OLD = Path(__file__).parent.parent / "journal" / "version6"
BOARD = load_board("nannon-6")


def on_nannon(start: Start) -> bool:
    return is_playable(start, BOARD, "nannon-6")


def librarian(path: Path, stick: Callable[[], Stick | None] = lambda: None) -> Librarian:
    return Librarian(path, ALL, on_nannon, stick)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Backgammon, Nannon without names, an unknown game, and a Nannon match without a turn."""
    monkeypatch.setattr(opening, "is_volatile", lambda folder: False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "spotter" / FILE
    journal = Journal(path)
    table = double_passed()
    journal.begin(table.start, "2026-03-01T20:15")
    for decision in table.decided:
        journal.decide(decision)
    journal.commit()
    journal.begin(Start(ms(0), "nannon", "nannon-6", 3, ("White", "Bea")), "2026-03-02T09:00")
    journal.begin(Start(ms(0), "tric-trac", "gone.toml", 3, ("Cid", "Dan")), "then")
    journal.begin(Start(ms(0), "nannon", "nannon-6", None, ("Eva", "Ann")), "2026-03-03T09:00")
    journal.close()
    return path


def found(path: Path, *wishes: Fetch) -> Shelf:
    finder = librarian(path)
    for wish in wishes:
        finder.take(wish)
    return finder.shelf


def test_matches_are_listed_newest_first_with_who_can_be_played_on_here(path: Path) -> None:
    shelf = found(path, Fetch(Wanted.LIST))
    assert shelf.matches
    assert [(one.number, one.title, one.board, one.here, one.over) for one in shelf.matches] == [
        (4, "Nannon", "Nannon, six spots", True, False),
        (3, "tric-trac", "gone.toml", False, False),
        (2, "Nannon", "Nannon, six spots", True, False),
        (1, "Backgammon", "Tables, 24 points × 5 places", False, False),
    ]
    newest = shelf.matches[0]
    assert (newest.players, newest.match_to, newest.began) == (
        ("Eva", "Ann"),
        None,
        "2026-03-03 09:00",
    )


def test_each_match_that_can_be_played_has_the_form_of_another_one_like_it(path: Path) -> None:
    assert [one.form for one in found(path, Fetch(Wanted.LIST)).matches or ()][:3] == [
        Form(("Eva", "Ann"), None, game="nannon"),
        None,
        Form(("", "Bea"), 3, game="nannon"),
    ]


def test_names_are_remembered_the_latest_first_and_sides_are_no_names(path: Path) -> None:
    assert found(path, Fetch(Wanted.LIST)).names == ("Eva", "Ann", "Bea")


def test_a_match_is_opened_on_its_own_board(path: Path) -> None:
    shelf = found(path, Fetch(Wanted.MATCH, MatchId(1)))
    assert shelf.opened
    assert (shelf.opened.game, shelf.opened.board.name) == ("backgammon", "tables-24")
    assert [leaf.said for leaf in shelf.opened.leaves[-3:]] == [
        "Ann doubles to\u00a02",
        "Bea passes. Ann wins 1 point, double passed.",
        "Game 2, the Crawford game",
    ]


def test_a_board_that_is_gone_is_drawn_as_the_games_usual_one(path: Path) -> None:
    journal = Journal(path)
    number = journal.begin(Start(ms(0), "cannon", "gone.toml", 1, ("Ann", "Bea")), "then")
    journal.close()
    opened = found(path, Fetch(Wanted.MATCH, number)).opened
    assert opened
    assert opened.board.name == "cannon-10"


@pytest.mark.parametrize("wanted", [Wanted.MATCH, Wanted.CODE, Wanted.STICK])
def test_a_game_that_nobody_knows_is_said(wanted: Wanted, path: Path) -> None:
    shelf = found(path, Fetch(wanted, MatchId(3)))
    told = "Insert a USB stick" if wanted is Wanted.STICK else "This match cannot be shown"
    assert shelf.message.startswith(told)
    assert shelf.opened is None


def test_a_journal_that_is_gone_or_damaged_is_told_and_not_waited_for(tmp_path: Path) -> None:
    shelf = found(tmp_path / FILE, Fetch(Wanted.LIST))
    assert shelf.matches == ()
    assert "no journal yet" in shelf.message
    (tmp_path / FILE).write_bytes(b"rubbish" * 1000)
    assert "is damaged" in found(tmp_path / FILE, Fetch(Wanted.PLAYERS)).message


@pytest.mark.parametrize("name", ["kept", "every-phase"])
def test_a_journal_of_version_6_is_listed_opened_counted_and_coded(
    name: str, tmp_path: Path
) -> None:
    old = tmp_path / FILE
    shutil.copy(OLD / f"{name}.db", old)
    finder = librarian(old)
    finder.take(Fetch(Wanted.LIST))
    matches = finder.shelf.matches
    assert matches
    for match in matches:
        finder.take(Fetch(Wanted.MATCH, match.number))
        assert finder.shelf.opened
        assert finder.shelf.opened.match == match
        finder.take(Fetch(Wanted.CODE, match.number, 10**6))
        assert finder.shelf.part
        assert finder.shelf.part.number == finder.shelf.part.count - 1
        assert finder.shelf.message == ""
    finder.take(Fetch(Wanted.PLAYERS))
    assert finder.shelf.counted == len(matches)


# Statistics


def test_the_statistics_are_those_of_every_match_together(path: Path) -> None:
    shelf = found(path, Fetch(Wanted.LIST), Fetch(Wanted.PLAYERS))
    with closing(Archive(path)) as archive:
        kept = [
            Kept(match.start, tuple(archive.decisions(match.number)), GAMES)
            for match in archive.matches()
            if match.start.game in GAMES
        ]
    names = [
        (None, "Bea") if one.start.players[0] == "White" else one.start.players for one in kept
    ]
    expected = by_name(zip(names, map(figures_of, kept), strict=True))
    assert {one.name: one.figures for one in shelf.players} == expected
    assert [one.name for one in shelf.players] == ["Ann", "Bea", "Eva"]
    assert shelf.counted == 4


def test_what_is_over_is_counted_once_and_what_goes_on_each_time(path: Path) -> None:
    table = AnyTable("backgammon", 1)
    table.opens("3", "1")
    table.taps(Act.RESIGN, points=1)
    table.taps(Act.ACCEPT)
    journal = Journal(path)
    number = journal.begin(replace(table.start, players=("Uwe", "Vera")), "now")
    for decision in table.decided:
        journal.decide(decision)
    journal.commit()
    finder = librarian(path)
    finder.take(Fetch(Wanted.PLAYERS))
    before = {one.name: one.figures for one in finder.shelf.players}
    assert before["Vera"].won == 1
    journal.resume(MatchId(4))
    for decision in table.decided:
        journal.decide(decision)
    journal.commit()
    journal.close()
    finder.take(Fetch(Wanted.PLAYERS))
    after = {one.name: one.figures for one in finder.shelf.players}
    assert after["Vera"] == before["Vera"]
    assert (before["Ann"].points, after["Ann"].points) == (1, 2)
    assert number == 5


# To a stick


def test_a_match_goes_to_the_stick_as_export_prints_it(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "STICK"
    folder.mkdir()
    finder = librarian(path, lambda: Stick("STICK", folder, writable=True))
    finder.take(Fetch(Wanted.STICK, MatchId(1)))
    name = "spotter-2026-03-01-1-Ann-Bea"
    assert finder.shelf.message == f"Saved to STICK: {name}.txt, {name}.mat and {name}.sgf"
    assert main(["export", "1"]) == 0
    heading, *sheet = capsys.readouterr().out.splitlines()
    assert (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines() == [
        "Match 1, Ann – Bea, 2026-03-01 20:15",
        *sheet,
    ]
    assert heading == "Match 1, 2026-03-01 20:15"
    assert main(["export", "1", "--mat"]) == 0
    assert (folder / f"{name}.mat").read_text(encoding="utf-8") == capsys.readouterr().out


def test_a_form_that_cannot_tell_the_match_is_left_out_and_said(path: Path, tmp_path: Path) -> None:
    table = double_passed()
    table.opens("5", "1")
    table.corrects(table.view.position.replace("b", "-", 1).replace("-", "b", 1))
    journal = Journal(path)
    number = journal.begin(table.start, "2026-03-05T20:15")
    for decision in table.decided:
        journal.decide(decision)
    journal.commit()
    journal.close()
    finder = librarian(path, lambda: Stick("STICK", tmp_path, writable=True))
    finder.take(Fetch(Wanted.STICK, number))
    assert "no .mat: in game 2 the board was corrected" in finder.shelf.message
    assert not list(tmp_path.glob("*.mat"))
    assert len(list(tmp_path.glob("*.txt"))) == 1


@pytest.mark.parametrize(
    ("stick", "told"),
    [
        (None, "Insert a USB stick and wait a moment"),
        (
            Stick("DISC", Path("/nowhere"), writable=False),
            "USB stick DISC is write-protected",
        ),
        (
            Stick("GONE", Path("/nowhere"), writable=True),
            "Not saved to GONE: No such file or directory",
        ),
    ],
)
def test_what_stands_in_the_way_of_writing_is_said(
    stick: Stick | None, told: str, path: Path
) -> None:
    finder = librarian(path, lambda: stick)
    finder.take(Fetch(Wanted.STICK, MatchId(1)))
    assert finder.shelf.message == told


# The thread


def test_all_that_was_asked_for_is_found_before_it_ends(path: Path) -> None:
    finder = librarian(path)
    finder.start()
    finder.ask(Fetch(Wanted.LIST))
    finder.ask(Fetch(Wanted.MATCH, MatchId(1)))
    finder.close()
    finder.close()
    assert finder.shelf.matches
    assert finder.shelf.opened


def test_counting_gives_way_to_whatever_else_is_asked_for(path: Path) -> None:
    finder = librarian(path)
    for wish in (Fetch(Wanted.PLAYERS), Fetch(Wanted.LIST)):
        finder.ask(wish)
    finder.start()
    finder.close()
    assert finder.shelf.players == ()
    assert finder.shelf.matches


def test_a_match_that_locks_the_coach_is_judged_once_it_is_over(tmp_path: Path) -> None:
    path = tmp_path / FILE
    with closing(Journal(path)) as journal:
        table = double_passed()
        locked = replace(table.start, options={**table.start.options, "locked": True})
        last = table.decided[-1]
        over = replace(last, what=Act.FLAG, state=replace(last.state, phase=Phase.MATCH_OVER))
        for decisions in (table.decided, [*table.decided, over]):
            journal.begin(locked, "2026-03-01T20:15")
            for decision in decisions:
                journal.decide(decision)
            journal.commit()
    asked: list[object] = []
    finding = Librarian(path, ALL, on_nannon, analyse=asked.append)
    finding.take(Fetch(Wanted.ANALYSIS, MatchId(1)))
    assert asked == []
    assert finding.shelf.message == "No coach until this match ends"
    finding.take(Fetch(Wanted.ANALYSIS, MatchId(2)))
    assert len(asked) == 1
